use super::tables::{bishop_slides, rook_slides, slide};
use super::*;
use std::sync::atomic::AtomicBool;
use tesuji_core::perft::{Leaves, perft};
use tesuji_core::{History, Rng};

fn game(spec: &str, text: &str) -> History<MiniShogi> {
    History::parse(crate::rules::<MiniShogi>(spec).unwrap(), text).unwrap()
}

fn moves(game: &History<MiniShogi>) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.iter().map(|&mv| game.position().move_text(mv)).collect()
}

fn is_legal(text: &str, mv: &str) -> bool {
    moves(&game("minishogi", text)).iter().any(|legal| legal == mv)
}

/// The scores after moves have been repeated from a position until it occurs for the fourth time.
fn repeated(spec: &str, text: &str, moves: &str) -> Vec<i32> {
    let mut game = game(spec, text);
    for _ in 0..3 {
        assert!(!game.is_over());
        moves.split(' ').for_each(|mv| assert!(game.play_text(mv).is_ok(), "{mv}"));
    }
    assert!(game.ended_by_history());
    game.outcome().unwrap().scores().to_vec()
}

#[test]
fn perft_counts_are_those_of_other_programs() {
    let count =
        |spec, depth| perft(&game(spec, "start"), depth, Leaves::Counted, &AtomicBool::new(false)).unwrap().leaves;
    let counts = |spec, depths: u32| (1..=depths).map(|depth| count(spec, depth)).collect::<Vec<_>>();
    assert_eq!(counts("minishogi", 5), [14, 181, 2512, 35401, 533_203]);
    assert_eq!(counts("minishogi:rules=ludii", 3), [14, 181, 2484]);
}

#[test]
fn a_pawn_is_dropped_neither_beside_another_on_its_file_nor_on_the_far_rank() {
    let text = "rbsg1/3k1/5/P4/KGSBR b P";
    assert!(is_legal(text, "P*c3"));
    assert!(!is_legal(text, "P*a3"));
    assert!(!is_legal(text, "P*e5"));
    assert!(is_legal("rbsg1/3k1/5/+P4/KGSBR b P", "P*a3"));
}

#[test]
fn a_dropped_pawn_may_give_check_but_not_mate() {
    assert!(!is_legal("1s1kr/1G3/1R1+PG/2B2/1S2K b Pb", "P*d4"));
    assert!(is_legal("1s1kr/5/1R1+PG/2B2/1S2K b GPb", "P*d4"));
}

#[test]
fn a_pinned_piece_stays_on_its_line() {
    let game = game("minishogi", "r3k/5/G4/5/K4 b r2bg2s2p");
    let gold: Vec<String> = moves(&game).into_iter().filter(|mv| mv.starts_with("a3")).collect();
    assert_eq!(gold, ["a3-a2", "a3-a4"]);
}

#[test]
fn in_double_check_only_the_king_moves() {
    let game = game("minishogi", "r3k/5/2b2/5/K4 b rb2g2s2p");
    assert_eq!(moves(&game), ["a1-b1"]);
}

#[test]
fn silvers_choose_to_promote_and_pawns_must() {
    let text = "4k/PS3/5/5/K4 b 2r2b2gsp";
    let legal = |mv: &str| is_legal(text, mv);
    assert!(legal("b4-b5") && legal("b4-b5+") && legal("a4-a5+") && !legal("a4-a5") && !legal("b4-a3+"));
    assert!(is_legal("1S2k/P4/5/5/K4 b 2r2b2gsp", "b5-c4+"));
    let position = *game("minishogi", text).position();
    let clicks = |mv: &str| position.clicks(position.parse_move(mv).unwrap()).join(" ");
    assert_eq!([clicks("b4-b5+"), clicks("b4-b5"), clicks("a4-a5+")], ["b4 b5 +", "b4 b5 =", "a4 a5"]);
}

#[test]
fn with_ludii_the_same_player_decides_about_promotion() {
    let mut game = game("minishogi:rules=ludii", "4k/PS3/5/5/K4 b 2r2b2gsp moves b4-b5");
    assert_eq!(game.position().text(), "1S2k/P4/5/5/K4 b 2r2b2gsp b5");
    assert_eq!(game.position().to_move(), Player::FIRST);
    assert_eq!(moves(&game), ["+", "="]);
    game.play_text("+").unwrap();
    assert_eq!(game.position().text(), "1+S2k/P4/5/5/K4 w 2r2b2gsp");
    game.undo();
    game.play_text("=").unwrap();
    assert_eq!(game.position().text(), "1S2k/P4/5/5/K4 w 2r2b2gsp");
}

#[test]
fn a_player_without_legal_moves_loses_in_check_or_not() {
    let mated = game("minishogi", "4k/4G/4P/5/K4 w 2R2BG2SP");
    assert_eq!(mated.outcome().unwrap().scores(), [1, -1]);
    assert_eq!(mated.position().ending_reason(), Some("checkmate"));
    assert_eq!(mated.position().winning_cells(), ["e5", "e4"]);
    let stalemated = game("minishogi", "4k/2+R2/3+P1/2GSB/KRGSB w P");
    assert!(stalemated.position().checkers == 0 && stalemated.is_over());
    assert_eq!(stalemated.position().ending_reason(), Some("no moves left"));
    assert_eq!(stalemated.position().winning_cells(), [""; 0]);
    let checked = game("minishogi", "r3k/5/2b2/5/K4 b rb2g2s2p");
    assert!(checked.position().ending_reason().is_none() && checked.position().winning_cells().is_empty());
}

#[test]
fn repetition_loses_for_the_first_player_or_draws() {
    let shuffle = "e1-e2 a5-a4 e2-e1 a4-a5";
    assert_eq!(repeated("minishogi", "start", shuffle), [-1, 1]);
    assert_eq!(repeated("minishogi:repetition=draw", "start", shuffle), [0, 0]);
    let game = game("minishogi:rules=ludii", &format!("start moves {}", [shuffle; 6].join(" ")));
    assert!(!game.is_over());
}

#[test]
fn perpetual_check_loses_for_the_player_who_gives_it() {
    for spec in ["minishogi", "minishogi:repetition=draw"] {
        let by_second = repeated(spec, "k2r1/5/5/5/3K1 b R2B2G2S2P", "d1-e1 d5-e5 e1-d1 e5-d5");
        assert_eq!(by_second, [1, -1], "{spec}");
        let by_first = repeated(spec, "3k1/5/5/5/K2R1 w r2b2g2s2p", "d5-e5 d1-e1 e5-d5 e1-d1");
        assert_eq!(by_first, [-1, 1], "{spec}");
    }
}

#[test]
fn one_quiet_move_in_the_cycle_breaks_perpetual_check() {
    let check = "d1-e1 d5-e5 e1-d1 e5-d5";
    let quiet = "d1-e1 d5-c5 e1-d1 c5-d5";
    for (spec, scores) in [("minishogi", [-1, 1]), ("minishogi:repetition=draw", [0, 0])] {
        for cycles in [[check, check, quiet], [check, quiet, check], [quiet, check, check]] {
            let text = format!("k2r1/5/5/5/3K1 b R2B2G2S2P moves {}", cycles.join(" "));
            assert_eq!(game(spec, &text).outcome().unwrap().scores(), scores, "{text}");
        }
    }
}

#[test]
fn impossible_positions_are_refused() {
    let refused = |spec: &str, text: &str| {
        assert!(MiniShogi::parse(&crate::rules::<MiniShogi>(spec).unwrap(), text).is_err(), "{text}");
    };
    for text in [
        "",
        "rbsgk/4p/5/P4/KGSBR b",
        "rbsgk/4p/5/P4/KGSBR x -",
        "rbsgk/4p/5/P4/KGSBR b P",
        "rbsgk/4p/5/P4/KGSBR b - a5",
        "rbsgk/4p/5/P4 b -",
        "rbsgk/4p/6/P4/KGSBR b -",
        "rbsgk/4p/4/P4/KGSBR b -",
        "rbs+gk/4p/5/P4/KGSBR b -",
        "rbsgk/4p/5/P3+/KGSBR b -",
        "rbsgk/4p/5/P4/GGSBR b -",
        "rbsgk/5/5/P4/KGSBR b 2",
        "rbsgk/5/5/P4/KGSBR b K",
        "Pbsgk/4p/5/r4/KGSBR b -",
        "rbsgk/P4/5/P4/KGSBR b -",
        "4k/5/4R/5/K4 b r2b2g2s2p",
        "rbsgk/4p/5/P4/KGSB\u{e9} b -",
    ] {
        refused("minishogi", text);
    }
    for cell in ["a1", "b5", "b2", "z9", "+"] {
        refused("minishogi:rules=ludii", &format!("4k/PS3/5/5/K4 b 2r2b2gsp {cell}"));
    }
}

#[test]
fn ludii_rules_refuse_the_repetition_option() {
    assert!(crate::rules::<MiniShogi>("minishogi:rules=ludii,repetition=draw").is_err());
}

#[test]
fn a_position_is_104_bytes() {
    assert_eq!(size_of::<MiniShogi>(), 104);
}

#[test]
fn slides_stop_at_the_first_piece() {
    let mut rng = Rng::new(1);
    for _ in 0..10_000 {
        let occupied = (rng.bits() & rng.bits()) as u32 & BOARD;
        for cell in 0..25 {
            assert_eq!(rook_slides(cell, occupied), slide(cell, 0, occupied) | slide(cell, 1, occupied));
            assert_eq!(bishop_slides(cell, occupied), slide(cell, 2, occupied) | slide(cell, 3, occupied));
        }
    }
}
