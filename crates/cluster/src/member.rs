//! One worker as the master sees it: its process, its state and its faults.

use crate::carrier::{Carrier, Starter};
use crate::message::{Greeting, ToMaster, ToWorker, line};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_catalog::Fault;
use tesuji_gtp::Children;

/// A worker that fails this often in a row without finishing anything is not started again. Raising
/// it survives more kills, and tries longer at a position that crashes every worker.
const MOST_FAILURES: u32 = 20;
/// A failure before the answer to the greeting counts this much: the command is probably wrong.
const START_FAILURE: u32 = 4;

/// What a worker is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It was started and has not answered the greeting.
    Greeting,
    /// It waits for work.
    Idle,
    /// It works on the message with this number.
    Busy {
        id: u64,
        /// When it has to be done.
        deadline: Option<Instant>,
    },
}

/// A worker. It is started when it is first needed, and again after a fault.
pub struct Member {
    number: usize,
    starter: Arc<dyn Starter>,
    process: Option<Box<dyn Carrier>>,
    state: State,
    /// The game whose rules it has shown to share.
    game: Option<String>,
    last_heard: Instant,
    failures: u32,
}

impl Member {
    /// Returns a worker that is not started.
    pub fn new(number: usize, starter: Arc<dyn Starter>) -> Member {
        let last_heard = Instant::now();
        Member { number, starter, process: None, state: State::Greeting, game: None, last_heard, failures: 0 }
    }

    /// The name in notices.
    pub fn name(&self) -> String {
        format!("worker {} ({})", self.number + 1, self.starter.name())
    }

    /// Whether it will not be started again.
    pub fn is_given_up(&self) -> bool {
        self.process.is_none() && self.failures >= MOST_FAILURES
    }

    /// Starts it if it does not run, and greets it.
    pub fn start(&mut self, children: &Children) -> Result<(), Fault> {
        if self.process.is_some() || self.failures >= MOST_FAILURES {
            return Ok(());
        }
        let mut process = self.starter.start(children)?;
        process.send(&line(&ToWorker::Hello(Greeting::own())))?;
        (self.process, self.state, self.game) = (Some(process), State::Greeting, None);
        self.last_heard = Instant::now();
        Ok(())
    }

    /// Whether it waits for work.
    pub fn is_idle(&self) -> bool {
        self.process.is_some() && self.state == State::Idle
    }

    /// Whether it was started and not dropped since.
    pub fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Whether it works on the message with a number.
    pub fn is_busy_with(&self, wanted: u64) -> bool {
        self.process.is_some() && matches!(self.state, State::Busy { id, .. } if id == wanted)
    }

    /// Whether it works on something.
    pub fn is_busy(&self) -> bool {
        self.process.is_some() && matches!(self.state, State::Busy { .. })
    }

    /// Whether it has shown to share the rules of a game.
    pub fn knows(&self, game: &str) -> bool {
        self.game.as_deref() == Some(game)
    }

    /// Records that it shares the rules of a game.
    pub fn learn(&mut self, game: &str) {
        self.game = Some(game.to_string());
    }

    /// Sends a message that starts work.
    pub fn assign(&mut self, id: u64, message: &ToWorker, deadline: Option<Instant>) -> Result<(), Fault> {
        (self.state, self.last_heard) = (State::Busy { id, deadline }, Instant::now());
        self.send(message)
    }

    /// Sends a message that needs no answer.
    pub fn send(&mut self, message: &ToWorker) -> Result<(), Fault> {
        match &mut self.process {
            Some(process) => process.send(&line(message)),
            None => Ok(()),
        }
    }

    /// Returns its next message; `None` if none comes within `wait`.
    pub fn receive(&mut self, wait: Duration) -> Result<Option<ToMaster>, Fault> {
        let Some(process) = &mut self.process else { return Ok(None) };
        let text = match process.receive(wait) {
            Ok(text) => text,
            Err(Fault::Silent(_)) => return Ok(None),
            Err(fault) => return Err(fault),
        };
        self.last_heard = Instant::now();
        let shown = || text.chars().take(60).collect::<String>();
        let message = serde_json::from_str(&text);
        message.map(Some).map_err(|error| Fault::Protocol(format!("it sent {:?}: {error}", shown())))
    }

    /// Reads its greeting.
    pub fn greeted(&mut self, greeting: &Greeting) -> Result<(), Fault> {
        greeting.check().map_err(|reason| {
            // Another attempt would not help.
            self.failures = MOST_FAILURES;
            Fault::Unable(format!("it is refused: {reason}"))
        })?;
        if self.state == State::Greeting {
            self.state = State::Idle;
        }
        Ok(())
    }

    /// Refuses it for good.
    pub fn refuse(&mut self) {
        self.failures = MOST_FAILURES;
    }

    /// Records that the work on a message is done.
    pub fn finished(&mut self, id: u64) -> bool {
        let was_busy = self.is_busy_with(id);
        if was_busy {
            (self.state, self.failures) = (State::Idle, 0);
        }
        was_busy
    }

    /// Checks that it is neither silent for longer than `timeout` nor past its deadline by more.
    pub fn check(&self, timeout: Duration) -> Result<(), Fault> {
        if self.process.is_none() || self.state == State::Idle {
            return Ok(());
        }
        if self.last_heard.elapsed() > timeout {
            return Err(Fault::Silent(format!("it sent nothing for {:.1} s", timeout.as_secs_f64())));
        }
        match self.state {
            State::Busy { deadline: Some(deadline), .. } if deadline.elapsed() > timeout => {
                Err(Fault::Overrun(format!("it was not done {:.1} s after its deadline", timeout.as_secs_f64())))
            }
            _ => Ok(()),
        }
    }

    /// Takes the process of a worker that is dropped, to end it.
    pub fn drop_process(&mut self) -> Option<Box<dyn Carrier>> {
        let has_greeted = self.process.is_some() && self.state != State::Greeting;
        self.failures += if has_greeted { 1 } else { START_FAILURE };
        self.process.take()
    }
}
