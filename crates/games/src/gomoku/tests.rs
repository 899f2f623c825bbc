use super::knowledge::VALUES;
use super::*;
use tesuji_core::{History, ImmediateWin, Knowledge, PlayoutContext, Rng};

fn after(spec: &str, moves: &str) -> History<Gomoku> {
    let mut history = History::new(crate::rules::<Gomoku>(spec).unwrap());
    for mv in moves.split_whitespace() {
        history.play_text(mv).unwrap();
    }
    history
}

#[test]
fn fives_in_all_directions_win() {
    for moves in [
        "a1 a9 b1 b9 c1 c9 d1 d9 e1",
        "o11 a9 o12 b9 o13 c9 o14 d9 o15",
        "a1 a9 b2 b9 d4 c9 e5 d9 c3",
        "o1 a9 n2 b9 m3 c9 l4 d9 k5",
    ] {
        assert_eq!(after("gomoku", moves).outcome().unwrap().scores(), [1, -1], "{moves}");
    }
}

#[test]
fn six_in_a_row_wins_only_with_free() {
    let moves = "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 d1";
    assert!(!after("gomoku", moves).is_over());
    assert_eq!(after("gomoku:15,free", moves).outcome().unwrap().scores(), [1, -1]);
}

#[test]
fn a_stone_may_make_a_six_and_a_five() {
    let moves = "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 d2 a8 d3 c8 d4 e8 d5 g8 d1";
    assert_eq!(after("gomoku", moves).outcome().unwrap().scores(), [1, -1]);
}

#[test]
fn lines_do_not_wrap_around_the_edge() {
    assert!(!after("gomoku:5,k=3", "d1 d4 e1 e4 a2 a5").is_over());
    assert_eq!(after("gomoku:3x4", "a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4").outcome().unwrap().scores(), [0, 0]);
}

#[test]
fn the_end_has_a_reason_and_its_lines() {
    let end = |spec: &str, moves: &str| {
        let history = after(spec, moves);
        (history.position().ending_reason(), history.position().winning_cells().join(" "))
    };
    let none = String::new;
    assert_eq!(end("gomoku", "a1 a9 b1 b9 c1 c9 d1 d9"), (None, none()));
    let five = Some("five in a row");
    assert_eq!(end("gomoku", "o1 a9 n2 b9 m3 c9 l4 d9 k5"), (five, "o1 n2 m3 l4 k5".to_string()));
    // Six stones on the first row do not count, the five in column d do.
    let moves = "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 d2 a8 d3 c8 d4 e8 d5 g8 d1";
    assert_eq!(end("gomoku", moves), (five, "d1 d2 d3 d4 d5".to_string()));
    assert_eq!(end("gomoku:5,k=3", "a1 a2 b1 b2 c1"), (Some("three in a row"), "a1 b1 c1".to_string()));
    assert_eq!(end("gomoku:3x4", "a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4"), (Some("board full"), none()));
}

#[test]
fn the_evaluation_agrees_with_a_plain_count() {
    for spec in ["gomoku", "gomoku:19", "gomoku:7x5,k=3", "gomoku:5x9,k=6", "gomoku:12x19,k=12", "gomoku:3,k=5"] {
        let rules = crate::rules::<Gomoku>(spec).unwrap();
        let (mut position, mut context) = (Gomoku::start(&rules), PlayoutContext::new(Rng::new(1), 400));
        let (columns, rows, length) = (i32::from(rules.columns), i32::from(rules.rows), i32::from(rules.length));
        while !position.is_over() {
            let mut sum = 0;
            for (cell, (dx, dy)) in (0..columns * rows).flat_map(|cell| AXES.map(|axis| (cell, axis))) {
                let line: Vec<(i32, i32)> =
                    (0..length).map(|n| (cell % columns + n * dx, cell / columns + n * dy)).collect();
                if line.iter().all(|(x, y)| (0..columns).contains(x) && (0..rows).contains(y)) {
                    let count = |stones: &Cells| {
                        line.iter().filter(|(x, y)| stones.contains((y * columns + x) as usize)).count() as i32
                    };
                    let own = count(&position.stones[0]);
                    if count(&position.stones[1]) == 0 && own > 0 {
                        sum += VALUES.get((length - own) as usize).unwrap_or(&0);
                    }
                }
            }
            assert_eq!(position.open_lines(&position.stones[0], &position.stones[1]), sum, "{}", position.text());
            position.play(position.playout_move(&mut context));
        }
    }
}

#[test]
fn impossible_positions_are_refused() {
    let rules = crate::rules::<Gomoku>("gomoku:5,k=3").unwrap();
    for text in [
        "",
        "...../...../...../...../.....",
        "...../...../...../...../..... Z",
        "...../...../...../...../X.... X",
        "...../...../...../...../....x O",
        "...../...../...../OO.../XXX.. X",
        "OOO../...../OOO../...../XX.XX O",
        "X.X../OOO../XX.../...../OOO.. X",
    ] {
        assert!(Gomoku::parse(&rules, text).is_err(), "{text}");
    }
}

#[test]
fn a_position_is_112_bytes() {
    assert_eq!(size_of::<Gomoku>(), 112);
}

/// Whether a player, to move, completes a line by this number of moves in a row.
fn wins_in_a_row(position: &Gomoku, moves: usize) -> bool {
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    legal.iter().any(|&mv| {
        let mut next = *position;
        next.play(mv);
        next.won || moves > 1 && next.null_move().is_some_and(|next| wins_in_a_row(&next, moves - 1))
    })
}

#[test]
fn immediate_wins_and_orders_out_of_reach_are_those_found_by_trying() {
    let mut rng = Rng::new(7);
    let (mut wins, mut tight) = (0, 0);
    for game in 0..60 {
        let spec = ["gomoku:5,k=3", "gomoku:6x5,k=4", "gomoku:6x5,k=4,free", "gomoku:6"][game % 4];
        let mut position = Gomoku::start(&crate::rules::<Gomoku>(spec).unwrap());
        while !position.is_over() {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            let found = position.immediate_win();
            assert_eq!(found != ImmediateWin::No, wins_in_a_row(&position, 1), "{spec} {}", position.text());
            wins += u32::from(found != ImmediateWin::No);
            let mover = position.to_move();
            // The attacker, or the defender after a pass, is to move.
            let passed = position.null_move().unwrap();
            for (start, failing) in
                [(position, position.failing_order(mover) + 1), (passed, position.failing_order(mover.opponent()))]
            {
                if (2..=3).contains(&failing) {
                    assert!(!wins_in_a_row(&start, failing), "{failing} {spec} {}", position.text());
                    tight += u32::from(failing < 3 && wins_in_a_row(&start, failing + 1));
                }
            }
            position.play(legal[rng.below(legal.len())]);
        }
    }
    assert!(wins > 20 && tight > 20, "{wins} wins, {tight} limits that are tight");
}
