//! The second level of PN²: a leaf of the first tree is expanded by a search on a small tree.

use super::worker::{PathNode, Worker, update, update_all};
use crate::proving::numbers::phi_delta;
use crate::proving::tree::{ROOT, Tree};
use tesuji_core::{Knowledge, ProofNumbers};

/// The tree of a worker's second level, and the path in it.
pub(super) struct SecondLevel<M> {
    tree: Tree<M>,
    nodes: Vec<PathNode>,
}

impl<M: Copy + Send + Sync> SecondLevel<M> {
    pub fn new(capacity: usize, max_children: usize, filler: M) -> SecondLevel<M> {
        SecondLevel { tree: Tree::new(capacity, max_children, filler), nodes: Vec::new() }
    }

    pub fn bytes(&self) -> u64 {
        self.tree.bytes()
    }
}

impl<G: Knowledge> Worker<'_, '_, '_, '_, G> {
    /// Searches the current position on a tree of its own, and leaves the children in
    /// `new_children`; returns false if the search has to stop before there are any.
    pub(super) fn search_second_level(
        &mut self,
        second_level: &mut SecondLevel<G::Move>,
        keeps_all: bool,
        prover_moves: bool,
        first_level_nodes: u32,
    ) -> bool {
        let cap = self.run.settings.cap;
        let cap = cap.map_or(0.0, |cap| cap.nodes(f64::from(first_level_nodes), self.run.workers));
        let last = self.counters.nodes + cap as u64;
        let base = self.path.ply() as usize;
        let SecondLevel { tree, nodes } = second_level;
        tree.clear();
        tree.keep_root(keeps_all);
        nodes.clear();
        nodes.push(PathNode::root(prover_moves));
        let mut from = 0;
        loop {
            self.descend(tree, nodes, base, from, false);
            let PathNode { index, prover_moves, .. } = nodes[nodes.len() - 1];
            if !self.generate_children(tree.keeps_all_children(index), prover_moves) {
                break;
            }
            if !tree.expand(0, index, &self.new_children, prover_moves) {
                break;
            }
            from = update(tree, 0, nodes);
            if self.ticker.is_due() {
                self.show();
            }
            if tree.answer().is_some() || self.counters.nodes >= last {
                break;
            }
        }
        update_all(tree, 0, &nodes[..from]);
        self.truncate(nodes, base, 0);
        let Some(block) = tree.children(ROOT) else { return false };
        block.copy_to(&mut self.new_children);
        let solves = |&(_, numbers): &(G::Move, ProofNumbers)| phi_delta(numbers, prover_moves).0 == 0;
        // A tree without memory for one more node has kept the siblings of a solving child.
        if let Some(child) = self.new_children.children.iter().position(solves).filter(|_| !keeps_all) {
            self.new_children.keep_only(child);
        }
        true
    }
}
