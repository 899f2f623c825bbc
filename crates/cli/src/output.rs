//! Printing for people and for programs.

use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle, presets};
use serde::Serialize;
use std::io::Write;
use tesuji_catalog::SCHEMA;

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

/// An empty table that keeps to the width of the terminal.
pub fn fitted(style: TableStyle) -> Table {
    let mut table = Table::new();
    table.load_style(style);
    table.set_content_arrangement(arrangement(table.width()));
    table
}

/// An empty table with lines; in Markdown it has no width to keep to.
pub fn lined(markdown: bool) -> Table {
    if !markdown {
        return fitted(presets::UTF8_FULL_CONDENSED);
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table
}

/// Terminals that do not know their width say 0; nothing fits into that.
fn arrangement(width: Option<u16>) -> ContentArrangement {
    if width == Some(0) { ContentArrangement::Disabled } else { ContentArrangement::Dynamic }
}

/// A table without lines: the first column to the left, numbers to the right.
pub fn table<H: Into<String>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Table {
    let mut table = fitted(presets::NOTHING);
    table.set_header(header.into_iter().map(Into::<String>::into));
    rows.into_iter().for_each(|row| {
        table.add_row(row);
    });
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        column.set_cell_alignment(if at == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_of_width_0_does_not_know_its_width() {
        assert!(matches!(arrangement(Some(0)), ContentArrangement::Disabled));
        assert!(matches!(arrangement(Some(80)), ContentArrangement::Dynamic));
        assert!(matches!(arrangement(None), ContentArrangement::Dynamic));
    }
}
