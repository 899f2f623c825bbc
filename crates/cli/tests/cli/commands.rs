//! The program from outside: what it prints, and its exit codes.

use crate::program::{json, tesuji};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn help_shows_what_it_can_do() {
    tesuji(&["--help"]).assert().success().stdout(contains("play").and(contains("perft")).and(contains("Examples")));
}

#[test]
fn the_studio_is_not_opened_to_others_by_a_weak_token() {
    let error = contains("\"1234\" is not a valid token").and(contains("8 to 128"));
    tesuji(&["serve", "--host", "0.0.0.0", "--token", "1234"]).assert().code(2).stderr(error);
    tesuji(&["serve", "--host", "nowhere"]).assert().code(2).stderr(contains("nowhere"));
}

#[test]
fn games_are_listed_for_people_and_programs() {
    tesuji(&["games"]).assert().success().stdout(contains("connect4").and(contains("rolit")));
    tesuji(&["games", "go"])
        .assert()
        .success()
        .stdout(contains("komi").and(contains("positional, situational, simple")));
    tesuji(&["games", "hex"]).assert().success().stdout(
        contains("Black connects top and bottom")
            .and(contains("With the option swap (square boards only)"))
            .and(contains("Black, White"))
            .and(contains("121 at the start: a1, b1, c1, d1, ..."))
            .and(contains("tesuji play hex --opponent auto")),
    );
    tesuji(&["games", "rolit:4,players=2"]).assert().success().stdout(contains("2: Red, Green"));
    let report = json(&["games"], 0);
    assert_eq!(report["schema"], 2);
    let games = report["games"].as_array().expect("games");
    assert!(games.len() >= 17);
    let is_text = |text: &serde_json::Value| text.as_str().is_some_and(|text| !text.is_empty());
    assert!(games.iter().all(|game| is_text(&game["goal"]) && is_text(&game["rules"])));
}

/// Without a terminal, a page is 80 columns wide.
#[test]
fn the_page_of_a_game_fits_into_80_columns() {
    for game in ["go", "minishogi", "samegame"] {
        let page = String::from_utf8(tesuji(&["games", game]).output().expect("it runs").stdout).expect("text");
        assert!(page.contains("\nRULES\n") && page.contains("\nOPTIONS\n"), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}

#[test]
fn play_starts_with_the_goal_and_prints_the_rules() {
    tesuji(&["play", "awari"]).write_stdin("rules\nquit\n").assert().success().stdout(
        contains("Awari: Capture more seeds than your opponent.")
            .and(contains("type \"rules\" for the rules"))
            .and(contains("With the option rules=oware")),
    );
}

#[test]
fn positions_are_drawn() {
    tesuji(&["show", "tictactoe", "--position", "start moves b2 a1"])
        .assert()
        .success()
        .stdout(contains("X to move, 7 legal moves").and(contains("position: .../.X./O.. X")));
    let report = json(&["show", "go:5", "--position", "start moves C3"], 0);
    assert_eq!(report["to_move"], 1);
    assert_eq!(report["player"], "White");
    assert_eq!(report["legal_moves"].as_array().map(Vec::len), Some(25));
    assert_eq!(report["view"]["cells"].as_array().map(Vec::len), Some(25));
}

#[test]
fn perft_counts_and_divides() {
    tesuji(&["perft", "connect4", "5"]).assert().success().stdout("16807\n");
    tesuji(&["perft", "tictactoe", "0"]).assert().success().stdout("1\n");
    let report = json(&["perft", "tictactoe", "3", "--divide"], 0);
    assert_eq!(report["leaves"], 504);
    assert_eq!(report["divide"].as_array().map(Vec::len), Some(9));
    tesuji(&["perft", "tictactoe", "3", "--divide"]).assert().success().stdout(contains("b2: 56"));
}

#[test]
fn check_reports_every_law() {
    let quick = ["check", "tictactoe", "--games", "3", "--playouts", "300"];
    tesuji(&quick)
        .assert()
        .success()
        .stdout(contains("holds").and(contains("perft from the start position: 9, 72, 504")));
    let report = json(&quick, 0);
    assert_eq!(report["passed"], true);
}

#[test]
fn bench_gives_rates_with_their_spread() {
    let report = json(&["bench", "tictactoe", "connect4", "--rounds", "2", "--time", "5ms", "--nodes", "5000"], 0);
    let games = report["games"].as_array().expect("games");
    assert_eq!(games.len(), 2);
    for (number, solver) in ["pns", "dfpn"].into_iter().enumerate() {
        let rate = &games[1]["timing"]["solvers"][number];
        assert_eq!(rate["solver"], solver);
        assert!(rate["over_perft"]["median"].as_f64().is_some_and(|ratio| ratio > 0.0));
    }
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
        (&["play", "connect4", "--seat", "3"][..], "no seat 3; expected 1 to 2"),
        (
            &["play", "connect4", "--opponent", "mcst"][..],
            "there is no search \"mcst\" (did you mean mcts?); known are mcts",
        ),
        (&["play", "connect4", "--hints", "flat:d=1"][..], "flat has no option \"d\"; it takes policy, c"),
        (&["play", "connect4", "--watch"][..], "--watch needs a search as the opponent"),
        (&["think", "connect4", "--player", "guess"][..], "there is no search \"guess\"; known are mcts"),
        (&["think", "connect4", "--player", "flat:c=x"][..], "flat: c=x is not accepted; it takes a number"),
        (&["think", "connect4", "--player", "auto:c=1"][..], "auto has no option \"c\""),
        (
            &["think", "connect4", "--time", "soon"][..],
            "invalid value 'soon' for '--time <TIME>': expected a time from 1ms",
        ),
        (&["think", "connect4", "--memory", "2X"][..], "expected a size from 16K"),
        (&["think", "connect4", "--playouts", "0"][..], "expected a whole number of at least 1"),
        (&["searches", "guess"][..], "there is no search \"guess\"; known are mcts"),
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
        .stdout(
            contains("\"b2\" is not a legal move here")
                .and(contains("game over: X wins (three in a row)"))
                .and(contains("take back to your last turn")),
        );
}

#[test]
fn a_random_mover_answers_and_undo_goes_back_to_the_person() {
    tesuji(&["play", "connect4", "--opponent", "random", "--seat", "2"])
        .write_stdin("undo\n1\nundo\nposition\nquit\n")
        .assert()
        .success()
        .stdout(contains("Red plays").and(contains("nothing to undo")).and(contains("Yellow>")));
}

#[test]
fn completions_are_written_for_shells() {
    for shell in ["bash", "zsh", "fish"] {
        tesuji(&["completions", shell]).assert().success().stdout(contains("tesuji"));
    }
}

#[test]
fn help_has_examples() {
    for command in [
        "games", "searches", "show", "perft", "check", "bench", "learn", "traps", "think", "play", "solve", "verify",
        "walk",
    ] {
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

#[test]
fn searches_are_listed_for_people_and_programs() {
    tesuji(&["searches"]).assert().success().stdout(contains("minimax").and(contains("auto")));
    tesuji(&["searches", "flat"]).assert().success().stdout(contains("policy").and(contains("uniform, ucb")));
    tesuji(&["searches", "random"]).assert().success().stdout(contains("No options."));
    tesuji(&["searches", "auto"]).assert().success().stdout(contains("connect4"));
    let report = json(&["searches"], 0);
    assert_eq!(report["searches"][0]["name"], "mcts");
    let options = report["searches"][0]["options"].as_array().unwrap();
    assert!(options.iter().any(|option| option["key"] == "c"), "{options:?}");
    assert!(report["auto"].as_array().is_some_and(|games| games.len() >= 17));
}

/// X to move wins at once with a3, and only so; O threatens b3.
const WON: [&str; 4] = ["think", "tictactoe", "--position", "start moves a1 b1 a2 b2"];

#[test]
fn think_shows_the_best_move_and_what_is_known_of_each() {
    tesuji(&[&WON[..], &["--player", "minimax:all"]].concat()).assert().success().stdout(
        contains("best move  a3 for X")
            .and(contains("bounds     win"))
            .and(contains("minimax:all: solved"))
            .and(predicates::str::is_match("(?m)a3 .*win").expect("a pattern"))
            .and(predicates::str::is_match("(?m)c1 .*loss").expect("a pattern")),
    );
    tesuji(&["think", "connect4", "--player", "flat", "--playouts", "500", "--top", "2"])
        .assert()
        .success()
        .stdout(contains("500 playouts").and(contains("visits")).and(contains("±")).and(contains("and 5 more moves")));
}

#[test]
fn think_tells_programs_all_it_knows() {
    let report = json(&[&WON[..], &["--player", "minimax:all"]].concat(), 0);
    assert_eq!(report["schema"], 2);
    assert_eq!((&report["game"], &report["search"]), (&"tictactoe".into(), &"minimax:all".into()));
    assert_eq!((&report["to_move"], &report["to_move_name"]), (&0.into(), &"X".into()));
    assert_eq!((&report["best"], &report["value"]), (&"a3".into(), &1.0.into()));
    assert_eq!(report["moves"].as_array().map(Vec::len), Some(5));
    assert_eq!(report["stopped"], "solved");
    assert!(report["timing"]["seconds"].is_number());
    let top = json(&[&WON[..], &["--player", "minimax:all", "--top", "2"]].concat(), 0);
    assert_eq!(top["moves"].as_array().map(Vec::len), Some(2));
}

#[test]
fn auto_says_what_it_means() {
    let report = json(&["think", "connect4", "--playouts", "50"], 0);
    assert_eq!(report["player"], "auto");
    assert_ne!(report["search"], "auto");
    assert_eq!(report["limits"]["time_seconds"], serde_json::Value::Null);
    tesuji(&["think", "connect4", "--playouts", "50"]).assert().success().stdout(contains(" (auto): "));
}

#[test]
fn think_says_how_a_finished_game_ended() {
    let over = ["think", "tictactoe", "--position", "start moves a1 b1 a2 b2 a3"];
    tesuji(&over).assert().success().stdout("game over: X wins (three in a row)\n");
    let report = json(&over, 0);
    assert_eq!(report["ending"]["words"], "X wins (three in a row)");
    assert_eq!(report["ending"]["cells"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["best"], serde_json::Value::Null);
}

#[test]
fn the_same_seed_gives_the_same_thought() {
    let run = |game: &str, seed: &str| {
        let arguments = ["think", game, "--playouts", "300", "--seed", seed, "--json"];
        let text = String::from_utf8(tesuji(&arguments).output().expect("it runs").stdout).expect("text");
        // The clock has a say in nothing else.
        text.split_once("\"timing\"").expect("timing is reported").0.to_string()
    };
    for game in ["connect4", "go:5", "rolit:4,players=3", "samegame:6x6"] {
        assert_eq!(run(game, "7"), run(game, "7"));
        assert_ne!(run(game, "7"), run(game, "8"));
    }
}

#[test]
fn hints_are_given_and_explained() {
    tesuji(&["play", "tictactoe", "--hints", "minimax"])
        .write_stdin("why\na1\nb1\na2\nb2\nhint\nwhy\nundo\nposition\nquit\n")
        .assert()
        .success()
        .stdout(
            contains("no search yet")
                .and(contains("minimax plays a3 (value +1.000, proven: win)"))
                .and(contains("Hint of minimax for X, move 5:"))
                .and(contains("best move  a3 for X"))
                .and(contains(".../X../XO. O")),
        );
}

#[test]
fn a_search_answers_and_says_why() {
    // O has to stop a3, and sees it.
    tesuji(&["play", "tictactoe", "--opponent", "minimax", "--position", "start moves a1 b2"])
        .write_stdin("a2\nwhy\nundo\nposition\nquit\n")
        .assert()
        .success()
        .stdout(
            contains("O plays a3 (value")
                .and(contains("Search of O before move 4 (a3):"))
                .and(contains("best move  a3 for O"))
                .and(contains(".../.O./X.. X")),
        );
}

#[test]
fn a_game_between_searches_is_watched_to_its_end() {
    tesuji(&["play", "tictactoe", "--opponent", "minimax", "--watch"])
        .assert()
        .success()
        .stdout(contains("X plays").and(contains("O plays")).and(contains("game over: draw")));
}

#[test]
fn endings_are_made_and_solvers_compared_on_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("a name").to_string();
    let (set, log) = (file("set"), file("log"));
    let make = ["endings", "connect4:5x4", "--count", "3", "--player", "random", "--playouts", "1", "--opening", "2"];
    let nodes = ["--least-nodes", "20", "--most-nodes", "2000", "--out", &set];
    tesuji(&[&make[..], &nodes[..]].concat()).assert().success();
    let text = std::fs::read_to_string(&set).expect("it was written");
    assert!(text.starts_with("# game: connect4:5x4\n# 3 positions that the player to move wins"), "{text}");
    // The command in the file makes the file again.
    let command = text.lines().find_map(|line| line.strip_prefix("# tesuji ")).expect("a command");
    let words: Vec<&str> = command.split(' ').collect();
    tesuji(&words).assert().success().stdout(text.clone());

    let compare = ["compare", &set, "--by", "dfpn", "--by", "pns@2", "--nodes", "100000", "--log", &log];
    tesuji(&compare)
        .assert()
        .success()
        .stdout(contains("3 solved by all").and(contains("pns, 2 threads")).and(contains("no contradictions")));
    let report = json(&[&compare[..], &["--sample", "2"]].concat(), 0);
    assert_eq!((&report["schema"], &report["sample"], &report["of"]), (&2.into(), &2.into(), &3.into()));
    assert_eq!(report["solvers"][1]["solved"], 2);
    assert_eq!(std::fs::read_to_string(&log).expect("a log").lines().count(), 6, "nothing is done twice");

    let wrong = std::fs::read_to_string(&log).expect("a log").replace("\"at_least\":1", "\"at_least\":-1");
    let wrong = wrong.lines().map(|line| {
        if line.contains("\"by\":\"pns\"") { line.replace("\"at_most\":1", "\"at_most\":-1") } else { line.to_string() }
    });
    let wrong: Vec<String> =
        wrong.map(|line| line.replace("\"by\":\"dfpn\"", "\"by\":\"dfpn:goal=win\"") + "\n").collect();
    std::fs::write(&log, wrong.concat()).expect("it can be written");
    tesuji(&compare).assert().code(1).stdout(contains("CONTRADICTION: dfpn proves a score of at least 1, pns"));

    let panel =
        ["--before-end", "9", "--by", "dfpn", "--by", "alphabeta", "--least-nodes", "300", "--most-nodes", "3000"];
    let output = tesuji(&[&make[..], &panel[..]].concat()).assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).expect("text");
    assert!(text.contains("# 3 positions, each 9 moves before the end of another game of random"), "{text}");
    let command = text.lines().find_map(|line| line.strip_prefix("# tesuji ")).expect("a command");
    tesuji(&command.split(' ').collect::<Vec<_>>()).assert().success().stdout(text.clone());
    tesuji(&[&make[..], &panel[2..]].concat())
        .assert()
        .code(2)
        .stderr(contains("2 solvers (--by) without --before-end"));

    let bare = file("bare");
    std::fs::write(&bare, "start\n").expect("it can be written");
    tesuji(&["compare", &bare, "--by", "dfpn"]).assert().code(2).stderr(contains("has no line \"# game: SPEC\""));
}
