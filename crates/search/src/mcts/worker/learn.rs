//! Learning from the moves of a simulation: AMAF statistics and playout policies.

use super::super::context::Values;
use super::super::params::Amaf;
use super::super::tree::UNIT;
use super::{Step, Worker};
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Knowledge, Player};

impl<'s, G: Knowledge> Worker<'s, G> {
    /// Updates AMAF statistics and playout policies with the moves of the simulation.
    pub(super) fn learn(&mut self, values: &Values) {
        let params = self.search.params;
        let in_tree = self.collect_moves();
        if params.simulation.policy.learns() {
            let value = |player: Player| values[player.index()] as f32 / UNIT;
            self.memory.learn(params.simulation.policy, &self.sequence, value);
        }
        if params.selection.amaf == Amaf::Off {
            return;
        }
        self.simulation = self.simulation.wrapping_add(1);
        let indices = self.search.facts.move_indices;
        for at in (0..self.sequence.len()).rev() {
            let (player, _, index) = self.sequence[at];
            self.last_made[player.index() * indices + index as usize] = self.simulation;
            // All moves from this point on are marked now.
            if at <= in_tree
                && let Some(&step) = self.path.get(at).filter(|step| step.link.is_expanded())
            {
                self.add_amaf(step, values[step.mover.index()]);
            }
        }
    }

    /// Collects the moves of the simulation, in the tree and in the playout, and returns the number
    /// of moves in the tree.
    fn collect_moves(&mut self) -> usize {
        let search = self.search;
        let start = search.root.position();
        self.sequence.clear();
        for step in &self.path[1..] {
            let (chunk, at) = search.tree.at(step.id);
            self.sequence.push((step.chooser, chunk.moves[at].load(), chunk.indices[at].load(Relaxed)));
        }
        let in_tree = self.sequence.len();
        let playout = self.trace.0.drain(..);
        self.sequence.extend(playout.map(|(player, mv)| (player, mv, start.move_index(mv) as u32)));
        in_tree
    }

    /// Adds a value to the AMAF statistics of every child whose move the player to move makes from
    /// here on.
    fn add_amaf(&self, step: Step<'s>, value: i64) {
        let indices = self.search.facts.move_indices;
        let block = self.search.tree.block(step.link);
        let last_made = &self.last_made[step.mover.index() * indices..][..indices];
        for (child, index) in block.of(&block.chunk.indices, block.count).iter().enumerate() {
            if last_made[index.load(Relaxed) as usize] == self.simulation {
                // A simulation writes to hundreds of these. If two workers collide, one update is
                // lost, which costs less than locked additions (Enzenberger & Mueller 2010).
                let at = block.begin + child;
                let (visits, sum) = (&block.chunk.amaf_visits[at], &block.chunk.amaf_sums[at]);
                visits.store(visits.load(Relaxed).wrapping_add(1), Relaxed);
                sum.store(sum.load(Relaxed) + value, Relaxed);
            }
        }
    }
}
