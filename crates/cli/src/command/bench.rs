//! `tesuji bench`: the speed of games and searches.

use crate::{output, stop};
use clap::Args as ClapArgs;
use comfy_table::{CellAlignment, ColumnConstraint, Table, Width, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::process::ExitCode;
use std::time::Duration;
use tesuji_catalog::{BenchResult, BenchSettings, Rate, parse_time};

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
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Time per round for playouts, and for perft
    #[arg(long, default_value = "100ms", value_parser = parse_time)]
    time: Duration,
    /// Simulations of each mcts search
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,
    /// Node limit of each solver
    #[arg(long, default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
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
    let bar = ProgressBar::new(specs.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} left")?);
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
        output::text(format!("{}\n\n{}\n", table(&games), solvers(&games)))?;
        if !complete {
            eprintln!("stopped after {} of {} games", games.len(), specs.len());
        }
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns a table with a row per game; on a narrow terminal the ranges wrap below the medians.
fn table(games: &[BenchResult]) -> Table {
    let mut table = output::fitted(presets::NOTHING);
    table.set_header(["game", "playouts/s", "plies", "mcts simulations/s", "/ playouts", "perft nodes/s", "bytes"]);
    for bench in games {
        let timing = &bench.timing;
        table.add_row([
            bench.spec.clone(),
            rate(&timing.playouts_per_second),
            format!("{:.1}", bench.plies_per_playout),
            rate(&timing.simulations_per_second),
            rate(&timing.simulations_over_playouts),
            rate(&timing.perft_nodes_per_second),
            bench.bytes_per_position.to_string(),
        ]);
    }
    // Wide enough for a range and for the longest word of the header.
    let at_least = |width: u16| ColumnConstraint::LowerBoundary(Width::Fixed(width + 1));
    let whole = ColumnConstraint::ContentWidth;
    let constraints = [whole, at_least(11), whole, at_least(13), at_least(11), at_least(11), whole];
    for (at, (column, constraint)) in table.column_iter_mut().zip(constraints).enumerate() {
        column.set_padding((0, 1));
        column.set_constraint(constraint);
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    table
}

/// Returns a table of the solvers with a row per game.
fn solvers(games: &[BenchResult]) -> Table {
    let mut table = output::fitted(presets::NOTHING);
    let measured = games.first().map_or(&[][..], |bench| bench.timing.solvers.as_slice());
    let titles = measured.iter().flat_map(|rate| [format!("{} nodes/s", rate.solver), "/ perft".to_string()]);
    table.set_header(["game".to_string()].into_iter().chain(titles));
    for bench in games {
        let rates = bench.timing.solvers.iter().flat_map(|one| [rate(&one.nodes_per_second), rate(&one.over_perft)]);
        table.add_row([bench.spec.clone()].into_iter().chain(rates));
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
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
