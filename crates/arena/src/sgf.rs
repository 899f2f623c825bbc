//! Games of matches as SGF files.

use crate::referee::{End, PlayedGame};
use tesuji_catalog::{Fault, OpenError, open};
use tesuji_core::Player;
use tesuji_sgf::{By, GameResult, Headers, SgfError, write};
use thiserror::Error;

/// Why a game could not be written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayedSgfError {
    /// The game of a log cannot be replayed.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It cannot be written as SGF.
    #[error(transparent)]
    Sgf(#[from] SgfError),
}

impl PlayedGame {
    /// Writes the game as SGF, with the data to replay it in the comment. Only Go and Hex have an
    /// SGF dialect.
    pub fn sgf(&self) -> Result<String, PlayedSgfError> {
        let separator = if self.opening.contains(" moves ") || self.moves.is_empty() { " " } else { " moves " };
        let game = open(&self.game, format!("{}{separator}{}", self.opening, self.moves.join(" ")).trim())?;
        let won_by = |loser: usize, by: By| GameResult::Win { winner: Player(1 - loser as u8), by };
        let result = match &self.end {
            End::Rules => None,
            End::Resigned { seat } => Some(won_by(*seat, By::Resignation)),
            End::Fault { seat, fault: Fault::Overrun(_) } => Some(won_by(*seat, By::Time)),
            End::Fault { seat, .. } => Some(won_by(*seat, By::Forfeit)),
        };
        let headers = Headers {
            black: self.names.first().cloned(),
            white: self.names.get(1).cloned(),
            result,
            comment: Some(format!(
                "{} ({} against {}, game {}, seed {}, opening {})",
                self.words, self.players[0], self.players[1], self.number, self.seed, self.opening
            )),
            ..Headers::default()
        };
        Ok(write(game.as_ref(), &headers)?)
    }
}
