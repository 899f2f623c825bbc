//! The prompt of commands that read from standard input.

use crate::{output, stop};
use std::io::{BufRead, Write};

/// Prints a prompt and reads a line, without the spaces around it; `None` at the end of the input.
/// A line that is not UTF-8 is reported and skipped: a slip on the keyboard must not end a game.
pub fn ask(name: &str) -> anyhow::Result<Option<String>> {
    loop {
        output::text(format!("{name}> "))?;
        std::io::stdout().flush()?;
        let mut line = Vec::new();
        if stop::waiting(|| std::io::stdin().lock().read_until(b'\n', &mut line))? == 0 {
            output::text("\n")?;
            return Ok(None);
        }
        match String::from_utf8(line) {
            Ok(line) => return Ok(Some(line.trim().to_string())),
            Err(_) => output::text("this line is not valid UTF-8; type it again\n")?,
        }
    }
}
