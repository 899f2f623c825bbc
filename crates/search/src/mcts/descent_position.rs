//! The position that a simulation has reached.

use crate::shallow::Walk;
use tesuji_core::{Facts, Game, History, Length, Outcome, Player, Repetition};

/// A position that moves down the tree and returns to its base: the root, or the node of a job.
///
/// If the rules depend on repetition it goes through a [`History`], so that superko, repetition and
/// the length cap are exact in the tree. Otherwise a single position is played on and copied back.
pub struct DescentPosition<G: Game> {
    /// The game up to the current position, if repetition matters.
    history: Option<History<G>>,
    root: G,
    base: G,
    now: G,
    /// The number of moves since the root.
    depth: u32,
    /// The number of moves from the root to the base.
    base_depth: u32,
    /// The number of moves after the root at which the length cap ends the game.
    depth_cap: u32,
    facts: Facts,
}

impl<G: Game> DescentPosition<G> {
    /// Starts at the root.
    pub fn new(root: &History<G>) -> DescentPosition<G> {
        let facts = *root.facts();
        let depth_cap = match facts.length {
            Length::Capped(cap) => cap.saturating_sub(root.moves().len() as u32),
            Length::Bounded(_) => u32::MAX,
        };
        let needs_history = matches!(facts.repetition, Repetition::Ends(_) | Repetition::Forbidden);
        DescentPosition {
            history: needs_history.then(|| root.clone()),
            root: root.position().clone(),
            base: root.position().clone(),
            now: root.position().clone(),
            depth: 0,
            base_depth: 0,
            depth_cap,
            facts,
        }
    }

    /// Returns to the base.
    #[inline]
    pub fn reset(&mut self) {
        if let Some(history) = &mut self.history {
            for _ in self.base_depth..self.depth {
                history.undo();
            }
        } else {
            self.now.clone_from(&self.base);
        }
        self.depth = self.base_depth;
    }

    /// Makes the current position the base.
    pub fn stay(&mut self) {
        let now = match &self.history {
            Some(history) => history.position(),
            None => &self.now,
        };
        self.base.clone_from(now);
        self.base_depth = self.depth;
    }

    /// Returns to the root, which becomes the base.
    pub fn rewind(&mut self) {
        self.base.clone_from(&self.root);
        self.base_depth = 0;
        self.reset();
    }

    /// The position.
    #[inline]
    pub fn position(&self) -> &G {
        match &self.history {
            Some(history) => history.position(),
            None => &self.now,
        }
    }

    /// Plays a legal move and returns the player to move after it.
    #[inline]
    pub fn play(&mut self, mv: G::Move) -> Player {
        self.depth += 1;
        match &mut self.history {
            Some(history) => {
                history.play(mv);
                history.position().to_move()
            }
            None => {
                self.now.play(mv);
                self.now.to_move()
            }
        }
    }

    /// The outcome, if the game is over.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        match &self.history {
            Some(history) => history.outcome(),
            None => outcome_within(&self.now, self.depth, self.depth_cap),
        }
    }

    /// The outcome after a move, if it ends the game.
    #[inline]
    pub fn outcome_after(&mut self, mv: G::Move) -> Option<Outcome> {
        match &mut self.history {
            Some(history) => {
                history.play(mv);
                let outcome = history.outcome();
                history.undo();
                outcome
            }
            None => {
                let mut next = self.now.clone();
                next.play(mv);
                outcome_within(&next, self.depth + 1, self.depth_cap)
            }
        }
    }

    /// Appends the legal moves.
    #[inline]
    pub fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        match &self.history {
            Some(history) => history.legal_moves(moves),
            None => self.now.legal_moves(moves),
        }
    }

    /// Whether nothing within this many plies can depend on the history.
    #[inline]
    pub fn is_bare(&self, plies: u32) -> bool {
        self.history.is_none() && plies <= self.depth_cap.saturating_sub(self.depth)
    }

    /// Whether the history forbids a move that the position allows.
    pub fn forbids(&self, mv: G::Move) -> bool {
        let history = self.history.as_ref().filter(|_| self.facts.repetition == Repetition::Forbidden);
        history.is_some_and(|history| history.repeats(mv))
    }

    /// The position to play out from and the largest length of the playout.
    ///
    /// The caller may change the position; only [`DescentPosition::reset`] may be called
    /// afterwards.
    #[inline]
    pub fn for_playout(&mut self) -> (&mut G, u32) {
        if let Some(history) = &self.history {
            self.now.clone_from(history.position());
        }
        (&mut self.now, (self.depth_cap - self.depth.min(self.depth_cap)).min(self.facts.length.plies()))
    }
}

/// A shallow search from here is exact: it sees what the history forbids and ends.
impl<G: Game> Walk<G> for DescentPosition<G> {
    const BARE: bool = false;

    fn position(&self) -> &G {
        DescentPosition::position(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        DescentPosition::outcome(self)
    }

    fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        DescentPosition::legal_moves(self, moves);
    }

    fn after<R>(&mut self, mv: G::Move, visit: impl FnOnce(&mut Self) -> R) -> R {
        self.depth += 1;
        let before = match &mut self.history {
            Some(history) => {
                history.play(mv);
                None
            }
            None => {
                let before = self.now.clone();
                self.now.play(mv);
                Some(before)
            }
        };
        let result = visit(self);
        match (&mut self.history, before) {
            (Some(history), _) => drop(history.undo()),
            (None, Some(before)) => self.now = before,
            (None, None) => unreachable!("a position without history was copied"),
        }
        self.depth -= 1;
        result
    }
}

#[inline]
fn outcome_within<G: Game>(position: &G, depth: u32, depth_cap: u32) -> Option<Outcome> {
    if position.is_over() {
        position.outcome()
    } else if depth >= depth_cap {
        Some(position.outcome_at_cap())
    } else {
        None
    }
}
