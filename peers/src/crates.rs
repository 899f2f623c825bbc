//! Random playouts on the boards of published crates, with the crates' own move generation.

use crate::{Peer, Work, playouts};
use board_game::board::Board;
use board_game::games::connect4::Connect4;
use board_game::games::go::{GoBoard, Komi, Rules};
use board_game::games::oware::OwareBoard;
use rand::rngs::SmallRng;

pub const PEERS: [Peer; 3] = [
    Peer {
        game: "connect4",
        name: "board-game 0.8.2",
        note: "",
        work: Work::Playouts(|time, rng| playouts(time, || playout(Connect4::default(), rng))),
    },
    Peer {
        game: "awari:rules=oware",
        name: "board-game 0.8.2",
        note: "ends when the last two seeds chase each other; ours continue to the limit of 1000 plies",
        work: Work::Playouts(|time, rng| playouts(time, || playout(OwareBoard::<6>::default(), rng))),
    },
    Peer {
        game: "go:9",
        name: "board-game 0.8.2",
        note: "superko throughout; fills its own eyes, and may pass at any time",
        // Without suicide, like ours; the komi is in half points.
        work: Work::Playouts(|time, rng| {
            let start = GoBoard::new(9, Komi::new(15), Rules::cgos());
            playouts(time, || playout(start.clone(), rng))
        }),
    },
];

/// Plays to the end and returns the number of plies.
fn playout<B: Board>(mut board: B, rng: &mut SmallRng) -> u32 {
    let mut plies = 0;
    while board.play_random_available_move(rng).is_ok() {
        plies += 1;
    }
    plies
}
