//! Where positions have their children, so that equal positions can share them.
//!
//! Statistics of a position's moves are then the same by whichever way it was reached (UCT1 of Childs, Brodeur & Kocsis 2008:
//! the moves into it keep their own). What the past forbids may differ, so nothing is proved through shared children unless
//! the game cannot repeat; `mcts` refuses such combinations.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Parts of the index, each with its lock: workers rarely meet.
const SHARDS: usize = 64;

/// The bytes of a bucket of a hash map: a key, a value, and the byte that says whether there is one.
const BUCKET: usize = size_of::<(u64, (u32, u16))>() + 1;

/// The children of positions by their keys. When it is full, new positions are not remembered, and have children of their own.
pub struct Positions {
    shards: Vec<Mutex<FxHashMap<u64, (u32, u16)>>>,
    /// The most positions of a part.
    most: usize,
}

impl Positions {
    /// An empty index that never takes more than so many bytes.
    pub fn new(bytes: usize) -> Positions {
        // A hash map has a power of two of buckets, of which it fills seven eighths.
        let buckets = (bytes / SHARDS / BUCKET).max(8).ilog2();
        Positions { shards: (0..SHARDS).map(|_| Mutex::default()).collect(), most: (1 << buckets) / 8 * 7 }
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, FxHashMap<u64, (u32, u16)>> {
        self.shards[key as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first slot and the number of the children of a position.
    pub fn find(&self, key: u64) -> Option<(u32, usize)> {
        self.shard(key).get(&key).map(|&(first, count)| (first, usize::from(count)))
    }

    /// Remembers the children of a position.
    pub fn insert(&self, key: u64, first: u32, count: usize) {
        let mut shard = self.shard(key);
        if let Some(entry) = shard.get_mut(&key) {
            *entry = (first, count as u16);
        } else if shard.len() < self.most {
            shard.insert(key, (first, count as u16));
        }
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

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        let capacity = |shard: &Mutex<FxHashMap<u64, (u32, u16)>>| {
            shard.lock().unwrap_or_else(PoisonError::into_inner).capacity() as u64
        };
        self.shards.iter().map(|shard| capacity(shard) * 8 / 7 * BUCKET as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_of_positions_stays_within_its_bytes() {
        for bytes in [20_000, 100_000, 1_000_000] {
            let positions = Positions::new(bytes);
            (0..200_000u64).for_each(|key| positions.insert(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), key as u32, 1));
            assert!(positions.bytes() <= bytes as u64, "{} of {bytes}", positions.bytes());
            assert!(positions.bytes() > bytes as u64 / 3, "{} of {bytes}", positions.bytes());
            assert_eq!(positions.find(0), Some((0, 1)));
        }
    }
}
