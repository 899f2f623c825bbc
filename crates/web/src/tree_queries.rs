//! Pending requests to inspect a search tree: added by the connection, answered by the thread that
//! has the tree.

use crate::message::{GameState, Response, TreeContent};
use crate::outbox::Outbox;
use std::sync::atomic::{AtomicBool, Ordering::AcqRel, Ordering::Release};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tesuji_catalog::Session;
use tesuji_core::RootMove;

/// A game and the moves played so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePath {
    spec: String,
    start: String,
    moves: Vec<String>,
}

impl GamePath {
    pub fn of(game: &dyn Session) -> GamePath {
        GamePath { spec: game.spec().to_string(), start: game.start(), moves: game.moves() }
    }

    /// Returns the moves from here to a later point of the same game; `None` if it is not one.
    fn moves_to<'p>(&self, later: &'p GamePath) -> Option<&'p [String]> {
        let same = self.spec == later.spec && self.start == later.start;
        if same { later.moves.strip_prefix(self.moves.as_slice()) } else { None }
    }
}

/// A request for the tree content at the end of a line.
pub struct TreeQuery {
    pub id: u64,
    /// The position from which `line` starts.
    pub from: GamePath,
    pub line: Vec<String>,
    /// The position at the end of `line`.
    pub state: GameState,
    /// When to stop waiting for a search that does not report.
    pub deadline: Instant,
}

impl TreeQuery {
    fn answer(&self, moves: Option<Vec<RootMove<String>>>, outbox: &Outbox) {
        let facts = &self.state.facts;
        let moves = moves.map(|moves| moves.into_iter().map(|entry| entry.in_points(facts)).collect());
        let ok = TreeContent { line: &self.line, moves, state: &self.state };
        outbox.send(&Response::Ok { id: self.id, ok });
    }
}

/// The most pending queries; each holds a whole position.
const MAX_PENDING: usize = 32;

/// The pending queries of a connection.
#[derive(Default)]
pub struct TreeQueries {
    pending: Mutex<Vec<TreeQuery>>,
    /// Whether the search worker has a command to answer them that it has not executed yet.
    is_announced: AtomicBool,
}

impl TreeQueries {
    /// Adds a query; an error if too many are pending.
    pub fn add(&self, query: TreeQuery) -> Result<(), String> {
        let mut pending = self.lock();
        if pending.len() >= MAX_PENDING {
            return Err(format!("{MAX_PENDING} tree queries are pending; ask again after one is answered"));
        }
        pending.push(query);
        Ok(())
    }

    /// Returns whether the search worker needs a command to answer the queries. While a search
    /// runs, commands wait; a second one would only lengthen the queue.
    pub fn announce(&self) -> bool {
        !self.is_announced.swap(true, AcqRel)
    }

    /// Notes that the search worker executes the command. It then answers all queries added before.
    pub fn acknowledge(&self) {
        self.is_announced.store(false, Release);
    }

    /// Returns the earliest deadline.
    pub fn deadline(&self) -> Option<Instant> {
        self.lock().iter().map(|query| query.deadline).min()
    }

    /// Answers the queries past their deadline with no content.
    pub fn expire(&self, now: Instant, outbox: &Outbox) {
        for query in self.lock().extract_if(.., |query| query.deadline <= now) {
            query.answer(None, outbox);
        }
    }

    /// Answers all queries from a tree at `root`; `find` returns its content at the end of a line.
    pub fn answer(
        &self,
        root: Option<&GamePath>,
        outbox: &Outbox,
        find: impl Fn(&[String]) -> Option<Vec<RootMove<String>>>,
    ) {
        let pending = std::mem::take(&mut *self.lock());
        for query in pending {
            let since = root.and_then(|root| root.moves_to(&query.from));
            let moves = since.and_then(|since| find(&[since, &query.line].concat()));
            query.answer(moves, outbox);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<TreeQuery>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_command_answers_all_queries_added_before_it() {
        let queries = TreeQueries::default();
        assert!(queries.announce());
        assert!(!queries.announce(), "the first command is still queued");
        queries.acknowledge();
        assert!(queries.announce());
    }

    #[test]
    fn a_tree_covers_the_positions_after_its_root() {
        let path = |position| GamePath::of(tesuji_catalog::open("hex:4", position).unwrap().as_ref());
        let root = path("start moves a1");
        assert_eq!(root.moves_to(&path("start moves a1 b2")), Some(["b2".to_string()].as_slice()));
        assert_eq!(root.moves_to(&path("start moves a1")), Some([].as_slice()));
        assert_eq!(root.moves_to(&path("start")), None);
        assert_eq!(root.moves_to(&path("start moves b1 a2")), None);
    }
}
