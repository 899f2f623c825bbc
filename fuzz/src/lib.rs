//! How the bytes of the fuzzer become specs and texts. The laws themselves are in `tesuji_testkit::laws`.

use std::sync::LazyLock;
use tesuji_testkit::data::specs;
use tesuji_testkit::laws::{Edit, Insert, edited};

/// The spec that a byte chooses: one of the games, or of their variants.
pub fn spec(choice: u8) -> &'static str {
    static SPECS: LazyLock<Vec<String>> = LazyLock::new(specs);
    &SPECS[usize::from(choice) % SPECS.len()]
}

/// The text that bytes mean. The fuzzer would hardly guess a position of Go by itself, so the first byte
/// tells whether the others are a text or changes of the valid one.
pub fn text(bytes: &[u8], valid: impl FnOnce() -> String) -> String {
    match bytes.split_first() {
        None => String::new(),
        Some((kind, rest)) if kind % 2 == 0 => String::from_utf8_lossy(rest).into_owned(),
        Some((_, rest)) => edited(&valid(), &edits(rest)),
    }
}

/// Four bytes an edit: two for the place, one for what is done, one for the letter or where it is copied from.
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
