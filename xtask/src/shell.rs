//! Running other programs.

use anyhow::{Context, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Whether this is a CI run, which must not skip anything.
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Returns a cargo command.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string()));
    command.args(arguments);
    command
}

/// Returns the target directory of a manifest.
pub fn target_directory(manifest: &str) -> anyhow::Result<PathBuf> {
    let metadata =
        output(&mut cargo(&["metadata", "--format-version", "1", "--no-deps", "--manifest-path", manifest]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let directory = metadata["target_directory"].as_str().context("cargo did not report its target directory")?;
    Ok(PathBuf::from(directory))
}

/// Prints a command and runs it. Returns an error if it fails.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    eprintln!("$ {}", shown(command));
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(status.success(), "{} failed: {status}", shown(command));
    Ok(())
}

/// Runs a command and returns its standard output; its standard error is passed on.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(output.status.success(), "{} failed: {}", shown(command), output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// Returns the tracked files that match any of the patterns of `git ls-files`.
pub fn tracked(patterns: &[&str]) -> anyhow::Result<Vec<String>> {
    let files = output(Command::new("git").arg("ls-files").args(patterns))?;
    Ok(files.lines().map(str::to_string).collect())
}

/// Whether a program is on the path or in Debian's folder of games, which root's path omits.
pub fn exists(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]).any(|folder| folder.join(program).is_file())
}

/// Ensures that a program is available. In CI a missing one is installed from Debian's packages, or
/// the run fails. On a developer's machine this prints a message and returns false.
pub fn provide(program: &str, package: &str) -> anyhow::Result<bool> {
    if exists(program) {
        return Ok(true);
    }
    if !is_ci() {
        eprintln!("SKIPPED: {program} is missing (apt-get install {package}); tests that need it are skipped");
        return Ok(false);
    }
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    run(Command::new("apt-get").args(["install", "-y", "-qq", package]))?;
    if !exists(program) {
        bail!("{package} is installed, but {program} is missing");
    }
    Ok(true)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
