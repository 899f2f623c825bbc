//! Games on an unpacked board in which groups are drawn by weight.
//!
//! The weight of a group depends on its cells and its colour. The groups of each column are kept
//! with their weights, and after a move only those that may have changed are found again: the
//! groups with a tile next to a column that lost tiles.

use super::column::{Column, bits};
use super::groups::{Columns, Found, named, tiles_in};
use super::keys::{bias_of, code_of};
use super::playout::Board;
use super::{ALL, MOST, Scoring};
use tesuji_core::rng::pick;
use tesuji_core::{MoveCode, PlayoutContext};

/// A tabu colour, whose groups are not to be removed while there are others.
#[derive(Clone, Copy)]
pub struct Tabu {
    colour: Column,
    /// The removed tiles from which on pairs are allowed.
    relaxes_at: usize,
    /// Whether pairs are allowed now.
    allows_pairs: bool,
}

impl Tabu {
    /// Creates the tabu of a position without a number of tiles.
    pub fn new(colour: Column, relaxes_at: usize, removed: usize) -> Tabu {
        Tabu { colour, relaxes_at, allows_pairs: removed >= relaxes_at }
    }

    /// The cells of a column that may name a group that is allowed, among other bits.
    #[inline(always)]
    pub fn candidates(&self, tiles: Column) -> u64 {
        if self.allows_pairs { ALL } else { tiles.differs(self.colour) }
    }

    /// Whether a group of such a cell is allowed.
    #[inline(always)]
    pub fn allows(&self, tiles: Column, cell: u64, sets: &[u64]) -> bool {
        !self.allows_pairs || tiles.differs(self.colour) & cell != 0 || tiles_in(sets) == 2
    }
}

/// The groups that tiles of one column name.
#[derive(Clone, Copy)]
struct Named {
    count: usize,
    /// The rows of these tiles.
    rows: [u8; MOST],
    weights: [f64; MOST],
    sum: f64,
    /// The rightmost column of the groups; `MOST` if a tile of the column would name a group that
    /// is cut off from the tile that names it now, in whatever column that happens.
    reach: usize,
}

/// The groups of a board without those of a tabu colour, column by column.
struct Groups {
    tabu: Option<Tabu>,
    columns: [Named; MOST],
}

impl Groups {
    #[inline]
    fn of<const WIDE: bool>(
        board: &Board<WIDE>,
        tabu: Option<Tabu>,
        weight: &mut impl FnMut(&MoveCode) -> f64,
    ) -> Groups {
        let none = Named { count: 0, rows: [0; MOST], weights: [0.0; MOST], sum: 0.0, reach: 0 };
        let mut groups = Groups { tabu, columns: [none; MOST] };
        (0..board.end()).for_each(|column| groups.update(board, column, weight));
        groups
    }

    /// Finds the groups of a column.
    #[inline(always)]
    fn update<const WIDE: bool>(
        &mut self,
        board: &Board<WIDE>,
        column: usize,
        weight: &mut impl FnMut(&MoveCode) -> f64,
    ) {
        let tiles = board.column(column);
        let tabu = self.tabu;
        let free = tabu.map_or(ALL, |tabu| tabu.candidates(tiles));
        let found = &mut self.columns[column];
        (found.count, found.sum, found.reach) = (0, 0.0, column);
        let mut add = |bit: usize, sets: &[u64]| {
            let columns = sets.iter().take_while(|&&full| full != 0).count();
            found.reach = found.reach.max(column + columns - 1);
            if tabu.is_some_and(|tabu| !tabu.allows(tiles, 1 << bit, sets)) {
                return;
            }
            let code = code_of(column, sets, tiles.tile(bit / 3));
            let weight = weight(&MoveCode { code, bias: bias_of(tiles_in(sets)) });
            found.rows[found.count] = (bit / 3) as u8;
            found.weights[found.count] = weight;
            found.sum += weight;
            found.count += 1;
        };
        let mut is_complete = true;
        for bit in bits(board.candidates(column) & free) {
            match board.find_narrow(column, 1 << bit) {
                Found::Whole(sets) => add(bit, &sets),
                Found::Part => match board.find_wide(column, 1 << bit) {
                    Some(group) => add(bit, group.sets()),
                    None => is_complete = false,
                },
                Found::Other => is_complete = false,
            }
        }
        if !is_complete {
            found.reach = MOST;
        }
    }

    /// Finds the groups again that may have changed with columns `first` to `last`.
    #[inline(always)]
    fn update_around<const WIDE: bool>(
        &mut self,
        board: &Board<WIDE>,
        (first, last): (usize, usize),
        weight: &mut impl FnMut(&MoveCode) -> f64,
    ) {
        let touched = first.saturating_sub(1);
        for column in 0..=(last + 1).min(MOST - 1) {
            if column >= touched || self.columns[column].reach >= touched {
                self.update(board, column, weight);
            }
        }
    }

    /// Draws a group: the column and the cell that name it.
    #[inline(always)]
    fn draw(&self, end: usize, unit: impl FnOnce() -> f64) -> Option<(usize, u64)> {
        let columns = &self.columns[..end];
        let last = columns.iter().rposition(|column| column.count > 0)?;
        let mut below = unit() * columns.iter().map(|column| column.sum).sum::<f64>();
        let mut drawn = last;
        for (number, column) in columns[..last].iter().enumerate() {
            if below < column.sum {
                drawn = number;
                break;
            }
            below -= column.sum;
        }
        let column = &columns[drawn];
        let row = column.rows[pick(&column.weights[..column.count], below)];
        Some((drawn, 1 << (3 * u32::from(row))))
    }
}

/// Removes groups drawn by weight until none is left, those of a tabu colour only if there are no
/// others. `removed` tiles are gone at the start. Puts the moves into the buffer of the context and
/// returns the points.
#[inline(always)]
pub fn weighted_game<S: Scoring, const WIDE: bool>(
    board: &mut Board<WIDE>,
    removed: usize,
    mut tabu: Option<Tabu>,
    weight: &mut impl FnMut(&MoveCode) -> f64,
    context: &mut PlayoutContext<u16>,
) -> i32 {
    let mut groups = Groups::of(board, tabu, weight);
    let (mut points, mut removed) = (0, removed);
    context.moves.clear();
    loop {
        let end = board.end();
        let mut drawn = groups.draw(end, || context.rng.unit());
        if drawn.is_none() && tabu.is_some() {
            drawn = Groups::of(board, None, weight).draw(end, || context.rng.unit());
        }
        let Some((column, cell)) = drawn else { return points };
        let (tiles, last, is_emptied) = match board.find_narrow(column, cell) {
            Found::Whole(sets) => (tiles_in(&sets), column + sets.len() - 1, board.remove(column, &sets)),
            Found::Part | Found::Other => {
                let group = board.find_wide(column, cell).expect("the group was found before");
                (tiles_in(group.sets()), column + group.sets().len() - 1, board.remove(column, group.sets()))
            }
        };
        points += S::points(tiles);
        context.moves.push(named(column, cell));
        let last = if is_emptied {
            board.close_columns(column);
            end - 1
        } else {
            last
        };
        removed += tiles as usize;
        match &mut tabu {
            Some(tabu) if !tabu.allows_pairs && removed >= tabu.relaxes_at => {
                tabu.allows_pairs = true;
                groups = Groups::of(board, Some(*tabu), weight);
            }
            _ => groups.update_around(board, (column, last), weight),
        }
    }
}
