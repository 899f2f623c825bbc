//! Errors of SGF files.

use tesuji_catalog::OpenError;
use tesuji_core::shortened;
use thiserror::Error;

/// Why a file could not be read, replayed or written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SgfError {
    /// The file cannot be read.
    #[error("cannot read {file}: {reason}")]
    File {
        /// Its name.
        file: String,
        /// The reason.
        reason: String,
    },
    /// The text has no game.
    #[error("there is no SGF game; a game starts with \"(;\"")]
    NoGame,
    /// The text is not SGF.
    #[error("line {line}, column {column}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// The reason.
        reason: &'static str,
    },
    /// One game of several is invalid.
    #[error("game {number} of the file: {error}")]
    InGame {
        /// The number of the game, from 1.
        number: usize,
        /// The error.
        error: Box<SgfError>,
    },
    /// A required property has an invalid value.
    #[error("{identifier}[{}] is not understood; it takes {accepted}", shortened(value))]
    Property {
        /// The property.
        identifier: String,
        /// The value.
        value: String,
        /// The accepted values.
        accepted: String,
    },
    /// The game or a set-up position cannot be opened.
    #[error("{at}: {error}")]
    Open {
        /// The part of the file.
        at: String,
        /// The reason.
        error: OpenError,
    },
    /// A move is invalid.
    #[error("move {number}, {}: {reason}", shortened(mv))]
    Move {
        /// The number of the move in the main line, from 1.
        number: usize,
        /// The move as written in the file.
        mv: String,
        /// The reason.
        reason: String,
    },
    /// The main line is shorter than requested.
    #[error("there is no move {number}; the main line has {length}")]
    NoMove {
        /// The requested number.
        number: usize,
        /// The length of the main line.
        length: usize,
    },
    /// One of several games must be chosen, or the chosen one does not exist.
    #[error("{file} has {games} games; choose one by {file}@1 to {file}@{games}")]
    Choose {
        /// The file.
        file: String,
        /// The number of games.
        games: usize,
    },
    /// The file holds another game than requested.
    #[error("the file's game is {file}, which does not fit {asked}")]
    OtherGame {
        /// The requested game.
        asked: String,
        /// The game of the file.
        file: String,
    },
    /// A game cannot be written.
    #[error("{game} cannot be written as SGF: {reason}")]
    Unwritable {
        /// The game.
        game: String,
        /// The reason.
        reason: String,
    },
}
