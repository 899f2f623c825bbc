//! Times random playouts and tree searches of other Rust programs from the start position, for
//! `cargo xtask peers`.
//!
//! Prints one JSON line per game and peer, with the fields of `xtask/peers/speed.py`: the rate per
//! second (the median of the rounds), every round, the mean number of plies, and how the peer's
//! work differs from Tesuji's.

mod bare;
mod crates;
mod searches;

use clap::Parser;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::json;
use std::time::{Duration, Instant};

/// Times random playouts and tree searches of other Rust programs.
#[derive(Parser)]
struct Args {
    /// Games [default: all]
    games: Vec<String>,
    /// Measure only this peer
    #[arg(long)]
    peer: Option<String>,
    /// Rounds per game
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Length of a round of playouts, in seconds
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Run tree searches with this number of simulations instead of playouts
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    simulations: Option<u64>,
    /// Seed of the playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A game of a peer.
struct Peer {
    /// The game as a Tesuji spec.
    game: &'static str,
    name: &'static str,
    /// How its work differs from Tesuji's; empty if it does not.
    note: &'static str,
    work: Work,
}

/// The work that is timed. Every peer has its own loop behind the pointer, so the call is free.
enum Work {
    /// Playouts for a duration.
    Playouts(fn(Duration, &mut SmallRng) -> Round),
    /// A search with a number of simulations and a seed.
    Search(fn(u64, u64) -> Round),
}

/// The work done in a round.
struct Round {
    /// Playouts without a tree, or simulations.
    done: u64,
    /// Random games played; a simulation that reaches a terminal node plays none.
    playouts: u64,
    /// Plies of these games; `None` on Tesuji's own board, where they are Tesuji's own games.
    plies: Option<u64>,
    seconds: f64,
}

/// Repeats `playout`, which returns its number of plies, for a duration. The clock is read only
/// after batches, so that it does not affect the measurement.
fn playouts(time: Duration, mut playout: impl FnMut() -> u32) -> Round {
    let begin = Instant::now();
    let (mut playouts, mut plies, mut batch) = (0, 0, 1u64);
    loop {
        for _ in 0..batch {
            plies += u64::from(playout());
        }
        playouts += batch;
        let spent = begin.elapsed();
        if spent >= time {
            return Round { done: playouts, playouts, plies: Some(plies), seconds: spent.as_secs_f64() };
        }
        if spent < time / 20 {
            batch *= 2;
        }
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let time = Duration::try_from_secs_f64(args.seconds)?;
    let wanted = |peer: &&Peer| {
        (args.games.is_empty() || args.games.iter().any(|game| game == peer.game))
            && args.peer.as_deref().is_none_or(|name| name == peer.name)
            && args.simulations.is_some() == matches!(peer.work, Work::Search(_))
    };
    let all: Vec<Peer> = bare::PEERS.into_iter().chain(crates::PEERS).chain(searches::PEERS).collect();
    let mut found = false;
    for peer in all.iter().filter(wanted) {
        found = true;
        let seeds = (0..u64::from(args.rounds)).map(|round| args.seed.wrapping_add(round));
        let rounds: Vec<Round> = seeds
            .map(|seed| match peer.work {
                Work::Playouts(play) => play(time, &mut SmallRng::seed_from_u64(seed)),
                Work::Search(search) => search(args.simulations.expect("asked for"), seed),
            })
            .collect();
        let rates: Vec<f64> = rounds.iter().map(|round| round.done as f64 / round.seconds).collect();
        let done: u64 = rounds.iter().map(|round| round.done).sum();
        let playouts: u64 = rounds.iter().map(|round| round.playouts).sum();
        let plies: Option<u64> = rounds.iter().map(|round| round.plies).sum();
        let line = json!({
            "game": peer.game,
            "peer": peer.name,
            "per_second": median(&rates),
            "rounds": rates,
            "playouts": playouts as f64 / done as f64,
            "plies": plies.map(|plies| plies as f64 / playouts as f64),
            "note": peer.note,
        });
        println!("{line}");
    }
    if !found {
        let kind = if args.simulations.is_some() { "search" } else { "playout" };
        let known: Vec<String> = all.iter().map(|peer| format!("{} ({})", peer.game, peer.name)).collect();
        anyhow::bail!("no such peer with a {kind} for this game; available: {}", known.join(", "));
    }
    Ok(())
}
