//! Checkpoint files: the questions and answers of a solve run so far, and everything the solver has
//! learned.
//!
//! The first line is `tesuji checkpoint 1`. It is followed by the length of the header (4 bytes,
//! little-endian), the header (JSON), its CRC-32 (4 bytes, little-endian), and the output of
//! [`Prover::save`], which has its own checksum. Nothing follows it.

use crate::file::replace_file_with;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use tesuji_core::{Bounds, Facts, History, Knowledge, Player, Prover, quoted};
use tesuji_games::rules;

/// The first line.
const MAGIC: &[u8] = b"tesuji checkpoint 1\n";
/// The maximum length of a header.
const MAX_HEADER: u32 = 1 << 24;
/// The most nodes and seconds of all runs together: more than any run can reach, and far from what
/// would overflow a sum or a duration.
const MAX_NODES: u64 = 1 << 60;
const MAX_SECONDS: f64 = 1e10;
/// The accepted memory of a solver, in bytes.
const MEMORY: std::ops::RangeInclusive<usize> = 1..=1 << 48;

/// The questions of a run, and the bounds known so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckpointHeader {
    /// The spec of the game.
    pub game: String,
    /// The position, and the moves that led to it.
    pub position: String,
    /// The goal.
    pub goal: String,
    /// The solver; never `auto`.
    pub by: String,
    /// The memory of the solver, in bytes.
    pub memory: usize,
    /// The nodes of all runs so far.
    pub nodes: u64,
    /// The time of all runs so far, in seconds.
    pub seconds: f64,
    /// The known bounds.
    pub answers: Vec<BoundsRecord>,
}

/// The known bounds of a player's score, at the root or after a root move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BoundsRecord {
    /// The seat of the player, from 0.
    pub player: u8,
    /// The root move; `None` for the position itself.
    pub mv: Option<String>,
    /// The player can force at least this score.
    pub at_least: i32,
    /// The others can hold the player to this score.
    pub at_most: i32,
    /// The best move.
    pub best: Option<String>,
    /// The line of play, which starts with the best move.
    pub line: Vec<String>,
}

impl BoundsRecord {
    pub fn new(mv: Option<String>, known: Bounds) -> BoundsRecord {
        let Bounds { player, at_least, at_most } = known;
        BoundsRecord { player: player.0, mv, at_least, at_most, best: None, line: Vec::new() }
    }

    /// Returns the bounds.
    pub fn bounds(&self) -> Bounds {
        Bounds { player: Player(self.player), at_least: self.at_least, at_most: self.at_most }
    }

    /// Narrows the bounds to their intersection with `bounds`.
    pub fn narrow(&mut self, bounds: Bounds) {
        (self.at_least, self.at_most) = (self.at_least.max(bounds.at_least), self.at_most.min(bounds.at_most));
    }
}

impl CheckpointHeader {
    /// Checks the numbers of a saved header: the checksum only shows that it was not damaged.
    fn check_numbers(&self, facts: &Facts) -> Result<(), String> {
        let refuse =
            |field: &str, value: String, accepted: String| Err(format!("its {field} is {value}; expected {accepted}"));
        if !MEMORY.contains(&self.memory) {
            return refuse("memory", self.memory.to_string(), format!("1 to {} bytes", MEMORY.end()));
        }
        if self.nodes > MAX_NODES {
            return refuse("nodes", self.nodes.to_string(), format!("0 to {MAX_NODES}"));
        }
        if !(0.0..=MAX_SECONDS).contains(&self.seconds) {
            return refuse("seconds", self.seconds.to_string(), format!("0 to {MAX_SECONDS}"));
        }
        let (low, high) = facts.scores;
        for (number, record) in self.answers.iter().enumerate() {
            let field = |name: &str| format!("answers[{number}].{name}");
            if record.player >= facts.players {
                let accepted = format!("0 to {}", facts.players - 1);
                return refuse(&field("player"), record.player.to_string(), accepted);
            }
            for (name, score) in [("at_least", record.at_least), ("at_most", record.at_most)] {
                if !(low..=high).contains(&score) {
                    return refuse(&field(name), score.to_string(), format!("{low} to {high}"));
                }
            }
            if record.at_least > record.at_most {
                let accepted = format!("at most {}, as at_most", record.at_most);
                return refuse(&field("at_least"), record.at_least.to_string(), accepted);
            }
        }
        Ok(())
    }

    /// Checks that a saved header belongs to the run of `now`; `memory` is the memory limit of that
    /// run, if it has one.
    pub fn matches<G: Knowledge>(
        &self,
        now: &CheckpointHeader,
        root: &History<G>,
        memory: Option<usize>,
    ) -> Result<(), String> {
        let differs = |what: &str, saved: &str, now: &str| Err(format!("its {what} is {saved}, not {now}"));
        let same_rules = rules::<G>(&self.game).is_ok_and(|rules| rules == *root.rules());
        if !same_rules {
            return differs("game", &self.game, &now.game);
        }
        let saved = History::<G>::parse(root.rules().clone(), &self.position).map_err(|error| error.to_string())?;
        if saved.positions() != root.positions() {
            return differs("position", &quoted(&self.position).to_string(), &quoted(&now.position).to_string());
        }
        if self.goal != now.goal {
            return differs("goal", &self.goal, &now.goal);
        }
        if self.by != now.by {
            return differs("solver", &self.by, &now.by);
        }
        self.check_numbers(root.facts())?;
        match memory {
            Some(memory) if memory != self.memory => Err(format!(
                "it was written with {} bytes of memory, not {memory}; omit --memory to continue with those",
                self.memory
            )),
            _ => Ok(()),
        }
    }
}

/// A checkpoint file, with its header read.
pub struct SavedCheckpoint {
    /// The header.
    pub header: CheckpointHeader,
    /// The rest of the file: the output of [`Prover::save`].
    pub rest: BufReader<File>,
}

impl SavedCheckpoint {
    /// Opens a file and reads its header.
    pub fn open(file: &Path) -> Result<SavedCheckpoint, String> {
        let (header, sum, rest) = read_header(file).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => "damaged: the file is truncated".to_string(),
            io::ErrorKind::NotFound => "no such file to resume from".to_string(),
            _ => error.to_string(),
        })?;
        if crc32fast::hash(&header) != sum {
            return Err("damaged: the checksum of the header does not match".to_string());
        }
        let header = serde_json::from_slice(&header).map_err(|error| format!("cannot read the header: {error}"))?;
        Ok(SavedCheckpoint { header, rest })
    }
}

/// Reads the header of a file, unparsed, and its checksum.
fn read_header(file: &Path) -> io::Result<(Vec<u8>, u32, BufReader<File>)> {
    let mut rest = BufReader::new(File::open(file)?);
    let mut magic = [0; MAGIC.len()];
    rest.read_exact(&mut magic)?;
    if magic != *MAGIC {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a checkpoint of this version"));
    }
    let mut number = [0; 4];
    rest.read_exact(&mut number)?;
    let length = u32::from_le_bytes(number).min(MAX_HEADER);
    let mut header = Vec::new();
    rest.by_ref().take(u64::from(length)).read_to_end(&mut header)?;
    rest.read_exact(&mut number)?;
    Ok((header, u32::from_le_bytes(number), rest))
}

/// Writes a checkpoint, completely or not at all.
pub fn write<G: Knowledge>(file: &Path, header: &CheckpointHeader, prover: &dyn Prover<G>) -> io::Result<()> {
    let header = serde_json::to_vec(header)?;
    replace_file_with(file, |out| -> io::Result<()> {
        out.write_all(MAGIC)?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(&header)?;
        out.write_all(&crc32fast::hash(&header).to_le_bytes())?;
        prover.save(out)
    })
}
