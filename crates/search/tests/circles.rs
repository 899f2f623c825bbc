//! Graphs with circles: the solvers against a fixpoint that knows nothing of search, and a naive table that falls into the trap.

use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Limits, Options, Rng, Search, SearchKind, Spec};
use tesuji_games::{rules, synthetic::Synthetic};
use tesuji_search::{dfpn::DfPn, pds::Pds, pdspn::PdsPn, pn2::Pn2, pns::Pns, pnstar::PnStar, rppns::RpPns};

/// A node of a graph: who moves, and where to.
struct Choice {
    mover: usize,
    to: Vec<To>,
}

#[derive(Clone, Copy, PartialEq)]
enum To {
    Node(usize),
    /// The score of the first player.
    End(i32),
}

/// A random graph; node 0 is the root.
fn random_graph(rng: &mut Rng) -> Vec<Choice> {
    let nodes = 3 + rng.below(18);
    let to = |rng: &mut Rng| match rng.below(6) {
        0 => To::End(rng.below(3) as i32 - 1),
        _ => To::Node(rng.below(nodes)),
    };
    let choice = |rng: &mut Rng| Choice { mover: rng.below(2), to: (0..1 + rng.below(3)).map(|_| to(rng)).collect() };
    (0..nodes).map(|_| choice(rng)).collect()
}

/// The graph below a node as the synthetic game writes it.
fn written(graph: &[Choice], node: usize, named: &mut Vec<usize>) -> String {
    let name = |node: usize| char::from(b'c' + node as u8);
    if named.contains(&node) {
        return format!("@{}", name(node));
    }
    named.push(node);
    let children: Vec<String> = graph[node]
        .to
        .iter()
        .map(|to| match to {
            To::Node(next) => written(graph, *next, named),
            To::End(score) => score.to_string(),
        })
        .collect();
    format!("{}=({} {})", name(node), ["a:", "b:"][graph[node].mover], children.join(" "))
}

/// The nodes from which a player can force one of some ends: what can be reached in one step more, until nothing is added.
fn can_force(graph: &[Choice], player: usize, is_goal: impl Fn(i32) -> bool) -> Vec<bool> {
    let mut forced = vec![false; graph.len()];
    loop {
        let step = |choice: &Choice| {
            let mut reached = choice.to.iter().map(|to| match to {
                To::Node(next) => forced[*next],
                To::End(score) => is_goal(*score),
            });
            if choice.mover == player { reached.any(|yes| yes) } else { reached.all(|yes| yes) }
        };
        let next: Vec<bool> = graph.iter().map(step).collect();
        if next == forced {
            return forced;
        }
        forced = next;
    }
}

/// The values of the nodes for the first player; an endless game is a draw.
fn values(graph: &[Choice]) -> Vec<i32> {
    let (wins, losses) = (can_force(graph, 0, |score| score > 0), can_force(graph, 1, |score| score < 0));
    wins.iter().zip(&losses).map(|(&wins, &loses)| i32::from(wins) - i32::from(loses)).collect()
}

/// Minimax with a table that knows nothing of paths: a repetition on the line is a draw, and what came of it is kept.
fn naive(graph: &[Choice], node: usize, line: &mut Vec<usize>, table: &mut Vec<Option<i32>>) -> i32 {
    if let Some(known) = table[node] {
        return known;
    }
    if line.contains(&node) {
        return 0;
    }
    line.push(node);
    let mut values = Vec::new();
    for to in &graph[node].to {
        values.push(match to {
            To::Node(next) => naive(graph, *next, line, table),
            To::End(score) => *score,
        });
    }
    line.pop();
    let best = if graph[node].mover == 0 { values.iter().max() } else { values.iter().min() };
    let best = *best.expect("every choice leads somewhere");
    table[node] = Some(best);
    best
}

const SEARCHES: [&str; 15] = [
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
];

fn build(name: &str, rules: &<Synthetic as tesuji_core::Game>::Rules) -> Box<dyn Search<Synthetic>> {
    fn one<K: SearchKind>(
        spec: &Spec,
        rules: &<Synthetic as tesuji_core::Game>::Rules,
    ) -> Option<Box<dyn Search<Synthetic>>> {
        (spec.name() == K::INFO.name).then(|| {
            let mut options = Options::new(spec);
            let params = K::read(&mut options).unwrap();
            options.finish().unwrap();
            K::build(params, rules).unwrap()
        })
    }
    let spec: Spec = name.parse().unwrap();
    let kinds = [one::<DfPn>, one::<Pds>, one::<PdsPn>, one::<Pns>, one::<Pn2>, one::<RpPns>, one::<PnStar>];
    kinds.iter().find_map(|kind| kind(&spec, rules)).expect("one of the list")
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

fn history(graph: &[Choice], repetition: u32) -> Option<History<Synthetic>> {
    let tree = written(graph, 0, &mut Vec::new());
    let history = History::new(rules::<Synthetic>(&format!("synthetic:tree='{tree}',repetition={repetition}")).ok()?);
    (!history.is_over()).then_some(history)
}

#[test]
fn solvers_know_what_rests_on_the_path_and_a_naive_table_does_not() {
    let mut rng = Rng::new(5);
    let (mut graphs, mut naive_errors) = (0, 0);
    while graphs < 1000 {
        let graph = random_graph(&mut rng);
        let repetition = 2 + graphs % 2;
        let Some(history) = history(&graph, repetition) else { continue };
        graphs += 1;
        let values = values(&graph);
        let value = values[0];
        naive_errors += u32::from(naive(&graph, 0, &mut Vec::new(), &mut vec![None; graph.len()]) != value);
        for name in SEARCHES {
            let mut search = build(name, history.rules());
            let text = || format!("{name} {}", written(&graph, 0, &mut Vec::new()));
            assert_eq!(found(&mut *search, &history, 1, 1 << 20), (value, value), "{}", text());
            // The same solver goes on from the next position: what it knows of circles was about another root. At the second repetition a
            // way through the old root is still open.
            let mut moves = Vec::new();
            history.legal_moves(&mut moves);
            for (&mv, to) in moves.iter().zip(&graph[0].to).filter(|_| repetition == 3) {
                let mut next = history.clone();
                next.play(mv);
                if let To::Node(node) = *to {
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
    let mut graphs = 0;
    while graphs < 200 {
        let graph = random_graph(&mut rng);
        let Some(history) = history(&graph, 3) else { continue };
        graphs += 1;
        let value = values(&graph)[0];
        for (name, threads, memory) in [("dfpn", 2, 1 << 20), ("rppns", 2, 1 << 20), ("dfpn", 1, 512), ("pds", 1, 512)]
        {
            let found = found(&mut *build(name, history.rules()), &history, threads, memory);
            assert_eq!(found, (value, value), "{name} {threads} {memory} {}", written(&graph, 0, &mut Vec::new()));
        }
    }
}
