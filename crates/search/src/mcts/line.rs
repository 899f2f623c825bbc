//! The line from the root to where a simulation is.

use tesuji_core::{Facts, Game, History, Length, Outcome, Player, Repetition};

/// A position that goes down the tree and back to the root. Where the past matters it goes through a [`History`], so that
/// superko, repetition and the length cap are exact in the tree; otherwise one position is played on and copied back.
pub struct Line<G: Game> {
    /// Where the past matters: the game and the line behind it.
    past: Option<History<G>>,
    root: G,
    now: G,
    /// Moves since the root.
    depth: u32,
    /// The moves that may be made since the root until the length cap ends the game.
    patience: u32,
    facts: Facts,
}

impl<G: Game> Line<G> {
    /// A line that is at its root.
    pub fn new(root: &History<G>) -> Line<G> {
        let facts = *root.facts();
        let patience = match facts.length {
            Length::Capped(cap) => cap.saturating_sub(root.moves().len() as u32),
            Length::Bounded(_) => u32::MAX,
        };
        let remembers = matches!(facts.repetition, Repetition::Ends(_) | Repetition::Forbidden);
        Line {
            past: remembers.then(|| root.clone()),
            root: root.position().clone(),
            now: root.position().clone(),
            depth: 0,
            patience,
            facts,
        }
    }

    /// Goes back to the root.
    #[inline]
    pub fn reset(&mut self) {
        if let Some(past) = &mut self.past {
            for _ in 0..self.depth {
                past.undo();
            }
        } else {
            self.now.clone_from(&self.root);
        }
        self.depth = 0;
    }

    /// The position.
    #[inline]
    pub fn position(&self) -> &G {
        match &self.past {
            Some(past) => past.position(),
            None => &self.now,
        }
    }

    /// Plays a legal move; says who moves then.
    #[inline]
    pub fn play(&mut self, mv: G::Move) -> Player {
        self.depth += 1;
        match &mut self.past {
            Some(past) => {
                past.play(mv);
                past.position().to_move()
            }
            None => {
                self.now.play(mv);
                self.now.to_move()
            }
        }
    }

    /// Whether the game is over here.
    #[inline]
    pub fn is_over(&self) -> bool {
        match &self.past {
            Some(past) => past.is_over(),
            None => self.now.is_over() || self.depth >= self.patience,
        }
    }

    /// The outcome, if the game is over here.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        match &self.past {
            Some(past) => past.outcome(),
            None => outcome_within(&self.now, self.depth, self.patience),
        }
    }

    /// The outcome after a move, if it ends the game.
    #[inline]
    pub fn outcome_after(&mut self, mv: G::Move) -> Option<Outcome> {
        match &mut self.past {
            Some(past) => {
                past.play(mv);
                let outcome = past.outcome();
                past.undo();
                outcome
            }
            None => {
                let mut next = self.now.clone();
                next.play(mv);
                outcome_within(&next, self.depth + 1, self.patience)
            }
        }
    }

    /// Appends the legal moves.
    #[inline]
    pub fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        match &self.past {
            Some(past) => past.legal_moves(moves),
            None => self.now.legal_moves(moves),
        }
    }

    /// Whether the past forbids a move that is legal by the position.
    pub fn forbids(&self, mv: G::Move) -> bool {
        self.facts.repetition == Repetition::Forbidden && self.past.as_ref().is_some_and(|past| past.repeats(mv))
    }

    /// The position to play out from, with the moves a playout may take; it may be changed at will until the next
    /// [`Line::reset`], after which the line is at its root again.
    #[inline]
    pub fn playground(&mut self) -> (&mut G, u32) {
        if let Some(past) = &self.past {
            self.now.clone_from(past.position());
        }
        (&mut self.now, (self.patience - self.depth.min(self.patience)).min(self.facts.length.plies()))
    }
}

#[inline]
fn outcome_within<G: Game>(position: &G, depth: u32, patience: u32) -> Option<Outcome> {
    if position.is_over() {
        position.outcome()
    } else if depth >= patience {
        Some(position.outcome_at_cap())
    } else {
        None
    }
}
