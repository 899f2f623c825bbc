//! What a lambda search reports of the root, read from the table.

use super::entry::LambdaEntry;
use super::shared::Shared;
use crate::proving::depth::UNKNOWN_NUMBERS;
use crate::proving::numbers::{PROVEN, answer, from_phi_delta, of_answer, phi_delta};
use crate::proving::path::{Dependency, SearchPath};
use crate::proving::report;
use std::cmp::Reverse;
use tesuji_core::{
    Bounds, Counters, INFINITE, Inspector, Knowledge, ProofNumbers, Question, Report, RootMove, StopReason,
};

/// The maximal length of a principal variation.
const MAX_VARIATION: usize = 200;

/// A legal move at the root.
struct RootEntry<M> {
    mv: M,
    /// The numbers at the maximal order. A failure there is none of the game, and counts as open.
    numbers: ProofNumbers,
    rank: u16,
    work: u32,
}

impl<G: Knowledge> Shared<'_, G> {
    /// The state of the root, which is proven or open.
    pub fn report(&self, is_proven: bool, counters: Counters, stopped: StopReason) -> Report<G::Move> {
        let path = self.root_path();
        let facts = self.root.facts();
        let bounds = if is_proven { self.question.answered(true) } else { self.question.known };
        let attacks = path.prover_moves();
        let mut entries = self.entries(&path, is_proven);
        entries.sort_by_key(|entry| {
            let (phi, delta) = phi_delta(entry.numbers, attacks);
            // The shortest win, the longest loss.
            let length = if attacks { i32::from(entry.rank) } else { -i32::from(entry.rank) };
            (phi, length, Reverse(delta), Reverse(entry.work))
        });
        let best = self.proving_move(&path, &entries, is_proven).or(entries.first().map(|entry| entry.mv));
        let numbers = match is_proven {
            true => Some(PROVEN),
            false => self.root_numbers().filter(|&numbers| answer(numbers).is_none()),
        };
        let estimate = numbers.map_or(0.0, |ProofNumbers { proof, disproof }| {
            let (proof, disproof) = (f64::from(proof), f64::from(disproof));
            (disproof - proof) / (disproof + proof).max(1.0)
        });
        let for_mover = if attacks { estimate } else { -estimate };
        Report {
            best,
            value: report::value(&bounds, facts).unwrap_or(for_mover.clamp(-1.0, 1.0)),
            bounds,
            proof_numbers: numbers.and_then(|numbers| report::shown(numbers, &self.question, facts)),
            variation: best.map_or(Vec::new(), |best| self.variation(path, best)),
            moves: entries.iter().map(|entry| self.root_move(entry)).collect(),
            solution: None,
            counters,
            stopped,
        }
    }

    /// The move that the entry of a proven root has, if the table has lost the position after it,
    /// or has it proven for one path only.
    fn proving_move(
        &self,
        path: &SearchPath<'_, G>,
        entries: &[RootEntry<G::Move>],
        is_proven: bool,
    ) -> Option<G::Move> {
        if !is_proven || !path.prover_moves() || entries.first().is_some_and(|entry| entry.numbers == PROVEN) {
            return None;
        }
        let keys = [self.root_key(), path.path_key(self.root_key())];
        let stored = keys.into_iter().filter_map(|key| self.table.get(key)).find(|entry| entry.numbers.is_proven())?;
        let mut legal = Vec::new();
        path.position().legal_moves(&mut legal);
        legal.get(usize::from(stored.best)).copied()
    }

    /// The numbers of the root at the maximal order.
    fn root_numbers(&self) -> Option<ProofNumbers> {
        let entry = self.table.get(self.root_key())?;
        (self.settings.order > 0).then(|| entry.numbers.at(self.settings.order))
    }

    fn root_move(&self, entry: &RootEntry<G::Move>) -> RootMove<G::Move> {
        // The bounds of the root need not hold for a single move.
        let unknown = Bounds::unknown(self.question.prover(), self.root.facts());
        let question = Question { known: unknown, ..self.question };
        let bounds = answer(entry.numbers).map_or(unknown, |holds| question.answered(holds));
        RootMove {
            visits: u64::from(entry.work),
            proof_numbers: report::shown(entry.numbers, &self.question, self.root.facts()),
            ..RootMove::new(entry.mv, bounds)
        }
    }

    /// The legal moves at the end of a path. If the root is proven and the defender is to move, all
    /// of its moves lose.
    fn entries(&self, path: &SearchPath<'_, G>, is_proven: bool) -> Vec<RootEntry<G::Move>> {
        let mut legal = Vec::new();
        path.position().legal_moves(&mut legal);
        let all_lose = is_proven && !path.prover_moves();
        let entry = |mv: G::Move| {
            let successor = path.successor(mv);
            let known = match successor.end {
                Some(_) => None,
                None => self.table.get(self.key(&successor.position)),
            };
            let is_proven =
                |entry: &LambdaEntry| entry.numbers.is_proven() && !self.is_near_cap(path.plies_left(), entry.rank);
            let end = successor.end.filter(|end| {
                end.depends_on == Dependency::PATH_INDEPENDENT || end.depends_on == Dependency::BEFORE_ROOT
            });
            let reaches = all_lose || known.as_ref().is_some_and(is_proven);
            let at_top = |entry: LambdaEntry| (self.settings.order > 0).then(|| entry.numbers.at(self.settings.order));
            let open = known.and_then(at_top).filter(|&numbers| answer(numbers).is_none());
            let numbers = match end {
                Some(end) => of_answer(end.holds),
                None if reaches => PROVEN,
                None => open.unwrap_or(UNKNOWN_NUMBERS),
            };
            RootEntry {
                mv,
                numbers,
                rank: known.map_or(0, |entry| entry.rank),
                work: known.map_or(0, |entry| entry.work),
            }
        };
        legal.into_iter().map(entry).collect()
    }

    /// The principal variation that starts with a move at the root.
    fn variation(&self, mut path: SearchPath<'_, G>, first: G::Move) -> Vec<G::Move> {
        let mut variation = vec![first];
        let mut successor = path.successor(first);
        while successor.end.is_none() && variation.len() < MAX_VARIATION {
            let Some(entry) = self.table.get(self.key(&successor.position)) else { break };
            path.push(successor.position);
            let mut legal = Vec::new();
            path.position().legal_moves(&mut legal);
            let Some(&mv) = legal.get(usize::from(entry.best)) else { break };
            variation.push(mv);
            successor = path.successor(mv);
        }
        report::playable(self.root, variation)
    }
}

/// A running search as an observer sees it.
pub struct RunningSearch<'s, 'w, G: Knowledge> {
    pub shared: &'s Shared<'w, G>,
    pub counters: Counters,
}

impl<G: Knowledge> Inspector<G::Move> for RunningSearch<'_, '_, G> {
    fn report(&self) -> Report<G::Move> {
        let mut counters = self.counters;
        counters.bytes = (self.shared.table.load_factor() * self.shared.table.bytes() as f64) as u64;
        let mut report = self.shared.report(false, counters, StopReason::Interrupted);
        // The root is stored when it is left; in a running search its numbers follow from the
        // moves.
        let attacks = self.shared.root.position().to_move() == self.shared.question.prover();
        let of_moves = report.moves.iter().filter_map(|entry| entry.proof_numbers);
        let of_moves = of_moves.map(|numbers| phi_delta(numbers, attacks));
        let (phi, delta) =
            of_moves.fold((INFINITE, 0), |(least, sum), (phi, delta)| (phi.min(least), delta.saturating_add(sum)));
        let numbers = from_phi_delta(phi, delta, attacks);
        report.proof_numbers = answer(numbers).is_none().then_some(numbers);
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
        Some(self.shared.entries(&path, false).iter().map(|entry| self.shared.root_move(entry)).collect())
    }
}
