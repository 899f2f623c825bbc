//! `tesuji gtp`: an engine for the Go Text Protocol.

use crate::command::limits::Limits;
use clap::Args as ClapArgs;
use std::process::ExitCode;
use tesuji_catalog::AUTO;
use tesuji_gtp::{Engine, Settings};

/// Arguments of `tesuji gtp`.
#[derive(ClapArgs)]
#[command(
    after_help = "Commands are read from standard input, answers written to standard output. The full command set is for Go and, in the dialect of \
                  MoHex, Hex; other games for two play with their own words for moves. Clocks that the other side sets are kept besides the limits given \
                  here; without either a move takes five seconds. See docs/protocols.md.\n\nExamples:\n  tesuji gtp go:9 --player mcts:rave --time 2s\n  \
                  tesuji gtp hex:11,swap\n  tesuji match go:9 mcts:rave \"gtp:tesuji gtp go:9 --playouts 1000\" --playouts 1000 --games 10"
)]
pub struct Args {
    /// The game; `boardsize` and `komi` change it
    game: String,
    /// The search; `tesuji searches` lists them
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    player: String,
    #[command(flatten)]
    limits: Limits,
    /// Resign when the chance to win is lower than this, such as 0.05 [default: never]
    #[arg(long, value_name = "CHANCE", value_parser = chance)]
    resign: Option<f64>,
}

fn chance(text: &str) -> Result<f64, String> {
    let chance = text.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
    chance.ok_or_else(|| "it takes a number from 0 to 1".to_string())
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (seed, threads, limits) = args.limits.endless();
    let (game, player) = (args.game.clone(), args.player.clone());
    let settings = Settings { game, player, limits, seed, threads, resign: args.resign };
    Engine::new(settings, std::io::stdin(), std::io::stdout())?.run()?;
    Ok(ExitCode::SUCCESS)
}
