//! The work on one question: jobs out, reports in.

use super::{Watch, report};
use crate::job::{Inquiry, Position, SLICE_TIME};
use crate::team::{Event, Team};
use crate::tree::{NodeId, ROOT, Tree};
use std::time::Duration;
use tesuji_catalog::{CrewPlan, CrewTask, Session};
use tesuji_core::{Counters, ProofNumbers, Report, StopReason};

/// How often the caller is asked whether to go on.
const WATCH: Duration = Duration::from_millis(5);
/// The nodes of a question in one piece, and of the first jobs. Raising it solves larger positions
/// on one worker before the others join in.
const PROBE_NODES: u64 = 20_000;
/// How much more the workers get if the one whose table should have the answer does not find it.
const SECOND_PROBE: u64 = 10;
/// The nodes of the tree for each worker before the first job is handed out. Raising it finds more
/// independent jobs, which are smaller than they need to be.
const NODES_PER_WORKER: usize = 64;
/// The nodes of a job are the nodes of all jobs so far, divided by the number of workers and by
/// this. Raising it spends more on messages, and less on leaves that turn out not to matter.
const BUDGET_PART: u64 = 8;

/// The most replies of a message; a worker sends fewer if they are long. Raising it sends fewer
/// messages of more bytes.
const MOST_REPLIES: usize = 50_000;

/// Why the work on a question ended without an answer.
pub enum End {
    /// A limit was reached, or the caller ended it.
    Stopped(StopReason),
    /// All workers are given up.
    NoWorker,
}

/// A job of a worker.
struct Job {
    id: u64,
    leaf: NodeId,
    /// The moves from the root of the tree to the leaf.
    line: Vec<String>,
    position: Position,
    /// Whether the worker was asked to end it early.
    stopped: bool,
}

/// The end of a job.
struct Outcome {
    worker: usize,
    job: Job,
    /// The report; `None` if the worker was lost.
    report: Option<Report<String>>,
}

/// The work on one question.
pub struct Work<'a> {
    team: &'a mut Team,
    inquiry: &'a Inquiry,
    game: &'a dyn Session,
    plan: &'a CrewPlan,
    task: &'a CrewTask,
    watch: Watch<'a>,
    /// The job of each worker.
    jobs: Vec<Option<Job>>,
    /// The work of all jobs.
    pub counters: Counters,
}

impl<'a> Work<'a> {
    /// Returns the work on a question, with no job handed out.
    pub fn new(
        team: &'a mut Team,
        inquiry: &'a Inquiry,
        game: &'a dyn Session,
        plan: &'a CrewPlan,
        task: &'a CrewTask,
        watch: Watch<'a>,
    ) -> Work<'a> {
        let jobs = (0..team.size()).map(|_| None).collect();
        Work { team, inquiry, game, plan, task, watch, jobs, counters: Counters::default() }
    }

    /// Puts the question to the workers in one piece: first to the one whose table may have the
    /// answer, then to all. Returns the worker that answered and its report.
    pub fn probe(&mut self, hint: Option<usize>) -> Result<Option<(usize, Report<String>)>, End> {
        self.team.prepare(&self.inquiry.spec);
        let hint = hint.filter(|&number| number < self.team.size() && !self.team.is_given_up(number));
        if let Some(number) = hint {
            // It may still be ending its last job.
            while self.team.is_busy(number) {
                self.wait(None)?;
            }
            if self.team.is_ready(number) {
                self.give(number, ROOT, Vec::new(), PROBE_NODES);
                if let Some(answered) = self.first_answer()? {
                    return Ok(Some(answered));
                }
            }
        }
        while (0..self.team.size()).all(|number| !self.team.is_ready(number)) {
            self.wait(None)?;
        }
        let nodes = if hint.is_some() { PROBE_NODES * SECOND_PROBE } else { PROBE_NODES };
        for number in 0..self.team.size() {
            if self.team.is_ready(number) {
                self.give(number, ROOT, Vec::new(), nodes);
            }
        }
        self.first_answer()
    }

    /// Asks the worker whose table may have them for the replies that keep an answer, at the game
    /// and below it.
    pub fn replies(&mut self, number: usize, holds: bool) -> Result<Vec<(String, String)>, End> {
        self.team.prepare(&self.inquiry.spec);
        while self.team.is_busy(number) {
            self.wait(None)?;
        }
        if !self.team.is_ready(number) {
            return Ok(Vec::new());
        }
        let position = self.inquiry.position(self.game);
        let by = self.by(number);
        let (inquiry, task) = (self.inquiry, self.task);
        let message = |id| inquiry.replies_message(id, &by, &position, (holds, MOST_REPLIES, PROBE_NODES), task);
        let Some(sent) = self.team.assign(number, Some(SLICE_TIME), message) else { return Ok(Vec::new()) };
        loop {
            if let Err(end) = self.check(None) {
                self.team.stop(number, sent);
                return Err(end);
            }
            for event in self.team.events(WATCH) {
                match event {
                    Event::Replies { id, replies } if id == sent => return Ok(replies),
                    Event::Lost { member } if member == number => return Ok(Vec::new()),
                    _ => {}
                }
            }
        }
    }

    /// The spec of a worker's solver.
    fn by(&self, number: usize) -> String {
        self.plan.specs[number % self.plan.specs.len()].to_string()
    }

    /// Waits until a job has answered the question, or none is left.
    fn first_answer(&mut self) -> Result<Option<(usize, Report<String>)>, End> {
        while self.jobs.iter().any(Option::is_some) {
            for Outcome { worker, report, .. } in self.wait(None)? {
                if let Some(report) = report
                    && self.inquiry.question.answer(&report.bounds).is_some()
                {
                    let counters = self.counters;
                    return Ok(Some((worker, Report { counters, stopped: StopReason::Solved, ..report })));
                }
            }
        }
        Ok(None)
    }

    /// Searches the leaves of a tree until its root is solved.
    pub fn solve(&mut self, tree: &mut Tree) -> Result<(), End> {
        while tree.answer(ROOT).is_none() && tree.len() < NODES_PER_WORKER * self.team.size() {
            let Some((leaf, line)) = tree.select() else { break };
            self.expand(tree, leaf, &line, &[]);
        }
        let result = self.search_leaves(tree);
        for job in self.jobs.iter().flatten() {
            tree.unlock(job.leaf);
        }
        result
    }

    fn search_leaves(&mut self, tree: &mut Tree) -> Result<(), End> {
        while tree.answer(ROOT).is_none() {
            self.team.prepare(&self.inquiry.spec);
            for number in 0..self.team.size() {
                if self.team.is_ready(number)
                    && self.jobs[number].is_none()
                    && let Some((leaf, line)) = tree.select()
                    && self.give(number, leaf, line, self.budget())
                {
                    tree.lock(leaf, number);
                }
            }
            for Outcome { worker, job, report } in self.wait(Some(&*tree))? {
                match report {
                    None => tree.unlock(job.leaf),
                    Some(report) => self.take(tree, worker, job, report),
                }
            }
            for number in 0..self.jobs.len() {
                if let Some(job) = &mut self.jobs[number]
                    && !job.stopped
                    && !tree.matters(job.leaf)
                {
                    job.stopped = true;
                    self.team.stop(number, job.id);
                }
            }
        }
        Ok(())
    }

    /// Takes a report into the tree. The worker goes on with a leaf that is worth it.
    fn take(&mut self, tree: &mut Tree, number: usize, job: Job, report: Report<String>) {
        let numbers = self.inquiry.numbers(&report).unwrap_or_else(|| harder(tree.numbers(job.leaf)));
        let reports = tree.report(job.leaf, numbers, report.best);
        if tree.answer(job.leaf).is_some() || !tree.matters(job.leaf) {
            tree.unlock(job.leaf);
            return;
        }
        // With an idle worker and no leaf for it, jobs end early.
        let is_starving = (0..self.team.size())
            .any(|other| other != number && self.team.is_ready(other) && self.jobs[other].is_none());
        if reports >= self.plan.slices || is_starving {
            self.expand(tree, job.leaf, &job.line, &report.moves);
        } else if !self.give(number, job.leaf, job.line, self.budget()) {
            tree.unlock(job.leaf);
        }
    }

    /// Gives a leaf its moves as children, with the numbers that a worker reported of them.
    fn expand(&self, tree: &mut Tree, leaf: NodeId, line: &[String], reported: &[tesuji_core::RootMove<String>]) {
        let game = self.at(line);
        tree.expand(leaf, self.inquiry.children(game.as_ref(), reported));
    }

    /// Returns the game after a line of the tree.
    fn at(&self, line: &[String]) -> Box<dyn Session> {
        let mut game = self.game.copy();
        line.iter().for_each(|mv| game.play(mv).expect("the tree has legal moves"));
        game
    }

    /// Returns the nodes of the next job.
    fn budget(&self) -> u64 {
        let part = self.counters.nodes / (BUDGET_PART * self.team.size() as u64);
        part.clamp(PROBE_NODES, self.plan.slice.max(PROBE_NODES))
    }

    /// Returns the nodes left before the limit.
    fn nodes_left(&self) -> u64 {
        self.task.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.counters.nodes))
    }

    /// Hands out a leaf; false if the worker was lost.
    fn give(&mut self, number: usize, leaf: NodeId, line: Vec<String>, nodes: u64) -> bool {
        let position = self.inquiry.position(self.at(&line).as_ref());
        let nodes = nodes.min(self.nodes_left()).max(1);
        let by = self.by(number);
        let (inquiry, task) = (self.inquiry, self.task);
        let message = |id| inquiry.message(id, &by, &position, nodes, task);
        self.team.totals().add_job();
        let Some(id) = self.team.assign(number, Some(SLICE_TIME), message) else { return false };
        self.jobs[number] = Some(Job { id, leaf, line, position, stopped: false });
        true
    }

    /// Waits for reports. Returns the jobs that reported or were lost with their workers.
    fn wait(&mut self, tree: Option<&Tree>) -> Result<Vec<Outcome>, End> {
        self.check(tree)?;
        self.team.prepare(&self.inquiry.spec);
        if self.team.is_empty() {
            return Err(End::NoWorker);
        }
        let mut events = self.team.events(WATCH);
        let mut outcomes = Vec::new();
        while let Some(event) = events.pop_front() {
            match event {
                Event::Lost { member } => {
                    let job = self.jobs[member].take();
                    outcomes.extend(job.map(|job| Outcome { worker: member, job, report: None }));
                }
                Event::Done { member, id, report } => {
                    let Some(job) = self.jobs[member].take_if(|job| job.id == id) else { continue };
                    match report.read(&job.position.legal, self.inquiry.player(), &self.inquiry.facts) {
                        Ok(report) => {
                            self.count(&report.counters);
                            outcomes.push(Outcome { worker: member, job, report: Some(report) });
                        }
                        Err(reason) => {
                            outcomes.push(Outcome { worker: member, job, report: None });
                            self.team.drop_for_nonsense(member, &reason, &mut events);
                        }
                    }
                }
                Event::Report { .. } | Event::Replies { .. } => {}
            }
        }
        Ok(outcomes)
    }

    fn count(&mut self, of_job: &Counters) {
        let bytes = self.counters.bytes.max(of_job.bytes);
        self.counters.merge(of_job);
        self.counters.bytes = bytes;
    }

    /// Asks the caller whether to go on, and checks the limit on nodes.
    fn check(&mut self, tree: Option<&Tree>) -> Result<(), End> {
        let running = match tree {
            Some(tree) => report(self.inquiry, tree, ROOT, self.counters, StopReason::Interrupted),
            None => {
                let report = Report::without_search(self.inquiry.question.known, 0.0);
                Report { counters: self.counters, stopped: StopReason::Interrupted, ..report }
            }
        };
        if !(self.watch)(&running) {
            return Err(End::Stopped(StopReason::Interrupted));
        }
        if self.nodes_left() == 0 {
            return Err(End::Stopped(StopReason::Nodes));
        }
        Ok(())
    }
}

impl Drop for Work<'_> {
    /// Stops the jobs that still run. What they report is left out.
    fn drop(&mut self) {
        for (number, job) in self.jobs.iter().enumerate() {
            if let Some(job) = job {
                self.team.stop(number, job.id);
            }
        }
    }
}

/// The numbers of a leaf that a worker could not say more about: other leaves are tried first.
fn harder(numbers: ProofNumbers) -> ProofNumbers {
    let twice = |number: u32| number.saturating_mul(2).min(u32::MAX - 1);
    ProofNumbers { proof: twice(numbers.proof), disproof: twice(numbers.disproof) }
}
