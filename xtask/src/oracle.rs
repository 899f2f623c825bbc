//! `cargo xtask oracle`: the large run of what the suite `agreement` samples. The example `oracle` of `tesuji-testkit` does the work.

use crate::shell;
use anyhow::Context;
use std::os::unix::process::CommandExt;

/// Arguments of `cargo xtask oracle`.
#[derive(clap::Args)]
#[command(
    after_help = "Each position is searched by every search of testdata/searches.txt and more, with two threads and \
with hardly any memory too; some solvers at a time have to prove their answers in files. Ctrl-C ends it with what it has; \
exit code 1 says that something was wrong.\n\n\
Examples:\n  cargo xtask oracle --log target/oracle.jsonl\n  cargo xtask oracle --only lion --positions 500\n  \
cargo xtask oracle --only graphs --only circles --seed 7"
)]
pub struct Args {
    /// Positions in all, spread evenly over the games and graphs
    #[arg(long, default_value_t = 10_000)]
    positions: u32,
    /// Where the random games and graphs begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this game: a spec, a name for all specs of testdata/late-games.txt with it, `graphs` or `circles`
    #[arg(long, value_name = "GAME")]
    only: Vec<String>,
    /// Positions searched at the same time
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Keeps what is done in this file (from the root of the project); the same command goes on from it
    #[arg(long, value_name = "FILE")]
    log: Option<String>,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut program =
        shell::cargo(&["run", "--release", "--quiet", "--package", "tesuji-testkit", "--example", "oracle", "--"]);
    program.args(["--positions", &args.positions.to_string(), "--seed", &args.seed.to_string()]);
    program.args(["--threads", &args.threads.to_string()]);
    program.args(args.only.iter().flat_map(|game| ["--only", game]));
    program.args(args.log.iter().flat_map(|file| ["--log", file]));
    // It takes the place of this process, so that Ctrl-C and the exit code are its own.
    Err(program.exec()).context("cannot start cargo")
}
