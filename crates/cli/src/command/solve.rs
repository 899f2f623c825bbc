//! `tesuji solve`: the value of a position.

use crate::command::limits::{Given, Limits};
use crate::command::position::{Position, PositionReport};
use crate::command::ranges::count;
use crate::command::think::{number, seconds, stopped};
use crate::command::workers::{Work, Workers};
use crate::progress::{LIVE, live_line};
use crate::table::{Column, Fields, Table};
use crate::{output, stop};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use tesuji_catalog::{
    AUTO, CheckpointSettings, Goal, ProofOutcome, Session, Side, Sides, Solution, SolvePlan, SolveStage, Verification,
};
use tesuji_core::{Facts, ProofNumbers, StopReason, Verdict};
use tesuji_gtp::Children;

/// Arguments of `tesuji solve`.
#[derive(ClapArgs)]
#[command(
    after_help = "Goals: value (win, draw or loss), score (the exact score), and the yes/no questions win, draw (at least a draw) and \
                  score=K (at least K). In a game for more than two, each player in turn is solved against all others. If \
                  both bounds of the value are proven, the line is one in which every player keeps to its bound, so a line \
                  that reaches the end of the game ends with the value.\n\nCtrl-C ends the search with the bounds found so \
                  far and writes the checkpoint. The limits apply to the search, not to writing the proof. Exit code 0: solved \
                  (yes or no), with a verified proof if one was requested; 1: not solved, or no proof (a finished game has \
                  none).\n\nExamples:\n  tesuji solve hex:4 --proof hex4.proof\n  tesuji solve connect4:6x5 --threads 2\n  \
                  tesuji solve othello:4 --goal score\n  tesuji solve rolit:4,players=3 --goal score\n  \
                  tesuji solve loa:5 --by pn2 --time 1m --memory 512M\n  \
                  tesuji solve tictactoe --position \"start moves a1 b2\" --all-moves\n  \
                  tesuji solve breakthrough:5 --checkpoint b.tj\n  \
                  tesuji solve breakthrough:5 --checkpoint b.tj --resume\n  \
                  tesuji solve connect4:6x5 --by \"cluster:[dfpn]\" --workers 2"
)]
pub struct Args {
    #[command(flatten)]
    position: Position,
    /// Goal: value, win, draw, score or score=K
    #[arg(long, default_value_t = Goal::Value)]
    goal: Goal,
    /// Solver; see `tesuji searches`
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    by: String,
    /// Player to solve for, by name or seat, or "all" [default: the player to move; all in games
    /// for more than two]
    #[arg(long, value_name = "NAME")]
    side: Option<String>,
    /// Solve every move separately
    #[arg(long)]
    all_moves: bool,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    workers: Workers,
    /// Write a proof to this file and verify it; see `tesuji verify` and `tesuji walk`
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Report the points that the result depends on: changes of others do not change it (in games
    /// that know it)
    #[arg(long)]
    zone: bool,
    /// Write a checkpoint to this file every minute or every tenth of the total time, whichever is
    /// longer, and at the end
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Resume from the checkpoint
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Also write a checkpoint after this number of nodes
    #[arg(long, value_name = "N", requires = "checkpoint", hide = true, value_parser = count)]
    checkpoint_nodes: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The limit on the nodes for finding a zone, about a second. Raising it finds the zones of larger
/// proofs.
const ZONE_NODES: u64 = 1_000_000;

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    position: PositionReport,
    limits: Given,
    /// Why there is no proof of a finished game; otherwise part of the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<ProofOutcome>,
    /// Absent if the game is over.
    #[serde(flatten)]
    solution: Option<Solution>,
    /// What the workers did; absent without workers. It depends on the clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<Work>,
}

/// Solves the position with a progress line.
fn solve(args: &Args, session: &dyn Session, memory: usize, stop: &AtomicBool) -> anyhow::Result<Option<Solution>> {
    let facts = session.facts();
    let (seed, threads, limits) = args.limits.endless();
    let bar = live_line("solving".to_string())?;
    let observer = |stage: SolveStage<'_>| bar.set_message(live(&stage, &facts, memory, bar.elapsed().as_secs_f64()));
    let plan = SolvePlan {
        goal: args.goal,
        by: args.by.clone(),
        sides: match &args.side {
            None => Sides::Usual,
            Some(all) if all == "all" => Sides::All,
            Some(name) => Sides::One(name.clone()),
        },
        all_moves: args.all_moves,
        limits,
        seed,
        threads,
        stop,
        checkpoint: args.checkpoint.as_ref().map(|file| CheckpointSettings {
            file: file.clone(),
            resume: args.resume,
            every_nodes: args.checkpoint_nodes,
        }),
        proof: args.proof.clone(),
        zone: args.zone.then_some(ZONE_NODES),
        observer: (!bar.is_hidden()).then_some((LIVE, &observer)),
    };
    let solved = tesuji_catalog::solve(session, &plan);
    bar.finish_and_clear();
    Ok(solved?)
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let session = args.position.open()?;
    let facts = session.facts();
    let memory = args.limits.endless().2.memory.unwrap_or(tesuji_core::DEFAULT_MEMORY);
    let children = Children::default();
    let registered = args.workers.register(&children)?;
    let solution = solve(args, session.as_ref(), memory, stop::flag_for(&children)?)?;
    let work = registered.work();
    let is_done =
        |solution: &Solution| solution.solved && !matches!(solution.proof, Some(ProofOutcome::NotCertified(_)));
    // A missing proof that was requested is not a success.
    let is_done = solution.as_ref().map_or(args.proof.is_none(), is_done);
    let no_proof = (solution.is_none() && args.proof.is_some()).then(|| "the game is over".to_string());
    let not_written = solution.as_ref().and_then(|solution| solution.not_written.clone());
    if let Some(reason) = solution.as_ref().and_then(|solution| solution.not_kept.as_ref()) {
        eprintln!("cannot write the checkpoint: {reason}");
    }
    if args.json {
        output::json(&Report {
            position: PositionReport::new(session.as_ref()),
            limits: args.limits.given(None).with_memory(solution.as_ref().map_or(memory, |solution| solution.memory)),
            proof: no_proof.map(ProofOutcome::NotCertified),
            solution,
            cluster: work,
        })?;
    } else if let Some(solution) = &solution {
        output::text(describe(solution, args, &facts, work.as_ref()))?;
    } else if let Some(ending) = session.ending() {
        output::text(format!("game over: {}\n", ending.words))?;
        if let Some(reason) = no_proof {
            output::text(format!("no proof written: {reason}\n"))?;
        }
    }
    if let (Some(reason), Some(file)) = (not_written, &args.proof) {
        anyhow::bail!("proof {}: {reason}", file.display());
    }
    Ok(if is_done { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Formats a run in one line: question, proof numbers, speed, fill of the table and current line.
fn live(stage: &SolveStage<'_>, facts: &Facts, memory: usize, seconds: f64) -> String {
    let (name, mv, at_least, report, nodes) = match stage {
        SolveStage::Asking { name, mv, at_least, report, nodes } => (name, mv, at_least, report, nodes),
        SolveStage::WritingCheckpoint => return "writing the checkpoint".to_string(),
        SolveStage::WritingProof { positions } => {
            return format!("writing the proof, {}", output::count(*positions, "position"));
        }
    };
    let wanted = match (facts.sign_is_result(), at_least) {
        (true, 1) => "a win".to_string(),
        (true, 0) => "at least a draw".to_string(),
        _ => format!("at least {}", facts.points(*at_least)),
    };
    let after = mv.map_or(String::new(), |mv| format!(" after {mv}"));
    let numbers = report.proof_numbers.map_or(String::new(), numbers);
    let fill = 100.0 * report.counters.bytes as f64 / memory as f64;
    let rate = if seconds > 0.0 { *nodes as f64 / seconds } else { 0.0 };
    format!(
        "{name}: {wanted}{after}?  {numbers}  {} nodes/s  {fill:.1}% full  {}",
        output::grouped(rate.round() as u64),
        report.variation.join(" ")
    )
}

fn numbers(ProofNumbers { proof, disproof }: ProofNumbers) -> String {
    format!("pn {}, dn {}", number(proof), number(disproof))
}

/// Formats a solution.
fn describe(solution: &Solution, args: &Args, facts: &Facts, work: Option<&Work>) -> String {
    let mut lines = Fields::default();
    let mut text = String::new();
    if let [side] = solution.sides.as_slice() {
        for (title, text) in one_side(side, args.goal, facts) {
            lines.add(title, text);
        }
    } else {
        text = format!("{}\n", all_sides(&solution.sides, args.goal));
    }
    let why = match (&solution.why, solution.solver == solution.by) {
        (Some(why), _) => format!(" ({}: {why})", solution.by),
        (None, _) => String::new(),
    };
    let end = match solution.stopped {
        StopReason::Solved => match solution.sides.as_slice() {
            [Side { answer: Some(answer), .. }] => format!("solved: {}", yes_or_no(*answer)),
            _ => "solved".to_string(),
        },
        reason => stopped(reason).to_string(),
    };
    let asked = args.limits.endless().1;
    let alone = if solution.threads < asked { " on one thread (it cannot use more)" } else { "" };
    lines.add("solver", format!("{}{why}{alone}: {end}", solution.solver));
    if let Some(note) = solution.note {
        lines.add("note", note);
    }
    lines.add("effort", effort(solution));
    if let ([Side { zone: Some(zone), .. }], true) = (solution.sides.as_slice(), args.zone) {
        let cells = zone.cells.as_ref().map_or("the whole board".to_string(), |cells| cells.join(" "));
        lines.add("zone", format!("{cells} ({})", output::count(zone.positions, "position")));
    } else if args.zone {
        lines.add("zone", "the game or the result has none");
    }
    if let Some(work) = work {
        lines.add("cluster", work.describe());
    }
    if let Some(proof) = proof(solution, args) {
        lines.add("proof", proof);
    }
    if let (Some(file), None) = (&args.checkpoint, &solution.not_kept) {
        let how = if solution.solved { "" } else { "; add --resume to continue" };
        lines.add("checkpoint", format!("{}{how}", file.display()));
    }
    text += &lines.to_string();
    for side in solution.sides.iter().filter(|side| !side.moves.is_empty()) {
        text += &format!("\n{}", moves(side, facts));
    }
    text
}

/// Describes the proof; `None` if nothing is solved and no proof was requested.
fn proof(solution: &Solution, args: &Args) -> Option<String> {
    let is_answered = solution.sides.iter().any(|side| side.words.is_some());
    match (&solution.proof, &args.proof) {
        (Some(ProofOutcome::Written(written)), Some(file)) => {
            let took = seconds(solution.timing.proof_seconds);
            Some(format!("{}: {}, written and verified in {took}", file.display(), size(written)))
        }
        (Some(ProofOutcome::NotCertified(reason)), _) if is_answered => {
            Some(format!("no proof written, this is a search result only: {reason}"))
        }
        (Some(ProofOutcome::NotCertified(reason)), _) => Some(format!("no proof written: {reason}")),
        _ => is_answered.then(|| "no proof written (add --proof FILE)".to_string()),
    }
}

/// Formats the size of a certificate.
pub fn size(written: &Verification) -> String {
    let (positions, bytes) = (output::count(written.positions, "position"), output::count(written.bytes, "byte"));
    format!("{positions}, {bytes}, {:.2} bytes per position", written.bytes_per_position)
}

fn effort(solution: &Solution) -> String {
    let counters = &solution.counters;
    let mut parts = vec![
        seconds(solution.timing.seconds),
        output::count(counters.nodes, "node"),
        format!("{} nodes/s", output::grouped(solution.timing.nodes_per_second.round() as u64)),
        format!("{} of memory", bytes(counters.bytes)),
    ];
    if solution.earlier_nodes > 0 {
        let earlier = output::count(solution.earlier_nodes, "node");
        parts.push(format!("earlier runs {} and {earlier}", seconds(solution.timing.earlier_seconds)));
    }
    output::listed(&parts)
}

/// Formats a size.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| bytes >= *unit) {
        Some((unit, name)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => output::count(bytes, "byte"),
    }
}

fn yes_or_no(answer: bool) -> &'static str {
    if answer { "yes" } else { "no" }
}

/// Formats the question of a goal; `None` if it is not a yes/no question.
fn question(goal: Goal, name: &str) -> Option<String> {
    match goal {
        Goal::Value | Goal::Score => None,
        Goal::Win => Some(format!("does {name} win?")),
        Goal::Draw => Some(format!("does {name} get at least a draw?")),
        Goal::AtLeast(score) => Some(format!("does {name} get a score of at least {score}?")),
    }
}

fn one_side(side: &Side, goal: Goal, facts: &Facts) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(question) = question(goal, side.name) {
        rows.push(("question", format!("{question} {}", side.answer.map_or("unknown", yes_or_no))));
    }
    let value = side.words.clone().unwrap_or_else(|| "unknown".to_string());
    rows.push(("value", if facts.players == 1 { value } else { format!("{value} for {}", side.name) }));
    let good = good_moves(side);
    let is_won = facts.sign_is_result() && side.bounds.verdict() == Some(Verdict::Win);
    let title = match (is_won, good.len()) {
        (true, 0..=1) => "winning move",
        (true, _) => "winning moves",
        (false, 0..=1) => "best move",
        (false, _) => "best moves",
    };
    if !good.is_empty() {
        rows.push((title, good.join(" ")));
    } else if let Some(best) = &side.best {
        rows.push((title, best.clone()));
    }
    if side.variation.len() > 1 {
        rows.push(("line", side.variation.join(" ")));
    }
    if let Some(open) = side.proof_numbers.filter(|_| !side.solved) {
        rows.push(("pn, dn", numbers(open)));
    }
    rows
}

/// Returns the moves that keep the value; empty if they were not solved separately.
fn good_moves(side: &Side) -> Vec<&str> {
    let is_good = |bounds: &tesuji_core::Bounds| bounds.at_least >= side.bounds.at_least;
    let solved = side.moves.iter().filter(|entry| side.solved && entry.solved);
    solved.filter(|entry| is_good(&entry.bounds)).map(|entry| entry.mv.as_str()).collect()
}

fn all_sides(sides: &[Side], goal: Goal) -> Table {
    let is_question = question(goal, "").is_some();
    let titles = ["player"].into_iter().chain(is_question.then_some("answer")).chain(["value", "line"]);
    let mut table = Table::new(titles.map(Column::left));
    for side in sides {
        let value = side.words.as_deref().unwrap_or("unknown");
        let open = if side.solved { "" } else { " so far" };
        let answer = is_question.then(|| side.answer.map_or("unknown", yes_or_no).to_string());
        let rest = [format!("{value}{open}"), side.variation.join(" ")];
        table.row([side.name.to_string()].into_iter().chain(answer).chain(rest));
    }
    table
}

fn moves(side: &Side, facts: &Facts) -> Table {
    let title = if facts.players == 1 { "value".to_string() } else { format!("value for {}", side.name) };
    let mut table = Table::new([Column::left("move"), Column::left(title)]);
    for entry in &side.moves {
        let value = entry.words.as_deref().unwrap_or("unknown");
        let open = if entry.solved { "" } else { " so far" };
        table.row([entry.mv.clone(), format!("{value}{open}")]);
    }
    table
}
