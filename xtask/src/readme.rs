//! `cargo xtask readme`: updates the tables in README.md that the program generates.

use crate::shell;
use anyhow::{Context, bail};
use std::path::Path;
use std::process::Command;

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
    shell::run(&mut shell::cargo(&["build", "--quiet", "--package", "tesuji"]))?;
    update(&shell::target_directory("Cargo.toml")?.join("debug/tesuji"), args.check)
}

/// Updates README.md with the tables that the given program prints, or checks that it is up to
/// date.
pub fn update(program: &Path, check: bool) -> anyhow::Result<()> {
    let readme = std::fs::read_to_string("README.md")?;
    let mut written = readme.clone();
    for part in PARTS {
        let table = shell::output(Command::new(program).args([part, "--markdown"]))?;
        let begin = format!("<!-- {part}: written by cargo xtask readme -->\n");
        let end = format!("<!-- end of {part} -->");
        let (head, rest) = written.split_once(&begin).with_context(|| format!("README.md has no marker for {part}"))?;
        let (_, tail) = rest.split_once(&end).with_context(|| format!("README.md has no end marker for {part}"))?;
        written = format!("{head}{begin}{table}{end}{tail}");
    }
    if written == readme {
        return Ok(());
    }
    if check {
        bail!("a table in README.md is out of date: run cargo xtask readme");
    }
    std::fs::write("README.md", written)?;
    Ok(())
}
