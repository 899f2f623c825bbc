//! Every law of searches: each search of the list and each spec of `testdata/searches.txt`, on the games of
//! `testdata/small-games.txt`.

use libtest_mimic::{Arguments, Failed, Trial};
use tesuji_testkit::data;
use tesuji_testkit::search_battery::{Effort, run};

fn main() {
    let arguments = Arguments::from_args();
    let games = data::small_games();
    let mut trials = Vec::new();
    for player in data::searches() {
        for game in games.clone() {
            let player = player.clone();
            trials.push(Trial::test(format!("{player} on {game}"), move || {
                let effort = Effort { games: 2, playouts: 200, nodes: 2_000, oracle_nodes: 2_000, seed: 1 };
                let report = run(&player, &game, &effort)?;
                if report.passed() { Ok(()) } else { Err(Failed::from(report.to_string())) }
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
