//! Sets of positions for comparing solvers, each from a different game of self-play, without
//! duplicates up to symmetry. There are two ways to take a position from a game, and one without
//! games.
//!
//! [`Selection::EarliestWin`] takes positions with a forced win, on which Winands, Uiterwijk and
//! Van den Herik (2003) and Saito (2010) compare solvers of Lines of Action. For each game a node
//! limit is sampled log-uniformly. Going back from the end of the game through the winner's turns,
//! the earliest position that a solver still proves a win within that limit is taken. So the set
//! has easy and hard positions. Positions that the solver cannot prove are missing, which favours
//! that solver and similar ones.
//!
//! [`Selection::BeforeEnd`] takes the position a fixed number of moves before the end of the game,
//! whatever its value, and keeps it if it is neither too easy nor too hard for a panel of solvers:
//! none solves it within the minimum of nodes, and one of them solves it within the maximum. No
//! solver of the panel is favoured over another.
//!
//! [`Selection::Random`] takes random problems of a game that has them, under the same condition,
//! if the player to move wins.

use crate::auto;
use crate::selfplay::{SelfPlay, SelfPlayError};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::rng::mix;
use tesuji_core::{Control, History, Knowledge, Limits, Rng, Rules, Spec, SpecError, Verdict, Visitor};
use tesuji_games::{rules, unknown_game, visit};
use thiserror::Error;

/// The plan of a set of positions.
#[derive(Clone, PartialEq, Debug)]
pub struct EndingsPlan {
    /// The game.
    pub game: String,
    /// The number of positions.
    pub count: usize,
    /// The seed of openings, players and node limits. It determines the positions.
    pub seed: u64,
    /// The search that plays against itself.
    pub player: String,
    /// Its playouts per move; nodes, if it makes no playouts.
    pub playouts: u64,
    /// The number of random moves at the start of a game.
    pub opening: u32,
    /// How a position is taken from a game.
    pub selection: Selection,
    /// The minimum nodes of a proof. Raising it makes the set harder.
    pub least_nodes: u64,
    /// The maximum nodes of a proof. Raising it makes the set harder, and slower to generate.
    pub most_nodes: u64,
    /// The memory of a solver, in bytes. With too small a table it takes more nodes.
    pub memory: usize,
}

/// How a position is taken from a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// The earliest position of the winner that a solver proves a win.
    EarliestWin {
        /// The solver. One with the goal `win` spends no nodes on draws.
        by: String,
        /// The minimum number of moves from a position to the end of its game.
        moves_before: usize,
    },
    /// The position a fixed number of moves before the end of the game.
    BeforeEnd {
        /// The number of moves.
        moves: usize,
        /// The solvers of the panel.
        panel: Vec<String>,
    },
    /// Random problems that the player to move wins.
    Random {
        /// The solvers of the panel.
        panel: Vec<String>,
    },
}

impl Selection {
    /// Returns the specs of the solvers.
    pub fn solvers(&self) -> &[String] {
        match self {
            Selection::EarliestWin { by, .. } => std::slice::from_ref(by),
            Selection::BeforeEnd { panel, .. } | Selection::Random { panel } => panel,
        }
    }
}

/// Why no set could be generated.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EndingsError {
    /// The self-play games failed.
    #[error(transparent)]
    Games(#[from] SelfPlayError),
    /// The game has no wins to prove.
    #[error("{game} has no wins to prove; choose a two-player game in which the sign of the score is the result")]
    NoWins {
        /// The game.
        game: String,
    },
    /// The game has no random problems.
    #[error("{game} has no random problems")]
    NoProblems {
        /// The game.
        game: String,
    },
    /// The minimum exceeds the maximum.
    #[error("the minimum of {least} nodes exceeds the maximum of {most}")]
    Nodes {
        /// The minimum.
        least: u64,
        /// The maximum.
        most: u64,
    },
}

impl From<SpecError> for EndingsError {
    fn from(error: SpecError) -> EndingsError {
        SelfPlayError::from(error).into()
    }
}

/// The progress of generating a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndingsProgress {
    /// The positions found.
    pub positions: usize,
    /// The games played.
    pub games: u64,
}

/// The memory of the player, in bytes. It searches a few thousand nodes per move, and allocates a
/// new table for every game.
const PLAYER_BYTES: usize = 16 << 20;

/// The number of consecutive games without a new position after which generation gives up. Raising
/// it finds rarer positions.
const MAX_BARREN_GAMES: u64 = 1000;

/// Generates a set, as position texts.
///
/// Returns the positions found so far if `stop` is set or games stop yielding new ones. `progress`
/// is called after every game.
pub fn endings(
    plan: &EndingsPlan,
    stop: &AtomicBool,
    progress: &dyn Fn(EndingsProgress),
) -> Result<Vec<String>, EndingsError> {
    struct Run<'a>(&'a EndingsPlan, Spec, &'a AtomicBool, &'a dyn Fn(EndingsProgress));
    impl Visitor for Run<'_> {
        type Output = Result<Vec<String>, EndingsError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(plan, game, stop, progress) = self;
            endings_of::<G>(plan, &rules::<G>(&game.to_string())?, stop, progress)
        }
    }
    let game: Spec = plan.game.parse()?;
    let name = game.name().to_string();
    visit(&name, Run(plan, game, stop, progress)).unwrap_or_else(|| Err(unknown_game(&name).into()))
}

fn endings_of<G: Knowledge>(
    plan: &EndingsPlan,
    rules: &G::Rules,
    stop: &AtomicBool,
    progress: &dyn Fn(EndingsProgress),
) -> Result<Vec<String>, EndingsError> {
    if !rules.facts().sign_is_result() {
        return Err(EndingsError::NoWins { game: plan.game.clone() });
    }
    if plan.least_nodes > plan.most_nodes {
        return Err(EndingsError::Nodes { least: plan.least_nodes, most: plan.most_nodes });
    }
    let games = SelfPlay {
        game: plan.game.clone(),
        player: plan.player.clone(),
        limits: Limits { playouts: Some(plan.playouts), memory: Some(PLAYER_BYTES), ..Limits::default() },
        opening: plan.opening,
        seed: plan.seed,
    };
    auto::build::<G>(&plan.player.parse()?, rules)?;
    let solvers = Solvers::<G>::new(plan, rules, stop)?;
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut last_find = 0;
    for number in 0.. {
        if found.len() == plan.count || number - last_find > MAX_BARREN_GAMES {
            break;
        }
        let game = match plan.selection {
            Selection::Random { .. } => None,
            _ => match games.play::<G>(rules, number, stop)? {
                Some(game) => Some(game),
                None => break,
            },
        };
        let position = match (&plan.selection, &game) {
            (Selection::EarliestWin { moves_before, .. }, Some(game)) => {
                farthest_win(plan, *moves_before, &solvers, game, number)?
            }
            (Selection::BeforeEnd { moves, .. }, Some(game)) => before_end(plan, *moves, &solvers, game)?,
            _ => random_win(plan, &solvers, number)?,
        };
        if stop.load(Relaxed) {
            break;
        }
        if let Some(position) = position
            && seen.insert(symmetric_key(&position))
        {
            found.push(position.text());
            last_find = number;
        }
        progress(EndingsProgress { positions: found.len(), games: number + 1 });
    }
    Ok(found)
}

/// The solvers of a plan.
struct Solvers<'a, G: Knowledge> {
    specs: Vec<Spec>,
    rules: &'a G::Rules,
    seed: u64,
    memory: usize,
    stop: &'a AtomicBool,
}

impl<'a, G: Knowledge> Solvers<'a, G> {
    /// Parses the specs and checks that each solver can search the game.
    fn new(plan: &EndingsPlan, rules: &'a G::Rules, stop: &'a AtomicBool) -> Result<Self, SpecError> {
        let specs = plan.selection.solvers().iter().map(|spec| spec.parse()).collect::<Result<Vec<Spec>, _>>()?;
        for spec in &specs {
            auto::build::<G>(spec, rules)?;
        }
        Ok(Solvers { specs, rules, seed: plan.seed, memory: plan.memory, stop })
    }

    /// Runs a solver from `root` with an empty table; returns the result, if proven, and the nodes.
    fn run(&self, spec: &Spec, root: &History<G>, nodes: u64) -> Result<(Option<Verdict>, u64), SpecError> {
        let limits = Limits { nodes: Some(nodes), memory: Some(self.memory), ..Limits::default() };
        let mut search = auto::build::<G>(spec, self.rules)?.1;
        let report = search.search(root, &Control::new(limits, self.seed, self.stop));
        Ok((report.bounds.verdict(), report.counters.nodes))
    }

    /// Returns the result at `root` that the first of the solvers proves within `nodes`.
    fn verdict(&self, root: &History<G>, nodes: u64) -> Result<Option<Verdict>, SpecError> {
        for spec in &self.specs {
            if let Some(verdict) = self.run(spec, root, nodes)?.0 {
                return Ok(Some(verdict));
            }
        }
        Ok(None)
    }

    /// Returns the result at `root` if it is between too easy and too hard.
    fn verdict_within(&self, plan: &EndingsPlan, root: &History<G>) -> Result<Option<Verdict>, SpecError> {
        if self.verdict(root, plan.least_nodes)?.is_some() {
            return Ok(None);
        }
        self.verdict(root, plan.most_nodes)
    }
}

/// Returns the position `moves` moves before the end if it is between too easy and too hard for the
/// panel.
fn before_end<G: Knowledge>(
    plan: &EndingsPlan,
    moves: usize,
    panel: &Solvers<'_, G>,
    game: &History<G>,
) -> Result<Option<G>, SpecError> {
    // The random moves of the opening are not play.
    let earliest = plan.opening as usize;
    let Some(ply) = game.moves().len().checked_sub(moves).filter(|&ply| ply >= earliest) else { return Ok(None) };
    let position = &game.positions()[ply];
    // The set holds positions without their history, so the history must not decide.
    let root = History::<G>::from_position(game.rules().clone(), position.clone());
    let is_wanted = !root.is_over() && panel.verdict_within(plan, &root)?.is_some();
    Ok(is_wanted.then(|| position.clone()))
}

/// Returns a random problem if the player to move wins it, and it is between too easy and too hard
/// for the panel.
fn random_win<G: Knowledge>(
    plan: &EndingsPlan,
    panel: &Solvers<'_, G>,
    number: u64,
) -> Result<Option<G>, EndingsError> {
    let mut rng = Rng::new(mix(plan.seed ^ mix(number)));
    let Some(problem) = G::random_problem(panel.rules, &mut rng) else {
        return Err(EndingsError::NoProblems { game: plan.game.clone() });
    };
    let root = History::<G>::from_position(panel.rules.clone(), problem.clone());
    let is_won = panel.verdict_within(plan, &root)? == Some(Verdict::Win);
    Ok(is_won.then_some(problem))
}

/// Samples the node limit of game number `number` log-uniformly between the bounds.
fn sampled_nodes(plan: &EndingsPlan, number: u64) -> u64 {
    let (least, most) = (plan.least_nodes.max(1) as f64, plan.most_nodes.max(1) as f64);
    let mut rng = Rng::new(mix(plan.seed ^ mix(number)));
    (least * (most / least).powf(rng.unit())).ceil() as u64
}

/// Returns the earliest position of the winner such that it and all later ones are proven wins
/// within the sampled number of nodes, if it fits the plan.
fn farthest_win<G: Knowledge>(
    plan: &EndingsPlan,
    moves_before: usize,
    solvers: &Solvers<'_, G>,
    game: &History<G>,
    number: u64,
) -> Result<Option<G>, SpecError> {
    let Some(outcome) = game.outcome() else { return Ok(None) };
    let most = sampled_nodes(plan, number);
    let length = game.moves().len();
    let mut farthest = None;
    for (at, position) in game.positions()[..length].iter().enumerate().rev() {
        if outcome.verdict(position.to_move()) != Some(Verdict::Win) {
            continue;
        }
        // The set holds positions without their history, so the proof must not depend on it.
        let root = History::<G>::from_position(game.rules().clone(), position.clone());
        if root.is_over() {
            break;
        }
        let (verdict, nodes) = solvers.run(&solvers.specs[0], &root, most)?;
        if verdict != Some(Verdict::Win) {
            break;
        }
        farthest = Some((length - at, nodes, position));
    }
    let wanted = farthest.filter(|&(before, nodes, _)| before >= moves_before && nodes >= plan.least_nodes);
    Ok(wanted.map(|(_, _, position)| position.clone()))
}

/// Returns a key shared by all symmetric forms of a position.
fn symmetric_key<G: Knowledge>(position: &G) -> u64 {
    let keys = position.symmetries().iter().map(|&symmetry| position.transformed(symmetry).key());
    keys.min().unwrap_or_else(|| position.key())
}
