//! Zobrist keys and attack tables of the 5x5 board.
//!
//! A set of cells is 25 bits: a1, b1, ..., e5.

use super::{
    BISHOP, BOARD, DRAGON, FAR, FILE_A, GOLD, HORSE, KING, PAWN, PROMOTED_PAWN, PROMOTED_SILVER, ROOK, SILVER,
};
use tesuji_core::zobrist;

pub static PIECE_KEYS: [[[u64; 25]; 10]; 2] = {
    let all: [u64; 500] = zobrist::keys(0x48);
    let mut keys = [[[0; 25]; 10]; 2];
    let mut index = 0;
    while index < 500 {
        keys[index / 250][index / 25 % 10][index % 25] = all[index];
        index += 1;
    }
    keys
};
/// Keys for the first and the second piece of a kind in a hand.
pub static HAND_KEYS: [[[u64; 2]; 5]; 2] = {
    let all: [u64; 20] = zobrist::keys(0x49);
    let mut keys = [[[0; 2]; 5]; 2];
    let mut index = 0;
    while index < 20 {
        keys[index / 10][index / 2 % 5][index % 2] = all[index];
        index += 1;
    }
    keys
};
pub const SECOND_TO_MOVE: u64 = zobrist::key(0x4a, 0);
pub static PENDING_KEYS: [u64; 25] = zobrist::keys(0x4b);

/// The cell `dx` to the right of and `dy` above a cell as a set, which is empty off the board.
pub const fn neighbour(cell: usize, dx: i32, dy: i32) -> u32 {
    let (x, y) = (cell as i32 % 5 + dx, cell as i32 / 5 + dy);
    if x < 0 || x > 4 || y < 0 || y > 4 { 0 } else { 1 << (5 * y + x) }
}

/// The single steps of a kind. For a horse and a dragon, the steps that their slides do not cover.
pub const fn steps(kind: usize, seat: usize, cell: usize) -> u32 {
    let forward = if seat == 0 { 1 } else { -1 };
    let straight = neighbour(cell, 1, 0) | neighbour(cell, -1, 0) | neighbour(cell, 0, 1) | neighbour(cell, 0, -1);
    let diagonal = neighbour(cell, 1, 1) | neighbour(cell, -1, 1) | neighbour(cell, 1, -1) | neighbour(cell, -1, -1);
    let ahead = neighbour(cell, 0, forward);
    let ahead_diagonal = neighbour(cell, 1, forward) | neighbour(cell, -1, forward);
    match kind {
        PAWN => ahead,
        SILVER => diagonal | ahead,
        GOLD | PROMOTED_PAWN | PROMOTED_SILVER => straight | ahead_diagonal,
        KING => straight | diagonal,
        HORSE => straight,
        DRAGON => diagonal,
        _ => 0,
    }
}

/// The directions of the four lines through a cell: rank, file and the two diagonals.
pub const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The cells of one line through a cell, up to and including the first occupied one on either side.
pub const fn slide(cell: usize, line: usize, occupied: u32) -> u32 {
    let mut reached = 0;
    let mut sign = -1;
    while sign < 2 {
        let mut distance = sign;
        loop {
            let next = neighbour(cell, distance * LINES[line].0, distance * LINES[line].1);
            reached |= next;
            if next == 0 || next & occupied != 0 {
                break;
            }
            distance += sign;
        }
        sign += 2;
    }
    reached
}

/// Slide tables of a cell. Only the three inner cells of a line can block it.
#[derive(Clone, Copy)]
pub struct Lines {
    /// The cells reached along each line, by which of its inner cells are occupied.
    pub slides: [[u32; 8]; 4],
    /// The cells of both diagonals.
    pub diagonals: [u32; 2],
    /// The targets of a bishop and of a rook on an empty board.
    pub bishop: u32,
    pub rook: u32,
    pub rank_shift: u8,
    pub file: u8,
}

pub static LINES_OF: [Lines; 25] = {
    let mut lines = [Lines { slides: [[0; 8]; 4], diagonals: [0; 2], bishop: 0, rook: 0, rank_shift: 0, file: 0 }; 25];
    let mut cell = 0;
    while cell < 25 {
        let entry = &mut lines[cell];
        entry.rank_shift = (cell / 5 * 5) as u8;
        entry.file = (cell % 5) as u8;
        entry.rook = slide(cell, 0, 0) | slide(cell, 1, 0);
        entry.diagonals = [slide(cell, 2, 0), slide(cell, 3, 0)];
        entry.bishop = entry.diagonals[0] | entry.diagonals[1];
        let mut inner = 0;
        while inner < 8 {
            // The inner bits are the files b, c, d; on a file, the ranks 2, 3, 4.
            let mut by_file = 0;
            let mut by_rank = 0;
            let mut bit = 0;
            while bit < 3 {
                if inner >> bit & 1 == 1 {
                    by_file |= FILE_A << (bit + 1);
                    by_rank |= 0x1F << (5 * (bit + 1));
                }
                bit += 1;
            }
            entry.slides[0][inner] = slide(cell, 0, by_file);
            entry.slides[1][inner] = slide(cell, 1, by_rank);
            entry.slides[2][inner] = slide(cell, 2, by_file);
            entry.slides[3][inner] = slide(cell, 3, by_file);
            inner += 1;
        }
        cell += 1;
    }
    lines
};

#[inline]
pub fn rook_slides(cell: usize, occupied: u32) -> u32 {
    let lines = &LINES_OF[cell];
    let rank = occupied >> (lines.rank_shift + 1) & 7;
    // The multiplication moves the bits of ranks 2, 3 and 4, five apart, next to each other.
    let file = ((occupied >> lines.file) & 0x8420).wrapping_mul(0x111) >> 13 & 7;
    lines.slides[0][rank as usize] | lines.slides[1][file as usize]
}

#[inline]
pub fn bishop_slides(cell: usize, occupied: u32) -> u32 {
    let lines = &LINES_OF[cell];
    // A diagonal has one cell per file: the multiplication sums the ranks into the bits of the top
    // rank.
    let inner = |line: usize| ((occupied & lines.diagonals[line]).wrapping_mul(FILE_A) >> 21 & 7) as usize;
    lines.slides[2][inner(0)] | lines.slides[3][inner(1)]
}

/// The cells from which the pieces of a side attack a cell by a step.
#[derive(Clone, Copy)]
pub struct Attackers {
    pub pawn: u32,
    pub silver: u32,
    pub gold: u32,
    pub king: u32,
}

pub static ATTACKERS: [[Attackers; 25]; 2] = {
    let mut attackers = [[Attackers { pawn: 0, silver: 0, gold: 0, king: 0 }; 25]; 2];
    let mut index = 0;
    while index < 50 {
        let (seat, cell) = (index / 25, index % 25);
        // A cell is attacked from where the opponent's piece of that kind could go if it stood
        // there.
        attackers[seat][cell] = Attackers {
            pawn: steps(PAWN, 1 - seat, cell),
            silver: steps(SILVER, 1 - seat, cell),
            gold: steps(GOLD, 1 - seat, cell),
            king: steps(KING, 1 - seat, cell),
        };
        index += 1;
    }
    attackers
};

/// The cells at most two steps of a king from a cell: a piece elsewhere attacks the neighbours of
/// the cell only by slides.
pub static WITHIN_TWO: [u32; 25] = {
    let mut within = [0; 25];
    let mut pair: usize = 0;
    while pair < 625 {
        let (from, to) = (pair / 25, pair % 25);
        if (from % 5).abs_diff(to % 5) <= 2 && (from / 5).abs_diff(to / 5) <= 2 {
            within[from] |= 1 << to;
        }
        pair += 1;
    }
    within
};

/// The bits of a move word (see [`STEP_MOVES`]) that a move from a cell may set.
pub const fn promotions(kind: usize, seat: usize, cell: usize, ludii: bool) -> u64 {
    let zone = if FAR[seat] >> cell & 1 == 1 { BOARD } else { FAR[seat] };
    match kind {
        PAWN => (BOARD & !FAR[seat]) as u64 | (FAR[seat] as u64) << 32,
        SILVER | BISHOP | ROOK if !ludii => BOARD as u64 | (zone as u64) << 32,
        _ => BOARD as u64,
    }
}

pub type MoveWords = [[[u64; 25]; 10]; 2];

pub const fn move_words(ludii: bool, steps_only: bool) -> MoveWords {
    let mut words = [[[0; 25]; 10]; 2];
    let mut index = 0;
    while index < 500 {
        let (seat, kind, cell) = (index / 250, index / 25 % 10, index % 25);
        let targets = if steps_only { steps(kind, seat, cell) } else { BOARD };
        words[seat][kind][cell] = twice(targets) & promotions(kind, seat, cell, ludii);
        index += 1;
    }
    words
}

/// The steps of a piece on an empty board as a move word, by rules (Ludii's second), side, kind and
/// cell. The lower half of a move word has the targets without promotion, the upper half those with
/// promotion. Both bits are set where promotion is a choice.
pub static STEP_MOVES: [MoveWords; 2] = [move_words(false, true), move_words(true, true)];
/// The bits of a move word that a slide may set.
pub static SLIDE_MOVES: [MoveWords; 2] = [move_words(false, false), move_words(true, false)];

/// A set of cells in both halves of a move word.
#[inline]
pub const fn twice(cells: u32) -> u64 {
    cells as u64 | (cells as u64) << 32
}

/// The cells strictly between two cells of a line; empty for other pairs.
pub static BETWEEN: [[u32; 25]; 25] = between(false);
/// The whole line through two of its cells; empty for other pairs.
pub static THROUGH: [[u32; 25]; 25] = between(true);

pub const fn between(whole_line: bool) -> [[u32; 25]; 25] {
    let mut table = [[0; 25]; 25];
    let mut index = 0;
    while index < 625 {
        let (from, to) = (index / 25, index % 25);
        let mut line = 0;
        while line < 4 {
            if slide(from, line, 0) >> to & 1 == 1 {
                table[from][to] = if whole_line {
                    slide(from, line, 0) | 1 << from
                } else {
                    slide(from, line, 1 << to) & slide(to, line, 1 << from)
                };
            }
            line += 1;
        }
        index += 1;
    }
    table
}
