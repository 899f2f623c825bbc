//! Every law of searches: each search of the list and each spec of `testdata/searches.txt`, on the games of
//! `testdata/small-games.txt`.

use libtest_mimic::{Arguments, Failed, Trial};
use tesuji_testkit::data;
use tesuji_testkit::search_battery::{Effort, run};

const EFFORT: Effort = Effort { games: 2, playouts: 200, nodes: 2_000, oracle_nodes: 2_000, seed: 1 };

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for player in data::searches() {
        for game in data::small_games() {
            let player = player.clone();
            trials.push(Trial::test(format!("{player} on {game}"), move || {
                let report = run(&player, &game, &EFFORT)?;
                if report.passed() { Ok(()) } else { Err(Failed::from(report.to_string())) }
            }));
        }
        // A value that no game accepts looks like a refusal of every game.
        trials.push(Trial::test(format!("{player} plays tictactoe or samegame"), move || {
            let effort = Effort { games: 1, ..EFFORT };
            let refusals =
                ["tictactoe", "samegame:4x4"].map(|game| run(&player, game, &effort).map(|report| report.refused));
            match refusals {
                [Ok(Some(sentence)), Ok(Some(_))] => Err(Failed::from(sentence)),
                [Err(error), _] | [_, Err(error)] => Err(Failed::from(error)),
                _ => Ok(()),
            }
        }));
    }
    libtest_mimic::run(&arguments, trials).exit();
}
