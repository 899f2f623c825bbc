//! The workers of a program, and what is counted about them.

use crate::carrier::Starter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tesuji_gtp::Children;

/// The workers of a program.
pub struct Settings {
    /// How to start each worker.
    pub workers: Vec<Arc<dyn Starter>>,
    /// The silence after which a worker is dropped, and how far it may be past its deadline.
    pub timeout: Duration,
    /// The registry of the processes.
    pub children: Children,
    /// Called with a sentence when a worker is dropped.
    pub notice: Box<dyn Fn(&str) + Send + Sync>,
    /// What is counted.
    pub totals: Arc<Totals>,
}

/// Counts of messages and faults, over all searches and questions of a program.
#[derive(Default, Debug)]
pub struct Totals {
    messages: AtomicU64,
    jobs: AtomicU64,
    lost: AtomicU64,
    late: AtomicU64,
    duplicates: AtomicU64,
}

impl Totals {
    pub(crate) fn add_messages(&self, count: u64) {
        self.messages.fetch_add(count, Relaxed);
    }

    pub(crate) fn add_job(&self) {
        self.jobs.fetch_add(1, Relaxed);
    }

    pub(crate) fn add_lost(&self) {
        self.lost.fetch_add(1, Relaxed);
    }

    pub(crate) fn add_late(&self) {
        self.late.fetch_add(1, Relaxed);
    }

    pub(crate) fn add_duplicate(&self) {
        self.duplicates.fetch_add(1, Relaxed);
    }

    /// Messages sent and received.
    pub fn messages(&self) -> u64 {
        self.messages.load(Relaxed)
    }

    /// Searches and jobs handed out.
    pub fn jobs(&self) -> u64 {
        self.jobs.load(Relaxed)
    }

    /// Workers dropped.
    pub fn lost(&self) -> u64 {
        self.lost.load(Relaxed)
    }

    /// Searches whose worker did not answer in time and was left out.
    pub fn late(&self) -> u64 {
        self.late.load(Relaxed)
    }

    /// Answers that were left out because their message had been answered.
    pub fn duplicates(&self) -> u64 {
        self.duplicates.load(Relaxed)
    }
}
