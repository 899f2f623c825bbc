//! The certificates of a server: files by ID, of which the newest are kept.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// The certificates. All are gone when this is.
pub struct Proofs {
    folder: TempDir,
    most: usize,
    /// The oldest first.
    kept: Mutex<VecDeque<String>>,
}

impl Proofs {
    pub fn new(most: usize) -> io::Result<Proofs> {
        let folder = tempfile::Builder::new().prefix("tesuji-").tempdir()?;
        Ok(Proofs { folder, most, kept: Mutex::default() })
    }

    /// An ID that nobody can guess, and the file for it. It counts when it is [kept](Self::keep).
    pub fn draw(&self) -> io::Result<(String, PathBuf)> {
        let id = random_name()?;
        let file = self.file(&id);
        Ok((id, file))
    }

    /// Keeps a certificate that was written, and lets the oldest go.
    pub fn keep(&self, id: &str) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(id.to_string());
        while kept.len() > self.most {
            let oldest = kept.pop_front().expect("there are too many");
            // A file that cannot be removed now goes with the folder.
            let _ = std::fs::remove_file(self.file(&oldest));
        }
    }

    /// Removes the file of an ID that is not kept.
    pub fn discard(&self, id: &str) {
        // There may be none.
        let _ = std::fs::remove_file(self.file(id));
    }

    /// The file of a certificate.
    pub fn find(&self, id: &str) -> Result<PathBuf, String> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_kept = kept.iter().any(|kept| kept == id);
        is_kept.then(|| self.file(id)).ok_or_else(|| {
            let shown: String = id.chars().take(40).collect();
            format!("there is no proof {shown:?}; it takes the ID that solve or verify gave, of which the newest {} are kept", self.most)
        })
    }

    fn file(&self, id: &str) -> PathBuf {
        self.folder.path().join(format!("{id}.proof"))
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

    #[test]
    fn the_newest_certificates_are_kept_and_no_other_file_is_found() {
        let proofs = Proofs::new(2).unwrap();
        let ids: Vec<String> = (0..3)
            .map(|_| {
                let (id, file) = proofs.draw().unwrap();
                assert!(proofs.find(&id).is_err(), "it is not kept yet");
                std::fs::write(file, "x").unwrap();
                proofs.keep(&id);
                id
            })
            .collect();
        assert!(proofs.find(&ids[0]).unwrap_err().contains("the newest 2"));
        assert!(!proofs.file(&ids[0]).exists());
        assert!(proofs.find(&ids[1]).unwrap().exists() && proofs.find(&ids[2]).unwrap().exists());
        assert!(proofs.find("../../etc/passwd").is_err());
    }
}
