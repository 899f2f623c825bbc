//! The sizes of certificates for docs/proof-format.md: proofs of small games with replies from a
//! plain search.

use std::collections::HashMap;
use std::time::Instant;
use tesuji_core::{Game, History, Player};
use tesuji_games::{Breakthrough, Connect4, Hex, Othello, TicTacToe, rules};
use tesuji_proof::{Certificate, Claim, Writer};

/// Finds the first reply that keeps the claim, for games without repetition.
struct Solver {
    claim: Claim,
    holds: HashMap<u64, bool>,
}

impl Solver {
    fn holds<G: Game>(&mut self, position: &G) -> bool {
        if let Some(outcome) = position.outcome() {
            return self.claim.holds(&outcome);
        }
        if let Some(&holds) = self.holds.get(&position.key()) {
            return holds;
        }
        let ours = self.claim.is_ours(position);
        let holds = if ours { self.reply(position).is_some() } else { self.refutation(position).is_none() };
        self.holds.insert(position.key(), holds);
        holds
    }

    fn reply<G: Game>(&mut self, position: &G) -> Option<G::Move> {
        self.find(position, true)
    }

    fn refutation<G: Game>(&mut self, position: &G) -> Option<G::Move> {
        self.find(position, false)
    }

    fn find<G: Game>(&mut self, position: &G, wanted: bool) -> Option<G::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().find(|&mv| {
            let mut next = position.clone();
            next.play(mv);
            self.holds(&next) == wanted
        })
    }
}

fn measure<G: Game>(spec: &str, root: &str, claim: Claim) {
    let root = History::<G>::parse(rules::<G>(spec).expect("a spec"), root).expect("a root");
    let mut solver = Solver { claim, holds: HashMap::new() };
    assert!(solver.holds(root.position()), "{spec}: {claim}");
    let mut writer = Writer::new(Vec::new(), spec, &root).expect("a root that reads back");
    let proved = writer.prove(claim, |game| solver.reply(game.position()), |_| true).expect("a true claim");
    let (file, bytes) = writer.finish().expect("room");
    let begin = Instant::now();
    Certificate::open(&file[..]).expect("a certificate").verify::<G>(|_| true).expect("a proof");
    let rate = proved.positions as f64 / begin.elapsed().as_secs_f64();
    println!(
        "| `{spec}` | {claim} | {} | {} | {bytes} | {:.2} |",
        proved.positions,
        proved.replies,
        bytes as f64 / proved.positions as f64
    );
    eprintln!("verified at {:.1} million positions a second", rate / 1e6);
}

fn main() {
    println!("| game | claim | positions | replies | bytes | bytes a position |");
    println!("|---|---|--:|--:|--:|--:|");
    let (first, second) = (Player::FIRST, Player::SECOND);
    measure::<TicTacToe>("tictactoe", "start", Claim::at_least(first, 0));
    measure::<Hex>("hex:4", "start", Claim::at_least(first, 1));
    measure::<Othello>("othello:4", "start", Claim::at_least(first, -10));
    measure::<Connect4>("connect4:5x4", "start", Claim::at_least(first, 0));
    measure::<Connect4>("connect4:5x4", "start", Claim::at_most(first, 0));
    measure::<Connect4>("connect4:5x5", "start", Claim::at_least(second, 0));
    measure::<Breakthrough>("breakthrough:4x5", "start", Claim::at_least(second, 1));
}
