use super::*;
use crate::breakthrough::{Breakthrough, BreakthroughSteps};
use crate::knightthrough::{Knightthrough, KnightthroughSteps};

/// Plays random games and compares the two widths in every position.
fn compare_widths<S: Steps>(spec: &str) {
    let rules = crate::rules::<Race<S>>(spec).unwrap();
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let mut position = Race::<S>::start(&rules);
        while !position.is_over() {
            let (mut narrow, mut wide) = (Vec::new(), Vec::new());
            position.legal_moves_on::<u64>(&mut narrow);
            position.legal_moves_on::<Cells>(&mut wide);
            assert_eq!(narrow, wide, "{}", position.text());
            position.play(narrow[rng.below(narrow.len())]);
        }
    }
}

#[test]
fn three_words_agree_with_one() {
    compare_widths::<BreakthroughSteps>("breakthrough:8x8");
    compare_widths::<BreakthroughSteps>("breakthrough:16x4");
    compare_widths::<KnightthroughSteps>("knightthrough:8x8");
}

#[test]
fn pieces_are_counted_by_row() {
    let rules = crate::rules::<Breakthrough>("breakthrough:18x8").unwrap();
    let mut position = Breakthrough::start(&rules);
    position.play(position.parse_move("j2-k3").unwrap());
    position.play(position.parse_move("r7-r6").unwrap());
    for player in [Player::FIRST, Player::SECOND] {
        assert_eq!(position.by_advance(player), [18, 17, 1, 0, 0, 0, 0, 0]);
    }
}

#[test]
fn a_position_is_64_bytes() {
    assert_eq!(size_of::<Breakthrough>(), 64);
    assert_eq!(size_of::<Knightthrough>(), 64);
}

#[test]
fn impossible_positions_are_refused() {
    let rules = crate::rules::<Breakthrough>("breakthrough:3x4").unwrap();
    for text in [
        "",
        "BBB/BBB/WWW/WWW",
        "BBB/BBB/WWW/WWW X",
        "BBB/BBB/WWW/WWW W W",
        "BBB/BBB/WWW W",
        "BBB/BxB/WWW/WWW W",
        "\u{e9}B/BBB/WWW/WWW W",
        "BBB/WWW/WWW/WWW B",
        "B../.../.../... B",
        ".../.../.../... W",
        "W../.../..B/... W",
        "WW./.../..B/... B",
        "W../.../.../..B B",
    ] {
        assert!(Breakthrough::parse(&rules, text).is_err(), "{text}");
    }
    assert!(Breakthrough::parse(&rules, "W../.../..B/... B").unwrap().is_over());
}
