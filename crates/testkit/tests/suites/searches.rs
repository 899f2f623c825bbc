//! Every law of searches: each search of the list and each spec of `testdata/searches.txt`, on the games of
//! `testdata/small-games.txt`.

use libtest_mimic::{Failed, Trial};
use tesuji_testkit::data;
use tesuji_testkit::search_battery::{Effort, run};

const EFFORT: Effort =
    Effort { games: 2, playouts: 200, memory_playouts: 200, nodes: 2_000, oracle_nodes: 2_000, seed: 1 };

/// The tests of this suite.
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
        // The small games do not fill any memory; these do.
        trials.push(Trial::test(format!("{player} in little memory"), move || {
            let effort = Effort { games: 1, memory_playouts: 30_000, ..EFFORT };
            let mut refusals = Vec::new();
            for game in ["breakthrough:5x6", "samegame:9x9"] {
                let report = run(&player, game, &effort)?;
                if !report.passed() {
                    return Err(Failed::from(report.to_string()));
                }
                refusals.extend(report.refused);
            }
            // A value that no game accepts looks like a refusal of every game.
            if refusals.len() < 2 { Ok(()) } else { Err(Failed::from(refusals.join("\n"))) }
        }));
    }
    trials
}
