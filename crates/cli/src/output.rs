//! Printing for people and for programs.

use serde::Serialize;
use std::io::Write;

/// The version of the JSON objects; raised when a field changes its meaning or goes.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: u32,
    #[serde(flatten)]
    content: &'a T,
}

/// Prints one JSON object, its schema number first.
pub fn json<T: Serialize>(content: &T) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(&Versioned { schema: SCHEMA, content })?;
    writeln!(std::io::stdout(), "{text}")?;
    Ok(())
}

/// Prints text, an error instead of a panic when nobody reads.
pub fn text(text: impl AsRef<str>) -> anyhow::Result<()> {
    std::io::stdout().write_all(text.as_ref().as_bytes())?;
    Ok(())
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
