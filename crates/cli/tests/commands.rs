//! The program from outside: what it prints, and its exit codes.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn tesuji(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tesuji").expect("the program is built");
    command.args(arguments);
    command
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = tesuji(arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON object")
}

#[test]
fn without_arguments_it_shows_what_it_can_do() {
    tesuji(&[]).assert().success().stdout(contains("play").and(contains("perft")).and(contains("Examples")));
}

#[test]
fn games_are_listed_for_people_and_programs() {
    tesuji(&["games"]).assert().success().stdout(contains("connect4").and(contains("rolit")));
    tesuji(&["games", "go"])
        .assert()
        .success()
        .stdout(contains("komi").and(contains("positional, situational, simple")));
    let report = json(&["games", "--json"]);
    assert_eq!(report["schema"], 1);
    assert!(report["games"].as_array().is_some_and(|games| games.len() >= 17));
}

#[test]
fn positions_are_drawn() {
    tesuji(&["show", "tictactoe", "--position", "start moves b2 a1"])
        .assert()
        .success()
        .stdout(contains("X to move, 7 moves").and(contains("position: .../.X./O.. X")));
    let report = json(&["show", "go:5", "--position", "start moves C3", "--json"]);
    assert_eq!(report["to_move"], 1);
    assert_eq!(report["player"], "White");
    assert_eq!(report["legal_moves"].as_array().map(Vec::len), Some(25));
    assert_eq!(report["view"]["cells"].as_array().map(Vec::len), Some(25));
}

#[test]
fn perft_counts_and_divides() {
    tesuji(&["perft", "connect4", "5"]).assert().success().stdout("16807\n");
    tesuji(&["perft", "tictactoe", "0"]).assert().success().stdout("1\n");
    let report = json(&["perft", "tictactoe", "3", "--divide", "--json"]);
    assert_eq!(report["leaves"], 504);
    assert_eq!(report["divide"].as_array().map(Vec::len), Some(9));
    tesuji(&["perft", "tictactoe", "3", "--divide"]).assert().success().stdout(contains("b2: 56"));
}

#[test]
fn check_reports_every_law() {
    let quick = ["check", "tictactoe", "--games", "3", "--playouts", "300"];
    tesuji(&quick).assert().success().stdout(contains("holds").and(contains("perft from the start: 9, 72, 504")));
    let report = json(&[&quick[..], &["--json"]].concat());
    assert_eq!(report["passed"], true);
}

#[test]
fn bench_gives_rates_with_their_spread() {
    let report = json(&["bench", "tictactoe", "connect4", "--rounds", "2", "--time", "5ms", "--json"]);
    let games = report["games"].as_array().expect("games");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1]["timing"]["playouts_per_second"]["rounds"].as_array().map(Vec::len), Some(2));
    assert!(games[1]["bytes_per_position"].as_u64().is_some_and(|bytes| bytes > 0));
}

#[test]
fn wrong_input_gets_one_line_and_exit_code_2() {
    for (arguments, complaint) in [
        (&["show", "chess"][..], "there is no game \"chess\"; known are tictactoe"),
        (&["show", "go:25"][..], "go: size=25 is not accepted; it takes columns x rows from 2x2 to 19x19"),
        (&["show", "go:9,colour=red"][..], "go has no option \"colour\"; it takes size, komi, ko, handicap"),
        (&["show", "go:9,komi=7.3"][..], "komi=7.3 is not accepted"),
        (&["show", "Go"][..], "cannot read the spec"),
        (&["show", "tictactoe", "--position", "xyz"][..], "cannot read the position \"xyz\""),
        (&["show", "tictactoe", "--position", "start moves b2 b2"][..], "move 2: \"b2\" is not a legal move here"),
        (&["perft", "connect4", "many"][..], "many"),
        (&["bench", "connect4", "--time", "5 weeks"][..], "5 weeks"),
        (&["play", "connect4", "--seat", "3"][..], "there is no seat 3"),
    ] {
        let assert = tesuji(arguments).assert().code(2);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains(complaint), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_game_is_played_in_the_terminal() {
    tesuji(&["play", "tictactoe"])
        .write_stdin("b2\nb2\nundo\nb2\na1\nb1\nhelp\nmoves\na2\nb3\n")
        .assert()
        .success()
        .stdout(contains("\"b2\" is not a legal move here").and(contains("over: X wins")).and(contains("Also: undo")));
}

#[test]
fn a_random_mover_answers_and_undo_goes_back_to_the_person() {
    tesuji(&["play", "connect4", "--opponent", "random", "--seat", "2"])
        .write_stdin("undo\n1\nundo\nposition\nquit\n")
        .assert()
        .success()
        .stdout(contains("X plays").and(contains("there is nothing to take back")).and(contains("O>")));
}

#[test]
fn completions_are_written_for_shells() {
    for shell in ["bash", "zsh", "fish"] {
        tesuji(&["completions", shell]).assert().success().stdout(contains("tesuji"));
    }
}

#[test]
fn help_has_examples() {
    for command in ["games", "show", "perft", "check", "bench", "play"] {
        tesuji(&[command, "--help"]).assert().success().stdout(contains("Examples:"));
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = || {
        tesuji(&["check", "othello", "--games", "2", "--playouts", "100", "--json"]).output().expect("it runs").stdout
    };
    assert_eq!(run(), run());
}
