//! The keys of tiles in their cells, the codes of groups and their bias.

use super::column::Column;
use super::{CELLS, MOST_COLOURS, cell};
use tesuji_core::zobrist;

pub static KEYS: [u64; CELLS * MOST_COLOURS] = zobrist::keys(0x80);

/// The key of the tiles of a column from a row on.
#[inline]
pub fn key_of(tiles: Column, column: usize, row: usize) -> u64 {
    let (mut low, mut high) = (tiles.low >> (3 * row), tiles.high >> (3 * row));
    let mut cell = cell(column, row);
    let mut key = 0;
    while low | high != 0 {
        let tile = (low & 7 | (high & 1) << 3) as usize;
        key ^= KEYS[cell * MOST_COLOURS + tile - 1];
        (low, high, cell) = (low >> 3, high >> 3, cell + 1);
    }
    key
}

/// For every cell and tile, the exclusive or of the keys of such tiles in the cells below it.
static KEYS_BELOW: [u64; CELLS * MOST_COLOURS] = {
    let keys: [u64; CELLS * MOST_COLOURS] = zobrist::keys(0x80);
    let mut below = [0; CELLS * MOST_COLOURS];
    let mut at = MOST_COLOURS;
    while at < below.len() {
        below[at] = below[at - MOST_COLOURS] ^ keys[at - MOST_COLOURS];
        at += 1;
    }
    below
};

/// The code of a group: the keys of its tiles. `sets` are full, from its first column.
#[inline]
pub fn code_of(first: usize, sets: &[u64], tile: u8) -> u64 {
    let mut code = 0;
    for (column, &full) in (first..).zip(sets) {
        let below = |bit: u32| KEYS_BELOW[cell(column, bit as usize / 3) * MOST_COLOURS + usize::from(tile) - 1];
        let mut left = full;
        while left != 0 {
            // A run of tiles from one bit up to another.
            let start = left.trailing_zeros();
            let end = start + (left >> start).trailing_ones();
            code ^= below(start) ^ below(end);
            left = left >> end << end;
        }
    }
    code
}

/// The bias of a group: its tiles beyond two, at most 8.
#[inline]
pub fn bias_of(tiles: i32) -> f64 {
    f64::from((tiles - 2).min(8))
}
