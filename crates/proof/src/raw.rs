//! Assembles certificates from parts, valid or not, for tests and fuzzing.

use crate::blocks::{BitBuffer, BlockReader, BlockWriter};
use crate::writer::{END, section};
use crate::{ProofError, Proved};

/// A proof as it is stored in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Claim, kind and counts; they may be false.
    pub proved: Proved,
    /// The replies in the order of the walk: index and number of legal moves.
    pub replies: Vec<(usize, usize)>,
}

/// Writes a file with these parts and valid checksums.
pub fn file(spec: &str, root: &str, sections: &[Section]) -> Result<Vec<u8>, ProofError> {
    let mut blocks = BlockWriter::new(Vec::new())?;
    blocks.text(spec)?;
    blocks.text(root)?;
    for Section { proved, replies } in sections {
        let mut bits = BitBuffer::default();
        replies.iter().for_each(|&(number, among)| bits.push(number, among));
        section(&mut blocks, proved, &bits.bytes)?;
    }
    blocks.bytes(&[END])?;
    Ok(blocks.finish()?.0)
}

/// Writes a file with these bytes and valid checksums.
pub fn framed(payload: &[u8]) -> Result<Vec<u8>, ProofError> {
    let mut blocks = BlockWriter::new(Vec::new())?;
    blocks.bytes(payload)?;
    Ok(blocks.finish()?.0)
}

/// Returns the bytes inside a file without checksums.
pub fn payload(file: &[u8]) -> Result<Vec<u8>, ProofError> {
    let mut blocks = BlockReader::new(file)?;
    let mut bytes = Vec::new();
    loop {
        match blocks.byte() {
            Ok(byte) => bytes.push(byte),
            // After the last byte.
            Err(ProofError::Format(_)) => return Ok(bytes),
            Err(error) => return Err(error),
        }
    }
}
