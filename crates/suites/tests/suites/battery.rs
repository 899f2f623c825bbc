//! The game battery on every game and every variant of `testdata/variants.txt`.

use libtest_mimic::{Failed, Trial};
use tesuji_suites::data;
use tesuji_testkit::battery;

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let trials = data::specs().into_iter().map(|spec| {
        Trial::test(spec.clone(), move || {
            let report = battery::run(&spec, &battery::Effort { games: 8, playouts: 2000, seed: 1 })?;
            if report.passed() { Ok(()) } else { Err(Failed::from(report.to_string())) }
        })
    });
    trials.collect()
}
