//! A connection: one page and its game. It runs in its own thread and receives everything through
//! one channel. Searches and certificates are handled by workers in other threads, so that the
//! connection always responds at once.

mod live_game;
mod requests;
mod workers;

use crate::files::LoadedFile;
use crate::game_line::GameLine;
use crate::message::{self, Event, Failure, Limits, Request, Response};
use crate::outbox::Outbox;
use crate::problem::{ProblemWishes, Problems};
use crate::search_worker::{FinishedSearch, ProblemOutput, SearchCommand, SearchJob, SearchOutput, SearchTask};
use crate::server::{ConnectionPermit, Shared};
use live_game::LiveGame;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, Session};
use tesuji_core::Player;
use tokio::sync::OwnedSemaphorePermit;
use workers::{Workers, thread};

/// The game of a new connection.
const FIRST_GAME: &str = "hex:7";
/// The time of an engine per move when it has no limit.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// Engines do not start to think while the page has more unread messages than this.
const MAX_UNREAD: usize = 32;
/// How soon a delayed engine is tried again, and the shortest wait for the idle timeout.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// An input of a connection.
pub enum Input {
    /// A request. It holds its permit until it is handled, which bounds the queue.
    Request(String, OwnedSemaphorePermit),
    /// The end of a search.
    Finished(FinishedSearch),
    /// The socket is closed.
    Disconnected,
}

/// A connection.
pub struct Connection {
    shared: Arc<Shared>,
    outbox: Arc<Outbox>,
    game: LiveGame,
    searches: Searches,
    workers: Workers,
    file: Option<LoadedFile>,
    problems: Problems,
    last_request: Instant,
}

/// The searches of a connection; at most one runs at a time.
struct Searches {
    current: Option<CurrentSearch>,
    /// The number of searches so far.
    started: u64,
    seed: u64,
}

struct CurrentSearch {
    number: u64,
    stop: Arc<AtomicBool>,
    /// Whether it chooses a move in the game, as opposed to an analysis.
    moves: bool,
}

/// How a request is answered.
enum Reply {
    /// With this value.
    Value(Value),
    /// With an empty object, followed by a `state` event.
    State,
    /// Later, by a worker.
    Deferred,
}

type Handled = Result<Reply, String>;

impl Connection {
    /// Starts a connection in its own thread and returns the sender of its inputs.
    pub fn start(shared: Arc<Shared>, permit: ConnectionPermit, outbox: Arc<Outbox>) -> std::io::Result<Sender<Input>> {
        let (sender, inputs) = channel();
        let mut seed = [0; 8];
        getrandom::fill(&mut seed).map_err(|error| std::io::Error::other(error.to_string()))?;
        let line = GameLine::open(FIRST_GAME, "start").expect("the first game is in the list");
        let connection = Connection {
            workers: Workers::new(shared.clone(), outbox.clone(), permit, sender.clone()),
            shared,
            outbox,
            game: LiveGame::new(line),
            searches: Searches { current: None, started: 0, seed: u64::from_le_bytes(seed) },
            file: None,
            problems: Problems::default(),
            last_request: Instant::now(),
        };
        thread("connection").spawn(move || connection.run(&inputs))?;
        Ok(sender)
    }

    fn run(mut self, inputs: &Receiver<Input>) {
        while !self.outbox.is_closed() {
            match inputs.recv_timeout(self.time_to_next_event()) {
                Ok(Input::Request(text, _permit)) => {
                    self.last_request = Instant::now();
                    self.respond(&text);
                }
                Ok(Input::Finished(search)) => self.finish(search),
                Ok(Input::Disconnected) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.check_timeouts();
            self.advance();
        }
    }

    /// Returns how long to wait for an input before a timeout is due.
    fn time_to_next_event(&self) -> Duration {
        let now = Instant::now();
        let clock = self.game.clock_expires_at().map(|at| at.saturating_duration_since(now));
        let retry = (self.searches.current.is_none() && self.game.running_engine().is_some()).then_some(RETRY_INTERVAL);
        let idle = self.shared.caps.idle.saturating_sub(self.last_request.elapsed()).max(RETRY_INTERVAL);
        let queries = self.workers.queries.deadline().map(|at| at.saturating_duration_since(now));
        clock.into_iter().chain(retry).chain(queries).fold(idle, Duration::min)
    }

    fn check_timeouts(&mut self) {
        let now = Instant::now();
        if let Some(player) = self.game.expired_player(now) {
            self.forfeit(player, "ran out of time");
            self.send_state();
        }
        self.workers.queries.expire(now, &self.outbox);
        let busy = self.searches.current.is_some() || self.game.running_engine().is_some();
        if self.last_request.elapsed() >= self.shared.caps.idle && !busy {
            let minutes = self.shared.caps.idle.as_secs() / 60;
            self.outbox.close(&format!("no request for {minutes} minutes"));
        }
    }

    fn respond(&mut self, text: &str) {
        let (id, request) = match message::parse(text) {
            (Some(id), Ok(request)) => (id, request),
            (id, Err(error)) => return self.outbox.send(&Response::error(id, error)),
            (None, Ok(_)) => unreachable!("a parsed request has an ID"),
        };
        match self.handle(id, request) {
            Ok(Reply::Value(ok)) => self.outbox.send(&Response::Ok { id, ok }),
            Ok(Reply::State) => {
                self.outbox.send(&Response::Ok { id, ok: Value::Object(serde_json::Map::new()) });
                self.send_state();
            }
            Ok(Reply::Deferred) => {}
            Err(error) => self.outbox.send(&Response::error(Some(id), error)),
        }
    }

    fn handle(&mut self, id: u64, request: Request) -> Handled {
        match request {
            Request::Open { game, position } => self.open(&game, position.as_deref()),
            Request::Play { mv } => self.play(&mv),
            Request::Undo {} => self.undo(),
            Request::Redo {} => self.redo(),
            Request::Goto { ply } => self.go_to(ply),
            Request::Seats { seats, clock } => self.set_seats(seats, clock.as_ref()),
            Request::Run {} => self.run_engines(),
            Request::Pause {} => self.pause(),
            Request::Resign {} => self.resign(),
            Request::Think { player, limits } => self.think(player, limits.unwrap_or_default()),
            Request::Stop {} => self.stop(),
            Request::Owners { shown } => self.show_owners(shown),
            Request::Look { line } => self.look(id, line),
            Request::Solve { goal, by, limits } => self.solve(goal, by, limits.unwrap_or_default()),
            Request::Problem { targets, goal, region } => self.problem(ProblemWishes { targets, goal, region }),
            Request::Ask { targets, goal, region, by, limits } => {
                self.ask(ProblemWishes { targets, goal, region }, by, limits.unwrap_or_default())
            }
            Request::Refute { mv, limits } => self.refute(&mv, limits.unwrap_or_default()),
            Request::Prove { limits } => self.prove(limits.unwrap_or_default()),
            Request::Annotate {} => self.annotate(),
            Request::Walk { proof, claim, mv, back } => self.walk(id, proof, claim, mv, back),
            Request::Verify { proof, data } => self.verify(id, proof, data),
            Request::Certify { moves } => self.certify(id, moves),
            Request::Load { name, data, file } => self.load(&name, data, file),
            Request::Pick { number } => self.pick(number),
            Request::Save { format } => self.save(format),
        }
    }

    /// Starts a search of the current position.
    fn start_search(&mut self, task: SearchTask, checked: tesuji_core::Limits, limits: &Limits) -> Result<(), String> {
        self.start_search_of(self.game.line.game().copy(), task, checked, limits)
    }

    /// Starts a search of any position.
    fn start_search_of(
        &mut self,
        game: Box<dyn Session>,
        task: SearchTask,
        checked: tesuji_core::Limits,
        limits: &Limits,
    ) -> Result<(), String> {
        self.searches.started += 1;
        let number = self.searches.started;
        let stop = Arc::new(AtomicBool::new(false));
        let moves = matches!(task, SearchTask::Move { .. });
        let job = SearchJob {
            number,
            game,
            limits: checked,
            memory: limits.memory_bytes(),
            threads: limits.threads.unwrap_or(1),
            seed: self.searches.seed.wrapping_add(number),
            stop: stop.clone(),
            task,
        };
        self.workers.search(SearchCommand::Run(Box::new(job)))?;
        self.searches.current = Some(CurrentSearch { number, stop, moves });
        Ok(())
    }

    /// Stops the current search and abandons its result.
    fn cancel(&mut self) {
        if let Some(search) = self.searches.current.take() {
            search.stop.store(true, Relaxed);
            self.outbox.abandon(search.number);
        }
    }

    /// Cancels the current search if it chooses a move.
    fn cancel_move(&mut self) {
        if self.searches.current.as_ref().is_some_and(|search| search.moves) {
            self.cancel();
        }
    }

    /// Takes the result of a search. That of a cancelled one is reported but changes nothing.
    fn finish(&mut self, search: FinishedSearch) {
        let is_current = self.searches.current.as_ref().is_some_and(|current| current.number == search.number);
        if is_current {
            self.searches.current = None;
        }
        let SearchOutput { mut event, action, value, problem } = match search.result {
            Ok(output) => output,
            Err(error) => {
                self.send_failure(error, Some(search.task));
                if is_current {
                    self.game.running = false;
                    self.send_state();
                }
                return;
            }
        };
        if let Some(event) = &mut event {
            event["left"] = Value::Bool(!is_current);
            self.outbox.send(event);
        }
        if !is_current {
            return;
        }
        if let Some(value) = value {
            self.game.line.record_value(value);
        }
        match problem {
            Some(ProblemOutput::Answer(answer)) => self.problems.keep_answer(*answer, self.game.line.game()),
            Some(ProblemOutput::Refutation(refutation)) => self.problems.keep_refutation(refutation),
            None => {}
        }
        match action {
            None => {}
            Some(Action::Resign) => {
                let player = self.game.line.game().to_move().expect("an engine moves in a game that is not over");
                self.forfeit(player, "resigns");
            }
            Some(Action::Move(mv)) => match self.game.line.play(&mv) {
                Ok(()) => self.after_move(),
                Err(error) => {
                    self.game.running = false;
                    self.send_failure(format!("an engine played an illegal move: {error}"), None);
                }
            },
        }
        self.send_state();
    }

    /// Cancels the search of the previous position and presses the clock.
    fn after_move(&mut self) {
        self.cancel();
        if let Some(player) = self.game.press_clock(Instant::now()) {
            // Too late: the move does not count.
            let ply = self.game.line.ply();
            self.game.line.go_to(ply - 1).expect("the move was just played");
            self.forfeit(player, "ran out of time");
        }
        self.game.running &= self.game.ending().is_none();
    }

    /// Ends the game with the loss of a player, by resignation or on time.
    fn forfeit(&mut self, player: Player, how: &str) {
        self.cancel();
        self.game.forfeit(player, how);
    }

    /// Runs the clock of the player to move, and starts its engine.
    fn advance(&mut self) {
        let now = Instant::now();
        self.game.switch_clock(now);
        let Some((seat, player, limits)) = self.game.running_engine() else { return };
        if self.searches.current.as_ref().is_some_and(|search| !search.moves) {
            // A move has priority over an analysis.
            self.cancel();
        }
        if self.searches.current.is_some() || self.outbox.len() > MAX_UNREAD {
            return;
        }
        let clock = self.game.clock_of(seat, now);
        let mut checked = limits.checked(self.shared.caps.time).expect("the limits were checked with the seats");
        if !limits.is_bounded() && clock.is_none() {
            checked.time = Some(MOVE_TIME);
        }
        if let Err(error) = self.start_search(SearchTask::Move { player, clock }, checked, &limits) {
            self.game.running = false;
            self.send_failure(error, None);
            self.send_state();
        }
    }

    fn send_state(&mut self) {
        let state = self.game.state(Instant::now());
        self.outbox.send(&Event { event: "state", content: state });
    }

    /// Reports an error outside of any request, and the kind of search it ended.
    fn send_failure(&self, words: String, ended: Option<&'static str>) {
        self.outbox.send(&Event { event: "trouble", content: Failure { words, ended } });
    }
}

/// Stops the search and closes the socket, however the connection ends.
impl Drop for Connection {
    fn drop(&mut self) {
        self.cancel();
        self.workers.disconnected.store(true, Relaxed);
        self.outbox.close("the connection has ended");
    }
}
