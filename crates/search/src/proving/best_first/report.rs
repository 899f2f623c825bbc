//! What a best-first search reports of its tree.

use super::reuse::find;
use super::settings::Settings;
use crate::proving::numbers::{answer, phi_delta};
use crate::proving::path::{CycleRule, RepetitionModel};
use crate::proving::report;
use crate::proving::tree::{Block, ROOT, Tree};
use std::cmp::Reverse;
use tesuji_core::{
    Bounds, Counters, History, Inspector, Knowledge, ProofNumbers, Question, Report, RootMove, StopReason,
};

/// A tree as it is reported.
pub(super) struct TreeReport<'s, G: Knowledge> {
    pub settings: &'s Settings,
    pub tree: &'s Tree<G::Move>,
    pub root: &'s History<G>,
    pub question: Question,
    pub model: RepetitionModel,
    pub counters: Counters,
    pub stopped: StopReason,
}

impl<G: Knowledge> TreeReport<'_, G> {
    fn bounds(&self, numbers: ProofNumbers) -> Bounds {
        match answer(numbers).filter(|&holds| self.model.is_valid(holds)) {
            Some(holds) => self.question.answered(holds),
            None => self.question.known,
        }
    }

    /// The children of a node, the best first.
    fn root_moves(&self, block: &Block<'_, G::Move>, prover_moves: bool) -> Vec<RootMove<G::Move>> {
        let mut children: Vec<(G::Move, ProofNumbers)> =
            block.nodes.iter().map(|node| (node.mv(), node.numbers())).collect();
        children.sort_by_cached_key(|&(_, numbers)| {
            let (phi, delta) = phi_delta(numbers, prover_moves);
            (phi, Reverse(delta))
        });
        // The bounds of the root need not hold for a single move.
        let known = Bounds::unknown(self.question.prover(), self.root.facts());
        let question = Question { known, ..self.question };
        let root_move = |(mv, numbers): (G::Move, ProofNumbers)| {
            // An answer that a cycle may have given can depend on the root, and then it does not
            // hold for the move itself.
            let by_cycle = |holds: bool| self.model.cycles == CycleRule::Answer(holds);
            let answer = answer(numbers).filter(|&holds| self.model.is_valid(holds));
            let holds_for_move = answer.is_none_or(|holds| !by_cycle(holds));
            let bounds = answer.filter(|_| holds_for_move).map_or(known, |holds| question.answered(holds));
            RootMove {
                visits: 1,
                value: report::value(&bounds, self.root.facts()),
                proof_numbers: self.shown(numbers).filter(|_| holds_for_move),
                ..RootMove::new(mv, bounds)
            }
        };
        children.into_iter().map(root_move).collect()
    }

    /// The principal variation, as far as the tree contains it.
    fn variation(&self, best: G::Move) -> Vec<G::Move> {
        let mut variation = vec![best];
        let mut position = self.root.position().clone();
        let mut index = find(self.tree, &[best]);
        position.play(best);
        while let Some(block) = index.and_then(|index| self.tree.children(index)) {
            let child = block.best(position.to_move() == self.question.prover()).child;
            let mv = block.nodes[child].mv();
            variation.push(mv);
            position.play(mv);
            index = Some(block.first + child as u32);
        }
        report::playable(self.root, variation)
    }

    /// The numbers that a report may show. An answer that is not valid under the model is omitted:
    /// a move that a cycle refutes here may win by the rules.
    fn shown(&self, numbers: ProofNumbers) -> Option<ProofNumbers> {
        let is_valid = answer(numbers).is_none_or(|holds| self.model.is_valid(holds));
        let leaves = self.settings.initial.in_leaves(numbers);
        report::shown(leaves, &self.question, self.root.facts()).filter(|_| is_valid)
    }
}

impl<G: Knowledge> Inspector<G::Move> for TreeReport<'_, G> {
    fn report(&self) -> Report<G::Move> {
        let numbers = self.tree.at(ROOT).numbers();
        let prover_moves = self.root.position().to_move() == self.question.prover();
        let moves = match self.tree.children(ROOT) {
            Some(block) => self.root_moves(&block, prover_moves),
            None => {
                // Stopped before the first expansion.
                let mut moves = Vec::new();
                self.root.legal_moves(&mut moves);
                let bounds = Bounds::unknown(self.question.prover(), self.root.facts());
                moves.into_iter().map(|mv| RootMove::new(mv, bounds)).collect()
            }
        };
        let bounds = self.bounds(numbers);
        let best = moves.first().map(|entry| entry.mv);
        Report {
            best,
            value: report::value(&bounds, self.root.facts()).unwrap_or(0.0),
            bounds,
            proof_numbers: self.shown(numbers),
            variation: best.map_or(Vec::new(), |best| self.variation(best)),
            moves,
            solution: None,
            counters: self.counters,
            stopped: self.stopped,
        }
    }

    fn look(&self, moves: &[G::Move]) -> Option<Vec<RootMove<G::Move>>> {
        let mut position = self.root.position().clone();
        let index = find(self.tree, moves)?;
        moves.iter().for_each(|&mv| position.play(mv));
        let block = self.tree.children(index)?;
        Some(self.root_moves(&block, position.to_move() == self.question.prover()))
    }
}
