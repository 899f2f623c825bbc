//! Searches that run in a separate thread.

use super::{Notation, info};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};
use tesuji_catalog::{AUTO, Engine, Goal, SearchSettings, Session, Sides, Solution, SolveError, SolvePlan, SolveStage};
use tesuji_core::time::Clock;
use tesuji_core::{Limits, Player, Report};

/// The interval between `info` lines.
const INFO_INTERVAL: Duration = Duration::from_millis(500);
/// How often the depth of a search with `depth` is checked. Lowering it stops such searches sooner.
const DEPTH_INTERVAL: Duration = Duration::from_millis(20);

/// An event for the engine.
pub enum Event {
    /// A line of input.
    Line(String),
    /// The end of the input.
    Closed,
    /// A line to send.
    Info(String),
    /// The end of a search: its game and engine, and the lines of its result.
    Done(Board, Vec<String>),
}

/// A game and the engine that plays it.
pub struct Board {
    pub game: Box<dyn Session>,
    pub engine: Engine,
}

/// A running search.
pub struct Running {
    stop: Arc<AtomicBool>,
    /// Whether the result is held back.
    pub held: bool,
    /// Whether a limit ends it.
    pub bounded: bool,
    /// The time limit that starts at `ponderhit`.
    pub time: Option<Duration>,
    /// When it is stopped.
    pub deadline: Option<Instant>,
    /// The result, if it is ready and held back.
    pub result: Option<Vec<String>>,
}

impl Running {
    pub fn new(held: bool, bounded: bool) -> Running {
        let stop = Arc::new(AtomicBool::new(false));
        Running { stop, held, bounded, time: None, deadline: None, result: None }
    }

    /// Stops the search and releases its result.
    pub fn stop(&mut self) {
        self.stop.store(true, Relaxed);
        (self.held, self.deadline) = (false, None);
    }

    /// Starts the time: the opponent has played the expected move.
    pub fn ponderhit(&mut self) {
        if let Some(time) = self.time.take() {
            self.deadline = Instant::now().checked_add(time);
        }
        self.held = false;
    }
}

/// The input of a search.
pub struct Task {
    pub board: Board,
    pub notation: Notation,
    pub limits: Limits,
    pub clock: Option<Clock>,
    pub seed: u64,
    pub threads: usize,
    pub sender: Sender<Event>,
}

impl Task {
    /// Searches for the best move, up to a depth if given.
    pub fn think(self, depth: Option<u32>, ponder: bool, running: &Running) {
        let stop = Arc::clone(&running.stop);
        thread::spawn(move || {
            let Task { mut board, notation, limits, clock, seed, threads, sender } = self;
            let (begin, info_sender) = (Instant::now(), sender.clone());
            let mut last_info = begin;
            let observer: tesuji_core::Observer<'_, String> = Box::new(|inspector| {
                let report = inspector.report();
                if depth.is_some_and(|depth| report.counters.depth >= depth) {
                    stop.store(true, Relaxed);
                }
                if last_info.elapsed() >= INFO_INTERVAL {
                    last_info = Instant::now();
                    // Fails only if the engine has quit.
                    let _ = info_sender.send(Event::Info(info::line(&report, begin.elapsed(), notation)));
                }
            });
            let interval = if depth.is_some() { DEPTH_INTERVAL } else { INFO_INTERVAL };
            let observer = Some((interval, observer));
            let settings = SearchSettings { limits, clock, seed, threads, stop: &stop, observer, owners: false };
            let report = board.engine.think(board.game.as_ref(), settings).report;
            let line = info::line(&report, begin.elapsed(), notation);
            let result = vec![line, best_move(&report, notation, ponder)];
            let _ = sender.send(Event::Done(board, result));
        });
    }

    /// Searches for a forced win of `player`, the player to move, within the limits.
    pub fn mate(self, player: Player, running: &Running) {
        let stop = Arc::clone(&running.stop);
        thread::spawn(move || {
            let begin = Instant::now();
            let result = match self.solve(self.board.game.as_ref(), player, begin, &stop) {
                Ok(solution) => self.mate_result(&solution, player, begin, &stop),
                Err(error) => vec![format!("info string {error}"), "checkmate notimplemented".to_string()],
            };
            let _ = self.sender.send(Event::Done(self.board, result));
        });
    }

    fn mate_result(&self, solution: &Solution, player: Player, begin: Instant, stop: &AtomicBool) -> Vec<String> {
        let Some(side) = solution.sides.first() else { return vec!["checkmate timeout".to_string()] };
        let result = if side.bounds.at_least > 0 {
            let line = self.complete(side.best.clone(), &side.variation, player, begin, stop);
            format!("checkmate {}", self.notation.write_moves(&line).join(" "))
        } else if side.bounds.at_most <= 0 {
            "checkmate nomate".to_string()
        } else {
            "checkmate timeout".to_string()
        };
        let line = format!("info nodes {} time {}", solution.counters.nodes, begin.elapsed().as_millis());
        vec![line, result]
    }

    /// Returns a winning line to the end of the game, or as far as the limits allow. The solver's
    /// own line ends where its table has lost entries.
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

    /// Solves whether a player wins a game that is not over.
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
            zone: None,
            observer: Some((INFO_INTERVAL, &watch)),
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
