use super::*;
use crate::{minimax, nmcs};
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, Limits, Player, Report, StopReason};
use tesuji_games::{SameGame, rules};

fn search_with(spec: &str, root: &History<SameGame>, limits: Limits, seed: u64, threads: usize) -> Report<u16> {
    let mut search = crate::build::<SameGame>(&spec.parse().unwrap(), root.rules()).unwrap();
    let stop = AtomicBool::new(false);
    search.search(root, &Control::new(limits, seed, &stop).with_threads(threads))
}

fn search(spec: &str, root: &History<SameGame>, playouts: u64) -> Report<u16> {
    search_with(spec, root, Limits { playouts: Some(playouts), ..Limits::default() }, 3, 1)
}

fn start(spec: &str) -> History<SameGame> {
    History::new(rules::<SameGame>(spec).unwrap())
}

fn score(report: &Report<u16>) -> f64 {
    report.solution.as_ref().unwrap().score.value()
}

/// The score of a line, by the rules.
fn score_of(root: &History<SameGame>, line: &[u16]) -> Option<i32> {
    let mut game = root.clone();
    line.iter().for_each(|&mv| game.play(mv));
    game.outcome().map(|outcome| outcome.score(Player::FIRST))
}

const SEARCHES: &[&str] = &[
    "nmcts:[mcts:c=0@playouts=50]",
    "nmcts:[mcts@playouts=20],level=3,searches=5,c=0.1",
    "nmcts:[nmcs:level=1@playouts=50]",
    "nmcts:[nmcts:[mcts@playouts=10]@playouts=200]",
    "restart:[mcts@playouts=300]",
    "restart:[nrpa:level=2@playouts=500]",
    "stepwise:[mcts],moves=6",
    "stepwise:[mcts],moves=6,commit=visits",
    "stepwise:[nmcts:[mcts@playouts=10]],moves=5",
    "beam:width=5,value=playouts=3",
    "beam:width=1,grow=1",
];

#[test]
fn solutions_have_their_score_and_the_same_seed_gives_the_same_answer() {
    let root = start("samegame:7x7,colours=4");
    for spec in SEARCHES {
        let report = search(spec, &root, 2000);
        let solution = report.solution.as_ref().unwrap_or_else(|| panic!("{spec} has no solution"));
        assert_eq!(score_of(&root, &solution.moves).map(f64::from), Some(solution.score.value()), "{spec}");
        assert_eq!(solution.moves, report.variation, "{spec}");
        assert!(solution.found_at_playout <= report.counters.playouts, "{spec}");
        assert!(report.counters.playouts <= 2000, "{spec}: {}", report.counters.playouts);
        assert_eq!(search(spec, &root, 2000), report, "{spec}");
    }
}

#[test]
fn small_boards_are_solved() {
    for seed in 1..=4 {
        let root = start(&format!("samegame:4x5,colours=3,seed={seed}"));
        let optimum = minimax::value(&mut root.clone(), Player::FIRST, 10_000_000).unwrap();
        for spec in SEARCHES {
            let found = score(&search(spec, &root, 20_000));
            assert!(found <= f64::from(optimum), "{spec} on board {seed}");
            // Move-by-move search commits itself, and a beam of one never sees more.
            if !spec.starts_with("stepwise") && !spec.contains("grow=1") {
                assert_eq!(found, f64::from(optimum), "{spec} on board {seed}");
            }
        }
    }
}

#[test]
fn every_limit_ends_the_search() {
    let root = start("samegame:7x7,colours=4");
    for spec in SEARCHES {
        let report = search_with(spec, &root, Limits { nodes: Some(700), ..Limits::default() }, 1, 1);
        assert!(report.counters.playouts > 0 && report.counters.nodes <= 1400, "{spec}: {:?}", report.counters);
        let stop = AtomicBool::new(true);
        let mut search = crate::build::<SameGame>(&spec.parse().unwrap(), root.rules()).unwrap();
        let report = search.search(&root, &Control::new(Limits::default(), 1, &stop));
        assert_eq!(report.stopped, StopReason::Interrupted, "{spec}");
    }
}

/// Level 1 is the nested search itself.
#[test]
fn level_1_is_the_search_inside() {
    let root = start("samegame:8x8,colours=4");
    let nested = search("nmcts:[mcts:c=0.1],level=1", &root, 3000);
    let plain = search("mcts:c=0.1", &root, 3000);
    assert_eq!(nested.solution, plain.solution);
    assert_eq!(nested.counters.playouts, plain.counters.playouts);
    let visits = |report: &Report<u16>| {
        let mut visits: Vec<(u16, u64)> = report.moves.iter().map(|entry| (entry.mv, entry.visits)).collect();
        visits.sort_unstable();
        visits
    };
    assert_eq!(visits(&nested), visits(&plain));
    assert_eq!(search("restart:[mcts:c=0.1],runs=1", &root, 3000).solution, plain.solution);
}

/// The score of one run of nested Monte-Carlo search.
fn nmcs_score(root: &History<SameGame>, level: u32, seed: u64) -> f64 {
    let stop = AtomicBool::new(false);
    let control = Control::new(Limits::default(), seed, &stop);
    let mut search = LineSearch::new(root, &control, None, None);
    let line = nmcs::nest(&mut search, *root.position(), &mut Vec::new(), level);
    f64::from(line.unwrap().score)
}

/// One simulation per move, move by move at every level, is nested Monte-Carlo search: the two draw
/// different random numbers, so the means of many runs are compared.
#[test]
fn in_its_degenerate_setting_it_is_nmcs() {
    let root = start("samegame:5x5,colours=3,seed=4");
    let moves = search("stepwise:[mcts@per-move=1],moves=1", &root, 1000);
    assert!(moves.moves.iter().all(|entry| entry.visits == 1), "{:?}", moves.moves);
    let nested = "stepwise:[nmcts:[stepwise:[mcts@per-move=1],moves=999],per-move=1],moves=999";
    for (level, spec, seeds) in [(1, "stepwise:[mcts@per-move=1],moves=999", 1000), (2, nested, 100)] {
        let ours = |seed| score(&search_with(spec, &root, Limits::default(), seed, 1));
        let (mean, error) = mean_and_error((0..seeds).map(ours).collect());
        let (expected, its_error) = mean_and_error((0..seeds).map(|seed| nmcs_score(&root, level, seed)).collect());
        let spread = (error * error + its_error * its_error).sqrt();
        assert!((mean - expected).abs() < 3.5 * spread, "level {level}: {mean} and {expected}, spread {spread}");
    }
    // The comparison can fail: one level more is another search.
    let (low, error) = mean_and_error((0..200).map(|seed| nmcs_score(&root, 1, seed)).collect());
    let (high, its_error) = mean_and_error((0..200).map(|seed| nmcs_score(&root, 2, seed)).collect());
    assert!(high - low > 5.0 * (error + its_error), "{low} {high}");
}

fn mean_and_error(scores: Vec<f64>) -> (f64, f64) {
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|score| (score - mean) * (score - mean)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// Baier 2015, section 4.4: the trees of a nested search need a fraction of the memory of one tree.
#[test]
fn nested_trees_reuse_their_memory() {
    let root = start("samegame:10x10,colours=4");
    let nested = search("nmcts:[mcts@playouts=500]", &root, 50_000).counters.bytes;
    let global = search("mcts", &root, 50_000).counters.bytes;
    assert!(nested * 100 < global * 15, "{nested} of {global}");
}

#[test]
fn runs_are_counted_and_shared_by_threads() {
    let root = start("samegame:8x8,colours=4");
    let report = search("restart:[mcts@playouts=100],runs=7", &root, 10_000);
    assert_eq!((report.counters.playouts, report.stopped), (700, StopReason::Finished));
    let shared = search("restart:[mcts],runs=4", &root, 1000);
    assert_eq!((shared.counters.playouts, shared.stopped), (1000, StopReason::Finished));
    let threads = search_with("restart:[mcts@playouts=100],runs=7", &root, Limits::default(), 3, 2);
    assert_eq!(threads.counters.playouts, 700);
    // The same runs, in whatever order they end.
    assert_eq!(score(&threads), score(&report));
}

/// A look-ahead may prove the score of a position before there is a playout to its end.
#[test]
fn a_run_that_proves_its_score_has_a_line() {
    for seed in 1..=6 {
        let root = start(&format!("samegame:4x4,colours=3,seed={seed}"));
        let optimum = f64::from(minimax::value(&mut root.clone(), Player::FIRST, 10_000_000).unwrap());
        for spec in ["restart:[X]", "stepwise:[X],moves=9", "nmcts:[X]", "nmcts:[X],level=3"] {
            let spec = spec.replace('X', "mcts:solver,lookahead@playouts=200");
            let report = search(&spec, &root, 5000);
            let solution = report.solution.as_ref().unwrap_or_else(|| panic!("{spec} has no line"));
            assert_eq!(score_of(&root, &solution.moves).map(f64::from), Some(solution.score.value()), "{spec}");
            if report.stopped == StopReason::Solved {
                assert_eq!(solution.score.value(), optimum, "{spec} on board {seed}");
            } else if spec.starts_with("nmcts") {
                assert_eq!(report.counters.playouts, 5000, "{spec} on board {seed}");
            }
        }
    }
}

#[test]
fn a_search_of_searches_without_limits_has_a_share() {
    let root = start("samegame:8x8,colours=4");
    for (spec, runs) in [
        ("nmcts:[nmcts:[mcts@playouts=10]]", 20),
        ("nmcts:[restart:[mcts@playouts=10]]", 20),
        ("nmcts:[stepwise:[nmcs:level=1@playouts=5],moves=2]", 1000),
        ("nmcts:[restart:[mcts@playouts=10],runs=5]", 200),
        ("nmcts:[stepwise:[mcts]]", 1),
    ] {
        // A run below a root move is a visit.
        let report = search(spec, &root, 10_000);
        let visits: u64 = report.moves.iter().map(|entry| entry.visits).sum();
        assert!(visits >= runs, "{spec}: {visits} runs");
    }
}

/// Stops a search at its deadline, as a clock does.
#[test]
fn a_long_run_ends_at_the_planned_time() {
    let root = start("samegame");
    let second = std::time::Duration::from_secs(1);
    for spec in ["restart:[mcts],runs=1", "nmcts:[mcts],level=1", "stepwise:[restart:[nrpa],runs=1],moves=1"] {
        let chain = tesuji_core::StopChain::new(second / 10, second * 20, Vec::new());
        let stop = AtomicBool::new(false);
        let control = Control::new(Limits::default(), 1, &stop).stopped_by(Some(&chain));
        let mut search = crate::build::<SameGame>(&spec.parse().unwrap(), root.rules()).unwrap();
        let report = search.search(&root, &control);
        assert!(control.elapsed() < second * 5, "{spec}: {:?}", control.elapsed());
        assert_eq!(report.stopped, StopReason::Time, "{spec}");
        assert!(report.solution.is_some(), "{spec}");
    }
}

/// What an observer has seen last.
#[test]
fn a_run_under_way_is_shown() {
    let root = start("samegame");
    let (stop, seen) = (AtomicBool::new(false), std::sync::Mutex::new(None));
    let show = |search: &dyn tesuji_core::Inspector<u16>| *seen.lock().unwrap() = Some(search.report());
    let interval = std::time::Duration::from_millis(20);
    let control = Control::new(Limits { playouts: Some(50_000), ..Limits::default() }, 1, &stop);
    let control = control.watched(interval, Box::new(show));
    crate::build::<SameGame>(&"restart:[mcts],runs=1".parse().unwrap(), root.rules()).unwrap().search(&root, &control);
    drop(control);
    let seen = seen.into_inner().unwrap().expect("the search lasts longer than an interval");
    assert!(seen.counters.playouts > 0 && seen.solution.is_some());
    assert!(seen.moves.iter().any(|entry| entry.visits > 0));
}

/// The levels and the search inside share the memory, and what they use is added up.
#[test]
fn all_levels_together_respect_the_memory() {
    let root = start("samegame");
    let memory = 2 << 20;
    for spec in ["nmcts:[mcts@playouts=10],level=4,searches=200", "nmcts:[nmcts:[mcts@playouts=5000]]", "beam:width=50"]
    {
        let limits = Limits { playouts: Some(60_000), memory: Some(memory), ..Limits::default() };
        let bytes = search_with(spec, &root, limits, 1, 1).counters.bytes;
        assert!(bytes > 0 && bytes <= memory as u64, "{spec}: {bytes}");
    }
    let inside = search("mcts", &root, 1000).counters.bytes;
    let nested = search("nmcts:[mcts@playouts=1000]", &root, 100_000).counters.bytes;
    assert!(nested > inside, "{nested} with {inside} for level 1");
}

/// A run that ends early leaves playouts to the others, even if all were reserved for it.
#[test]
fn threads_use_what_others_leave() {
    let root = start("samegame:8x8,colours=4");
    let limits = Limits { playouts: Some(20_000), ..Limits::default() };
    let report = search_with("restart:[mcts:c=0,beam=1,beam-limit=20@playouts=20000]", &root, limits, 1, 2);
    assert!(report.counters.playouts > 19_000, "{:?}", report.counters);
}

/// With a playout for every move, each move but the first counts a visit of the move that was
/// committed to: that of the line kept from the move before.
#[test]
fn move_by_move_search_goes_on_along_the_kept_line() {
    let root = start("samegame:8x8,colours=4");
    let mut search =
        crate::build::<SameGame>(&"stepwise:[nrpa:level=2],moves=6".parse().unwrap(), root.rules()).unwrap();
    let stop = AtomicBool::new(false);
    let mut with = |game: &History<SameGame>, playouts| {
        search.search(game, &Control::new(Limits { playouts: Some(playouts), ..Limits::default() }, 1, &stop))
    };
    let found = with(&root, 20_000).solution.unwrap();
    let mut next = root.clone();
    next.play(found.moves[0]);
    let report = with(&next, 6);
    assert_eq!(report.solution.unwrap().moves, found.moves[1..]);
    let kept = report.moves.iter().find(|entry| entry.mv == found.moves[1]).unwrap();
    assert!(kept.visits >= 5, "{:?}", report.moves);
}

#[test]
fn searches_that_do_not_fit_are_refused() {
    let rules = rules::<SameGame>("samegame").unwrap();
    for (spec, said) in [
        ("nmcts:[random]", "a search that reports complete lines"),
        ("restart:[mcts],[mcts]", "one search"),
        ("nmcts:[mcts@playouts=x]", "after @ is not accepted"),
        ("beam:value=mean", "playouts=K"),
        ("stepwise:commit=all", "best, visits"),
    ] {
        let error = crate::build::<SameGame>(&spec.parse().unwrap(), &rules).err().unwrap().to_string();
        assert!(error.contains(said), "{spec}: {error}");
    }
}
