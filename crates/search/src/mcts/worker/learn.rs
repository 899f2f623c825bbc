//! Learning from the moves of a simulation: AMAF statistics and playout policies.

use super::super::context::Values;
use super::super::params::{Amaf, AmafCredit};
use super::super::tree::UNIT;
use super::{Made, Step, Worker};
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Knowledge, MAX_PLAYERS, Player};

impl<'s, G: Knowledge> Worker<'s, G> {
    /// Updates AMAF statistics and playout policies with the moves of the simulation.
    pub(super) fn learn(&mut self, values: &Values) {
        let params = self.search.params;
        let in_tree = self.collect_moves();
        if params.simulation.policy.learns() {
            let value = |player: Player| values[player.index()] as f32 / UNIT;
            self.tools.memory.learn(params.simulation.policy, &self.sequence, value);
        }
        if params.selection.amaf == Amaf::Off {
            return;
        }
        self.next_simulation();
        for at in (0..self.sequence.len()).rev() {
            let (player, _, index) = self.sequence[at];
            let slot = self.slot(player, index);
            // The earliest move overwrites the later ones.
            self.made[slot] = Made { mark: self.mark(player), ply: at as u32 };
            // All moves from this point on are marked now.
            if at <= in_tree
                && let Some(&step) = self.path.get(at).filter(|step| step.link.is_expanded())
            {
                self.add_amaf(step, at, values[step.mover.index()]);
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

    /// Starts the marks of another simulation.
    fn next_simulation(&mut self) {
        self.simulation += 1;
        if self.simulation == u32::MAX / MAX_PLAYERS as u32 {
            self.made.fill(Made::default());
            self.simulation = 1;
        }
    }

    /// The mark of a player's moves in this simulation.
    #[inline]
    fn mark(&self, player: Player) -> u32 {
        self.simulation * MAX_PLAYERS as u32 + player.index() as u32
    }

    /// The slot of a move. If only the first player to make a move gets credit, players share it.
    #[inline]
    fn slot(&self, player: Player, index: u32) -> usize {
        match self.search.params.selection.amaf_credit {
            AmafCredit::First => index as usize,
            AmafCredit::Any => player.index() * self.search.facts.move_indices + index as usize,
        }
    }

    /// Adds a value to the AMAF statistics of every child whose move the player to move makes from
    /// here, ply `at` of the simulation, on.
    ///
    /// With `amaf-distance=D` the weight falls from 1 + D for a move made at once to 1 at the end
    /// of the simulation, in whole steps (as in Pachi, where D is 3).
    fn add_amaf(&mut self, step: Step<'s>, at: usize, value: i64) {
        let block = self.search.tree.block(step.link);
        let made = &self.made[self.slot(step.mover, 0)..];
        let mark = self.mark(step.mover);
        let extra = self.search.params.selection.amaf_distance;
        let (length, left) = (self.sequence.len() as u32, (self.sequence.len() - at) as u32);
        let mut sums = if at < self.job.above { Some(&mut self.job.amaf[at]) } else { None };
        for (child, index) in block.of(&block.chunk.indices, block.count).iter().enumerate() {
            let made = made[index.load(Relaxed) as usize];
            if made.mark != mark {
                continue;
            }
            let weight = if extra == 0 { 1 } else { 1 + extra * (length - made.ply) / left };
            let value = i64::from(weight) * value;
            if let Some(sums) = &mut sums {
                let (visits, sum) = &mut sums[child];
                (*visits, *sum) = (*visits + weight, *sum + value);
            } else {
                // A simulation writes to hundreds of these. If two workers collide, one update is
                // lost, which costs less than locked additions (Enzenberger & Mueller 2010).
                let at = block.begin + child;
                let (visits, sum) = (&block.chunk.amaf_visits[at], &block.chunk.amaf_sums[at]);
                visits.store(visits.load(Relaxed).wrapping_add(weight), Relaxed);
                sum.store(sum.load(Relaxed) + value, Relaxed);
            }
        }
    }
}
