//! `tesuji bench`: how fast the games run.

use crate::{output, stop};
use anyhow::Context;
use clap::Args as ClapArgs;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::process::ExitCode;
use std::time::Duration;
use tesuji_catalog::{Bench, Rate};

/// Arguments of `tesuji bench`.
#[derive(ClapArgs)]
#[command(after_help = "Rates are the median over the rounds, with the slowest and fastest round.\n\nExamples:\n  \
                        tesuji bench\n  tesuji bench go:9 go:19 --rounds 9 --time 500ms\n  tesuji bench --json")]
pub struct Args {
    /// The games; all of them if none is named
    games: Vec<String>,
    /// Rounds per game
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// The time of a round for each number
    #[arg(long, default_value = "100ms", value_parser = duration)]
    time: Duration,
    /// The seed of the playouts
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
    games: Vec<Bench>,
}

/// A time such as `5s`, `100ms` or `2m`.
fn duration(text: &str) -> anyhow::Result<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..digits].parse().context("a time begins with a number")?;
    let unit = match &text[digits..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        other => anyhow::bail!("{other:?} is no unit of time; use ms, s, m or h"),
    };
    Duration::try_from_secs_f64(number * unit).context("the time is out of range")
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
    let mut games = Vec::new();
    for spec in &specs {
        bar.set_message(spec.clone());
        let Some(bench) = tesuji_catalog::bench(spec, args.rounds, args.time, args.seed, stop)? else { break };
        games.push(bench);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let complete = games.len() == specs.len();
    if args.json {
        output::json(&Report { rounds: args.rounds, seed: args.seed, games })?;
    } else {
        output::text(format!("{}\n", table(&games)))?;
        if !complete {
            eprintln!("stopped after {} of {} games", games.len(), specs.len());
        }
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn table(games: &[Bench]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "game",
        "playouts/s",
        "slowest .. fastest",
        "plies",
        "perft nodes/s",
        "slowest .. fastest",
        "bytes",
    ]);
    let number = |rate: f64| output::grouped(rate.round() as u64);
    let spread = |rate: &Rate| format!("{} .. {}", number(rate.low), number(rate.high));
    for bench in games {
        let (playouts, nodes) = (&bench.timing.playouts_per_second, &bench.timing.perft_nodes_per_second);
        table.add_row([
            bench.spec.clone(),
            number(playouts.median),
            spread(playouts),
            format!("{:.1}", bench.plies_per_playout),
            number(nodes.median),
            spread(nodes),
            bench.bytes_per_position.to_string(),
        ]);
    }
    for column in 1..7 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
