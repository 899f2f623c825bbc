//! Games for one player.

use super::{empty_tree, params, search};
use crate::mcts::context::SearchContext;
use crate::mcts::select::{Formula, ParentState, best, terms::deviation_bonus};
use crate::mcts::tree::{ROOT, SQUARE_UNIT, UNIT, square};
use crate::mcts::worker::Worker;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{History, Outcome, Player, Rng, Rules, StopReason};
use tesuji_games::{Clickomania, Connect4, SameGame, rules};

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
        for player in ["mcts", "mcts:solver", "mcts:rave", "mcts:reuse,table", "mcts:select=ucb1tuned,c=3"] {
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

/// Scores 10 and 20 at 4 visits of the node, C = 0.1 and D = 32: the mean is 15, the deviation
/// sqrt((500 - 450 + 32) / 2) = 6.403, and the exploration with a decimal logarithm, as in the
/// authors' program, 0.1 sqrt(0.602 / 2) = 0.055.
#[test]
fn sp_mcts_at_hand_worked_numbers() {
    let (log, n): (f64, f64) = (4f64.log10(), 2.0);
    let score = 15.0 + 0.1 * (log / n).sqrt() + deviation_bonus(500.0 - 450.0, n, 32.0);
    assert!((score - 21.458).abs() < 5e-4, "{score}");
    // The variance of two equal scores is 0, whatever rounding makes of it.
    assert_eq!(deviation_bonus(-1e-9, 2.0, 0.0), (0.5e-9f64).sqrt());
}

/// The same scores as statistics of a node of SameGame, with the natural logarithm of the paper.
#[test]
fn the_constants_of_sp_mcts_are_in_points() {
    let history = History::<SameGame>::new(rules::<SameGame>("samegame").unwrap());
    let params = params("mcts:select=sp,c=0.1,d=32");
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let mut worker = Worker::new(&search, Rng::new(1), None);
    worker.simulate();
    let mut block = kept.tree.children(ROOT).unwrap();
    block.opened = 1;
    let (low, high) = history.facts().scores;
    let points_of = |value: f64| (value + 1.0) / 2.0 * f64::from(high - low) + f64::from(low);
    let (chunk, at) = (block.chunk, block.begin);
    chunk.add(at, -i64::from(chunk.nodes[at].visits()), -chunk.sum(at), false);
    chunk.squares[at].store(0, Relaxed);
    for score in [10, 20] {
        let value = search.values(&Outcome::of(&[score]))[0];
        chunk.add(at, 1, value, false);
        chunk.squares[at].fetch_add(square(value), Relaxed);
    }
    assert!((points_of(block.mean(0)) - 15.0).abs() < 0.05);
    let formula = Formula::new(&params, history.facts(), false, true);
    let node = ParentState { visits: 4, maximises: true, interval: search.range, unsolved: false, reference: None };
    let (_, score) = best(&formula, &block, &node, &[], &mut Rng::new(1), &mut Vec::new()).unwrap();
    let expected = 15.0 + 0.1 * (4f64.ln() / 2.0).sqrt() + 41f64.sqrt();
    assert!((points_of(f64::from(score)) - expected).abs() < 0.1, "{} points", points_of(f64::from(score)));
}

/// After any number of simulations a node has the sum of the squares of its values, and the highest
/// of them.
#[test]
fn squares_and_maxima_are_those_of_the_visits() {
    let history = History::<SameGame>::new(rules::<SameGame>("samegame:10x10").unwrap());
    let params = params("mcts:select=sp,best=0.1,expand-visits=3");
    let kept = empty_tree(&history, &params);
    let search = SearchContext::new(&params, &kept.tree, &history, None, None);
    let mut worker = Worker::new(&search, Rng::new(4), None);
    (0..3000).for_each(|_| {
        worker.simulate();
    });
    let mut seen = 0;
    let mut stack = vec![ROOT];
    while let Some(id) = stack.pop() {
        let (chunk, at) = kept.tree.at(id);
        let (visits, sum) = (f64::from(chunk.nodes[at].visits()), chunk.sum(at) as f64 / f64::from(UNIT));
        let squares = chunk.squares[at].load(Relaxed) as f64 / SQUARE_UNIT;
        let highest = f64::from(chunk.maximum(at).unwrap());
        assert!(squares >= sum * sum / visits - 1e-6 && highest >= sum / visits - 1e-6);
        let Some(block) = kept.tree.children(id) else { continue };
        let visited = (0..block.count).filter(|&child| block.visits(child) > 0);
        let below = visited.clone().map(|child| chunk_maximum(&block, child)).fold(-1.0, f64::max);
        // Every node above its children has them among its visits.
        assert!(highest >= below - 1e-6, "{highest} {below}");
        stack.extend(visited.map(|child| block.first + child as u32));
        seen += 1;
    }
    assert!(seen > 20, "{seen} nodes have children");
}

fn chunk_maximum(block: &crate::mcts::tree::Block<'_, u16>, child: usize) -> f64 {
    f64::from(block.chunk.maximum(block.begin + child).unwrap())
}

#[test]
fn options_for_one_player_are_refused_elsewhere() {
    let rules = rules::<Connect4>("connect4").unwrap();
    for player in ["mcts:select=sp", "mcts:best", "mcts:scale=game", "mcts:beam=3", "mcts:playout=bandit"] {
        let error = crate::build::<Connect4>(&player.parse().unwrap(), &rules).err().expect(player).to_string();
        let reason = if player.contains("playout") { "no informed policies" } else { "one player" };
        assert!(error.contains(reason), "{error}");
    }
}

/// With the range of the game, C has the scale of Baier (2015): 100 points of SameGame are a reward
/// of 0.0013, so a constant of sqrt 2 is close to a uniform search, and one of 0.001 is not.
#[test]
fn the_scale_of_the_game_is_far_wider_than_the_scores() {
    let most_visited = |player: &str| {
        let report = search::<SameGame>("samegame", "start", player, 10_000);
        let visits = report.moves.iter().map(|entry| entry.visits);
        visits.clone().max().unwrap() as f64 / (visits.sum::<u64>() as f64 / report.moves.len() as f64)
    };
    let [wide, narrow] = ["1.41", "0.001"].map(|c| most_visited(&format!("mcts:select=ucb1tuned,scale=game,c={c}")));
    assert!(wide < 1.5 && narrow > 4.0, "{wide} {narrow}");
}

#[test]
fn informed_playouts_find_better_lines_on_average() {
    let mean = |playout: &str| {
        let score = |seed: u64| {
            let report = search::<SameGame>(
                &format!("samegame:10x10,colours=4,seed={seed}"),
                "start",
                &format!("mcts:playout={playout}"),
                1500,
            );
            f64::from(report.bounds.at_least)
        };
        (1..=8).map(score).sum::<f64>() / 8.0
    };
    let uniform = mean("uniform");
    for playout in ["chosen", "drawn", "bandit"] {
        let informed = mean(playout);
        assert!(informed > uniform, "{playout}: {informed}, uniform: {uniform}");
    }
}
