//! The clock of a match.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tesuji_catalog::parse_time;
use tesuji_core::quoted;
use tesuji_core::time::Clock;
use thiserror::Error;

/// A clock or an opening that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SettingError(pub(crate) String);

/// The clock of each player for a whole game: `30s`, or `30s+1s` with an increment. With
/// `30s,searches` programs play without a clock.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClockTerms {
    /// The time at the start.
    pub seconds: f64,
    /// The increment per move.
    pub increment_seconds: f64,
    /// Whether only searches have a clock, and programs none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub searches: bool,
}

/// What follows a clock that only searches have.
const SEARCHES: &str = ",searches";

impl ClockTerms {
    /// Returns the clock at the start.
    pub fn start(&self) -> Clock {
        Clock {
            left: Duration::from_secs_f64(self.seconds),
            increment: Duration::from_secs_f64(self.increment_seconds),
            ..Clock::default()
        }
    }
}

impl fmt::Display for ClockTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.seconds)?;
        if self.increment_seconds > 0.0 {
            write!(f, "+{}s", self.increment_seconds)?;
        }
        f.write_str(if self.searches { SEARCHES } else { "" })
    }
}

impl FromStr for ClockTerms {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<ClockTerms, SettingError> {
        let (times, searches) = text.strip_suffix(SEARCHES).map_or((text, false), |times| (times, true));
        let (main, increment) = times.split_once('+').unwrap_or((times, "0s"));
        let invalid = |_| {
            let text = quoted(text);
            SettingError(format!("{text} is not a clock; it takes a time such as 30s, 30s+1s or 30s{SEARCHES}"))
        };
        let seconds = |time: &str| parse_time(time).map(|time| time.as_secs_f64()).map_err(invalid);
        Ok(ClockTerms { seconds: seconds(main)?, increment_seconds: seconds(increment)?, searches })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_parsed() {
        assert_eq!("30s".parse(), Ok(ClockTerms { seconds: 30.0, increment_seconds: 0.0, searches: false }));
        let terms = ClockTerms { seconds: 60.0, increment_seconds: 0.5, searches: true };
        assert_eq!("1m+500ms,searches".parse(), Ok(terms));
        assert_eq!(terms.to_string(), "60s+0.5s,searches");
        assert_eq!("1m+500ms".parse::<ClockTerms>().unwrap().to_string(), "60s+0.5s");
        assert_eq!("3s".parse::<ClockTerms>().unwrap().to_string(), "3s");
        assert!("soon".parse::<ClockTerms>().unwrap_err().to_string().contains("30s+1s"));
    }
}
