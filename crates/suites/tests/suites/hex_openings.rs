//! Hex against openings and positions solved by MoHex, in `hex/` of the folder that `TESUJI_DATA`
//! names: a simple search must find the same winners.

use libtest_mimic::Trial;
use std::collections::HashMap;
use tesuji_core::{Game, Player};
use tesuji_games::{Hex, rules};
use tesuji_suites::data;

/// Positions with more empty cells take too long without knowledge of Hex.
const MAX_EMPTY: usize = 15;

/// Returns whether the side to move wins; `known` is a transposition table.
fn wins(position: &Hex, known: &mut HashMap<u64, bool>) -> bool {
    if position.is_over() {
        return false;
    }
    if let Some(&won) = known.get(&position.key()) {
        return won;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let won = moves.into_iter().any(|mv| {
        let mut next = *position;
        next.play(mv);
        !wins(&next, known)
    });
    known.insert(position.key(), won);
    won
}

fn winner(position: &Hex, known: &mut HashMap<u64, bool>) -> Player {
    if wins(position, known) { position.to_move() } else { position.to_move().opponent() }
}

fn player(word: &str) -> Player {
    match word {
        "b" | "black" => Player::FIRST,
        "w" | "white" => Player::SECOND,
        _ => panic!("{word:?} is not a colour"),
    }
}

fn openings_are_won_by_the_side_that_mohex_proved() {
    let Some(text) = data::outside_text("hex/openings.txt") else { return };
    let (mut known, mut checked) = (HashMap::new(), 0);
    let mut known_size = "";
    for line in text.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [size @ ("3" | "4"), cell, expected, _] = fields[..] else { continue };
        if size != known_size {
            known.clear();
            known_size = size;
        }
        let mut position = Hex::start(&rules::<Hex>(&format!("hex:{size}")).unwrap());
        position.play(position.parse_move(cell).unwrap());
        assert_eq!(winner(&position, &mut known), player(expected), "{line}");
        checked += 1;
    }
    assert_eq!(checked, 9 + 16, "all openings of 3x3 and 4x4");
}

fn positions_are_won_by_the_side_that_mohex_proved() {
    let Some(text) = data::outside_text("hex/positions-200.txt") else { return };
    let mut checked = 0;
    for line in text.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let ["5", side, expected, _, _, rows] = fields[..] else { continue };
        if rows.matches('.').count() > MAX_EMPTY {
            continue;
        }
        let text = format!("{rows} {side}").to_uppercase();
        let position = Hex::parse(&rules::<Hex>("hex:5").unwrap(), &text).unwrap();
        assert_eq!(winner(&position, &mut HashMap::new()), player(expected), "{line}");
        checked += 1;
    }
    assert!(checked > 0, "no position has at most {MAX_EMPTY} empty cells");
    println!("{checked} positions of 5x5");
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 2] = [
        ("openings are won by the side that mohex proved", openings_are_won_by_the_side_that_mohex_proved),
        ("positions are won by the side that mohex proved", positions_are_won_by_the_side_that_mohex_proved),
    ];
    crate::trials_of(tests)
}
