//! Games for one player: the best complete line of all simulations.

use super::super::tree::UNIT;
use super::Worker;
use crate::best_line::CompleteLine;
use std::sync::PoisonError;
use tesuji_core::{Knowledge, Player};

impl<G: Knowledge> Worker<'_, G> {
    /// Whether the worker keeps complete lines.
    #[inline]
    pub fn keeps_line(&self) -> bool {
        self.keeps_line
    }

    /// Whether the best line has the highest score that the game allows.
    pub fn has_perfect_line(&self) -> bool {
        self.best_value >= UNIT as i64
    }

    /// The score of a line that this worker has found since it was last asked, if it is the best so
    /// far.
    pub fn take_improvement(&mut self) -> Option<i32> {
        self.improvement.take()
    }

    /// Keeps the line of a simulation with a value, if it is the best so far.
    ///
    /// The score is that of the line replayed by the rules. A simulation that ended at a solved
    /// node has no complete line.
    pub(super) fn keep_line(&mut self, value: i64) {
        let search = self.search;
        let Some(shared) = search.line.filter(|_| value > self.best_value) else { return };
        let mut moves: Vec<G::Move> = Vec::with_capacity(self.path.len() + self.trace.0.len());
        moves.extend(self.path[1..].iter().map(|step| {
            let (chunk, at) = search.tree.at(step.id);
            chunk.moves[at].load()
        }));
        moves.extend(self.trace.0.iter().map(|&(_, mv)| mv));
        let mut game = search.root.clone();
        moves.iter().for_each(|&mv| game.play(mv));
        let Some(outcome) = game.outcome() else { return };
        self.best_value = value;
        let score = outcome.score(Player::FIRST);
        let mut best = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if best.as_ref().is_none_or(|best| score > best.score) {
            *best = Some(CompleteLine { score, playouts: self.playouts_so_far(), moves });
            self.improvement = Some(score);
        }
    }

    /// The playouts of the search so far. With several workers this is an estimate: each is taken
    /// to have made as many as this one.
    pub fn playouts_so_far(&self) -> u64 {
        let (before, workers) = self.search.playouts_before;
        before + self.counters.playouts * workers
    }
}
