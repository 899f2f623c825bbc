//! The end of a search: which move is played, and what is told.

use super::ground::Ground;
use super::interval::Interval;
use super::params::Final;
use super::proof_numbers;
use super::tree::{Block, ROOT, UNIT};
use crate::proving::report;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{
    Bounds, Counters, Inspector, Knowledge, Player, ProofNumbers, Report, RootMove, StopReason, TotalF64,
};

/// The constant A of the secure child `v - A / sqrt n`, in values of [-1, 1]. Raising it makes the choice more careful.
const SECURE: f64 = 1.0;
/// The longest variation that is told.
const LONGEST_VARIATION: usize = 200;

/// A running or finished search as it is told.
pub struct View<'s, G: Knowledge> {
    /// What is searched.
    pub ground: &'s Ground<'s, G>,
    /// What has been done so far.
    pub counters: Counters,
    /// Why it ended.
    pub stopped: StopReason,
}

/// A child as the final choice sees it.
struct Candidate<M> {
    child: usize,
    entry: RootMove<M>,
    /// What is proved of it, for the player who chooses, as values in [-1, 1], where scores tell them.
    low: f64,
    high: f64,
}

impl<G: Knowledge> View<'_, G> {
    /// Sorts the children of a node where `mover` chooses, the best first.
    fn order(&self, candidates: &mut [Candidate<G::Move>], mover: Player) {
        let score = |candidate: &Candidate<G::Move>| {
            let (visits, value) = (candidate.entry.visits as f64, candidate.entry.value.unwrap_or(-1.0));
            match self.ground.params.last {
                Final::Visits => visits,
                Final::Value => value,
                // The most visited of the best, unless no child is both: then the most visited.
                Final::RobustMax => visits,
                Final::Secure if visits > 0.0 => value - SECURE / visits.sqrt(),
                Final::Secure => f64::NEG_INFINITY,
            }
        };
        let zero_sum = self.ground.zero_sum;
        let sure = candidates.iter().map(|candidate| candidate.low).fold(-1.0, f64::max);
        let sure_score = candidates.iter().map(|candidate| candidate.entry.bounds.at_least).max().unwrap_or(0);
        // A move that cannot be better than what another one has for sure, and may be worse, comes last, and so does a proved
        // loss. Points of its own are proved only for the player who searches. Proof numbers alone do no more than rule out a
        // move that is proved worse: the rest is the business of `pn-final`.
        let hopeless = |candidate: &Candidate<G::Move>| {
            let Candidate { low, high, entry, .. } = candidate;
            let (at_least, at_most) = (entry.bounds.at_least, entry.bounds.at_most);
            let by_value = *high < sure || (*high == sure && *low < sure);
            let by_score = at_most < sure_score || (!zero_sum && at_most == sure_score && at_least < sure_score);
            *high <= -1.0 || by_value || (by_score && (zero_sum || mover == self.ground.frame))
        };
        candidates.sort_by_cached_key(|candidate| {
            let value = candidate.entry.value.unwrap_or(-1.0);
            Reverse((!hopeless(candidate), TotalF64(score(candidate)), TotalF64(value)))
        });
        // A value that is sure beats a mean that is lower.
        let Some(first) = candidates.first() else { return };
        let believed = first.entry.value.unwrap_or(-1.0).clamp(first.low, first.high);
        if sure > -1.0 && first.low < sure && believed < sure {
            let at = candidates.iter().position(|candidate| candidate.low >= sure).expect("one has it");
            candidates[..=at].rotate_right(1);
        }
        // What is proved is the prover's win: the others do not choose it.
        let is_proved = || self.proof_numbers(ROOT).is_some_and(|numbers| numbers.proof == 0);
        if self.ground.params.pn_final && mover == self.ground.prover && is_proved() {
            let proved = |candidate: &Candidate<G::Move>| {
                candidate.entry.proof_numbers.is_some_and(|numbers| numbers.proof == 0)
            };
            if let Some(at) = candidates.iter().position(proved) {
                candidates[..=at].rotate_right(1);
            }
        }
    }

    fn proof_numbers(&self, slot: u32) -> Option<ProofNumbers> {
        let (chunk, at) = self.ground.tree.at(slot);
        chunk.proof.get(at).map(|cell| proof_numbers::unpack(cell.load(Relaxed)))
    }

    fn interval(&self, slot: u32) -> Interval {
        let (chunk, at) = self.ground.tree.at(slot);
        chunk.bounds.get(at).map_or(self.ground.range, |cell| cell.load())
    }

    /// What is proved of a node, for a player.
    fn bounds(&self, slot: u32, player: Player) -> Bounds {
        let ground = self.ground;
        let mut bounds = ground.bounds(self.interval(slot), player);
        // Proof numbers are about the prover's win.
        if let Some(numbers) = self.proof_numbers(slot).filter(|_| ground.zero_sum) {
            let (mut low, mut high) = (-1, 1);
            if numbers.proof == 0 {
                low = 1;
            }
            if numbers.disproof == 0 {
                high = if ground.facts.draws { 0 } else { -1 };
            }
            let (low, high) = if player == ground.prover { (low, high) } else { (-high, -low) };
            let proved = Bounds::of_results(player, low, high, &ground.facts);
            bounds.at_least = bounds.at_least.max(proved.at_least);
            bounds.at_most = bounds.at_most.min(proved.at_most);
        }
        bounds
    }

    /// The moves of the children. A worker who is just opening one swaps two of the moves; that is waited for.
    fn moves(&self, block: &Block<'_, G::Move>) -> Vec<G::Move> {
        loop {
            let moves: Vec<G::Move> = (0..block.count).map(|child| block.mv(child)).collect();
            if !self.ground.tree.is_shared() || moves.iter().collect::<FxHashSet<_>>().len() == moves.len() {
                return moves;
            }
            std::hint::spin_loop();
        }
    }

    fn candidates(&self, block: &Block<'_, G::Move>, mover: Player) -> Vec<Candidate<G::Move>> {
        let ground = self.ground;
        let moves = self.moves(block);
        let mut candidates: Vec<Candidate<G::Move>> = (0..block.count)
            .map(|child| {
                let slot = block.first + child as u32;
                let visits = block.visits(child);
                let mean = block.mean(child);
                let visited = visits > 0;
                let mean_square = block
                    .chunk
                    .squares
                    .get(block.begin + child)
                    .map_or(1.0, |cell| cell.load(Relaxed) as f64 / f64::from(UNIT) / f64::from(visits.max(1)));
                let variance = (mean_square - mean * mean).max(0.0);
                let proved = ground.bounds(self.interval(slot), mover);
                let (low, high) = match (ground.worth(proved.at_least), ground.worth(proved.at_most)) {
                    (Some(low), Some(high)) => (low, high),
                    _ => (-1.0, 1.0),
                };
                let entry = RootMove {
                    mv: moves[child],
                    visits: u64::from(visits),
                    value: if low >= high { Some(low) } else { visited.then_some(mean) },
                    spread: if low >= high {
                        Some(0.0)
                    } else {
                        visited.then(|| (variance / f64::from(visits)).sqrt())
                    },
                    proof_numbers: self.proof_numbers(slot),
                    bounds: self.bounds(slot, mover),
                };
                Candidate { child, entry, low, high }
            })
            .collect();
        self.order(&mut candidates, mover);
        candidates
    }

    /// Whether the most visited child has also the best mean.
    pub fn has_robust_max(&self) -> bool {
        let Some(block) = self.ground.tree.children(ROOT) else { return true };
        let order = |&a: &usize, &b: &usize| {
            block.visits(a).cmp(&block.visits(b)).then_with(|| block.mean(a).total_cmp(&block.mean(b)))
        };
        let best = (0..block.opened).max_by(order);
        best.is_some_and(|best| (0..block.opened).all(|child| block.mean(child) <= block.mean(best)))
    }

    fn follow(&self, line: &[G::Move]) -> Option<(u32, G)> {
        let mut position = self.ground.root.position().clone();
        let mut slot = ROOT;
        for &mv in line {
            let block = self.ground.tree.children(slot)?;
            let child = (0..block.opened).find(|&child| block.mv(child) == mv)?;
            position.play(mv);
            slot = block.first + child as u32;
        }
        Some((slot, position))
    }

    /// A first move and how it goes on. From a decided position on, both sides keep to moves that are proved to keep what is decided, whatever looks
    /// better, and the line ends where the tree knows none: a most visited move may be one that nobody has looked at closely.
    fn variation(&self, first: Option<(u32, G::Move)>) -> Vec<G::Move> {
        let ground = self.ground;
        let mut line = Vec::new();
        let mut history = ground.root.clone();
        let mut known = self.bounds(ROOT, ground.prover);
        let mut next = first;
        while let Some((slot, mv)) = next {
            known = self.known_after(known, history.position().to_move(), slot);
            history.play(mv);
            line.push(mv);
            if line.len() >= LONGEST_VARIATION || history.is_over() {
                break;
            }
            let Some(block) = ground.tree.children(slot) else { break };
            let mover = history.position().to_move();
            let candidates = self.candidates(&block, mover);
            let slot_of = |candidate: &Candidate<G::Move>| block.first + candidate.child as u32;
            let best = if report::value(&known, &ground.facts).is_some() {
                candidates.iter().find(|&candidate| self.keeps(known, mover, slot_of(candidate)))
            } else {
                candidates.first().filter(|best| best.entry.visits > 0)
            };
            // Shared children may hold a move that the past forbids here.
            let best = best.filter(|best| !(ground.params.table && history.repeats(best.entry.mv)));
            next = best.map(|best| (slot_of(best), best.entry.mv));
        }
        line
    }

    /// Whether a move keeps what is proved for the side that makes it, the player who searches or all others together.
    fn keeps(&self, known: Bounds, mover: Player, slot: u32) -> bool {
        let after = self.bounds(slot, known.player);
        if mover == known.player { after.at_least >= known.at_least } else { after.at_most <= known.at_most }
    }

    /// What is known after a move. No move betters what is proved against the side that makes it, even if the node itself has not been looked at.
    fn known_after(&self, known: Bounds, mover: Player, slot: u32) -> Bounds {
        let after = self.bounds(slot, known.player);
        if mover == known.player {
            Bounds { at_most: after.at_most.min(known.at_most), ..after }
        } else {
            Bounds { at_least: after.at_least.max(known.at_least), ..after }
        }
    }
}

impl<G: Knowledge> Inspector<G::Move> for View<'_, G> {
    fn report(&self) -> Report<G::Move> {
        let ground = self.ground;
        let mover = ground.prover;
        let bounds = self.bounds(ROOT, mover);
        let children = ground.tree.children(ROOT);
        let candidates = children.map_or(Vec::new(), |block| self.candidates(&block, mover));
        let first = children.map_or(0, |block| block.first);
        let best = candidates.first().map(|best| (first + best.child as u32, best.entry.mv));
        // What is proved overrules what the simulations say.
        let mean = candidates.first().and_then(|best| best.entry.value).unwrap_or(0.0);
        let value = match (ground.worth(bounds.at_least), ground.worth(bounds.at_most)) {
            (Some(low), Some(high)) => mean.max(low).min(high),
            _ => mean,
        };
        let mut counters = self.counters;
        counters.bytes = ground.tree.bytes() + ground.positions.map_or(0, |positions| positions.bytes());
        Report {
            best: best.map(|(_, mv)| mv),
            value,
            bounds,
            proof_numbers: self.proof_numbers(ROOT),
            variation: self.variation(best),
            moves: candidates.into_iter().map(|candidate| candidate.entry).collect(),
            counters,
            stopped: self.stopped,
        }
    }

    fn look(&self, line: &[G::Move]) -> Option<Vec<RootMove<G::Move>>> {
        let (slot, position) = self.follow(line)?;
        let block = self.ground.tree.children(slot)?;
        Some(self.candidates(&block, position.to_move()).into_iter().map(|candidate| candidate.entry).collect())
    }
}
