//! What can be wrong with a certificate, and where.

use crate::{Claim, Kind};
use std::io;
use tesuji_core::{HistoryError, SpecError};
use thiserror::Error;

/// Why a certificate was not read, not verified, or not written.
#[derive(Debug, Error)]
pub enum ProofError {
    /// The file could not be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It does not begin like one.
    #[error("this is no certificate: it does not begin with {:?}", crate::blocks::MAGIC_TEXT)]
    NotACertificate,
    /// It was written by another version.
    #[error("the certificate has version {0}; this program reads version {version}", version = crate::blocks::VERSION)]
    Version(u8),
    /// The bytes are not those that were written.
    #[error("the certificate is damaged: the checksum of the block at byte {offset} does not fit")]
    Damaged {
        /// Where the block begins.
        offset: u64,
    },
    /// The file stops in the middle.
    #[error("the certificate is cut short: it ends at byte {offset}, in the middle of a block")]
    Truncated {
        /// The length of the file.
        offset: u64,
    },
    /// The bytes are whole, but mean nothing.
    #[error("the certificate cannot be read: {0}")]
    Format(String),
    /// It is about another game.
    #[error("the certificate is about {found}, not about {expected}")]
    OtherGame {
        /// The game it names.
        found: String,
        /// The game it was read as.
        expected: &'static str,
    },
    /// The spec.
    #[error("the game of the certificate: {0}")]
    Spec(#[from] SpecError),
    /// The root.
    #[error("the root of the certificate: {0}")]
    Root(#[from] HistoryError),
    /// It can be read, but proves nothing.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
    /// Only a tree of paths could prove this, and it would be too large.
    #[error("not certifiable: {because}; a tree of all paths has more than {limit} positions")]
    NotCertifiable {
        /// Why positions alone are not enough.
        because: Box<Fault>,
        /// The size at which the tree was given up.
        limit: u64,
    },
    /// Whoever watched asked to stop.
    #[error("stopped after {0} positions")]
    StopReason(u64),
}

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{claim} ({kind}): {wrong}; {}", place(&self.moves, &self.position))]
pub struct Fault {
    /// The claim that is not proved.
    pub claim: Claim,
    /// How it should have been proved.
    pub kind: Kind,
    /// The moves from the root to the place.
    pub moves: Vec<String>,
    /// The position there.
    pub position: String,
    /// What is wrong there.
    pub wrong: Wrong,
}

fn place(moves: &[String], position: &str) -> String {
    match moves {
        [] => format!("at the root, {position}"),
        _ => format!("after {} at {position}", moves.join(" ")),
    }
}

/// What is wrong at a position of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Wrong {
    /// The game ends with a score that is not as claimed.
    #[error("the game ends here with {score}")]
    End {
        /// The score of the player.
        score: i32,
    },
    /// The file has a move that does not exist.
    #[error("the reply is move number {number}, but there are {legal}")]
    NoSuchMove {
        /// The number, from 1.
        number: usize,
        /// How many moves are legal.
        legal: usize,
    },
    /// Whoever proves gave a move that is not legal.
    #[error("the reply {reply} is not legal here")]
    IllegalReply {
        /// The move.
        reply: String,
    },
    /// Whoever proves gave no move.
    #[error("there is no reply")]
    NoReply,
    /// The game goes on without a legal move, against the laws of games.
    #[error("there is no legal move, but the game is not over")]
    Stuck,
    /// A ranked proof comes back to where it was.
    #[error("the rank does not fall: this position comes back")]
    Cycle,
    /// A position may be repeated, and the rules do not say what that is worth without knowing the cycle.
    #[error("the game may end here by repetition, and what that is worth depends on the cycle")]
    CycleUnknown,
    /// A position may be repeated, and that is not worth enough.
    #[error("the game may end here by repetition with {score}")]
    CycleWorth {
        /// The score of the player.
        score: i32,
    },
    /// A game may last so long that it is ended, and that is not worth enough.
    #[error("lines may last {cap} plies, and then the game ends here with {score}")]
    Cap {
        /// The longest game.
        cap: u32,
        /// The score of the player.
        score: i32,
    },
    /// The reply may be forbidden, because it may bring back a former position.
    #[error("the reply here may be forbidden, because it may bring back a former position")]
    Superko,
    /// More positions than can be numbered.
    #[error("there are more than {0} positions")]
    TooMany(u64),
}
