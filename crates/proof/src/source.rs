//! Sources of replies: a file or a strategy. The walks over graphs and paths are the same for both.

use crate::blocks::{BitBuffer, BitReader};
use crate::{Claim, ProofError, ProofKind, Violation};
use std::io::Read;
use tesuji_core::{Game, History};

/// Why a walk stopped.
pub(crate) enum Problem {
    /// The proof fails at the present position.
    Violation(Violation),
    /// The file cannot be read, or the caller stopped the walk.
    Other(ProofError),
}

impl From<ProofError> for Problem {
    fn from(error: ProofError) -> Problem {
        Problem::Other(error)
    }
}

impl From<Violation> for Problem {
    fn from(violation: Violation) -> Problem {
        Problem::Violation(violation)
    }
}

/// Provides the replies of the proving side in the order of the walk.
pub(crate) trait Source<G: Game> {
    /// The walk plays a move.
    fn play(&mut self, _mv: G::Move) {}

    /// The walk undoes a move.
    fn undo(&mut self) {}

    /// Returns the index of the reply among the legal moves.
    fn reply(&mut self, position: &G, legal: &[G::Move]) -> Result<usize, Problem>;
}

/// The replies of a file.
impl<G: Game, R: Read> Source<G> for BitReader<'_, R> {
    fn reply(&mut self, _position: &G, legal: &[G::Move]) -> Result<usize, Problem> {
        let number = match self.choice(legal.len()) {
            // The file has no more bytes.
            Err(ProofError::Format(_)) => return Err(Violation::NoReply.into()),
            number => number?,
        };
        if number >= legal.len() {
            return Err(Violation::NoSuchMove { number: number + 1, legal: legal.len() }.into());
        }
        Ok(number)
    }
}

/// A strategy: returns the reply of the proving side in a game.
pub(crate) type Strategy<'a, G> = &'a mut dyn FnMut(&History<G>) -> Option<<G as Game>::Move>;

/// Asks a strategy and records its replies.
pub(crate) struct StrategyRecorder<'a, G: Game> {
    pub history: History<G>,
    pub strategy: Strategy<'a, G>,
    pub bits: BitBuffer,
}

impl<G: Game> Source<G> for StrategyRecorder<'_, G> {
    fn play(&mut self, mv: G::Move) {
        self.history.play(mv);
    }

    fn undo(&mut self) {
        self.history.undo();
    }

    fn reply(&mut self, position: &G, legal: &[G::Move]) -> Result<usize, Problem> {
        // The line of a walk over positions may be longer than any game.
        let reply = if self.history.ended_by_history() {
            (self.strategy)(&History::from_position(self.history.rules().clone(), position.clone()))
        } else {
            (self.strategy)(&self.history)
        };
        let reply = reply.ok_or(Violation::NoReply)?;
        let found = legal.iter().position(|&mv| mv == reply);
        let number = found.ok_or_else(|| Violation::IllegalReply { reply: format!("{reply:?}") })?;
        self.bits.push(number, legal.len());
        Ok(number)
    }
}

/// The progress of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Positions so far, over all claims.
    pub positions: u64,
    /// The memory they use in bytes.
    pub bytes: u64,
}

/// Called with the progress periodically; returns whether to continue.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(Progress) -> bool;

/// The number of positions between two progress reports.
pub(crate) const WATCH_INTERVAL: u64 = 4096;

/// The claim that a walk proves, and its progress callback.
pub(crate) struct ProofTask<'a> {
    pub claim: Claim,
    pub kind: ProofKind,
    /// Positions of the claims before this one.
    pub before: u64,
    pub watch: Watch<'a>,
}

impl ProofTask<'_> {
    /// Counts one more position, of `positions` that take `bytes`.
    pub fn tick(&mut self, positions: u64, bytes: impl FnOnce() -> usize) -> Result<(), ProofError> {
        if positions.is_multiple_of(WATCH_INTERVAL) {
            let positions = self.before + positions;
            if !(self.watch)(Progress { positions, bytes: bytes() as u64 }) {
                return Err(ProofError::StopReason(positions));
            }
        }
        Ok(())
    }
}
