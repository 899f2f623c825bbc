//! Yes/no questions to a solver, under limits for all of them together.

use crate::TsumegoError;
use crate::board::Points;
use crate::crop::Cropped;
use crate::problem::Problem;
use crate::scale::{Level, Scale};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tesuji_catalog::{Goal as SolveGoal, ProofOutcome, Session, Sides, SolvePlan, SolveStage, solve};
use tesuji_core::{Limits, Player, Verdict};

/// The resources for a problem.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// The solver: a spec, or `auto`.
    pub by: &'a str,
    /// The limits of all questions together.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads, for solvers that can use them.
    pub threads: usize,
    /// Set to end the run early with what is known.
    pub stop: &'a AtomicBool,
    /// The interval between progress calls, and the function to call: with the question, and the
    /// nodes so far.
    pub observer: Option<ProgressObserver<'a>>,
}

/// The interval between progress calls, and the function to call.
pub type ProgressObserver<'a> = (Duration, &'a (dyn Fn(&str, u64) + Sync));

/// A question: does the mover of a problem reach its goal, perhaps after a first move?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The threats of both sides.
    pub level: Level,
    /// Further options of the problem game, such as `,seki=dead`.
    pub options: &'static str,
    /// The first move.
    pub after: Option<&'a str>,
    /// Whether a draw is enough, in a race.
    pub draw: bool,
}

impl<'a> Question<'a> {
    /// The plain question about a problem at a level.
    pub fn at(problem: &'a Problem, level: Level) -> Question<'a> {
        Question { problem, level, options: "", after: None, draw: false }
    }

    /// Opens the position of the question, before a first move.
    pub fn open(&self) -> Result<Box<dyn Session>, TsumegoError> {
        self.problem.open(self.level, self.options)
    }

    /// Returns what a solver is asked to reach for the mover.
    pub fn goal(&self) -> SolveGoal {
        if self.draw { SolveGoal::Draw } else { SolveGoal::Win }
    }

    /// Returns a first move as the game writes it; an error if it is illegal.
    pub fn first_move(&self, mv: &str) -> Result<String, TsumegoError> {
        let legal = self.open()?.legal_moves().into_iter().find(|legal| legal.eq_ignore_ascii_case(mv));
        legal.ok_or_else(|| TsumegoError::Move(mv.to_string()))
    }
}

/// The answer to a question.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reply {
    /// Whether the mover succeeds; `None` if the limits did not suffice.
    pub answer: Option<bool>,
    /// A line of play.
    pub line: Vec<String>,
}

/// Asks questions until the limits are exhausted, and remembers the answers.
pub struct Solver<'a> {
    effort: Effort<'a>,
    start: Instant,
    nodes: u64,
    /// The spec of the solver that `auto` stood for.
    by: String,
    known: HashMap<String, Reply>,
}

impl<'a> Solver<'a> {
    /// Starts the clock.
    pub fn new(effort: Effort<'a>) -> Solver<'a> {
        let by = effort.by.to_string();
        Solver { effort, start: Instant::now(), nodes: 0, by, known: HashMap::new() }
    }

    /// Returns the nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the time so far.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the solver: what `auto` stood for, once a question was asked.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// Returns a share of the limits that are left; `None` if nothing is left.
    fn left(&self, share: f64) -> Option<Limits> {
        let limits = &self.effort.limits;
        let time = limits.time.map(|time| time.saturating_sub(self.start.elapsed()).mul_f64(share));
        let nodes = limits.nodes.map(|nodes| (nodes.saturating_sub(self.nodes) as f64 * share).ceil() as u64);
        let is_out = self.effort.stop.load(Relaxed) || time.is_some_and(|time| time.is_zero()) || nodes == Some(0);
        (!is_out).then_some(Limits { time, nodes, playouts: None, memory: limits.memory })
    }

    /// Returns whether nothing is left of the limits, or the run was stopped.
    pub fn is_exhausted(&self) -> bool {
        self.left(1.0).is_none()
    }

    /// Asks a question with a share of what is left of the limits. An answered question is not
    /// asked again.
    ///
    /// With unlimited threats the result of a cycle depends on the moves in it, so that results
    /// depend on the path and are searched again and again. Two threats have no such cycles: a
    /// mover that fails against two fails against more, and one that succeeds with two succeeds
    /// with more.
    pub fn ask(&mut self, question: Question<'_>, share: f64) -> Result<Reply, TsumegoError> {
        if let Some((level, settles)) = question.level.two_threats() {
            let reply = self.ask_at_level(Question { level, ..question }, share / 2.0)?;
            if reply.answer == Some(settles) {
                return Ok(reply);
            }
        }
        self.ask_at_level(question, share)
    }

    fn ask_at_level(&mut self, question: Question<'_>, share: f64) -> Result<Reply, TsumegoError> {
        let Question { problem, level, options, after, draw } = question;
        let goal = question.goal();
        let key = format!("{} {} {after:?} {draw}", problem.spec(options), problem.text(level));
        if let Some(reply) = self.known.get(&key) {
            return Ok(reply.clone());
        }
        let cropped = Cropped::new(problem);
        let mut session = Question { problem: &cropped.problem, ..question }.open()?;
        let name = session.player_name(problem.mover());
        if let Some(mv) = after {
            let wrong = || TsumegoError::Move(mv.to_string());
            session.play(&cropped.name_of(problem, mv).ok_or_else(wrong)?).map_err(|_| wrong())?;
        }
        let reply = if let Some(ending) = session.ending() {
            let verdict = ending.verdicts[problem.mover().index()];
            let succeeds = verdict == Verdict::Win || draw && verdict == Verdict::Draw;
            Reply { answer: Some(succeeds), line: Vec::new() }
        } else {
            let Some(limits) = self.left(share) else { return Ok(Reply::default()) };
            let words = words_of(&question);
            let before = self.nodes;
            let watch = |stage: SolveStage<'_>| {
                if let (SolveStage::Asking { nodes, .. }, Some((_, observer))) = (stage, self.effort.observer) {
                    observer(&words, before + nodes);
                }
            };
            let plan = SolvePlan {
                observer: self.effort.observer.map(|(interval, _)| (interval, &watch as _)),
                ..self.plan(goal, name, limits)
            };
            let solution = solve(session.as_ref(), &plan)?.expect("the game is not over");
            self.nodes += solution.counters.nodes;
            self.by = solution.solver;
            let side = solution.sides.into_iter().next().expect("one side was asked for");
            Reply { answer: side.answer, line: cropped.original_line(problem, side.variation) }
        };
        if reply.answer.is_some() {
            self.known.insert(key, reply.clone());
        }
        Ok(reply)
    }

    /// Asks a question, and returns the points on which the answer depends; `None` in their place
    /// if nothing less than the whole board is known. Zones have their own limit on nodes.
    pub fn zone(&mut self, question: Question<'_>, nodes: u64) -> Result<(Option<bool>, Option<Points>), TsumegoError> {
        let Question { problem, level, options, .. } = question;
        let session = problem.open(level, options)?;
        let (name, Some(limits)) = (session.player_name(problem.mover()), self.left(1.0)) else {
            return Ok((None, None));
        };
        let plan = SolvePlan { zone: Some(nodes), ..self.plan(SolveGoal::Win, name, limits) };
        let Some(solution) = solve(session.as_ref(), &plan)? else { return Ok((None, None)) };
        self.nodes += solution.counters.nodes;
        let side = solution.sides.into_iter().next().expect("one side was asked for");
        let cells = side.zone.and_then(|zone| zone.cells);
        let points = cells.map(|names| names.iter().filter_map(|name| problem.board.point(name)).collect());
        Ok((side.answer, points))
    }

    fn plan(&self, goal: SolveGoal, name: &str, limits: Limits) -> SolvePlan<'a> {
        SolvePlan {
            goal,
            by: self.effort.by.to_string(),
            sides: Sides::One(name.to_string()),
            all_moves: false,
            limits,
            seed: self.effort.seed,
            threads: self.effort.threads,
            stop: self.effort.stop,
            checkpoint: None,
            proof: None,
            zone: None,
            observer: None,
        }
    }

    /// Asks a question again, and writes a certificate of its answer. The limits of the problem do
    /// not apply: the question has been answered under them.
    pub fn prove(&mut self, question: Question<'_>, file: PathBuf) -> Result<ProofOutcome, TsumegoError> {
        let session = question.open()?;
        let name = session.player_name(question.problem.mover());
        let limits = Limits { memory: self.effort.limits.memory, ..Limits::default() };
        let plan = SolvePlan { proof: Some(file), ..self.plan(question.goal(), name, limits) };
        let solution = solve(session.as_ref(), &plan)?;
        let none = || ProofOutcome::NotCertified("the problem is over before the first move".to_string());
        Ok(solution.and_then(|solution| solution.proof).unwrap_or_else(none))
    }

    /// Finds the verdict, or as much of it as the limits allow: asks a question at one level after
    /// the other, each with a share of what is left.
    pub fn verdict(&mut self, question: Question<'_>, share: f64) -> Result<Scale, TsumegoError> {
        let mut scale = Scale::UNKNOWN;
        while let Some(level) = scale.next() {
            let Some(succeeds) = self.ask(Question { level, ..question }, share)?.answer else { break };
            scale.learn(level, succeeds);
        }
        Ok(scale)
    }
}

/// Describes a question in a progress line.
fn words_of(question: &Question<'_>) -> String {
    let Question { problem, level, after, draw, .. } = question;
    let after = after.map_or(String::new(), |mv| format!(" after {mv}"));
    let goal = if *draw { "seki".to_string() } else { problem.goal.to_string() };
    let side = if problem.mover() == Player::FIRST { "Black" } else { "White" };
    format!(
        "{side}: {goal}{after}, ko level {}, region {} of {} points?",
        level.name(),
        problem.stage,
        problem.region.len()
    )
}
