//! `tesuji gtp`: a GTP engine.

use crate::command::limits::Limits;
use crate::command::workers::Workers;
use clap::Args as ClapArgs;
use std::process::ExitCode;
use tesuji_catalog::AUTO;
use tesuji_gtp::{Children, Engine, Settings};

/// Arguments of `tesuji gtp`.
#[derive(ClapArgs)]
#[command(
    after_help = "Commands are read from standard input, responses written to standard output. Go and Hex (in MoHex's dialect) have \
                  the full command set; other two-player games use their own move notation. Clocks set by the controller apply in \
                  addition to the limits given here; without either, a move takes five seconds. See docs/protocols.md.\n\n\
                  Examples:\n  tesuji gtp go:9 --player mcts:rave --time 2s\n  tesuji gtp hex:11,swap\n  \
                  tesuji match go:9 mcts:rave \"gtp:tesuji gtp go:9 --playouts 1000\" --playouts 1000 --games 10"
)]
pub struct Args {
    /// Game; `boardsize` and `komi` change it
    game: String,
    /// Search; see `tesuji searches`
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    player: String,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    workers: Workers,
    /// Resign below this win rate, for example 0.05 [default: never]
    #[arg(long, value_name = "CHANCE", value_parser = chance)]
    resign: Option<f64>,
}

fn chance(text: &str) -> Result<f64, String> {
    let chance = text.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
    chance.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.workers.register(&Children::default())?;
    let (seed, threads, limits) = args.limits.endless();
    let (game, player) = (args.game.clone(), args.player.clone());
    let settings = Settings { game, player, limits, seed, threads, resign: args.resign };
    Engine::new(settings, std::io::stdin(), std::io::stdout())?.run()?;
    Ok(ExitCode::SUCCESS)
}
