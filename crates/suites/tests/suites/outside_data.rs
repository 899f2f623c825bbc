//! Rules against external game records and problems in the folder that `TESUJI_DATA` names.

use libtest_mimic::Trial;
use tesuji_suites::data;

/// Each problem lists a score for every legal move.
fn othello_problems_list_exactly_the_legal_moves() {
    let Some(text) = data::outside_text("othello/fforum-59.obf") else { return };
    for line in text.lines() {
        let (position, scores) = line.split_once(';').expect("a position and its moves");
        let (board, side) = position.split_once(' ').expect("a board and a side");
        let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
        let text = format!("{} {}", rows.join("/").replace('-', "."), side.trim());
        let session = tesuji_catalog::open("othello", &text).unwrap_or_else(|error| panic!("{line}: {error}"));
        let mut listed: Vec<String> = scores
            .split(';')
            .filter_map(|item| item.split_once(':'))
            .map(|(square, _)| square.trim().to_lowercase())
            .collect();
        let mut legal = session.legal_moves();
        listed.sort();
        legal.sort();
        assert_eq!(legal, listed, "{line}");
    }
}

/// All positions can be replayed, and none is terminal.
fn connect4_positions_replay() {
    for file in ["Test_L1_R1", "Test_L1_R2", "Test_L1_R3", "Test_L2_R1", "Test_L2_R2", "Test_L3_R1"] {
        let Some(text) = data::outside_text(&format!("connect4/{file}")) else { return };
        for line in text.lines() {
            let columns: Vec<String> = line.split(' ').next().unwrap_or("").chars().map(String::from).collect();
            let position = format!("start moves {}", columns.join(" "));
            let session = tesuji_catalog::open("connect4", &position).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert!(session.to_move().is_some(), "{line}");
        }
    }
}

/// Games of strong amateurs contain only legal moves. Japanese rules have simple ko instead of
/// superko.
fn go_games_of_amateurs_replay() {
    let Some(text) = data::outside_text("go/kgs-6d-3000.sgfs") else { return };
    // One in five games: replaying all takes longer than the rest of the suite.
    for line in text.lines().step_by(5) {
        let mut session = tesuji_catalog::open("go:19,ko=simple", "start").expect("a spec");
        for node in line.split(';').filter(|node| node.starts_with("B[") || node.starts_with("W[")) {
            let bytes = node.as_bytes();
            let mv = if bytes[2] == b']' {
                "pass".to_string()
            } else {
                let (column, row) = (bytes[2] - b'a', bytes[3] - b'a');
                format!("{}{}", char::from(b'A' + column + u8::from(column >= 8)), 19 - row)
            };
            session.play(&mv).unwrap_or_else(|error| panic!("{error} in {}: {line}", session.text()));
        }
    }
}

/// The file has twenty boards.
fn samegame_boards_are_read_from_a_file() {
    let Some(path) = data::outside("samegame/standard20.txt") else { return };
    for number in 1..=20 {
        let spec = format!("samegame:board='{}',number={number}", path.display());
        let session = tesuji_catalog::open(&spec, "start").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(session.text().split('/').count(), 15);
        assert!(session.legal_moves().len() > 20, "board {number}");
    }
    assert!(tesuji_catalog::open(&format!("samegame:board='{}',number=21", path.display()), "start").is_err());
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let tests: [(&str, fn()); 4] = [
        ("othello problems list exactly the legal moves", othello_problems_list_exactly_the_legal_moves),
        ("connect4 positions replay", connect4_positions_replay),
        ("go games of amateurs replay", go_games_of_amateurs_replay),
        ("samegame boards are read from a file", samegame_boards_are_read_from_a_file),
    ];
    crate::trials_of(tests)
}
