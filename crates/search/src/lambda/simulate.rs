//! Simulation (Kawano 1996; "proof-tree tracing" of Soeda): the moves that refute a pass are tried
//! against the other replies.
//!
//! Most replies do not answer the threat, and lose to the moves to which the pass loses. A
//! simulation plays these along the stored proof, the *model*. Against every move of the defender
//! it plays the attack of the model after the same move, or, where the model has none, that after a
//! pass. It succeeds only if every line ends at a proven position; then every position on the way
//! is stored as proven at the order of the model, threats included, as if it had been searched.

use super::entry::LambdaEntry;
use super::walker::{ExpandedNode, Settled, Walker};
use crate::proving::numbers::PROVEN;
use crate::proving::path::{Dependency, PathEnd};
use crate::proving::table::{MAX_LENGTH, NO_MOVE};
use tesuji_core::Knowledge;

/// The number of positions that a simulation may always visit. Raising it lets more simulations
/// succeed, and wastes more on those that fail.
const MIN_SIMULATION: u32 = 64;
/// The maximal number of positions of a simulation.
const MAX_SIMULATION: u32 = 20_000;

impl<G: Knowledge> Walker<'_, '_, '_, G> {
    /// Tries the refutation of a pass at the current node against its open replies.
    pub fn simulate_replies(&mut self, node: &ExpandedNode) {
        if !self.shared.settings.simulates || node.order < 2 {
            return;
        }
        let Some(model) = self.path.position().null_move() else { return };
        let order = node.order - 1;
        let Some(proof) = self.shared.table.get(self.shared.key(&model)) else { return };
        for at in node.begin..self.children.len() {
            let child = self.children[at];
            let Some(mv) = child.mv.filter(|_| child.numbers.proof > 0 && child.numbers.disproof > 0) else { continue };
            // A simulation must not cost more than the proof that it repeats.
            let mut budget = proof.work.clamp(MIN_SIMULATION, MAX_SIMULATION);
            self.push(self.path.position_after(mv), child.key, child.order);
            let rank = self.simulate_attack(&model, order, &mut budget);
            self.pop();
            if self.stopped {
                return;
            }
            if let Some(rank) = rank {
                let child = &mut self.children[at];
                (child.numbers, child.rank, child.depends_on) = (PROVEN, rank, Dependency::PATH_INDEPENDENT);
            }
        }
    }

    /// Plays the attack of the model at the current position. Returns the rank if it succeeds.
    fn simulate_attack(&mut self, model: &G, order: usize, budget: &mut u32) -> Option<u16> {
        *budget = budget.checked_sub(1)?;
        let key = self.current_key();
        let known = self.shared.usable_entry(key, &self.path);
        if let Some(answer) = known.and_then(|entry| entry.numbers.answer(order)) {
            return known.filter(|_| answer).map(|entry| entry.rank);
        }
        if self.path.position().to_move() != self.shared.question.prover() {
            return None;
        }
        if matches!(self.immediate_win(self.path.position()), Some(Some(_))) {
            return Some(1);
        }
        let proof = self.shared.table.get(self.shared.key(model)).filter(|entry| entry.numbers.is_proven())?;
        let mut moves = listed(&mut self.spare_lists, model);
        let attack = moves.get(usize::from(proof.best)).copied();
        let index = attack.map(|mv| model.move_index(mv));
        moves.clear();
        self.path.position().legal_moves(&mut moves);
        let best = moves.iter().position(|&mv| Some(self.path.position().move_index(mv)) == index);
        let mv = best.map(|at| moves[at]);
        self.spare_lists.push(moves);
        let (Some(attack), Some(mv), Some(best)) = (attack, mv, best) else { return None };
        let rank = self.simulate_move(model, attack, mv, order, budget)?;
        let entry = known.unwrap_or_else(|| self.new_entry());
        let settled = Settled { holds: true, order, depends_on: Dependency::PATH_INDEPENDENT, rank, best: best as u16 };
        self.store(key, LambdaEntry { work: entry.work.max(1), ..entry }, order, settled);
        Some(rank)
    }

    /// Plays an attack at the current position, and that of the model there.
    fn simulate_move(
        &mut self,
        model: &G,
        attack: G::Move,
        mv: G::Move,
        order: usize,
        budget: &mut u32,
    ) -> Option<u16> {
        if !self.count_node() {
            return None;
        }
        let successor = self.path.successor(mv);
        if let Some(PathEnd { holds, depends_on }) = successor.end {
            return (holds && depends_on == Dependency::PATH_INDEPENDENT).then_some(1);
        }
        let mut model_after = model.clone();
        model_after.play(attack);
        if model_after.is_over() || model_after.to_move() != successor.position.to_move() {
            return None;
        }
        let key = self.shared.key(&successor.position);
        self.push(successor.position, key, order as u8);
        let rank = self.simulate_defence(&model_after, order, budget);
        self.pop();
        rank.map(|rank| (rank + 1).min(MAX_LENGTH))
    }

    /// Follows the model against every move of the defender. Returns the rank if all of them lose.
    fn simulate_defence(&mut self, model: &G, order: usize, budget: &mut u32) -> Option<u16> {
        *budget = budget.checked_sub(1)?;
        let key = self.current_key();
        let known = self.shared.usable_entry(key, &self.path);
        if let Some(answer) = known.and_then(|entry| entry.numbers.answer(order)) {
            return known.filter(|_| answer).map(|entry| entry.rank);
        }
        if self.path.prover_moves() {
            return None;
        }
        let model_passed = model.null_move()?;
        let threat = self.simulate_pass(&model_passed, order, budget)?;
        let moves = listed(&mut self.spare_lists, self.path.position());
        let model_moves = listed(&mut self.spare_lists, model);
        let mut longest = Some(0);
        for &mv in &moves {
            let rank = self.simulate_reply(mv, (model, &model_moves, &model_passed), order, threat, budget);
            longest = longest.zip(rank).map(|(longest, rank)| longest.max(rank));
            if longest.is_none() {
                break;
            }
        }
        self.spare_lists.extend([moves, model_moves]);
        let rank = (longest? + 1).min(MAX_LENGTH);
        let entry = known.unwrap_or_else(|| self.new_entry());
        let settled = Settled { holds: true, order, depends_on: Dependency::PATH_INDEPENDENT, rank, best: NO_MOVE };
        self.store(key, LambdaEntry { work: entry.work.max(1), ..entry }, order, settled);
        Some(rank)
    }

    /// Follows the model after a pass at the current position. Returns the move that wins at once,
    /// at order 1.
    fn simulate_pass(&mut self, model_passed: &G, order: usize, budget: &mut u32) -> Option<Option<usize>> {
        let position = self.path.position().null_move()?;
        if !self.count_node() {
            return None;
        }
        let successor = self.path.after_null_move(position);
        if let Some(end) = successor.end {
            return end.holds.then_some(None);
        }
        if order == 1 {
            return self.wins_at_once(&successor).map(Some);
        }
        let key = self.shared.key(&successor.position);
        self.push(successor.position, key, order as u8 - 1);
        let rank = self.simulate_attack(model_passed, order - 1, budget);
        self.pop();
        rank.map(|_| None)
    }

    /// Follows the model after a move of the defender: the attack after the same move, or, where
    /// that is none, after a pass.
    fn simulate_reply(
        &mut self,
        mv: G::Move,
        (model, model_moves, model_passed): (&G, &[G::Move], &G),
        order: usize,
        threat: Option<usize>,
        budget: &mut u32,
    ) -> Option<u16> {
        if !self.count_node() {
            return None;
        }
        let index = self.path.position().move_index(mv);
        let successor = self.path.successor(mv);
        if let Some(PathEnd { holds, depends_on }) = successor.end {
            return (holds && depends_on == Dependency::PATH_INDEPENDENT).then_some(0);
        }
        if threat.is_some_and(|threat| self.wins_by(&successor, threat)) {
            return Some(1);
        }
        let key = self.shared.key(&successor.position);
        self.push(successor.position, key, order as u8);
        let same = model_moves.iter().copied().find(|&mv| model.move_index(mv) == index);
        let mut rank = None;
        if let Some(same) = same {
            let mut model_after = model.clone();
            model_after.play(same);
            if !model_after.is_over() {
                rank = self.simulate_attack(&model_after, order, budget);
            }
        }
        if rank.is_none() && order > 1 && !self.stopped {
            rank = self.simulate_attack(model_passed, order - 1, budget);
        }
        self.pop();
        rank
    }

    fn new_entry(&mut self) -> LambdaEntry {
        let position = self.path.position().clone();
        LambdaEntry::new(self.initial(&position), self.path.ply() as u16)
    }
}

/// The legal moves of a position, in a list that is given back to the spare ones.
fn listed<G: Knowledge>(spare: &mut Vec<Vec<G::Move>>, position: &G) -> Vec<G::Move> {
    let mut moves = spare.pop().unwrap_or_default();
    moves.clear();
    position.legal_moves(&mut moves);
    moves
}
