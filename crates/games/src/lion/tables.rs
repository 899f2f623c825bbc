//! Zobrist keys and attack tables.

use super::{BOARD, CHICK, ELEPHANT, GIRAFFE, LION, ROOSTER};
use tesuji_core::zobrist;

pub static PIECE_KEYS: [[[u64; 16]; 5]; 2] = {
    let all: [u64; 160] = zobrist::keys(0x40);
    let mut keys = [[[0; 16]; 5]; 2];
    let mut index = 0;
    while index < 160 {
        keys[index / 80][index / 16 % 5][index % 16] = all[index];
        index += 1;
    }
    keys
};
/// Keys for the first and the second piece of a kind in a hand.
pub static HAND_KEYS: [[[u64; 2]; 3]; 2] = {
    let all: [u64; 12] = zobrist::keys(0x41);
    let mut keys = [[[0; 2]; 3]; 2];
    let mut index = 0;
    while index < 12 {
        keys[index / 6][index / 2 % 3][index % 2] = all[index];
        index += 1;
    }
    keys
};
pub const SECOND_TO_MOVE: u64 = zobrist::key(0x42, 0);

/// The shifts of Sente's steps: forward, back, left, right; forward left and right, back left and
/// right. Those of Gote are the negatives.
pub const STEPS: [i32; 8] = [-4, 4, -1, 1, -5, -3, 3, 5];

#[inline]
pub const fn shifted(cells: u16, by: i32) -> u16 {
    if by < 0 { cells >> -by } else { cells << by }
}

/// The targets of each of the [`STEPS`], four sets of 16 bits in a word.
#[inline]
pub const fn steps_of(kinds: [u16; 5], own: u16, seat: usize) -> [u64; 2] {
    let orthogonal = (kinds[LION] | kinds[GIRAFFE] | kinds[ROOSTER]) & own;
    let forward = orthogonal | kinds[CHICK] & own;
    let backward_diagonal = (kinds[LION] | kinds[ELEPHANT]) & own;
    let forward_diagonal = backward_diagonal | kinds[ROOSTER] & own;
    let movers = [
        [forward, orthogonal, orthogonal, orthogonal],
        [forward_diagonal, forward_diagonal, backward_diagonal, backward_diagonal],
    ];
    let mut words = [0; 2];
    let mut step = 0;
    while step < 8 {
        let by = if seat == 0 { STEPS[step] } else { -STEPS[step] };
        words[step / 4] |= (shifted(movers[step / 4][step % 4], by) as u64) << (16 * (step % 4));
        step += 1;
    }
    words
}

/// The cells that a piece attacks, by side, kind and cell.
pub static ATTACKS: [[[u16; 16]; 5]; 2] = {
    let mut attacks = [[[0; 16]; 5]; 2];
    let mut index = 0;
    while index < 160 {
        let (seat, kind, cell) = (index / 80, index / 16 % 5, index % 16);
        let mut kinds = [0; 5];
        kinds[kind] = BOARD & 1 << cell;
        let words = steps_of(kinds, kinds[kind], seat);
        let mut step = 0;
        while step < 8 {
            attacks[seat][kind][cell] |= (words[step / 4] >> (16 * (step % 4))) as u16 & BOARD;
            step += 1;
        }
        index += 1;
    }
    attacks
};
