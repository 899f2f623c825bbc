//! Selection: the scores of the children of a node, and the choice among them.
//!
//! With `v` the mean value of a child for the player who chooses, in [-1, 1], `n` its visits and `N` those of the node, a score
//! is built up in this order, each part only where it is switched on:
//!
//! ```text
//! prior      v = (sum + g h) / (n + g),  n = n + g           g visits of the evaluation h        (Baier 2015, 8.2)
//! implicit   v = (1 - a) v + a h'                            h' the minimax of evaluations       (Lanctot et al. 2014)
//! amaf       v = (1 - b) v + b v'                            v' the all-moves-as-first mean      (Gelly & Silver 2007)
//! explore    v + C sqrt(ln N / n)   or   v + sqrt(C ln N / n)   or   v + 2 sqrt(2 ln N / n)      (UCT, inside, UCB1)
//!            v + 2 C sqrt(ln N / n min(1/4, V + sqrt(2 ln N / n)))                               (UCB1-TUNED)
//! bias       + W P / (n + 1)        or   + W P / (losses + 1)                                    (Winands et al. 2010)
//! pn         + C_pn (1 - rank / highest rank)                                                    (Doe et al. 2022)
//! apart      + k xi,  xi in [0, 1]                                                               (Saito 2010, 4.5)
//! ```
//!
//! UCB1 and UCB1-TUNED are defined for rewards q in [0, 1]. With v = 2 q - 1 a bonus there is twice as large here, and the variance
//! of q is a quarter of that of v: that is the one place where the two scales meet, in [`Formula`] and [`tuned`].
//!
//! Scores are worked out in groups of [`LANES`] children, so that the compiler can use vector instructions: in games with a hundred
//! moves this loop is most of the search. Plain UCT, which is the second line of that list alone, has a way of its own
//! ([`best_plainly`]): it reads one number a child.

use super::interval::{Interval, IntervalCell};
use super::params::{Amaf, Apart, BiasForm, Params, Select};
use super::tree::{self, Block, Chunk, UNIT};
use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::Rng;
use wide::{bytemuck, f32x4, f32x8, u64x4};

/// Children that are scored together.
pub const LANES: usize = 8;

/// Logarithms of small numbers: most nodes have few visits.
static LOGARITHMS: LazyLock<[f32; 1 << LOGARITHM_BITS]> =
    LazyLock::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));
const LOGARITHM_BITS: u32 = 12;

/// The natural logarithm of a number of visits: exact below 4096, and above within 1/2048 by the leading bits.
#[inline]
fn logarithm_in(table: &[f32; 1 << LOGARITHM_BITS], visits: u32) -> f32 {
    let excess = (32 - visits.leading_zeros()).saturating_sub(LOGARITHM_BITS);
    table[(visits >> excess) as usize & (table.len() - 1)] + excess as f32 * std::f32::consts::LN_2
}

/// The same without a table at hand.
#[cfg(test)]
pub fn logarithm(visits: u32) -> f32 {
    logarithm_in(&LOGARITHMS, visits)
}

/// The range of random numbers that keep workers apart (k in formula 4.5 of Saito 2010).
const APART_RANGE: f32 = 0.02;

/// The selection formula, put together from the parts.
#[derive(Clone, Debug)]
pub struct Formula {
    select: Select,
    /// What the logarithm is multiplied with before the root is taken; for UCB1-TUNED, the constant itself, doubled.
    factor: f32,
    prior: f32,
    implicit: f32,
    amaf: Amaf,
    bias: f32,
    bias_form: BiasForm,
    proof: f32,
    skip_proved: Option<u32>,
    solver: bool,
    random: bool,
    logarithms: &'static [f32; 1 << LOGARITHM_BITS],
}

impl Formula {
    /// The formula of the parts; `shared` says whether several workers have to be kept apart.
    pub fn new(params: &Params, shared: bool) -> Formula {
        let factor = match (params.select, params.inside) {
            (Select::Uct, false) => params.c * params.c,
            (Select::Uct, true) => params.c,
            (Select::Ucb1, _) => 8.0,
            (Select::Ucb1Tuned, _) => 2.0 * params.c,
        };
        Formula {
            select: params.select,
            factor,
            prior: params.prior.unwrap_or(0.0),
            implicit: params.implicit.unwrap_or(0.0),
            amaf: params.amaf,
            bias: params.bias.unwrap_or(0.0),
            bias_form: params.bias_form,
            proof: params.pn.unwrap_or(0.0),
            skip_proved: params.pn_skip,
            solver: params.solver,
            random: shared && params.apart == Apart::Random,
            logarithms: &LOGARITHMS,
        }
    }

    /// Whether it is plain UCT, perhaps with children left out by what is proved of them: [`best_plainly`] does for it.
    pub fn is_plain(&self) -> bool {
        let Formula { select, factor: _, prior, implicit, amaf, bias, bias_form: _, proof, skip_proved, .. } = self;
        *select != Select::Ucb1Tuned
            && [prior, implicit, bias, proof].into_iter().all(|&weight| weight == 0.0)
            && *amaf == Amaf::Off
            && skip_proved.is_none()
            && !self.random
    }

    /// Whether children are left out by what is proved of them.
    #[inline]
    pub fn prunes(&self) -> bool {
        self.solver
    }

    /// The same, leaving children out by what is proved of them only if `prunes`.
    pub fn pruning(self, prunes: bool) -> Formula {
        Formula { solver: self.solver && prunes, ..self }
    }
}

/// AMAF values to use instead of the children's own, by the number of the move (GRAVE).
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// Visits and sum of values, by the number of the move.
    pub entries: Vec<(u32, i64)>,
}

/// What selection has to know of the node beside its children.
pub struct Node<'a> {
    /// Its visits.
    pub visits: u32,
    /// Whether the player to move picks the highest of proved intervals, and the node's own one.
    pub proved: (bool, Interval),
    /// Whether the node is unsolved by its proof numbers, so that solved children may be left out.
    pub unproved: bool,
    /// AMAF values of an ancestor.
    pub reference: Option<&'a Reference>,
}

/// The best of the open children and its score; `None` if all are left out. Ties are broken by lot. `scores` is room for
/// them, kept between calls.
#[inline]
pub fn best<M: Copy>(
    formula: &Formula,
    block: &Block<'_, M>,
    node: &Node<'_>,
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<(usize, f32)> {
    let log = logarithm_in(formula.logarithms, node.visits);
    scores.clear();
    let mut high = f32x8::splat(f32::NEG_INFINITY);
    for begin in (0..block.opened).step_by(LANES) {
        let group = f32x8::new(score_group(formula, block, begin, log, node, rng)) + beyond(block.opened - begin);
        scores.push(group);
        high = high.fast_max(group);
    }
    pick(scores, high, rng)
}

/// The best of the open children by plain UCT, where values are whole numbers; `None` if there is none. Ties are broken by lot.
#[inline(always)]
pub fn best_plainly<M: Copy>(
    formula: &Formula,
    block: Block<'_, M>,
    visits: u32,
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<usize> {
    let scale = formula.factor * logarithm_in(formula.logarithms, visits);
    if block.opened > LANES {
        return best_of_many(block.chunk, (block.begin, block.opened), scale, None, rng, scores);
    }
    let nodes = block.chunk.nodes[block.begin..].first_chunk().expect("a chunk has a group more than it needs");
    let group = plain_scores(nodes, f32x8::splat(scale), beyond(block.opened));
    let high = highest(group);
    (high > f32::NEG_INFINITY).then(|| drawn(equals(group, high), rng))
}

/// The same without those children that cannot matter by what is proved of them: `proved` says whether the mover picks the highest
/// of proved intervals, and has the node's own one.
#[inline(never)]
pub fn best_unproved<M: Copy>(
    formula: &Formula,
    block: Block<'_, M>,
    visits: u32,
    proved: (bool, Interval),
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<usize> {
    let scale = formula.factor * logarithm_in(formula.logarithms, visits);
    best_of_many(block.chunk, (block.begin, block.opened), scale, Some(proved), rng, scores)
}

/// The best of the open children in any number.
#[inline(never)]
fn best_of_many<M: Copy>(
    chunk: &Chunk<M>,
    (begin, opened): (usize, usize),
    scale: f32,
    proved: Option<(bool, Interval)>,
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<usize> {
    let groups = opened.div_ceil(LANES);
    let end = begin + groups * LANES;
    if scores.len() < groups {
        scores.resize(groups, f32x8::ZERO);
    }
    let scores = &mut scores[..groups];
    let scale = f32x8::splat(scale);
    let (last, full) = scores.split_last_mut()?;
    let (last_nodes, full_nodes) = chunk.nodes[begin..end].as_chunks().0.split_last()?;
    *last = plain_scores(last_nodes, scale, beyond(opened - full.len() * LANES));
    let mut high = *last;
    for (score, nodes) in full.iter_mut().zip(full_nodes) {
        *score = plain_scores(nodes, scale, f32x8::ZERO);
        high = high.fast_max(*score);
    }
    if let Some((maximises, node)) = proved {
        high = f32x8::splat(f32::NEG_INFINITY);
        for (score, bounds) in scores.iter_mut().zip(chunk.bounds[begin..end].as_chunks().0) {
            *score += left_out(bounds, maximises, node);
            high = high.fast_max(*score);
        }
    }
    pick(scores, high, rng).map(|(best, _)| best)
}

/// `v + C sqrt(ln N / n)` for a group; `scale` is C^2 ln N. It is worked out as `(s + sqrt(scale n)) / n`, s the sum of values, so
/// that nothing has to wait for a quotient and a root one after the other. `left_out` is added to the sums: see [`beyond`].
#[inline(always)]
fn plain_scores(nodes: &[tree::Node; LANES], scale: f32x8, left_out: f32x8) -> f32x8 {
    // Visits and sums alternate, as they do in a tally; in this order of the children every second lane of both makes eight.
    let tally = |lane: usize| nodes[lane].tally().0;
    let a = u64x4::new([tally(0), tally(1), tally(4), tally(5)]);
    let b = u64x4::new([tally(2), tally(3), tally(6), tally(7)]);
    let [a, b] = [f32x8::from_i32x8(bytemuck::cast(a)).to_array(), f32x8::from_i32x8(bytemuck::cast(b)).to_array()];
    let lower = f32x8::new([a[0], a[2], b[0], b[2], a[4], a[6], b[4], b[6]]);
    let upper = f32x8::new([a[1], a[3], b[1], b[3], a[5], a[7], b[5], b[7]]);
    let (visits, sums) = if cfg!(target_endian = "little") { (lower, upper) } else { (upper, lower) };
    // A child that another worker has opened and not yet finished may have no visits.
    let visits = visits.fast_max(f32x8::splat(1.0));
    (sums + left_out + (scale * visits).sqrt()) * (f32x8::splat(1.0) / visits)
}

/// What leaves children out of a group: minus infinity for those that cannot matter, else 0.
#[inline(always)]
fn left_out(bounds: &[IntervalCell; LANES], maximises: bool, node: Interval) -> f32x8 {
    let kept = |bounds: &IntervalCell| bounds.load().matters(maximises, node);
    f32x8::new(std::array::from_fn(|lane| if kept(&bounds[lane]) { 0.0 } else { f32::NEG_INFINITY }))
}

/// What leaves out the lanes of a group beyond the first `count`.
#[inline(always)]
fn beyond(count: usize) -> f32x8 {
    static BEYOND: [[f32; LANES]; LANES + 1] = {
        let mut rows = [[f32::NEG_INFINITY; LANES]; LANES + 1];
        let mut row = 0;
        while row <= LANES {
            let mut lane = 0;
            while lane < row {
                rows[row][lane] = 0.0;
                lane += 1;
            }
            row += 1;
        }
        rows
    };
    f32x8::new(BEYOND[count.min(LANES)])
}

/// The highest of the scores, and where it is; `None` if all are left out. `high` has the highest of each lane.
#[inline(always)]
fn pick(groups: &[f32x8], high: f32x8, rng: &mut Rng) -> Option<(usize, f32)> {
    let high = highest(high);
    if high == f32::NEG_INFINITY {
        return None;
    }
    let mut ties = 0;
    let mut best = 0;
    for (number, &group) in groups.iter().enumerate() {
        let equal = equals(group, high);
        if equal != 0 {
            // Each group with equals is drawn in proportion to how many it has.
            let more = equal.count_ones() as usize;
            ties += more;
            if ties == more || rng.below(ties) < more {
                best = number * LANES + drawn(equal, rng);
            }
        }
    }
    Some((best, high))
}

#[inline(always)]
fn highest(scores: f32x8) -> f32 {
    let [a, b, c, d, e, f, g, h] = scores.to_array();
    let [a, b, c, d] = f32x4::new([a, b, c, d]).fast_max(f32x4::new([e, f, g, h])).to_array();
    let higher = |a: f32, b: f32| if a > b { a } else { b };
    higher(higher(a, c), higher(b, d))
}

#[inline(always)]
fn equals(scores: f32x8, score: f32) -> u32 {
    scores.simd_eq(f32x8::splat(score)).to_bitmask()
}

/// One of the members of a set that is not empty, by lot.
#[inline(always)]
fn drawn(mut members: u32, rng: &mut Rng) -> usize {
    if !members.is_power_of_two() {
        for _ in 0..rng.below(members.count_ones() as usize) {
            members &= members - 1;
        }
    }
    members.trailing_zeros() as usize
}

/// The scores of a group of children. Columns are longer than they need to be by a group, so a group that is not full may be
/// read as if it were; what lies beyond it is not looked at.
#[inline(always)]
// Lanes of several arrays go together; an index says so more plainly than zipped iterators.
#[allow(clippy::needless_range_loop)]
fn score_group<M: Copy>(
    formula: &Formula,
    block: &Block<'_, M>,
    begin: usize,
    log: f32,
    node: &Node<'_>,
    rng: &mut Rng,
) -> [f32; LANES] {
    let place = block.begin + begin;
    let chunk = block.chunk;
    let len = LANES.min(block.opened - begin);
    // A child that another worker has opened and not yet finished may have no visits.
    let mut visits: [f32; LANES] = std::array::from_fn(|lane| chunk.nodes[place + lane].visits().max(1) as i32 as f32);
    let mut sums: [f32; LANES] = std::array::from_fn(|lane| to_float(chunk.sum(place + lane)));
    if formula.prior > 0.0 {
        for lane in 0..len {
            let evaluation = f32::from_bits(chunk.priors[place + lane].load(Relaxed));
            sums[lane] += formula.prior * evaluation * UNIT;
            visits[lane] += formula.prior;
        }
    }
    let inverses = f32x8::splat(1.0) / f32x8::new(visits);
    let mut values = (f32x8::new(sums) * f32x8::splat(1.0 / UNIT) * inverses).to_array();
    if formula.implicit > 0.0 {
        for lane in 0..len {
            let backed_up = f32::from_bits(chunk.implicit[place + lane].load(Relaxed));
            values[lane] += formula.implicit * (backed_up - values[lane]);
        }
    }
    if formula.amaf != Amaf::Off {
        for lane in 0..len {
            let at = place + lane;
            let own = || (chunk.amaf_visits[at].load(Relaxed), chunk.amaf_sums[at].load(Relaxed));
            let from_reference = || {
                let index = chunk.indices[at].load(Relaxed) as usize;
                node.reference.map(|reference| reference.entries[index]).filter(|entry| entry.0 > 0)
            };
            let (amaf_visits, amaf_sum) = from_reference().unwrap_or_else(own);
            if amaf_visits > 0 {
                let share = amaf_share(formula.amaf, visits[lane], amaf_visits as f32);
                let amaf = amaf_sum as f32 / (UNIT * amaf_visits as f32);
                values[lane] += share * (amaf - values[lane]);
            }
        }
    }
    match formula.select {
        Select::Uct | Select::Ucb1 => {
            let scale = formula.factor * log;
            if formula.bias > 0.0 && formula.bias_form == BiasForm::LossesTwice {
                for lane in 0..len {
                    let losses = chunk.losses[place + lane].load(Relaxed).max(1) as f32;
                    values[lane] += (scale / losses).sqrt();
                }
            } else {
                values = (f32x8::new(values) + (f32x8::splat(scale) * inverses).sqrt()).to_array();
            }
        }
        Select::Ucb1Tuned => {
            for lane in 0..len {
                let squares = chunk.squares[place + lane].load(Relaxed) as f32 / UNIT;
                let mean = sums[lane] / UNIT / visits[lane];
                let prior_squares = if formula.prior > 0.0 {
                    let evaluation = f32::from_bits(chunk.priors[place + lane].load(Relaxed));
                    formula.prior * evaluation * evaluation
                } else {
                    0.0
                };
                values[lane] +=
                    formula.factor * tuned(mean, (squares + prior_squares) / visits[lane], log / visits[lane]);
            }
        }
    }
    if formula.bias > 0.0 {
        for lane in 0..len {
            let weight = f32::from_bits(chunk.weights[place + lane].load(Relaxed));
            let below = match formula.bias_form {
                BiasForm::Visits => visits[lane],
                BiasForm::Losses | BiasForm::LossesTwice => chunk.losses[place + lane].load(Relaxed) as f32,
            };
            values[lane] += formula.bias * weight / (below + 1.0);
        }
    }
    if formula.proof > 0.0 {
        for lane in 0..len {
            values[lane] += formula.proof * f32::from_bits(chunk.bonus[place + lane].load(Relaxed));
        }
    }
    if formula.random {
        for value in &mut values[..len] {
            *value += APART_RANGE * rng.unit() as f32;
        }
    }
    if formula.solver {
        for (lane, score) in values[..len].iter_mut().enumerate() {
            if !chunk.bounds[place + lane].load().matters(node.proved.0, node.proved.1) {
                *score = f32::NEG_INFINITY;
            }
        }
    }
    if let Some(visits_at_least) = formula.skip_proved.filter(|_| node.unproved) {
        for (lane, score) in values[..len].iter_mut().enumerate() {
            let solved = super::proof_numbers::is_solved(chunk.proof[place + lane].load(Relaxed));
            if solved && chunk.nodes[place + lane].visits() > visits_at_least {
                *score = f32::NEG_INFINITY;
            }
        }
    }
    values
}

/// An integer below 2^51 as a floating-point number, in a way that has vector instructions: added to the bits of 1.5 * 2^52 it
/// stands in the mantissa.
#[inline]
fn to_float(sum: i64) -> f32 {
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    (f64::from_bits(MAGIC.to_bits().wrapping_add(sum as u64)) - MAGIC) as f32
}

/// The share of the AMAF value for a child with `visits` of its own.
#[inline]
pub fn amaf_share(amaf: Amaf, visits: f32, amaf_visits: f32) -> f32 {
    match amaf {
        Amaf::Off => 0.0,
        Amaf::Share(share) => share,
        Amaf::Equivalence(k) => (k / (3.0 * visits + k)).sqrt(),
        Amaf::Linear(until) => ((until - visits) / until).max(0.0),
        Amaf::Bias(bias) => amaf_visits / (visits + amaf_visits + bias * visits * amaf_visits),
    }
}

/// The exploration term of UCB1-TUNED on [0, 1], from the mean and mean square of values in [-1, 1] and `ln N / n`.
#[inline]
pub fn tuned(mean: f32, mean_square: f32, log_over_visits: f32) -> f32 {
    let variance = ((mean_square - mean * mean) / 4.0).max(0.0) + (2.0 * log_over_visits).sqrt();
    (log_over_visits * variance.min(0.25)).sqrt()
}
