//! What can be wrong with a problem.

use crate::Goal;
use tesuji_catalog::{OpenError, SolveError};
use tesuji_sgf::SgfError;
use thiserror::Error;

/// Why a problem cannot be understood or solved.
#[derive(Debug, Error)]
pub enum TsumegoError {
    /// The game is not Go.
    #[error("{0} is not a position of Go")]
    NotGo(String),
    /// The goal is unknown.
    #[error("unknown goal {0}; expected {accepted}", accepted = crate::Goal::ACCEPTED)]
    Goal(String),
    /// The region is unknown.
    #[error("invalid region {0}; expected {accepted}", accepted = crate::Wanted::ACCEPTED)]
    Region(String),
    /// A point is not on the board.
    #[error("{0} is not a point of the board; expected a letter without I and a row, such as D4")]
    Point(String),
    /// There is no stone on a point.
    #[error("there is no stone on {0}; a target is a stone of the group in question")]
    Empty(String),
    /// Nothing can be asked.
    #[error("{0}")]
    NoTarget(String),
    /// The file cannot be read.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// The game is not a problem about capture or life.
    #[error("{0} is not a position of capture or life, without options but the size, before any pass")]
    NotAProblem(String),
    /// The goal is not about taking stones.
    #[error("the goal {0} has no zones; expected live, kill, save or capture")]
    NoZones(Goal),
    /// The result itself is open.
    #[error("the result is open: {0}; raise --nodes")]
    OpenResult(String),
    /// A position cannot be opened as a problem.
    #[error("{position}: {error}")]
    Open {
        /// The game and the position.
        position: String,
        /// The reason.
        error: OpenError,
    },
    /// The solver cannot be built.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A move is illegal.
    #[error("{0} is not a legal move of the problem; expected a point of the region or pass")]
    Move(String),
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] tesuji_catalog::LogError),
}
