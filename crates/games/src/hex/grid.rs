//! Cell sets of a board of hexagons: neighbours, edges and flood fill.

use super::{AnyCells, BLACK, HexRules, LONGEST, MOST_CELLS};
use crate::board::bits::{Bits, Words};

/// Converts a set to the width a board needs.
#[inline]
pub fn narrowed<const N: usize>(cells: &AnyCells) -> Words<N> {
    Words::from_words(&cells.0)
}

#[inline]
pub fn widened<const N: usize>(cells: Words<N>) -> AnyCells {
    Words(std::array::from_fn(|word| if word < N { cells.0[word] } else { 0 }))
}

/// The first `count` cells.
#[inline]
pub fn first_cells<const N: usize>(count: usize) -> Words<N> {
    Words(std::array::from_fn(|word| match count.saturating_sub(64 * word) {
        0 => 0,
        rest => u64::MAX >> (64 - rest.min(64)),
    }))
}

/// The leftmost column by number of columns, continued below the last row.
pub static LEFT: [AnyCells; LONGEST as usize + 1] = {
    let mut left = [Words([0; 6]); LONGEST as usize + 1];
    let mut columns = 2;
    while columns < left.len() {
        let mut cell = 0;
        while cell < MOST_CELLS {
            left[columns].0[cell / 64] |= 1 << (cell % 64);
            cell += columns;
        }
        columns += 1;
    }
    left
};

/// The adjacency of the cells of a board.
#[derive(Clone, Copy)]
pub struct Grid<const N: usize> {
    pub columns: u32,
    pub cells: Words<N>,
    left: Words<N>,
    right: Words<N>,
}

/// The number of directions. Neighbours of a cell in successive directions touch each other.
pub const DIRECTIONS: usize = 6;

#[inline]
pub fn opposite(direction: usize) -> usize {
    (direction + DIRECTIONS / 2) % DIRECTIONS
}

/// The direction adjacent to `one` that is not `other`.
#[inline]
pub fn beside(one: usize, other: usize) -> usize {
    (2 * one + DIRECTIONS - other) % DIRECTIONS
}

/// The two directions that lead away from the first edge of each side.
pub const FROM_FIRST: [(usize, usize); 2] = [(1, 2), (0, 5)];
/// The two directions that lead away from the last edge of each side.
pub const FROM_LAST: [(usize, usize); 2] = [(4, 5), (3, 2)];

impl<const N: usize> Grid<N> {
    #[inline]
    pub fn new(rules: HexRules) -> Grid<N> {
        let columns = u32::from(rules.columns);
        let left = narrowed(&LEFT[usize::from(rules.columns)]);
        Grid { columns, cells: first_cells(rules.cells()), left, right: left << (columns - 1) }
    }

    /// Moves a set by one cell. Cells that leave the board at the bottom stay in the result; the
    /// caller masks them.
    #[inline]
    pub fn step(&self, set: Words<N>, direction: usize) -> Words<N> {
        let (down, aslant) = (self.columns, self.columns - 1);
        match direction {
            0 => (set & !self.right) << 1,
            1 => set << down,
            2 => (set & !self.left) << aslant,
            3 => (set & !self.left) >> 1,
            4 => set >> down,
            _ => (set & !self.right) >> aslant,
        }
    }

    #[inline]
    pub fn neighbours(&self, set: Words<N>) -> Words<N> {
        (0..DIRECTIONS).fold(Words::EMPTY, |all, direction| all | self.step(set, direction))
    }

    /// The edge from which the chains of a side are followed: top for Black, left for White.
    #[inline]
    pub fn first_edge(&self, seat: usize) -> Words<N> {
        if seat == BLACK { first_cells(self.columns as usize) } else { self.left & self.cells }
    }

    /// The opposite edge.
    #[inline]
    pub fn last_edge(&self, seat: usize) -> Words<N> {
        if seat == BLACK { self.cells ^ (self.cells >> self.columns) } else { self.right & self.cells }
    }

    /// `joined` and all of `stones` that are connected to `new`.
    #[inline]
    pub fn flood(&self, stones: Words<N>, mut joined: Words<N>, new: Words<N>) -> Words<N> {
        let mut front = new;
        while !front.is_empty() {
            joined |= front;
            front = self.neighbours(front) & stones & !joined;
        }
        joined
    }

    /// The stones joined to the first edge after `stone` was added to `stones`.
    #[inline]
    pub fn joined_after(&self, stones: Words<N>, joined: Words<N>, stone: Words<N>, seat: usize) -> Words<N> {
        if (stone & self.first_edge(seat) | self.neighbours(stone) & joined).is_empty() {
            joined
        } else {
            self.flood(stones, joined, stone)
        }
    }

    /// Floods from the first edge until the last edge is reached. `joined` is known to be
    /// connected.
    #[inline]
    pub fn flood_across(&self, stones: Words<N>, joined: Words<N>, seat: usize) -> Words<N> {
        let last = self.last_edge(seat);
        let mut front = joined | stones & self.first_edge(seat);
        let mut joined = front;
        while !front.is_empty() && (front & last).is_empty() {
            front = self.neighbours(front) & stones & !joined;
            joined |= front;
        }
        joined
    }

    /// Whether the stones joined to the first edge reach the last one.
    #[inline]
    pub fn spans(&self, joined: Words<N>, seat: usize) -> bool {
        !(joined & self.last_edge(seat)).is_empty()
    }
}
