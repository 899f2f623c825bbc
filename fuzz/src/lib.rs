//! Converts the fuzzer's bytes to specs and texts. The laws are in `tesuji_suites::laws`.

use std::sync::LazyLock;
use tesuji_suites::data::specs;
use tesuji_suites::laws::{Edit, Insert, edited};

/// Returns the spec that a byte selects: one of the games or variants.
pub fn spec(choice: u8) -> &'static str {
    static SPECS: LazyLock<Vec<String>> = LazyLock::new(specs);
    &SPECS[usize::from(choice) % SPECS.len()]
}

/// Returns the text that the bytes encode. The fuzzer is unlikely to find a valid Go position, so
/// the first byte selects whether the others are a text or edits of the valid one.
pub fn text(bytes: &[u8], valid: impl FnOnce() -> String) -> String {
    match bytes.split_first() {
        None => String::new(),
        Some((kind, rest)) if kind % 2 == 0 => String::from_utf8_lossy(rest).into_owned(),
        Some((_, rest)) => edited(&valid(), &edits(rest)),
    }
}

/// Decodes edits of four bytes: two for the offset, one for the operation, one for the letter or
/// the source of the copy.
fn edits(bytes: &[u8]) -> Vec<Edit> {
    let edit = |&[high, low, kind, letter]: &[u8; 4]| Edit {
        at: usize::from(u16::from_be_bytes([high, low])),
        removes: kind & 1 != 0,
        inserts: match kind >> 1 & 3 {
            0 => Insert::Nothing,
            1 => Insert::Letter(char::from(letter)),
            _ => Insert::Copy(letter.into()),
        },
    };
    bytes.as_chunks().0.iter().map(edit).collect()
}
