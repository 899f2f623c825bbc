//! Adaptation of a kept tree to its new root.

use super::super::params::NewChildren;
use super::super::proof_numbers::{self, UNKNOWN};
use super::super::tree::ROOT;
use super::Worker;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{History, Knowledge};

impl<G: Knowledge> Worker<'_, G> {
    /// Reduces the proven interval of the root to what its children show.
    ///
    /// A kept tree may know that the root is won but not by which move: the move is not known any
    /// more, or not yet.
    pub fn reprove_root(&mut self) {
        let search = self.search;
        let (chunk, at) = search.tree.at(ROOT);
        let Some(cell) = chunk.bounds.get(at) else { return };
        cell.store(search.range);
        let link = search.tree.link(ROOT).load();
        if link.is_expanded() {
            search.narrow(ROOT, search.prover, link);
            // The choice made ahead depended on the old interval.
            if link.is_open() {
                search.tree.link(ROOT).store(link.with_choice(None));
            }
        }
    }

    /// Recomputes what depends on the player to move at the root, after that has changed: proof
    /// numbers and, if players have scores of their own, proven intervals.
    ///
    /// `history` is at the node. Returns false if it was stopped; the tree is unusable then.
    pub fn rebuild(&mut self, id: u32, history: &mut History<G>, stop: &dyn Fn() -> bool) -> bool {
        self.counters.nodes += 1;
        if self.counters.nodes.is_multiple_of(1024) && stop() {
            return false;
        }
        let search = self.search;
        let columns = search.tree.columns();
        self.forget_proofs(id);
        if let Some(outcome) = history.outcome() {
            if columns.bounds {
                let (chunk, at) = search.tree.at(id);
                chunk.bounds[at].narrow(search.interval(&outcome));
            }
            if columns.proof {
                self.number_terminal(id, &outcome);
            }
            return true;
        }
        let link = search.tree.link(id).load();
        if !link.is_expanded() {
            return true;
        }
        let block = search.tree.block(link);
        // Unopened children have not been tested, unless all are tested when created.
        let tests_all = search.params.expansion.new_children == NewChildren::All;
        let tested = if tests_all { block.count } else { block.opened };
        for child in 0..tested {
            history.play(block.mv(child));
            let done = self.rebuild(block.first + child as u32, history, stop);
            history.undo();
            if !done {
                return false;
            }
        }
        (tested..block.count).for_each(|child| self.forget_proofs(block.first + child as u32));
        let mover = history.position().to_move();
        if columns.bounds {
            search.narrow(id, mover, link);
        }
        if columns.proof {
            self.renumber(id, mover, link);
        }
        true
    }

    /// Resets the proof numbers of a node and, unless the game is zero-sum, its proven interval.
    fn forget_proofs(&self, id: u32) {
        let search = self.search;
        let (chunk, at) = search.tree.at(id);
        if !search.zero_sum
            && let Some(cell) = chunk.bounds.get(at)
        {
            cell.store(search.range);
        }
        for column in [&chunk.proof, &chunk.second_proof] {
            if let Some(cell) = column.get(at) {
                cell.store(proof_numbers::pack(UNKNOWN), Relaxed);
            }
        }
    }
}
