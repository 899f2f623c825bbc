//! `cargo xtask test`: runs every check, starting from a clean clone.

use crate::{instructions, lengths, readme, shell, studio, words};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Arguments of `cargo xtask test`.
#[derive(clap::Args)]
pub struct Args {
    /// Also run the long suites: deep perft counts, twenty times the random games, slow known
    /// values, fuzzing
    #[arg(long)]
    long: bool,
}

pub fn run(args: &Args) -> anyhow::Result<()> {
    let begin = Instant::now();
    shell::run(&mut shell::cargo(&["fmt", "--all", "--check"]))?;
    for workspace in ["peers/Cargo.toml", "fuzz/Cargo.toml"] {
        shell::run(&mut shell::cargo(&["fmt", "--manifest-path", workspace, "--check"]))?;
    }
    words::run()?;
    lengths::run(&lengths::Args { count: 0, check: true })?;
    // The lists of games and searches are macros, which cargo fmt does not look into.
    for listed in ["crates/games/src", "crates/search/src"] {
        let files = rust_files(Path::new(listed))?;
        shell::run(Command::new("rustfmt").args(["--edition", "2024", "--check"]).args(files))?;
    }
    // External opponents; the tests that need them report a missing one.
    for (program, package) in [("gnugo", "gnugo"), ("gtp-rhino", "grhino"), ("fairy-stockfish", "fairy-stockfish")] {
        shell::provide(program, package)?;
    }
    shell::run(&mut shell::cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    // Clippy has checked the examples; compiling them here would compile the searches once more.
    let mut tests = shell::cargo(&["test", "--workspace", "--tests", "--quiet"]);
    if args.long {
        tests.env("TESUJI_PERFT_LEAVES", "200000000").env("TESUJI_TWIN_FACTOR", "20");
        tests.env("TESUJI_TRUTH_NODES", "2000000000").env("TESUJI_CLUSTER_KILLS", "100");
    }
    shell::run(&mut tests)?;
    shell::run(&mut shell::cargo(&["test", "--workspace", "--doc", "--quiet"]))?;
    // The tests of the command line have built the program.
    let program = shell::target_directory("Cargo.toml")?.join("debug/tesuji");
    studio::test(&program)?;
    readme::update(&program, true)?;
    let mut documents = shell::cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    shell::run(documents.env("RUSTDOCFLAGS", "-D warnings"))?;
    if shell::provide("valgrind", "valgrind")? {
        instructions::run(&instructions::Args { bless: false })?;
    }
    if args.long {
        crate::fuzz::run(&crate::fuzz::Args { runs: 100_000 })?;
    }
    eprintln!("all tests passed in {} s", begin.elapsed().as_secs());
    Ok(())
}

fn rust_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}
