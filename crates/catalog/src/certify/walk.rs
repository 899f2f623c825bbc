//! Stepping through a certificate.

use super::verify::{CertificateFile, Verification};
use crate::session::{Session, SessionOf};
use serde::Serialize;
use std::path::Path;
use tesuji_core::{Game, Knowledge, MoveError, Visitor};
use tesuji_proof::{ProofError, Walk, WalkStep};

/// The step of a proof at a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "turn", rename_all = "snake_case")]
pub enum ProofStep {
    /// The proving side is to move.
    Ours {
        /// Its reply.
        reply: String,
        /// The maximum number of plies to the end, if positions cannot repeat.
        longest: Option<u32>,
    },
    /// The other side is to move.
    Theirs {
        /// All its legal moves.
        replies: Vec<String>,
        /// The maximum number of plies to the end, if positions cannot repeat.
        longest: Option<u32>,
    },
    /// The game is over.
    Over,
}

/// A walk through a certificate, with moves as text.
pub trait Walker {
    /// Returns the verified certificate.
    fn verification(&self) -> &Verification;
    /// Returns the game at the current position of the walk.
    fn session(&self) -> &dyn Session;
    /// Returns the number of moves played before the walk began.
    fn played_before(&self) -> usize;
    /// Returns the step of the proof of a claim at the current position; `None` if the game has
    /// left the proof.
    fn step(&self, claim: usize) -> Option<ProofStep>;
    /// Plays a move.
    fn play(&mut self, mv: &str) -> Result<(), MoveError>;
    /// Takes back a move of the walk; false if there is none.
    fn undo(&mut self) -> bool;
}

/// Verifies a certificate and opens it for a walk; `progress` is as in [`verify`](crate::verify).
pub fn walk(file: &Path, progress: &mut dyn FnMut(u64) -> bool) -> Result<Box<dyn Walker>, ProofError> {
    struct Open<'a>(CertificateFile, &'a mut dyn FnMut(u64) -> bool);
    impl Visitor for Open<'_> {
        type Output = Result<Box<dyn Walker>, ProofError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Open(CertificateFile { certificate, bytes }, progress) = self;
            let walk = certificate.walk::<G>(|so_far| progress(so_far.positions))?;
            let verification = Verification::new::<G>(walk.verified().clone(), bytes)?;
            let session = SessionOf::new(walk.verified().spec.parse()?, walk.root().clone());
            Ok(Box::new(WalkerOf { verification, session, walk }))
        }
    }
    CertificateFile::visit(file, |certificate| Open(certificate, progress))
}

struct WalkerOf<G: Game> {
    verification: Verification,
    session: SessionOf<G>,
    walk: Walk<G>,
}

impl<G: Knowledge> Walker for WalkerOf<G> {
    fn verification(&self) -> &Verification {
        &self.verification
    }

    fn session(&self) -> &dyn Session {
        &self.session
    }

    fn played_before(&self) -> usize {
        self.walk.root().moves().len()
    }

    fn step(&self, claim: usize) -> Option<ProofStep> {
        let game = self.session.history();
        let text = |mv| game.position().move_text(mv);
        Some(match self.walk.at(claim, game)? {
            WalkStep::Ours { reply, longest } => ProofStep::Ours { reply: text(reply), longest },
            WalkStep::Theirs { replies, longest } => {
                ProofStep::Theirs { replies: replies.into_iter().map(text).collect(), longest }
            }
            WalkStep::End(_) => ProofStep::Over,
        })
    }

    fn play(&mut self, mv: &str) -> Result<(), MoveError> {
        self.session.play(mv)
    }

    fn undo(&mut self) -> bool {
        self.session.history().moves().len() > self.played_before() && self.session.undo()
    }
}
