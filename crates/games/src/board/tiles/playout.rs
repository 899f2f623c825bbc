//! Random games on an unpacked board.
//!
//! The candidates of each column are kept, and only the columns around a removed group are looked
//! at again. A candidate is drawn uniformly, and drawn again if another tile names its group. Every
//! group has exactly one name, so groups are drawn uniformly.
//!
//! A move takes about 500 instructions and 145 cycles on 15x15 and on 20x20 (Zen 5), with all data
//! in the first cache. That is far below the width of the processor, so the chain from one draw to
//! the next is the likely bound, with the mispredicted branches in it: the candidates are counted,
//! the colour of the drawn one is read, the group is followed column by column, the tiles fall, and
//! new candidates are found. Hence `pext`, words of three columns, and few branches.

use super::column::{ALL, Column, PER_WORD, WORDS, nth_bit};
use super::groups::{Columns, Found, NARROW, Packed, named, tiles_in};
use super::{MOST, NARROW_COLUMNS, Scoring};
use tesuji_core::{PlayoutContext, Rng};

/// The words of boards that are not `WIDE`.
const NARROW_WORDS: usize = NARROW_COLUMNS.div_ceil(PER_WORD);

/// The empty columns left of the board: the window around a group needs no test for the edge.
const EDGE: usize = 2;
/// The columns of a board with its edges, a power of two.
const PADDED: usize = 32;

/// A board unpacked for work on it, with empty columns on both sides.
///
/// A board with at most seven colours and 15 columns does without much of the work, so the rest is
/// compiled for `WIDE` boards only.
pub struct Board<const WIDE: bool> {
    low: [u64; PADDED],
    high: [u64; PADDED],
    end: usize,
}

impl<const WIDE: bool> Columns for Board<WIDE> {
    #[inline]
    fn column(&self, column: usize) -> Column {
        let at = column.wrapping_add(EDGE) % PADDED;
        Column { low: self.low[at], high: if WIDE { self.high[at] } else { 0 } }
    }

    #[inline]
    fn end(&self) -> usize {
        self.end
    }
}

impl<const WIDE: bool> Board<WIDE> {
    /// Unpacks a board.
    #[inline]
    pub fn new(packed: &Packed<'_, WIDE>) -> Self {
        let mut board = Board { low: [0; PADDED], high: [0; PADDED], end: packed.end };
        board.low[EDGE..EDGE + MOST].copy_from_slice(packed.low);
        if WIDE {
            (0..MOST).for_each(|column| board.high[EDGE + column] = packed.column(column).high);
        }
        board
    }

    #[inline]
    fn set_column(&mut self, column: usize, tiles: Column) {
        let at = column.wrapping_add(EDGE) % PADDED;
        self.low[at] = tiles.low;
        if WIDE {
            self.high[at] = tiles.high;
        }
    }

    /// Removes full sets of cells from columns and drops the tiles above them. Returns whether a
    /// column has lost its last tile.
    #[inline]
    pub fn remove(&mut self, first: usize, sets: &[u64]) -> bool {
        let mut is_emptied = false;
        for (column, &full) in (first..).zip(sets) {
            let tiles = self.column(column).without::<WIDE>(full);
            self.set_column(column, tiles);
            is_emptied |= (full != 0) & tiles.is_empty();
        }
        is_emptied
    }

    /// Closes empty columns from a column on.
    pub fn close_columns(&mut self, first: usize) {
        let mut kept = first;
        for column in first..self.end {
            let tiles = self.column(column);
            self.set_column(column, Column::EMPTY);
            // Written even if it is empty: the next column overwrites it.
            self.set_column(kept, tiles);
            kept += usize::from(!tiles.is_empty());
        }
        self.end = kept;
    }
}

/// The cells of each column that may name a group.
struct Candidates([u64; PADDED]);

impl Candidates {
    /// All candidates without those of a tabu colour.
    #[inline]
    fn of<const WIDE: bool>(board: &Board<WIDE>, tabu: Option<Column>) -> Candidates {
        let mut candidates = Candidates([0; PADDED]);
        (0..board.end()).for_each(|column| candidates.update(board, tabu, column));
        candidates
    }

    /// Finds the candidates of a column.
    #[inline(always)]
    fn update<const WIDE: bool>(&mut self, board: &Board<WIDE>, tabu: Option<Column>, column: usize) {
        let free = tabu.map_or(u64::MAX, |tabu| board.column(column).differs(tabu));
        self.0[column.wrapping_add(EDGE) % PADDED] = board.candidates(column) & free;
    }

    /// Finds the candidates of `count` columns and of those on either side.
    #[inline(always)]
    fn update_around<const WIDE: bool>(
        &mut self,
        board: &Board<WIDE>,
        tabu: Option<Column>,
        first: usize,
        count: usize,
    ) {
        (0..count + 2).for_each(|offset| self.update(board, tabu, (first + offset).wrapping_sub(1)));
    }

    /// Draws a candidate: its column and its cell.
    #[inline(always)]
    fn draw<const WIDE: bool>(&self, rng: &mut Rng) -> Option<(usize, u64)> {
        let words = if WIDE { WORDS } else { NARROW_WORDS };
        let mut sets = [0u64; WORDS];
        let mut before = [0; WORDS];
        let mut total = 0;
        for word in 0..words {
            let first = EDGE + PER_WORD * word;
            sets[word] = self.0[first] | self.0[first + 1] << 1 | self.0[first + 2] << 2;
            before[word] = total;
            total += sets[word].count_ones();
        }
        if total == 0 {
            return None;
        }
        let number = rng.below(total as usize) as u32;
        let (mut set, mut skipped, mut first) = (sets[0], 0, 0);
        for word in 1..words {
            if number >= before[word] {
                (set, skipped, first) = (sets[word], before[word], PER_WORD * word);
            }
        }
        let cell = nth_bit(set, number - skipped);
        // Faster than the remainder of its index: the chain from draw to draw limits the speed.
        let offset = usize::from(cell & ALL << 1 != 0) + 2 * usize::from(cell & ALL << 2 != 0);
        Some((first + offset, cell >> offset))
    }
}

/// Draws a group of a board that has one, and returns its name.
pub fn random_group<const WIDE: bool>(board: &Board<WIDE>, rng: &mut Rng) -> u16 {
    let candidates = Candidates::of(board, None);
    loop {
        let (column, cell) = candidates.draw::<WIDE>(rng).expect("the game is not over");
        if board.is_name(column, cell) {
            return named(column, cell);
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
        let Some((column, cell)) = drawn else { return points };
        let is_emptied = match board.find_narrow(column, cell) {
            Found::Other => continue,
            Found::Whole(sets) => {
                points += S::points(tiles_in(&sets));
                let is_emptied = board.remove(column, &sets);
                candidates.update_around(board, tabu, column, NARROW);
                is_emptied
            }
            Found::Part => {
                let Some(group) = board.find_wide(column, cell) else { continue };
                points += S::points(tiles_in(group.sets()));
                let is_emptied = board.remove(column, group.sets());
                candidates.update_around(board, tabu, column, group.sets().len());
                is_emptied
            }
        };
        context.moves.push(named(column, cell));
        if is_emptied {
            let old_end = board.end();
            board.close_columns(column);
            (column.saturating_sub(1)..old_end).for_each(|column| candidates.update(board, tabu, column));
        }
    }
}
