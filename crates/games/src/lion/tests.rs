use super::*;
use std::sync::atomic::AtomicBool;
use tesuji_core::perft::{Leaves, perft};
use tesuji_core::{History, Knowledge};

fn game(spec: &str, text: &str) -> History<Lion> {
    History::parse(crate::rules::<Lion>(spec).unwrap(), text).unwrap()
}

fn moves(game: &History<Lion>) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.iter().map(|&mv| game.position().move_text(mv)).collect()
}

#[test]
fn perft_counts_are_those_of_other_programs() {
    let count =
        |spec, depth| perft(&game(spec, "start"), depth, Leaves::Counted, &AtomicBool::new(false)).unwrap().leaves;
    let counts: Vec<u64> = (1..=6).map(|depth| count("lion", depth)).collect();
    assert_eq!(counts, [4, 17, 123, 976, 8122, 71677]);
    assert_eq!(count("lion:try=any", 6), 70628);
}

#[test]
fn a_moving_chick_promotes_and_a_dropped_one_does_not() {
    let game = game("lion", "S/g-e/-CL/l--/E-G/C");
    let moves = moves(&game);
    assert!(moves.contains(&"b2-b1+".to_string()) && !moves.contains(&"b2-b1".to_string()));
    assert!(moves.contains(&"C*b1".to_string()));
    let mut promoted = game.clone();
    promoted.play_text("b2-b1+").unwrap();
    assert_eq!(promoted.position().text(), "G/gRe/--L/l--/E-G/C");
    let mut dropped = game;
    dropped.play_text("c*b1").unwrap();
    assert_eq!(dropped.position().text(), "G/gCe/-CL/l--/E-G/-");
}

#[test]
fn a_captured_rooster_is_a_chick() {
    let mut game = game("lion", "G/gRe/--L/l--/E-G/C");
    game.play_text("a1-b1").unwrap();
    assert_eq!(game.position().text(), "S/-ge/--L/l--/E-G/Cc");
}

#[test]
fn catching_the_lion_wins_even_by_a_lion_on_its_way_to_the_far_rank() {
    let mut game = game("lion", "S/-l-/-Lc/--g/E-G/Ce");
    game.play_text("b2-b1").unwrap();
    assert_eq!(game.outcome().unwrap().scores(), [1, -1]);
    assert_eq!(game.position().text(), "G/-L-/--c/--g/E-G/Ce");
    assert!(Lion::parse(game.rules(), &game.position().text()).unwrap().is_over());
}

#[test]
fn an_attacked_lion_wins_on_the_far_rank_only_under_try_any() {
    for (spec, over) in [("lion", false), ("lion:try=any", true)] {
        let mut game = game(spec, "S/--e/Lg-/l-c/E-G/C");
        game.play_text("a2-a1").unwrap();
        assert!(game.is_over());
        let mut game = self::game(spec, "S/-ge/L--/l-c/E-G/C");
        game.play_text("a2-a1").unwrap();
        assert_eq!(game.is_over(), over, "{spec}");
    }
}

#[test]
fn a_lion_that_was_not_caught_on_the_far_rank_wins_with_the_next_move() {
    let mut game = game("lion", "S/-ge/L--/l-c/E-G/C moves a2-a1 b1-b2");
    assert_eq!(game.position().text(), "S/L-e/-g-/l-c/E-G/C");
    game.play_text("C*c2").unwrap();
    assert_eq!(game.outcome().unwrap().scores(), [1, -1]);
}

#[test]
fn the_end_has_a_reason_and_the_lion_that_reached_the_far_rank() {
    let end = |text: &str| {
        let game = game("lion", text);
        (game.position().ending_reason(), game.position().winning_cells().join(" "))
    };
    assert_eq!(end("start"), (None, String::new()));
    assert_eq!(end("S/-l-/-Lc/--g/E-G/Ce moves b2-b1"), (Some("lion captured"), String::new()));
    let arrived = Some("lion reached the far rank");
    assert_eq!(end("S/--e/Lg-/l-c/E-G/C moves a2-a1"), (arrived, "a1".to_string()));
    assert_eq!(end("S/-ge/L--/l-c/E-G/C moves a2-a1"), (None, String::new()));
    assert_eq!(end("S/LGE/GC-/C-l/---/e"), (Some("no moves left"), String::new()));
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let shuffle = "c4-c3 a1-a2 c3-c4 a2-a1 ";
    let mut game = game("lion", &format!("start moves {}", shuffle.repeat(2).trim()));
    assert!(game.ended_by_history());
    assert_eq!(game.outcome().unwrap().scores(), [0, 0]);
    game.undo();
    assert!(!game.is_over());
}

#[test]
fn a_player_without_moves_loses() {
    // Not reachable in a game: the Lion on the far rank would have won before.
    let game = game("lion", "S/LGE/GC-/C--/--l/e");
    assert_eq!(game.outcome().unwrap().scores(), [-1, 1]);
    assert!(moves(&game).is_empty());
}

#[test]
fn impossible_positions_are_refused() {
    for text in [
        "",
        "S",
        "S/gle/-c-/-C-/ELG",
        "X/gle/-c-/-C-/ELG/-",
        "S/gle/-c-/-C-/ELG/C",
        "S/gle/-c-/-C-/E-G/-x",
        "S/gle/-c-/-C-/ELG/",
        "S/g-e/-c-/-C-/ELG/-",
        "S/gle/-c-/-C-/ELL/-",
        "S/gle/-c-/-C-/ELGG/-",
        "S/gle/-c-/-C-/EL\u{e9}/-",
        "S/gle/---/---/ELG/CCCCC",
    ] {
        assert!(Lion::parse(&LionRules { goal: Try::Safe }, text).is_err(), "{text}");
    }
}

#[test]
fn the_evaluation_counts_roosters_more_than_chicks() {
    let value = |text: &str| game("lion", text).position().evaluation(Player::FIRST).unwrap();
    assert_eq!(value("start"), 0.0);
    assert_eq!(value("G/gRe/--L/l--/E-G/C"), (6.0 + 3.0) / 32.0);
    assert!(value("S/--l/RR-/EGE/LG-/-") < 1.0);
}

#[test]
fn a_position_is_32_bytes() {
    assert_eq!(size_of::<Lion>(), 32);
}
