//! Experiments: a folder with a plan, from which logs, report and figures are made.
//!
//! [`run`] plays the matches of the plan, resuming from the logs in the folder `log`, and writes
//! `report.md` and the figures from those logs alone. It leaves the logs packed, so that they can
//! be kept with the report; [`write_report`] draws the same report from them again.

mod boards;
mod effort;
mod figure;
mod gains;
mod plan;
mod report;
mod solving;
mod speed;
mod tables;

pub use boards::ColumnComparison;
pub use effort::SolverComparison;
pub(crate) use figure::COLOURS;
pub use gains::{Gain, GainComparison, SolverGain};
pub use plan::{Cell, Group, Label, Measure, Plan, PlanError, Settings, Special};
pub use report::{CellResult, ExperimentReport, Measurement};

use self::boards::PlayedCell;
use self::plan::PLAN;
use crate::matches::{Match, MatchError, lock_file, read_log};
use crate::points::interval_at;
use crate::referee::PlayedGame;
use crate::standings::Standings;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_catalog::{Attempt, CompareError, LogError, log_exists, open, pack_log, replace_file, unpack_log};
use tesuji_core::{Wdl, quoted};
use tesuji_gtp::Children;
use thiserror::Error;

/// Why an experiment could not be run.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// The plan is invalid.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A match failed.
    #[error("{cell}: {error}")]
    Match {
        /// The cell.
        cell: String,
        /// The error.
        error: Box<MatchError>,
    },
    /// Solving positions failed.
    #[error("{cell}: {error}")]
    Solve {
        /// The cell.
        cell: String,
        /// The error.
        error: Box<CompareError>,
    },
    /// A log cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A file cannot be written.
    #[error("cannot write {}: {reason}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The error.
        reason: String,
    },
    /// Cells have no results in their logs, so the report cannot be drawn.
    #[error(
        "{missing} of {all} cells have no log or no games of this plan in it: {cells}; nothing was written. To play them, \
         run tesuji experiment {folder}",
        missing = cells.len(),
        cells = cells.join(", "),
        folder = folder.display()
    )]
    NoResults {
        /// The folder of the experiment.
        folder: PathBuf,
        /// The logs of the cells.
        cells: Vec<String>,
        /// The number of all cells of the plan.
        all: usize,
    },
    /// A group does not exist.
    #[error("there is no group {name}; known are {known}", name = quoted(name))]
    NoGroup {
        /// The name.
        name: String,
        /// The names of all groups.
        known: String,
    },
}

/// The progress of an experiment.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// Games, speed samples and positions that are done or not needed.
    pub done: u64,
    /// All that were requested.
    pub all: u64,
    /// A description of the present cell.
    pub now: String,
}

/// The settings of a run.
pub struct RunSettings<'a> {
    /// The groups to run; all if empty.
    pub only: &'a [String],
    /// Games played at the same time. Speed is measured without concurrency.
    pub concurrency: usize,
    /// The programs that play.
    pub children: &'a Children,
    /// Set to stop the run and report what it has.
    pub stop: &'a AtomicBool,
    /// Called with the progress.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// The share of all games after which a match may end early. Raising it makes early ends rarer and
/// more certain.
const EARLIEST: f64 = 0.25;
/// A match ends early when the interval of this many standard deviations excludes 50 %: 99.9 % for
/// a single look, and still above 95 % for the repeated looks after every game. Raising it makes
/// early ends rarer and more certain.
const EARLY_Z: f64 = 3.29;

/// Returns whether a match has shown which player is stronger.
fn is_decided(record: &Wdl, games: u64) -> bool {
    let (low, high) = interval_at(record, EARLY_Z);
    record.games() as f64 >= games as f64 * EARLIEST && (low > 0.5 || high < 0.5)
}

/// Runs what the logs of an experiment lack, and writes its report. After a stop the report covers
/// what there is.
pub fn run(folder: &Path, settings: &RunSettings<'_>) -> Result<ExperimentReport, ExperimentError> {
    let plan = Plan::read(folder)?;
    if let Some(name) = settings.only.iter().find(|name| plan.group.iter().all(|group| group.name != **name)) {
        let known = plan.group.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(ExperimentError::NoGroup { name: name.clone(), known });
    }
    let cells = plan.cells().expect("the plan was checked when it was read");
    let logs = folder.join("log");
    std::fs::create_dir_all(&logs)
        .map_err(|error| ExperimentError::Write { file: logs.clone(), reason: error.to_string() })?;
    // Two runs would pack each other's logs.
    let _lock = lock_file(&folder.join(PLAN))?;
    let is_selected = |cell: &&Cell| settings.only.is_empty() || settings.only.contains(&cell.group);
    let selected: Vec<&Cell> = cells.iter().filter(is_selected).collect();
    // A mistake in the last cell is reported before the first is played.
    selected.iter().try_for_each(|cell| check_players(cell))?;
    let all = selected.iter().filter_map(|cell| cell.plan.games).sum();
    let mut done = 0;
    let repeats = |cell: &Cell| plan.group.iter().any(|group| group.repeats && group.name == cell.group);
    let (repeated, single): (Vec<&Cell>, Vec<&Cell>) = selected.into_iter().partition(|cell| repeats(cell));
    for cell in single {
        if settings.stop.load(Relaxed) {
            break;
        }
        let report = |in_cell: u64, details: String| {
            let now = format!("{}, {}, {}{details}", cell.group, cell.row, cell.column);
            (settings.progress)(Progress { done: done + in_cell, all, now });
        };
        let log = logs.join(cell.file());
        unpack_log(&log)?;
        match cell.measure {
            Measure::Match | Measure::Boards => play(cell, &log, settings, &report)?,
            Measure::Speed => speed::measure(cell, &log, settings.stop, &|samples| report(samples, String::new()))
                .map_err(|error| ExperimentError::Match { cell: cell.file(), error: Box::new(error) })?,
            Measure::Solve => solving::measure(cell, &log, settings.stop, &|tried| report(tried, String::new()))
                .map_err(|error| ExperimentError::Solve { cell: cell.file(), error: Box::new(error) })?,
        }
        // Also after a stop, so that whatever was played can be kept.
        if log.exists() {
            pack_log(&log)?;
        }
        done += cell.plan.games.unwrap_or(0);
    }
    let progress = |tried: u64, now: String| (settings.progress)(Progress { done: done + tried, all, now });
    solve_repeatedly(&repeated, &logs, settings.stop, &progress)?;
    let report = read_results(&plan)?;
    write(&plan, &report)?;
    Ok(report)
}

/// Solves the positions of groups of repetitions, column by column: at each position all rows of a
/// column follow one another.
fn solve_repeatedly(
    cells: &[&Cell],
    logs: &Path,
    stop: &AtomicBool,
    progress: &dyn Fn(u64, String),
) -> Result<(), ExperimentError> {
    let log = |cell: &Cell| logs.join(cell.file());
    let is_together = |one: &Cell, other: &Cell| (&one.group, &one.column) == (&other.group, &other.column);
    let mut tried = 0;
    for (at, first) in cells.iter().enumerate() {
        if stop.load(Relaxed) || cells[..at].iter().any(|cell| is_together(cell, first)) {
            continue;
        }
        let column: Vec<&Cell> = cells.iter().filter(|cell| is_together(cell, first)).copied().collect();
        column.iter().try_for_each(|cell| unpack_log(&log(cell)))?;
        // A larger sample starts with the smaller one.
        for games in 1..=first.plan.games.unwrap_or(0) {
            for cell in &column {
                let part = Cell { plan: Match { games: Some(games), ..cell.plan.clone() }, ..(*cell).clone() };
                progress(tried, format!("{}, {}, {}", cell.group, cell.row, cell.column));
                solving::measure(&part, &log(cell), stop, &|_| ())
                    .map_err(|error| ExperimentError::Solve { cell: cell.file(), error: Box::new(error) })?;
                tried += 1;
            }
            if stop.load(Relaxed) {
                break;
            }
        }
        column.iter().filter(|cell| log(cell).exists()).try_for_each(|cell| pack_log(&log(cell)))?;
    }
    Ok(())
}

/// Checks that the searches of a cell can play its game. Programs are not started here.
fn check_players(cell: &Cell) -> Result<(), ExperimentError> {
    let fail = |error: MatchError| ExperimentError::Match { cell: cell.file(), error: Box::new(error) };
    let game = open(&cell.plan.game, "start").map_err(|error| fail(error.into()))?;
    for player in cell.plan.players.iter().filter(|player| !player.is_program()) {
        let started = player.start(game.as_ref(), &Children::default());
        started.map_err(|fault| fail(MatchError::Player { player: player.to_string(), fault }))?;
    }
    Ok(())
}

/// Plays a match of an experiment to its end or until it is decided.
fn play(
    cell: &Cell,
    log: &Path,
    settings: &RunSettings<'_>,
    report: &(dyn Fn(u64, String) + Sync),
) -> Result<(), ExperimentError> {
    let games = cell.plan.games.unwrap_or(0);
    let played = |standings: &Standings| {
        let first = &standings.players[0];
        let points = [first.rate, first.low, first.high].map(|share| share * 100.0);
        let details = match cell.measure {
            Measure::Boards => first.score.map_or(String::new(), |mean| format!(": {mean:.1}")),
            _ => format!(": {:.1} % ({:.1}-{:.1})", points[0], points[1], points[2]),
        };
        report(standings.games, details);
        let is_enough = cell.early && is_decided(&first.record, games);
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    loop {
        let result = cell.plan.play(Some(log), settings.concurrency, settings.children, settings.stop, &played);
        let standings = result.map_err(|error| ExperimentError::Match { cell: cell.file(), error: Box::new(error) })?;
        // Games that were running when the match was decided are finished, and may reopen it.
        let is_finished = standings.games >= games || cell.early && is_decided(&standings.players[0].record, games);
        if is_finished || settings.stop.load(Relaxed) {
            return Ok(());
        }
    }
}

/// Writes the report and the figures of an experiment from its logs. The same logs give the same
/// files. If a cell of the plan has no results, nothing is written.
pub fn write_report(plan: &Plan) -> Result<ExperimentReport, ExperimentError> {
    let report = read_results(plan)?;
    let missing: Vec<String> =
        report.cells.iter().filter(|result| result.found.is_none()).map(|result| result.cell.file()).collect();
    if !missing.is_empty() {
        let folder = plan.folder.clone();
        return Err(ExperimentError::NoResults { folder, cells: missing, all: report.cells.len() });
    }
    write(plan, &report)?;
    Ok(report)
}

/// Reads the results of an experiment from its logs.
pub fn read_results(plan: &Plan) -> Result<ExperimentReport, ExperimentError> {
    let cells = plan.cells().expect("the plan was checked when it was read");
    let mut found = Vec::new();
    let mut attempts: Vec<(&Cell, Vec<Attempt>)> = Vec::new();
    let mut boards: Vec<PlayedCell<'_>> = Vec::new();
    for cell in &cells {
        let log = plan.folder.join("log").join(cell.file());
        let exists = log_exists(&log);
        found.push(match cell.measure {
            Measure::Solve => {
                let tried = if exists { solving::read(cell, &log)? } else { Vec::new() };
                let result = report::of_solving(cell, &tried);
                attempts.push((cell, tried));
                result
            }
            _ if !exists => None,
            Measure::Match => report::of_match(cell, &read_games(cell, &log)?),
            Measure::Boards => {
                let played = PlayedCell { cell, games: read_games(cell, &log)? };
                let result = played.measurement(boards.iter().find(|first| first.is_beside(cell)));
                boards.push(played);
                result
            }
            Measure::Speed => report::of_speed(cell, &speed::read(cell, &log)?),
        });
    }
    let (comparisons, overall) = effort::compare_solvers(&attempts);
    let gains = gains::compare_gains(plan, &attempts);
    let boards = boards::compare_columns(&boards);
    let cells = cells.into_iter().zip(found).map(|(cell, found)| CellResult { cell, found }).collect();
    Ok(ExperimentReport { title: plan.title.clone(), cells, comparisons, overall, gains, boards })
}

/// Reads the games of a cell from its log. Games played under another plan do not count.
fn read_games(cell: &Cell, log: &Path) -> Result<Vec<PlayedGame>, LogError> {
    let (head, mut games) = read_log(log)?;
    games.retain(|game| cell.plan.continues(&head) && head.holds(game, cell.plan.games));
    Ok(games)
}

/// Writes the report and the figures.
fn write(plan: &Plan, report: &ExperimentReport) -> Result<(), ExperimentError> {
    let write = |file: PathBuf, text: String| {
        replace_file(&file, text).map_err(|error| ExperimentError::Write { file, reason: error.to_string() })
    };
    let figures = plan.folder.join("figures");
    for group in plan.group.iter().filter(|group| group.figure) {
        std::fs::create_dir_all(&figures)
            .map_err(|error| ExperimentError::Write { file: figures.clone(), reason: error.to_string() })?;
        write(figures.join(format!("{}.svg", group.name)), figure::draw(group, report))?;
    }
    write(plan.folder.join("report.md"), tables::markdown(plan, report))
}
