//! Packed logs: logs compressed with gzip, small enough to be kept next to the results drawn from
//! them.
//!
//! The packed form of the log `NAME` is the file `NAME.gz`. Only one of the two exists, except
//! after packing or unpacking was interrupted; then `NAME` has all the lines, and it is read.

use crate::file::replace_file;
use crate::log::LogError;
use flate2::read::MultiGzDecoder;
use flate2::{Compression, GzBuilder};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The largest log that is packed and unpacked, in bytes. Gzip shrinks a run of equal bytes a
/// thousandfold, so without a maximum a small file from elsewhere could fill the memory. A game
/// takes 1 to 3 kB.
pub const MAX_PACKED_LOG: u64 = 64 << 20;

/// Packs a log: writes its packed form and removes the log. The same lines give the same bytes.
pub fn pack_log(path: &Path) -> Result<(), LogError> {
    let packed = packed_form(path);
    let pack = || {
        refuse_above_maximum(fs::metadata(path)?.len(), "packed")?;
        // Without time and name in its header, the file depends on the lines only.
        let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        encoder.write_all(&fs::read(path)?)?;
        replace_file(&packed, encoder.finish()?)?;
        fs::remove_file(path)
    };
    pack().map_err(|error| failed(path, &error))
}

/// Unpacks a log for appending: writes the log and removes its packed form. Does nothing if the log
/// exists or has no packed form.
pub fn unpack_log(path: &Path) -> Result<(), LogError> {
    let packed = packed_form(path);
    if path.exists() || !packed.exists() {
        return Ok(());
    }
    let unpack = || {
        replace_file(path, read_packed(&packed)?)?;
        fs::remove_file(&packed)
    };
    unpack().map_err(|error| failed(&packed, &error))
}

/// Reads a log, packed or not. `path` names the log or its packed form.
pub(crate) fn read_log_bytes(path: &Path) -> Result<Vec<u8>, LogError> {
    let packed = packed_form(path);
    let file = if !path.exists() && packed.exists() { &packed } else { path };
    let bytes = if file.extension() == Some(OsStr::new("gz")) { read_packed(file) } else { fs::read(file) };
    bytes.map_err(|error| failed(file, &error))
}

/// Returns whether there is a log, packed or not.
pub fn log_exists(path: &Path) -> bool {
    path.exists() || packed_form(path).exists()
}

/// Returns the path of the packed form of a log.
fn packed_form(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".gz");
    PathBuf::from(name)
}

fn read_packed(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One more than accepted, to tell a log of the maximum size from a larger one.
    MultiGzDecoder::new(File::open(file)?).take(MAX_PACKED_LOG + 1).read_to_end(&mut bytes)?;
    refuse_above_maximum(bytes.len() as u64, "unpacked")?;
    Ok(bytes)
}

fn refuse_above_maximum(bytes: u64, what: &str) -> io::Result<()> {
    if bytes <= MAX_PACKED_LOG {
        return Ok(());
    }
    let reason = format!("it has {bytes} bytes or more; logs of at most {MAX_PACKED_LOG} bytes are {what}");
    Err(io::Error::new(io::ErrorKind::InvalidData, reason))
}

fn failed(file: &Path, error: &io::Error) -> LogError {
    LogError { file: file.to_path_buf(), reason: error.to_string() }
}
