//! `tesuji tsumego`: Go problems.

use crate::board::board;
use crate::command::limits::{Given, Limits};
use crate::command::ranges::count;
use crate::command::solve::size;
use crate::command::think::seconds;
use crate::progress::{LIVE, counting_bar, live_line};
use crate::table::{Column, Fields, Table, paragraph};
use crate::{output, stop};
use anyhow::{Context, bail};
use clap::{Args as ClapArgs, ValueEnum};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_catalog::{AUTO, ProofOutcome, can_replace_file, replace_file};
use tesuji_core::Limits as CoreLimits;
use tesuji_sgf::Record;
use tesuji_tsumego::{
    Answer, Board, CollectionPlan, CollectionProgress, Details, Effort, Goal, Marks, Outcome, Refutation, Row, Solver,
    Tally, Task, Wanted, Wishes, annotated, candidates, collection, refute, tally, words,
};

/// Arguments of `tesuji tsumego`.
#[derive(ClapArgs)]
#[command(
    after_help = "The file is SGF: stones, the player to move, and optionally marks (MA, TR, SQ, CR). Marked stones are those in \
                  question, marked empty points the region; the comment of the root may state the goal, as goal=kill. What the file \
                  leaves out is found from the stones: the largest group whose status changes with the player to move, and regions \
                  that are widened while the limits allow it. The answer holds in the region that is reported.\n\nGoals: live, save \
                  (a block), kill, capture (a block), semeai (a capturing race), connect, connect-under, cut. A verdict counts ko \
                  threats: unconditional; ko, in which the opponent or the mover must find the first threat; approach-move ko. The \
                  limits are for all questions of a problem together. Ctrl-C ends with what is known.\n\n\
                  --all compares every problem of a collection with the first move of the book: the first variation, unless another \
                  one is marked correct or it is marked wrong. With --log the same command resumes. Exit code 0: the verdict is known, \
                  with a verified proof if one was requested; 1: it is open (with --all: the run was stopped).\n\nExamples:\n  \
                  tesuji tsumego problem.sgf\n  \
                  tesuji tsumego book.sgf --number 12 --time 30s --move C3\n  \
                  tesuji tsumego problem.sgf --target D4 --goal capture --proof p && tesuji verify p\n  \
                  tesuji tsumego problem.sgf --region A1:F6 --write solved.sgf\n  \
                  tesuji tsumego book.sgf --all --time 1s --log book.jsonl"
)]
pub struct Args {
    /// SGF file with one problem or several
    file: PathBuf,
    /// Number of the problem in the file, from 1
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true, conflicts_with = "all")]
    number: Option<u64>,
    /// Solve all problems of the file and compare them with the book
    #[arg(long, conflicts_with_all = ["target", "moves", "write", "proof"])]
    all: bool,
    /// Stone of a block in question; repeat it for several blocks
    #[arg(long, value_name = "POINT")]
    target: Vec<String>,
    /// Goal of the player to move: live, save, kill, capture, semeai, connect, connect-under or cut
    #[arg(long, value_parser = |text: &str| text.parse::<Goal>())]
    goal: Option<Goal>,
    /// Region: near, wide, box, auto (each in turn), two corners such as A1:F6, or points such as
    /// A1,B1,B2
    #[arg(long, value_name = "REGION", default_value = "auto", value_parser = Wanted::parse)]
    region: Wanted,
    /// Solver; see `tesuji searches`
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    by: String,
    #[command(flatten)]
    limits: Limits,
    /// Also report what this first move does; repeat it for several moves
    #[arg(long = "move", value_name = "MOVE")]
    moves: Vec<String>,
    /// What to call a bent four in the corner: ko, or dead as under Japanese rules
    #[arg(long, value_enum, default_value_t = BentFour::Ko)]
    bent4: BentFour,
    /// Write a proof of the verdict to this file and verify it; see `tesuji verify` and `tesuji
    /// walk`
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Write the problem with the answer as variations to this SGF file
    #[arg(long, value_name = "OUT.sgf")]
    write: Option<PathBuf>,
    /// Log of results, one JSON object per line; resumes a stopped run
    #[arg(long, value_name = "FILE", requires = "all")]
    log: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a bent four in the corner is called.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BentFour {
    Ko,
    Dead,
}

/// The default time limit of a problem.
const TIME: Duration = Duration::from_secs(10);

/// The default memory limit. A problem is many small searches, and each begins with an empty table;
/// raising it makes each begin later.
const MEMORY: usize = 256 << 20;

#[derive(Serialize)]
struct ProblemReport {
    file: PathBuf,
    number: usize,
    name: Option<String>,
    limits: Given,
    verdict_words: String,
    notes: Vec<String>,
    #[serde(flatten)]
    answer: Answer,
    refutations: Vec<Refutation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<ProofOutcome>,
    timing: Timing,
}

/// Everything that depends on the clock.
#[derive(Serialize)]
struct Timing {
    seconds: f64,
}

#[derive(Serialize)]
struct CollectionReport {
    file: PathBuf,
    limits: Given,
    goals: std::collections::BTreeMap<String, Tally>,
    all: Tally,
    problems: Vec<Row>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut records = tesuji_sgf::read_file(&args.file)?;
    if args.all {
        return run_all(args, &records);
    }
    let number = chosen(&args.file, args.number, records.len(), "choose one with --number, or --all")?;
    run_one(args, number, &records.swap_remove(number - 1))
}

/// Returns the number of the chosen problem of a file; `how` says how to choose one.
pub fn chosen(file: &Path, number: Option<u64>, problems: usize, how: &str) -> anyhow::Result<usize> {
    let file = file.display();
    match number {
        None if problems == 1 => Ok(1),
        None => bail!("{file} has {problems} problems; {how}"),
        Some(number) if (1..=problems as u64).contains(&number) => Ok(number as usize),
        Some(number) => bail!("{file} has no problem {number}; expected a number from 1 to {problems}"),
    }
}

/// Returns the limits of a problem.
fn limits(args: &Args, stop: &AtomicBool) -> CoreLimits {
    let limits = args.limits.turn(TIME, stop).limits;
    CoreLimits { memory: limits.memory.or(Some(MEMORY)), nodes: limits.nodes.or(limits.playouts), ..limits }
}

fn run_one(args: &Args, number: usize, record: &Record) -> anyhow::Result<ExitCode> {
    for file in args.write.iter().chain(&args.proof) {
        can_replace_file(file).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let session = record.open(Some(0))?;
    let go_board = Board::of(session.as_ref())?;
    let marks = Marks::of(record, &go_board);
    let wishes = Wishes { targets: args.target.clone(), goal: args.goal };
    let found = candidates(&go_board, &marks, &wishes)?;
    let task = Task::new(&go_board, &found, &marks, &args.region)?;
    let bar = live_line("solving".to_string())?;
    let observer = |question: &str, nodes: u64| {
        bar.set_message(format!("{question}  {}", output::count(nodes, "node")));
    };
    let stop = stop::flag()?;
    let ((seed, threads, _), limits) = (args.limits.endless(), limits(args, stop));
    let mut solver = Solver::new(Effort {
        by: &args.by,
        limits,
        seed,
        threads,
        stop,
        observer: (!bar.is_hidden()).then_some((LIVE, &observer)),
    });
    let answer = tesuji_tsumego::answer(&mut solver, &task, Details { moves: true, kinds: true })?;
    let mut refutations = Vec::new();
    for mv in &args.moves {
        refutations.push(refute(&mut solver, &answer, mv)?);
    }
    let took = solver.elapsed().as_secs_f64();
    let proof = match &args.proof {
        Some(file) if answer.is_decided() => Some(solver.prove(answer.question(), file.clone())?),
        Some(_) => Some(ProofOutcome::NotCertified("the verdict is open".to_string())),
        None => None,
    };
    bar.finish_and_clear();
    if let Some(file) = &args.write {
        let text = annotated(record, 0, &go_board, &answer, &refutations);
        replace_file(file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let has_failed = !answer.is_decided() || matches!(proof, Some(ProofOutcome::NotCertified(_)));
    let is_dead = args.bent4 == BentFour::Dead;
    if args.json {
        output::json(&ProblemReport {
            file: args.file.clone(),
            number,
            name: record.header("GN"),
            limits: args.limits.given(Some(TIME)).with_memory(limits.memory.unwrap_or(MEMORY)),
            verdict_words: words::verdict(&answer, is_dead),
            notes: words::notes(&answer),
            answer,
            refutations,
            proof,
            timing: Timing { seconds: took },
        })?;
    } else {
        output::text(describe(args, &answer, &refutations, proof.as_ref(), took)?)?;
    }
    Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Formats the answer to a problem, below its board.
fn describe(
    args: &Args,
    answer: &Answer,
    refutations: &[Refutation],
    proof: Option<&ProofOutcome>,
    took: f64,
) -> anyhow::Result<String> {
    let problem = answer.problem();
    let session = problem.open(answer.question().level, "")?;
    let mut fields = Fields::default();
    fields.add("question", words::question(answer));
    fields.add("verdict", words::verdict(answer, args.bent4 == BentFour::Dead));
    if answer.line.len() > 1 {
        fields.add("line", answer.line.join(" "));
    }
    for note in words::notes(answer) {
        fields.add("note", note);
    }
    for refuted in refutations {
        fields.add("move", words::refutation(answer, refuted));
    }
    fields.add("region", format!("{}, {}", answer.region, output::count(answer.empty_points as u64, "empty point")));
    fields.add("solver", format!("{}, {}, {}", answer.solver, output::count(answer.nodes, "node"), seconds(took)));
    match (proof, &args.proof) {
        (Some(ProofOutcome::Written(written)), Some(file)) => {
            fields.add("proof", format!("{}: {}, verified", file.display(), size(written)));
        }
        (Some(ProofOutcome::NotCertified(reason)), _) => fields.add("proof", format!("no proof written: {reason}")),
        _ => {}
    }
    Ok(format!("{}{fields}", board(session.as_ref())))
}

fn run_all(args: &Args, records: &[Record]) -> anyhow::Result<ExitCode> {
    let stop = stop::flag()?;
    let ((seed, threads, _), limits) = (args.limits.endless(), limits(args, stop));
    let bar = counting_bar(Some(records.len() as u64), "problems")?;
    let plan = CollectionPlan {
        records,
        wishes: Wishes { targets: Vec::new(), goal: args.goal },
        region: args.region.clone(),
        settings: settings(args, &limits),
        effort: Effort { by: &args.by, limits, seed, threads, stop, observer: None },
        log: args.log.clone(),
    };
    let begun = std::sync::Once::new();
    let rows = collection(&plan, &|CollectionProgress { done, rows, .. }| {
        bar.set_position(done as u64);
        // Problems from the log took no time and must not count for the estimate.
        begun.call_once(|| bar.reset_eta());
        let all = tally(rows).1;
        bar.set_message(format!("{} decided, {} differ", all.decided, all.differs));
    })?;
    bar.finish_and_clear();
    let is_complete = rows.len() == records.len();
    let (goals, all) = tally(&rows);
    if args.json {
        let limits = args.limits.given(Some(TIME)).with_memory(limits.memory.unwrap_or(MEMORY));
        output::json(&CollectionReport { file: args.file.clone(), limits, goals, all, problems: rows })?;
    } else {
        let mut table = Table::new(
            [Column::left("goal")]
                .into_iter()
                .chain(["problems", "decided", "agrees", "differs", "open"].map(Column::right)),
        );
        for (goal, tally) in goals.iter().map(|(goal, tally)| (goal.as_str(), tally)).chain([("all", &all)]) {
            let counts = [tally.problems, tally.decided, tally.agrees, tally.differs, tally.open];
            table.row([goal.to_string()].into_iter().chain(counts.map(|count| count.to_string())));
        }
        let mut text = table.to_string();
        for row in rows.iter().filter(|row| row.outcome == Outcome::Differs) {
            text += &paragraph(&format!("{} ({}): book {}; {}", row.number, row.name, row.book.join(" "), row.words));
        }
        if !is_complete {
            let how = if args.log.is_some() {
                "run the same command to resume"
            } else {
                "add --log FILE to be able to resume"
            };
            text += &format!("stopped; {how}\n");
        }
        output::text(text)?;
    }
    Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes what the results of a log depend on besides the problems.
fn settings(args: &Args, limits: &CoreLimits) -> String {
    let mut parts = vec![format!("by {}", args.by)];
    parts.extend(limits.time.map(|time| format!("time {}s", time.as_secs_f64())));
    parts.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.extend(args.goal.map(|goal| format!("goal {goal}")));
    parts.push(format!("region {}", args.region));
    parts.join(", ")
}
