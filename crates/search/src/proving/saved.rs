//! What a solver has learned, as bytes: a heading, a body, and a checksum over both.

use std::io::{self, Read, Write};

/// The first bytes of everything saved, with the version of the format.
const MAGIC: &[u8] = b"tesuji solver 1\n";
/// Bytes are gathered up to this number.
const GATHERED: usize = 1 << 16;
/// The longest text that is read.
const LONGEST_TEXT: u64 = 1 << 20;

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a): a single changed byte always changes it.
#[derive(Clone, Copy)]
struct Sum(u64);

impl Sum {
    const NEW: Sum = Sum(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Writes what a solver has learned.
pub struct Sealer<'w> {
    out: &'w mut dyn Write,
    gathered: Vec<u8>,
    sum: Sum,
}

impl<'w> Sealer<'w> {
    /// Begins with the heading: what kind of solver it is, with which options, for which rules.
    pub fn new(out: &'w mut dyn Write, kind: &str) -> io::Result<Sealer<'w>> {
        let mut sealer = Sealer { out, gathered: Vec::with_capacity(GATHERED + 16), sum: Sum::NEW };
        sealer.bytes(MAGIC)?;
        sealer.text(kind)?;
        Ok(sealer)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED { self.pass_on() } else { Ok(()) }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.sum.add(&self.gathered);
        self.out.write_all(&self.gathered)?;
        self.gathered.clear();
        Ok(())
    }

    /// Writes a number, small ones in few bytes.
    pub fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 128 {
            self.bytes(&[number as u8 | 128])?;
            number >>= 7;
        }
        self.bytes(&[number as u8])
    }

    /// Writes a number that may be negative.
    pub fn signed(&mut self, number: i64) -> io::Result<()> {
        self.number((number << 1 ^ number >> 63) as u64)
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        self.bytes(text.as_bytes())
    }

    /// Ends with the checksum.
    pub fn seal(mut self) -> io::Result<()> {
        self.pass_on()?;
        self.out.write_all(&self.sum.0.to_le_bytes())?;
        self.out.flush()
    }
}

/// Reads what [`Sealer`] wrote. What is read counts only when [`Opener::check`] has found the checksum right.
pub struct Opener<'r> {
    input: io::BufReader<&'r mut dyn Read>,
    sum: Sum,
}

/// An error about saved bytes.
pub fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("what was saved is damaged: {what}"))
}

impl<'r> Opener<'r> {
    /// Reads the heading; an error if it is not that of the same kind of solver.
    pub fn new(input: &'r mut dyn Read, kind: &str) -> io::Result<Opener<'r>> {
        let mut opener = Opener { input: io::BufReader::with_capacity(GATHERED, input), sum: Sum::NEW };
        let mut magic = [0; MAGIC.len()];
        opener.bytes(&mut magic)?;
        if magic != *MAGIC {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "this was not saved by a solver of this version"));
        }
        let found = opener.text()?;
        if found != kind {
            let message = format!("this was saved by the solver {found}; it cannot be taken up by {kind}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(opener)
    }

    fn bytes(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged("it ends too early"),
            _ => error,
        })?;
        self.sum.add(bytes);
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

    /// Reads a number that must not be larger than another.
    pub fn at_most(&mut self, most: u64) -> io::Result<u64> {
        let number = self.number()?;
        if number <= most { Ok(number) } else { Err(damaged("a number is too large")) }
    }

    /// Reads a number that may be negative.
    pub fn signed(&mut self) -> io::Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// Reads a text.
    pub fn text(&mut self) -> io::Result<String> {
        let mut bytes = vec![0; self.at_most(LONGEST_TEXT)? as usize];
        self.bytes(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| damaged("a text is none"))
    }

    /// Compares the checksum.
    pub fn check(mut self) -> io::Result<()> {
        let expected = self.sum.0;
        let mut found = [0; 8];
        self.bytes(&mut found)?;
        if u64::from_le_bytes(found) == expected { Ok(()) } else { Err(damaged("its checksum is wrong")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut sealer = Sealer::new(&mut bytes, "kind a=1").unwrap();
        for number in [0, 127, 128, 300, u64::MAX] {
            sealer.number(number).unwrap();
        }
        for number in [0, -1, 64, i64::MIN, i64::MAX] {
            sealer.signed(number).unwrap();
        }
        sealer.text("a text").unwrap();
        sealer.seal().unwrap();
        bytes
    }

    fn opened(bytes: &[u8], kind: &str) -> io::Result<()> {
        let mut input = bytes;
        let mut opener = Opener::new(&mut input, kind)?;
        for number in [0, 127, 128, 300, u64::MAX] {
            assert_eq!(opener.number()?, number);
        }
        for number in [0, -1, 64, i64::MIN, i64::MAX] {
            assert_eq!(opener.signed()?, number);
        }
        assert_eq!(opener.text()?, "a text");
        opener.check()
    }

    #[test]
    fn what_was_written_is_read_back() {
        opened(&sealed(), "kind a=1").unwrap();
        let error = opened(&sealed(), "kind a=2").unwrap_err().to_string();
        assert!(error.contains("kind a=1") && error.contains("kind a=2"), "{error}");
    }

    #[test]
    fn a_changed_byte_in_the_body_or_the_checksum_is_noticed() {
        let bytes = sealed();
        let body = bytes.len() - 15;
        for at in body..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let mut input = &changed[..];
            let mut opener = Opener::new(&mut input, "kind a=1").unwrap();
            for _ in 0..10 {
                opener.number().unwrap();
            }
            assert!(opener.text().and_then(|_| opener.check()).is_err(), "{at}");
        }
        assert!(opened(&bytes[..bytes.len() - 1], "kind a=1").is_err());
    }
}
