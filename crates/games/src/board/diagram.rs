//! Boards as text: rows from top to bottom joined by `/`, one character per cell, then fields
//! separated by spaces.

use tesuji_core::view::{Piece, RowOne, Shape};
use tesuji_core::{Player, PositionError, View, quoted};

/// Writes the rows of a board of `columns` x `rows`; `cell(column, row from the top)` returns the
/// characters.
pub fn rows_text((columns, rows): (usize, usize), cell: impl Fn(usize, usize) -> char) -> String {
    let mut text = String::with_capacity((columns + 1) * rows);
    for row in 0..rows {
        if row > 0 {
            text.push('/');
        }
        text.extend((0..columns).map(|column| cell(column, row)));
    }
    text
}

/// Writes a board with stones of two colours and the side to move. `seat_at(column, row from the
/// top)` returns the owner of a stone, `letters` has the letters of the seats.
pub fn stones_text(
    size: (usize, usize),
    letters: &str,
    to_move: Player,
    seat_at: impl Fn(usize, usize) -> Option<usize>,
) -> String {
    let letter = |seat: usize| char::from(letters.as_bytes()[seat]);
    format!("{} {}", rows_text(size, |column, row| seat_at(column, row).map_or('.', letter)), letter(to_move.index()))
}

/// The view of a board with stones of two colours.
pub fn stones_view(
    shape: Shape,
    size: (usize, usize),
    row_one: RowOne,
    letters: &str,
    seat_at: impl Fn(usize, usize) -> Option<usize>,
) -> View {
    View::grid(shape, size, row_one, |column, row| {
        let seat = seat_at(column, row)?;
        Some(Piece { symbol: letters[seat..=seat].to_string(), owner: Some(Player(seat as u8)) })
    })
}

/// A board read from text.
#[derive(Debug)]
pub struct Diagram<'a> {
    text: &'a str,
    rows: Vec<&'a [u8]>,
    /// The fields after the board.
    pub fields: Vec<&'a str>,
}

impl<'a> Diagram<'a> {
    /// Reads a board of `columns` x `rows` whose cells are among `letters`, followed by exactly
    /// `fields` fields.
    pub fn parse(
        text: &'a str,
        (columns, rows): (usize, usize),
        letters: &str,
        fields: usize,
    ) -> Result<Diagram<'a>, PositionError> {
        let fail = |reason: String| Err(PositionError::new(text, reason));
        let mut parts = text.split_ascii_whitespace();
        let board: Vec<&[u8]> = parts.next().unwrap_or("").split('/').map(str::as_bytes).collect();
        if board.len() != rows || board.iter().any(|row| row.len() != columns) {
            return fail(format!("the board must be {rows} rows of {columns} characters, joined by '/'"));
        }
        if let Some(bad) = board.iter().flat_map(|row| row.iter()).find(|cell| !letters.as_bytes().contains(cell)) {
            return fail(format!("{:?} is not a cell; cells are among {letters:?}", char::from(*bad)));
        }
        let found: Vec<&str> = parts.collect();
        if found.len() != fields {
            return fail(format!("{fields} fields must follow the board, not {}", found.len()));
        }
        Ok(Diagram { text, rows: board, fields: found })
    }

    /// Returns the character at (column, row from the top).
    pub fn at(&self, column: usize, row: usize) -> char {
        char::from(self.rows[row][column])
    }

    /// Returns the number of cells with a character.
    pub fn count(&self, letter: char) -> usize {
        self.rows.iter().flat_map(|row| row.iter()).filter(|&&cell| char::from(cell) == letter).count()
    }

    /// Returns the seat whose letter is in field number `field`. `letters` has the letters of the
    /// players.
    pub fn side(&self, field: usize, letters: &str) -> Result<u8, PositionError> {
        let side = self.fields[field];
        let seat = (side.len() == 1).then(|| letters.find(side)).flatten();
        seat.map(|seat| seat as u8).ok_or_else(|| {
            self.error(format!("the side to move must be one of {letters:?}, not {side}", side = quoted(side)))
        })
    }

    /// Creates an error about this text.
    pub fn error(&self, reason: impl Into<String>) -> PositionError {
        PositionError::new(self.text, reason)
    }
}
