//! `tesuji inversions`: the moves of the losing side that change the result of a Go problem.

use crate::command::position::PositionReport;
use crate::command::ranges::{count, memory, whole};
use crate::command::think::seconds;
use crate::command::tsumego::chosen;
use crate::progress::{LIVE, counting_bar, live_line};
use crate::table::Fields;
use crate::{output, stop};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Instant;
use tesuji_catalog::{AUTO, Session};
use tesuji_core::view::Piece;
use tesuji_core::{Limits, View};
use tesuji_tsumego::{
    Answer, Board, Details, Effect, Effort, Goal, Inversion, InversionPlan, Inversions, Marks, Problem, Scale, Solver,
    Task, Wanted, Wishes, candidates, inversions, words,
};

/// Arguments of `tesuji inversions`.
#[derive(ClapArgs)]
#[command(
    after_help = "A result of life or capture depends on a zone of points: whatever happens elsewhere, it stays. An inversion is a point \
                  of the zone where a move of the losing side changes the result if the winner ignores it: a threat, which the winner \
                  must answer. Every free point of the zone is tried.\n\n  \
                  ! strong   the result without ko threats changes\n  \
                  v lowers   it stays, but with ko threats the winner gets less\n  \
                  ? weak     open: the budget does not suffice\n  \
                  + zone     a stone here changes nothing\n\nThe verdict is that for the player to move, as in `tesuji tsumego`. \
                  A group that lives by seki or repetition has no zone; then all points of the region are tried. Exit code 0: every \
                  point was tried; 1: the result itself is open, or the run was stopped.\n\nExamples:\n  \
                  tesuji inversions problem.sgf\n  \
                  tesuji inversions book.sgf --number 12 --nodes 100000\n  \
                  tesuji inversions game.sgf --target D4 --goal capture --region box --quick\n  \
                  tesuji inversions capture:7 --position \",,,,,,,/,,,,,,,/,,,,,,,/,,,,,,,/XXXXXXX/XwwwwwX/Xw...wX X - 0 0,0\""
)]
pub struct Args {
    /// SGF file with one problem or several; with --position, a problem game such as life:9
    problem: String,
    /// Position of the game, as `tesuji show` prints it
    #[arg(long, conflicts_with_all = ["number", "target", "goal", "region"])]
    position: Option<String>,
    /// Number of the problem in the file, from 1
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    number: Option<u64>,
    /// Stone of a block in question; repeat it for several blocks
    #[arg(long, value_name = "POINT")]
    target: Vec<String>,
    /// Goal of the player to move: live, save, kill or capture
    #[arg(long, value_parser = |text: &str| text.parse::<Goal>())]
    goal: Option<Goal>,
    /// Region: near, wide, box, auto (each in turn), or two corners such as A1:F6
    #[arg(long, value_name = "REGION", default_value = "near", value_parser = Wanted::parse)]
    region: Wanted,
    /// Solver; see `tesuji searches`
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    by: String,
    /// Budget of nodes of each question about a point; the result itself gets 1,000 times as many
    #[arg(long, default_value_t = 10_000, value_parser = count, allow_hyphen_values = true)]
    nodes: u64,
    /// Leave out points outside the zone of a result that stayed the same, which presumes that a
    /// stone never hurts its owner (Yoshizoe 2009)
    #[arg(long)]
    quick: bool,
    /// Memory limit of the solver, for example 512M
    #[arg(long, default_value = "64M", value_parser = memory, allow_hyphen_values = true)]
    memory: usize,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX), allow_hyphen_values = true)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The nodes for the result, in budgets of a point. Raising it decides more results.
const BASE_BUDGETS: u64 = 1_000;

/// The largest table for a question about a point. Raising it makes each begin later.
const POINT_MEMORY: usize = 4 << 20;

#[derive(Serialize)]
struct Report {
    problem: String,
    number: Option<usize>,
    nodes_per_question: u64,
    quick: bool,
    seed: u64,
    #[serde(flatten)]
    position: PositionReport,
    verdict_words: String,
    answer: Answer,
    inversions: Inversions,
    timing: Timing,
}

/// Everything that depends on the clock.
#[derive(Serialize)]
struct Timing {
    seconds: f64,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (number, task) = task(args)?;
    let begin = Instant::now();
    let stop = stop::flag()?;
    let bar = live_line("solving".to_string())?;
    let observer = |question: &str, nodes: u64| {
        bar.set_message(format!("{question}  {}", output::count(nodes, "node")));
    };
    let nodes = args.nodes.saturating_mul(BASE_BUDGETS);
    let limits = Limits { time: None, nodes: Some(nodes), playouts: None, memory: Some(args.memory) };
    let effort = Effort { by: &args.by, limits, seed: args.seed, threads: 1, stop, observer: None };
    let watched = Effort { observer: (!bar.is_hidden()).then_some((LIVE, &observer)), ..effort };
    let answer = tesuji_tsumego::answer(&mut Solver::new(watched), &task, Details::default())?;
    bar.finish_and_clear();
    let bar = counting_bar(Some(0), "points")?;
    let memory = args.memory.min(POINT_MEMORY.max(args.nodes as usize));
    let limits = Limits { memory: Some(memory), ..limits };
    let plan = InversionPlan { effort: Effort { limits, ..effort }, budget: args.nodes, quick: args.quick };
    let found = inversions(&answer, &plan, &|done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let found = match found {
        Err(error @ tesuji_tsumego::TsumegoError::OpenResult(_)) => {
            eprintln!("{error}");
            return Ok(ExitCode::FAILURE);
        }
        found => found?,
    };
    let took = begin.elapsed().as_secs_f64();
    let session = answer.problem().open(answer.question().level, "")?;
    let is_complete = found.untried == 0;
    if args.json {
        output::json(&Report {
            problem: args.problem.clone(),
            number,
            nodes_per_question: args.nodes,
            quick: args.quick,
            seed: args.seed,
            position: PositionReport::new(session.as_ref()),
            verdict_words: words::verdict(&answer, false),
            answer,
            inversions: found,
            timing: Timing { seconds: took },
        })?;
    } else {
        output::text(format!("{}{}", drawn(session.as_ref(), &found), described(args, &answer, &found, took)))?;
    }
    Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Reads the problem: its number in the file, and what is asked.
fn task(args: &Args) -> anyhow::Result<(Option<usize>, Task)> {
    if let Some(position) = &args.position {
        let session = tesuji_catalog::open(&args.problem, position)?;
        return Ok((None, Task::of(Problem::of(session.as_ref())?)));
    }
    let file = std::path::Path::new(&args.problem);
    let mut records = tesuji_sgf::read_file(file)?;
    let number = chosen(file, args.number, records.len(), "choose one with --number")?;
    let record = records.swap_remove(number - 1);
    let board = Board::of(record.open(Some(0))?.as_ref())?;
    let marks = Marks::of(&record, &board);
    let wishes = Wishes { targets: args.target.clone(), goal: args.goal };
    let found = candidates(&board, &marks, &wishes)?;
    Ok((Some(number), Task::new(&board, &found, &marks, &args.region)?))
}

fn symbol(effect: Effect) -> &'static str {
    match effect {
        Effect::Strong => "!",
        Effect::Lowers => "v",
        Effect::Weak => "?",
    }
}

/// The board with a sign on every free point of the zone.
fn drawn(session: &dyn Session, found: &Inversions) -> View {
    let mut view = session.view();
    let is_free = |piece: &Option<Piece>| piece.as_ref().is_none_or(|piece| piece.owner.is_none());
    for cell in view.cells.iter_mut().filter(|cell| is_free(&cell.piece)) {
        let inversion = found.points.iter().find(|inversion| inversion.point == cell.name);
        let is_in_zone = found.zone.as_ref().is_some_and(|zone| zone.contains(&cell.name));
        let symbol = inversion.map(|inversion| symbol(inversion.effect)).or(is_in_zone.then_some("+"));
        if let Some(symbol) = symbol {
            cell.piece = Some(Piece { symbol: symbol.to_string(), owner: None });
        }
    }
    view.hands.clear();
    view
}

/// Formats what was found, below its board.
fn described(args: &Args, answer: &Answer, found: &Inversions, took: f64) -> Fields {
    let mut fields = Fields::default();
    fields.add(
        "question",
        format!("{} to play, goal {}, {} in question", answer.mover, answer.goal, answer.targets.join(" ")),
    );
    fields.add("verdict", words::verdict(answer, false));
    let zone = found.zone.as_ref().map_or("none known: all points of the region are tried".to_string(), |zone| {
        format!("{}; + marks free ones without effect", output::count(zone.len() as u64, "point"))
    });
    fields.add("zone", zone);
    fields.add("stones of", format!("{} (the loser, moving first while {} passes)", found.loser, found.winner));
    for (effect, title) in [(Effect::Strong, "strong"), (Effect::Lowers, "lowers"), (Effect::Weak, "weak")] {
        let points: Vec<String> = found
            .points
            .iter()
            .filter(|inversion| inversion.effect == effect)
            .map(|inversion| with_verdict(inversion, found))
            .collect();
        let listed = if points.is_empty() { "none".to_string() } else { output::listed(&points) };
        fields.add(title, format!("{} {listed}", symbol(effect)));
    }
    let mut effort = vec![output::count(found.tried as u64, "point"), output::count(found.nodes, "node")];
    effort.extend((found.untried > 0).then(|| format!("stopped with {} untried", found.untried)));
    effort.push(seconds(took));
    fields.add("effort", output::listed(&effort));
    let budget = output::count(args.nodes, "node");
    fields.add("solver", format!("{}, at most {budget} for a question about a point", answer.solver));
    fields
}

/// A point with the verdicts before and after.
fn with_verdict(inversion: &Inversion, found: &Inversions) -> String {
    format!("{} ({} becomes {})", inversion.point, scale(found.verdict), scale(inversion.verdict))
}

/// A verdict, or its bounds.
fn scale(scale: Scale) -> String {
    match scale.verdict() {
        Some(level) => level.name().to_string(),
        None => format!("{} to {}", scale.at_least.name(), scale.at_most.name()),
    }
}
