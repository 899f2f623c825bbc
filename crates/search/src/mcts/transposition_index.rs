//! The transposition index: the children of positions by key, so that equal positions share them.
//!
//! The statistics of a position's moves are then the same on every path to it (UCT1 of Childs,
//! Brodeur & Kocsis 2008; the moves that lead to it keep statistics of their own). The history may
//! forbid different moves on different paths, so nothing is proven through shared children unless
//! the game cannot repeat; `mcts` refuses such combinations.

use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of shards, each with its own lock, so that workers rarely contend.
const SHARDS: usize = 64;

/// The id of the first child and the number of children, by key.
type Shard = FxHashMap<u64, (u32, u16)>;

/// The bytes of a hash map bucket: a key, a value, and a control byte.
const BUCKET_BYTES: usize = size_of::<(u64, (u32, u16))>() + 1;

/// The children of positions by key. When it is full, new positions are not indexed, and do not
/// share their children.
pub struct TranspositionIndex {
    shards: Vec<Mutex<Shard>>,
    /// The largest number of entries in a shard.
    shard_capacity: usize,
}

impl TranspositionIndex {
    /// Creates an empty index that uses at most `bytes` bytes.
    pub fn new(bytes: usize) -> TranspositionIndex {
        // A hash map has a power of two of buckets and fills seven eighths of them.
        let buckets = (bytes / SHARDS / BUCKET_BYTES).max(8).ilog2();
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        TranspositionIndex { shards, shard_capacity: (1 << buckets) / 8 * 7 }
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, Shard> {
        self.shards[key as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of the first child and the number of children of a position.
    pub fn find(&self, key: u64) -> Option<(u32, usize)> {
        self.shard(key).get(&key).map(|&(first, count)| (first, usize::from(count)))
    }

    /// Adds or replaces the children of a position.
    pub fn insert(&self, key: u64, first: u32, count: usize) {
        let mut shard = self.shard(key);
        if let Some(entry) = shard.get_mut(&key) {
            *entry = (first, count as u16);
        } else if shard.len() < self.shard_capacity {
            shard.insert(key, (first, count as u16));
        }
    }

    /// Updates blocks that have moved and removes those that are missing from `moved`.
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

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.shards.iter_mut().for_each(|shard| shard.get_mut().unwrap_or_else(PoisonError::into_inner).clear());
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let capacity = |shard: &Mutex<Shard>| shard.lock().unwrap_or_else(PoisonError::into_inner).capacity() as u64;
        self.shards.iter().map(|shard| capacity(shard) * 8 / 7 * BUCKET_BYTES as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_stays_within_its_memory() {
        for bytes in [20_000, 100_000, 1_000_000] {
            let index = TranspositionIndex::new(bytes);
            (0..200_000u64).for_each(|key| index.insert(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), key as u32, 1));
            assert!(index.bytes() <= bytes as u64, "{} of {bytes}", index.bytes());
            assert!(index.bytes() > bytes as u64 / 3, "{} of {bytes}", index.bytes());
            assert_eq!(index.find(0), Some((0, 1)));
        }
    }
}
