//! Lines that come in while the engine thinks.

use crate::lines::{self, Heard};
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What GoGui sends to interrupt a command, if the engine says by `gogui-interrupt` that it can be.
const INTERRUPT: &str = "# interrupt";

/// The lines that were read and not yet taken. Its reader fills it from a thread of its own.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
    /// Raised to make a search answer at once.
    stop: AtomicBool,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Item>,
    ended: bool,
    /// Whether the command that was taken last has been interrupted.
    interrupted: bool,
    /// Whether any line stops the search that runs.
    any_line_stops: bool,
}

/// What waits.
enum Item {
    Heard(Heard),
    /// The command before is to be interrupted.
    Interrupt,
}

impl State {
    fn has_news(&self) -> bool {
        !self.waiting.is_empty() || self.ended || self.interrupted
    }
}

impl Inbox {
    /// Reads lines until there are no more.
    pub fn fill(&self, mut input: impl BufRead) {
        while let Some(heard) = lines::next(&mut input) {
            let interrupts = matches!(&heard, Heard::Line(line) if line.trim() == INTERRUPT);
            self.change(|state| match state.waiting.is_empty() {
                true if interrupts => state.interrupted = true,
                false if interrupts => state.waiting.push_back(Item::Interrupt),
                _ => state.waiting.push_back(Item::Heard(heard)),
            });
        }
        self.change(|state| state.ended = true);
    }

    /// The next line; waits for it. `None` when there will be no more.
    pub fn take(&self) -> Option<Heard> {
        let mut state = self.lock();
        (state.any_line_stops, state.interrupted) = (false, false);
        let heard = loop {
            state = self.wait(state, |state| !state.waiting.is_empty() || state.ended);
            match state.waiting.pop_front() {
                Some(Item::Heard(heard)) => break heard,
                // Nothing runs that it could be meant for.
                Some(Item::Interrupt) => {}
                None => return None,
            }
        };
        state.interrupted = matches!(state.waiting.front(), Some(Item::Interrupt));
        self.stop.store(state.interrupted, Relaxed);
        Some(heard)
    }

    /// Waits until there is something to take, or the command is interrupted.
    pub fn wait_for_news(&self) {
        drop(self.wait(self.lock(), State::has_news));
    }

    /// The flag for a search that only an interruption stops.
    pub fn interruption(&self) -> &AtomicBool {
        &self.stop
    }

    /// The flag for a search that the next line stops.
    pub fn any_line(&self) -> &AtomicBool {
        self.change(|state| state.any_line_stops = true);
        &self.stop
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        if state.interrupted || state.any_line_stops && state.has_news() {
            self.stop.store(true, Relaxed);
        }
        self.changed.notify_all();
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, ready: impl Fn(&State) -> bool) -> MutexGuard<'a, State> {
        self.changed.wait_while(state, |state| !ready(state)).unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
