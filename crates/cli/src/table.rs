//! Tables and lists of fields that fit the terminal. Lines break between words only, so numbers
//! and names stay whole; where a table does not fit even so, its optional columns are left out.

use std::fmt;
use unicode_width::UnicodeWidthStr;

/// The space between columns.
const GAP: usize = 2;

/// A space at which no line breaks. It is printed as a space.
pub const FIXED_SPACE: char = '\u{a0}';

/// Returns the width of the terminal, or of the environment variable `COLUMNS`; `None` if standard
/// output is not a terminal.
pub fn terminal_width() -> Option<usize> {
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let found = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    // Terminals of unknown width report 0.
    given.or_else(found).filter(|&columns| columns > 0)
}

/// A column of a table.
pub struct Column {
    title: String,
    is_right: bool,
    is_optional: bool,
}

impl Column {
    /// A column of words.
    pub fn left(title: impl Into<String>) -> Column {
        Column { title: title.into(), is_right: false, is_optional: false }
    }

    /// A column of numbers.
    pub fn right(title: impl Into<String>) -> Column {
        Column { is_right: true, ..Column::left(title) }
    }

    /// Leaves the column out where the table is too wide for the terminal; the last one first.
    pub fn optional(self) -> Column {
        Column { is_optional: true, ..self }
    }
}

/// A table with a header.
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        Table { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row with a cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        let cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        assert_eq!(cells.len(), self.columns.len(), "a row has a cell for each column");
        self.rows.push(cells);
    }

    /// Formats the table as Markdown.
    pub fn markdown(&self) -> String {
        let shown: Vec<usize> = (0..self.columns.len()).collect();
        let (widths, _) = self.widths(&shown, usize::MAX, |word| vec![word]);
        let line = |cells: &mut dyn Iterator<Item = &String>| {
            let cells = cells.zip(&widths).map(|(cell, width)| format!(" {}{} |", plain(cell), padding(cell, *width)));
            format!("|{}\n", cells.collect::<String>())
        };
        let header = line(&mut self.columns.iter().map(|column| &column.title));
        let rule: String = widths.iter().map(|width| format!("{}|", "-".repeat(width + 2))).collect();
        let rows: String = self.rows.iter().map(|row| line(&mut row.iter())).collect();
        format!("{header}|{rule}\n{rows}")
    }

    /// Formats the table for a terminal of this width.
    fn fit(&self, width: Option<usize>) -> String {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        let width = width.unwrap_or(usize::MAX);
        let widths = loop {
            let (widths, fits) = self.widths(&shown, width, |word| vec![word]);
            match shown.iter().rposition(|&column| self.columns[column].is_optional) {
                _ if fits => break widths,
                Some(at) => drop(shown.remove(at)),
                None => break self.widths(&shown, width, pieces).0,
            }
        };
        let header: Vec<&str> = self.columns.iter().map(|column| column.title.as_str()).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(String::as_str).collect());
        std::iter::once(header).chain(rows).map(|row: Vec<&str>| self.line(&row, &shown, &widths)).collect()
    }

    /// Returns the widths of columns, and whether the table fits. Text breaks into lines in the
    /// widest columns first, between the parts of words that `split` returns.
    fn widths(&self, shown: &[usize], width: usize, split: fn(&str) -> Vec<&str>) -> (Vec<usize>, bool) {
        let cells = |column: usize| {
            let title = std::iter::once(&self.columns[column].title);
            title.chain(self.rows.iter().map(move |row| &row[column]))
        };
        let longest_line =
            |&column: &usize| cells(column).flat_map(|cell| cell.lines()).map(UnicodeWidthStr::width).max();
        let longest_word = |&column: &usize| {
            cells(column).flat_map(|cell| words(cell)).flat_map(split).map(UnicodeWidthStr::width).max()
        };
        let mut widths: Vec<usize> = shown.iter().map(|column| longest_line(column).unwrap_or(0)).collect();
        let least: Vec<usize> = shown.iter().map(|column| longest_word(column).unwrap_or(0)).collect();
        let gaps = GAP * shown.len().saturating_sub(1);
        while widths.iter().sum::<usize>() + gaps > width {
            let wide = (0..widths.len()).filter(|&at| widths[at] > least[at]);
            let Some(widest) = wide.max_by_key(|&at| widths[at]) else { return (widths, false) };
            widths[widest] -= 1;
        }
        (widths, true)
    }

    /// Formats a row, which may take several lines.
    fn line(&self, row: &[&str], shown: &[usize], widths: &[usize]) -> String {
        let cells: Vec<Vec<String>> =
            shown.iter().zip(widths).map(|(&column, &width)| wrapped(row[column], width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let mut text = String::new();
        for number in 0..height {
            let cells = shown.iter().zip(widths).zip(&cells).map(|((&column, &width), lines)| {
                let cell = lines.get(number).map_or("", String::as_str);
                let padding = padding(cell, width);
                if self.columns[column].is_right { padding + cell } else { cell.to_string() + &padding }
            });
            text += cells.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end();
            text.push('\n');
        }
        text
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fit(terminal_width()))
    }
}

/// Titles with their texts, one below the other. A text that is too long continues on the next line
/// below its start.
#[derive(Default)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Adds a field.
    pub fn add(&mut self, title: &str, text: impl Into<String>) {
        self.0.push((title.to_string(), text.into()));
    }

    /// Formats the fields as wide as prose.
    pub fn as_prose(&self) -> String {
        self.fit(Some(prose_width()))
    }

    fn fit(&self, width: Option<usize>) -> String {
        let indent = self.0.iter().map(|(title, _)| title.width() + GAP).max().unwrap_or(0);
        let room = width.map_or(usize::MAX, |width| width.saturating_sub(indent).max(1));
        let mut text = String::new();
        for (title, field) in &self.0 {
            for (number, line) in wrapped(field, room).iter().enumerate() {
                let title = if number == 0 { title } else { "" };
                text += format!("{title}{}{line}", padding(title, indent)).trim_end();
                text.push('\n');
            }
        }
        text
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fit(terminal_width()))
    }
}

/// Breaks a paragraph into lines that fit the terminal.
pub fn paragraph(text: &str) -> String {
    wrapped(text, terminal_width().unwrap_or(usize::MAX)).join("\n") + "\n"
}

/// Returns the width of prose: that of the terminal, 80 columns if it is unknown, and at most 100,
/// because longer lines are hard to read.
fn prose_width() -> usize {
    terminal_width().unwrap_or(80).min(100)
}

/// Breaks prose into lines that fit.
pub fn prose(text: &str) -> String {
    wrapped(text, prose_width()).into_iter().map(|line| line + "\n").collect()
}

/// Breaks a text into lines between words, and a word that is too long between its pieces. Further
/// lines are indented like the first.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let indent = &paragraph[..paragraph.len() - paragraph.trim_start().len()];
        let mut line = String::new();
        for word in words(paragraph) {
            let pieces = if word.width() > width { pieces(word) } else { vec![word] };
            for (number, piece) in pieces.into_iter().enumerate() {
                let joint = if number == 0 { " " } else { "" };
                if !line.is_empty() && line.width() + joint.width() + piece.width() > width {
                    lines.push(plain(&std::mem::take(&mut line)));
                }
                line += if line.is_empty() { indent } else { joint };
                line += piece;
            }
        }
        lines.push(plain(&line));
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

/// Returns the spaces that fill a text up to a width.
fn padding(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.width()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\n']).filter(|word| !word.is_empty())
}

/// Splits a word after its commas, such as those of a spec; not inside numbers.
fn pieces(word: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    for (at, _) in word.match_indices(',') {
        if !word[at + 1..].starts_with(|next: char| next.is_ascii_digit()) {
            pieces.push(&word[begin..=at]);
            begin = at + 1;
        }
    }
    pieces.push(&word[begin..]);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Returns a text with ordinary spaces.
fn plain(text: &str) -> String {
    text.replace(FIXED_SPACE, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings() -> Table {
        let mut table = Table::new([
            Column::left("player"),
            Column::right("won"),
            Column::right("score % (95 % CI)"),
            Column::right("s/move").optional(),
        ]);
        table.row(["mcts", "12", "64.0\u{a0}% (54.2-72.7)", "0.125"]);
        table.row(["mcts:select=ucb1tuned", "1,234", "36.0\u{a0}% (27.3-45.8)", "1.500"]);
        table
    }

    #[test]
    fn a_table_is_aligned() {
        assert_eq!(
            standings().fit(None),
            "player                   won   score % (95 % CI)  s/move\n\
             mcts                      12  64.0 % (54.2-72.7)   0.125\n\
             mcts:select=ucb1tuned  1,234  36.0 % (27.3-45.8)   1.500\n"
        );
    }

    #[test]
    fn a_narrow_table_breaks_between_words_and_then_loses_columns() {
        assert_eq!(
            standings().fit(Some(49)),
            "player                   won  score % (95  s/move\n\
             \u{20}                                   % CI)\n\
             mcts                      12       64.0 %   0.125\n\
             \u{20}                             (54.2-72.7)\n\
             mcts:select=ucb1tuned  1,234       36.0 %   1.500\n\
             \u{20}                             (27.3-45.8)\n"
        );
        assert!(!standings().fit(Some(45)).contains("s/move"));
        for width in 1..80 {
            let text = standings().fit(Some(width));
            for word in ["1,234", "64.0 %", "(54.2-72.7)", "mcts:select=ucb1tuned"] {
                assert!(text.contains(word), "{word} is broken at {width} columns:\n{text}");
            }
            let longest = text.lines().map(UnicodeWidthStr::width).max().unwrap();
            // All essential columns, with every word whole.
            assert!(longest <= width.max(21 + 2 + 5 + 2 + 11), "{width}:\n{text}");
        }
    }

    #[test]
    fn markdown_has_no_width() {
        let text = standings().markdown();
        assert!(text.starts_with("| player                | won   | score % (95 % CI)  | s/move |\n|--"), "{text}");
        assert!(text.ends_with("| mcts:select=ucb1tuned | 1,234 | 36.0 % (27.3-45.8) | 1.500  |\n"), "{text}");
        assert_eq!(text.lines().count(), 4);
    }

    #[test]
    fn fields_continue_below_their_start() {
        let mut fields = Fields::default();
        fields.add("value", "win for Black");
        fields.add("winning moves", "a1 b2 c3 d4");
        fields.add("none", "");
        let text = "value          win for\n               Black\nwinning moves  a1 b2\n               c3 d4\nnone\n";
        assert_eq!(fields.fit(Some(22)), text);
        assert_eq!(fields.fit(None).lines().count(), 3);
    }

    #[test]
    fn words_stay_whole_and_indents_are_kept() {
        assert_eq!(wrapped("a connection b", 6), ["a", "connection", "b"]);
        assert_eq!(wrapped("one\n  two three", 7), ["one", "  two", "  three"]);
        assert_eq!(wrapped("", 6), [""]);
        assert_eq!(wrapped("by mcts:solver,rave,1,234", 12), ["by", "mcts:solver,", "rave,1,234"]);
    }
}
