//! The depth-first proof-number searches against minimax, on late positions of many games.

use libtest_mimic::Trial;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Knowledge, Limits, Rng, Search};
use tesuji_games::{
    awari::Awari, breakthrough::Breakthrough, connect4::Connect4, go::Go, hex::Hex, lion::Lion, loa::Loa,
    minishogi::MiniShogi, othello::Othello, rolit::Rolit, rules, synthetic::Synthetic, tictactoe::TicTacToe,
};
use tesuji_search::minimax;

/// The searches, with options that change the search but not the answer.
const SEARCHES: [&str; 14] = [
    "dfpn",
    "dfpn:epsilon=0,init=unit",
    "dfpn:sums=dfpn-r",
    "dfpn:sums=weak,tca=off",
    "dfpn:sums=branch",
    "dfpn:top=3",
    "dfpn:rate=2,ties=less",
    "dfpn:init=mc",
    "dfpn:init=game",
    "pds",
    "pds:root=printed,epsilon=0",
    "pnstar",
    "pdspn",
    "pdspn:cap=full,init=unit",
];

fn build<G: Knowledge>(name: &str, rules: &G::Rules) -> Box<dyn Search<G>> {
    tesuji_catalog::search::<G>(&name.parse().unwrap(), rules).unwrap()
}

/// A position near the end of a random game that minimax solves within `nodes` nodes, with its
/// value.
fn late<G: Knowledge>(spec: &str, rng: &mut Rng, nodes: u64) -> (History<G>, i32) {
    loop {
        if let Some(found) = try_late(spec, rng, nodes) {
            return found;
        }
    }
}

fn try_late<G: Knowledge>(spec: &str, rng: &mut Rng, nodes: u64) -> Option<(History<G>, i32)> {
    let mut history = History::<G>::new(rules::<G>(spec).unwrap());
    let mut moves = Vec::new();
    while !history.is_over() {
        moves.clear();
        history.legal_moves(&mut moves);
        history.play(moves[rng.below(moves.len())]);
    }
    let mut solved = None;
    loop {
        if history.undo().is_none() {
            break;
        }
        let player = history.position().to_move();
        match minimax::value(&mut history, player, nodes) {
            Some(value) => solved = Some((history.clone(), value)),
            None => break,
        }
        // Not always the earliest position.
        if rng.below(8) == 0 {
            break;
        }
    }
    solved
}

fn check<G: Knowledge>(spec: &str, searches: &[&str], positions: u32, nodes: u64) {
    let mut rng = Rng::new(7);
    let stop = AtomicBool::new(false);
    for _ in 0..positions {
        let (history, value) = late::<G>(spec, &mut rng, nodes);
        for name in searches {
            let name = format!("{name}{}goal=score", if name.contains(':') { "," } else { ":" });
            let mut search = build::<G>(&name, history.rules());
            let limits = Limits { nodes: Some(4_000_000), memory: Some(1 << 22), ..Limits::default() };
            let report = search.search(&history, &Control::new(limits, 1, &stop));
            let found = (report.bounds.at_least, report.bounds.at_most);
            assert_eq!(found, (value, value), "{spec} {name} {}", history.text());
        }
    }
}

fn late_positions_of_games_without_cycles() {
    check::<TicTacToe>("tictactoe", &SEARCHES, 20, 20_000);
    check::<Connect4>("connect4:5x4", &SEARCHES, 10, 5_000);
    check::<Hex>("hex:4", &SEARCHES, 10, 5_000);
    check::<Breakthrough>("breakthrough:4x5", &SEARCHES, 10, 5_000);
    check::<Othello>("othello:4", &SEARCHES, 10, 5_000);
}

fn late_positions_for_several_players() {
    check::<Rolit>("rolit:4,players=2", &SEARCHES, 6, 3_000);
    check::<Rolit>("rolit:4,players=3", &SEARCHES, 6, 3_000);
    check::<Rolit>("rolit:4,players=4", &SEARCHES, 6, 3_000);
}

fn late_positions_of_games_with_cycles() {
    check::<Loa>("loa:5", &SEARCHES, 10, 5_000);
    check::<Lion>("lion", &SEARCHES, 10, 5_000);
    check::<MiniShogi>("minishogi", &SEARCHES, 6, 5_000);
    check::<Awari>("awari:rules=oware", &SEARCHES, 6, 5_000);
    check::<Go>("go:3", &SEARCHES, 6, 3_000);
}

/// A refuted child drops out of the children that count and another takes its place, so that the
/// answer is the same for every part of the children and every order (Yoshizoe 2009, chapter 5).
fn widening_does_not_change_the_answer() {
    let stop = AtomicBool::new(false);
    let solve = |name: &str, root: &History<Synthetic>| {
        let limits = Limits { nodes: Some(4_000_000), memory: Some(1 << 20), ..Limits::default() };
        let report = build::<Synthetic>(name, root.rules()).search(root, &Control::new(limits, 1, &stop));
        (report.bounds.at_least, report.bounds.at_most)
    };
    for seed in 0..24 {
        let turns = if seed % 2 == 0 { "alternate" } else { "random" };
        let tree = format!("synthetic:depth=6,branching=4,scores=2,turns={turns},seed={seed}");
        let root = History::<Synthetic>::new(rules::<Synthetic>(&tree).unwrap());
        let plain = solve("dfpn:goal=score", &root);
        assert_eq!(plain.0, plain.1, "{tree}");
        for part in ["top=1", "top=2", "top=3", "top=4", "rate=2", "rate=3", "rate=4"] {
            for ties in ["greater", "less", "listed"] {
                for name in ["dfpn", "pds"] {
                    let name = format!("{name}:goal=score,{part},ties={ties}");
                    assert_eq!(solve(&name, &root), plain, "{tree} {name}");
                }
            }
        }
    }
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 4] = [
        ("late positions of games without cycles", late_positions_of_games_without_cycles),
        ("late positions for several players", late_positions_for_several_players),
        ("late positions of games with cycles", late_positions_of_games_with_cycles),
        ("widening does not change the answer", widening_does_not_change_the_answer),
    ];
    crate::trials_of(tests)
}
