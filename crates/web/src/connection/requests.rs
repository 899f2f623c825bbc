//! The request handlers, one method each.

use super::live_game::LiveGame;
use super::{Connection, Handled, Reply};
use crate::clocks::Clocks;
use crate::files::{self, LoadedFile};
use crate::game_line::{GameLine, state_of};
use crate::message::{ClockSettings, Limits, SaveFormat, Seat};
use crate::problem::{ProblemWishes, Problems};
use crate::proof_worker::ProofTask;
use crate::search_worker::{SearchCommand, SearchTask};
use crate::tree_queries::{GamePath, TreeQuery};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_catalog::{AUTO, Engine, Goal, Session, Sides, SolvePlan, check_untrusted};
use tesuji_gtp::{PlayerSpec, PlayerSpecError, Terms};
use tesuji_tsumego::Level;

impl Connection {
    pub(super) fn open(&mut self, game: &str, position: Option<&str>) -> Handled {
        let line = GameLine::open(game, position.unwrap_or("start")).map_err(text)?;
        self.start_game(line, Problems::default());
        Ok(Reply::State)
    }

    /// Replaces the game.
    fn start_game(&mut self, line: GameLine, problems: Problems) {
        self.cancel();
        self.workers.reset_search();
        self.game = LiveGame::new(line);
        self.problems = problems;
    }

    pub(super) fn play(&mut self, mv: &str) -> Handled {
        if let Some(ending) = self.game.ending() {
            return Err(format!("{mv:?} cannot be played; the game is over: {}", ending.words));
        }
        if let Some((_, player, _)) = self.game.running_engine() {
            return Err(format!("{player} is to move; pause first to play for it"));
        }
        self.game.line.play(mv).map_err(text)?;
        self.after_move();
        Ok(Reply::State)
    }

    /// Takes back a resignation, a move, or, against engines, all moves since the last human turn.
    pub(super) fn undo(&mut self) -> Handled {
        if self.game.forfeit.take().is_some() {
            return Ok(Reply::State);
        }
        let ply = self.game.line.ply();
        if ply == 0 {
            return Err("no move to undo".to_string());
        }
        if !(self.game.running && self.game.has_human()) {
            self.game.line.go_to(ply - 1)?;
            self.after_jump();
            return Ok(Reply::State);
        }
        for ply in (0..ply).rev() {
            self.game.line.go_to(ply)?;
            if self.game.engine_to_move().is_none() {
                self.cancel();
                return Ok(Reply::State);
            }
        }
        self.game.line.go_to(ply)?;
        Err("no move to undo; only engines have moved".to_string())
    }

    pub(super) fn redo(&mut self) -> Handled {
        let ply = self.game.line.ply();
        self.game.line.go_to(ply + 1).map_err(|_| "no move to redo".to_string())?;
        self.after_jump();
        Ok(Reply::State)
    }

    pub(super) fn go_to(&mut self, ply: usize) -> Handled {
        self.game.line.go_to(ply)?;
        self.after_jump();
        Ok(Reply::State)
    }

    /// Pauses the game after the position has changed without a move.
    fn after_jump(&mut self) {
        self.cancel();
        self.game.forfeit = None;
        self.game.running = false;
    }

    pub(super) fn set_seats(&mut self, seats: Vec<Seat>, clock: Option<&ClockSettings>) -> Handled {
        let players = usize::from(self.game.line.game().facts().players);
        if seats.len() != players {
            return Err(format!("{} seats given; this game has {players}", seats.len()));
        }
        for (index, seat) in seats.iter().enumerate() {
            if let Seat::Engine { player, limits } = seat {
                let in_seat = |error: String| format!("seat {}: {error}", index + 1);
                self.check_player(player).map_err(in_seat)?;
                limits.checked(self.shared.caps.time).map_err(in_seat)?;
            }
        }
        self.game.clocks = clock.map(|settings| Clocks::new(settings, players)).transpose()?;
        self.game.seats = seats;
        self.cancel_move();
        Ok(Reply::State)
    }

    /// Checks that a spec names a player that this server accepts.
    fn check_player(&self, player: &str) -> Result<(), String> {
        let spec: PlayerSpec = player.parse().map_err(text::<PlayerSpecError>)?;
        if spec.terms != Terms::default() {
            return Err(format!("{player:?} has terms after '@', which are for matches; use \"limits\""));
        }
        if !spec.is_program() {
            check_untrusted(player).map_err(text)?;
            return Engine::new(player, self.game.line.game()).map(|_| ()).map_err(text);
        }
        if !self.shared.programs {
            return Err(format!("{player:?} is a program; a server without --programs accepts searches only"));
        }
        Ok(())
    }

    pub(super) fn run_engines(&mut self) -> Handled {
        if self.game.ending().is_some() {
            return Err("the game is over; undo a move or open another game".to_string());
        }
        self.game.running = true;
        Ok(Reply::State)
    }

    pub(super) fn pause(&mut self) -> Handled {
        self.game.running = false;
        self.cancel_move();
        Ok(Reply::State)
    }

    pub(super) fn resign(&mut self) -> Handled {
        if let Some(ending) = self.game.ending() {
            return Err(format!("resignation is not possible; the game is over: {}", ending.words));
        }
        if let Some((_, player, _)) = self.game.running_engine() {
            return Err(format!("{player} is to move; only the player to move can resign"));
        }
        let player = self.game.line.game().to_move().expect("the game is not over");
        self.forfeit(player, "resigns");
        Ok(Reply::State)
    }

    pub(super) fn think(&mut self, player: String, limits: Limits) -> Handled {
        self.check_can_search()?;
        self.check_player(&player)?;
        if player.parse::<PlayerSpec>().is_ok_and(|spec| spec.is_program()) {
            return Err(format!("{player:?} is a program and reports nothing while it thinks; expected a search"));
        }
        let checked = limits.checked(self.shared.caps.time)?;
        self.start_search(SearchTask::Analyse { player }, checked, &limits)?;
        Ok(empty())
    }

    pub(super) fn stop(&mut self) -> Handled {
        let search = self.searches.current.as_ref().ok_or("no search is running")?;
        search.stop.store(true, Relaxed);
        Ok(empty())
    }

    pub(super) fn show_owners(&mut self, shown: bool) -> Handled {
        self.workers.owners.show(shown);
        // A search that has ended reports no more.
        reply(&self.workers.owners.of(self.game.line.game(), None))
    }

    pub(super) fn look(&mut self, id: u64, line: Vec<String>) -> Handled {
        let end = self.game.line.after(&line)?;
        let (from, state) = (GamePath::of(self.game.line.game()), state_of(end.as_ref()));
        let deadline = Instant::now() + self.shared.caps.look;
        self.workers.queries.add(TreeQuery { id, from, line, state, deadline })?;
        if self.workers.queries.announce() {
            self.workers.search(SearchCommand::AnswerQueries)?;
        }
        Ok(Reply::Deferred)
    }

    pub(super) fn solve(&mut self, goal: Option<String>, by: Option<String>, limits: Limits) -> Handled {
        self.check_can_search()?;
        let goal: Goal = goal.map_or(Ok(Goal::Value), |goal| goal.parse())?;
        let by = by.unwrap_or_else(|| AUTO.to_string());
        check_untrusted(&by).map_err(text)?;
        let checked = limits.checked(self.shared.caps.time)?;
        check_solver(self.game.line.game(), goal, &by)?;
        self.start_search(SearchTask::Solve { goal, by }, checked, &limits)?;
        Ok(empty())
    }

    fn check_can_search(&self) -> Result<(), String> {
        self.check_no_search()?;
        match self.game.line.game().ending() {
            Some(ending) => Err(format!("nothing to search; the game is over: {}", ending.words)),
            None => Ok(()),
        }
    }

    fn check_no_search(&self) -> Result<(), String> {
        match self.searches.current {
            Some(_) => Err("a search is running; stop it first".to_string()),
            None => Ok(()),
        }
    }

    pub(super) fn problem(&self, wishes: ProblemWishes) -> Handled {
        let posed = self.problems.pose(self.game.line.game(), wishes)?;
        reply(&posed.describe()?)
    }

    pub(super) fn ask(&mut self, wishes: ProblemWishes, by: Option<String>, limits: Limits) -> Handled {
        self.check_can_search()?;
        let by = by.unwrap_or_else(|| AUTO.to_string());
        check_untrusted(&by).map_err(text)?;
        let task = self.problems.pose(self.game.line.game(), wishes)?.task()?;
        let checked = problem_limits(limits.checked(self.shared.caps.time)?, &limits);
        let first = task.first().open(Level::EVEN, "").map_err(text)?;
        check_solver(first.as_ref(), Goal::Win, &by)?;
        self.start_search(SearchTask::Ask { task: Box::new(task), by }, checked, &limits)?;
        Ok(empty())
    }

    pub(super) fn refute(&mut self, mv: &str, limits: Limits) -> Handled {
        self.check_no_search()?;
        let answer = self.problems.answer()?.clone();
        let checked = problem_limits(limits.checked(self.shared.caps.time)?, &limits);
        let mv = answer.question().first_move(mv).map_err(text)?;
        self.start_search(SearchTask::Refute { answer: Box::new(answer), mv }, checked, &limits)?;
        Ok(empty())
    }

    pub(super) fn prove(&mut self, limits: Limits) -> Handled {
        self.check_no_search()?;
        let answer = self.problems.answer()?;
        if !answer.is_decided() {
            return Err("the verdict is open; a proof needs a verdict".to_string());
        }
        let checked = limits.checked(self.shared.caps.time)?;
        let question = answer.question();
        let game = question.open().map_err(text)?;
        if game.ending().is_some() {
            return Err("no proof: the problem is over before the first move".to_string());
        }
        let side = game.player_name(question.problem.mover()).to_string();
        let task = SearchTask::Prove { goal: question.goal(), side, by: answer.solver.clone() };
        self.start_search_of(game, task, checked, &limits)?;
        Ok(empty())
    }

    pub(super) fn annotate(&mut self) -> Handled {
        reply(&self.problems.annotate(self.file.as_mut())?)
    }

    pub(super) fn walk(
        &mut self,
        id: u64,
        proof: String,
        claim: Option<usize>,
        mv: Option<String>,
        back: Option<bool>,
    ) -> Handled {
        let claim = claim.unwrap_or(1);
        let task = match (mv, back.unwrap_or(false)) {
            (None, false) => ProofTask::StartWalk { proof, claim },
            (Some(mv), false) => ProofTask::Move { proof, claim, mv },
            (None, true) => ProofTask::Back { proof, claim },
            (Some(_), true) => return Err("expected \"move\" or \"back\", not both".to_string()),
        };
        self.workers.prove(id, task)?;
        Ok(Reply::Deferred)
    }

    pub(super) fn verify(&mut self, id: u64, proof: Option<String>, data: Option<String>) -> Handled {
        let task = match (proof, data) {
            (Some(proof), None) => ProofTask::Verify { proof },
            (None, Some(data)) => ProofTask::VerifyData { data },
            _ => return Err("expected one of \"proof\" (an ID) and \"data\" (a certificate in base64)".to_string()),
        };
        self.workers.prove(id, task)?;
        Ok(Reply::Deferred)
    }

    pub(super) fn certify(&mut self, id: u64, moves: Vec<String>) -> Handled {
        let game = self.game.line.game().copy();
        self.workers.prove(id, ProofTask::Certify { game, moves })?;
        Ok(Reply::Deferred)
    }

    pub(super) fn load(&mut self, name: &str, data: Option<String>, file: Option<String>) -> Handled {
        let mut memory = self.shared.memory.empty_grant();
        let data = match (data, file) {
            (Some(data), None) => data,
            (None, Some(file)) => files::read_text(&self.shared.store.find(&file)?, &mut memory)?,
            _ => return Err("expected one of \"data\" (text) and \"file\" (the ID of an uploaded file)".to_string()),
        };
        let file = LoadedFile::parse(name, &data, &self.game.line.game().spec().to_string(), memory)?;
        let listing = file.listing();
        self.problems.forget_file();
        self.file = Some(file);
        reply(&listing)
    }

    pub(super) fn pick(&mut self, index: usize) -> Handled {
        let file = self.file.as_mut().ok_or("no file is loaded; load a file first")?;
        let line = file.open(index)?;
        let problems = Problems::of_file(file, index, line.game())?;
        self.start_game(line, problems);
        Ok(Reply::State)
    }

    pub(super) fn save(&self, format: SaveFormat) -> Handled {
        reply(&files::save(&self.game.line, &self.game.seats, format)?)
    }
}

fn text<E: std::error::Error>(error: E) -> String {
    error.to_string()
}

fn empty() -> Reply {
    Reply::Value(serde_json::json!({}))
}

fn reply(content: &impl Serialize) -> Handled {
    serde_json::to_value(content).map(Reply::Value).map_err(text)
}

/// The time of a problem without limits, as on the command line.
const PROBLEM_TIME: Duration = Duration::from_secs(10);

/// Limits the time of a problem that has no limit.
fn problem_limits(checked: tesuji_core::Limits, limits: &Limits) -> tesuji_core::Limits {
    let time = if limits.is_bounded() { checked.time } else { checked.time.map(|time| time.min(PROBLEM_TIME)) };
    // The solvers of problems make no playouts.
    tesuji_core::Limits { time, nodes: checked.nodes.or(checked.playouts), ..checked }
}

/// Reports an unsupported goal or solver before a search starts, by a run that is stopped at once.
fn check_solver(game: &dyn Session, goal: Goal, by: &str) -> Result<(), String> {
    let stop = AtomicBool::new(true);
    let trial = SolvePlan {
        goal,
        by: by.to_string(),
        sides: Sides::Usual,
        all_moves: false,
        limits: tesuji_core::Limits { nodes: Some(1), memory: Some(1 << 20), ..tesuji_core::Limits::default() },
        seed: 1,
        threads: 1,
        stop: &stop,
        checkpoint: None,
        proof: None,
        zone: None,
        observer: None,
    };
    tesuji_catalog::solve(game, &trial).map(|_| ()).map_err(text)
}
