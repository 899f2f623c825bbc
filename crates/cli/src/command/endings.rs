//! `tesuji endings`: sets of positions to compare solvers on.

use crate::command::ranges::{count, memory, positive};
use crate::progress::counting_bar;
use crate::{output, stop};
use anyhow::{Context, bail};
use clap::Args as ClapArgs;
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_catalog::{AUTO, EndingsPlan, Selection, can_replace_file, endings, replace_file};

/// Arguments of `tesuji endings`.
#[derive(ClapArgs)]
#[command(
    after_help = "Each self-play game yields at most one position: the earliest that the solver still proves a win for the player \
                  to move, within a node limit sampled between the bounds. With --before-end it is the position that number \
                  of moves before the end, whatever its value, if none of the solvers solves it within the minimum of nodes \
                  and at least one does within the maximum. With --random, random problems of a game that has them (life, \
                  capture) are taken in place of positions of games, under the same condition, if the player to move wins. \
                  `tesuji compare` reads the output. Ctrl-C ends generation with the positions \
                  found so far; exit code 1: fewer positions than requested.\n\n\
                  Examples:\n  tesuji endings loa --count 50 --out loa.txt\n  \
                  tesuji endings breakthrough:6 --count 20 --least-nodes 1000 --most-nodes 100000\n  \
                  tesuji endings connect4 --count 10 --player mcts --opening 10 --seed 7\n  \
                  tesuji endings breakthrough:6 --count 20 --before-end 12 --by pns --by dfpn --by alphabeta"
)]
pub struct Args {
    /// Two-player game with wins
    game: String,
    /// Number of positions
    #[arg(long, value_parser = positive)]
    count: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Minimum nodes of a proof; raising it makes the set harder
    #[arg(long, default_value_t = 10_000, value_parser = count, allow_hyphen_values = true)]
    least_nodes: u64,
    /// Maximum nodes of a proof; raising it makes the set harder, and slower to generate
    #[arg(long, default_value_t = 1_000_000, value_parser = count, allow_hyphen_values = true)]
    most_nodes: u64,
    /// Minimum number of moves from a position to the end of its game
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "before_end")]
    moves_before: u32,
    /// Take the position N moves before the end of the game, whatever its value
    #[arg(long, value_name = "N", value_parser = positive)]
    before_end: Option<u32>,
    /// Take random problems of the game that the player to move wins
    #[arg(long, conflicts_with_all = ["before_end", "moves_before"])]
    random: bool,
    /// Solver that proves the wins [default: dfpn:goal=win]; with --before-end or --random it may
    /// be repeated [default: dfpn]
    #[arg(long, value_name = "SPEC")]
    by: Vec<String>,
    /// Memory of a solver
    #[arg(long, value_parser = memory, default_value = "256M")]
    memory: usize,
    /// Search that plays against itself
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    player: String,
    /// Its playouts per move; nodes, if it makes no playouts
    #[arg(long, default_value_t = 1000, value_parser = count, allow_hyphen_values = true)]
    playouts: u64,
    /// Random moves at the start of each game
    #[arg(long, default_value_t = 6)]
    opening: u32,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let selection = match (args.before_end, args.by.as_slice()) {
        (Some(moves), []) => Selection::BeforeEnd { moves: moves as usize, panel: vec!["dfpn".to_string()] },
        (None, panel) if args.random => {
            let default = || vec!["dfpn".to_string()];
            Selection::Random { panel: if panel.is_empty() { default() } else { panel.to_vec() } }
        }
        (Some(moves), panel) => Selection::BeforeEnd { moves: moves as usize, panel: panel.to_vec() },
        (None, []) => {
            Selection::EarliestWin { by: "dfpn:goal=win".to_string(), moves_before: args.moves_before as usize }
        }
        (None, [by]) => Selection::EarliestWin { by: by.clone(), moves_before: args.moves_before as usize },
        (None, several) => bail!("{} solvers (--by) without --before-end or --random; expected one", several.len()),
    };
    let plan = EndingsPlan {
        game: args.game.clone(),
        count: args.count as usize,
        seed: args.seed,
        player: args.player.clone(),
        playouts: args.playouts,
        opening: args.opening,
        selection,
        least_nodes: args.least_nodes,
        most_nodes: args.most_nodes,
        memory: args.memory,
    };
    if let Some(path) = &args.out {
        // An unwritable file is reported now, not after an hour of self-play.
        can_replace_file(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let bar = counting_bar(Some(u64::from(args.count)), "positions")?;
    let found = endings(&plan, stop::flag()?, &|found| {
        bar.set_message(output::count(found.games, "game"));
        bar.set_position(found.positions as u64);
    })?;
    bar.finish_and_clear();
    let text = format!("{}{}\n", heading(&plan, found.len()), found.join("\n"));
    match &args.out {
        Some(path) => replace_file(path, text).with_context(|| format!("cannot write {}", path.display()))?,
        None => output::text(text)?,
    }
    let complete = found.len() == plan.count;
    if !complete {
        eprintln!("found {} of {}", found.len(), output::count(plan.count as u64, "position"));
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the comment lines of the file: its content, and the command that generates it with all
/// defaults spelled out.
fn heading(plan: &EndingsPlan, found: usize) -> String {
    let EndingsPlan { game, count, seed, player, playouts, opening, selection, least_nodes, most_nodes, memory } = plan;
    let positions = output::count(found as u64, "position");
    let (least, most) = (output::grouped(*least_nodes), output::grouped(*most_nodes));
    let (content, option) = match selection {
        Selection::EarliestWin { by, moves_before } => (
            format!(
                "# {positions} that the player to move wins, each from another game of {player} against itself; {by} proves\n\
                 # each in {least} to {most} nodes."
            ),
            format!("--moves-before {moves_before}"),
        ),
        Selection::BeforeEnd { moves, panel } => (
            format!(
                "# {positions}, each {moves} moves before the end of another game of {player} against itself. None of these\n\
                 # solvers solves one in {least} nodes, and for each there is one that does in {most}: {}.",
                panel.join(", ")
            ),
            format!("--before-end {moves}"),
        ),
        Selection::Random { panel } => (
            format!(
                "# {positions}, random problems that the player to move wins. None of these solvers solves one in\n\
                 # {least} nodes, and for each there is one that does in {most}: {}.",
                panel.join(", ")
            ),
            "--random".to_string(),
        ),
    };
    let games = match selection {
        Selection::Random { .. } => String::new(),
        _ => format!(" --player {player} --playouts {playouts} --opening {opening}"),
    };
    let by: String = selection.solvers().iter().map(|by| format!(" --by {by}")).collect();
    format!(
        "# game: {game}\n{content}\n\
         # tesuji endings {game} --count {count} --seed {seed} --least-nodes {least_nodes} --most-nodes {most_nodes} \
         {option}{by} --memory {memory}{games}\n"
    )
}
