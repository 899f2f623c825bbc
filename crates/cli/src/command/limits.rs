//! The limits that every command with a search takes.

use clap::Args;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_catalog::{Engine, SearchResult, SearchSettings, Session, Turn, parse_bytes, parse_time};
use tesuji_core::Report;

/// What a search may use.
#[derive(Args, Clone)]
pub struct Limits {
    /// The longest time, such as 5s, 300ms or 2m
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    /// The most playouts (simulations); a search that makes none counts nodes instead
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// The most nodes: positions made and tested for their end
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The most memory for trees and tables, such as 512M or 2G
    #[arg(long, value_parser = parse_bytes)]
    memory: Option<usize>,
    /// The seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads, for searches that can use them
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// The limits as programs read them.
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
    /// The same with the memory that a search had in fact.
    pub fn with_memory(self, memory_bytes: usize) -> Given {
        Given { memory_bytes, ..self }
    }
}

/// How often the live line is written anew.
pub const LIVE: Duration = Duration::from_millis(100);

/// A line that shows how something is getting on; hidden where nobody looks.
pub fn live_line(begin: String) -> anyhow::Result<ProgressBar> {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {elapsed:>3}  {wide_msg}")?);
    bar.set_message(begin);
    bar.enable_steady_tick(LIVE);
    Ok(bar)
}

/// A bar that shows how much is done of what can be counted. `shown` is a template, in which `{left}` stands for the time that is left.
pub fn counting_bar(all: u64, shown: &str) -> anyhow::Result<ProgressBar> {
    // Before something is done nobody knows, and nothing would be a promise.
    let left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let eta = state.eta();
        let told = if eta.is_zero() { "? left".to_string() } else { format!("{:#} left", HumanDuration(eta)) };
        // A line that cannot be shown is missed by nobody.
        let _ = text.write_str(&told);
    };
    let bar = ProgressBar::new(all);
    bar.set_style(ProgressStyle::with_template(shown)?.with_key("left", left));
    bar.enable_steady_tick(Duration::from_millis(200));
    Ok(bar)
}

impl Limits {
    /// Seed, threads and limits for work that nothing else ends.
    pub fn endless(&self) -> (u64, usize, tesuji_core::Limits) {
        (self.seed, usize::from(self.threads), self.or_time(None))
    }

    /// The same; if nothing would ever end a search, so many nodes do.
    pub fn or_nodes(self, nodes: u64) -> Limits {
        let endless = self.time.is_none() && self.playouts.is_none() && self.nodes.is_none();
        Limits { nodes: if endless { Some(nodes) } else { self.nodes }, ..self }
    }

    /// The limits; if none of them would ever end a search, `time` does, if it is given.
    fn or_time(&self, time: Option<Duration>) -> tesuji_core::Limits {
        let endless = self.time.is_none() && self.playouts.is_none() && self.nodes.is_none();
        tesuji_core::Limits {
            time: if endless { time } else { self.time },
            playouts: self.playouts,
            nodes: self.nodes,
            memory: self.memory,
        }
    }

    /// What is in force, for programs.
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

    /// A turn under these limits, at most for `time` if nothing else was said.
    pub fn turn<'a>(&self, time: Duration, stop: &'a AtomicBool) -> Turn<'a> {
        let (limits, threads) = (self.or_time(Some(time)), usize::from(self.threads));
        Turn { limits, clock: None, seed: self.seed, threads, stop }
    }

    /// Lets a player think, at most for `time` if nothing else was said; on a terminal a line shows how it is getting on,
    /// written by `live`.
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
