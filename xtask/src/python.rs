//! The Python environment of the peers: a virtual environment with their packages, and the scripts
//! in `xtask/peers`.

use crate::shell;
use anyhow::{Context, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPTS: &str = "xtask/peers";

/// A virtual environment with the packages of `xtask/peers/requirements.txt`.
pub struct Python {
    program: PathBuf,
}

impl Python {
    /// Creates the environment, or reuses one with the same requirements.
    pub fn prepare() -> anyhow::Result<Python> {
        let home = shell::target_directory("Cargo.toml")?.join("peers/venv");
        let program = home.join("bin/python");
        let requirements = Path::new(SCRIPTS).join("requirements.txt");
        let wanted = std::fs::read_to_string(&requirements).context("cannot read xtask/peers/requirements.txt")?;
        // Written last, so an interrupted installation is repeated.
        let stamp = home.join("requirements.txt");
        if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(Python { program });
        }
        ensure!(
            shell::exists("python3"),
            "the peers need Python 3.9 or later, and python3 is missing: apt-get install python3 python3-venv"
        );
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&home)).with_context(|| {
            format!(
                "cannot create a virtual environment: apt-get install python3-venv, and remove {} if it is broken",
                home.display()
            )
        })?;
        shell::run(Command::new(&program).args(["-m", "pip", "install", "--quiet", "-r"]).arg(&requirements))
            .context("cannot install the peers' packages; pip needs access to a package index")?;
        std::fs::write(stamp, wanted)?;
        Ok(Python { program })
    }

    /// Returns a command that runs a script of `xtask/peers`.
    pub fn script(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(Path::new(SCRIPTS).join(name));
        command
    }

    /// Returns a command that runs a line of Python, which may import the scripts.
    pub fn line(&self, code: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.env("PYTHONPATH", SCRIPTS).args(["-c", code]);
        command
    }
}
