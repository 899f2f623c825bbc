//! `tesuji think`: a search of a position.

use crate::command::limits::{Given, Limits};
use crate::command::position::{Position, PositionReport};
use crate::command::workers::{Work, Workers};
use crate::table::{Column, FIXED_SPACE, Fields, Table};
use crate::{output, stop};
use anyhow::{Context, bail};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tesuji_catalog::{
    AUTO, Engine, SearchResult, Session, Verification, bounds_text, can_replace_file, certify_solution,
};
use tesuji_core::{Facts, INFINITE, Improvement, PointBounds, ProofNumbers, Report, RootMove, StopReason};
use tesuji_gtp::Children;

/// Arguments of `tesuji think`.
#[derive(ClapArgs)]
#[command(
    after_help = "Values range from -1 (loss) to +1 (win) for the player to move, with their standard error. Ctrl-C ends the search \
                  and prints the result so far.\n\nExamples:\n  tesuji think connect4\n  \
                  tesuji think go:9 --time 30s --position \"start moves E5\"\n  tesuji think tictactoe --player alphabeta\n  \
                  tesuji think othello --playouts 10000 --seed 7 --json\n  \
                  tesuji think samegame --player \"nmcts:[mcts@playouts=1000]\" --proof s.cert\n  \
                  tesuji think go:9 --player \"cluster:[mcts:rave]\" --workers 2"
)]
pub struct Args {
    #[command(flatten)]
    position: Position,
    /// Search; see `tesuji searches`
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    player: String,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    workers: Workers,
    /// Write a certificate of the solution to FILE, in games for one player
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Number of moves shown, 0 for all [default: 10; all with --json]
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The default time limit.
const TIME: Duration = Duration::from_secs(5);

/// The default number of moves shown.
pub const SHOWN: usize = 10;

#[derive(Serialize)]
struct ThinkReport {
    #[serde(flatten)]
    position: PositionReport,
    limits: Given,
    /// Absent if the game is over.
    #[serde(flatten)]
    result: Option<SearchResult<PointBounds>>,
    /// The certificate that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Verification>,
    /// What the workers did; absent without workers. It depends on the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<Work>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let session = args.position.open()?;
    check_proof(args, session.as_ref())?;
    let children = Children::default();
    let registered = args.workers.register(&children)?;
    let mut engine = Engine::for_analysis(&args.player, session.as_ref())?;
    let facts = session.facts();
    let to_move = session.to_move();
    let name = to_move.map(|player| session.player_name(player));
    let mut result = match to_move {
        None => None,
        Some(_) => {
            let stop = stop::flag_for(&children)?;
            Some(args.limits.think(&mut engine, session.as_ref(), TIME, None, stop, |report| live(report, &facts))?)
        }
    };
    let solution = result.as_ref().and_then(|result| result.report.solution.as_ref());
    let proof = match (&args.proof, solution) {
        (Some(file), Some(solution)) => Some(certify_solution(file, session.as_ref(), &solution.moves)?),
        (Some(_), None) => bail!("nothing was written: the search {} found no complete line", args.player),
        _ => None,
    };
    if args.json {
        if let (Some(result), Some(top @ 1..)) = (&mut result, args.top) {
            result.report.moves.truncate(top);
        }
        output::json(&ThinkReport {
            position: PositionReport::new(session.as_ref()),
            limits: args.limits.given(Some(TIME)),
            result: result.map(|result| result.in_points(&facts)),
            proof,
            cluster: registered.work(),
        })?;
    } else if let (Some(result), Some(name)) = (&result, name) {
        output::text(describe(result, name, &facts, args.top.unwrap_or(SHOWN)))?;
        if let Some(work) = registered.work() {
            output::text(format!("cluster: {}\n", work.describe()))?;
        }
        if let (Some(file), Some(proof)) = (&args.proof, &proof) {
            let claims: Vec<&str> = proof.claims.iter().map(|claim| claim.words.as_str()).collect();
            let bytes = output::grouped(proof.bytes);
            output::text(format!("wrote {}, {bytes} bytes, verified: {}\n", file.display(), claims.join("; ")))?;
        }
    } else if let Some(ending) = session.ending() {
        output::text(format!("game over: {}\n", ending.words))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a certificate that cannot be written, before the search.
fn check_proof(args: &Args, session: &dyn Session) -> anyhow::Result<()> {
    let Some(file) = &args.proof else { return Ok(()) };
    if session.facts().players != 1 {
        bail!(
            "--proof writes solutions of games for one player; `tesuji solve {} --proof FILE` proves results of others",
            session.spec()
        );
    }
    can_replace_file(file).with_context(|| format!("cannot write {}", file.display()))
}

/// Formats a running search in one line.
pub fn live(report: &Report<String>, facts: &Facts) -> String {
    let mut text = effort(report);
    if let Some(best) = report.moves.first().filter(|_| report.best.is_some()) {
        text += &format!("  {}", best.mv);
        if let Some(believed) = believed(report, facts) {
            text += &format!(" ({believed})");
        }
        let rest: Vec<&str> = report.variation.iter().skip(1).map(String::as_str).collect();
        text += &format!("  {}", rest.join(" "));
    }
    text
}

/// Formats the result of a search: the best move, value, bounds, line, effort, and the table of
/// moves.
pub fn describe(result: &SearchResult, name: &str, facts: &Facts, top: usize) -> String {
    let report = &result.report;
    let mut lines = Fields::default();
    let best = report.best.as_deref().unwrap_or("none");
    lines.add("best move", if facts.players == 1 { best.to_string() } else { format!("{best} for {name}") });
    if let Some(believed) = believed(report, facts) {
        lines.add(unit(facts), believed);
    }
    if let Some(proved) = bounds_text(&report.bounds, facts) {
        lines.add("bounds", proved);
    }
    if let Some(ProofNumbers { proof, disproof }) = report.proof_numbers {
        lines.add("pn, dn", format!("{}, {}", number(proof), number(disproof)));
    }
    if report.variation.len() > 1 {
        lines.add("line", report.variation.join(" "));
    }
    if let Some(found) = found(result) {
        lines.add("found", found);
    }
    let asked = if result.search == result.player { String::new() } else { format!(" ({})", result.player) };
    lines.add("search", format!("{}{asked}: {}", result.search, stopped(report.stopped)));
    if let Some(note) = result.note {
        lines.add("note", note);
    }
    let effort = effort(report);
    let mut spent = vec![seconds(result.timing.seconds)];
    if !effort.is_empty() {
        let (rate, unit) = match report.counters.playouts {
            0 => (result.timing.nodes_per_second, "nodes"),
            _ => (result.timing.playouts_per_second, "playouts"),
        };
        spent.push(effort);
        spent.push(format!("{} {unit}/s", output::grouped(rate.round() as u64)));
    }
    lines.add("effort", output::listed(&spent));
    let shown = if top == 0 { report.moves.len() } else { top.min(report.moves.len()) };
    let mut text = format!("{lines}\n{}", table(&report.moves[..shown], facts));
    let more = report.moves.len() - shown;
    if more > 0 {
        text += &format!("and {}\n", output::count(more as u64, "more move"));
    }
    text
}

/// Says when the solution was found, and what the best score was before.
fn found(result: &SearchResult) -> Option<String> {
    let solution = result.report.solution.as_ref()?;
    if solution.found_at_playout == 0 {
        return Some("by an earlier search".to_string());
    }
    let curve = &result.timing.curve;
    let at = curve.last().map_or(String::new(), |last| format!(" ({})", seconds(last.seconds)));
    let before: Vec<String> =
        earlier_scores(curve).map(|point| format!("{} after {}", point.score, seconds(point.seconds))).collect();
    let before = if before.is_empty() { String::new() } else { format!("; before: {}", before.join(", ")) };
    Some(format!("after {}{at}{before}", output::count(solution.found_at_playout, "playout")))
}

/// A few points of a curve before its last, each at about a quarter of the time of the next.
fn earlier_scores(curve: &[Improvement]) -> impl Iterator<Item = &Improvement> {
    let mut until = curve.last().map_or(0.0, |last| last.seconds / 4.0);
    let mut chosen: Vec<&Improvement> = Vec::new();
    while chosen.len() < 3
        && let Some(point) = curve.iter().rev().find(|point| point.seconds <= until)
    {
        chosen.push(point);
        until = point.seconds / 4.0;
    }
    chosen.into_iter().rev()
}

/// Formats a duration.
pub fn seconds(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", 1000.0 * seconds) } else { format!("{seconds:.2} s") }
}

/// Formats the counters of a search.
fn effort(report: &Report<String>) -> String {
    let counters = &report.counters;
    let mut parts = Vec::new();
    for (count, unit) in [(counters.playouts, "playout"), (counters.nodes, "node")] {
        if count > 0 {
            parts.push(output::count(count, unit));
        }
    }
    if counters.depth > 0 {
        parts.push(format!("depth {}", counters.depth));
    }
    parts.join(", ")
}

/// Returns the value of the root, if the search has one.
pub fn believed(report: &Report<String>, facts: &Facts) -> Option<String> {
    let formed = report.bounds.is_informative(facts) || report.moves.iter().any(|entry| entry.value.is_some());
    formed.then(|| value(report.value, None, facts))
}

/// Formats a value with its standard error; in games for one player, scaled to points.
fn value(value: f64, spread: Option<f64>, facts: &Facts) -> String {
    if facts.players == 1 {
        let (low, high) = (facts.points(facts.scores.0).value(), facts.points(facts.scores.1).value());
        let spread = spread.map_or(String::new(), |spread| format!("{FIXED_SPACE}±{:.1}", spread / 2.0 * (high - low)));
        return format!("{:.1}{spread}", low + (value + 1.0) / 2.0 * (high - low));
    }
    let spread = spread.map_or(String::new(), |spread| format!("{FIXED_SPACE}±{spread:.3}"));
    format!("{value:+.3}{spread}")
}

/// Returns the name of values.
pub fn unit(facts: &Facts) -> &'static str {
    if facts.players == 1 { "points" } else { "value" }
}

/// Formats a proof number.
pub fn number(proof: u32) -> String {
    if proof == INFINITE { "inf".to_string() } else { output::grouped(u64::from(proof)) }
}

/// Describes why a search ended.
pub fn stopped(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Finished => "finished",
        StopReason::Solved => "solved",
        StopReason::Time => "time limit reached",
        StopReason::Playouts => "playout limit reached",
        StopReason::Nodes => "node limit reached",
        StopReason::Memory => "memory limit reached",
        StopReason::Interrupted => "stopped",
        StopReason::Settled => "settled early",
    }
}

/// Returns the table of root moves, without empty columns.
fn table(moves: &[RootMove<String>], facts: &Facts) -> Table {
    type Text<'a> = Box<dyn Fn(&RootMove<String>) -> Option<String> + 'a>;
    let visits = |entry: &RootMove<String>| (entry.visits > 0 && entry.depth.is_none()).then_some(entry.visits);
    let bounded = |entry: &RootMove<String>| {
        let value = value(entry.value?, entry.spread, facts);
        Some(if entry.at_most { format!("≤{FIXED_SPACE}{value}") } else { value })
    };
    let columns: [(Column, Text<'_>); 7] = [
        (Column::left("move"), Box::new(|entry| Some(entry.mv.clone()))),
        (Column::right("visits"), Box::new(move |entry| visits(entry).map(output::grouped))),
        (Column::right("depth"), Box::new(|entry| entry.depth.map(|depth| depth.to_string()))),
        (Column::right(unit(facts)), Box::new(bounded)),
        (Column::right("pn"), Box::new(|entry| Some(number(entry.proof_numbers?.proof)))),
        (Column::right("dn"), Box::new(|entry| Some(number(entry.proof_numbers?.disproof)))),
        (Column::left("bounds"), Box::new(|entry| bounds_text(&entry.bounds, facts))),
    ];
    let known = columns.into_iter().filter(|(_, text)| moves.iter().any(|entry| text(entry).is_some()));
    let (columns, texts): (Vec<Column>, Vec<Text<'_>>) = known.unzip();
    let mut table = Table::new(columns);
    for entry in moves {
        table.row(texts.iter().map(|text| text(entry).unwrap_or_default()));
    }
    table
}
