//! A plain Go board: stones, blocks and liberties. It is read from the text of a position of Go.

use crate::TsumegoError;
use std::collections::BTreeSet;
use tesuji_catalog::Session;
use tesuji_core::{Player, SgfDialect};

/// A point: its row from the top times the size of the board, plus its column.
pub type Point = usize;

/// A set of points.
pub type Points = BTreeSet<Point>;

/// Columns in the notation of Go, which has no I.
const COLUMNS: &str = "ABCDEFGHJKLMNOPQRST";

/// Stones on a board, with the player to move and the point banned by ko.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    size: usize,
    cells: Vec<Option<Player>>,
    to_move: Player,
    ko: Option<Point>,
}

impl Board {
    /// Returns whether a game is Go, so that its positions can be problems.
    pub fn describes(session: &dyn Session) -> bool {
        session.dialects().sgf == Some(SgfDialect::Go)
    }

    /// Reads the current position of a game of Go; an error for any other game.
    pub fn of(session: &dyn Session) -> Result<Board, TsumegoError> {
        let spec = session.spec().to_string();
        if !Board::describes(session) {
            return Err(TsumegoError::NotGo(spec));
        }
        Board::parse(&session.text()).ok_or(TsumegoError::NotGo(spec))
    }

    /// Reads a position text of Go: rows from the top, player to move, point banned by ko or `-`.
    pub fn parse(text: &str) -> Option<Board> {
        let mut fields = text.split(' ');
        let rows: Vec<&str> = fields.next()?.split('/').collect();
        let size = rows.len();
        let cell = |letter| match letter {
            'X' => Some(Some(Player::FIRST)),
            'O' => Some(Some(Player::SECOND)),
            '.' => Some(None),
            _ => None,
        };
        let cells: Vec<Option<Player>> = rows.iter().flat_map(|row| row.chars()).map(cell).collect::<Option<_>>()?;
        let is_square = rows.iter().all(|row| row.len() == size) && size <= COLUMNS.len();
        let to_move = if fields.next()? == "X" { Player::FIRST } else { Player::SECOND };
        let mut board = Board { size, cells, to_move, ko: None };
        board.ko = fields.next().and_then(|name| board.point(name));
        is_square.then_some(board)
    }

    /// Returns the number of rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the player to move.
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// Returns the same stones with a player to move and without a ban.
    pub fn with_turn(&self, player: Player) -> Board {
        Board { to_move: player, ko: if player == self.to_move { self.ko } else { None }, ..self.clone() }
    }

    /// Returns the same board with stones of a player on further points.
    pub fn with_stones(&self, points: &Points, player: Player) -> Board {
        let mut board = self.clone();
        points.iter().for_each(|&point| board.cells[point] = Some(player));
        board
    }

    /// Returns the board after a stone of either player, with the same player to move and the same
    /// ban; `None` if the point is not free or the move is suicide.
    pub fn with_extra_stone(&self, point: Point, player: Player) -> Option<Board> {
        if self.at(point).is_some() {
            return None;
        }
        let mut board = self.with_stones(&Points::from([point]), player);
        for block in self.blocks_of(&self.neighbours(point).collect()) {
            let belongs_to_other = block.first().is_some_and(|&stone| self.at(stone) != Some(player));
            if belongs_to_other && board.liberties(&block).is_empty() {
                block.iter().for_each(|&stone| board.cells[stone] = None);
            }
        }
        (!board.liberties(&board.block(point)).is_empty()).then_some(board)
    }

    /// Returns a square part of the board, from a column and a row from the top on.
    pub(crate) fn window(&self, (column, row): (usize, usize), size: usize) -> Board {
        let rows = (row..row + size).flat_map(|row| &self.cells[row * self.size + column..][..size]);
        let ko = self.ko.map(|point| self.column_row(point)).and_then(|(ko_column, ko_row)| {
            let (column, row) = (ko_column.checked_sub(column)?, ko_row.checked_sub(row)?);
            (column < size && row < size).then(|| row * size + column)
        });
        Board { size, cells: rows.copied().collect(), to_move: self.to_move, ko }
    }

    /// Returns the point where the player to move must not retake a ko.
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Returns the owner of the stone on a point.
    pub fn at(&self, point: Point) -> Option<Player> {
        self.cells[point]
    }

    /// Iterates over all points.
    pub fn points(&self) -> std::ops::Range<Point> {
        0..self.cells.len()
    }

    /// Returns the stones of a player.
    pub fn stones(&self, player: Player) -> Points {
        self.points().filter(|&point| self.at(point) == Some(player)).collect()
    }

    /// Returns the column and the row from the top of a point.
    pub fn column_row(&self, point: Point) -> (usize, usize) {
        (point % self.size, point / self.size)
    }

    /// Returns the point in a column and a row from the top, if it is on the board.
    pub fn at_column_row(&self, column: usize, row: usize) -> Option<Point> {
        (column < self.size && row < self.size).then(|| row * self.size + column)
    }

    /// Returns the name of a point, such as `D4`.
    pub fn name(&self, point: Point) -> String {
        let (column, row) = self.column_row(point);
        format!("{}{}", &COLUMNS[column..=column], self.size - row)
    }

    /// Returns the point with a name in any case.
    pub fn point(&self, name: &str) -> Option<Point> {
        let letter = name.chars().next()?.to_ascii_uppercase();
        let column = COLUMNS.find(letter)?;
        let digits = name.get(1..).filter(|digits| digits.starts_with(|first| ('1'..='9').contains(&first)))?;
        let number: usize = digits.parse().ok()?;
        self.at_column_row(column, self.size.checked_sub(number)?)
    }

    /// Returns the names of some points.
    pub fn names(&self, points: &Points) -> Vec<String> {
        points.iter().map(|&point| self.name(point)).collect()
    }

    /// Iterates over the points that are one step away in each of the given directions.
    fn steps<'a>(&'a self, point: Point, steps: &'static [(isize, isize)]) -> impl Iterator<Item = Point> + 'a {
        let (column, row) = self.column_row(point);
        steps.iter().filter_map(move |&(right, down)| {
            self.at_column_row(column.checked_add_signed(right)?, row.checked_add_signed(down)?)
        })
    }

    /// Iterates over the adjacent points.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        self.steps(point, &[(-1, 0), (1, 0), (0, -1), (0, 1)])
    }

    /// Iterates over the diagonally adjacent points.
    pub fn diagonals(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        self.steps(point, &[(-1, -1), (1, -1), (-1, 1), (1, 1)])
    }

    /// Returns the connected points around `from` for which `belongs` holds.
    pub fn connected(&self, from: Point, belongs: impl Fn(Point) -> bool) -> Points {
        let mut reached = Points::from([from]);
        let mut open = vec![from];
        while let Some(point) = open.pop() {
            open.extend(self.neighbours(point).filter(|&next| belongs(next) && reached.insert(next)));
        }
        reached
    }

    /// Returns the block of the stone on a point.
    pub fn block(&self, stone: Point) -> Points {
        self.connected(stone, |point| self.at(point) == self.at(stone))
    }

    /// Returns the blocks that have stones among the given points, in the order of their first
    /// points.
    pub fn blocks_of(&self, some: &Points) -> Vec<Points> {
        let mut blocks: Vec<Points> = Vec::new();
        for &point in some {
            if self.at(point).is_some() && !blocks.iter().any(|block| block.contains(&point)) {
                blocks.push(self.block(point));
            }
        }
        blocks
    }

    /// Returns the blocks of a player.
    pub fn blocks(&self, player: Player) -> Vec<Points> {
        self.blocks_of(&self.stones(player))
    }

    /// Returns the points adjacent to a set that do not belong to it.
    pub fn border(&self, set: &Points) -> Points {
        set.iter().flat_map(|&point| self.neighbours(point)).filter(|point| !set.contains(point)).collect()
    }

    /// Returns the liberties of a block, or of several.
    pub fn liberties(&self, block: &Points) -> Points {
        self.border(block).into_iter().filter(|&point| self.at(point).is_none()).collect()
    }

    /// Returns the blocks of the opponent adjacent to a set of stones.
    pub fn attackers(&self, stones: &Points) -> Vec<Points> {
        let owner = stones.first().and_then(|&stone| self.at(stone));
        let enemies =
            self.border(stones).into_iter().filter(|&point| self.at(point).is_some_and(|at| Some(at) != owner));
        self.blocks_of(&enemies.collect())
    }

    /// Returns the stones of a player that live even if the player never answers (Benson 1976).
    ///
    /// All blocks of the player are kept at first. A region, which is a maximal connected set of
    /// other points, is vital to a block if each of its empty points is a liberty of the block.
    /// Blocks with less than two vital regions, and regions next to a dropped block, are dropped
    /// until nothing changes.
    pub fn unconditionally_alive(&self, player: Player) -> Points {
        let mut blocks: Vec<(Points, Points)> =
            self.blocks(player).into_iter().map(|block| (self.liberties(&block), block)).collect();
        let mut regions: Vec<(Points, Points)> = Vec::new();
        for point in self.points().filter(|&point| self.at(point) != Some(player)) {
            if !regions.iter().any(|(region, _)| region.contains(&point)) {
                let region = self.connected(point, |next| self.at(next) != Some(player));
                let empty = region.iter().copied().filter(|&point| self.at(point).is_none()).collect();
                regions.push((region, empty));
            }
        }
        loop {
            let before = (blocks.len(), regions.len());
            blocks.retain(|(liberties, block)| {
                let is_vital = |(region, empty): &&(Points, Points)| {
                    empty.is_subset(liberties) && !self.border(region).is_disjoint(block)
                };
                regions.iter().filter(is_vital).count() >= 2
            });
            regions.retain(|(region, _)| {
                self.border(region).iter().all(|stone| blocks.iter().any(|(_, block)| block.contains(stone)))
            });
            if before == (blocks.len(), regions.len()) {
                return blocks.into_iter().flat_map(|(_, block)| block).collect();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_the_names_of_gtp() {
        let board = Board::parse(&format!("{} X - 0", vec!["..................."; 19].join("/"))).unwrap();
        for (name, at) in [("A19", (0, 0)), ("J10", (8, 9)), ("T1", (18, 18)), ("H1", (7, 18))] {
            let point = board.point(name).unwrap();
            assert_eq!((board.column_row(point), board.name(point)), (at, name.to_string()));
            assert_eq!(board.point(&name.to_lowercase()), Some(point));
        }
        for name in ["I5", "A20", "A0", "U1", "", "A", "pass", "\u{e4}1"] {
            assert_eq!(board.point(name), None, "{name}");
        }
    }

    #[test]
    fn a_block_has_stones_and_liberties() {
        let board = Board::parse("XX.O/.X.O/..X./.... O B3 0").unwrap();
        let block = board.block(board.point("A4").unwrap());
        assert_eq!(board.names(&block), ["A4", "B4", "B3"]);
        assert_eq!(board.names(&board.liberties(&block)), ["C4", "A3", "C3", "B2"]);
        assert_eq!(board.blocks(Player::FIRST).len(), 2);
        assert_eq!(
            (board.to_move(), board.ko().map(|point| board.name(point))),
            (Player::SECOND, Some("B3".to_string()))
        );
    }

    #[test]
    fn an_extra_stone_captures_and_is_no_suicide() {
        let board = Board::parse("XO.O/.OO./...O/.... X - 0").unwrap();
        let at = |name: &str| board.point(name).unwrap();
        assert_eq!(board.with_extra_stone(at("D3"), Player::FIRST), None, "suicide");
        assert_eq!(board.with_extra_stone(at("A4"), Player::SECOND), None, "not free");
        let captured = board.with_extra_stone(at("A3"), Player::SECOND).unwrap();
        assert_eq!((captured.at(at("A4")), captured.to_move()), (None, Player::FIRST));
        assert_eq!(board.with_extra_stone(at("D1"), Player::FIRST).unwrap().stones(Player::FIRST).len(), 2);
    }

    #[test]
    fn texts_of_other_games_are_refused() {
        for text in ["XX/X X - 0", "", "..B/.../... X - 0", ".. X"] {
            assert_eq!(Board::parse(text), None, "{text}");
        }
        assert!(Board::of(tesuji_catalog::open("tictactoe", "start").unwrap().as_ref()).is_err());
    }

    #[test]
    fn two_vital_regions_make_a_block_alive() {
        let two_eyes = Board::parse(".X.X./XXXX./...../...../..... X - 0").unwrap();
        assert_eq!(two_eyes.unconditionally_alive(Player::FIRST).len(), 6);
        // The second region is not vital: one of its empty points is not a liberty.
        let one_eye = Board::parse(".X.../XX.../...../...../..... X - 0").unwrap();
        assert!(one_eye.unconditionally_alive(Player::FIRST).is_empty());
        // A false eye: the stones on A4 and B5 are not connected by anything else.
        let false_eye = Board::parse(".XO../XOO../XOO../OO.../..... X - 0").unwrap();
        assert!(false_eye.unconditionally_alive(Player::FIRST).is_empty());
    }
}
