//! Logs: a line of JSON for every piece of work that is done, so that the same command goes on where it was stopped.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A log that lines are added to.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

/// What is wrong with a log.
#[derive(Debug, Error)]
#[error("the log {}: {reason}", file.display())]
pub struct LogError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong.
    pub reason: String,
}

impl Log {
    /// Opens a file, or makes it, and gives the lines it has; `what` they are is for the error about a line that is something else. A last line
    /// that was cut off is taken away: a run was killed while it wrote it.
    pub fn open<T: DeserializeOwned>(path: &Path, what: &str) -> Result<(Log, Vec<T>), LogError> {
        let in_words = |error: io::Error| LogError { file: path.to_path_buf(), reason: error.to_string() };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(in_words)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(in_words)?;
        let (lines, whole) = parse(path, what, &bytes)?;
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(in_words)?;
        Ok((Log { path: path.to_path_buf(), file }, lines))
    }

    /// The lines of a log that is only read; one that was cut off does not count.
    pub fn read<T: DeserializeOwned>(path: &Path, what: &str) -> Result<Vec<T>, LogError> {
        let bytes = std::fs::read(path);
        let bytes = bytes.map_err(|error| LogError { file: path.to_path_buf(), reason: error.to_string() })?;
        Ok(parse(path, what, &bytes)?.0)
    }

    /// Writes a line down, in one piece, so that a kill leaves whole lines but for the last.
    pub fn add(&mut self, line: &impl Serialize) -> Result<(), LogError> {
        let text = serde_json::to_string(line).map_err(io::Error::from);
        let written = text.and_then(|text| self.file.write_all((text + "\n").as_bytes()));
        written.map_err(|error| LogError { file: self.path.clone(), reason: error.to_string() })
    }
}

/// The lines of a file, and how many of its bytes are whole lines. A line that was cut off may end in the middle of a letter.
fn parse<T: DeserializeOwned>(path: &Path, what: &str, bytes: &[u8]) -> Result<(Vec<T>, usize), LogError> {
    let failed = |reason: String| LogError { file: path.to_path_buf(), reason };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = Vec::new();
    for (number, line) in bytes[..whole].split_inclusive(|&byte| byte == b'\n').enumerate() {
        let line = serde_json::from_slice(line)
            .map_err(|error| failed(format!("line {} is no {what}: {error}", number + 1)))?;
        lines.push(line);
    }
    // Nothing of a file that is no log may be lost.
    if whole == 0 && !bytes.is_empty() && !bytes.starts_with(b"{") {
        return Err(failed(format!("line 1 is no {what}")));
    }
    Ok((lines, whole))
}
