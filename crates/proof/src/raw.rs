//! Certificates from parts, right or wrong: what tests and fuzzers make hostile ones of.

use crate::blocks::{BitBuffer, BlockReader, BlockWriter};
use crate::writer::{END, section};
use crate::{ProofError, Proved};

/// A proof as it stands in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Claim, kind and counts, whether true or not.
    pub proved: Proved,
    /// The replies in the order of the walk: the number of the move, and among how many.
    pub replies: Vec<(usize, usize)>,
}

/// A file with these parts, and checksums that fit.
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

/// A file with these bytes inside, and checksums that fit.
pub fn framed(payload: &[u8]) -> Result<Vec<u8>, ProofError> {
    let mut blocks = BlockWriter::new(Vec::new())?;
    blocks.bytes(payload)?;
    Ok(blocks.finish()?.0)
}

/// The bytes inside a file, without checksums.
pub fn payload(file: &[u8]) -> Result<Vec<u8>, ProofError> {
    let mut blocks = BlockReader::new(file)?;
    let mut bytes = Vec::new();
    loop {
        match blocks.byte() {
            Ok(byte) => bytes.push(byte),
            // Behind the last byte.
            Err(ProofError::Format(_)) => return Ok(bytes),
            Err(error) => return Err(error),
        }
    }
}
