//! The naive twin of Othello.

use super::*;

pub struct Othello {
    board: Board,
    side: char,
}

fn other(side: char) -> char {
    if side == 'X' { 'O' } else { 'X' }
}

impl Othello {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        if let Some(text) = start {
            let (board, side) = board_and_side(text);
            return Self { board, side };
        }
        let (columns, rows) = size(options, "8");
        let mut board = empty_board(columns, rows);
        let middle = rows / 2;
        board[middle - 1][middle - 1] = 'O';
        board[middle - 1][middle] = 'X';
        board[middle][middle - 1] = 'X';
        board[middle][middle] = 'O';
        Self { board, side: 'X' }
    }

    /// The discs that `who` turns by placing on `cell`.
    fn turned(&self, cell: Cell, who: char) -> Vec<Cell> {
        let mut all = Vec::new();
        if at(&self.board, cell) != '.' {
            return all;
        }
        for direction in AROUND {
            let mut line = Vec::new();
            let mut next = step(cell, direction, 1);
            while at(&self.board, next) == other(who) {
                line.push(next);
                next = step(next, direction, 1);
            }
            if at(&self.board, next) == who {
                all.extend(line);
            }
        }
        all
    }

    fn turning_moves(&self, who: char) -> Vec<String> {
        let mut moves = Vec::new();
        for cell in cells(&self.board) {
            if !self.turned(cell, who).is_empty() {
                moves.push(name_from_top(cell));
            }
        }
        moves
    }
}

impl Twin for Othello {
    fn to_move(&self) -> usize {
        if self.side == 'X' { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        let moves = self.turning_moves(self.side);
        if moves.is_empty() && !self.turning_moves(other(self.side)).is_empty() {
            return vec!["pass".to_string()];
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        if mv != "pass" {
            let cell = cell_from_top(mv);
            for disc in self.turned(cell, self.side) {
                put(&mut self.board, disc, self.side);
            }
            put(&mut self.board, cell, self.side);
        }
        self.side = other(self.side);
    }

    fn scores(&self) -> Option<Vec<i32>> {
        if !self.legal().is_empty() {
            return None;
        }
        let black = count(&self.board, 'X');
        let white = count(&self.board, 'O');
        let empty = count(&self.board, '.');
        let score = if black > white {
            black + empty - white
        } else if white > black {
            black - white - empty
        } else {
            0
        };
        Some(vec![score, -score])
    }

    fn text(&self) -> String {
        format!("{} {}", draw_board(&self.board), self.side)
    }
}
