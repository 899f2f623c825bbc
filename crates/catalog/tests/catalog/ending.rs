//! Results of finished games.

use tesuji_catalog::{Ending, open};
use tesuji_core::Player;
use tesuji_core::Verdict::{Loss, Win};

#[test]
fn a_player_who_resigns_loses() {
    let game = open("rolit:4,players=3", "start").unwrap();
    let ending = Ending::forfeit(game.as_ref(), Player(1), "resigns");
    assert_eq!(ending.verdicts, [Win, Loss, Win]);
    let alone = open("samegame", "start").unwrap();
    assert_eq!(Ending::forfeit(alone.as_ref(), Player(0), "resigns").verdicts, []);
}

#[test]
fn endings_name_the_reason_and_the_cells() {
    let ending = |game: &str, position: &str| open(game, position).unwrap().ending().unwrap();
    let hex = ending("hex:3", "start moves b1 a1 b2 a2 b3");
    assert_eq!((hex.reason, hex.cells.join(" ")), (Some("connected"), "b1 b2 b3".to_string()));
    // A draw by repetition is not the end of the position.
    let repeated = ending("loa", "start moves b1-b3 a2-c2 b3-b1 c2-a2 b1-b3 a2-c2 b3-b1 c2-a2");
    assert_eq!((repeated.by_past, repeated.reason, repeated.cells.len()), (true, None, 0));
}

#[test]
fn endings_are_described_by_the_kind_of_score() {
    let words = |game: &str, position: &str| open(game, position).unwrap().ending().unwrap().words;
    assert_eq!(words("tictactoe", "start moves a1 a2 b1 b2 c1"), "X wins (three in a row)");
    assert_eq!(words("tictactoe", "start moves a1 b2 c3 b3 b1 c1 a3 a2 c2"), "draw (board full)");
    assert_eq!(words("connect4", "start moves 1 2 1 2 1 2 1"), "Red wins (four in a row)");
    assert_eq!(words("lion", "S/-l-/-Lc/--g/E-G/Ce moves b2-b1"), "Sente wins (lion captured)");
    assert_eq!(words("go:2,komi=0", "start moves pass pass"), "draw (two passes)");
    assert_eq!(words("synthetic:tree='(8 0)'", "start moves 1"), "a wins, score 8");
    assert_eq!(words("synthetic:tree='(6,4,6 1,0,0)'", "start moves 1"), "tie: a 6, c 6, b 4");
    assert_eq!(words("synthetic:tree='(9,7,0 1,0,0)'", "start moves 1"), "a wins: a 9, b 7, c 0");
}
