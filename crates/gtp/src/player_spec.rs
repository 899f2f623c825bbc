//! Players by spec: searches, and GTP and USI programs, with their limits.

use crate::usi::UsiPlayer;
use crate::{Children, GtpPlayer};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use tesuji_catalog::{Agent, Fault, SearchPlayer, Session, parse_bytes, parse_time, split_manager};
use tesuji_core::time::TimeManager;
use tesuji_core::{Limits, Spec, SpecError, quoted, split_items, split_terms};
use thiserror::Error;

/// The limits of a player's moves. `None` means unlimited.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    /// The time for a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_seconds: Option<f64>,
    /// The playouts of a move; a search without playouts counts nodes instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The nodes of a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The memory of trees and tables, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<usize>,
    /// The threads of a search; one by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
}

impl Terms {
    /// Returns these terms, with those of `other` where these are `None`.
    pub fn or(self, other: Terms) -> Terms {
        Terms {
            time_seconds: self.time_seconds.or(other.time_seconds),
            playouts: self.playouts.or(other.playouts),
            nodes: self.nodes.or(other.nodes),
            memory_bytes: self.memory_bytes.or(other.memory_bytes),
            threads: self.threads.or(other.threads),
        }
    }

    /// Returns whether a limit ends every move.
    pub fn end_a_move(&self) -> bool {
        self.time_seconds.is_some() || self.playouts.is_some() || self.nodes.is_some()
    }

    /// Returns the limits of a move.
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

/// A player: a search spec, `gtp:COMMAND LINE` or `usi:COMMAND LINE`, optionally followed by `@`
/// and terms such as `@time=2s` or `@playouts=5000,threads=2`. On a clock a search may have a time
/// manager, `@time=stop:f=5,p=0.9`: what follows up to the next term belongs to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PlayerSpec {
    /// The player, without its terms.
    pub spec: String,
    /// The player's own terms.
    pub terms: Terms,
    /// The spec of its time manager.
    pub manager: Option<String>,
}

/// A player spec that cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PlayerSpecError(String);

/// The prefixes of command lines.
const GTP: &str = "gtp:";
const USI: &str = "usi:";

impl FromStr for PlayerSpec {
    type Err = PlayerSpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, PlayerSpecError> {
        let is_program = text.starts_with(GTP) || text.starts_with(USI);
        // A command line may contain brackets and an @ itself.
        let terms = if is_program { text.rsplit_once('@') } else { split_terms(text) };
        match terms {
            Some((spec, terms)) if !is_program || (terms.contains('=') && !terms.contains(' ')) => {
                let (terms, manager) = read_terms(terms)?;
                if let Some(manager) = manager.as_ref().filter(|_| is_program) {
                    let reason = format!("{} manages its own time; it takes no time={manager}", quoted(spec));
                    return Err(PlayerSpecError(reason));
                }
                Ok(PlayerSpec { spec: spec.to_string(), terms, manager })
            }
            _ => Ok(PlayerSpec { spec: text.to_string(), terms: Terms::default(), manager: None }),
        }
    }
}

/// The keys of terms. An item with another key belongs to the time manager before it.
const KEYS: [&str; 5] = ["time", "playouts", "nodes", "memory", "threads"];

/// Reads terms and the spec of a time manager.
fn read_terms(text: &str) -> Result<(Terms, Option<String>), PlayerSpecError> {
    let mut terms = Terms::default();
    let mut manager: Option<String> = None;
    let parts = split_items(text).map_err(|reason| PlayerSpecError(format!("{}: {reason}", quoted(text))))?;
    if parts.is_empty() {
        return Err(invalid_term(text));
    }
    for part in parts {
        let invalid = || invalid_term(part);
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        if let Some(manager) = manager.as_mut().filter(|_| !KEYS.contains(&key)) {
            manager.push(if manager.contains(':') { ',' } else { ':' });
            manager.push_str(part);
            continue;
        }
        let number = || value.parse::<u64>().ok().filter(|&number| number > 0).ok_or_else(invalid);
        match key {
            "time" => match split_manager(&format!("@time={value}")).1 {
                Some(named) => manager = Some(named.to_string()),
                None => terms.time_seconds = Some(parse_time(value).map_err(|_| invalid())?.as_secs_f64()),
            },
            "playouts" => terms.playouts = Some(number()?),
            "nodes" => terms.nodes = Some(number()?),
            "memory" => terms.memory_bytes = Some(parse_bytes(value).map_err(|_| invalid())?),
            "threads" => terms.threads = Some(number()?.min(1024) as usize),
            _ => return Err(invalid()),
        }
    }
    if let Some(manager) = &manager {
        check_manager(manager).map_err(|error| PlayerSpecError(error.to_string()))?;
    }
    Ok((terms, manager))
}

fn invalid_term(part: &str) -> PlayerSpecError {
    PlayerSpecError(format!(
        "{part} after @ is not accepted; it takes time=2s, time=MANAGER, playouts=N, nodes=N, memory=64M and threads=N",
        part = quoted(part)
    ))
}

/// Checks that a manager exists. Its options are read with the game.
fn check_manager(manager: &str) -> Result<(), SpecError> {
    TimeManager::check_name(manager.parse::<Spec>()?.name())
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let manager = self.manager.as_ref().map(|manager| format!("time={manager}"));
        let terms = (self.terms != Terms::default()).then(|| self.terms.to_string());
        let terms: Vec<String> = manager.into_iter().chain(terms).collect();
        f.write_str(&self.spec)?;
        if terms.is_empty() { Ok(()) } else { write!(f, "@{}", terms.join(",")) }
    }
}

impl From<PlayerSpec> for String {
    fn from(player: PlayerSpec) -> String {
        player.to_string()
    }
}

impl TryFrom<String> for PlayerSpec {
    type Error = PlayerSpecError;

    fn try_from(text: String) -> Result<PlayerSpec, PlayerSpecError> {
        text.parse()
    }
}

impl PlayerSpec {
    /// Returns whether the player is a separate program.
    pub fn is_program(&self) -> bool {
        self.spec.starts_with(GTP) || self.spec.starts_with(USI)
    }

    /// Returns the search with its time manager, as [`tesuji_catalog::Engine`] takes it.
    pub fn engine(&self) -> String {
        match &self.manager {
            Some(manager) => format!("{}@time={manager}", self.spec),
            None => self.spec.clone(),
        }
    }

    /// Starts the player for a game. A program is registered in `children`.
    pub fn start(&self, game: &dyn Session, children: &Children) -> Result<Box<dyn Agent>, Fault> {
        if let Some(command) = self.spec.strip_prefix(GTP) {
            return Ok(Box::new(GtpPlayer::start(command, game, children)?));
        }
        if let Some(command) = self.spec.strip_prefix(USI) {
            return Ok(Box::new(UsiPlayer::start(command, game, children)?));
        }
        let player = SearchPlayer::new(&self.engine(), game).map_err(|error| Fault::Unable(error.to_string()))?;
        Ok(Box::new(player))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip() {
        for text in
            ["mcts:pn=1,solver", "mcts@time=2s,playouts=500,threads=2", "gtp:gnugo --mode gtp --level 10", "gtp:a@b c"]
        {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        for text in [
            "mcts@time=stop:f=5,p=0.9",
            "mcts:solver@time=stop:f=5,p=0.9,threads=2",
            "mcts@time=unst:f=1,base=[stop:f=2,p=0.4],playouts=100",
            "auto@time=exp-moves",
        ] {
            assert_eq!(text.parse::<PlayerSpec>().unwrap().to_string(), text);
        }
        let managed: PlayerSpec = "mcts:solver@threads=2,time=[stop:f=5,p=0.9],playouts=7".parse().unwrap();
        assert_eq!(managed.to_string(), "mcts:solver@time=stop:f=5,p=0.9,playouts=7,threads=2");
        assert_eq!((managed.terms.playouts, managed.terms.time_seconds), (Some(7), None));
        assert_eq!(managed.engine(), "mcts:solver@time=stop:f=5,p=0.9");
        let timed: PlayerSpec = "gtp:gnugo --mode gtp@time=2s".parse().unwrap();
        assert_eq!((timed.spec.as_str(), timed.terms.time_seconds), ("gtp:gnugo --mode gtp", Some(2.0)));
    }

    #[test]
    fn invalid_terms_are_reported() {
        for wrong in ["mcts@2", "mcts@time=2x", "mcts@speed=9", "mcts@playouts=0", "mcts@"] {
            let error = wrong.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains("playouts=N"), "{wrong}: {error}");
        }
        for (wrong, words) in [
            ("mcts@time=soon", "there is no time manager \"soon\""),
            ("gtp:gnugo --mode gtp@time=stop:f=5", "manages its own time"),
            ("mcts@time=[stop:f=5", "unclosed quote or bracket"),
        ] {
            let error = wrong.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.contains(words), "{wrong}: {error}");
        }
    }
}
