//! Graphs and games with cycles: the solvers against a fixpoint that knows nothing of search, and a naive table that falls into the trap.

use libtest_mimic::Trial;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, Game, History, Limits, Player, Rng, Search};
use tesuji_games::{Awari, Go, Loa, rules, synthetic::Synthetic};
use tesuji_search::minimax;
use tesuji_testkit::agreement::Contender;
use tesuji_testkit::cycles::{Graph, naive_answer, random_game};
use tesuji_testkit::data;
use tesuji_testkit::truths::{Reach, Truth, Value, read, try_on};

/// Further ways to treat repetitions, and parts that change the order of the search.
const MORE: [&str; 8] = [
    "dfpn:epsilon=0,init=unit",
    "dfpn:sums=dfpn-r",
    "dfpn:sums=weak,tca=off",
    "dfpn:top=1",
    "dfpn:ghi=nagai",
    "dfpn:ghi=nagai,sums=dfpn-r",
    "pds:ghi=nagai,root=printed",
    "pds:ghi=nagai,sums=dfpn-r",
];

fn solvers() -> Vec<String> {
    data::solvers().into_iter().chain(MORE.map(str::to_string)).collect()
}

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

fn solvers_know_what_depends_on_the_path_and_a_naive_table_does_not() {
    let mut rng = Rng::new(5);
    let solvers = solvers();
    let mut naive_errors = 0;
    for number in 0..1000 {
        let repetition = 2 + number % 2;
        let (graph, history) = random_game(&mut rng, repetition);
        let values = graph.values();
        let value = values[0];
        naive_errors += u32::from(graph.naive_value() != value);
        for name in &solvers {
            let mut search = build(name, history.rules());
            let text = || format!("{name} {}", graph.spec(repetition));
            assert_eq!(found(&mut *search, &history, 1, 1 << 20), (value, value), "{}", text());
            // The same solver goes on from the next position: what it knows of cycles was about another root. At the second repetition a
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

/// Asks every search of the list for the value of a position.
fn ask_all(truth: &Truth) {
    let limits = Limits { nodes: Some(1_000_000), memory: Some(1 << 20), ..Limits::default() };
    let contenders: Vec<Contender> =
        solvers().into_iter().map(|player| Contender { player, limits, threads: 1 }).collect();
    for tally in try_on(truth, &contenders).unwrap() {
        assert_eq!((tally.wrong, tally.decided), (0, 1), "{truth}: {} {:?}", tally.player, tally.error);
    }
}

/// A line of these graphs may go through all of their positions.
const STACK: usize = 1 << 30;

fn endings_of_lines_of_action_are_a_trap_for_a_naive_table() {
    let work = || {
        let text = data::files("truths").into_iter().find(|(path, _)| path.ends_with("loa.truth")).unwrap().1;
        let truths: Vec<Truth> = read(&text).unwrap();
        // On 6x6 a graph takes seconds: the first is enough.
        let small = truths.iter().filter(|truth| truth.spec == "loa:5");
        let mut naive_errors = 0;
        for truth in small.chain(truths.iter().find(|truth| truth.spec == "loa:6")) {
            let position = Loa::parse(&rules::<Loa>(&truth.spec).unwrap(), &truth.position).unwrap();
            let graph = Graph::of(&position, 500_000).unwrap();
            let value = graph.values()[0];
            let for_mover = if position.to_move() == Player::FIRST { value } else { -value };
            assert_eq!(truth.value, Value::Result(for_mover), "{truth}");
            naive_errors += u32::from(graph.naive_value() != value);
            ask_all(truth);
        }
        assert!(naive_errors >= 5, "{naive_errors}");
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// The value by minimax, which has no table; what a naive table answers to one of the two questions about it is wrong.
fn is_a_trap<G: Game>(spec: &str, position: &str) {
    let mut game = History::<G>::parse(rules::<G>(spec).unwrap(), position).unwrap();
    let player = game.position().to_move();
    let value = minimax::value(&mut game, player, 300_000_000).unwrap();
    let answers = [value, value + 1].map(|at_least| naive_answer(&mut game, player, at_least));
    assert_ne!(answers, [true, false], "{spec} {position}: {value}");
    let truth = Truth {
        spec: spec.to_string(),
        source: "minimax".to_string(),
        position: position.to_string(),
        side: None,
        value: Value::Score(value),
        reach: Reach::Near,
    };
    ask_all(&truth);
}

fn cycles_of_seeds_are_a_trap_for_a_naive_table() {
    is_a_trap::<Awari>("awari:rules=oware", "0,0,0,1,0,0/0,0,1,0,1,0 21 24 S");
    is_a_trap::<Awari>("awari:rules=oware", "0,0,0,0,1,0/0,0,1,0,1,0 21 24 N");
    is_a_trap::<Awari>("awari:rules=oware", "0,0,0,0,1,0/0,1,0,0,1,0 21 24 S");
}

fn superko_is_a_trap_for_a_naive_table() {
    is_a_trap::<Go>("go:2,komi=0", "XX/O. X - 0");
}

/// The tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 5] = [
        (
            "solvers know what depends on the path and a naive table does not",
            solvers_know_what_depends_on_the_path_and_a_naive_table_does_not,
        ),
        (
            "two threads and a table of a few entries give the same answers",
            two_threads_and_a_table_of_a_few_entries_give_the_same_answers,
        ),
        (
            "endings of lines of action are a trap for a naive table",
            endings_of_lines_of_action_are_a_trap_for_a_naive_table,
        ),
        ("cycles of seeds are a trap for a naive table", cycles_of_seeds_are_a_trap_for_a_naive_table),
        ("superko is a trap for a naive table", superko_is_a_trap_for_a_naive_table),
    ];
    crate::trials_of(tests)
}
