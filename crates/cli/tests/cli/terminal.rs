//! The terminal: widths, marks, prompts, plurals, ranges, suggestions; and files that are written
//! completely or not at all.

use crate::program::tesuji;
use predicates::prelude::*;
use predicates::str::contains;
use std::path::Path;

/// Returns what a command prints at 80 columns.
fn at_80_columns(arguments: &[&str]) -> String {
    let output = tesuji(arguments).env("COLUMNS", "80").output().expect("it runs");
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

#[test]
fn nothing_is_wider_than_80_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (log, positions) = (path("m.jsonl"), path("positions.txt"));
    std::fs::write(&positions, "# game: tictactoe\nstart\nstart moves a1 b2\n").unwrap();
    let long = "mcts:select=ucb1tuned,solver";
    for arguments in [
        &["think", "connect4", "--playouts", "3000"][..],
        &["think", "tictactoe", "--player", "pns", "--nodes", "20000"],
        &["think", "samegame:5x5", "--playouts", "500"],
        &["solve", "connect4:4x4", "--all-moves"],
        &["solve", "rolit:4,players=3", "--goal", "score"],
        &["match", "connect4", long, "mcts", "--playouts", "20", "--games", "4", "--log", &log],
        &["match", "connect4", long, "mcts", "random", "--playouts", "20", "--games", "2"],
        &["match", "connect4", &format!("{long},rave"), &format!("{long},reuse"), "--playouts", "20", "--games", "2"],
        &["report", &log],
        &["bench", "connect4", "breakthrough:6x6", "--rounds", "2", "--time", "5ms", "--nodes", "5000"],
        &["compare", &positions, "--by", "dfpn", "--by", "pn2:init=mobility", "--by", "rppns@2"],
        &["searches"],
        &["searches", "mcts"],
        &["searches", "auto"],
    ] {
        let text = at_80_columns(arguments);
        assert!(!text.is_empty(), "{arguments:?}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{arguments:?}: {line}\n{text}");
            assert_eq!(line, line.trim_end(), "{arguments:?}");
        }
    }
}

#[test]
fn the_last_move_is_marked() {
    let show = |moves: &str| tesuji(&["show", "tictactoe", "--position", moves]).assert().success();
    show("start").stdout(contains("[").not());
    show("start moves b2").stdout(contains("[X]").and(contains("\x1b").not()));
    show("start moves b2 a1").stdout(contains("[O]").and(contains("[X]").not()));
    tesuji(&["play", "tictactoe"]).write_stdin("b2\nundo\nquit\n").assert().success().stdout(contains("[X]").count(1));
}

#[test]
fn a_line_that_is_not_utf8_does_not_end_a_game() {
    tesuji(&["play", "tictactoe"])
        .write_stdin(&b"b2\n\xff\xfe\na1\nposition\nquit\n"[..])
        .assert()
        .success()
        .stdout(contains("this line is not valid UTF-8").count(1).and(contains("X to move, 7 legal moves")));
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("p").display().to_string();
    tesuji(&["solve", "hex:2", "--proof", &proof]).assert().success();
    tesuji(&["walk", &proof])
        .write_stdin(&b"\xff\nhelp\nquit\n"[..])
        .assert()
        .success()
        .stdout(contains("not valid UTF-8").and(contains("end the walk")));
}

#[test]
fn long_input_is_not_echoed() {
    let long = "x".repeat(100_000);
    for arguments in [
        &["show", &long][..],
        &["show", "tictactoe", "--position", &long],
        &["show", "tictactoe", "--position", &format!("start moves {long}")],
        &["show", &format!("go:{long}=1")],
        &["show", &format!("go:komi={long}")],
        &["think", "tictactoe", "--player", &long],
        &["searches", &long],
        &["solve", "tictactoe", "--side", &long],
    ] {
        let stderr = tesuji(arguments).assert().code(2).get_output().stderr.clone();
        assert!(stderr.len() < 2000, "{} bytes: {:.300}", stderr.len(), String::from_utf8_lossy(&stderr));
    }
}

#[test]
fn limits_out_of_range_are_refused_with_the_range() {
    for (limit, words) in [
        (["--memory", "1"], "expected a size from 16K to 1024T"),
        (["--threads", "0"], "expected a whole number from 1 to 1024"),
        (["--threads", "-1"], "expected a whole number from 1 to 1024"),
        (["--time", "-1s"], "expected a time from 1ms to 8760h"),
        (["--time", "0"], "expected a time from 1ms to 8760h"),
        (["--playouts", "0"], "expected a whole number of at least 1"),
        (["--playouts", "-5"], "expected a whole number of at least 1"),
        (["--nodes", "0"], "expected a whole number of at least 1"),
    ] {
        for command in ["think", "play", "solve", "gtp"] {
            tesuji(&[&[command, "tictactoe"][..], &limit].concat()).assert().code(2).stderr(contains(words));
        }
    }
}

#[test]
fn defaults_of_limits_are_in_the_help() {
    for (command, default) in [("think", "5s"), ("play", "2s"), ("match", "1s"), ("gtp", "5s"), ("compare", "5000000")]
    {
        tesuji(&[command, "--help"]).env("COLUMNS", "200").assert().success().stdout(
            contains(format!("[default: {default}, if there is no other limit]")).and(contains("[default: 1G]")),
        );
    }
}

#[test]
fn misspelt_names_get_a_suggestion() {
    for (arguments, words) in [
        (&["show", "otello"][..], "there is no game \"otello\" (did you mean othello?); known are"),
        (&["think", "hex", "--player", "mcst"], "there is no search \"mcst\" (did you mean mcts?)"),
        (&["searches", "dfnp"], "there is no search \"dfnp\" (did you mean dfpn?)"),
        (&["show", "go:9,komy=5"], "go has no option \"komy\" (did you mean komi?); it takes"),
    ] {
        tesuji(arguments).assert().code(2).stderr(contains(words));
    }
}

#[test]
fn nouns_agree_with_numbers() {
    tesuji(&["match", "tictactoe", "random", "random", "--playouts", "1", "--games", "1"])
        .assert()
        .success()
        .stdout(contains("tictactoe: 1 game,").and(contains("random#2")));
    tesuji(&["show", "tictactoe", "--position", "start moves a1 b1 a2 b2 c1 c2 b3 a3"])
        .assert()
        .success()
        .stdout(contains("1 legal move:"));
    tesuji(&["think", "connect4", "--player", "random", "--top", "6"]).assert().success();
}

#[test]
fn a_forged_log_is_refused_by_report_and_match() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("m.jsonl").display().to_string();
    let play = ["match", "tictactoe", "mcts", "random", "--playouts", "50", "--games", "4", "--log", &log];
    tesuji(&play).assert().success();
    tesuji(&["report", &log, "--check"]).assert().success().stdout(contains("checked: 4 games replayed"));
    let text = std::fs::read_to_string(&log).unwrap();
    let forged = text.replacen(r#""scores":["#, r#""scores":[7"#, 1);
    std::fs::write(&log, &forged).unwrap();
    tesuji(&["report", &log]).assert().success();
    let words = contains("line 2, game 0: its scores are [7");
    tesuji(&["report", &log, "--check"]).assert().code(2).stderr(words.clone());
    tesuji(&play).assert().code(2).stderr(words);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), forged);
}

/// Runs a command that cannot write its output, and checks that it says so before its work.
fn fails_to_write(arguments: &[&str], file: &Path) {
    let begun = tesuji(arguments).arg("--out").arg(file).assert().code(2);
    begun.stderr(contains(format!("cannot write {}", file.display())));
}

#[test]
fn an_output_file_is_complete_or_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let learn = ["learn", "tictactoe", "--games", "2", "--playouts", "10"];
    // More games than any test could wait for.
    let endless = ["learn", "tictactoe", "--games", "1000000000", "--playouts", "1000"];
    let endings = ["endings", "tictactoe", "--count", "1000000", "--most-nodes", "1000000000"];
    for arguments in [&endless[..], &endings[..]] {
        fails_to_write(arguments, &folder.path().join("missing/out"));
        fails_to_write(arguments, folder.path());
    }
    let out = folder.path().join("out");
    std::fs::write(&out, "old").unwrap();
    tesuji(&["learn", "tictactoe", "--player", "guess"]).arg("--out").arg(&out).assert().code(2);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "old");
    tesuji(&learn).arg("--out").arg(&out).assert().success();
    assert_ne!(std::fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}
