//! Players of a match: an engine of this crate or, in other crates, an external program.

use crate::{Engine, SearchResult, SearchSettings, Session};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use tesuji_core::time::Clock;
use tesuji_core::{Counters, Limits, SpecError};
use thiserror::Error;

/// A player of a game.
///
/// It receives the whole game at every turn and finds out by itself what has changed since the last
/// one, so undo and openings need no calls of their own.
pub trait Agent: Send {
    /// Returns its name: the spec of a search, or the name and version of a program.
    fn name(&self) -> String;

    /// Starts a new game from the given one, and discards everything about the last one.
    fn begin(&mut self, game: &dyn Session) -> Result<(), Fault>;

    /// Chooses a move; the game is not over.
    fn choose(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Choice, Fault>;

    /// Returns whether it reports complete lines in a game for one player; see [`Choice::line`].
    fn reports_lines(&self) -> bool {
        false
    }

    /// Returns its own result of a finished game (`B+3.5`), if it reports one.
    fn result(&mut self, _game: &dyn Session) -> Result<Option<String>, Fault> {
        Ok(None)
    }
}

/// The resources for one move.
pub struct Turn<'a> {
    /// The limits of this move. With a clock, the time limit is the time left on it.
    pub limits: Limits,
    /// The clock, if the game is played on one.
    pub clock: Option<Clock>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// Set when the game is abandoned; the move chosen after that is ignored.
    pub stop: &'a AtomicBool,
}

/// The action of a player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Plays a move, in the notation of the game.
    Move(String),
    /// Resigns.
    Resign,
}

/// The choice of a player, with what it reports about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The action.
    pub action: Action,
    /// The moves it expects, its own first; empty if not reported. In a game for one player, a
    /// player that [reports lines](Agent::reports_lines) plans the whole rest of the game.
    pub line: Vec<String>,
    /// The value of the position for the player, in [-1, 1], if reported.
    pub value: Option<f64>,
    /// The effort, if reported.
    pub counters: Counters,
    /// The regular time of its plan for the move in seconds, if it plays on a clock and has a time
    /// manager.
    pub planned_seconds: Option<f64>,
}

/// Why a player failed. In a match it loses the game, whatever the position.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "fault", content = "detail")]
pub enum Fault {
    /// It exited, or could not be started.
    #[error("crashed: {0}")]
    Crashed(String),
    /// It did not answer in time and was terminated.
    #[error("did not answer: {0}")]
    Silent(String),
    /// It violated the protocol.
    #[error("violated the protocol: {0}")]
    Protocol(String),
    /// It played an illegal move.
    #[error("played an illegal move: {0}")]
    Illegal(String),
    /// It exceeded its time.
    #[error("exceeded its time: {0}")]
    Overrun(String),
    /// It cannot play this game.
    #[error("cannot play this: {0}")]
    Unable(String),
}

/// An engine as a player.
pub struct SearchPlayer {
    spec: String,
    engine: Engine,
}

impl SearchPlayer {
    /// Builds the search named by a spec, for a game; see [`Engine::new`].
    pub fn new(spec: &str, game: &dyn Session) -> Result<SearchPlayer, SpecError> {
        Ok(SearchPlayer { spec: spec.to_string(), engine: Engine::new(spec, game)? })
    }
}

impl Agent for SearchPlayer {
    fn name(&self) -> String {
        self.engine.spec().to_string()
    }

    fn begin(&mut self, game: &dyn Session) -> Result<(), Fault> {
        self.engine = Engine::new(&self.spec, game).map_err(|error| Fault::Unable(error.to_string()))?;
        Ok(())
    }

    fn choose(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Choice, Fault> {
        if !self.engine.is_for(game) {
            self.begin(game)?;
        }
        let Turn { limits, clock, seed, threads, stop } = *turn;
        let settings = SearchSettings { limits, clock, seed, threads, stop, observer: None, owners: false };
        let SearchResult { report, timing, .. } = self.engine.think(game, settings);
        let mv = report.best.ok_or_else(|| Fault::Unable("the game is over".to_string()))?;
        let (line, value) = (report.variation, Some(report.value));
        let planned_seconds = timing.planned_seconds;
        Ok(Choice { action: Action::Move(mv), line, value, counters: report.counters, planned_seconds })
    }

    fn reports_lines(&self) -> bool {
        self.engine.capabilities().finds_solutions
    }
}
