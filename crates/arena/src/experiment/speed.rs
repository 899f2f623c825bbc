//! Measures simulations per second of two players.

use super::plan::Cell;
use crate::matches::MatchError;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_catalog::{Engine, Fault, Log, LogError, SearchSettings, open};
use tesuji_core::SpecError;

/// One measurement of both players: a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpeedSample {
    /// The game; the players search its start position.
    pub game: String,
    /// The players.
    pub players: Vec<String>,
    /// The time of each search.
    pub time_seconds: f64,
    /// The number of the sample, from 0.
    pub round: u64,
    /// The simulations per second of each player.
    pub rates: Vec<f64>,
}

impl SpeedSample {
    /// Returns a sample without rates for a cell.
    fn planned(cell: &Cell, round: u64) -> SpeedSample {
        SpeedSample {
            game: cell.plan.game.clone(),
            players: cell.plan.players.iter().map(ToString::to_string).collect(),
            time_seconds: cell.plan.terms.time_seconds.unwrap_or(DEFAULT_SECONDS),
            round,
            rates: Vec::new(),
        }
    }

    /// Returns whether this is a complete sample of a cell.
    fn is_of(&self, cell: &Cell) -> bool {
        let planned = SpeedSample { rates: self.rates.clone(), ..SpeedSample::planned(cell, self.round) };
        *self == planned && self.rates.len() == self.players.len()
    }
}

/// The default time of a search in seconds.
const DEFAULT_SECONDS: f64 = 1.0;

/// Measures the players in turn until the log has the samples of the cell. Every search starts
/// empty.
pub fn measure(cell: &Cell, log: &Path, stop: &AtomicBool, progress: &dyn Fn(u64)) -> Result<(), MatchError> {
    let (mut log_file, samples) = Log::open::<SpeedSample>(log, "speed sample")?;
    if let Some(other) = samples.iter().find(|sample| !sample.is_of(cell)) {
        let reason =
            format!("it has samples of {} in {}, of {} s", other.players.join(" and "), other.game, other.time_seconds);
        return Err(LogError { file: log.to_path_buf(), reason }.into());
    }
    for round in samples.len() as u64..cell.plan.games.unwrap_or(0) {
        progress(round);
        let mut sample = SpeedSample::planned(cell, round);
        for player in &cell.plan.players {
            let mut limits = player.terms.or(cell.plan.terms).limits();
            limits.time = Some(std::time::Duration::from_secs_f64(sample.time_seconds));
            let threads = player.terms.or(cell.plan.terms).threads.unwrap_or(1);
            let settings = SearchSettings {
                limits,
                clock: None,
                seed: cell.plan.seed.wrapping_add(round),
                threads,
                stop,
                observer: None,
                owners: false,
            };
            let refuse = |error: SpecError| MatchError::Player {
                player: player.to_string(),
                fault: Fault::Unable(error.to_string()),
            };
            let game = open(&sample.game, "start")?;
            let thought = Engine::new(&player.spec, game.as_ref()).map_err(refuse)?.think(game.as_ref(), settings);
            sample.rates.push(thought.timing.playouts_per_second);
        }
        if stop.load(Relaxed) {
            return Ok(());
        }
        log_file.add(&sample)?;
    }
    Ok(())
}

/// Reads the samples of a cell from its log.
pub fn read(cell: &Cell, log: &Path) -> Result<Vec<SpeedSample>, LogError> {
    let mut samples: Vec<SpeedSample> = Log::read(log, "speed sample")?;
    samples.retain(|sample| sample.is_of(cell) && cell.plan.games.is_none_or(|games| sample.round < games));
    Ok(samples)
}
