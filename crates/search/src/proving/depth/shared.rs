//! The state that the workers of a pass share, and their look-ups in the table.

use super::passes::{EarlierQuestion, Pass, mix};
use super::settings::Settings;
use crate::proving::path::{Dependency, SearchPath, Successor};
use crate::proving::table::{Entry, Length, NO_MOVE, TranspositionTable};
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use tesuji_core::{History, Knowledge, ProofNumbers, Question};

/// The numbers of a position of which nothing is known.
pub const UNKNOWN_NUMBERS: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
/// The entry of a position of which nothing is known.
pub const UNKNOWN: Entry = Entry {
    numbers: UNKNOWN_NUMBERS,
    work: 0,
    best: NO_MOVE,
    length: Length::Distance(0),
    proven_on_a_path: false,
    disproven_on_a_path: false,
};

/// The number of worker counters. Raising it makes fewer positions share a counter.
const COUNTERS: usize = 1 << 14;

/// Returns the worker counters of a pass: none for a single thread.
pub fn worker_counters(threads: usize) -> Vec<AtomicU8> {
    if threads > 1 { (0..COUNTERS).map(|_| AtomicU8::new(0)).collect() } else { Vec::new() }
}

/// The counter of workers below a position, in a parallel search.
#[inline]
pub fn worker_counter(counters: &[AtomicU8], key: u64) -> Option<&AtomicU8> {
    counters.get(key as usize % COUNTERS)
}

/// What the workers of a pass share.
pub struct SharedState<'s, G: Knowledge> {
    pub table: &'s TranspositionTable,
    pub settings: &'s Settings,
    pub root: &'s History<G>,
    pub question: Question,
    pub pass: Pass,
    /// The number xored to the keys of positions in the table.
    pub salt: u64,
    /// Earlier questions that may answer this one at some positions.
    pub earlier: Vec<EarlierQuestion>,
    /// The length of the longest path since the table was created.
    pub deepest: &'s AtomicU32,
    /// Whether a worker has finished.
    pub done: AtomicBool,
    pub nodes: CachePadded<AtomicU64>,
    /// The number of workers below a position, by its key; empty for a single worker.
    pub workers_below: Vec<AtomicU8>,
}

impl<'s, G: Knowledge> SharedState<'s, G> {
    /// Returns the path that consists of the root alone.
    pub fn root_path(&self) -> SearchPath<'s, G> {
        SearchPath::new(self.root, self.question, self.pass.model.cycles, self.settings.initial.static_bounds)
    }

    pub fn key(&self, successor: &Successor<G>) -> u64 {
        let key = successor.position.key() ^ self.salt;
        if successor.occurrences == 0 { key } else { mix(key.wrapping_add(u64::from(successor.occurrences))) }
    }

    pub fn root_key(&self) -> u64 {
        self.root.position().key() ^ self.salt
    }

    /// Whether several workers search.
    #[inline]
    pub fn is_parallel(&self) -> bool {
        !self.workers_below.is_empty()
    }

    /// The counter of workers below a position, in a parallel search.
    #[inline]
    pub fn worker_counter(&self, key: u64) -> Option<&AtomicU8> {
        worker_counter(&self.workers_below, key)
    }

    /// Whether the length cap may end the game before a stored solution does.
    pub fn is_near_cap(&self, plies_left: u32, solved: &Entry) -> bool {
        plies_left <= self.deepest.load(Relaxed).max(u32::from(solved.rank()))
    }

    /// Looks up the successor of the current position: its key, its entry, and the position that a
    /// solved entry depends on.
    pub fn look_up(&self, path: &SearchPath<'_, G>, successor: &Successor<G>) -> (u64, Option<Entry>, Dependency) {
        let key = self.key(successor);
        let (entry, depends_on) = self.look_up_key(path, key, || path.successor_path_key(key, &successor.position));
        (key, entry, depends_on)
    }

    /// The same by the key of the successor. The path key is rarely needed.
    #[inline]
    pub fn look_up_key(
        &self,
        path: &SearchPath<'_, G>,
        key: u64,
        path_key: impl FnOnce() -> u64,
    ) -> (Option<Entry>, Dependency) {
        let Some(mut entry) = self.table.get(key) else { return (None, Dependency::PATH_INDEPENDENT) };
        if let Length::Rank(rank) = entry.length
            && self.is_near_cap(path.plies_left(), &entry)
        {
            // The position is searched again. Its distance was lost when it was solved; the rank
            // stands in for it.
            (entry.numbers, entry.length) = (UNKNOWN_NUMBERS, Length::Distance(rank));
        }
        if (entry.proven_on_a_path || entry.disproven_on_a_path)
            && let Some((result, depends_on)) = self.table.get_for_path(path_key())
        {
            return (Some(result), depends_on);
        }
        (Some(entry), Dependency::PATH_INDEPENDENT)
    }

    /// The answer that an earlier question implies for a successor, and the entry that it comes
    /// from.
    #[inline]
    pub fn implied(&self, path: &SearchPath<'_, G>, successor: &Successor<G>) -> Option<(bool, Entry)> {
        self.earlier.iter().find_map(|asked| {
            let entry = self.table.get(successor.position.key() ^ asked.salt)?;
            let holds = asked.implies(entry.answer()?, self.question.at_least)?;
            (!self.is_near_cap(path.plies_left(), &entry)).then_some((holds, entry))
        })
    }
}
