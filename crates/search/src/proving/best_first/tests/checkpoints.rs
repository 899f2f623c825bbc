//! Tests of checkpoints and interrupted searches.

use super::*;

#[test]
fn a_search_in_slices_builds_the_same_tree_as_one_without_stops() {
    let (root, question) = hard();
    let whole = ask(&mut solver("pns", &root), &root, question, limited(10_000_000, ROOM), 1);
    let mut sliced = solver("pns", &root);
    let mut expansions = 0;
    let report = loop {
        let report = ask(&mut sliced, &root, question, limited(501, ROOM), 1);
        expansions += report.counters.expansions;
        if report.stopped == StopReason::Solved {
            break report;
        }
    };
    assert_eq!((expansions, report.best), (whole.counters.expansions, whole.best));
    assert_eq!(report.variation, whole.variation);
}

#[test]
fn a_saved_tree_is_resumed() {
    for (spec, threads) in [("pns", 1), ("pn2", 1), ("rppns", 2), ("rppn2", 2), ("pns:init=mc", 1)] {
        let (root, question) = hard();
        let whole = ask(&mut solver(spec, &root), &root, question, limited(10_000_000, ROOM), 1);
        let mut first = solver(spec, &root);
        let limits = limited(whole.counters.nodes / 2, ROOM);
        let half = ask(&mut first, &root, question, limits, threads);
        assert_eq!(half.stopped, StopReason::Nodes);
        let mut saved = Vec::new();
        first.save(&mut saved).unwrap();
        let mut second = solver(spec, &root);
        second.restore(&mut saved.as_slice()).unwrap();
        check(&second);
        let mut again = Vec::new();
        second.save(&mut again).unwrap();
        assert_eq!(saved, again);
        // Without any nodes to spend it reports the restored state.
        let taken = ask(&mut second, &root, question, limited(0, ROOM), 1);
        assert_eq!((taken.proof_numbers, &taken.moves), (half.proof_numbers, &half.moves), "{spec}");
        let rest = ask(&mut second, &root, question, limited(10_000_000, ROOM), threads);
        assert_eq!(question.answer(&rest.bounds), question.answer(&whole.bounds));
        if threads == 1 && spec == "pns" {
            assert!(rest.counters.nodes < whole.counters.nodes * 2 / 3, "{rest:?}");
        }
    }
}

#[test]
fn saved_trees_of_games_with_cycles_are_resumed() {
    let root = game::<Lion>("lion", "start");
    let question = question(&root, Player::FIRST, 1);
    let mut first = solver("pns", &root);
    let half = ask(&mut first, &root, question, limited(20_000, ROOM), 1);
    let mut saved = Vec::new();
    first.save(&mut saved).unwrap();
    let mut second = solver("pns", &root);
    second.restore(&mut saved.as_slice()).unwrap();
    check(&second);
    let taken = ask(&mut second, &root, question, limited(0, ROOM), 1);
    assert_eq!(taken.moves, half.moves);
    // A solver without a tree is saved and restored as well.
    let mut empty = Vec::new();
    solver::<Lion>("pns", &root).save(&mut empty).unwrap();
    second.restore(&mut empty.as_slice()).unwrap();
    assert!(second.kept.is_none());
}

#[test]
fn damaged_and_foreign_trees_are_refused() {
    let root = game::<TicTacToe>("tictactoe", "start");
    let question = question(&root, Player::FIRST, 1);
    let mut first = solver("pns", &root);
    ask(&mut first, &root, question, limited(300, ROOM), 1);
    let mut saved = Vec::new();
    first.save(&mut saved).unwrap();
    for at in 0..saved.len() {
        let mut changed = saved.clone();
        changed[at] ^= 4;
        let mut second = solver("pns", &root);
        assert!(second.restore(&mut changed.as_slice()).is_err(), "byte {at}");
        assert!(second.restore(&mut &saved[..at]).is_err(), "{at} bytes");
        assert!(second.kept.is_none());
    }
    let refused = solver::<TicTacToe>("pns:init=unit", &root).restore(&mut saved.as_slice()).unwrap_err();
    assert!(refused.to_string().contains("saved by the solver pns"), "{refused}");
    assert!(solver::<TicTacToe>("pn2", &root).restore(&mut saved.as_slice()).is_err());
}

#[test]
fn a_full_tree_is_restored_by_any_number_of_workers() {
    let root = game::<Hex>("hex:5", "start");
    let question = question(&root, Player::FIRST, 1);
    for (spec, memory) in [("pns", 256 << 10), ("pns", 1 << 20), ("rppn2:cap=full", 1 << 20)] {
        let mut first = solver(spec, &root);
        let limits = limited(u64::MAX / 2, memory);
        let full = ask(&mut first, &root, question, Limits { nodes: Some(3_000_000), ..limits }, 1);
        let mut saved = Vec::new();
        first.save(&mut saved).unwrap();
        let mut second = solver(spec, &root);
        second.restore(&mut saved.as_slice()).unwrap();
        let taken = ask(&mut second, &root, question, Limits { nodes: Some(0), ..limits }, 4);
        assert_eq!(taken.moves, full.moves, "{spec} {memory}");
    }
}

#[test]
fn small_full_trees_can_be_restored() {
    let mut rng = Rng::new(2);
    let mut full = 0;
    for _ in 0..60 {
        let mut root = game::<Breakthrough>("breakthrough:5x5", "start");
        for _ in 0..6 {
            let mut legal = Vec::new();
            root.legal_moves(&mut legal);
            root.play(legal[rng.below(legal.len())]);
        }
        let question = question(&root, Player::FIRST, 1);
        let mut first = solver("pns:static=off", &root);
        let report = ask(&mut first, &root, question, limited(100_000, 64 << 10), 1);
        full += u32::from(report.stopped == StopReason::Memory);
        let mut saved = Vec::new();
        first.save(&mut saved).unwrap();
        let mut second = solver("pns:static=off", &root);
        second.restore(&mut saved.as_slice()).unwrap();
    }
    assert!(full > 30, "{full}");
}
