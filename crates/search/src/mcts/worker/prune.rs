//! Beam MCTS: counts simulations by depth, and prunes the tree.

use super::super::beam::Beam;
use super::Worker;
use tesuji_core::Knowledge;

impl<G: Knowledge> Worker<'_, G> {
    /// Counts the simulation that has just been backed up, and prunes the tree if it is time.
    // Not inlined: searches without a beam only pass by.
    #[inline(never)]
    pub(super) fn prune_to_beam(&mut self) {
        let Worker { beam: Some(beam), path, playout, search, .. } = self else { return };
        let (last, depth) = (path[path.len() - 1], path.len() - 1);
        // The first visit of a node creates it.
        if let Some(depth) = beam.count(depth, last.node.visits() == 1) {
            beam.prune(search.tree, depth, &mut playout.rng);
        }
    }

    /// Whether the search has a beam that has come to an end.
    pub fn has_exhausted_beam(&self) -> bool {
        let visits = self.search.params.expansion.expand_visits;
        self.beam.as_ref().is_some_and(|beam| beam.is_exhausted(visits))
    }

    /// The beam.
    pub fn beam(&self) -> Option<&Beam> {
        self.beam.as_deref()
    }

    /// Continues with the beam of an earlier worker.
    pub fn set_beam(&mut self, beam: Beam) {
        self.beam = Some(Box::new(beam));
    }
}
