//! What a depth-first search reports of the root, read from the table.

use super::shared::{SharedState, UNKNOWN, UNKNOWN_NUMBERS};
use crate::proving::numbers::{answer, from_phi_delta, of_answer, phi_delta};
use crate::proving::path::{CycleRule, Dependency, SearchPath, Successor};
use crate::proving::report;
use crate::proving::table::Entry;
use std::cmp::Reverse;
use tesuji_core::{
    Bounds, Counters, INFINITE, Inspector, Knowledge, ProofNumbers, Question, Report, RootMove, StopReason,
};

/// The maximal length of a principal variation.
const MAX_VARIATION: usize = 200;

impl<G: Knowledge> SharedState<'_, G> {
    /// The state of the root.
    pub fn report(&self, counters: Counters, stopped: StopReason) -> Report<G::Move> {
        let path = self.root_path();
        let root = self.table.get(self.root_key());
        let for_path = self.table.get_for_path(path.path_key(self.root_key()));
        let root = for_path.map(|(entry, _)| entry).or(root);
        let numbers = root.map_or(UNKNOWN_NUMBERS, |entry| entry.numbers);
        let answer = root.and_then(|entry| entry.answer()).filter(|&holds| self.pass.model.is_valid(holds));
        let facts = self.root.facts();
        let bounds = answer.map_or(self.question.known, |holds| self.question.answered(holds));
        let entries = self.entries(&path);
        let best = self.best_move(&path, root, answer, &entries);
        let mut moves = self.root_moves(&path, &entries);
        let prover_moves = path.prover_moves();
        moves.sort_by_cached_key(|entry| {
            let numbers = entry.proof_numbers.unwrap_or(UNKNOWN_NUMBERS);
            let (phi, delta) = phi_delta(numbers, prover_moves);
            (Some(entry.mv) != best, phi, Reverse(delta))
        });
        let variation = best.map_or(Vec::new(), |best| self.variation(path, best, answer));
        let (proof, disproof) = (f64::from(numbers.proof), f64::from(numbers.disproof));
        let estimate = (disproof - proof) / (disproof + proof).max(1.0);
        let for_mover = if prover_moves { estimate } else { -estimate };
        let value = report::value(&bounds, facts).unwrap_or(for_mover.clamp(-1.0, 1.0));
        let proof_numbers = self.shown(numbers);
        Report { best, value, bounds, proof_numbers, variation, moves, solution: None, counters, stopped }
    }

    /// The best move at the root.
    fn best_move(
        &self,
        path: &SearchPath<'_, G>,
        root: Option<Entry>,
        answer: Option<bool>,
        entries: &[(G::Move, Entry)],
    ) -> Option<G::Move> {
        let prover_moves = path.prover_moves();
        // The entry of a solved root has the solving move. It is used if the table does not have
        // the position after it, which was solved by an answer to another question or evicted
        // since.
        let solving = answer.filter(|&holds| holds == prover_moves).and(root).and_then(|entry| {
            let is_known = |(_, entry): &(G::Move, Entry)| phi_delta(entry.numbers, prover_moves).0 == 0;
            let mut legal = Vec::new();
            path.position().legal_moves(&mut legal);
            legal.get(usize::from(entry.best)).copied().filter(|_| !entries.iter().any(is_known))
        });
        let preference = |number: usize, entry: &Entry| {
            let (phi, delta) = phi_delta(entry.numbers, prover_moves);
            // The shortest win, the longest loss.
            let length = match phi {
                0 => i32::from(entry.rank()),
                INFINITE => -i32::from(entry.rank()),
                _ => 0,
            };
            (phi, length, Reverse(delta), Reverse(entry.work), number)
        };
        let least = || entries.iter().enumerate().min_by_key(|(number, (_, entry))| preference(*number, entry));
        solving.or_else(|| least().map(|(_, (mv, _))| *mv))
    }

    /// The moves at the end of a path as a report lists them.
    fn root_moves(&self, path: &SearchPath<'_, G>, entries: &[(G::Move, Entry)]) -> Vec<RootMove<G::Move>> {
        // The bounds of the root need not hold for a single move.
        let unknown = Bounds::unknown(self.question.prover(), self.root.facts());
        let question = Question { known: unknown, ..self.question };
        let root_move = |&(mv, entry): &(G::Move, Entry)| {
            let holds_for_move = self.holds_for_move(path, mv);
            let answer = entry.answer().filter(|&holds| holds_for_move && self.pass.model.is_valid(holds));
            RootMove {
                visits: u64::from(entry.work),
                proof_numbers: self.shown(entry.numbers).filter(|_| holds_for_move),
                ..RootMove::new(mv, answer.map_or(unknown, |holds| question.answered(holds)))
            }
        };
        entries.iter().map(root_move).collect()
    }

    /// The principal variation that starts with a move at the root.
    fn variation(&self, mut path: SearchPath<'_, G>, first: G::Move, answer: Option<bool>) -> Vec<G::Move> {
        let mut variation = vec![first];
        let mut successor = path.successor(first);
        while successor.end.is_none() && variation.len() < MAX_VARIATION {
            // Another worker may have overwritten a solved position with its unsolved numbers,
            // whose best move proves nothing.
            let stored = self.look_up(&path, &successor).1;
            let stored = stored.filter(|entry| answer.is_none() || entry.answer() == answer);
            let implied = || self.implied(&path, &successor).filter(|&(holds, _)| answer == Some(holds));
            let Some(entry) = stored.or_else(|| implied().map(|(_, entry)| entry)) else { break };
            path.push(successor.position);
            let mut legal = Vec::new();
            path.position().legal_moves(&mut legal);
            let Some(&mv) = legal.get(usize::from(entry.best)) else { break };
            variation.push(mv);
            successor = path.successor(mv);
        }
        report::playable(self.root, variation)
    }

    /// Whether a result holds for the move itself. A result that depends on the path only states
    /// that a repetition does not reach the goal.
    fn holds_for_move(&self, path: &SearchPath<'_, G>, mv: G::Move) -> bool {
        let successor = path.successor(mv);
        let depends_on = successor.end.map_or_else(|| self.look_up(path, &successor).2, |end| end.depends_on);
        depends_on == Dependency::PATH_INDEPENDENT || depends_on == Dependency::BEFORE_ROOT
    }

    /// The numbers that a report may show. An answer that is not valid under the model is omitted:
    /// a move that a cycle refutes here may win by the rules.
    fn shown(&self, numbers: ProofNumbers) -> Option<ProofNumbers> {
        let is_valid = answer(numbers).is_none_or(|holds| self.pass.model.is_valid(holds));
        let leaves = self.settings.initial.in_leaves(numbers);
        report::shown(leaves, &self.question, self.root.facts()).filter(|_| is_valid)
    }

    /// The legal moves at the end of a path with their entries.
    fn entries(&self, path: &SearchPath<'_, G>) -> Vec<(G::Move, Entry)> {
        let mut legal = Vec::new();
        path.position().legal_moves(&mut legal);
        let forbids = self.pass.model.cycles == CycleRule::Forbidden;
        let is_forbidden = |successor: &Successor<G>| {
            forbids && successor.end.is_some_and(|end| end.depends_on != Dependency::PATH_INDEPENDENT)
        };
        let entry = |mv: G::Move| {
            let successor = path.successor(mv);
            if is_forbidden(&successor) {
                return None;
            }
            let entry = match successor.end {
                Some(end) => Entry { numbers: of_answer(end.holds), ..UNKNOWN },
                None => self.look_up(path, &successor).1.unwrap_or(UNKNOWN),
            };
            Some((mv, entry))
        };
        legal.into_iter().filter_map(entry).collect()
    }
}

/// A running search as an observer sees it.
pub struct RunningSearch<'s, 'w, G: Knowledge> {
    pub shared: &'s SharedState<'w, G>,
    pub counters: Counters,
}

impl<G: Knowledge> Inspector<G::Move> for RunningSearch<'_, '_, G> {
    fn report(&self) -> Report<G::Move> {
        let mut counters = self.counters;
        counters.bytes = (self.shared.table.load_factor() * self.shared.table.bytes() as f64) as u64;
        let mut report = self.shared.report(counters, StopReason::Interrupted);
        // The root is stored when it is left; in a running search its numbers follow from the
        // moves.
        let prover_moves = self.shared.root.position().to_move() == self.shared.question.prover();
        let of_moves = report.moves.iter().filter_map(|entry| entry.proof_numbers);
        let of_moves = of_moves.map(|numbers| phi_delta(numbers, prover_moves));
        let (phi, delta) =
            of_moves.fold((INFINITE, 0), |(least, sum), (phi, delta)| (phi.min(least), delta.saturating_add(sum)));
        report.proof_numbers = self.shared.shown(from_phi_delta(phi, delta, prover_moves));
        report
    }

    fn look(&self, moves: &[G::Move]) -> Option<Vec<RootMove<G::Move>>> {
        let mut path = self.shared.root_path();
        for &mv in moves {
            let mut legal = Vec::new();
            path.position().legal_moves(&mut legal);
            let successor = legal.contains(&mv).then(|| path.successor(mv)).filter(|next| next.end.is_none())?;
            path.push(successor.position);
        }
        Some(self.shared.root_moves(&path, &self.shared.entries(&path)))
    }
}
