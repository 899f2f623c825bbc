//! The final move: sorts the children of a node, the best first.

use super::context::SearchContext;
use super::params::FinalRule;
use super::tree::ROOT;
use std::cmp::Reverse;
use tesuji_core::{Knowledge, Player, ProofNumbers, RootMove, TotalF64};

/// The constant A of the secure child `v - A / sqrt n`, for values in [-1, 1]. Raising it favours
/// moves with many visits.
const SECURE_CONSTANT: f64 = 1.0;

/// A child that may be played.
pub struct Candidate<M> {
    /// The position of the child in its block.
    pub child: usize,
    /// Its entry in the report.
    pub entry: RootMove<M>,
    /// Its proven lower bound for the player to move, as a value in [-1, 1]; -1 if scores do not
    /// determine values.
    pub low: f64,
    /// Its proven upper bound; 1 if scores do not determine values.
    pub high: f64,
}

impl<M> Candidate<M> {
    /// The value of the child, or -1 if it is unvisited.
    fn value(&self) -> f64 {
        self.entry.value.unwrap_or(-1.0)
    }

    /// The score of the child under a rule.
    fn score(&self, rule: FinalRule) -> f64 {
        let visits = self.entry.visits as f64;
        match rule {
            FinalRule::Value => self.value(),
            // If no child has both the most visits and the best mean, the most visited one is
            // played.
            FinalRule::Visits | FinalRule::RobustMax => visits,
            FinalRule::Secure if visits > 0.0 => self.value() - SECURE_CONSTANT / visits.sqrt(),
            FinalRule::Secure => f64::NEG_INFINITY,
        }
    }
}

/// Sorts the children of a node at which `mover` chooses, the best first.
pub fn sort<G: Knowledge>(search: &SearchContext<'_, G>, candidates: &mut [Candidate<G::Move>], mover: Player) {
    let secured = candidates.iter().map(|candidate| candidate.low).fold(-1.0, f64::max);
    let dominated = dominated(search, candidates, mover, secured);
    let rule = search.params.final_move.rule;
    candidates.sort_by_cached_key(|candidate| {
        let is_dominated = dominated[candidate.child];
        Reverse((!is_dominated, TotalF64(candidate.score(rule)), TotalF64(candidate.value())))
    });
    // A proven value beats a lower mean.
    let Some(first) = candidates.first() else { return };
    let believed = first.value().clamp(first.low, first.high);
    if secured > -1.0 && first.low < secured && believed < secured {
        let at = candidates.iter().position(|candidate| candidate.low >= secured).expect("one has this bound");
        candidates[..=at].rotate_right(1);
    }
    // Proof numbers prove a win of the prover; the other players avoid such a move.
    let is_proven = |numbers: Option<ProofNumbers>| numbers.is_some_and(|numbers| numbers.proof == 0);
    if search.params.final_move.pn_final && mover == search.prover && is_proven(search.proof_numbers_of(ROOT)) {
        let at = candidates.iter().position(|candidate| is_proven(candidate.entry.proof_numbers));
        if let Some(at) = at {
            candidates[..=at].rotate_right(1);
        }
    }
}

/// Which children, by position in their block, are proven lost or not better than another child.
///
/// A child is dominated if it cannot be better than the proven value of another child, and may be
/// worse. Scores of individual players are proven only for the player to move at the root. Proof
/// numbers alone rule out only children that are proven worse; the rest is up to `pn-final`.
fn dominated<G: Knowledge>(
    search: &SearchContext<'_, G>,
    candidates: &[Candidate<G::Move>],
    mover: Player,
    secured: f64,
) -> Vec<bool> {
    let zero_sum = search.zero_sum;
    let secured_score = candidates.iter().map(|candidate| candidate.entry.bounds.at_least).max().unwrap_or(0);
    let mut dominated = vec![false; candidates.len()];
    for Candidate { child, entry, low, high } in candidates {
        let (at_least, at_most) = (entry.bounds.at_least, entry.bounds.at_most);
        let by_value = *high < secured || (*high == secured && *low < secured);
        let by_score = at_most < secured_score || (!zero_sum && at_most == secured_score && at_least < secured_score);
        dominated[*child] = *high <= -1.0 || by_value || (by_score && (zero_sum || mover == search.bounded_player));
    }
    dominated
}
