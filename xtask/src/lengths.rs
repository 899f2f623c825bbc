//! `cargo xtask lengths`: lists the longest source files and functions.
//!
//! A file has at most [`FILE_LINES`] lines without its tests, a function at most [`FUNCTION_LINES`]
//! unless the comment above it says why it is long. The sources are formatted, so a function ends
//! at the first closing brace with the indentation of its first line.

use crate::shell;
use anyhow::ensure;

/// Arguments of `cargo xtask lengths`.
#[derive(clap::Args)]
pub struct Args {
    /// Number of files and functions to list
    #[arg(long, default_value_t = 20)]
    pub count: usize,
    /// List only files and functions that are too long, and fail if there is one
    #[arg(long)]
    pub check: bool,
}

/// The files that are checked, as patterns of `git ls-files`.
const FILES: [&str; 3] = ["crates/*.rs", "xtask/src/*.rs", "crates/web/assets/*.js"];
/// The most lines of a file, without its tests.
const FILE_LINES: usize = 700;
/// The most lines of a function, from its signature to its closing brace, without functions that
/// are nested in it.
const FUNCTION_LINES: usize = 60;

/// A file or function and its number of lines.
struct Length {
    name: String,
    lines: usize,
    /// Whether the comment above gives a reason for the length.
    has_reason: bool,
}

/// Lists the longest files and functions.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.check {
        return check();
    }
    let (files, functions) = measure()?;
    for (title, mut lengths) in [("files", files), ("functions", functions)] {
        println!("Longest {title}:");
        lengths.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.name.cmp(&b.name)));
        for length in lengths.iter().take(args.count) {
            println!("{:6} {}{}", length.lines, length.name, if length.has_reason { " (with a reason)" } else { "" });
        }
    }
    Ok(())
}

/// Fails if a file or function is too long.
fn check() -> anyhow::Result<()> {
    let (files, functions) = measure()?;
    let files = files.into_iter().filter(|file| file.lines > FILE_LINES);
    let functions = functions.into_iter().filter(|function| function.lines > FUNCTION_LINES && !function.has_reason);
    let too_long: Vec<Length> = files.chain(functions).collect();
    for length in &too_long {
        eprintln!("{}: {} lines", length.name, length.lines);
    }
    ensure!(
        too_long.is_empty(),
        "{} files or functions are too long: at most {FILE_LINES} lines for a file, {FUNCTION_LINES} for a function",
        too_long.len()
    );
    Ok(())
}

/// Measures all files and their functions.
fn measure() -> anyhow::Result<(Vec<Length>, Vec<Length>)> {
    let (mut files, mut functions) = (Vec::new(), Vec::new());
    for file in shell::tracked(&FILES)? {
        if file.ends_with("/tests.rs") || file.contains("/tests/") {
            continue;
        }
        let text = std::fs::read_to_string(&file)?;
        let lines = without_tests(&text);
        functions.extend(functions_of(&file, &lines));
        files.push(Length { name: file, lines: lines.len(), has_reason: false });
    }
    Ok((files, functions))
}

/// Returns the lines of a file up to a trailing module of tests.
fn without_tests(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines.windows(2).position(|pair| pair[0] == "#[cfg(test)]" && pair[1] == "mod tests {");
    lines[..tests.unwrap_or(lines.len())].to_vec()
}

/// Returns the functions of a file.
fn functions_of(file: &str, lines: &[&str]) -> Vec<Length> {
    let mut functions: Vec<(std::ops::Range<usize>, Length)> = Vec::new();
    for (begin, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line.trim_start()) else { continue };
        let Some(end) = end_of_function(lines, begin) else { continue };
        let lines_of_own = end - begin;
        // The functions around this one are earlier in the list, the innermost last.
        if let Some((_, outer)) = functions.iter_mut().rev().find(|(range, _)| range.contains(&begin)) {
            outer.lines -= lines_of_own;
        }
        let length = Length {
            name: format!("{file}:{}: {name}", begin + 1),
            lines: lines_of_own,
            has_reason: has_reason(&lines[..begin]),
        };
        functions.push((begin..end, length));
    }
    functions.into_iter().map(|(_, length)| length).collect()
}

/// Returns the line after the end of the function that begins on a line of several lines.
fn end_of_function(lines: &[&str], begin: usize) -> Option<usize> {
    let first = lines[begin];
    if first.ends_with(['}', ';']) {
        return None;
    }
    let indentation = &first[..first.len() - first.trim_start().len()];
    let ends = |line: &&str| {
        line.strip_prefix(indentation)
            .is_some_and(|code| code.starts_with('}') || !code.starts_with(' ') && code.ends_with(';'))
    };
    Some(begin + 1 + lines[begin + 1..].iter().position(ends)? + 1)
}

/// Returns the name of the function whose signature starts on a line of Rust or JavaScript.
fn function_name(code: &str) -> Option<&str> {
    let is_modifier = |word: &str| {
        matches!(word, "pub" | "export" | "default" | "async" | "const" | "unsafe") || word.starts_with("pub(")
    };
    let mut words = code.split_whitespace().skip_while(|word| is_modifier(word));
    let word = words.next()?;
    // The name, before its parameters or generics.
    let name = match word {
        "fn" | "function" => words.next()?,
        _ if code.ends_with("=> {") && [" = (", " = async ("].iter().any(|arrow| code.contains(arrow)) => word,
        _ => return None,
    };
    name.split(['(', '<']).next()
}

/// Whether the comment that ends directly above, attributes aside, contains the word "long".
fn has_reason(above: &[&str]) -> bool {
    let comment = above.iter().rev().map(|line| line.trim_start());
    comment
        .take_while(|line| {
            line.starts_with("//") || line.starts_with("#[") || line.starts_with('*') || line.starts_with("/*")
        })
        .any(|line| line.split(|letter: char| !letter.is_alphabetic()).any(|word| word.eq_ignore_ascii_case("long")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
/// A trait.
trait T {
    fn declared(&self);
    fn also_declared(
        &self,
    ) -> u8;
}

/// Long because of its table.
#[inline]
pub(crate) const fn first<T>(
    x: T,
) -> T {
    if x {
        y;
    }
    x
}

fn short() {}

impl S {
    async fn second(&self) {
        x
    }
}

#[cfg(test)]
mod tests {
    fn third() {
        x
    }
}
";

    #[test]
    fn functions_are_measured_without_tests() {
        let lines = without_tests(SOURCE);
        assert_eq!(lines.len(), 27);
        let functions = functions_of("a.rs", &lines);
        let found: Vec<(&str, usize, bool)> =
            functions.iter().map(|length| (length.name.as_str(), length.lines, length.has_reason)).collect();
        let expected =
            [("a.rs:4: also_declared", 3, false), ("a.rs:11: first", 8, true), ("a.rs:23: second", 3, false)];
        assert_eq!(found, expected);
    }

    #[test]
    fn functions_of_scripts_are_found() {
        let functions = functions_of("a.js", &["export async function draw(board) {", "  x;", "}"]);
        assert_eq!((functions[0].name.as_str(), functions[0].lines), ("a.js:1: draw", 3));
        let functions = functions_of("a.js", &["  const draw = async (board) => {", "    x;", "  };"]);
        assert_eq!((functions[0].name.as_str(), functions[0].lines), ("a.js:1: draw", 3));
        assert!(functions_of("a.js", &["const f = g(x, () => {", "});"]).is_empty());
    }

    #[test]
    fn nested_functions_do_not_count() {
        let lines = ["function panel() {", "  function draw() {", "    x;", "  }", "  y;", "}"];
        let functions = functions_of("a.js", &lines);
        assert_eq!(functions.iter().map(|length| length.lines).collect::<Vec<_>>(), [3, 3]);
    }
}
