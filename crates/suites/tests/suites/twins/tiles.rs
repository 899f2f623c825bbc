//! The naive twin of SameGame, Bubble Breaker and Clickomania.

use super::*;

pub struct Tiles {
    name: String,
    board: Board,
    points: i32,
}

impl Tiles {
    pub fn new(name: &str, start: &str) -> Self {
        let (rows, points) = start.split_once(' ').unwrap();
        Self { name: name.to_string(), board: read_board(rows), points: points.parse().unwrap() }
    }

    /// The tiles connected with this one, itself included.
    fn group(&self, tile: Cell) -> Vec<Cell> {
        let colour = at(&self.board, tile);
        let mut group = vec![tile];
        let mut done = 0;
        while done < group.len() {
            for direction in STRAIGHT {
                let next = step(group[done], direction, 1);
                if at(&self.board, next) == colour && !group.contains(&next) {
                    group.push(next);
                }
            }
            done += 1;
        }
        group
    }

    /// The lowest tile of the leftmost column of a group names it.
    fn name_of(&self, group: &[Cell]) -> String {
        let column = group.iter().map(|tile| tile.1).min().unwrap();
        let row = group.iter().filter(|tile| tile.1 == column).map(|tile| tile.0).max().unwrap();
        name_from_bottom(self.board.len(), (row, column))
    }

    fn settle(&mut self) {
        let rows = self.board.len();
        let columns = self.board[0].len();
        let mut settled = empty_board(columns, rows);
        let mut target = 0;
        for column in 0..columns {
            let mut height = 0;
            for row in (0..rows).rev() {
                let tile = self.board[row][column];
                if tile != '.' {
                    settled[rows - 1 - height][target] = tile;
                    height += 1;
                }
            }
            if height > 0 {
                target += 1;
            }
        }
        self.board = settled;
    }
}

impl Twin for Tiles {
    fn to_move(&self) -> usize {
        0
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for tile in cells(&self.board) {
            if at(&self.board, tile) == '.' {
                continue;
            }
            let group = self.group(tile);
            let name = self.name_of(&group);
            if group.len() >= 2 && !moves.contains(&name) {
                moves.push(name);
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        let group = self.group(cell_from_bottom(self.board.len(), mv));
        let number = group.len() as i32;
        for tile in group {
            put(&mut self.board, tile, '.');
        }
        self.settle();
        self.points += match self.name.as_str() {
            "samegame" => (number - 2) * (number - 2),
            "bubblebreaker" => number * (number - 1),
            _ => number,
        };
    }

    fn scores(&self) -> Option<Vec<i32>> {
        if !self.legal().is_empty() {
            return None;
        }
        let mut total = self.points;
        if self.name == "samegame" {
            for colour in '0'..='9' {
                let left = count(&self.board, colour);
                if left > 0 {
                    total -= (left - 2) * (left - 2);
                }
            }
            if self.board.iter().flatten().all(|&tile| tile == '.') {
                total += 1000;
            }
        }
        Some(vec![total])
    }

    fn text(&self) -> String {
        format!("{} {}", draw_board(&self.board), self.points)
    }
}
