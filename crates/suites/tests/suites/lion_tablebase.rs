//! Catch the Lion against the complete tablebase of clausecker/dobutsu: 4,000 positions with value,
//! distance to the end and number of moves.
//!
//! The positions are in `lion/positions-4000.txt` of the folder that the environment variable
//! `TESUJI_DATA` names; a line is `position value distance moves origin ply`. The test is skipped
//! if the variable is not set.

use libtest_mimic::Trial;
use tesuji_core::{Game, Outcome};
use tesuji_games::{Lion, rules};
use tesuji_suites::data;

/// Wins and losses within this many plies must be found at exactly their distance. Two more plies
/// take about twenty times longer.
const DEEPEST: u32 = 7;
/// Draws and positions with a longer distance must have no win or loss within this many plies.
const QUIET: u32 = 5;

/// Returns whether the side to move can force a win within `plies`.
fn wins_within(position: &Lion, plies: u32) -> bool {
    plies > 0
        && successors(position).any(|next| match next.outcome() {
            Some(outcome) => outcome == Outcome::win(position.to_move()),
            None => loses_within(&next, plies - 1),
        })
}

/// Returns whether the side to move cannot avoid a loss within `plies`.
fn loses_within(position: &Lion, plies: u32) -> bool {
    plies > 0
        && successors(position).all(|next| match next.outcome() {
            Some(outcome) => outcome == Outcome::win(position.to_move().opponent()),
            None => wins_within(&next, plies - 1),
        })
}

fn successors(position: &Lion) -> impl Iterator<Item = Lion> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let position = *position;
    moves.into_iter().map(move |mv| {
        let mut next = position;
        next.play(mv);
        next
    })
}

fn positions_of_the_tablebase_have_its_moves_values_and_distances() {
    let Some(lines) = data::outside_text("lion/positions-4000.txt") else { return };
    let rules = rules::<Lion>("lion").unwrap();
    let (mut positions, mut solved) = (0, 0);
    for line in lines.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let &[text, value, distance, moves, ..] = fields.as_slice() else { panic!("{line}: too short") };
        let position = Lion::parse(&rules, text).unwrap();
        assert_eq!(position.text(), text);
        assert!(!position.is_over(), "{line}");
        assert_eq!(successors(&position).count(), moves.parse::<usize>().unwrap(), "{line}");
        let distance = distance.parse().unwrap_or(u32::MAX);
        match value {
            "W" if distance <= DEEPEST => {
                assert!(wins_within(&position, distance) && !wins_within(&position, distance - 1), "{line}");
                solved += 1;
            }
            "L" if distance <= DEEPEST => {
                assert!(loses_within(&position, distance) && !loses_within(&position, distance - 1), "{line}");
                solved += 1;
            }
            "W" | "L" | "D" => {
                assert!(!wins_within(&position, QUIET) && !loses_within(&position, QUIET - 1), "{line}");
            }
            _ => panic!("{line}: the value is neither W, L nor D"),
        }
        positions += 1;
    }
    assert_eq!(positions, 4000);
    println!("{positions} positions compared, {solved} of them solved");
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 1] = [(
        "positions of the tablebase have its moves values and distances",
        positions_of_the_tablebase_have_its_moves_values_and_distances,
    )];
    crate::trials_of(tests)
}
