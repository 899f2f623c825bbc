//! Files that are written completely or not at all.
//!
//! The content goes to a temporary file beside the old one, which is renamed over it once it is on
//! disk. So there is a complete file at all times, whatever interrupts the writing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file, completely or not at all.
pub fn replace_file(file: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    replace_file_with(file, |out| out.write_all(content.as_ref()))
}

/// Writes a file, completely or not at all; `write` writes its content. The file keeps its
/// permissions, and a link keeps pointing to it. A device or a pipe is written directly: it cannot
/// be replaced, and must not be.
pub fn replace_file_with<E: From<io::Error>>(
    file: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), E>,
) -> Result<(), E> {
    if is_special(file) {
        let mut out = BufWriter::new(OpenOptions::new().write(true).open(file)?);
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let file = target(file);
    let temporary = temporary(&file);
    let written = (|| {
        let mut out = BufWriter::new(File::create(&temporary)?);
        write(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        if let Ok(old) = fs::metadata(&file) {
            fs::set_permissions(&temporary, old.permissions())?;
        }
        Ok(fs::rename(&temporary, &file)?)
    })();
    if written.is_err() {
        // An error here would hide the cause.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Checks that [`replace_file`] could write a file, before the work that goes into it.
pub fn can_replace_file(file: &Path) -> io::Result<()> {
    if file.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if is_special(file) {
        return OpenOptions::new().write(true).open(file).map(|_| ());
    }
    let temporary = temporary(&target(file));
    File::create(&temporary)?;
    fs::remove_file(temporary)
}

/// Returns whether there is a device or a pipe at a path.
fn is_special(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Returns the file that a path leads to, through links.
fn target(file: &Path) -> PathBuf {
    fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf())
}

/// Returns the path of the temporary file.
fn temporary(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".tmp");
    PathBuf::from(name)
}
