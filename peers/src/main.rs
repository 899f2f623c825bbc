//! Random playouts from the start position in other Rust programs, timed: the yardsticks of `cargo xtask peers`.
//!
//! Prints one JSON line per game and peer, in the words of `xtask/peers/rollouts.py`: playouts a second (the median of the
//! rounds), every round, the mean number of plies, and what the peer does otherwise than Tesuji.

mod bare;
mod crates;

use clap::Parser;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::json;
use std::time::{Duration, Instant};

/// Times random playouts of other Rust programs.
#[derive(Parser)]
struct Args {
    /// The games; all of them if none is named
    games: Vec<String>,
    /// Only this peer
    #[arg(long)]
    peer: Option<String>,
    /// Rounds per game
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// The length of a round
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// The seed of the playouts
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A game of a peer.
struct Peer {
    /// The game as Tesuji writes it.
    game: &'static str,
    name: &'static str,
    /// What it does otherwise; empty if nothing.
    note: &'static str,
    /// Plays for a time. Every peer has its own loop behind this, so that the call costs nothing.
    run: fn(Duration, &mut SmallRng) -> Round,
}

/// What was done in a time.
struct Round {
    playouts: u64,
    plies: u64,
    seconds: f64,
}

/// Plays again and again for a time. `playout` gives its number of plies. The clock is read after batches only, to stay
/// out of the measure.
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
            return Round { playouts, plies, seconds: spent.as_secs_f64() };
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
    };
    let all: Vec<Peer> = bare::PEERS.into_iter().chain(crates::PEERS).collect();
    let mut found = false;
    for peer in all.iter().filter(wanted) {
        found = true;
        let rounds: Vec<Round> = (0..u64::from(args.rounds))
            .map(|round| (peer.run)(time, &mut SmallRng::seed_from_u64(args.seed.wrapping_add(round))))
            .collect();
        let rates: Vec<f64> = rounds.iter().map(|round| round.playouts as f64 / round.seconds).collect();
        let plies: u64 = rounds.iter().map(|round| round.plies).sum();
        let playouts: u64 = rounds.iter().map(|round| round.playouts).sum();
        let line = json!({
            "game": peer.game,
            "peer": peer.name,
            "rollouts_per_second": median(&rates),
            "rounds": rates,
            "plies": plies as f64 / playouts as f64,
            "note": peer.note,
        });
        println!("{line}");
    }
    if !found {
        let known: Vec<String> = all.iter().map(|peer| format!("{} ({})", peer.game, peer.name)).collect();
        anyhow::bail!("no peer plays that; there are: {}", known.join(", "));
    }
    Ok(())
}
