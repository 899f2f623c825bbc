//! The table of the depth-first searches: fixed in size, shared by all workers without a lock.
//!
//! An entry is three words, and the first is the key xored with the other two (Hyatt and Mann 2002): words of different writers do not
//! fit together, and are taken for nothing. Five entries share a bucket of two neighbouring cache lines.
//!
//! When there is no room, what was least work goes. Within a bucket that is the smallest entry; and when the table is nearly full, all small
//! entries are swept out at once (Nagai's SmallTreeGC), which keeps more of the large ones than buckets alone would.

use super::saved::{Opener, Sealer, damaged};
use crate::memory;
use bytemuck::try_zeroed_vec;
use crossbeam_utils::CachePadded;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use tesuji_core::{INFINITE, ProofNumbers};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Proof and disproof number.
    pub numbers: ProofNumbers,
    /// The nodes spent below it, at most [`MOST_WORK`].
    pub work: u32,
    /// The place of the best move among the legal ones; [`NO_MOVE`] if there is none.
    pub best: u16,
    /// The shortest way from a root in plies. In a solved entry its rank: how long the game may last that way. In an entry for one
    /// path, one more than the ply it rests on.
    pub distance: u16,
    /// Somebody proved it along a path of his own.
    pub proved_somewhere: bool,
    /// Somebody disproved it along a path of his own.
    pub disproved_somewhere: bool,
}

/// No best move is known.
pub const NO_MOVE: u16 = u16::MAX;
/// Work is counted no further.
pub const MOST_WORK: u32 = u32::MAX;
/// Distances are counted no further.
pub const FARTHEST: u16 = (1 << 14) - 1;

impl Entry {
    /// The answer, if it is known.
    #[inline]
    pub fn answer(&self) -> Option<bool> {
        match (self.numbers.proof, self.numbers.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }

    #[inline]
    fn packed(&self) -> [u64; 2] {
        let numbers = u64::from(self.numbers.proof) | u64::from(self.numbers.disproof) << 32;
        let flags = u64::from(self.proved_somewhere) << 62 | u64::from(self.disproved_somewhere) << 63;
        let distance = u64::from(self.distance.min(FARTHEST));
        [numbers, u64::from(self.work) | u64::from(self.best) << 32 | distance << 48 | flags]
    }

    #[inline]
    fn unpacked([numbers, rest]: [u64; 2]) -> Entry {
        Entry {
            numbers: ProofNumbers { proof: numbers as u32, disproof: (numbers >> 32) as u32 },
            work: rest as u32,
            best: (rest >> 32) as u16,
            distance: (rest >> 48) as u16 & FARTHEST,
            proved_somewhere: rest >> 62 & 1 == 1,
            disproved_somewhere: rest >> 63 == 1,
        }
    }
}

/// Words in a bucket.
const BUCKET: usize = 16;
/// Words in an entry.
const ENTRY: usize = 3;
/// Entries in a bucket.
const PLACES: usize = BUCKET / ENTRY;
/// A sweep begins when so many of 16 places are taken. Raising it makes sweeps rarer and buckets overflow more often before.
const SWEEP_AT: usize = 15;
/// A sweep frees at least so many of 16 places. Raising it makes sweeps rarer and loses more.
const SWEEP_OUT: usize = 5;

/// A table begins with so many buckets: what a cache holds. Raising it makes small searches slower and fewer moves of entries in large ones.
const FIRST_BUCKETS: usize = 1 << 14;
/// When it grows, it grows by this factor; a larger one moves entries less often, and spreads them thinner.
const GROWTH: usize = 8;
/// When it grows, so many buckets (128 MiB) at most are taken from the system at once. Raising it makes the pause longer in which a worker heeds no limit;
/// what is beyond comes page by page.
const MOST_TAKEN: usize = 1 << 20;
/// It grows when so many of 16 places are taken. Raising it lets more buckets overflow before.
const GROW_AT: usize = 10;

/// Saved entries are given back to the system in portions of so many when they are taken up; a larger one takes more memory meanwhile.
const GIVEN_BACK: usize = 1 << 20;

/// A table of a fixed size, of which it uses as much as it needs.
pub struct Table {
    /// Buckets one after the other; all zero is empty, for no entry has two numbers of zero.
    words: Vec<AtomicU64>,
    /// Where the first bucket begins, so that buckets begin with cache lines.
    begin: usize,
    buckets: usize,
    /// The bytes it might have taken.
    limit: usize,
    /// The buckets in use.
    open: AtomicUsize,
    /// Written with every new entry: in the line of what every look needs, it would take that away from the other workers each time.
    taken: CachePadded<AtomicU64>,
    sweeping: AtomicBool,
    swept: AtomicU64,
}

impl Table {
    /// An empty table of at most so many bytes: of half as many, or a quarter ..., where the system refuses more. The memory is taken from the
    /// system as it is used.
    pub fn new(bytes: usize) -> Table {
        let mut buckets = (bytes / (8 * BUCKET)).saturating_sub(1).max(1);
        let words: Vec<AtomicU64> = loop {
            match try_zeroed_vec((buckets + 1) * BUCKET) {
                Ok(words) => break words,
                Err(()) => assert!(buckets > 1, "there is no memory for a single bucket"),
            }
            buckets /= 2;
        };
        memory::make_large(&words);
        let behind = words.as_ptr() as usize / 8 % BUCKET;
        Table {
            words,
            begin: (BUCKET - behind) % BUCKET,
            buckets,
            limit: bytes,
            open: AtomicUsize::new(buckets.min(FIRST_BUCKETS)),
            taken: CachePadded::new(AtomicU64::new(0)),
            sweeping: AtomicBool::new(false),
            swept: AtomicU64::new(0),
        }
    }

    /// Takes the memory of a new table from the system, for several workers. One alone does not gain by it, and may need but a few buckets.
    pub fn take(&self) {
        memory::take(self.buckets_at(0..self.open.load(Relaxed)));
    }

    /// The bytes it takes when it is full.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// The bytes it was made for. The system may have given it less.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The entries it has room for.
    pub fn room(&self) -> usize {
        self.buckets * PLACES
    }

    /// The part of the places that are taken.
    pub fn fill(&self) -> f64 {
        self.taken.load(Relaxed) as f64 / self.room() as f64
    }

    /// Entries thrown away in sweeps.
    pub fn swept(&self) -> u64 {
        self.swept.load(Relaxed)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        self.bucket_at(bucket_of(key, self.open.load(Relaxed)))
    }

    #[inline]
    fn bucket_at(&self, number: usize) -> &[AtomicU64] {
        let begin = self.begin + number * BUCKET;
        &self.words[begin..begin + PLACES * ENTRY]
    }

    fn buckets_at(&self, numbers: Range<usize>) -> &[AtomicU64] {
        &self.words[self.begin + numbers.start * BUCKET..self.begin + numbers.end * BUCKET]
    }

    #[inline]
    fn load(place: &[AtomicU64]) -> (u64, [u64; 2]) {
        let words = [place[1].load(Relaxed), place[2].load(Relaxed)];
        (place[0].load(Relaxed) ^ words[0] ^ words[1], words)
    }

    #[inline]
    fn store(place: &[AtomicU64], key: u64, words: [u64; 2]) {
        place[0].store(key ^ words[0] ^ words[1], Relaxed);
        place[1].store(words[0], Relaxed);
        place[2].store(words[1], Relaxed);
    }

    /// Brings the bucket of a key near, for a look that comes soon.
    #[inline]
    pub fn fetch(&self, key: u64) {
        memory::fetch(self.bucket(key));
    }

    /// What is known of a key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        for place in self.bucket(key).chunks_exact(ENTRY) {
            let (found, words) = Table::load(place);
            if found == key && words[0] != 0 {
                return Some(Entry::unpacked(words));
            }
        }
        None
    }

    /// Keeps what is known of a key, in the place of what was known before or of what was least work.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        debug_assert!(entry.numbers.proof != 0 || entry.numbers.disproof == INFINITE);
        let mut target = None;
        let mut least = u64::MAX;
        for place in self.bucket(key).chunks_exact(ENTRY) {
            let (found, words) = Table::load(place);
            if words[0] == 0 {
                target = Some(place);
                least = 0;
                continue;
            }
            if found == key {
                return Table::store(place, key, entry.packed());
            }
            let work = 1 + u64::from(words[1] as u32);
            if work < least {
                least = work;
                target = Some(place);
            }
        }
        Table::store(target.expect("a bucket has places"), key, entry.packed());
        if least == 0 {
            let taken = self.taken.fetch_add(1, Relaxed) as usize + 1;
            let open = self.open.load(Relaxed);
            if open == self.buckets {
                if taken * 16 >= self.room() * SWEEP_AT {
                    self.sweep();
                }
            } else if taken * 16 >= open * PLACES * GROW_AT {
                self.grow();
            }
        }
    }

    /// Takes more buckets into use, and moves the entries to where they belong then. Who looks meanwhile may find nothing, or write an entry
    /// anew: nothing is lost by that but work.
    #[cold]
    fn grow(&self) {
        if self.sweeping.swap(true, Relaxed) {
            return;
        }
        let old = self.open.load(Relaxed);
        let new = (old * GROWTH).min(self.buckets);
        // Another worker may have grown it between the look at the number and the flag.
        if self.taken.load(Relaxed) as usize * 16 >= old * PLACES * GROW_AT {
            memory::take(self.buckets_at(old..new.min(old + MOST_TAKEN)));
            self.open.store(new, Relaxed);
            // Entries move to higher buckets only. From the last to the first, none is met twice.
            for number in (0..old).rev() {
                for place in self.bucket_at(number).chunks_exact(ENTRY) {
                    let (key, words) = Table::load(place);
                    let target = bucket_of(key, new);
                    if words[0] == 0 || target == number {
                        continue;
                    }
                    Table::store(place, 0, [0, 0]);
                    self.taken.fetch_sub(u64::from(!self.move_to(target, key, words)), Relaxed);
                }
            }
        }
        self.sweeping.store(false, Relaxed);
    }

    /// Puts an entry into a bucket, unless somebody has done so or there is no room; whether it is one more there.
    fn move_to(&self, bucket: usize, key: u64, words: [u64; 2]) -> bool {
        let mut free = None;
        for place in self.bucket_at(bucket).chunks_exact(ENTRY) {
            let (found, there) = Table::load(place);
            if there[0] == 0 {
                free = free.or(Some(place));
            } else if found == key {
                return false;
            }
        }
        free.map(|place| Table::store(place, key, words)).is_some()
    }

    /// Throws the small entries out.
    #[cold]
    fn sweep(&self) {
        // Tables of a few buckets overflow by themselves, and sweeping them over and over would be all they do.
        if self.room() < 1 << 10 || self.sweeping.swap(true, Relaxed) {
            return;
        }
        let mut sizes = [0u64; 33];
        self.for_each(|words, _| sizes[size_of(words)] += 1);
        let goal = self.room() as u64 * SWEEP_OUT as u64 / 16;
        let (mut cut, mut out) = (0, 0);
        while cut < sizes.len() && out < goal {
            out += sizes[cut];
            cut += 1;
        }
        let (mut kept, mut gone) = (0, 0);
        self.for_each(|words, place| {
            if size_of(words) < cut && gone < goal {
                Table::store(place, 0, [0, 0]);
                gone += 1;
            } else {
                kept += 1;
            }
        });
        self.taken.store(kept, Relaxed);
        self.swept.fetch_add(gone, Relaxed);
        self.sweeping.store(false, Relaxed);
    }

    fn for_each(&self, mut visit: impl FnMut([u64; 2], &[AtomicU64])) {
        let buckets = self.buckets_at(0..self.open.load(Relaxed));
        for place in buckets.chunks_exact(BUCKET).flat_map(|bucket| bucket[..PLACES * ENTRY].chunks_exact(ENTRY)) {
            let (_, words) = Table::load(place);
            if words[0] != 0 {
                visit(words, place);
            }
        }
    }

    /// Writes all entries.
    pub fn save(&self, sealer: &mut Sealer<'_>) -> io::Result<()> {
        let mut entries = 0;
        self.for_each(|_, _| entries += 1);
        sealer.number(entries)?;
        let mut result = Ok(());
        self.for_each(|_, place| {
            let (key, words) = Table::load(place);
            for word in [key, words[0], words[1]] {
                if result.is_ok() {
                    result = sealer.number(word);
                }
            }
        });
        result
    }

    /// Reads what [`save`](Table::save) wrote. How many entries there are is believed only as far as they come.
    pub fn saved(opener: &mut Opener<'_>) -> io::Result<Vec<Saved>> {
        let mut saved = Vec::new();
        for _ in 0..opener.number()? {
            let (key, words) = (opener.number()?, [opener.number()?, opener.number()?]);
            let entry = Entry::unpacked(words);
            let is_solved = entry.numbers.proof == 0 || entry.numbers.disproof == 0;
            let is_infinite = entry.numbers.proof == INFINITE || entry.numbers.disproof == INFINITE;
            if is_solved != is_infinite {
                return Err(damaged("an entry makes no sense"));
            }
            saved.push(Saved { key, words });
        }
        Ok(saved)
    }

    /// A table of at most so many bytes with saved entries; a smaller one than theirs keeps what was most work.
    pub fn restored(bytes: usize, mut saved: Vec<Saved>) -> Table {
        let table = Table::new(bytes);
        // They come in the order of buckets. A table that grew while they come in would overflow in its first buckets before.
        let mut open = table.open.load(Relaxed);
        while open < table.buckets && saved.len() * 16 >= open * PLACES * GROW_AT {
            open = (open * GROWTH).min(table.buckets);
        }
        table.open.store(open, Relaxed);
        // From the last to the first, so that what is in the table already need not be held twice.
        while let Some(Saved { key, words }) = saved.pop() {
            table.put(key, Entry::unpacked(words));
            if saved.len().is_multiple_of(GIVEN_BACK) {
                saved.shrink_to_fit();
            }
        }
        table
    }
}

/// An entry that was saved, with its key.
pub struct Saved {
    key: u64,
    words: [u64; 2],
}

/// The bucket of a key among so many. More buckets have larger numbers.
#[inline]
fn bucket_of(key: u64, buckets: usize) -> usize {
    ((u128::from(key.wrapping_mul(0x9E37_79B9_7F4A_7C15)) * buckets as u128) >> 64) as usize
}

/// The size class of an entry: what is solved counts as one class more, for it need not be looked at again.
fn size_of(words: [u64; 2]) -> usize {
    let entry = Entry::unpacked(words);
    let class = (32 - entry.work.leading_zeros()) as usize;
    (class + usize::from(entry.answer().is_some())).min(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(work: u32) -> Entry {
        Entry {
            numbers: ProofNumbers { proof: 3, disproof: 7 },
            work,
            best: 2,
            distance: 9,
            proved_somewhere: false,
            disproved_somewhere: true,
        }
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_knows() {
        let table = Table::new(64 << 20);
        let key = |number: u64| (number + 1).wrapping_mul(0xD129_0C1E_9E4D_2B67);
        let count = table.room() as u64 / 4;
        let (mut grown, mut open) = (0, table.open.load(Relaxed));
        for number in 0..count {
            table.put(key(number), entry(number as u32 + 1));
            if table.open.load(Relaxed) != open {
                open = table.open.load(Relaxed);
                grown += 1;
                let known = (0..=number).filter(|&number| table.get(key(number)).is_some()).count() as u64;
                let mut counted = 0;
                table.for_each(|_, _| counted += 1);
                assert_eq!((known, table.taken.load(Relaxed)), (counted, counted));
                assert!(known * 100 > number * 98, "{known} of {number}");
            }
        }
        assert_eq!((grown, open), (2, table.buckets));
    }

    #[test]
    fn an_entry_comes_back_as_it_was_kept() {
        let table = Table::new(1 << 16);
        for key in [0, 1, u64::MAX, 0x1234_5678_9ABC_DEF0] {
            assert_eq!(table.get(key), None);
            table.put(key, entry(5));
            assert_eq!(table.get(key), Some(entry(5)));
            table.put(key, entry(6));
            assert_eq!(table.get(key), Some(entry(6)));
        }
    }

    #[test]
    fn large_work_outlives_small_work_and_the_table_never_grows() {
        let table = Table::new(1 << 16);
        let bytes = table.bytes();
        assert!(bytes <= 1 << 16);
        let key = |number: u64| number.wrapping_mul(0x2545_F491_4F6C_DD1D);
        let large: Vec<u64> = (0..table.room() as u64 / 10).map(key).collect();
        large.iter().for_each(|&key| table.put(key, entry(1_000_000)));
        (1_000_000..1_100_000).map(key).for_each(|key| table.put(key, entry(1)));
        let kept = large.iter().filter(|&&key| table.get(key).is_some()).count();
        assert!(kept * 20 > large.len() * 19, "{kept} of {}", large.len());
        assert!(table.swept() > 0);
        assert!(table.fill() <= 1.0);
        assert_eq!(table.bytes(), bytes);
    }

    fn save(table: &Table) -> Vec<u8> {
        let mut file = Vec::new();
        let mut sealer = Sealer::new(&mut file, "a table").unwrap();
        table.save(&mut sealer).unwrap();
        sealer.seal().unwrap();
        file
    }

    fn restore(mut file: &[u8], bytes: usize) -> Table {
        let mut opener = Opener::new(&mut file, "a table").unwrap();
        let saved = Table::saved(&mut opener).unwrap();
        opener.check().unwrap();
        Table::restored(bytes, saved)
    }

    #[test]
    fn a_table_is_restored_from_what_was_saved() {
        let table = Table::new(1 << 14);
        (1..100).for_each(|key| table.put(key * 77, entry(key as u32)));
        let other = restore(&save(&table), 1 << 15);
        assert!((1..100).all(|key| other.get(key * 77) == table.get(key * 77)));
    }

    #[test]
    fn a_large_table_survives_nearly_whole_whatever_it_is_restored_into() {
        let table = Table::new(64 << 20);
        let key = |number: u64| (number + 1).wrapping_mul(0xD129_0C1E_9E4D_2B67);
        // Until it has opened all, and before.
        for count in [100_000, 300_000, 700_000] {
            (0..count).for_each(|number| table.put(key(number), entry(number as u32 + 1)));
            let known: Vec<u64> = (0..count).map(key).filter(|&key| table.get(key).is_some()).collect();
            let file = save(&table);
            for bytes in [table.bytes(), 40 << 20, 200 << 20] {
                let other = restore(&file, bytes);
                let kept = known.iter().filter(|&&key| other.get(key) == table.get(key)).count();
                assert!(kept * 100 >= known.len() * 98, "{kept} of {} in {bytes} bytes", known.len());
            }
        }
    }

    #[test]
    fn a_table_that_the_system_refuses_is_smaller() {
        let table = Table::new(usize::MAX);
        assert!(table.bytes() < table.limit());
        table.put(7, entry(5));
        assert_eq!(table.get(7), Some(entry(5)));
    }
}
