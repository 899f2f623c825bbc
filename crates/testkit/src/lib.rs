//! Checks of the laws that games and searches obey.
//!
//! [`battery::run`] plays random games of a spec and checks every position against the laws of
//! [`tesuji_core::Game`]; [`search_battery::run`] checks a search against the laws of
//! [`tesuji_core::Search`]. `tesuji check` prints their results. [`playthrough`] writes out a
//! random game.
//!
//! ```
//! let report = tesuji_testkit::battery::run("tictactoe", &Default::default()).unwrap();
//! assert!(report.passed(), "{report}");
//! ```

pub mod battery;
mod distribution;
mod law;
mod playthrough;
pub mod search_battery;

pub use law::{Law, Laws};
pub use playthrough::playthrough;

/// Compiles and runs the example in CONTRIBUTING.md.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct Contributing;
