//! The naive twin of Breakthrough.

use super::*;

pub struct Breakthrough {
    board: Board,
    side: char,
}

impl Breakthrough {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        if let Some(text) = start {
            let (board, side) = board_and_side(text);
            return Self { board, side };
        }
        let (columns, rows) = size(options, "6x6");
        let mut board = empty_board(columns, rows);
        board[0] = vec!['B'; columns];
        board[1] = vec!['B'; columns];
        board[rows - 2] = vec!['W'; columns];
        board[rows - 1] = vec!['W'; columns];
        Self { board, side: 'W' }
    }
}

impl Twin for Breakthrough {
    fn to_move(&self) -> usize {
        if self.side == 'W' { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        if self.scores().is_some() {
            return Vec::new();
        }
        let rows = self.board.len();
        let (forward, enemy) = if self.side == 'W' { (-1, 'B') } else { (1, 'W') };
        let mut moves = Vec::new();
        for from in cells(&self.board) {
            if at(&self.board, from) != self.side {
                continue;
            }
            for sideways in [-1, 0, 1] {
                let to = (from.0 + forward, from.1 + sideways);
                let target = at(&self.board, to);
                if target == '.' || (target == enemy && sideways != 0) {
                    moves.push(format!("{}-{}", name_from_bottom(rows, from), name_from_bottom(rows, to)));
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        let (from, to) = mv.split_once('-').unwrap();
        let rows = self.board.len();
        put(&mut self.board, cell_from_bottom(rows, from), '.');
        put(&mut self.board, cell_from_bottom(rows, to), self.side);
        self.side = if self.side == 'W' { 'B' } else { 'W' };
    }

    fn scores(&self) -> Option<Vec<i32>> {
        let top = &self.board[0];
        let bottom = &self.board[self.board.len() - 1];
        if top.contains(&'W') || count(&self.board, 'B') == 0 {
            Some(won_by(0))
        } else if bottom.contains(&'B') || count(&self.board, 'W') == 0 {
            Some(won_by(1))
        } else {
            None
        }
    }

    fn text(&self) -> String {
        format!("{} {}", draw_board(&self.board), self.side)
    }
}
