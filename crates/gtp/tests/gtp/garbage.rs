//! Malformed input.

use crate::{settings, talk};
use proptest::prelude::*;

/// Returns whether a line is a command by the protocol.
fn asks(line: &str) -> bool {
    let kept: String = line.chars().filter(|letter| *letter == '\t' || !letter.is_control()).collect();
    !kept.split('#').next().unwrap_or("").trim().is_empty()
}

fn answers(output: &str) -> Vec<&str> {
    output.split_terminator("\n\n").collect()
}

#[test]
fn garbage_gets_an_error_and_the_engine_continues() {
    let output = talk(settings("go:5", "mcts", 5), "3 \u{1f600} x\nplay b\n\n# nothing\n7\n=\nname\n");
    assert_eq!(output.matches('?').count(), 4, "{output}");
    assert!(output.starts_with("?3 unknown command\n\n?") && output.ends_with("= Tesuji\n\n"), "{output}");
}

#[test]
fn an_overlong_line_is_refused_and_skipped() {
    let long = format!("play b {}\nname\n", "x".repeat(1_000_000));
    assert_eq!(talk(settings("go:5", "mcts", 5), &long), "? the line is too long\n\n= Tesuji\n\n");
}

#[test]
fn invalid_utf8_does_not_stop_the_engine() {
    let buffer = crate::Buffer::default();
    let input = std::io::Cursor::new(b"\xff\xfe play\nname\n".to_vec());
    tesuji_gtp::Engine::new(settings("go:5", "mcts", 5), input, buffer.clone()).unwrap().run().unwrap();
    let output = String::from_utf8(buffer.0.lock().unwrap().clone()).unwrap();
    assert_eq!(output, "? unknown command\n\n= Tesuji\n\n");
}

#[test]
fn nothing_is_answered_after_quit() {
    assert_eq!(talk(settings("go:5", "mcts", 5), "quit\nname\n"), "=\n\n");
}

#[test]
fn games_without_two_players_and_unknown_games_are_refused() {
    for (game, player) in [("samegame", "mcts"), ("rolit", "mcts"), ("chess", "mcts"), ("go:5", "nonsense")] {
        let engine = tesuji_gtp::Engine::new(settings(game, player, 5), std::io::empty(), std::io::sink());
        assert!(engine.is_err(), "{game} {player}");
    }
}

fn word() -> impl Strategy<Value = String> {
    let words = [
        "b",
        "w",
        "black",
        "WHITE",
        "x",
        "A1",
        "b2",
        "c3",
        "E5",
        "j9",
        "pass",
        "resign",
        "swap-pieces",
        "d3",
        "4",
        "0",
        "-1",
        "6.5",
        "2",
        "5",
        "19",
        "1e9",
        "interval",
        "minmoves",
        "alive",
        "dead",
        "none",
        "absolute",
        "byoyomi",
        "nan",
        "\u{1f600}",
        "#",
        "99999999999",
    ];
    prop_oneof![8 => prop::sample::select(words.to_vec()).prop_map(str::to_string), 1 => "\\PC{0,6}"]
}

fn line() -> impl Strategy<Value = String> {
    let commands = [
        "boardsize",
        "clear_board",
        "komi",
        "fixed_handicap",
        "place_free_handicap",
        "set_free_handicap",
        "play",
        "play",
        "play",
        "genmove",
        "genmove",
        "reg_genmove",
        "undo",
        "undo",
        "time_settings",
        "kgs-time_settings",
        "time_left",
        "final_score",
        "final_status_list",
        "loadsgf",
        "showboard",
        "lz-analyze",
        "lz-genmove_analyze",
        "kata-analyze",
        "kata-genmove_analyze",
        "gogui-analyze_commands",
        "tesuji-visits",
        "tesuji-values",
        "tesuji-variation",
        "list_commands",
        "known_command",
        "name",
        "all_legal_moves",
        "kgs-genmove_cleanup",
        "12 play",
        "7",
        "",
    ];
    let asked = (prop::sample::select(commands.to_vec()), prop::collection::vec(word(), 0..4));
    let asked = asked.prop_map(|(command, words)| format!("{command} {}", words.join(" ")));
    prop_oneof![9 => asked, 1 => "\\PC{0,20}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_line_that_asks_something_has_one_answer(
        game in prop::sample::select(vec!["go:3", "go:5,komi=0.5", "hex:3,swap", "othello:4", "tictactoe", "breakthrough:4x5"]),
        lines in prop::collection::vec(line(), 0..25),
    ) {
        let lines: Vec<String> = lines.into_iter().filter(|line| !line.contains("sgf ")).collect();
        let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let output = talk(settings(game, "mcts", 3), &input);
        let asked = lines.iter().filter(|line| asks(line)).count();
        prop_assert_eq!(answers(&output).len(), asked, "{:?}\n{}", lines, output);
        for answer in answers(&output) {
            prop_assert!(answer.starts_with(['=', '?']), "{}", answer);
        }
    }
}
