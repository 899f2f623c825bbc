//! The game and position that several commands take.

use clap::Args;
use tesuji_catalog::{OpenError, Session};

/// A game, and where in it.
#[derive(Args)]
pub struct Position {
    /// The game
    game: String,
    /// "start" or a position text, perhaps followed by " moves M1 M2 ..."
    #[arg(long, default_value = "start")]
    position: String,
}

impl Position {
    /// Opens the game there.
    pub fn open(&self) -> Result<Box<dyn Session>, OpenError> {
        tesuji_catalog::open(&self.game, &self.position)
    }
}
