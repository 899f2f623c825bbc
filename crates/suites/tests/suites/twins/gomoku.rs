//! The naive twin of Gomoku.

use super::*;

pub struct Gomoku {
    board: Board,
    side: char,
    length: i32,
    free: bool,
}

impl Gomoku {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let (board, side) = match start {
            Some(text) => board_and_side(text),
            None => {
                let (columns, rows) = size(options, "15");
                (empty_board(columns, rows), 'X')
            }
        };
        let length = option(options, "k").unwrap_or("5").parse().unwrap();
        let free = option(options, "free").is_some();
        Self { board, side, length, free }
    }

    fn has_exact_line(&self, who: char) -> bool {
        for cell in cells(&self.board) {
            for axis in AXES {
                let stone = |i| at(&self.board, step(cell, axis, i)) == who;
                if (0..self.length).all(stone) && !stone(-1) && !stone(self.length) {
                    return true;
                }
            }
        }
        false
    }

    fn wins(&self, who: char) -> bool {
        if self.free { has_line(&self.board, who, self.length) } else { self.has_exact_line(who) }
    }
}

impl Twin for Gomoku {
    fn to_move(&self) -> usize {
        if self.side == 'X' { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        if self.scores().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for cell in cells(&self.board) {
            if at(&self.board, cell) == '.' {
                moves.push(name_from_bottom(self.board.len(), cell));
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        let cell = cell_from_bottom(self.board.len(), mv);
        put(&mut self.board, cell, self.side);
        self.side = if self.side == 'X' { 'O' } else { 'X' };
    }

    fn scores(&self) -> Option<Vec<i32>> {
        if self.wins('X') {
            Some(won_by(0))
        } else if self.wins('O') {
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
