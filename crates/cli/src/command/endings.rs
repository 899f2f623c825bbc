//! `tesuji endings`: sets of positions that are won by a forced line.

use crate::{output, stop};
use anyhow::Context;
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_catalog::{AUTO, EndingsPlan, endings, parse_bytes};

/// Arguments of `tesuji endings`.
#[derive(ClapArgs)]
#[command(
    after_help = "A player plays against itself. Each game gives at most one position: the farthest from its end that the solver \
                        still proves a win for the player to move, in a number of nodes drawn between the bounds. `tesuji compare` reads \
                        what is written. Ctrl-C ends it with the positions it has; exit code 1: they are fewer than were asked for.\n\n\
                        Examples:\n  tesuji endings loa --count 50 --out loa.txt\n  \
                        tesuji endings breakthrough:6 --count 20 --least-nodes 1000 --most-nodes 100000\n  \
                        tesuji endings connect4 --count 10 --player mcts --opening 10 --seed 7"
)]
pub struct Args {
    /// The game: one for two, with wins
    game: String,
    /// The number of positions
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The fewest nodes of a proof; raising it makes the set harder
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    least_nodes: u64,
    /// The most nodes of a proof; raising it makes the set harder, and slower to make
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    most_nodes: u64,
    /// The fewest moves from a position to the end of its game
    #[arg(long, value_name = "N", default_value_t = 1)]
    moves_before: u32,
    /// The solver that proves them
    #[arg(long, value_name = "SPEC", default_value = "dfpn:goal=win")]
    by: String,
    /// The memory of the solver
    #[arg(long, value_parser = parse_bytes, default_value = "256M")]
    memory: usize,
    /// Who plays against itself
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    player: String,
    /// Its playouts for each move; nodes, if it makes none
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,
    /// Random moves at the beginning of each game, so that games differ
    #[arg(long, default_value_t = 6)]
    opening: u32,
    /// The file; without it the text is printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = EndingsPlan {
        game: args.game.clone(),
        count: args.count as usize,
        seed: args.seed,
        player: args.player.clone(),
        playouts: args.playouts,
        opening: args.opening,
        by: args.by.clone(),
        least_nodes: args.least_nodes,
        most_nodes: args.most_nodes,
        moves_before: args.moves_before as usize,
        memory: args.memory,
    };
    let bar = ProgressBar::new(u64::from(args.count));
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos} of {len} positions, {msg}, {eta} left")?);
    let found = endings(&plan, stop::flag()?, &|found| {
        bar.set_message(format!("{} games", found.games));
        bar.set_position(found.positions as u64);
    })?;
    bar.finish_and_clear();
    let text = format!("{}{}\n", heading(&plan, found.len()), found.join("\n"));
    match &args.out {
        Some(path) => std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?,
        None => output::text(text)?,
    }
    let complete = found.len() == plan.count;
    if !complete {
        eprintln!("{} of {} positions were found", found.len(), plan.count);
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What the set is, and the command that makes it again, with what was left unsaid: that may change.
fn heading(plan: &EndingsPlan, found: usize) -> String {
    let EndingsPlan { game, count, seed, player, playouts, opening, by, least_nodes, most_nodes, moves_before, memory } =
        plan;
    format!(
        "# game: {game}\n\
         # {found} positions that the player to move wins, each from another game of {player} against itself; {by} proves\n\
         # each in {} to {} nodes.\n\
         # tesuji endings {game} --count {count} --seed {seed} --least-nodes {least_nodes} --most-nodes {most_nodes} \
         --moves-before {moves_before} --by {by} --memory {memory} --player {player} --playouts {playouts} --opening {opening}\n",
        output::grouped(*least_nodes),
        output::grouped(*most_nodes),
    )
}
