//! Checks that static bounds are sound: in every reachable position of small boards, and in random
//! games on larger ones.

use std::collections::HashSet;
use tesuji_core::{Game, Knowledge, Player, Rng, Rules, static_bounds_are_sound};
use tesuji_games::{Connect4, Gomoku, Hex, rules};

/// Checks a position and returns whether its static bounds are informative.
fn check<G: Knowledge>(spec: &str, rules: &G::Rules, position: &G) -> bool {
    let facts = rules.facts();
    for player in [Player::FIRST, Player::SECOND] {
        assert!(
            static_bounds_are_sound(position, player, &facts),
            "{spec}: {:?} in {}",
            position.static_bounds(player),
            position.text()
        );
    }
    position.static_bounds(Player::FIRST).is_some_and(|bounds| bounds.is_informative(&facts))
}

/// Checks all reachable positions and returns the number with informative static bounds.
fn everywhere<G: Knowledge>(spec: &str) -> usize {
    let rules = rules::<G>(spec).unwrap();
    let (mut seen, mut open, mut moves) = (HashSet::new(), vec![G::start(&rules)], Vec::new());
    let mut bounded = 0;
    while let Some(position) = open.pop() {
        if position.is_over() || !seen.insert(position.key()) {
            continue;
        }
        bounded += usize::from(check(spec, &rules, &position));
        moves.clear();
        position.legal_moves(&mut moves);
        open.extend(moves.iter().map(|&mv| {
            let mut next = position.clone();
            next.play(mv);
            next
        }));
    }
    bounded
}

/// Checks the positions of random games and returns the number with informative static bounds.
fn in_games<G: Knowledge>(spec: &str, games: usize) -> usize {
    let rules = rules::<G>(spec).unwrap();
    let (mut rng, mut moves, mut bounded) = (Rng::new(7), Vec::new(), 0);
    for _ in 0..games {
        let mut position = G::start(&rules);
        while !position.is_over() {
            bounded += usize::from(check(spec, &rules, &position));
            moves.clear();
            position.legal_moves(&mut moves);
            position.play(moves[rng.below(moves.len())]);
        }
    }
    bounded
}

#[test]
fn hex_connections_are_sound() {
    for (spec, least) in [("hex:3", 1_000), ("hex:3x4", 10_000), ("hex:4x3", 10_000), ("hex:3,swap", 1_000)] {
        let bounded = everywhere::<Hex>(spec);
        assert!(bounded > least, "{spec}: {bounded}");
    }
    for spec in ["hex:4", "hex:5", "hex:6", "hex:5x7", "hex:7x5", "hex:7", "hex:8"] {
        assert!(in_games::<Hex>(spec, 300) > 1_000, "{spec}");
    }
    for spec in ["hex:9", "hex:11", "hex:14x10"] {
        assert!(in_games::<Hex>(spec, 30) > 100, "{spec}");
    }
}

#[test]
fn connect4_threats_are_sound() {
    for (spec, least) in [("connect4:4x4", 50_000), ("connect4:3x5", 1_000), ("connect4:5x3", 5_000)] {
        let bounded = everywhere::<Connect4>(spec);
        assert!(bounded > least, "{spec}: {bounded}");
    }
    for spec in ["connect4:5x4", "connect4:6x5", "connect4", "connect4:7x7", "connect4:9x7", "connect4:10x9"] {
        assert!(in_games::<Connect4>(spec, 300) > 1_000, "{spec}");
    }
}

#[test]
fn gomoku_lines_are_sound() {
    for (spec, least) in [("gomoku:3,k=3", 1_000), ("gomoku:4x3,k=3", 5_000), ("gomoku:4x3,k=3,free", 5_000)] {
        let bounded = everywhere::<Gomoku>(spec);
        assert!(bounded > least, "{spec}: {bounded}");
    }
    for spec in
        ["gomoku:4,k=4", "gomoku:5,k=4,free", "gomoku:6,k=4", "gomoku:8,k=5", "gomoku:3x19,k=3", "gomoku:7x9,k=4"]
    {
        assert!(in_games::<Gomoku>(spec, 300) > 300, "{spec}");
    }
}

/// Positions with a very large number of connections, one of which wins.
#[test]
fn a_winning_connection_among_many_is_found() {
    for (spec, text) in [
        ("hex:8", "..BB.W../...W.W.B/BBWW..../B..WW.../BW.B...B/.WW...../....BWW./.....BBB W"),
        ("hex:8", "WB....B./BB.B..W./W.....W./....W.W./...B.B../W.WB..B./WWBBB..B/WW...W.. B"),
        ("hex:7x9", "B...B.W/.B..WBB/BW.BB.B/W.BB..B/.W..W.B/..BW.W./.WWW.W./...W..W/..WB.B. W"),
        ("hex:9x7", ".WWW.BBB./.BW....W./.....W.W./BW...W.B./.....W.../B....B..W/B.BWBBB.. W"),
    ] {
        let rules = rules::<Hex>(spec).unwrap();
        assert!(check(spec, &rules, &Hex::parse(&rules, text).unwrap()), "{spec} {text}");
    }
}
