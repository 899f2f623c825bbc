//! Measures the shallow search and the playouts that use it: positions a second, and the time of a
//! playout with minimax relative to a uniform one.
//!
//! ```text
//! cargo run --release --package tesuji-search --example shallow
//! ```

use std::hint::black_box;
use std::time::Instant;
use tesuji_core::{Knowledge, PlayoutContext, Rng};
use tesuji_games::{breakthrough::Breakthrough, connect4::Connect4, lion::Lion, othello::Othello, rules};
use tesuji_search::shallow::{Bare, Buffers, Settings, Shallow};

/// Positions of random games, at most 20 plies long.
fn positions<G: Knowledge>(game: &str, count: usize) -> Vec<G> {
    let start = G::start(&rules::<G>(game).expect("a valid game spec"));
    let mut context = PlayoutContext::new(Rng::new(1), 1000);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = start.clone();
        for _ in 0..context.rng.below(20) {
            if !position.is_over() {
                position.play(position.playout_move(&mut context));
            }
        }
        if !position.is_over() {
            found.push(position);
        }
    }
    found
}

/// Positions that a shallow search visits in a second.
fn rate<G: Knowledge>(game: &str, depth: u32) {
    let positions = positions::<G>(game, 500);
    let (mut rng, mut buffers, mut nodes) = (Rng::new(1), Buffers::default(), 0);
    let begin = Instant::now();
    while begin.elapsed().as_secs_f64() < 1.0 {
        for position in &positions {
            let mut search = Shallow::new(Settings::results(position.to_move()), &mut rng, &mut buffers);
            black_box(search.value(&mut Bare(position.clone()), depth));
            nodes += search.nodes + 1;
        }
    }
    let millions = nodes as f64 / begin.elapsed().as_secs_f64() / 1e6;
    println!("{game}: {millions:.1} million positions a second at depth {depth}");
}

/// The time of simulations with an option relative to those without it.
fn ratio<G: Knowledge>(game: &str, option: &str) {
    use std::sync::atomic::AtomicBool;
    use tesuji_core::{Control, History, Limits, SearchKind};
    let rules = rules::<G>(game).expect("a valid game spec");
    let seconds = |player: &str| {
        let spec = player.parse().expect("a valid search spec");
        let params = tesuji_search::mcts::Mcts::read(&mut tesuji_core::Options::new(&spec)).expect("valid options");
        let mut search = tesuji_search::mcts::Mcts::build::<G>(params, &rules).expect("the game has the option");
        let stop = AtomicBool::new(false);
        // Nodes are not expanded, so nearly all the time goes into playouts.
        let limits = Limits { playouts: Some(100_000), ..Limits::default() };
        let history = History::<G>::new(rules.clone());
        let begin = Instant::now();
        black_box(search.search(&history, &Control::new(limits, 1, &stop)));
        begin.elapsed().as_secs_f64()
    };
    let (plain, with) = ("mcts:expand-visits=1000000", format!("mcts:expand-visits=1000000,{option}"));
    let best = |player: &str| (0..3).map(|_| seconds(player)).fold(f64::INFINITY, f64::min);
    let (before, after) = (best(plain), best(&with));
    println!("{game}: a playout takes {:.0} ns, with {option} {:.2} times that", before * 1e4, after / before);
}

fn main() {
    for depth in [2, 4, 6] {
        rate::<Connect4>("connect4", depth);
    }
    for depth in [2, 3, 4] {
        rate::<Breakthrough>("breakthrough", depth);
        rate::<Lion>("lion", depth);
        rate::<Othello>("othello", depth);
    }
    for option in ["mr=1", "mr=2"] {
        ratio::<Connect4>("connect4", option);
        ratio::<Breakthrough>("breakthrough", option);
        ratio::<Lion>("lion", option);
        ratio::<Othello>("othello", option);
    }
}
