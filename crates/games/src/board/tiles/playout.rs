//! Random games on an unpacked board.
//!
//! The candidates of each column are kept, and only the columns around a removed group are looked
//! at again. A candidate is drawn uniformly, and drawn again if another tile names its group. Every
//! group has exactly one name, so groups are drawn uniformly.

use super::Scoring;
use super::column::{Column, bit_at};
use super::groups::{Board, EDGE, Found, NARROW, PADDED, named, tiles_in};
use tesuji_core::{PlayoutContext, Rng};

/// The columns whose sets are interleaved in one word.
pub const PER_WORD: usize = 3;
/// The words of all columns.
pub const WORDS: usize = super::MOST.div_ceil(PER_WORD);
/// The words of boards that are not `WIDE`.
const NARROW_WORDS: usize = super::NARROW_COLUMNS.div_ceil(PER_WORD);

/// Interleaves sets of three columns.
#[inline]
pub fn interleave(sets: [u64; PER_WORD]) -> u64 {
    sets[0] | sets[1] << 1 | sets[2] << 2
}

/// The cells of each column that may name a group.
struct Candidates([u64; PADDED]);

impl Candidates {
    /// All candidates without those of a tabu colour.
    #[inline]
    fn of<const WIDE: bool>(board: &Board<WIDE>, tabu: Option<Column>) -> Candidates {
        let mut candidates = Candidates([0; PADDED]);
        board.columns().for_each(|at| candidates.update(board, tabu, at));
        candidates
    }

    /// Finds the candidates of a column.
    #[inline(always)]
    fn update<const WIDE: bool>(&mut self, board: &Board<WIDE>, tabu: Option<Column>, at: usize) {
        let free = tabu.map_or(u64::MAX, |tabu| board.column(at).differs(tabu));
        self.0[at % PADDED] = board.candidates(at) & free;
    }

    /// Draws a candidate: its column and its cell.
    #[inline(always)]
    fn draw<const WIDE: bool>(&self, rng: &mut Rng) -> Option<(usize, u64)> {
        let words = if WIDE { WORDS } else { NARROW_WORDS };
        let mut sets = [0; WORDS];
        let mut before = [0; WORDS];
        let mut total = 0;
        for word in 0..words {
            let first = EDGE + PER_WORD * word;
            sets[word] = interleave([self.0[first], self.0[first + 1], self.0[first + 2]]);
            before[word] = total;
            total += sets[word].count_ones();
        }
        if total == 0 {
            return None;
        }
        let number = rng.below(total as usize) as u32;
        let (mut set, mut skipped, mut first) = (sets[0], 0, EDGE);
        for word in 1..words {
            if number >= before[word] {
                (set, skipped, first) = (sets[word], before[word], EDGE + PER_WORD * word);
            }
        }
        let bit = bit_at(set, number - skipped);
        let column = bit % PER_WORD as u32;
        Some((first + column as usize, 1 << (bit - column)))
    }
}

/// Draws a group of a board that has one, and returns its name.
pub fn random_group<const WIDE: bool>(board: &Board<WIDE>, rng: &mut Rng) -> u16 {
    let candidates = Candidates::of(board, None);
    loop {
        let (at, cell) = candidates.draw::<WIDE>(rng).expect("the game is not over");
        if board.find(at, cell).is_some() {
            return named(at, cell.trailing_zeros() as usize / 3);
        }
    }
}

/// Removes random groups until none is left, those of a tabu colour only if there are no others.
/// Puts the moves into the buffer of the context and returns the points.
#[inline(always)]
pub fn random_game<S: Scoring, const WIDE: bool>(
    board: &mut Board<WIDE>,
    tabu: Option<Column>,
    context: &mut PlayoutContext<u16>,
) -> i32 {
    let mut candidates = Candidates::of(board, tabu);
    let mut points = 0;
    context.moves.clear();
    loop {
        let mut drawn = candidates.draw::<WIDE>(&mut context.rng);
        if drawn.is_none() && tabu.is_some() {
            drawn = Candidates::of(board, None).draw::<WIDE>(&mut context.rng);
        }
        let Some((at, cell)) = drawn else { return points };
        let end = board.columns().end;
        let is_emptied = match board.find_narrow(at, cell) {
            Found::Other => continue,
            Found::Whole(sets) => {
                points += S::points(tiles_in(&sets));
                let is_emptied = board.remove(at, &sets);
                if !is_emptied {
                    (at - 1..=at + NARROW).for_each(|at| candidates.update(board, tabu, at));
                }
                is_emptied
            }
            Found::Part => {
                let Some(group) = board.find_wide(at, cell) else { continue };
                points += S::points(group.tiles());
                let is_emptied = board.remove(at, group.sets());
                if !is_emptied {
                    (at - 1..=at + group.sets().len()).for_each(|at| candidates.update(board, tabu, at));
                }
                is_emptied
            }
        };
        context.moves.push(named(at, cell.trailing_zeros() as usize / 3));
        if is_emptied {
            board.close_columns(at);
            (at - 1..end).for_each(|at| candidates.update(board, tabu, at));
        }
    }
}
