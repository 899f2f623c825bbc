//! Graphs with circles: the solvers against a fixpoint that knows nothing of search, and a naive table that falls into the trap.

use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, Game, History, Limits, Rng, Search};
use tesuji_games::synthetic::Synthetic;
use tesuji_testkit::circles::random_game;

const SEARCHES: [&str; 17] = [
    "dfpn",
    "dfpn:epsilon=0,init=unit",
    "dfpn:sums=old",
    "dfpn:sums=weak,tca=off",
    "dfpn:sums=branch",
    "dfpn:top=1",
    "dfpn:ghi=nagai",
    "dfpn:ghi=nagai,sums=old",
    "pds",
    "pds:ghi=nagai,root=printed",
    "pds:ghi=nagai,sums=old",
    "pdspn",
    "pns",
    "pn2",
    "rppns",
    "rppn2",
    "dfpn:tca=off",
];

fn build(name: &str, rules: &<Synthetic as Game>::Rules) -> Box<dyn Search<Synthetic>> {
    tesuji_catalog::search::<Synthetic>(&name.parse().unwrap(), rules).unwrap()
}

/// What a search says of the present position, for the first player.
fn found(
    search: &mut dyn Search<Synthetic>,
    history: &History<Synthetic>,
    threads: usize,
    memory: usize,
) -> (i32, i32) {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(1_000_000), memory: Some(memory), ..Limits::default() };
    let bounds = search.search(history, &Control::new(limits, 1, &stop).with_threads(threads)).bounds;
    let (low, high) = (bounds.at_least.max(-1), bounds.at_most.min(1));
    if bounds.player.0 == 0 { (low, high) } else { (-high, -low) }
}

#[test]
fn solvers_know_what_rests_on_the_path_and_a_naive_table_does_not() {
    let mut rng = Rng::new(5);
    let mut naive_errors = 0;
    for number in 0..1000 {
        let repetition = 2 + number % 2;
        let (graph, history) = random_game(&mut rng, repetition);
        let values = graph.values();
        let value = values[0];
        naive_errors += u32::from(graph.naive_value() != value);
        for name in SEARCHES {
            let mut search = build(name, history.rules());
            let text = || format!("{name} {}", graph.spec(repetition));
            assert_eq!(found(&mut *search, &history, 1, 1 << 20), (value, value), "{}", text());
            // The same solver goes on from the next position: what it knows of circles was about another root. At the second repetition a
            // way through the old root is still open.
            let mut moves = Vec::new();
            history.legal_moves(&mut moves);
            for (&mv, node) in moves.iter().zip(graph.after_the_root()).filter(|_| repetition == 3) {
                let mut next = history.clone();
                next.play(mv);
                if let Some(node) = node {
                    let value = values[node];
                    assert_eq!(found(&mut *search, &next, 1, 1 << 20), (value, value), "{mv:?} {}", text());
                }
            }
        }
    }
    assert!(naive_errors > 0, "the graphs are too simple to be a test");
}

#[test]
fn two_threads_and_a_table_of_a_few_entries_give_the_same_answers() {
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let (graph, history) = random_game(&mut rng, 3);
        let value = graph.values()[0];
        for (name, threads, memory) in [("dfpn", 2, 1 << 20), ("rppns", 2, 1 << 20), ("dfpn", 1, 512), ("pds", 1, 512)]
        {
            let found = found(&mut *build(name, history.rules()), &history, threads, memory);
            assert_eq!(found, (value, value), "{name} {threads} {memory} {}", graph.spec(3));
        }
    }
}
