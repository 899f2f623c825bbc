//! Checkpoint files: the questions and answers of a solve run so far, and everything the solver has
//! learned.
//!
//! The first line is `tesuji checkpoint 1`. It is followed by the length of the header (4 bytes,
//! little-endian), the header (JSON), its CRC-32 (4 bytes, little-endian), and the output of
//! [`Prover::save`], which has its own checksum. A file is written beside the old one and renamed
//! over it once it is on disk, so there is a complete file at all times.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tesuji_core::{Bounds, History, Knowledge, Player, Prover};
use tesuji_games::rules;

/// The first line.
const MAGIC: &[u8] = b"tesuji checkpoint 1\n";
/// The maximum length of a header.
const MAX_HEADER: u32 = 1 << 24;

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
            return differs("position", &format!("{:?}", self.position), &format!("{:?}", now.position));
        }
        if self.goal != now.goal {
            return differs("goal", &self.goal, &now.goal);
        }
        if self.by != now.by {
            return differs("solver", &self.by, &now.by);
        }
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
    replace(file, |out| -> io::Result<()> {
        out.write_all(MAGIC)?;
        out.write_all(&(header.len() as u32).to_le_bytes())?;
        out.write_all(&header)?;
        out.write_all(&crc32fast::hash(&header).to_le_bytes())?;
        prover.save(out)
    })
}

/// Writes a temporary file, and renames it to `file` once it is on disk.
pub fn replace<E: From<io::Error>>(
    file: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let temporary = temporary(file);
    let written = (|| {
        let mut out = BufWriter::new(File::create(&temporary)?);
        write(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(std::fs::rename(&temporary, file)?)
    })();
    if written.is_err() {
        // An error here would hide the cause.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

/// Checks that [`replace`] could write a file, before the work that goes into it.
pub fn can_replace(file: &Path) -> io::Result<()> {
    if file.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let temporary = temporary(file);
    File::create(&temporary)?;
    std::fs::remove_file(temporary)
}

/// Returns the path of the temporary file that [`replace`] writes.
fn temporary(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}
