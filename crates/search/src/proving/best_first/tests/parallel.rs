//! Tests with several workers.

use super::*;

#[test]
fn two_threads_find_what_one_finds() {
    fn same<G: Knowledge>(spec: &str, count: usize, nodes: u64) {
        for root in late_positions::<G>(spec, count, nodes) {
            for player in (0..root.facts().players).map(Player) {
                let Some(value) = minimax::value(&mut root.clone(), player, 50 * nodes) else { continue };
                for at_least in [value, value + 1] {
                    let question = question(&root, player, at_least);
                    for (spec, threads) in [("rppns", 2), ("rppns:d=0", 3), ("rppn2", 2), ("rppn2:cap=full", 3)] {
                        let limits = limited(3_000_000, ROOM);
                        let report = ask(&mut solver(spec, &root), &root, question, limits, threads);
                        assert_eq!(question.answer(&report.bounds), Some(value >= at_least), "{spec} {root:?}");
                    }
                }
            }
        }
    }
    same::<Connect4>("connect4:5x4", 5, 20_000);
    same::<Rolit>("rolit:4,players=3", 4, 10_000);
    same::<Loa>("loa:5", 5, 20_000);
    same::<Othello>("othello:4", 3, 10_000);
    for text in CYCLIC {
        let root = tree(text);
        let question = question(&root, Player::FIRST, 1);
        let one = ask(&mut solver("pns", &root), &root, question, limited(1_000_000, ROOM), 1);
        let two = ask(&mut solver("rppns", &root), &root, question, limited(1_000_000, ROOM), 2);
        assert_eq!(one.bounds, two.bounds, "{text}");
    }
}

#[test]
fn many_workers_leave_right_answers_and_few_outdated_numbers() {
    // Little memory, so that it is reused while other workers are in the tree.
    let root = game::<Connect4>("connect4:5x4", "start");
    let question = question(&root, Player::FIRST, 1);
    for (spec, memory) in [
        ("rppns", ROOM),
        ("rppns", 512 << 10),
        ("rppn2:init=unit", 256 << 10),
        ("rppns:d=50", ROOM),
        ("rppns:d=0", ROOM),
    ] {
        let mut solver = solver(spec, &root);
        for _ in 0..12 {
            let report = ask(&mut solver, &root, question, limited(20_000, memory), 4);
            assert!(report.counters.nodes <= 20_000);
            if report.stopped != StopReason::Nodes {
                break;
            }
        }
    }
}

#[test]
fn changing_numbers_of_workers_share_little_memory() {
    // One side often moves twice, so that a solved node solves its parent, too, and its children
    // are taken over.
    for seed in 0..24 {
        let root = game::<Synthetic>(&format!("synthetic:depth=9,branching=4,turns=random,seed={seed}"), "start");
        let value = root.position().known_value().unwrap();
        for (spec, memory) in [("rppns", 8 << 10), ("rppns:d=50", 16 << 10), ("rppn2:init=unit", 40 << 10)] {
            let mut solver = solver(spec, &root);
            let question = question(&root, Player::FIRST, value + (seed % 2) as i32);
            for threads in [4, 1, 8, 2, 3] {
                let stop = AtomicBool::new(false);
                let control = Control::new(limited(20_000, memory), seed, &stop).with_threads(threads);
                let report = solver.ask(&root, question, &control);
                // A worker that found no memory may have left a solved node as it was.
                check_after(&solver, 2);
                let answer = question.answer(&report.bounds);
                assert!(answer.is_none_or(|holds| holds == (seed % 2 == 0)), "{spec} {seed} {threads}");
                if answer.is_some() {
                    break;
                }
            }
        }
    }
}

#[test]
fn rppns_with_one_thread_is_pns() {
    let (root, question) = hard();
    for (plain, parallel) in [("pns", "rppns"), ("pn2:cap=power", "rppn2")] {
        let one = ask(&mut solver(plain, &root), &root, question, limited(10_000_000, ROOM), 1);
        let other = ask(&mut solver(parallel, &root), &root, question, limited(10_000_000, ROOM), 1);
        assert_eq!(one, other);
    }
}
