//! A description of a position that any front end can draw.

use crate::Player;
use serde::Serialize;
use std::fmt;

/// The arrangement of the cells of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Squares, or the points of a grid.
    Square,
    /// Hexagons; each row is shifted half a cell to the right of the row above.
    Hex,
    /// Two rows of holes with counters.
    Mancala,
    /// A list of choices.
    List,
}

/// A piece, stone, tile or heap of counters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Piece {
    /// The text on it.
    pub symbol: String,
    /// The owner, if it has one.
    pub owner: Option<Player>,
}

/// A cell of the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Cell {
    /// Its name in moves.
    pub name: String,
    /// The column from the left, from 0.
    pub column: u8,
    /// The row from the top, from 0.
    pub row: u8,
    /// The piece on it.
    pub piece: Option<Piece>,
}

/// Items beside the board: pieces in hand, captured seeds, points.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Hand {
    /// The caption: "in hand", "captured", "points".
    pub title: &'static str,
    /// The owner, if it has one.
    pub owner: Option<Player>,
    /// The click target of each item (empty if it has none) and its count.
    pub pieces: Vec<(String, i32)>,
}

/// A position for a front end to draw.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The arrangement of the cells.
    pub shape: Shape,
    /// Labels above the columns, if they are not the letters of the cell names.
    pub column_labels: Vec<String>,
    /// The cells.
    pub cells: Vec<Cell>,
    /// The items beside the board.
    pub hands: Vec<Hand>,
}

/// Returns the letter of a column, counted from 0.
pub fn column_letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

/// Returns the name of a cell: column letter and row number.
pub fn cell_name(column: usize, row_number: usize) -> String {
    format!("{}{row_number}", column_letter(column))
}

/// The row with number 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowOne {
    /// The top row.
    Top,
    /// The bottom row.
    Bottom,
}

impl View {
    /// Creates a board of `columns` x `rows`. `piece(column, row from the top)` returns the piece
    /// on a cell.
    pub fn grid(
        shape: Shape,
        (columns, rows): (usize, usize),
        row_one: RowOne,
        piece: impl Fn(usize, usize) -> Option<Piece>,
    ) -> View {
        let mut cells = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let number = match row_one {
                    RowOne::Top => row + 1,
                    RowOne::Bottom => rows - row,
                };
                let name = cell_name(column, number);
                cells.push(Cell { name, column: column as u8, row: row as u8, piece: piece(column, row) });
            }
        }
        View { shape, column_labels: Vec::new(), cells, hands: Vec::new() }
    }

    fn size(&self) -> (usize, usize) {
        let columns = self.cells.iter().map(|cell| usize::from(cell.column) + 1).max().unwrap_or(0);
        let rows = self.cells.iter().map(|cell| usize::from(cell.row) + 1).max().unwrap_or(0);
        (columns, rows)
    }

    fn draw_grid(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (columns, rows) = self.size();
        let mut symbols = vec![vec![" "; columns]; rows];
        let mut width = 1;
        for cell in &self.cells {
            let symbol = cell.piece.as_ref().map_or("\u{b7}", |piece| piece.symbol.as_str());
            width = width.max(symbol.chars().count());
            symbols[usize::from(cell.row)][usize::from(cell.column)] = symbol;
        }
        let split = |name: &str| {
            let at = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
            (name[..at].to_string(), name[at..].to_string())
        };
        let labels =
            |pick: fn(&Cell) -> bool| self.cells.iter().filter(move |cell| pick(cell)).map(|cell| split(&cell.name));
        let letters: Vec<String> = match self.column_labels.as_slice() {
            [] => labels(|cell| cell.row == 0).map(|(letter, _)| letter).collect(),
            given => given.to_vec(),
        };
        width = letters.iter().map(String::len).fold(width, usize::max);
        let numbers: Vec<String> = labels(|cell| cell.column == 0).map(|(_, number)| number).collect();
        let margin = numbers.iter().map(String::len).max().unwrap_or(1);
        let line = |cells: &[&str]| cells.iter().map(|cell| format!("{cell:>width$}")).collect::<Vec<_>>().join(" ");
        let header = line(&letters.iter().map(String::as_str).collect::<Vec<_>>());
        let hex = self.shape == Shape::Hex;
        writeln!(f, "{:margin$} {header}", "")?;
        for (row, cells) in symbols.iter().enumerate() {
            let shift = if hex { row } else { 0 };
            let number = &numbers[row];
            writeln!(f, "{:shift$}{number:>margin$} {} {number}", "", line(cells))?;
        }
        let shift = if hex { rows } else { 0 };
        writeln!(f, "{:shift$}{:margin$} {header}", "", "")
    }

    fn draw_mancala(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, rows) = self.size();
        for row in 0..rows {
            let cells: Vec<&Cell> = self.cells.iter().filter(|cell| usize::from(cell.row) == row).collect();
            let names: String = cells.iter().map(|cell| format!("{:>4}", cell.name)).collect();
            let seeds: String = cells
                .iter()
                .map(|cell| format!("{:>4}", cell.piece.as_ref().map_or("0", |p| p.symbol.as_str())))
                .collect();
            let (upper, lower) = if row == 0 { (names, seeds) } else { (seeds, names) };
            writeln!(f, "{upper}\n{lower}")?;
        }
        Ok(())
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Square | Shape::Hex => self.draw_grid(f)?,
            Shape::Mancala => self.draw_mancala(f)?,
            Shape::List => {
                for cell in &self.cells {
                    let piece = cell.piece.as_ref().map_or("", |piece| piece.symbol.as_str());
                    writeln!(f, "{:>4}  {piece}", cell.name)?;
                }
            }
        }
        for hand in &self.hands {
            let owner = hand.owner.map_or(String::new(), |owner| format!("player {} ", owner.0 + 1));
            let pieces: Vec<String> = hand
                .pieces
                .iter()
                .filter(|(_, count)| *count != 0)
                .map(|(piece, count)| if piece.is_empty() { count.to_string() } else { format!("{piece} x{count}") })
                .collect();
            let pieces = if pieces.is_empty() { "none".to_string() } else { pieces.join(", ") };
            writeln!(f, "{owner}{}: {pieces}", hand.title)?;
        }
        Ok(())
    }
}
