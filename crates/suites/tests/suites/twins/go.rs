//! The naive twin of Go.

use super::*;

pub struct Go {
    board: Board,
    side: char,
    ko: Option<Cell>,
    passes: i32,
    superko: String,
    twice_komi: i32,
    /// Stones and side to move of every position since the start.
    history: Vec<(Board, char)>,
}

const COLUMNS: &[u8] = b"ABCDEFGHJKLMNOPQRST";

pub fn other(side: char) -> char {
    if side == 'X' { 'O' } else { 'X' }
}

pub fn name(rows: usize, cell: Cell) -> String {
    format!("{}{}", COLUMNS[cell.1 as usize] as char, rows as i32 - cell.0)
}

pub fn cell_of(rows: usize, name: &str) -> Cell {
    let column = COLUMNS.iter().position(|&letter| letter == name.as_bytes()[0]).unwrap();
    let row: i32 = name[1..].parse().unwrap();
    (rows as i32 - row, column as i32)
}

/// The cells connected with this one, and the adjacent cells of other kinds.
fn group(board: &[Vec<char>], cell: Cell) -> (Vec<Cell>, Vec<Cell>) {
    let what = at(board, cell);
    let mut rest = board.to_vec();
    put(&mut rest, cell, '*');
    let mut members = vec![cell];
    let mut border = Vec::new();
    let mut done = 0;
    while done < members.len() {
        for direction in STRAIGHT {
            let next = step(members[done], direction, 1);
            let found = at(&rest, next);
            if found == what {
                members.push(next);
            } else if found != '*' && found != ' ' {
                border.push(next);
            }
            if found != ' ' {
                put(&mut rest, next, '*');
            }
        }
        done += 1;
    }
    (members, border)
}

fn liberties(board: &[Vec<char>], cell: Cell) -> usize {
    let (_, border) = group(board, cell);
    border.into_iter().filter(|&next| at(board, next) == '.').count()
}

/// The points of GTP's fixed handicap.
fn handicap_points(number: i32, size: i32) -> Vec<Cell> {
    let low = if size < 13 { 2 } else { 3 };
    let high = size - 1 - low;
    let middle = size / 2;
    let (top, bottom, left, right) = (low, high, low, high);
    let mut points = vec![(bottom, left), (top, right)];
    if number >= 3 {
        points.push((top, left));
    }
    if number >= 4 {
        points.push((bottom, right));
    }
    if number >= 6 {
        points.extend([(middle, left), (middle, right)]);
    }
    if number >= 8 {
        points.extend([(bottom, middle), (top, middle)]);
    }
    if number == 5 || number == 7 || number == 9 {
        points.push((middle, middle));
    }
    points
}

impl Go {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let komi: f64 = option(options, "komi").unwrap_or("7.5").parse().unwrap();
        let (columns, rows) = size(options, "9");
        let mut game = Self {
            board: empty_board(columns, rows),
            side: 'X',
            ko: None,
            passes: 0,
            superko: option(options, "ko").unwrap_or("positional").to_string(),
            twice_komi: (2.0 * komi).round() as i32,
            history: Vec::new(),
        };
        if let Some(text) = start {
            let fields: Vec<&str> = text.split(' ').collect();
            game.board = read_board(fields[0]);
            game.side = fields[1].parse().unwrap();
            if fields[2] != "-" {
                game.ko = Some(cell_of(game.board.len(), fields[2]));
            }
            game.passes = fields[3].parse().unwrap();
        } else if let Some(number) = option(options, "handicap") {
            for point in handicap_points(number.parse().unwrap(), rows as i32) {
                put(&mut game.board, point, 'X');
            }
            game.side = 'O';
        }
        game.history.push((game.board.clone(), game.side));
        game
    }

    /// The board and the number of captured stones after a stone of the player to move, if it is
    /// legal.
    fn with_stone(&self, cell: Cell) -> Option<(Board, usize)> {
        if at(&self.board, cell) != '.' || self.ko == Some(cell) {
            return None;
        }
        let mut board = self.board.clone();
        put(&mut board, cell, self.side);
        let mut captured = 0;
        for direction in STRAIGHT {
            let next = step(cell, direction, 1);
            if at(&board, next) == other(self.side) && liberties(&board, next) == 0 {
                for stone in group(&board, next).0 {
                    put(&mut board, stone, '.');
                    captured += 1;
                }
            }
        }
        if liberties(&board, cell) == 0 {
            return None;
        }
        let forbidden = self.history.iter().any(|(stones, side)| match self.superko.as_str() {
            "positional" => *stones == board,
            "situational" => *stones == board && *side == other(self.side),
            _ => false,
        });
        if forbidden { None } else { Some((board, captured)) }
    }

    /// Stones and surrounded empty cells.
    fn area(&self, who: char) -> i32 {
        let mut area = 0;
        for cell in cells(&self.board) {
            if at(&self.board, cell) == who {
                area += 1;
            } else if at(&self.board, cell) == '.' {
                let (_, border) = group(&self.board, cell);
                if !border.is_empty() && border.into_iter().all(|stone| at(&self.board, stone) == who) {
                    area += 1;
                }
            }
        }
        area
    }
}

impl Twin for Go {
    fn to_move(&self) -> usize {
        if self.side == 'X' { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        if self.scores().is_some() {
            return Vec::new();
        }
        let mut moves = vec!["pass".to_string()];
        for cell in cells(&self.board) {
            if self.with_stone(cell).is_some() {
                moves.push(name(self.board.len(), cell));
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.scores().is_none(), "the game is over");
        if mv == "pass" {
            self.passes += 1;
            self.ko = None;
        } else {
            let cell = cell_of(self.board.len(), mv);
            let Some((board, captured)) = self.with_stone(cell) else {
                panic!("illegal move {mv}");
            };
            let (stones, border) = group(&board, cell);
            let free: Vec<Cell> = border.into_iter().filter(|&next| at(&board, next) == '.').collect();
            let is_ko = captured == 1 && stones.len() == 1 && free.len() == 1;
            self.ko = if is_ko { Some(free[0]) } else { None };
            self.board = board;
            self.passes = 0;
        }
        self.side = other(self.side);
        self.history.push((self.board.clone(), self.side));
    }

    fn scores(&self) -> Option<Vec<i32>> {
        if self.passes < 2 && self.history.len() <= 1000 {
            return None;
        }
        let score = 2 * (self.area('X') - self.area('O')) - self.twice_komi;
        Some(vec![score, -score])
    }

    fn text(&self) -> String {
        let ko = self.ko.map_or("-".to_string(), |cell| name(self.board.len(), cell));
        format!("{} {} {} {}", draw_board(&self.board), self.side, ko, self.passes)
    }
}
