use super::*;
use tesuji_core::{History, Knowledge};

fn game(spec: &str, moves: &str) -> History<Hex> {
    let mut history = History::new(crate::rules::<Hex>(spec).unwrap());
    for mv in moves.split_whitespace() {
        history.play_text(mv).unwrap();
    }
    history
}

#[test]
fn proof_numbers_follow_the_missing_stones() {
    let numbers = |moves: &str, player: Player| game("hex:5", moves).position().initial_proof_numbers(player);
    // A stone in the middle of 5x5 is linked to both edges.
    assert_eq!(numbers("", Player::FIRST), Some((4, 4)));
    assert_eq!(numbers("c3", Player::FIRST), Some((1, 16)));
    assert_eq!(numbers("c3", Player::SECOND), Some((16, 1)));
    assert_eq!(numbers("a1", Player::SECOND), Some((4, 4)));
}

#[test]
fn black_connects_top_and_bottom_and_white_left_and_right() {
    assert_eq!(game("hex:3", "b1 a1 b2 a2 b3").outcome().unwrap().scores(), [1, -1]);
    assert_eq!(game("hex:3", "a1 c1 b2 b3 a2 c2").outcome(), None);
    assert_eq!(game("hex:3", "a1 a2 b1 b2 a3 c2").outcome().unwrap().scores(), [-1, 1]);
}

#[test]
fn the_end_has_a_reason_and_its_chain() {
    let end = |spec: &str, moves: &str| {
        let history = game(spec, moves);
        (history.position().ending_reason(), history.position().winning_cells().join(" "))
    };
    assert_eq!(end("hex:3", "b1 a1 b2 a2"), (None, String::new()));
    assert_eq!(end("hex:3", "a1 a2 b1 b2 a3 c2"), (Some("connected"), "a2 b2 c2".to_string()));
    // The stone on e1 touches the top edge alone; the one on d3 is part of the chain.
    let moves = "e1 a1 c1 a2 c2 a3 c3 a4 d3 b5 c4 a5 b4 b1 c5";
    assert_eq!(end("hex:5", moves), (Some("connected"), "c1 c2 c3 d3 b4 c4 c5".to_string()));
}

#[test]
fn the_acute_diagonal_does_not_connect() {
    assert_eq!(game("hex:2", "a1 b1 b2").outcome(), None);
    assert_eq!(game("hex:2", "b1 a1 a2").outcome().unwrap().scores(), [1, -1]);
}

#[test]
fn chains_do_not_wrap_around_the_edges() {
    assert!(!game("hex:4x3", "d1 b1 a2 b2 d2 b3 a3").is_over());
    assert!(!game("hex:3x4", "a3 c1 b3 a2 a1 b4").is_over());
}

#[test]
fn a_late_stone_joins_separate_chains() {
    assert_eq!(game("hex:5", "c5 a1 c4 a2 c3 a3 c1 a4 c2").outcome().unwrap().scores(), [1, -1]);
    assert_eq!(game("hex:19", "s19 a1 s18 a2 s1").outcome(), None);
}

#[test]
fn swap_mirrors_the_stone_and_gives_black_the_move() {
    let swapped = game("hex:3,swap", "c1 swap");
    assert_eq!(swapped.position().text(), ".../.../W.. B");
    assert!(game("hex:3,swap", "c1 a1").play_text("swap").is_err());
    assert!(game("hex:3", "c1").play_text("swap").is_err());
    assert!(crate::rules::<Hex>("hex:4x3,swap").is_err());
    let mut after = swapped;
    after.play_text("b2").unwrap();
    assert_eq!(Hex::parse(after.rules(), ".../.B./W.. W").as_ref(), Ok(after.position()));
}

#[test]
fn bridges_count_as_held() {
    let rules = crate::rules::<Hex>("hex:5").unwrap();
    let distances = |text: &str| {
        let position = Hex::parse(&rules, text).unwrap();
        on_narrowest!(position.distances_on(false))
    };
    assert_eq!(distances("...../...../...../...../..... B"), [Some(2), Some(2)]);
    assert_eq!(distances("...../...B./...../.WB../..... W")[BLACK], Some(0));
    assert_eq!(distances("BW.../BW.../BW.../BW.../B.... W"), [Some(0), None]);
}

/// The centre stone of 5x5 is connected to both edges as long as every intrusion is answered.
#[test]
fn ziggurats_are_answered_locally() {
    let static_result =
        |moves: &str| game("hex:5", moves).position().static_bounds(Player::FIRST).map(|bounds| bounds.at_least);
    assert_eq!(static_result(""), Some(1));
    assert_eq!(static_result("c3"), Some(1));
    assert_eq!(static_result("c3 c4"), Some(1));
    assert_eq!(static_result("c3 c4 a1 b4"), Some(-1));
    let answer = game("hex:5", "c3 b4").position().static_move().unwrap();
    assert_eq!(game("hex:5", "c3 b4").position().move_text(answer), "c4");
}

#[test]
fn a_position_is_208_bytes() {
    assert_eq!(size_of::<Hex>(), 208);
}

#[test]
fn impossible_positions_are_refused() {
    let rules = crate::rules::<Hex>("hex:3").unwrap();
    for text in [
        "",
        ".../.../... Z",
        ".../.../.../ B",
        "B../.../... B",
        "BB./.../... W",
        ".../.../W.. B",
        "BWW/B../B.W B",
        "b../.../... W",
    ] {
        assert!(Hex::parse(&rules, text).is_err(), "{text}");
    }
}
