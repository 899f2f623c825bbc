//! Naive implementations of the games, to compare the real ones with.

mod awari;
mod breakthrough;
mod connect4;
mod go;
mod go_problem;
mod gomoku;
mod hex;
mod knightthrough;
mod lion;
mod loa;
mod minishogi;
mod morpion;
mod othello;
mod rolit;
mod tictactoe;
mod tiles;

/// A naive implementation of a game, to compare the real one with.
pub trait Twin {
    /// The player to move; meaningless when the game is over.
    fn to_move(&self) -> usize;
    /// The move texts in any order; empty when the game is over.
    fn legal(&self) -> Vec<String>;
    /// Plays a move; panics if it is not legal.
    fn play(&mut self, mv: &str);
    /// One score for each player when the game is over.
    fn scores(&self) -> Option<Vec<i32>>;
    /// The position text.
    fn text(&self) -> String;
}

/// The twin of the named game, if it has one. The size is given under the key "size", a switch with
/// an empty value. `start` is a position text to start from; `None` means the normal start.
pub fn twin(name: &str, options: &[(&str, &str)], start: Option<&str>) -> Option<Box<dyn Twin>> {
    Some(match name {
        "tictactoe" => Box::new(tictactoe::TicTacToe::new(start)),
        "connect4" => Box::new(connect4::Connect4::new(options, start)),
        "breakthrough" => Box::new(breakthrough::Breakthrough::new(options, start)),
        "knightthrough" => Box::new(knightthrough::Knightthrough::new(options, start)),
        "othello" => Box::new(othello::Othello::new(options, start)),
        "rolit" => Box::new(rolit::Rolit::new(options, start)),
        "lion" => Box::new(lion::Lion::new(options, start)),
        "minishogi" => Box::new(minishogi::MiniShogi::new(options, start)),
        "loa" => Box::new(loa::Loa::new(options, start)),
        "gomoku" => Box::new(gomoku::Gomoku::new(options, start)),
        "awari" => Box::new(awari::Awari::new(options, start)),
        "hex" => Box::new(hex::Hex::new(options, start)),
        "go" => Box::new(go::Go::new(options, start)),
        // Generated moves are a part of the search.
        "capture" | "life" | "semeai" | "connect" if option(options, "moves").is_none() => {
            Box::new(go_problem::GoProblem::new(name, options, start.expect("a problem needs a start")))
        }
        "samegame" | "bubblebreaker" | "clickomania" => {
            Box::new(tiles::Tiles::new(name, start.expect("a tile game needs a start")))
        }
        "morpion" => Box::new(morpion::Morpion::new(options)),
        _ => return None,
    })
}

/// Whether the twin of a game does not know the start position.
pub fn needs_start(name: &str) -> bool {
    ["samegame", "bubblebreaker", "clickomania", "capture", "life", "semeai", "connect"].contains(&name)
}

/// The rows of a board from the top.
type Board = Vec<Vec<char>>;
/// Row from the top and column from the left, both from 0.
type Cell = (i32, i32);

const STRAIGHT: [Cell; 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const DIAGONAL: [Cell; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const AROUND: [Cell; 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const AXES: [Cell; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

fn option<'a>(options: &[(&str, &'a str)], key: &str) -> Option<&'a str> {
    options.iter().find(|item| item.0 == key).map(|item| item.1)
}

/// Columns and rows, from "6x5" or "8".
fn size(options: &[(&str, &str)], default: &str) -> (usize, usize) {
    let text = option(options, "size").unwrap_or(default);
    let (columns, rows) = text.split_once('x').unwrap_or((text, text));
    (columns.parse().unwrap(), rows.parse().unwrap())
}

fn empty_board(columns: usize, rows: usize) -> Board {
    vec![vec!['.'; columns]; rows]
}

/// Board and side to move of a text that has just these two fields.
fn board_and_side(text: &str) -> (Board, char) {
    let (rows, side) = text.split_once(' ').unwrap();
    (read_board(rows), side.parse().unwrap())
}

fn read_board(rows: &str) -> Board {
    rows.split('/').map(|row| row.chars().collect()).collect()
}

fn draw_board(board: &[Vec<char>]) -> String {
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    rows.join("/")
}

fn cells(board: &[Vec<char>]) -> Vec<Cell> {
    let mut list = Vec::new();
    for row in 0..board.len() as i32 {
        for column in 0..board[0].len() as i32 {
            list.push((row, column));
        }
    }
    list
}

/// The character on a cell; a space off the board.
fn at(board: &[Vec<char>], cell: Cell) -> char {
    let (row, column) = cell;
    if row < 0 || column < 0 || row >= board.len() as i32 || column >= board[0].len() as i32 {
        ' '
    } else {
        board[row as usize][column as usize]
    }
}

fn put(board: &mut [Vec<char>], cell: Cell, what: char) {
    board[cell.0 as usize][cell.1 as usize] = what;
}

fn count(board: &[Vec<char>], what: char) -> i32 {
    cells(board).into_iter().filter(|&cell| at(board, cell) == what).count() as i32
}

fn step(cell: Cell, direction: Cell, times: i32) -> Cell {
    (cell.0 + direction.0 * times, cell.1 + direction.1 * times)
}

/// The name of a cell where row 1 is the top row.
fn name_from_top(cell: Cell) -> String {
    format!("{}{}", (b'a' + cell.1 as u8) as char, cell.0 + 1)
}

fn cell_from_top(name: &str) -> Cell {
    let column = name.as_bytes()[0] - b'a';
    let row: i32 = name[1..].parse().unwrap();
    (row - 1, column as i32)
}

/// The name of a cell where row 1 is the bottom row of `rows` rows.
fn name_from_bottom(rows: usize, cell: Cell) -> String {
    name_from_top((rows as i32 - 1 - cell.0, cell.1))
}

fn cell_from_bottom(rows: usize, name: &str) -> Cell {
    let (row, column) = cell_from_top(name);
    (rows as i32 - 1 - row, column)
}

/// Whether `who` has `length` cells in a row anywhere.
fn has_line(board: &[Vec<char>], who: char, length: i32) -> bool {
    for cell in cells(board) {
        for axis in AXES {
            if (0..length).all(|i| at(board, step(cell, axis, i)) == who) {
                return true;
            }
        }
    }
    false
}

/// The scores of a two-player game that this player wins.
fn won_by(player: usize) -> Vec<i32> {
    if player == 0 { vec![1, -1] } else { vec![-1, 1] }
}
