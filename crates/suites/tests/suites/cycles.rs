//! Graphs and games with cycles: the solvers against a fixpoint iteration, and a naive
//! transposition table that gets them wrong.

use libtest_mimic::Trial;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, Game, History, Limits, Player, Rng, Search};
use tesuji_games::{Awari, Go, Loa, rules, synthetic::Synthetic};
use tesuji_search::minimax;
use tesuji_suites::agreement::Contender;
use tesuji_suites::cycles::{Graph, naive_answer, random_game};
use tesuji_suites::data;
use tesuji_suites::truths::{Reach, Truth, Value, read, try_on};

/// Further ways to treat repetitions, and options that change the order of the search.
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

/// Returns the bounds that a search finds for the first player.
fn first_player_bounds(
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

fn solvers_are_correct_on_cyclic_graphs_and_a_naive_table_is_not() {
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
            assert_eq!(first_player_bounds(&mut *search, &history, 1, 1 << 20), (value, value), "{}", text());
            // The same solver continues from the next position, although its table was about
            // another root. If the third occurrence counts, a path through the old root is still
            // open.
            let mut moves = Vec::new();
            history.legal_moves(&mut moves);
            for (&mv, node) in moves.iter().zip(graph.root_children()).filter(|_| repetition == 3) {
                let mut next = history.clone();
                next.play(mv);
                if let Some(node) = node {
                    let value = values[node];
                    assert_eq!(
                        first_player_bounds(&mut *search, &next, 1, 1 << 20),
                        (value, value),
                        "{mv:?} {}",
                        text()
                    );
                }
            }
        }
    }
    assert!(naive_errors > 0, "the graphs are too simple: the naive table makes no error");
}

fn two_threads_and_tiny_tables_give_the_same_values() {
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let (graph, history) = random_game(&mut rng, 3);
        let value = graph.values()[0];
        for (name, threads, memory) in [("dfpn", 2, 1 << 20), ("rppns", 2, 1 << 20), ("dfpn", 1, 512), ("pds", 1, 512)]
        {
            let found = first_player_bounds(&mut *build(name, history.rules()), &history, threads, memory);
            assert_eq!(found, (value, value), "{name} {threads} {memory} {}", graph.spec(3));
        }
    }
}

/// Checks that every solver finds the value of a position.
fn check_solvers(truth: &Truth) {
    let limits = Limits { nodes: Some(1_000_000), memory: Some(1 << 20), ..Limits::default() };
    let contenders: Vec<Contender> =
        solvers().into_iter().map(|player| Contender { player, limits, threads: 1 }).collect();
    for tally in try_on(truth, &contenders).unwrap() {
        assert_eq!((tally.wrong, tally.solved), (0, 1), "{truth}: {} {:?}", tally.player, tally.error);
    }
}

/// The stack size: a path may contain all positions of a graph.
const STACK: usize = 1 << 30;

fn a_naive_table_is_wrong_on_endgames_of_lines_of_action() {
    let work = || {
        let text = data::files("truths").into_iter().find(|(path, _)| path.ends_with("loa.truth")).unwrap().1;
        let truths: Vec<Truth> = read(&text).unwrap();
        // A graph on 6x6 takes seconds, so only the first is checked.
        let small = truths.iter().filter(|truth| truth.spec == "loa:5");
        let mut naive_errors = 0;
        for truth in small.chain(truths.iter().find(|truth| truth.spec == "loa:6")) {
            let position = Loa::parse(&rules::<Loa>(&truth.spec).unwrap(), &truth.position).unwrap();
            let graph = Graph::of(&position, 500_000).unwrap();
            let value = graph.values()[0];
            let for_mover = if position.to_move() == Player::FIRST { value } else { -value };
            assert_eq!(truth.value, Value::Result(for_mover), "{truth}");
            naive_errors += u32::from(graph.naive_value() != value);
            check_solvers(truth);
        }
        assert!(naive_errors >= 5, "{naive_errors}");
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap();
}

/// Checks that a naive table gets a position wrong and the solvers get it right. The value comes
/// from minimax, which has no table.
fn check_naive_error<G: Game>(spec: &str, position: &str) {
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
    check_solvers(&truth);
}

fn a_naive_table_is_wrong_on_cycles_of_awari() {
    check_naive_error::<Awari>("awari:rules=oware", "0,0,0,1,0,0/0,0,1,0,1,0 21 24 S");
    check_naive_error::<Awari>("awari:rules=oware", "0,0,0,0,1,0/0,0,1,0,1,0 21 24 N");
    check_naive_error::<Awari>("awari:rules=oware", "0,0,0,0,1,0/0,1,0,0,1,0 21 24 S");
}

fn a_naive_table_is_wrong_on_superko() {
    check_naive_error::<Go>("go:2,komi=0", "XX/O. X - 0");
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 5] = [
        (
            "solvers are correct on cyclic graphs and a naive table is not",
            solvers_are_correct_on_cyclic_graphs_and_a_naive_table_is_not,
        ),
        ("two threads and tiny tables give the same values", two_threads_and_tiny_tables_give_the_same_values),
        (
            "a naive table is wrong on endgames of lines of action",
            a_naive_table_is_wrong_on_endgames_of_lines_of_action,
        ),
        ("a naive table is wrong on cycles of awari", a_naive_table_is_wrong_on_cycles_of_awari),
        ("a naive table is wrong on superko", a_naive_table_is_wrong_on_superko),
    ];
    crate::trials_of(tests)
}
