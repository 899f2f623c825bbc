//! What can be wrong with an SGF file.

use tesuji_catalog::OpenError;
use thiserror::Error;

/// Why a file could not be read, followed or written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SgfError {
    /// The file itself.
    #[error("cannot read {file}: {reason}")]
    File {
        /// Its name.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no game in the text.
    #[error("there is no SGF game; a game begins with \"(;\"")]
    NoGame,
    /// The text is not SGF.
    #[error("line {line}, column {column}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// Something is wrong with one game of several.
    #[error("game {number} of the file: {error}")]
    InGame {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        error: Box<SgfError>,
    },
    /// A property that a game cannot do without has a value that says nothing.
    #[error("{identifier}[{value}] is not understood; it takes {accepted}")]
    Property {
        /// The property.
        identifier: String,
        /// The value.
        value: String,
        /// What is accepted.
        accepted: String,
    },
    /// The game, or a position that is set up in it.
    #[error("{at}: {error}")]
    Open {
        /// Where in the file.
        at: String,
        /// What is wrong.
        error: OpenError,
    },
    /// A move.
    #[error("move {number}, {mv}: {reason}")]
    Move {
        /// Which move of the main line, from 1.
        number: usize,
        /// The move as it stands in the file.
        mv: String,
        /// What is wrong.
        reason: String,
    },
    /// A place behind the end of a game.
    #[error("there is no move {number}; the main line has {length}")]
    NoMove {
        /// What was asked for.
        number: usize,
        /// How many there are.
        length: usize,
    },
    /// One game of several must be chosen, or was, but is not there.
    #[error("{file} has {games} games; choose one by {file}@1 to {file}@{games}")]
    Choose {
        /// The file.
        file: String,
        /// How many there are.
        games: usize,
    },
    /// The file holds another game than the one that was asked for.
    #[error("the file's game is {file}, which does not fit {asked}")]
    OtherGame {
        /// What was asked for.
        asked: String,
        /// What the file holds.
        file: String,
    },
    /// A game that cannot be written.
    #[error("{game} cannot be written as SGF: {reason}")]
    Unwritable {
        /// The game.
        game: String,
        /// Why not.
        reason: String,
    },
}
