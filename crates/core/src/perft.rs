//! Perft: the number of move sequences of a given length, the standard check of a move generator.
//!
//! A leaf is a sequence of exactly `depth` legal moves. A game that ends with the last of them
//! counts; a game that ends earlier does not.

use crate::{Game, History};
use std::sync::atomic::{AtomicBool, Ordering};

/// The result of a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// The sequences of exactly the given depth.
    pub leaves: u64,
    /// The moves played.
    pub nodes: u64,
}

/// Whether the last moves are played or only counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// Count the moves of the last ply without playing them.
    Counted,
    /// Play every move, as a search does.
    Played,
}

/// Counts the leaves at `depth` from the current position; `None` if `stop` was set before the end.
pub fn perft<G: Game>(history: &History<G>, depth: u32, leaves: Leaves, stop: &AtomicBool) -> Option<Count> {
    let mut walk = Walk { leaves, stop, buffers: vec![Vec::new(); depth as usize], count: Count::default() };
    walk.descend(&mut history.clone(), depth).then_some(walk.count)
}

struct Walk<'a, M> {
    leaves: Leaves,
    stop: &'a AtomicBool,
    /// A move list for each remaining depth, so that the walk does not allocate.
    buffers: Vec<Vec<M>>,
    count: Count,
}

impl<M: Copy> Walk<'_, M> {
    fn descend<G: Game<Move = M>>(&mut self, history: &mut History<G>, depth: u32) -> bool {
        if depth == 0 {
            self.count.leaves += 1;
            return true;
        }
        let mut moves = std::mem::take(&mut self.buffers[depth as usize - 1]);
        moves.clear();
        history.legal_moves(&mut moves);
        let mut running = true;
        if depth == 1 && self.leaves == Leaves::Counted {
            self.count.leaves += moves.len() as u64;
        } else {
            self.count.nodes += moves.len() as u64;
            running = !self.stop.load(Ordering::Relaxed);
            for &mv in &moves {
                if !running {
                    break;
                }
                history.play(mv);
                running = self.descend(history, depth - 1);
                history.undo();
            }
        }
        self.buffers[depth as usize - 1] = moves;
        running
    }
}
