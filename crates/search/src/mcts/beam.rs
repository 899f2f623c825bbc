//! Beam MCTS (Baier 2015, chapter 5): the tree of a game for one player is pruned, depth after
//! depth, to the most visited nodes.
//!
//! Every depth of the tree has a counter of the simulations that have passed through a node there.
//! When it reaches the simulation limit L, the W most visited nodes of that depth are kept with
//! their ancestors; all other nodes are removed, those below the kept ones included. From then on
//! no node is created at this depth or above it, and selection goes on among the kept nodes. So the
//! tree becomes deep and narrow, and time and memory are linear in its depth. With W = 1 this is
//! move-by-move search; if L is never reached, it is plain MCTS.
//!
//! Depths are pruned from the root down, because every simulation through a depth has passed
//! through all depths above it. A depth with at most W nodes is left alone unless the options say
//! otherwise; pruning it would remove the nodes below, and choose nothing.

use super::params::{BeamCounters, BeamParams};
use super::tree::{ROOT, Tree};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use tesuji_core::Rng;

/// One depth of the tree.
#[derive(Clone, Copy, Default, Debug)]
struct Level {
    /// The simulations that have passed through it.
    simulations: u64,
    /// The number of nodes, or more: recycling removes nodes that are still counted.
    nodes: usize,
}

/// The beam of a search.
#[derive(Clone, Debug)]
pub struct Beam {
    params: BeamParams,
    levels: Vec<Level>,
    /// The first depth that has not been pruned.
    next: usize,
    /// The number of simulations since a node was created or the tree was pruned.
    idle: u64,
}

impl Beam {
    /// The beam of an empty tree.
    pub fn new(params: BeamParams) -> Beam {
        let next = if params.prunes_root { 0 } else { 1 };
        Beam { params, levels: Vec::new(), next, idle: 0 }
    }

    /// The deepest depth that has been pruned; 0 at first.
    pub fn pruned_depth(&self) -> usize {
        self.next.saturating_sub(1)
    }

    /// Whether the beam has come to an end: since the last pruning, L simulations in a row have
    /// created no node, or L times the visits of a leaf before it is expanded. The nodes that
    /// selection prefers are terminal then.
    pub fn is_exhausted(&self, expand_visits: u32) -> bool {
        self.next > 1 && self.idle >= self.params.limit.saturating_mul(u64::from(expand_visits))
    }

    /// Counts a simulation whose last node in the tree is at depth `last` and may be new, and
    /// returns the depth at which the tree is to be pruned now, if any.
    pub fn count(&mut self, last: usize, is_new: bool) -> Option<usize> {
        if self.levels.len() <= last {
            self.levels.resize(last + 1, Level::default());
        }
        self.idle += 1;
        if is_new {
            self.levels[last].nodes += 1;
            self.idle = 0;
        }
        let passed = if is_new && !self.params.counts_new { last } else { last + 1 };
        let mut due = None;
        for depth in self.next..passed {
            let level = &mut self.levels[depth];
            level.simulations += 1;
            let is_wide = self.params.prunes_narrow || level.nodes > self.params.width;
            if due.is_none() && is_wide && level.simulations >= self.params.limit {
                due = Some(depth);
            }
        }
        due
    }

    /// Prunes the tree at a depth. Ties in visits are broken at random.
    pub fn prune<M: Copy + Send + Sync>(&mut self, tree: &Tree<M>, depth: usize, rng: &mut Rng) {
        let width = self.params.width;
        let mut ids = Vec::new();
        tree.visited_at(ROOT, depth, &mut ids);
        self.levels[depth].nodes = ids.len();
        if ids.len() <= width && !self.params.prunes_narrow {
            return;
        }
        if ids.len() > width {
            let mut ranked: Vec<(Reverse<u32>, u64, u32)> =
                ids.iter().map(|&id| (Reverse(tree.visits(id)), rng.bits(), id)).collect();
            ranked.select_nth_unstable(width - 1);
            ids = ranked[..width].iter().map(|&(_, _, id)| id).collect();
        }
        tree.keep_only(ROOT, depth, &ids.iter().copied().collect::<FxHashSet<u32>>());
        self.levels[depth].nodes = ids.len();
        for level in &mut self.levels[depth + 1..] {
            level.nodes = 0;
            if self.params.counters == BeamCounters::Reset {
                level.simulations = 0;
            }
        }
        self.next = depth + 1;
        self.idle = 0;
    }
}
