//! The naive twin of Knightthrough.

use super::*;

pub struct Knightthrough {
    board: Board,
    side: char,
}

impl Knightthrough {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        if let Some(text) = start {
            let (board, side) = board_and_side(text);
            return Self { board, side };
        }
        let (columns, rows) = size(options, "8x8");
        let mut board = empty_board(columns, rows);
        board[0] = vec!['B'; columns];
        board[1] = vec!['B'; columns];
        board[rows - 2] = vec!['W'; columns];
        board[rows - 1] = vec!['W'; columns];
        Self { board, side: 'W' }
    }

    fn moves(&self) -> Vec<String> {
        let rows = self.board.len();
        let (forward, enemy) = if self.side == 'W' { (-1, 'B') } else { (1, 'W') };
        let mut moves = Vec::new();
        for from in cells(&self.board) {
            if at(&self.board, from) != self.side {
                continue;
            }
            for (ahead, sideways) in [(2, -1), (2, 1), (1, -2), (1, 2)] {
                let to = (from.0 + forward * ahead, from.1 + sideways);
                let target = at(&self.board, to);
                if target == '.' || target == enemy {
                    moves.push(format!("{}-{}", name_from_bottom(rows, from), name_from_bottom(rows, to)));
                }
            }
        }
        moves
    }
}

impl Twin for Knightthrough {
    fn to_move(&self) -> usize {
        if self.side == 'W' { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        if self.scores().is_some() { Vec::new() } else { self.moves() }
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
        if top.contains(&'W') {
            Some(won_by(0))
        } else if bottom.contains(&'B') {
            Some(won_by(1))
        } else if self.moves().is_empty() {
            Some(won_by(1 - self.to_move()))
        } else {
            None
        }
    }

    fn text(&self) -> String {
        format!("{} {}", draw_board(&self.board), self.side)
    }
}
