//! Errors of certificates.

use crate::{Claim, ProofKind};
use std::io;
use tesuji_core::{HistoryError, SpecError};
use thiserror::Error;

/// Why a certificate could not be read, verified or written.
#[derive(Debug, Error)]
pub enum ProofError {
    /// The file could not be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not start with the magic bytes.
    #[error("this is not a certificate: it does not start with {:?}", crate::blocks::MAGIC_TEXT)]
    NotACertificate,
    /// The format version is not supported.
    #[error("the certificate has version {0}; this program reads version {version}", version = crate::blocks::VERSION)]
    Version(u8),
    /// A checksum does not match.
    #[error("the certificate is damaged: the checksum of the block at byte {offset} does not match")]
    Damaged {
        /// The offset of the block.
        offset: u64,
    },
    /// The file is incomplete.
    #[error("the certificate is truncated: it ends at byte {offset}, in the middle of a block")]
    Truncated {
        /// The length of the file.
        offset: u64,
    },
    /// The contents are malformed.
    #[error("the certificate cannot be read: {0}")]
    Format(String),
    /// The certificate is about another game.
    #[error("the certificate is about {found}, not about {expected}")]
    OtherGame {
        /// The game it names.
        found: String,
        /// The game it was read as.
        expected: &'static str,
    },
    /// The spec is invalid.
    #[error("the game of the certificate: {0}")]
    Spec(#[from] SpecError),
    /// The root is invalid.
    #[error("the root of the certificate: {0}")]
    Root(#[from] HistoryError),
    /// The proof is invalid.
    #[error(transparent)]
    Invalid(#[from] Box<LocatedViolation>),
    /// Only a tree of paths can prove the claim, and it exceeds the limit.
    #[error("not certifiable: {because}; a tree of all paths has more than {limit} positions")]
    NotCertifiable {
        /// Why a proof over positions fails.
        because: Box<LocatedViolation>,
        /// The limit.
        limit: u64,
    },
    /// The caller stopped the walk.
    #[error("stopped after {0} positions")]
    StopReason(u64),
}

/// A violation and its position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{claim} ({kind}): {violation}; {}", location(&self.moves, &self.position))]
pub struct LocatedViolation {
    /// The claim that is not proved.
    pub claim: Claim,
    /// The kind of the proof.
    pub kind: ProofKind,
    /// The moves from the root to the position.
    pub moves: Vec<String>,
    /// The position.
    pub position: String,
    /// The violation.
    pub violation: Violation,
}

fn location(moves: &[String], position: &str) -> String {
    match moves {
        [] => format!("at the root, {position}"),
        _ => format!("after {} at {position}", moves.join(" ")),
    }
}

/// The reason why a proof fails at a position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Violation {
    /// The game ends with a score that contradicts the claim.
    #[error("the game ends here with {score}")]
    End {
        /// The score of the player.
        score: i32,
    },
    /// The move number of a reply is too large.
    #[error("the reply is move number {number}, but there are {legal}")]
    NoSuchMove {
        /// The number, from 1.
        number: usize,
        /// The number of legal moves.
        legal: usize,
    },
    /// The strategy gave an illegal move.
    #[error("the reply {reply} is not legal here")]
    IllegalReply {
        /// The move.
        reply: String,
    },
    /// There is no reply.
    #[error("there is no reply")]
    NoReply,
    /// The game is not over but has no legal moves, which violates the game interface.
    #[error("there is no legal move, but the game is not over")]
    Stuck,
    /// A ranked proof repeats a position.
    #[error("the rank does not decrease: this position repeats")]
    Cycle,
    /// A position may repeat, and the outcome depends on the cycle.
    #[error("the game may end here by repetition, and the outcome depends on the cycle")]
    CycleUnknown,
    /// A position may repeat, and the outcome contradicts the claim.
    #[error("the game may end here by repetition with {score}")]
    CycleWorth {
        /// The score of the player.
        score: i32,
    },
    /// A line may reach the length cap, and the outcome contradicts the claim.
    #[error("lines may reach {cap} plies, where the game ends here with {score}")]
    Cap {
        /// The length cap.
        cap: u32,
        /// The score of the player.
        score: i32,
    },
    /// The reply may be forbidden because it may repeat a position.
    #[error("the reply here may be forbidden, because it may repeat a position")]
    Superko,
    /// There are too many positions.
    #[error("there are more than {0} positions")]
    TooMany(u64),
}
