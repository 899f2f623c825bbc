//! The search battery with every search and every spec of `testdata/searches.txt`, on the games of
//! `testdata/small-games.txt`.

use libtest_mimic::{Failed, Trial};
use tesuji_suites::data;
use tesuji_testkit::search_battery::{Effort, run};

const EFFORT: Effort =
    Effort { games: 2, playouts: 200, memory_playouts: 200, nodes: 2_000, oracle_nodes: 2_000, seed: 1 };

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for player in data::searches() {
        for game in data::small_games() {
            let player = player.clone();
            trials.push(Trial::test(format!("{player} on {game}"), move || {
                let report = run(&player, &game, &EFFORT)?;
                if report.passed() { Ok(()) } else { Err(Failed::from(report.to_string())) }
            }));
        }
        // The small games do not fill the memory; these do.
        trials.push(Trial::test(format!("{player} with little memory"), move || {
            let effort = Effort { games: 1, memory_playouts: 30_000, ..EFFORT };
            let mut rejections = Vec::new();
            for game in ["breakthrough:5x6", "samegame:9x9"] {
                let report = run(&player, game, &effort)?;
                if !report.passed() {
                    return Err(Failed::from(report.to_string()));
                }
                rejections.extend(report.refused);
            }
            // An option value that is never accepted looks like a search that supports no game.
            if rejections.len() < 2 { Ok(()) } else { Err(Failed::from(rejections.join("\n"))) }
        }));
    }
    trials
}
