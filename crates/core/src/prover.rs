//! The interface that solvers implement: yes/no questions about the score a player can force.

use crate::{Bounds, Control, Game, History, Outcome, Player, Report};
use std::io::{self, Read, Write};

/// The question whether a player can force at least a given score against all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The player, and the bounds proven so far on its score.
    pub known: Bounds,
    /// The score in question.
    pub at_least: i32,
}

impl Question {
    /// Returns the player that tries to force the score.
    #[inline]
    pub fn prover(&self) -> Player {
        self.known.player
    }

    /// Returns whether an outcome answers the question with yes.
    #[inline]
    pub fn holds(&self, outcome: &Outcome) -> bool {
        outcome.score(self.known.player) >= self.at_least
    }

    /// Returns the bounds that hold after an answer.
    pub fn answered(&self, holds: bool) -> Bounds {
        let Bounds { player, at_least, at_most } = self.known;
        if holds {
            Bounds { player, at_least: at_least.max(self.at_least), at_most }
        } else {
            Bounds { player, at_least, at_most: at_most.min(self.at_least - 1) }
        }
    }

    /// Returns the answer that follows from proven bounds, if any.
    pub fn answer(&self, bounds: &Bounds) -> Option<bool> {
        if bounds.at_least >= self.at_least {
            return Some(true);
        }
        (bounds.at_most < self.at_least).then_some(false)
    }
}

/// A solver of the game `G`. It keeps what it learns for later questions and positions until
/// [`forget`](Prover::forget).
pub trait Prover<G: Game>: Send {
    /// Searches for the answer to a question about the current position of a game. The bounds of
    /// the report are those of the question's player, tightened if the question was answered. Its
    /// proof numbers are for "yes". If the answer is yes and the player is to move, `best` is a
    /// proving move; if it is no and another player is to move, a refutation.
    fn ask(&mut self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Report<G::Move>;

    /// Clears everything the solver has learned.
    fn forget(&mut self);

    /// Writes the state of the solver, for [`restore`](Prover::restore).
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Replaces the state of the solver with what [`save`](Prover::save) wrote; an error if it is
    /// from another kind of solver or damaged, or if the input has more.
    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()>;
}
