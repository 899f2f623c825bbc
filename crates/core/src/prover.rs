//! The interface every solver is written against: questions that a finished game answers with yes or no.

use crate::{Bounds, Control, Game, History, Outcome, Player, Report};
use std::io::{self, Read, Write};

/// Can a player force at least this score, whatever the others do?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The player, and what is proved of its score already.
    pub known: Bounds,
    /// The score in question.
    pub at_least: i32,
}

impl Question {
    /// The player who wants to prove it.
    #[inline]
    pub fn prover(&self) -> Player {
        self.known.player
    }

    /// Whether a finished game answers with yes.
    #[inline]
    pub fn holds(&self, outcome: &Outcome) -> bool {
        outcome.score(self.known.player) >= self.at_least
    }

    /// What is proved when the question is answered.
    pub fn answered(&self, holds: bool) -> Bounds {
        let Bounds { player, at_least, at_most } = self.known;
        if holds {
            Bounds { player, at_least: at_least.max(self.at_least), at_most }
        } else {
            Bounds { player, at_least, at_most: at_most.min(self.at_least - 1) }
        }
    }

    /// The answer that proved bounds give, if they give one.
    pub fn answer(&self, bounds: &Bounds) -> Option<bool> {
        if bounds.at_least >= self.at_least {
            return Some(true);
        }
        (bounds.at_most < self.at_least).then_some(false)
    }
}

/// A solver of the game `G`. What it learns it keeps for the next question and position, until it is told to forget.
pub trait Prover<G: Game>: Send {
    /// Works on a question about the present position of a game. The report's bounds are those of the question's player,
    /// narrowed if it was answered; its proof numbers are for "yes"; `best` proves a proved position if the player, and
    /// refutes a disproved one if another, is to move.
    fn ask(&mut self, root: &History<G>, question: Question, control: &Control<'_, G::Move>) -> Report<G::Move>;

    /// Forgets everything.
    fn forget(&mut self);

    /// Writes what it has learned, for [`restore`](Prover::restore).
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Takes up what [`save`](Prover::save) wrote in the place of what it has learned itself; an error if that was a solver of
    /// another kind, or is damaged.
    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()>;
}
