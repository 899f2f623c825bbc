//! The game and position arguments that several commands share.

use clap::Args;
use tesuji_catalog::Session;
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
