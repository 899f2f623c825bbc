//! Sets of positions that are won by a forced line, for comparing solvers: Winands, Uiterwijk and Van den Herik (2003) and Saito (2010) compare
//! theirs on such positions from games of Lines of Action.
//!
//! A player plays against itself. For each game a number of nodes is drawn, every order of magnitude alike; from the end of the game one goes
//! back through the turns of the winner as long as a solver proves the position a win in that many nodes, and the farthest such
//! position is taken. So the set has easy and hard positions, each of another game, and none twice, however the board is turned. What the
//! solver cannot prove is not in the set: it flatters that solver and its kin.

use crate::auto;
use crate::selfplay::{SelfPlay, SelfPlayError};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::rng::mix;
use tesuji_core::{Control, History, Knowledge, Limits, Rng, Rules, Spec, SpecError, Verdict, Visitor};
use tesuji_games::{rules, unknown_game, visit};
use thiserror::Error;

/// What positions are wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct EndingsPlan {
    /// The game.
    pub game: String,
    /// The number of positions.
    pub count: usize,
    /// The seed of openings, players and the nodes drawn. The positions depend on nothing else that changes from run to run.
    pub seed: u64,
    /// Who plays against itself.
    pub player: String,
    /// Its playouts for a move; nodes, if it makes none.
    pub playouts: u64,
    /// The random moves a game begins with.
    pub opening: u32,
    /// The solver that proves them; one that asks for the win alone wastes no nodes on draws.
    pub by: String,
    /// The fewest nodes that it may take. Raising it makes the set harder.
    pub least_nodes: u64,
    /// The most. Raising it makes the set harder, and slower to make.
    pub most_nodes: u64,
    /// The fewest moves from the position to the end of its game.
    pub moves_before: usize,
    /// The memory of the solver. A table that is far too small makes it take more nodes.
    pub memory: usize,
}

/// Why no set could be made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EndingsError {
    /// The games.
    #[error(transparent)]
    Games(#[from] SelfPlayError),
    /// Wins are not what the game is about.
    #[error("{game} has no wins to prove; it takes a game for two in which the sign of the score is the result")]
    NoWins {
        /// The game.
        game: String,
    },
    /// No number is between the bounds.
    #[error("there is no number of nodes from {least} to {most}; the least must not be above the most")]
    Nodes {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
}

impl From<SpecError> for EndingsError {
    fn from(error: SpecError) -> EndingsError {
        SelfPlayError::from(error).into()
    }
}

/// How far the making of a set is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndingsProgress {
    /// PositionSet found.
    pub positions: usize,
    /// Games played.
    pub games: u64,
}

/// The memory of a player: games of a few thousand nodes a move need no more, and a table has to be made for every game.
const PLAYER_BYTES: usize = 16 << 20;

/// After so many games in a row without a new position it gives up. Raising it finds rarer positions.
const BARREN: u64 = 1000;

/// Makes a set, as position texts. If `stop` is raised, or game after game brings nothing new, it is what was found so far. `progress` hears of
/// every game.
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
    let solver: Spec = plan.by.parse()?;
    auto::build::<G>(&solver, rules)?;
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut last_find = 0;
    for number in 0.. {
        if found.len() == plan.count || number - last_find > BARREN {
            break;
        }
        let Some(game) = games.play::<G>(rules, number, stop)? else { break };
        let most = drawn_nodes(plan, number);
        if let Some(position) = farthest_win(plan, &solver, &game, most, stop)?
            && seen.insert(key_of_all(&position))
        {
            found.push(position.text());
            last_find = number;
        }
        if stop.load(Relaxed) {
            break;
        }
        progress(EndingsProgress { positions: found.len(), games: number + 1 });
    }
    Ok(found)
}

/// The most nodes for game number `number`: between the bounds, every order of magnitude alike.
fn drawn_nodes(plan: &EndingsPlan, number: u64) -> u64 {
    let (least, most) = (plan.least_nodes.max(1) as f64, plan.most_nodes.max(1) as f64);
    let mut rng = Rng::new(mix(plan.seed ^ mix(number)));
    (least * (most / least).powf(rng.unit())).ceil() as u64
}

/// Back from the end through the turns of the winner, as long as they are proved wins in `most` nodes: the last of them, if it is one that is wanted.
fn farthest_win<G: Knowledge>(
    plan: &EndingsPlan,
    solver: &Spec,
    game: &History<G>,
    most: u64,
    stop: &AtomicBool,
) -> Result<Option<G>, SpecError> {
    let Some(outcome) = game.outcome() else { return Ok(None) };
    let length = game.moves().len();
    let mut farthest = None;
    for (at, position) in game.positions()[..length].iter().enumerate().rev() {
        if outcome.verdict(position.to_move()) != Some(Verdict::Win) {
            continue;
        }
        // The position is asked about without its past, as whoever reads the set will.
        let root = History::<G>::from_position(game.rules().clone(), position.clone());
        if root.is_over() {
            break;
        }
        let limits = Limits { nodes: Some(most), memory: Some(plan.memory), ..Limits::default() };
        let report = auto::build::<G>(solver, game.rules())?.1.search(&root, &Control::new(limits, plan.seed, stop));
        if report.bounds.verdict() != Some(Verdict::Win) {
            break;
        }
        farthest = Some((length - at, report.counters.nodes, position));
    }
    let wanted = farthest.filter(|&(before, nodes, _)| before >= plan.moves_before && nodes >= plan.least_nodes);
    Ok(wanted.map(|(_, _, position)| position.clone()))
}

/// A key that all turned and mirrored forms of a position share.
fn key_of_all<G: Knowledge>(position: &G) -> u64 {
    let keys = position.symmetries().iter().map(|&symmetry| position.transformed(symmetry).key());
    keys.min().unwrap_or_else(|| position.key())
}
