//! `cargo xtask words`: checks the vocabulary of the sources and documents.
//!
//! Each rule names words that have a better term in this project. Words match as a whole, in any
//! case; an underscore separates words, so identifiers are checked too.

use crate::shell;
use anyhow::ensure;
use std::fmt;

/// The files that are checked, as patterns of `git ls-files`.
const FILES: [&str; 8] = ["*.rs", "*.md", "*.js", "*.mjs", "*.html", "*.css", "*.py", "*.toml"];
/// This file, which contains the words.
const EXEMPT: &str = "xtask/src/words.rs";
/// The longest comment line, in columns.
const COMMENT_COLUMNS: usize = 100;

/// Words or phrases to avoid, and what to write instead.
struct Rule {
    words: &'static [&'static str],
    instead: &'static str,
}

const fn rule(words: &'static [&'static str], instead: &'static str) -> Rule {
    Rule { words, instead }
}

const RULES: &[Rule] = &[
    rule(&["circle", "circles"], "cycle"),
    rule(&["anew", "afresh"], "again"),
    rule(&["whoever"], "the player that, any caller that"),
    rule(&["by lot"], "at random"),
    rule(&["so many"], "the number of, a count of"),
    rule(&["mend", "mends", "mended", "mending"], "fix"),
    rule(&["foresee", "foresees", "foreseen", "foreseeing"], "static bounds"),
    rule(&["brother", "brothers"], "sibling"),
    rule(&["homesick"], "prefers repetition"),
    rule(&["plainly"], "explicitly, or nothing"),
    rule(&["nobody"], "no player, no thread, no caller"),
    rule(&["somebody"], "a player, another thread, a client"),
    rule(&["nothing is said", "is told", "are told"], "reported, given"),
    rule(&["comes back", "come back", "came back"], "repeats, returns"),
    rule(&["dice"], "PlayoutContext"),
    rule(&["prosecution"], "ProofExtractor"),
    rule(&["brood"], "NewChildren"),
    rule(&["sealer"], "CheckpointWriter"),
    rule(&["opener"], "CheckpointReader"),
    rule(&["errand"], "job"),
    rule(&["clerk"], "ProofWorker"),
    rule(&["deed"], "reply"),
];

/// A line that breaks a rule.
struct Finding {
    file: String,
    line: usize,
    problem: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.problem)
    }
}

/// Prints every finding, and fails if there is one.
pub fn run() -> anyhow::Result<()> {
    let mut findings = Vec::new();
    for file in shell::tracked(&FILES)? {
        if file != EXEMPT {
            findings.extend(check(&file, &std::fs::read_to_string(&file)?));
        }
    }
    for finding in &findings {
        eprintln!("{finding}");
    }
    ensure!(findings.is_empty(), "{} lines break the rules of xtask/src/words.rs", findings.len());
    Ok(())
}

/// Checks a file's text.
fn check(file: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut is_example = false;
    for (index, line) in text.lines().enumerate() {
        let mut report = |problem| findings.push(Finding { file: file.to_string(), line: index + 1, problem });
        let lower = line.to_lowercase();
        for rule in RULES {
            for word in rule.words {
                if contains(&lower, word) && !(*word == "circle" && is_shape(file, line)) {
                    report(format!("{word:?}: write {:?}", rule.instead));
                }
            }
        }
        // Examples in doc comments are code, which may be wider.
        is_example ^= is_rust_comment(file, line) && line.contains("```");
        if is_rust_comment(file, line) && !is_example && line.chars().count() > COMMENT_COLUMNS {
            report(format!("a comment line has more than {COMMENT_COLUMNS} columns"));
        }
    }
    findings
}

/// Whether a line contains a word or phrase that is not part of a longer word.
fn contains(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

/// Whether a circle is a shape: everywhere in a page, and the type of the crate `plotters`.
fn is_shape(file: &str, line: &str) -> bool {
    line.contains("Circle::new(") || [".js", ".mjs", ".html", ".css"].iter().any(|extension| file.ends_with(extension))
}

fn is_rust_comment(file: &str, line: &str) -> bool {
    file.ends_with(".rs") && line.trim_start().starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: &str, text: &str) -> Vec<usize> {
        check(file, text).into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_planted_word_is_found() {
        assert_eq!(lines("a.rs", "fn f() {}\n// Drawn by lot.\nlet x = 1;\n"), [2]);
        assert_eq!(lines("a.md", "Whoever moves.\nMend it, or start anew.\n"), [1, 2, 2]);
        assert_eq!(lines("a.rs", "let on_circles = Circles::new();\n"), [1]);
        let finding = &check("a.rs", "// nobody\n")[0];
        assert_eq!(finding.to_string(), "a.rs:1: \"nobody\": write \"no player, no thread, no caller\"");
    }

    #[test]
    fn parts_of_other_words_are_not_found() {
        assert!(lines("a.rs", "// Recommends encircled candice, renewal.\n").is_empty());
    }

    #[test]
    fn the_svg_element_is_allowed_in_pages_only() {
        assert!(lines("a.js", "s(\"circle\", { r: 1 });\n").is_empty());
        assert_eq!(lines("a.js", "// The game goes in circles.\n"), [1]);
        assert_eq!(lines("a.rs", "\"circle\"\n"), [1]);
    }

    #[test]
    fn long_comment_lines_are_found_in_rust_only() {
        let comment = format!("    /// {}\n", "x".repeat(COMMENT_COLUMNS - 8));
        assert!(lines("a.rs", &comment).is_empty());
        let longer = comment.replacen("/// ", "/// x", 1);
        assert_eq!(lines("a.rs", &longer), [1]);
        assert!(lines("a.js", &longer).is_empty());
        assert!(lines("a.rs", &format!("/// ```\n{longer}/// ```\n")).is_empty());
        assert!(lines("a.rs", &longer.replace("/// ", "let _ = \"")).is_empty());
    }
}
