//! The workload of `cargo xtask instructions`: `legal_moves`, `play` and playouts of every game.
//!
//! Every path is one call of [`counted`], where callgrind counts; setup outside of it is free. A
//! line is printed for each call, in the order of the calls. Seeds are fixed, so the same program
//! gives the same counts.

use std::hint::black_box;
use tesuji_core::{Game, Knowledge, PlayoutContext, Rng, Rules, Visitor};
use tesuji_games::{INFOS, rules, visit};

/// Random games are played until this many legal moves have been listed: enough that a single game
/// does not matter, few enough that all games take seconds under valgrind.
const CHOICES: usize = 40_000;
/// The number of playouts.
const PLAYOUTS: u32 = 100;

/// The only function whose instructions are counted. `cargo xtask instructions` refers to its name.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    // Prevents a tail call, which would hide the end of the work from callgrind.
    black_box(());
}

/// Measures the game with this name.
struct Measure(&'static str);

impl Visitor for Measure {
    type Output = ();

    fn visit<G: Knowledge>(self) {
        let name = self.0;
        let rules = rules::<G>(name).expect("a name of the list is a spec");
        let cap = rules.facts().length.plies();
        let start = G::start(&rules);
        let games = random_games(&start, cap);

        let positions: Vec<G> = games.iter().flat_map(|moves| positions_of(&start, moves)).collect();
        let mut moves = Vec::with_capacity(rules.facts().move_indices);
        counted(&mut || {
            for position in &positions {
                moves.clear();
                position.legal_moves(&mut moves);
                black_box(&moves);
            }
        });
        println!("{name} legal_moves");

        counted(&mut || {
            for moves in &games {
                let mut position = start.clone();
                for &mv in moves {
                    position.play(mv);
                }
                black_box(&position);
            }
        });
        println!("{name} play");

        let mut context = PlayoutContext::new(Rng::new(2), cap);
        counted(&mut || {
            for _ in 0..PLAYOUTS {
                black_box(start.clone().playout(&mut context, &mut ()));
            }
        });
        println!("{name} playout");
    }
}

fn random_games<G: Game>(start: &G, cap: u32) -> Vec<Vec<G::Move>> {
    let mut rng = Rng::new(1);
    let (mut games, mut choices) = (Vec::new(), 0);
    let mut legal = Vec::new();
    while choices < CHOICES {
        let (mut position, mut moves) = (start.clone(), Vec::new());
        while !position.is_over() && moves.len() < cap as usize {
            legal.clear();
            position.legal_moves(&mut legal);
            choices += legal.len();
            let mv = legal[rng.below(legal.len())];
            moves.push(mv);
            position.play(mv);
        }
        games.push(moves);
    }
    games
}

/// The positions of a game in which a move was played.
fn positions_of<G: Game>(start: &G, moves: &[G::Move]) -> Vec<G> {
    let mut position = start.clone();
    let mut positions = Vec::with_capacity(moves.len());
    for &mv in moves {
        positions.push(position.clone());
        position.play(mv);
    }
    positions
}

fn main() {
    for info in INFOS {
        visit(info.name, Measure(info.name)).expect("it is in the list");
    }
}
