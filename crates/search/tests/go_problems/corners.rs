//! Random corners: df-pn against exhaustion. `TESUJI_TWIN_FACTOR`, which `cargo xtask test --long`
//! sets, asks for more and larger ones.

use crate::reference::Reference;
use crate::verdicts::dfpn;
use tesuji_core::{Game, History, Knowledge, Player, Rng};
use tesuji_games::{GoProblem, rules};

/// Larger problems are left out. Raising it makes the test slower.
const MOST_POSITIONS: usize = 60_000;

const SPECS: [&str; 10] = [
    "capture:6",
    "capture:6,moves=weak",
    "capture:6,need=any",
    "capture:6,cycle=attacker",
    "capture:6,escape=4",
    "life:6",
    "life:6,seki=dead",
    "life:6,need=any,cycle=attacker",
    "semeai:6",
    "connect:6",
];

/// A wall of white stones around a corner, black stones around the wall, and anything inside.
/// Returns the spec and the text of a position with at most `most` free points.
fn corner(rng: &mut Rng, most: usize) -> (&'static str, String) {
    loop {
        let spec = SPECS[rng.below(SPECS.len())];
        let (width, height) = (1 + rng.below(4), 1 + rng.below(3));
        let mut free = 0;
        let mut rows = Vec::new();
        for row in (0..6).rev() {
            let mut text = String::new();
            for column in 0..6 {
                let (x, y) = (column - width as i32, row - height as i32);
                let chance = rng.below(100);
                let letter = match x.max(y) {
                    ..0 if chance < 60 => '.',
                    ..0 if chance < 80 => {
                        if spec.starts_with("semeai") {
                            'b'
                        } else {
                            'x'
                        }
                    }
                    ..0 if chance < 90 => 'o',
                    ..0 => 'w',
                    0 if chance < 90 => 'w',
                    0 => '.',
                    1 if chance < 85 => 'X',
                    1 => '.',
                    _ => ',',
                };
                free += usize::from(x.max(y) < 0 || letter == '.');
                text.push(letter);
            }
            rows.push(text);
        }
        let threats = ["0,0", "0,1", "0,2", "0,inf", "1,0", "2,0", "inf,0", "1,1"][rng.below(8)];
        let side = ["X", "O"][rng.below(2)];
        let text = format!("{} {side} - 0 {threats}", rows.join("/"));
        let position = GoProblem::parse(&rules::<GoProblem>(spec).unwrap(), &text);
        if free <= most && position.is_ok_and(|position| !position.is_over()) {
            return (spec, text);
        }
    }
}

/// Compares all scores in a corner; returns whether it was small enough.
fn compare(spec: &str, text: &str) -> bool {
    let history = History::<GoProblem>::parse(rules::<GoProblem>(spec).unwrap(), text).unwrap();
    let Some(reference) = Reference::new(history.position(), MOST_POSITIONS) else { return false };
    for player in [Player::FIRST, Player::SECOND] {
        for at_least in [0, 1] {
            let expected = reference.holds(player, at_least)[0];
            for solver in ["dfpn", "dfpn:init=game"] {
                let found = dfpn(solver, &history, player, at_least);
                assert_eq!(found, expected, "{solver}: player {player:?} gets {at_least} in {spec}: {text}");
            }
        }
    }
    true
}

#[test]
fn dfpn_agrees_with_exhaustion_in_random_corners() {
    let factor: usize = std::env::var("TESUJI_TWIN_FACTOR").map_or(1, |text| text.parse().expect("a number"));
    let (corners, most) = if factor == 1 { (1_000, 8) } else { (500 * factor, 12) };
    let mut rng = Rng::new(7);
    let mut compared = 0;
    while compared < corners {
        let (spec, text) = corner(&mut rng, most);
        compared += usize::from(compare(spec, &text));
    }
}

/// What is settled without search is right in every position that can be reached, and each kind of
/// it occurs.
#[test]
fn static_bounds_agree_with_exhaustion() {
    let mut rng = Rng::new(11);
    let mut claims = [[0; 2]; 2];
    let mut compared = 0;
    while compared < 60 {
        let (spec, text) = corner(&mut rng, 6);
        let Ok(root) = GoProblem::parse(&rules::<GoProblem>(spec).unwrap(), &text) else { continue };
        let is_settled_early = spec.starts_with("life") || spec.starts_with("connect");
        let Some(reference) = Some(spec).filter(|_| is_settled_early).and_then(|_| Reference::new(&root, 20_000))
        else {
            continue;
        };
        let wins = [Player::FIRST, Player::SECOND].map(|player| reference.holds(player, 1));
        for (number, position) in reference.positions().iter().enumerate().filter(|(_, position)| !position.is_over()) {
            for player in [Player::FIRST, Player::SECOND] {
                let Some(bounds) = position.static_bounds(player) else { continue };
                let wins = wins[player.index()][number];
                assert_eq!(bounds.at_least == 1, wins, "player {player:?} in {spec}: {}", position.text());
                claims[usize::from(wins)][usize::from(position.to_move() == player)] += 1;
            }
        }
        compared += 1;
    }
    assert!(claims.iter().flatten().all(|&number| number > 0), "{claims:?}");
}
