//! The work of a solver as a file: what was asked and answered so far, and all that the solver has learned.
//!
//! The first line is `tesuji checkpoint 1`. Then come the length of the heading (4 bytes, little-endian), the heading (JSON), its CRC-32 (4
//! bytes, little-endian), and what [`Prover::save`] wrote, which has a checksum of its own. A file is written beside the old one and takes its
//! place when it is safe on the disk, so that there is a whole one at every moment.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tesuji_core::{Bounds, History, Knowledge, Player, Prover};
use tesuji_games::rules;

/// The first line.
const MAGIC: &[u8] = b"tesuji checkpoint 1\n";
/// No heading is longer.
const LONGEST_HEADING: u32 = 1 << 24;

/// What was asked, and what was answered so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Heading {
    /// The spec.
    pub game: String,
    /// The position and the moves that led there.
    pub position: String,
    /// What is to be found out.
    pub goal: String,
    /// The solver; never `auto`.
    pub by: String,
    /// The bytes that it may use.
    pub memory: usize,
    /// The nodes of all runs so far.
    pub nodes: u64,
    /// Their time.
    pub seconds: f64,
    /// What is known.
    pub answers: Vec<Answer>,
}

/// What is known of a player's score, in the position or after a move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The seat, from 0.
    pub player: u8,
    /// The move; none for the position itself.
    pub mv: Option<String>,
    /// It can force at least this score.
    pub at_least: i32,
    /// The others can hold it to this score.
    pub at_most: i32,
    /// The move to play.
    pub best: Option<String>,
    /// How the game goes on from there.
    pub line: Vec<String>,
}

impl Answer {
    pub fn new(mv: Option<String>, known: Bounds) -> Answer {
        let Bounds { player, at_least, at_most } = known;
        Answer { player: player.0, mv, at_least, at_most, best: None, line: Vec::new() }
    }

    /// What is known.
    pub fn bounds(&self) -> Bounds {
        Bounds { player: Player(self.player), at_least: self.at_least, at_most: self.at_most }
    }

    /// Takes what was proved.
    pub fn learn(&mut self, bounds: Bounds) {
        (self.at_least, self.at_most) = (self.at_least.max(bounds.at_least), self.at_most.min(bounds.at_most));
    }
}

impl Heading {
    /// Whether it is about the same as another one; `memory` is what was asked for, if anything was.
    pub fn suits<G: Knowledge>(&self, now: &Heading, root: &History<G>, memory: Option<usize>) -> Result<(), String> {
        let differs = |what: &str, then: &str, now: &str| Err(format!("it is about the {what} {then}, not {now}"));
        let same_rules = rules::<G>(&self.game).is_ok_and(|rules| rules == *root.rules());
        if !same_rules {
            return differs("game", &self.game, &now.game);
        }
        let then = History::<G>::parse(root.rules().clone(), &self.position).map_err(|error| error.to_string())?;
        if then.positions() != root.positions() {
            return differs("position", &format!("{:?}", self.position), &format!("{:?}", now.position));
        }
        if self.goal != now.goal {
            return differs("goal", &self.goal, &now.goal);
        }
        if self.by != now.by {
            return Err(format!("it was made by {}, not by {}", self.by, now.by));
        }
        match memory {
            Some(memory) if memory != self.memory => Err(format!(
                "it was made with {} bytes of memory, not {memory}; leave --memory out to go on with those",
                self.memory
            )),
            _ => Ok(()),
        }
    }
}

/// A file that was written, the heading read.
pub struct Saved {
    /// The heading.
    pub heading: Heading,
    /// What the solver wrote.
    pub rest: BufReader<File>,
}

impl Saved {
    /// Opens a file.
    pub fn open(file: &Path) -> Result<Saved, String> {
        let open = || -> io::Result<(Vec<u8>, u32, BufReader<File>)> {
            let mut rest = BufReader::new(File::open(file)?);
            let mut magic = [0; MAGIC.len()];
            rest.read_exact(&mut magic)?;
            if magic != *MAGIC {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no checkpoint of this version"));
            }
            let mut number = [0; 4];
            rest.read_exact(&mut number)?;
            let length = u32::from_le_bytes(number).min(LONGEST_HEADING);
            let mut heading = Vec::new();
            rest.by_ref().take(u64::from(length)).read_to_end(&mut heading)?;
            rest.read_exact(&mut number)?;
            Ok((heading, u32::from_le_bytes(number), rest))
        };
        let (heading, sum, rest) = open().map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => "it is damaged: it ends too early".to_string(),
            io::ErrorKind::NotFound => "there is no such file to go on from".to_string(),
            _ => error.to_string(),
        })?;
        if crc32fast::hash(&heading) != sum {
            return Err("it is damaged: the checksum of its heading does not fit".to_string());
        }
        let heading =
            serde_json::from_slice(&heading).map_err(|error| format!("its heading cannot be read: {error}"))?;
        Ok(Saved { heading, rest })
    }
}

/// Writes a file, whole or not at all.
pub fn write<G: Knowledge>(file: &Path, heading: &Heading, prover: &dyn Prover<G>) -> io::Result<()> {
    let heading = serde_json::to_vec(heading)?;
    replace(file, |out| -> io::Result<()> {
        out.write_all(MAGIC)?;
        out.write_all(&(heading.len() as u32).to_le_bytes())?;
        out.write_all(&heading)?;
        out.write_all(&crc32fast::hash(&heading).to_le_bytes())?;
        prover.save(out)
    })
}

/// Writes beside a file, and puts it in its place when it is safe on the disk.
pub fn replace<E: From<io::Error>>(
    file: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    let beside = beside(file);
    let written = (|| {
        let mut out = BufWriter::new(File::create(&beside)?);
        write(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(std::fs::rename(&beside, file)?)
    })();
    if written.is_err() {
        // What is there is of no use; that it cannot be removed would hide why.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Whether a file could be written, by [`replace`]: found out before the work that is to go into it.
pub fn can_replace(file: &Path) -> io::Result<()> {
    if file.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let beside = beside(file);
    File::create(&beside)?;
    std::fs::remove_file(beside)
}

/// The file that is written before it takes the place of another.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}
