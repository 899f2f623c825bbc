//! The files of a server by ID: certificates it has written, and uploads. The newest are kept.

use crate::caps::Caps;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// The files, in a temporary folder that is removed on drop.
pub struct FileStore {
    folder: TempDir,
    max_files: usize,
    max_bytes: u64,
    /// The oldest first.
    stored: Mutex<VecDeque<StoredFile>>,
}

struct StoredFile {
    id: String,
    bytes: u64,
}

impl FileStore {
    pub fn new(caps: &Caps) -> io::Result<FileStore> {
        let folder = tempfile::Builder::new().prefix("tesuji-").tempdir()?;
        Ok(FileStore { folder, max_files: caps.files, max_bytes: caps.files_bytes, stored: Mutex::default() })
    }

    /// Returns a file to write to, under an unguessable ID.
    pub fn create(&self) -> io::Result<PendingFile<'_>> {
        let id = random_id()?;
        Ok(PendingFile { store: self, path: self.path(&id), id })
    }

    /// Adds a written file and removes the oldest ones beyond the limits.
    fn add(&self, id: &str) {
        let bytes = std::fs::metadata(self.path(id)).map_or(0, |metadata| metadata.len());
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        stored.push_back(StoredFile { id: id.to_string(), bytes });
        let mut total: u64 = stored.iter().map(|file| file.bytes).sum();
        // The newest file stays, however large it is.
        while stored.len() > self.max_files.max(1) || (total > self.max_bytes && stored.len() > 1) {
            let oldest = stored.pop_front().expect("there are too many");
            total -= oldest.bytes;
            remove(&self.path(&oldest.id));
        }
    }

    /// Returns the path of a stored file.
    pub fn find(&self, id: &str) -> Result<PathBuf, String> {
        let stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        let is_stored = stored.iter().any(|file| file.id == id);
        is_stored.then(|| self.path(id)).ok_or_else(|| {
            let shown: String = id.chars().take(40).collect();
            format!(
                "no file {shown:?}; expected an ID from solve, verify or POST /api/file (the newest {} are kept)",
                self.max_files
            )
        })
    }

    /// Removes all files.
    pub fn clear(&self) {
        // Files that cannot be removed are left to the cleanup of temporary folders.
        let _ = std::fs::remove_dir_all(self.folder.path());
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.path().join(id)
    }
}

fn remove(path: &Path) {
    // The file may not exist; one that cannot be removed now goes with the folder.
    let _ = std::fs::remove_file(path);
}

/// A file being written. It is removed on drop unless it is [kept](Self::keep).
pub struct PendingFile<'s> {
    store: &'s FileStore,
    id: String,
    path: PathBuf,
}

impl PendingFile<'_> {
    /// Returns the path to write to.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the written file to the store and returns its ID.
    pub fn keep(mut self) -> String {
        // An empty path leaves nothing to remove on drop.
        self.path = PathBuf::new();
        self.store.add(&self.id);
        self.id.clone()
    }
}

impl Drop for PendingFile<'_> {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Returns 32 random hexadecimal digits, which cannot be guessed.
pub fn random_id() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(store: &FileStore, content: &str) -> String {
        let pending = store.create().unwrap();
        std::fs::write(pending.path(), content).unwrap();
        assert!(store.find(&pending.id).is_err(), "it is not stored yet");
        pending.keep()
    }

    #[test]
    fn a_file_that_is_not_kept_is_removed() {
        let store = FileStore::new(&Caps::default()).unwrap();
        let pending = store.create().unwrap();
        let path = pending.path().to_path_buf();
        std::fs::write(&path, "x").unwrap();
        drop(pending);
        assert!(!path.exists());
    }

    #[test]
    fn only_the_newest_files_are_found() {
        let store = FileStore::new(&Caps { files: 2, ..Caps::default() }).unwrap();
        let ids = [write(&store, "x"), write(&store, "y"), write(&store, "z")];
        assert!(store.find(&ids[0]).unwrap_err().contains("the newest 2"));
        assert!(!store.path(&ids[0]).exists());
        assert!(store.find(&ids[1]).unwrap().exists() && store.find(&ids[2]).unwrap().exists());
        assert!(store.find("../../etc/passwd").is_err());
    }

    #[test]
    fn large_files_evict_small_ones_and_the_newest_stays() {
        let store = FileStore::new(&Caps { files_bytes: 10, ..Caps::default() }).unwrap();
        let (small, other) = (write(&store, "1234"), write(&store, "123456"));
        assert!(store.find(&small).is_ok() && store.find(&other).is_ok());
        let large = write(&store, "12345678901");
        assert!(store.find(&small).is_err() && store.find(&other).is_err());
        assert!(store.find(&large).is_ok());
    }
}
