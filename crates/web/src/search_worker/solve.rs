//! Solving a position and writing its certificate.

use super::{PROGRESS_INTERVAL, SearchJob, SearchOutput, SearchWorker, to_value};
use crate::caps::Grant;
use crate::message::{Event, SolverProgress, SolverResult};
use crate::outbox::{Outbox, ProgressKind};
use crate::server::Shared;
use crate::store::PendingFile;
use crate::tree_queries::{GamePath, TreeQueries};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tesuji_catalog::{Goal, ProofOutcome, Sides, Solution, SolvePlan, SolveStage};
use tesuji_core::{Facts, INFINITE, Limits};

/// A solved position and the ID of its certificate, or why there is none.
pub(super) struct Certified {
    solution: Solution,
    pub proof: Option<String>,
    pub why_no_proof: Option<String>,
}

/// The progress events of a solver: their kind and their name.
pub(super) type Stream = (ProgressKind, &'static str);

impl SearchWorker {
    pub(super) fn solve(&mut self, job: &SearchJob, goal: Goal, by: &str) -> Result<SearchOutput, String> {
        let certified = self.certify(job, goal, by, Sides::Usual, (ProgressKind::Solving, "solving"))?;
        let event = Event { event: "solved", content: result(job, certified) };
        Ok(SearchOutput { event: Some(to_value(&event)), ..SearchOutput::default() })
    }

    /// Solves the position of a job and writes its certificate.
    pub(super) fn certify(
        &mut self,
        job: &SearchJob,
        goal: Goal,
        by: &str,
        sides: Sides,
        stream: Stream,
    ) -> Result<Certified, String> {
        let memory = self.allocate(job.memory)?;
        let threads = self.shared.threads.threads(job.threads, self.shared.caps.threads_each);
        let file = self.shared.store.create().map_err(|error| format!("cannot create a proof file: {error}"))?;
        let observer = Observer::new(self, job, memory.amount, stream);
        let watch = |stage: SolveStage<'_>| observer.observe(&stage);
        let plan = SolvePlan {
            goal,
            by: by.to_string(),
            sides,
            all_moves: false,
            limits: Limits { memory: Some(memory.amount), ..job.limits },
            seed: job.seed,
            threads: threads.amount,
            stop: &job.stop,
            checkpoint: None,
            proof: Some(file.path().to_path_buf()),
            zone: None,
            observer: Some((PROGRESS_INTERVAL, &watch)),
        };
        let solution = tesuji_catalog::solve(job.game.as_ref(), &plan).map_err(|error| error.to_string())?;
        let solution = solution.ok_or("the game is over")?;
        let (proof, why_no_proof) = observer.certificate(&solution, file);
        Ok(Certified { solution, proof, why_no_proof })
    }
}

/// Watches a running solver: sends progress, answers tree queries, and stops a certificate that
/// grows too large.
struct Observer<'a> {
    shared: &'a Shared,
    outbox: &'a Outbox,
    queries: &'a TreeQueries,
    stream: Stream,
    number: u64,
    stop: &'a AtomicBool,
    root: GamePath,
    facts: Facts,
    memory: usize,
    start: Instant,
    last_event: Mutex<Instant>,
    proof_memory: Mutex<Grant>,
    proof_too_large: AtomicBool,
}

impl<'a> Observer<'a> {
    fn new(worker: &'a SearchWorker, job: &'a SearchJob, memory: usize, stream: Stream) -> Observer<'a> {
        let start = Instant::now();
        Observer {
            shared: &worker.shared,
            outbox: &worker.outbox,
            queries: &worker.queries,
            stream,
            number: job.number,
            stop: &job.stop,
            root: GamePath::of(job.game.as_ref()),
            facts: job.game.facts(),
            memory,
            start,
            last_event: Mutex::new(start),
            proof_memory: Mutex::new(worker.shared.memory.empty_grant()),
            proof_too_large: AtomicBool::new(false),
        }
    }

    fn observe(&self, stage: &SolveStage<'_>) {
        if let SolveStage::WritingProof { positions } = stage {
            self.limit_proof(*positions);
        }
        // A solver shows its root moves only.
        let root_moves = match stage {
            SolveStage::Asking { mv: None, report, .. } => Some(&report.moves),
            _ => None,
        };
        self.queries.answer(Some(&self.root), self.outbox, |line| root_moves.filter(|_| line.is_empty()).cloned());
        let mut last_event = self.last_event.lock().unwrap_or_else(PoisonError::into_inner);
        if last_event.elapsed() >= PROGRESS_INTERVAL {
            *last_event = Instant::now();
            if let Some(content) = self.progress(stage) {
                let (kind, event) = self.stream;
                self.outbox.send_progress(kind, self.number, &Event { event, content });
            }
        }
    }

    /// Stops the solver if its certificate has too many positions or does not fit into memory.
    fn limit_proof(&self, positions: u64) {
        let mut memory = self.proof_memory.lock().unwrap_or_else(PoisonError::into_inner);
        let has_memory = memory.grow_to_positions(positions);
        if !has_memory || positions > self.shared.caps.proof_positions {
            self.proof_too_large.store(true, Relaxed);
            self.stop.store(true, Relaxed);
        }
    }

    /// Describes the stage; `None` if there is nothing to report.
    fn progress(&self, stage: &SolveStage<'_>) -> Option<SolverProgress> {
        let number = |number: u32| if number == INFINITE { Value::from("inf") } else { Value::from(number) };
        match stage {
            SolveStage::Asking { name, mv, at_least, report, nodes } => Some(SolverProgress {
                stage: "asking",
                question: Some(question(name, *mv, *at_least, &self.facts)),
                proof: report.proof_numbers.map(|numbers| number(numbers.proof)),
                disproof: report.proof_numbers.map(|numbers| number(numbers.disproof)),
                nodes: *nodes,
                nodes_per_second: *nodes as f64 / self.start.elapsed().as_secs_f64(),
                fill: Some((report.counters.bytes as f64 / self.memory as f64).min(1.0)),
                line: report.variation.clone(),
                positions: None,
            }),
            SolveStage::WritingProof { positions } => {
                Some(SolverProgress { stage: "proving", positions: Some(*positions), ..SolverProgress::default() })
            }
            SolveStage::WritingCheckpoint => None,
        }
    }

    /// Keeps the certificate, if one was written, and returns its ID, or why there is none.
    fn certificate(&self, solution: &Solution, file: PendingFile<'_>) -> (Option<String>, Option<String>) {
        match &solution.proof {
            Some(ProofOutcome::Written(_)) => (Some(file.keep()), None),
            Some(ProofOutcome::NotCertified(_)) if self.proof_too_large.load(Relaxed) => {
                let max = self.shared.caps.proof_positions;
                let reason = format!(
                    "it exceeds the server's limit of {max} positions, or its memory; `tesuji solve` has no such limit"
                );
                (None, Some(reason))
            }
            Some(ProofOutcome::NotCertified(reason)) => (None, Some(reason.clone())),
            None => (None, None),
        }
    }
}

/// Words the question that a solver works on.
fn question(name: &str, mv: Option<&str>, at_least: i32, facts: &Facts) -> String {
    let goal = match (facts.players, at_least) {
        (2, 1) => "win".to_string(),
        (2, 0) => "get at least a draw".to_string(),
        _ => format!("score at least {}", facts.points(at_least)),
    };
    let after = mv.map_or(String::new(), |mv| format!(" after {mv}"));
    format!("Can {name} {goal}{after}?")
}

fn result(job: &SearchJob, certified: Certified) -> SolverResult {
    let Certified { solution, proof, why_no_proof } = certified;
    let first = solution.sides.first();
    SolverResult {
        ply: job.game.moves().len(),
        goal: solution.goal,
        solver: solution.solver,
        why: solution.why,
        solved: solution.solved,
        value: first.and_then(|side| side.words.clone()),
        bounds: first.map(|side| side.bounds),
        mv: first.and_then(|side| side.best.clone()),
        line: first.map_or(Vec::new(), |side| side.variation.clone()),
        sides: solution.sides,
        counters: solution.counters,
        stopped: solution.stopped,
        timing: solution.timing,
        proof,
        why_no_proof,
    }
}
