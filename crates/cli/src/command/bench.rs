//! `tesuji bench`: the speed of games and searches.

use crate::command::ranges::{count, time, whole};
use crate::progress::counting_bar;
use crate::table::{Column, FIXED_SPACE, Table};
use crate::{output, stop};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Duration;
use tesuji_catalog::{BenchResult, BenchSettings, Rate};

/// Arguments of `tesuji bench`.
#[derive(ClapArgs)]
#[command(
    after_help = "Rates are medians over the rounds, with the slowest and fastest round in brackets. Ratios are computed \
                        within each round.\n\nExamples:\n  \
                        tesuji bench\n  tesuji bench go:9 go:19 --rounds 9 --time 500ms\n  tesuji bench --json"
)]
pub struct Args {
    /// Games to measure [default: all]
    games: Vec<String>,
    /// Rounds per game
    #[arg(long, default_value_t = 5, value_parser = whole::<u32>(1..=1000), allow_hyphen_values = true)]
    rounds: u32,
    /// Time per round for playouts, and for perft
    #[arg(long, default_value = "100ms", value_parser = time, allow_hyphen_values = true)]
    time: Duration,
    /// Simulations of each mcts search
    #[arg(long, default_value_t = 100_000, value_parser = count, allow_hyphen_values = true)]
    simulations: u64,
    /// Node limit of each solver
    #[arg(long, default_value_t = 500_000, value_parser = count, allow_hyphen_values = true)]
    nodes: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    rounds: u32,
    seed: u64,
    games: Vec<BenchResult>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let specs: Vec<String> = match args.games.as_slice() {
        [] => tesuji_catalog::games().iter().map(|entry| entry.info.name.to_string()).collect(),
        named => named.to_vec(),
    };
    for spec in &specs {
        tesuji_catalog::open(spec, "start")?;
    }
    let stop = stop::flag()?;
    let bar = counting_bar(Some(specs.len() as u64), "games")?;
    let effort = BenchSettings {
        rounds: args.rounds,
        time: args.time,
        simulations: args.simulations,
        solver_nodes: args.nodes,
        seed: args.seed,
    };
    let mut games = Vec::new();
    for spec in &specs {
        bar.set_message(spec.clone());
        let Some(bench) = tesuji_catalog::bench(spec, &effort, stop)? else { break };
        games.push(bench);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let complete = games.len() == specs.len();
    if args.json {
        output::json(&Report { rounds: args.rounds, seed: args.seed, games })?;
    } else {
        output::text(format!("{}\n{}", table(&games), solvers(&games)))?;
        if !complete {
            eprintln!("stopped after {} of {}", games.len(), output::count(specs.len() as u64, "game"));
        }
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns a table with a row per game; on a narrow terminal the ranges wrap below the medians.
fn table(games: &[BenchResult]) -> Table {
    let ratio = format!("/{FIXED_SPACE}playouts");
    let rates = ["playouts/s", "plies", "mcts simulations/s", &ratio, "perft nodes/s"].map(Column::right);
    let bytes = Column::right("bytes").optional();
    let mut table = Table::new([Column::left("game")].into_iter().chain(rates).chain([bytes]));
    for bench in games {
        let timing = &bench.timing;
        table.row([
            bench.spec.clone(),
            rate(&timing.playouts_per_second),
            format!("{:.1}", bench.plies_per_playout),
            rate(&timing.simulations_per_second),
            rate(&timing.simulations_over_playouts),
            rate(&timing.perft_nodes_per_second),
            bench.bytes_per_position.to_string(),
        ]);
    }
    table
}

/// Returns a table of the solvers with a row per game.
fn solvers(games: &[BenchResult]) -> Table {
    let measured = games.first().map_or(&[][..], |bench| bench.timing.solvers.as_slice());
    let ratio = format!("/{FIXED_SPACE}perft");
    let titles = measured.iter().flat_map(|rate| [format!("{} nodes/s", rate.solver), ratio.clone()]);
    let mut table = Table::new([Column::left("game")].into_iter().chain(titles.map(Column::right)));
    for bench in games {
        let rates = bench.timing.solvers.iter().flat_map(|one| [rate(&one.nodes_per_second), rate(&one.over_perft)]);
        table.row([bench.spec.clone()].into_iter().chain(rates));
    }
    table
}

/// Formats a rate with its range, in the unit of the median: `1.84M (1.70-1.92)`.
fn rate(rate: &Rate) -> String {
    let (unit, letter) = match rate.median {
        1e6.. => (1e6, "M"),
        1e3.. => (1e3, "k"),
        _ => (1.0, ""),
    };
    let places = |number: f64| {
        if number >= 99.95 {
            0
        } else if number >= 9.995 {
            1
        } else {
            2
        }
    };
    let digits = places(rate.median / unit);
    let number = |number: f64| format!("{:.digits$}", number / unit);
    format!("{}{letter} ({}-{})", number(rate.median), number(rate.low), number(rate.high))
}
