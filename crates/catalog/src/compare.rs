//! Solvers side by side on a set of positions: how many each solves, at what cost, and whether they agree.
//!
//! Every attempt begins with an empty tree or table, and is kept as a line of JSON with all it depends on; so the same comparison goes on where it
//! was stopped, and a log may hold several. PositionSet are taken in an order drawn by lot: however far a comparison gets, it has seen
//! a fair sample, and a larger sample contains the smaller ones.

use crate::log::{Log, LogError};
use crate::{Engine, OpenError, SearchSettings, open};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::{Bounds, DEFAULT_MEMORY, Facts, Limits, Rng};
use thiserror::Error;

/// A set of positions: the text of a file with a position in each line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionSet {
    /// The game, if the file says (`# game: SPEC`).
    pub game: Option<String>,
    /// The positions.
    pub texts: Vec<String>,
}

impl PositionSet {
    /// Reads the text of a file: lines that begin with `#` are comments, empty ones do not count.
    pub fn parse(text: &str) -> PositionSet {
        let lines = text.lines().map(str::trim);
        let game = lines.clone().find_map(|line| line.strip_prefix("# game:")).map(|game| game.trim().to_string());
        let texts = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_string).collect();
        PositionSet { game, texts }
    }
}

/// A solver of a comparison: `SPEC`, or `SPEC@N` with N threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverSpec {
    /// The search.
    pub spec: String,
    /// Its threads, if it says.
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
            _ => Err(format!("{threads:?} is no number of threads; it takes SPEC or SPEC@N, N from 1 to 1024")),
        }
    }
}

/// What is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The game.
    pub game: String,
    /// The positions.
    pub positions: Vec<String>,
    /// The solvers; the others are measured against the first.
    pub by: Vec<SolverSpec>,
    /// What each may use for each position.
    pub limits: Limits,
    /// The threads of solvers that do not say.
    pub threads: usize,
    /// The seed of the searches, and of the order of the positions.
    pub seed: u64,
    /// So many of the positions; all if nothing is said.
    pub sample: Option<usize>,
    /// Where attempts are kept and found again.
    pub log: Option<PathBuf>,
}

/// Why nothing could be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// The game or a position.
    #[error("position {number}: {error}")]
    Position {
        /// Which one of the file, from 1.
        number: usize,
        /// What is wrong.
        error: OpenError,
    },
    /// A solver.
    #[error(transparent)]
    Spec(#[from] tesuji_core::SpecError),
    /// A game that is over has nothing to solve.
    #[error("position {number}: the game is over there")]
    Over {
        /// Which one of the file, from 1.
        number: usize,
    },
    /// There is nothing to compare.
    #[error("{0}")]
    Nothing(&'static str),
    /// The log.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// All that an attempt depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AttemptSettings {
    /// The game.
    pub game: String,
    /// The position.
    pub position: String,
    /// The solver.
    pub by: String,
    /// Its threads.
    pub threads: usize,
    /// Its limits.
    pub most_nodes: Option<u64>,
    /// Its limits.
    pub most_playouts: Option<u64>,
    /// Its limits.
    pub most_seconds: Option<f64>,
    /// Its limits.
    pub memory: usize,
    /// The seed.
    pub seed: u64,
}

/// What a solver made of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// What it was about.
    #[serde(flatten)]
    pub setting: AttemptSettings,
    /// Whether the position is decided: who wins, or the score where that does not say who wins.
    pub solved: bool,
    /// The player to move can force at least this score.
    pub at_least: i32,
    /// It can be held to this score.
    pub at_most: i32,
    /// PositionSet made and tested for their end.
    pub nodes: u64,
    /// Playouts.
    pub playouts: u64,
    /// Why it ended.
    pub stopped: String,
    /// How long it took.
    pub seconds: f64,
}

/// How far a comparison is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComparisonProgress<'a> {
    /// Attempts made, those of the log too.
    pub done: usize,
    /// All of them.
    pub all: usize,
    /// The solver that comes next; none at the end.
    pub next: Option<&'a str>,
}

/// What came of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparisonResult {
    /// The positions that every solver has tried.
    pub positions: usize,
    /// Those that were to be tried.
    pub sample: usize,
    /// Those that there are.
    pub of: usize,
    /// The positions that every solver solved.
    pub solved_by_all: usize,
    /// The solvers, in the order they were given.
    pub solvers: Vec<SolverSummary>,
    /// PositionSet about which two solvers say what cannot both be true. One of them is wrong.
    pub disagreements: Vec<Disagreement>,
}

/// How a solver did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolverSummary {
    /// The solver.
    pub by: String,
    /// Its threads.
    pub threads: usize,
    /// The positions that it solved.
    pub solved: usize,
    /// Its nodes on the positions that all solved.
    pub nodes: u64,
    /// Its nodes against those of the first solver.
    pub nodes_ratio: Option<Ratio>,
    /// What depends on the clock.
    pub timing: SolverTiming,
}

/// How long a solver took.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolverTiming {
    /// On the positions that all solved.
    pub seconds: f64,
    /// On all positions.
    pub seconds_in_all: f64,
    /// Against the first solver.
    pub ratio: Option<Ratio>,
}

/// How many times as much, over the positions that both solved.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Ratio {
    /// The geometric mean over the positions.
    pub mean: f64,
    /// Where the 95% interval of the mean begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// The positions.
    pub positions: usize,
}

/// Two solvers that contradict each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Disagreement {
    /// The position.
    pub position: String,
    /// Who says that the player to move gets at least so much.
    pub at_least: (String, i32),
    /// Who says that it gets less.
    pub at_most: (String, i32),
}

/// Lets every solver try every position. If `stop` is raised, attempts under way do not count. `progress` hears of every attempt.
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
    Ok(summary(plan, order.len(), &rows))
}

/// The positions to try, by lot.
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
    /// Whether every position can be read and every solver can be built.
    fn check(&self, order: &[usize]) -> Result<(), CompareError> {
        if self.by.is_empty() {
            return Err(CompareError::Nothing("there is no solver to compare"));
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
        if first { Err(CompareError::Nothing("there are no positions to compare on")) } else { Ok(()) }
    }

    /// The attempts at a position.
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

    /// Tries a position; `None` if it was stopped.
    fn attempt(&self, setting: &AttemptSettings, stop: &AtomicBool) -> Option<Attempt> {
        let session = open(&setting.game, &setting.position).expect("it was opened before");
        let facts = session.facts();
        let mut engine = Engine::new(&setting.by, session.as_ref()).expect("it was built before");
        let settings =
            SearchSettings { limits: self.limits, seed: setting.seed, threads: setting.threads, stop, observer: None };
        let thought = engine.think(session.as_ref(), settings);
        let report = thought.report;
        let solved = is_decided(&report.bounds, &facts);
        // What was solved while it was being stopped is solved.
        if stop.load(Relaxed) && !solved {
            return None;
        }
        Some(Attempt {
            setting: setting.clone(),
            solved,
            at_least: report.bounds.at_least,
            at_most: report.bounds.at_most,
            nodes: report.counters.nodes,
            playouts: report.counters.playouts,
            stopped: format!("{:?}", report.stopped).to_lowercase(),
            seconds: thought.timing.seconds,
        })
    }
}

/// Whether it is known who wins; where the sign of the score does not say that, the score.
fn is_decided(bounds: &Bounds, facts: &Facts) -> bool {
    let by_sign = facts.sign_is_result() && bounds.verdict().is_some();
    by_sign || bounds.at_least == bounds.at_most
}

/// What an attempt depends on, as one text.
fn log_key(setting: &AttemptSettings) -> String {
    serde_json::to_string(setting).expect("it has texts and numbers only")
}

/// What the attempts, position by position, come to.
fn summary(plan: &Comparison, sample: usize, rows: &[Vec<&Attempt>]) -> ComparisonResult {
    let by_all: Vec<&Vec<&Attempt>> = rows.iter().filter(|row| row.iter().all(|attempt| attempt.solved)).collect();
    // The sum of no times at all is -0.0, unless it begins at 0.
    let total = |times: &mut dyn Iterator<Item = f64>| times.fold(0.0, |sum, time| sum + time);
    let standing = |(at, by): (usize, &SolverSpec)| {
        let ratio = |of: &dyn Fn(&Attempt) -> f64| {
            let both = rows.iter().filter(|row| at > 0 && row[0].solved && row[at].solved);
            Ratio::of(&both.map(|row| of(row[at]) / of(row[0])).collect::<Vec<f64>>())
        };
        SolverSummary {
            by: by.spec.clone(),
            threads: by.threads.unwrap_or(plan.threads),
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
        sample,
        of: plan.positions.len(),
        solved_by_all: by_all.len(),
        solvers: plan.by.iter().enumerate().map(standing).collect(),
        disagreements: rows.iter().filter_map(|row| Disagreement::among(row)).collect(),
    }
}

impl Disagreement {
    /// The two that are farthest apart, if they contradict each other.
    fn among(row: &[&Attempt]) -> Option<Disagreement> {
        let most = row.iter().max_by_key(|attempt| attempt.at_least)?;
        let least = row.iter().min_by_key(|attempt| attempt.at_most)?;
        (most.at_least > least.at_most).then(|| Disagreement {
            position: most.setting.position.clone(),
            at_least: (most.setting.by.clone(), most.at_least),
            at_most: (least.setting.by.clone(), least.at_most),
        })
    }
}

/// How often the positions are drawn anew for an interval. Raising it makes the interval steadier from seed to seed.
const DRAWS: usize = 4000;

impl Ratio {
    /// The geometric mean of ratios with its 95% interval, by drawing the positions anew (the percentile bootstrap, Efron 1979); `None` if
    /// there are none. It does not matter which are large: one hard position weighs no more than an easy one.
    pub fn of(ratios: &[f64]) -> Option<Ratio> {
        let count = ratios.len();
        if count == 0 {
            return None;
        }
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let mean = logs.iter().sum::<f64>() / count as f64;
        let mut rng = Rng::new(1);
        let mut draw = || (0..count).map(|_| logs[rng.below(count)]).sum::<f64>() / count as f64;
        let mut means: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
        means.sort_by(f64::total_cmp);
        let (low, high) = (means[DRAWS / 40], means[DRAWS - 1 - DRAWS / 40]);
        Some(Ratio { mean: mean.exp(), low: low.exp(), high: high.exp(), positions: count })
    }
}
