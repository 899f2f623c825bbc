//! Fairy-Stockfish, from Debian's package.

use std::path::Path;
use std::time::Duration;
use tesuji_gtp::{Child, Children};

pub const LONG: Duration = Duration::from_secs(60);

/// The command of Fairy-Stockfish, if it is installed. It must be if all programs are required.
pub fn fairy_stockfish() -> Option<String> {
    let folders = std::env::var("PATH").unwrap_or_default();
    let mut folders = folders.split(':').chain(["/usr/games"]).map(|folder| format!("{folder}/fairy-stockfish"));
    let found = folders.find(|file| Path::new(file).is_file());
    if found.is_none() {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "fairy-stockfish is not installed");
        eprintln!("SKIPPED: fairy-stockfish is not installed (Debian package fairy-stockfish)");
    }
    found
}

/// Fairy-Stockfish as a reference for single positions.
pub struct Oracle(Child);

impl Oracle {
    pub fn new(variant: &str) -> Option<Oracle> {
        let mut child = Child::start(&fairy_stockfish()?, &Children::default()).unwrap();
        child.send("usi").unwrap();
        child.send(&format!("setoption name UCI_Variant value {variant}")).unwrap();
        Some(Oracle(child))
    }

    /// The lines up to and including the first with this prefix.
    fn lines(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.0.receive(LONG).unwrap();
            let is_last = line.starts_with(last);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    /// Its SFEN of a position and its sorted legal moves.
    pub fn look(&mut self, position: &str) -> (String, Vec<String>) {
        for line in [&format!("position {position}"), "d", "go perft 1"] {
            self.0.send(line).unwrap();
        }
        let lines = self.lines("Nodes searched");
        let sfen = lines.iter().find_map(|line| line.strip_prefix("Sfen: ")).expect("it draws the position");
        let mut moves: Vec<String> =
            lines[..lines.len() - 1].iter().filter_map(|line| Some(line.strip_suffix(": 1")?.to_string())).collect();
        moves.sort();
        (sfen.to_string(), moves)
    }
}
