//! A column of tiles as packed bits.
//!
//! A tile has four bits: 0 is an empty cell, colours count from 1. Three of them lie side by side,
//! so that 21 rows fit a word; the fourth, which only more than seven colours need, has a word of
//! its own. Both words use bits 3r to 3r + 2 for row r. A set of cells has bit 3r for each of its
//! rows r; a *full* set has all three bits, which makes the tiles of a vertical run one run of
//! ones: additions carry through it, and `pext` removes it from both words.

/// The set of all cells.
pub const ALL: u64 = 0o111_111_111_111_111_111_111;

/// The columns whose sets are interleaved in one word.
pub const PER_WORD: usize = 3;
/// The words of the interleaved sets of all columns.
pub const WORDS: usize = super::MOST.div_ceil(PER_WORD);

/// The tiles of a column, from the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The three low bits of each tile.
    pub low: u64,
    /// The high bit of each tile, at bit 3r.
    pub high: u64,
}

impl Column {
    /// A column without tiles.
    pub const EMPTY: Column = Column { low: 0, high: 0 };

    /// A tile in every row.
    #[inline]
    pub fn all(tile: u8) -> Column {
        Column { low: u64::from(tile & 7) * ALL, high: u64::from(tile >> 3) * ALL }
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// The tile in a row.
    #[inline]
    pub fn tile(self, row: usize) -> u8 {
        (self.low >> (3 * row) & 7 | (self.high >> (3 * row) & 1) << 3) as u8
    }

    /// A column full of the tile in a cell.
    #[inline]
    pub fn colour_of(self, cell: u64) -> Column {
        let shift = cell.trailing_zeros();
        Column { low: (self.low >> shift & 7) * ALL, high: (self.high >> shift & 1) * ALL }
    }

    /// The column with another tile in an empty row.
    pub fn with_tile(self, row: usize, tile: u8) -> Column {
        let one = Column::all(tile);
        Column { low: self.low | one.low & 7 << (3 * row), high: self.high | one.high & 1 << (3 * row) }
    }

    /// The column as seen one row higher.
    #[inline]
    pub fn above(self) -> Column {
        Column { low: self.low >> 3, high: self.high >> 3 }
    }

    /// Cells that differ from another column, among other bits.
    #[inline]
    pub fn differs(self, other: Column) -> u64 {
        let low = self.low ^ other.low;
        low | low >> 1 | low >> 2 | self.high ^ other.high
    }

    /// The set of cells that equal another column.
    #[inline]
    pub fn equals(self, other: Column) -> u64 {
        !self.differs(other) & ALL
    }

    /// The set of cells with a tile.
    #[inline]
    pub fn occupied(self) -> u64 {
        self.differs(Column::EMPTY) & ALL
    }

    /// The column without the cells of a full set; the tiles above fall down. Only `WIDE` boards
    /// have high bits.
    #[inline]
    pub fn without<const WIDE: bool>(self, full: u64) -> Column {
        Column { low: extract(self.low, !full), high: if WIDE { extract(self.high, !full) } else { 0 } }
    }
}

/// The bits that are set in a word, from the lowest.
#[inline]
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        bit
    })
}

/// The full set of a run of `cells` from one of its cells to its top.
#[inline]
pub fn run_from(cells: u64, cell: u64) -> u64 {
    let full = (cells << 3) - cells;
    full & !(full + cell)
}

/// The full set of the runs of `cells` that contain any of `seeds`.
///
/// Adding the seeds carries through each run that has one, to the cell above it. The run below that
/// cell begins at the start of the same number: the first end belongs to the first start.
#[inline]
pub fn runs_with(cells: u64, seeds: u64) -> u64 {
    let above = cells << 3;
    let full = above - cells;
    let ends = (full + seeds) & !full;
    let (all_starts, all_ends) = (cells & !above, above & !cells);
    ends - deposit(extract(ends, all_ends), all_starts)
}

/// Bit number `number` of a word, counted from 0 among the bits that are set.
#[inline]
pub fn nth_bit(word: u64, number: u32) -> u64 {
    deposit(1 << number, word)
}

/// Gathers the bits of `word` that `mask` selects at the low end: the instruction `pext`.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[allow(unsafe_code)]
#[inline]
fn extract(word: u64, mask: u64) -> u64 {
    // SAFETY: this is compiled only for processors that have the instruction.
    unsafe { std::arch::x86_64::_pext_u64(word, mask) }
}

/// Scatters the low bits of `word` to the bits that `mask` selects: the instruction `pdep`.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[allow(unsafe_code)]
#[inline]
fn deposit(word: u64, mask: u64) -> u64 {
    // SAFETY: this is compiled only for processors that have the instruction.
    unsafe { std::arch::x86_64::_pdep_u64(word, mask) }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use portable::{deposit, extract};

/// The same for processors without these instructions, and for tests.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
mod portable {
    /// Closes the gaps of the mask, from the highest to the lowest.
    pub fn extract(word: u64, mask: u64) -> u64 {
        let (mut word, mut gaps) = (word & mask, !mask);
        while gaps != 0 {
            let top = 63 - gaps.leading_zeros();
            let length = (gaps << (63 - top)).leading_ones();
            let below = (1 << (top + 1 - length)) - 1;
            word = word & below | word.unbounded_shr(length) & !below;
            gaps &= below;
        }
        word
    }

    /// Visits the bits of the word: a small number of them is set.
    pub fn deposit(mut word: u64, mask: u64) -> u64 {
        let (mut mask, mut scattered) = (mask, 0);
        while word != 0 && mask != 0 {
            scattered |= mask & mask.wrapping_neg() & (word & 1).wrapping_neg();
            mask &= mask - 1;
            word >>= 1;
        }
        scattered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Rng;

    #[test]
    fn bits_are_moved_as_by_the_portable_form() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let (word, mask) = (rng.bits() & rng.bits(), rng.bits() & rng.bits());
            assert_eq!(extract(word, mask), portable::extract(word, mask), "{word:x} {mask:x}");
            assert_eq!(deposit(word, mask), portable::deposit(word, mask), "{word:x} {mask:x}");
        }
        assert_eq!(portable::extract(5, 0), 0);
        assert_eq!(portable::extract(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(portable::deposit(0b101, 0b1101_0000), 0b1001_0000);
    }

    #[test]
    fn a_run_is_found_from_any_of_its_cells() {
        let mut rng = Rng::new(2);
        let below_top = ALL >> 3;
        for _ in 0..5000 {
            let cells = rng.bits() & below_top;
            let seeds = cells & rng.bits() & rng.bits();
            let mut found = seeds;
            for _ in 0..20 {
                found |= (found << 3 | found >> 3) & cells;
            }
            assert_eq!(runs_with(cells, seeds), found * 7, "{cells:o} {seeds:o}");
            let lowest = seeds & seeds.wrapping_neg();
            if lowest != 0 {
                let upper = runs_with(cells, lowest) & !(lowest - 1);
                assert_eq!(run_from(cells, lowest), upper, "{cells:o} {lowest:o}");
            }
        }
    }

    #[test]
    fn tiles_above_removed_ones_fall() {
        let mut column = Column::EMPTY;
        for (row, tile) in [1, 10, 3, 8, 8, 7].into_iter().enumerate() {
            column = column.with_tile(row, tile);
        }
        assert_eq!(bits(column.occupied()).collect::<Vec<_>>(), [0, 3, 6, 9, 12, 15]);
        assert_eq!(bits(column.equals(Column::all(8))).collect::<Vec<_>>(), [9, 12]);
        let column = column.without::<true>(0o77_070);
        let tiles: Vec<u8> = (0..7).map(|row| column.tile(row)).collect();
        assert_eq!(tiles, [1, 3, 7, 0, 0, 0, 0]);
    }

    #[test]
    fn set_bits_are_numbered_from_the_lowest() {
        let word = 0b1001_0100;
        assert_eq!([0, 1, 2].map(|number| nth_bit(word, number)), [0b100, 0b1_0000, 0b1000_0000]);
    }
}
