//! A queue of input lines that fills while the engine thinks.

use crate::lines::{self, InputLine};
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The comment by which GoGui interrupts a command of an engine that has `gogui-interrupt`.
const INTERRUPT: &str = "# interrupt";

/// The lines that were read and not yet taken. A reader thread fills it.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
    /// Set to stop the running search.
    stop: AtomicBool,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Item>,
    ended: bool,
    /// Whether the last command taken has been interrupted.
    interrupted: bool,
    /// Whether any input stops the running search.
    any_line_stops: bool,
}

/// An entry of the queue.
enum Item {
    Line(InputLine),
    /// An interruption of the command before it.
    Interrupt,
}

impl State {
    fn has_input(&self) -> bool {
        !self.waiting.is_empty() || self.ended || self.interrupted
    }
}

impl Inbox {
    /// Reads lines until the end of the input.
    pub fn fill(&self, mut input: impl BufRead) {
        while let Some(line) = lines::next(&mut input) {
            let interrupts = matches!(&line, InputLine::Text(text) if text.trim() == INTERRUPT);
            self.change(|state| match state.waiting.is_empty() {
                true if interrupts => state.interrupted = true,
                false if interrupts => state.waiting.push_back(Item::Interrupt),
                _ => state.waiting.push_back(Item::Line(line)),
            });
        }
        self.change(|state| state.ended = true);
    }

    /// Waits for the next line and returns it; `None` at the end of the input.
    pub fn take(&self) -> Option<InputLine> {
        let mut state = self.lock();
        (state.any_line_stops, state.interrupted) = (false, false);
        let line = loop {
            state = self.wait(state, |state| !state.waiting.is_empty() || state.ended);
            match state.waiting.pop_front() {
                Some(Item::Line(line)) => break line,
                // The command it interrupts has finished.
                Some(Item::Interrupt) => {}
                None => return None,
            }
        };
        state.interrupted = matches!(state.waiting.front(), Some(Item::Interrupt));
        self.stop.store(state.interrupted, Relaxed);
        Some(line)
    }

    /// Waits until there is input, or the command is interrupted.
    pub fn wait_for_input(&self) {
        drop(self.wait(self.lock(), State::has_input));
    }

    /// Returns the stop flag for a search that only an interruption stops.
    pub fn stop_on_interrupt(&self) -> &AtomicBool {
        &self.stop
    }

    /// Returns the stop flag for a search that any input stops.
    pub fn stop_on_any_line(&self) -> &AtomicBool {
        self.change(|state| state.any_line_stops = true);
        &self.stop
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        if state.interrupted || state.any_line_stops && state.has_input() {
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
