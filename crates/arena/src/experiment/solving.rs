//! Measures how many positions of a set a search solves.

use super::plan::Cell;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tesuji_catalog::{Attempt, CompareError, Comparison, Log, LogError, PositionSet, SolverSpec, compare, log_exists};
use tesuji_core::DEFAULT_MEMORY;

/// Runs the first player of a cell on a sample of its positions, as far as its log lacks them.
pub fn measure(cell: &Cell, log: &Path, stop: &AtomicBool, progress: &dyn Fn(u64)) -> Result<(), CompareError> {
    let file = cell.positions.as_deref().expect("a plan without positions is refused");
    let fail = |reason: String| CompareError::File { file: file.to_path_buf(), reason };
    let text = std::fs::read_to_string(file).map_err(|error| fail(error.to_string()))?;
    let positions = PositionSet::parse(&text).texts;
    let wanted = cell.plan.games.unwrap_or(0);
    if wanted > positions.len() as u64 {
        return Err(fail(format!("{} positions; the plan has games = {wanted}", positions.len())));
    }
    let player = &cell.plan.players[0];
    let terms = player.terms.or(cell.plan.terms);
    let plan = Comparison {
        game: cell.plan.game.clone(),
        positions,
        by: vec![SolverSpec { spec: player.spec.clone(), threads: terms.threads }],
        limits: terms.limits(),
        threads: 1,
        seed: cell.plan.seed,
        sample: cell.plan.games.map(|games| games as usize),
        log: Some(log.to_path_buf()),
    };
    refuse_other_positions(cell, log, &plan.positions)?;
    compare(&plan, stop, &|done| progress(done.done as u64)).map(|_| ())
}

/// Refuses a log with attempts at positions that are no longer in the file: the report is drawn
/// from the log, and would be about both sets.
fn refuse_other_positions(cell: &Cell, log: &Path, positions: &[String]) -> Result<(), CompareError> {
    if !log_exists(log) {
        return Ok(());
    }
    match read(cell, log)?.iter().find(|attempt| !positions.contains(&attempt.setting.position)) {
        None => Ok(()),
        Some(other) => {
            let reason = format!("it has the position {}, which is not in the file", other.setting.position);
            Err(LogError { file: log.to_path_buf(), reason: format!("{reason}; move the log away to start again") }
                .into())
        }
    }
}

/// Reads the attempts of a cell from its log.
pub fn read(cell: &Cell, log: &Path) -> Result<Vec<Attempt>, LogError> {
    let player = &cell.plan.players[0];
    let terms = player.terms.or(cell.plan.terms);
    let is_of_cell = |Attempt { setting, .. }: &Attempt| {
        setting.game == cell.plan.game
            && setting.by == player.spec
            && setting.threads == terms.threads.unwrap_or(1)
            && setting.most_nodes == terms.nodes
            && setting.most_playouts == terms.playouts
            && setting.most_seconds == terms.time_seconds
            && setting.memory == terms.memory_bytes.unwrap_or(DEFAULT_MEMORY)
            && setting.seed == cell.plan.seed
    };
    let mut attempts: Vec<Attempt> = Log::read(log, "attempt of a comparison")?;
    attempts.retain(is_of_cell);
    // A larger sample starts with the smaller one.
    attempts.truncate(cell.plan.games.map_or(usize::MAX, |games| games as usize));
    Ok(attempts)
}
