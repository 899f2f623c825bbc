//! Tests of memory limits and sizes.

use super::*;

#[test]
fn little_memory_ends_a_search_without_an_answer_or_with_the_right_one() {
    let (root, question) = hard();
    let full = ask(&mut solver("pns", &root), &root, question, limited(10_000_000, ROOM), 1);
    let answer = question.answer(&full.bounds).unwrap();
    let mut ended = 0;
    for spec in ["pns", "pn2", "rppns", "rppn2"] {
        for memory in [1, 4 << 10, 16 << 10, 64 << 10, 256 << 10] {
            for threads in [1, 2] {
                let limits = limited(10_000_000, memory);
                let report = ask(&mut solver(spec, &root), &root, question, limits, threads);
                match question.answer(&report.bounds) {
                    Some(found) => assert_eq!((found, report.stopped), (answer, StopReason::Solved)),
                    None => {
                        assert_eq!(report.stopped, StopReason::Memory, "{spec} {memory}");
                        assert!(report.best.is_some());
                        ended += 1;
                    }
                }
                // The smallest tree has one chunk; beyond that the limit holds.
                let least = (threads + 1) as u64 * (16 << 9);
                assert!(report.counters.bytes <= (memory as u64).max(least), "{spec} {memory} {report:?}");
            }
        }
    }
    assert!(ended >= 4, "the position is too easy for this test");
}

#[test]
fn pn2_solves_in_less_memory_than_pns() {
    let (root, question) = hard();
    let bytes = |spec: &str| {
        (12..26).map(|bits| 1 << bits).find(|&memory| {
            let limits = limited(20_000_000, memory);
            let report = ask(&mut solver(spec, &root), &root, question, limits, 1);
            report.stopped == StopReason::Solved
        })
    };
    let (pns, pn2) = (bytes("pns").unwrap(), bytes("pn2").unwrap());
    assert!(pn2 < pns, "{pn2} {pns}");
}

#[test]
fn a_node_takes_16_bytes() {
    assert_eq!(bytes_per_node::<u8>(), 16);
    assert_eq!(bytes_per_node::<u32>(), 16);
    assert_eq!(bytes_per_node::<<MiniShogi as Game>::Move>(), 16);
}

#[test]
fn second_level_caps_are_those_of_the_papers() {
    assert_eq!(SecondLevelCap::Full.nodes(1000.0, 2), 1000.0);
    assert_eq!(SecondLevelCap::Power { e: 0.75 }.nodes(10_000.0, 2), 500.0);
    assert_eq!(SecondLevelCap::Logistic { a: 1000.0, b: 10.0 }.nodes(1000.0, 1), 500.0);
    assert!(SecondLevelCap::Logistic { a: 1000.0, b: 10.0 }.nodes(900.0, 1) < 1.0);
    // Both levels together stay within the memory.
    for cap in
        [SecondLevelCap::Full, SecondLevelCap::Power { e: 0.75 }, SecondLevelCap::Logistic { a: 1.8e6, b: 2.4e5 }]
    {
        for all in [1 << 12, 1 << 20, 1 << 26] {
            let first = Settings { cap: Some(cap), ..settings("pn2") }.first_level_nodes(all, 2);
            assert!(first >= all / 16 && first < all, "{cap:?} {all} {first}");
        }
    }
}

#[test]
fn a_full_second_level_tree_returns_only_the_solving_child() {
    // `Tree::expand` asserts it; in this game the second-level tree is full when its root is
    // solved.
    let root = game::<Synthetic>("synthetic:depth=9,branching=4,turns=random,seed=6", "start");
    let value = root.position().known_value().unwrap();
    for memory in (16..64).map(|kib| kib << 10) {
        let mut solver = solver("pn2:cap=full,init=unit", &root);
        let stop = AtomicBool::new(false);
        let question = question(&root, Player::FIRST, value);
        let report = solver.ask(&root, question, &Control::new(limited(200_000, memory), 6, &stop));
        assert_ne!(question.answer(&report.bounds), Some(false), "{memory}");
    }
}
