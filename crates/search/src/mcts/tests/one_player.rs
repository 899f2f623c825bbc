//! Games for one player.

use super::search;
use tesuji_core::{History, Player, Rules, StopReason};
use tesuji_games::{Clickomania, SameGame, rules};

/// Scores of a game for one player fill a small part of their range. Selection scales them to what
/// occurs, so that visits concentrate, and the standard error is that of the scores.
#[test]
fn one_player_selects_by_the_scores_that_occur() {
    let report = search::<SameGame>("samegame:8x8,colours=3", "start", "mcts", 20_000);
    let visits: Vec<u64> = report.moves.iter().map(|entry| entry.visits).collect();
    let mean = visits.iter().sum::<u64>() / visits.len() as u64;
    let most = report.moves.iter().max_by_key(|entry| entry.visits).unwrap();
    assert!(most.visits > 5 * mean, "{visits:?}");
    let (low, high) = rules::<SameGame>("samegame:8x8,colours=3").unwrap().facts().scores;
    let points = |spread: f64| spread / 2.0 * f64::from(high - low);
    let spread = points(most.spread.unwrap());
    // The scores of playouts differ by some hundred points.
    assert!((0.1..20.0).contains(&spread), "{spread}");
}

/// In a game for one player the report has the best complete simulation.
#[test]
fn one_player_keeps_the_best_line() {
    for seed in 1..=4 {
        let game = format!("samegame:4x5,colours=3,seed={seed}");
        let root = History::<SameGame>::new(rules::<SameGame>(&game).unwrap());
        let optimum = crate::minimax::value(&mut root.clone(), Player::FIRST, 10_000_000).unwrap();
        for player in ["mcts", "mcts:solver", "mcts:rave", "mcts:reuse,table", "mcts:select=ucb1tuned,c=1"] {
            let report = search::<SameGame>(&game, "start", player, 20_000);
            let mut line = root.clone();
            report.variation.iter().for_each(|&mv| line.play(mv));
            let score = line.outcome().map(|outcome| outcome.score(Player::FIRST));
            assert_eq!(score, Some(report.bounds.at_least), "{player}");
            // Without exploration RAVE may miss the optimum.
            let is_optimal = report.bounds.at_least == optimum;
            assert!(is_optimal || (player == "mcts:rave" && report.bounds.at_least < optimum), "{player}: {report:?}");
            assert_eq!(report.best, report.variation.first().copied(), "{player}");
            assert_eq!(report.moves[0].mv, report.variation[0], "{player}");
        }
    }
}

/// A line with the highest score of the game ends the search, and trees that vote report the best
/// line of all.
#[test]
fn the_best_line_counts_whatever_the_trees_vote() {
    let report = search::<Clickomania>("clickomania:8x8,colours=4", "start", "mcts", 20_000);
    assert_eq!((report.bounds.at_least, report.stopped), (64, StopReason::Solved));
    for player in ["root:[mcts],[mcts:c=0.1],[nmcs]", "root:[nmcs:level=1],[nrpa:level=1],vote=visits"] {
        let root = History::<SameGame>::new(rules::<SameGame>("samegame:8x8,colours=4").unwrap());
        let report = search::<SameGame>("samegame:8x8,colours=4", "start", player, 6000);
        let mut line = root.clone();
        report.variation.iter().for_each(|&mv| line.play(mv));
        assert_eq!(line.outcome().map(|end| end.score(Player::FIRST)), Some(report.bounds.at_least), "{player}");
        assert_eq!(report.best, report.variation.first().copied(), "{player}");
        assert_eq!(report.moves[0].bounds.at_least, report.bounds.at_least, "{player}");
    }
}
