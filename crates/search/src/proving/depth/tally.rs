//! The numbers of a node from the numbers of its children.
//!
//! Phi is always the minimum over the children. Delta follows one of four rules ([`Sums`]), each a
//! function of its own below. All rules leave out solved children, whose delta is 0.

use super::settings::{Sums, Ties, Widening};
use crate::proving::numbers::{LARGEST, from_phi_delta, phi_delta};
use crate::proving::path::Dependency;
use tesuji_core::{INFINITE, ProofNumbers};

/// A child of an expanded node.
#[derive(Clone, Copy, Debug)]
pub struct Child<M> {
    /// The move.
    pub mv: M,
    /// Its numbers.
    pub numbers: ProofNumbers,
    /// If it is solved: the highest position on the path that the result depends on.
    pub(super) depends_on: Dependency,
    /// If it is solved: an upper bound on the length of the rest of the game.
    pub(super) rank: u16,
    /// The key of the position in the table; 0 for the end of a path.
    pub(super) key: u64,
    /// The index of the move among the legal moves.
    pub(super) move_index: u16,
    /// A child of non-increasing distance (Kishimoto 2005): another path reaches it in at most as
    /// many plies as its parent.
    pub(super) is_non_increasing: bool,
    /// The answer on some other path, which was not yet replayed along this one.
    pub(super) replayable: Option<bool>,
}

/// A child as the rules for numbers see it.
pub trait Numbered {
    /// Its numbers.
    fn numbers(&self) -> ProofNumbers;

    /// The key of the position, by which the workers below it are counted.
    fn key(&self) -> u64;

    /// Whether it is a child of non-increasing distance.
    fn is_non_increasing(&self) -> bool;

    /// Whether delta includes it. The minimum is over all children.
    #[inline]
    fn is_summed(&self) -> bool {
        true
    }

    /// Whether dynamic widening may leave it out of the sum.
    #[inline]
    fn is_widened(&self) -> bool {
        true
    }
}

impl<M> Numbered for Child<M> {
    #[inline]
    fn numbers(&self) -> ProofNumbers {
        self.numbers
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn is_non_increasing(&self) -> bool {
        self.is_non_increasing
    }
}

/// The numbers of a node as computed from its children.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// The numbers of the node.
    pub numbers: ProofNumbers,
    /// The number that the player to move wants to be small.
    pub phi: u32,
    /// The other number, which adds up.
    pub delta: u32,
    /// The index of the best child.
    pub best: usize,
    /// The phi of the second best child.
    pub second_phi: u32,
    /// The part of delta that does not come from the best child.
    pub delta_of_rest: u32,
}

impl Tally {
    /// Whether the node is solved.
    pub fn is_solved(&self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// The fraction of a child's phi by which each other worker below it raises its phi, on top of 1
/// (virtual proof numbers; Kaneko 2010 adds 1). Raising the divisor sends several workers down the
/// same path more often. In Lines of Action two workers search 11 % more nodes than one with 16,
/// 25 % more with 2, and 19 % more if only 1 is added.
pub(super) const VIRTUAL_SHARE: u32 = 16;

/// The rule by which the children determine the numbers of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TallyRule {
    pub sums: Sums,
    pub widening: Widening,
    pub ties: Ties,
}

/// The sort key of a child, smallest first: its phi, its tie-breaker, and its index.
pub type Preference = (u32, u32, u32);

/// The totals over the children of a node from which every summing rule computes delta.
#[derive(Clone, Copy, Default)]
struct Totals {
    /// The number of children with a delta above 0.
    unsolved: u32,
    /// The sum of delta.
    sum: u64,
    /// The part of the sum that dynamic widening always includes.
    unwidened_sum: u64,
    /// The largest delta.
    largest: u32,
    /// The sum of delta over the children of increasing distance.
    increasing_sum: u64,
    /// Whether there are unsolved children of increasing distance.
    any_increasing: bool,
    /// The delta of the best child.
    best_delta: u32,
    /// Whether the best child is one of non-increasing distance.
    best_is_non_increasing: bool,
}

impl Totals {
    #[inline]
    fn add(&mut self, child: &impl Numbered, delta: u32) {
        if delta > 0 && child.is_summed() {
            self.unsolved += 1;
            self.sum += u64::from(delta);
            self.largest = self.largest.max(delta);
            if !child.is_widened() {
                self.unwidened_sum += u64::from(delta);
            }
            if !child.is_non_increasing() {
                self.increasing_sum += u64::from(delta);
                self.any_increasing = true;
            }
        }
    }
}

/// The delta of a node, and the part of it that does not come from the best child.
type Delta = (u64, u64);

#[inline]
fn saturate(number: u64) -> u64 {
    number.min(u64::from(LARGEST))
}

/// Plain sums (Allis 1994).
///
/// ```text
/// delta(n) = sum of delta(c) over all children c
/// ```
#[inline]
fn plain_sum(totals: &Totals) -> Delta {
    (saturate(totals.sum), saturate(totals.sum).saturating_sub(u64::from(totals.best_delta)))
}

/// Weak proof numbers (Ueda and others 2008): the largest child, and 1 for every other one.
///
/// ```text
/// delta(n) = max of delta(c) + (number of unsolved children) - 1
/// ```
///
/// A position that is reached in several ways below n counts once, so that transpositions do not
/// inflate the number.
#[inline]
fn weak_sum(totals: &Totals) -> Delta {
    let others = u64::from(totals.unsolved - 1);
    (saturate(u64::from(totals.largest) + others), others)
}

/// Branch numbers (Okabe 2005): the best child, and 1 for every other one.
///
/// ```text
/// delta(n) = delta(best child) + (number of unsolved children) - 1
/// ```
#[inline]
fn branch_number(totals: &Totals) -> Delta {
    let others = u64::from(totals.unsolved - 1);
    (saturate(u64::from(totals.best_delta) + others), others)
}

/// df-pn(r) (Kishimoto 2005): children of non-increasing distance are left out of the sum, because
/// they may be ancestors, whose numbers would be counted twice.
///
/// ```text
/// delta(n) = sum of delta(c) over the children c with distance(c) > distance(n), if there are any
/// delta(n) = max of delta(c) over all children c, otherwise
/// ```
#[inline]
fn dfpn_r_sum(totals: &Totals) -> Delta {
    if !totals.any_increasing {
        return (u64::from(totals.largest), 0);
    }
    let from_best = if totals.best_is_non_increasing { 0 } else { u64::from(totals.best_delta) };
    (saturate(totals.increasing_sum), saturate(totals.increasing_sum).saturating_sub(from_best))
}

impl TallyRule {
    /// The number of children that count under dynamic widening (Yoshizoe 2008).
    #[inline]
    fn counted(&self, children: usize) -> usize {
        match self.widening {
            Widening::Top(count) if self.sums != Sums::Weak => count,
            Widening::Rate(part) if self.sums != Sums::Weak => children.div_ceil(part),
            _ => children,
        }
    }

    #[inline]
    fn tie_breaker(&self, delta: u32) -> u32 {
        match self.ties {
            Ties::Greater => u32::MAX - delta,
            Ties::Less => delta,
            Ties::Listed => 0,
        }
    }

    /// Computes the numbers of a node. `workers` returns the number of workers below the position
    /// with a key; `order` is a scratch buffer.
    #[inline]
    pub fn tally<C: Numbered>(
        self,
        children: &[C],
        prover_moves: bool,
        workers: impl Fn(u64) -> u32,
        order: &mut Vec<Preference>,
    ) -> Tally {
        // A child comes first by its phi as seen here, then by its tie-breaker: one number.
        let (mut best, mut least, mut second) = (0, u64::MAX, u64::MAX);
        let mut totals = Totals::default();
        let mut phi = INFINITE;
        let counted = self.counted(children.len());
        order.clear();
        for (number, child) in children.iter().enumerate() {
            let (child_phi, child_delta) = phi_delta(child.numbers(), prover_moves);
            totals.add(child, child_delta);
            phi = phi.min(child_phi);
            let seen = virtual_phi(child_phi, workers(child.key()));
            let tie = self.tie_breaker(child_delta);
            if counted < children.len() && child.is_summed() && child.is_widened() {
                order.push((seen, tie, number as u32));
            }
            let preference = u64::from(seen) << 32 | u64::from(tie);
            if number == 0 || preference < least {
                (best, second, least) = (number, least, preference);
                (totals.best_delta, totals.best_is_non_increasing) = (child_delta, child.is_non_increasing());
            } else {
                second = second.min(preference);
            }
        }
        let (delta, delta_of_rest) = if totals.unsolved == 0 || phi == 0 {
            // With an open child outside the sum the node is not solved, whatever the sum is.
            let delta = match phi {
                0 => INFINITE,
                INFINITE => 0,
                _ => 1,
            };
            (u64::from(delta), 0)
        } else {
            if counted < order.len() {
                totals.sum = totals.unwidened_sum + widened_sum(children, prover_moves, counted, order);
            }
            match self.sums {
                Sums::Plain => plain_sum(&totals),
                Sums::Weak => weak_sum(&totals),
                Sums::Branch => branch_number(&totals),
                Sums::DfpnR => dfpn_r_sum(&totals),
            }
        };
        let (mut delta, delta_of_rest) = (delta as u32, delta_of_rest as u32);
        // A best child whose delta is saturated is not entered, whether the sum includes it or not.
        if phi > 0 && totals.unsolved > 0 && totals.best_delta >= LARGEST {
            delta = LARGEST;
        }
        let numbers = from_phi_delta(phi, delta, prover_moves);
        let second_phi = (second >> 32) as u32;
        Tally { numbers, phi, delta, best, second_phi, delta_of_rest }
    }
}

/// The sum of delta over the first `counted` children in an order that is the same as that of the
/// best child, which is therefore one of those that count (Yoshizoe's "less greater" and "less
/// less").
#[inline]
fn widened_sum<C: Numbered>(children: &[C], prover_moves: bool, counted: usize, order: &mut [Preference]) -> u64 {
    order.select_nth_unstable(counted - 1);
    let delta = |&(_, _, number): &Preference| phi_delta(children[number as usize].numbers(), prover_moves).1;
    order[..counted].iter().map(|preference| u64::from(delta(preference))).sum()
}

/// The phi of a child as seen by a worker while others are below it. Solved children are
/// unaffected.
#[inline]
fn virtual_phi(phi: u32, workers: u32) -> u32 {
    match workers {
        0 => phi,
        _ if phi == 0 || phi == INFINITE => phi,
        _ => phi.saturating_add(workers.saturating_mul(1 + phi / VIRTUAL_SHARE)).min(LARGEST),
    }
}
