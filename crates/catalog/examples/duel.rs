//! Two searches against each other, for measuring their strength:
//! `cargo run --release -p tesuji-catalog --example duel -- loa mcts:pn=1 mcts --playouts 1000 --games 100`

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tesuji_arena::interval;
use tesuji_catalog::{Duel, Score, duel, parse_bytes, parse_time};
use tesuji_core::Limits;

/// Plays two searches against each other and prints the score of the first.
#[derive(Parser)]
#[command(group(clap::ArgGroup::new("limit").args(["time", "playouts", "nodes"]).required(true).multiple(true)))]
struct Args {
    /// The game
    game: String,
    /// The player whose score is printed
    first: String,
    /// Its opponent
    second: String,
    /// Games, in pairs with the same opening and the seats changed
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Time for each move
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    /// Playouts for each move
    #[arg(long)]
    playouts: Option<u64>,
    /// Nodes for each move
    #[arg(long)]
    nodes: Option<u64>,
    /// Memory for each search
    #[arg(long, value_parser = parse_bytes, default_value = "256M")]
    memory: usize,
    /// Random moves at the beginning of each game
    #[arg(long, default_value_t = 2)]
    opening: u32,
    /// The seed of openings and searches
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
}

fn line(plan: &Duel, score: &Score) -> String {
    let total = score.total;
    let (low, high) = interval(&total);
    let per_move = |player: usize, sum: u64| sum as f64 / score.spent[player].moves.max(1) as f64;
    let playouts = |player: usize| per_move(player, score.spent[player].playouts);
    let millis = |player: usize| 1000.0 * score.spent[player].seconds / score.spent[player].moves.max(1) as f64;
    format!(
        "{} {} - {}: {:.1}% [{:.1}, {:.1}] of {} games (+{} ={} -{}; moving first {:.1}%, second {:.1}%), \
         {:.1} plies, {:.0} and {:.0} simulations, {:.1} and {:.1} ms a move",
        plan.game,
        plan.players[0],
        plan.players[1],
        100.0 * total.share(),
        100.0 * low,
        100.0 * high,
        total.games(),
        total.wins,
        total.draws,
        total.losses,
        100.0 * score.by_seat[0].share(),
        100.0 * score.by_seat[1].share(),
        score.plies as f64 / total.games().max(1) as f64,
        playouts(0),
        playouts(1),
        millis(0),
        millis(1),
    )
}

/// Raised by Ctrl-C: what was played until then is printed.
static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: Args) -> Result<(), Box<dyn std::error::Error>> {
    let plan = Duel {
        game: args.game,
        players: [args.first, args.second],
        limits: Limits { time: args.time, playouts: args.playouts, nodes: args.nodes, memory: Some(args.memory) },
        games: args.games,
        opening: args.opening,
        seed: args.seed,
        threads: args.threads,
    };
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))?;
    let bar = ProgressBar::new(plan.games);
    bar.set_style(ProgressStyle::with_template("{pos}/{len} games, {msg}, {eta} left")?);
    let score = duel(&plan, &STOP, &|score| {
        bar.set_position(score.total.games());
        bar.set_message(format!("{:.1}%", 100.0 * score.total.share()));
    })?;
    bar.finish_and_clear();
    println!("{}", line(&plan, &score));
    Ok(())
}
