//! The container format: blocks with checksums.
//!
//! ```text
//! "TESUJIPF"  version (1 byte)
//! block*      length (2 bytes, 1 to 65535), as many bytes, CRC-32 (4 bytes)
//! end         length 0 (2 bytes), CRC-32 (4 bytes)
//! ```
//!
//! Numbers are little-endian. Every checksum covers all bytes of the file before it except earlier
//! checksums, so blocks cannot be changed, reordered or removed. A reader checks a block before it
//! returns a byte of it, and holds one block at a time whatever lengths the file states.

use crate::ProofError;
use crc32fast::Hasher;
use std::io::{self, Read, Write};

pub(crate) const MAGIC_TEXT: &str = "TESUJIPF";
pub(crate) const VERSION: u8 = 1;
/// The most bytes of a block. Smaller blocks need more checksums (6 bytes each), larger ones more
/// memory.
const LARGEST: usize = u16::MAX as usize;
/// The longest text in a header. Longer ones are refused so that a hostile file cannot exhaust
/// memory.
const LONGEST_TEXT: u64 = 1 << 20;

/// Writes bytes in blocks.
pub(crate) struct BlockWriter<W> {
    output: W,
    checksum: Hasher,
    block: Vec<u8>,
    written: u64,
}

impl<W: Write> BlockWriter<W> {
    pub fn new(mut output: W) -> io::Result<BlockWriter<W>> {
        let mut checksum = Hasher::new();
        let mut begin = MAGIC_TEXT.as_bytes().to_vec();
        begin.push(VERSION);
        checksum.update(&begin);
        output.write_all(&begin)?;
        Ok(BlockWriter { output, checksum, block: Vec::new(), written: begin.len() as u64 })
    }

    pub fn bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(LARGEST - self.block.len()));
            self.block.extend_from_slice(now);
            if self.block.len() == LARGEST {
                self.flush_block()?;
            }
            bytes = later;
        }
        Ok(())
    }

    /// Writes a LEB128 number: seven bits per byte, lowest first; all bytes but the last have the
    /// highest bit set.
    pub fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.bytes(&[number as u8 | 0x80])?;
            number >>= 7;
        }
        self.bytes(&[number as u8])
    }

    pub fn text(&mut self, text: &str) -> Result<(), ProofError> {
        if text.len() as u64 > LONGEST_TEXT {
            return Err(ProofError::Format(format!("a text has {} bytes; {LONGEST_TEXT} is the most", text.len())));
        }
        self.number(text.len() as u64)?;
        Ok(self.bytes(text.as_bytes())?)
    }

    /// Returns the bytes written, including the present block.
    pub fn written(&self) -> u64 {
        self.written + if self.block.is_empty() { 0 } else { self.block.len() as u64 + 6 }
    }

    pub fn finish(mut self) -> io::Result<(W, u64)> {
        if !self.block.is_empty() {
            self.flush_block()?;
        }
        self.flush_block()?;
        self.output.flush()?;
        Ok((self.output, self.written))
    }

    fn flush_block(&mut self) -> io::Result<()> {
        let length = (self.block.len() as u16).to_le_bytes();
        self.checksum.update(&length);
        self.checksum.update(&self.block);
        self.output.write_all(&length)?;
        self.output.write_all(&self.block)?;
        self.output.write_all(&self.checksum.clone().finalize().to_le_bytes())?;
        self.written += self.block.len() as u64 + 6;
        self.block.clear();
        Ok(())
    }
}

/// Reads what [`BlockWriter`] writes; every byte it returns has been checked.
pub(crate) struct BlockReader<R> {
    input: R,
    checksum: Hasher,
    block: Vec<u8>,
    at: usize,
    /// Bytes read from the input.
    offset: u64,
    /// Whether the end block has been read.
    ended: bool,
}

impl<R: Read> BlockReader<R> {
    pub fn new(input: R) -> Result<BlockReader<R>, ProofError> {
        let mut reader =
            BlockReader { input, checksum: Hasher::new(), block: Vec::new(), at: 0, offset: 0, ended: false };
        let mut begin = [0; MAGIC_TEXT.len()];
        match reader.fill(&mut begin) {
            Ok(()) if begin == MAGIC_TEXT.as_bytes() => {}
            Ok(()) | Err(ProofError::Truncated { .. }) => return Err(ProofError::NotACertificate),
            Err(error) => return Err(error),
        }
        let mut version = [0];
        reader.fill(&mut version)?;
        if version != [VERSION] {
            return Err(ProofError::Version(version[0]));
        }
        reader.checksum.update(&begin);
        reader.checksum.update(&version);
        Ok(reader)
    }

    #[inline]
    pub fn byte(&mut self) -> Result<u8, ProofError> {
        while self.at == self.block.len() {
            if self.ended {
                return Err(ProofError::Format("it ends before its proof does".to_string()));
            }
            self.next_block()?;
        }
        self.at += 1;
        Ok(self.block[self.at - 1])
    }

    pub fn number(&mut self) -> Result<u64, ProofError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                // Each number has one encoding.
                if byte == 0 && shift > 0 {
                    break;
                }
                return Ok(number);
            }
        }
        Err(ProofError::Format("a number is malformed".to_string()))
    }

    pub fn text(&mut self) -> Result<String, ProofError> {
        let length = self.number()?;
        if length > LONGEST_TEXT {
            return Err(ProofError::Format(format!("a text of {length} bytes; {LONGEST_TEXT} is the most")));
        }
        // Memory grows with the bytes read, not with the stated length.
        let mut bytes = Vec::new();
        for _ in 0..length {
            bytes.push(self.byte()?);
        }
        String::from_utf8(bytes).map_err(|_| ProofError::Format("a text is not in UTF-8".to_string()))
    }

    /// Checks that everything has been read and the file ends.
    pub fn finish(&mut self) -> Result<(), ProofError> {
        while !self.ended && self.at == self.block.len() {
            self.next_block()?;
        }
        if self.at < self.block.len() {
            return Err(ProofError::Format("data follows the last proof".to_string()));
        }
        match self.fill(&mut [0]) {
            Err(ProofError::Truncated { .. }) => Ok(()),
            Err(error) => Err(error),
            Ok(()) => Err(ProofError::Format(format!("data follows the end at byte {}", self.offset - 1))),
        }
    }

    fn next_block(&mut self) -> Result<(), ProofError> {
        let begin = self.offset;
        let mut length = [0; 2];
        self.fill(&mut length)?;
        let mut block = std::mem::take(&mut self.block);
        block.resize(u16::from_le_bytes(length).into(), 0);
        self.fill(&mut block)?;
        let mut written = [0; 4];
        self.fill(&mut written)?;
        self.checksum.update(&length);
        self.checksum.update(&block);
        if self.checksum.clone().finalize().to_le_bytes() != written {
            return Err(ProofError::Damaged { offset: begin });
        }
        self.ended = block.is_empty();
        self.block = block;
        self.at = 0;
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ProofError> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) => return Err(ProofError::Truncated { offset: self.offset }),
                Ok(count) => {
                    filled += count;
                    self.offset += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Returns the number of bits of a choice among `choices`.
pub(crate) fn width(choices: usize) -> u32 {
    usize::BITS - choices.saturating_sub(1).leading_zeros()
}

/// Choices packed into the fewest bits each, lowest bit first.
#[derive(Default)]
pub(crate) struct BitBuffer {
    pub bytes: Vec<u8>,
    /// The bits used of the last byte; 0 if it is full.
    used: u32,
}

impl BitBuffer {
    pub fn push(&mut self, number: usize, choices: usize) {
        for bit in 0..width(choices) {
            if self.used == 0 {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("just pushed");
            *last |= ((number >> bit & 1) as u8) << self.used;
            self.used = (self.used + 1) % 8;
        }
    }
}

/// Reads what [`BitBuffer`] holds.
pub(crate) struct BitReader<'a, R> {
    pub bytes: &'a mut BlockReader<R>,
    byte: u8,
    left: u32,
}

impl<'a, R: Read> BitReader<'a, R> {
    pub fn new(bytes: &'a mut BlockReader<R>) -> Self {
        BitReader { bytes, byte: 0, left: 0 }
    }

    /// Reads a number with the bits of a choice among `choices`. It may be out of range.
    pub fn choice(&mut self, choices: usize) -> Result<usize, ProofError> {
        let (mut number, mut have, width) = (0, 0, width(choices));
        while have < width {
            if self.left == 0 {
                self.byte = self.bytes.byte()?;
                self.left = 8;
            }
            let take = self.left.min(width - have);
            number |= (usize::from(self.byte) & ((1 << take) - 1)) << have;
            self.byte = (u32::from(self.byte) >> take) as u8;
            self.left -= take;
            have += take;
        }
        Ok(number)
    }

    /// Checks that the rest of the last byte is zero.
    pub fn finish(self) -> Result<(), ProofError> {
        match self.byte {
            0 => Ok(()),
            _ => Err(ProofError::Format("unused bits after a proof are not zero".to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut BlockWriter<Vec<u8>>)) -> Vec<u8> {
        let mut writer = BlockWriter::new(Vec::new()).unwrap();
        write(&mut writer);
        let (file, length) = writer.finish().unwrap();
        assert_eq!(length, file.len() as u64);
        file
    }

    #[test]
    fn numbers_round_trip_and_have_one_encoding() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let file = written(|writer| numbers.iter().for_each(|&number| writer.number(number).unwrap()));
        let mut reader = BlockReader::new(&file[..]).unwrap();
        for number in numbers {
            assert_eq!(reader.number().unwrap(), number);
        }
        reader.finish().unwrap();
        for odd in [&[0x80, 0][..], &[0xFF; 10], &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2]] {
            let file = written(|writer| writer.bytes(odd).unwrap());
            assert!(BlockReader::new(&file[..]).unwrap().number().is_err(), "{odd:?}");
        }
    }

    #[test]
    fn long_streams_are_split_into_blocks_that_cannot_be_reordered() {
        let bytes: Vec<u8> = (0..200_000u32).map(|number| (number * 7 / 8) as u8).collect();
        let file = written(|writer| writer.bytes(&bytes).unwrap());
        assert_eq!(file.len(), 9 + bytes.len() + 5 * 6);
        let mut reader = BlockReader::new(&file[..]).unwrap();
        assert!(bytes.iter().all(|&byte| reader.byte().unwrap() == byte));
        reader.finish().unwrap();
        let (first, second) = (9..9 + 65541, 9 + 65541..9 + 2 * 65541);
        let swapped = [&file[..9], &file[second.clone()], &file[first], &file[second.end..]].concat();
        let mut reader = BlockReader::new(&swapped[..]).unwrap();
        assert!(matches!(reader.byte(), Err(ProofError::Damaged { offset: 9 })));
    }

    #[test]
    fn a_stated_text_length_takes_no_memory() {
        let file = written(|writer| writer.number(u64::MAX / 2).unwrap());
        let error = BlockReader::new(&file[..]).unwrap().text().unwrap_err();
        assert!(error.to_string().contains("1048576"), "{error}");
        let file = written(|writer| writer.number(1 << 20).unwrap());
        assert!(BlockReader::new(&file[..]).unwrap().text().is_err());
    }

    #[test]
    fn choices_take_the_fewest_bits() {
        let choices = [(0, 1), (1, 2), (4, 5), (255, 256), (0, 1), (256, 257), (999, 1000), (2, 3)];
        let mut bits = BitBuffer::default();
        choices.iter().for_each(|&(number, among)| bits.push(number, among));
        assert_eq!(bits.bytes.len(), (1usize + 3 + 8 + 9 + 10 + 2).div_ceil(8));
        let file = written(|writer| writer.bytes(&bits.bytes).unwrap());
        let mut bytes = BlockReader::new(&file[..]).unwrap();
        let mut reader = BitReader::new(&mut bytes);
        for (number, among) in choices {
            assert_eq!(reader.choice(among).unwrap(), number);
        }
        reader.finish().unwrap();
    }
}
