//! What the workers of a lambda search share, and their look-ups in the table.

use super::entry::{LambdaEntry, MAX_ORDER, Numbers, WORDS};
use super::settings::Settings;
use crate::proving::depth::{Pass, UNKNOWN_NUMBERS};
use crate::proving::numbers::DISPROVEN;
use crate::proving::path::{Dependency, SearchPath, Successor};
use crate::proving::table::Table;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use tesuji_core::{History, Knowledge, ProofNumbers, Question};

/// The table of a lambda search.
pub type LambdaTable = Table<LambdaEntry, WORDS>;

/// What the workers of a pass share.
pub struct Shared<'s, G: Knowledge> {
    pub table: &'s LambdaTable,
    pub settings: &'s Settings,
    pub root: &'s History<G>,
    pub question: Question,
    pub pass: Pass,
    /// The number xored to the keys of positions in the table.
    pub salt: u64,
    /// The length of the longest path since the table was created.
    pub deepest: &'s AtomicU32,
    /// The nodes after which a worker leaves the question to df-pn.
    pub granted: u64,
    /// Whether a worker has finished.
    pub done: AtomicBool,
    pub nodes: CachePadded<AtomicU64>,
    /// The number of workers below a position, by its key; empty for a single worker.
    pub workers_below: Vec<AtomicU8>,
}

/// The number xored to the key of a root at which the defender is to move. There the attacker's
/// last move need not be a threat, so that the results are not those of the same position in a
/// search.
const DEFENDING_ROOT: u64 = 0x5D58_8B65_6C07_8965;

/// What is known of a position on a path.
#[derive(Clone, Copy)]
pub struct Known {
    pub numbers: Numbers,
    pub rank: u16,
    /// The minimal distance from a root; `None` for a new position.
    pub distance: Option<u16>,
    /// The orders whose results hold on this path only, as a bit set, and what these depend on.
    of_path: u8,
    dependency: Dependency,
}

impl Known {
    /// A position that is not in the table.
    pub fn unvisited(numbers: Numbers) -> Known {
        let dependency = Dependency::PATH_INDEPENDENT;
        Known { numbers, rank: 0, distance: None, of_path: 0, dependency }
    }

    /// A position at which the attacker fails at all orders up to one.
    pub fn failing(order: usize) -> Known {
        let mut numbers = Numbers::initial(UNKNOWN_NUMBERS);
        numbers.set(order, DISPROVEN);
        Known::unvisited(numbers)
    }

    /// The numbers of an order, and what they depend on.
    #[inline]
    pub fn at(&self, order: usize) -> (ProofNumbers, Dependency) {
        let is_of_path = self.of_path >> order & 1 == 1;
        (self.numbers.at(order), if is_of_path { self.dependency } else { Dependency::PATH_INDEPENDENT })
    }
}

impl<'s, G: Knowledge> Shared<'s, G> {
    /// Returns the path that consists of the root alone.
    pub fn root_path(&self) -> SearchPath<'s, G> {
        SearchPath::new(self.root, self.question, self.pass.model.cycles, self.settings.static_bounds)
    }

    pub fn key(&self, position: &G) -> u64 {
        position.key() ^ self.salt
    }

    pub fn root_key(&self) -> u64 {
        let attacks = self.root.position().to_move() == self.question.prover();
        self.key(self.root.position()) ^ if attacks { 0 } else { DEFENDING_ROOT }
    }

    /// Whether several workers search.
    #[inline]
    pub fn is_parallel(&self) -> bool {
        !self.workers_below.is_empty()
    }

    /// Whether the length cap may end the game before a stored solution does.
    pub fn is_near_cap(&self, plies_left: u32, rank: u16) -> bool {
        plies_left <= self.deepest.load(Relaxed).max(u32::from(rank))
    }

    /// The entry of a position. Near the length cap its solved orders count as unknown, and are
    /// searched again.
    #[inline]
    pub fn usable_entry(&self, key: u64, path: &SearchPath<'_, G>) -> Option<LambdaEntry> {
        let mut entry = self.table.get(key)?;
        if self.is_near_cap(path.plies_left(), entry.rank) {
            let initial = Numbers::initial(UNKNOWN_NUMBERS);
            for order in 1..=MAX_ORDER {
                if entry.numbers.answer(order).is_some() {
                    entry.numbers.0[order - 1] = initial.at(order);
                }
            }
        }
        Some(entry)
    }

    /// Looks up a successor of the current position.
    #[inline]
    pub fn look_up(&self, path: &SearchPath<'_, G>, successor: &Successor<G>, key: u64) -> Option<Known> {
        self.look_up_key(path, key, || path.successor_path_key(key, &successor.position))
    }

    /// The same by the key of the successor. The path key is rarely needed.
    #[inline]
    pub fn look_up_key(&self, path: &SearchPath<'_, G>, key: u64, path_key: impl FnOnce() -> u64) -> Option<Known> {
        let entry = self.usable_entry(key, path)?;
        let mut known = Known {
            numbers: entry.numbers,
            rank: entry.rank,
            distance: Some(entry.distance),
            of_path: 0,
            dependency: Dependency::PATH_INDEPENDENT,
        };
        if entry.solved_on_a_path
            && let Some(result) = self.table.get(path_key())
        {
            known.dependency = Dependency::on_ply(i32::from(result.distance) - 1);
            known.rank = known.rank.max(result.rank);
            for order in 1..=MAX_ORDER {
                if known.numbers.answer(order).is_none() && result.numbers.answer(order).is_some() {
                    known.numbers.0[order - 1] = result.numbers.at(order);
                    known.of_path |= 1 << order;
                }
            }
        }
        Some(known)
    }
}
