use super::*;
use tesuji_core::{History, Rng};

const OWARE: AwariRules = AwariRules::Oware;
const LUDII: AwariRules = AwariRules::Ludii;

fn game(rules: AwariRules, text: &str) -> History<Awari> {
    History::parse(rules, text).unwrap()
}

fn moves(game: &History<Awari>) -> String {
    let mut moves = Vec::new();
    game.legal_moves(&mut moves);
    moves.iter().map(|&mv| game.position().move_text(mv)).collect::<Vec<_>>().join(" ")
}

fn score(game: &History<Awari>) -> Option<i32> {
    game.outcome().map(|outcome| outcome.score(Player::FIRST))
}

#[test]
fn sowing_passes_over_the_origin() {
    let game = game(LUDII, "0,0,0,0,0,1/12,0,0,0,0,0 18 17 S moves A");
    assert_eq!(game.position().text(), "1,1,1,1,1,2/0,2,1,1,1,1 18 17 N");
}

#[test]
fn captures_run_backwards_until_a_hole_holds_neither_two_nor_three() {
    let game = game(LUDII, "4,0,0,1,2,0/0,0,0,0,0,3 19 19 S moves F");
    assert_eq!(game.position().text(), "4,0,0,0,0,1/0,0,0,0,0,0 24 19 N");
}

#[test]
fn own_seeds_are_not_captured() {
    let game = game(LUDII, "4,0,0,0,0,0/1,1,0,0,0,0 21 21 S moves A");
    assert_eq!(game.position().text(), "4,0,0,0,0,0/0,2,0,0,0,0 21 21 N");
}

#[test]
fn a_grand_slam_is_illegal_or_captures_nothing() {
    let text = "0,0,0,0,0,1/2,0,0,0,0,1 22 22 S";
    assert_eq!(moves(&game(LUDII, text)), "A");
    let mut oware = game(OWARE, text);
    assert_eq!(moves(&oware), "A F");
    oware.play_text("F").unwrap();
    assert_eq!(oware.position().text(), "0,0,0,0,0,2/2,0,0,0,0,0 22 22 N");
}

#[test]
fn a_starving_opponent_must_be_fed() {
    for rules in [LUDII, OWARE] {
        assert_eq!(moves(&game(rules, "0,0,0,0,0,0/2,0,0,0,0,1 23 22 S")), "F");
    }
}

#[test]
fn a_player_who_cannot_feed_passes_or_takes_the_rest() {
    let text = "0,0,0,0,0,0/2,0,0,0,0,0 24 22 S";
    assert_eq!(score(&game(OWARE, text)), Some(4));
    let mut ludii = game(LUDII, text);
    assert_eq!(moves(&ludii), "pass");
    ludii.play_text("pass").unwrap();
    assert_eq!(score(&ludii), Some(0));
}

#[test]
fn ludii_ends_when_no_hole_holds_more_than_one_seed() {
    let ended = game(LUDII, "1,0,0,0,0,0/0,0,2,0,0,1 24 20 S moves C");
    assert_eq!(score(&ended), Some(4));
}

#[test]
fn more_than_half_of_the_seeds_end_oware() {
    let text = "3,0,0,0,0,0/0,0,0,0,0,0 25 20 N";
    assert_eq!(score(&game(OWARE, text)), Some(2));
    assert_eq!(score(&game(LUDII, text)), None);
}

#[test]
fn the_end_has_a_reason() {
    let reason = |rules, text: &str| game(rules, text).position().ending_reason();
    assert_eq!(reason(LUDII, "start"), None);
    assert_eq!(reason(LUDII, "1,0,0,0,0,0/0,0,2,0,0,1 24 20 S moves C"), Some("only single seeds left"));
    let starving = "0,0,0,0,0,0/2,0,0,0,0,0 24 22 S";
    assert_eq!(reason(LUDII, &format!("{starving} moves pass")), Some("neither side can move"));
    assert_eq!(reason(OWARE, starving), Some("no moves left"));
    assert_eq!(reason(OWARE, "3,0,0,0,0,0/0,0,0,0,0,0 25 20 N"), Some("most seeds captured"));
}

#[test]
fn a_repeated_position_ends_oware_and_each_side_takes_its_row() {
    let mut game = game(OWARE, "0,0,0,0,0,1/1,0,0,0,0,0 24 22 S moves A a B b C c D d E e F");
    assert_eq!(moves(&game), "f");
    game.play_text("f").unwrap();
    assert!(game.ended_by_history());
    assert_eq!(score(&game), Some(2));
}

#[test]
fn if_neither_side_can_move_a_row_is_empty() {
    let mut rng = Rng::new(1);
    for _ in 0..200_000 {
        let most = [2, 3, 4, 14][rng.below(4)];
        let mut row = || (0..HOLES).fold(0, |row, _| row << 8 | rng.below(most).saturating_sub(rng.below(3)) as u64);
        let (own, other) = (row(), row());
        let stuck = LUDII.legal_holes(own, other) == 0 && LUDII.legal_holes(other, own) == 0;
        assert!(!stuck || own == 0 || other == 0, "{own:012x} {other:012x}");
    }
}

#[test]
fn a_position_is_24_bytes() {
    assert_eq!(size_of::<Awari>(), 24);
}

#[test]
fn impossible_positions_are_refused() {
    for text in [
        "",
        "4,4,4,4,4,4/4,4,4,4,4,4 0 0",
        "4,4,4,4,4,4/4,4,4,4,4,4 0 0 X",
        "4,4,4,4,4,4/4,4,4,4,4,4 0 1 S",
        "4,4,4,4,4/4,4,4,4,4,4 4 0 S",
        "4,4,4,4,4,4,0/4,4,4,4,4,4 0 0 S",
        "4,4,4,4,4,4 4,4,4,4,4,4 0 0 S",
        "304,4,4,4,4,4/4,4,4,4,4,4 0 0 S",
        "+4,4,4,4,4,4/4,4,4,4,4,4 0 0 S",
        "4,4,4,4,4,4/4,4,4,4,4,4 0 0 S S",
    ] {
        assert!(Awari::parse(&LUDII, text).is_err(), "{text}");
    }
}
