//! Lines of bounded length.

use std::io::{BufRead, Read};

/// A line may have so many bytes; who says more at once is not speaking in lines. Raising it lets a program that does not stop
/// make us keep more.
pub const LONGEST: usize = 1 << 16;

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A line, without its end; what is not UTF-8 is replaced.
    Line(String),
    /// A line of more than [`LONGEST`] bytes.
    TooLong,
}

/// The next line; `None` when there is no more. Of a line that is too long the rest is passed over.
pub fn next(input: &mut impl BufRead) -> Option<Heard> {
    let heard = next_or_part(input)?;
    if heard == Heard::TooLong {
        input.skip_until(b'\n').ok()?;
    }
    Some(heard)
}

/// The same, but it does not wait for the end of a line that is too long.
pub fn next_or_part(input: &mut impl BufRead) -> Option<Heard> {
    let mut line = Vec::new();
    let count = input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line).ok()?;
    if count == LONGEST && line.last() != Some(&b'\n') {
        return Some(Heard::TooLong);
    }
    let text = String::from_utf8_lossy(&line);
    (count > 0).then(|| Heard::Line(text.trim_end_matches(['\n', '\r']).to_string()))
}
