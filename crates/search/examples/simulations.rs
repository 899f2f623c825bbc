//! The workload of `cargo xtask instructions`: `mcts` simulations on four games.
//!
//! Callgrind counts the instructions of each call of [`counted`]. The program prints one line per
//! call, in the order of the calls.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Knowledge, Limits, Search, SearchKind};
use tesuji_games::{connect4::Connect4, hex::Hex, loa::Loa, othello::Othello, rules};
use tesuji_search::mcts::Mcts;

/// Simulations per search: enough for trees several plies deep.
const SIMULATIONS: u64 = 3000;

/// The only function whose instructions are counted; `cargo xtask instructions` knows its name.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    // Keeps the call above from becoming a tail call, which would hide its end from callgrind.
    black_box(());
}

fn count<G: Knowledge>(game: &str, player: &str) {
    let rules = rules::<G>(game).expect("a valid game spec");
    let history = History::<G>::new(rules.clone());
    let stop = AtomicBool::new(false);
    let mut search: Box<dyn Search<G>> = build(player, &rules);
    let limits = Limits { playouts: Some(SIMULATIONS), ..Limits::default() };
    counted(&mut || {
        black_box(search.search(&history, &Control::new(limits, 1, &stop)));
    });
    println!("{game} {player}");
}

/// Builds `mcts` directly, so that the other searches are not compiled here.
fn build<G: Knowledge>(player: &str, rules: &G::Rules) -> Box<dyn Search<G>> {
    let spec = player.parse().expect("a valid search spec");
    let mut options = tesuji_core::Options::new(&spec);
    let params = Mcts::read(&mut options).expect("valid mcts options");
    Mcts::build::<G>(params, rules).expect("mcts supports the game")
}

fn main() {
    for player in ["mcts", "mcts:pn,solver"] {
        count::<Connect4>("connect4", player);
        count::<Hex>("hex", player);
        count::<Loa>("loa", player);
        count::<Othello>("othello", player);
    }
}
