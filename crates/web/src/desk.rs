//! Where the searches of a table run: a thread of its own, one search after the other. Players stay at the desk with what they have learnt.

use crate::caps::{Grant, POSITION_BYTES};
use crate::looks::{Looks, Place};
use crate::message::{self, Event};
use crate::outbox::{Live, Outbox};
use crate::server::Shared;
use serde::Serialize;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_arena::Entrant;
use tesuji_catalog::{
    Action, Certified, Clock, Goal, Player, Session, Sides, Solving, Stage, Thinking, Thought, Timing, Turn, follow,
};
use tesuji_core::{INFINITE, Inspector, Limits, MAX_PLAYERS, Report};

/// A running search is looked into so often: looks are answered, and told of every second time.
const LOOK_EVERY: Duration = Duration::from_millis(50);
const TELL_EVERY: Duration = Duration::from_millis(100);

/// So many players stay at the desk: one for every seat, and one for analysis.
const MOST_MINDS: usize = MAX_PLAYERS + 1;

/// What the desk is asked to do.
pub enum Order {
    /// A search.
    Work(Box<Job>),
    /// There are looks to be answered.
    Look,
    /// Another game begins.
    Forget,
}

/// A search.
pub struct Job {
    pub number: u64,
    pub game: Box<dyn Session>,
    /// All limits but memory.
    pub limits: Limits,
    pub memory: Option<usize>,
    pub threads: usize,
    pub seed: u64,
    pub stop: Arc<AtomicBool>,
    pub work: Work,
}

/// What is searched for.
pub enum Work {
    /// An analysis.
    Think { player: String },
    /// A move.
    Move { player: String, clock: Option<Clock> },
    /// A solution.
    Solve { goal: Goal, by: String },
}

impl Work {
    /// What a page asks to have it done.
    fn name(&self) -> &'static str {
        match self {
            Work::Think { .. } => "think",
            Work::Move { .. } => "move",
            Work::Solve { .. } => "solve",
        }
    }
}

/// What came of a job.
pub struct Done {
    pub number: u64,
    /// What was asked for: `think`, `move` or `solve`.
    pub what: &'static str,
    pub outcome: Result<Outcome, String>,
}

/// What came of a job that went well.
pub struct Outcome {
    /// What the page is told of it. The table does that, as the next search may be asked for as soon as the end of this one is known.
    pub event: Option<Value>,
    /// What a player does, if it was asked for a move.
    pub action: Option<Action>,
    /// What it thinks of the position, if it says.
    pub value: Option<f64>,
}

/// A player at the desk.
struct Mind {
    player: String,
    wanted: Option<usize>,
    grant: Grant,
    kind: Kind,
}

enum Kind {
    Search(Box<dyn Session>),
    Program(Box<dyn Player>),
}

/// The last search: whose, where, and what it said.
struct Last {
    player: String,
    root: Place,
    report: Report<String>,
}

/// The desk.
pub struct Desk {
    shared: Arc<Shared>,
    outbox: Arc<Outbox>,
    looks: Arc<Looks>,
    /// The one that was asked last is the last.
    minds: Vec<Mind>,
    last: Option<Last>,
}

impl Desk {
    pub fn new(shared: Arc<Shared>, outbox: Arc<Outbox>, looks: Arc<Looks>) -> Desk {
        Desk { shared, outbox, looks, minds: Vec::new(), last: None }
    }

    /// Works until nobody can ask for more.
    pub fn run(mut self, orders: &Receiver<Order>, tell: &dyn Fn(Done)) {
        while let Ok(order) = orders.recv() {
            match order {
                Order::Work(job) => {
                    let (number, what) = (job.number, job.work.name());
                    let outcome = catch_unwind(AssertUnwindSafe(|| self.work(&job))).unwrap_or_else(|_| {
                        self.forget();
                        Err("the search broke off by an error of its own; what it had learnt is gone".to_string())
                    });
                    self.answer_looks();
                    tell(Done { number, what, outcome });
                }
                Order::Look => self.answer_looks(),
                Order::Forget => self.forget(),
            }
        }
    }

    fn forget(&mut self) {
        self.minds.clear();
        self.last = None;
    }

    fn answer_looks(&self) {
        let Some(Last { player, root, report }) = &self.last else {
            return self.looks.answer(None, &self.outbox, |_| None);
        };
        let session = self.minds.iter().find(|mind| mind.player == *player).and_then(|mind| match &mind.kind {
            Kind::Search(session) => Some(session),
            Kind::Program(_) => None,
        });
        // Where no tree is kept there are still the moves that the search told of.
        let told = |line: &[String]| line.is_empty().then(|| report.moves.clone());
        let find = |line: &[String]| session.and_then(|session| session.look(player, line)).or_else(|| told(line));
        self.looks.answer(Some(root), &self.outbox, find);
    }

    fn work(&mut self, job: &Job) -> Result<Outcome, String> {
        match &job.work {
            Work::Think { player } => {
                let (thought, event) = self.think(job, player, job.limits)?;
                Ok(Outcome { event: Some(event), action: None, value: Some(thought.report.value) })
            }
            Work::Move { player, clock } => self.choose(job, player, *clock),
            Work::Solve { goal, by } => self.solve(job, *goal, by),
        }
    }

    /// Memory for a job. Players who wait at this desk go before it is refused.
    fn memory(&mut self, wanted: Option<usize>) -> Result<Grant, String> {
        loop {
            match self.shared.memory.memory(wanted, self.shared.caps.memory_each) {
                Err(_) if !self.minds.is_empty() => drop(self.minds.remove(0)),
                granted => return granted,
            }
        }
    }

    /// Brings a player to the desk, if it is not there, and makes it the last.
    fn call(&mut self, player: &str, job: &Job) -> Result<&mut Mind, String> {
        let known = self.minds.iter().position(|mind| mind.player == player && mind.wanted == job.memory);
        let mind = match known {
            Some(at) => self.minds.remove(at),
            None => {
                // With another amount of memory it is another player, and the old one's memory is free at once.
                self.minds.retain(|mind| mind.player != player);
                if self.minds.len() == MOST_MINDS {
                    self.minds.remove(0);
                }
                let grant = self.memory(job.memory)?;
                let entrant: Entrant = player.parse().map_err(|error: tesuji_arena::EntrantError| error.to_string())?;
                let kind = if entrant.is_program() {
                    let mut program = entrant.invite(job.game.as_ref()).map_err(|fault| fault.to_string())?;
                    program.begin(job.game.as_ref()).map_err(|fault| fault.to_string())?;
                    Kind::Program(program)
                } else {
                    Kind::Search(tesuji_catalog::copy(job.game.as_ref()))
                };
                Mind { player: player.to_string(), wanted: job.memory, grant, kind }
            }
        };
        self.minds.push(mind);
        Ok(self.minds.last_mut().expect("it was just pushed"))
    }

    fn choose(&mut self, job: &Job, player: &str, clock: Option<Clock>) -> Result<Outcome, String> {
        let limits = match clock {
            Some(clock) => Limits { time: Some(clock.share()), ..job.limits },
            None => job.limits,
        };
        if let Kind::Program(program) = &mut self.call(player, job)?.kind {
            let limits = Limits { time: clock.map_or(limits.time, |clock| Some(clock.left)), ..limits };
            let turn = Turn { limits, clock, seed: job.seed, threads: job.threads, stop: &job.stop };
            let choice = program.choose(job.game.as_ref(), &turn).map_err(|fault| format!("{player} {fault}"));
            if choice.is_err() {
                self.minds.pop();
            }
            return choice.map(|choice| Outcome { event: None, action: Some(choice.action), value: choice.value });
        }
        let (thought, event) = self.think(job, player, limits)?;
        let mv = thought.report.best.ok_or("the game is over")?;
        Ok(Outcome { event: Some(event), action: Some(Action::Move(mv)), value: Some(thought.report.value) })
    }

    fn think(&mut self, job: &Job, player: &str, limits: Limits) -> Result<(Thought, Value), String> {
        let (looks, outbox, shared) = (self.looks.clone(), self.outbox.clone(), self.shared.clone());
        let mind = self.call(player, job)?;
        let Kind::Search(session) = &mut mind.kind else {
            return Err(format!("{player:?} is a program, which tells nothing while it thinks; it takes a search"));
        };
        follow(session, job.game.as_ref());
        let search = session.invite(player).map_err(|error| error.to_string())?.to_string();
        let limits = Limits { memory: Some(mind.grant.amount), ..limits };
        let threads = shared.threads.threads(job.threads, shared.caps.threads_each);
        let (number, root) = (job.number, Place::of(job.game.as_ref()));
        let ply = job.game.moves().len();
        let begin = Instant::now();
        let mut told = begin;
        let observer = |inspector: &dyn Inspector<String>| {
            looks.answer(Some(&root), &outbox, |line| inspector.look(line));
            if told.elapsed() >= TELL_EVERY {
                told = Instant::now();
                let report = inspector.report();
                let timing = Timing::new(&report.counters, begin.elapsed());
                let content = message::Thinking { player, search: &search, ply, report: &report, timing };
                outbox.send_live(Live::Thinking, number, &Event { event: "thinking", content });
            }
        };
        let thinking = Thinking {
            limits,
            seed: job.seed,
            threads: threads.amount,
            stop: &job.stop,
            observer: Some((LOOK_EVERY, Box::new(observer))),
        };
        let thought = session.think(player, thinking).map_err(|error| error.to_string())?;
        let content =
            message::Thinking { player, search: &thought.search, ply, report: &thought.report, timing: thought.timing };
        let event = value(&Event { event: "thought", content });
        self.last = Some(Last { player: player.to_string(), root, report: thought.report.clone() });
        Ok((thought, event))
    }

    fn solve(&mut self, job: &Job, goal: Goal, by: &str) -> Result<Outcome, String> {
        let memory = self.memory(job.memory)?;
        let (shared, outbox, looks, stop) = (&self.shared, &self.outbox, &self.looks, &job.stop);
        let (number, root) = (job.number, Place::of(job.game.as_ref()));
        let threads = shared.threads.threads(job.threads, shared.caps.threads_each);
        let draft = shared.store.draw().map_err(|error| format!("no proof can be written: {error}"))?;
        let proof_memory = Mutex::new(shared.memory.nothing());
        let begin = Instant::now();
        let told = Mutex::new(begin);
        let too_large = AtomicBool::new(false);
        let watch = |stage: Stage<'_>| {
            if let Stage::Proving { positions } = stage {
                let bytes = usize::try_from(positions).unwrap_or(usize::MAX).saturating_mul(POSITION_BYTES);
                let has_room = proof_memory.lock().unwrap_or_else(PoisonError::into_inner).grow(bytes);
                if !has_room || positions > shared.caps.proof_positions {
                    too_large.store(true, Relaxed);
                    stop.store(true, Relaxed);
                }
            }
            // A solver shows the moves at its root, and no more.
            let at_root = match &stage {
                Stage::Asking { mv: None, report, .. } => Some(&report.moves),
                _ => None,
            };
            looks.answer(Some(&root), outbox, |line| at_root.filter(|_| line.is_empty()).cloned());
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            if told.elapsed() >= TELL_EVERY {
                *told = Instant::now();
                if let Some(content) = progress(&stage, memory.amount, begin.elapsed()) {
                    outbox.send_live(Live::Solving, number, &Event { event: "solving", content });
                }
            }
        };
        let solving = Solving {
            goal,
            by: by.to_string(),
            sides: Sides::Usual,
            all_moves: false,
            limits: Limits { memory: Some(memory.amount), ..job.limits },
            seed: job.seed,
            threads: threads.amount,
            stop,
            checkpoint: None,
            proof: Some(draft.file().to_path_buf()),
            watch: Some((TELL_EVERY, &watch)),
        };
        let solution = job.game.solve(&solving).map_err(|error| error.to_string());
        let certified = solution.as_ref().ok().and_then(|solution| solution.as_ref()?.proof.as_ref());
        let (proof, why_no_proof) = match certified {
            Some(Certified::Written(_)) => (Some(draft.keep()), None),
            Some(Certified::NotCertified(_)) if too_large.load(Relaxed) => {
                let most = shared.caps.proof_positions;
                let words = format!(
                    "it has more than the {most} positions that this server writes, or more than there is memory for; `tesuji solve` has no such limit"
                );
                (None, Some(words))
            }
            Some(Certified::NotCertified(why)) => (None, Some(why.clone())),
            None => (None, None),
        };
        let solution = solution?.ok_or("the game is over")?;
        let first = solution.sides.first();
        let content = message::Solved {
            ply: job.game.moves().len(),
            goal: solution.goal,
            solver: solution.solver,
            why: solution.why,
            solved: solution.solved,
            value: first.and_then(|side| side.words.clone()),
            bounds: first.map(|side| side.bounds),
            mv: first.and_then(|side| side.best.clone()),
            line: first.map_or(Vec::new(), |side| side.variation.clone()),
            sides: solution.sides,
            counters: solution.counters,
            stopped: solution.stopped,
            timing: solution.timing,
            proof,
            why_no_proof,
        };
        Ok(Outcome { event: Some(value(&Event { event: "solved", content })), action: None, value: None })
    }
}

fn value(event: &impl Serialize) -> Value {
    serde_json::to_value(event).expect("messages have texts as keys")
}

/// How a solver is getting on; `None` where there is nothing to tell.
fn progress(stage: &Stage<'_>, memory: usize, spent: Duration) -> Option<message::Solving> {
    let number = |number: u32| if number == INFINITE { Value::from("inf") } else { Value::from(number) };
    match stage {
        Stage::Asking { name, mv, at_least, report, nodes } => {
            let after = mv.map_or(String::new(), |mv| format!(", after {mv}"));
            Some(message::Solving {
                stage: "asking",
                question: Some(format!("can {name} get at least {at_least}{after}?")),
                proof: report.proof_numbers.map(|numbers| number(numbers.proof)),
                disproof: report.proof_numbers.map(|numbers| number(numbers.disproof)),
                nodes: *nodes,
                nodes_per_second: *nodes as f64 / spent.as_secs_f64(),
                fill: Some((report.counters.bytes as f64 / memory as f64).min(1.0)),
                line: report.variation.clone(),
                positions: None,
            })
        }
        Stage::Proving { positions } => {
            Some(message::Solving { stage: "proving", positions: Some(*positions), ..message::Solving::default() })
        }
        Stage::Keeping => None,
    }
}
