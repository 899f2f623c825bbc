//! The naive twin of tic-tac-toe.

use super::*;

pub struct TicTacToe {
    board: Board,
    side: char,
}

impl TicTacToe {
    pub fn new(start: Option<&str>) -> Self {
        let (board, side) = board_and_side(start.unwrap_or(".../.../... X"));
        Self { board, side }
    }
}

impl Twin for TicTacToe {
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
                moves.push(name_from_bottom(3, cell));
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        put(&mut self.board, cell_from_bottom(3, mv), self.side);
        self.side = if self.side == 'X' { 'O' } else { 'X' };
    }

    fn scores(&self) -> Option<Vec<i32>> {
        if has_line(&self.board, 'X', 3) {
            Some(won_by(0))
        } else if has_line(&self.board, 'O', 3) {
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
