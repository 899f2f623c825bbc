//! How fast a game runs: random playouts and perft, over several rounds.

use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tesuji_core::perft::{Leaves, perft};
use tesuji_core::{Dice, Game, History, Knowledge, Rng, Rules, SpecError, Visitor};
use tesuji_games::{rules, unknown_game, visit};

/// A speed with its spread over the rounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rate {
    /// The middle of the rounds, per second.
    pub median: f64,
    /// The slowest round.
    pub low: f64,
    /// The fastest round.
    pub high: f64,
    /// All rounds, in the order they ran.
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

/// What was measured of one game. All but the rates is the same for the same seed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Bench {
    /// The game.
    pub spec: String,
    /// The size of a position in memory.
    pub bytes_per_position: usize,
    /// The mean length of a random playout from the start.
    pub plies_per_playout: f64,
    /// The depth to which perft was counted.
    pub perft_depth: u32,
    /// The positions on the way, every one of them made.
    pub perft_nodes: u64,
    /// What depends on the clock.
    pub timing: Timing,
}

/// Speeds of one game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Timing {
    /// Random playouts a second from the start position, nobody listening to the moves.
    pub playouts_per_second: Rate,
    /// Perft positions a second, the last ones made too, not only counted.
    pub perft_nodes_per_second: Rate,
}

/// Measures a game in `rounds` rounds of about `time` for each number; `None` if `stop` was raised.
pub fn bench(
    spec: &str,
    rounds: u32,
    time: Duration,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Option<Bench>, SpecError> {
    struct Run<'a>(&'a str, u32, Duration, u64, &'a AtomicBool);
    impl Visitor for Run<'_> {
        type Output = Result<Option<Bench>, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            Ok(bench_game::<G>(self.0, rules::<G>(self.0)?, self.1, self.2, self.3, self.4))
        }
    }
    let name = spec.split(':').next().unwrap_or("");
    visit(name, Run(spec, rounds, time, seed, stop)).unwrap_or_else(|| Err(unknown_game(name)))
}

fn bench_game<G: Knowledge>(
    spec: &str,
    rules: G::Rules,
    rounds: u32,
    time: Duration,
    seed: u64,
    stop: &AtomicBool,
) -> Option<Bench> {
    let history = History::<G>::new(rules.clone());
    let start = G::start(&rules);
    let cap = rules.facts().length.plies();
    let (perft_depth, perft_nodes) = perft_size(&history);
    let mut trace = Vec::new();
    let mut dice = Dice::new(Rng::new(seed), cap);
    let samples = 2000;
    for _ in 0..samples {
        start.clone().playout(&mut dice, &mut trace);
    }
    let (mut playouts, mut nodes) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let mut dice = Dice::new(Rng::stream(seed, u64::from(round)), cap);
        playouts.push(per_second(time, || {
            start.clone().playout(&mut dice, &mut ());
            1
        }));
        nodes.push(per_second(time, || {
            perft(&history, perft_depth, Leaves::Played, stop).map_or(1, |count| count.nodes)
        }));
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(Bench {
        spec: spec.to_string(),
        bytes_per_position: size_of::<G>(),
        plies_per_playout: trace.len() as f64 / f64::from(samples),
        perft_depth,
        perft_nodes,
        timing: Timing { playouts_per_second: Rate::of(playouts), perft_nodes_per_second: Rate::of(nodes) },
    })
}

/// The deepest perft that stays small enough to be run many times in a round.
fn perft_size<G: Game>(history: &History<G>) -> (u32, u64) {
    const SMALL: u64 = 30_000;
    let count = |depth| perft(history, depth, Leaves::Played, &AtomicBool::new(false)).expect("nobody stops it").nodes;
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

/// Does something again and again for a time; the clock is read every so often only, to stay out of the measure.
fn per_second(time: Duration, mut act: impl FnMut() -> u64) -> f64 {
    let begin = Instant::now();
    let (mut done, mut batch) = (0u64, 1u32);
    loop {
        for _ in 0..batch {
            done += act();
        }
        let spent = begin.elapsed();
        if spent >= time {
            return done as f64 / spent.as_secs_f64();
        }
        if spent < time / 20 {
            batch = batch.saturating_mul(2);
        }
    }
}
