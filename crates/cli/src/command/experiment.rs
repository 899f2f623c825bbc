//! `tesuji experiment`: runs a plan and writes its report.

use crate::command::ranges::whole;
use crate::progress::counting_bar;
use crate::table::{Column, FIXED_SPACE, Table};
use crate::{output, stop};
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_arena::experiment::{
    CellResult, ExperimentReport, Measure, Plan, RunSettings, run as run_experiment, write_report,
};
use tesuji_gtp::Children;

/// Arguments of `tesuji experiment`.
#[derive(ClapArgs)]
#[command(
    after_help = "The folder contains a plan.toml with games, players, limits and numbers of games; see docs/experiments.md. Every \
                  game is logged in the folder log, from which the same command resumes and from which report.md and its \
                  figures are made. After a run the logs are packed (gzip), to be kept with the report. --report draws \
                  the report again from the logs; if a cell of the plan has no results, it writes nothing and fails. A \
                  match may stop early if its plan allows it; the report says so.\n\nExamples:\n  \
                  tesuji experiment experiments/pn-mcts-overhead\n  \
                  tesuji experiment experiments/pn-mcts --only sweep --concurrency 2\n  \
                  tesuji experiment experiments/pn-mcts --report"
)]
pub struct Args {
    /// Folder of the experiment
    folder: PathBuf,
    /// Run only this group of the plan; may be repeated
    #[arg(long, value_name = "GROUP")]
    only: Vec<String>,
    /// Only write the report from the logs
    #[arg(long, conflicts_with = "only")]
    report: bool,
    /// Games played in parallel; speed is always measured alone
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=1024), allow_hyphen_values = true)]
    concurrency: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let children = Children::default();
    let stop = stop::flag_for(&children)?;
    let report = if args.report {
        write_report(&Plan::read(&args.folder)?)?
    } else {
        let bar = counting_bar(Some(0), "games")?;
        let progress = |progress: tesuji_arena::experiment::Progress| {
            let before = bar.position();
            bar.set_length(progress.all);
            bar.set_position(progress.done);
            // Games from the log or no longer needed took no time and must not count for the
            // estimate.
            if progress.done > before + 1 {
                bar.reset_eta();
            }
            bar.set_message(progress.now);
        };
        let concurrency = usize::from(args.concurrency);
        let settings = RunSettings { only: &args.only, concurrency, children: &children, stop, progress: &progress };
        let report = run_experiment(&args.folder, &settings)?;
        bar.finish_and_clear();
        report
    };
    if args.json {
        output::json(&report)?;
    } else {
        output::text(format!("{}\n\n{}\n", report.title, table(&report)))?;
        output::text(format!("report: {}\n", args.folder.join("report.md").display()))?;
        if stop.load(Relaxed) {
            output::text("stopped; run the same command to resume\n")?;
        }
    }
    Ok(if stop.load(Relaxed) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn table(report: &ExperimentReport) -> Table {
    let mut table = Table::new([
        Column::left("cell"),
        Column::right("games"),
        Column::right("found"),
        Column::right("source"),
        Column::left("verdict"),
    ]);
    for CellResult { cell, found } in &report.cells {
        let place = format!("{}: {}, {}", cell.group, cell.row, cell.column);
        let source = cell.source.map_or(String::new(), |source| source.to_string());
        let Some(found) = found else {
            table.row([place, "0".to_string(), String::new(), source, "not run".to_string()]);
            continue;
        };
        let value = match cell.measure {
            Measure::Match | Measure::Solve => {
                format!("{:.1}{FIXED_SPACE}% ({:.1}-{:.1})", found.value, found.low, found.high)
            }
            Measure::Speed => format!("{:.2} ({:.2}-{:.2})", found.value, found.low, found.high),
            Measure::Boards => format!("{:.1} ({:.1}..{:.1})", found.value, found.low, found.high),
        };
        let planned = cell.plan.games.filter(|&games| games != found.samples);
        let of = planned.map_or(String::new(), |games| format!(" of {games}"));
        let early = if found.early { ", early" } else { "" };
        table.row([place, format!("{}{of}{early}", found.samples), value, source, found.verdict.clone()]);
    }
    table
}
