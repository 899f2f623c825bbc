//! `cargo xtask readme`: updates the tables in README.md that the program generates.

use crate::shell;
use anyhow::{Context, bail};

/// Arguments of `cargo xtask readme`.
#[derive(clap::Args)]
pub struct Args {
    /// Check that README.md is up to date, without writing it
    #[arg(long)]
    pub check: bool,
}

/// The commands that generate a table; each table is between two comments.
const PARTS: [&str; 2] = ["games", "searches"];

pub fn run(args: &Args) -> anyhow::Result<()> {
    let readme = std::fs::read_to_string("README.md")?;
    let mut written = readme.clone();
    for part in PARTS {
        let table =
            shell::output(&mut shell::cargo(&["run", "--quiet", "--package", "tesuji", "--", part, "--markdown"]))?;
        let begin = format!("<!-- {part}: written by cargo xtask readme -->\n");
        let end = format!("<!-- end of {part} -->");
        let (head, rest) = written.split_once(&begin).with_context(|| format!("README.md has no marker for {part}"))?;
        let (_, tail) = rest.split_once(&end).with_context(|| format!("README.md has no end marker for {part}"))?;
        written = format!("{head}{begin}{table}{end}{tail}");
    }
    if written == readme {
        return Ok(());
    }
    if args.check {
        bail!("a table in README.md is out of date: run cargo xtask readme");
    }
    std::fs::write("README.md", written)?;
    Ok(())
}
