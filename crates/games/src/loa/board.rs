//! Moves and groups on a bit set of either width.

use super::tables::{BoardBits, DIRECTIONS};

/// The cells adjacent to a set in any of the eight directions. May include cells off the board.
#[inline]
pub fn neighbours<B: BoardBits>(cells: B) -> B {
    let beside = (cells & !B::LAST_COLUMN) << 1 | (cells & !B::FIRST_COLUMN) >> 1;
    let row = cells | beside;
    beside | row << B::STRIDE | row >> B::STRIDE
}

/// Whether a set of pieces is one group. Tests first for a piece without neighbours, the most
/// common reason why it is not.
#[inline]
pub fn is_joined<B: BoardBits>(pieces: B) -> bool {
    if !(pieces & !neighbours(pieces)).is_empty() {
        return pieces.without_lowest().is_empty();
    }
    let mut group = B::single(pieces.lowest());
    loop {
        let grown = (group | neighbours(group)) & pieces;
        if grown == group {
            return group == pieces;
        }
        group = grown;
    }
}

/// The board from the point of view of one side.
#[derive(Clone, Copy)]
pub struct Side<B> {
    pub own: B,
    pub other: B,
    pub reach: &'static [[u8; 8]; 81],
}

impl<B: BoardBits> Side<B> {
    /// The target of the own piece on a cell in a direction, if the move is legal.
    #[inline]
    pub fn target(&self, cell: usize, direction: usize) -> Option<usize> {
        let (rays, back) = (B::rays(cell), direction ^ 4);
        let count = 1 + ((rays[direction] | rays[back]) & (self.own | self.other)).count();
        if count > u32::from(self.reach[cell][direction]) {
            return None;
        }
        let (dx, dy) = DIRECTIONS[direction];
        let to = (cell as i32 + count as i32 * (dy * B::STRIDE as i32 + dx)) as usize;
        let between = rays[direction] & B::rays(to)[back];
        (!self.own.contains(to) && (between & self.other).is_empty()).then_some(to)
    }

    pub fn can_move(&self) -> bool {
        self.own.members().any(|cell| (0..8).any(|direction| self.target(cell, direction).is_some()))
    }

    /// The number of moves. All pieces walk step by step in a direction at once; after n steps,
    /// those on a line with n pieces have arrived. Several times as fast as computing each target.
    #[inline]
    pub fn mobility(&self, size: usize) -> usize {
        let (board, all) = (B::board(size), self.own | self.other);
        let mut moves = 0;
        for (axis, lines) in B::lines().iter().enumerate() {
            // The lines, by number of pieces on them.
            let mut counted = [B::EMPTY; 16];
            for &line in &lines[..B::LINES[axis]] {
                counted[(line & all).count() as usize & 15] |= line;
            }
            let (dx, dy) = DIRECTIONS[axis];
            let (columns_on, columns_back) = match dx {
                1 => (!B::LAST_COLUMN, !B::FIRST_COLUMN),
                -1 => (!B::FIRST_COLUMN, !B::LAST_COLUMN),
                _ => (!B::EMPTY, !B::EMPTY),
            };
            let step = (dy * B::STRIDE as i32 + dx) as u32;
            let (mut on, mut back) = (self.own, self.own);
            for &landing in &counted[1..] {
                on = (on & columns_on) << step & board;
                back = (back & columns_back) >> step & board;
                moves += (on & landing & !self.own).count() + (back & landing & !self.own).count();
                let passes = !(landing | self.other);
                (on, back) = (on & passes, back & passes);
                if (on | back).is_empty() {
                    break;
                }
            }
        }
        moves as usize
    }
}
