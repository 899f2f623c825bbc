//! Problems on a smaller board. Positions of small boards are several times faster, and most
//! problems are about a corner.
//!
//! A window is cut out that contains all stones and the region, and two lines more on every side
//! that is not an edge of the board. Then every block has the same liberties as before, and an
//! empty point outside the region that neither player can reach lies on every line that was cut, so
//! that the same blocks are unconditionally alive. Both games have the same moves and results; only
//! the names of points differ.

use crate::board::Points;
use crate::problem::Problem;
use crate::solve::PASS;

/// The boards for which positions are narrower, the narrowest first.
const SIZES: [usize; 2] = [9, 13];
/// The lines that are kept around stones and region.
const MARGIN: usize = 2;

/// A problem on the smallest board that holds it.
pub(crate) struct Cropped {
    /// The problem.
    pub problem: Problem,
    /// The size of the original board.
    size: usize,
    /// The column and the row from the top of the window.
    corner: (usize, usize),
}

impl Cropped {
    /// Moves a problem to the smallest board that holds it.
    pub fn new(problem: &Problem) -> Cropped {
        let board = &problem.board;
        let size = board.size();
        let stones = board.points().filter(|&point| board.at(point).is_some());
        let used: Vec<(usize, usize)> =
            stones.chain(problem.region.iter().copied()).map(|point| board.column_row(point)).collect();
        let span = |coordinate: fn(&(usize, usize)) -> usize| {
            let low = used.iter().map(coordinate).min().unwrap_or(0);
            let high = used.iter().map(coordinate).max().unwrap_or(size - 1);
            (low.saturating_sub(MARGIN), (high + MARGIN).min(size - 1))
        };
        let (columns, rows) = (span(|used| used.0), span(|used| used.1));
        let needed = (columns.1 - columns.0).max(rows.1 - rows.0) + 1;
        let Some(&smaller) = SIZES.iter().find(|&&smaller| needed <= smaller && smaller < size) else {
            return Cropped { problem: problem.clone(), size, corner: (0, 0) };
        };
        // A window that would extend over the edge is moved back onto the board.
        let corner = (columns.0.min(size - smaller), rows.0.min(size - smaller));
        let window = board.window(corner, smaller);
        let moved = |points: &Points| -> Points {
            points
                .iter()
                .map(|&point| {
                    let (column, row) = board.column_row(point);
                    window.at_column_row(column - corner.0, row - corner.1).expect("the window contains the problem")
                })
                .collect()
        };
        let problem = Problem {
            targets: moved(&problem.targets),
            region: moved(&problem.region),
            board: window,
            ..problem.clone()
        };
        Cropped { problem, size, corner }
    }

    /// Returns the name that a point of the original board has here; `None` outside the window.
    pub fn name_of(&self, original: &Problem, name: &str) -> Option<String> {
        if name == PASS {
            return Some(PASS.to_string());
        }
        let (column, row) = original.board.column_row(original.board.point(name)?);
        let (column, row) = (column.checked_sub(self.corner.0)?, row.checked_sub(self.corner.1)?);
        self.problem.board.at_column_row(column, row).map(|point| self.problem.board.name(point))
    }

    /// Returns a line of play in names of the original board.
    pub fn original_line(&self, original: &Problem, line: Vec<String>) -> Vec<String> {
        if self.problem.board.size() == self.size {
            return line;
        }
        let original_name = |name: String| {
            let Some(point) = self.problem.board.point(&name) else { return name };
            let (column, row) = self.problem.board.column_row(point);
            let point = original.board.at_column_row(column + self.corner.0, row + self.corner.1);
            point.map_or(name, |point| original.board.name(point))
        };
        line.into_iter().map(original_name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::problem::{Candidate, Goal};
    use crate::region::Stage;
    use tesuji_core::Player;

    /// A white corner at the top right of a 19x19 board.
    fn problem() -> Problem {
        let rows = [
            "...............OX..",
            "...............OOXX",
            "................OOO",
            "...................",
            "..............X....",
        ];
        let empty = ["..................."; 14];
        let rows: Vec<&str> = rows.into_iter().chain(empty).collect();
        let board = Board::parse(&format!("{} X - 0", rows.join("/"))).unwrap();
        let targets = board.block(board.point("S18").unwrap());
        let candidate = Candidate { goal: Goal::Live, seeds: targets.clone(), targets };
        Problem::new(&board, &candidate, Stage::Near)
    }

    #[test]
    fn a_corner_is_moved_to_the_smallest_board() {
        let problem = problem();
        let cropped = Cropped::new(&problem);
        assert_eq!(cropped.problem.board.size(), 9);
        let stones = |board: &Board| [Player::FIRST, Player::SECOND].map(|player| board.stones(player).len());
        assert_eq!(stones(&cropped.problem.board), stones(&problem.board));
        assert_eq!(cropped.problem.region.len(), problem.region.len());
        assert_eq!(cropped.problem.target_names(), ["J8"]);
        assert_eq!(cropped.name_of(&problem, "S18").as_deref(), Some("H8"));
        assert_eq!(cropped.name_of(&problem, "A1"), None);
        assert_eq!(cropped.name_of(&problem, PASS).as_deref(), Some(PASS));
        let line = ["J9", "pass", "H8"].map(str::to_string).to_vec();
        assert_eq!(cropped.original_line(&problem, line), ["T19", "pass", "S18"]);
    }

    #[test]
    fn a_problem_with_stones_far_apart_is_left_alone() {
        let problem = problem();
        let far = problem.board.point("A1").unwrap();
        let board = problem.board.with_stones(&Points::from([far]), Player::FIRST);
        let problem = Problem { board, ..problem };
        assert_eq!(Cropped::new(&problem).problem, problem);
    }
}
