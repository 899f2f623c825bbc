//! Running other programs.

use anyhow::{Context, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Whether this is a run that must not skip anything.
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// A cargo command.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string()));
    command.args(arguments);
    command
}

/// Where cargo puts what it builds for a manifest.
pub fn target_directory(manifest: &str) -> anyhow::Result<PathBuf> {
    let metadata =
        output(&mut cargo(&["metadata", "--format-version", "1", "--no-deps", "--manifest-path", manifest]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let directory = metadata["target_directory"].as_str().context("cargo does not tell its target directory")?;
    Ok(PathBuf::from(directory))
}

/// Runs a command, shown first; an error if it fails.
pub fn run(command: &mut Command) -> anyhow::Result<()> {
    eprintln!("$ {}", shown(command));
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(status.success(), "{} failed: {status}", shown(command));
    Ok(())
}

/// Runs a command and gives what it prints; what it complains about is passed on.
pub fn output(command: &mut Command) -> anyhow::Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {}", shown(command)))?;
    ensure!(output.status.success(), "{} failed: {}", shown(command), output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// Whether a program is there: on the path, or where Debian puts games, which root's path leaves out.
pub fn exists(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]).any(|folder| folder.join(program).is_file())
}

/// Sees to it that a program is there. In CI a missing one is installed from Debian's packages, or the run fails; on a
/// developer's machine it is only said, and the answer is no.
pub fn provide(program: &str, package: &str) -> anyhow::Result<bool> {
    if exists(program) {
        return Ok(true);
    }
    if !is_ci() {
        eprintln!("SKIPPED: {program} is missing (apt-get install {package}); what needs it is not tested");
        return Ok(false);
    }
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    run(Command::new("apt-get").args(["install", "-y", "-qq", package]))?;
    if !exists(program) {
        bail!("{package} is installed, but there is no {program}");
    }
    Ok(true)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
