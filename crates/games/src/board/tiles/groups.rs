//! A board unpacked for work on it, and its groups.

use super::column::{ALL, Column, run_from, runs_with};
use super::{MOST, cell};

/// The empty columns left of the board: the window around a group needs no test for the edge.
pub const EDGE: usize = 2;
/// The columns of an unpacked board with its edges, a power of two.
pub const PADDED: usize = 32;

/// A board with empty columns on both sides. Columns are numbered from the left edge.
///
/// A board with at most seven colours and 15 columns does without much of the work, so the rest is
/// compiled for `WIDE` boards only.
#[derive(Clone, Copy)]
pub struct Board<const WIDE: bool> {
    low: [u64; PADDED],
    high: [u64; PADDED],
    /// The column after the last one that may have tiles.
    end: usize,
}

/// The tiles of a group: a full set of cells for each of its columns.
pub struct Group {
    first: usize,
    count: usize,
    sets: [u64; MOST],
}

impl Group {
    /// The full sets, from the leftmost column.
    #[inline]
    pub fn sets(&self) -> &[u64] {
        &self.sets[..self.count]
    }

    /// The number of tiles.
    #[inline]
    pub fn tiles(&self) -> i32 {
        tiles_in(self.sets())
    }

    /// The columns with their sets of cells.
    pub fn columns(&self) -> impl Iterator<Item = (usize, u64)> {
        (self.first..).zip(self.sets().iter().map(|full| full & ALL))
    }
}

/// The number of tiles in full sets.
#[inline]
pub fn tiles_in(sets: &[u64]) -> i32 {
    sets.iter().map(|full| full.count_ones() as i32).sum::<i32>() / 3
}

/// The columns of a group that [`Board::find_narrow`] follows.
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

impl<const WIDE: bool> Board<WIDE> {
    /// A board with these columns.
    #[inline]
    pub fn new(low: &[u64; MOST], high: impl Fn(usize) -> u64, columns: usize) -> Self {
        let mut board = Board { low: [0; PADDED], high: [0; PADDED], end: EDGE + columns };
        board.low[EDGE..EDGE + MOST].copy_from_slice(low);
        if WIDE {
            (0..MOST).for_each(|column| board.high[EDGE + column] = high(column));
        }
        board
    }

    #[inline]
    pub fn column(&self, at: usize) -> Column {
        let at = at % PADDED;
        Column { low: self.low[at], high: if WIDE { self.high[at] } else { 0 } }
    }

    #[inline]
    fn set_column(&mut self, at: usize, column: Column) {
        let at = at % PADDED;
        self.low[at] = column.low;
        if WIDE {
            self.high[at] = column.high;
        }
    }

    /// The columns that may have tiles.
    #[inline]
    pub fn columns(&self) -> std::ops::Range<usize> {
        EDGE..self.end
    }

    /// The set of cells in a column that may name a group: no tile of their colour to the left or
    /// below, but one above or to the right. Every group of two or more tiles has such a cell.
    #[inline]
    pub fn candidates(&self, at: usize) -> u64 {
        let column = self.column(at);
        let above = column.differs(column.above());
        let right = column.differs(self.column(at + 1));
        let left = column.differs(self.column(at - 1));
        column.occupied() & !(above & right) & (above << 3 | 1) & left
    }

    pub fn has_group(&self) -> bool {
        self.columns().any(|at| self.candidates(at) != 0)
    }

    /// Searches the group of a candidate in its column and the next two. Most groups end there, and
    /// without a branch for each column the search takes the time of a mispredicted one.
    #[inline(always)]
    pub fn find_narrow(&self, at: usize, cell: u64) -> Found {
        let colour = self.colour(at, cell);
        let [left, here, second, third, right] =
            [at - 1, at, at + 1, at + 2, at + 3].map(|at| self.column(at).equals(colour));
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
    pub fn find_wide(&self, at: usize, cell: u64) -> Option<Group> {
        let colour = self.colour(at, cell);
        let mut group = Group { first: at, count: 1, sets: [0; MOST] };
        group.sets[0] = run_from(self.column(at).equals(colour), cell);
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            let mut grow = |group: &mut Group, from: usize, to: usize| {
                let cells = self.column(at + to).equals(colour);
                let runs = runs_with(cells, group.sets[from] & cells) | group.sets[to];
                has_grown |= runs != group.sets[to];
                group.sets[to] = runs;
                runs != 0
            };
            let mut from = 0;
            while from + 1 < MOST && grow(&mut group, from, from + 1) {
                from += 1;
            }
            group.count = from + 1;
            (1..=from).rev().for_each(|from| {
                grow(&mut group, from, from - 1);
            });
            let left = self.column(at - 1).equals(colour);
            if group.sets[0] & (left | (cell - 1)) != 0 {
                return None;
            }
        }
        Some(group)
    }

    /// Finds the group of a candidate; `None` if another tile names it.
    #[inline]
    pub fn find(&self, at: usize, cell: u64) -> Option<Group> {
        match self.find_narrow(at, cell) {
            Found::Whole(found) => {
                let mut sets = [0; MOST];
                sets[..NARROW].copy_from_slice(&found);
                Some(Group { first: at, count: NARROW, sets })
            }
            Found::Part => self.find_wide(at, cell),
            Found::Other => None,
        }
    }

    /// A column full of the tile in a cell.
    #[inline]
    fn colour(&self, at: usize, cell: u64) -> Column {
        Column::all(self.column(at).tile(cell.trailing_zeros() as usize / 3))
    }

    /// Removes full sets of cells from columns and drops the tiles above them. Returns whether a
    /// column has lost its last tile.
    #[inline]
    pub fn remove(&mut self, first: usize, sets: &[u64]) -> bool {
        let mut is_emptied = false;
        for (at, &full) in (first..).zip(sets) {
            let column = self.column(at).without(full);
            self.set_column(at, column);
            is_emptied |= (full != 0) & column.is_empty();
        }
        is_emptied
    }

    /// Closes empty columns from a column on.
    pub fn close_columns(&mut self, first: usize) {
        let mut kept = first;
        for at in first..self.end {
            let column = self.column(at);
            self.set_column(at, Column::EMPTY);
            // Written even if it is empty: the next column overwrites it.
            self.set_column(kept, column);
            kept += usize::from(!column.is_empty());
        }
        self.end = kept;
    }

    /// The number of tiles of a colour, counted from 1.
    pub fn tiles_of(&self, tile: u8) -> i32 {
        let colour = Column::all(tile);
        self.columns().map(|at| self.column(at).equals(colour).count_ones() as i32).sum()
    }
}

/// The move of a group named by a cell.
#[inline]
pub fn named(at: usize, row: usize) -> u16 {
    cell(at - EDGE, row) as u16
}
