//! Bit sets: `u64`, `u128` and [`Words`] under one trait, so that a game is written once and uses
//! the narrowest type that holds its board.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A set of small numbers.
pub trait Bits:
    Copy
    + Eq
    + std::fmt::Debug
    + std::hash::Hash
    + Send
    + Sync
    + 'static
    + Not<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const EMPTY: Self;

    /// Creates a set of one number.
    fn single(index: usize) -> Self;

    /// Creates a set from the first of these words.
    fn from_words(words: &[u64]) -> Self;

    /// Returns whether the set is empty.
    fn is_empty(self) -> bool;

    /// Returns the number of elements.
    fn count(self) -> u32;

    /// Returns the smallest element of a non-empty set.
    fn lowest(self) -> usize;

    /// Returns the set without its smallest element.
    fn without_lowest(self) -> Self;

    /// Returns whether the set contains a number.
    fn contains(self, index: usize) -> bool;

    /// Returns the elements in ascending order.
    #[inline]
    fn members(self) -> Members<Self> {
        Members(self)
    }

    /// Returns the element that has exactly `n` smaller elements.
    #[inline]
    fn nth(self, n: usize) -> usize {
        let mut rest = self;
        for _ in 0..n {
            rest = rest.without_lowest();
        }
        rest.lowest()
    }
}

/// An iterator over the elements of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Members<B>(B);

impl<B: Bits> Iterator for Members<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let lowest = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(lowest)
    }
}

macro_rules! bits_of_an_integer {
    ($integer:ty, $nth:ident) => {
        impl Bits for $integer {
            const EMPTY: Self = 0;

            #[inline]
            fn single(index: usize) -> Self {
                1 << index
            }

            #[inline]
            fn from_words(words: &[u64]) -> Self {
                let words = &words[..size_of::<Self>() / 8];
                words.iter().rev().fold(0, |set, &word| set.checked_shl(64).unwrap_or(0) | Self::from(word))
            }

            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn without_lowest(self) -> Self {
                self & (self.wrapping_sub(1))
            }

            #[inline]
            fn contains(self, index: usize) -> bool {
                self >> index & 1 == 1
            }

            #[inline]
            fn nth(self, n: usize) -> usize {
                $nth(self, n)
            }
        }
    };
}

bits_of_an_integer!(u64, nth_of_word);
bits_of_an_integer!(u128, nth_by_steps);

/// Finds the element with exactly `n` smaller elements by removing those one by one.
#[inline]
fn nth_by_steps<B: Bits>(set: B, n: usize) -> usize {
    let mut rest = set;
    for _ in 0..n {
        rest = rest.without_lowest();
    }
    rest.lowest()
}

/// The position of the n-th set bit of a byte, by byte and n.
static NTH_OF_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut n, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[n][byte] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Finds the n-th set bit of a word without branches (Vigna 2008, "Broadword implementation of
/// rank/select queries"): one multiplication sums up the counts of all bytes, which are compared
/// with n in parallel.
#[inline]
fn nth_of_word(set: u64, n: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let pairs = set - ((set >> 1) & (ONES * 0x55));
    let nibbles = (pairs & (ONES * 0x33)) + ((pairs >> 2) & (ONES * 0x33));
    let up_to_byte = ((nibbles + (nibbles >> 4)) & (ONES * 0x0F)).wrapping_mul(ONES);
    let bytes_before = (((n as u64).wrapping_mul(ONES) | (ONES << 7)) - up_to_byte) & (ONES << 7);
    let shift = 8 * bytes_before.count_ones();
    let before = (up_to_byte << 8 >> (shift & 63)) & 0xFF;
    let byte = (set >> (shift & 63)) & 0xFF;
    shift as usize + usize::from(NTH_OF_BYTE[(n - before as usize) & 7][byte as usize])
}

/// A set of up to 64 N numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Words<const N: usize>(pub [u64; N]);

impl<const N: usize> Words<N> {
    #[inline]
    fn combine(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Words(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> Bits for Words<N> {
    const EMPTY: Self = Words([0; N]);

    /// Computes every word. Writing a single word to memory would stall a later load of all words.
    #[inline]
    fn single(index: usize) -> Self {
        Words(std::array::from_fn(|i| if i == index / 64 { 1 << (index % 64) } else { 0 }))
    }

    #[inline]
    fn from_words(words: &[u64]) -> Self {
        Words(std::array::from_fn(|i| words[i]))
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn lowest(self) -> usize {
        let at = self.0.iter().position(|&word| word != 0).unwrap_or(N - 1);
        64 * at + self.0[at].trailing_zeros() as usize
    }

    #[inline]
    fn without_lowest(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }

    #[inline]
    fn contains(self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    #[inline]
    fn nth(self, mut n: usize) -> usize {
        for (at, &word) in self.0.iter().enumerate() {
            let count = word.count_ones() as usize;
            if n < count {
                return 64 * at + nth_of_word(word, n);
            }
            n -= count;
        }
        64 * N
    }
}

impl<const N: usize> Not for Words<N> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Words(std::array::from_fn(|i| !self.0[i]))
    }
}

impl<const N: usize> BitAnd for Words<N> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.combine(other, |a, b| a & b)
    }
}

impl<const N: usize> BitOr for Words<N> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.combine(other, |a, b| a | b)
    }
}

impl<const N: usize> BitXor for Words<N> {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.combine(other, |a, b| a ^ b)
    }
}

impl<const N: usize> BitAndAssign for Words<N> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const N: usize> BitOrAssign for Words<N> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const N: usize> BitXorAssign for Words<N> {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

/// Shifts by less than 64.
#[expect(clippy::suspicious_arithmetic_impl, reason = "a shift over words is made of shifts both ways")]
impl<const N: usize> Shl<u32> for Words<N> {
    type Output = Self;

    #[inline]
    fn shl(self, by: u32) -> Self {
        debug_assert!((1..64).contains(&by));
        Words(std::array::from_fn(|i| {
            let carried = if i > 0 { self.0[i - 1] >> (64 - by) } else { 0 };
            self.0[i] << by | carried
        }))
    }
}

/// Shifts by less than 64.
#[expect(clippy::suspicious_arithmetic_impl, reason = "a shift over words is made of shifts both ways")]
impl<const N: usize> Shr<u32> for Words<N> {
    type Output = Self;

    #[inline]
    fn shr(self, by: u32) -> Self {
        debug_assert!((1..64).contains(&by));
        Words(std::array::from_fn(|i| {
            let carried = if i + 1 < N { self.0[i + 1] << (64 - by) } else { 0 };
            self.0[i] >> by | carried
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_of_a_word_is_found_without_steps() {
        let mut set = 0x1234_5678_9ABC_DEF0u64;
        for round in 0..2_000 {
            set = set.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let thinned = if round % 2 == 0 { set } else { set & set.rotate_left(13) & set.rotate_left(29) };
            assert!(thinned.members().eq((0..thinned.count() as usize).map(|n| thinned.nth(n))));
        }
        assert!((0..64).all(|n| (!0u64).nth(n) == n));
    }

    #[test]
    fn words_do_what_u128_does() {
        let mut number = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321u128;
        for by in 1..64 {
            number = number.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let words = Words([number as u64, (number >> 64) as u64]);
            let same = |words: Words<2>, number: u128| words.0 == [number as u64, (number >> 64) as u64];
            assert!(same(words << by, number << by));
            assert!(same(words >> by, number >> by));
            assert!(same(!words, !number));
            assert_eq!(words.count(), number.count());
            assert_eq!(u128::from_words(&words.0), number);
            assert_eq!(u64::from_words(&words.0), number as u64);
            assert_eq!(Words::<2>::from_words(&words.0), words);
            assert_eq!(words.lowest(), number.lowest());
            assert!(words.members().eq(number.members()));
            assert_eq!(words.nth(5), number.nth(5));
            assert_eq!(words.contains(by as usize), number.contains(by as usize));
        }
    }
}
