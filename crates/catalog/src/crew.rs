//! Searches and solvers whose work is done by workers in other processes.
//!
//! The crate that runs the workers is above this one and knows moves and positions as text only.
//! [`CrewSearch`] and [`CrewProver`] make a [`Crew`] a search and a solver like any other, so that
//! every front end can use it. As with a logger, a program registers its [`Crews`] once.

use crate::auto;
use crate::session::{Session, SessionOf};
use rustc_hash::FxHashMap;
use std::io::{self, Read, Write};
use std::sync::OnceLock;
use tesuji_core::{
    Capabilities, Control, Game, History, Inspector, Knowledge, Limits, Prover, Question, Report, RootStats, Search,
    SolutionLine, Spec, SpecError, StopReason,
};
use tesuji_search::root::{Vote, poll};

/// The crews of a program, by the name of their specs.
pub trait Crews: Send + Sync {
    /// Returns the name of the specs.
    fn name(&self) -> &'static str;

    /// Reads a spec of that name.
    fn read(&self, spec: &Spec) -> Result<CrewPlan, SpecError>;

    /// Returns a crew for a plan. Its workers start when they are needed.
    fn crew(&self, plan: &CrewPlan) -> Box<dyn Crew>;
}

/// What the workers of a crew run.
#[derive(Clone, Debug)]
pub struct CrewPlan {
    /// The searches or solvers of the workers, in order; further workers repeat them.
    pub specs: Vec<Spec>,
    /// How the workers vote on a move.
    pub vote: Vote,
    /// The most nodes of a job between two reports of its worker.
    pub slice: u64,
    /// The number of reports after which a job is split.
    pub slices: u32,
}

/// Workers in other processes, which search or solve positions together.
pub trait Crew: Send {
    /// Searches the current position of a game with every worker, and returns the reports of the
    /// workers that answered in time, in the order of the workers. `watch` is called every few
    /// milliseconds with the latest reports; false ends the search.
    fn search(
        &mut self,
        game: &dyn Session,
        task: &CrewTask,
        watch: &mut dyn FnMut(&[Report<String>]) -> bool,
    ) -> Vec<Report<String>>;

    /// Works on a question about the current position of a game; see [`Prover::ask`]. Returns
    /// `None` if no worker is left.
    fn ask(
        &mut self,
        game: &dyn Session,
        question: Question,
        task: &CrewTask,
        watch: &mut dyn FnMut(&Report<String>) -> bool,
    ) -> Option<Report<String>>;

    /// Clears everything the workers have learned.
    fn forget(&mut self);

    /// Writes what the crew itself has learned, without the tables of the workers.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Replaces it with what [`save`](Crew::save) wrote.
    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()>;
}

/// The resources for a search or a question.
#[derive(Clone, Copy, Debug)]
pub struct CrewTask {
    /// The limits of all workers together; the limit on memory is that of each.
    pub limits: Limits,
    /// The seed. Every worker derives its own from it.
    pub seed: u64,
    /// The threads of each worker.
    pub threads: usize,
}

impl CrewTask {
    fn new<M>(control: &Control<'_, M>) -> CrewTask {
        let limits = Limits { time: control.time_left(), memory: Some(control.memory()), ..control.limits() };
        CrewTask { limits, seed: control.seed(), threads: control.threads() }
    }
}

static CREWS: OnceLock<Box<dyn Crews>> = OnceLock::new();

/// Registers the crews of this program. Later calls have no effect.
pub fn register_crews(crews: Box<dyn Crews>) {
    let _ = CREWS.set(crews);
}

/// Returns the registered crews with this name.
fn named(name: &str) -> Option<&'static dyn Crews> {
    CREWS.get().map(Box::as_ref).filter(|crews| crews.name() == name)
}

/// Refuses the spec of a crew that comes from outside, such as from a client of the server: it
/// would start programs.
pub fn check_untrusted(spec: &Spec) -> Result<(), SpecError> {
    match named(spec.name()) {
        Some(_) => Err(SpecError::Syntax {
            spec: spec.to_string(),
            reason: "it starts workers, which is accepted on the command line only".to_string(),
        }),
        None => Ok(()),
    }
}

/// What is built for a crew: a search or a solver, and what it can do.
type Built<T> = Result<Option<(T, Capabilities)>, SpecError>;

/// Builds the search of a spec that names a crew; `None` if it names none. `game` is the spec of
/// the game.
pub fn search<G: Knowledge>(spec: &Spec, game: &Spec, rules: &G::Rules) -> Built<Box<dyn Search<G>>> {
    let Some(crews) = named(spec.name()) else { return Ok(None) };
    let plan = crews.read(spec)?;
    // Building every spec reports a bad one now instead of in the middle of a game.
    let mut alone = None;
    let mut voters = Vec::new();
    for spec in &plan.specs {
        let (resolved, search) = auto::build::<G>(spec, rules)?;
        voters.push(tesuji_search::capabilities(&resolved)?);
        alone.get_or_insert(search);
    }
    let can = Capabilities {
        parallel: true,
        playouts: voters.iter().any(|voter| voter.playouts),
        proves: voters.iter().any(|voter| voter.proves),
        plays_proven: voters.iter().all(|voter| voter.plays_proven),
        splits_limits: true,
        finds_solutions: voters.iter().any(|voter| voter.finds_solutions),
        ..Capabilities::PLAYER
    };
    let alone = alone.expect("a plan has a search");
    let search = CrewSearch { game: game.clone(), vote: plan.vote, crew: crews.crew(&plan), alone };
    Ok(Some((Box::new(search), can)))
}

/// As [`search`], for a solver.
pub fn prover<G: Knowledge>(spec: &Spec, game: &Spec, rules: &G::Rules) -> Built<Box<dyn Prover<G>>> {
    let Some(crews) = named(spec.name()) else { return Ok(None) };
    let plan = crews.read(spec)?;
    let mut alone = None;
    let mut can = Capabilities { parallel: true, cycle_safe: false, ..Capabilities::SOLVER };
    for spec in &plan.specs {
        let resolved = auto::resolve_solver::<G>(spec, rules)?;
        let prover = tesuji_pairs::prover::<G>(&resolved, rules)?;
        let of_spec = tesuji_search::capabilities(&resolved)?;
        can.keeps_proof &= of_spec.keeps_proof;
        can.playouts |= of_spec.playouts;
        alone.get_or_insert(prover);
    }
    let alone = alone.expect("a plan has a solver");
    let prover = CrewProver { game: game.clone(), crew: crews.crew(&plan), alone };
    Ok(Some((Box::new(prover), can)))
}

/// The moves of a position by their texts.
struct Moves<G: Game>(FxHashMap<String, G::Move>);

impl<G: Game> Moves<G> {
    fn new(root: &History<G>) -> Moves<G> {
        let mut legal = Vec::new();
        root.legal_moves(&mut legal);
        Moves(legal.into_iter().map(|mv| (root.position().move_text(mv), mv)).collect())
    }

    /// Converts a report from text. Moves that are not legal are left out.
    fn read(&self, report: &Report<String>, root: &History<G>) -> Report<G::Move> {
        let Report { value, bounds, proof_numbers, counters, stopped, .. } = *report;
        let known = |text: &String| self.0.get(text).copied();
        let moves = report.moves.iter().filter_map(|entry| {
            let mv = known(&entry.mv)?;
            Some(entry.clone().map(|_| mv, |bounds| bounds))
        });
        let solution = report.solution.as_ref().map(|line| SolutionLine {
            score: line.score,
            found_at_playout: line.found_at_playout,
            moves: playable(&line.moves, root),
        });
        Report {
            best: report.best.as_ref().and_then(known),
            value,
            bounds,
            proof_numbers,
            variation: playable(&report.variation, root),
            moves: moves.collect(),
            solution,
            counters,
            stopped,
        }
    }
}

/// Converts a line of play up to its first move that is not legal.
fn playable<G: Game>(line: &[String], root: &History<G>) -> Vec<G::Move> {
    let mut history = root.clone();
    line.iter().map_while(|text| history.play_text(text).ok()).collect()
}

/// A report as an inspector.
struct Snapshot<M>(Report<M>);

impl<M: Clone> Inspector<M> for Snapshot<M> {
    fn report(&self) -> Report<M> {
        self.0.clone()
    }
}

/// The search of a crew: every worker searches alone, and they vote as in `root`.
struct CrewSearch<G: Game> {
    game: Spec,
    vote: Vote,
    crew: Box<dyn Crew>,
    /// Searches in this process if no worker is left.
    alone: Box<dyn Search<G>>,
}

impl<G: Knowledge> Search<G> for CrewSearch<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let game = SessionOf::new(self.game.clone(), root.clone());
        let (moves, vote) = (Moves::new(root), self.vote);
        let merged = |texts: &[Report<String>]| {
            let reports: Vec<Report<G::Move>> = texts.iter().map(|report| moves.read(report, root)).collect();
            poll(&reports, root, vote)
        };
        let mut ticker = control.ticker(0);
        let mut watch = |texts: &[Report<String>]| {
            ticker.poll();
            let goes_on = ticker.report(|| RootStats::of_report(&merged(texts))) && ticker.check_now();
            if ticker.is_due() && !texts.is_empty() {
                control.show(&Snapshot(merged(texts)));
            }
            goes_on
        };
        let reports = self.crew.search(&game, &CrewTask::new(control), &mut watch);
        if reports.is_empty() {
            return self.alone.search(root, control);
        }
        let mut report = merged(&reports);
        if let Some(reason) = control.ended() {
            report.stopped = reason;
        }
        report
    }

    fn forget(&mut self) {
        self.crew.forget();
        self.alone.forget();
    }
}

/// The solver of a crew: the workers solve parts of the position.
struct CrewProver<G: Game> {
    game: Spec,
    crew: Box<dyn Crew>,
    /// Solves in this process if no worker is left.
    alone: Box<dyn Prover<G>>,
}

impl<G: Knowledge> Prover<G> for CrewProver<G> {
    fn ask(&mut self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let game = SessionOf::new(self.game.clone(), root.clone());
        let moves = Moves::new(root);
        let mut ticker = control.ticker(0);
        let mut watch = |report: &Report<String>| {
            let goes_on = ticker.check_now();
            if ticker.is_due() {
                control.show(&Snapshot(moves.read(report, root)));
            }
            goes_on
        };
        let Some(report) = self.crew.ask(&game, question, &CrewTask::new(control), &mut watch) else {
            return self.alone.ask(root, question, control);
        };
        if report.stopped != StopReason::Solved {
            control.end(report.stopped);
        }
        moves.read(&report, root)
    }

    fn forget(&mut self) {
        self.crew.forget();
        self.alone.forget();
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.crew.save(out)
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.crew.restore(input)
    }
}
