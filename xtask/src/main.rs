//! `cargo xtask`: the project's own chores.

mod data;
mod fuzz;
mod instructions;
mod oracle;
mod peers;
mod python;
mod readme;
mod shell;
mod strength;
mod studio;
mod test;

use clap::{Parser, Subcommand};

/// The project's own chores.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    after_help = "Examples:\n  cargo xtask test\n  cargo xtask peers\n  cargo xtask instructions --bless"
)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run every test: formatting, lints, tests, documents, instruction counts.
    Test(test::Args),
    /// Count the instructions of hot paths, and compare with the counts on record.
    Instructions(instructions::Args),
    /// Compare every search and every switch with minimax on thousands of small positions, and verify their proofs.
    Oracle(oracle::Args),
    /// Fuzz the readers of specs, positions and moves.
    Fuzz(fuzz::Args),
    /// Measure peers and Tesuji side by side, and print ratios.
    Peers(peers::Args),
    /// Play matches against a peer at equal time, on every game that both have.
    Strength(strength::Args),
    /// Test the studio's page in Chromium against its own server, or make its pictures for the README.
    Studio(studio::Args),
    /// Make the perft counts and random games of outside packages in testdata/ anew.
    Data(data::Args),
    /// Write the table of games into README.md.
    Readme(readme::Args),
}

fn main() -> anyhow::Result<()> {
    std::env::set_current_dir(shell::root())?;
    match Cli::parse().chore {
        Chore::Test(args) => test::run(&args),
        Chore::Instructions(args) => instructions::run(&args),
        Chore::Oracle(args) => oracle::run(&args),
        Chore::Fuzz(args) => fuzz::run(&args),
        Chore::Peers(args) => peers::run(&args),
        Chore::Strength(args) => strength::run(&args),
        Chore::Studio(args) => studio::run(&args),
        Chore::Data(args) => data::run(&args),
        Chore::Readme(args) => readme::run(&args),
    }
}
