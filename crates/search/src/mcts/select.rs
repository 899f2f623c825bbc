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
//! Scores are worked out in groups of [`LANES`] children, from copies of their columns, so that the compiler can use
//! vector instructions: in games with a hundred moves this loop is most of the search.

use super::interval::Interval;
use super::params::{Amaf, Apart, BiasForm, Params, Select};
use super::tree::{self, Block, UNIT};
use std::sync::LazyLock;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::Rng;
use wide::f32x8;

/// Children that are scored together.
pub const LANES: usize = 8;

/// Logarithms of small numbers: most nodes have few visits.
static LOGARITHMS: LazyLock<[f32; 4096]> = LazyLock::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));

/// The natural logarithm of a number of visits: exact below 4096, and above within 1/2048 by the leading bits.
#[inline]
pub fn logarithm(visits: u32) -> f32 {
    let excess = (32 - visits.leading_zeros()).saturating_sub(12);
    LOGARITHMS[(visits >> excess) as usize] + excess as f32 * std::f32::consts::LN_2
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
        }
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
    scores: &mut Vec<f32>,
) -> Option<(usize, f32)> {
    let log = logarithm(node.visits);
    if block.opened <= LANES {
        let mut scores = [0.0; LANES];
        score_group(formula, block, 0, log, node, rng, &mut scores);
        return pick(&mut scores, block.opened, rng);
    }
    let groups = block.opened.div_ceil(LANES);
    if scores.len() < groups * LANES {
        scores.resize(groups * LANES, 0.0);
    }
    let scores = &mut scores[..groups * LANES];
    for (group, scores) in scores.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        score_group(formula, block, group * LANES, log, node, rng, scores);
    }
    pick(scores, block.opened, rng)
}

/// The highest of the first `count` scores; there is room for whole groups of them.
#[inline(always)]
fn pick(scores: &mut [f32], count: usize, rng: &mut Rng) -> Option<(usize, f32)> {
    scores[count..].fill(f32::NEG_INFINITY);
    let groups = scores.as_chunks::<LANES>().0;
    let high = groups.iter().fold(f32x8::splat(f32::NEG_INFINITY), |high, group| high.fast_max(f32x8::new(*group)));
    let [a, b, c, d, e, f, g, h] = high.to_array();
    let higher = |a: f32, b: f32| if a > b { a } else { b };
    let best_score = higher(higher(higher(a, b), higher(c, d)), higher(higher(e, f), higher(g, h)));
    if best_score == f32::NEG_INFINITY {
        return None;
    }
    let (mut best, mut ties) = (0, 0);
    for (number, group) in groups.iter().enumerate() {
        let mut equal = f32x8::new(*group).simd_eq(f32x8::splat(best_score)).to_bitmask();
        while equal != 0 {
            ties += 1;
            if ties == 1 || rng.below(ties) == 0 {
                best = number * LANES + equal.trailing_zeros() as usize;
            }
            equal &= equal - 1;
        }
    }
    Some((best, best_score))
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
    scores: &mut [f32; LANES],
) {
    let place = block.begin + begin;
    let chunk = block.chunk;
    let len = LANES.min(block.opened - begin);
    let nodes: &[tree::Node<M>; LANES] = chunk.nodes[place..place + LANES].try_into().expect("a whole group");
    // A child that another worker has opened and not yet finished may have no visits.
    let mut visits: [f32; LANES] = std::array::from_fn(|lane| nodes[lane].visits.load(Relaxed).max(1) as i32 as f32);
    let mut sums: [f32; LANES] = std::array::from_fn(|lane| to_float(nodes[lane].sum.load(Relaxed)));
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
    *scores = values;
    if formula.solver {
        for (lane, score) in scores[..len].iter_mut().enumerate() {
            if !chunk.bounds[place + lane].load().matters(node.proved.0, node.proved.1) {
                *score = f32::NEG_INFINITY;
            }
        }
    }
    if let Some(visits_at_least) = formula.skip_proved.filter(|_| node.unproved) {
        for (lane, score) in scores[..len].iter_mut().enumerate() {
            let solved = super::proof_numbers::is_solved(chunk.proof[place + lane].load(Relaxed));
            if solved && chunk.nodes[place + lane].visits.load(Relaxed) > visits_at_least {
                *score = f32::NEG_INFINITY;
            }
        }
    }
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
