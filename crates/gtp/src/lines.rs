//! Input lines of bounded length.

use std::io::{BufRead, Read};

/// The most bytes of a line. Raising it lets a misbehaving program use more memory.
pub const LONGEST: usize = 1 << 16;

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputLine {
    /// The line without its line end; invalid UTF-8 is replaced.
    Text(String),
    /// A line that is too long.
    TooLong,
}

/// Reads the next line; `None` at the end of the input. The rest of a line that is too long is
/// skipped.
pub fn next(input: &mut impl BufRead) -> Option<InputLine> {
    let line = next_or_part(input, LONGEST)?;
    if line == InputLine::TooLong {
        input.skip_until(b'\n').ok()?;
    }
    Some(line)
}

/// Reads the next line, but does not wait for the end of a line of more than `longest` bytes.
pub fn next_or_part(input: &mut impl BufRead, longest: usize) -> Option<InputLine> {
    let mut line = Vec::new();
    let count = input.by_ref().take(longest as u64).read_until(b'\n', &mut line).ok()?;
    if count == longest && line.last() != Some(&b'\n') {
        return Some(InputLine::TooLong);
    }
    let text = String::from_utf8_lossy(&line);
    (count > 0).then(|| InputLine::Text(text.trim_end_matches(['\n', '\r']).to_string()))
}
