//! The experiments in the repository: their reports can be drawn again from the logs kept with
//! them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tesuji_arena::Match;
use tesuji_arena::experiment::{Cell, ExperimentError, Plan, write_report};

/// Folders in which cells of the plan have no results yet, so that their reports cannot be drawn
/// again. The list shall be empty.
const UNFINISHED: &[&str] = &["hybrids", "one-player-nested", "samegame", "time"];

/// The most bytes of all logs in the repository together.
const MAX_BYTES: u64 = 20_000_000;

fn experiments() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut folders: Vec<PathBuf> = entries(&root).into_iter().filter(|path| path.join("plan.toml").exists()).collect();
    folders.sort();
    folders
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn packed_logs(folder: &Path) -> Vec<PathBuf> {
    entries(&folder.join("log")).into_iter().filter(|path| path.extension().is_some_and(|end| end == "gz")).collect()
}

/// Returns the report and the figures of an experiment by name.
fn drawn(folder: &Path) -> BTreeMap<String, String> {
    let files = entries(&folder.join("figures")).into_iter().chain([folder.join("report.md")]);
    files.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap_or_default())).collect()
}

#[test]
fn every_experiment_draws_its_report_again_from_its_logs() {
    let copies = tempfile::tempdir().unwrap();
    for folder in &experiments() {
        // The report has the name of the folder in it.
        let copy = copies.path().join(name(folder));
        std::fs::create_dir_all(copy.join("log")).unwrap();
        std::fs::copy(folder.join("plan.toml"), copy.join("plan.toml")).unwrap();
        for log in packed_logs(folder) {
            std::fs::copy(&log, copy.join("log").join(name(&log))).unwrap();
        }
        let written = write_report(&Plan::read(&copy).unwrap());
        let is_unfinished = matches!(written, Err(ExperimentError::NoResults { .. }));
        assert_eq!(is_unfinished, UNFINISHED.contains(&name(folder).as_str()), "{}: {written:?}", folder.display());
        if !is_unfinished {
            written.unwrap();
            assert!(drawn(&copy) == drawn(folder), "{}: the report or a figure differs", folder.display());
        }
    }
}

#[test]
fn the_logs_are_small_enough_to_be_kept() {
    let bytes = |log: &PathBuf| std::fs::metadata(log).unwrap().len();
    let all: u64 = experiments().iter().flat_map(|folder| packed_logs(folder)).map(|log| bytes(&log)).sum();
    assert!(all <= MAX_BYTES, "{all} bytes");
}

/// A row that differs from another in nothing measures nothing.
#[test]
fn every_row_of_a_plan_varies_something() {
    for folder in &experiments() {
        let cells = Plan::read(folder).unwrap().cells().unwrap();
        let what = |cell: &Cell| {
            let Match { game, players, terms, clock, .. } = &cell.plan;
            format!("{game} {players:?} {terms:?} {clock:?}")
        };
        for (at, cell) in cells.iter().enumerate() {
            let place = format!("{}: {}, {}, {}", folder.display(), cell.group, cell.row, cell.column);
            // Finished experiments have cells in which a player meets itself, as a control.
            if let ([first, second], true) = (&cell.plan.players[..], UNFINISHED.contains(&name(folder).as_str())) {
                assert_ne!(first, second, "{place}: a player meets itself");
            }
            let is_beside = |other: &&Cell| (&other.group, &other.column) == (&cell.group, &cell.column);
            if let Some(other) = cells[..at].iter().filter(is_beside).find(|other| what(other) == what(cell)) {
                panic!("{place}: the same as {}", other.row);
            }
        }
    }
}
