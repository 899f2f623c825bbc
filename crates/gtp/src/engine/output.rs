//! The output of an engine, shared with the running search.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A shared output. The first error is kept until [`Output::failure`] returns it.
#[derive(Clone)]
pub struct Output(Arc<Mutex<State>>);

struct State {
    writer: Box<dyn Write + Send>,
    failure: Option<io::Error>,
}

impl Output {
    pub fn new(writer: Box<dyn Write + Send>) -> Output {
        Output(Arc::new(Mutex::new(State { writer, failure: None })))
    }

    /// Writes a text and flushes it.
    pub fn write(&self, text: &str) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let done = state.writer.write_all(text.as_bytes()).and_then(|()| state.writer.flush());
        if let (None, Err(error)) = (&state.failure, done) {
            state.failure = Some(error);
        }
    }

    /// Returns the first error since the last call.
    pub fn failure(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).failure.take()
    }
}
