//! A best-first search at a leaf of a depth-first search (PDS-PN).

use super::shared::UNKNOWN;
use super::walker::Walker;
use crate::proving::best_first::{self, BestFirst};
use crate::proving::numbers::{answer, of_answer};
use crate::proving::path::CycleRule;
use crate::proving::table::{Entry, Length, MAX_WORK};
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Bounds, History, Knowledge, Limits, Prover, Question, Report};

/// The memory that a node of a second-level search may take, in bytes.
const NODE_BYTES: usize = 64;

impl<G: Knowledge> Walker<'_, '_, '_, G> {
    /// Searches the current position best first with at most `max_nodes` nodes on a separate tree,
    /// and stores the results of its children in the table. Does nothing where results may depend
    /// on the history.
    pub fn search_second_level(&mut self, settings: best_first::Settings, max_nodes: u64) {
        let shared = self.shared;
        let model = shared.pass.model;
        let one_answer =
            model.valid_answer.is_none() && matches!(model.cycles, CycleRule::Impossible | CycleRule::Answer(_));
        let is_near_cap = self.path.plies_left() <= shared.deepest.load(Relaxed);
        if !one_answer || self.path.terminal_history_hash() != 0 || is_near_cap {
            return;
        }
        let memory = self.control.memory() - shared.table.limit().min(self.control.memory());
        let playouts_left = self.ticker.playouts_left();
        let max_nodes = max_nodes.min(self.ticker.nodes_left()).min((memory / NODE_BYTES) as u64);
        if max_nodes == 0 {
            return;
        }
        let position = self.path.position().clone();
        let root = History::from_position(shared.root.rules().clone(), position);
        let playouts = self.control.limits().playouts.map(|_| playouts_left);
        let limits = Limits { nodes: Some(max_nodes), playouts, memory: Some(memory), ..self.control.limits() };
        let control = self.control.inner(self.control.seed()).limited(limits);
        let mut solver = BestFirst::new(settings, shared.root.rules());
        let known = Bounds::unknown(shared.question.prover(), shared.root.facts());
        let report = solver.ask(&root, Question { known, ..shared.question }, &control);
        self.count_second_level(&report);
        self.store_children(&report);
    }

    fn count_second_level(&mut self, report: &Report<G::Move>) {
        self.counters.nodes += report.counters.nodes;
        self.counters.expansions += report.counters.expansions;
        if !self.ticker.nodes(report.counters.nodes as usize) || !self.ticker.tick() {
            self.stopped = true;
        }
        self.counters.playouts += report.counters.playouts;
        if !(0..report.counters.playouts).all(|_| self.ticker.playout()) {
            self.stopped = true;
        }
        let length = self.path.ply() + report.counters.depth;
        self.shared.deepest.fetch_max(length, Relaxed);
    }

    fn store_children(&self, report: &Report<G::Move>) {
        let shared = self.shared;
        let work = (report.counters.nodes / report.moves.len().max(1) as u64).clamp(1, u64::from(MAX_WORK)) as u32;
        for root_move in &report.moves {
            let successor = self.path.successor(root_move.mv);
            let solved = shared.question.answer(&root_move.bounds).map(of_answer);
            if let (None, Some(numbers)) = (successor.end, solved.or(root_move.proof_numbers)) {
                let numbers = shared.settings.initial.scale(numbers);
                let length = match answer(numbers) {
                    Some(_) => Length::Rank(report.counters.depth as u16),
                    None => Length::Distance(self.path.ply() as u16 + 1),
                };
                shared.table.put(shared.key(&successor), Entry { numbers, work, length, ..UNKNOWN });
            }
        }
    }
}
