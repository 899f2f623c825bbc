//! Tesuji as a USI engine.
//!
//! One thread reads lines and another runs the search, so that `stop` and `isready` are answered at
//! once. Commands that need the game while a search has it are queued until the search ends, so a
//! whole script can be piped in.

use super::go::Go;
use super::options::{self, UsiOption};
use super::running::{Board, Event, Running, Task};
use super::{Notation, NotationError};
use crate::lines::{self, InputLine};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;
use tesuji_catalog::{Engine, Session, open};
use tesuji_core::{DEFAULT_MEMORY, Limits, SpecError};
use thiserror::Error;

/// The settings of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The spec of the search.
    pub player: String,
    /// Upper limits of every move.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads of the search.
    pub threads: usize,
}

/// Why an engine could not start.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UsiError {
    /// The game has no USI notation.
    #[error(transparent)]
    Game(#[from] NotationError),
    /// The search cannot be built.
    #[error(transparent)]
    Player(#[from] SpecError),
}

/// A USI engine.
pub struct UsiEngine {
    /// The game and its search; `None` while a search runs.
    board: Option<Board>,
    /// The spec of the game.
    spec: String,
    notation: Notation,
    settings: Settings,
    /// Whether `bestmove` names the expected reply.
    ponder: bool,
}

impl UsiEngine {
    /// Makes an engine that starts with the present position of a game.
    pub fn new(game: Box<dyn Session>, settings: Settings) -> Result<UsiEngine, UsiError> {
        let notation = Notation::of(game.as_ref())?;
        let engine = Engine::new(&settings.player, game.as_ref())?;
        let spec = game.spec().to_string();
        Ok(UsiEngine { board: Some(Board { game, engine }), spec, notation, settings, ponder: false })
    }

    /// Answers commands until `quit` or the end of the input. Only the output can fail.
    pub fn run(self, input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
        let (sender, events) = channel();
        let lines = sender.clone();
        thread::spawn(move || read_lines(input, &lines));
        let queue = VecDeque::new();
        Conversation { engine: self, events, sender, output, queue, running: None, closed: false }.run()
    }
}

fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    while let Some(line) = lines::next(&mut input) {
        let event = match line {
            InputLine::Text(text) => Event::Line(text),
            InputLine::TooLong => {
                Event::Info(format!("info string a line of more than {} bytes was ignored", lines::LONGEST))
            }
        };
        if events.send(event).is_err() {
            return;
        }
    }
    // The receiver is gone only if the conversation is over.
    let _ = events.send(Event::Closed);
}

/// Commands that are obeyed while a search runs.
const URGENT: [&str; 3] = ["stop", "gameover", "ponderhit"];

fn first_word(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or("")
}

/// Whether the conversation continues.
#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

struct Conversation<W> {
    engine: UsiEngine,
    events: Receiver<Event>,
    sender: Sender<Event>,
    output: W,
    /// Commands that wait for the end of the search.
    queue: VecDeque<String>,
    running: Option<Running>,
    /// Whether the input has ended.
    closed: bool,
}

impl<W: Write> Conversation<W> {
    fn run(mut self) -> io::Result<()> {
        loop {
            if let Some(line) = self.next_queued() {
                self.obey(&line)?;
                continue;
            }
            if self.closed && self.running.is_none() {
                return Ok(());
            }
            match self.next_event() {
                Some(Event::Line(line)) => {
                    if self.receive(line)? == Next::Quit {
                        return Ok(());
                    }
                }
                Some(Event::Closed) => {
                    self.closed = true;
                    self.stop_if_unbounded()?;
                }
                Some(Event::Info(text)) => self.send(&text)?,
                Some(Event::Done(board, result)) => {
                    self.engine.board = Some(board);
                    if let Some(running) = &mut self.running {
                        running.result = Some(result);
                    }
                    self.send_result_if_due()?;
                }
                None => self.stop()?,
            }
        }
    }

    /// Takes the first queued command if it can be obeyed now.
    fn next_queued(&mut self) -> Option<String> {
        let is_urgent = |line: &String| URGENT.contains(&first_word(line));
        self.queue.pop_front_if(|line| self.running.is_none() || is_urgent(line))
    }

    /// Waits for the next event; `None` at the deadline of the search.
    fn next_event(&self) -> Option<Event> {
        let deadline = self.running.as_ref().and_then(|running| running.deadline);
        let next = match deadline {
            Some(deadline) => self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the conversation holds a sender"),
        }
    }

    fn send(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn send_message(&mut self, reason: &str) -> io::Result<()> {
        self.send(&format!("info string {}", reason.replace(['\n', '\r'], " ")))
    }

    /// Obeys a command or queues it.
    fn receive(&mut self, line: String) -> io::Result<Next> {
        let is_first = self.queue.is_empty();
        match first_word(&line) {
            "quit" => {
                if let Some(running) = &mut self.running {
                    running.stop();
                }
                return Ok(Next::Quit);
            }
            // It applies to the last queued search; the results of earlier ones are no longer
            // needed.
            "stop" | "gameover" if !is_first => {
                self.stop()?;
                self.queue.push_back(line);
            }
            "ponderhit" if !is_first => self.queue.push_back(line),
            "setoption" | "usinewgame" | "position" | "go" if !is_first || self.running.is_some() => {
                self.queue.push_back(line);
            }
            _ => self.obey(&line)?,
        }
        Ok(Next::Continue)
    }

    fn obey(&mut self, line: &str) -> io::Result<()> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(()) };
        match command {
            "usi" => self.introduce(),
            "isready" => self.send("readyok"),
            // `gameover` makes the search pointless.
            "stop" | "gameover" => self.stop(),
            "ponderhit" => {
                if let Some(running) = &mut self.running {
                    running.ponderhit();
                }
                self.send_result_if_due()
            }
            "setoption" => match options::read(rest) {
                Ok(option) => self.set(option),
                Err(reason) => self.send_message(&reason),
            },
            "usinewgame" => self.new_game(self.engine.notation, self.engine.spec.clone()),
            "position" => self.place(rest),
            "go" => self.go(rest),
            // The protocol demands that unknown commands are ignored.
            _ => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let UsiEngine { settings, notation, ponder, .. } = &self.engine;
        let memory = settings.limits.memory.unwrap_or(DEFAULT_MEMORY);
        let options = options::offer(memory, settings.threads, *ponder, *notation);
        self.send(concat!("id name Tesuji ", env!("CARGO_PKG_VERSION")))?;
        self.send(concat!("id author ", env!("CARGO_PKG_AUTHORS")))?;
        for option in options {
            self.send(&option)?;
        }
        self.send("usiok")
    }

    fn set(&mut self, option: UsiOption) -> io::Result<()> {
        match option {
            UsiOption::Memory(bytes) => self.engine.settings.limits.memory = Some(bytes),
            UsiOption::Threads(threads) => self.engine.settings.threads = threads,
            UsiOption::Ponder(ponder) => self.engine.ponder = ponder,
            // The same game keeps the rules it was started with.
            UsiOption::Variant(notation) if notation == self.engine.notation => {}
            UsiOption::Variant(notation) => self.new_game(notation, notation.default_spec().to_string())?,
        }
        Ok(())
    }

    /// Starts a new game with an empty search, if the search can play it.
    fn new_game(&mut self, notation: Notation, spec: String) -> io::Result<()> {
        let opened = open(&spec, "start").map_err(|error| error.to_string());
        let built = opened.and_then(|game| match Engine::new(&self.engine.settings.player, game.as_ref()) {
            Ok(engine) => Ok(Board { game, engine }),
            Err(error) => Err(error.to_string()),
        });
        match built {
            Ok(board) => {
                let engine = &mut self.engine;
                (engine.board, engine.notation, engine.spec) = (Some(board), notation, spec);
                Ok(())
            }
            Err(reason) => self.send_message(&reason),
        }
    }

    fn place(&mut self, words: &[&str]) -> io::Result<()> {
        let UsiEngine { board, spec, notation, .. } = &mut self.engine;
        match notation.read_game(spec, words) {
            Ok(game) => {
                if let Some(board) = board {
                    board.game = game;
                }
            }
            Err(error) => return self.send_message(&format!("position: {error}; the position is unchanged")),
        }
        Ok(())
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        let (go, messages) = Go::read(words);
        for message in messages {
            self.send_message(&message)?;
        }
        let Some(mut board) = self.engine.board.take() else { return Ok(()) };
        let UsiEngine { settings, notation, ponder, .. } = &self.engine;
        let Some(player) = board.game.to_move() else {
            let ending = board.game.ending().map_or(String::new(), |ending| format!(": {}", ending.words));
            self.engine.board = Some(board);
            self.send_message(&format!("the game is over{ending}"))?;
            let result = if go.mate.is_some() { "checkmate nomate" } else { "bestmove resign" };
            let mut running = Running::new(go.infinite || go.ponder, true);
            running.result = Some(vec![result.to_string()]);
            self.running = Some(running);
            self.send_result_if_due()?;
            return if self.closed { self.stop_if_unbounded() } else { Ok(()) };
        };
        let mut limits = go.limits(settings.limits);
        let mut clock = go.clock(player);
        if go.mate.is_some() || go.ponder {
            // A solver has no root statistics, and while pondering the clock does not run: both get
            // the regular time of the plan.
            let budget = clock.take().map(|clock| board.engine.plan(board.game.as_ref(), &clock).budget);
            limits.time = limits.time.into_iter().chain(budget).min();
        }
        if let Some(Some(time)) = go.mate {
            limits.time = Some(limits.time.map_or(time, |most| most.min(time)));
        }
        let ends = clock.is_some() || limits.time.is_some() || limits.nodes.is_some() || limits.playouts.is_some();
        let is_mate = go.mate.is_some();
        let held = !is_mate && (go.infinite || go.ponder);
        let mut running = Running::new(held, ends || go.depth.is_some());
        if go.ponder && !is_mate {
            running.time = limits.time.take();
        }
        let sender = self.sender.clone();
        let task =
            Task { board, notation: *notation, limits, clock, seed: settings.seed, threads: settings.threads, sender };
        if is_mate {
            task.mate(player, &running);
        } else {
            task.think(go.depth, *ponder, &running);
        }
        self.running = Some(running);
        if self.closed { self.stop_if_unbounded() } else { Ok(()) }
    }

    /// Stops a running search that would never end because the input has ended.
    fn stop_if_unbounded(&mut self) -> io::Result<()> {
        match &self.running {
            Some(running) if running.held || !running.bounded => self.stop(),
            _ => Ok(()),
        }
    }

    /// Stops the running search, if there is one.
    fn stop(&mut self) -> io::Result<()> {
        if let Some(running) = &mut self.running {
            running.stop();
        }
        self.send_result_if_due()
    }

    /// Sends the result of a search that has ended, unless it is held back.
    fn send_result_if_due(&mut self) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.held {
            return Ok(());
        }
        let Some(result) = running.result.take() else { return Ok(()) };
        self.running = None;
        result.iter().try_for_each(|line| self.send(line))
    }
}
