//! Where replies come from: a file, or whoever proves. The walks over graphs and paths are the same for both.

use crate::blocks::{BitBuffer, BitReader};
use crate::{Claim, Kind, ProofError, Wrong};
use std::io::Read;
use tesuji_core::{Game, History};

/// What stopped a walk.
pub(crate) enum Problem {
    /// The proof is wrong at the present position.
    Wrong(Wrong),
    /// The file, or whoever watches.
    Other(ProofError),
}

impl From<ProofError> for Problem {
    fn from(error: ProofError) -> Problem {
        Problem::Other(error)
    }
}

impl From<Wrong> for Problem {
    fn from(wrong: Wrong) -> Problem {
        Problem::Wrong(wrong)
    }
}

/// Gives the replies of the proving side in the order in which a walk asks for them.
pub(crate) trait Source<G: Game> {
    /// The walk goes on to the position after a move.
    fn play(&mut self, _mv: G::Move) {}

    /// The walk goes back by a move.
    fn undo(&mut self) {}

    /// Which of the legal moves is the reply.
    fn reply(&mut self, position: &G, legal: &[G::Move]) -> Result<usize, Problem>;
}

/// The replies of a file.
impl<G: Game, R: Read> Source<G> for BitReader<'_, R> {
    fn reply(&mut self, _position: &G, legal: &[G::Move]) -> Result<usize, Problem> {
        let number = match self.choice(legal.len()) {
            // There are no more bytes.
            Err(ProofError::Format(_)) => return Err(Wrong::NoReply.into()),
            number => number?,
        };
        if number >= legal.len() {
            return Err(Wrong::NoSuchMove { number: number + 1, legal: legal.len() }.into());
        }
        Ok(number)
    }
}

/// Whoever proves: gives the reply of the proving side to a game so far.
pub(crate) type Ask<'a, G> = &'a mut dyn FnMut(&History<G>) -> Option<<G as Game>::Move>;

/// Asks whoever proves, and writes the answers down.
pub(crate) struct Scribe<'a, G: Game> {
    pub history: History<G>,
    pub strategy: Ask<'a, G>,
    pub bits: BitBuffer,
}

impl<G: Game> Source<G> for Scribe<'_, G> {
    fn play(&mut self, mv: G::Move) {
        self.history.play(mv);
    }

    fn undo(&mut self) {
        self.history.undo();
    }

    fn reply(&mut self, position: &G, legal: &[G::Move]) -> Result<usize, Problem> {
        // On its way through a set of positions a walk makes lines that are longer than any game.
        let reply = if self.history.ended_by_history() {
            (self.strategy)(&History::from_position(self.history.rules().clone(), position.clone()))
        } else {
            (self.strategy)(&self.history)
        };
        let reply = reply.ok_or(Wrong::NoReply)?;
        let found = legal.iter().position(|&mv| mv == reply);
        let number = found.ok_or_else(|| Wrong::IllegalReply { reply: format!("{reply:?}") })?;
        self.bits.push(number, legal.len());
        Ok(number)
    }
}

/// How far a walk has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Positions so far, over all claims.
    pub positions: u64,
    /// Bytes of memory they take.
    pub bytes: u64,
}

/// Told of the progress now and then; says whether to go on.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(Progress) -> bool;

/// Whoever watches is told once in so many positions.
pub(crate) const WATCHED: u64 = 4096;

/// What is being proved, and who looks on.
pub(crate) struct Job<'a> {
    pub claim: Claim,
    pub kind: Kind,
    /// Positions of the claims before this one.
    pub before: u64,
    pub watch: Watch<'a>,
}

impl Job<'_> {
    /// Counts one more position, of `positions` that take `bytes`.
    pub fn tick(&mut self, positions: u64, bytes: impl FnOnce() -> usize) -> Result<(), ProofError> {
        if positions.is_multiple_of(WATCHED) {
            let positions = self.before + positions;
            if !(self.watch)(Progress { positions, bytes: bytes() as u64 }) {
                return Err(ProofError::StopReason(positions));
            }
        }
        Ok(())
    }
}
