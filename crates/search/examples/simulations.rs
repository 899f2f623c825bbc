//! What `cargo xtask instructions` counts of the searches: simulations of `mcts`, plain and with proofs, on a few games.
//!
//! Every path is one call of [`counted`], which callgrind watches; a line is printed for each call, in the order of the calls.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, History, Knowledge, Limits, Search, SearchKind};
use tesuji_games::{connect4::Connect4, hex::Hex, loa::Loa, othello::Othello, rules};
use tesuji_search::mcts::Mcts;

/// Enough that trees become a few plies deep.
const SIMULATIONS: u64 = 3000;

/// The only function whose instructions are counted: its name is known to `cargo xtask instructions`.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    // Something is left to be done here: a jump instead of a call would hide from callgrind where the work ends.
    black_box(());
}

fn count<G: Knowledge>(game: &str, player: &str) {
    let rules = rules::<G>(game).expect("a spec of the list");
    let history = History::<G>::new(rules.clone());
    let stop = AtomicBool::new(false);
    let mut search: Box<dyn Search<G>> = build(player, &rules);
    let limits = Limits { playouts: Some(SIMULATIONS), ..Limits::default() };
    counted(&mut || {
        black_box(search.search(&history, &Control::new(limits, 1, &stop)));
    });
    println!("{game} {player}");
}

/// Built as `mcts` directly, so that the other searches need not be compiled here.
fn build<G: Knowledge>(player: &str, rules: &G::Rules) -> Box<dyn Search<G>> {
    let spec = player.parse().expect("a spec");
    let mut options = tesuji_core::Options::new(&spec);
    let params = Mcts::read(&mut options).expect("options of mcts");
    Mcts::build::<G>(params, rules).expect("it goes with the game")
}

fn main() {
    for player in ["mcts", "mcts:pn,solver"] {
        count::<Connect4>("connect4", player);
        count::<Hex>("hex", player);
        count::<Loa>("loa", player);
        count::<Othello>("othello", player);
    }
}
