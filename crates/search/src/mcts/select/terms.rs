//! The terms of the selection score, one function each. See [`super`] for their order.

// Lanes of several arrays go together; indexing shows that more clearly than zipped iterators.
#![allow(clippy::needless_range_loop)]

use super::super::interval::Interval;
use super::super::params::{Amaf, BiasForm};
use super::super::proof_numbers;
use super::super::tree::{Block, Chunk, SQUARE_UNIT, UNIT};
use super::{AmafReference, LANES};
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering::Relaxed};
use tesuji_core::Rng;
use wide::f32x8;

/// The range k of the random numbers that diversify workers (Saito 2010, formula 4.5).
const RANDOM_RANGE: f32 = 0.02;

/// A group of children whose scores are computed together.
pub struct Group<'t, M> {
    chunk: &'t Chunk<M>,
    /// The index of the first child in the chunk.
    begin: usize,
    /// The number of children; the other lanes are padding.
    len: usize,
    visits: [f32; LANES],
    sums: [f32; LANES],
    /// One over the visits, but at most 1.
    inverses: f32x8,
    /// Which children have a value, be it their own, a prior or an AMAF value.
    known: [bool; LANES],
    /// The scores as far as they are computed.
    pub scores: [f32; LANES],
}

#[inline(always)]
fn float(cell: &AtomicU32) -> f32 {
    f32::from_bits(cell.load(Relaxed))
}

impl<'t, M: Copy> Group<'t, M> {
    /// Reads visits and sums of the opened children from number `begin` on.
    #[inline(always)]
    pub fn new(block: &Block<'t, M>, begin: usize) -> Group<'t, M> {
        let chunk = block.chunk;
        let len = LANES.min(block.opened - begin);
        let begin = block.begin + begin;
        let visits = std::array::from_fn(|lane| chunk.nodes[begin + lane].visits() as i32 as f32);
        let sums = std::array::from_fn(|lane| to_float(chunk.sum(begin + lane)));
        Group { chunk, begin, len, visits, sums, inverses: f32x8::ZERO, known: [false; LANES], scores: [0.0; LANES] }
    }

    /// Counts a child without visits, which another worker has opened but not finished, as one
    /// visit of value 0.
    #[inline(always)]
    pub fn count_unvisited_as_visited(&mut self) {
        self.visits = f32x8::new(self.visits).fast_max(f32x8::splat(1.0)).to_array();
    }

    /// Sets the scores to the means, `v = sum / n`; 0 without visits.
    #[inline(always)]
    pub fn set_means(&mut self) {
        self.known = self.visits.map(|visits| visits > 0.0);
        self.inverses = f32x8::splat(1.0) / f32x8::new(self.visits).fast_max(f32x8::splat(1.0));
        self.scores = (f32x8::new(self.sums) * f32x8::splat(1.0 / UNIT) * self.inverses).to_array();
    }
}

/// Even prior: every child starts with this many draws, `n + e` (Gelly & Silver 2007).
#[inline(always)]
pub fn add_even_prior<M>(group: &mut Group<'_, M>, draws: f32) {
    group.visits = (f32x8::new(group.visits) + f32x8::splat(draws)).to_array();
}

/// Prior: the evaluation h counts as g visits, `sum + g h` and `n + g` (Baier 2015, section 8.2).
/// A child that has not been evaluated has no prior.
#[inline(always)]
pub fn add_prior<M>(group: &mut Group<'_, M>, visits: f32) {
    for lane in 0..group.len {
        let Some(evaluation) = group.chunk.prior(group.begin + lane) else { continue };
        group.sums[lane] += visits * evaluation * UNIT;
        group.visits[lane] += visits;
    }
}

/// Implicit minimax: `v = (1 - a) v + a h'`, h' the evaluation backed up by minimax (Lanctot et al.
/// 2014).
#[inline(always)]
pub fn mix_implicit_minimax<M>(group: &mut Group<'_, M>, weight: f32) {
    for lane in 0..group.len {
        let backed_up = float(&group.chunk.implicit[group.begin + lane]);
        group.scores[lane] += weight * (backed_up - group.scores[lane]);
    }
}

/// AMAF: `v = (1 - b) v + b v'`, v' the all-moves-as-first mean and b its weight (RAVE, Gelly &
/// Silver 2007). With a reference, v' is the value at an ancestor if that has one (GRAVE, Cazenave
/// 2015).
#[inline(always)]
pub fn mix_amaf<M>(group: &mut Group<'_, M>, amaf: Amaf, reference: Option<&AmafReference>) {
    let chunk = group.chunk;
    for lane in 0..group.len {
        let at = group.begin + lane;
        let own = || (chunk.amaf_visits[at].load(Relaxed), chunk.amaf_sums[at].load(Relaxed));
        let from_reference = || {
            let index = chunk.indices[at].load(Relaxed) as usize;
            reference.map(|reference| reference.entries[index]).filter(|entry| entry.0 > 0)
        };
        let (amaf_visits, amaf_sum) = from_reference().unwrap_or_else(own);
        if amaf_visits > 0 {
            let weight = amaf_weight(amaf, group.visits[lane], amaf_visits as f32);
            let mean = amaf_sum as f32 / (UNIT * amaf_visits as f32);
            group.scores[lane] += weight * (mean - group.scores[lane]);
            group.known[lane] = true;
        }
    }
}

/// The weight of the AMAF value for a child with `visits` visits. [`Amaf`] has the formulas.
#[inline]
fn amaf_weight(amaf: Amaf, visits: f32, amaf_visits: f32) -> f32 {
    match amaf {
        Amaf::Off => 0.0,
        Amaf::Share(_) if visits == 0.0 => 1.0,
        Amaf::Share(share) => share,
        Amaf::Equivalence(k) => (k / (3.0 * visits + k)).sqrt(),
        Amaf::Linear(until) => ((until - visits) / until).max(0.0),
        Amaf::Bias(bias) => amaf_visits / (visits + amaf_visits + bias * visits * amaf_visits),
    }
}

/// UCT and UCB1: `+ sqrt(scale / n)`, where `scale` is `C^2 ln N` (Kocsis & Szepesvari 2006),
/// `C ln N` (C inside the root) or `8 ln N` (UCB1, Auer et al. 2002).
#[inline(always)]
pub fn add_exploration<M>(group: &mut Group<'_, M>, scale: f32) {
    let bonus = (f32x8::splat(scale) * group.inverses).sqrt();
    group.scores = (f32x8::new(group.scores) + bonus).to_array();
}

/// PB-L2: `+ sqrt(scale / max(losses, 1))` (Winands et al. 2010; Saito 2010, formula 4.4).
#[inline(always)]
pub fn add_exploration_by_losses<M>(group: &mut Group<'_, M>, scale: f32) {
    for lane in 0..group.len {
        let losses = group.chunk.losses[group.begin + lane].load(Relaxed).max(1) as f32;
        group.scores[lane] += (scale / losses).sqrt();
    }
}

/// UCB1-TUNED: `+ 2 C sqrt(ln N / n min(1/4, V + sqrt(2 ln N / n)))` (Auer et al. 2002). `factor`
/// is `2 C` times half the range of the values, `prior` the number of visits that evaluations count
/// as.
#[inline(always)]
pub fn add_tuned_exploration<M>(group: &mut Group<'_, M>, factor: f32, half_range: f32, log: f32, prior: f32) {
    // Before the range is known, all values are equal.
    let scale = if half_range > 0.0 { 1.0 / (half_range * half_range) } else { 0.0 };
    let cells: &[AtomicI64; LANES] = group.chunk.squares[group.begin..].first_chunk().expect(PADDED);
    let mut squares: [f32; LANES] =
        std::array::from_fn(|lane| cells[lane].load(Relaxed) as f32 * (1.0 / SQUARE_UNIT as f32));
    if prior > 0.0 {
        // A prior stands for wins and losses, whose squares are 1.
        for lane in 0..group.len {
            squares[lane] += if group.chunk.prior(group.begin + lane).is_some() { prior } else { 0.0 };
        }
    }
    let means = f32x8::new(group.sums) * f32x8::splat(1.0 / UNIT) * group.inverses;
    let variances = f32x8::splat(scale) * (f32x8::new(squares) * group.inverses - means * means);
    let bonus = f32x8::splat(factor) * tuned_bonus(variances, f32x8::splat(log) * group.inverses);
    group.scores = (f32x8::new(group.scores) + bonus).to_array();
}

/// Why the columns of a group can be read as a whole.
const PADDED: &str = "columns are padded by a group";

/// The exploration terms of UCB1-TUNED on [0, 1], from the variances of values in [-1, 1] and
/// `ln N / n`.
#[inline(always)]
pub fn tuned_bonus(variances: f32x8, log_over_visits: f32x8) -> f32x8 {
    let quarter = f32x8::splat(0.25);
    let variances = (variances * quarter).fast_max(f32x8::ZERO) + (log_over_visits * f32x8::splat(2.0)).sqrt();
    (log_over_visits * variances.fast_min(quarter)).sqrt()
}

/// SP-MCTS: `+ sqrt(|sum of squared deviations + D| / n)` (Schadd et al. 2008). `deviation` is D in
/// squared values.
#[inline(always)]
pub fn add_deviation<M>(group: &mut Group<'_, M>, deviation: f32) {
    for lane in 0..group.len {
        let at = group.begin + lane;
        let visits = f64::from(group.visits[lane].max(1.0));
        let squares = group.chunk.squares[at].load(Relaxed) as f64 / SQUARE_UNIT;
        let sum = group.chunk.sum(at) as f64 / f64::from(UNIT);
        group.scores[lane] += deviation_bonus(squares - sum * sum / visits, visits, f64::from(deviation)) as f32;
    }
}

/// The possible deviation of SP-MCTS, from the sum of squared deviations of n visits and D.
#[inline]
pub fn deviation_bonus(squared_deviations: f64, visits: f64, d: f64) -> f64 {
    ((squared_deviations + d).abs() / visits).sqrt()
}

/// SP-MCTS: `v = (1 - w) v + w b`, b the highest value below the child (Schadd et al. 2012).
#[inline(always)]
pub fn mix_maximum<M>(group: &mut Group<'_, M>, weight: f32) {
    for lane in 0..group.len {
        if let Some(highest) = group.chunk.maximum(group.begin + lane) {
            group.scores[lane] += weight * (highest - group.scores[lane]);
        }
    }
}

/// Progressive bias: `+ W P / (n + 1)`, or over losses for PB-L1 and PB-L2, P the transition
/// probability of the move (Winands, Bjornsson & Saito 2010).
#[inline(always)]
pub fn add_progressive_bias<M>(group: &mut Group<'_, M>, weight: f32, form: BiasForm) {
    for lane in 0..group.len {
        let at = group.begin + lane;
        let probability = float(&group.chunk.probabilities[at]);
        let below = match form {
            BiasForm::Visits => group.visits[lane],
            BiasForm::Losses | BiasForm::LossesTwice => group.chunk.losses[at].load(Relaxed) as f32,
        };
        group.scores[lane] += weight * probability / (below + 1.0);
    }
}

/// PN-MCTS: `+ C_pn b`, where b is the bonus for small proof numbers less the highest bonus among
/// the siblings (Doe et al. 2022). It is stored when the numbers change.
#[inline(always)]
pub fn add_proof_number_bonus<M>(group: &mut Group<'_, M>, weight: f32) {
    for lane in 0..group.len {
        group.scores[lane] += weight * float(&group.chunk.bonus[group.begin + lane]);
    }
}

/// First-play urgency: the score of a child that nothing is known of (Gelly & Wang 2006).
#[inline(always)]
pub fn set_urgency<M>(group: &mut Group<'_, M>, urgency: f32) {
    for lane in 0..group.len {
        if !group.known[lane] {
            group.scores[lane] = urgency;
        }
    }
}

/// Diversification of workers: `+ k xi` with xi uniform in [0, 1] (Saito 2010, formula 4.5).
#[inline(always)]
pub fn add_random<M>(group: &mut Group<'_, M>, rng: &mut Rng) {
    for score in &mut group.scores[..group.len] {
        *score += RANDOM_RANGE * rng.unit() as f32;
    }
}

/// MCTS-Solver: skips children whose proven bounds show that they cannot improve the value.
#[inline(always)]
pub fn skip_irrelevant<M>(group: &mut Group<'_, M>, maximises: bool, node: Interval) {
    for lane in 0..group.len {
        if !group.chunk.bounds[group.begin + lane].load().matters(maximises, node) {
            group.scores[lane] = f32::NEG_INFINITY;
        }
    }
}

/// PN-MCTS: skips children whose first `words` of proof numbers are solved and that have more than
/// `visits` visits.
#[inline(always)]
pub fn skip_solved<M>(group: &mut Group<'_, M>, visits: u32, words: usize) {
    for lane in 0..group.len {
        let at = group.begin + lane;
        let solved = proof_numbers::are_solved(group.chunk.number_words(at), words);
        if solved && group.chunk.nodes[at].visits() > visits {
            group.scores[lane] = f32::NEG_INFINITY;
        }
    }
}

/// Converts an integer below 2^51 to floating point with operations that have vector instructions:
/// added to the bits of 1.5 * 2^52, the integer ends up in the mantissa.
#[inline]
fn to_float(sum: i64) -> f32 {
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    (f64::from_bits(MAGIC.to_bits().wrapping_add(sum as u64)) - MAGIC) as f32
}
