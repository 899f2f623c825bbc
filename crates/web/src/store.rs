//! The files of a server by ID: certificates that were written, and files that pages have sent. The newest are kept.

use crate::caps::Caps;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// The files. All are gone when this is.
pub struct Store {
    folder: TempDir,
    most: usize,
    most_bytes: u64,
    kept: Mutex<VecDeque<Kept>>,
}

/// A file; the oldest is the first.
struct Kept {
    id: String,
    bytes: u64,
}

impl Store {
    pub fn new(caps: &Caps) -> io::Result<Store> {
        let folder = tempfile::Builder::new().prefix("tesuji-").tempdir()?;
        Ok(Store { folder, most: caps.files, most_bytes: caps.files_bytes, kept: Mutex::default() })
    }

    /// A file to be written, under an ID that nobody can guess.
    pub fn draw(&self) -> io::Result<Draft<'_>> {
        let id = random_name()?;
        Ok(Draft { store: self, file: self.file(&id), id })
    }

    /// Keeps a file that was written, and lets the oldest go that are too many or too much.
    fn keep(&self, id: &str) {
        let bytes = std::fs::metadata(self.file(id)).map_or(0, |metadata| metadata.len());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Kept { id: id.to_string(), bytes });
        let mut all: u64 = kept.iter().map(|file| file.bytes).sum();
        // The newest stays, however large it is.
        while kept.len() > self.most.max(1) || (all > self.most_bytes && kept.len() > 1) {
            let oldest = kept.pop_front().expect("there are too many");
            all -= oldest.bytes;
            remove(&self.file(&oldest.id));
        }
    }

    /// A file that is kept.
    pub fn find(&self, id: &str) -> Result<PathBuf, String> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_kept = kept.iter().any(|kept| kept.id == id);
        is_kept.then(|| self.file(id)).ok_or_else(|| {
            let shown: String = id.chars().take(40).collect();
            format!(
                "there is no file {shown:?}; it takes an ID that solve, verify or POST /api/file gave, of which the newest {} are kept",
                self.most
            )
        })
    }

    /// Removes all files.
    pub fn clear(&self) {
        // What cannot be removed is left to whoever cleans temporary folders.
        let _ = std::fs::remove_dir_all(self.folder.path());
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.path().join(id)
    }
}

fn remove(file: &Path) {
    // There may be none, and one that cannot be removed now goes with the folder.
    let _ = std::fs::remove_file(file);
}

/// A file that is being written. It goes with this, however that ends, unless it is kept.
pub struct Draft<'s> {
    store: &'s Store,
    id: String,
    file: PathBuf,
}

impl Draft<'_> {
    /// Where to write it.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Keeps what was written, and gives its ID.
    pub fn keep(mut self) -> String {
        // Nothing is left to be removed.
        self.file = PathBuf::new();
        self.store.keep(&self.id);
        self.id.clone()
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        remove(&self.file);
    }
}

/// A name of 32 digits that nobody can guess.
pub fn random_name() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(store: &Store, content: &str) -> String {
        let draft = store.draw().unwrap();
        std::fs::write(draft.file(), content).unwrap();
        assert!(store.find(&draft.id).is_err(), "it is not kept yet");
        draft.keep()
    }

    #[test]
    fn what_is_not_kept_goes() {
        let store = Store::new(&Caps::default()).unwrap();
        let draft = store.draw().unwrap();
        let file = draft.file().to_path_buf();
        std::fs::write(&file, "x").unwrap();
        drop(draft);
        assert!(!file.exists());
    }

    #[test]
    fn the_newest_files_are_kept_and_no_other_is_found() {
        let store = Store::new(&Caps { files: 2, ..Caps::default() }).unwrap();
        let ids = [write(&store, "x"), write(&store, "y"), write(&store, "z")];
        assert!(store.find(&ids[0]).unwrap_err().contains("the newest 2"));
        assert!(!store.file(&ids[0]).exists());
        assert!(store.find(&ids[1]).unwrap().exists() && store.find(&ids[2]).unwrap().exists());
        assert!(store.find("../../etc/passwd").is_err());
    }

    #[test]
    fn large_files_push_out_small_ones_and_the_newest_stays() {
        let store = Store::new(&Caps { files_bytes: 10, ..Caps::default() }).unwrap();
        let (small, other) = (write(&store, "1234"), write(&store, "123456"));
        assert!(store.find(&small).is_ok() && store.find(&other).is_ok());
        let large = write(&store, "12345678901");
        assert!(store.find(&small).is_err() && store.find(&other).is_err());
        assert!(store.find(&large).is_ok());
    }
}
