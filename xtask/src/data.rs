//! `cargo xtask data`: regenerates the test data that comes from other programs.

use crate::python::Python;
use crate::shell;
use anyhow::ensure;

/// Arguments of `cargo xtask data`.
#[derive(clap::Args)]
#[command(
    after_help = "Writes testdata/perft/NAME.perft and testdata/differential/NAME.txt. All files take half an hour. \
                        The output depends only on the versions in xtask/peers/requirements.txt.\n\n\
                        Examples:\n  cargo xtask data\n  cargo xtask data --only hex --only go"
)]
pub struct Args {
    /// Write only the files with this name; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
}

/// The scripts, each with the Python expression for the names of its files.
const SCRIPTS: [(&str, &str); 2] = [("perft", "{*perft.PLAN, *perft.KNOWN}"), ("differential", "differential.PLAN")];

pub fn run(args: &Args) -> anyhow::Result<()> {
    let python = Python::prepare()?;
    let mut plans = Vec::new();
    for (script, names) in SCRIPTS {
        let names = shell::output(&mut python.line(&format!("import {script}; print(*sorted({names}))")))?;
        plans.push((script, names.split_whitespace().map(str::to_string).collect::<Vec<_>>()));
    }
    for name in &args.only {
        let mut known: Vec<&str> = plans.iter().flat_map(|(_, names)| names).map(String::as_str).collect();
        known.sort_unstable();
        known.dedup();
        ensure!(known.contains(&name.as_str()), "no data for {name:?}; available: {}", known.join(", "));
    }
    for (script, names) in plans {
        // Some names have only one kind of data.
        let wanted: Vec<&String> =
            names.iter().filter(|name| args.only.is_empty() || args.only.contains(name)).collect();
        if !wanted.is_empty() {
            shell::run(python.script(&format!("{script}.py")).args(wanted))?;
        }
    }
    Ok(())
}
