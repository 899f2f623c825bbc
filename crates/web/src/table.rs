//! A table: one connection, one game. It runs in a thread of its own and is told everything through its inbox; searches and certificates have
//! threads of their own, so that the table answers at once whatever they do.

use crate::clerk::{Clerk, Errand, What};
use crate::clocks::Clocks;
use crate::desk::{Desk, Done, Job, Order, Outcome, Work};
use crate::files::{self, Shelf};
use crate::line::{Line, forfeited, state_of};
use crate::looks::{Look, Looks, Place};
use crate::message::{self, Answer, Event, Limits, Request, Seat, State, Trouble};
use crate::outbox::Outbox;
use crate::server::{Chair, Shared};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use tesuji_arena::{Entrant, Terms};
use tesuji_catalog::{AUTO, Action, Ending, Goal, Session, Sides, Solving};
use tesuji_core::Player;
use tokio::sync::OwnedSemaphorePermit;

/// The game on a new table.
const FIRST_GAME: &str = "hex:7";
/// How long an engine thinks about a move when nothing is said.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// Engines wait with their next move while the page has so many messages to read, and are asked again a little later.
const MOST_UNREAD: usize = 32;
const LATER: Duration = Duration::from_millis(50);
/// So many requests about proofs wait at most; each may hold a certificate.
const MOST_ERRANDS: usize = 8;

/// The stack of a search: solvers go down lines of a thousand plies.
const STACK: usize = 64 << 20;

/// What comes to a table.
pub enum Input {
    /// A message. As long as it is not dealt with it holds a permit, so that nobody piles them up.
    Said(String, OwnedSemaphorePermit),
    /// A search has ended.
    Done(Done),
    /// The connection is gone.
    Gone,
}

/// A search that runs.
struct Running {
    number: u64,
    stop: Arc<AtomicBool>,
    moves: bool,
}

/// A table.
pub struct Table {
    shared: Arc<Shared>,
    /// Counts the table as long as anything of it is there.
    chair: Arc<Chair>,
    outbox: Arc<Outbox>,
    inbox: Sender<Input>,
    line: Line,
    /// How the game ended away from the board.
    forfeit: Option<Ending>,
    seats: Vec<Seat>,
    clocks: Option<Clocks>,
    /// Whether engines move by themselves and clocks go.
    running: bool,
    search: Option<Running>,
    jobs: u64,
    seed: u64,
    desk: Option<Sender<Order>>,
    looks: Arc<Looks>,
    clerk: Option<Sender<Errand>>,
    /// Every errand that is not done holds a copy.
    errands: Arc<()>,
    /// Raised when the table is left.
    gone: Arc<AtomicBool>,
    shelf: Option<Shelf>,
    /// When the page was heard last.
    heard: Instant,
}

/// How a message is answered.
enum Reply {
    /// With this.
    Now(Value),
    /// With nothing but a new state.
    State,
    /// By somebody else.
    Later,
}

impl Table {
    /// Lets a table run until its connection is gone; whatever is sent there comes to it.
    pub fn start(shared: Arc<Shared>, chair: Chair, outbox: Arc<Outbox>) -> std::io::Result<Sender<Input>> {
        let (sender, inbox) = channel();
        let mut seed = [0; 8];
        getrandom::fill(&mut seed).map_err(|error| std::io::Error::other(error.to_string()))?;
        let line = Line::open(FIRST_GAME, "start").expect("the first game is there");
        let table = Table {
            seats: people(line.game()),
            shared,
            chair: Arc::new(chair),
            outbox,
            inbox: sender.clone(),
            line,
            forfeit: None,
            clocks: None,
            running: false,
            search: None,
            jobs: 0,
            seed: u64::from_le_bytes(seed),
            desk: None,
            looks: Arc::default(),
            clerk: None,
            errands: Arc::new(()),
            gone: Arc::default(),
            shelf: None,
            heard: Instant::now(),
        };
        thread("table").spawn(move || table.run(&inbox))?;
        Ok(sender)
    }

    fn run(mut self, inbox: &Receiver<Input>) {
        while !self.outbox.is_closed() {
            match inbox.recv_timeout(self.until_due()) {
                Ok(Input::Said(text, _permit)) => {
                    self.heard = Instant::now();
                    self.hear(&text);
                }
                Ok(Input::Done(done)) => self.take(done),
                Ok(Input::Gone) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.look_at_the_clock();
            self.advance();
        }
    }

    /// How long there is nothing to do unless something comes.
    fn until_due(&self) -> Duration {
        let now = Instant::now();
        let falls = self.clocks.as_ref().and_then(Clocks::falls).map(|at| at.saturating_duration_since(now));
        let later = (self.running && self.search.is_none() && self.engine_to_move().is_some()).then_some(LATER);
        let idle = self.shared.caps.idle.saturating_sub(self.heard.elapsed()).max(LATER);
        let looks = self.looks.until().map(|at| at.saturating_duration_since(now));
        falls.into_iter().chain(later).chain(looks).fold(idle, Duration::min)
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        if let Some(seat) = self.clocks.as_ref().and_then(|clocks| clocks.fallen(now)) {
            self.lose(Player(seat as u8), "has no time left");
            self.tell_state();
        }
        self.looks.give_up(now, &self.outbox);
        let busy = self.search.is_some() || (self.running && self.engine_to_move().is_some());
        if self.heard.elapsed() >= self.shared.caps.idle && !busy {
            let minutes = self.shared.caps.idle.as_secs() / 60;
            self.outbox.close(&format!("nothing was asked for {minutes} minutes"));
        }
    }

    fn hear(&mut self, text: &str) {
        let (id, request) = message::read(text);
        let (id, request) = match (id, request) {
            (Some(id), Ok(request)) => (id, request),
            (id, Err(error)) => return self.outbox.send(&Answer::<()>::Error { id, error }),
            (None, Ok(_)) => unreachable!("what is understood has a number"),
        };
        match self.obey(id, request) {
            Ok(Reply::Now(ok)) => self.outbox.send(&Answer::Ok { id, ok }),
            Ok(Reply::State) => {
                self.outbox.send(&Answer::Ok { id, ok: Value::Object(serde_json::Map::new()) });
                self.tell_state();
            }
            Ok(Reply::Later) => {}
            Err(error) => self.outbox.send(&Answer::<()>::Error { id: Some(id), error }),
        }
    }

    fn obey(&mut self, id: u64, request: Request) -> Result<Reply, String> {
        match request {
            Request::Open { game, position } => {
                let line = Line::open(&game, position.as_deref().unwrap_or("start")).map_err(in_words)?;
                self.begin(line);
                Ok(Reply::State)
            }
            Request::Play { mv } => self.play(&mv),
            Request::Undo {} => self.undo(),
            Request::Redo {} => {
                let ply = self.line.ply();
                self.line.go_to(ply + 1).map_err(|_| "there is nothing to redo".to_string())?;
                self.moved_about();
                Ok(Reply::State)
            }
            Request::Goto { ply } => {
                self.line.go_to(ply)?;
                self.moved_about();
                Ok(Reply::State)
            }
            Request::Seats { seats, clock } => self.take_seats(seats, clock.as_ref()),
            Request::Run {} => {
                if self.ending().is_some() {
                    return Err("the game is over; take a move back, or open another".to_string());
                }
                self.running = true;
                Ok(Reply::State)
            }
            Request::Pause {} => {
                self.pause();
                Ok(Reply::State)
            }
            Request::Resign {} => self.resign(),
            Request::Think { player, limits } => self.think(player, limits.unwrap_or_default()),
            Request::Stop {} => {
                let search = self.search.as_ref().ok_or("no search is running")?;
                search.stop.store(true, Relaxed);
                Ok(Reply::Now(serde_json::json!({})))
            }
            Request::Look { line } => {
                let end = self.line.along(&line)?;
                let (from, state) = (Place::of(self.line.game()), state_of(end.as_ref()));
                self.looks.add(Look { id, from, line, state, until: Instant::now() + self.shared.caps.look })?;
                self.order(Order::Look)?;
                Ok(Reply::Later)
            }
            Request::Solve { goal, by, limits } => self.solve(goal, by, limits.unwrap_or_default()),
            Request::Walk { proof, claim, mv, back } => {
                let claim = claim.unwrap_or(1);
                let what = match (mv, back.unwrap_or(false)) {
                    (None, false) => What::Begin { proof, claim },
                    (Some(mv), false) => What::Move { proof, claim, mv },
                    (None, true) => What::Back { proof, claim },
                    (Some(_), true) => return Err("it takes a move or \"back\", not both".to_string()),
                };
                self.send(id, what)
            }
            Request::Verify { proof, data } => {
                let what = match (proof, data) {
                    (Some(proof), None) => What::Verify { proof },
                    (None, Some(data)) => What::Read { data },
                    _ => {
                        return Err(
                            "it takes one of \"proof\", an ID, and \"data\", a certificate in base64".to_string()
                        );
                    }
                };
                self.send(id, what)
            }
            Request::Load { name, data, file } => {
                let data = match (data, file) {
                    (Some(data), None) => data,
                    (None, Some(file)) => files::text(&self.shared.store.find(&file)?)?,
                    _ => {
                        return Err("it takes one of \"data\", a text, and \"file\", the ID of a sent file".to_string());
                    }
                };
                let shelf = Shelf::read(&name, &data, &self.line.game().spec().to_string())?;
                let listed = shelf.listed();
                self.shelf = Some(shelf);
                value(&listed)
            }
            Request::Pick { number } => {
                let shelf = self.shelf.as_ref().ok_or("there is nothing to pick from; load a file first")?;
                let line = shelf.pick(number)?;
                self.begin(line);
                Ok(Reply::State)
            }
            Request::Save { form } => value(&files::save(&self.line, &self.seats, form)?),
        }
    }

    /// Another game begins.
    fn begin(&mut self, line: Line) {
        self.cancel();
        if let Some(desk) = &self.desk {
            // A desk that is gone has forgotten everything.
            let _ = desk.send(Order::Forget);
        }
        self.running = false;
        self.forfeit = None;
        self.clocks = None;
        self.seats = people(line.game());
        self.line = line;
    }

    fn play(&mut self, mv: &str) -> Result<Reply, String> {
        if let Some(ending) = self.ending() {
            return Err(format!("{mv:?} cannot be played; the game is over: {}", ending.words));
        }
        if let (true, Some((_, player, _))) = (self.running, self.engine_to_move()) {
            return Err(format!("it is the turn of {player}; pause first to play for it"));
        }
        self.line.play(mv).map_err(in_words)?;
        self.after_a_move();
        Ok(Reply::State)
    }

    /// A move was played: the search is about a former position, and the clock is pressed.
    fn after_a_move(&mut self) {
        self.cancel();
        let now = Instant::now();
        let mover = self.clocks.as_ref().and_then(|clocks| clocks.fallen(now));
        if let Some(clocks) = &mut self.clocks {
            clocks.moved(now);
        }
        if let Some(seat) = mover {
            // Too late: the move does not count.
            let ply = self.line.ply();
            self.line.go_to(ply - 1).expect("it was just played");
            self.lose(Player(seat as u8), "has no time left");
        }
        self.running &= self.ending().is_none();
    }

    /// The position is another one, and not by a move.
    fn moved_about(&mut self) {
        self.cancel();
        self.forfeit = None;
        self.running = false;
    }

    fn undo(&mut self) -> Result<Reply, String> {
        if self.forfeit.take().is_some() {
            // What is taken back is that somebody gave up.
            return Ok(Reply::State);
        }
        let ply = self.line.ply();
        if ply == 0 {
            return Err("there is nothing to take back".to_string());
        }
        let goes_on = self.running && self.seats.iter().any(|seat| matches!(seat, Seat::Person {}));
        if !goes_on {
            self.line.go_to(ply - 1)?;
            self.moved_about();
            return Ok(Reply::State);
        }
        for ply in (0..ply).rev() {
            self.line.go_to(ply)?;
            if self.engine_to_move().is_none() {
                self.cancel();
                return Ok(Reply::State);
            }
        }
        self.line.go_to(ply)?;
        Err("there is nothing to take back; nobody but engines has moved".to_string())
    }

    fn take_seats(&mut self, seats: Vec<Seat>, clock: Option<&message::ClockTerms>) -> Result<Reply, String> {
        let players = usize::from(self.line.game().facts().players);
        if seats.len() != players {
            return Err(format!("there are {} seats; this game takes {players}", seats.len()));
        }
        for (number, seat) in seats.iter().enumerate() {
            if let Seat::Engine { player, limits } = seat {
                let in_seat = |error: String| format!("seat {}: {error}", number + 1);
                self.check_player(player).map_err(in_seat)?;
                limits.checked(self.shared.caps.time).map_err(in_seat)?;
            }
        }
        self.clocks = clock.map(|terms| Clocks::new(terms, players)).transpose()?;
        self.seats = seats;
        if self.search.as_ref().is_some_and(|search| search.moves) {
            self.cancel();
        }
        Ok(Reply::State)
    }

    /// Whether a spec names a player who may come.
    fn check_player(&self, player: &str) -> Result<(), String> {
        let entrant: Entrant = player.parse().map_err(in_words::<tesuji_arena::EntrantError>)?;
        if entrant.terms != Terms::default() {
            return Err(format!("{player:?} has terms behind @, which are for matches; here it takes \"limits\""));
        }
        if !entrant.is_program() {
            return tesuji_catalog::copy(self.line.game()).invite(player).map(|_| ()).map_err(in_words);
        }
        if !self.shared.programs {
            return Err(format!(
                "{player:?} starts a program, which this server does only if it was started with --programs; it takes a search"
            ));
        }
        Ok(())
    }

    fn pause(&mut self) {
        self.running = false;
        if self.search.as_ref().is_some_and(|search| search.moves) {
            self.cancel();
        }
    }

    fn resign(&mut self) -> Result<Reply, String> {
        if let Some(ending) = self.ending() {
            return Err(format!("nobody can resign; the game is over: {}", ending.words));
        }
        if let (true, Some((_, player, _))) = (self.running, self.engine_to_move()) {
            return Err(format!("it is the turn of {player}, and only who is to move can resign"));
        }
        let player = self.line.game().to_move().expect("the game is not over");
        self.lose(player, "resigns");
        Ok(Reply::State)
    }

    fn lose(&mut self, player: Player, how: &str) {
        self.cancel();
        self.forfeit = Some(forfeited(self.line.game(), player, how));
        self.running = false;
    }

    fn think(&mut self, player: String, limits: Limits) -> Result<Reply, String> {
        self.may_search()?;
        self.check_player(&player)?;
        if player.parse::<Entrant>().is_ok_and(|entrant| entrant.is_program()) {
            return Err(format!("{player:?} is a program, which tells nothing while it thinks; it takes a search"));
        }
        let checked = limits.checked(self.shared.caps.time)?;
        self.search(Work::Think { player }, checked, &limits)?;
        Ok(Reply::Now(serde_json::json!({})))
    }

    fn solve(&mut self, goal: Option<String>, by: Option<String>, limits: Limits) -> Result<Reply, String> {
        self.may_search()?;
        let goal: Goal = goal.map_or(Ok(Goal::Value), |goal| goal.parse())?;
        let by = by.unwrap_or_else(|| AUTO.to_string());
        let checked = limits.checked(self.shared.caps.time)?;
        // What cannot be solved, or not by this solver, is found out before anything is begun.
        let stop = AtomicBool::new(true);
        let trial = Solving {
            goal,
            by: by.clone(),
            sides: Sides::Usual,
            all_moves: false,
            limits: tesuji_core::Limits { nodes: Some(1), memory: Some(1 << 20), ..tesuji_core::Limits::default() },
            seed: 1,
            threads: 1,
            stop: &stop,
            checkpoint: None,
            proof: None,
            watch: None,
        };
        self.line.game().solve(&trial).map_err(in_words)?;
        self.search(Work::Solve { goal, by }, checked, &limits)?;
        Ok(Reply::Now(serde_json::json!({})))
    }

    fn may_search(&self) -> Result<(), String> {
        match (&self.search, self.line.game().ending()) {
            (Some(_), _) => Err("a search is running; stop it first".to_string()),
            (_, Some(ending)) => Err(format!("there is nothing to search; the game is over: {}", ending.words)),
            (None, None) => Ok(()),
        }
    }

    /// Begins a search.
    fn search(&mut self, work: Work, checked: tesuji_core::Limits, limits: &Limits) -> Result<(), String> {
        self.jobs += 1;
        let stop = Arc::new(AtomicBool::new(false));
        let moves = matches!(work, Work::Move { .. });
        let job = Job {
            number: self.jobs,
            game: tesuji_catalog::copy(self.line.game()),
            limits: checked,
            memory: limits.bytes(),
            threads: limits.threads.unwrap_or(1),
            seed: self.seed.wrapping_add(self.jobs),
            stop: stop.clone(),
            work,
        };
        self.order(Order::Work(Box::new(job)))?;
        self.search = Some(Running { number: self.jobs, stop, moves });
        Ok(())
    }

    /// Ends the search; nobody is interested in what it finds any more.
    fn cancel(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop.store(true, Relaxed);
            self.outbox.leave(search.number);
        }
    }

    /// What a search has found. Of one that was cancelled the page is told, too, but it changes nothing.
    fn take(&mut self, done: Done) {
        let counts = self.search.as_ref().is_some_and(|search| search.number == done.number);
        if counts {
            self.search = None;
        }
        let Outcome { mut event, action, value } = match done.outcome {
            Ok(outcome) => outcome,
            Err(words) => {
                self.outbox.send(&Event { event: "trouble", content: Trouble { words, ended: Some(done.what) } });
                if counts {
                    self.running = false;
                    self.tell_state();
                }
                return;
            }
        };
        if let Some(event) = &mut event {
            event["left"] = Value::Bool(!counts);
            self.outbox.send(event);
        }
        if !counts {
            return;
        }
        if let Some(value) = value {
            self.line.note(value);
        }
        match action {
            None => {}
            Some(Action::Resign) => {
                let player = self.line.game().to_move().expect("it was asked for a move");
                self.lose(player, "resigns");
            }
            Some(Action::Move(mv)) => match self.line.play(&mv) {
                Ok(()) => self.after_a_move(),
                Err(error) => self.trouble(format!("an engine played what is not allowed: {error}")),
            },
        }
        self.tell_state();
    }

    fn trouble(&mut self, words: String) {
        self.running = false;
        self.outbox.send(&Event { event: "trouble", content: Trouble { words, ended: None } });
    }

    /// Lets the clock go that has to, and the engine move whose turn it is.
    fn advance(&mut self) {
        let now = Instant::now();
        let to_move = self.to_move().filter(|_| self.running);
        if let Some(clocks) = &mut self.clocks {
            clocks.turn_to(to_move, now);
        }
        let Some((seat, player, limits)) = self.engine_to_move().filter(|_| self.running) else { return };
        if self.search.as_ref().is_some_and(|search| !search.moves) {
            // Whose turn it is goes before an analysis.
            self.cancel();
        }
        if self.search.is_some() || self.outbox.waiting() > MOST_UNREAD {
            return;
        }
        let clock = self.clocks.as_ref().map(|clocks| clocks.of(seat, now));
        let mut checked = limits.checked(self.shared.caps.time).expect("it was checked when it sat down");
        if !limits.end() && clock.is_none() {
            checked.time = Some(MOVE_TIME);
        }
        if let Err(error) = self.search(Work::Move { player, clock }, checked, &limits) {
            self.trouble(error);
            self.tell_state();
        }
    }

    fn ending(&self) -> Option<Ending> {
        self.forfeit.clone().or_else(|| self.line.game().ending())
    }

    /// The seat to move; `None` if the game is over.
    fn to_move(&self) -> Option<usize> {
        let player = self.line.game().to_move().filter(|_| self.forfeit.is_none());
        player.map(Player::index)
    }

    /// The engine to move, with its seat and limits.
    fn engine_to_move(&self) -> Option<(usize, String, Limits)> {
        let seat = self.to_move()?;
        match &self.seats[seat] {
            Seat::Person {} => None,
            Seat::Engine { player, limits } => Some((seat, player.clone(), *limits)),
        }
    }

    fn tell_state(&mut self) {
        let now = Instant::now();
        let to_move = self.to_move().filter(|_| self.running);
        if let Some(clocks) = &mut self.clocks {
            clocks.turn_to(to_move, now);
        }
        let mut state = State {
            seats: self.seats.clone(),
            running: self.running,
            clocks: self.clocks.as_ref().map(|clocks| clocks.at(now).iter().map(Duration::as_secs_f64).collect()),
            ..self.line.state()
        };
        if let Some(ending) = &self.forfeit {
            state.ending = Some(ending.clone());
            state.to_move = None;
            state.legal.clear();
        }
        self.outbox.send(&Event { event: "state", content: state });
    }

    /// Sends something to the desk, which is set up when it is needed first.
    fn order(&mut self, order: Order) -> Result<(), String> {
        if self.desk.is_none() {
            let (sender, orders) = channel();
            let desk = Desk::new(self.shared.clone(), self.outbox.clone(), self.looks.clone());
            let (inbox, chair) = (self.inbox.clone(), self.chair.clone());
            let run = move || {
                let _chair = chair;
                // A table that is left wants to know nothing.
                desk.run(&orders, &|done| drop(inbox.send(Input::Done(done))));
            };
            thread("search").stack_size(STACK).spawn(run).map_err(no_thread)?;
            self.desk = Some(sender);
        }
        let desk = self.desk.as_ref().expect("it was just set up");
        desk.send(order).map_err(|_| "the search thread has ended; open the page again".to_string())
    }

    /// Sends something to the clerk, who comes when he is needed first.
    fn send(&mut self, id: u64, what: What) -> Result<Reply, String> {
        if Arc::strong_count(&self.errands) > MOST_ERRANDS {
            return Err(format!(
                "{MOST_ERRANDS} requests about proofs wait for an answer; ask again when one has come"
            ));
        }
        if self.clerk.is_none() {
            let (sender, errands) = channel();
            let (shared, outbox) = (self.shared.clone(), self.outbox.clone());
            let (gone, chair) = (self.gone.clone(), self.chair.clone());
            let run = move || {
                let _chair = chair;
                Clerk::new(shared, outbox, gone).run(&errands);
            };
            thread("proofs").stack_size(STACK).spawn(run).map_err(no_thread)?;
            self.clerk = Some(sender);
        }
        let clerk = self.clerk.as_ref().expect("he has just come");
        let errand = Errand { id, what, _counted: self.errands.clone() };
        clerk.send(errand).map_err(|_| "the proof thread has ended; open the page again".to_string())?;
        Ok(Reply::Later)
    }
}

/// However a table ends, its searches end with it and its page is told.
impl Drop for Table {
    fn drop(&mut self) {
        self.cancel();
        self.gone.store(true, Relaxed);
        self.outbox.close("the table has ended");
    }
}

fn people(game: &dyn Session) -> Vec<Seat> {
    vec![Seat::Person {}; usize::from(game.facts().players)]
}

fn thread(what: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(format!("tesuji {what}"))
}

fn no_thread(error: std::io::Error) -> String {
    format!("no thread can be started: {error}")
}

fn in_words<E: std::error::Error>(error: E) -> String {
    error.to_string()
}

fn value(content: &impl Serialize) -> Result<Reply, String> {
    serde_json::to_value(content).map(Reply::Now).map_err(in_words)
}
