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
