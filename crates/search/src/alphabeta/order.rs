//! Move ordering: killer moves, the game's own order and the relative history heuristic.

use super::Params;
use std::cmp::{Ordering, Reverse};
use tesuji_core::{Knowledge, Player};

/// The number of moves selected one by one before the rest is sorted.
///
/// An early cutoff then saves the sort. Raising it favours positions that cut early.
const SELECTED: usize = 4;

/// A legal move with its priority.
#[derive(Clone, Copy)]
pub(super) struct OrderedMove<M> {
    pub mv: M,
    /// The game's index of the move.
    pub index: u32,
    /// Moves with a higher priority are searched first.
    pub priority: i64,
}

/// The state of the move-ordering heuristics.
pub(super) struct MoveOrdering<M> {
    uses_killers: bool,
    uses_history: bool,
    /// The number of the game's move ordering.
    order: usize,
    /// The last two moves that caused a cutoff, by ply (Akl and Newborn 1977).
    killers: Vec<[Option<M>; 2]>,
    /// How often a move was searched and how often it caused a cutoff, by player and move index.
    cutoff_rates: Vec<[u32; 2]>,
}

impl<M: Copy + PartialEq> MoveOrdering<M> {
    /// Creates the state for a game with `move_indices` different moves.
    pub fn new(params: &Params, move_indices: usize) -> MoveOrdering<M> {
        MoveOrdering {
            uses_killers: params.killers,
            uses_history: params.relative_history,
            order: params.functions.order(),
            killers: Vec::new(),
            cutoff_rates: vec![[0; 2]; 2 * move_indices],
        }
    }

    /// Makes room for the killer moves of `plies` plies.
    #[inline]
    pub fn grow(&mut self, plies: usize) {
        if self.killers.len() < plies {
            self.killers.resize(plies, [None; 2]);
        }
    }

    /// Brings the best of the remaining moves to the front. `taken` moves were selected before.
    pub fn select<G: Knowledge<Move = M>>(
        &self,
        position: &G,
        rest: &mut [OrderedMove<M>],
        taken: usize,
        mover: Player,
        ply: usize,
    ) {
        if taken == 0 {
            self.prioritise(position, rest, mover, ply);
        }
        match taken.cmp(&SELECTED) {
            Ordering::Less => {
                let better = |best: usize, at: usize| if rest[at].priority > rest[best].priority { at } else { best };
                let best = (1..rest.len()).fold(0, better);
                rest.swap(0, best);
            }
            Ordering::Equal => rest.sort_unstable_by_key(|ordered| Reverse(ordered.priority)),
            Ordering::Greater => {}
        }
    }

    /// Assigns priorities: killers, then the game's own order, then the relative history heuristic
    /// (Winands et al. 2004).
    fn prioritise<G: Knowledge<Move = M>>(&self, position: &G, list: &mut [OrderedMove<M>], mover: Player, ply: usize) {
        let killers = self.killers[ply];
        for (number, ordered) in list.iter_mut().enumerate() {
            let class = match killers.iter().position(|killer| *killer == Some(ordered.mv)) {
                Some(killer) => 2 - killer as i64,
                None => 0,
            };
            let order =
                i64::from(position.move_order_by(self.order, ordered.mv).unwrap_or(0).clamp(-(1 << 30), 1 << 30));
            let [searched, cut] = self.cutoff_rates[rate_index(mover, ordered.index)];
            let relative = if searched == 0 { 0 } else { i64::from(cut) * 0xFFFF / i64::from(searched) };
            // The list index makes all priorities different, so an unstable sort is deterministic.
            ordered.priority = (((class << 32) + order) << 16 | relative) << 12 | (0xFFF - (number & 0xFFF)) as i64;
        }
    }

    /// Records that a move was searched.
    #[inline]
    pub fn record_search(&mut self, index: u32, mover: Player) {
        if self.uses_history {
            self.cutoff_rates[rate_index(mover, index)][0] += 1;
        }
    }

    /// Records that a move caused a cutoff.
    pub fn record_cutoff(&mut self, mv: M, index: u32, mover: Player, ply: usize) {
        if self.uses_history {
            self.cutoff_rates[rate_index(mover, index)][1] += 1;
        }
        let killers = &mut self.killers[ply];
        if self.uses_killers && killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

fn rate_index(mover: Player, index: u32) -> usize {
    2 * index as usize + mover.index()
}
