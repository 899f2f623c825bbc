//! A search that runs while the engine goes on listening.

use super::{Notation, info};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};
use tesuji_catalog::{AUTO, Engine, Goal, SearchSettings, Session, Sides, Solution, SolveError, SolvePlan, SolveStage};
use tesuji_core::{Limits, Player, Report};

/// How often a running search is told of.
const TELL: Duration = Duration::from_millis(500);
/// How often it is looked whether a search is deep enough. Lowering it ends searches with `depth` sooner after they are.
const LOOK: Duration = Duration::from_millis(20);

/// What the engine waits for.
pub enum Event {
    /// A line of the other program.
    Line(String),
    /// There will be no more of them.
    Closed,
    /// Something to be said, about a running search or a line.
    Info(String),
    /// A search has ended; the board it was given, and the lines that it answers with, the last of which ends it.
    Done(Board, Vec<String>),
}

/// A game, and the engine that plays it.
pub struct Board {
    pub game: Box<dyn Session>,
    pub engine: Engine,
}

/// A search on its way.
pub struct Running {
    stop: Arc<AtomicBool>,
    /// Whether the answer is not wanted yet.
    pub held: bool,
    /// Whether it ends by itself.
    pub bounded: bool,
    /// The time that begins with `ponderhit`.
    pub time: Option<Duration>,
    /// When it is to be stopped.
    pub deadline: Option<Instant>,
    /// The answer, if it is there and held back.
    pub answer: Option<Vec<String>>,
}

impl Running {
    pub fn new(held: bool, bounded: bool) -> Running {
        let stop = Arc::new(AtomicBool::new(false));
        Running { stop, held, bounded, time: None, deadline: None, answer: None }
    }

    /// Makes it answer at once.
    pub fn stop(&mut self) {
        self.stop.store(true, Relaxed);
        (self.held, self.deadline) = (false, None);
    }

    /// The opponent has played the move that was expected: the time runs from now on.
    pub fn ponderhit(&mut self) {
        if let Some(time) = self.time.take() {
            self.deadline = Instant::now().checked_add(time);
        }
        self.held = false;
    }
}

/// What a search is to do.
pub struct Task {
    pub board: Board,
    pub notation: Notation,
    pub limits: Limits,
    pub seed: u64,
    pub threads: usize,
    pub sender: Sender<Event>,
}

impl Task {
    /// Looks for the best move, at least so deep if it says.
    pub fn think(self, depth: Option<u32>, ponder: bool, running: &Running) {
        let stop = Arc::clone(&running.stop);
        thread::spawn(move || {
            let Task { mut board, notation, limits, seed, threads, sender } = self;
            let (begin, tell) = (Instant::now(), sender.clone());
            let mut told = begin;
            let observer: tesuji_core::Observer<'_, String> = Box::new(|inspector| {
                let report = inspector.report();
                if depth.is_some_and(|depth| report.counters.depth >= depth) {
                    stop.store(true, Relaxed);
                }
                if told.elapsed() >= TELL {
                    told = Instant::now();
                    // Who does not listen any more has gone.
                    let _ = tell.send(Event::Info(info::line(&report, begin.elapsed(), notation)));
                }
            });
            let interval = if depth.is_some() { LOOK } else { TELL };
            let settings = SearchSettings { limits, seed, threads, stop: &stop, observer: Some((interval, observer)) };
            let report = board.engine.think(board.game.as_ref(), settings).report;
            let line = info::line(&report, begin.elapsed(), notation);
            let answer = vec![line, best_move(&report, notation, ponder)];
            let _ = sender.send(Event::Done(board, answer));
        });
    }

    /// Looks for a forced win of `player`, who is to move, within the limits.
    pub fn mate(self, player: Player, running: &Running) {
        let stop = Arc::clone(&running.stop);
        thread::spawn(move || {
            let begin = Instant::now();
            let answer = match self.solve(self.board.game.as_ref(), player, begin, &stop) {
                Ok(solution) => self.verdict(&solution, player, begin, &stop),
                Err(error) => vec![format!("info string {error}"), "checkmate notimplemented".to_string()],
            };
            let _ = self.sender.send(Event::Done(self.board, answer));
        });
    }

    fn verdict(&self, solution: &Solution, player: Player, begin: Instant, stop: &AtomicBool) -> Vec<String> {
        let Some(side) = solution.sides.first() else { return vec!["checkmate timeout".to_string()] };
        let answer = if side.bounds.at_least > 0 {
            let line = self.complete(side.best.clone(), &side.variation, player, begin, stop);
            format!("checkmate {}", self.notation.write_moves(&line).join(" "))
        } else if side.bounds.at_most <= 0 {
            "checkmate nomate".to_string()
        } else {
            "checkmate timeout".to_string()
        };
        let line = format!("info nodes {} time {}", solution.counters.nodes, begin.elapsed().as_millis());
        vec![line, answer]
    }

    /// A won line up to the end of the game, or as far as the limits allow. The solver's own line ends where its table has forgotten the rest.
    fn complete(
        &self,
        best: Option<String>,
        variation: &[String],
        player: Player,
        begin: Instant,
        stop: &AtomicBool,
    ) -> Vec<String> {
        let mut game = self.board.game.copy();
        let known = if variation.is_empty() { best.as_slice() } else { variation };
        let mut line: Vec<String> = Vec::new();
        loop {
            let next = match known.get(line.len()) {
                Some(mv) => Some(mv.clone()),
                None if game.to_move().is_none() => None,
                None => {
                    let solved = self.solve(game.as_ref(), player, begin, stop).ok();
                    let side = solved.and_then(|solution| solution.sides.into_iter().next());
                    side.filter(|side| side.bounds.at_least > 0).and_then(|side| side.best)
                }
            };
            match next.filter(|mv| game.play(mv).is_ok()) {
                Some(mv) => line.push(mv),
                None => return line,
            }
        }
    }

    /// Asks whether a player wins a game that is not over.
    fn solve(
        &self,
        game: &dyn Session,
        player: Player,
        begin: Instant,
        stop: &AtomicBool,
    ) -> Result<Solution, SolveError> {
        let sender = &self.sender;
        let watch = |stage: SolveStage<'_>| {
            if let SolveStage::Asking { report, nodes, .. } = stage {
                let _ = sender.send(Event::Info(info::proof_line(report, nodes, begin.elapsed())));
            }
        };
        let time = self.limits.time.map(|time| time.saturating_sub(begin.elapsed()));
        let plan = SolvePlan {
            goal: Goal::Win,
            by: AUTO.to_string(),
            sides: Sides::One((player.0 + 1).to_string()),
            all_moves: false,
            limits: Limits { time, ..self.limits },
            seed: self.seed,
            threads: self.threads,
            stop,
            checkpoint: None,
            proof: None,
            observer: Some((TELL, &watch)),
        };
        let solution = tesuji_catalog::solve(game, &plan)?;
        solution.ok_or_else(|| SolveError::Refused("the game is over".to_string()))
    }
}

fn best_move(report: &Report<String>, notation: Notation, ponder: bool) -> String {
    let Some(best) = report.best.as_ref().and_then(|mv| notation.write_move(mv)) else {
        return "bestmove resign".to_string();
    };
    let expected = report.variation.get(1).filter(|_| ponder && report.variation.first() == report.best.as_ref());
    match expected.and_then(|mv| notation.write_move(mv)) {
        Some(expected) => format!("bestmove {best} ponder {expected}"),
        None => format!("bestmove {best}"),
    }
}
