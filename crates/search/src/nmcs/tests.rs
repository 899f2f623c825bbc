use crate::minimax;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Limits, Player, Report, StopReason};
use tesuji_games::{SameGame, rules};

fn search(spec: &str, root: &History<SameGame>, playouts: u64) -> Report<u16> {
    let mut search = crate::build::<SameGame>(&spec.parse().unwrap(), root.rules()).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    search.search(root, &Control::new(limits, 3, &stop))
}

fn start(spec: &str) -> History<SameGame> {
    History::new(rules::<SameGame>(spec).unwrap())
}

/// The score of a line, by the rules.
fn score_of(root: &History<SameGame>, line: &[u16]) -> Option<i32> {
    let mut game = root.clone();
    line.iter().for_each(|&mv| game.play(mv));
    game.outcome().map(|outcome| outcome.score(Player::FIRST))
}

#[test]
fn the_line_has_its_score_and_small_boards_are_solved() {
    for seed in 1..=6 {
        let root = start(&format!("samegame:4x5,colours=3,seed={seed}"));
        let optimum = minimax::value(&mut root.clone(), Player::FIRST, 10_000_000).unwrap();
        for spec in
            ["nmcs", "nmcs:level=1", "nmcs:level=3,playout=drawn", "nrpa:level=2", "nrpa:level=2,playout=chosen"]
        {
            let report = search(spec, &root, 20_000);
            assert_eq!(score_of(&root, &report.variation), Some(report.bounds.at_least), "{spec}");
            assert_eq!(report.best, report.variation.first().copied(), "{spec}");
            assert!(report.bounds.at_least <= optimum, "{spec}");
            if !spec.contains("playout") {
                assert_eq!(report.bounds.at_least, optimum, "{spec} on board {seed}");
            }
        }
    }
}

/// A run of level 1 plays out once after every move of every position on its way, so the moves of
/// the root get one playout each, and more if the run follows them.
#[test]
fn level_1_plays_out_after_every_move() {
    let root = start("samegame:6x6,colours=3");
    let moves = search("nmcs:level=1", &root, 1).moves.len() as u64;
    let report = search("nmcs:level=1", &root, moves);
    assert!(report.moves.iter().all(|entry| entry.visits == 1), "{:?}", report.moves);
    let report = search("nmcs:level=1", &root, moves + 1);
    assert_eq!((report.stopped, report.counters.playouts), (StopReason::Playouts, moves + 1));
    assert_eq!(report.moves.iter().filter(|entry| entry.visits == 2).count(), 1);
}

#[test]
fn a_line_is_played_on_unless_a_better_one_is_found() {
    let root = start("samegame:8x8,colours=4");
    let mut search = crate::build::<SameGame>(&"nmcs:level=2".parse().unwrap(), root.rules()).unwrap();
    let stop = AtomicBool::new(false);
    let mut run = |game: &History<SameGame>, playouts| {
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        search.search(game, &Control::new(limits, 3, &stop))
    };
    let first = run(&root, 30_000);
    let mut game = root.clone();
    game.play(first.variation[0]);
    let second = run(&game, 1);
    assert_eq!(second.bounds.at_least, first.bounds.at_least);
    assert_eq!(second.variation, first.variation[1..]);
    // Another move: the line is of no use.
    let other = first.moves.iter().find(|entry| entry.mv != first.variation[0]).unwrap().mv;
    let mut game = root.clone();
    game.play(other);
    assert!(run(&game, 1).bounds.at_least < first.bounds.at_least);
    // Another board: the moves played are the same, none.
    run(&root, 1000);
    let other = start("samegame:8x8,colours=4,seed=2");
    let report = run(&other, 1);
    assert_eq!(score_of(&other, &report.variation), Some(report.bounds.at_least));
}

#[test]
fn games_for_two_are_refused() {
    let rules = rules::<tesuji_games::Connect4>("connect4").unwrap();
    let error = crate::build::<tesuji_games::Connect4>(&"nmcs".parse().unwrap(), &rules).err().unwrap();
    assert_eq!(error.to_string(), "nmcs: players=2 is not accepted; it takes one-player games only");
}
