//! The parts of the search, as the options of its spec.

use std::path::PathBuf;
use tesuji_core::{Options, SpecError};

/// How a child's mean and visits make its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Select {
    /// `v + C sqrt(ln n / n_i)` (Kocsis & Szepesvari 2006), or with C inside the root.
    Uct,
    /// `q + sqrt(2 ln n / n_i)` on [0, 1] (Auer et al. 2002): UCT with a constant of its own.
    Ucb1,
    /// `q + C sqrt(ln n / n_i min(1/4, V_i))` on [0, 1] (Auer et al. 2002), V_i the variance with its own bound.
    Ucb1Tuned,
}

/// How all-moves-as-first values are mixed in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amaf {
    /// They are not kept.
    Off,
    /// Always the same share.
    Share(f32),
    /// RAVE: the share is `sqrt(k / (3 n_i + k))`, half at `k` visits (Gelly & Silver 2007).
    Equivalence(f32),
    /// RAVE: the share falls in a straight line to 0 at this many visits.
    Linear(f32),
    /// The share is `m / (n_i + m + bias n_i m)`, m the visits of the AMAF value (Silver 2009).
    Bias(f32),
}

/// The denominators of progressive bias (Winands, Bjornsson & Saito 2010).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BiasForm {
    /// Visits in both: classic progressive bias.
    Visits,
    /// Losses under the bias: PB-L1.
    Losses,
    /// Losses under the bias and under the exploration: PB-L2.
    LossesTwice,
}

/// How ranks of proof numbers become a bonus (Doe et al. 2022).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// 1 - rank / highest rank; equal numbers share a rank and the next one is skipped.
    Competition,
    /// The same without skipping.
    Dense,
    /// Competition ranks over the number of children.
    Count,
}

/// What a new node comes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expand {
    /// One child a simulation.
    One,
    /// All children at once, tested for the end of the game.
    All,
}

/// Who plays the simulation to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Playout {
    /// The game's own random playout.
    Uniform,
    /// The move whose position has the best evaluation.
    Greedy,
    /// Moves drawn by their transition probabilities.
    Category,
    /// The last good reply, with forgetting, to the last two moves (Baier & Drake 2010).
    Lgrf,
    /// The move with the best average over all simulations (Bjornsson & Finnsson 2009).
    Mast,
}

/// Which move is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Final {
    /// The most visited.
    Visits,
    /// The best mean.
    Value,
    /// The one that is both, if there is one; the search goes on for a while to find it (Chaslot et al. 2008).
    RobustMax,
    /// The best lower bound `v - A / sqrt n` (Chaslot et al. 2008).
    Secure,
}

/// What playouts are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// Win, draw, loss.
    Result,
    /// The score, scaled by the range of the game.
    Score,
}

/// What the others want in a game for more than two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backup {
    /// Each its own best.
    Maxn,
    /// To harm the player who searches.
    Paranoid,
}

/// What several threads do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parallel {
    /// They share one tree.
    Tree,
    /// Each has its own, and they vote.
    Root,
    /// One has the tree, all play out from its leaf.
    Leaf,
}

/// What keeps the workers of one tree apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// A loss for every worker that is below a node (Chaslot et al. 2008).
    VirtualLoss,
    /// A random number in [0, k] on every score (Saito 2010, formula 4.5).
    Random,
    /// Nothing.
    Nothing,
}

/// The parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Params {
    /// The exploration constant. Raising it spreads simulations more evenly over the moves.
    pub c: f32,
    /// The formula.
    pub select: Select,
    /// Whether C stands inside the root.
    pub inside: bool,
    /// The score of a child not yet visited. Lowering it deepens good children before all have been tried.
    pub first_play_urgency: f32,
    /// All-moves-as-first.
    pub amaf: Amaf,
    /// GRAVE: use the AMAF values of the nearest ancestor with at least this many visits; 0 is plain RAVE.
    pub grave: u32,
    /// Weight of progressive bias.
    pub bias: Option<f32>,
    /// Its form.
    pub bias_form: BiasForm,
    /// The file of transition probabilities.
    pub transitions: Option<PathBuf>,
    /// Children that are open from the beginning, by move order; the others follow with the visits.
    pub widen: Option<u32>,
    /// The growth of the number of visits from one more child to the next. Raising it keeps the tree narrow for longer.
    pub widen_growth: f32,
    /// Visits that the evaluation of a new node counts for.
    pub prior: Option<f32>,
    /// Share of the evaluation backed up by minimax (Lanctot et al. 2014).
    pub implicit: Option<f32>,
    /// Weight of the proof numbers' ranks.
    pub pn: Option<f32>,
    /// How ranks become a bonus.
    pub rank: Rank,
    /// Children with a solved proof number are left out of the selection after so many visits.
    pub pn_skip: Option<u32>,
    /// Whether a proved root plays a proved child.
    pub pn_final: bool,
    /// Whether a second pair of numbers, for "at least a draw", breaks ties.
    pub pn_draws: bool,
    /// Whether proved bounds are kept and backed up.
    pub solver: bool,
    /// Whether the moves of a new node are tried for an immediate end.
    pub lookahead: bool,
    /// With fewer visits children are drawn at random, lost ones too.
    pub threshold: u32,
    /// What a new node comes with.
    pub expand: Expand,
    /// The visits after which a node is expanded.
    pub after: u32,
    /// Who plays simulations to their end.
    pub playout: Playout,
    /// The share of moves at random in informed playouts.
    pub epsilon: f32,
    /// The length of playouts after which the evaluation decides.
    pub cut: Option<u32>,
    /// The evaluation with which a playout counts as won.
    pub cut_margin: Option<f32>,
    /// Which move is played.
    pub last: Final,
    /// Whether equal positions share their children.
    pub table: bool,
    /// Whether the subtree of the moves played since is used again.
    pub reuse: bool,
    /// What playouts are worth.
    pub reward: Reward,
    /// What the others want.
    pub backup: Backup,
    /// What several threads do.
    pub parallel: Parallel,
    /// What keeps them apart.
    pub apart: Apart,
    /// How large a virtual loss is.
    pub virtual_loss: u32,
    /// How trees of their own vote.
    pub vote: crate::root::Vote,
}

impl Params {
    /// Reads the options of a spec.
    pub fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        use std::f64::consts::SQRT_2;
        let float = |number: Option<f64>| number.map(|number| number as f32);
        let c = options.number("c", SQRT_2, 0.0..=1e6, "exploration constant: higher is wider")? as f32;
        let select = options.choice(
            "select",
            &[("uct", Select::Uct), ("ucb1", Select::Ucb1), ("ucb1tuned", Select::Ucb1Tuned)],
            "formula of the selection",
        )?;
        let inside = options.switch("inside", "C stands inside the root: sqrt(C ln n / n_i)")?;
        let first_play_urgency =
            options.number("fpu", f64::INFINITY, -1e6..=f64::INFINITY, "score of a child not yet visited")? as f32;
        let rave = options.dial("rave", 500.0, 1.0..=1e9, "RAVE, with its equivalence parameter")?;
        let linear =
            options.dial("rave-linear", 1000.0, 1.0..=1e9, "RAVE whose share falls linearly to 0 at these visits")?;
        let share = options.dial("amaf", 0.5, 0.0..=1.0, "all-moves-as-first with a constant share")?;
        let grave = options.dial("grave", 50.0, 1.0..=1e9, "GRAVE: AMAF values of an ancestor with these visits")?;
        let amaf_bias = options.number("amaf-bias", 1e-7, 0.0..=1.0, "GRAVE: how soon AMAF values fade")?;
        let amaf = match (rave, linear, share, grave) {
            (None, None, None, None) => Amaf::Off,
            (Some(k), None, None, _) => Amaf::Equivalence(k as f32),
            (None, Some(visits), None, _) => Amaf::Linear(visits as f32),
            (None, None, Some(share), _) => Amaf::Share(share as f32),
            (None, None, None, Some(_)) => Amaf::Bias(amaf_bias as f32),
            _ => return Err(options.refuse("amaf", "one of rave, rave-linear and amaf at a time")),
        };
        let bias = float(options.dial("bias", 50.0, 0.0..=1e6, "progressive bias, with its weight")?);
        let bias_form = options.choice(
            "bias-form",
            &[("pb", BiasForm::Visits), ("pbl1", BiasForm::Losses), ("pbl2", BiasForm::LossesTwice)],
            "visits or losses under the bias",
        )?;
        let transitions =
            options.text("transitions", "the name of a file", "transition probabilities, from `tesuji learn`")?;
        let widen = options.dial("widen", 5.0, 1.0..=1e4, "progressive unpruning: children open from the start")?;
        let widen_growth =
            options.number("widen-growth", 1.3, 1.01..=10.0, "visits from child to child grow by this")?;
        let prior = float(options.dial("prior", 10.0, 0.0..=1e6, "visits that an evaluation counts for")?);
        let implicit = float(options.dial("implicit", 0.4, 0.0..=1.0, "share of evaluations backed up by minimax")?);
        let pn = float(options.dial("pn", 1.0, 0.0..=1e9, "PN-MCTS: weight of the proof numbers")?);
        let rank = options.choice(
            "rank",
            &[("competition", Rank::Competition), ("dense", Rank::Dense), ("count", Rank::Count)],
            "PN-MCTS: how ranks become a bonus",
        )?;
        let pn_skip =
            options.dial("pn-skip", 5.0, 0.0..=1e9, "PN-MCTS: leave solved children out after these visits")?;
        let pn_final = options.switch("pn-final", "PN-MCTS: a proved root plays a proved move")?;
        let pn_draws = options.switch("pn-draws", "PN-MCTS: a second pair of numbers for a draw breaks ties")?;
        let solver = options.switch("solver", "keep proved bounds, and stop when the root is decided")?;
        let lookahead = options.switch("lookahead", "solver: try the moves of a new node for an immediate end")?;
        let threshold =
            options.integer("threshold", 0, 0..=1_000_000, "solver: below these visits draw children at random")?;
        let expand = options.choice(
            "expand",
            &[("auto", None), ("one", Some(Expand::One)), ("all", Some(Expand::All))],
            "children of a new node; all with pn, otherwise one",
        )?;
        options.renamed("after", "expand-visits");
        let after = options.integer("expand-visits", 1, 1..=1_000_000, "visits after which a node is expanded")?;
        let playout = options.choice(
            "playout",
            &[
                ("uniform", Playout::Uniform),
                ("greedy", Playout::Greedy),
                ("category", Playout::Category),
                ("lgrf", Playout::Lgrf),
                ("mast", Playout::Mast),
            ],
            "policy of the playouts",
        )?;
        let epsilon =
            options.number("epsilon", 0.1, 0.0..=1.0, "share of random moves in greedy and mast playouts")? as f32;
        let cut = options.dial("cut", 0.0, 0.0..=1e6, "evaluate after so many moves of a playout")?;
        let cut_margin = float(options.dial(
            "cut-margin",
            0.7,
            0.0..=1.0,
            "end playouts with this evaluation, at plies 2, 5, 8, ...",
        )?);
        let last = options.choice(
            "final",
            &[
                ("visits", Final::Visits),
                ("value", Final::Value),
                ("robust", Final::RobustMax),
                ("secure", Final::Secure),
            ],
            "which move is played",
        )?;
        let table = options.switch("table", "equal positions share their children")?;
        let reuse = options.switch("reuse", "keep the subtree of the moves played")?;
        let reward =
            options.choice("reward", &[("result", Reward::Result), ("score", Reward::Score)], "what counts")?;
        let backup = options.choice(
            "backup",
            &[("maxn", Backup::Maxn), ("paranoid", Backup::Paranoid)],
            "what the others want, for more than two players",
        )?;
        let parallel = options.choice(
            "parallel",
            &[("tree", Parallel::Tree), ("root", Parallel::Root), ("leaf", Parallel::Leaf)],
            "what several threads do",
        )?;
        options.renamed("apart", "diversify");
        let apart = options.choice(
            "diversify",
            &[("loss", Apart::VirtualLoss), ("random", Apart::Random), ("nothing", Apart::Nothing)],
            "what keeps threads of one tree apart",
        )?;
        let virtual_loss = options.integer("virtual-loss", 1, 1..=1000, "size of a virtual loss")?;
        let vote = crate::root::Vote::read(options)?;
        if (pn_skip.is_some() || pn_final || pn_draws) && pn.is_none() {
            return Err(options.refuse("pn", "a weight, where pn-skip, pn-final or pn-draws stands"));
        }
        if (lookahead || threshold > 0) && !solver {
            return Err(options.refuse("solver", "the switch, where lookahead or threshold stands"));
        }
        let needs_transitions = bias.is_some() || playout == Playout::Category;
        if needs_transitions && transitions.is_none() {
            return Err(options.refuse("transitions", "a file made by `tesuji learn`, for bias and playout=category"));
        }
        Ok(Params {
            c,
            select,
            inside,
            first_play_urgency,
            amaf,
            grave: grave.map_or(0, |visits| visits as u32),
            bias,
            bias_form,
            transitions: transitions.map(PathBuf::from),
            widen: widen.map(|children| children as u32),
            widen_growth: widen_growth as f32,
            prior,
            implicit,
            pn,
            rank,
            pn_skip: pn_skip.map(|visits| visits as u32),
            pn_final,
            pn_draws,
            solver,
            lookahead,
            threshold: threshold as u32,
            expand: expand.unwrap_or(if pn.is_some() { Expand::All } else { Expand::One }),
            after: after as u32,
            playout,
            epsilon,
            cut: cut.map(|plies| plies as u32),
            cut_margin,
            last,
            table,
            reuse,
            reward,
            backup,
            parallel,
            apart,
            virtual_loss: virtual_loss as u32,
            vote,
        })
    }
}
