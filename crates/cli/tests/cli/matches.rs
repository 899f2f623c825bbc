//! Matches and experiments from outside: what is printed, exit codes, logs.

use crate::program::{json, tesuji};
use predicates::prelude::*;
use predicates::str::contains;
use std::path::Path;
use std::process::Stdio;

/// The games of a log by number, without what depends on the clock.
fn games(log: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut games: Vec<serde_json::Value> = lines.filter(|line| line.get("number").is_some()).collect();
    games.iter_mut().for_each(|game| game["timing"] = serde_json::Value::Null);
    games.sort_by_key(|game| game["number"].as_u64());
    games
}

#[test]
fn a_match_is_told_to_people_and_programs_and_again_from_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("m.jsonl").display().to_string();
    let arguments = ["match", "connect4", "mcts", "random", "--playouts", "50", "--games", "6", "--log", &log];
    let told = tesuji(&arguments).assert().success();
    let told = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    assert!(told.contains("connect4: 6 games, ") && told.contains("game pairs by points (0, ½, 1, 1½, 2)"), "{told}");
    tesuji(&["report", &log]).assert().success().stdout(told);
    let report = json(&["report", &log], 0);
    let first = &report["players"][0];
    let of = |key: &str| first[key].as_u64().unwrap();
    assert_eq!(of("wins") + of("draws") + of("losses"), 6);
    let [rate, low, high] = ["rate", "low", "high"].map(|key| first[key].as_f64().unwrap());
    assert!(low <= rate && rate <= high, "{first}");
    assert!(first["elo"].is_number() || first["elo"] == "inf", "{first}");
    assert_eq!(report["match"]["game"], "connect4");
}

#[test]
fn a_match_that_was_killed_goes_on_with_the_same_command() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let arguments = |log: &Path| {
        let rest = ["match", "connect4", "mcts", "flat", "--playouts", "300", "--games", "40", "--log"];
        rest.into_iter().map(str::to_string).chain([log.display().to_string()]).collect::<Vec<_>>()
    };
    tesuji(&[]).args(arguments(&whole)).assert().success();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("tesuji"))
        .args(arguments(&parts))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while games(&parts).len() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = games(&parts).len();
    assert!(before >= 3);
    tesuji(&[]).args(arguments(&parts)).assert().success();
    assert_eq!(games(&whole), games(&parts));
    assert_eq!(games(&whole).len(), 40);
}

#[test]
fn a_sequential_test_says_yes_or_no_by_its_exit_code() {
    let test = |first, second| {
        tesuji(&["match", "tictactoe", first, second, "--playouts", "100", "--sprt", "0,200", "--openings", "random:1"])
            .assert()
    };
    test("mcts", "random").code(0).stdout(contains("accepts 200 Elo over 0"));
    test("random", "mcts").code(1).stdout(contains("accepts 0 Elo over 200"));
}

#[test]
fn an_engine_that_fails_loses_its_games_and_the_match_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine.sh");
    // It knows just enough of the protocol to be invited, and dies when it is asked for a move.
    std::fs::write(
        &engine,
        "while read -r line; do case \"$line\" in *genmove*) exit 3;; *list_commands*) printf '= name\\nversion\\nplay\\ngenmove\\nclear_board\\nboardsize\\nkomi\\nlist_commands\\nquit\\n\\n';; *) printf '= \\n\\n';; esac; done\n",
    )
    .unwrap();
    let player = format!("gtp:sh {}", engine.display());
    tesuji(&["match", "go:5", "random", &player, "--playouts", "1", "--games", "4"])
        .assert()
        .code(1)
        .stdout(contains("lost: it crashed").count(4).and(contains("4 games")));
}

/// A GTP program that writes a file when it is asked for a move, and then hangs behind a script
/// that does not listen.
#[cfg(unix)]
fn hanging(folder: &Path) -> String {
    let engine = folder.join("engine.sh");
    let script = "while read -r line; do case \"$line\" in *genmove*) sleep 100000 & echo $! > \"$0.pid\"; wait;; *list_commands*) printf '= play\\ngenmove\\n\\n';; *) printf '= \\n\\n';; esac; done\n";
    std::fs::write(&engine, script).unwrap();
    format!("gtp:sh {}", engine.display())
}

/// Runs a command until its hanging program is asked for a move, presses Ctrl-C, and gives the exit
/// code and what was printed.
#[cfg(unix)]
fn interrupted(folder: &Path, mut command: std::process::Command) -> (Option<i32>, String) {
    let run = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = run.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, b"4\n").unwrap();
    let file = folder.join("engine.sh.pid");
    let process = loop {
        let process = std::fs::read_to_string(&file).unwrap_or_default();
        if process.ends_with('\n') {
            break process.trim().to_string();
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was asked for a move");
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    // What has ended may still be waiting to be looked after.
    let left = std::process::Command::new("ps").args(["-o", "stat=", "-p", &process]).output().unwrap().stdout;
    assert!(left.is_empty() || left.starts_with(b"Z"), "the program still runs");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_valid_log_and_no_program_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (player, log) = (hanging(folder.path()), folder.path().join("m.jsonl"));
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("tesuji"));
    command.args(["match", "connect4", "random", &player, "--time", "1000s", "--games", "4", "--log"]).arg(&log);
    let (code, printed) = interrupted(folder.path(), command);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.ends_with("stopped; run the same command to resume\n"), "{printed}");
    tesuji(&["report"]).arg(&log).assert().success().stdout(contains("0 of 4 games"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_game_with_a_program_that_cannot_be_hurried() {
    let folder = tempfile::tempdir().unwrap();
    let player = hanging(folder.path());
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("tesuji"));
    command.args(["play", "connect4", "--opponent", &player, "--time", "1000s"]);
    let (code, printed) = interrupted(folder.path(), command);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.ends_with("stopped\n"), "{printed}");
}

#[test]
fn players_of_a_game_for_three_have_no_elo() {
    let rolit = ["match", "rolit:4,players=3", "random", "random", "random", "--playouts", "1", "--games", "6"];
    let words = contains("equal players would score 33.3 % each").and(contains("Elo").not());
    tesuji(&rolit).assert().success().stdout(words);
}

#[test]
fn what_cannot_be_played_is_an_error_that_names_it() {
    let fails = |arguments: &[&str], words: &str| {
        tesuji(arguments).assert().code(2).stderr(contains(words.to_string()));
    };
    fails(&["match", "connect4", "mcts", "guess"], "guess: cannot play this: there is no search \"guess\"");
    fails(&["match", "connect4", "mcts", "gtp:no-such-program"], "gtp:no-such-program: ");
    fails(&["match", "connect4", "mcts@speed=3", "mcts"], "\"speed=3\" after @ is not accepted");
    fails(&["match", "connect4", "mcts", "mcts", "--clock", "soon"], "is not a clock");
    fails(&["match", "connect4", "mcts", "mcts", "--openings", "nowhere.txt"], "the openings nowhere.txt");
    fails(&["match", "connect4", "mcts", "mcts", "--sprt", "0,inf"], "elo0 below elo1, not 0,inf");
    fails(&["play", "connect4", "--opponent", "mcts@time=1s"], "limits after @, which are for matches");
    fails(&["report", "nowhere.jsonl"], "log nowhere.jsonl");
    fails(&["experiment", "nowhere"], "plan.toml");
}

#[test]
fn games_of_a_match_become_sgf_files() {
    let folder = tempfile::tempdir().unwrap();
    let (log, sgf) = (folder.path().join("m.jsonl"), folder.path().join("games"));
    let arguments = ["match", "hex:5", "mcts", "random", "--playouts", "20", "--games", "2", "--log"];
    tesuji(&arguments).arg(&log).assert().success();
    tesuji(&["report"]).arg(&log).arg("--sgf").arg(&sgf).assert().success();
    let text = std::fs::read_to_string(sgf.join("1.sgf")).unwrap();
    assert!(text.contains("GM[11]") && text.contains("PB[random]") && text.contains("PW[mcts]"), "{text}");
    let file = sgf.join("1.sgf").display().to_string();
    tesuji(&["show", "hex:5", "--position", &file]).assert().success().stdout(contains(" wins"));
}

#[test]
fn an_experiment_writes_its_report() {
    let folder = tempfile::tempdir().unwrap();
    let plan = r#"
        title = "Small"
        question = "Does searching help?"
        [[group]]
        name = "help"
        title = "Search against chance"
        rows = "game"
        columns = "playouts"
        figure = true
        settings = { first = "mcts", second = "random", playouts = 30, games = 10 }
        row = [{ label = "Connect-4", game = "connect4" }]
        column = [{ label = "30" }]
    "#;
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let path = folder.path().display().to_string();
    tesuji(&["experiment", &path])
        .assert()
        .success()
        .stdout(contains("help: Connect-4, 30").and(contains("report.md")));
    let answer = json(&["experiment", &path, "--report"], 0);
    assert_eq!(answer["cells"][0]["found"]["samples"], 10);
    assert!(std::fs::read_to_string(folder.path().join("figures/help.svg")).unwrap().contains("Connect-4"));
    // Without the log there is nothing to draw the report from.
    let report = folder.path().join("report.md");
    let text = std::fs::read_to_string(&report).unwrap();
    std::fs::remove_dir_all(folder.path().join("log")).unwrap();
    tesuji(&["experiment", &path, "--report"]).assert().code(2).stderr(contains("help_Connect-4_30.jsonl"));
    assert_eq!(std::fs::read_to_string(&report).unwrap(), text);
}

/// A comparison on boards.
const ON_BOARDS: [&str; 8] =
    ["match", "samegame:6x6,colours=3", "mcts", "nmcs:level=1", "--boards", "6", "--playouts", "50"];

#[test]
fn players_of_a_game_for_one_player_are_compared_on_boards() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("b.jsonl").display().to_string();
    let arguments: Vec<&str> = ON_BOARDS.into_iter().chain(["--log", &log]).collect();
    let printed = tesuji(&arguments).env("COLUMNS", "80").assert().success();
    let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    for words in ["samegame:6x6,colours=3: 6 boards", "colours=3,seed=6)", "mean score", "difference", "t-test"] {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    tesuji(&["report", &log]).env("COLUMNS", "80").assert().success().stdout(printed);
    tesuji(&["report", &log, "--check"]).assert().success().stdout(contains("checked: 12 games replayed"));
    let report = json(&["report", &log], 0);
    assert_eq!(report["boards"].as_array().unwrap().len(), 6);
    assert_eq!(report["boards"][5]["board"], "samegame:6x6,colours=3,seed=6");
    let pair = &report["comparisons"][0];
    let [difference, mcts, nmcs] =
        [&pair["difference"], &report["players"][0]["score"], &report["players"][1]["score"]]
            .map(|n| n.as_f64().unwrap());
    assert!((difference - (mcts - nmcs)).abs() < 1e-9 && pair["degrees"] == 5 && pair["p"].is_number(), "{pair}");
    // Playouts and a seed determine everything but the timing.
    let again = json(&ON_BOARDS, 0);
    let timeless = |mut report: serde_json::Value| {
        report["players"]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .for_each(|player| player["timing"] = serde_json::Value::Null);
        report.to_string()
    };
    assert_eq!(timeless(report), timeless(again));
}

#[test]
fn a_player_without_complete_lines_says_so() {
    let boards = ["match", "clickomania:6x6,colours=3", "random", "--boards", "3"];
    tesuji(&boards).assert().success().stdout(contains("random made ").and(contains("difference").not()));
}

#[test]
fn boards_and_games_are_not_confused() {
    let fails = |arguments: &[&str], words: &str| {
        tesuji(arguments).assert().code(2).stderr(contains(words.to_string()));
    };
    fails(&["match", "samegame", "mcts", "nmcs"], "samegame is for one player");
    fails(&["match", "samegame", "mcts", "nmcs", "--games", "10"], "--boards 100");
    fails(&["match", "connect4", "mcts", "mcts", "--boards", "10"], "connect4 has 2 players");
    fails(&["match", "samegame", "mcts", "--boards", "0"], "expected a whole number of at least 1");
    fails(&["match", "samegame", "mcts", "--boards", "9", "--games", "9"], "cannot be used with");
    fails(&["match", "samegame", "mcts", "--boards", "9", "--clock", "9s"], "cannot be used with");
    fails(&["match", "samegame", "mcts", "--boards", "9", "--openings", "random:1"], "cannot be used with");
    fails(&["match", "samegame:board=nowhere.txt", "mcts", "--boards", "9"], "board=nowhere.txt is not accepted");
}
