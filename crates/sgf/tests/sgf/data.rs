//! SGF files that are too large for the repository; the variable `TESUJI_DATA` names their folder.

use std::path::{Path, PathBuf};
use tesuji_sgf::read;

fn sgf_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sgf_files(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "sgf" || ending == "sgfs") {
            files.push(path);
        }
    }
}

#[test]
fn all_data_is_read_and_replayed() {
    let Some(folder) = std::env::var_os("TESUJI_DATA") else {
        println!("SKIPPED: TESUJI_DATA is not set, no SGF files are read");
        return;
    };
    let mut files = Vec::new();
    sgf_files(Path::new(&folder), &mut files);
    files.sort();
    let mut total = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let records = read(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut moves = 0;
        for (index, record) in records.iter().enumerate() {
            // These files do not name their rules; some problems repeat positions in long cycles.
            let followed = record.clone().fit("go:ko=simple").and_then(|record| record.open(None));
            followed.unwrap_or_else(|error| panic!("{}, game {}: {error}", file.display(), index + 1));
            moves += record.length();
        }
        for record in records.iter().step_by(50) {
            crate::law::sgf_law(&record.text());
        }
        println!("{}: {} games, {moves} moves", file.display(), records.len());
        total += records.len();
    }
    println!("{total} games in {} files", files.len());
}
