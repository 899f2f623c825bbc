//! Monte-Carlo evaluation of new nodes.
//!
//! Of n random games (`playouts`) of at most `lookahead` moves each, k reach the goal. Then
//! dn = k / (n + 1), but eps if k is 0, and pn = 1 - dn. A game that is cut off has not reached the
//! goal. The moves are drawn as in other playouts of the game, or by the learned values of their
//! patterns.
//!
//! Nodes at a depth less than the launching level get 1 and 1, or, with `above=mobility`, the
//! numbers of mobility; with `launch-side=above`, nodes at a greater depth do. The level is a
//! number, or one of the three *strategies* of Saito (2010): I, I / 2 and 3 I / 4, rounded down,
//! where I is the number of empty points of the root that can be played.

use tesuji_core::{Knowledge, Options, PlayoutContext, ProofNumbers, Question, SpecError};

/// The fixed-point unit of the numbers, which are fractions of 1. Raising it makes the numbers
/// finer, and lets sums saturate sooner.
pub const UNIT: u32 = 1 << 10;

/// Monte-Carlo evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MonteCarlo {
    /// The number of playouts per node. Raising it results in fewer, more expensive nodes.
    pub playouts: u32,
    /// The maximal number of moves per playout; 0 plays to the end of the game.
    pub lookahead: u32,
    /// The launching level, as a depth.
    pub launch: Launch,
    /// Whether nodes get playouts up to that depth, and not from there on.
    pub is_last: bool,
    /// The numbers of nodes without playouts, which Saito (2010) does not specify. Larger numbers
    /// make the search prefer nodes with playouts.
    pub above: AboveLaunch,
    /// The disproof number if no playout reaches the goal.
    pub eps: f64,
    /// How the moves of playouts are drawn.
    pub moves: PlayoutMoves,
}

/// The launching level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Launch {
    /// This depth.
    Depth(u32),
    /// This number of quarters of the cells of the root that can be played.
    Quarters(u32),
}

impl Launch {
    /// The depth in searches from a root.
    pub fn depth<G: Knowledge>(self, root: &G) -> u32 {
        match self {
            Launch::Depth(depth) => depth,
            Launch::Quarters(quarters) => root.open_cells() as u32 * quarters / 4,
        }
    }
}

/// The initial numbers of nodes without playouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AboveLaunch {
    /// 1 and 1.
    Unit,
    /// The number of moves.
    Mobility,
}

/// How the moves of playouts are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayoutMoves {
    /// As in other playouts of the game.
    Uniform,
    /// In proportion to the values of their patterns.
    Pattern,
}

impl MonteCarlo {
    /// Reads the options.
    pub fn read(options: &mut Options<'_>) -> Result<MonteCarlo, SpecError> {
        let playouts = options.integer("playouts", 3, 1..=1000, "playouts per node, with init=mc")? as u32;
        let lookahead =
            options.integer("lookahead", 10, 0..=1000, "maximal moves per playout, with init=mc; 0: no limit")? as u32;
        let launch =
            options.integer("launch", 0, 0..=1000, "depth from which nodes get playouts, with init=mc")? as u32;
        let strategy = options.integer(
            "strategy",
            0,
            0..=3,
            "launch depth by the empty points of the root, with init=mc: 1 all, 2 half, 3 three quarters; 0: off",
        )?;
        options.only_if(strategy == 0, &["launch"], "launch without strategy")?;
        let launch = match strategy {
            1 => Launch::Quarters(4),
            2 => Launch::Quarters(2),
            3 => Launch::Quarters(3),
            _ => Launch::Depth(launch),
        };
        let is_last = options.choice(
            "launch-side",
            &[("below", false), ("above", true)],
            "nodes that get playouts, with init=mc: from the launch depth on, or up to it",
        )?;
        let above = [("unit", AboveLaunch::Unit), ("mobility", AboveLaunch::Mobility)];
        let above = options.choice("above", &above, "initial numbers of nodes without playouts, with init=mc")?;
        let eps = options.number(
            "eps",
            0.05,
            0.001..=0.999,
            "disproof number if no playout reaches the goal, with init=mc; least number, with init=pattern",
        )?;
        let moves = [("uniform", PlayoutMoves::Uniform), ("pattern", PlayoutMoves::Pattern)];
        let moves = options.choice("playout", &moves, "how moves of playouts are drawn, with init=mc")?;
        Ok(MonteCarlo { playouts, lookahead, launch, is_last, above, eps, moves })
    }

    /// Whether nodes at a depth get playouts.
    #[inline]
    pub fn is_launched(&self, depth: u32) -> bool {
        match self.launch {
            Launch::Depth(launch) if self.is_last => depth <= launch,
            Launch::Depth(launch) => depth >= launch,
            Launch::Quarters(_) => unreachable!("the launching level is set at the root"),
        }
    }

    /// The text of these options in the heading of a checkpoint. Options that are later than the
    /// file format are written where they are not the default.
    pub fn checkpoint_text(&self) -> String {
        let MonteCarlo { playouts, lookahead, launch, is_last, above, eps, moves } = self;
        let launch = match launch {
            Launch::Depth(depth) => depth.to_string(),
            Launch::Quarters(_) => format!("{launch:?}"),
        };
        let side = if *is_last { ", is_last: true" } else { "" };
        let moves = if *moves == PlayoutMoves::Uniform { String::new() } else { format!(", moves: {moves:?}") };
        format!(
            "MonteCarlo {{ playouts: {playouts}, lookahead: {lookahead}, launch: {launch}, above: {above:?}, \
             eps: {eps:?}{side}{moves} }}"
        )
    }
}

/// Returns the numbers that playouts give a node.
#[inline(never)]
pub fn by_playouts<G: Knowledge>(
    settings: &MonteCarlo,
    position: &G,
    question: &Question,
    context: &mut PlayoutContext<G::Move>,
) -> ProofNumbers {
    let reached =
        (0..settings.playouts).filter(|_| playout_reaches_goal(settings, position, question, context)).count();
    let disproof = match reached as u32 {
        0 => (f64::from(UNIT) * settings.eps) as u32,
        reached => UNIT * reached / (settings.playouts + 1),
    };
    let disproof = disproof.clamp(1, UNIT - 1);
    ProofNumbers { proof: UNIT - disproof, disproof }
}

/// Whether a playout reaches the goal. One that is cut off does not.
fn playout_reaches_goal<G: Knowledge>(
    settings: &MonteCarlo,
    position: &G,
    question: &Question,
    context: &mut PlayoutContext<G::Move>,
) -> bool {
    let mut now = position.clone();
    let lookahead = settings.lookahead;
    if settings.moves == PlayoutMoves::Pattern {
        let plies = if lookahead == 0 { context.cap } else { lookahead };
        let outcome = now.pattern_playout(plies, context, &mut ());
        let at_cap = || (lookahead == 0).then(|| now.outcome_at_cap());
        return outcome.or_else(at_cap).is_some_and(|outcome| question.holds(&outcome));
    }
    if lookahead == 0 {
        return question.holds(&now.playout(context, &mut ()));
    }
    for _ in 0..lookahead {
        let mv = now.playout_move(context);
        now.play(mv);
        if let Some(outcome) = now.outcome() {
            return question.holds(&outcome);
        }
    }
    false
}

#[cfg(test)]
impl MonteCarlo {
    /// The default options.
    pub const DEFAULT: MonteCarlo = MonteCarlo {
        playouts: 3,
        lookahead: 10,
        launch: Launch::Depth(0),
        is_last: false,
        above: AboveLaunch::Unit,
        eps: 0.05,
        moves: PlayoutMoves::Uniform,
    };
}
