//! Logs: one JSON object per line for every finished unit of work, so that a stopped command can be
//! resumed.

use crate::packed_log::read_log_bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A log opened for appending.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

/// Why a log cannot be read or written.
#[derive(Debug, Error)]
#[error("log {}: {reason}", file.display())]
pub struct LogError {
    /// The file.
    pub file: PathBuf,
    /// The reason.
    pub reason: String,
}

impl Log {
    /// Opens or creates a file, and returns its lines.
    ///
    /// `what` names the content of a line in error messages. An incomplete last line, left by a
    /// killed run, is removed.
    pub fn open<T: DeserializeOwned>(path: &Path, what: &str) -> Result<(Log, Vec<T>), LogError> {
        let failed = |error: io::Error| LogError { file: path.to_path_buf(), reason: error.to_string() };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (lines, whole) = parse(path, what, &bytes)?;
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        Ok((Log { path: path.to_path_buf(), file }, lines))
    }

    /// Reads the lines of a log, packed or not, without changing it; an incomplete last line is
    /// ignored.
    pub fn read<T: DeserializeOwned>(path: &Path, what: &str) -> Result<Vec<T>, LogError> {
        Ok(parse(path, what, &read_log_bytes(path)?)?.0)
    }

    /// Appends a line in one write, so that a kill leaves at most one incomplete line.
    pub fn add(&mut self, line: &impl Serialize) -> Result<(), LogError> {
        let text = serde_json::to_string(line).map_err(io::Error::from);
        let written = text.and_then(|text| self.file.write_all((text + "\n").as_bytes()));
        written.map_err(|error| LogError { file: self.path.clone(), reason: error.to_string() })
    }
}

/// Returns the complete lines of a file and their total length. An incomplete line may end inside a
/// UTF-8 sequence.
fn parse<T: DeserializeOwned>(path: &Path, what: &str, bytes: &[u8]) -> Result<(Vec<T>, usize), LogError> {
    let failed = |reason: String| LogError { file: path.to_path_buf(), reason };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = Vec::new();
    for (number, line) in bytes[..whole].split_inclusive(|&byte| byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            return Err(failed(format!("line {} is empty", number + 1)));
        }
        let line = serde_json::from_slice(line)
            .map_err(|error| failed(format!("line {} is not a valid {what}: {error}", number + 1)))?;
        lines.push(line);
    }
    // A file that is not a log must not be truncated.
    if whole == 0 && !bytes.is_empty() && !bytes.starts_with(b"{") {
        return Err(failed(format!("line 1 is not a valid {what}")));
    }
    Ok((lines, whole))
}
