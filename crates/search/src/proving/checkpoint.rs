//! The byte format of a solver's checkpoint: a heading, a body, and a checksum over both.

use std::io::{self, BufRead, Read, Write};

/// The first bytes of every checkpoint, with the version of the format.
const MAGIC: &[u8] = b"tesuji solver 1\n";
/// The size of the read and write buffers in bytes.
const BUFFER: usize = 1 << 16;
/// The longest text that is read.
const LONGEST_TEXT: u64 = 1 << 20;

/// The 64-bit FNV-1a hash (Fowler, Noll and Vo): a single changed byte always changes it.
#[derive(Clone, Copy)]
struct Checksum(u64);

impl Checksum {
    const NEW: Checksum = Checksum(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Writes a checkpoint.
pub struct CheckpointWriter<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    checksum: Checksum,
}

impl<'w> CheckpointWriter<'w> {
    /// Starts a checkpoint with its heading: the kind of solver, its options and the rules.
    pub fn new(out: &'w mut dyn Write, heading: &str) -> io::Result<CheckpointWriter<'w>> {
        let buffer = Vec::with_capacity(BUFFER + 16);
        let mut writer = CheckpointWriter { out, buffer, checksum: Checksum::NEW };
        writer.bytes(MAGIC)?;
        writer.text(heading)?;
        Ok(writer)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER { self.flush_buffer() } else { Ok(()) }
    }

    fn flush_buffer(&mut self) -> io::Result<()> {
        self.checksum.add(&self.buffer);
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes a number in base 128 (LEB128), so that small numbers take few bytes.
    pub fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 128 {
            self.bytes(&[number as u8 | 128])?;
            number >>= 7;
        }
        self.bytes(&[number as u8])
    }

    /// Writes a signed number in zigzag encoding.
    pub fn signed(&mut self, number: i64) -> io::Result<()> {
        self.number((number << 1 ^ number >> 63) as u64)
    }

    /// Writes a text with its length.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        self.bytes(text.as_bytes())
    }

    /// Ends the checkpoint with its checksum.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush_buffer()?;
        self.out.write_all(&self.checksum.0.to_le_bytes())?;
        self.out.flush()
    }
}

/// Reads a checkpoint that a [`CheckpointWriter`] wrote.
///
/// The contents are trustworthy only after [`verify`](CheckpointReader::verify) has returned `Ok`.
pub struct CheckpointReader<'r> {
    input: io::BufReader<&'r mut dyn Read>,
    checksum: Checksum,
}

/// Returns the error for a damaged checkpoint.
pub fn damaged(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the saved state is damaged: {reason}"))
}

impl<'r> CheckpointReader<'r> {
    /// Reads the heading; returns an error if it differs from the expected one.
    pub fn new(input: &'r mut dyn Read, expected: &str) -> io::Result<CheckpointReader<'r>> {
        let input = io::BufReader::with_capacity(BUFFER, input);
        let mut reader = CheckpointReader { input, checksum: Checksum::NEW };
        let mut magic = [0; MAGIC.len()];
        reader.bytes(&mut magic)?;
        if magic != *MAGIC {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "not saved by a solver of this version"));
        }
        let found = reader.text()?;
        if found != expected {
            let message = format!("saved by the solver {found}; the solver {expected} cannot resume from it");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(reader)
    }

    fn bytes(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged("it ends too early"),
            _ => error,
        })?;
        self.checksum.add(bytes);
        Ok(())
    }

    /// Reads a number.
    pub fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.bytes(&mut byte)?;
            number |= u64::from(byte[0] & 127) << shift;
            if byte[0] < 128 {
                return Ok(number);
            }
        }
        Err(damaged("a number is too long"))
    }

    /// Reads a number; returns an error if it exceeds `max`.
    pub fn at_most(&mut self, max: u64) -> io::Result<u64> {
        let number = self.number()?;
        if number <= max { Ok(number) } else { Err(damaged("a number is too large")) }
    }

    /// Reads a signed number.
    pub fn signed(&mut self) -> io::Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Reads a text.
    pub fn text(&mut self) -> io::Result<String> {
        let mut bytes = vec![0; self.at_most(LONGEST_TEXT)? as usize];
        self.bytes(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| damaged("a text is not UTF-8"))
    }

    /// Reads the checksum; returns an error if it is wrong, or if anything follows it.
    pub fn verify(mut self) -> io::Result<()> {
        let expected = self.checksum.0;
        let mut found = [0; 8];
        self.bytes(&mut found)?;
        if u64::from_le_bytes(found) != expected {
            return Err(damaged("its checksum is wrong"));
        }
        if self.input.fill_buf()?.is_empty() { Ok(()) } else { Err(damaged("there are bytes after its end")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = CheckpointWriter::new(&mut bytes, "kind a=1").unwrap();
        for number in [0, 127, 128, 300, u64::MAX] {
            writer.number(number).unwrap();
        }
        for number in [0, -1, 64, i64::MIN, i64::MAX] {
            writer.signed(number).unwrap();
        }
        writer.text("a text").unwrap();
        writer.finish().unwrap();
        bytes
    }

    fn read(bytes: &[u8], heading: &str) -> io::Result<()> {
        let mut input = bytes;
        let mut reader = CheckpointReader::new(&mut input, heading)?;
        for number in [0, 127, 128, 300, u64::MAX] {
            assert_eq!(reader.number()?, number);
        }
        for number in [0, -1, 64, i64::MIN, i64::MAX] {
            assert_eq!(reader.signed()?, number);
        }
        assert_eq!(reader.text()?, "a text");
        reader.verify()
    }

    #[test]
    fn what_was_written_is_read_back() {
        read(&written(), "kind a=1").unwrap();
        let error = read(&written(), "kind a=2").unwrap_err().to_string();
        assert!(error.contains("kind a=1") && error.contains("kind a=2"), "{error}");
    }

    #[test]
    fn a_changed_byte_in_the_body_or_the_checksum_is_detected() {
        let bytes = written();
        let body = bytes.len() - 15;
        for at in body..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let mut input = &changed[..];
            let mut reader = CheckpointReader::new(&mut input, "kind a=1").unwrap();
            for _ in 0..10 {
                reader.number().unwrap();
            }
            assert!(reader.text().and_then(|_| reader.verify()).is_err(), "{at}");
        }
        assert!(read(&bytes[..bytes.len() - 1], "kind a=1").is_err());
        let error = read(&[&bytes[..], b"x"].concat(), "kind a=1").unwrap_err().to_string();
        assert!(error.contains("bytes after its end"), "{error}");
    }
}
