//! The workers of a master: messages to and from all of them, and what happens at a fault.
//!
//! A worker that dies, is silent for too long, misses its deadline or sends what it cannot mean is
//! dropped by name and started again; its work is lost and reported so that it can be handed out
//! again. One that fails several times in a row, has another version or other rules is not started
//! again.

use crate::fingerprint::fingerprint;
use crate::member::Member;
use crate::message::{ToMaster, ToWorker};
use crate::report::ReportMessage;
use crate::{Settings, Totals};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tesuji_catalog::Fault;

/// How long to wait for one worker before looking at the others.
const TURN: Duration = Duration::from_millis(1);

/// The number of the next message. The numbers of teams differ, so that a carrier may outlive one.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// What happened to a message.
#[derive(Debug)]
pub enum Event {
    /// A running search reports.
    Report { member: usize, id: u64, report: ReportMessage },
    /// The work is done, and the worker is idle.
    Done { member: usize, id: u64, report: ReportMessage },
    /// Replies have come, and the worker is idle.
    Replies { id: u64, replies: Vec<(String, String)> },
    /// The worker was dropped, with its work.
    Lost { member: usize },
}

/// All workers.
pub struct Team {
    members: Vec<Member>,
    settings: Arc<Settings>,
    /// The game of the current work, and the fingerprint of its rules.
    game: Option<(String, String)>,
    /// The threads that end processes.
    ending: Vec<JoinHandle<()>>,
}

impl Team {
    /// Returns the workers of the commands, not started yet.
    pub fn new(settings: Arc<Settings>) -> Team {
        let members = settings.workers.iter().enumerate();
        let members = members.map(|(number, worker)| Member::new(number, Arc::clone(worker))).collect();
        Team { members, settings, game: None, ending: Vec::new() }
    }

    /// The number of workers, whether they run or not.
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// Counts what happens.
    pub fn totals(&self) -> &Totals {
        &self.settings.totals
    }

    /// Starts all workers that do not run, for work on a game.
    pub fn prepare(&mut self, game: &str) {
        if self.game.as_ref().is_none_or(|(known, _)| known != game) {
            let print = fingerprint(game).expect("the game was opened before");
            self.game = Some((game.to_string(), print));
        }
        for number in 0..self.members.len() {
            if let Err(fault) = self.members[number].start(&self.settings.children) {
                self.lose(number, &fault);
            }
            self.open_game(number);
        }
    }

    /// Asks an idle worker for the fingerprint of the game, unless it has sent it.
    fn open_game(&mut self, number: usize) {
        let Some((game, _)) = &self.game else { return };
        if self.members[number].is_idle() && !self.members[number].knows(game) {
            let (id, game) = (NEXT_ID.fetch_add(1, Relaxed), game.clone());
            self.give(number, id, &ToWorker::Open { id, game }, None);
        }
    }

    /// Whether a worker can take work on the game.
    pub fn is_ready(&self, number: usize) -> bool {
        let member = &self.members[number];
        member.is_idle() && self.game.as_ref().is_some_and(|(game, _)| member.knows(game))
    }

    /// Whether a worker is being started, or asked for its rules.
    pub fn has_starting(&self) -> bool {
        let Some((game, _)) = &self.game else { return false };
        self.members.iter().any(|member| member.is_running() && !member.knows(game))
    }

    /// Whether a worker works on something.
    pub fn is_busy(&self, number: usize) -> bool {
        self.members[number].is_busy()
    }

    /// Whether a worker is not started again.
    pub fn is_given_up(&self, number: usize) -> bool {
        self.members[number].is_given_up()
    }

    /// Whether all workers are given up.
    pub fn is_empty(&self) -> bool {
        self.members.iter().all(Member::is_given_up)
    }

    /// Sends work to a worker; `message` makes the message of a number. Returns the number, or
    /// `None` if the worker was lost.
    pub fn assign(
        &mut self,
        number: usize,
        limit: Option<Duration>,
        message: impl FnOnce(u64) -> ToWorker,
    ) -> Option<u64> {
        let id = NEXT_ID.fetch_add(1, Relaxed);
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        self.give(number, id, &message(id), deadline).then_some(id)
    }

    fn give(&mut self, number: usize, id: u64, message: &ToWorker, deadline: Option<Instant>) -> bool {
        self.totals().add_messages(1);
        match self.members[number].assign(id, message, deadline) {
            Ok(()) => true,
            Err(fault) => {
                self.lose(number, &fault);
                false
            }
        }
    }

    /// Asks a worker to end its work early.
    pub fn stop(&mut self, number: usize, id: u64) {
        if self.members[number].is_busy_with(id) {
            self.send(number, &ToWorker::Stop { id });
        }
    }

    /// Makes all workers clear what they have learned.
    pub fn forget(&mut self) {
        for number in 0..self.members.len() {
            self.send(number, &ToWorker::Forget);
        }
    }

    fn send(&mut self, number: usize, message: &ToWorker) {
        self.totals().add_messages(1);
        // A worker that cannot be reached is dropped when it is waited for.
        let _ = self.members[number].send(message);
    }

    /// The number of workers that work on something.
    pub fn busy(&self) -> usize {
        self.members.iter().filter(|member| member.is_busy()).count()
    }

    /// Waits at most `wait` for something to happen.
    pub fn events(&mut self, wait: Duration) -> VecDeque<Event> {
        let begin = Instant::now();
        let mut events = VecDeque::new();
        loop {
            for number in 0..self.members.len() {
                self.take_messages(number, Duration::ZERO, &mut events);
            }
            if !events.is_empty() || begin.elapsed() >= wait {
                return events;
            }
            // With one busy worker its answer ends the wait at once.
            match self.members.iter().position(Member::is_busy) {
                Some(number) => self.take_messages(number, TURN, &mut events),
                None => thread::sleep(TURN),
            }
        }
    }

    /// Takes all messages of a worker, and drops it at a fault.
    fn take_messages(&mut self, number: usize, wait: Duration, events: &mut VecDeque<Event>) {
        let mut wait = wait;
        loop {
            let taken = self.members[number].receive(wait).and_then(|message| match message {
                Some(message) => self.read(number, message, events).map(|()| true),
                None => self.members[number].check(self.settings.timeout).map(|()| false),
            });
            match taken {
                Ok(true) => wait = Duration::ZERO,
                Ok(false) => return,
                Err(fault) => {
                    self.drop_member(number, &fault, events);
                    return;
                }
            }
        }
    }

    fn read(&mut self, number: usize, message: ToMaster, events: &mut VecDeque<Event>) -> Result<(), Fault> {
        self.totals().add_messages(1);
        let next_id = NEXT_ID.load(Relaxed);
        let known = |id: u64| {
            let unknown = || Fault::Protocol(format!("it answered message {id}, which was not sent"));
            if id < next_id { Ok(()) } else { Err(unknown()) }
        };
        match message {
            ToMaster::Hello(greeting) => {
                self.members[number].greeted(&greeting)?;
                self.open_game(number);
            }
            ToMaster::Opened { id, fingerprint } => {
                known(id)?;
                if self.members[number].finished(id) {
                    self.check_rules(number, &fingerprint)?;
                }
            }
            ToMaster::Alive { id } => known(id)?,
            ToMaster::Report { id, report } => {
                known(id)?;
                if self.members[number].is_busy_with(id) {
                    events.push_back(Event::Report { member: number, id, report });
                }
            }
            ToMaster::Done { id, report } => {
                known(id)?;
                self.finish(number, id, Event::Done { member: number, id, report }, events);
            }
            ToMaster::Replies { id, replies } => {
                known(id)?;
                self.finish(number, id, Event::Replies { id, replies }, events);
            }
            ToMaster::Failed { id, reason } => {
                known(id)?;
                return Err(Fault::Unable(reason));
            }
        }
        Ok(())
    }

    /// Passes an answer on. A second answer to a message is left out.
    fn finish(&mut self, number: usize, id: u64, event: Event, events: &mut VecDeque<Event>) {
        if self.members[number].finished(id) {
            events.push_back(event);
            self.open_game(number);
        } else {
            self.totals().add_duplicate();
        }
    }

    fn check_rules(&mut self, number: usize, print: &str) -> Result<(), Fault> {
        let Some((game, own)) = &self.game else { return Ok(()) };
        if print == own {
            self.members[number].learn(game);
            return Ok(());
        }
        let reason = format!("it is refused: its rules of {game} differ (fingerprint {print}, here {own})");
        self.members[number].refuse();
        Err(Fault::Unable(reason))
    }

    /// Drops a worker that sent what it cannot mean.
    pub fn drop_for_nonsense(&mut self, number: usize, reason: &str, events: &mut VecDeque<Event>) {
        self.drop_member(number, &Fault::Protocol(format!("it sent {reason}")), events);
    }

    fn drop_member(&mut self, number: usize, fault: &Fault, events: &mut VecDeque<Event>) {
        self.lose(number, fault);
        events.push_back(Event::Lost { member: number });
        if let Err(fault) = self.members[number].start(&self.settings.children) {
            self.lose(number, &fault);
        }
    }

    /// Ends the process of a worker. An unresponsive one takes a second, which must not hold up the
    /// others.
    fn lose(&mut self, number: usize, fault: &Fault) {
        let process = self.members[number].drop_process();
        self.totals().add_lost();
        let last = if self.members[number].is_given_up() { "; it is not started again" } else { "" };
        (self.settings.notice)(&format!("{} dropped: {fault}{last}", self.members[number].name()));
        if let Some(process) = process {
            self.ending.retain(|thread| !thread.is_finished());
            self.ending.push(thread::spawn(move || drop(process)));
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        // All processes end side by side.
        self.members.iter_mut().filter_map(Member::drop_process).for_each(|process| {
            self.ending.push(thread::spawn(move || drop(process)));
        });
        for thread in self.ending.drain(..) {
            let _ = thread.join();
        }
    }
}
