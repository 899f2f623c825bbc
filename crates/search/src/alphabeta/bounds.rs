//! Values and bounds of nodes, and the integer scale they are measured on.

use std::cmp::Reverse;
use tesuji_core::{Bounds, Facts, Player};

/// The value and the proven bounds of a node or a move, for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeResult {
    /// The heuristic value.
    pub value: i32,
    /// The proven lower bound.
    pub at_least: i32,
    /// The proven upper bound.
    pub at_most: i32,
    /// The number of plies within which `at_least` is forced, for any history.
    pub at_least_plies: u16,
    /// The number of plies within which `at_most` is forced, for any history.
    pub at_most_plies: u16,
}

impl NodeResult {
    /// A value without proof: the bounds are the range of the game.
    pub fn unproven(value: i32, (low, high): (i32, i32)) -> NodeResult {
        NodeResult { value, at_least: low, at_most: high, at_least_plies: 0, at_most_plies: 0 }
    }

    pub fn exact(value: i32) -> NodeResult {
        NodeResult::unproven(value, (value, value))
    }

    pub fn is_exact(&self) -> bool {
        self.at_least == self.at_most
    }

    /// The same result for the other player.
    pub fn negated(self) -> NodeResult {
        NodeResult {
            value: -self.value,
            at_least: -self.at_most,
            at_most: -self.at_least,
            at_least_plies: self.at_most_plies,
            at_most_plies: self.at_least_plies,
        }
    }

    /// The same result, seen from one ply earlier.
    pub fn one_ply_earlier(self) -> NodeResult {
        NodeResult {
            at_least_plies: self.at_least_plies.saturating_add(1),
            at_most_plies: self.at_most_plies.saturating_add(1),
            ..self
        }
    }

    /// The same result without its upper bound, for a node whose moves were not all searched.
    pub fn without_upper_bound(self, highest: i32) -> NodeResult {
        NodeResult { at_most: highest, at_most_plies: 0, ..self }
    }

    /// Intersects the bounds with those of `known`, and clamps the value to them.
    pub fn within(self, known: &NodeResult) -> NodeResult {
        let mut both = self;
        if known.at_least > both.at_least {
            (both.at_least, both.at_least_plies) = (known.at_least, known.at_least_plies);
        }
        if known.at_most < both.at_most {
            (both.at_most, both.at_most_plies) = (known.at_most, known.at_most_plies);
        }
        both.value = both.value.clamp(both.at_least, both.at_most);
        both
    }

    /// The maximum of two moves, for the player who chooses between them.
    pub fn max(self, other: &NodeResult) -> NodeResult {
        let better = (other.at_least, Reverse(other.at_least_plies)) > (self.at_least, Reverse(self.at_least_plies));
        let (at_least, at_least_plies) =
            if better { (other.at_least, other.at_least_plies) } else { (self.at_least, self.at_least_plies) };
        NodeResult {
            value: self.value.max(other.value),
            at_least,
            at_least_plies,
            at_most: self.at_most.max(other.at_most),
            at_most_plies: self.at_most_plies.max(other.at_most_plies),
        }
    }
}

/// Maps scores and evaluations to integers: a point of score is `unit` steps.
///
/// Every score is that of the player at the root, so the search does not depend on zero-sum scores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The player to move at the root.
    pub player: Player,
    /// Whether only the sign of a score counts.
    result_only: bool,
    unit: i32,
    pub low: i32,
    pub high: i32,
}

impl Scale {
    pub fn new(player: Player, facts: &Facts, score: bool) -> Scale {
        let (low, high) = facts.scores;
        // Where scores are not zero-sum, as in Rolit, one score does not determine the result, so
        // the score itself counts.
        let result_only = !score && low < 0;
        let (low, high) = if result_only { (low.signum(), high.signum()) } else { (low, high) };
        let largest = low.unsigned_abs().max(high.unsigned_abs()).max(1) as i32;
        // Finer than the steps of any evaluation, and far from overflow.
        let unit = ((1 << 28) / largest).clamp(1, 1 << 20);
        Scale { player, result_only, unit, low: low * unit, high: high * unit }
    }

    /// The lowest and the highest value for a player.
    pub fn range(&self, mover: Player) -> (i32, i32) {
        if mover == self.player { (self.low, self.high) } else { (-self.high, -self.low) }
    }

    /// Maps a score of the player at the root to a value for `mover`.
    pub fn score(&self, score: i32, mover: Player) -> i32 {
        let value = if self.result_only { score.signum() } else { score } * self.unit;
        if mover == self.player { value } else { -value }
    }

    /// Maps an evaluation in (-1, 1) to a value for `mover`, strictly inside the range of scores.
    pub fn evaluation(&self, evaluation: f32, mover: Player) -> i32 {
        let (low, high) = self.range(mover);
        if high - low < 2 {
            return low;
        }
        let (middle, half) = (f64::from(low + high) / 2.0, f64::from(high - low) / 2.0);
        ((middle + f64::from(evaluation) * half) as i32).clamp(low + 1, high - 1)
    }

    /// Maps bounds on the value to bounds on the score.
    pub fn bounds(&self, (at_least, at_most): (i32, i32), facts: &Facts) -> Bounds {
        let (at_least, at_most) = (at_least / self.unit, at_most / self.unit);
        if self.result_only {
            Bounds::of_results(self.player, at_least, at_most, facts)
        } else {
            Bounds { player: self.player, at_least, at_most }
        }
    }

    /// Maps a value to [-1, 1] for a report.
    ///
    /// A proven result is exactly -1, 0 or 1; an unproven value stays strictly inside. If the sign
    /// of the score is not the result, the value is linear over the range of scores.
    pub fn reported(&self, value: i32, (at_least, at_most): (i32, i32)) -> f64 {
        if self.low < 0 && at_least.signum() == at_most.signum() {
            return f64::from(at_least.signum());
        }
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        let scaled = if high > low { (2.0 * f64::from(value) - low - high) / (high - low) } else { 0.0 };
        if at_least == at_most { scaled } else { scaled.clamp(-0.999_999, 0.999_999) }
    }
}
