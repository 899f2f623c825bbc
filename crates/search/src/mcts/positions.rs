//! Where positions have their children, so that equal positions can share them.
//!
//! Statistics of a position's moves are then the same by whichever way it was reached (UCT1 of Childs, Brodeur & Kocsis 2008:
//! the moves into it keep their own). What the past forbids may differ, so nothing is proved through shared children unless
//! the game cannot repeat; `mcts` refuses such combinations.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parts of the index, each with its lock: workers rarely meet.
const SHARDS: usize = 64;

/// The children of positions by their keys.
pub struct Positions {
    shards: Vec<Mutex<FxHashMap<u64, (u32, u16)>>>,
}

impl Default for Positions {
    fn default() -> Positions {
        Positions { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }
}

impl Positions {
    fn shard(&self, key: u64) -> MutexGuard<'_, FxHashMap<u64, (u32, u16)>> {
        self.shards[key as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first slot and the number of the children of a position.
    pub fn find(&self, key: u64) -> Option<(u32, usize)> {
        self.shard(key).get(&key).map(|&(first, count)| (first, usize::from(count)))
    }

    /// Remembers the children of a position.
    pub fn insert(&self, key: u64, first: u32, count: usize) {
        self.shard(key).insert(key, (first, count as u16));
    }

    /// Changes places that have moved, and forgets those that are gone.
    pub fn move_blocks(&mut self, moved: &FxHashMap<u32, u32>) {
        for shard in &mut self.shards {
            let entries = shard.get_mut().unwrap_or_else(PoisonError::into_inner);
            entries.retain(|_, (first, _)| match moved.get(first) {
                Some(&now) => {
                    *first = now;
                    true
                }
                None => false,
            });
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.shards.iter_mut().for_each(|shard| shard.get_mut().unwrap_or_else(PoisonError::into_inner).clear());
    }

    /// The bytes it takes: a key, a value and the control byte, at the usual load of a hash map.
    pub fn bytes(&self) -> u64 {
        self.shards
            .iter()
            .map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).capacity() as u64 * 19)
            .sum()
    }
}
