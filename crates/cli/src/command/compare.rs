//! `tesuji compare`: solvers on a set of positions.

use crate::command::limits::{Given, Limits};
use crate::command::ranges::positive;
use crate::command::think::seconds;
use crate::progress::counting_bar;
use crate::table::{Column, FIXED_SPACE, Table};
use crate::{output, stop};
use anyhow::{Context, bail};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_catalog::{Comparison, ComparisonResult, PositionSet, Ratio, SolverSpec, SolverSummary, compare};

/// Arguments of `tesuji compare`.
#[derive(ClapArgs)]
#[command(
    after_help = "The file has one position per line; `tesuji endings` generates such files. Every solver starts every position \
                  with an empty tree or table, under the same limits (5,000,000 nodes if none is given). The positions are \
                  shuffled, so a sample is fair, and a larger sample contains the smaller ones. With a log, the same command \
                  resumes after Ctrl-C or a kill.\n\nThe table shows the positions each solver solved, the nodes and time on \
                  the positions that all solved, and the ratios of nodes and time to the first solver (geometric mean and 95 % CI \
                  over the positions that both solved). Exit code 1: solvers contradict each other, or the comparison was \
                  stopped.\n\nExamples:\n  \
                  tesuji compare testdata/endings/loa-488.txt --by pn2 --by dfpn --by alphabeta --sample 50 --log c.jsonl\n  \
                  tesuji compare testdata/endings/loa-488.txt --by pns:init=unit --by pns:init=mobility --nodes 1000000\n  \
                  tesuji compare testdata/endings/loa-488.txt --by rppns --by rppns@2 --sample 20"
)]
pub struct Args {
    /// File with one position per line
    file: PathBuf,
    /// Game, if the file has no line "# game: SPEC"
    #[arg(long, value_name = "SPEC")]
    game: Option<String>,
    /// Solver, with @N for N threads; repeat it, the first is the baseline
    #[arg(long, value_name = "SPEC[@N]", required = true)]
    by: Vec<SolverSpec>,
    #[command(flatten)]
    limits: Limits,
    /// Number of positions, sampled at random [default: all]
    #[arg(long, value_name = "K", value_parser = positive, allow_hyphen_values = true)]
    sample: Option<u32>,
    /// Log of attempts, one JSON object per line; resumes a stopped comparison
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The default node limit of an attempt, as in Saito (2010).
const NODES: u64 = 5_000_000;

#[derive(Serialize)]
struct CompareReport {
    game: String,
    file: PathBuf,
    limits: Given,
    #[serde(flatten)]
    compared: ComparisonResult,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("cannot read {}", args.file.display()))?;
    let positions = PositionSet::parse(&text);
    let Some(game) = args.game.clone().or(positions.game) else {
        bail!("{} has no line \"# game: SPEC\"; add --game SPEC", args.file.display());
    };
    let given = args.limits.clone().or_nodes(NODES);
    let (seed, threads, limits) = given.endless();
    let plan = Comparison {
        game,
        positions: positions.texts,
        by: args.by.clone(),
        limits,
        threads,
        seed,
        sample: args.sample.map(|sample| sample as usize),
        log: args.log.clone(),
    };
    let bar = counting_bar(Some(0), "attempts")?;
    let compared = compare(&plan, stop::flag()?, &|progress| {
        if bar.length() != Some(progress.all as u64) {
            // Attempts from the log took no time and must not count for the estimate.
            bar.set_length(progress.all as u64);
            bar.set_position(progress.done as u64);
            bar.reset_eta();
        }
        bar.set_message(progress.next.unwrap_or_default().to_string());
        bar.set_position(progress.done as u64);
    })?;
    bar.finish_and_clear();
    let is_sound = compared.disagreements.is_empty();
    let is_complete = compared.positions == compared.sample;
    if args.json {
        output::json(&CompareReport { game: plan.game, file: args.file.clone(), limits: given.given(None), compared })?;
    } else {
        output::text(describe(&compared))?;
    }
    Ok(if is_sound && is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Formats the table and any contradictions.
fn describe(compared: &ComparisonResult) -> String {
    let ComparisonResult { positions, sample, of, solved_by_all, solvers, disagreements } = compared;
    let which = if positions == of { String::new() } else { format!(" of {of}, sampled at random") };
    let mut text = format!(
        "{}{which}; {solved_by_all} solved by all\n\n{}\n",
        output::count(*positions as u64, "position"),
        table(compared)
    );
    if positions < sample {
        text += &format!("stopped after {positions} of {}\n", output::count(*sample as u64, "position"));
    }
    for wrong in disagreements {
        let ((high, at_least), (low, at_most)) = (&wrong.at_least, &wrong.at_most);
        text += &format!(
            "CONTRADICTION: {high} proves a score of at least {at_least}, {low} of at most {at_most}: {}\n",
            wrong.position
        );
    }
    if disagreements.is_empty() && solvers.len() > 1 {
        text += "no contradictions\n";
    }
    text
}

fn table(compared: &ComparisonResult) -> Table {
    let numbers = ["solved", "nodes", "time", "nodes ratio", "time ratio"].map(Column::right);
    let both_solved = Column::right("both solved").optional();
    let mut table = Table::new([Column::left("solver")].into_iter().chain(numbers).chain([both_solved]));
    for SolverSummary { by, threads, solved, nodes, nodes_ratio, timing } in &compared.solvers {
        let both = nodes_ratio.map_or(String::new(), |ratio| ratio.positions.to_string());
        table.row([
            if *threads == 1 { by.clone() } else { format!("{by}, {threads} threads") },
            solved.to_string(),
            output::grouped(*nodes),
            seconds(timing.seconds).replace(' ', &FIXED_SPACE.to_string()),
            ratio(nodes_ratio.as_ref()),
            ratio(timing.ratio.as_ref()),
            both,
        ]);
    }
    table
}

/// Formats a ratio with its interval: `2.31 (1.90-2.78)`.
fn ratio(ratio: Option<&Ratio>) -> String {
    ratio.map_or(String::new(), |Ratio { mean, low, high, .. }| format!("{mean:.2} ({low:.2}-{high:.2})"))
}
