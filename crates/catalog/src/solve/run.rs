//! A solve run: questions in sequence until the goal is reached, in slices between checkpoints.

use super::plan::{CheckpointSettings, SolveError, SolvePlan, SolveStage};
use super::result::{Side, Solution, SolveTiming, SolvedMove};
use crate::auto::{self, AUTO};
use crate::certify::{LINE_NODES, ProofExtractor, ProofOutcome, REPLY_FACTOR, REPLY_NODES, Zone};
use crate::checkpoint::{self, BoundsRecord, CheckpointHeader, SavedCheckpoint};
use crate::crew;
use crate::file::can_replace_file;
use crate::text::{line_text, report_text};
use crate::untrusted::check_untrusted;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, DEFAULT_MEMORY, History, Inspector, Knowledge, Limits, Options, Player,
    ProofNumbers, Prover, Question, Report, Spec, SpecError, StopReason,
};
use tesuji_search::{GOALS, Questioner, Slice};

/// Checkpoints are at least this far apart, and at least [`CHECKPOINT_PART`] of the total time.
/// Raising either loses more work to a kill and spends less time writing.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);
/// See [`CHECKPOINT_INTERVAL`]: one tenth of the total time.
const CHECKPOINT_PART: u32 = 10;

impl SolvePlan<'_> {
    /// Solves the current position of a game that is not over.
    pub(super) fn run<G: Knowledge>(&self, spec: &Spec, root: &History<G>) -> Result<Solution, SolveError> {
        self.check_goal(root.facts())?;
        let sides = self.sides.players(root)?;
        // An unwritable file is reported now, not after an hour of search.
        if let Some(file) = &self.proof {
            check_untrusted(&spec.to_string())?;
            let failed = |error: io::Error| SolveError::Proof { file: file.clone(), error };
            can_replace_file(file).map_err(failed)?;
        }
        let mut run = Run::new(self, spec, root)?;
        let ended = run.solve_sides(&sides);
        run.write_final_checkpoint();
        // Some solvers lose their table while they follow a line, so the checkpoint comes first.
        run.find_lines(&sides);
        let zones = run.find_zones(&sides);
        let seconds = run.start.elapsed().as_secs_f64();
        let proof = self.proof.as_ref().map(|file| run.write_proof(file, spec, &sides));
        let mut solution = run.solution(&sides, ended, seconds, proof);
        for (side, zone) in solution.sides.iter_mut().zip(zones) {
            side.zone = zone;
        }
        Ok(solution)
    }

    /// Reads the spec of the solver. The goal is not an option here: it is part of the plan.
    fn solver_spec(&self) -> Result<Spec, SolveError> {
        let by: Spec = self.by.parse()?;
        if Options::new(&by).text("goal", GOALS, "")?.is_some() {
            return Err(SolveError::Refused(format!("{}: give the goal with --goal, not as a solver option", self.by)));
        }
        Ok(by)
    }

    /// Opens the checkpoint to resume from, if any.
    fn saved_checkpoint(&self) -> Result<Option<SavedCheckpoint>, SolveError> {
        match &self.checkpoint {
            Some(settings) if settings.resume => {
                let saved = SavedCheckpoint::open(&settings.file);
                Ok(Some(saved.map_err(|reason| SolveError::checkpoint(settings, reason))?))
            }
            Some(settings) if settings.file.exists() => {
                Err(SolveError::checkpoint(settings, "the file exists; add --resume to continue it, or remove it"))
            }
            _ => Ok(None),
        }
    }
}

/// Resolves `auto` to a solver, with the reason: the solver of the checkpoint, or the default for
/// the game.
fn resolve<G: Knowledge>(
    by: Spec,
    plan: &SolvePlan<'_>,
    root: &History<G>,
    saved: Option<&SavedCheckpoint>,
) -> Result<(Spec, Option<String>), SolveError> {
    if by.name() != AUTO {
        return Ok((by, None));
    }
    Options::new(&by).finish()?;
    Ok(match saved {
        Some(saved) => (saved.header.by.parse()?, Some("as in the checkpoint".to_string())),
        None => {
            let (spec, why) = auto::solver::<G>(root.rules(), plan.threads);
            (spec.parse()?, Some(why))
        }
    })
}

/// Builds a solver, which may be a crew, and returns it with its capabilities.
fn build<G: Knowledge>(
    solver: &Spec,
    game: &Spec,
    rules: &G::Rules,
) -> Result<(Box<dyn Prover<G>>, Capabilities), SpecError> {
    if let Some(built) = crew::prover::<G>(solver, game, rules)? {
        return Ok(built);
    }
    let prover = tesuji_pairs::prover::<G>(solver, rules).map_err(auto::or_auto)?;
    Ok((prover, tesuji_search::capabilities(solver)?))
}

/// A run in progress.
struct Run<'a, G: Knowledge> {
    plan: &'a SolvePlan<'a>,
    root: &'a History<G>,
    /// The bounds known so far, with the totals of earlier runs.
    header: CheckpointHeader,
    why: Option<String>,
    prover: Box<dyn Prover<G>>,
    /// Whether the prover keeps its proof.
    keeps_proof: bool,
    threads: usize,
    /// The limits of the plan; a limit on playouts counts nodes if the solver makes no playouts.
    limits: Limits,
    start: Instant,
    last_checkpoint: Instant,
    last_checkpoint_nodes: u64,
    counters: Counters,
    /// The time spent in the solver; the rest went into checkpoints.
    solver_time: Duration,
    /// The proof numbers of the last question, by record.
    proof_numbers: Vec<Option<ProofNumbers>>,
    /// Why the last checkpoint could not be written.
    checkpoint_error: Option<String>,
    /// Why the proof could not be written.
    proof_error: Option<String>,
}

impl<'a, G: Knowledge> Run<'a, G> {
    fn new(plan: &'a SolvePlan<'a>, spec: &Spec, root: &'a History<G>) -> Result<Run<'a, G>, SolveError> {
        let by = plan.solver_spec()?;
        let mut saved = plan.saved_checkpoint()?;
        let (solver, why) = resolve(by, plan, root, saved.as_ref())?;
        let (mut prover, capabilities) = build::<G>(&solver, spec, root.rules())?;
        let mut header = CheckpointHeader {
            game: spec.to_string(),
            position: root.text(),
            goal: plan.goal.to_string(),
            by: solver.to_string(),
            memory: plan.limits.memory.unwrap_or(DEFAULT_MEMORY),
            nodes: 0,
            seconds: 0.0,
            answers: Vec::new(),
        };
        if let (Some(settings), Some(saved)) = (&plan.checkpoint, &mut saved) {
            let matches = saved.header.matches::<G>(&header, root, plan.limits.memory);
            matches.map_err(|reason| SolveError::checkpoint(settings, reason))?;
            prover.restore(&mut saved.rest).map_err(|error| SolveError::checkpoint(settings, error))?;
            header = CheckpointHeader { game: header.game, position: header.position, ..saved.header.clone() };
        }
        let now = Instant::now();
        let mut run = Run {
            plan,
            root,
            proof_numbers: vec![None; header.answers.len()],
            header,
            why,
            prover,
            keeps_proof: capabilities.keeps_proof,
            threads: if capabilities.parallel { plan.threads } else { 1 },
            limits: plan.limits.in_nodes_for(capabilities.playouts),
            start: now,
            last_checkpoint: now,
            last_checkpoint_nodes: 0,
            counters: Counters::default(),
            solver_time: Duration::ZERO,
            checkpoint_error: None,
            proof_error: None,
        };
        // Like the proof, an unwritable checkpoint is reported before the search.
        if let (Some(settings), None) = (&plan.checkpoint, saved) {
            run.write_checkpoint(settings).map_err(|reason| SolveError::checkpoint(settings, reason))?;
        }
        Ok(run)
    }

    /// Solves the position for every side, and the root moves if requested. Returns why the run
    /// ended before the goal was reached.
    fn solve_sides(&mut self, sides: &[Player]) -> Option<StopReason> {
        let facts = *self.root.facts();
        let mut game = self.root.clone();
        for &player in sides {
            let ended = self.pursue(&game, None, Bounds::unknown(player, &facts));
            if ended.is_some() {
                return ended;
            }
        }
        for player in self.sides_of_moves(sides) {
            let Bounds { at_least, at_most, .. } = self.known(player);
            // A move is never worth more to the player to move than the position.
            let known = if game.position().to_move() == player {
                Bounds { player, at_least: facts.scores.0, at_most }
            } else {
                Bounds { player, at_least, at_most: facts.scores.1 }
            };
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            for mv in moves {
                let text = game.position().move_text(mv);
                game.play(mv);
                let ended = self.pursue(&game, Some(text), known);
                game.undo();
                if ended.is_some() {
                    return ended;
                }
            }
        }
        None
    }

    /// Returns the players for which every root move is solved separately.
    fn sides_of_moves(&self, sides: &[Player]) -> Vec<Player> {
        match (self.plan.all_moves, sides) {
            (false, _) => Vec::new(),
            (true, [one]) => vec![*one],
            (true, _) => vec![self.root.position().to_move()],
        }
    }

    /// Asks questions until the goal is reached for the player of `known`, at the root or after a
    /// root move. Returns why it ended before that.
    fn pursue(&mut self, game: &History<G>, mv: Option<String>, known: Bounds) -> Option<StopReason> {
        let at = self.record(mv, known);
        let goal = self.plan.goal;
        tesuji_search::pursue(game, goal, &mut RecordQuestioner { run: self, game, at })
    }

    /// Asks the solver a question until the next checkpoint is due. Returns its report, and the
    /// limit that ended it.
    fn ask(&mut self, game: &History<G>, at: usize, question: Question) -> (Report<G::Move>, Option<StopReason>) {
        let limits = self.slice();
        let mut control = Control::new(limits, self.plan.seed, self.plan.stop).with_threads(self.threads);
        let name = game.position().player_name(question.prover());
        if let Some((interval, observer)) = self.plan.observer {
            let mv = self.header.answers[at].mv.as_deref();
            let nodes_before = self.counters.nodes;
            let observer = move |inspector: &dyn Inspector<G::Move>| {
                let report = report_text(inspector.report(), game);
                let nodes = nodes_before + report.counters.nodes;
                observer(SolveStage::Asking { name, mv, at_least: question.at_least, report: &report, nodes });
            };
            control = control.watched(interval, Box::new(observer));
        }
        let report = self.prover.ask(game, question, &control);
        let (ended, elapsed) = (control.ended(), control.elapsed());
        self.solver_time += elapsed;
        (report, ended)
    }

    /// Returns the index of the record of a player and root move, adding one if there is none, and
    /// narrows it to `known`.
    fn record(&mut self, mv: Option<String>, known: Bounds) -> usize {
        let records = &mut self.header.answers;
        let at = records.iter().position(|record| record.player == known.player.0 && record.mv == mv);
        let at = at.unwrap_or_else(|| {
            records.push(BoundsRecord::new(mv, known));
            self.proof_numbers.push(None);
            records.len() - 1
        });
        records[at].narrow(known);
        at
    }

    /// Returns the known bounds of a player's score at the root.
    fn known(&self, player: Player) -> Bounds {
        let at_root = |record: &&BoundsRecord| record.player == player.0 && record.mv.is_none();
        let unknown = Bounds::unknown(player, self.root.facts());
        self.header.answers.iter().find(at_root).map_or(unknown, BoundsRecord::bounds)
    }

    /// Returns the limit of the run that is exhausted, if any.
    fn exhausted_limit(&self) -> Option<StopReason> {
        let limits = &self.limits;
        let is_reached = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        if limits.time.is_some_and(|time| self.start.elapsed() >= time) {
            return Some(StopReason::Time);
        }
        if is_reached(limits.nodes, self.counters.nodes) {
            return Some(StopReason::Nodes);
        }
        is_reached(limits.playouts, self.counters.playouts).then_some(StopReason::Playouts)
    }

    /// Returns the limits until the next checkpoint or the end of the run.
    fn slice(&self) -> Limits {
        let limits = &self.limits;
        let left = |limit: Option<u64>, spent: u64| limit.map(|limit| limit.saturating_sub(spent));
        let mut time = limits.time.map(|time| time.saturating_sub(self.start.elapsed()));
        let mut nodes = left(limits.nodes, self.counters.nodes);
        if let Some(settings) = &self.plan.checkpoint {
            let until_due = self.checkpoint_interval().saturating_sub(self.last_checkpoint.elapsed());
            time = Some(time.map_or(until_due, |time| time.min(until_due)));
            let until_due = left(settings.every_nodes, self.counters.nodes - self.last_checkpoint_nodes);
            nodes = nodes.into_iter().chain(until_due).min();
        }
        let playouts = left(limits.playouts, self.counters.playouts);
        Limits { time, nodes, playouts, memory: Some(self.header.memory) }
    }

    /// Returns the time of all runs so far.
    fn total_seconds(&self) -> f64 {
        self.header.seconds + self.start.elapsed().as_secs_f64()
    }

    fn checkpoint_interval(&self) -> Duration {
        CHECKPOINT_INTERVAL.max(Duration::from_secs_f64(self.total_seconds()) / CHECKPOINT_PART)
    }

    fn write_checkpoint_if_due(&mut self) {
        let Some(settings) = &self.plan.checkpoint else { return };
        let nodes = self.counters.nodes - self.last_checkpoint_nodes;
        let is_due = settings.every_nodes.is_some_and(|every| nodes >= every);
        if is_due || self.last_checkpoint.elapsed() >= self.checkpoint_interval() {
            self.checkpoint_error = self.write_checkpoint(settings).err();
        }
    }

    fn write_final_checkpoint(&mut self) {
        if let Some(settings) = &self.plan.checkpoint {
            self.checkpoint_error = self.write_checkpoint(settings).err();
        }
    }

    fn write_checkpoint(&mut self, settings: &CheckpointSettings) -> Result<(), String> {
        if let Some((_, observer)) = self.plan.observer {
            observer(SolveStage::WritingCheckpoint);
        }
        let nodes = self.header.nodes + self.counters.nodes;
        let header = CheckpointHeader { nodes, seconds: self.total_seconds(), ..self.header.clone() };
        let written = checkpoint::write(&settings.file, &header, self.prover.as_ref());
        // A failed write is not retried before the next interval: a full disk may have room by
        // then.
        (self.last_checkpoint, self.last_checkpoint_nodes) = (Instant::now(), self.counters.nodes);
        written.map_err(|error| error.to_string())
    }

    /// Finds the lines to show where the goal is reached and both bounds are proven. The line of
    /// the last question alone may contain mistakes of the side that has nothing to lose by that
    /// question.
    fn find_lines(&mut self, sides: &[Player]) {
        let root = self.root;
        for &player in sides {
            let bounds = self.known(player);
            if self.plan.goal.next(&bounds.normalized(root.facts()), root.facts()).is_some() {
                continue;
            }
            let Some(line) = self.proof_extractor(LINE_NODES, &|_| ()).line(root, &bounds) else { continue };
            let at = self.record(None, bounds);
            let record = &mut self.header.answers[at];
            let line = line_text(line, root.position());
            // Without a reply at hand only the best move is kept: what follows it may be a mistake.
            record.line = if line.is_empty() { record.best.clone().into_iter().collect() } else { line };
            record.best = record.line.first().cloned();
        }
    }

    /// Finds the zones of the results, if they are wanted.
    fn find_zones(&mut self, sides: &[Player]) -> Vec<Option<Zone>> {
        let Some(nodes) = self.plan.zone else { return vec![None; sides.len()] };
        let root = self.root;
        let zone = |&player: &Player| {
            let bounds = self.known(player).normalized(root.facts());
            self.proof_extractor(nodes, &|_| ()).zone(root, &bounds)
        };
        sides.iter().map(zone).collect()
    }

    /// Writes a proof of all known bounds. A failure to write does not invalidate the solution.
    fn write_proof(&mut self, file: &Path, spec: &Spec, sides: &[Player]) -> ProofOutcome {
        let bounds: Vec<Bounds> = sides.iter().map(|&player| self.known(player)).collect();
        let observer = self.plan.observer;
        let report_progress = |positions| {
            if let Some((_, observer)) = observer {
                observer(SolveStage::WritingProof { positions });
            }
        };
        report_progress(0);
        // The nodes of earlier runs are part of the solution too.
        let nodes = self.header.nodes + self.counters.nodes;
        let reply_nodes = REPLY_NODES.max(nodes.saturating_mul(REPLY_FACTOR));
        let root = self.root;
        let written = self.proof_extractor(reply_nodes, &report_progress).write(file, spec, root, &bounds);
        written.unwrap_or_else(|error| {
            self.proof_error = Some(error.to_string());
            ProofOutcome::NotCertified(format!("cannot write or verify the file: {error}"))
        })
    }

    fn proof_extractor<'r>(&'r mut self, reply_nodes: u64, progress: &'r dyn Fn(u64)) -> ProofExtractor<'r, G> {
        ProofExtractor {
            prover: self.prover.as_mut(),
            keeps_proof: self.keeps_proof,
            memory: self.header.memory,
            reply_nodes,
            seed: self.plan.seed,
            stop: self.plan.stop,
            progress,
        }
    }

    fn solution(
        self,
        sides: &[Player],
        ended: Option<StopReason>,
        seconds: f64,
        proof: Option<ProofOutcome>,
    ) -> Solution {
        let sides: Vec<Side> = sides.iter().map(|&player| self.side(player)).collect();
        let is_solved = |side: &Side| side.solved && side.moves.iter().all(|entry| entry.solved);
        let solver_seconds = self.solver_time.as_secs_f64();
        let nodes = self.counters.nodes as f64;
        let timing = SolveTiming {
            seconds,
            earlier_seconds: self.header.seconds,
            nodes_per_second: if solver_seconds > 0.0 { nodes / solver_seconds } else { 0.0 },
            proof_seconds: self.start.elapsed().as_secs_f64() - seconds,
        };
        let note = self.header.by.parse().ok().and_then(|by| tesuji_search::note::<G>(&by, self.root.rules()));
        Solution {
            goal: self.header.goal,
            note,
            by: self.plan.by.clone(),
            solver: self.header.by,
            why: self.why,
            threads: self.threads,
            memory: self.header.memory,
            solved: ended.is_none() && sides.iter().all(is_solved),
            sides,
            counters: self.counters,
            earlier_nodes: self.header.nodes,
            stopped: ended.unwrap_or(StopReason::Solved),
            proof,
            not_written: self.proof_error,
            not_kept: self.checkpoint_error,
            timing,
        }
    }

    fn side(&self, player: Player) -> Side {
        let (goal, facts) = (self.plan.goal, self.root.facts());
        let name = self.root.position().player_name(player);
        let mut side = Side::new(name, self.known(player), goal, facts);
        let records = self.header.answers.iter().zip(&self.proof_numbers);
        for (record, proof_numbers) in records.filter(|(record, _)| record.player == player.0) {
            if record.mv.is_none() {
                (side.best, side.variation) = (record.best.clone(), record.line.clone());
                side.proof_numbers = *proof_numbers;
            } else if self.plan.all_moves {
                side.moves.extend(SolvedMove::new(record, goal, facts));
            }
        }
        side
    }
}

/// Asks the questions about one record, in slices between checkpoints.
struct RecordQuestioner<'q, 'a, G: Knowledge> {
    run: &'q mut Run<'a, G>,
    game: &'q History<G>,
    at: usize,
}

impl<G: Knowledge> Questioner<G::Move> for RecordQuestioner<'_, '_, G> {
    fn known(&self) -> Bounds {
        self.run.header.answers[self.at].bounds()
    }

    fn has_move(&self) -> bool {
        self.run.header.answers[self.at].best.is_some()
    }

    fn ask(&mut self, question: Question) -> Result<Slice<G::Move>, StopReason> {
        if let Some(limit) = self.run.exhausted_limit() {
            return Err(limit);
        }
        self.run.write_checkpoint_if_due();
        let (report, ended) = self.run.ask(self.game, self.at, question);
        let gives_up = match ended {
            None => Some(report.stopped),
            Some(StopReason::Interrupted) => ended,
            // The slice is over, and the question is asked again unless a limit of the run is
            // exhausted.
            Some(_) => None,
        };
        Ok(Slice { report, gives_up })
    }

    fn learn(&mut self, bounds: Bounds) {
        self.run.header.answers[self.at].narrow(bounds);
    }

    fn record(&mut self, report: Report<G::Move>, takes_move: bool) {
        let run = &mut *self.run;
        run.counters.merge(&report.counters);
        run.counters.bytes = report.counters.bytes;
        run.proof_numbers[self.at] = report.proof_numbers;
        if takes_move {
            let report = report_text(report, self.game);
            let record = &mut run.header.answers[self.at];
            (record.best, record.line) = (report.best, report.variation);
        }
    }
}
