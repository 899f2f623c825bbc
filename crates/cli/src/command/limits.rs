//! Search limits, shared by several commands.

use crate::command::ranges::{count, memory, time, whole};
use crate::progress::{LIVE, live_line};
use clap::Args;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_catalog::{Engine, SearchResult, SearchSettings, Session, Turn};
use tesuji_core::Report;
use tesuji_core::time::Clock;

/// The limits of a search.
#[derive(Args, Clone)]
pub struct Limits {
    /// Time limit, for example 5s, 300ms or 2m
    #[arg(long, value_parser = time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Playout limit; counts nodes in searches without playouts
    #[arg(long, value_parser = count, allow_hyphen_values = true)]
    playouts: Option<u64>,
    /// Node limit
    #[arg(long, value_parser = count, allow_hyphen_values = true)]
    nodes: Option<u64>,
    /// Memory limit for trees and tables, for example 512M or 2G [default: 1G]
    #[arg(long, value_parser = memory, allow_hyphen_values = true)]
    memory: Option<usize>,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX), allow_hyphen_values = true)]
    seed: u64,
    /// Number of threads, for searches that can use them
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=1024), allow_hyphen_values = true)]
    threads: u16,
}

/// The limits in JSON output.
#[derive(Serialize)]
pub struct Given {
    time_seconds: Option<f64>,
    playouts: Option<u64>,
    nodes: Option<u64>,
    memory_bytes: usize,
    seed: u64,
    threads: u16,
}

impl Given {
    /// Replaces the memory limit by the memory that the search used.
    pub fn with_memory(self, memory_bytes: usize) -> Given {
        Given { memory_bytes, ..self }
    }
}

impl Limits {
    /// Returns the seed, the threads and the limits, without a default time limit.
    pub fn endless(&self) -> (u64, usize, tesuji_core::Limits) {
        (self.seed, usize::from(self.threads), self.or_time(None))
    }

    /// Adds a node limit if there is no time, playout or node limit.
    pub fn or_nodes(self, nodes: u64) -> Limits {
        let endless = self.time.is_none() && self.playouts.is_none() && self.nodes.is_none();
        Limits { nodes: if endless { Some(nodes) } else { self.nodes }, ..self }
    }

    /// Returns the limits, with `time` as the default time limit.
    fn or_time(&self, time: Option<Duration>) -> tesuji_core::Limits {
        let endless = self.time.is_none() && self.playouts.is_none() && self.nodes.is_none();
        tesuji_core::Limits {
            time: if endless { time } else { self.time },
            playouts: self.playouts,
            nodes: self.nodes,
            memory: self.memory,
        }
    }

    /// Returns the limits in effect, for JSON output.
    pub fn given(&self, time: Option<Duration>) -> Given {
        let limits = self.or_time(time);
        Given {
            time_seconds: limits.time.map(|time| time.as_secs_f64()),
            playouts: limits.playouts,
            nodes: limits.nodes,
            memory_bytes: limits.memory.unwrap_or(tesuji_core::DEFAULT_MEMORY),
            seed: self.seed,
            threads: self.threads,
        }
    }

    /// Returns a turn under these limits, with `time` as the default time limit.
    pub fn turn<'a>(&self, time: Duration, stop: &'a AtomicBool) -> Turn<'a> {
        let (limits, threads) = (self.or_time(Some(time)), usize::from(self.threads));
        Turn { limits, clock: None, seed: self.seed, threads, stop }
    }

    /// Searches a position, with `time` as the default time limit if there is no clock. On a
    /// terminal, `live` formats a progress line.
    pub fn think(
        &self,
        engine: &mut Engine,
        game: &dyn Session,
        time: Duration,
        clock: Option<Clock>,
        stop: &AtomicBool,
        live: impl Fn(&Report<String>) -> String + Sync,
    ) -> anyhow::Result<SearchResult> {
        let bar = live_line(format!("{} is thinking", engine.name()))?;
        let observer: tesuji_core::Observer<'_, String> =
            Box::new(|inspector| bar.set_message(live(&inspector.report())));
        let settings = SearchSettings {
            limits: self.or_time(clock.is_none().then_some(time)),
            clock,
            seed: self.seed,
            threads: usize::from(self.threads),
            stop,
            observer: (!bar.is_hidden()).then_some((LIVE, observer)),
            owners: false,
        };
        let result = engine.think(game, settings);
        bar.finish_and_clear();
        Ok(result)
    }
}
