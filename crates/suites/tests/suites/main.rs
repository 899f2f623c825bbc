//! All suites over the lists of games and searches in one program, which is linked once and keeps
//! all cores busy to the end.
//!
//! `cargo test -p tesuji-suites --test suites -- perft` runs one suite; a full name runs one test.

mod agreement;
mod battery;
mod cycles;
mod differential;
mod hex_openings;
mod lion_tablebase;
mod mcts_counts;
mod mcts_proofs;
mod naive;
mod outside_data;
mod perft;
mod playthroughs;
mod proof_numbers;
mod properties;
mod searches;
mod statistics;
mod truths;
mod twins;

use libtest_mimic::{Arguments, Trial};

/// The name of a suite and its tests.
type Suite = (&'static str, fn() -> Vec<Trial>);

/// The suites, those with the longest tests first.
const SUITES: [Suite; 17] = [
    ("proof numbers", proof_numbers::trials),
    ("mcts proofs", mcts_proofs::trials),
    ("mcts counts", mcts_counts::trials),
    ("cycles", cycles::trials),
    ("truths", truths::trials),
    ("agreement", agreement::trials),
    ("statistics", statistics::trials),
    ("lion tablebase", lion_tablebase::trials),
    ("searches", searches::trials),
    ("naive", naive::trials),
    ("hex openings", hex_openings::trials),
    ("outside data", outside_data::trials),
    ("properties", properties::trials),
    ("battery", battery::trials),
    ("differential", differential::trials),
    ("perft", perft::trials),
    ("playthroughs", playthroughs::trials),
];

fn main() {
    let arguments = Arguments::from_args();
    if naive::writes_perft() {
        return;
    }
    let trials = SUITES.iter().flat_map(|(name, trials)| trials().into_iter().map(move |trial| trial.with_kind(*name)));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// Returns ignored tests that name the games without an optional kind of data.
fn unchecked(specs: &[String], what: &str) -> Vec<Trial> {
    let missing = tesuji_games::INFOS.iter().filter(|info| !tesuji_suites::data::has_game(specs, info.name));
    let trial = |name: &str| Trial::test(format!("{name}: no {what} (optional)"), || Ok(())).with_ignored_flag(true);
    missing.map(|info| trial(info.name)).collect()
}

/// Creates tests from functions that panic on failure.
fn trials_of<const N: usize>(tests: [(&str, fn()); N]) -> Vec<Trial> {
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    tests.into_iter().map(trial).collect()
}
