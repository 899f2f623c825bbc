//! The naive twin of Connect-4.

use super::*;

pub struct Connect4 {
    board: Board,
    side: char,
}

impl Connect4 {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let (board, side) = match start {
            Some(text) => board_and_side(text),
            None => {
                let (columns, rows) = size(options, "7x6");
                (empty_board(columns, rows), 'X')
            }
        };
        Self { board, side }
    }
}

impl Twin for Connect4 {
    fn to_move(&self) -> usize {
        if self.side == 'X' { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        if self.scores().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for (column, &top) in self.board[0].iter().enumerate() {
            if top == '.' {
                moves.push(format!("{}", column + 1));
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        let number: i32 = mv.parse().unwrap();
        let mut cell = (0, number - 1);
        while at(&self.board, step(cell, (1, 0), 1)) == '.' {
            cell = step(cell, (1, 0), 1);
        }
        put(&mut self.board, cell, self.side);
        self.side = if self.side == 'X' { 'O' } else { 'X' };
    }

    fn scores(&self) -> Option<Vec<i32>> {
        if has_line(&self.board, 'X', 4) {
            Some(won_by(0))
        } else if has_line(&self.board, 'O', 4) {
            Some(won_by(1))
        } else if count(&self.board, '.') == 0 {
            Some(vec![0, 0])
        } else {
            None
        }
    }

    fn text(&self) -> String {
        format!("{} {}", draw_board(&self.board), self.side)
    }
}
