use super::*;
use tesuji_core::History;

fn position(spec: &str, text: &str) -> Loa {
    Loa::parse(&crate::rules::<Loa>(spec).unwrap(), text).unwrap()
}

fn scores_after(spec: &str, text: &str, mv: &str) -> Option<Vec<i32>> {
    let mut position = position(spec, text);
    position.play(position.parse_move(mv).unwrap());
    position.outcome().map(|outcome| outcome.scores().to_vec())
}

fn moves(position: &Loa) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(|mv| position.move_text(mv)).collect()
}

#[test]
fn a_line_is_counted_on_both_sides_of_the_piece() {
    let moves = moves(&position("loa:5", "...../...../B.B.W/...../W.... B"));
    assert!(moves.contains(&"c3-c4".to_string()), "{moves:?}");
    // Three pieces on the row, but only two cells to the edge; and b2 from a diagonal of two.
    assert!(!moves.iter().any(|mv| mv.starts_with("c3") && mv.ends_with('3')), "{moves:?}");
    assert!(moves.contains(&"a3-d3".to_string()), "{moves:?}");
}

#[test]
fn own_pieces_are_jumped_others_are_not() {
    let own = moves(&position("loa:5", "W..B./...../BB.../...../....W B"));
    assert!(own.contains(&"a3-c3".to_string()), "{own:?}");
    let other = moves(&position("loa:5", "B..../...../BW.../...../....W B"));
    assert!(!other.contains(&"a3-c3".to_string()), "{other:?}");
}

#[test]
fn a_capture_may_join_the_other_side() {
    assert_eq!(scores_after("loa:5", "B...B/...../B.W../...../...WW B", "a3-c3"), Some(vec![-1, 1]));
    let left_alone = "W..../...../B..BW/...../..... B";
    assert_eq!(scores_after("loa:5", left_alone, "d3-d4"), None);
}

#[test]
fn a_move_that_joins_both_is_a_draw_or_the_movers() {
    let text = "...../..B../B.W../...../...WW B";
    assert_eq!(scores_after("loa:5", text, "a3-c3"), Some(vec![0, 0]));
    assert_eq!(scores_after("loa:5,both=mover", text, "a3-c3"), Some(vec![1, -1]));
}

#[test]
fn the_end_has_a_reason_and_the_connected_pieces() {
    let end = |spec: &str, text: &str, mv: &str| {
        let mut position = position(spec, text);
        position.play(position.parse_move(mv).unwrap());
        (position.ending_reason(), position.winning_cells().join(" "))
    };
    assert_eq!(end("loa:5", "W..../...../B..BW/...../..... B", "d3-d4"), (None, String::new()));
    let white = (Some("connected"), "d1 e1".to_string());
    assert_eq!(end("loa:5", "B...B/...../B.W../...../...WW B", "a3-c3"), white);
    let both = "...../..B../B.W../...../...WW B";
    assert_eq!(end("loa:5", both, "a3-c3"), (Some("both connected"), String::new()));
    assert_eq!(end("loa:5,both=mover", both, "a3-c3"), (Some("connected"), "c3 c4".to_string()));
    let nine = "........./......B../......B../......B../......B../......B../......B../......W../........W B";
    let large = position("loa:9", nine);
    assert_eq!((large.ending_reason(), large.winning_cells().len()), (Some("connected"), 6));
}

#[test]
fn a_player_without_moves_passes() {
    let mut stuck = position("loa:5", "..W../.B.B./.WWW./...W./..... B");
    assert_eq!(moves(&stuck), ["pass"]);
    stuck.play(stuck.parse_move("pass").unwrap());
    assert_eq!(stuck.text(), "..W../.B.B./.WWW./...W./..... W");
    assert!(moves(&stuck).len() > 1);
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut history = History::<Loa>::new(crate::rules::<Loa>("loa").unwrap());
    for mv in ["b1-b3", "a2-c2", "b3-b1", "c2-a2"].repeat(2) {
        assert!(!history.is_over());
        history.play_text(mv).unwrap();
    }
    assert_eq!(history.outcome().unwrap().scores(), [0, 0]);
}

#[test]
fn impossible_positions_are_refused() {
    let rules = crate::rules::<Loa>("loa:5").unwrap();
    for text in [
        "",
        "...../...../B.B.W/...../W....",
        "...../...../B.B.W/...../W.... X",
        "...../...../..B../...../..... B",
        "...../...../W.W.W/...../W.... B",
        "BBBB./BBB../...../...../....W B",
        "...../...../B.B.W/W.... B",
        "...../...../B.B.X/...../W.... B",
    ] {
        assert!(Loa::parse(&rules, text).is_err(), "{text}");
    }
}

#[test]
fn a_position_is_48_bytes() {
    assert_eq!(size_of::<Loa>(), 48);
}
