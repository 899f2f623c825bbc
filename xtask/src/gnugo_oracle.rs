//! `cargo xtask gnugo-oracle`: GNU Go's answers about blocks beside ours. It starts the example
//! `gnugo_oracle` of `tesuji-gtp`.

use crate::shell;
use anyhow::Context;
use std::os::unix::process::CommandExt;

/// Arguments of `cargo xtask gnugo-oracle`.
#[derive(clap::Args)]
#[command(
    after_help = "Random blocks with 1 to 4 liberties in random positions of the games; each is attacked or defended. A \
disagreement counts for Tesuji only with a verified certificate. A killed run resumes with the same command.\n\n\
Examples:\n  cargo xtask gnugo-oracle --games games.sgfs --log target/gnugo.jsonl\n  \
cargo xtask gnugo-oracle --games games.sgfs --questions 500 --nodes 300000 --log target/gnugo.jsonl"
)]
pub struct Args {
    /// SGF file of games
    #[arg(long, value_name = "FILE")]
    games: String,
    /// Number of questions
    #[arg(long, default_value_t = 10_000)]
    questions: u64,
    /// Time limit of a question, for Tesuji [default: 1s, unless --nodes is given]
    #[arg(long)]
    time: Option<String>,
    /// Node limit of a question, for Tesuji: answers do not depend on the load of the machine
    #[arg(long)]
    nodes: Option<u64>,
    /// Seed of the random questions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Log file, relative to the repository root; the same command resumes from it
    #[arg(long, value_name = "FILE")]
    log: String,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    if !shell::provide("gnugo", "gnugo")? {
        return Ok(());
    }
    let mut program =
        shell::cargo(&["run", "--release", "--quiet", "--package", "tesuji-gtp", "--example", "gnugo_oracle", "--"]);
    program.args(["--games", &args.games, "--questions", &args.questions.to_string()]);
    let time = args.time.clone().or_else(|| args.nodes.is_none().then(|| "1s".to_string()));
    program.args(time.iter().flat_map(|time| ["--time", time]));
    program.args(args.nodes.iter().flat_map(|nodes| ["--nodes".to_string(), nodes.to_string()]));
    program.args(["--seed", &args.seed.to_string(), "--log", &args.log]);
    program.args(["--gnugo", "gnugo --mode gtp --level 10 --seed 1"]);
    // Debian's folder of games is not on root's path.
    let path = format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default());
    Err(program.env("PATH", path).exec()).context("cannot start cargo")
}
