//! Simulations in a second, two players side by side.

use super::plan::Cell;
use crate::matches::MatchError;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_catalog::{Engine, Fault, Log, LogError, SearchSettings, open};
use tesuji_core::SpecError;

/// One look at both players: a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Look {
    /// The game, from whose start they think.
    pub game: String,
    /// The players.
    pub players: Vec<String>,
    /// The time of each.
    pub time_seconds: f64,
    /// Which look it is, from 0.
    pub round: u64,
    /// The simulations of each in a second.
    pub rates: Vec<f64>,
}

impl Look {
    /// What a cell asks for.
    fn asked(cell: &Cell, round: u64) -> Look {
        Look {
            game: cell.plan.game.clone(),
            players: cell.plan.players.iter().map(ToString::to_string).collect(),
            time_seconds: cell.plan.terms.time_seconds.unwrap_or(TIME),
            round,
            rates: Vec::new(),
        }
    }

    /// Whether this is what a cell asks for, with a rate of each player.
    fn is_of(&self, cell: &Cell) -> bool {
        let asked = Look { rates: self.rates.clone(), ..Look::asked(cell, self.round) };
        *self == asked && self.rates.len() == self.players.len()
    }
}

/// The time of a look when nothing is said.
const TIME: f64 = 1.0;

/// Looks at the players in turn, as often as the cell says and its log does not have yet. What one finds is thrown away before the next look.
pub fn measure(cell: &Cell, log: &Path, stop: &AtomicBool, progress: &dyn Fn(u64)) -> Result<(), MatchError> {
    let (mut kept, looks) = Log::open::<Look>(log, "look at two players")?;
    if let Some(other) = looks.iter().find(|look| !look.is_of(cell)) {
        let reason =
            format!("it has looks at {} in {}, of {} s", other.players.join(" and "), other.game, other.time_seconds);
        return Err(LogError { file: log.to_path_buf(), reason }.into());
    }
    for round in looks.len() as u64..cell.plan.games.unwrap_or(0) {
        progress(round);
        let mut look = Look::asked(cell, round);
        for player in &cell.plan.players {
            let mut limits = player.terms.or(cell.plan.terms).limits();
            limits.time = Some(std::time::Duration::from_secs_f64(look.time_seconds));
            let threads = player.terms.or(cell.plan.terms).threads.unwrap_or(1);
            let settings =
                SearchSettings { limits, seed: cell.plan.seed.wrapping_add(round), threads, stop, observer: None };
            let refuse = |error: SpecError| MatchError::Player {
                player: player.to_string(),
                fault: Fault::Unable(error.to_string()),
            };
            let game = open(&look.game, "start")?;
            let thought = Engine::new(&player.spec, game.as_ref()).map_err(refuse)?.think(game.as_ref(), settings);
            look.rates.push(thought.timing.playouts_per_second);
        }
        if stop.load(Relaxed) {
            return Ok(());
        }
        kept.add(&look)?;
    }
    Ok(())
}

/// The looks of a log that a cell asks for.
pub fn read(cell: &Cell, log: &Path) -> Result<Vec<Look>, LogError> {
    let mut looks: Vec<Look> = Log::read(log, "look at two players")?;
    looks.retain(|look| look.is_of(cell) && cell.plan.games.is_none_or(|games| look.round < games));
    Ok(looks)
}
