//! Solving Go problems, and the certificates of their answers.

use super::{PROGRESS_INTERVAL, ProblemOutput, SearchJob, SearchOutput, SearchWorker, to_value};
use crate::message::{Event, ProblemAnswer, ProblemRefutation, ProblemTiming, ProvenProblem, SolverProgress};
use crate::outbox::ProgressKind;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tesuji_catalog::{Goal, Sides};
use tesuji_core::Limits;
use tesuji_tsumego::{Answer, Details, Effort, Solver, Task, TsumegoError, answer, refute, words};

/// The name of the progress events.
const PROGRESS: &str = "asking";

impl SearchWorker {
    /// Solves a problem.
    pub(super) fn ask(&mut self, job: &SearchJob, task: &Task, by: &str) -> Result<SearchOutput, String> {
        let details = Details { moves: true, kinds: true };
        let (found, timing) = self.with_solver(job, by, |solver| answer(solver, task, details).map_err(text))?;
        let content = described(job, &found, timing);
        let event = Some(to_value(&Event { event: "answered", content }));
        let problem = Some(ProblemOutput::Answer(Box::new(found)));
        Ok(SearchOutput { event, problem, ..SearchOutput::default() })
    }

    /// Finds out what a first move does.
    pub(super) fn refute(&mut self, job: &SearchJob, answer: &Answer, mv: &str) -> Result<SearchOutput, String> {
        let (refutation, timing) =
            self.with_solver(job, &answer.solver, |solver| refute(solver, answer, mv).map_err(text))?;
        let words = words::refutation(answer, &refutation);
        let content = ProblemRefutation { words, refutation: &refutation, timing };
        let event = Some(to_value(&Event { event: "refuted", content }));
        let problem = Some(ProblemOutput::Refutation(refutation));
        Ok(SearchOutput { event, problem, ..SearchOutput::default() })
    }

    /// Writes the certificate of an answer.
    pub(super) fn prove(&mut self, job: &SearchJob, goal: Goal, side: &str, by: &str) -> Result<SearchOutput, String> {
        let start = Instant::now();
        let side = Sides::One(side.to_string());
        let certified = self.certify(job, goal, by, side, (ProgressKind::Asking, PROGRESS))?;
        let content =
            ProvenProblem { proof: certified.proof, why_no_proof: certified.why_no_proof, timing: timing(start) };
        Ok(SearchOutput { event: Some(to_value(&Event { event: "proved", content })), ..SearchOutput::default() })
    }

    /// Asks questions about a problem with the resources of a job, and reports progress.
    fn with_solver<T>(
        &mut self,
        job: &SearchJob,
        by: &str,
        ask: impl FnOnce(&mut Solver<'_>) -> Result<T, String>,
    ) -> Result<(T, ProblemTiming), String> {
        let memory = self.allocate(job.memory)?;
        let threads = self.shared.threads.threads(job.threads, self.shared.caps.threads_each);
        let start = Instant::now();
        let last_event = Mutex::new(start);
        let (outbox, number) = (self.outbox.as_ref(), job.number);
        let observer = |question: &str, nodes: u64| {
            let mut last_event = last_event.lock().unwrap_or_else(PoisonError::into_inner);
            if last_event.elapsed() < PROGRESS_INTERVAL {
                return;
            }
            *last_event = Instant::now();
            let content = SolverProgress {
                stage: "asking",
                question: Some(question.to_string()),
                nodes,
                nodes_per_second: nodes as f64 / start.elapsed().as_secs_f64(),
                ..SolverProgress::default()
            };
            outbox.send_progress(ProgressKind::Asking, number, &Event { event: PROGRESS, content });
        };
        let mut solver = Solver::new(Effort {
            by,
            limits: Limits { memory: Some(memory.amount), ..job.limits },
            seed: job.seed,
            threads: threads.amount,
            stop: &job.stop,
            observer: Some((PROGRESS_INTERVAL, &observer)),
        });
        let found = ask(&mut solver)?;
        Ok((found, timing(start)))
    }
}

fn text(error: TsumegoError) -> String {
    error.to_string()
}

fn timing(start: Instant) -> ProblemTiming {
    ProblemTiming { seconds: start.elapsed().as_secs_f64() }
}

fn described<'a>(job: &SearchJob, answer: &'a Answer, timing: ProblemTiming) -> ProblemAnswer<'a> {
    let problem = answer.problem();
    ProblemAnswer {
        ply: job.game.moves().len(),
        question: words::question(answer),
        verdict_words: words::verdict(answer, false),
        notes: words::notes(answer),
        decided: answer.is_decided(),
        target_points: problem.board.names(&problem.targets),
        region_points: problem.board.names(&problem.region),
        answer,
        timing,
    }
}
