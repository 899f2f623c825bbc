//! The naive twin of Hex.

use super::*;

pub struct Hex {
    board: Board,
    side: char,
    swap: bool,
}

const NEIGHBOURS: [Cell; 6] = [(0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1)];

impl Hex {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let (board, side) = match start {
            Some(text) => board_and_side(text),
            None => {
                let (columns, rows) = size(options, "11");
                (empty_board(columns, rows), 'B')
            }
        };
        Self { board, side, swap: option(options, "swap").is_some() }
    }

    /// Whether a chain leads from the top to the bottom (Black) or from the left to the right
    /// (White).
    fn connected(&self, who: char) -> bool {
        let last_row = self.board.len() as i32 - 1;
        let last_column = self.board[0].len() as i32 - 1;
        let mut chain = self.board.clone();
        let mut open = Vec::new();
        for cell in cells(&self.board) {
            let at_first_edge = if who == 'B' { cell.0 == 0 } else { cell.1 == 0 };
            if at_first_edge && at(&chain, cell) == who {
                put(&mut chain, cell, '*');
                open.push(cell);
            }
        }
        while let Some(cell) = open.pop() {
            let at_last_edge = if who == 'B' { cell.0 == last_row } else { cell.1 == last_column };
            if at_last_edge {
                return true;
            }
            for direction in NEIGHBOURS {
                let next = step(cell, direction, 1);
                if at(&chain, next) == who {
                    put(&mut chain, next, '*');
                    open.push(next);
                }
            }
        }
        false
    }

    fn may_swap(&self) -> bool {
        let first_reply = self.side == 'W' && count(&self.board, 'B') == 1 && count(&self.board, 'W') == 0;
        self.swap && first_reply && self.board.len() == self.board[0].len()
    }
}

impl Twin for Hex {
    fn to_move(&self) -> usize {
        if self.side == 'B' { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        if self.scores().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for cell in cells(&self.board) {
            if at(&self.board, cell) == '.' {
                moves.push(name_from_top(cell));
            }
        }
        if self.may_swap() {
            moves.push("swap".to_string());
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        if mv == "swap" {
            let stone = cells(&self.board).into_iter().find(|&cell| at(&self.board, cell) == 'B').unwrap();
            put(&mut self.board, stone, '.');
            put(&mut self.board, (stone.1, stone.0), 'W');
        } else {
            put(&mut self.board, cell_from_top(mv), self.side);
        }
        self.side = if self.side == 'B' { 'W' } else { 'B' };
    }

    fn scores(&self) -> Option<Vec<i32>> {
        if self.connected('B') {
            Some(won_by(0))
        } else if self.connected('W') {
            Some(won_by(1))
        } else {
            None
        }
    }

    fn text(&self) -> String {
        format!("{} {}", draw_board(&self.board), self.side)
    }
}
