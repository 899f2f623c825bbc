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
    /// Lines drawn on the board, each from one cell to another in a row, a column or a diagonal.
    pub lines: Vec<[String; 2]>,
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
        View { shape, column_labels: Vec::new(), cells, lines: Vec::new(), hands: Vec::new() }
    }

    /// Returns the drawing of the position with brackets around a cell, such as that of the last
    /// move. The brackets take the place of spaces.
    pub fn marked<'a>(&'a self, cell: Option<&'a str>, brackets: (&'a str, &'a str)) -> Drawing<'a> {
        Drawing { view: self, marked: cell, brackets }
    }

    /// The strokes of all lines. Row 2r and column 2c are those of a cell; between two cells is the
    /// stroke that connects them, or a space.
    fn strokes(&self) -> Vec<Vec<char>> {
        let (columns, rows) = self.size();
        let mut canvas = vec![vec![' '; (2 * columns).saturating_sub(1)]; (2 * rows).saturating_sub(1)];
        let place = |name: &String| {
            let found = self.cells.iter().find(|cell| cell.name == *name);
            found.map(|cell| (i32::from(cell.column), i32::from(cell.row)))
        };
        for [from, to] in &self.lines {
            let (Some((x, y)), Some((to_x, to_y))) = (place(from), place(to)) else { continue };
            let (right, down) = (to_x - x, to_y - y);
            let (dx, dy) = (right.signum(), down.signum());
            for step in 0..right.abs().max(down.abs()) {
                let (row, column) = (2 * (y + step * dy) + dy, 2 * (x + step * dx) + dx);
                let Some(stroke) = canvas.get_mut(row as usize).and_then(|row| row.get_mut(column as usize)) else {
                    continue;
                };
                *stroke = match (*stroke, dx * dy) {
                    ('/' | 'X', 1) | ('\\' | 'X', -1) => 'X',
                    (_, 1) => '\\',
                    (_, -1) => '/',
                    _ if dy == 0 => '-',
                    _ => '|',
                };
            }
        }
        canvas
    }

    fn size(&self) -> (usize, usize) {
        let columns = self.cells.iter().map(|cell| usize::from(cell.column) + 1).max().unwrap_or(0);
        let rows = self.cells.iter().map(|cell| usize::from(cell.row) + 1).max().unwrap_or(0);
        (columns, rows)
    }
}

/// The drawing of a position as text.
pub struct Drawing<'a> {
    view: &'a View,
    /// The name of the marked cell.
    marked: Option<&'a str>,
    brackets: (&'a str, &'a str),
}

impl Drawing<'_> {
    /// Joins cells, each right-aligned to a width, with a space before each, or with the strokes
    /// that lead to it. Cells are given by name and symbol.
    fn row(&self, cells: &[(&str, &str)], strokes: &[char], width: usize) -> String {
        let mut row = String::new();
        let mut after_mark = "";
        for (number, (name, symbol)) in cells.iter().enumerate() {
            let is_marked = self.marked.is_some_and(|marked| marked == *name);
            let padding = width - symbol.chars().count().min(width);
            // The brackets of this cell and of the cell before take the place of a space.
            let brackets = usize::from(is_marked) + usize::from(!after_mark.is_empty());
            let stroke = (2 * number).checked_sub(1).and_then(|at| strokes.get(at)).unwrap_or(&' ');
            row += after_mark;
            row.extend(std::iter::repeat_n(stroke, (1 + padding).saturating_sub(brackets)));
            if is_marked {
                row += self.brackets.0;
            }
            row += symbol;
            after_mark = if is_marked { self.brackets.1 } else { "" };
        }
        row + if after_mark.is_empty() { " " } else { after_mark }
    }

    fn draw_grid(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let View { cells, column_labels, shape, .. } = self.view;
        let (columns, rows) = self.view.size();
        let mut symbols = vec![vec![("", " "); columns]; rows];
        let mut width = 1;
        for cell in cells {
            let symbol = cell.piece.as_ref().map_or("\u{b7}", |piece| piece.symbol.as_str());
            width = width.max(symbol.chars().count());
            symbols[usize::from(cell.row)][usize::from(cell.column)] = (cell.name.as_str(), symbol);
        }
        let split = |name: &str| {
            let at = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
            (name[..at].to_string(), name[at..].to_string())
        };
        let labels =
            |pick: fn(&Cell) -> bool| cells.iter().filter(move |cell| pick(cell)).map(|cell| split(&cell.name));
        let letters: Vec<String> = match column_labels.as_slice() {
            [] => labels(|cell| cell.row == 0).map(|(letter, _)| letter).collect(),
            given => given.to_vec(),
        };
        width = letters.iter().map(String::len).fold(width, usize::max);
        let numbers: Vec<String> = labels(|cell| cell.column == 0).map(|(_, number)| number).collect();
        let margin = numbers.iter().map(String::len).max().unwrap_or(1);
        let header = letters.iter().map(|letter| format!("{letter:>width$}")).collect::<Vec<_>>().join(" ");
        let hex = *shape == Shape::Hex;
        let canvas = if self.view.lines.is_empty() { Vec::new() } else { self.view.strokes() };
        writeln!(f, "{:margin$} {header}", "")?;
        for (row, cells) in symbols.iter().enumerate() {
            let shift = if hex { row } else { 0 };
            let number = &numbers[row];
            let strokes = canvas.get(2 * row).map_or(&[][..], Vec::as_slice);
            writeln!(f, "{:shift$}{number:>margin$}{}{number}", "", self.row(cells, strokes, width))?;
            if let Some([first, rest @ ..]) = canvas.get(2 * row + 1).map(Vec::as_slice) {
                let pairs = rest.chunks(2).map(|pair| format!("{:<width$}{}", pair[0], pair[1]));
                let between = format!("{:margin$}{:width$}{first}{}", "", "", pairs.collect::<String>());
                writeln!(f, "{}", between.trim_end())?;
            }
        }
        let shift = if hex { rows } else { 0 };
        writeln!(f, "{:shift$}{:margin$} {header}", "", "")
    }

    fn draw_mancala(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, rows) = self.view.size();
        for row in 0..rows {
            let cells: Vec<&Cell> = self.view.cells.iter().filter(|cell| usize::from(cell.row) == row).collect();
            let names: Vec<(&str, &str)> = cells.iter().map(|cell| (cell.name.as_str(), cell.name.as_str())).collect();
            let names = self.row(&names, &[], 3).trim_end().to_string();
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
        self.marked(None, ("", "")).fmt(f)
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view.shape {
            Shape::Square | Shape::Hex => self.draw_grid(f)?,
            Shape::Mancala => self.draw_mancala(f)?,
            Shape::List => {
                for cell in &self.view.cells {
                    let piece = cell.piece.as_ref().map_or("", |piece| piece.symbol.as_str());
                    writeln!(f, "{:>4}  {piece}", cell.name)?;
                }
            }
        }
        for hand in &self.view.hands {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_drawn_between_cells() {
        let mut view = View::grid(Shape::Square, (3, 3), RowOne::Bottom, |column, row| {
            let symbol = if (column, row) == (1, 1) { "x" } else { "o" };
            Some(Piece { symbol: symbol.to_string(), owner: None })
        });
        assert_eq!(view.to_string(), "  a b c\n3 o o o 3\n2 o x o 2\n1 o o o 1\n  a b c\n");
        let line = |from: &str, to: &str| [from.to_string(), to.to_string()];
        view.lines = vec![line("a1", "c1"), line("a1", "a3"), line("a3", "c1"), line("a2", "b3"), line("b1", "b2")];
        let drawn = "  a b c\n3 o o o 3\n  |X\n2 o x o 2\n  | |\\\n1 o-o-o 1\n  a b c\n";
        assert_eq!(view.to_string(), drawn);
        let marked = view.marked(Some("b1"), ("[", "]")).to_string();
        assert_eq!(marked, drawn.replace("o-o-o", "o[o]o"));
    }
}
