//! Benchmarks of a game: random playouts, simulations of plain `mcts`, perft, and nodes of two
//! solvers, over several rounds.

use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tesuji_core::perft::{Leaves, perft};
use tesuji_core::{
    Bounds, Control, Game, History, Knowledge, Limits, Player, PlayoutContext, Question, Rng, Rules, SpecError, Visitor,
};
use tesuji_games::{rules, unknown_game, visit};
use tesuji_search::Goal;

/// A rate or a ratio of rates, with its range over the rounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rate {
    /// The median.
    pub median: f64,
    /// The minimum.
    pub low: f64,
    /// The maximum.
    pub high: f64,
    /// All rounds, in order.
    pub rounds: Vec<f64>,
}

impl Rate {
    fn of(rounds: Vec<f64>) -> Rate {
        let mut sorted = rounds.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
        let (low, high) = (sorted.first().copied().unwrap_or(0.0), sorted.last().copied().unwrap_or(0.0));
        Rate { median, low, high, rounds }
    }
}

/// The benchmark of one game. Everything but the rates is determined by the seed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BenchResult {
    /// The spec of the game.
    pub spec: String,
    /// The size of a position in bytes.
    pub bytes_per_position: usize,
    /// The mean length of a random playout from the start position.
    pub plies_per_playout: f64,
    /// The perft depth.
    pub perft_depth: u32,
    /// The positions of that perft, all of them created.
    pub perft_nodes: u64,
    /// The simulations of each search.
    pub simulations: u64,
    /// The node limit of each solver; fewer are searched if the game is solved.
    pub solver_nodes: u64,
    /// Everything that depends on the clock.
    pub timing: Timing,
}

/// The rates of one game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Timing {
    /// Random playouts per second from the start position, untraced.
    pub playouts_per_second: Rate,
    /// Simulations per second of plain `mcts` from the start position: one thread, initially empty
    /// tree.
    pub simulations_per_second: Rate,
    /// Simulations per second divided by playouts per second of the same round: the overhead of the
    /// tree.
    pub simulations_over_playouts: Rate,
    /// Perft positions per second, with the last ply created and not only counted.
    pub perft_nodes_per_second: Rate,
    /// The solvers on the first question about the start position.
    pub solvers: Vec<SolverRate>,
}

/// The rate of a solver on a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolverRate {
    /// The solver.
    pub solver: &'static str,
    /// Nodes per second on one thread. Tree and table grow with use and soon exceed the caches.
    pub nodes_per_second: Rate,
    /// Nodes per second divided by perft positions per second of the same round: the overhead of
    /// the search.
    pub over_perft: Rate,
}

/// The solvers measured: best-first on a tree, and depth-first on a table.
const SOLVERS: [&str; 2] = ["pns", "dfpn"];

/// The memory limit of their tree or table.
const SOLVER_BYTES: usize = 512 << 20;

/// The effort of a benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BenchSettings {
    /// The number of rounds.
    pub rounds: u32,
    /// The approximate time of playouts and of perft in each round.
    pub time: Duration,
    /// The simulations of each search. Raising it grows the tree and slows each simulation down.
    pub simulations: u64,
    /// The node limit of each solver. Raising it uses more of the table, with more cache misses.
    pub solver_nodes: u64,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// Runs the benchmark of a game; `None` if `stop` was set.
pub fn bench(spec: &str, settings: &BenchSettings, stop: &AtomicBool) -> Result<Option<BenchResult>, SpecError> {
    struct Run<'a>(&'a str, &'a BenchSettings, &'a AtomicBool);
    impl Visitor for Run<'_> {
        type Output = Result<Option<BenchResult>, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            bench_game::<G>(self.0, rules::<G>(self.0)?, self.1, self.2)
        }
    }
    let name = spec.split(':').next().unwrap_or("");
    visit(name, Run(spec, settings, stop)).unwrap_or_else(|| Err(unknown_game(name)))
}

fn bench_game<G: Knowledge>(
    spec: &str,
    rules: G::Rules,
    settings: &BenchSettings,
    stop: &AtomicBool,
) -> Result<Option<BenchResult>, SpecError> {
    let history = History::<G>::new(rules.clone());
    let (perft_depth, perft_nodes) = perft_size(&history);
    let plies_per_playout = mean_plies::<G>(&rules, settings.seed);
    let mut rounds = Rounds::default();
    for round in 0..settings.rounds {
        let playouts = playout_rate::<G>(&rules, settings, round);
        let simulations = simulation_rate(&history, settings, stop)?;
        let perft = per_second(settings.time, || {
            perft(&history, perft_depth, Leaves::Played, stop).map_or(1, |count| count.nodes)
        });
        rounds.playouts.push(playouts);
        rounds.simulations.push(simulations);
        rounds.perft.push(perft);
        for (rates, solver) in rounds.solvers.iter_mut().zip(SOLVERS) {
            rates.push(solver_rate(&history, solver, settings, stop)?);
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    Ok(Some(BenchResult {
        spec: spec.to_string(),
        bytes_per_position: size_of::<G>(),
        plies_per_playout,
        perft_depth,
        perft_nodes,
        simulations: settings.simulations,
        solver_nodes: settings.solver_nodes,
        timing: rounds.timing(),
    }))
}

/// The rates of all rounds.
#[derive(Default)]
struct Rounds {
    playouts: Vec<f64>,
    simulations: Vec<f64>,
    perft: Vec<f64>,
    solvers: [Vec<f64>; SOLVERS.len()],
}

impl Rounds {
    fn timing(self) -> Timing {
        let ratios =
            |rates: &[f64], base: &[f64]| Rate::of(rates.iter().zip(base).map(|(rate, base)| rate / base).collect());
        let solver = |(rates, solver): (Vec<f64>, &'static str)| SolverRate {
            solver,
            over_perft: ratios(&rates, &self.perft),
            nodes_per_second: Rate::of(rates),
        };
        Timing {
            solvers: self.solvers.into_iter().zip(SOLVERS).map(solver).collect(),
            simulations_over_playouts: ratios(&self.simulations, &self.playouts),
            playouts_per_second: Rate::of(self.playouts),
            simulations_per_second: Rate::of(self.simulations),
            perft_nodes_per_second: Rate::of(self.perft),
        }
    }
}

/// Returns the mean length of a random playout from the start position.
fn mean_plies<G: Knowledge>(rules: &G::Rules, seed: u64) -> f64 {
    const SAMPLES: u32 = 2000;
    let start = G::start(rules);
    let mut context = PlayoutContext::new(Rng::new(seed), rules.facts().length.plies());
    let mut trace = Vec::new();
    for _ in 0..SAMPLES {
        start.clone().playout(&mut context, &mut trace);
    }
    trace.len() as f64 / f64::from(SAMPLES)
}

/// Returns the untraced playouts per second from the start position.
fn playout_rate<G: Knowledge>(rules: &G::Rules, settings: &BenchSettings, round: u32) -> f64 {
    let start = G::start(rules);
    let mut context = PlayoutContext::new(Rng::stream(settings.seed, u64::from(round)), rules.facts().length.plies());
    per_second(settings.time, || {
        start.clone().playout(&mut context, &mut ());
        1
    })
}

/// Returns the simulations per second of plain `mcts` from the start position.
fn simulation_rate<G: Knowledge>(
    history: &History<G>,
    settings: &BenchSettings,
    stop: &AtomicBool,
) -> Result<f64, SpecError> {
    let mut search = tesuji_pairs::search::<G>(&"mcts".parse()?, history.rules())?;
    let limits = Limits { playouts: Some(settings.simulations), ..Limits::default() };
    let start = Instant::now();
    let report = search.search(history, &Control::new(limits, settings.seed, stop));
    Ok(report.counters.playouts as f64 / start.elapsed().as_secs_f64())
}

/// Returns the nodes per second of a solver on the first question about a game.
fn solver_rate<G: Knowledge>(
    history: &History<G>,
    solver: &str,
    settings: &BenchSettings,
    stop: &AtomicBool,
) -> Result<f64, SpecError> {
    let known = Bounds::unknown(Player::FIRST, history.facts());
    let Some(at_least) = Goal::Value.next(&known, history.facts()) else { return Ok(0.0) };
    let question = Question { known, at_least };
    let mut prover = tesuji_pairs::prover::<G>(&solver.parse()?, history.rules())?;
    let mut ask = |nodes| {
        let limits = Limits { nodes: Some(nodes), memory: Some(SOLVER_BYTES), ..Limits::default() };
        prover.ask(history, question, &Control::new(limits, settings.seed, stop)).counters.nodes
    };
    ask(1);
    let start = Instant::now();
    let nodes = ask(settings.solver_nodes);
    Ok(nodes as f64 / start.elapsed().as_secs_f64())
}

/// Returns the depth and size of the deepest perft that can run many times in a round.
fn perft_size<G: Game>(history: &History<G>) -> (u32, u64) {
    const SMALL: u64 = 30_000;
    let count =
        |depth| perft(history, depth, Leaves::Played, &AtomicBool::new(false)).expect("it is never stopped").nodes;
    let mut best = (1, count(1));
    while best.0 < 12 {
        let nodes = count(best.0 + 1);
        if nodes > SMALL || nodes == best.1 {
            break;
        }
        best = (best.0 + 1, nodes);
    }
    best
}

/// Repeats an action for about `time` and returns the rate of what it counts. Batches grow so that
/// reading the clock does not distort the rate.
fn per_second(time: Duration, mut act: impl FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let (mut done, mut batch) = (0u64, 1u32);
    loop {
        for _ in 0..batch {
            done += act();
        }
        let spent = start.elapsed();
        if spent >= time {
            return done as f64 / spent.as_secs_f64();
        }
        if spent < time / 20 {
            batch = batch.saturating_mul(2);
        }
    }
}
