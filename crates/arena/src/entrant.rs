//! Who plays in a match, and under what terms.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tesuji_catalog::{Clock, Fault, Player, SearchPlayer, Session, parse_bytes, parse_time};
use tesuji_core::Limits;
use tesuji_gtp::GtpPlayer;
use tesuji_gtp::usi::UsiPlayer;
use thiserror::Error;

/// What a player may use. Whatever is not limited is unlimited.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    /// The time for a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<f64>,
    /// The playouts of a move; a search that makes none counts nodes instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The nodes of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The bytes of trees and tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<usize>,
    /// The threads of a search; one if nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

impl Terms {
    /// These terms, and for what they leave open those of a match.
    pub fn or(self, other: Terms) -> Terms {
        Terms {
            time_seconds: self.time_seconds.or(other.time_seconds),
            playouts: self.playouts.or(other.playouts),
            nodes: self.nodes.or(other.nodes),
            memory_bytes: self.memory_bytes.or(other.memory_bytes),
            threads: self.threads.or(other.threads),
        }
    }

    /// Whether something ends every move.
    pub fn end_a_move(&self) -> bool {
        self.time_seconds.is_some() || self.playouts.is_some() || self.nodes.is_some()
    }

    /// The limits of a move.
    pub fn limits(&self) -> Limits {
        Limits {
            time: self.time_seconds.map(Duration::from_secs_f64),
            playouts: self.playouts,
            nodes: self.nodes,
            memory: self.memory_bytes,
        }
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.time_seconds.map(|seconds| format!("time={seconds}s")),
            self.playouts.map(|playouts| format!("playouts={playouts}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.memory_bytes.map(|bytes| format!("memory={bytes}")),
            self.threads.map(|threads| format!("threads={threads}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

/// The clock of every player for a whole game: `30s`, or `30s+1s` where every move adds something.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClockTerms {
    /// The time at the beginning.
    pub seconds: f64,
    /// What every move adds.
    pub increment_seconds: f64,
}

impl ClockTerms {
    /// The clock at the beginning.
    pub fn start(&self) -> Clock {
        Clock {
            left: Duration::from_secs_f64(self.seconds),
            increment: Duration::from_secs_f64(self.increment_seconds),
        }
    }
}

impl FromStr for ClockTerms {
    type Err = EntrantError;

    fn from_str(text: &str) -> Result<ClockTerms, EntrantError> {
        let (main, increment) = text.split_once('+').unwrap_or((text, "0s"));
        let fault = |_| EntrantError(format!("{text:?} is no clock; it takes a time such as 30s, or 30s+1s"));
        let seconds = |time: &str| parse_time(time).map(|time| time.as_secs_f64()).map_err(fault);
        Ok(ClockTerms { seconds: seconds(main)?, increment_seconds: seconds(increment)? })
    }
}

/// A player of a match: `SPEC`, `gtp:COMMAND LINE` or `usi:COMMAND LINE`; behind it perhaps `@` and terms of its own, such as `@time=2s` or
/// `@playouts=5000,threads=2`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Entrant {
    /// The player, without its terms.
    pub spec: String,
    /// Its own terms.
    pub terms: Terms,
}

/// A player, a clock or an opening that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct EntrantError(pub(crate) String);

/// The words in front of the command line of a program.
const GTP: &str = "gtp:";
const USI: &str = "usi:";

impl FromStr for Entrant {
    type Err = EntrantError;

    fn from_str(text: &str) -> Result<Entrant, EntrantError> {
        let is_program = text.starts_with(GTP) || text.starts_with(USI);
        match text.rsplit_once('@') {
            // A command line may have an @ of its own.
            Some((spec, terms)) if !is_program || (terms.contains('=') && !terms.contains(' ')) => {
                Ok(Entrant { spec: spec.to_string(), terms: read_terms(terms)? })
            }
            _ => Ok(Entrant { spec: text.to_string(), terms: Terms::default() }),
        }
    }
}

fn read_terms(text: &str) -> Result<Terms, EntrantError> {
    let mut terms = Terms::default();
    for part in text.split(',') {
        let fault = || {
            EntrantError(format!(
                "{part:?} behind @ is not accepted; it takes time=2s, playouts=N, nodes=N, memory=64M and threads=N"
            ))
        };
        let (key, value) = part.split_once('=').ok_or_else(fault)?;
        let number = || value.parse::<u64>().ok().filter(|&number| number > 0).ok_or_else(fault);
        match key {
            "time" => terms.time_seconds = Some(parse_time(value).map_err(|_| fault())?.as_secs_f64()),
            "playouts" => terms.playouts = Some(number()?),
            "nodes" => terms.nodes = Some(number()?),
            "memory" => terms.memory_bytes = Some(parse_bytes(value).map_err(|_| fault())?),
            "threads" => terms.threads = Some(number()?.min(1024) as usize),
            _ => return Err(fault()),
        }
    }
    Ok(terms)
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spec)?;
        if self.terms != Terms::default() {
            write!(f, "@{}", self.terms)?;
        }
        Ok(())
    }
}

impl From<Entrant> for String {
    fn from(entrant: Entrant) -> String {
        entrant.to_string()
    }
}

impl TryFrom<String> for Entrant {
    type Error = EntrantError;

    fn try_from(text: String) -> Result<Entrant, EntrantError> {
        text.parse()
    }
}

impl Entrant {
    /// Whether it is a program of its own, which has to be started.
    pub fn is_program(&self) -> bool {
        self.spec.starts_with(GTP) || self.spec.starts_with(USI)
    }

    /// Brings it to a game.
    pub fn invite(&self, game: &dyn Session) -> Result<Box<dyn Player>, Fault> {
        if let Some(command) = self.spec.strip_prefix(GTP) {
            return Ok(Box::new(GtpPlayer::start(command, game)?));
        }
        if let Some(command) = self.spec.strip_prefix(USI) {
            return Ok(Box::new(UsiPlayer::start(command, game)?));
        }
        let player = SearchPlayer::new(&self.spec, game).map_err(|error| Fault::Unable(error.to_string()))?;
        Ok(Box::new(player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_are_read_and_printed_back() {
        for text in
            ["mcts:pn=1,solver", "mcts@time=2s,playouts=500,threads=2", "gtp:gnugo --mode gtp --level 10", "gtp:a@b c"]
        {
            assert_eq!(text.parse::<Entrant>().unwrap().to_string(), text);
        }
        let timed: Entrant = "gtp:gnugo --mode gtp@time=2s".parse().unwrap();
        assert_eq!((timed.spec.as_str(), timed.terms.time_seconds), ("gtp:gnugo --mode gtp", Some(2.0)));
    }

    #[test]
    fn wrong_terms_are_named() {
        for wrong in ["mcts@2", "mcts@time=x", "mcts@speed=9", "mcts@playouts=0", "mcts@"] {
            let error = wrong.parse::<Entrant>().unwrap_err().to_string();
            assert!(error.contains("playouts=N"), "{wrong}: {error}");
        }
    }

    #[test]
    fn clocks_are_read() {
        assert_eq!("30s".parse(), Ok(ClockTerms { seconds: 30.0, increment_seconds: 0.0 }));
        assert_eq!("1m+500ms".parse(), Ok(ClockTerms { seconds: 60.0, increment_seconds: 0.5 }));
        assert!("soon".parse::<ClockTerms>().unwrap_err().to_string().contains("30s+1s"));
    }
}
