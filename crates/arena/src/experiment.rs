//! Experiments as files: a folder with a plan, from which everything else in it is made.
//!
//! [`run`] plays what the plan asks for, goes on from the logs in the folder `log`, and writes `report.md` and its figures from those logs alone.

mod figure;
mod plan;
mod report;
mod solving;
mod speed;

pub use plan::{Cell, Group, Label, Measure, Plan, PlanError, Settings, Special};
pub use report::{Answer, CellResult, Found};

use crate::matches::{MatchError, read_log};
use crate::points::interval_at;
use crate::standings::Standings;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_catalog::{CompareError, LogError, open};
use tesuji_core::Record;
use thiserror::Error;

/// Why an experiment could not be run.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// The plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A match.
    #[error("{cell}: {error}")]
    Match {
        /// The cell.
        cell: String,
        /// What is wrong.
        error: Box<MatchError>,
    },
    /// Positions to solve.
    #[error("{cell}: {error}")]
    Solve {
        /// The cell.
        cell: String,
        /// What is wrong.
        error: Box<CompareError>,
    },
    /// A log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A file that cannot be written.
    #[error("cannot write {}: {reason}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Nothing has the name that was asked for.
    #[error("there is no group {name:?}; known are {known}")]
    NoGroup {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
}

/// How far an experiment is.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// Games and looks that are done, or will not be needed.
    pub done: u64,
    /// All of those that were asked for.
    pub all: u64,
    /// What is being done.
    pub now: String,
}

/// How an experiment is run.
pub struct Running<'a> {
    /// Only these groups; all if there are none.
    pub only: &'a [String],
    /// Games played at the same time. Speed is measured alone.
    pub concurrency: usize,
    /// Raised to end it with what it has.
    pub stop: &'a AtomicBool,
    /// Hears how far it is.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// A match may end early once this share of all games is played. Raising it makes early ends rarer and surer.
const EARLIEST: f64 = 0.25;
/// It ends early when an interval this many deviations wide leaves 50 % out: 99.9 % for a single look, and still above 95 % for the many looks that are
/// taken. Raising it makes early ends rarer and surer.
const EARLY_Z: f64 = 3.29;

/// Whether a match needs no more games to say who is stronger.
fn is_decided(record: &Record, games: u64) -> bool {
    let (low, high) = interval_at(record, EARLY_Z);
    record.games() as f64 >= games as f64 * EARLIEST && (low > 0.5 || high < 0.5)
}

/// Runs an experiment as far as its logs do not have it yet, and writes its report. What was stopped is reported as far as it got.
pub fn run(folder: &Path, running: &Running<'_>) -> Result<Answer, ExperimentError> {
    let plan = Plan::read(folder)?;
    if let Some(name) = running.only.iter().find(|name| plan.group.iter().all(|group| group.name != **name)) {
        let known = plan.group.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(ExperimentError::NoGroup { name: name.clone(), known });
    }
    let cells = plan.cells().expect("the plan was checked when it was read");
    let logs = folder.join("log");
    std::fs::create_dir_all(&logs)
        .map_err(|error| ExperimentError::Write { file: logs.clone(), reason: error.to_string() })?;
    let is_asked = |cell: &&Cell| running.only.is_empty() || running.only.contains(&cell.group);
    let asked: Vec<&Cell> = cells.iter().filter(is_asked).collect();
    // A slip of the pen in the last cell is to be known before the first is played.
    asked.iter().try_for_each(|cell| invite(cell))?;
    let all = asked.iter().filter_map(|cell| cell.plan.games).sum();
    let mut done = 0;
    for cell in asked {
        if running.stop.load(Relaxed) {
            break;
        }
        let tell = |in_cell: u64, told: String| {
            let now = format!("{}, {}, {}{told}", cell.group, cell.row, cell.column);
            (running.progress)(Progress { done: done + in_cell, all, now });
        };
        let log = logs.join(cell.file());
        match cell.measure {
            Measure::Match => play(cell, &log, running, &tell)?,
            Measure::Speed => speed::measure(cell, &log, running.stop, &|looks| tell(looks, String::new()))
                .map_err(|error| ExperimentError::Match { cell: cell.file(), error: Box::new(error) })?,
            Measure::Solve => solving::measure(cell, &log, running.stop, &|tried| tell(tried, String::new()))
                .map_err(|error| ExperimentError::Solve { cell: cell.file(), error: Box::new(error) })?,
        }
        done += cell.plan.games.unwrap_or(0);
    }
    write_report(&plan)
}

/// Looks whether the searches of a cell can play its game. Programs of others are started when their turn comes.
fn invite(cell: &Cell) -> Result<(), ExperimentError> {
    let fail = |error: MatchError| ExperimentError::Match { cell: cell.file(), error: Box::new(error) };
    let game = open(&cell.plan.game, "start").map_err(|error| fail(error.into()))?;
    for player in cell.plan.players.iter().filter(|player| !player.is_program()) {
        let invited = player.invite(game.as_ref());
        invited.map_err(|fault| fail(MatchError::Player { player: player.to_string(), fault }))?;
    }
    Ok(())
}

/// Plays a match of an experiment, to its end or until it is decided.
fn play(
    cell: &Cell,
    log: &Path,
    running: &Running<'_>,
    tell: &(dyn Fn(u64, String) + Sync),
) -> Result<(), ExperimentError> {
    let games = cell.plan.games.unwrap_or(0);
    let played = |standings: &Standings| {
        let first = &standings.players[0];
        let points = [first.rate, first.low, first.high].map(|share| share * 100.0);
        tell(standings.games, format!(": {:.1} % ({:.1}-{:.1})", points[0], points[1], points[2]));
        let is_enough = cell.early && is_decided(&first.record, games);
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = cell.plan.play(Some(log), running.concurrency, running.stop, &played);
    result.map(|_| ()).map_err(|error| ExperimentError::Match { cell: cell.file(), error: Box::new(error) })
}

/// Writes the report of an experiment from its logs.
pub fn write_report(plan: &Plan) -> Result<Answer, ExperimentError> {
    let folder = &plan.folder;
    let mut found = Vec::new();
    for cell in plan.cells().expect("the plan was checked when it was read") {
        let log = folder.join("log").join(cell.file());
        let result = match cell.measure {
            _ if !log.exists() => None,
            // What was played under another plan says nothing about this one.
            Measure::Match => {
                let (head, mut games) = read_log(&log)?;
                games.retain(|game| cell.plan.is_more_of(&head) && head.holds(game, cell.plan.games));
                report::of_match(&cell, &games)
            }
            Measure::Speed => report::of_speed(&cell, &speed::read(&cell, &log)?),
            Measure::Solve => report::of_solving(&cell, &solving::read(&cell, &log)?),
        };
        found.push(CellResult { cell, found: result });
    }
    let answer = Answer { title: plan.title.clone(), cells: found };
    let write = |file: PathBuf, text: String| {
        std::fs::write(&file, text).map_err(|error| ExperimentError::Write { file, reason: error.to_string() })
    };
    let figures = folder.join("figures");
    for group in plan.group.iter().filter(|group| group.figure) {
        std::fs::create_dir_all(&figures)
            .map_err(|error| ExperimentError::Write { file: figures.clone(), reason: error.to_string() })?;
        write(figures.join(format!("{}.svg", group.name)), figure::draw(group, &answer))?;
    }
    write(folder.join("report.md"), report::markdown(plan, &answer))?;
    Ok(answer)
}
