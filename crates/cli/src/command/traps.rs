//! `tesuji traps`: how dense and how difficult the shallow traps of a game are.

use crate::command::ranges::{count, positive, whole};
use crate::progress::counting_bar;
use crate::table::{Column, Table};
use crate::{output, stop};
use anyhow::Context;
use clap::Args as ClapArgs;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_arena::trap_figure;
use tesuji_catalog::{SelfPlay, TrapsPlan, TrapsReport, can_replace_file, replace_file, traps};
use tesuji_core::Limits;

/// Arguments of `tesuji traps`.
#[derive(ClapArgs)]
#[command(
    after_help = "A level-k trap is a move after which the opponent can force a win within k plies, so every level \
                        includes the lower ones. The difficulty is the share of random playouts after a trap that do \
                        not lose, averaged over the traps. Positions are searched without their history. Ctrl-C ends \
                        the search with the games finished so far; exit code 1: fewer games than requested.\n\n\
                        Examples:\n  tesuji traps lion --games 50\n  \
                        tesuji traps breakthrough --games 100 --levels 3-5 --figure breakthrough.svg\n  \
                        tesuji traps synthetic:depth=20,branching=4,traps=10,trap-plies=3 --games 20 --levels 1-5 --json"
)]
pub struct Args {
    /// Two-player game
    game: String,
    /// Number of self-play games
    #[arg(long, default_value_t = 50, value_parser = count, allow_hyphen_values = true)]
    games: u64,
    /// Levels of traps: one, or the lowest and the highest; the time grows exponentially
    #[arg(long, default_value = "3-7", value_parser = levels)]
    levels: RangeInclusive<u32>,
    /// Random playouts from each trap
    #[arg(long, default_value_t = 1000, value_parser = positive)]
    rollouts: u32,
    /// Search that plays against itself
    #[arg(long, value_name = "SPEC", default_value = "mcts:solver")]
    player: String,
    /// Its playouts per move
    #[arg(long, default_value_t = 1000, value_parser = count, allow_hyphen_values = true)]
    playouts: u64,
    /// Random moves at the start of each game, whose positions are left out
    #[arg(long, default_value_t = 0)]
    opening: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw the traps by move number into this SVG file
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Parses `3-7` or `3`.
fn levels(text: &str) -> Result<RangeInclusive<u32>, String> {
    let level = whole::<u32>(1..=20);
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let expected = "expected a level from 1 to 20, or a range of them, for example 3-7";
    match (level(low), level(high)) {
        (Ok(low), Ok(high)) if low <= high => Ok(low..=high),
        _ => Err(expected.to_string()),
    }
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let games = SelfPlay {
        game: args.game.clone(),
        player: args.player.clone(),
        limits: Limits { playouts: Some(args.playouts), ..Limits::default() },
        opening: args.opening,
        seed: args.seed,
    };
    let plan = TrapsPlan { games, count: args.games, levels: args.levels.clone(), rollouts: args.rollouts };
    if let Some(path) = &args.figure {
        // An unwritable file is reported now, not after an hour of self-play.
        can_replace_file(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let bar = counting_bar(Some(args.games), "games")?;
    let report = traps(&plan, stop::flag()?, &|games| bar.set_position(games))?;
    bar.finish_and_clear();
    if let Some(path) = &args.figure {
        replace_file(path, trap_figure(&report)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.json {
        output::json(&report)?;
    } else {
        output::text(format!("{}\n{}", heading(&report), table(&report)))?;
    }
    let complete = report.games == args.games;
    if !complete {
        eprintln!("stopped after {} of {}", report.games, output::count(args.games, "game"));
    }
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn heading(report: &TrapsReport) -> String {
    let (games, positions) = (output::count(report.games, "game"), output::count(report.positions, "position"));
    format!("{}: {positions} of {games} of {} against itself\n", report.game, report.player)
}

/// Returns a table with a row per level.
fn table(report: &TrapsReport) -> Table {
    let columns = ["level", "positions with a trap", "traps per position", "traps", "difficulty"];
    let mut table = Table::new(columns.map(Column::right));
    for level in &report.levels {
        table.row([
            level.level.to_string(),
            format!("{:.1} %", 100.0 * level.share),
            format!("{:.3}", level.density),
            output::grouped(level.traps),
            level.difficulty.map_or("-".to_string(), |difficulty| format!("{:.1} %", 100.0 * difficulty)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_a_number_or_a_range() {
        assert_eq!(levels("3-7"), Ok(3..=7));
        assert_eq!(levels("5"), Ok(5..=5));
        for text in ["", "7-3", "0-3", "3-", "-3", "3-21", "x", "3-5-7"] {
            assert!(levels(text).unwrap_err().contains("from 1 to 20"), "{text}");
        }
    }
}
