//! What the results of matches say, and how sure that is: pure functions of counts.
//!
//! A [`Record`](tesuji_core::Record) counts the games of one player against another, [`Pairs`] counts pairs of games from the same opening with colours swapped. The pair is
//! the better sample: an opening that one colour wins adds nothing but noise to single games.
//!
//! ```
//! use tesuji_arena::{elo, interval};
//! use tesuji_core::Record;
//!
//! let record = Record { wins: 60, draws: 20, losses: 20 };
//! assert_eq!(record.share(), 0.7);
//! assert!((elo(record.share()) - 147.19).abs() < 0.01);
//! let (low, high) = interval(&record);
//! assert!(0.6 < low && low < 0.7 && high < 0.8);
//! ```

mod points;
mod proportions;
mod sprt;

pub use points::{Pairs, Points, elo, interval, likelihood_of_superiority, share};
pub use proportions::{ZTest, z_test};
pub use sprt::{Sprt, Verdict};

/// The normal quantile that leaves 2.5 % on each side.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The normal distribution function.
pub(crate) fn normal(z: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(-z / std::f64::consts::SQRT_2)
}
