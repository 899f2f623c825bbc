//! The report of a running or finished search.

use super::context::SearchContext;
use super::final_move::{self, Candidate};
use super::interval::Interval;
use super::tree::{Block, ROOT, SQUARE_UNIT};
use crate::{best_line, proving};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Bounds, Counters, Inspector, Knowledge, Player, Report, RootMove, StopReason};

/// The largest length of a reported variation.
const MAX_VARIATION: usize = 200;

/// A running or finished search, as it is reported.
pub struct TreeInspector<'s, G: Knowledge> {
    /// The search.
    pub search: &'s SearchContext<'s, G>,
    /// The work done so far.
    pub counters: Counters,
    /// Why the search ended.
    pub stopped: StopReason,
}

impl<G: Knowledge> TreeInspector<'_, G> {
    fn interval(&self, id: u32) -> Interval {
        let (chunk, at) = self.search.tree.at(id);
        chunk.bounds.get(at).map_or(self.search.range, |cell| cell.load())
    }

    /// The proven bounds of a node for a player, by its interval and its proof numbers.
    fn bounds(&self, id: u32, player: Player) -> Bounds {
        let search = self.search;
        let mut bounds = search.bounds(self.interval(id), player);
        if let Some(numbers) = search.proof_numbers_of(id).filter(|_| search.zero_sum) {
            // Proof numbers are about a win of the prover.
            let (mut low, mut high) = (-1, 1);
            if numbers.proof == 0 {
                low = 1;
            }
            if numbers.disproof == 0 {
                high = if search.facts.draws { 0 } else { -1 };
            }
            if player != search.prover {
                (low, high) = (-high, -low);
            }
            let proven = Bounds::of_results(player, low, high, &search.facts);
            bounds.at_least = bounds.at_least.max(proven.at_least);
            bounds.at_most = bounds.at_most.min(proven.at_most);
        }
        bounds
    }

    /// The moves of the children. A worker that is opening a child swaps two moves; in that case
    /// the moves are read again.
    fn moves(&self, block: &Block<'_, G::Move>) -> Vec<G::Move> {
        loop {
            let moves: Vec<G::Move> = (0..block.count).map(|child| block.mv(child)).collect();
            if !self.search.tree.is_shared() || moves.iter().collect::<FxHashSet<_>>().len() == moves.len() {
                return moves;
            }
            std::hint::spin_loop();
        }
    }

    /// The children of a node at which `mover` chooses, the best first.
    fn candidates(&self, block: &Block<'_, G::Move>, mover: Player) -> Vec<Candidate<G::Move>> {
        let moves = self.moves(block);
        let mut candidates: Vec<Candidate<G::Move>> =
            moves.into_iter().enumerate().map(|(child, mv)| self.candidate(block, child, mv, mover)).collect();
        final_move::sort(self.search, &mut candidates, mover);
        candidates
    }

    fn candidate(&self, block: &Block<'_, G::Move>, child: usize, mv: G::Move, mover: Player) -> Candidate<G::Move> {
        let search = self.search;
        let id = block.first + child as u32;
        let visits = block.visits(child);
        let is_visited = visits > 0;
        let mean = block.mean(child);
        let squares = block.chunk.squares.get(block.begin + child);
        let mean_square =
            squares.map_or(1.0, |cell| cell.load(Relaxed) as f64 / SQUARE_UNIT / f64::from(visits.max(1)));
        let variance = (mean_square - mean * mean).max(0.0);
        let proven = search.bounds(self.interval(id), mover);
        let (low, high) = match (search.value_of_score(proven.at_least), search.value_of_score(proven.at_most)) {
            (Some(low), Some(high)) => (low, high),
            _ => (-1.0, 1.0),
        };
        let is_solved = low >= high;
        let entry = RootMove {
            visits: u64::from(visits),
            value: if is_solved { Some(low) } else { is_visited.then_some(mean) },
            spread: if is_solved { Some(0.0) } else { is_visited.then(|| (variance / f64::from(visits)).sqrt()) },
            proof_numbers: search.proof_numbers_of(id),
            ..RootMove::new(mv, self.bounds(id, mover))
        };
        Candidate { child, entry, low, high }
    }

    /// Adds the moves of a position that are not in the beam. Nothing is known of them any more.
    fn add_pruned(&self, moves: &mut Vec<RootMove<G::Move>>, position: &G) {
        if self.search.params.beam.is_none() {
            return;
        }
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        legal.retain(|mv| moves.iter().all(|entry| entry.mv != *mv));
        let unknown = self.search.bounds(self.search.range, position.to_move());
        moves.extend(legal.into_iter().map(|mv| RootMove::new(mv, unknown)));
    }

    /// The node and the position after a sequence of moves from the root.
    fn follow(&self, moves: &[G::Move]) -> Option<(u32, G)> {
        let id = self.search.tree.find(moves)?;
        let mut position = self.search.root.position().clone();
        moves.iter().for_each(|&mv| position.play(mv));
        Some((id, position))
    }

    /// The main line from a first move on.
    ///
    /// Once the value is proven, both sides play only moves that are proven to keep it, and the
    /// line ends where the tree has none: the most visited move may have hardly been searched.
    fn variation(&self, first: Option<(u32, G::Move)>) -> Vec<G::Move> {
        let search = self.search;
        let mut variation = Vec::new();
        let mut history = search.root.clone();
        let mut known = self.bounds(ROOT, search.prover);
        let mut next = first;
        while let Some((id, mv)) = next {
            known = self.bounds_after(known, history.position().to_move(), id);
            history.play(mv);
            variation.push(mv);
            if variation.len() >= MAX_VARIATION || history.is_over() {
                break;
            }
            let Some(block) = search.tree.children(id) else { break };
            let mover = history.position().to_move();
            let candidates = self.candidates(&block, mover);
            let id_of = |candidate: &Candidate<G::Move>| block.first + candidate.child as u32;
            let best = if proving::report::value(&known, &search.facts).is_some() {
                candidates.iter().find(|&candidate| self.keeps_bounds(known, mover, id_of(candidate)))
            } else {
                candidates.first().filter(|best| best.entry.visits > 0)
            };
            // Shared children may include a move that the history forbids here.
            let best = best.filter(|best| !(search.params.expansion.transpositions && history.repeats(best.entry.mv)));
            next = best.map(|best| (id_of(best), best.entry.mv));
        }
        variation
    }

    /// Whether a move keeps the bounds proven for the side that makes it: the prover, or all
    /// others.
    fn keeps_bounds(&self, known: Bounds, mover: Player, id: u32) -> bool {
        let after = self.bounds(id, known.player);
        if mover == known.player { after.at_least >= known.at_least } else { after.at_most <= known.at_most }
    }

    /// The bounds after a move. A move cannot improve on a bound proven against the side that makes
    /// it, even if the node after it has not been searched.
    fn bounds_after(&self, known: Bounds, mover: Player, id: u32) -> Bounds {
        let after = self.bounds(id, known.player);
        if mover == known.player {
            Bounds { at_most: after.at_most.min(known.at_most), ..after }
        } else {
            Bounds { at_least: after.at_least.max(known.at_least), ..after }
        }
    }
}

impl<G: Knowledge> Inspector<G::Move> for TreeInspector<'_, G> {
    fn report(&self) -> Report<G::Move> {
        let search = self.search;
        let mover = search.prover;
        let bounds = self.bounds(ROOT, mover);
        let children = search.tree.children(ROOT);
        let candidates = children.map_or(Vec::new(), |block| self.candidates(&block, mover));
        let first = children.map_or(0, |block| block.first);
        let best = candidates.first().map(|best| (first + best.child as u32, best.entry.mv));
        // Proven bounds overrule the mean of simulations.
        let mean = candidates.first().and_then(|best| best.entry.value).unwrap_or(0.0);
        let value = match (search.value_of_score(bounds.at_least), search.value_of_score(bounds.at_most)) {
            (Some(low), Some(high)) => mean.max(low).min(high),
            _ => mean,
        };
        let mut counters = self.counters;
        counters.bytes = search.tree.bytes() + search.index.map_or(0, |index| index.bytes());
        let mut report = Report {
            best: best.map(|(_, mv)| mv),
            value,
            bounds,
            proof_numbers: search.proof_numbers_of(ROOT),
            variation: self.variation(best),
            moves: candidates.into_iter().map(|candidate| candidate.entry).collect(),
            solution: None,
            counters,
            stopped: self.stopped,
        };
        self.add_pruned(&mut report.moves, search.root.position());
        if let Some(line) = search.best_line() {
            best_line::add_to_report(&mut report, line, &search.facts);
        }
        report
    }

    fn look(&self, line: &[G::Move]) -> Option<Vec<RootMove<G::Move>>> {
        let (id, position) = self.follow(line)?;
        let block = self.search.tree.children(id)?;
        let candidates = self.candidates(&block, position.to_move());
        let mut moves = candidates.into_iter().map(|candidate| candidate.entry).collect();
        self.add_pruned(&mut moves, &position);
        Some(moves)
    }
}
