//! Counts and limits of Monte-Carlo tree search, with several threads and with little memory.

use libtest_mimic::Trial;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;
use tesuji_core::{Control, History, Inspector, Knowledge, Limits, Report, Rng, StopReason};
use tesuji_games::{Connect4, Synthetic, rules};

fn game<G: Knowledge>(spec: &str, text: &str) -> History<G> {
    History::parse(rules::<G>(spec).unwrap(), text).unwrap()
}

fn search<G: Knowledge>(spec: &str, root: &History<G>, limits: Limits, threads: usize) -> Report<G::Move> {
    let mut search = tesuji_catalog::search::<G>(&spec.parse().unwrap(), root.rules()).unwrap();
    let stop = AtomicBool::new(false);
    search.search(root, &Control::new(limits, 7, &stop).with_threads(threads))
}

fn playouts(playouts: u64) -> Limits {
    Limits { playouts: Some(playouts), memory: Some(16 << 20), ..Limits::default() }
}

fn workers_of_one_tree_make_exactly_the_playouts_allowed() {
    let root = game::<Connect4>("connect4", "start");
    for threads in [1, 2, 3] {
        for spec in [
            "mcts",
            "mcts:rave,grave=30",
            "mcts:parallel=tree",
            "mcts:parallel=tree,virtual-loss=3",
            "mcts:parallel=tree,diversify=random",
            "mcts:parallel=tree,diversify=nothing",
        ] {
            let report = search(spec, &root, playouts(3_001), threads);
            assert_eq!((report.counters.playouts, report.stopped), (3_001, StopReason::Playouts), "{spec} {threads}");
            // A simulation ends at the root only while another worker expands it or opens a child.
            let visits: u64 = report.moves.iter().map(|entry| entry.visits).sum();
            assert!(visits <= 3_001 && visits + 100 >= 3_001, "{spec} {threads}: {visits}");
            if threads == 1 {
                assert_eq!(visits, 3_001, "{spec}");
            }
        }
    }
}

fn a_full_tree_is_recycled_and_the_search_continues() {
    let root = game::<Connect4>("connect4", "start");
    for (spec, memory) in
        [("mcts", 64 << 10), ("mcts:rave,solver,pn=1", 64 << 10), ("mcts", 1 << 20), ("mcts:table", 256 << 10)]
    {
        for threads in [1, 2] {
            let limits = Limits { memory: Some(memory), ..playouts(30_000) };
            let report = search(spec, &root, limits, threads);
            let counters = report.counters;
            assert_eq!((counters.playouts, report.stopped), (30_000, StopReason::Playouts), "{spec} {threads}");
            assert!(counters.recycled > 0, "{spec} {threads}: {counters:?}");
            assert!(counters.bytes <= memory as u64, "{spec} {threads}: {counters:?}");
            assert!(report.variation.len() > 1, "{spec} {threads}");
        }
    }
}

fn the_least_memory_still_holds_the_moves() {
    let root = game::<Connect4>("connect4", "start");
    let report = search("mcts", &root, Limits { memory: Some(1), ..playouts(500) }, 1);
    assert_eq!((report.moves.len(), report.counters.playouts), (7, 500));
}

fn voting_trees_make_exactly_the_playouts_allowed_and_are_reproducible() {
    let root = game::<Synthetic>("synthetic:depth=8,branching=4,seed=3", "start");
    let spec = "root:[mcts:solver],[mcts:rave],[mcts]";
    let first = search(spec, &root, playouts(1_000), 1);
    assert_eq!(first.counters.playouts, 1_000);
    // One of them solves the small tree; the work of the others until then must not depend on
    // timing.
    let small = game::<Synthetic>("synthetic:depth=5,branching=3,seed=3", "start");
    let decided = search(spec, &small, playouts(60_000), 1);
    assert_eq!(decided.stopped, StopReason::Solved);
    for _ in 0..3 {
        assert_eq!(search(spec, &small, playouts(60_000), 1), decided);
    }
}

fn the_sum_of_scores_does_not_penalise_visits_in_a_lost_position() {
    // All moves look bad. The second looks least bad and is visited most; the sum of values in [-1,
    // 1] would pick the least visited.
    let root = game::<Synthetic>(
        "synthetic:tree='((-1 -1 -1 -1 -1 -1 -1 -1 -1 1) (-1 -1 -1 1 1) (-1 -1 -1 -1 -1 -1 -1 -1 -1 1))'",
        "start",
    );
    for vote in ["sum", "average", "visits", "majority"] {
        let report = search(&format!("mcts:c=0.1,parallel=root,vote={vote}"), &root, playouts(400), 2);
        assert!(report.value < 0.0, "{vote}: {report:?}");
        let best = report.moves.iter().max_by_key(|entry| entry.visits).unwrap();
        assert_eq!(report.best, Some(best.mv), "{vote}: {report:?}");
    }
}

fn a_proven_draw_is_outvoted_by_a_better_move() {
    // The first move draws at once; the second wins in all playouts, and takes longer to prove.
    let reply = "((1 1 1 1) (1 1 1 1))";
    let root = game::<Synthetic>(&format!("synthetic:tree='(0 ({}))'", [reply; 8].join(" ")), "start");
    let report = search("mcts:solver,parallel=root", &root, playouts(30), 2);
    assert_ne!(report.stopped, StopReason::Solved);
    assert_eq!(report.best, Some(1), "{report:?}");
}

fn an_observer_of_several_workers_sees_every_move_once() {
    let root = game::<Connect4>("connect4", "start");
    for spec in ["mcts", "mcts:rave,solver", "mcts:expand=all,fpu=0.5", "mcts:parallel=root"] {
        let seen = AtomicU32::new(0);
        let look = |inspector: &dyn Inspector<u8>| {
            seen.fetch_add(1, Relaxed);
            let report = inspector.report();
            assert_eq!(report.moves.iter().map(|entry| entry.mv).collect::<HashSet<_>>().len(), 7);
            let replies = inspector.look(&report.variation[..1]).unwrap_or_default();
            assert_eq!(replies.iter().map(|entry| entry.mv).collect::<HashSet<_>>().len(), replies.len());
            assert_eq!(inspector.look(&[9]), None);
        };
        let mut search = tesuji_catalog::search::<Connect4>(&spec.parse().unwrap(), root.rules()).unwrap();
        let stop = AtomicBool::new(false);
        // One worker shows the search. On a busy machine the other may finish before it starts.
        let shown = (0..1_000).any(|_| {
            let control = Control::new(playouts(4_000), 7, &stop).with_threads(2);
            let report = search.search(&root, &control.watched(Duration::ZERO, Box::new(look)));
            assert_eq!(report.counters.playouts, 4_000);
            seen.load(Relaxed) > 0
        });
        assert!(shown, "{spec}");
    }
}

fn narrow_trees_are_widened_until_they_are_solved() {
    let mut rng = Rng::new(2);
    for seed in 0..10 {
        let mut root = game::<Connect4>("connect4:4x4", "start");
        let mut moves = Vec::new();
        while root.moves().len() < 8 && !root.is_over() {
            moves.clear();
            root.legal_moves(&mut moves);
            root.play(moves[rng.below(moves.len())]);
        }
        for spec in [
            "mcts:solver,fpu=-1000000",
            "mcts:solver,widen=1,widen-growth=10",
            "mcts:solver,expand-visits=7,expand=all",
            "mcts:solver,threshold=30",
            "mcts:solver,pn=1000000,pn-skip=0",
        ] {
            let report = search(spec, &root, playouts(100_000), 1);
            assert!(root.is_over() || report.stopped == StopReason::Solved, "{spec} {seed}: {report:?}");
        }
    }
}

fn leaf_parallel_search_counts_every_playout() {
    let root = game::<Connect4>("connect4", "start");
    let report = search("mcts:parallel=leaf", &root, playouts(900), 3);
    assert_eq!((report.counters.playouts, report.stopped), (900, StopReason::Playouts));
    assert_eq!(report.moves.iter().map(|entry| entry.visits).sum::<u64>(), 300);
}

fn a_limit_on_nodes_ends_a_search_whose_tree_stops_growing() {
    let root = game::<Synthetic>("synthetic:depth=4,branching=3,seed=3", "start");
    let limits = Limits { nodes: Some(20_000), memory: Some(16 << 20), ..Limits::default() };
    for spec in
        ["mcts", "mcts:expand=all", "mcts:table", "mcts:rave", "mcts:expand-visits=5", "mcts:fpu=0.5", "mcts:pn"]
    {
        for threads in [1, 2] {
            let report = search(spec, &root, limits, threads);
            assert_eq!(report.stopped, StopReason::Finished, "{spec} {threads}");
            assert!(report.best.is_some() && report.counters.nodes < 20_000, "{spec} {threads}: {report:?}");
        }
    }
    let voters = search("mcts:parallel=root", &root, limits, 2);
    assert!(voters.best.is_some());
}

fn a_limit_on_nodes_is_reached_by_a_tree_that_grows() {
    let root = game::<Connect4>("connect4", "start");
    for spec in ["mcts", "mcts:expand-visits=50", "mcts:expand=all"] {
        let limits = Limits { nodes: Some(3_000), memory: Some(16 << 20), ..Limits::default() };
        let report = search(spec, &root, limits, 1);
        assert_eq!(report.stopped, StopReason::Nodes, "{spec}");
        assert!(report.counters.nodes >= 3_000, "{spec}: {:?}", report.counters);
    }
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 11] = [
        (
            "workers of one tree make exactly the playouts allowed",
            workers_of_one_tree_make_exactly_the_playouts_allowed,
        ),
        ("a full tree is recycled and the search continues", a_full_tree_is_recycled_and_the_search_continues),
        ("the least memory still holds the moves", the_least_memory_still_holds_the_moves),
        (
            "voting trees make exactly the playouts allowed and are reproducible",
            voting_trees_make_exactly_the_playouts_allowed_and_are_reproducible,
        ),
        (
            "the sum of scores does not penalise visits in a lost position",
            the_sum_of_scores_does_not_penalise_visits_in_a_lost_position,
        ),
        ("a proven draw is outvoted by a better move", a_proven_draw_is_outvoted_by_a_better_move),
        ("an observer of several workers sees every move once", an_observer_of_several_workers_sees_every_move_once),
        ("narrow trees are widened until they are solved", narrow_trees_are_widened_until_they_are_solved),
        ("leaf parallel search counts every playout", leaf_parallel_search_counts_every_playout),
        (
            "a limit on nodes ends a search whose tree stops growing",
            a_limit_on_nodes_ends_a_search_whose_tree_stops_growing,
        ),
        ("a limit on nodes is reached by a tree that grows", a_limit_on_nodes_is_reached_by_a_tree_that_grows),
    ];
    crate::trials_of(tests)
}
