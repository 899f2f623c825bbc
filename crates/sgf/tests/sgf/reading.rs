//! Reading files of various programs.

use std::path::Path;
use tesuji_core::Player;
use tesuji_sgf::{By, GameResult, Record, SgfError, Source, read, read_file};

fn file(name: &str) -> Vec<Record> {
    read_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sgf").join(name)).unwrap()
}

fn one(text: &str) -> Record {
    let mut records = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

fn position(text: &str) -> String {
    one(text).position().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The error of reading or replaying a text.
fn error(text: &str) -> String {
    match read(text) {
        Err(error) => error.to_string(),
        Ok(records) => records[0].position().expect_err(text).to_string(),
    }
}

#[test]
fn go_coordinates_start_at_the_top_left() {
    let game = one(
        "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Ann]PW[Bob]RE[B+3.5]DT[2024-02-29]C[A game.];B[aa];W[ia];B[ai];W[];B[ii];W[tt])",
    );
    assert_eq!(game.game(), "go:9,komi=6.5");
    assert_eq!(game.position().unwrap(), "start moves A9 J9 A1 pass J1 pass");
    assert_eq!(game.players(), (Some("Ann".to_string()), Some("Bob".to_string())));
    assert_eq!(game.result(), Ok(Some(GameResult::Win { winner: Player::FIRST, by: By::Points(3.5) })));
    assert_eq!(game.header("DT").as_deref(), Some("2024-02-29"));
    assert_eq!(game.comment().as_deref(), Some("A game."));
    assert_eq!(game.length(), 6);
    assert_eq!(game.open(Some(2)).unwrap().moves(), ["A9", "J9"]);
    assert_eq!(game.open(Some(0)).unwrap().moves(), [""; 0]);
    assert_eq!(game.open(Some(7)).err(), Some(SgfError::NoMove { number: 7, length: 6 }));
}

#[test]
fn the_header_makes_the_spec() {
    for (header, spec) in [
        ("", "go:19"),
        ("SZ[13]", "go:13"),
        ("SZ[9:9]", "go:9"),
        ("SZ[9]KM[-3]", "go:9,komi=-3"),
        ("SZ[ 9 ]KM[0.50]HA[0]", "go:9,komi=0.5"),
        ("SZ[9]KM[]", "go:9"),
        ("SZ[9]RU[Chinese]", "go:9,ko=simple"),
        ("SZ[9]RU[AGA]", "go:9,ko=situational"),
        ("SZ[9]RU[koPOSITIONALscoreAREAtaxNONEsui0]", "go:9,ko=positional"),
        ("SZ[9]RU[by the fire]", "go:9"),
        ("GM[11]", "hex:11"),
        ("GM[11]SZ[5]RU[swap]", "hex:5,swap"),
        ("GM[11]SZ[8:5]", "hex:8x5"),
    ] {
        assert_eq!(one(&format!("(;{header})")).game(), spec, "{header}");
    }
}

#[test]
fn unsupported_values_are_refused() {
    for (header, words) in [
        ("GM[2]", "GM[2] is not understood; it takes 1 (Go) or 11 (Hex)"),
        ("SZ[21]", "size=21 is not accepted; it takes columns x rows from 2x2 to 19x19"),
        ("SZ[1]", "size=1 "),
        ("SZ[9:13]", "size=9x13 is not accepted; it takes a square board"),
        ("SZ[large]", "SZ[large] is not understood; it takes a number from 2 to 19"),
        ("SZ[9]KM[3.75]", "komi=3.75 is not accepted; it takes a multiple of 0.5"),
        ("SZ[9]KM[NaN]", "komi=NaN is not accepted"),
        ("SZ[9]KM[6,5]", "KM[6,5] is not understood; it takes a multiple of 0.5"),
        ("GM[11]SZ[20]", "size=20 is not accepted; it takes columns x rows from 2x2 to 19x19"),
        ("GM[11]SZ[5:4]RU[swap]", "a square board"),
    ] {
        let error = error(&format!("(;{header})"));
        assert!(error.contains(words), "{header}: {error}");
    }
}

#[test]
fn stones_set_up_at_the_root_are_the_start_position() {
    let text = "(;SZ[3]AB[aa:ba]AW[cc]PL[W];W[bb])";
    assert_eq!(position(text), "XX./.../..O O - 0 moves B2");
    assert_eq!(one(text).open(Some(0)).unwrap().text(), "XX./.../..O O - 0");
    assert_eq!(position("(;SZ[3]AB[aa]AW[cc];AE[aa]AB[bb];W[ac])"), ".../.X./..O O - 0 moves A1");
    assert_eq!(position("(;SZ[3]AB[aa])"), "X../.../... X - 0", "without a player to move");
    assert_eq!(position("(;SZ[3];W[aa])"), ".../.../... O - 0 moves A3");
    assert_eq!(position("(;SZ[3]PL[white])"), ".../.../... O - 0");
}

#[test]
fn stones_set_up_in_a_later_node_start_a_new_position() {
    let game = one("(;SZ[3];B[aa];W[ca];AB[bb]PL[B];B[cc];W[ac])");
    assert_eq!(game.position().unwrap(), "X.O/.X./... X - 0 moves C1 A1");
    assert_eq!(game.open(Some(1)).unwrap().game_text(), "start moves A3");
    assert_eq!(game.open(Some(2)).unwrap().game_text(), "X.O/.X./... X - 0", "the stone stands before move 3");
    assert_eq!(game.open(Some(3)).unwrap().moves(), ["C1"]);
}

#[test]
fn impossible_positions_are_refused() {
    assert!(error("(;SZ[3]AB[ab][ba]AW[aa])").starts_with("the set-up: "));
    assert!(error("(;SZ[3];B[cc];AB[ab][ba]AW[aa])").starts_with("the set-up after move 1: "));
    let error = error("(;SZ[3]AB[ad])");
    assert_eq!(
        error,
        "AB[ad] is not understood; it takes a point from aa to cc, or two of them, upper left:lower right"
    );
    assert!(self::error("(;SZ[3]AB[cc:aa])").starts_with("AB[cc:aa]"));
    assert!(self::error("(;SZ[3]PL[green])").starts_with("PL[green] is not understood; it takes B or W"));
}

#[test]
fn only_fixed_handicap_stones_become_the_handicap_option() {
    let fixed = &file("collection.sgf")[0];
    assert_eq!(fixed.game(), "go:19,komi=0.5,ko=simple,handicap=2");
    assert_eq!(fixed.position().unwrap(), "start moves D16 Q3 pass pass");
    let free = one("(;SZ[9]HA[2]AB[aa][bb])");
    assert_eq!(free.game(), "go:9");
    assert!(free.position().unwrap().ends_with(" O - 0"), "White moves after handicap stones");
}

#[test]
fn consecutive_stones_of_one_colour_imply_a_pass() {
    assert_eq!(position("(;SZ[9]HA[2];B[cc];B[gg];W[ee])"), "start moves C7 pass G3 E5");
    assert_eq!(position("(;SZ[3];B[aa];W[cc];W[bb])"), "start moves A3 C1 pass B2");
    // Here a second pass would end the game.
    assert_eq!(position("(;SZ[3];B[aa];W[];W[bb])"), "X../.../... O - 0 moves B2");
}

#[test]
fn after_the_end_passes_are_ignored_and_stones_refused() {
    assert_eq!(position("(;SZ[3];B[bb];W[];B[];W[])"), "start moves B2 pass pass");
    assert!(error("(;SZ[3];B[bb];W[];B[];W[aa])").starts_with("move 4, W[aa]: \"A3\" is not a legal move here"));
}

#[test]
fn illegal_moves_are_reported_with_their_number() {
    assert!(error("(;SZ[9];B[aa];W[aa])").starts_with("move 2, W[aa]: \"A9\" is not a legal move here"));
    assert!(error("(;SZ[9];B[aa];W[jj])").starts_with("move 2, W[jj]: a move is a point from aa to ii"));
    assert!(error("(;GM[1]SZ[9];B[a1])").starts_with("move 1, B[a1]: a move is a point"));
    let ko = "(;SZ[5]GM[1];B[be];W[ce];B[ad];W[dd];B[bc];W[cc];B[cd];W[bd];B[cd])";
    assert!(error(ko).starts_with("move 9, B[cd]: "));
    assert_eq!(one(ko).open(Some(8)).unwrap().text(), "...../...../.XO../XO.O./.XO.. X C2 0");
    assert!(error("(;GM[11]SZ[3];B[a1];W[b2];W[c3])").starts_with("move 3, W[c3]: it is Black's turn"));
    assert!(error("(;GM[11]SZ[3];B[d1])").starts_with("move 1, B[d1]: a move is a cell from a1 to c3"));
}

#[test]
fn hexgui_swaps_and_resignations_are_read() {
    let game = &file("hexgui.sgf")[0];
    assert_eq!(game.game(), "hex:5,swap");
    assert_eq!(game.position().unwrap(), "start moves a2 swap c3 c2 d2");
    assert_eq!(game.open(Some(2)).unwrap().text(), ".W.../...../...../...../..... B");
    assert_eq!(game.length(), 6);
    assert_eq!(game.result(), Ok(Some(GameResult::Win { winner: Player::FIRST, by: By::Resignation })));
    assert!(error("(;GM[11]SZ[3];B[a1];W[resign];B[b2])").contains("a resignation ended the game"));
    assert!(error("(;GM[11]SZ[3];B[a1];W[b2];B[swap-pieces])").starts_with("move 3, B[swap-pieces]: "));
}

#[test]
fn black_connects_top_and_bottom() {
    let game = one("(;GM[11]SZ[3];B[B1];W[a1];B[b2];W[a2];B[b3])");
    assert_eq!(game.open(None).unwrap().ending().unwrap().words, "Black wins (connected)");
    assert_eq!(game.position().unwrap(), "start moves b1 a1 b2 a2 b3");
}

#[test]
fn swap_sides_leaves_the_board_and_white_to_move() {
    assert_eq!(position("(;GM[11]SZ[5];B[a2];W[swap-sides];W[c3];B[d2])"), "start moves a2 c3 d2");
    assert!(error("(;GM[11]SZ[5];B[a2];W[c3];B[swap-sides])").starts_with("move 3, "));
}

#[test]
fn in_little_golem_files_w_is_the_first_player() {
    let game = &file("little-golem.hsgf")[0];
    assert_eq!(game.game(), "hex:11,swap");
    assert_eq!(game.position().unwrap(), "start moves a4 swap e7 f5 g4");
    assert_eq!(game.result(), Ok(Some(GameResult::Win { winner: Player::FIRST, by: By::Unspecified })));
    let unspecified = one("(;SZ[11]EV[null]SO[https://www.littlegolem.net];W[ac];B[resign])");
    assert_eq!(unspecified.result(), Ok(Some(GameResult::Win { winner: Player::FIRST, by: By::Resignation })));
    assert_eq!(one("(;SZ[5];B[a1])").game(), "hex:5", "a cell of Hex says what the file does not");
    assert!(error("(;GM[11]SZ[3];W[a1])").contains("not W to move"), "in Hex of others Black begins");
}

#[test]
fn after_a_hex_setup_the_player_with_fewer_stones_is_to_move() {
    assert_eq!(position("(;GM[11]SZ[3];AB[a1][b2]AW[c3])"), "B../.B./..W W");
    assert_eq!(position("(;GM[11]SZ[3]AB[a1]AW[c3];B[b2])"), "B../.../..W B moves b2");
    assert!(error("(;GM[11]SZ[3]AB[a1:c1])").starts_with("the set-up: "));
}

#[test]
fn the_main_line_is_the_first_child_and_variations_stay_in_the_tree() {
    let game = one("(;SZ[9];B[aa](;W[bb];B[cc])(;W[dd](;B[ee])(;B[ff])))");
    assert_eq!(game.position().unwrap(), "start moves A9 B8 C7");
    assert_eq!(game.tree().nodes().len(), 7);
    assert_eq!(game.tree().nodes()[1].children, [2, 4]);
    assert_eq!(game.text(), "(;SZ[9];B[aa]\n(;W[bb];B[cc])\n(;W[dd]\n(;B[ee])\n(;B[ff])))\n");
}

#[test]
fn an_invalid_game_of_several_is_named() {
    let games = file("collection.sgf");
    let specs: Vec<&str> = games.iter().map(|game| game.game()).collect();
    assert_eq!(specs, ["go:19,komi=0.5,ko=simple,handicap=2", "hex:3", "go:13,komi=5.5"]);
    assert_eq!(games[2].players().0.as_deref(), Some("Ann"), "long names of FF[3]");
    assert!(error("(;SZ[9])(;SZ[90])").starts_with("game 2 of the file: "));
}

#[test]
fn syntax_errors_have_a_location() {
    for (text, words) in [
        ("", "there is no SGF game; a game starts with \"(;\""),
        ("no game ( here", "there is no SGF game"),
        ("(;SZ[9]\n;B[aa]", "line 2, column 7: the file ends within a game"),
        ("(;SZ[9]C[open", "line 1, column 9: a value starts here that no \"]\" ends"),
        ("(;SZ[9];B)", "column 10: a property has a value in brackets"),
        ("(;b[aa])", "column 3: a property has a name with capital letters"),
        ("(;SZ[9]())", "column 9: \"(\" is followed by \";\""),
        ("(;)()", "column 5: \"(\" is followed by \";\""),
        ("(;(;B[aa]);W[bb])", "column 11: a variation is followed"),
        ("(;SZ[9]) and more", "only games, which start with \"(;\", may follow a game"),
        ("(;SZ[9]1)", "column 8: \";\", \"(\" or \")\" is expected"),
    ] {
        let error = error(text);
        assert!(error.contains(words), "{text:?}: {error}");
    }
}

#[test]
fn a_position_of_a_file_is_opened_if_the_game_is_compatible() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/sgf");
    let opened = |place: &str, game: &str| {
        let source = Source::parse(&folder.join(place).display().to_string()).unwrap();
        source.open(game).map(|session| (session.spec().to_string(), session.game_text())).map_err(|e| e.to_string())
    };
    let game = |spec: &str, text: &str| Ok((spec.to_string(), text.to_string()));
    assert_eq!(opened("hexgui.sgf#1", "hex"), game("hex:5,swap", "start moves a2"));
    assert_eq!(opened("collection.sgf@3", "go:13,ko=simple"), game("go:13,komi=5.5,ko=simple", "start moves D10 K4"));
    assert_eq!(opened("collection.sgf@3#0", "go"), game("go:13,komi=5.5", "start"));
    let fails = |place: &str, game: &str, words: &str| {
        let error = opened(place, game).unwrap_err();
        assert!(error.contains(words), "{error}");
    };
    fails("collection.sgf", "go", "has 3 games; choose one by ");
    fails("collection.sgf@4", "go", "has 3 games");
    fails("hexgui.sgf", "go:5", "the file's game is hex:5,swap, which does not fit go:5");
    fails("hexgui.sgf", "hex:6", "the file's game is hex:5,swap, which does not fit hex:6");
    fails("hexgui.sgf", "hex:5,komi=1", "hex has no option \"komi\"");
    fails("hexgui.sgf#7", "hex", "there is no move 7; the main line has 6");
    fails("nothing.sgf", "hex", "cannot read ");
}
