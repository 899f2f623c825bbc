//! The transposition table.

use super::Window;
use super::bounds::NodeResult;

/// How the value of an entry relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValueKind {
    Exact = 0,
    LowerBound = 1,
    UpperBound = 2,
}

impl ValueKind {
    /// Classifies a fail-soft value by the window it was searched with.
    #[inline]
    pub fn of(value: i32, window: &Window) -> ValueKind {
        if value >= window.beta {
            ValueKind::LowerBound
        } else if value <= window.alpha {
            ValueKind::UpperBound
        } else {
            ValueKind::Exact
        }
    }
}

/// An entry of the transposition table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub result: NodeResult,
    pub kind: ValueKind,
    pub depth: u8,
    /// Whether the value does not depend on a horizon.
    pub complete: bool,
    /// The index of the best move, or [`NO_MOVE`].
    pub best: u16,
}

/// The move index of an entry without a best move.
pub(super) const NO_MOVE: u16 = u16::MAX;

impl Entry {
    /// Whether the value causes a cutoff in a search with this window.
    pub fn cuts(&self, window: &Window) -> bool {
        match self.kind {
            ValueKind::Exact => true,
            ValueKind::LowerBound => self.result.value >= window.beta,
            ValueKind::UpperBound => self.result.value <= window.alpha,
        }
    }

    fn packed(&self, key: u64, generation: u32) -> [u64; 4] {
        let low = |number: i32| u64::from(number as u32);
        let NodeResult { value, at_least, at_most, at_least_plies, at_most_plies } = self.result;
        let flags = self.kind as u64 | u64::from(self.complete) << 2;
        [
            key,
            low(value) | low(at_least) << 32,
            low(at_most) | u64::from(self.best) << 32 | u64::from(self.depth) << 48 | flags << 56,
            u64::from(at_least_plies) | u64::from(at_most_plies) << 16 | u64::from(generation) << 32,
        ]
    }

    fn unpacked(words: [u64; 4]) -> Entry {
        let flags = words[2] >> 56;
        Entry {
            result: NodeResult {
                value: words[1] as i32,
                at_least: (words[1] >> 32) as i32,
                at_most: words[2] as i32,
                at_least_plies: words[3] as u16,
                at_most_plies: (words[3] >> 16) as u16,
            },
            kind: match flags & 3 {
                0 => ValueKind::Exact,
                1 => ValueKind::LowerBound,
                _ => ValueKind::UpperBound,
            },
            depth: (words[2] >> 48) as u8,
            complete: flags & 4 != 0,
            best: (words[2] >> 32) as u16,
        }
    }
}

/// A transposition table with two entries per bucket (TwoDeep, Breuker 1998).
///
/// A bucket is one cache line with two entries of four words each. The first entry is replaced only
/// by one of at least its depth, the second always.
///
/// ```text
/// word 0  key
/// word 1  value (32 bits), at least (32)
/// word 2  at most (32), index of the best move (16), depth (8), kind (2) and complete (1)
/// word 3  plies of the two bounds (16 each), generation (32)
/// ```
pub(super) struct TranspositionTable {
    words: Vec<u64>,
    /// The index of the first word that is aligned to a cache line.
    start: usize,
    buckets: usize,
    /// Entries of other generations count as empty: every search starts with an empty table.
    pub generation: u32,
}

const BUCKET_WORDS: usize = 8;

impl TranspositionTable {
    /// Returns the number of buckets for `memory` bytes and a search of at most `nodes` nodes.
    pub fn buckets_for(memory: usize, nodes: Option<u64>) -> usize {
        let fitting = (memory / (8 * BUCKET_WORDS)).saturating_sub(1);
        nodes.map_or(fitting, |nodes| fitting.min(nodes.clamp(1, 1 << 40).next_power_of_two() as usize))
    }

    pub fn new(buckets: usize) -> TranspositionTable {
        // Zeroed memory comes untouched from the system, so unused pages cost nothing.
        let words = vec![0u64; (buckets + 1) * BUCKET_WORDS];
        let start = words.as_ptr().align_offset(64).min(BUCKET_WORDS);
        TranspositionTable { words, start, buckets, generation: 1 }
    }

    /// Empties the table for a search that needs `buckets` buckets.
    ///
    /// Returns false if the table cannot be reused.
    pub fn reuse(&mut self, buckets: usize) -> bool {
        let fits = self.buckets == buckets && self.generation < u32::MAX;
        self.generation += u32::from(fits);
        fits
    }

    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64
    }

    #[inline]
    fn bucket(&mut self, key: u64) -> &mut [u64] {
        let number = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.start + number * BUCKET_WORDS;
        &mut self.words[start..start + BUCKET_WORDS]
    }

    #[inline]
    pub fn find(&mut self, key: u64) -> Option<Entry> {
        let generation = self.generation;
        let bucket = self.bucket(key);
        let matches = |words: &[u64]| words[0] == key && words[3] >> 32 == u64::from(generation);
        let words = [&bucket[..4], &bucket[4..]].into_iter().find(|words| matches(words))?;
        Some(Entry::unpacked([words[0], words[1], words[2], words[3]]))
    }

    /// Stores an entry. Returns true if it evicted another one.
    pub fn store(&mut self, key: u64, mut entry: Entry) -> bool {
        let generation = self.generation;
        let bucket = self.bucket(key);
        let is_used = |words: &[u64]| words[3] >> 32 == u64::from(generation);
        let [same_first, same_second] = [0, 4].map(|at| is_used(&bucket[at..at + 4]) && bucket[at] == key);
        if same_first || same_second {
            // Proven bounds of the same position stay valid.
            let at = if same_first { 0 } else { 4 };
            let old = Entry::unpacked([bucket[at], bucket[at + 1], bucket[at + 2], bucket[at + 3]]);
            entry.result = NodeResult { value: entry.result.value, ..entry.result.within(&old.result) };
            if entry.best == NO_MOVE {
                entry.best = old.best;
            }
        }
        let first_depth = (bucket[2] >> 48) as u8;
        let takes_first = same_first || !is_used(&bucket[..4]) || entry.depth >= first_depth;
        let moves_first = takes_first && !same_first && is_used(&bucket[..4]);
        let evicts = !same_first && !same_second && is_used(&bucket[4..]) && (moves_first || !takes_first);
        if moves_first {
            bucket.copy_within(..4, 4);
        }
        let at = if takes_first { 0 } else { 4 };
        bucket[at..at + 4].copy_from_slice(&entry.packed(key, generation));
        evicts
    }
}
