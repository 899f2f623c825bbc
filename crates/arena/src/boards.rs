//! Players of a game for one player, compared board by board. Everything is computed from the games
//! of a log.

use crate::referee::PlayedGame;
use crate::t_test::{Mean, TTest};
use serde::Serialize;
use std::collections::BTreeMap;

/// The scores of all players on a board.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoardScores {
    /// The number of the board in the match, from 0.
    pub number: u64,
    /// The spec of the board.
    pub board: String,
    /// The score of each player in points; `None` if it has not played the board, or failed.
    pub scores: Vec<Option<f64>>,
}

/// Two players compared on the boards that both have finished.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BoardComparison {
    /// The first player.
    pub first: String,
    /// The second player.
    pub second: String,
    /// The boards that both have finished.
    pub boards: u64,
    /// Boards on which the first player scored more.
    pub better: u64,
    /// Boards with equal scores.
    pub equal: u64,
    /// Boards on which the first player scored less.
    pub worse: u64,
    /// The mean of the differences, first less second.
    pub difference: f64,
    /// Half the width of its 95 % interval; `None` for a single board.
    pub error: Option<f64>,
    /// The two-tailed paired t-test; `None` for a single board.
    #[serde(flatten)]
    pub test: Option<TTest>,
}

/// Returns the scores on all boards with a game, ordered by number. Every round of a match is a
/// board, which each of the `players` plays once.
pub(crate) fn board_scores(players: usize, played: &[PlayedGame]) -> Vec<BoardScores> {
    let mut boards: BTreeMap<u64, BoardScores> = BTreeMap::new();
    for game in played.iter().filter(|game| game.seats.len() == 1) {
        let number = game.number / players as u64;
        let empty = || BoardScores { number, board: game.game.clone(), scores: vec![None; players] };
        let scores = &mut boards.entry(number).or_insert_with(empty).scores;
        scores[game.seats[0]] = game.scores.as_ref().map(|scores| scores[0].value());
    }
    boards.into_values().collect()
}

/// Returns the number of boards on which a player is best: all players have a score, and none has a
/// higher one.
pub(crate) fn boards_as_best(boards: &[BoardScores], player: usize) -> u64 {
    let is_best = |board: &&BoardScores| {
        let own = board.scores[player];
        board.scores.iter().all(|score| score.is_some() && *score <= own)
    };
    boards.iter().filter(is_best).count() as u64
}

/// Compares every two players; those without a common board are left out.
pub(crate) fn compare(names: &[String], boards: &[BoardScores]) -> Vec<BoardComparison> {
    let pairs = (0..names.len()).flat_map(|first| (first + 1..names.len()).map(move |second| (first, second)));
    let differences = |first: usize, second: usize| -> Vec<f64> {
        boards.iter().filter_map(|board| Some(board.scores[first]? - board.scores[second]?)).collect()
    };
    pairs
        .filter_map(|(first, second)| compare_two(&names[first], &names[second], &differences(first, second)))
        .collect()
}

/// Compares two players by the differences of their scores; `None` if there are none.
fn compare_two(first: &str, second: &str, differences: &[f64]) -> Option<BoardComparison> {
    let mean = Mean::of(differences)?;
    let count = |counts: fn(f64) -> bool| differences.iter().filter(|&&difference| counts(difference)).count() as u64;
    Some(BoardComparison {
        first: first.to_string(),
        second: second.to_string(),
        boards: mean.count,
        better: count(|difference| difference > 0.0),
        equal: count(|difference| difference == 0.0),
        worse: count(|difference| difference < 0.0),
        difference: mean.mean,
        error: mean.error(),
        test: mean.t_test(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards with the scores of players; NaN stands for a board that the player has not finished.
    fn boards(scores: &[&[f64]]) -> Vec<BoardScores> {
        let score = |score: &f64| Some(*score).filter(|score| !score.is_nan());
        let board = |(number, scores): (u64, &&[f64])| BoardScores {
            number,
            board: format!("samegame:seed={number}"),
            scores: scores.iter().map(score).collect(),
        };
        (0..).zip(scores).map(board).collect()
    }

    fn names(count: usize) -> Vec<String> {
        ["a", "b", "c"][..count].iter().map(ToString::to_string).collect()
    }

    #[test]
    fn differences_are_taken_board_by_board() {
        // The sleep data of Student (1908), t = 4.0621 with 9 degrees of
        // freedom.
        let first = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        let second = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let rows: Vec<[f64; 2]> = first.into_iter().zip(second).map(|(first, second)| [first, second]).collect();
        let boards = boards(&rows.iter().map(<[f64; 2]>::as_slice).collect::<Vec<_>>());
        let comparison = compare(&names(2), &boards).remove(0);
        let test = comparison.test.unwrap();
        assert!((test.t - 4.0621).abs() < 5e-5 && (test.p - 0.002833).abs() < 5e-7, "{comparison:?}");
        assert_eq!((comparison.better, comparison.equal, comparison.worse, comparison.boards), (9, 1, 0, 10));
        assert!((comparison.difference - 1.58).abs() < 1e-12, "{comparison:?}");
        assert_eq!((boards_as_best(&boards, 0), boards_as_best(&boards, 1)), (10, 1));
    }

    #[test]
    fn boards_that_one_of_them_has_not_finished_do_not_count() {
        let boards = boards(&[&[1.0, f64::NAN, 5.0], &[2.0, 3.0, f64::NAN], &[4.0, 4.0, 4.0]]);
        let found = compare(&names(3), &boards);
        let pairs: Vec<_> = found
            .iter()
            .map(|pair| (pair.first.as_str(), pair.second.as_str(), pair.boards, pair.difference))
            .collect();
        assert_eq!(pairs, [("a", "b", 2, -0.5), ("a", "c", 2, -2.0), ("b", "c", 1, 0.0)]);
        assert_eq!((found[2].error, found[2].test), (None, None), "one board shows nothing");
        assert_eq!([0, 1, 2].map(|player| boards_as_best(&boards, player)), [1, 1, 1]);
        assert_eq!(compare(&names(2), &[]), []);
    }
}
