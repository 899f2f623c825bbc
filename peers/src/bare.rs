//! Connect-4 as a bare loop over two words, 7 columns by 6 rows, written only for random playouts:
//! no tree, no trait, no options. A general engine that matches its speed has no overhead.
//!
//! The board is stored column by column, six cells and a spare bit each, so that lines do not wrap
//! over the edge.

use crate::{Peer, Work, playouts};
use rand::RngCore;
use rand::rngs::SmallRng;

pub const PEERS: [Peer; 2] = [
    Peer {
        game: "connect4",
        name: "bare loop, by rank",
        note: "",
        work: Work::Playouts(|time, rng| playouts(time, || playout(rng, ByRank))),
    },
    Peer {
        game: "connect4",
        name: "bare loop, draw again",
        note: "",
        work: Work::Playouts(|time, rng| playouts(time, || playout(rng, DrawAgain { bits: 0, draws_left: 0 }))),
    },
];

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
const STRIDE: u32 = ROWS + 1;

/// The lowest cell of every column.
const BOTTOM: u64 = {
    let (mut cells, mut column) = (0, 0);
    while column < COLUMNS {
        cells |= 1 << (column * STRIDE);
        column += 1;
    }
    cells
};

/// How a column is sampled, uniformly among those that are not full. Which way is faster depends on
/// the machine, so both are measured.
trait Draw {
    /// Returns the lowest cell of a column that is not full; `open` has the lowest cells of all
    /// such columns, at least one.
    fn column(&mut self, open: u64, rng: &mut SmallRng) -> u64;
}

/// Samples an index among the columns that are not full, with one random number.
struct ByRank;

/// Multiplies the lowest cells of the columns into seven adjacent bits: cell 7c and factor 36 - 6c
/// meet at bit 36 + c, and no other pair of a cell and a factor does.
const GATHER: u64 = {
    let (mut factor, mut column) = (0, 0);
    while column < COLUMNS {
        factor |= 1 << (36 - 6 * column);
        column += 1;
    }
    factor
};

/// The shift to the lowest cell of the n-th column of a set, by set of columns.
static SHIFTS: [[u8; 8]; 1 << COLUMNS] = {
    let mut shifts = [[0; 8]; 1 << COLUMNS];
    let mut set = 0;
    while set < 1 << COLUMNS {
        let (mut column, mut rank) = (0, 0);
        while column < COLUMNS {
            if set >> column & 1 == 1 {
                shifts[set][rank] = (column * STRIDE) as u8;
                rank += 1;
            }
            column += 1;
        }
        set += 1;
    }
    shifts
};

impl Draw for ByRank {
    #[inline]
    fn column(&mut self, open: u64, rng: &mut SmallRng) -> u64 {
        let rank = (u128::from(rng.next_u64()) * u128::from(open.count_ones())) >> 64;
        let set = (open.wrapping_mul(GATHER) >> 36) as usize & ((1 << COLUMNS) - 1);
        1 << SHIFTS[set][rank as usize]
    }
}

/// Takes three random bits at a time until they name a column that is not full; most are not.
struct DrawAgain {
    bits: u64,
    draws_left: u32,
}

impl Draw for DrawAgain {
    #[inline]
    fn column(&mut self, open: u64, rng: &mut SmallRng) -> u64 {
        loop {
            if self.draws_left == 0 {
                self.bits = rng.next_u64();
                self.draws_left = 64 / 3;
            }
            // The eighth column is outside the board and never open.
            let column = 1 << (self.bits as u32 % 8 * STRIDE);
            self.bits >>= 3;
            self.draws_left -= 1;
            if open & column != 0 {
                return column;
            }
        }
    }
}

/// Whether there are four in a row. All directions are tested before the only branch, which is
/// faster than returning early, because most moves do not complete a four.
#[inline]
fn has_four(discs: u64) -> bool {
    [1, STRIDE - 1, STRIDE, STRIDE + 1].into_iter().fold(0, |fours, step| {
        let pairs = discs & (discs >> step);
        fours | pairs & (pairs >> (2 * step))
    }) != 0
}

/// Plays to the end and returns the number of plies.
#[inline]
fn playout(rng: &mut SmallRng, mut draw: impl Draw) -> u32 {
    let (mut mine, mut all) = (0u64, 0u64);
    loop {
        let open = (!all >> (ROWS - 1)) & BOTTOM;
        if open == 0 {
            return COLUMNS * ROWS;
        }
        let disc = (all + draw.column(open, rng)) & !all;
        if has_four(mine | disc) {
            return (all | disc).count_ones();
        }
        // The other side is to move.
        mine ^= all;
        all |= disc;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    fn cells(cells: &[(u32, u32)]) -> u64 {
        cells.iter().fold(0, |set, (column, row)| set | 1 << (column * STRIDE + row))
    }

    #[test]
    fn fours_are_found_in_all_directions_and_not_over_the_edge() {
        assert!(has_four(cells(&[(0, 0), (1, 0), (2, 0), (3, 0)])));
        assert!(has_four(cells(&[(6, 2), (6, 3), (6, 4), (6, 5)])));
        assert!(has_four(cells(&[(3, 2), (4, 3), (5, 4), (6, 5)])));
        assert!(has_four(cells(&[(0, 5), (1, 4), (2, 3), (3, 2)])));
        assert!(!has_four(cells(&[(0, 4), (0, 5), (1, 0), (1, 1)])));
        assert!(!has_four(cells(&[(0, 0), (1, 0), (2, 0), (4, 0)])));
    }

    #[test]
    fn both_ways_sample_every_open_column_equally_often() {
        fn check(mut draw: impl Draw) {
            let mut rng = SmallRng::seed_from_u64(1);
            for set in 1u64..1 << COLUMNS {
                let open: u64 = (0..COLUMNS).filter(|column| set >> column & 1 == 1).map(|c| 1 << (c * STRIDE)).sum();
                let mut counts = [0u32; COLUMNS as usize];
                for _ in 0..7_000 {
                    counts[(draw.column(open, &mut rng).trailing_zeros() / STRIDE) as usize] += 1;
                }
                let expected = 7_000 / set.count_ones();
                for (column, &count) in counts.iter().enumerate() {
                    let wanted = if set >> column & 1 == 1 { expected } else { 0 };
                    assert!(count.abs_diff(wanted) <= wanted / 5, "{set:07b}: {counts:?}");
                }
            }
        }
        check(ByRank);
        check(DrawAgain { bits: 0, draws_left: 0 });
    }

    /// Other programs' random games last 21.3 plies.
    #[test]
    fn random_games_last_21_plies() {
        fn check<D: Draw>(draw: fn() -> D) {
            let mut rng = SmallRng::seed_from_u64(1);
            let plies: u32 = (0..20_000).map(|_| playout(&mut rng, draw())).sum();
            assert!((21.1..21.5).contains(&(f64::from(plies) / 20_000.0)), "{plies}");
        }
        check(|| ByRank);
        check(|| DrawAgain { bits: 0, draws_left: 0 });
    }
}
