//! Solving from outside: answers, proofs and their verification, walks, checkpoints, and what is
//! refused.

use crate::program::{json, tesuji};
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::process::Stdio;

/// A folder for a test, and the names of files in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a name").to_string()
    }
}

fn complaint(arguments: &[&str], code: i32) -> String {
    let assert = tesuji(arguments).assert().code(code);
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

#[test]
fn a_win_is_solved_proved_verified_and_walked_through() {
    let folder = Folder::new();
    let proof = folder.file("p");
    tesuji(&["solve", "hex:3", "--proof", &proof]).assert().success().stdout(
        contains("win for Black")
            .and(contains("winning move"))
            .and(contains("dfpn:init=game (auto: "))
            .and(contains("bytes per position, written and verified")),
    );
    tesuji(&["verify", &proof])
        .assert()
        .success()
        .stdout(contains("proven: Black can force a win").and(contains("verified in")));
    let report = json(&["verify", &proof], 0);
    assert_eq!((&report["schema"], &report["verified"]), (&2.into(), &true.into()));
    assert_eq!(report["claims"][0]["kind"], "ranked");
    let positions = report["positions"].as_u64().expect("a number");
    assert!(report["bytes"].as_u64().is_some_and(|bytes| bytes < positions + 64), "{report}");

    // Whatever White does, Black has an answer until the game is over.
    let mut moves = String::new();
    loop {
        let walk = json(&["walk", &proof, "--moves", &moves], 0);
        if walk["turn"] == "over" {
            assert_eq!(walk["ending"]["words"], "Black wins (connected)");
            break;
        }
        assert_eq!(walk["turn"], "theirs");
        let last = walk["replies"].as_array().and_then(|replies| replies.last()).and_then(Value::as_str);
        moves = format!("{moves} {}", last.expect("a reply"));
    }
    let first = moves.split_whitespace().next().expect("a move").to_string();
    tesuji(&["walk", &proof])
        .write_stdin(format!(
            "undo\n{first}\nundo\nmoves\nz9\nclaim 2\nclaim x\nposition\nhelp\n{first}\nboard\nquit\n"
        ))
        .assert()
        .success()
        .stdout(
            contains("Black replies")
                .and(contains("nothing to undo"))
                .and(contains("\"z9\" is not a legal move here"))
                .and(contains("no claim 2; expected 1 to 1"))
                .and(contains("no claim x; expected 1 to 1"))
                .and(contains("take back to your last turn"))
                .and(contains("plies to the end")),
        );
    tesuji(&["walk", &proof, "--moves", "z9"]).assert().code(2).stderr(contains("move 1: \"z9\" is not a legal move"));
    tesuji(&["walk", &proof, "--claim", "3"]).assert().code(2).stderr(contains("no claim 3"));
}

#[test]
fn a_draw_has_two_claims_and_every_move_is_asked_about() {
    let folder = Folder::new();
    let proof = folder.file("p");
    let report = json(&["solve", "tictactoe", "--all-moves", "--proof", &proof], 0);
    assert_eq!((&report["schema"], &report["solved"]), (&2.into(), &true.into()));
    let side = &report["sides"][0];
    assert_eq!((&side["name"], &side["words"]), (&"X".into(), &"draw".into()));
    let moves = side["moves"].as_array().expect("moves");
    assert!(moves.len() == 9 && moves.iter().all(|entry| entry["words"] == "draw"), "{moves:?}");
    let claims = report["proof"]["written"]["claims"].as_array().expect("claims");
    let words: Vec<&str> = claims.iter().filter_map(|claim| claim["words"].as_str()).collect();
    assert_eq!(words, ["X can force at least a draw", "X can be held to a draw"]);
    tesuji(&["walk", &proof, "--claim", "2", "--moves", "b2"]).assert().success().stdout(contains("O replies"));

    // After a1 b1, X has moves that win, and moves that do not.
    let position = ["solve", "tictactoe", "--position", "start moves a1 b1", "--all-moves"];
    tesuji(&position).assert().success().stdout(contains("winning moves").and(contains("\na2    win")));
    let other = json(&[&position[..], &["--side", "o"]].concat(), 0);
    assert_eq!((&other["sides"][0]["name"], &other["sides"][0]["words"]), (&"O".into(), &"loss".into()));
}

#[test]
fn programs_get_the_same_bytes_for_the_same_seed() {
    let run = || {
        let text = tesuji(&["solve", "connect4:4x4", "--json"]).output().expect("it runs").stdout;
        let mut report: Value = serde_json::from_slice(&text).expect("JSON");
        let timing = report.as_object_mut().and_then(|report| report.remove("timing")).expect("timing is reported");
        assert!(timing["seconds"].is_number() && timing["nodes_per_second"].is_number());
        report
    };
    let report = run();
    assert_eq!(report, run());
    assert_eq!(report["sides"][0]["words"], "draw");
    assert_eq!(report["stopped"], "solved");
    let mut keys: Vec<&str> = report.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    insta::assert_snapshot!(keys.join(" "));
    let solved = json(&["solve", "hex:2"], 0);
    assert_eq!(solved["sides"][0]["proof_numbers"]["disproof"], "inf");
}

#[test]
fn every_player_of_three_gets_the_published_score() {
    let folder = Folder::new();
    let proof = folder.file("p");
    // Saito 2010, section 8.4: 3, 3 and 4 against the other two.
    let report = json(&["solve", "rolit:4,players=3", "--goal", "score", "--proof", &proof], 0);
    let words: Vec<&Value> = report["sides"].as_array().expect("sides").iter().map(|side| &side["words"]).collect();
    assert_eq!(words, ["score 3", "score 3", "score 4"]);
    assert_eq!(report["proof"]["written"]["claims"].as_array().map(Vec::len), Some(6));
    tesuji(&["solve", "rolit:4,players=3", "--goal", "score"])
        .assert()
        .success()
        .stdout(contains("Yellow  score 3").and(contains("no proof written")));
    let one = json(&["solve", "rolit:4,players=3", "--goal", "score=4", "--side", "3"], 0);
    assert_eq!(one["sides"][0]["words"], "score at least 4");
    let all = json(&["solve", "rolit:4,players=3", "--goal", "score=4"], 0);
    let answers: Vec<&Value> = all["sides"].as_array().expect("sides").iter().map(|side| &side["answer"]).collect();
    assert_eq!(answers, [false, false, true]);
    tesuji(&["solve", "rolit:4,players=3", "--goal", "score=4"])
        .assert()
        .success()
        .stdout(contains("Green   yes     score at least 4").and(contains(": solved")));
}

#[test]
fn questions_are_answered_with_yes_or_no() {
    for (goal, question, answer) in [
        ("win", "does X win? no", false),
        ("draw", "does X get at least a draw? yes", true),
        ("score=1", "does X get a score of at least 1? no", false),
        ("score=-1", "does X get a score of at least -1? yes", true),
    ] {
        let arguments = ["solve", "tictactoe", "--goal", goal];
        let end = if answer { "solved: yes" } else { "solved: no" };
        let told = contains(question).and(contains(end)).and(contains("is reached").not());
        tesuji(&arguments).assert().success().stdout(told);
        let report = json(&arguments, 0);
        assert_eq!((&report["solved"], &report["sides"][0]["answer"]), (&true.into(), &answer.into()));
    }
    let moves = json(&["solve", "tictactoe", "--position", "start moves a1 b1", "--goal", "win", "--all-moves"], 0);
    let answers = |of: bool| moves["sides"][0]["moves"].as_array().expect("moves").iter().any(|mv| mv["answer"] == of);
    assert!(answers(true) && answers(false), "{moves}");
    let open = json(&["solve", "connect4", "--goal", "win", "--nodes", "100"], 1);
    assert_eq!(open["sides"][0]["answer"], Value::Null);
    assert_eq!(json(&["solve", "tictactoe"], 0)["sides"][0]["answer"], Value::Null, "value is no question");
}

#[test]
fn a_score_of_two_that_have_points_of_their_own_is_no_win() {
    // Saito 2010, section 8.4: 7 and 9.
    tesuji(&["solve", "rolit:4,players=2", "--goal", "score"])
        .assert()
        .success()
        .stdout(contains(" score 7 for Red").and(contains("best move ")).and(contains("win").not()));
}

#[test]
fn an_ending_in_which_positions_may_come_back_is_proved() {
    let folder = Folder::new();
    let proof = folder.file("p");
    // The tablebase of clausecker/dobutsu: a win for the player to move in 13 plies.
    let ending = ["solve", "lion", "--position", "G/g-e/lc-/-CL/EG-/-", "--memory", "1M"];
    let report = json(&[&ending[..], &["--proof", &proof]].concat(), 0);
    assert_eq!((&report["sides"][0]["name"], &report["sides"][0]["words"]), (&"Gote".into(), &"win".into()));
    tesuji(&["verify", &proof]).assert().success().stdout(contains("Gote can force a win (every line terminates"));
}

#[test]
fn best_first_solvers_leave_the_proof_to_another() {
    let folder = Folder::new();
    for by in ["pns", "pn2"] {
        let proof = folder.file(by);
        tesuji(&["solve", "connect4:4x4", "--by", by, "--proof", &proof]).assert().success();
        tesuji(&["verify", &proof]).assert().success().stdout(contains("Red can be held to a draw"));
    }
}

#[test]
fn no_changed_byte_is_verified() {
    let folder = Folder::new();
    let (proof, changed) = (folder.file("p"), folder.file("changed"));
    tesuji(&["solve", "hex:3", "--proof", &proof]).assert().success();
    let bytes = std::fs::read(&proof).expect("a file");
    for at in (0..bytes.len()).step_by(bytes.len() / 12) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&changed, bytes).expect("room");
        assert!(complaint(&["verify", &changed], 1).contains("is not verified"), "byte {at}");
        tesuji(&["walk", &changed]).assert().code(1);
    }
    for command in ["verify", "walk"] {
        let report = json(&[command, &changed], 1);
        assert_eq!(report["verified"], false);
        assert!(report["error"].as_str().is_some_and(|error| error.contains("damaged")), "{report}");
    }
    std::fs::write(&changed, &bytes[..bytes.len() - 3]).expect("room");
    assert!(complaint(&["verify", &changed], 1).contains("truncated"));
    assert!(complaint(&["verify", "there/is/none"], 2).contains("cannot read there/is/none"));
}

/// A game that takes dfpn two million nodes.
const LONG: [&str; 2] = ["solve", "connect4:5x4"];

#[test]
fn a_run_that_reached_a_limit_is_gone_on_with() {
    let folder = Folder::new();
    let nodes = |report: &Value| report["counters"]["nodes"].as_u64().expect("a number");
    for (game, by) in [("connect4:5x4", "auto"), ("connect4:4x4", "pns")] {
        let file = folder.file(by);
        let whole = ["solve", game, "--by", by];
        let uninterrupted = json(&whole, 0);
        assert_eq!(uninterrupted["sides"][0]["words"], "draw");
        let limit = (nodes(&uninterrupted) / 2).to_string();
        let keeping = [&whole[..], &["--checkpoint", &file]].concat();
        let first = json(&[&keeping[..], &["--nodes", &limit]].concat(), 1);
        assert_eq!((&first["solved"], &first["stopped"]), (&false.into(), &"nodes".into()));
        let second = json(&[&keeping[..], &["--resume"]].concat(), 0);
        assert_eq!(second["sides"][0]["words"], uninterrupted["sides"][0]["words"]);
        assert_eq!(second["earlier_nodes"].as_u64(), Some(nodes(&first)));
        assert!(nodes(&second) < nodes(&uninterrupted), "{by}: {} of {}", nodes(&second), nodes(&uninterrupted));
        // What is solved is not solved again, and there is still a line to show.
        let third = json(&[&keeping[..], &["--resume"]].concat(), 0);
        assert_eq!((nodes(&third), &third["sides"][0]["best"]), (0, &second["sides"][0]["best"]));
    }
}

#[test]
fn a_solution_that_is_gone_on_with_can_still_be_proved() {
    let folder = Folder::new();
    let (file, proof) = (folder.file("kept"), folder.file("p"));
    // The proof is taken from dfpn, which in so little memory needs 1.6 million nodes: more than
    // the million it is given at least.
    let game = "synthetic:depth=16,branching=3,scores=3";
    let run = ["solve", game, "--by", "pdspn", "--checkpoint", &file];
    json(&[&run[..], &["--memory", "16K"]].concat(), 0);
    let resumed = json(&[&run[..], &["--resume", "--proof", &proof]].concat(), 0);
    assert_eq!(resumed["counters"]["nodes"], 0);
    assert_eq!(resumed["limits"]["memory_bytes"], 16 << 10, "that of the checkpoint");
    assert_eq!(resumed["proof"]["written"]["claims"].as_array().map(Vec::len), Some(1), "{resumed}");
}

#[test]
fn a_run_that_was_killed_is_gone_on_with() {
    let folder = Folder::new();
    let file = folder.file("kept");
    let keeping = [&LONG[..], &["--checkpoint", &file, "--checkpoint-nodes", "100000"]].concat();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("tesuji"))
        .args(&keeping)
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    // The first checkpoint is written at once and says nothing; the next ones are larger.
    let size = || std::fs::metadata(&file).map_or(0, |data| data.len());
    while size() < 10_000 && child.try_wait().expect("it can be asked").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let resumed = json(&[&keeping[..], &["--resume"]].concat(), 0);
    assert_eq!(resumed["sides"][0]["words"], "draw");
    assert!(resumed["earlier_nodes"].as_u64().is_some_and(|nodes| nodes >= 100_000), "{resumed}");
}

#[test]
fn a_checkpoint_is_for_one_question_only() {
    let folder = Folder::new();
    let file = folder.file("kept");
    tesuji(&[&LONG[..], &["--checkpoint", &file, "--nodes", "2000"]].concat())
        .assert()
        .code(1)
        .stdout(contains("node limit reached").and(contains("add --resume to continue")).and(contains("pn, dn")));
    let refused = |arguments: &[&str]| complaint(&[arguments, &["--checkpoint", &file]].concat(), 2);
    assert!(refused(&LONG).contains("the file exists; add --resume to continue it, or remove it"));
    for (arguments, reason) in [
        (&["solve", "connect4:4x4", "--resume"][..], "its game is connect4:5x4, not connect4:4x4"),
        (&["solve", "connect4:5x4", "--position", "start moves 1", "--resume"][..], "its position is \"start\", not"),
        (&["solve", "connect4:5x4", "--goal", "win", "--resume"][..], "its goal is value, not win"),
        (&["solve", "connect4:5x4", "--by", "pns", "--resume"][..], "its solver is dfpn, not pns"),
        (&["solve", "connect4:5x4", "--memory", "64M", "--resume"][..], "bytes of memory, not 67108864"),
    ] {
        assert!(refused(arguments).contains(reason), "{arguments:?}: {}", refused(arguments));
    }
    let whole = std::fs::read(&file).expect("a file");
    for at in [3, 40, whole.len() - 5] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&file, bytes).expect("room");
        assert!(refused(&[LONG[0], LONG[1], "--resume"]).contains("checkpoint "), "byte {at}");
    }
    let none = complaint(&[&LONG[..], &["--checkpoint", "none/such", "--resume"]].concat(), 2);
    assert!(none.contains("no such file to resume from"), "{none}");
}

#[test]
fn a_proof_that_cannot_be_written_is_found_out_before_the_work() {
    let folder = Folder::new();
    let (inside, kept) = (folder.file("none/p"), folder.file("kept"));
    for proof in [&inside, &folder.file(".")] {
        let told = complaint(&["solve", "go", "--nodes", "1000", "--proof", proof, "--checkpoint", &kept], 2);
        assert!(told.contains(&format!("proof {proof}: ")), "{told}");
    }
    assert!(!std::path::Path::new(&kept).exists(), "nothing was begun");
    let proof = folder.file("p");
    tesuji(&["solve", "hex:2", "--proof", &proof]).assert().success();
    let names = std::fs::read_dir(folder.0.path()).expect("a folder").count();
    assert_eq!(names, 1, "nothing but the proof is left");
}

#[cfg(unix)]
#[test]
fn the_answer_is_told_though_the_proof_cannot_be_written() {
    let folder = Folder::new();
    let proof = folder.file("p");
    let program = assert_cmd::cargo::cargo_bin("tesuji");
    // A file can be made, but nothing can be written to it.
    let full = format!("trap '' XFSZ; ulimit -f 0; exec '{}' solve hex:3 --proof '{proof}'", program.display());
    let run = |more: &str| assert_cmd::Command::new("sh").args(["-c", &format!("{full}{more}")]).assert().code(2);
    run("").stdout(contains("win for Black")).stderr(contains(format!("error: proof {proof}: ")));
    let told: Value = serde_json::from_slice(&run(" --json").get_output().stdout).expect("JSON");
    assert_eq!((&told["solved"], &told["sides"][0]["words"]), (&true.into(), &"win".into()));
    assert!(told["not_written"].is_string() && told["proof"]["not_certified"].is_string(), "{told}");
}

#[test]
fn wrong_questions_get_one_line_and_exit_code_2() {
    for (arguments, reason) in [
        (&["solve", "hex:3", "--goal", "best"][..], "a goal is value, win, draw, score or score=K"),
        (&["solve", "rolit:4,players=3", "--goal", "win"][..], "the goal win needs a two-player game"),
        (
            &["solve", "othello:4", "--goal", "score=99"][..],
            "goal score=99: the scores of this game run from -16 to 16",
        ),
        (&["solve", "hex:3", "--by", "mcts"][..], "there is no solver \"mcts\"; known are pns"),
        (&["solve", "hex:3", "--by", "dfpn:goal=win"][..], "give the goal with --goal, not as a solver option"),
        (&["solve", "hex:3", "--by", "dfpn:epsilon=many"][..], "dfpn: epsilon=many is not accepted"),
        (&["solve", "hex:3", "--by", "auto:x=1"][..], "auto has no option \"x\""),
        (
            &["solve", "hex:3", "--side", "Green"][..],
            "unknown side \"Green\"; expected Black, White, a seat from 1 to 2, or all",
        ),
        (&["solve", "hex:3", "--resume"][..], "--checkpoint"),
    ] {
        let told = complaint(arguments, 2);
        assert!(told.contains(reason), "{arguments:?}: {told}");
    }
    tesuji(&["solve", "tictactoe", "--position", "start moves a1 b1 a2 b2 a3"])
        .assert()
        .success()
        .stdout("game over: X wins (three in a row)\n");
}

#[test]
fn a_finished_game_has_no_proof_and_says_so() {
    let folder = Folder::new();
    let proof = folder.file("p");
    let over = ["solve", "tictactoe", "--position", "start moves a1 b1 a2 b2 a3", "--proof", &proof];
    tesuji(&over).assert().code(1).stdout("game over: X wins (three in a row)\nno proof written: the game is over\n");
    let told = json(&over, 1);
    assert!(told["proof"]["not_certified"].as_str().is_some_and(|why| why.contains("the game is over")), "{told}");
    assert!(!std::path::Path::new(&proof).exists());
}

#[test]
fn solvers_that_use_one_thread_say_so() {
    for (by, threads) in
        [("pns", 1), ("pn2", 1), ("pds", 1), ("pdspn", 1), ("pnstar", 1), ("dfpn", 2), ("rppns", 2), ("rppn2:d=1", 2)]
    {
        let run = ["solve", "tictactoe", "--by", by, "--threads", "2"];
        let report = json(&run, 0);
        assert_eq!((&report["threads"], &report["limits"]["threads"]), (&threads.into(), &2.into()), "{by}");
        let alone = contains(format!("{by} on one thread (it cannot use more): solved")).count((threads == 1).into());
        tesuji(&run).assert().success().stdout(alone);
    }
}

#[test]
fn think_writes_the_solution_of_a_puzzle_as_a_certificate() {
    let folder = Folder::new();
    let file = folder.file("s.cert");
    let player = ["--player", "nmcts:[mcts@playouts=50]", "--playouts", "500"];
    let think = [&["think", "samegame:5x5,colours=3"], &player[..], &["--proof", &file]].concat();
    tesuji(&think).assert().success().stdout(contains("found ").and(contains("verified: ")));
    let proven = json(&["verify", &file], 0);
    let report = json(&think, 0);
    assert_eq!(report["solution"]["score"], proven["claims"][0]["claim"]["score"]);
    assert_eq!(report["proof"]["claims"], proven["claims"]);
    let refused = tesuji(&["think", "connect4", "--proof", &file]).assert().failure();
    refused.stderr(contains("tesuji solve connect4 --proof FILE"));
}
