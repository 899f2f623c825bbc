//! `tesuji show`: a position and its legal moves.

use crate::board::board;
use crate::command::position::Position;
use crate::output;
use crate::table::paragraph;
use clap::Args as ClapArgs;
use serde::Serialize;
use std::process::ExitCode;
use tesuji_catalog::{Ending, Session};
use tesuji_core::{Facts, View};

/// Arguments of `tesuji show`.
#[derive(ClapArgs)]
#[command(after_help = "Examples:\n  tesuji show othello\n  tesuji show go:9 --position \"start moves D4 F6\"\n  \
                        tesuji show lion --position \"S/gle/-c-/-C-/ELG/-\" --json")]
pub struct Args {
    #[command(flatten)]
    position: Position,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    key: String,
    moves: Vec<String>,
    to_move: Option<u8>,
    player: Option<&'static str>,
    ending: Option<Ending>,
    evaluation: Option<f32>,
    legal_moves: Vec<Legal>,
    facts: Facts,
    view: View,
}

#[derive(Serialize)]
struct Legal {
    text: String,
    clicks: Vec<String>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let session = args.position.open()?;
    if args.json {
        let to_move = session.to_move();
        let legal = session.legal_moves().into_iter().zip(session.clicks());
        output::json(&Report {
            game: session.spec().to_string(),
            position: session.text(),
            key: format!("{:016x}", session.key()),
            moves: session.moves(),
            to_move: to_move.map(|player| player.0),
            player: to_move.map(|player| session.player_name(player)),
            ending: session.ending(),
            evaluation: to_move.and_then(|player| session.evaluation(player)),
            legal_moves: legal.map(|(text, clicks)| Legal { text, clicks }).collect(),
            facts: session.facts(),
            view: session.view(),
        })?;
    } else {
        output::text(describe(session.as_ref()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Formats the status line of a game: its result, or the player to move with at most `listed` legal
/// moves.
pub fn status(session: &dyn Session, listed: usize) -> String {
    match (session.ending(), session.to_move()) {
        (Some(ending), _) => format!("game over: {}\n", ending.words),
        (None, Some(player)) => {
            let moves = session.legal_moves();
            let list = if moves.len() <= listed { format!(": {}", moves.join(" ")) } else { String::new() };
            let count = output::count(moves.len() as u64, "legal move");
            paragraph(&format!("{} to move, {count}{list}", session.player_name(player)))
        }
        (None, None) => String::new(),
    }
}

/// Formats the board, the status line and the position text.
pub fn describe(session: &dyn Session) -> String {
    format!("{}{}position: {}\n", board(session), status(session, usize::MAX), session.text())
}
