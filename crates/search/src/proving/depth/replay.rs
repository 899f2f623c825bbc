//! Results that depend on the path: how they are stored, and replayed along other paths
//! (Kishimoto and Müller 2004).

use super::shared::UNKNOWN_NUMBERS;
use super::walker::{NodeResult, Walker};
use crate::proving::numbers::of_answer;
use crate::proving::path::Dependency;
use crate::proving::table::{Entry, Length, MAX_LENGTH, NO_MOVE};
use tesuji_core::Knowledge;

/// The maximal number of positions of a replay. Raising it saves searches and makes failures more
/// expensive.
const MAX_REPLAY: u32 = 20_000;
/// The number of positions that a replay may always visit. Raising it lets more solutions be
/// confirmed, and wastes more on those that fail.
const MIN_REPLAY: u32 = 64;

/// The answer that a position has on some path, if it has one.
pub(super) fn replayable(entry: &Entry) -> Option<bool> {
    match (entry.proven_on_a_path, entry.disproven_on_a_path) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

impl<G: Knowledge> Walker<'_, '_, '_, G> {
    /// Replays the stored solution of a successor. Returns what it depends on and its rank if it
    /// holds on this path.
    pub(super) fn replay_successor(
        &mut self,
        mv: G::Move,
        key: u64,
        holds: bool,
        entry: Option<Entry>,
    ) -> Option<(Dependency, u16)> {
        // The replay must not cost more than another search.
        let mut budget = MAX_REPLAY.min(entry.map_or(0, |entry| entry.work).max(MIN_REPLAY));
        self.push(self.path.position_after(mv), key);
        let replayed = self.replay(holds, &mut budget);
        self.pop();
        replayed
    }

    /// Replays the stored solution of the current position.
    fn replay(&mut self, holds: bool, budget: &mut u32) -> Option<(Dependency, u16)> {
        *budget = budget.checked_sub(1)?;
        let key = self.current_key();
        let entry = self.shared.table.get(key)?;
        let mut moves = Vec::new();
        self.path.position().legal_moves(&mut moves);
        let (mut depends_on, mut rank, mut best) = (Dependency::PATH_INDEPENDENT, 0, NO_MOVE);
        if self.path.prover_moves() == holds {
            best = entry.best;
            (depends_on, rank) = self.replay_move(*moves.get(usize::from(best))?, holds, budget)?;
        } else {
            for mv in moves {
                let (move_depends_on, move_rank) = self.replay_move(mv, holds, budget)?;
                (depends_on, rank) = (depends_on.min(move_depends_on), rank.max(move_rank));
            }
        }
        let depends_on = self.path.dependency_of_node(depends_on);
        let rank = (rank + 1).min(MAX_LENGTH);
        self.store_result(key, &entry, NodeResult { numbers: of_answer(holds), depends_on, rank }, best, entry.work);
        Some((depends_on, rank))
    }

    fn replay_move(&mut self, mv: G::Move, holds: bool, budget: &mut u32) -> Option<(Dependency, u16)> {
        if !self.count_node() {
            return None;
        }
        let successor = self.path.successor(mv);
        if let Some(end) = successor.end {
            return (end.holds == holds).then_some((end.depends_on, 0));
        }
        let (key, entry, depends_on) = self.shared.look_up(&self.path, &successor);
        let entry = entry?;
        if let Some(answer) = entry.answer() {
            return (answer == holds).then_some((depends_on, entry.rank()));
        }
        if !(if holds { entry.proven_on_a_path } else { entry.disproven_on_a_path }) {
            return None;
        }
        self.push(successor.position, key);
        let replayed = self.replay(holds, budget);
        self.pop();
        replayed
    }

    /// Stores the result of a solved position. Its rank exceeds the ranks of all results that it is
    /// composed of.
    pub(super) fn store_result(&self, key: u64, before: &Entry, result: NodeResult, best: u16, work: u32) {
        let table = self.shared.table;
        let holds = result.numbers.proof == 0;
        let solved = Entry { numbers: result.numbers, work, best, ..*before };
        if result.depends_on == Dependency::PATH_INDEPENDENT {
            let length = Length::Rank(result.rank);
            let solved = Entry { length, proven_on_a_path: false, disproven_on_a_path: false, ..solved };
            // Ranks never increase: other results may be composed of the lower one.
            let is_lower = |old: Entry| old.answer() == Some(holds) && old.rank() <= result.rank;
            match table.get(key).filter(|&old| is_lower(old)) {
                None => table.put(key, solved),
                // A second-level search stores results without a move.
                Some(old) if old.best == NO_MOVE => table.put(key, Entry { best, ..old }),
                Some(_) => {}
            }
            return;
        }
        // Another worker may have found a path-independent result meanwhile.
        if table.get(key).is_some_and(|now| now.answer() == Some(holds)) {
            return;
        }
        let flagged = Entry {
            numbers: if before.answer().is_some() { UNKNOWN_NUMBERS } else { before.numbers },
            proven_on_a_path: before.proven_on_a_path || holds,
            disproven_on_a_path: before.disproven_on_a_path || !holds,
            ..solved
        };
        table.put(key, flagged);
        let length = Length::of_dependency(result.depends_on);
        let for_path = Entry { length, proven_on_a_path: false, disproven_on_a_path: false, ..solved };
        table.put(self.path.path_key(key), for_path);
    }
}
