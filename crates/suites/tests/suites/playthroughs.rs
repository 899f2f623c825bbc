//! One random game of every spec against its snapshot, which shows any change of rules or notation.

use libtest_mimic::Trial;
use tesuji_suites::data;
use tesuji_testkit::playthrough;

fn random_games_match_their_snapshots() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../testdata/playthroughs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for spec in data::specs() {
            // Large boards have the same rules and much longer games.
            if spec.ends_with("19") || spec.ends_with("18x8") || spec.ends_with("20x20,colours=10") {
                continue;
            }
            let name: String = spec.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
            insta::assert_snapshot!(name, playthrough(&spec, 1).expect("a spec of the list"));
        }
    });
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 1] = [("random games match their snapshots", random_games_match_their_snapshots)];
    crate::trials_of(tests)
}
