//! `cargo xtask readme`: the parts of README.md that the program itself writes.

use crate::shell;
use anyhow::{Context, bail};

/// Arguments of `cargo xtask readme`.
#[derive(clap::Args)]
pub struct Args {
    /// Only see whether it is up to date
    #[arg(long)]
    pub check: bool,
}

const BEGIN: &str = "<!-- games: written by cargo xtask readme -->\n";
const END: &str = "<!-- end of games -->";

pub fn run(args: &Args) -> anyhow::Result<()> {
    let table =
        shell::output(&mut shell::cargo(&["run", "--quiet", "--package", "tesuji", "--", "games", "--markdown"]))?;
    let readme = std::fs::read_to_string("README.md")?;
    let (head, rest) = readme.split_once(BEGIN).context("README.md has no place for the games")?;
    let (_, tail) = rest.split_once(END).context("README.md has no end of the games")?;
    let written = format!("{head}{BEGIN}{table}{END}{tail}");
    if written == readme {
        return Ok(());
    }
    if args.check {
        bail!("the table of games in README.md is out of date: run cargo xtask readme");
    }
    std::fs::write("README.md", written)?;
    Ok(())
}
