//! `tesuji usi`: a USI engine.

use crate::command::limits::Limits;
use clap::Args as ClapArgs;
use std::io::BufReader;
use std::process::ExitCode;
use tesuji_catalog::AUTO;
use tesuji_gtp::usi::{Settings, UsiEngine};

/// Arguments of `tesuji usi`.
#[derive(ClapArgs)]
#[command(
    after_help = "Commands are read from standard input, responses written to standard output. The games are minishogi, lion and \
                  breakthrough:8; the option UCI_Variant switches between them. The limits given here apply to every move; a \
                  `go` without limits searches until `stop`. See docs/protocols.md.\n\nExamples:\n  tesuji usi minishogi\n  \
                  tesuji usi lion --player mcts:solver --threads 2\n  \
                  tesuji match minishogi mcts \"usi:tesuji usi minishogi --playouts 1000\" --playouts 1000 --games 10"
)]
pub struct Args {
    /// Game
    game: String,
    /// Search; see `tesuji searches`
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    player: String,
    #[command(flatten)]
    limits: Limits,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (seed, threads, limits) = args.limits.endless();
    let settings = Settings { player: args.player.clone(), limits, seed, threads };
    let game = tesuji_catalog::open(&args.game, "start")?;
    UsiEngine::new(game, settings)?.run(BufReader::new(std::io::stdin()), std::io::stdout())?;
    Ok(ExitCode::SUCCESS)
}
