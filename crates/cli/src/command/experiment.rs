//! `tesuji experiment`: what a plan asks for, run and reported.

use crate::command::limits::counting_bar;
use crate::{output, stop};
use clap::Args as ClapArgs;
use comfy_table::Table;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_arena::experiment::{Answer, CellResult, Measure, Plan, Running, run as run_experiment, write_report};

/// Arguments of `tesuji experiment`.
#[derive(ClapArgs)]
#[command(
    after_help = "The folder has a plan.toml, which names games, players, limits and how many games; docs/experiments.md says how one is written. Every game goes to \
                  the folder log, from which the same command goes on, and from which report.md and its figures are made. A match whose result is beyond doubt may stop \
                  early if its plan says so; the report says it too.\n\nExamples:\n  \
                  tesuji experiment experiments/pn-mcts-overhead\n  tesuji experiment experiments/pn-mcts --only sweep --concurrency 2\n  \
                  tesuji experiment experiments/pn-mcts --report"
)]
pub struct Args {
    /// The folder of the experiment
    folder: PathBuf,
    /// Only this group of the plan; may be given several times
    #[arg(long, value_name = "GROUP")]
    only: Vec<String>,
    /// Play nothing; only write the report from the logs
    #[arg(long, conflicts_with = "only")]
    report: bool,
    /// Games played at the same time; speed is measured alone
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = stop::flag()?;
    let answer = if args.report {
        write_report(&Plan::read(&args.folder)?)?
    } else {
        let bar = counting_bar(0, "{bar:30} {pos} of {len}, {msg}, {left}")?;
        let progress = |progress: tesuji_arena::experiment::Progress| {
            let before = bar.position();
            bar.set_length(progress.all);
            bar.set_position(progress.done);
            // What a log knows or nobody needs any more took no time, and must not look as if.
            if progress.done > before + 1 {
                bar.reset_eta();
            }
            bar.set_message(progress.now);
        };
        let concurrency = usize::from(args.concurrency);
        let answer =
            run_experiment(&args.folder, &Running { only: &args.only, concurrency, stop, progress: &progress })?;
        bar.finish_and_clear();
        answer
    };
    if args.json {
        output::json(&answer)?;
    } else {
        output::text(format!("{}\n{}\n", answer.title, table(&answer)))?;
        output::text(format!("report: {}\n", args.folder.join("report.md").display()))?;
        if stop.load(Relaxed) {
            output::text("stopped; the same command goes on with it\n")?;
        }
    }
    Ok(if stop.load(Relaxed) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn table(answer: &Answer) -> Table {
    let row = |CellResult { cell, found }: &CellResult| {
        let place = format!("{}: {}, {}", cell.group, cell.row, cell.column);
        let source = cell.source.map_or(String::new(), |source| source.to_string());
        let Some(found) = found else {
            return vec![place, "0".to_string(), String::new(), source, "not run".to_string()];
        };
        let value = match cell.measure {
            Measure::Match | Measure::Solve => format!("{:.1} % ({:.1}-{:.1})", found.value, found.low, found.high),
            Measure::Speed => format!("{:.2} ({:.2} .. {:.2})", found.value, found.low, found.high),
        };
        let planned = cell.plan.games.filter(|&games| games != found.samples);
        let of = planned.map_or(String::new(), |games| format!(" of {games}"));
        let early = if found.early { ", early" } else { "" };
        vec![place, format!("{}{of}{early}", found.samples), value, source, found.verdict.clone()]
    };
    output::table(["cell", "games", "found", "source", "verdict"], answer.cells.iter().map(row))
}
