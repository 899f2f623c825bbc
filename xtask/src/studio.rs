//! `cargo xtask studio`: tests the studio in a real browser against its own server.

use crate::shell;
use anyhow::ensure;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `cargo xtask studio`.
#[derive(clap::Args)]
pub struct Args {
    /// Only take the screenshots of the README again
    #[arg(long)]
    pictures: bool,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    shell::run(&mut shell::cargo(&["build", "--release", "--quiet", "--package", "tesuji"]))?;
    let program = shell::target_directory("Cargo.toml")?.join("release/tesuji");
    ensure!(provide()?, "the studio needs Node.js with npm, and Chromium");
    install()?;
    if args.pictures { npm(&["run", "pictures"], &program) } else { check(&program) }
}

/// Checks the types of the page and runs its tests on a built program. Returns false if Node.js,
/// npm or Chromium is missing.
pub fn test(program: &Path) -> anyhow::Result<bool> {
    if !provide()? {
        return Ok(false);
    }
    install()?;
    check(program)?;
    Ok(true)
}

fn provide() -> anyhow::Result<bool> {
    let programs = [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")];
    programs.into_iter().try_fold(true, |all, (program, package)| Ok(shell::provide(program, package)? && all))
}

fn check(program: &Path) -> anyhow::Result<()> {
    npm(&["run", "check"], program)?;
    npm(&["test"], program)
}

/// Installs the packages of the lock file.
fn install() -> anyhow::Result<()> {
    let mut npm = Command::new("npm");
    shell::run(npm.args(["ci", "--no-audit", "--no-fund", "--silent"]).current_dir(folder()))
}

/// Runs an npm script of the page with a program.
fn npm(arguments: &[&str], program: &Path) -> anyhow::Result<()> {
    let mut npm = Command::new("npm");
    shell::run(npm.args(arguments).arg("--silent").env("TESUJI", program).current_dir(folder()))
}

fn folder() -> PathBuf {
    shell::root().join("crates/web")
}
