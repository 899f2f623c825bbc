//! Discs that flip enclosed lines, on square boards of up to 8x8, for Othello and Rolit.
//!
//! A board is a `u64`, cell 8 * row + column, row 0 at the top. Smaller boards lie in the upper
//! left corner. Lines are followed by parallel-prefix fills (Kogge-Stone) in all eight directions
//! at once: arithmetic on four lanes, one per axis, which the compiler vectorises. Discs in columns
//! a and h cannot be enclosed sideways, so fills skip these columns and do not wrap around an edge.
//! On smaller boards fills end at cells outside the board, which are empty. So most functions do
//! not depend on the size of the board.

use crate::board::bits::Bits;
use tesuji_core::Symmetry;
use tesuji_core::view::cell_name;

/// Steps to the next cell along the four axes: right, down left, down, down right.
const STEPS: Lanes = Lanes([1, 7, 8, 9]);
/// Columns b to g, where a disc can be enclosed along a line that changes columns.
const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;
/// The cells that can be enclosed along each axis.
const ENCLOSABLE: Lanes = Lanes([INNER_COLUMNS, INNER_COLUMNS, !0, INNER_COLUMNS]);
const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = 0x8080_8080_8080_8080;

/// Four sets, one for each axis.
#[derive(Clone, Copy)]
struct Lanes([u64; 4]);

impl Lanes {
    #[inline(always)]
    fn same(set: u64) -> Lanes {
        Lanes([set; 4])
    }

    #[inline(always)]
    fn with(self, other: Lanes, f: impl Fn(u64, u64) -> u64) -> Lanes {
        Lanes([f(self.0[0], other.0[0]), f(self.0[1], other.0[1]), f(self.0[2], other.0[2]), f(self.0[3], other.0[3])])
    }

    #[inline(always)]
    fn and(self, other: Lanes) -> Lanes {
        self.with(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Lanes) -> Lanes {
        self.with(other, |a, b| a | b)
    }

    /// Moves one step along each axis, to higher cells.
    #[inline(always)]
    fn forth(self) -> Lanes {
        self.with(STEPS, |set, step| set << step)
    }

    /// Moves one step along each axis, to lower cells.
    #[inline(always)]
    fn back(self) -> Lanes {
        self.with(STEPS, |set, step| set >> step)
    }

    #[inline(always)]
    fn forth_twice(self) -> Lanes {
        self.with(STEPS, |set, step| set << (2 * step))
    }

    #[inline(always)]
    fn back_twice(self) -> Lanes {
        self.with(STEPS, |set, step| set >> (2 * step))
    }

    /// These sets where the other sets are not empty, and empty sets elsewhere.
    #[inline(always)]
    fn where_any(self, other: Lanes) -> Lanes {
        self.with(other, |set, condition| if condition != 0 { set } else { 0 })
    }

    #[inline(always)]
    fn union(self) -> u64 {
        (self.0[0] | self.0[2]) | (self.0[1] | self.0[3])
    }
}

/// The runs of `through` that start next to `from`, towards higher and towards lower cells. A run
/// has at most six cells, between two ends on eight, which 1 + 1 + 2 + 2 steps reach.
#[inline(always)]
fn runs(from: u64, through: u64) -> (Lanes, Lanes) {
    let from = Lanes::same(from);
    let through = Lanes::same(through).and(ENCLOSABLE);
    let forth_pairs = through.and(through.forth());
    let back_pairs = through.and(through.back());
    let mut forth = through.and(from.forth());
    let mut back = through.and(from.back());
    forth = forth.or(through.and(forth.forth()));
    back = back.or(through.and(back.back()));
    forth = forth.or(forth_pairs.and(forth.forth_twice()));
    back = back.or(back_pairs.and(back.back_twice()));
    forth = forth.or(forth_pairs.and(forth.forth_twice()));
    back = back.or(back_pairs.and(back.back_twice()));
    (forth, back)
}

/// The cells of `empty` where a disc of `own` would enclose some of `others`.
#[inline(always)]
pub fn placements(own: u64, others: u64, empty: u64) -> u64 {
    let (forth, back) = runs(own, others);
    forth.forth().or(back.back()).union() & empty
}

/// The discs of `others` that a disc on `cell` encloses together with the discs of `own`.
#[inline(always)]
pub fn flipped(cell: usize, own: u64, others: u64) -> u64 {
    let (forth, back) = runs(1 << cell, others);
    let ends = Lanes::same(own);
    let forth = forth.where_any(forth.forth().and(ends));
    let back = back.where_any(back.back().and(ends));
    forth.or(back).union()
}

/// The cells adjacent to a set in any of the eight directions. On smaller boards, includes cells
/// off the board.
#[inline]
pub fn neighbours(set: u64) -> u64 {
    let row = set | (set & !COLUMN_H) << 1 | (set & !COLUMN_A) >> 1;
    (row | row << 8 | row >> 8) & !set
}

/// Whether a set is connected.
pub fn is_connected(set: u64) -> bool {
    let mut reached = set & set.wrapping_neg();
    loop {
        let next = reached | (neighbours(reached) & set);
        if next == reached {
            return reached == set;
        }
        reached = next;
    }
}

/// The cell in a column and a row from the top.
#[inline]
pub const fn cell_at(column: usize, row: usize) -> usize {
    8 * row + column
}

/// All cells of a board of `size` x `size`.
#[inline]
pub const fn board(size: u8) -> u64 {
    let row = (1 << size) - 1;
    (row * COLUMN_A) & (!0 >> (8 * (8 - size as u32)))
}

/// The four corners.
#[inline]
pub const fn corners(size: u8) -> u64 {
    let last = size as usize - 1;
    1 | 1 << cell_at(last, 0) | 1 << cell_at(0, last) | 1 << cell_at(last, last)
}

/// The four cells in the middle: upper left, upper right, lower left, lower right.
#[inline]
pub const fn centre(size: u8) -> [usize; 4] {
    let half = size as usize / 2;
    [cell_at(half - 1, half - 1), cell_at(half, half - 1), cell_at(half - 1, half), cell_at(half, half)]
}

/// The index of a cell, row by row without gaps.
#[inline]
pub const fn dense_index(cell: u8, size: u8) -> usize {
    (cell / 8 * size + cell % 8) as usize
}

/// The name of a cell; row 1 is the top row.
pub fn name(cell: u8) -> String {
    cell_name(usize::from(cell % 8), usize::from(cell / 8) + 1)
}

/// The image of a cell under a symmetry.
pub fn image_of_cell(cell: u8, symmetry: Symmetry, size: u8) -> u8 {
    let size = usize::from(size);
    let (column, row) = symmetry.apply((usize::from(cell % 8), usize::from(cell / 8)), (size, size));
    cell_at(column, row) as u8
}

/// The image of a set of cells under a symmetry.
pub fn image(set: u64, symmetry: Symmetry, size: u8) -> u64 {
    set.members().fold(0, |image, cell| image | 1 << image_of_cell(cell as u8, symmetry, size))
}

/// The cells whose line along each axis contains a cell of `set`, including `set`.
pub fn lines_through(set: u64, size: u8) -> [u64; 4] {
    // On 8x8 a sideways step from column h would wrap into column a of the next row: a step to
    // higher cells must not arrive in the first column of its direction, nor a step to lower cells
    // in the last.
    const ARRIVES_FORTH: [u64; 4] = [!COLUMN_A, !COLUMN_H, !0, !COLUMN_A];
    const ARRIVES_BACK: [u64; 4] = [!COLUMN_H, !COLUMN_A, !0, !COLUMN_H];
    let board = board(size);
    std::array::from_fn(|axis| {
        let step = STEPS.0[axis];
        let (mut forth, mut back) = (set, set);
        for _ in 1..size {
            forth |= forth << step & ARRIVES_FORTH[axis] & board;
            back |= back >> step & ARRIVES_BACK[axis] & board;
        }
        forth | back
    })
}

/// A subset of the stable discs of `own`: along each axis the line is full, or the neighbour on one
/// side is the border or another stable disc of `own`.
pub fn stable(own: u64, all: u64, size: u8) -> u64 {
    let open_lines = lines_through(board(size) & !all, size);
    let last = u32::from(size) - 1;
    let sides = (COLUMN_A | COLUMN_A << last) & board(size);
    let ends = (0xFF | 0xFF << (8 * last)) & board(size);
    let borders = [sides, sides | ends, ends, sides | ends];
    let mut safe = 0;
    loop {
        let mut next = own;
        for axis in 0..4 {
            let step = STEPS.0[axis];
            // A step that wraps arrives at a border cell of this axis, which counts as supported
            // already.
            next &= !open_lines[axis] | borders[axis] | safe << step | safe >> step;
        }
        if next == safe {
            return safe;
        }
        safe = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Rng;

    /// The discs that a disc encloses, found by walking cell by cell.
    fn flipped_slowly(cell: usize, own: u64, others: u64, size: i32) -> u64 {
        let mut all = 0;
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let (mut x, mut y) = (cell as i32 % 8 + dx, cell as i32 / 8 + dy);
            let mut line = 0;
            while (0..size).contains(&x) && (0..size).contains(&y) {
                let at = (8 * y + x) as usize;
                if own.contains(at) {
                    all |= line;
                }
                if !others.contains(at) {
                    break;
                }
                line |= 1 << at;
                (x, y) = (x + dx, y + dy);
            }
        }
        all
    }

    #[test]
    fn fills_agree_with_walking_on_every_size() {
        let mut rng = Rng::new(1);
        for size in [4, 6, 8] {
            for round in 0..3_000 {
                // From full to sparse boards, so that long runs occur.
                let spread = (0..round % 4).fold(rng.bits(), |bits, _| bits | rng.bits());
                let all = spread & board(size);
                let own = all & (0..round % 3).fold(rng.bits(), |bits, _| bits & rng.bits());
                let (others, empty) = (all ^ own, board(size) ^ all);
                let mut places = 0;
                for cell in empty.members() {
                    let flips = flipped_slowly(cell, own, others, i32::from(size));
                    assert_eq!(flipped(cell, own, others), flips);
                    places |= if flips != 0 { 1 << cell } else { 0 };
                }
                assert_eq!(placements(own, others, empty), places);
            }
        }
    }

    #[test]
    fn boards_have_their_cells_corners_and_centres() {
        assert_eq!([4, 6, 8].map(board), [0x0F0F_0F0F, 0x3F3F_3F3F_3F3F, !0]);
        assert_eq!([4, 6, 8].map(|size| (corners(size) & board(size)).count()), [4; 3]);
        assert_eq!(centre(8).map(|cell| name(cell as u8)), ["d4", "e4", "d5", "e5"]);
        assert_eq!(dense_index(8 * 3 + 3, 4), 15);
        assert_eq!(neighbours(1), 0x0302);
        assert_eq!(neighbours(0x80), 0xC040);
    }

    #[test]
    fn lines_do_not_wrap() {
        for size in [4u8, 6, 8] {
            for cell in board(size).members() {
                let (x, y) = ((cell % 8) as i32, (cell / 8) as i32);
                let lines = lines_through(1 << cell, size);
                for other in board(size).members() {
                    let (dx, dy) = ((other % 8) as i32 - x, (other / 8) as i32 - y);
                    let expected = [dy == 0, dx == -dy, dx == 0, dx == dy];
                    assert_eq!(lines.map(|line| line.contains(other)), expected);
                }
            }
        }
    }

    #[test]
    fn stable_discs_grow_from_the_corner() {
        // A corner makes the discs along its edge stable; a disc in the second row needs support on
        // all axes.
        let own = 0b0000_0111 | 0b0000_0011 << 8;
        assert_eq!(stable(own, own, 8), own);
        let without_corner = own & !1;
        assert_eq!(stable(without_corner, without_corner, 8), 0);
        // On a full board every disc is stable.
        assert_eq!(stable(0x1234_5678_9ABC_DEF0, !0, 8), 0x1234_5678_9ABC_DEF0);
        assert_eq!(stable(board(4) & 0x0505, board(4), 4), board(4) & 0x0505);
    }
}
