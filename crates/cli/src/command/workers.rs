//! The workers of `cluster` specs, shared by several commands.
//!
//! Their command lines come from the command line of this program and from nowhere else.

use crate::command::ranges::time;
use crate::output;
use anyhow::{Context, ensure};
use clap::Args;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tesuji_cluster::{Process, Settings, Starter, Totals};
use tesuji_gtp::Children;

/// The most local workers.
const MOST: usize = 1024;

/// The workers of a cluster.
#[derive(Args, Clone)]
pub struct Workers {
    /// Workers of a cluster search: a number of local processes, or a command line such as "ssh
    /// HOST tesuji worker"; may be repeated
    #[arg(long, value_name = "N|COMMAND")]
    workers: Vec<String>,
    /// Drop a worker that is silent, or past its deadline, for this time
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = time, requires = "workers")]
    worker_timeout: Duration,
}

/// What the workers did, for output.
#[derive(Serialize)]
pub struct Work {
    workers: usize,
    jobs: u64,
    messages: u64,
    dropped: u64,
    late: u64,
}

/// The workers of a command that has registered them.
pub struct Registered {
    workers: usize,
    totals: Arc<Totals>,
}

impl Workers {
    /// Makes `cluster` specs run on the workers. Their processes are in `children`.
    pub fn register(&self, children: &Children) -> anyhow::Result<Registered> {
        let process = |command: String| Arc::new(Process(command)) as Arc<dyn Starter>;
        let workers: Vec<Arc<dyn Starter>> = self.commands()?.into_iter().map(process).collect();
        let registered = Registered { workers: workers.len(), totals: Arc::default() };
        tesuji_cluster::register(Settings {
            workers,
            timeout: self.worker_timeout,
            children: children.clone(),
            notice: Box::new(|sentence| eprintln!("{sentence}")),
            totals: Arc::clone(&registered.totals),
        });
        Ok(registered)
    }

    /// Returns the command line of each worker.
    fn commands(&self) -> anyhow::Result<Vec<String>> {
        let mut commands = Vec::new();
        for entry in &self.workers {
            let Ok(count) = entry.parse::<usize>() else {
                commands.push(entry.clone());
                continue;
            };
            ensure!((1..=MOST).contains(&count), "--workers {count}: expected 1 to {MOST}, or a command line");
            let program = std::env::current_exe().context("the path of this program is unknown")?;
            let program = program.to_str().context("the path of this program is not valid Unicode")?;
            let command = format!("'{}' worker", program.replace('\'', "'\\''"));
            commands.extend(std::iter::repeat_n(command, count));
        }
        Ok(commands)
    }
}

impl Registered {
    /// Returns what the workers did; `None` if there are none.
    pub fn work(&self) -> Option<Work> {
        let totals = &self.totals;
        (self.workers > 0).then(|| Work {
            workers: self.workers,
            jobs: totals.jobs(),
            messages: totals.messages(),
            dropped: totals.lost(),
            late: totals.late(),
        })
    }
}

impl Work {
    /// Describes the work in one line.
    pub fn describe(&self) -> String {
        let mut parts = vec![
            output::count(self.workers as u64, "worker"),
            output::count(self.jobs, "job"),
            output::count(self.messages, "message"),
        ];
        for (count, what) in [(self.dropped, "dropped"), (self.late, "late")] {
            if count > 0 {
                parts.push(format!("{} {what}", output::grouped(count)));
            }
        }
        output::listed(&parts)
    }
}
