//! The laws every game of Tesuji must obey, and the readers of test data.
//!
//! [`battery::run`] plays random games of a spec and checks every position against the laws of
//! [`tesuji_core::Game`]; `tesuji check` shows what it finds. [`playthrough`] writes a random game out to be read.
//!
//! ```
//! let report = tesuji_testkit::battery::run("tictactoe", &Default::default()).unwrap();
//! assert!(report.passed(), "{report}");
//! ```

pub mod agreement;
pub mod battery;
pub mod cycles;
pub mod data;
mod distribution;
mod law;
pub mod laws;
mod playthrough;
pub mod search_battery;
pub mod truths;

pub use law::{Law, Laws};
pub use playthrough::playthrough;

/// The walk through a tiny game in CONTRIBUTING.md, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct Contributing;
