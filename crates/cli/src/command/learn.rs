//! `tesuji learn`: transition probabilities, time tables and pattern counts from self-play.

use crate::command::ranges::count;
use crate::progress::counting_bar;
use crate::{output, stop};
use anyhow::Context;
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_catalog::{SelfPlay, can_replace_file, learn, learn_patterns, learn_time_tables, replace_file};
use tesuji_core::Limits;

/// Arguments of `tesuji learn`.
#[derive(ClapArgs)]
#[command(after_help = "The file has, for each kind of move, how often it was played and how often it was legal. \
                        Progressive bias and category playouts read it. With --time-tables it has the expected number of moves \
                        at each point of a game, from which time managers share a clock. With --patterns it has, for each \
                        pattern of the stones around a move, how often such a move was played and how often it was possible.\n\nExamples:\n  \
                        tesuji learn loa --games 300 --playouts 2000 --out loa.transitions\n  \
                        tesuji think loa --player mcts:solver,bias=50,bias-form=pbl2,transitions=loa.transitions\n  \
                        tesuji learn connect4 --time-tables --games 1000 --out connect4.time\n  \
                        tesuji learn go:9 --patterns --player mcts:rave --games 300 --playouts 300 --out patterns.txt")]
pub struct Args {
    /// Game
    game: String,
    /// Search that plays against itself
    #[arg(long, value_name = "SPEC", default_value = "mcts:solver")]
    player: String,
    /// Number of games
    #[arg(long, default_value_t = 200, value_parser = count, allow_hyphen_values = true)]
    games: u64,
    /// Playouts per move
    #[arg(long, default_value_t = 1000, value_parser = count, allow_hyphen_values = true)]
    playouts: u64,
    /// Random moves at the start of each game
    #[arg(long, default_value_t = 4)]
    opening: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Learn the expected number of moves instead
    #[arg(long)]
    time_tables: bool,
    /// Learn the values of local patterns instead
    #[arg(long, conflicts_with = "time_tables")]
    patterns: bool,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The command that makes the same tables: a run that was stopped has played fewer games.
fn command(args: &Args, games: u64) -> String {
    let Args { game, player, playouts, opening, seed, .. } = args;
    let subject = if args.patterns { "patterns" } else { "time-tables" };
    format!(
        "tesuji learn {game} --{subject} --player {player} --games {games} --playouts {playouts} --opening {opening} \
         --seed {seed}"
    )
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = SelfPlay {
        game: args.game.clone(),
        player: args.player.clone(),
        limits: Limits { playouts: Some(args.playouts), ..Limits::default() },
        opening: args.opening,
        seed: args.seed,
    };
    if let Some(path) = &args.out {
        // An unwritable file is reported now, not after an hour of self-play.
        can_replace_file(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let bar = counting_bar(Some(args.games), "games")?;
    let learn = match (args.time_tables, args.patterns) {
        (true, _) => learn_time_tables,
        (_, true) => learn_patterns,
        _ => learn,
    };
    let mut text = learn(&plan, args.games, stop::flag()?, &|games| bar.set_position(games))?;
    if args.time_tables || args.patterns {
        text = format!("# {}\n{text}", command(args, bar.position()));
    }
    bar.finish_and_clear();
    match &args.out {
        Some(path) => replace_file(path, text).with_context(|| format!("cannot write {}", path.display()))?,
        None => output::text(text)?,
    }
    Ok(ExitCode::SUCCESS)
}
