//! The naive twin of Rolit.

use super::*;

pub struct Rolit {
    board: Board,
    seats: Vec<char>,
    turn: usize,
}

impl Rolit {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let seats = match option(options, "players").unwrap_or("4") {
            "2" => vec!['R', 'G'],
            "3" => vec!['R', 'Y', 'G'],
            "4" => vec!['R', 'Y', 'G', 'B'],
            number => panic!("no rolit for {number} players"),
        };
        if let Some(text) = start {
            let (board, colour) = board_and_side(text);
            let turn = seats.iter().position(|&seat| seat == colour).unwrap();
            return Self { board, seats, turn };
        }
        let (columns, rows) = size(options, "8");
        let mut board = empty_board(columns, rows);
        let middle = rows / 2;
        board[middle - 1][middle - 1] = 'R';
        board[middle - 1][middle] = 'Y';
        board[middle][middle - 1] = 'B';
        board[middle][middle] = 'G';
        Self { board, seats, turn: 0 }
    }

    fn is_ball(&self, cell: Cell) -> bool {
        !['.', ' '].contains(&at(&self.board, cell))
    }

    /// The balls turned by the player to move by placing on `cell`.
    fn turned(&self, cell: Cell) -> Vec<Cell> {
        let own = self.seats[self.turn];
        let mut all = Vec::new();
        for direction in AROUND {
            let mut line = Vec::new();
            let mut next = step(cell, direction, 1);
            while self.is_ball(next) && at(&self.board, next) != own {
                line.push(next);
                next = step(next, direction, 1);
            }
            if at(&self.board, next) == own {
                all.extend(line);
            }
        }
        all
    }
}

impl Twin for Rolit {
    fn to_move(&self) -> usize {
        self.turn
    }

    fn legal(&self) -> Vec<String> {
        let mut turning = Vec::new();
        let mut touching = Vec::new();
        for cell in cells(&self.board) {
            if at(&self.board, cell) != '.' {
                continue;
            }
            if !self.turned(cell).is_empty() {
                turning.push(name_from_top(cell));
            }
            if AROUND.iter().any(|&direction| self.is_ball(step(cell, direction, 1))) {
                touching.push(name_from_top(cell));
            }
        }
        if turning.is_empty() { touching } else { turning }
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        let cell = cell_from_top(mv);
        let own = self.seats[self.turn];
        for ball in self.turned(cell) {
            put(&mut self.board, ball, own);
        }
        put(&mut self.board, cell, own);
        self.turn = (self.turn + 1) % self.seats.len();
    }

    fn scores(&self) -> Option<Vec<i32>> {
        if count(&self.board, '.') > 0 {
            return None;
        }
        Some(self.seats.iter().map(|&colour| count(&self.board, colour)).collect())
    }

    fn text(&self) -> String {
        format!("{} {}", draw_board(&self.board), self.seats[self.turn])
    }
}
