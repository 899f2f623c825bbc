//! Tesuji as a USI engine.
//!
//! Lines are read in a thread of their own and searches run in another, so that `stop` and `isready` are answered at once. Lines that need the
//! board while a search has it wait until the search has ended: a script may be piped in as a whole.

use super::go::Go;
use super::options::{self, UsiOption};
use super::running::{Board, Event, Running, Task};
use super::{Notation, NotationError};
use crate::lines::{self, Heard};
use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;
use tesuji_catalog::{Engine, Session, open};
use tesuji_core::{DEFAULT_MEMORY, Limits, SpecError};
use thiserror::Error;

/// Who plays, and what it may use.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The spec of the search.
    pub player: String,
    /// What holds for every move, whatever is asked.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many threads it may use.
    pub threads: usize,
}

/// Why there is no engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UsiError {
    /// The game.
    #[error(transparent)]
    Game(#[from] NotationError),
    /// The search.
    #[error(transparent)]
    Player(#[from] SpecError),
}

/// A search that is spoken to in USI.
pub struct UsiEngine {
    /// The game and its engine; a running search has them.
    board: Option<Board>,
    /// The spec of the game.
    spec: String,
    notation: Notation,
    settings: Settings,
    /// Whether expected answers are named.
    ponder: bool,
}

impl UsiEngine {
    /// An engine that plays a game, from where it stands until it is told otherwise.
    pub fn new(game: Box<dyn Session>, settings: Settings) -> Result<UsiEngine, UsiError> {
        let notation = Notation::of(game.as_ref())?;
        let engine = Engine::new(&settings.player, game.as_ref())?;
        let spec = game.spec().to_string();
        Ok(UsiEngine { board: Some(Board { game, engine }), spec, notation, settings, ponder: false })
    }

    /// Answers lines until `quit` or their end. Only the output can fail.
    pub fn run(self, input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
        let (sender, events) = channel();
        let heard = sender.clone();
        thread::spawn(move || read_lines(input, &heard));
        let waiting = VecDeque::new();
        Conversation { engine: self, events, sender, output, waiting, running: None, closed: false }.run()
    }
}

fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    while let Some(heard) = lines::next(&mut input) {
        let event = match heard {
            Heard::Line(line) => Event::Line(line),
            Heard::TooLong => {
                Event::Info(format!("info string a line of more than {} bytes was passed over", lines::LONGEST))
            }
        };
        if events.send(event).is_err() {
            return;
        }
    }
    // Nobody listens only if the conversation is over.
    let _ = events.send(Event::Closed);
}

/// What is done at once, whoever has the board.
const URGENT: [&str; 3] = ["stop", "gameover", "ponderhit"];

fn first_word(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or("")
}

/// Whether the conversation goes on.
#[derive(PartialEq, Eq)]
enum Next {
    On,
    Quit,
}

struct Conversation<W> {
    engine: UsiEngine,
    events: Receiver<Event>,
    sender: Sender<Event>,
    output: W,
    /// Lines that wait for the board.
    waiting: VecDeque<String>,
    running: Option<Running>,
    /// Whether there are no more lines.
    closed: bool,
}

impl<W: Write> Conversation<W> {
    fn run(mut self) -> io::Result<()> {
        loop {
            if let Some(line) = self.next_waiting() {
                self.obey(&line)?;
                continue;
            }
            if self.closed && self.running.is_none() {
                return Ok(());
            }
            match self.next_event() {
                Some(Event::Line(line)) => {
                    if self.hear(line)? == Next::Quit {
                        return Ok(());
                    }
                }
                Some(Event::Closed) => {
                    self.closed = true;
                    self.stop_if_endless()?;
                }
                Some(Event::Info(text)) => self.say(&text)?,
                Some(Event::Done(board, answer)) => {
                    self.engine.board = Some(board);
                    if let Some(running) = &mut self.running {
                        running.answer = Some(answer);
                    }
                    self.answer_if_wanted()?;
                }
                None => self.stop()?,
            }
        }
    }

    /// The first of the waiting lines, if it need not wait any longer: the board is there, or it does not ask for it.
    fn next_waiting(&mut self) -> Option<String> {
        let is_urgent = |line: &String| URGENT.contains(&first_word(line));
        self.waiting.pop_front_if(|line| self.running.is_none() || is_urgent(line))
    }

    /// What happens next; `None` when a search is to be stopped.
    fn next_event(&self) -> Option<Event> {
        let deadline = self.running.as_ref().and_then(|running| running.deadline);
        let next = match deadline {
            Some(deadline) => self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => unreachable!("we have a sender ourselves"),
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn complain(&mut self, reason: &str) -> io::Result<()> {
        self.say(&format!("info string {}", reason.replace(['\n', '\r'], " ")))
    }

    /// Obeys a line, or lets it wait.
    fn hear(&mut self, line: String) -> io::Result<Next> {
        let is_first = self.waiting.is_empty();
        match first_word(&line) {
            "quit" => {
                if let Some(running) = &mut self.running {
                    running.stop();
                }
                return Ok(Next::Quit);
            }
            // It is meant for the last search that was asked for; nobody waits for those before it any more.
            "stop" | "gameover" if !is_first => {
                self.stop()?;
                self.waiting.push_back(line);
            }
            "ponderhit" if !is_first => self.waiting.push_back(line),
            "setoption" | "usinewgame" | "position" | "go" if !is_first || self.running.is_some() => {
                self.waiting.push_back(line);
            }
            _ => self.obey(&line)?,
        }
        Ok(Next::On)
    }

    fn obey(&mut self, line: &str) -> io::Result<()> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(()) };
        match command {
            "usi" => self.introduce(),
            "isready" => self.say("readyok"),
            // A game that is over needs no search.
            "stop" | "gameover" => self.stop(),
            "ponderhit" => {
                if let Some(running) = &mut self.running {
                    running.ponderhit();
                }
                self.answer_if_wanted()
            }
            "setoption" => match options::read(rest) {
                Ok(option) => self.set(option),
                Err(reason) => self.complain(&reason),
            },
            "usinewgame" => self.renew(self.engine.notation, self.engine.spec.clone()),
            "position" => self.place(rest),
            "go" => self.go(rest),
            // The protocol asks to pass over what is not known.
            _ => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let UsiEngine { settings, notation, ponder, .. } = &self.engine;
        let memory = settings.limits.memory.unwrap_or(DEFAULT_MEMORY);
        let options = options::offer(memory, settings.threads, *ponder, *notation);
        self.say(concat!("id name Tesuji ", env!("CARGO_PKG_VERSION")))?;
        self.say(concat!("id author ", env!("CARGO_PKG_AUTHORS")))?;
        for option in options {
            self.say(&option)?;
        }
        self.say("usiok")
    }

    fn set(&mut self, option: UsiOption) -> io::Result<()> {
        match option {
            UsiOption::Memory(bytes) => self.engine.settings.limits.memory = Some(bytes),
            UsiOption::Threads(threads) => self.engine.settings.threads = threads,
            UsiOption::Ponder(ponder) => self.engine.ponder = ponder,
            // The game it was started with keeps the rules it was started with.
            UsiOption::Variant(notation) if notation == self.engine.notation => {}
            UsiOption::Variant(notation) => self.renew(notation, notation.default_spec().to_string())?,
        }
        Ok(())
    }

    /// A new game, in which nothing is known; if the search can play it.
    fn renew(&mut self, notation: Notation, spec: String) -> io::Result<()> {
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
            Err(reason) => self.complain(&reason),
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
            Err(error) => return self.complain(&format!("position: {error}; the old position stays")),
        }
        Ok(())
    }

    fn go(&mut self, words: &[&str]) -> io::Result<()> {
        let (go, complaints) = Go::read(words);
        for complaint in complaints {
            self.complain(&complaint)?;
        }
        let Some(board) = self.engine.board.take() else { return Ok(()) };
        let UsiEngine { settings, notation, ponder, .. } = &self.engine;
        let Some(player) = board.game.to_move() else {
            let ending = board.game.ending().map_or(String::new(), |ending| format!(": {}", ending.words));
            self.engine.board = Some(board);
            self.complain(&format!("the game is over{ending}"))?;
            let answer = if go.mate.is_some() { "checkmate nomate" } else { "bestmove resign" };
            let mut running = Running::new(go.infinite || go.ponder, true);
            running.answer = Some(vec![answer.to_string()]);
            self.running = Some(running);
            self.answer_if_wanted()?;
            return if self.closed { self.stop_if_endless() } else { Ok(()) };
        };
        let mut limits = go.limits(player, settings.limits);
        if let Some(Some(time)) = go.mate {
            limits.time = Some(limits.time.map_or(time, |most| most.min(time)));
        }
        let ends = limits.time.is_some() || limits.nodes.is_some() || limits.playouts.is_some();
        let is_mate = go.mate.is_some();
        let held = !is_mate && (go.infinite || go.ponder);
        let mut running = Running::new(held, ends || go.depth.is_some());
        if go.ponder && !is_mate {
            running.time = limits.time.take();
        }
        let sender = self.sender.clone();
        let task = Task { board, notation: *notation, limits, seed: settings.seed, threads: settings.threads, sender };
        if is_mate {
            task.mate(player, &running);
        } else {
            task.think(go.depth, *ponder, &running);
        }
        self.running = Some(running);
        if self.closed { self.stop_if_endless() } else { Ok(()) }
    }

    /// Ends a running search that nobody can end any more.
    fn stop_if_endless(&mut self) -> io::Result<()> {
        match &self.running {
            Some(running) if running.held || !running.bounded => self.stop(),
            _ => Ok(()),
        }
    }

    /// Ends a running search, if there is one.
    fn stop(&mut self) -> io::Result<()> {
        if let Some(running) = &mut self.running {
            running.stop();
        }
        self.answer_if_wanted()
    }

    /// Says the answer of a search that has ended, unless it is still held back.
    fn answer_if_wanted(&mut self) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.held {
            return Ok(());
        }
        let Some(answer) = running.answer.take() else { return Ok(()) };
        self.running = None;
        answer.iter().try_for_each(|line| self.say(line))
    }
}
