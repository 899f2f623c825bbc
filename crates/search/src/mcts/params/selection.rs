//! Selection: the terms of a child's score.

use super::{GameTraits, refuse};
use crate::mcts::tree::Columns;
use tesuji_core::{Facts, Options, SpecError};

/// The exploration term of the score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exploration {
    /// `v + C sqrt(ln N / n)` (Kocsis & Szepesvari 2006), or with C inside the root.
    Uct,
    /// `q + sqrt(2 ln N / n)` on [0, 1] (Auer et al. 2002): UCT with a fixed constant.
    Ucb1,
    /// `q + C sqrt(ln N / n min(1/4, V))` on [0, 1] (Auer et al. 2002), V the variance of the child
    /// plus its confidence bound.
    Ucb1Tuned,
    /// `x + C sqrt(ln N / n) + sqrt(|S + D| / n)` in points, S the sum of squared deviations
    /// (SP-MCTS, Schadd et al. 2008), for one player.
    SinglePlayer,
}

/// The scores of one player that selection scales to its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreScale {
    /// Those that have occurred in the search.
    Observed,
    /// The score range of the game (Baier 2015).
    Game,
}

/// The weight of all-moves-as-first (AMAF) values, for a child with n visits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amaf {
    /// No AMAF statistics.
    Off,
    /// Alpha-AMAF: a constant weight.
    Share(f32),
    /// RAVE: `sqrt(k / (3 n + k))`, which is one half at `n = k` visits (Gelly & Silver 2007).
    Equivalence(f32),
    /// RAVE: a weight that falls linearly to 0 at this many visits (Steinmetz 2016).
    Linear(f32),
    /// `m / (n + m + bias n m)`, m the visits of the AMAF value (Silver 2009).
    Bias(f32),
}

/// The simulations that count for the AMAF value of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AmafCredit {
    /// Those in which the player makes the move before any other player does. In Go a point that
    /// the opponent took first says little about taking it now.
    First,
    /// Those in which the player makes the move at any time (Gelly & Silver 2007).
    Any,
}

/// The order in which the children of a node are visited for the first time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unvisited {
    /// By AMAF values; children without one have the first-play urgency.
    Amaf,
    /// By first-play urgency alone.
    Urgency,
}

/// The denominators of progressive bias (Winands, Bjornsson & Saito 2010).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BiasForm {
    /// Visits in both terms: classic progressive bias.
    Visits,
    /// Losses in the bias term: PB-L1.
    Losses,
    /// Losses in the bias and the exploration term: PB-L2.
    LossesTwice,
}

/// Progressive bias.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProgressiveBias {
    /// The weight W. Raising it keeps likely moves ahead for longer.
    pub weight: f32,
    /// The denominators.
    pub form: BiasForm,
}

/// How proof numbers become a bonus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BonusForm {
    /// `1 - rank / highest rank`; equal numbers share a rank, and the following ranks are skipped
    /// (Doe et al. 2022).
    Competition,
    /// The same without skipping ranks.
    Dense,
    /// Competition ranks divided by the number of children.
    Count,
    /// `1 - pn / (1 + sum of the numbers)` (Kowalski et al. 2024).
    Sum,
    /// `1 - (pn - min) / (1 + max - min)` (Kowalski et al. 2024).
    Max,
}

/// Whose wins proof numbers are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PnGoal {
    /// A win of the player to move at the root, which the others refute (Doe et al. 2022).
    Prover,
    /// For each player, its own win (Kowalski et al. 2024).
    Players,
}

/// The proof-number bonus of PN-MCTS.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PnBonus {
    /// The weight C_pn. Raising it makes the search more like proof-number search.
    pub weight: f32,
    /// How numbers become a bonus.
    pub form: BonusForm,
    /// Whose wins the numbers are about.
    pub goal: PnGoal,
    /// Children with a solved proof number are skipped after this many visits.
    pub skip_visits: Option<u32>,
    /// Whether a second pair of numbers, for "at least a draw", breaks ties.
    pub draws: bool,
}

/// The options of selection.
#[derive(Clone, PartialEq, Debug)]
pub struct Selection {
    /// The exploration constant C. Raising it spreads simulations more evenly over the moves.
    pub c: f32,
    /// The exploration term.
    pub exploration: Exploration,
    /// The constant D of SP-MCTS, in squared points. Raising it visits moves with few simulations
    /// more often, since their deviation is uncertain.
    pub deviation: f32,
    /// The weight of the best score below a child in its value (Schadd et al. 2012). Raising it
    /// follows single good lines rather than good averages.
    pub best: f32,
    /// The scale of the scores of one player.
    pub scale: ScoreScale,
    /// Whether C is inside the root of UCT.
    pub inside: bool,
    /// The score of an unvisited child (first-play urgency). Lowering it searches good children
    /// deeper before all children have been visited.
    pub first_play_urgency: f32,
    /// All-moves-as-first.
    pub amaf: Amaf,
    /// The order of unvisited children.
    pub unvisited: Unvisited,
    /// The number of visits of value 0 with which every child starts. Raising it trusts AMAF values
    /// and the first results of a child less.
    pub even: f32,
    /// The simulations that count for an AMAF value.
    pub amaf_credit: AmafCredit,
    /// The additional weight in AMAF values of a move made at once, which falls to 0 at the end of
    /// the simulation. Raising it discounts late moves.
    pub amaf_distance: u32,
    /// GRAVE: use the AMAF values of the nearest ancestor with at least this many visits; 0 is
    /// RAVE.
    pub grave: u32,
    /// Progressive bias.
    pub bias: Option<ProgressiveBias>,
    /// The weight of implicit minimax evaluations (Lanctot et al. 2014).
    pub implicit: Option<f32>,
    /// The proof-number bonus.
    pub pn: Option<PnBonus>,
    /// Below this many visits of a node its children are drawn at random, lost ones included.
    pub threshold: u32,
}

impl Selection {
    pub(super) fn read(options: &mut Options<'_>) -> Result<Selection, SpecError> {
        let float = |number: Option<f64>| number.map(|number| number as f32);
        let (amaf, grave) = read_amaf(options)?;
        let (exploration, c) = read_formula(options, amaf)?;
        let (deviation, best, scale) = read_one_player(options, exploration)?;
        let inside = options.switch("inside", "C inside the root: sqrt(C ln N / n)")?;
        let first_play_urgency =
            options.number("fpu", f64::INFINITY, -1e6..=f64::INFINITY, "score of an unvisited child")? as f32;
        let unvisited = options.choice(
            "unvisited",
            &[("amaf", Unvisited::Amaf), ("urgency", Unvisited::Urgency)],
            "order of unvisited children, if AMAF is on",
        )?;
        let even = options.number("even", 0.0, 0.0..=1e6, "visits of a draw with which every child starts")? as f32;
        let amaf_credit = options.choice(
            "amaf-credit",
            &[("any", AmafCredit::Any), ("first", AmafCredit::First)],
            "AMAF: count a move always, or only if its player is the first to make it",
        )?;
        let amaf_distance =
            options.integer("amaf-distance", 0, 0..=20, "AMAF: additional weight of moves made soon")? as u32;
        let amaf_options = ["amaf-bias", "amaf-credit", "amaf-distance", "unvisited"];
        options.only_if(amaf != Amaf::Off, &amaf_options, "only with rave, rave-sqrt, rave-linear, amaf or grave")?;
        let bias = read_bias(options)?;
        let implicit = float(options.dial("implicit", 0.4, 0.0..=1.0, "weight of implicit minimax evaluations")?);
        let pn = read_pn(options)?;
        let threshold =
            options.integer("threshold", 0, 0..=1_000_000, "solver: draw children at random below this many visits")?
                as u32;
        Ok(Selection {
            c,
            exploration,
            deviation,
            best,
            scale,
            inside,
            first_play_urgency,
            amaf,
            unvisited,
            even,
            amaf_credit,
            amaf_distance,
            grave,
            bias,
            implicit,
            pn,
            threshold,
        })
    }

    pub(super) fn check(&self, game: &GameTraits) -> Result<(), SpecError> {
        game.require_evaluation("implicit", self.implicit.is_some())?;
        if self.implicit.is_some() && game.facts.players != 2 {
            return refuse("implicit", "games for two players");
        }
        game.require_one_player("select", "sp", self.exploration == Exploration::SinglePlayer)?;
        game.require_one_player("best", &self.best.to_string(), self.best > 0.0)?;
        game.require_one_player("scale", "game", self.scale == ScoreScale::Game)?;
        if self.pn.is_some() && game.facts.players == 1 {
            return refuse(
                "pn",
                "games for two or more players: a single player has no opponent to prove a win against",
            );
        }
        Ok(())
    }

    pub(super) fn require(&self, columns: &mut Columns, facts: &Facts) {
        columns.squares |= matches!(self.exploration, Exploration::Ucb1Tuned | Exploration::SinglePlayer);
        columns.maxima |= self.best > 0.0;
        columns.amaf |= self.amaf != Amaf::Off;
        columns.losses |= self.bias.is_some_and(|bias| bias.form != BiasForm::Visits);
        columns.probabilities |= self.bias.is_some();
        columns.implicit |= self.implicit.is_some();
        columns.proof |= self.pn.is_some();
        columns.second_proof |= self.pn.is_some_and(|pn| pn.draws || (pn.goal == PnGoal::Players && facts.players > 2));
    }

    /// Whether all children of a node can be selected from the start, and not only after they were
    /// opened one by one.
    pub fn scores_unvisited(&self) -> bool {
        self.threshold > 0 || self.even > 0.0 || (self.amaf != Amaf::Off && self.unvisited == Unvisited::Amaf)
    }

    /// Whether an option makes sense for one player alone.
    pub fn is_for_one_player(&self) -> bool {
        self.exploration == Exploration::SinglePlayer || self.best > 0.0 || self.scale != ScoreScale::Observed
    }

    /// Whether the score is the mean and an exploration term over visits, and nothing else.
    pub(super) fn is_plain(&self) -> bool {
        let off = |weight: Option<f32>| weight.is_none_or(|weight| weight == 0.0);
        matches!(self.exploration, Exploration::Uct | Exploration::Ucb1)
            && self.best == 0.0
            && self.even == 0.0
            && off(self.implicit)
            && off(self.bias.map(|bias| bias.weight))
            && self.pn.is_none()
            && self.amaf == Amaf::Off
            && self.first_play_urgency == f32::INFINITY
            && self.threshold == 0
    }
}

/// Reads the selection formula and its exploration constant.
fn read_formula(options: &mut Options<'_>, amaf: Amaf) -> Result<(Exploration, f32), SpecError> {
    let exploration = options.choice(
        "select",
        &[
            ("uct", Exploration::Uct),
            ("ucb1", Exploration::Ucb1),
            ("ucb1tuned", Exploration::Ucb1Tuned),
            ("sp", Exploration::SinglePlayer),
        ],
        "selection formula; sp is that of SP-MCTS, for one player",
    )?;
    let default = match (exploration, amaf) {
        (Exploration::SinglePlayer, _) => 0.5,
        (_, Amaf::Off) => std::f64::consts::SQRT_2,
        // AMAF values explore enough: with an exploration term, `rave` lost 83 % of its games.
        _ => 0.0,
    };
    let meaning = "exploration constant; higher explores more; 0 with AMAF; in points with select=sp";
    Ok((exploration, options.number("c", default, 0.0..=1e6, meaning)? as f32))
}

/// Reads the options for one player: D, the weight of the best score, and the scale of scores.
fn read_one_player(options: &mut Options<'_>, exploration: Exploration) -> Result<(f32, f32, ScoreScale), SpecError> {
    let is_sp = exploration == Exploration::SinglePlayer;
    let deviation = options.number("d", 10_000.0, 0.0..=1e12, "SP-MCTS: constant D, in squared points")?;
    options.only_if(is_sp, &["d"], "only with select=sp")?;
    let best = options.dial("best", 0.02, 0.0..=1.0, "one player: weight of the best score below a move")?;
    let scale = options.choice(
        "scale",
        &[("observed", ScoreScale::Observed), ("game", ScoreScale::Game)],
        "one player: selection scales the scores that occur, or the score range of the game",
    )?;
    options.only_if(!is_sp, &["scale"], "not with select=sp, which uses points")?;
    Ok((deviation as f32, best.unwrap_or(0.0) as f32, scale))
}

/// Reads the AMAF weight, and the visits of GRAVE (0 if it is off).
fn read_amaf(options: &mut Options<'_>) -> Result<(Amaf, u32), SpecError> {
    let rave = options.switch("rave", "RAVE: all-moves-as-first values with a weight that falls with visits")?;
    let bias = options.number(
        "amaf-bias",
        1.0 / 3000.0,
        0.0..=1.0,
        "RAVE: bias of AMAF values; higher discounts them sooner",
    )?;
    let root = options.dial("rave-sqrt", 500.0, 1.0..=1e9, "RAVE with the weight sqrt(K / (3 n + K))")?;
    let linear = options.dial(
        "rave-linear",
        1000.0,
        1.0..=1e9,
        "RAVE with a weight that falls linearly to 0 at this many visits",
    )?;
    let share = options.dial("amaf", 0.5, 0.0..=1.0, "alpha-AMAF: all-moves-as-first with a constant weight")?;
    let grave = options.dial("grave", 50.0, 1.0..=1e9, "GRAVE: AMAF values of an ancestor with this many visits")?;
    let amaf = match (rave, root, linear, share) {
        (true, None, None, None) => Amaf::Bias(bias as f32),
        (false, None, None, None) if grave.is_some() => Amaf::Bias(bias as f32),
        (false, None, None, None) => Amaf::Off,
        (false, Some(k), None, None) => Amaf::Equivalence(k as f32),
        (false, None, Some(visits), None) => Amaf::Linear(visits as f32),
        (false, None, None, Some(share)) => Amaf::Share(share as f32),
        _ => return Err(options.refuse("amaf", "only one of rave, rave-sqrt, rave-linear and amaf")),
    };
    Ok((amaf, grave.map_or(0, |visits| visits as u32)))
}

fn read_bias(options: &mut Options<'_>) -> Result<Option<ProgressiveBias>, SpecError> {
    let weight = options.dial("bias", 50.0, 0.0..=1e6, "progressive bias with this weight")?;
    let form = options.choice(
        "bias-form",
        &[("pb", BiasForm::Visits), ("pbl1", BiasForm::Losses), ("pbl2", BiasForm::LossesTwice)],
        "progressive bias: visits or losses in the denominators",
    )?;
    options.only_if(weight.is_some(), &["bias-form"], "only with bias")?;
    Ok(weight.map(|weight| ProgressiveBias { weight: weight as f32, form }))
}

fn read_pn(options: &mut Options<'_>) -> Result<Option<PnBonus>, SpecError> {
    let weight = options.dial("pn", 1.0, 0.0..=1e9, "PN-MCTS: weight of the proof-number bonus")?;
    options.renamed("rank", "pn-form");
    let form = options.choice(
        "pn-form",
        &[
            ("competition", BonusForm::Competition),
            ("dense", BonusForm::Dense),
            ("count", BonusForm::Count),
            ("sum", BonusForm::Sum),
            ("max", BonusForm::Max),
        ],
        "PN-MCTS: how proof numbers, or their ranks, become a bonus",
    )?;
    let goal = options.choice(
        "pn-goal",
        &[("prover", PnGoal::Prover), ("players", PnGoal::Players)],
        "PN-MCTS: numbers for the player to move at the root, or for every player's own win",
    )?;
    let skip = options.dial("pn-skip", 5.0, 0.0..=1e9, "PN-MCTS: skip solved children after this many visits")?;
    let draws = options.switch("pn-draws", "PN-MCTS: a second pair of numbers, for a draw, breaks ties")?;
    options.only_if(weight.is_some(), &["pn-form", "pn-goal", "pn-skip", "pn-draws"], "only with pn")?;
    if draws && goal == PnGoal::Players {
        return Err(options.refuse("pn-draws", "off with pn-goal=players: it adds numbers for a draw of the prover"));
    }
    let skip_visits = skip.map(|visits| visits as u32);
    Ok(weight.map(|weight| PnBonus { weight: weight as f32, form, goal, skip_visits, draws }))
}
