//! `cargo xtask`: development tasks.

mod data;
mod fuzz;
mod gnugo_oracle;
mod instructions;
mod lengths;
mod oracle;
mod peers;
mod python;
mod readme;
mod shell;
mod strength;
mod studio;
mod test;
mod words;

use clap::{Parser, Subcommand};

/// Development tasks.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    after_help = "Examples:\n  cargo xtask test\n  cargo xtask peers\n  cargo xtask instructions --bless"
)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every check: formatting, lints, tests, documentation, instruction counts.
    Test(test::Args),
    /// Count the instructions of hot paths and compare them with the recorded counts.
    Instructions(instructions::Args),
    /// Compare every search and option with minimax on thousands of small positions, and verify
    /// proofs.
    Oracle(oracle::Args),
    /// Compare answers about blocks in Go with those of GNU Go.
    GnugoOracle(gnugo_oracle::Args),
    /// Fuzz the parsers of specs, positions, moves, certificates and SGF files.
    Fuzz(fuzz::Args),
    /// Measure the speed of other programs and of Tesuji, and print ratios.
    Peers(peers::Args),
    /// Play matches against open_spiel's tree search at equal time.
    Strength(strength::Args),
    /// Test the studio in Chromium against its server, or take the screenshots of the README.
    Studio(studio::Args),
    /// Regenerate the perft counts and random games of other programs in testdata/.
    Data(data::Args),
    /// Update the tables of games and searches in README.md.
    Readme(readme::Args),
    /// Find words to avoid and long comment lines.
    Words,
    /// List the longest files and functions.
    Lengths(lengths::Args),
}

fn main() -> anyhow::Result<()> {
    std::env::set_current_dir(shell::root())?;
    match Cli::parse().task {
        Task::Test(args) => test::run(&args),
        Task::Instructions(args) => instructions::run(&args),
        Task::Oracle(args) => oracle::run(&args),
        Task::GnugoOracle(args) => gnugo_oracle::run(&args),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Peers(args) => peers::run(&args),
        Task::Strength(args) => strength::run(&args),
        Task::Studio(args) => studio::run(&args),
        Task::Data(args) => data::run(&args),
        Task::Readme(args) => readme::run(&args),
        Task::Words => words::run(),
        Task::Lengths(args) => lengths::run(&args),
    }
}
