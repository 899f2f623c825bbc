//! Matches between players: schedule, referee, log, statistics; and experiments made of matches.
//!
//! A [`Match`] names a game and its players ([`PlayerSpec`](tesuji_gtp::PlayerSpec)).
//! [`Match::play`] plays it, writes a log line for every game ([`PlayedGame`]) and resumes from its
//! log. [`Standings`] are computed from the games alone.
//!
//! A [`Wdl`](tesuji_core::Wdl) counts the games of one player against another, [`Pairs`]
//! counts game pairs: two games from the same opening with colours swapped. The pair is the better
//! sample: an opening that favours one colour only adds noise to single games.
//!
//! Players of a game for one player are compared on the same boards: [`BoardComparison`] has the
//! paired t-test.
//!
//! ```
//! use tesuji_arena::{elo, interval};
//! use tesuji_core::Wdl;
//!
//! let record = Wdl { wins: 60, draws: 20, losses: 20 };
//! assert_eq!(record.share(), 0.7);
//! assert!((elo(record.share()) - 147.19).abs() < 0.01);
//! let (low, high) = interval(&record);
//! assert!(0.6 < low && low < 0.7 && high < 0.8);
//! ```

mod boards;
mod clock_terms;
pub mod experiment;
mod matches;
mod openings;
mod points;
mod proportions;
mod referee;
mod replay;
mod schedule;
mod sgf;
mod sprt;
mod standings;
mod t_test;
mod time_profile;
mod trap_figure;

pub use boards::{BoardComparison, BoardScores};
pub use clock_terms::{ClockTerms, SettingError};
pub use matches::{Match, MatchError, check_log, read_log, read_untrusted_log};
pub use openings::Openings;
pub use points::{Pairs, Points, elo, interval, likelihood_of_superiority, share};
pub use proportions::{ZTest, z_test};
pub use referee::{Effort, End, GRACE, PlayedGame, PlayedTiming};
pub use sgf::PlayedSgfError;
pub use sprt::{Sprt, Verdict};
pub use standings::{Dispute, Failure, Standing, StandingTiming, Standings, Tested};
pub use t_test::{Mean, TTest, p_value, paired_t_test};
pub use time_profile::time_profile;
pub use trap_figure::trap_figure;

/// The 97.5 % quantile of the normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The distribution function of the normal distribution.
pub(crate) fn normal(z: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(-z / std::f64::consts::SQRT_2)
}
