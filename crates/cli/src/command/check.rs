//! `tesuji check`: the laws of the game interface on a game, or of the search interface on a
//! search.

use crate::command::ranges::positive;
use crate::{output, stop};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::process::ExitCode;
use tesuji_testkit::battery::{self, Effort};
use tesuji_testkit::{playthrough, search_battery};

/// Arguments of `tesuji check`.
#[derive(ClapArgs)]
#[command(after_help = "Exit code 0: all laws hold; 1: a law is violated.\n\nExamples:\n  tesuji check hex:7\n  \
                        tesuji check rolit:6,players=3 --games 100 --quiet\n  tesuji check othello:4 --player minimax")]
pub struct Args {
    /// The game
    game: String,
    /// Check this search on positions of the game, instead of the game itself
    #[arg(long, value_name = "SEARCH")]
    player: Option<String>,
    /// Random games to check [default: 20]; with --player, to take positions from [default: 4]
    #[arg(long, value_parser = positive, allow_hyphen_values = true)]
    games: Option<u32>,
    /// Playouts per sample of the distribution tests [default: 4000]; with --player, per search
    /// [default: 500]
    #[arg(long, value_parser = positive, allow_hyphen_values = true)]
    playouts: Option<u32>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Do not print a random game
    #[arg(long)]
    quiet: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    battery: battery::Report,
    passed: bool,
    perft: Vec<u64>,
    playthrough: String,
}

/// Perft is printed up to this number of leaves.
const SHOWN_LEAVES: u64 = 300_000;

#[derive(Serialize)]
struct SearchReport {
    #[serde(flatten)]
    battery: search_battery::Report,
    passed: bool,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.player {
        None => check_game(args),
        Some(player) => check_search(player, args),
    }
}

fn check_search(player: &str, args: &Args) -> anyhow::Result<ExitCode> {
    let usual = search_battery::Effort::default();
    let playouts = args.playouts.map_or(usual.playouts, u64::from);
    let effort = search_battery::Effort {
        games: args.games.unwrap_or(usual.games),
        playouts,
        // A playout costs about as much as ten nodes.
        nodes: playouts.saturating_mul(10),
        seed: args.seed,
        ..usual
    };
    let battery = search_battery::run(player, &args.game, &effort)?;
    let passed = battery.passed();
    if args.json {
        output::json(&SearchReport { battery, passed })?;
    } else {
        output::text(battery.to_string())?;
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check_game(args: &Args) -> anyhow::Result<ExitCode> {
    let session = tesuji_catalog::open(&args.game, "start")?;
    let usual = Effort::default();
    let effort = Effort {
        games: args.games.unwrap_or(usual.games),
        playouts: args.playouts.unwrap_or(usual.playouts),
        seed: args.seed,
    };
    let battery = battery::run(&args.game, &effort)?;
    let stop = stop::flag()?;
    let mut perft = Vec::new();
    for depth in 1.. {
        let Some(count) = session.perft(depth, stop) else { break };
        perft.push(count.leaves);
        if count.leaves == 0
            || count.leaves.saturating_mul(count.leaves) / perft[perft.len().saturating_sub(2)].max(1) > SHOWN_LEAVES
        {
            break;
        }
    }
    let playthrough = playthrough(&args.game, args.seed)?;
    let passed = battery.passed();
    if args.json {
        output::json(&Report { battery, passed, perft, playthrough })?;
    } else {
        if !args.quiet {
            output::text(format!("{playthrough}\n"))?;
        }
        output::text(battery.to_string())?;
        let counts: Vec<String> = perft.iter().map(u64::to_string).collect();
        output::text(format!("perft from the start position: {}\n", counts.join(", ")))?;
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
