//! `tesuji perft`: the number of leaves at a depth.

use crate::command::position::Position;
use crate::command::ranges::whole;
use crate::progress::counting_bar;
use crate::{output, stop};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Instant;

/// Arguments of `tesuji perft`.
#[derive(ClapArgs)]
#[command(
    after_help = "A leaf is a sequence of exactly DEPTH moves; games that end earlier are not counted.\n\nExamples:\n  \
                  tesuji perft loa 4\n  tesuji perft minishogi 4 --divide\n  \
                  tesuji perft go:5 3 --position \"start moves C3\" --json"
)]
pub struct Args {
    #[command(flatten)]
    position: Position,
    /// Depth in plies
    #[arg(value_parser = whole::<u32>(0..=100), allow_hyphen_values = true)]
    depth: u32,
    /// Print the count of each first move
    #[arg(long)]
    divide: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    depth: u32,
    /// Absent if the count was stopped.
    leaves: Option<u64>,
    divide: Vec<Divided>,
    timing: Timing,
}

#[derive(Serialize)]
struct Divided {
    r#move: String,
    leaves: u64,
}

#[derive(Serialize)]
struct Timing {
    seconds: f64,
    leaves_per_second: f64,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut session = args.position.open()?;
    let stop = stop::flag()?;
    let begin = Instant::now();
    let mut divide = Vec::new();
    let mut total = Some(0);
    let first_moves = session.legal_moves();
    if args.depth == 0 {
        total = Some(1);
    } else {
        let bar = counting_bar(Some(first_moves.len() as u64), "first moves")?;
        for first in first_moves {
            session.play(&first)?;
            let count = session.perft(args.depth - 1, stop);
            session.undo();
            let Some(count) = count else {
                total = None;
                break;
            };
            total = total.map(|total| total + count.leaves);
            divide.push(Divided { r#move: first, leaves: count.leaves });
            bar.set_message(output::leaves(total.unwrap_or(0)));
            bar.inc(1);
        }
        bar.finish_and_clear();
    }
    let seconds = begin.elapsed().as_secs_f64();
    let counted = divide.iter().map(|divided| divided.leaves).sum::<u64>();
    if args.json {
        output::json(&Report {
            game: session.spec().to_string(),
            position: session.text(),
            depth: args.depth,
            leaves: total,
            divide: if args.divide { divide } else { Vec::new() },
            timing: Timing { seconds, leaves_per_second: counted as f64 / seconds },
        })?;
    } else {
        if args.divide {
            for divided in &divide {
                output::text(format!("{}: {}\n", divided.r#move, divided.leaves))?;
            }
        }
        match total {
            Some(leaves) => output::text(format!("{leaves}\n"))?,
            None => output::text(format!(
                "stopped; {} below the first {}\n",
                output::leaves(counted),
                output::count(divide.len() as u64, "move")
            ))?,
        }
        eprintln!("{seconds:.3} s, {} leaves/s", output::grouped((counted as f64 / seconds) as u64));
    }
    Ok(if total.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
