//! Players on boards of a game for one player: the mean score of each cell, and the rows of a
//! column compared on the same boards.

use super::plan::Cell;
use super::report::{CUT_SHORT, Measurement, SIGNIFICANT, is_cut_short};
use crate::boards::{BoardComparison, BoardScores, board_scores, compare};
use crate::referee::{End, PlayedGame};
use crate::t_test::{Mean, p_value};
use serde::Serialize;

/// The players of a column of a group, compared on the same boards.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ColumnComparison {
    /// The name of the group.
    pub group: String,
    /// The label of the column.
    pub column: String,
    /// Every two players with common boards; they have the labels of their rows.
    pub comparisons: Vec<BoardComparison>,
}

/// A cell with its games.
pub(crate) struct PlayedCell<'a> {
    pub cell: &'a Cell,
    pub games: Vec<PlayedGame>,
}

impl PlayedCell<'_> {
    /// Returns whether a cell is in the same column of the same group.
    pub fn is_beside(&self, other: &Cell) -> bool {
        (&self.cell.group, &self.cell.column) == (&other.group, &other.column)
    }

    /// Evaluates the cell. `first` is the first cell of its column, unless this is it.
    pub fn measurement(&self, first: Option<&PlayedCell<'_>>) -> Option<Measurement> {
        let scores: Vec<f64> = self.games.iter().filter_map(|game| Some(game.scores.as_ref()?[0].value())).collect();
        let mean = Mean::of(&scores)?;
        let error = mean.error().unwrap_or(0.0);
        let to_first = first.and_then(|first| compare_cells(&[self, first]).into_iter().next());
        let verdicts = [
            to_first.as_ref().filter(|_| first.is_some_and(|first| !first.is_cut_short())).and_then(against_first),
            self.cell.source.and_then(|source| against_source(source, self.cell.source_games, &mean)),
        ];
        let verdicts: Vec<String> = verdicts.into_iter().flatten().collect();
        Some(Measurement {
            samples: mean.count,
            value: mean.mean,
            low: mean.mean - error,
            high: mean.mean + error,
            record: None,
            rates: Vec::new(),
            faults: self.games.iter().filter(|game| matches!(game.end, End::Fault { .. })).count() as u64,
            early: false,
            time_used: None,
            to_first,
            verdict: if self.is_cut_short() { CUT_SHORT.to_string() } else { verdicts.join("; ") },
        })
    }

    fn is_cut_short(&self) -> bool {
        is_cut_short(self.cell, self.games.len() as u64)
    }
}

/// Says how a player compares with that of the first row; `None` for a single board.
fn against_first(pair: &BoardComparison) -> Option<String> {
    let test = pair.test?;
    let verdict = match () {
        () if test.p >= SIGNIFICANT => "no difference shown",
        () if test.t > 0.0 => "better",
        () => "worse",
    };
    Some(format!("{verdict} (p {})", p_value(test.p)))
}

/// Compares a mean score with that of the source. If the number of its boards is known, the
/// source's mean has an error, too; otherwise it is taken to be exact.
fn against_source(source: f64, boards: Option<u64>, mean: &Mean) -> Option<String> {
    // An infinite sample has no error.
    let test = mean.t_test_against(source, boards.unwrap_or(u64::MAX))?;
    let verdict = match () {
        () if test.p >= SIGNIFICANT => "agrees with the source",
        () if test.t > 0.0 => "higher than the source",
        () => "lower than the source",
    };
    Some(format!("{verdict} (p {})", p_value(test.p)))
}

/// Compares the rows of every column.
pub(crate) fn compare_columns(played: &[PlayedCell<'_>]) -> Vec<ColumnComparison> {
    let is_first = |at: &usize| !played[..*at].iter().any(|other| other.is_beside(played[*at].cell));
    let column = |at: usize| {
        let cells: Vec<&PlayedCell<'_>> = played[at..].iter().filter(|cell| cell.is_beside(played[at].cell)).collect();
        let Cell { group, column, .. } = played[at].cell;
        ColumnComparison { group: group.clone(), column: column.clone(), comparisons: compare_cells(&cells) }
    };
    (0..played.len()).filter(is_first).map(column).collect()
}

/// Compares cells on the boards that they have in common. A cell has one player, so that the number
/// of a game is that of its board.
fn compare_cells(cells: &[&PlayedCell<'_>]) -> Vec<BoardComparison> {
    let names: Vec<String> = cells.iter().map(|played| played.cell.row.clone()).collect();
    let mut boards: Vec<BoardScores> = Vec::new();
    for (player, played) in cells.iter().enumerate() {
        for own in board_scores(1, &played.games) {
            let is_same = |board: &&mut BoardScores| (board.number, &board.board) == (own.number, &own.board);
            match boards.iter_mut().find(is_same) {
                Some(board) => board.scores[player] = own.scores[0],
                None => {
                    let mut scores = vec![None; cells.len()];
                    scores[player] = own.scores[0];
                    boards.push(BoardScores { scores, ..own });
                }
            }
        }
    }
    compare(&names, &boards)
}
