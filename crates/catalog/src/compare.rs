//! Comparison of solvers on a set of positions: how many each solves, at what cost, and whether
//! they agree.
//!
//! Every attempt starts with an empty tree or table, and is logged as a line of JSON with
//! everything it depends on. So a stopped comparison can be resumed, and one log may hold several.
//! The positions are shuffled: an unfinished comparison is still a fair sample, and a larger sample
//! contains the smaller ones.

use crate::log::{Log, LogError};
use crate::{Engine, OpenError, SearchSettings, open};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::{Bounds, DEFAULT_MEMORY, Facts, Limits, PointScore, Rng, TotalF64, quoted};
use thiserror::Error;

/// A set of positions, from a file with one position per line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionSet {
    /// The game, if the file names it (`# game: SPEC`).
    pub game: Option<String>,
    /// The position texts.
    pub texts: Vec<String>,
}

impl PositionSet {
    /// Parses the text of a file. Lines that start with `#` are comments; empty lines are ignored.
    pub fn parse(text: &str) -> PositionSet {
        let (game, texts) = PositionSet::lines(text);
        PositionSet { game: game.map(str::to_string), texts: texts.map(str::to_string).collect() }
    }

    /// Returns the game and the position texts of a file without copying them.
    pub fn lines(text: &str) -> (Option<&str>, impl Iterator<Item = &str> + Clone) {
        let lines = text.lines().map(str::trim);
        let game = lines.clone().find_map(|line| line.strip_prefix("# game:")).map(str::trim);
        (game, lines.filter(|line| !line.is_empty() && !line.starts_with('#')))
    }
}

/// A solver in a comparison: `SPEC`, or `SPEC@N` for N threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverSpec {
    /// The spec of the search.
    pub spec: String,
    /// The number of threads, if given.
    pub threads: Option<usize>,
}

impl FromStr for SolverSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<SolverSpec, String> {
        let Some((spec, threads)) = text.rsplit_once('@') else {
            return Ok(SolverSpec { spec: text.to_string(), threads: None });
        };
        match threads.parse() {
            Ok(threads @ 1..=1024) => Ok(SolverSpec { spec: spec.to_string(), threads: Some(threads) }),
            _ => Err(format!(
                "invalid number of threads {threads}; expected SPEC or SPEC@N, N from 1 to 1024",
                threads = quoted(threads)
            )),
        }
    }
}

/// The plan of a comparison.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The game.
    pub game: String,
    /// The positions.
    pub positions: Vec<String>,
    /// The solvers; the first is the baseline.
    pub by: Vec<SolverSpec>,
    /// The limits of each attempt.
    pub limits: Limits,
    /// The number of threads of solvers without `@N`.
    pub threads: usize,
    /// The seed of the searches and of the order of the positions.
    pub seed: u64,
    /// The number of positions to sample; all by default.
    pub sample: Option<usize>,
    /// The log of attempts.
    pub log: Option<PathBuf>,
}

/// Why a comparison could not be run.
#[derive(Debug, Error)]
pub enum CompareError {
    /// The game or a position is invalid.
    #[error("position {number}: {error}")]
    Position {
        /// The number of the position in the file, from 1.
        number: usize,
        /// The error.
        error: OpenError,
    },
    /// The spec of a solver is invalid.
    #[error(transparent)]
    Spec(#[from] tesuji_core::SpecError),
    /// The game is over at a position.
    #[error("position {number}: the game is over")]
    Over {
        /// The number of the position in the file, from 1.
        number: usize,
    },
    /// There are no solvers or no positions.
    #[error("{0}")]
    Nothing(&'static str),
    /// The file of positions cannot be read or has too few.
    #[error("{}: {reason}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The log cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Everything that an attempt depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AttemptSettings {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The solver.
    pub by: String,
    /// The number of threads.
    pub threads: usize,
    /// The node limit.
    pub most_nodes: Option<u64>,
    /// The playout limit.
    pub most_playouts: Option<u64>,
    /// The time limit.
    pub most_seconds: Option<f64>,
    /// The memory limit, in bytes.
    pub memory: usize,
    /// The seed.
    pub seed: u64,
}

/// The result of a solver on a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// The solver, position and limits.
    #[serde(flatten)]
    pub setting: AttemptSettings,
    /// Whether the position is solved: the winner is known or, in games where the sign is not the
    /// result, the score.
    pub solved: bool,
    /// The player to move can force at least this score.
    pub at_least: PointScore,
    /// The others can hold it to this score.
    pub at_most: PointScore,
    /// The nodes searched.
    pub nodes: u64,
    /// The playouts made.
    pub playouts: u64,
    /// Why the search ended.
    pub stopped: String,
    /// The time in seconds.
    pub seconds: f64,
}

/// The progress of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComparisonProgress<'a> {
    /// The attempts finished, including those in the log.
    pub done: usize,
    /// The total number of attempts.
    pub all: usize,
    /// The next solver; `None` at the end.
    pub next: Option<&'a str>,
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparisonResult {
    /// The number of positions that every solver has tried.
    pub positions: usize,
    /// The number of positions in the sample.
    pub sample: usize,
    /// The number of positions in the set.
    pub of: usize,
    /// The number of positions that every solver solved.
    pub solved_by_all: usize,
    /// The solvers, in the order given.
    pub solvers: Vec<SolverSummary>,
    /// The positions on which two solvers contradict each other: one of them is wrong.
    pub disagreements: Vec<Disagreement>,
}

/// The results of one solver.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolverSummary {
    /// The solver.
    pub by: String,
    /// The number of threads.
    pub threads: usize,
    /// The number of positions solved.
    pub solved: usize,
    /// The nodes on the positions that all solvers solved.
    pub nodes: u64,
    /// The ratio of its nodes to those of the first solver.
    pub nodes_ratio: Option<Ratio>,
    /// Everything that depends on the clock.
    pub timing: SolverTiming,
}

/// The time of one solver.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolverTiming {
    /// The seconds on the positions that all solvers solved.
    pub seconds: f64,
    /// The seconds on all positions.
    pub seconds_in_all: f64,
    /// The ratio of its time to that of the first solver.
    pub ratio: Option<Ratio>,
}

/// A ratio to the first solver, over the positions that both solved.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ratio {
    /// The geometric mean over the positions.
    pub mean: f64,
    /// The lower end of its 95 % confidence interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The number of positions.
    pub positions: usize,
}

/// A contradiction between two solvers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Disagreement {
    /// The position.
    pub position: String,
    /// The solver that claims the higher lower bound, and the bound.
    pub at_least: (String, PointScore),
    /// The solver that claims an upper bound below it, and the bound.
    pub at_most: (String, PointScore),
}

/// Runs every solver on every position. If `stop` is set, the unfinished attempt is dropped.
/// `progress` is called before every attempt and at the end.
pub fn compare(
    plan: &Comparison,
    stop: &AtomicBool,
    progress: &dyn Fn(ComparisonProgress<'_>),
) -> Result<ComparisonResult, CompareError> {
    let order = order(plan);
    plan.check(&order)?;
    let (mut log, known) = match &plan.log {
        Some(file) => Log::open::<Attempt>(file, "attempt of a comparison").map(|(log, known)| (Some(log), known))?,
        None => (None, Vec::new()),
    };
    let known = known.into_iter().map(|attempt| (log_key(&attempt.setting), attempt));
    let mut attempts: HashMap<String, Attempt> = known.collect();
    let all = order.len() * plan.by.len();
    let settings: Vec<Vec<AttemptSettings>> = order.iter().map(|&at| plan.settings(&plan.positions[at])).collect();
    let mut done = settings.iter().flatten().filter(|setting| attempts.contains_key(&log_key(setting))).count();
    for setting in settings.iter().flatten() {
        if attempts.contains_key(&log_key(setting)) {
            continue;
        }
        progress(ComparisonProgress { done, all, next: Some(&setting.by) });
        match plan.attempt(setting, stop) {
            Some(attempt) => {
                log.iter_mut().try_for_each(|log| log.add(&attempt))?;
                attempts.insert(log_key(setting), attempt);
            }
            None => break,
        }
        done += 1;
    }
    progress(ComparisonProgress { done, all, next: None });
    let rows: Vec<Vec<&Attempt>> =
        settings.iter().filter_map(|row| row.iter().map(|setting| attempts.get(&log_key(setting))).collect()).collect();
    let threads = |by: &SolverSpec| by.threads.unwrap_or(plan.threads);
    let solvers: Vec<(&str, usize)> = plan.by.iter().map(|by| (by.spec.as_str(), threads(by))).collect();
    Ok(ComparisonResult {
        sample: order.len(),
        of: plan.positions.len(),
        ..ComparisonResult::of_attempts(&solvers, &rows)
    })
}

/// Returns the indices of the sampled positions, shuffled.
fn order(plan: &Comparison) -> Vec<usize> {
    let mut order: Vec<usize> = (0..plan.positions.len()).collect();
    let mut rng = Rng::new(plan.seed);
    for at in 0..order.len() {
        let with = at + rng.below(order.len() - at);
        order.swap(at, with);
    }
    order.truncate(plan.sample.unwrap_or(order.len()));
    order
}

impl Comparison {
    /// Checks that every position can be read and every solver can be built.
    fn check(&self, order: &[usize]) -> Result<(), CompareError> {
        if self.by.is_empty() {
            return Err(CompareError::Nothing("no solvers to compare"));
        }
        let mut first = true;
        for &at in order {
            let number = at + 1;
            let session =
                open(&self.game, &self.positions[at]).map_err(|error| CompareError::Position { number, error })?;
            if session.ending().is_some() {
                return Err(CompareError::Over { number });
            }
            if std::mem::take(&mut first) {
                for by in &self.by {
                    Engine::new(&by.spec, session.as_ref())?;
                }
            }
        }
        if first { Err(CompareError::Nothing("no positions to compare on")) } else { Ok(()) }
    }

    /// Returns the attempts at a position.
    fn settings(&self, position: &str) -> Vec<AttemptSettings> {
        let setting = |by: &SolverSpec| AttemptSettings {
            game: self.game.clone(),
            position: position.to_string(),
            by: by.spec.clone(),
            threads: by.threads.unwrap_or(self.threads),
            most_nodes: self.limits.nodes,
            most_playouts: self.limits.playouts,
            most_seconds: self.limits.time.map(|time| time.as_secs_f64()),
            memory: self.limits.memory.unwrap_or(DEFAULT_MEMORY),
            seed: self.seed,
        };
        self.by.iter().map(setting).collect()
    }

    /// Runs an attempt; `None` if it was stopped before it solved the position.
    fn attempt(&self, setting: &AttemptSettings, stop: &AtomicBool) -> Option<Attempt> {
        let session = open(&setting.game, &setting.position).expect("it was opened before");
        let facts = session.facts();
        let mut engine = Engine::new(&setting.by, session.as_ref()).expect("it was built before");
        let settings = SearchSettings {
            limits: self.limits,
            clock: None,
            seed: setting.seed,
            threads: setting.threads,
            stop,
            observer: None,
            owners: false,
        };
        let result = engine.think(session.as_ref(), settings);
        let report = result.report;
        let solved = is_solved(&report.bounds, &facts);
        if stop.load(Relaxed) && !solved {
            return None;
        }
        Some(Attempt {
            setting: setting.clone(),
            solved,
            at_least: facts.points(report.bounds.at_least),
            at_most: facts.points(report.bounds.at_most),
            nodes: report.counters.nodes,
            playouts: report.counters.playouts,
            stopped: format!("{:?}", report.stopped).to_lowercase(),
            seconds: result.timing.seconds,
        })
    }
}

/// Returns whether the winner is known or, in games where the sign of the score is not the result,
/// the score.
fn is_solved(bounds: &Bounds, facts: &Facts) -> bool {
    let by_sign = facts.sign_is_result() && bounds.verdict().is_some();
    by_sign || bounds.at_least == bounds.at_most
}

/// Returns the key of an attempt in the log.
fn log_key(setting: &AttemptSettings) -> String {
    serde_json::to_string(setting).expect("it contains only strings and numbers")
}

impl ComparisonResult {
    /// Summarises attempts, given as one row per position with an attempt of each solver. A solver
    /// is its name and its number of threads.
    pub fn of_attempts(solvers: &[(&str, usize)], rows: &[Vec<&Attempt>]) -> ComparisonResult {
        let by_all: Vec<&Vec<&Attempt>> = rows.iter().filter(|row| row.iter().all(|attempt| attempt.solved)).collect();
        // The sum of an empty iterator of f64 is -0.0.
        let total = |times: &mut dyn Iterator<Item = f64>| times.fold(0.0, |sum, time| sum + time);
        let summary = |(at, &(by, threads)): (usize, &(&str, usize))| {
            let ratio = |of: &dyn Fn(&Attempt) -> f64| {
                let both = rows.iter().filter(|row| at > 0 && row[0].solved && row[at].solved);
                Ratio::of(&both.map(|row| of(row[at]) / of(row[0])).collect::<Vec<f64>>())
            };
            SolverSummary {
                by: by.to_string(),
                threads,
                solved: rows.iter().filter(|row| row[at].solved).count(),
                nodes: by_all.iter().map(|row| row[at].nodes).sum(),
                nodes_ratio: ratio(&|attempt| attempt.nodes.max(1) as f64),
                timing: SolverTiming {
                    seconds: total(&mut by_all.iter().map(|row| row[at].seconds)),
                    seconds_in_all: total(&mut rows.iter().map(|row| row[at].seconds)),
                    ratio: ratio(&|attempt| attempt.seconds.max(1e-9)),
                },
            }
        };
        ComparisonResult {
            positions: rows.len(),
            sample: rows.len(),
            of: rows.len(),
            solved_by_all: by_all.len(),
            solvers: solvers.iter().enumerate().map(summary).collect(),
            disagreements: rows.iter().filter_map(|row| Disagreement::among(row)).collect(),
        }
    }
}

impl Disagreement {
    /// Returns the widest contradiction among the attempts at a position, if any.
    fn among(row: &[&Attempt]) -> Option<Disagreement> {
        let most = row.iter().max_by_key(|attempt| TotalF64(attempt.at_least.value()))?;
        let least = row.iter().min_by_key(|attempt| TotalF64(attempt.at_most.value()))?;
        (most.at_least > least.at_most).then(|| Disagreement {
            position: most.setting.position.clone(),
            at_least: (most.setting.by.clone(), most.at_least),
            at_most: (least.setting.by.clone(), least.at_most),
        })
    }
}

/// The number of bootstrap samples. Raising it makes the interval vary less from seed to seed.
const BOOTSTRAP_SAMPLES: usize = 4000;

impl Ratio {
    /// Returns the geometric mean of ratios with its 95 % percentile-bootstrap interval (Efron
    /// 1979); `None` if there are none. A hard position weighs no more than an easy one.
    pub fn of(ratios: &[f64]) -> Option<Ratio> {
        let count = ratios.len();
        if count == 0 {
            return None;
        }
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let mean = logs.iter().sum::<f64>() / count as f64;
        let mut rng = Rng::new(1);
        let mut draw = || (0..count).map(|_| logs[rng.below(count)]).sum::<f64>() / count as f64;
        let mut means: Vec<f64> = (0..BOOTSTRAP_SAMPLES).map(|_| draw()).collect();
        means.sort_by(f64::total_cmp);
        let (low, high) = (means[BOOTSTRAP_SAMPLES / 40], means[BOOTSTRAP_SAMPLES - 1 - BOOTSTRAP_SAMPLES / 40]);
        Some(Ratio { mean: mean.exp(), low: low.exp(), high: high.exp(), positions: count })
    }
}
