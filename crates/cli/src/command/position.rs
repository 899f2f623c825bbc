//! The game and position that several commands take.

use clap::Args;
use tesuji_catalog::Session;
use tesuji_sgf::Source;

/// A game, and where in it.
#[derive(Args)]
pub struct Position {
    /// The game
    game: String,
    /// "start" or a position text, perhaps followed by " moves M1 M2 ..."; or FILE.sgf[@GAME][#MOVE], whose game must fit
    #[arg(long, default_value = "start")]
    position: String,
}

impl Position {
    /// Opens the game there.
    pub fn open(&self) -> anyhow::Result<Box<dyn Session>> {
        Ok(match Source::parse(&self.position) {
            Some(source) => source.open(&self.game)?,
            None => tesuji_catalog::open(&self.game, &self.position)?,
        })
    }
}
