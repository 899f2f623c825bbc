//! Reading, writing and reading again preserves files.

use crate::law::sgf_law;
use proptest::prelude::*;
use tesuji_catalog::{Session, open};
use tesuji_core::{Player, Rng};
use tesuji_sgf::{By, GameResult, Headers, SgfError, read, write};

const FILES: [&str; 4] = [
    include_str!("../../../../testdata/sgf/problem.sgf"),
    include_str!("../../../../testdata/sgf/hexgui.sgf"),
    include_str!("../../../../testdata/sgf/little-golem.hsgf"),
    include_str!("../../../../testdata/sgf/collection.sgf"),
];

#[test]
fn marks_comments_and_private_properties_are_preserved() {
    let problem = &read(FILES[0]).unwrap()[0];
    assert_eq!(problem.position().unwrap().split(" moves ").last(), Some("D9 E9 A9"));
    let comment = "Black to play and kill.\nBackslash \\, bracket ], colon : and a soft line break.";
    assert_eq!(problem.comment().as_deref(), Some(comment));
    let text = problem.text();
    let marks =
        "TR[aa][ba]SQ[cc]CR[cb]MA[db]SL[ea]LB[ab:1][bb:two \\] three][bc:a\\:b]DD[ga:ii]AR[ac:bc][cb:cc]LN[aa:ii]";
    let private = "XYZ[a private property \\]][with two values]KGSDE[]";
    for part in [marks, private, "C[wrong, 黒が勝つ]BM[1]", "FG[257:Figure 2]PM[1]", "Backslash \\\\, bracket \\], "]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(read(&text).unwrap()[0], *problem);
}

#[test]
fn all_files_round_trip_for_another_parser() {
    for file in FILES {
        sgf_law(file);
        let begin = file.find("(;").unwrap();
        let written: String = read(file).unwrap().iter().map(|record| record.text()).collect();
        assert_eq!(sgf_parse::parse(&written), sgf_parse::parse(&file[begin..]));
    }
}

/// A game with a number of random moves.
fn random_game(spec: &str, seed: u64, moves: usize) -> Box<dyn Session> {
    let mut session = open(spec, "start").unwrap();
    let mut rng = Rng::new(seed);
    for _ in 0..moves {
        let Some(mv) = session.random_move(&mut rng) else { break };
        session.play(&mv).unwrap();
    }
    session
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn random_games_are_read_as_they_were_written(
        spec in prop::sample::select(vec![
            "go:9", "go:9,komi=6.5,ko=simple", "go:9,komi=-4,ko=situational", "go:9,handicap=5", "go:2", "go:19",
            "hex", "hex:5", "hex:5,swap", "hex:7x3", "hex:19",
        ]),
        seed: u64,
        moves in 0..120usize,
    ) {
        let game = random_game(spec, seed, moves);
        let text = write(game.as_ref(), &Headers::default()).unwrap();
        let back = &read(&text).unwrap()[0];
        prop_assert_eq!(back.length(), game.moves().len());
        let again = back.open(None).unwrap();
        prop_assert_eq!(again.game_text(), game.game_text());
        prop_assert_eq!(again.text(), game.text());
        prop_assert_eq!(again.facts(), game.facts());
        // The final position as the start.
        if let Ok(there) = open(spec, &game.text()) && let Ok(text) = write(there.as_ref(), &Headers::default()) {
            prop_assert_eq!(read(&text).unwrap()[0].open(None).unwrap().text(), game.text());
        }
    }

    #[test]
    fn headers_are_read_as_they_were_written(name in "[^\\s\\x00]{0,20}", comment in "[ -~é黒\\]\\\\\n]{0,60}") {
        let headers = Headers {
            black: Some(name.clone()),
            comment: Some(comment.clone()),
            result: Some(GameResult::Win { winner: Player::SECOND, by: By::Time }),
            ..Headers::default()
        };
        let text = write(open("go:9", "start").unwrap().as_ref(), &headers).unwrap();
        let back = &read(&text).unwrap()[0];
        prop_assert_eq!(back.players(), (Some(name), None));
        prop_assert_eq!(back.comment(), Some(comment));
        prop_assert_eq!(back.result().unwrap(), headers.result);
        sgf_law(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_an_error_or_survive(bytes: Vec<u8>) {
        sgf_law(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_mixture_of_parts_gets_an_error_or_survives(parts in prop::collection::vec(prop::sample::select(vec![
        "(;", ";", ";", ")", "(;", "[", "]", "\\", " ", "é", "GM[1]", "GM[11]", "SZ[5]", "SZ[3]", "SZ[5:4]", "B[aa]", "W[bb]",
        "B[]", "W[tt]", "B[cc]", "W[cb]", "B[a1]", "W[b2]", "W[swap-pieces]", "W[swap-sides]", "B[resign]", "AB[aa:bb]",
        "AB[a1]", "AW[cc]", "AE[aa]", "PL[W]", "PL[B]", "HA[2]", "KM[0]", "RU[AGA]", "C[x\\]y]", "LB[aa:\\:]", "Xx[a][b]",
    ]), 0..24)) {
        let text = parts.concat();
        sgf_law(&text);
        sgf_law(&format!("(;{text})"));
    }
}

#[test]
fn the_result_of_the_board_is_written() {
    let written = |spec, position| write(open(spec, position).unwrap().as_ref(), &Headers::default()).unwrap();
    assert!(written("go:9", "start moves E5 pass pass").contains("RE[B+73.5]"));
    assert!(written("go:9", "start moves pass pass").contains("RE[W+7.5]"));
    assert!(written("go:9,komi=0", "start moves pass pass").contains("RE[Draw]"));
    assert!(written("hex:2", "start moves a1 b2 a2").contains("RE[B+]"));
    assert!(!written("hex:2", "start moves a1 b2").contains("RE["));
}

#[test]
fn all_headers_are_written() {
    let game = open("go:9,handicap=2", "start moves E5 pass D4").unwrap();
    let some = |text: &str| Some(text.to_string());
    let headers = Headers {
        black: some("mcts:pn=1"),
        white: some("GNU Go [3.8]"),
        result: Some(GameResult::Win { winner: Player::SECOND, by: By::Resignation }),
        date: some("2024-02-29"),
        event: some("a match"),
        name: some("game 7"),
        comment: some("seed 7\nplayed by hand"),
    };
    assert_eq!(
        write(game.as_ref(), &headers).unwrap(),
        format!(
            "(;FF[4]GM[1]CA[UTF-8]AP[Tesuji:{}]SZ[9]KM[7.5]RU[koPOSITIONALscoreAREAtaxNONEsui0]HA[2]GN[game 7]EV[a match]\
             DT[2024-02-29]PB[mcts:pn=1]PW[GNU Go [3.8\\]]RE[W+R]C[seed 7\nplayed by hand]AB[gc][cg]\n;W[ee];B[];W[df])\n",
            env!("CARGO_PKG_VERSION")
        )
    );
}

#[test]
fn other_games_and_unsupported_starts_are_refused() {
    let refused = |spec, position| write(open(spec, position).unwrap().as_ref(), &Headers::default()).unwrap_err();
    assert_eq!(
        refused("othello", "start").to_string(),
        "othello cannot be written as SGF: only games of go and hex are"
    );
    for start in ["...../...../.XO../XO.O./.XO.. X C2 0", "...../...../...../...../..X.. X - 1"] {
        assert!(matches!(refused("go:5", start), SgfError::Unwritable { .. }), "{start}");
    }
}

#[test]
fn a_million_nodes_do_not_overflow_the_stack() {
    let text = format!("({})", ";".repeat(1_000_000));
    let record = &read(&text).unwrap()[0];
    assert_eq!(record.tree().nodes().len(), 1_000_000);
    assert_eq!(record.position().unwrap(), "start");
    assert_eq!(record.text().matches(';').count(), 1_000_000);
    let deep = format!("{}{}", "(;".repeat(100_000), ")".repeat(100_000));
    assert_eq!(read(&deep).unwrap()[0].tree().nodes().len(), 100_000);
    assert!(read(&"(;".repeat(100_000)).is_err());
}
