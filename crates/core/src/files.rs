//! Reading files that a user names.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that an option of a game or search may name, in bytes. Tables and boards are
/// far smaller.
pub const MAX_OPTION_FILE: u64 = 64 << 20;

/// Reads a text file of at most `max` bytes. Anything that is not a regular file is refused: a
/// device may never end, and a pipe may block.
pub fn read_text(path: &Path, max: u64) -> io::Result<String> {
    let refuse = |reason: String| io::Error::new(io::ErrorKind::InvalidInput, reason);
    // Before it is opened, because opening a pipe blocks.
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(refuse("not a regular file".to_string()));
    }
    if metadata.len() > max {
        return Err(refuse(format!("{} bytes; at most {max} are accepted", metadata.len())));
    }
    let mut text = String::new();
    // The file may grow while it is read.
    File::open(path)?.take(max).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_bounded_size_are_read() {
        let path = std::env::temp_dir().join(format!("tesuji-files-{}", std::process::id()));
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        assert!(read_text(&path, 4).unwrap_err().to_string().contains("at most 4"));
        std::fs::remove_file(&path).unwrap();
        for device in ["/dev/zero", "/"] {
            assert!(read_text(Path::new(device), 5).unwrap_err().to_string().contains("not a regular file"));
        }
    }
}
