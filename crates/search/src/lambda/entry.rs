//! The numbers of all orders at a position, and their entry in the table.

use crate::proving::numbers::{self, DISPROVEN, PROVEN, answer};
use crate::proving::table::{NO_MOVE, TableEntry};
use tesuji_core::ProofNumbers;

/// The largest order. Raising it makes every entry of the table larger.
pub const MAX_ORDER: usize = 5;

/// The numbers of the orders from 1 on. Order 0 needs none: one move resolves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers(pub [ProofNumbers; MAX_ORDER]);

impl Numbers {
    /// The numbers of a position of which nothing is known: those of a leaf, more the higher the
    /// order (Yoshizoe 2009: 2^(l-1)).
    #[inline]
    pub fn initial(leaf: ProofNumbers) -> Numbers {
        let of_order = |number: u32, order: usize| (u64::from(number) << order).min(u64::from(numbers::LARGEST)) as u32;
        Numbers(std::array::from_fn(|order| ProofNumbers {
            proof: of_order(leaf.proof, order),
            disproof: of_order(leaf.disproof, order),
        }))
    }

    /// The numbers of an order from 1 on.
    #[inline]
    pub fn at(&self, order: usize) -> ProofNumbers {
        self.0[order - 1]
    }

    /// The answer at an order from 1 on.
    #[inline]
    pub fn answer(&self, order: usize) -> Option<bool> {
        answer(self.at(order))
    }

    /// Whether any order is proven, which is proof that the attacker reaches the goal.
    #[inline]
    pub fn is_proven(&self) -> bool {
        self.0[MAX_ORDER - 1].proof == 0
    }

    /// Sets the numbers of an order. A proof holds for all higher orders as well, a disproof for
    /// all lower ones (Yoshizoe 2009, equations A.1 and A.2). Solved numbers do not change.
    #[inline]
    pub fn set(&mut self, order: usize, found: ProofNumbers) {
        let range = match answer(found) {
            Some(true) => order - 1..MAX_ORDER,
            Some(false) => 0..order,
            None => order - 1..order,
        };
        for numbers in &mut self.0[range] {
            if answer(*numbers).is_none() {
                *numbers = found;
            }
        }
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LambdaEntry {
    /// The numbers of all orders.
    pub numbers: Numbers,
    /// The nodes spent below the position.
    pub work: u32,
    /// The index of the best move among the legal moves, or [`NO_MOVE`]. If an order is proven, the
    /// move that proves the lowest rank.
    pub best: u16,
    /// If an order is proven: an upper bound on the length of the rest of the game.
    pub rank: u16,
    /// The minimal distance from a root. Under the key of a path, one more than the ply that the
    /// results depend on.
    pub distance: u16,
    /// Whether an order was solved on some path in a way that depends on the path.
    pub solved_on_a_path: bool,
}

impl LambdaEntry {
    /// An entry without work.
    pub fn new(numbers: Numbers, distance: u16) -> LambdaEntry {
        LambdaEntry { numbers, work: 0, best: NO_MOVE, rank: 0, distance, solved_on_a_path: false }
    }
}

/// The words of an entry beside its key. With the key it is one cache line.
pub const WORDS: usize = MAX_ORDER + 2;

impl TableEntry<WORDS> for LambdaEntry {
    const BUCKET_WORDS: usize = 4 * (WORDS + 1);

    #[inline]
    fn packed(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[0] = u64::from(self.work.max(1)) | u64::from(self.best) << 32;
        words[1] = u64::from(self.rank) | u64::from(self.distance) << 16 | u64::from(self.solved_on_a_path) << 32;
        for (word, numbers) in words[2..].iter_mut().zip(&self.numbers.0) {
            *word = u64::from(numbers.proof) | u64::from(numbers.disproof) << 32;
        }
        words
    }

    #[inline]
    fn unpacked(words: [u64; WORDS]) -> LambdaEntry {
        let numbers = |order: usize| {
            let word = words[order + 2];
            ProofNumbers { proof: word as u32, disproof: (word >> 32) as u32 }
        };
        LambdaEntry {
            numbers: Numbers(std::array::from_fn(numbers)),
            work: words[0] as u32,
            best: (words[0] >> 32) as u16,
            rank: words[1] as u16,
            distance: (words[1] >> 16) as u16,
            solved_on_a_path: words[1] >> 32 & 1 == 1,
        }
    }

    #[inline]
    fn work(words: &[u64; WORDS]) -> u32 {
        words[0] as u32
    }

    fn is_solved(&self) -> bool {
        self.numbers.0.iter().any(|&numbers| answer(numbers).is_some())
    }

    fn is_valid(&self) -> bool {
        // Once proven, always proven; and all is lost below a lost order.
        let is_ordered = |pair: &[ProofNumbers]| {
            (pair[0] != PROVEN || pair[1] == PROVEN) && (pair[1] != DISPROVEN || pair[0] == DISPROVEN)
        };
        self.numbers.0.iter().all(|&numbers| numbers::is_valid(numbers)) && self.numbers.0.windows(2).all(is_ordered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proving::table::Table;

    #[test]
    fn an_entry_is_one_cache_line() {
        assert_eq!(8 * (WORDS + 1), 64);
        let mut numbers = Numbers::initial(ProofNumbers { proof: 3, disproof: 1 });
        assert_eq!(numbers.at(4), ProofNumbers { proof: 24, disproof: 8 });
        numbers.set(2, DISPROVEN);
        numbers.set(4, PROVEN);
        let entry = LambdaEntry { work: 7, best: 300, rank: 9, distance: 4, ..LambdaEntry::new(numbers, 1) };
        let table: Table<LambdaEntry, WORDS> = Table::new(1 << 16);
        table.put(5, entry);
        assert_eq!(table.get(5), Some(entry));
        assert!(entry.is_valid() && entry.is_solved());
        assert_eq!(table.get(6), None);
    }

    #[test]
    fn a_proof_holds_upwards_and_a_disproof_downwards() {
        let mut numbers = Numbers::initial(ProofNumbers { proof: 1, disproof: 1 });
        numbers.set(2, DISPROVEN);
        assert_eq!([1, 2, 3].map(|order| numbers.answer(order)), [Some(false), Some(false), None]);
        numbers.set(4, PROVEN);
        assert_eq!([3, 4, 5].map(|order| numbers.answer(order)), [None, Some(true), Some(true)]);
        // What is solved stays as it is.
        numbers.set(5, DISPROVEN);
        numbers.set(1, PROVEN);
        assert_eq!([1, 2, 3].map(|order| numbers.answer(order)), [Some(false), Some(false), Some(false)]);
        assert!(numbers.is_proven());
    }
}
