//! Output as text, tables and JSON.

use crate::table::FIXED_SPACE;
use comfy_table::{ContentArrangement, Table, TableStyle, presets};
use serde::Serialize;
use std::io::Write;
use tesuji_catalog::SCHEMA;

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

/// Formats a number with thousands separators.
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

/// Returns an empty table that fits the width of the terminal.
pub fn fitted(style: TableStyle) -> Table {
    let mut table = Table::new();
    table.load_style(style);
    table.set_content_arrangement(arrangement(table.width()));
    table
}

/// Returns an empty table with borders; a Markdown table has no maximum width.
pub fn lined(markdown: bool) -> Table {
    if !markdown {
        return fitted(presets::UTF8_FULL_CONDENSED);
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table
}

/// The longest line of prose; longer ones are hard to read.
const MAX_PROSE: usize = 100;
/// The width of prose if the terminal's is unknown, or if there is none.
const DEFAULT_PROSE: usize = 80;

/// Returns the width of prose in this terminal.
pub fn width() -> usize {
    let terminal = Table::new().width().map(usize::from).filter(|&columns| columns > 0);
    terminal.unwrap_or(DEFAULT_PROSE).min(MAX_PROSE)
}

/// Breaks every line of a text between words. A word that is too long gets a line of its own.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut wrapped = String::new();
    for line in text.lines() {
        let mut column = 0;
        for word in line.split_whitespace() {
            let length = word.chars().count();
            if column > 0 {
                let breaks = column + 1 + length > width;
                wrapped.push(if breaks { '\n' } else { ' ' });
                column = if breaks { 0 } else { column + 1 };
            }
            wrapped += word;
            column += length;
        }
        wrapped.push('\n');
    }
    wrapped
}

/// Terminals of unknown width report 0.
fn arrangement(width: Option<u16>) -> ContentArrangement {
    if width == Some(0) { ContentArrangement::Disabled } else { ContentArrangement::Dynamic }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_between_words() {
        assert_eq!(wrapped("a bc def", 4), "a bc\ndef\n");
        assert_eq!(wrapped("one\n\ntwo three", 7), "one\n\ntwo\nthree\n");
        assert_eq!(wrapped("a connection b", 6), "a\nconnection\nb\n");
        assert_eq!(wrapped("", 6), "");
    }

    #[test]
    fn a_terminal_width_of_0_is_unknown() {
        assert!(matches!(arrangement(Some(0)), ContentArrangement::Disabled));
        assert!(matches!(arrangement(Some(80)), ContentArrangement::Dynamic));
        assert!(matches!(arrangement(None), ContentArrangement::Dynamic));
    }
}
