//! The game and position that several commands take and report.

use clap::Args;
use serde::Serialize;
use tesuji_catalog::{Ending, Session};
use tesuji_core::Facts;
use tesuji_sgf::Source;

/// A game and a position.
#[derive(Args)]
pub struct Position {
    /// Game
    game: String,
    /// "start" or a position, optionally with " moves M1 M2 ..."; or FILE.sgf[@GAME][#MOVE]
    #[arg(long, default_value = "start")]
    position: String,
}

impl Position {
    /// Opens the game at the position.
    pub fn open(&self) -> anyhow::Result<Box<dyn Session>> {
        Ok(match Source::parse(&self.position) {
            Some(source) => source.open(&self.game)?,
            None => tesuji_catalog::open(&self.game, &self.position)?,
        })
    }
}

/// The game and position that a command worked on, for its JSON output.
#[derive(Serialize)]
pub struct PositionReport {
    game: String,
    position: String,
    /// The moves played since the start of the game.
    history: Vec<String>,
    to_move: Option<u8>,
    to_move_name: Option<&'static str>,
    ending: Option<Ending>,
    facts: Facts,
}

impl PositionReport {
    /// Describes the current position of a game.
    pub fn new(session: &dyn Session) -> PositionReport {
        let to_move = session.to_move();
        PositionReport {
            game: session.spec().to_string(),
            position: session.text(),
            history: session.moves(),
            to_move: to_move.map(|player| player.0),
            to_move_name: to_move.map(|player| session.player_name(player)),
            ending: session.ending(),
            facts: session.facts(),
        }
    }
}
