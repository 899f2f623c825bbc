//! Somebody who plays: a search of ours, or, in other crates, a program of somebody else.

use crate::{Engine, SearchSettings, Session};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_core::{Counters, Limits, SpecError};
use thiserror::Error;

/// Somebody who plays games. It is shown the game at every turn and finds out by itself what has happened since the last one, so it never
/// matters who played or took back what.
pub trait Player: Send {
    /// What it is called: the spec of a search, the name and version of a program.
    fn name(&self) -> String;

    /// Prepares for a new game, which begins as it is shown; nothing is kept of the last one.
    fn begin(&mut self, game: &dyn Session) -> Result<(), Fault>;

    /// Chooses a move in a game that is not over.
    fn choose(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Choice, Fault>;

    /// What it makes of a game that is over, in its own words (`B+3.5`), if it says.
    fn result(&mut self, _game: &dyn Session) -> Result<Option<String>, Fault> {
        Ok(None)
    }
}

/// What a player has for a move.
pub struct Turn<'a> {
    /// The limits of this move. With a clock, the time is what is left on it.
    pub limits: Limits,
    /// The clock, if there is one for the whole game.
    pub clock: Option<Clock>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many threads it may use.
    pub threads: usize,
    /// Raised when the game is no longer of interest: whatever is answered then does not count.
    pub stop: &'a AtomicBool,
}

/// The clock of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Clock {
    /// What is left for the rest of the game.
    pub left: Duration,
    /// What every move adds.
    pub increment: Duration,
}

/// A search that has a clock takes it that so many of its own moves are to come. Raising it makes early moves quicker and leaves time unused in
/// short games.
const MOVES_TO_COME: u32 = 25;
/// A search never takes more than this share of what is left, whatever a move adds: what it takes beyond its limit must come from the rest.
const LARGEST_SHARE: f64 = 0.5;

impl Clock {
    /// The time for this move.
    pub fn share(&self) -> Duration {
        let share = self.left / MOVES_TO_COME + self.increment.mul_f64(0.8);
        share.min(self.left.mul_f64(LARGEST_SHARE))
    }
}

/// What a player does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It plays a move, in the words of the game.
    Move(String),
    /// It gives up.
    Resign,
}

/// A move, and what the player says about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// What it does.
    pub action: Action,
    /// How good the position is for it, in [-1, 1], if it says.
    pub value: Option<f64>,
    /// What it took, if it says.
    pub counters: Counters,
}

/// Why a player could not go on. In a match it loses the game, whatever the board says.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "fault", content = "detail")]
pub enum Fault {
    /// It ended, or could not be started.
    #[error("crashed: {0}")]
    Crashed(String),
    /// It gave no answer for so long that it was ended.
    #[error("gave no answer: {0}")]
    Silent(String),
    /// It said something that its protocol does not have.
    #[error("broke the protocol: {0}")]
    Protocol(String),
    /// It played what is not allowed.
    #[error("played an illegal move: {0}")]
    Illegal(String),
    /// It took more time than it had.
    #[error("overran its time: {0}")]
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
    /// Builds the search named by a spec, for a game.
    pub fn new(spec: &str, game: &dyn Session) -> Result<SearchPlayer, SpecError> {
        Ok(SearchPlayer { spec: spec.to_string(), engine: Engine::new(spec, game)? })
    }
}

impl Player for SearchPlayer {
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
        let limits = match turn.clock {
            Some(clock) => Limits { time: Some(clock.share()), ..turn.limits },
            None => turn.limits,
        };
        let Turn { seed, threads, stop, .. } = *turn;
        let report = self.engine.think(game, SearchSettings { limits, seed, threads, stop, observer: None }).report;
        let mv = report.best.ok_or_else(|| Fault::Unable("the game is over".to_string()))?;
        Ok(Choice { action: Action::Move(mv), value: Some(report.value), counters: report.counters })
    }
}
