//! Perft counts against published numbers and other programs: `testdata/perft`.

use libtest_mimic::{Failed, Trial};
use std::sync::atomic::AtomicBool;
use tesuji_suites::data;

/// Larger counts are skipped unless `TESUJI_PERFT_LEAVES` raises this limit.
const DEFAULT_LIMIT: u64 = 3_000_000;

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let limit = std::env::var("TESUJI_PERFT_LEAVES").map_or(DEFAULT_LIMIT, |text| text.parse().expect("a number"));
    let mut trials = Vec::new();
    let mut counted = Vec::new();
    for (file, text) in data::files("perft") {
        let blocks = data::perft_blocks(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for (number, block) in blocks.into_iter().enumerate() {
            counted.push(block.spec.clone());
            for (depth, leaves) in block.counts.clone() {
                if leaves > limit {
                    continue;
                }
                let block = block.clone();
                let name = format!("{} block {} depth {depth}", block.spec, number + 1);
                trials.push(Trial::test(name, move || {
                    let session = tesuji_catalog::open(&block.spec, &block.position)?;
                    let found = session.perft(depth, &AtomicBool::new(false)).expect("perft is not stopped").leaves;
                    if found == leaves {
                        return Ok(());
                    }
                    Err(Failed::from(format!("{}: {found}, but {} has {leaves}", block.position, block.source)))
                }));
            }
        }
    }
    trials.extend(crate::unchecked(&counted, "perft counts"));
    trials
}
