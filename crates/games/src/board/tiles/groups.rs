//! The groups of a board.

use super::column::{ALL, Column, PER_WORD, WORDS, run_from, runs_with};
use super::{MOST, cell};

/// The tiles of a group: a full set of cells for each of its columns.
pub struct Group {
    count: usize,
    sets: [u64; MOST],
}

impl Group {
    /// The full sets, from the leftmost column.
    #[inline]
    pub fn sets(&self) -> &[u64] {
        &self.sets[..self.count]
    }

    /// Adds the runs of `cells` in column `to` of the group that touch column `from`. Returns
    /// whether there are new ones.
    #[inline]
    fn grow(&mut self, from: usize, to: usize, cells: u64) -> bool {
        let old = self.sets[to];
        self.sets[to] |= runs_with(cells, self.sets[from] & cells);
        self.sets[to] != old
    }
}

/// The number of tiles in full sets.
#[inline]
pub fn tiles_in(sets: &[u64]) -> i32 {
    sets.iter().map(|full| full.count_ones() as i32).sum::<i32>() / 3
}

/// The move of a group that a cell names.
#[inline]
pub fn named(column: usize, cell_set: u64) -> u16 {
    cell(column, cell_set.trailing_zeros() as usize / 3) as u16
}

/// The columns of a group that [`Columns::find_narrow`] follows.
pub const NARROW: usize = 3;

/// What a search of a few columns finds.
pub enum Found {
    /// All tiles of the group.
    Whole([u64; NARROW]),
    /// The group has more tiles.
    Part,
    /// Another tile names the group.
    Other,
}

/// The columns of a board, numbered from 0 at the left.
pub trait Columns {
    /// A column; an empty one left and right of the board. The number left of 0 wraps around.
    fn column(&self, column: usize) -> Column;

    /// The column after the last one that may have tiles.
    fn end(&self) -> usize;

    /// The set of cells in a column that may name a group: no tile of their colour to the left or
    /// below, but one above or to the right. Every group of two or more tiles has such a cell.
    #[inline]
    fn candidates(&self, column: usize) -> u64 {
        let tiles = self.column(column);
        let above = tiles.differs(tiles.above());
        let right = tiles.differs(self.column(column.wrapping_add(1)));
        let left = tiles.differs(self.column(column.wrapping_sub(1)));
        tiles.occupied() & !(above & right) & (above << 3 | 1) & left
    }

    /// Whether there is a group of two or more tiles.
    #[inline]
    fn has_group(&self) -> bool {
        (0..self.end()).any(|column| self.candidates(column) != 0)
    }

    /// Searches the group of a candidate in its column and the next two. Most groups end there, and
    /// without a branch for each column the search takes the time of a mispredicted one.
    #[inline(always)]
    fn find_narrow(&self, column: usize, cell: u64) -> Found {
        let here = self.column(column);
        let colour = here.colour_of(cell);
        let equals = |column: usize| self.column(column).equals(colour);
        let (left, here) = (equals(column.wrapping_sub(1)), here.equals(colour));
        let [second, third, right] = [1, 2, 3].map(|offset| equals(column + offset));
        let first_run = run_from(here, cell);
        let second_runs = runs_with(second, first_run & second);
        let third_runs = runs_with(third, second_runs & third);
        if first_run & left != 0 {
            return Found::Other;
        }
        if (second_runs & here & !first_run) | (third_runs & second & !second_runs) | (third_runs & right) != 0 {
            return Found::Part;
        }
        Found::Whole([first_run, second_runs, third_runs])
    }

    /// Finds the whole group of a candidate: sweeps to the right and back until no column grows.
    /// `None` if another tile names the group.
    #[inline(never)]
    fn find_wide(&self, column: usize, cell: u64) -> Option<Group> {
        let colour = self.column(column).colour_of(cell);
        let equals = |column: usize| self.column(column).equals(colour);
        let left = equals(column.wrapping_sub(1));
        let mut group = Group { count: 1, sets: [0; MOST] };
        // The cells of the colour in the columns of the group, and in the next one.
        let mut cells = [0; MOST + 1];
        (cells[0], cells[1]) = (equals(column), equals(column + 1));
        group.sets[0] = run_from(cells[0], cell);
        loop {
            let mut has_grown = false;
            let mut to = 1;
            while to < MOST && (to < group.count || group.sets[to - 1] & cells[to] != 0) {
                has_grown |= group.grow(to - 1, to, cells[to]);
                if to == group.count {
                    group.count += 1;
                    cells[group.count] = equals(column + group.count);
                }
                to += 1;
            }
            if !has_grown {
                return Some(group);
            }
            has_grown = false;
            for to in (0..group.count - 1).rev() {
                has_grown |= group.grow(to + 1, to, cells[to]);
            }
            if group.sets[0] & (left | (cell - 1)) != 0 {
                return None;
            }
            if !has_grown {
                return Some(group);
            }
        }
    }

    /// Whether a candidate names its group.
    #[inline]
    fn is_name(&self, column: usize, cell: u64) -> bool {
        match self.find_narrow(column, cell) {
            Found::Whole(_) => true,
            Found::Part => self.find_wide(column, cell).is_some(),
            Found::Other => false,
        }
    }

    /// The number of tiles of a colour, counted from 1.
    #[inline]
    fn tiles_of(&self, tile: u8) -> i32 {
        let colour = Column::all(tile);
        (0..self.end()).map(|column| self.column(column).equals(colour).count_ones() as i32).sum()
    }
}

/// The columns of a position. Those that are not `WIDE` have at most seven colours.
pub struct Packed<'a, const WIDE: bool> {
    pub low: &'a [u64; MOST],
    pub high: &'a [u64; WORDS],
    pub end: usize,
}

impl<const WIDE: bool> Columns for Packed<'_, WIDE> {
    #[inline]
    fn column(&self, column: usize) -> Column {
        let Some(&low) = self.low.get(column) else { return Column::EMPTY };
        let high = if WIDE { self.high[column / PER_WORD] >> (column % PER_WORD) & ALL } else { 0 };
        Column { low, high }
    }

    #[inline]
    fn end(&self) -> usize {
        self.end
    }
}
