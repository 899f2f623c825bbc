//! Quotes of input in error messages, at most [`LONGEST`] characters of it.

use std::fmt;

/// The most characters of a quote. Raising it shows more of a long input and hides more of the
/// message around it.
const LONGEST: usize = 200;

/// Input to show in a message; see [`quoted`] and [`shortened`].
#[derive(Clone, Copy, Debug)]
pub struct Quote<'a> {
    text: &'a str,
    marks: bool,
}

/// Returns input in quotation marks, with control characters escaped and cut after 200 characters.
///
/// ```
/// use tesuji_core::quoted;
///
/// assert_eq!(quoted("z9\n").to_string(), r#""z9\n""#);
/// assert!(quoted(&"x".repeat(1_000_000)).to_string().ends_with("xxx…\" (1000000 characters)"));
/// ```
pub fn quoted(text: &str) -> Quote<'_> {
    Quote { text, marks: true }
}

/// Returns input as it is, cut after 200 characters.
pub fn shortened(text: &str) -> Quote<'_> {
    Quote { text, marks: false }
}

impl fmt::Display for Quote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = self.text.char_indices().nth(LONGEST).map(|(at, _)| at);
        let shown = &self.text[..cut.unwrap_or(self.text.len())];
        let dots = if cut.is_some() { "…" } else { "" };
        if self.marks {
            let escaped = format!("{shown:?}");
            write!(f, "{}{dots}\"", &escaped[..escaped.len() - 1])?;
        } else {
            write!(f, "{shown}{dots}")?;
        }
        match cut {
            Some(_) => write!(f, " ({} characters)", self.text.chars().count()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MoveError, PositionError, SpecError};

    #[test]
    fn short_input_is_shown_whole() {
        assert_eq!(quoted("a \"b\"").to_string(), r#""a \"b\"""#);
        assert_eq!(shortened("a \"b\"").to_string(), "a \"b\"");
        let longest = "é".repeat(LONGEST);
        assert_eq!(shortened(&longest).to_string(), longest);
        assert_eq!(quoted(&longest).to_string(), format!("\"{longest}\""));
    }

    #[test]
    fn errors_do_not_echo_long_input() {
        let long = "é".repeat(1 << 20);
        let text = || long.clone();
        let errors = [
            quoted(&long).to_string(),
            shortened(&long).to_string(),
            PositionError::new(&long, "it is too long").to_string(),
            MoveError { text: text(), accepted: String::new() }.to_string(),
            SpecError::Syntax { spec: text(), reason: String::new() }.to_string(),
            SpecError::UnknownName { kind: "game", name: text(), known: "go, hex".to_string() }.to_string(),
            SpecError::UnknownOption { name: text(), key: text(), known: "komi".to_string() }.to_string(),
            SpecError::BadValue { name: text(), key: text(), value: text(), accepted: String::new() }.to_string(),
        ];
        for error in errors {
            assert!(error.chars().count() < 1000, "{} characters", error.chars().count());
            assert!(error.contains("1048576 characters"), "{error}");
        }
    }
}
