//! The suites that `cargo xtask test` runs over the lists of games and searches, and the readers of
//! `testdata/`.
//!
//! The program links only [`tesuji_testkit`], whose batteries `tesuji check` runs; what only tests
//! need is here, so that a release build does not compile it for every game.

pub mod agreement;
pub mod cycles;
pub mod data;
pub mod laws;
pub mod truths;

use tesuji_catalog::Session;

/// Returns the scores of a finished game in the smallest unit of the game, in which test data has
/// them.
pub fn unit_scores(game: &dyn Session) -> Option<Vec<i32>> {
    let units = |score| game.facts().units(score).expect("a score of the game");
    Some(game.ending()?.scores.into_iter().map(units).collect())
}
