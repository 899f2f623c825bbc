//! Matches: who plays whom, a referee, a log, and what the results say and how sure that is.
//!
//! A [`Match`] names a game and its players ([`Entrant`]: searches of ours, and programs that speak GTP or USI). It is played by [`Match::play`], writes a line for every
//! game ([`Played`]), goes on from its log, and is told as [`Standings`], which follow from the games alone.
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

mod entrant;
pub mod experiment;
mod matches;
mod openings;
mod points;
mod proportions;
mod referee;
mod schedule;
mod sgf;
mod sprt;
mod standings;

pub use entrant::{ClockTerms, Entrant, EntrantError, Terms};
pub use matches::{Match, MatchError, read_log};
pub use openings::Openings;
pub use points::{Pairs, Points, elo, interval, likelihood_of_superiority, share};
pub use proportions::{ZTest, z_test};
pub use referee::{Effort, End, GRACE, Played, PlayedTiming};
pub use sgf::PlayedSgfError;
pub use sprt::{Sprt, Verdict};
pub use standings::{Dispute, Failure, Standing, StandingTiming, Standings, Tested};

/// The normal quantile that leaves 2.5 % on each side.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The normal distribution function.
pub(crate) fn normal(z: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(-z / std::f64::consts::SQRT_2)
}
