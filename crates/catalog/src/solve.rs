//! SolvePlan a position: questions in a row until a goal is reached, in slices between which the work is kept in a file.

use crate::auto::{self, AUTO};
use crate::certify::{LINE_NODES, ProofOutcome, Prosecution, REPLY_FACTOR, REPLY_NODES};
use crate::checkpoint::{self, Answer, Heading, Saved};
use crate::session::{Session, history};
use crate::text::{TextInspector, line_text, report_text};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tesuji_core::{
    Bounds, Control, Counters, DEFAULT_MEMORY, Facts, History, Knowledge, Limits, Options, Player, ProofNumbers,
    Prover, Question, Report, Spec, SpecError, StopReason, Visitor,
};
use tesuji_games::{unknown_game, visit};
use tesuji_search::{GOALS, Goal};
use thiserror::Error;

/// What is to be solved, and what may be used for it.
pub struct SolvePlan<'a> {
    /// What is to be found out.
    pub goal: Goal,
    /// The solver: a spec, or `auto`.
    pub by: String,
    /// For whom.
    pub sides: Sides,
    /// Whether every move at the root is to be asked about by itself.
    pub all_moves: bool,
    /// The limits of this run, whatever was spent before it was resumed.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many threads may be used.
    pub threads: usize,
    /// Raised to make it answer at once with what it has.
    pub stop: &'a AtomicBool,
    /// Where the work is kept.
    pub checkpoint: Option<CheckpointSettings>,
    /// Where the proof is written, if it is wanted.
    pub proof: Option<PathBuf>,
    /// Told now and then how it is getting on.
    pub observer: Option<SolveObserver<'a>>,
}

/// How often somebody looks on, and who.
pub type SolveObserver<'a> = (Duration, &'a (dyn Fn(SolveStage<'_>) + Sync));

/// For whom a game is solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sides {
    /// For the player to move in a game for two, for every player in a game for more.
    Usual,
    /// For every player.
    All,
    /// For one player, by name or by seat from 1.
    One(String),
}

/// Where and how often the work is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckpointSettings {
    /// The file.
    pub file: PathBuf,
    /// Whether to go on from what is in the file.
    pub resume: bool,
    /// Keeps the work after so many nodes, too.
    pub every_nodes: Option<u64>,
}

/// What a run is at.
pub enum SolveStage<'a> {
    /// A question is being worked on.
    Asking {
        /// Whose score it is about.
        name: &'static str,
        /// The move that is asked about; none for the position itself.
        mv: Option<&'a str>,
        /// The score in question.
        at_least: i32,
        /// The running search.
        report: &'a Report<String>,
        /// The nodes of this run.
        nodes: u64,
    },
    /// The checkpoint is being written.
    WritingCheckpoint,
    /// The proof is being written.
    WritingProof {
        /// PositionSet so far.
        positions: u64,
    },
}

/// Why nothing could be solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The solver.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Goal or side.
    #[error("{0}")]
    Refused(String),
    /// The file with the work.
    #[error("the checkpoint {}: {reason}", file.display())]
    Checkpoint {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The place of the proof.
    #[error("the proof {}: {error}", file.display())]
    Proof {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solution {
    /// What was to be found out.
    pub goal: String,
    /// The solver that was asked for.
    pub by: String,
    /// The solver that answered: the same, unless `auto` was asked.
    pub solver: String,
    /// Why `auto` means that.
    pub why: Option<String>,
    /// The threads that it used: one, if it can use no more.
    pub threads: usize,
    /// The memory that it had: that of the checkpoint, if it was resumed. Front ends tell it among the limits.
    #[serde(skip)]
    pub memory: usize,
    /// Whether the goal is reached for everybody.
    pub solved: bool,
    /// The answers.
    pub sides: Vec<Side>,
    /// What this run did.
    pub counters: Counters,
    /// What was done before it was resumed.
    pub earlier_nodes: u64,
    /// Why it ended.
    pub stopped: StopReason,
    /// What became of the proof, if one was asked for.
    pub proof: Option<ProofOutcome>,
    /// Why the proof could not be written, if that is why there is none.
    pub not_written: Option<String>,
    /// Why the work could not be kept at the end, if it could not.
    pub not_kept: Option<String>,
    /// What depends on the clock.
    pub timing: SolveTiming,
}

/// The answer for one player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Side {
    /// The player's name.
    pub name: &'static str,
    /// What is known of its score.
    pub bounds: Bounds,
    /// The same in words; missing if nothing is known.
    pub words: Option<String>,
    /// Whether the goal is reached.
    pub solved: bool,
    /// The answer, if the goal is a question of yes or no (`win`, `draw`, `score=K`) and it is answered.
    pub answer: Option<bool>,
    /// A move that gets as much as is known, or resists longest.
    pub best: Option<String>,
    /// A line of play. Where the goal is reached and both bounds are known, the player keeps the lower one and all others the upper one, so that the
    /// value is what it ends with, if it goes to the end of the game. Otherwise it is the line of the question that decided.
    pub variation: Vec<String>,
    /// The numbers of the last question.
    pub proof_numbers: Option<ProofNumbers>,
    /// Every move by itself, if that was asked for.
    pub moves: Vec<SolvedMove>,
}

/// What is known of a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolvedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What is known of the player's score after it.
    pub bounds: Bounds,
    /// The same in words; missing if nothing is known.
    pub words: Option<String>,
    /// Whether the goal is reached.
    pub solved: bool,
    /// The answer, if the goal is a question of yes or no and it is answered.
    pub answer: Option<bool>,
}

/// How long it took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SolveTiming {
    /// This run.
    pub seconds: f64,
    /// What was done before it was resumed.
    pub earlier_seconds: f64,
    /// Nodes in a second while the solver was at work.
    pub nodes_per_second: f64,
    /// Writing and verifying the proof.
    pub proof_seconds: f64,
}

/// Solves the current position of a game; `None` if the game is over.
pub fn solve(game: &dyn Session, plan: &SolvePlan<'_>) -> Result<Option<Solution>, SolveError> {
    struct Solve<'a>(&'a dyn Session, &'a SolvePlan<'a>);
    impl Visitor for Solve<'_> {
        type Output = Result<Solution, SolveError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Solve(game, plan) = self;
            plan.solve(game.spec(), history::<G>(game).expect("the names of games are unique"))
        }
    }
    if game.to_move().is_none() {
        return Ok(None);
    }
    let name = game.info().name;
    visit(name, Solve(game, plan)).unwrap_or_else(|| Err(unknown_game(name).into())).map(Some)
}

impl SolvePlan<'_> {
    /// Solves the present position of a game of `spec`, which is not over.
    pub(crate) fn solve<G: Knowledge>(&self, spec: &Spec, root: &History<G>) -> Result<Solution, SolveError> {
        self.goal.suits(root.facts()).map_err(SolveError::Refused)?;
        let (low, high) = root.facts().scores;
        if let Goal::AtLeast(score) = self.goal
            && !(low..=high).contains(&score)
        {
            let reason =
                format!("the goal {} asks for no score of this game; they run from {low} to {high}", self.goal);
            return Err(SolveError::Refused(reason));
        }
        let sides = self.sides.players(root)?;
        // A place where nothing can be written is found out now, not after an hour.
        if let Some(file) = &self.proof {
            let failed = |error: io::Error| SolveError::Proof { file: file.clone(), error };
            checkpoint::can_replace(file).map_err(failed)?;
        }
        let mut run = Run::new(self, spec, root)?;
        let ended = run.ask_all(&sides)?;
        run.keep_at_the_end();
        // The work is kept before, for some solvers leave what they have done to follow a line.
        run.find_lines(&sides);
        let seconds = run.begin.elapsed().as_secs_f64();
        let proof = self.proof.as_ref().map(|file| run.certify(file, spec, &sides));
        Ok(run.solution(&sides, ended, seconds, proof))
    }
}

impl Sides {
    /// The players that are meant.
    fn players<G: Knowledge>(&self, root: &History<G>) -> Result<Vec<Player>, SolveError> {
        let players = root.facts().players;
        let all = (0..players).map(Player);
        let name = |player| root.position().player_name(player);
        match self {
            Sides::Usual if players <= 2 => Ok(vec![root.position().to_move()]),
            Sides::Usual | Sides::All => Ok(all.collect()),
            Sides::One(text) => {
                let by_seat = text.parse::<u8>().ok().and_then(|seat| seat.checked_sub(1)).map(Player);
                let found =
                    all.clone().find(|&player| name(player).eq_ignore_ascii_case(text) || by_seat == Some(player));
                let names: Vec<&str> = all.map(name).collect();
                let refused = || {
                    format!(
                        "there is no side {text:?}; it takes {}, a seat from 1 to {players}, or all",
                        names.join(", ")
                    )
                };
                Ok(vec![found.ok_or_else(|| SolveError::Refused(refused()))?])
            }
        }
    }
}

/// The work is kept at least this often, or whenever so much of the run has passed, whichever is later. Raising them makes a kill dearer, and
/// writing rarer.
const KEEP_EVERY: Duration = Duration::from_secs(60);
const KEEP_PART: u32 = 10;

/// A run.
struct Run<'a, G: Knowledge> {
    plan: &'a SolvePlan<'a>,
    root: &'a History<G>,
    heading: Heading,
    why: Option<String>,
    prover: Box<dyn Prover<G>>,
    threads: usize,
    /// Those of the plan; a limit on playouts is one on nodes where the solver makes none.
    limits: Limits,
    begin: Instant,
    kept: Instant,
    kept_nodes: u64,
    counters: Counters,
    /// The time that the solver had of this run; the rest went into keeping the work.
    asking: Duration,
    /// What the last question came to, by answer.
    numbers: Vec<Option<ProofNumbers>>,
    not_kept: Option<String>,
    not_written: Option<String>,
}

impl<'a, G: Knowledge> Run<'a, G> {
    fn new(plan: &'a SolvePlan<'a>, spec: &Spec, root: &'a History<G>) -> Result<Run<'a, G>, SolveError> {
        let by: Spec = plan.by.parse()?;
        let mut options = Options::new(&by);
        if options.text("goal", GOALS, "")?.is_some() {
            let reason = format!("{}: the goal is given by itself (--goal), not as an option of the solver", plan.by);
            return Err(SolveError::Refused(reason));
        }
        let mut saved = match &plan.checkpoint {
            Some(keeping) if keeping.resume => {
                Some(Saved::open(&keeping.file).map_err(|reason| failed(keeping, reason))?)
            }
            Some(keeping) if keeping.file.exists() => {
                let reason = "it exists; go on from it (--resume), or remove it first".to_string();
                return Err(failed(keeping, reason));
            }
            _ => None,
        };
        let (meant, why) = if by.name() == AUTO {
            Options::new(&by).finish()?;
            match &saved {
                Some(saved) => (saved.heading.by.parse()?, Some("as in the checkpoint".to_string())),
                None => {
                    let (meant, why) = auto::solver::<G>(root.rules(), plan.threads);
                    (meant.parse()?, Some(why))
                }
            }
        } else {
            (by, None)
        };
        let mut prover = tesuji_pairs::prover::<G>(&meant, root.rules()).map_err(auto::or_auto)?;
        let mut heading = Heading {
            game: spec.to_string(),
            position: root.text(),
            goal: plan.goal.to_string(),
            by: meant.to_string(),
            memory: plan.limits.memory.unwrap_or(DEFAULT_MEMORY),
            nodes: 0,
            seconds: 0.0,
            answers: Vec::new(),
        };
        if let (Some(keeping), Some(saved)) = (&plan.checkpoint, &mut saved) {
            saved.heading.suits::<G>(&heading, root, plan.limits.memory).map_err(|reason| failed(keeping, reason))?;
            prover.restore(&mut saved.rest).map_err(|error| failed(keeping, error.to_string()))?;
            heading = Heading { game: heading.game, position: heading.position, ..saved.heading.clone() };
        }
        let now = Instant::now();
        let can = tesuji_search::capabilities(&meant)?;
        let threads = if can.parallel { plan.threads } else { 1 };
        let limits = plan.limits.in_nodes_for(can.playouts);
        let numbers = vec![None; heading.answers.len()];
        let counters = Counters::default();
        let mut run = Run {
            plan,
            root,
            heading,
            why,
            prover,
            threads,
            limits,
            begin: now,
            kept: now,
            kept_nodes: 0,
            counters,
            asking: Duration::ZERO,
            numbers,
            not_kept: None,
            not_written: None,
        };
        // This place is tried, too.
        if let (Some(keeping), None) = (&plan.checkpoint, saved) {
            run.keep(keeping).map_err(|reason| failed(keeping, reason))?;
        }
        Ok(run)
    }

    /// Asks for everybody; gives why it ended before the goal was reached.
    fn ask_all(&mut self, sides: &[Player]) -> Result<Option<StopReason>, SolveError> {
        let facts = *self.root.facts();
        let mut game = self.root.clone();
        for &player in sides {
            let ended = self.pursue(&game, None, Bounds::unknown(player, &facts));
            if ended.is_some() {
                return Ok(ended);
            }
        }
        for player in self.players_of_moves(sides) {
            let Bounds { at_least, at_most, .. } = self.known(player, None);
            // The mover's best move is worth what the position is, and no move is worth more to him.
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
                    return Ok(ended);
                }
            }
        }
        Ok(None)
    }

    /// For whom every move is asked about by itself.
    fn players_of_moves(&self, sides: &[Player]) -> Vec<Player> {
        let mover = self.root.position().to_move();
        match (self.plan.all_moves, sides) {
            (false, _) => Vec::new(),
            (true, [one]) => vec![*one],
            (true, _) => vec![mover],
        }
    }

    /// Asks until the goal is reached for the player of `known`, in the position itself or after a move; gives why it ended before.
    fn pursue(&mut self, game: &History<G>, mv: Option<String>, known: Bounds) -> Option<StopReason> {
        let facts = *game.facts();
        let at = self.answer(mv, known);
        if let Some(outcome) = game.outcome() {
            self.heading.answers[at].learn(Bounds::exact(known.player, outcome.score(known.player)));
            return None;
        }
        loop {
            let known = self.heading.answers[at].bounds();
            let at_least = self.plan.goal.next(&known, &facts)?;
            let reason = self.is_spent();
            if reason.is_some() {
                return reason;
            }
            let question = Question { known, at_least };
            let (report, ended) = self.ask(game, at, question);
            self.counters.merge(&report.counters);
            self.counters.bytes = report.counters.bytes;
            self.numbers[at] = report.proof_numbers;
            let stopped = report.stopped;
            let answer = question.answer(&report.bounds);
            let record = &mut self.heading.answers[at];
            // The move that got most so far is the one to play, unless another gets more. The others get most by an answer of no.
            let is_own = game.position().to_move() == known.player;
            let nothing_yet = if is_own { record.at_least <= facts.scores.0 } else { record.at_most >= facts.scores.1 };
            if answer == Some(is_own) || record.best.is_none() || nothing_yet {
                let told = report_text(report.clone(), game);
                (record.best, record.line) = (told.best, told.variation);
            }
            record.learn(report.bounds);
            if ended == Some(StopReason::Asked) {
                return ended;
            }
            if answer.is_none() && ended.is_none() {
                return Some(stopped);
            }
            self.keep_if_due();
        }
    }

    fn ask(&mut self, game: &History<G>, at: usize, question: Question) -> (Report<G::Move>, Option<StopReason>) {
        let limits = self.slice();
        let mut control = Control::new(limits, self.plan.seed, self.plan.stop).with_threads(self.threads);
        let name = game.position().player_name(question.prover());
        if let Some((interval, watch)) = self.plan.observer {
            let mv = self.heading.answers[at].mv.as_deref();
            let nodes_before = self.counters.nodes;
            let observer = move |inspector: &dyn tesuji_core::Inspector<G::Move>| {
                let report = tesuji_core::Inspector::report(&TextInspector { inspector, history: game });
                let nodes = nodes_before + report.counters.nodes;
                watch(SolveStage::Asking { name, mv, at_least: question.at_least, report: &report, nodes });
            };
            control = control.watched(interval, Box::new(observer));
        }
        let report = self.prover.ask(game, question, &control);
        let (ended, spent) = (control.ended(), control.elapsed());
        self.asking += spent;
        (report, ended)
    }

    /// The record of what is known of a player's score, made if there is none.
    fn answer(&mut self, mv: Option<String>, known: Bounds) -> usize {
        let answers = &mut self.heading.answers;
        let at = answers.iter().position(|answer| answer.player == known.player.0 && answer.mv == mv);
        let at = at.unwrap_or_else(|| {
            answers.push(Answer::new(mv, known));
            self.numbers.push(None);
            answers.len() - 1
        });
        answers[at].learn(known);
        at
    }

    fn known(&self, player: Player, mv: Option<&str>) -> Bounds {
        let is_meant = |answer: &&Answer| answer.player == player.0 && answer.mv.as_deref() == mv;
        let unknown = Bounds::unknown(player, self.root.facts());
        self.heading.answers.iter().find(is_meant).map_or(unknown, Answer::bounds)
    }

    /// Which limit of the run is reached.
    fn is_spent(&self) -> Option<StopReason> {
        let limits = &self.limits;
        let is_reached = |limit: Option<u64>, spent: u64| limit.is_some_and(|limit| spent >= limit);
        if limits.time.is_some_and(|time| self.begin.elapsed() >= time) {
            return Some(StopReason::Time);
        }
        if is_reached(limits.nodes, self.counters.nodes) {
            return Some(StopReason::Nodes);
        }
        is_reached(limits.playouts, self.counters.playouts).then_some(StopReason::Playouts)
    }

    /// The limits until the work is to be kept next, or the run is over.
    fn slice(&self) -> Limits {
        let limits = &self.limits;
        let sooner = |one: Option<u64>, other: Option<u64>| one.into_iter().chain(other).min();
        let left = |limit: Option<u64>, spent: u64| limit.map(|limit| limit.saturating_sub(spent));
        let mut time = limits.time.map(|time| time.saturating_sub(self.begin.elapsed()));
        let mut nodes = left(limits.nodes, self.counters.nodes);
        if let Some(keeping) = &self.plan.checkpoint {
            let until_due = self.keep_after().saturating_sub(self.kept.elapsed());
            time = Some(time.map_or(until_due, |time| time.min(until_due)));
            nodes = sooner(nodes, left(keeping.every_nodes, self.counters.nodes - self.kept_nodes));
        }
        let playouts = left(limits.playouts, self.counters.playouts);
        Limits { time, nodes, playouts, memory: Some(self.heading.memory) }
    }

    /// The time of all runs so far.
    fn seconds(&self) -> f64 {
        self.heading.seconds + self.begin.elapsed().as_secs_f64()
    }

    fn keep_after(&self) -> Duration {
        KEEP_EVERY.max(Duration::from_secs_f64(self.seconds()) / KEEP_PART)
    }

    fn keep_if_due(&mut self) {
        let Some(keeping) = &self.plan.checkpoint else { return };
        let enough = keeping.every_nodes.is_some_and(|nodes| self.counters.nodes - self.kept_nodes >= nodes);
        if enough || self.kept.elapsed() >= self.keep_after() {
            self.not_kept = self.keep(keeping).err();
        }
    }

    fn keep_at_the_end(&mut self) {
        if let Some(keeping) = &self.plan.checkpoint {
            self.not_kept = self.keep(keeping).err();
        }
    }

    fn keep(&mut self, keeping: &CheckpointSettings) -> Result<(), String> {
        if let Some((_, watch)) = self.plan.observer {
            watch(SolveStage::WritingCheckpoint);
        }
        let nodes = self.heading.nodes + self.counters.nodes;
        let heading = Heading { nodes, seconds: self.seconds(), ..self.heading.clone() };
        let written = checkpoint::write(&keeping.file, &heading, self.prover.as_ref());
        // A disk that is full now may have room in a minute; it is not tried again at once.
        (self.kept, self.kept_nodes) = (Instant::now(), self.counters.nodes);
        written.map_err(|error| error.to_string())
    }

    /// Finds the lines to show where the goal is reached and two bounds are known. That of the last question alone would go on after the mistake
    /// of a side that has nothing to lose by the question.
    fn find_lines(&mut self, sides: &[Player]) {
        let root = self.root;
        for &player in sides {
            let bounds = self.known(player, None);
            if self.plan.goal.next(&bounds, root.facts()).is_some() {
                continue;
            }
            let Some(line) = self.prosecution(LINE_NODES, &|_| ()).line(root, &bounds) else { continue };
            let at = self.answer(None, bounds);
            let record = &mut self.heading.answers[at];
            let line = line_text(line, root.position());
            // If no reply is at hand, the best move is; what was to follow it may be a mistake.
            record.line = if line.is_empty() { record.best.clone().into_iter().collect() } else { line };
            record.best = record.line.first().cloned();
        }
    }

    /// Writes the proof of all that is known. If it cannot be written, the answer is still one.
    fn certify(&mut self, file: &Path, spec: &Spec, sides: &[Player]) -> ProofOutcome {
        let bounds: Vec<Bounds> = sides.iter().map(|&player| self.known(player, None)).collect();
        let watch = self.plan.observer;
        let tell = |positions| {
            if let Some((_, watch)) = watch {
                watch(SolveStage::WritingProof { positions });
            }
        };
        tell(0);
        // What was done before it was resumed is part of the solution, too.
        let nodes = self.heading.nodes + self.counters.nodes;
        let reply_nodes = REPLY_NODES.max(nodes.saturating_mul(REPLY_FACTOR));
        let root = self.root;
        let certified = self.prosecution(reply_nodes, &tell).certify(file, spec, root, &bounds);
        certified.unwrap_or_else(|error| {
            self.not_written = Some(error.to_string());
            ProofOutcome::NotCertified(format!("it could not be written and verified: {error}"))
        })
    }

    fn prosecution<'r>(&'r mut self, reply_nodes: u64, watch: &'r dyn Fn(u64)) -> Prosecution<'r, G> {
        Prosecution {
            prover: self.prover.as_mut(),
            by: &self.heading.by,
            memory: self.heading.memory,
            reply_nodes,
            seed: self.plan.seed,
            stop: self.plan.stop,
            watch,
        }
    }

    fn solution(
        self,
        sides: &[Player],
        ended: Option<StopReason>,
        seconds: f64,
        proof: Option<ProofOutcome>,
    ) -> Solution {
        let facts = *self.root.facts();
        let told: Vec<Side> = sides.iter().map(|&player| self.side(player, &facts)).collect();
        let proof_seconds = self.begin.elapsed().as_secs_f64() - seconds;
        let asking = self.asking.as_secs_f64();
        let rate = if asking > 0.0 { self.counters.nodes as f64 / asking } else { 0.0 };
        Solution {
            goal: self.heading.goal,
            by: self.plan.by.clone(),
            solver: self.heading.by,
            why: self.why,
            threads: self.threads,
            memory: self.heading.memory,
            solved: told.iter().all(|side| side.solved && side.moves.iter().all(|entry| entry.solved))
                && ended.is_none(),
            sides: told,
            counters: self.counters,
            earlier_nodes: self.heading.nodes,
            stopped: ended.unwrap_or(StopReason::Decided),
            proof,
            not_written: self.not_written,
            not_kept: self.not_kept,
            timing: SolveTiming {
                seconds,
                earlier_seconds: self.heading.seconds,
                nodes_per_second: rate,
                proof_seconds,
            },
        }
    }

    fn side(&self, player: Player, facts: &Facts) -> Side {
        let is_solved = |bounds: &Bounds| self.plan.goal.next(bounds, facts).is_none();
        let yes_or_no = |bounds: &Bounds| {
            let at_least = match self.plan.goal {
                Goal::Value | Goal::Score => return None,
                Goal::Win => 1,
                Goal::Draw => 0,
                Goal::AtLeast(score) => score,
            };
            Question { known: *bounds, at_least }.answer(bounds)
        };
        let own = |answer: &&Answer| answer.player == player.0;
        let answers = self.heading.answers.iter().enumerate().filter(|(_, answer)| own(answer));
        let at = answers.clone().find(|(_, answer)| answer.mv.is_none()).map(|(at, _)| at);
        let bounds = self.known(player, None);
        let moves = answers.filter_map(|(_, answer)| {
            let bounds = answer.bounds();
            let words = crate::bounds_text(&bounds, facts);
            let (solved, said) = (is_solved(&bounds), yes_or_no(&bounds));
            Some(SolvedMove { mv: answer.mv.clone()?, bounds, words, solved, answer: said })
        });
        Side {
            name: self.root.position().player_name(player),
            bounds,
            words: crate::bounds_text(&bounds, facts),
            solved: is_solved(&bounds),
            answer: yes_or_no(&bounds),
            best: at.and_then(|at| self.heading.answers[at].best.clone()),
            variation: at.map_or(Vec::new(), |at| self.heading.answers[at].line.clone()),
            proof_numbers: at.and_then(|at| self.numbers[at]),
            moves: if self.plan.all_moves { moves.collect() } else { Vec::new() },
        }
    }
}

fn failed(keeping: &CheckpointSettings, reason: String) -> SolveError {
    SolveError::Checkpoint { file: keeping.file.clone(), reason }
}
