//! Looks into a search tree: asked at the table, answered where the tree is.

use crate::message::{Answer, Looked, State};
use crate::outbox::Outbox;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tesuji_catalog::Session;
use tesuji_core::RootMove;

/// A game and how far it has gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    spec: String,
    start: String,
    moves: Vec<String>,
}

impl Place {
    pub fn of(game: &dyn Session) -> Place {
        Place { spec: game.spec().to_string(), start: game.start(), moves: game.moves() }
    }

    /// The moves by which the same game has gone on to another place; `None` if it has not.
    fn to<'p>(&self, other: &'p Place) -> Option<&'p [String]> {
        let same = self.spec == other.spec && self.start == other.start;
        if same { other.moves.strip_prefix(self.moves.as_slice()) } else { None }
    }
}

/// A question about the end of a line.
pub struct Look {
    pub id: u64,
    /// Where the line begins.
    pub from: Place,
    pub line: Vec<String>,
    /// The position at its end.
    pub state: State,
    /// How long to wait for a search that does not show itself.
    pub until: Instant,
}

impl Look {
    fn answer(&self, moves: Option<Vec<RootMove<String>>>, outbox: &Outbox) {
        let ok = Looked { line: &self.line, moves, state: &self.state };
        outbox.send(&Answer::Ok { id: self.id, ok });
    }
}

/// So many wait for an answer at most; each holds a whole position.
const MOST: usize = 32;

/// The questions that wait for an answer.
#[derive(Default)]
pub struct Looks(Mutex<Vec<Look>>);

impl Looks {
    /// Takes a question; an error if too many wait.
    pub fn add(&self, look: Look) -> Result<(), String> {
        let mut waiting = self.lock();
        if waiting.len() >= MOST {
            return Err(format!("{MOST} looks wait for an answer; ask again when one has come"));
        }
        waiting.push(look);
        Ok(())
    }

    /// How long the one that waits longest will wait.
    pub fn until(&self) -> Option<Instant> {
        self.lock().iter().map(|look| look.until).min()
    }

    /// Answers those that have waited long enough: there is nothing to be seen.
    pub fn give_up(&self, now: Instant, outbox: &Outbox) {
        for look in self.lock().extract_if(.., |look| look.until <= now) {
            look.answer(None, outbox);
        }
    }

    /// Answers all of them from a tree at `root`, in which `find` looks along a line.
    pub fn answer(
        &self,
        root: Option<&Place>,
        outbox: &Outbox,
        find: impl Fn(&[String]) -> Option<Vec<RootMove<String>>>,
    ) {
        let waiting = std::mem::take(&mut *self.lock());
        for look in waiting {
            let since = root.and_then(|root| root.to(&look.from));
            let moves = since.and_then(|since| find(&[since, &look.line].concat()));
            look.answer(moves, outbox);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Look>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_serves_the_positions_that_follow_from_its_root() {
        let place = |position| Place::of(tesuji_catalog::open("hex:4", position).unwrap().as_ref());
        let root = place("start moves a1");
        assert_eq!(root.to(&place("start moves a1 b2")), Some(["b2".to_string()].as_slice()));
        assert_eq!(root.to(&place("start moves a1")), Some([].as_slice()));
        assert_eq!(root.to(&place("start")), None);
        assert_eq!(root.to(&place("start moves b1 a2")), None);
    }
}
