//! The transposition table of the depth-first searches: fixed in size, shared by all workers
//! without a lock.
//!
//! The first word of an entry is the key xored with its other words (Hyatt and Mann 2002): words of
//! different writers do not match and read as an empty entry. An [`Entry`] is three words, of which
//! five share a bucket of two adjacent cache lines. What an entry holds is a [`TableEntry`].
//!
//! A full table replaces the entries with the least work. Within a bucket that is the smallest
//! entry; and when the table is nearly full, all small entries are evicted at once (SmallTreeGC,
//! Nagai 1999), which preserves more of the large ones than bucket replacement alone.

use super::checkpoint::{CheckpointReader, CheckpointWriter, damaged};
use super::numbers;
use super::path::Dependency;
use crate::memory;
use bytemuck::try_zeroed_vec;
use crossbeam_utils::CachePadded;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use tesuji_core::ProofNumbers;

#[cfg(test)]
mod tests;

/// What a table stores under a key, as `N` words beside the key.
pub trait TableEntry<const N: usize>: Copy {
    /// The words of a bucket: a multiple of those of a cache line. A larger bucket loses fewer
    /// entries before the table is full, and every look-up reads more of it.
    const BUCKET_WORDS: usize;

    /// Packs the entry. The first word is not 0.
    fn packed(&self) -> [u64; N];

    /// Unpacks what [`packed`](TableEntry::packed) returned.
    fn unpacked(words: [u64; N]) -> Self;

    /// The work that the entry stands for; entries with the least are replaced.
    fn work(words: &[u64; N]) -> u32;

    /// Whether any of the results is final, so that the position is not searched again for it.
    fn is_solved(&self) -> bool;

    /// Whether the numbers do not contradict each other.
    fn is_valid(&self) -> bool;
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Proof and disproof number.
    pub numbers: ProofNumbers,
    /// The nodes spent below the position, at most [`MAX_WORK`].
    pub work: u32,
    /// The index of the best move among the legal moves, or [`NO_MOVE`].
    pub best: u16,
    /// A length in plies, whose meaning depends on the state of the entry.
    pub length: Length,
    /// The position was proven on some path, in a way that depends on the path.
    pub proven_on_a_path: bool,
    /// The position was disproven on some path, in a way that depends on the path.
    pub disproven_on_a_path: bool,
}

/// A length in plies. All variants are stored in the same 14 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// Unsolved: the minimal distance of the position from a root.
    Distance(u16),
    /// Solved on every path: the rank, an upper bound on the length of the rest of the game when
    /// the stored moves are played.
    Rank(u16),
    /// Solved for one path, under the key of the path: one more than the
    /// [ply that the result depends on](Dependency::ply).
    Dependency(u16),
}

impl Length {
    /// A result that holds for one path.
    #[inline]
    pub fn of_dependency(dependency: Dependency) -> Length {
        Length::Dependency((dependency.ply() + 1) as u16)
    }

    #[inline]
    fn bits(self) -> u16 {
        let (Length::Distance(plies) | Length::Rank(plies) | Length::Dependency(plies)) = self;
        plies.min(MAX_LENGTH)
    }
}

/// No best move is known.
pub const NO_MOVE: u16 = u16::MAX;
/// The largest amount of work that is counted.
pub const MAX_WORK: u32 = u32::MAX;
/// The largest length that is counted.
pub const MAX_LENGTH: u16 = (1 << 14) - 1;

impl Entry {
    /// The answer, if the position is solved.
    #[inline]
    pub fn answer(&self) -> Option<bool> {
        numbers::answer(self.numbers)
    }

    /// The rank of a position that is solved on every path, 0 for any other.
    #[inline]
    pub fn rank(&self) -> u16 {
        match self.length {
            Length::Rank(rank) => rank,
            Length::Distance(_) | Length::Dependency(_) => 0,
        }
    }
}

impl TableEntry<2> for Entry {
    const BUCKET_WORDS: usize = 16;

    #[inline]
    fn packed(&self) -> [u64; 2] {
        let numbers = u64::from(self.numbers.proof) | u64::from(self.numbers.disproof) << 32;
        let flags = u64::from(self.proven_on_a_path) << 62 | u64::from(self.disproven_on_a_path) << 63;
        let length = u64::from(self.length.bits());
        [numbers, u64::from(self.work) | u64::from(self.best) << 32 | length << 48 | flags]
    }

    // An entry that is stored under the key of a position.
    #[inline]
    fn unpacked([numbers, rest]: [u64; 2]) -> Entry {
        let numbers = ProofNumbers { proof: numbers as u32, disproof: (numbers >> 32) as u32 };
        let plies = (rest >> 48) as u16 & MAX_LENGTH;
        Entry {
            numbers,
            work: rest as u32,
            best: (rest >> 32) as u16,
            length: if numbers::answer(numbers).is_some() { Length::Rank(plies) } else { Length::Distance(plies) },
            proven_on_a_path: rest >> 62 & 1 == 1,
            disproven_on_a_path: rest >> 63 == 1,
        }
    }

    #[inline]
    fn work(words: &[u64; 2]) -> u32 {
        words[1] as u32
    }

    fn is_solved(&self) -> bool {
        self.answer().is_some()
    }

    fn is_valid(&self) -> bool {
        numbers::is_valid(self.numbers)
    }
}

/// A sweep starts when this many sixteenths of the table are occupied. Raising it makes sweeps
/// rarer, and buckets overflow more often before one.
const SWEEP_AT: usize = 15;
/// A sweep frees at least this many sixteenths of the table. Raising it makes sweeps rarer and
/// evicts more.
const SWEEP_OUT: usize = 5;

/// The number of words that a new table uses (2 MiB): what fits in a cache. Raising it makes small
/// searches slower, and moves entries less often in large ones.
const FIRST_WORDS: usize = 1 << 18;
/// The factor by which a table grows. A larger one moves entries less often, and spreads them
/// thinner.
const GROWTH: usize = 8;
/// The number of words (128 MiB) that are prefaulted at once when a table grows. Raising it
/// lengthens the pause during which a worker ignores its limits; pages beyond it are taken on first
/// use.
const MAX_PREFAULTED_WORDS: usize = 1 << 24;
/// A table grows when this many sixteenths of the buckets in use are occupied. Raising it lets more
/// buckets overflow before.
const GROW_AT: usize = 10;

/// The memory of loaded entries is released in portions of this many entries while they are
/// inserted. A larger portion takes more memory meanwhile.
const RELEASED_AT_ONCE: usize = 1 << 20;

/// The table of the searches that keep one pair of numbers per position.
pub type TranspositionTable = Table<Entry, 2>;

/// A transposition table of a fixed maximal size, which uses as much of it as it needs.
pub struct Table<E, const N: usize> {
    entry: PhantomData<fn() -> E>,
    /// The buckets. All zeros is an empty entry, because the first word of an entry is not 0.
    words: Vec<AtomicU64>,
    /// The offset of the first bucket, which aligns buckets with cache lines.
    first_word: usize,
    buckets: usize,
    /// The requested size in bytes.
    limit: usize,
    /// The number of buckets in use.
    active: AtomicUsize,
    /// Written with every new entry. Padded, so that the write does not invalidate the cache line
    /// that every look-up of the other workers reads.
    occupied: CachePadded<AtomicU64>,
    /// Whether a worker is growing or sweeping the table.
    reorganizing: AtomicBool,
    swept: AtomicU64,
}

impl<E: TableEntry<N>, const N: usize> Table<E, N> {
    /// Words in an entry.
    const ENTRY_WORDS: usize = N + 1;
    /// Entries in a bucket.
    const BUCKET_ENTRIES: usize = E::BUCKET_WORDS / Self::ENTRY_WORDS;

    /// Returns an empty table of at most `bytes` bytes; if the system refuses that much memory, of
    /// half as many, a quarter and so on. The memory is taken from the system as it is used.
    pub fn new(bytes: usize) -> Self {
        let mut buckets = (bytes / (8 * E::BUCKET_WORDS)).saturating_sub(1).max(1);
        let words: Vec<AtomicU64> = loop {
            match try_zeroed_vec((buckets + 1) * E::BUCKET_WORDS) {
                Ok(words) => break words,
                Err(()) => assert!(buckets > 1, "there is no memory for a single bucket"),
            }
            buckets /= 2;
        };
        memory::advise_huge_pages(&words);
        let misaligned = words.as_ptr() as usize / 8 % E::BUCKET_WORDS;
        Table {
            entry: PhantomData,
            words,
            first_word: (E::BUCKET_WORDS - misaligned) % E::BUCKET_WORDS,
            buckets,
            limit: bytes,
            active: AtomicUsize::new(buckets.min(FIRST_WORDS / E::BUCKET_WORDS)),
            occupied: CachePadded::new(AtomicU64::new(0)),
            reorganizing: AtomicBool::new(false),
            swept: AtomicU64::new(0),
        }
    }

    /// Takes the memory of a new table from the system before several workers use it. A single
    /// worker does not gain by it, and may need only a small part.
    pub fn prefault(&self) {
        memory::populate(self.bucket_words(0..self.active.load(Relaxed)));
    }

    /// The size of the full table in bytes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// The requested size in bytes. The system may have refused so much.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The maximal number of entries.
    pub fn capacity(&self) -> usize {
        self.buckets * Self::BUCKET_ENTRIES
    }

    /// The occupied part of the capacity, in [0, 1].
    pub fn load_factor(&self) -> f64 {
        self.occupied.load(Relaxed) as f64 / self.capacity() as f64
    }

    /// The number of entries evicted by sweeps.
    pub fn swept(&self) -> u64 {
        self.swept.load(Relaxed)
    }

    #[inline]
    fn bucket_of_key(&self, key: u64) -> &[AtomicU64] {
        self.bucket(bucket_index(key, self.active.load(Relaxed)))
    }

    #[inline]
    fn bucket(&self, index: usize) -> &[AtomicU64] {
        let begin = self.first_word + index * E::BUCKET_WORDS;
        &self.words[begin..begin + Self::BUCKET_ENTRIES * Self::ENTRY_WORDS]
    }

    fn bucket_words(&self, range: Range<usize>) -> &[AtomicU64] {
        &self.words[self.first_word + range.start * E::BUCKET_WORDS..self.first_word + range.end * E::BUCKET_WORDS]
    }

    #[inline]
    fn load(entry: &[AtomicU64]) -> (u64, [u64; N]) {
        let words = std::array::from_fn(|at| entry[at + 1].load(Relaxed));
        (words.iter().fold(entry[0].load(Relaxed), |key, word| key ^ word), words)
    }

    #[inline]
    fn store(entry: &[AtomicU64], key: u64, words: [u64; N]) {
        entry[0].store(words.iter().fold(key, |key, word| key ^ word), Relaxed);
        for (place, word) in entry[1..].iter().zip(words) {
            place.store(word, Relaxed);
        }
    }

    /// Prefetches the bucket of a key into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(self.bucket_of_key(key));
    }

    /// Returns the entry of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<E> {
        for place in self.bucket_of_key(key).chunks_exact(Self::ENTRY_WORDS) {
            let (found, words) = Self::load(place);
            if found == key && words[0] != 0 {
                return Some(E::unpacked(words));
            }
        }
        None
    }

    /// Stores an entry in the place of the previous one with this key, or of the one with the least
    /// work.
    #[inline]
    pub fn put(&self, key: u64, entry: E) {
        debug_assert!(entry.is_valid());
        let mut target = None;
        let mut least = u64::MAX;
        for place in self.bucket_of_key(key).chunks_exact(Self::ENTRY_WORDS) {
            let (found, words) = Self::load(place);
            if words[0] == 0 {
                target = Some(place);
                least = 0;
                continue;
            }
            if found == key {
                return Self::store(place, key, entry.packed());
            }
            let work = 1 + u64::from(E::work(&words));
            if work < least {
                least = work;
                target = Some(place);
            }
        }
        Self::store(target.expect("a bucket has entries"), key, entry.packed());
        if least == 0 {
            let occupied = self.occupied.fetch_add(1, Relaxed) as usize + 1;
            let active = self.active.load(Relaxed);
            if active == self.buckets {
                if occupied * 16 >= self.capacity() * SWEEP_AT {
                    self.sweep();
                }
            } else if occupied * 16 >= active * Self::BUCKET_ENTRIES * GROW_AT {
                self.grow();
            }
        }
    }

    /// Takes more buckets into use, and moves the entries to their new buckets. A worker that looks
    /// up a moving entry may miss it, or write it again: that costs only repeated work.
    #[cold]
    fn grow(&self) {
        if self.reorganizing.swap(true, Relaxed) {
            return;
        }
        let old = self.active.load(Relaxed);
        let new = (old * GROWTH).min(self.buckets);
        // Another worker may have grown the table between the check and the flag.
        if self.occupied.load(Relaxed) as usize * 16 >= old * Self::BUCKET_ENTRIES * GROW_AT {
            memory::populate(self.bucket_words(old..new.min(old + MAX_PREFAULTED_WORDS / E::BUCKET_WORDS)));
            self.active.store(new, Relaxed);
            // Entries move to higher buckets only: in descending order none is visited twice.
            for index in (0..old).rev() {
                for place in self.bucket(index).chunks_exact(Self::ENTRY_WORDS) {
                    let (key, words) = Self::load(place);
                    let target = bucket_index(key, new);
                    if words[0] == 0 || target == index {
                        continue;
                    }
                    Self::store(place, 0, [0; N]);
                    self.occupied.fetch_sub(u64::from(!self.move_to(target, key, words)), Relaxed);
                }
            }
        }
        self.reorganizing.store(false, Relaxed);
    }

    /// Puts an entry into a bucket unless the bucket has the key or is full; returns whether it
    /// did.
    fn move_to(&self, bucket: usize, key: u64, words: [u64; N]) -> bool {
        let mut free = None;
        for place in self.bucket(bucket).chunks_exact(Self::ENTRY_WORDS) {
            let (found, present) = Self::load(place);
            if present[0] == 0 {
                free = free.or(Some(place));
            } else if found == key {
                return false;
            }
        }
        free.map(|place| Self::store(place, key, words)).is_some()
    }

    /// Evicts the entries with the least work.
    #[cold]
    fn sweep(&self) {
        // A table of a few buckets would be swept over and over; replacement within buckets is
        // enough.
        if self.capacity() < 1 << 10 || self.reorganizing.swap(true, Relaxed) {
            return;
        }
        let mut sizes = [0u64; 33];
        self.for_each(|words, _| sizes[size_class::<E, N>(words)] += 1);
        let goal = self.capacity() as u64 * SWEEP_OUT as u64 / 16;
        let (mut cut, mut smaller) = (0, 0);
        while cut < sizes.len() && smaller < goal {
            smaller += sizes[cut];
            cut += 1;
        }
        let (mut remaining, mut evicted) = (0, 0);
        self.for_each(|words, place| {
            if size_class::<E, N>(words) < cut && evicted < goal {
                Self::store(place, 0, [0; N]);
                evicted += 1;
            } else {
                remaining += 1;
            }
        });
        self.occupied.store(remaining, Relaxed);
        self.swept.fetch_add(evicted, Relaxed);
        self.reorganizing.store(false, Relaxed);
    }

    fn for_each(&self, mut visit: impl FnMut([u64; N], &[AtomicU64])) {
        let buckets = self.bucket_words(0..self.active.load(Relaxed)).chunks_exact(E::BUCKET_WORDS);
        let entries = buckets
            .flat_map(|bucket| bucket[..Self::BUCKET_ENTRIES * Self::ENTRY_WORDS].chunks_exact(Self::ENTRY_WORDS));
        for place in entries {
            let (_, words) = Self::load(place);
            if words[0] != 0 {
                visit(words, place);
            }
        }
    }

    /// Writes all entries.
    pub fn save(&self, writer: &mut CheckpointWriter<'_>) -> io::Result<()> {
        let mut entries = 0;
        self.for_each(|_, _| entries += 1);
        writer.number(entries)?;
        let mut result = Ok(());
        self.for_each(|_, place| {
            let (key, words) = Self::load(place);
            for word in std::iter::once(key).chain(words) {
                if result.is_ok() {
                    result = writer.number(word);
                }
            }
        });
        result
    }

    /// Reads the entries that [`save`](Self::save) wrote. No memory is reserved for
    /// the stated number of entries, which may be wrong.
    pub fn load_entries(reader: &mut CheckpointReader<'_>) -> io::Result<Vec<LoadedEntry<N>>> {
        let mut loaded = Vec::new();
        for _ in 0..reader.number()? {
            let (key, mut words) = (reader.number()?, [0; N]);
            for word in &mut words {
                *word = reader.number()?;
            }
            if !E::unpacked(words).is_valid() {
                return Err(damaged("an entry has contradictory numbers"));
            }
            loaded.push(LoadedEntry { key, words });
        }
        Ok(loaded)
    }

    /// Writes the table, if there is one.
    pub fn save_if_any(table: Option<&Self>, writer: &mut CheckpointWriter<'_>) -> io::Result<()> {
        writer.number(table.map_or(0, |table| table.limit().max(1) as u64))?;
        table.map_or(Ok(()), |table| table.save(writer))
    }

    /// Reads what [`save_if_any`](Table::save_if_any) wrote.
    pub fn load_if_any(reader: &mut CheckpointReader<'_>) -> io::Result<SavedTable<N>> {
        let bytes = reader.number()?;
        let entries = if bytes > 0 { Self::load_entries(reader)? } else { Vec::new() };
        Ok(SavedTable { bytes, entries })
    }

    /// Returns the table that was loaded, if there was one. Its size is trustworthy only when the
    /// checkpoint is verified. It is the memory limit of the saved search; the next question
    /// replaces the table if the limit has changed.
    pub fn adopted(SavedTable { bytes, entries }: SavedTable<N>) -> Option<Self> {
        let limit = usize::try_from(bytes).unwrap_or(usize::MAX);
        (bytes > 0).then(|| Self::restored(limit, entries))
    }

    /// Returns a table of at most `bytes` bytes with the loaded entries; a smaller table than the
    /// saved one keeps the entries with the most work.
    pub fn restored(bytes: usize, mut loaded: Vec<LoadedEntry<N>>) -> Self {
        let table = Self::new(bytes);
        // The entries are in the order of buckets. A table that grows while they are inserted would
        // overflow in its first buckets before.
        let mut active = table.active.load(Relaxed);
        while active < table.buckets && loaded.len() * 16 >= active * Self::BUCKET_ENTRIES * GROW_AT {
            active = (active * GROWTH).min(table.buckets);
        }
        table.active.store(active, Relaxed);
        // In reverse, so that the memory of inserted entries can be released.
        while let Some(LoadedEntry { key, words }) = loaded.pop() {
            table.put(key, E::unpacked(words));
            if loaded.len().is_multiple_of(RELEASED_AT_ONCE) {
                loaded.shrink_to_fit();
            }
        }
        table
    }
}

impl TranspositionTable {
    /// Returns the result of a position that holds for one path, by the key of the path, and the
    /// position that it depends on.
    #[inline]
    pub fn get_for_path(&self, path_key: u64) -> Option<(Entry, Dependency)> {
        let entry = self.get(path_key)?;
        let Length::Rank(plies) = entry.length else { return None };
        Some((Entry { length: Length::Dependency(plies), ..entry }, Dependency::on_ply(i32::from(plies) - 1)))
    }
}

/// A table read from a checkpoint.
pub struct SavedTable<const N: usize> {
    /// The limit of the table; 0 if there was none.
    bytes: u64,
    entries: Vec<LoadedEntry<N>>,
}

/// An entry read from a checkpoint, with its key.
pub struct LoadedEntry<const N: usize> {
    key: u64,
    words: [u64; N],
}

/// The bucket of a key in a table of `buckets` buckets. It increases with the number of buckets.
#[inline]
fn bucket_index(key: u64, buckets: usize) -> usize {
    ((u128::from(key.wrapping_mul(0x9E37_79B9_7F4A_7C15)) * buckets as u128) >> 64) as usize
}

/// The size class of an entry: the binary logarithm of its work, and one more if it is solved,
/// because a solved position is not searched again.
fn size_class<E: TableEntry<N>, const N: usize>(words: [u64; N]) -> usize {
    let class = (32 - E::work(&words).leading_zeros()) as usize;
    (class + usize::from(E::unpacked(words).is_solved())).min(32)
}
