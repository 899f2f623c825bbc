//! The search worker of a connection: a thread that runs one search after another. Engines stay
//! loaded with their trees between searches.

mod problem;
mod solve;

use crate::caps::Grant;
use crate::message::{Event, Ownership, SearchReport};
use crate::outbox::{Outbox, ProgressKind};
use crate::owners::Owners;
use crate::server::Shared;
use crate::tree_queries::{GamePath, TreeQueries};
use serde::Serialize;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, Agent, Goal, SearchResult, SearchSettings, SearchTiming, Session, Turn, analysis_spec};
use tesuji_core::time::Clock;
use tesuji_core::{Inspector, Limits, MAX_PLAYERS, Report};
use tesuji_gtp::{PlayerSpec, PlayerSpecError};
use tesuji_tsumego::{Answer, Refutation, Task};

/// How often a running search answers tree queries.
const QUERY_INTERVAL: Duration = Duration::from_millis(50);
/// The shortest time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The most engines kept loaded: one per seat and one for analysis.
const MAX_ENGINES: usize = MAX_PLAYERS + 1;

/// A command to the worker.
pub enum SearchCommand {
    /// Run a search.
    Run(Box<SearchJob>),
    /// Answer the pending tree queries.
    AnswerQueries,
    /// Unload all engines; another game starts.
    Reset,
}

/// A search to run.
pub struct SearchJob {
    pub number: u64,
    pub game: Box<dyn Session>,
    /// All limits except memory.
    pub limits: Limits,
    pub memory: Option<usize>,
    pub threads: usize,
    pub seed: u64,
    pub stop: Arc<AtomicBool>,
    pub task: SearchTask,
}

/// The purpose of a search.
pub enum SearchTask {
    /// Analyse the position.
    Analyse { player: String },
    /// Choose a move.
    Move { player: String, clock: Option<Clock> },
    /// Solve the position.
    Solve { goal: Goal, by: String },
    /// Solve a Go problem.
    Ask { task: Box<Task>, by: String },
    /// Find out what another first move of a solved problem does.
    Refute { answer: Box<Answer>, mv: String },
    /// Write the certificate of an answer: whether this side reaches the goal of the job's game.
    Prove { goal: Goal, side: String, by: String },
}

impl SearchTask {
    /// Returns the name in the protocol.
    fn name(&self) -> &'static str {
        match self {
            SearchTask::Analyse { .. } => "think",
            SearchTask::Move { .. } => "move",
            SearchTask::Solve { .. } => "solve",
            SearchTask::Ask { .. } => "ask",
            SearchTask::Refute { .. } => "refute",
            SearchTask::Prove { .. } => "prove",
        }
    }
}

/// A search that has ended.
pub struct FinishedSearch {
    pub number: u64,
    /// The name of its task in the protocol, such as `think`.
    pub task: &'static str,
    pub result: Result<SearchOutput, String>,
}

/// The output of a search that ran without error.
#[derive(Default)]
pub struct SearchOutput {
    /// The event for the page. The connection sends it, because the page may request the next
    /// search as soon as it sees the end of this one.
    pub event: Option<Value>,
    /// The chosen action, if the task was to move.
    pub action: Option<Action>,
    /// The value of the position for the player to move, if the engine reports one.
    pub value: Option<f64>,
    /// What was found out about a Go problem.
    pub problem: Option<ProblemOutput>,
}

/// What was found out about a Go problem.
pub enum ProblemOutput {
    Answer(Box<Answer>),
    Refutation(Refutation),
}

/// A loaded engine.
struct LoadedEngine {
    player: String,
    requested_memory: Option<usize>,
    grant: Grant,
    kind: EngineKind,
}

enum EngineKind {
    Search(tesuji_catalog::Engine),
    Program(Box<dyn Agent>),
}

impl LoadedEngine {
    /// Returns whether the engine can play a game: a search is built for the rules of one game.
    fn is_for(&self, game: &dyn Session) -> bool {
        match &self.kind {
            EngineKind::Search(search) => search.is_for(game),
            EngineKind::Program(_) => true,
        }
    }
}

/// The last search: its player, its game and its report.
struct LastSearch {
    player: String,
    game: Box<dyn Session>,
    report: Report<String>,
}

/// The search worker of a connection.
pub struct SearchWorker {
    shared: Arc<Shared>,
    outbox: Arc<Outbox>,
    queries: Arc<TreeQueries>,
    owners: Arc<Owners>,
    /// The most recently used engine is the last.
    engines: Vec<LoadedEngine>,
    last: Option<LastSearch>,
}

impl SearchWorker {
    pub fn new(
        shared: Arc<Shared>,
        outbox: Arc<Outbox>,
        queries: Arc<TreeQueries>,
        owners: Arc<Owners>,
    ) -> SearchWorker {
        SearchWorker { shared, outbox, queries, owners, engines: Vec::new(), last: None }
    }

    /// Executes commands until all senders are gone.
    pub fn run(mut self, commands: &Receiver<SearchCommand>, finish: &dyn Fn(FinishedSearch)) {
        while let Ok(command) = commands.recv() {
            match command {
                SearchCommand::Run(job) => {
                    let (number, task) = (job.number, job.task.name());
                    let result = catch_unwind(AssertUnwindSafe(|| self.execute(&job))).unwrap_or_else(|_| {
                        self.reset();
                        Err("the search failed with an internal error; its tree is lost".to_string())
                    });
                    self.answer_queries();
                    finish(FinishedSearch { number, task, result });
                }
                SearchCommand::AnswerQueries => {
                    self.queries.acknowledge();
                    self.answer_queries();
                }
                SearchCommand::Reset => self.reset(),
            }
        }
    }

    fn reset(&mut self) {
        self.engines.clear();
        self.last = None;
    }

    fn answer_queries(&self) {
        let Some(LastSearch { player, game, report }) = &self.last else {
            return self.queries.answer(None, &self.outbox, |_| None);
        };
        let search =
            self.engines.iter().find(|engine| engine.player == *player).and_then(|engine| match &engine.kind {
                EngineKind::Search(search) => Some(search),
                EngineKind::Program(_) => None,
            });
        // A search without a tree still has the root moves of its report.
        let reported = |line: &[String]| line.is_empty().then(|| report.moves.clone());
        let find =
            |line: &[String]| search.and_then(|search| search.look(game.as_ref(), line)).or_else(|| reported(line));
        self.queries.answer(Some(&GamePath::of(game.as_ref())), &self.outbox, find);
    }

    fn execute(&mut self, job: &SearchJob) -> Result<SearchOutput, String> {
        match &job.task {
            SearchTask::Analyse { player } => {
                let (result, event) = self.think(job, player, None)?;
                Ok(SearchOutput { event: Some(event), value: Some(result.report.value), ..SearchOutput::default() })
            }
            SearchTask::Move { player, clock } => self.choose(job, player, *clock),
            SearchTask::Solve { goal, by } => self.solve(job, *goal, by),
            SearchTask::Ask { task, by } => self.ask(job, task, by),
            SearchTask::Refute { answer, mv } => self.refute(job, answer, mv),
            SearchTask::Prove { goal, side, by } => self.prove(job, *goal, side, by),
        }
    }

    /// Allocates memory for a job. Idle engines of this worker are unloaded before it is refused.
    fn allocate(&mut self, requested: Option<usize>) -> Result<Grant, String> {
        loop {
            match self.shared.memory.memory(requested, self.shared.caps.memory_each) {
                Err(_) if !self.engines.is_empty() => drop(self.engines.remove(0)),
                granted => return granted,
            }
        }
    }

    /// Loads an engine if necessary and makes it the most recently used.
    fn engine(&mut self, player: &str, job: &SearchJob) -> Result<&mut LoadedEngine, String> {
        let is_loaded = |engine: &LoadedEngine| {
            engine.player == player && engine.requested_memory == job.memory && engine.is_for(job.game.as_ref())
        };
        let loaded = self.engines.iter().position(is_loaded);
        let engine = match loaded {
            Some(at) => self.engines.remove(at),
            None => {
                // Another amount of memory means another engine; the old one is unloaded first.
                self.engines.retain(|engine| engine.player != player);
                if self.engines.len() == MAX_ENGINES {
                    self.engines.remove(0);
                }
                let grant = self.allocate(job.memory)?;
                let spec: PlayerSpec = player.parse().map_err(|error: PlayerSpecError| error.to_string())?;
                let kind = if spec.is_program() {
                    let started = spec.start(job.game.as_ref(), &self.shared.children);
                    let mut program = started.map_err(|fault| fault.to_string())?;
                    program.begin(job.game.as_ref()).map_err(|fault| fault.to_string())?;
                    EngineKind::Program(program)
                } else {
                    let search = tesuji_catalog::Engine::new(player, job.game.as_ref());
                    EngineKind::Search(search.map_err(|error| error.to_string())?)
                };
                LoadedEngine { player: player.to_string(), requested_memory: job.memory, grant, kind }
            }
        };
        self.engines.push(engine);
        Ok(self.engines.last_mut().expect("it was just pushed"))
    }

    fn choose(&mut self, job: &SearchJob, player: &str, clock: Option<Clock>) -> Result<SearchOutput, String> {
        if let EngineKind::Program(program) = &mut self.engine(player, job)?.kind {
            let limits = Limits { time: clock.map_or(job.limits.time, |clock| Some(clock.left)), ..job.limits };
            let turn = Turn { limits, clock, seed: job.seed, threads: job.threads, stop: &job.stop };
            let choice = program.choose(job.game.as_ref(), &turn).map_err(|fault| format!("{player} {fault}"));
            if choice.is_err() {
                self.engines.pop();
            }
            return choice.map(|choice| {
                let (action, value) = (Some(choice.action), choice.value);
                SearchOutput { action, value, ..SearchOutput::default() }
            });
        }
        let (result, event) = self.think(job, player, clock)?;
        let mv = result.report.best.ok_or("the game is over")?;
        let (action, value) = (Some(Action::Move(mv)), Some(result.report.value));
        Ok(SearchOutput { event: Some(event), action, value, problem: None })
    }

    fn think(&mut self, job: &SearchJob, player: &str, clock: Option<Clock>) -> Result<(SearchResult, Value), String> {
        let (queries, outbox, shared) = (self.queries.clone(), self.outbox.clone(), self.shared.clone());
        let (owners, game) = (self.owners.clone(), job.game.copy());
        let counts_owners = owners.are_shown();
        let loaded = match job.task {
            SearchTask::Analyse { .. } => {
                analysis_spec(player, job.game.as_ref()).map_err(|error| error.to_string())?
            }
            _ => player.to_string(),
        };
        let engine = self.engine(&loaded, job)?;
        let EngineKind::Search(search) = &mut engine.kind else {
            return Err(format!("{player:?} is a program and reports nothing while it thinks; expected a search"));
        };
        let spec = search.spec().to_string();
        let limits = Limits { memory: Some(engine.grant.amount), ..job.limits };
        let threads = shared.threads.threads(job.threads, shared.caps.threads_each);
        let (number, root) = (job.number, GamePath::of(job.game.as_ref()));
        let (ply, facts) = (job.game.moves().len(), job.game.facts());
        let start = Instant::now();
        let mut last_event = start;
        let observer = move |inspector: &dyn Inspector<String>| {
            queries.answer(Some(&root), &outbox, |line| inspector.look(line));
            if last_event.elapsed() >= PROGRESS_INTERVAL {
                last_event = Instant::now();
                let report = inspector.report().in_points(&facts);
                let timing = SearchTiming::new(&report.counters, start.elapsed());
                let counted = if owners.are_shown() { inspector.ownership() } else { None };
                let ownership = owners.of(game.as_ref(), counted);
                let content = SearchReport { player, search: &spec, ply, report, timing, ownership };
                outbox.send_progress(ProgressKind::Thinking, number, &Event { event: "thinking", content });
            }
        };
        let settings = SearchSettings {
            limits,
            clock,
            seed: job.seed,
            threads: threads.amount,
            stop: &job.stop,
            observer: Some((QUERY_INTERVAL, Box::new(observer))),
            owners: counts_owners,
        };
        let result = search.think(job.game.as_ref(), settings);
        let report = result.report.in_points(&facts);
        let ownership = match job.task {
            SearchTask::Analyse { .. } => self.owners.of(job.game.as_ref(), result.ownership.clone()),
            // The move is due, and another position with it.
            _ => Ownership::default(),
        };
        let content =
            SearchReport { player, search: &result.search, ply, report, timing: result.timing.clone(), ownership };
        let event = to_value(&Event { event: "thought", content });
        let (player, game, report) = (loaded, job.game.copy(), result.report.clone());
        self.last = Some(LastSearch { player, game, report });
        Ok((result, event))
    }
}

fn to_value(event: &impl Serialize) -> Value {
    serde_json::to_value(event).expect("events have string keys")
}
