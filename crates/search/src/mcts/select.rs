//! Selection: computes the scores of a node's children and picks the highest.
//!
//! Let `v` be the mean value of a child for the player to move, in [-1, 1], `n` its visits and `N`
//! the visits of the node. The score is built from these terms, in this order, each only if its
//! option is on. [`terms`] has one function per term.
//!
//! ```text
//! even       v = sum / (n + e),  n = n + e                  e draws                   Gelly & Silver 2007
//! prior      v = (sum + g h) / (n + g),  n = n + g          h the evaluation          Baier 2015, 8.2
//! best       v = (1 - w) v + w b                            b the highest value       Schadd et al. 2012
//! implicit   v = (1 - a) v + a h'                           h' the minimax value      Lanctot et al. 2014
//! AMAF       v = (1 - b) v + b v'                           v' the AMAF mean          Gelly & Silver 2007
//! explore    v + C sqrt(ln N / n)                           UCT                       Kocsis & Szepesvari 2006
//!            v + sqrt(C ln N / n)                           UCT, C inside the root    Saito 2010
//!            v + 2 sqrt(2 ln N / n)                         UCB1                      Auer et al. 2002
//!            v + 2 C sqrt(ln N / n min(1/4, V + sqrt(2 ln N / n)))  UCB1-TUNED        Auer et al. 2002
//!            v + C' sqrt(ln N / n) + sqrt(|S + D'| / n)     SP-MCTS                   Schadd et al. 2008
//! bias       + W P / (n + 1)  or  + W P / (losses + 1)      progressive bias          Winands et al. 2010
//! pn         + C_pn b                                       b the PN-MCTS bonus       Doe et al. 2022
//! diversify  + k xi,  xi in [0, 1]                          parallel search           Saito 2010, 4.5
//! ```
//!
//! Where unvisited children have scores, one that nothing is known of has the first-play urgency as
//! its score, and others count as at least one visit in the exploration term.
//!
//! UCB1 and UCB1-TUNED are defined for rewards q in [0, 1]. With `v = 2 q - 1` a bonus on q is
//! twice as large on v, and the variance of q is a quarter of that of v. SP-MCTS is defined for
//! points: with k the value of a point, `C' = k C` and `D' = k^2 D`; S is the sum of squared
//! deviations of the values. [`Formula`] and [`terms::tuned_bonus`] are the only places that
//! convert between the scales.
//!
//! Scores are computed in groups of [`LANES`] children with vector instructions: in games with a
//! hundred moves this loop dominates the search. Plain UCT has a shorter version that reads one
//! number per child ([`best_plain`]).

mod logarithm;
mod plain;
pub mod terms;

pub use plain::{best_plain, best_plain_unsolved};

use super::interval::Interval;
use super::params::{Amaf, BiasForm, Diversify, Exploration, Params, PnGoal, ScoreScale};
use super::tree::Block;
use logarithm::{LOG_TABLE, LogTable, log_visits};
use terms::Group;
use tesuji_core::{Facts, Rng};
use wide::{f32x4, f32x8};

/// The number of children whose scores are computed together.
pub const LANES: usize = 8;

/// The selection formula.
#[derive(Clone, Debug)]
pub struct Formula {
    exploration: Exploration,
    /// The factor of the logarithm inside the root; for UCB1-TUNED twice the exploration constant.
    factor: f32,
    /// The factor for values that fill the range from -1 to 1.
    full_factor: f32,
    /// Half the range of the values, as far as it is known to be smaller than 1.
    half_range: f32,
    /// Whether the exploration is adapted to the range of the values.
    adapts: bool,
    /// The constant D of SP-MCTS, in squared values.
    deviation: f32,
    best: f32,
    even: f32,
    prior: f32,
    implicit: f32,
    amaf: Amaf,
    /// The score of unvisited children that nothing is known of, if they are scored at all.
    urgency: Option<f32>,
    bias: f32,
    bias_form: BiasForm,
    pn: f32,
    skip_solved: Option<u32>,
    number_words: usize,
    prunes: bool,
    randomises: bool,
    logarithms: &'static LogTable,
}

impl Formula {
    /// The formula of the options. `shared` is whether several workers share the tree; `prunes` is
    /// whether the solver may skip children that cannot improve the value.
    pub fn new(params: &Params, facts: &Facts, shared: bool, prunes: bool) -> Formula {
        let selection = &params.selection;
        let c = selection.c;
        let (low, high) = facts.scores;
        // The difference in value that a point makes.
        let point = (2.0 * f64::from(facts.units_per_point) / (f64::from(high) - f64::from(low))) as f32;
        let factor = match (selection.exploration, selection.inside) {
            (Exploration::Uct, false) => c * c,
            (Exploration::Uct, true) => c,
            (Exploration::Ucb1, _) => 8.0,
            (Exploration::Ucb1Tuned, _) => 2.0 * c,
            (Exploration::SinglePlayer, _) => (c * point) * (c * point),
        };
        Formula {
            exploration: selection.exploration,
            factor,
            full_factor: factor,
            half_range: 1.0,
            adapts: selection.exploration != Exploration::SinglePlayer && selection.scale == ScoreScale::Observed,
            deviation: selection.deviation * point * point,
            best: selection.best,
            even: selection.even,
            prior: params.hybrids.prior.map_or(0.0, |prior| prior.weight),
            implicit: selection.implicit.unwrap_or(0.0),
            amaf: selection.amaf,
            urgency: selection.scores_unvisited().then_some(selection.first_play_urgency),
            bias: selection.bias.map_or(0.0, |bias| bias.weight),
            bias_form: selection.bias.map_or(BiasForm::Visits, |bias| bias.form),
            pn: selection.pn.map_or(0.0, |pn| pn.weight),
            skip_solved: selection.pn.and_then(|pn| pn.skip_visits),
            number_words: if selection.pn.is_some_and(|pn| pn.goal == PnGoal::Players) && facts.players > 2 {
                2
            } else {
                1
            },
            prunes: params.backup.solver && prunes,
            randomises: shared && params.parallel.diversify == Diversify::Random,
            logarithms: &LOG_TABLE,
        }
    }

    /// Adapts the exploration to values of a smaller range. It is the same as scaling the values to
    /// fill the range from -1 to 1, which the formulas assume.
    pub fn set_half_range(&mut self, half_range: f32) {
        if !self.adapts {
            return;
        }
        self.half_range = half_range;
        let root = if self.exploration == Exploration::Ucb1Tuned { 1.0 } else { half_range };
        self.factor = self.full_factor * half_range * root;
    }

    /// The number of words of proof numbers that say whether a node is solved.
    pub fn number_words(&self) -> usize {
        self.number_words
    }

    /// Whether a random number is added to every score.
    pub fn randomises(&self) -> bool {
        self.randomises
    }

    /// Whether children are skipped if their proven bounds show that they cannot improve the value.
    #[inline]
    pub fn prunes(&self) -> bool {
        self.prunes
    }
}

/// The AMAF values of an ancestor (GRAVE), which replace those of the children.
#[derive(Clone, Debug, Default)]
pub struct AmafReference {
    /// Visits and sum of values, by move index.
    pub entries: Vec<(u32, i64)>,
}

/// The state of the node whose child is selected.
pub struct ParentState<'a> {
    /// The visits of the node.
    pub visits: u32,
    /// Whether the player to move maximises proven intervals.
    pub maximises: bool,
    /// The proven interval of the node.
    pub interval: Interval,
    /// Whether the node's proof numbers are unsolved, so that solved children may be skipped.
    pub unsolved: bool,
    /// The AMAF values of an ancestor.
    pub reference: Option<&'a AmafReference>,
}

/// Returns the opened child with the highest score, and the score; `None` if all are skipped.
///
/// Nodes in `excluded` are skipped. Ties are broken at random. `scores` is a buffer reused between
/// calls.
#[inline]
pub fn best<M: Copy>(
    formula: &Formula,
    block: &Block<'_, M>,
    parent: &ParentState<'_>,
    excluded: &[u32],
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<(usize, f32)> {
    let log = log_visits(formula.logarithms, parent.visits);
    scores.clear();
    let mut high = f32x8::splat(f32::NEG_INFINITY);
    for begin in (0..block.opened).step_by(LANES) {
        let group = f32x8::new(score_group(formula, block, begin, log, parent, rng)) + padding(block.opened - begin);
        scores.push(group);
        high = high.fast_max(group);
    }
    let is_child = |id: &&u32| (block.first..block.first + block.opened as u32).contains(*id);
    if excluded.iter().any(|id| is_child(&id)) {
        for id in excluded.iter().filter(is_child) {
            let child = (id - block.first) as usize;
            scores[child / LANES].as_mut_array()[child % LANES] = f32::NEG_INFINITY;
        }
        high = scores.iter().fold(f32x8::splat(f32::NEG_INFINITY), |high, &group| high.fast_max(group));
    }
    pick(scores, high, rng)
}

/// The scores of a group of children.
///
/// Columns are padded by one group, so an incomplete group may be read as if it were complete; the
/// scores of the padding are meaningless.
#[inline(always)]
fn score_group<M: Copy>(
    formula: &Formula,
    block: &Block<'_, M>,
    begin: usize,
    log: f32,
    parent: &ParentState<'_>,
    rng: &mut Rng,
) -> [f32; LANES] {
    let mut group = Group::new(block, begin);
    if formula.urgency.is_none() {
        group.count_unvisited_as_visited();
    }
    if formula.even > 0.0 {
        terms::add_even_prior(&mut group, formula.even);
    }
    if formula.prior > 0.0 {
        terms::add_prior(&mut group, formula.prior);
    }
    group.set_means();
    if formula.best > 0.0 {
        terms::mix_maximum(&mut group, formula.best);
    }
    if formula.implicit > 0.0 {
        terms::mix_implicit_minimax(&mut group, formula.implicit);
    }
    if formula.amaf != Amaf::Off {
        terms::mix_amaf(&mut group, formula.amaf, parent.reference);
    }
    explore(formula, &mut group, log);
    if formula.bias > 0.0 {
        terms::add_progressive_bias(&mut group, formula.bias, formula.bias_form);
    }
    if formula.pn > 0.0 {
        terms::add_proof_number_bonus(&mut group, formula.pn);
    }
    if let Some(urgency) = formula.urgency {
        terms::set_urgency(&mut group, urgency);
    }
    if formula.randomises {
        terms::add_random(&mut group, rng);
    }
    if formula.prunes {
        terms::skip_irrelevant(&mut group, parent.maximises, parent.interval);
    }
    if let Some(min_visits) = formula.skip_solved.filter(|_| parent.unsolved) {
        terms::skip_solved(&mut group, min_visits, formula.number_words);
    }
    group.scores
}

/// Adds the exploration term.
#[inline(always)]
fn explore<M: Copy>(formula: &Formula, group: &mut Group<'_, M>, log: f32) {
    match formula.exploration {
        Exploration::Uct | Exploration::Ucb1 => {
            let scale = formula.factor * log;
            if formula.bias > 0.0 && formula.bias_form == BiasForm::LossesTwice {
                terms::add_exploration_by_losses(group, scale);
            } else {
                terms::add_exploration(group, scale);
            }
        }
        Exploration::Ucb1Tuned => {
            terms::add_tuned_exploration(group, formula.factor, formula.half_range, log, formula.prior)
        }
        Exploration::SinglePlayer => {
            terms::add_exploration(group, formula.factor * log);
            terms::add_deviation(group, formula.deviation);
        }
    }
}

/// Minus infinity in the lanes from `count` on, 0 in the others.
#[inline(always)]
fn padding(count: usize) -> f32x8 {
    static PADDING: [[f32; LANES]; LANES + 1] = {
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
    f32x8::new(PADDING[count.min(LANES)])
}

/// Picks one of the highest scores at random; `None` if all are minus infinity. `high` has the
/// highest score of each lane.
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
            // A group is drawn in proportion to the number of ties in it.
            let more = equal.count_ones() as usize;
            ties += more;
            if ties == more || rng.below(ties) < more {
                best = number * LANES + draw(equal, rng);
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

/// Draws a member of a nonempty bit set.
#[inline(always)]
fn draw(mut members: u32, rng: &mut Rng) -> usize {
    if !members.is_power_of_two() {
        for _ in 0..rng.below(members.count_ones() as usize) {
            members &= members - 1;
        }
    }
    members.trailing_zeros() as usize
}
