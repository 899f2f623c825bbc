//! `cargo xtask oracle`: the large run of the checks that the suite `agreement` samples. It starts
//! the example `oracle` of `tesuji-suites`.

use crate::shell;
use anyhow::Context;
use std::os::unix::process::CommandExt;

/// Arguments of `cargo xtask oracle`.
#[derive(clap::Args)]
#[command(
    after_help = "Every search of testdata/searches.txt, and some more, searches each position, also with two threads and \
with very little memory; a few solvers per position must write certificates of their answers. Ctrl-C stops it and prints the results so far. \
Exit code 1 means that a check failed.\n\n\
Examples:\n  cargo xtask oracle --log target/oracle.jsonl\n  cargo xtask oracle --only lion --positions 500\n  \
cargo xtask oracle --only graphs --only cycles --seed 7"
)]
pub struct Args {
    /// Total number of positions, spread evenly over the games and graphs
    #[arg(long, default_value_t = 10_000)]
    positions: u32,
    /// Seed of the random games and graphs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Check only this game: a spec, a name (all its specs in testdata/late-games.txt), `graphs` or
    /// `cycles`
    #[arg(long, value_name = "GAME")]
    only: Vec<String>,
    /// Number of positions searched concurrently
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Log file, relative to the repository root; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    log: Option<String>,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut program =
        shell::cargo(&["run", "--release", "--quiet", "--package", "tesuji-suites", "--example", "oracle", "--"]);
    program.args(["--positions", &args.positions.to_string(), "--seed", &args.seed.to_string()]);
    program.args(["--threads", &args.threads.to_string()]);
    program.args(args.only.iter().flat_map(|game| ["--only", game]));
    program.args(args.log.iter().flat_map(|file| ["--log", file]));
    // It replaces this process, so that it receives Ctrl-C and sets the exit code.
    Err(program.exec()).context("cannot start cargo")
}
