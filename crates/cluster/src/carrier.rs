//! What carries messages between a master and one of its workers.

use crate::message::LONGEST;
use std::time::Duration;
use tesuji_catalog::Fault;
use tesuji_gtp::{Child, Children};

/// A connection to a worker. Dropping it ends the worker.
pub trait Carrier: Send {
    /// Sends a line.
    fn send(&mut self, line: &str) -> Result<(), Fault>;

    /// Returns the next line; [`Fault::Silent`] if none comes within `wait`.
    fn receive(&mut self, wait: Duration) -> Result<String, Fault>;
}

impl Carrier for Child {
    fn send(&mut self, line: &str) -> Result<(), Fault> {
        Child::send(self, line)
    }

    fn receive(&mut self, wait: Duration) -> Result<String, Fault> {
        Child::receive(self, wait)
    }
}

/// How a worker is started.
pub trait Starter: Send + Sync {
    /// The name in notices.
    fn name(&self) -> String;

    /// Starts the worker. A process is registered in `children`.
    fn start(&self, children: &Children) -> Result<Box<dyn Carrier>, Fault>;
}

/// A worker process, started by a command line.
pub struct Process(pub String);

impl Starter for Process {
    fn name(&self) -> String {
        self.0.clone()
    }

    fn start(&self, children: &Children) -> Result<Box<dyn Carrier>, Fault> {
        Ok(Box::new(Child::start_with(&self.0, children, LONGEST)?))
    }
}
