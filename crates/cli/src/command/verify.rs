//! `tesuji verify`: verification of a proof.

use crate::command::solve::size;
use crate::command::think::seconds;
use crate::progress::live_line;
use crate::{output, stop};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;
use tesuji_catalog::{ProofError, Verification, VerificationFailure};

/// Arguments of `tesuji verify`.
#[derive(ClapArgs)]
#[command(
    after_help = "The verifier shares no code with the searches; it uses only the rules of the game. Exit code 0: every claim is \
                  proven; 1: the proof is rejected, with the faulty position.\n\nExamples:\n  \
                  tesuji solve hex:4 --proof hex4.proof && tesuji verify hex4.proof\n  tesuji verify hex4.proof --json"
)]
pub struct Args {
    /// Proof file
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    verified: bool,
    #[serde(flatten)]
    verification: Option<&'a Verification>,
    #[serde(flatten)]
    failure: Option<&'a VerificationFailure>,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    seconds: f64,
    positions_per_second: f64,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let begin = Instant::now();
    let checked = watched(&args.file, stop::flag()?, |watch| tesuji_catalog::verify(&args.file, watch))?;
    let seconds_spent = begin.elapsed().as_secs_f64();
    let verification = checked.as_ref().ok();
    if args.json {
        let positions = verification.map_or(0, |verification| verification.positions);
        let timing = Timing { seconds: seconds_spent, positions_per_second: positions as f64 / seconds_spent };
        let failure = checked.as_ref().err();
        output::json(&Report { verified: failure.is_none(), verification, failure, timing })?;
    } else if let Some(verification) = verification {
        output::text(describe(verification))?;
        output::text(format!("verified in {}\n", seconds(seconds_spent)))?;
    }
    match checked {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(failure) => {
            if !args.json {
                print_failure(&failure, &args.file);
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Reads a certificate with a progress line. An unreadable file is an error; a rejected one is a
/// result.
pub fn watched<T>(
    file: &Path,
    stop: &'static AtomicBool,
    read: impl FnOnce(&mut dyn FnMut(u64) -> bool) -> Result<T, ProofError>,
) -> anyhow::Result<Result<T, VerificationFailure>> {
    let bar = live_line(format!("verifying {}", file.display()))?;
    let mut watch = |positions: u64| {
        bar.set_message(format!("verifying {}, {} so far", file.display(), output::count(positions, "position")));
        !stop.load(Relaxed)
    };
    let done = read(&mut watch);
    bar.finish_and_clear();
    match done {
        Ok(read) => Ok(Ok(read)),
        Err(ProofError::Io(error)) => Err(anyhow::anyhow!("cannot read {}: {error}", file.display())),
        Err(error) => Ok(Err(VerificationFailure::new(&error))),
    }
}

/// Prints why a certificate was rejected.
pub fn print_failure(failure: &VerificationFailure, file: &Path) {
    eprintln!("{} is not verified: {}", file.display(), failure.error);
}

/// Formats a verified certificate.
pub fn describe(verification: &Verification) -> String {
    let mut text = format!("{}, {}\n", verification.game, verification.root);
    for claim in &verification.claims {
        let longest = claim.proved.longest;
        let longest = longest.map_or(String::new(), |plies| format!(", at most {}", output::plies(u64::from(plies))));
        text += &format!(
            "proven: {} ({}, {}{longest})\n",
            claim.words,
            claim.proved.kind,
            output::count(claim.proved.positions, "position")
        );
    }
    text + &format!("{}\n", size(verification))
}
