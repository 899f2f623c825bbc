//! Search limits, shared by several commands, and progress lines.

use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_catalog::{Engine, SearchResult, SearchSettings, Session, Turn, parse_bytes, parse_time};
use tesuji_core::Report;

/// The limits of a search.
#[derive(Args, Clone)]
pub struct Limits {
    /// Time limit, for example 5s, 300ms or 2m
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    /// Playout limit; counts nodes in searches without playouts
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Node limit
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Memory limit for trees and tables, for example 512M or 2G
    #[arg(long, value_parser = parse_bytes)]
    memory: Option<usize>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads, for searches that can use them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
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

/// The interval between updates of the progress line.
pub const LIVE: Duration = Duration::from_millis(100);

/// Returns a progress line with a spinner; hidden if standard error is not a terminal.
pub fn live_line(begin: String) -> anyhow::Result<ProgressBar> {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {elapsed:>3}  {wide_msg}")?);
    bar.set_message(begin);
    bar.enable_steady_tick(LIVE);
    Ok(bar)
}

/// Returns a progress bar. In the template, `{left}` is the estimated time left.
pub fn counting_bar(all: u64, shown: &str) -> anyhow::Result<ProgressBar> {
    // There is no estimate before the first step.
    let left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let eta = state.eta();
        let shown = if eta.is_zero() { "? left".to_string() } else { format!("{:#} left", HumanDuration(eta)) };
        let _ = text.write_str(&shown);
    };
    let bar = ProgressBar::new(all);
    bar.set_style(ProgressStyle::with_template(shown)?.with_key("left", left));
    bar.enable_steady_tick(Duration::from_millis(200));
    Ok(bar)
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

    /// Searches a position, with `time` as the default time limit. On a terminal, `live` formats a
    /// progress line.
    pub fn think(
        &self,
        engine: &mut Engine,
        game: &dyn Session,
        time: Duration,
        stop: &AtomicBool,
        live: impl Fn(&Report<String>) -> String + Sync,
    ) -> anyhow::Result<SearchResult> {
        let bar = live_line(format!("{} is thinking", engine.name()))?;
        let observer: tesuji_core::Observer<'_, String> =
            Box::new(|inspector| bar.set_message(live(&inspector.report())));
        let settings = SearchSettings {
            limits: self.or_time(Some(time)),
            seed: self.seed,
            threads: usize::from(self.threads),
            stop,
            observer: (!bar.is_hidden()).then_some((LIVE, observer)),
        };
        let result = engine.think(game, settings);
        bar.finish_and_clear();
        Ok(result)
    }
}
