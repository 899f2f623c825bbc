//! The naive twin of Lines of Action.

use super::*;

pub struct Loa {
    board: Board,
    side: char,
    mover_wins_both: bool,
    history: Vec<String>,
    result: Option<Vec<i32>>,
}

fn other(side: char) -> char {
    if side == 'B' { 'W' } else { 'B' }
}

fn player(side: char) -> usize {
    if side == 'B' { 0 } else { 1 }
}

impl Loa {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let (board, side) = match start {
            Some(text) => board_and_side(text),
            None => {
                let (columns, rows) = size(options, "8");
                let mut board = empty_board(columns, rows);
                let (last_row, last_column) = (rows as i32 - 1, columns as i32 - 1);
                for column in 1..last_column {
                    put(&mut board, (0, column), 'B');
                    put(&mut board, (last_row, column), 'B');
                }
                for row in 1..last_row {
                    put(&mut board, (row, 0), 'W');
                    put(&mut board, (row, last_column), 'W');
                }
                (board, 'B')
            }
        };
        let mover_wins_both = option(options, "both") == Some("mover");
        let mut game = Self { board, side, mover_wins_both, history: Vec::new(), result: None };
        game.history.push(game.text());
        game.result = game.judge(false);
        game
    }

    fn connected(&self, who: char) -> bool {
        let Some(first) = cells(&self.board).into_iter().find(|&cell| at(&self.board, cell) == who) else {
            return false;
        };
        let mut rest = self.board.clone();
        put(&mut rest, first, '.');
        let mut open = vec![first];
        while let Some(cell) = open.pop() {
            for direction in AROUND {
                let next = step(cell, direction, 1);
                if at(&rest, next) == who {
                    put(&mut rest, next, '.');
                    open.push(next);
                }
            }
        }
        count(&rest, who) == 0
    }

    /// The pieces of both colours on the whole line through the cell.
    fn pieces_on_line(&self, cell: Cell, direction: Cell) -> i32 {
        let longest = self.board.len() as i32;
        let on_line = (-longest..=longest).map(|i| at(&self.board, step(cell, direction, i)));
        on_line.filter(|&what| what == 'B' || what == 'W').count() as i32
    }

    fn piece_moves(&self) -> Vec<String> {
        let enemy = other(self.side);
        let rows = self.board.len();
        let mut moves = Vec::new();
        for from in cells(&self.board) {
            if at(&self.board, from) != self.side {
                continue;
            }
            for direction in AROUND {
                let distance = self.pieces_on_line(from, direction);
                let to = step(from, direction, distance);
                let jumps_enemy = (1..distance).any(|i| at(&self.board, step(from, direction, i)) == enemy);
                let target = at(&self.board, to);
                if !jumps_enemy && (target == '.' || target == enemy) {
                    moves.push(format!("{}-{}", name_from_bottom(rows, from), name_from_bottom(rows, to)));
                }
            }
        }
        moves
    }

    fn judge(&self, passed: bool) -> Option<Vec<i32>> {
        let mover = other(self.side);
        let repeated = self.history.iter().filter(|&text| *text == self.text()).count();
        match (self.connected(mover), self.connected(self.side)) {
            (true, true) if self.mover_wins_both => Some(won_by(player(mover))),
            (true, true) => Some(vec![0, 0]),
            (true, false) => Some(won_by(player(mover))),
            (false, true) => Some(won_by(player(self.side))),
            (false, false) if passed && self.piece_moves().is_empty() => Some(vec![0, 0]),
            (false, false) if repeated >= 3 || self.history.len() > 1000 => Some(vec![0, 0]),
            (false, false) => None,
        }
    }
}

impl Twin for Loa {
    fn to_move(&self) -> usize {
        player(self.side)
    }

    fn legal(&self) -> Vec<String> {
        if self.result.is_some() {
            return Vec::new();
        }
        let moves = self.piece_moves();
        if moves.is_empty() { vec!["pass".to_string()] } else { moves }
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        if let Some((from, to)) = mv.split_once('-') {
            let rows = self.board.len();
            put(&mut self.board, cell_from_bottom(rows, from), '.');
            put(&mut self.board, cell_from_bottom(rows, to), self.side);
        }
        self.side = other(self.side);
        self.history.push(self.text());
        self.result = self.judge(mv == "pass");
    }

    fn scores(&self) -> Option<Vec<i32>> {
        self.result.clone()
    }

    fn text(&self) -> String {
        format!("{} {}", draw_board(&self.board), self.side)
    }
}
