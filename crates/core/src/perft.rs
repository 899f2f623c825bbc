//! Perft: how many games of a given length there are. The common currency for checking rules.
//!
//! A leaf is a sequence of exactly `depth` legal moves. A game that ends with the last of them is a leaf like any
//! other; one that ends earlier is none.

use crate::{Game, History};
use std::sync::atomic::{AtomicBool, Ordering};

/// What one count found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Sequences of exactly the depth asked for.
    pub leaves: u64,
    /// Moves made on the way.
    pub nodes: u64,
}

/// Whether the last moves are played or only counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// Count the moves of the last ply without playing them.
    Counted,
    /// Play every move: what a search does, so what its speed is compared with.
    Played,
}

/// Counts the leaves at `depth` below the present; `None` if `stop` was raised before the end.
pub fn perft<G: Game>(history: &History<G>, depth: u32, leaves: Leaves, stop: &AtomicBool) -> Option<Count> {
    let mut walk = Walk { leaves, stop, buffers: vec![Vec::new(); depth as usize], count: Count::default() };
    walk.below(&mut history.clone(), depth).then_some(walk.count)
}

struct Walk<'a, M> {
    leaves: Leaves,
    stop: &'a AtomicBool,
    /// One list of moves for every depth left, so that nothing is allocated on the way.
    buffers: Vec<Vec<M>>,
    count: Count,
}

impl<M: Copy> Walk<'_, M> {
    fn below<G: Game<Move = M>>(&mut self, history: &mut History<G>, depth: u32) -> bool {
        if depth == 0 {
            self.count.leaves += 1;
            return true;
        }
        let mut moves = std::mem::take(&mut self.buffers[depth as usize - 1]);
        moves.clear();
        history.legal_moves(&mut moves);
        let mut go_on = true;
        if depth == 1 && self.leaves == Leaves::Counted {
            self.count.leaves += moves.len() as u64;
        } else {
            self.count.nodes += moves.len() as u64;
            go_on = !self.stop.load(Ordering::Relaxed);
            for &mv in &moves {
                if !go_on {
                    break;
                }
                history.play(mv);
                go_on = self.below(history, depth - 1);
                history.undo();
            }
        }
        self.buffers[depth as usize - 1] = moves;
        go_on
    }
}
