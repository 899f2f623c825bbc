//! `cargo xtask fuzz`: fuzzes the parsers of specs, positions, moves, certificates and SGF files.

use crate::shell;
use anyhow::ensure;
use std::time::Instant;

/// Arguments of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub struct Args {
    /// Number of inputs for each target
    #[arg(long, default_value_t = 100_000)]
    pub runs: u64,
}

/// The targets in `fuzz/fuzz_targets`.
const TARGETS: [&str; 5] = ["spec", "position", "moves", "certificate", "sgf"];

pub fn run(args: &Args) -> anyhow::Result<()> {
    if !shell::exists("cargo-fuzz") {
        shell::run(&mut shell::cargo(&["install", "--locked", "--version", "^0.13", "cargo-fuzz"]))?;
    }
    let mut failed = Vec::new();
    for target in TARGETS {
        let begin = Instant::now();
        // Without a sanitizer the stable compiler suffices; there is almost no unsafe code. An
        // input that takes too long is also a failure.
        let mut fuzz = shell::cargo(&["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", "none", target, "--"]);
        fuzz.arg(format!("-runs={}", args.runs)).args(["-max_len=400", "-timeout=20"]);
        match shell::run(&mut fuzz) {
            Ok(()) => eprintln!("{target}: {} inputs in {} s, no failure", args.runs, begin.elapsed().as_secs()),
            Err(error) => {
                eprintln!("{target}: {error}");
                failed.push(target);
            }
        }
    }
    ensure!(failed.is_empty(), "{} found failures; the inputs are in fuzz/artifacts", failed.join(", "));
    Ok(())
}
