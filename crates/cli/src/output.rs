//! Output as text and JSON.

use crate::table::FIXED_SPACE;
use serde::Serialize;
use std::io::Write;
use tesuji_catalog::SCHEMA;
pub use tesuji_catalog::grouped;

#[derive(Serialize)]
struct Versioned<'a, T> {
    schema: u32,
    #[serde(flatten)]
    content: &'a T,
}

/// Prints one JSON object, starting with its schema number.
pub fn json<T: Serialize>(content: &T) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(&Versioned { schema: SCHEMA, content })?;
    writeln!(std::io::stdout(), "{text}")?;
    Ok(())
}

/// Prints text; a closed pipe is an error, not a panic.
pub fn text(text: impl AsRef<str>) -> anyhow::Result<()> {
    std::io::stdout().write_all(text.as_ref().as_bytes())?;
    Ok(())
}

/// Formats a count with its noun: `1 node`, `2 nodes`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats a number of plies: `1 ply`, `2 plies`.
pub fn plies(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "ply" } else { "plies" })
}

/// Formats a number of leaves: `1 leaf`, `2 leaves`.
pub fn leaves(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "leaf" } else { "leaves" })
}

/// Joins parts with commas; lines break between the parts only.
pub fn listed(parts: &[String]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| part.replace(' ', &FIXED_SPACE.to_string())).collect();
    parts.join(", ")
}
