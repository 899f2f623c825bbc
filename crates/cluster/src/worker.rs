//! The worker: carries out the messages of a master, one search or job at a time.
//!
//! Its search tree and its solver's table survive from message to message. A reader thread takes
//! `stop` out of turn, and another thread reports that a long search is alive.

use crate::fingerprint::fingerprint;
use crate::message::{Greeting, LONGEST, Task, ToMaster, ToWorker, line};
use crate::report::ReportMessage;
use rustc_hash::FxHashSet;
use std::io::{self, BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tesuji_catalog::{Engine, SearchSettings, Session, Solver, SolverSettings, open};
use tesuji_core::{Bounds, Limits, Observer, Player, Question};

/// The interval at which a busy worker reports that it is alive.
const ALIVE: Duration = Duration::from_millis(500);
/// The interval of the reports of a running search. Raising it sends less and makes stoppers, which
/// may end the search early, see older results.
const REPORT: Duration = Duration::from_millis(100);

/// The most bytes of replies in a message, which leaves room for escaped characters.
const MOST_REPLY_BYTES: usize = LONGEST / 2;
/// The bytes of a pair beside its texts.
const PAIR_BYTES: usize = 8;

/// Why a worker ends before its input does.
#[derive(Debug)]
pub enum WorkerError {
    /// The master is refused, for this reason.
    Refused(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl std::fmt::Display for WorkerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WorkerError::Refused(reason) => write!(f, "this worker refuses its master: {reason}"),
            WorkerError::Output(error) => write!(f, "the master cannot be reached: {error}"),
        }
    }
}

impl std::error::Error for WorkerError {}

/// What the threads of a worker share.
struct Shared {
    /// The number of the message being carried out; 0 for none.
    current: AtomicU64,
    /// Messages up to this number are to end early.
    stopped: AtomicU64,
    /// Set to end the running search.
    stop: AtomicBool,
    ended: AtomicBool,
    output: Mutex<Box<dyn Write + Send>>,
}

impl Shared {
    fn send(&self, message: &ToMaster) -> io::Result<()> {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all((line(message) + "\n").as_bytes())?;
        output.flush()
    }

    /// Marks the start of a message. Its search is stopped at once if the master has stopped it
    /// already.
    fn begin(&self, id: u64) {
        self.current.store(id, SeqCst);
        self.stop.store(false, SeqCst);
        self.update_stop();
    }

    fn update_stop(&self) {
        if self.ended.load(SeqCst) || self.stopped.load(SeqCst) >= self.current.load(SeqCst) {
            self.stop.store(true, SeqCst);
        }
    }
}

/// Carries out messages until the input ends.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> Result<(), WorkerError> {
    let shared = Arc::new(Shared {
        current: AtomicU64::new(0),
        stopped: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        ended: AtomicBool::new(false),
        output: Mutex::new(Box::new(output)),
    });
    let (sender, messages) = channel();
    let reader = Arc::clone(&shared);
    thread::spawn(move || read(input, &sender, &reader));
    let reporter = Arc::clone(&shared);
    thread::spawn(move || report_alive(&reporter));
    let served = carry_out(&messages, &shared);
    shared.ended.store(true, SeqCst);
    served
}

/// Reads messages until the input ends. A message that cannot be read is passed on as its error.
fn read(mut input: impl BufRead, sender: &Sender<Result<ToWorker, String>>, shared: &Shared) {
    let mut text = Vec::new();
    while input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut text).is_ok_and(|count| count > 0) {
        let message = serde_json::from_slice(&text).map_err(|error| error.to_string());
        text.clear();
        if let Ok(ToWorker::Stop { id }) = message {
            shared.stopped.fetch_max(id, SeqCst);
            shared.update_stop();
        } else if sender.send(message).is_err() {
            return;
        }
    }
    shared.ended.store(true, SeqCst);
    shared.update_stop();
}

/// Reports at intervals that a long search is alive.
fn report_alive(shared: &Shared) {
    while !shared.ended.load(SeqCst) {
        thread::sleep(ALIVE);
        let id = shared.current.load(SeqCst);
        if id > 0 && shared.send(&ToMaster::Alive { id }).is_err() {
            return;
        }
    }
}

/// What a worker keeps from message to message.
#[derive(Default)]
struct Kept {
    /// The last search, with the specs of the search and the game.
    engine: Option<(String, String, Engine)>,
    /// The last solver, with the specs of the solver and the game.
    solver: Option<(String, String, Solver)>,
    /// The last question that replies were asked for, and the keys of the positions whose replies
    /// were sent.
    sent: Option<(String, FxHashSet<u64>)>,
}

fn carry_out(messages: &Receiver<Result<ToWorker, String>>, shared: &Shared) -> Result<(), WorkerError> {
    let mut kept = Kept::default();
    for message in messages {
        let message = message.map_err(|error| WorkerError::Refused(format!("a message cannot be read: {error}")))?;
        let answer = match message {
            ToWorker::Hello(greeting) => {
                // The master learns the version, too.
                shared.send(&ToMaster::Hello(Greeting::own())).map_err(WorkerError::Output)?;
                greeting.check().map_err(WorkerError::Refused)?;
                continue;
            }
            ToWorker::Open { id, game } => match fingerprint(&game) {
                Ok(fingerprint) => ToMaster::Opened { id, fingerprint },
                Err(error) => ToMaster::Failed { id, reason: error.to_string() },
            },
            ToWorker::Search { id, player, task } => {
                shared.begin(id);
                done(id, kept.search(id, player, &task, shared))
            }
            ToWorker::Job { id, by, seat, at_least, task } => {
                shared.begin(id);
                done(id, kept.work(by, Player(seat), at_least, &task, shared))
            }
            ToWorker::Replies { id, by, seat, at_least, holds, most, task } => {
                shared.begin(id);
                let question = (Player(seat), at_least, holds);
                match kept.replies(by, question, most, &task, shared) {
                    Ok(replies) => ToMaster::Replies { id, replies },
                    Err(reason) => ToMaster::Failed { id, reason },
                }
            }
            // Taken out of turn.
            ToWorker::Stop { .. } => continue,
            ToWorker::Forget => {
                kept = Kept::default();
                continue;
            }
        };
        shared.current.store(0, SeqCst);
        if shared.ended.load(SeqCst) {
            return Ok(());
        }
        shared.send(&answer).map_err(WorkerError::Output)?;
    }
    Ok(())
}

fn done(id: u64, result: Result<ReportMessage, String>) -> ToMaster {
    match result {
        Ok(report) => ToMaster::Done { id, report },
        Err(reason) => ToMaster::Failed { id, reason },
    }
}

/// Opens the position of a task.
fn opened(task: &Task) -> Result<Box<dyn Session>, String> {
    let game = open(&task.game, &task.position).map_err(|error| error.to_string())?;
    if game.to_move().is_none() {
        return Err(format!("the game {} is over", task.position));
    }
    Ok(game)
}

impl Kept {
    fn search(&mut self, id: u64, player: String, task: &Task, shared: &Shared) -> Result<ReportMessage, String> {
        let game = opened(task)?;
        let facts = game.facts();
        let same = |(spec, of, _): &(String, String, Engine)| *spec == player && *of == task.game;
        if !self.engine.as_ref().is_some_and(same) {
            let engine = Engine::new(&player, game.as_ref()).map_err(|error| error.to_string())?;
            self.engine = Some((player, task.game.clone(), engine));
        }
        let (_, _, engine) = self.engine.as_mut().expect("it was just built");
        let observer: Observer<'_, String> = Box::new(|inspector| {
            let report = ReportMessage::new(&inspector.report(), &facts);
            if shared.send(&ToMaster::Report { id, report }).is_err() {
                shared.stop.store(true, SeqCst);
            }
        });
        let settings = SearchSettings {
            limits: task.limits(),
            clock: None,
            seed: task.seed,
            threads: task.threads.max(1),
            stop: &shared.stop,
            observer: Some((REPORT, observer)),
            owners: false,
        };
        Ok(ReportMessage::new(&engine.think(game.as_ref(), settings).report, &facts))
    }

    fn work(
        &mut self,
        by: String,
        player: Player,
        at_least: i32,
        task: &Task,
        shared: &Shared,
    ) -> Result<ReportMessage, String> {
        let game = opened(task)?;
        let question = question(game.as_ref(), player, at_least)?;
        let solver = self.solver(by, game.as_ref(), task)?;
        let report = solver.ask(game.as_ref(), question, &settings(task, task.limits(), shared));
        Ok(ReportMessage::new(&report, &game.facts()))
    }

    /// Returns the solver of a spec, with what it has learned.
    fn solver(&mut self, by: String, game: &dyn Session, task: &Task) -> Result<&mut Solver, String> {
        let same = |(spec, of, _): &(String, String, Solver)| *spec == by && *of == task.game;
        if !self.solver.as_ref().is_some_and(same) {
            let solver = Solver::new(&by, game).map_err(|error| error.to_string())?;
            self.solver = Some((by, task.game.clone(), solver));
        }
        Ok(&mut self.solver.as_mut().expect("it was just built").2)
    }

    /// Collects replies depth first until there are enough or the time is over.
    fn replies(
        &mut self,
        by: String,
        (player, at_least, holds): (Player, i32, bool),
        most: usize,
        task: &Task,
        shared: &Shared,
    ) -> Result<Vec<(String, String)>, String> {
        let mut game = opened(task)?;
        let question = question(game.as_ref(), player, at_least)?;
        let begin = Instant::now();
        let limits = task.limits();
        let settings = settings(task, Limits { time: None, ..limits }, shared);
        let about = format!("{} {at_least} {holds} {by} {}", player.0, task.game);
        let (_, mut seen) = self.sent.take().filter(|(sent, _)| *sent == about).unwrap_or_default();
        // The master has no reply for this one, whatever was sent before.
        seen.remove(&game.key());
        let solver = self.solver(by, game.as_ref(), task)?;
        let is_over = |found: usize, bytes: usize| {
            found >= most
                || bytes >= MOST_REPLY_BYTES
                || shared.stop.load(SeqCst)
                || limits.time.is_some_and(|time| begin.elapsed() >= time)
        };
        let mut walk = ReplyWalk { solver, question, holds, settings, replies: Vec::new(), bytes: 0, seen };
        walk.visit(game.as_mut(), &is_over);
        let ReplyWalk { replies, seen, .. } = walk;
        self.sent = Some((about, seen));
        Ok(replies)
    }
}

/// Returns the question whether a player can force a score in a game.
fn question(game: &dyn Session, player: Player, at_least: i32) -> Result<Question, String> {
    let facts = game.facts();
    let (low, high) = facts.scores;
    // One more than the highest score asks whether the highest one is the most.
    if player.0 >= facts.players || at_least < low || at_least > high.saturating_add(1) {
        return Err(format!("seat {} with at least {at_least} is not a question of {}", player.0, game.spec()));
    }
    Ok(Question { known: Bounds::unknown(player, &facts), at_least })
}

fn settings<'a>(task: &Task, limits: Limits, shared: &'a Shared) -> SolverSettings<'a> {
    SolverSettings { limits, seed: task.seed, threads: task.threads.max(1), stop: &shared.stop }
}

/// A walk over the positions that a proof needs.
struct ReplyWalk<'a> {
    solver: &'a mut Solver,
    question: Question,
    holds: bool,
    settings: SolverSettings<'a>,
    /// Positions and moves.
    replies: Vec<(String, String)>,
    /// Their length.
    bytes: usize,
    /// The keys of the positions that were visited. Two positions with the same key cost a message.
    seen: FxHashSet<u64>,
}

impl ReplyWalk<'_> {
    /// Collects the replies from a position on. What is below a position that the solver has no
    /// reply for is left out.
    fn visit(&mut self, game: &mut dyn Session, is_over: &dyn Fn(usize, usize) -> bool) {
        let Some(mover) = game.to_move() else { return };
        if is_over(self.replies.len(), self.bytes) || !self.seen.insert(game.key()) {
            return;
        }
        if (mover == self.question.prover()) != self.holds {
            for mv in game.legal_moves() {
                game.play(&mv).expect("it is a legal move");
                self.visit(game, is_over);
                game.undo();
            }
            return;
        }
        let text = game.text();
        let report = self.solver.ask(game, self.question, &self.settings);
        let is_answered = self.question.answer(&report.bounds) == Some(self.holds);
        if let Some(mv) = report.best.filter(|_| is_answered)
            && game.play(&mv).is_ok()
        {
            self.bytes += text.len() + mv.len() + PAIR_BYTES;
            self.replies.push((text, mv));
            self.visit(game, is_over);
            game.undo();
        }
    }
}
