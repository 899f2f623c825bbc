//! Tesuji beyond one machine: workers in other processes search and solve together.
//!
//! A worker is `tesuji worker`, started by a command line (`ssh host1 tesuji worker`). It takes
//! [messages](message) on standard input and answers on standard output. The master sends it
//! positions with limits, never entries of tables. [`register`] makes `cluster:[SPEC]` a search and
//! a solver like any other; see docs/cluster.md.

mod carrier;
mod fingerprint;
mod job;
mod member;
pub mod message;
mod proving;
pub mod report;
mod searching;
mod settings;
mod spec;
mod team;
mod tree;
mod worker;

pub use carrier::{Carrier, Process, Starter};
pub use settings::{Settings, Totals};
pub use spec::NAME;
pub use worker::{WorkerError, serve};

use std::sync::Arc;
use tesuji_catalog::register_crews;

/// Makes `cluster` specs run on these workers, in the whole program.
pub fn register(settings: Settings) {
    register_crews(Box::new(spec::Clusters(Arc::new(settings))));
}
