//! Clusters of worker processes: the same results as one process, and what happens at a fault.

use crate::program::{json, tesuji};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A run that takes longer hangs.
const HANGS: Duration = Duration::from_secs(120);

/// The command line of a worker.
fn worker() -> String {
    format!("{} worker", assert_cmd::cargo::cargo_bin("tesuji").display())
}

/// The command line of a shell script in which `$WORKER` is the command line of a worker.
fn script(text: &str) -> String {
    format!("sh -c '{}'", text.replace("$WORKER", &worker()))
}

/// What a search says about a position, without its effort.
fn opinion(game: &str, player: &str, options: &[&str]) -> [Value; 4] {
    let arguments = [&["think", game, "--player", player], options].concat();
    let report = json(&arguments, 0);
    ["best", "value", "moves", "bounds"].map(|key| report[key].clone())
}

#[test]
fn a_cluster_plays_like_root_with_the_same_seeds() {
    let cases = [
        ("connect4:6x5", "[mcts]", "[mcts],[mcts],[mcts]"),
        ("hex:5", "[mcts:rave],vote=sum", "[mcts:rave],[mcts:rave],[mcts:rave],vote=sum"),
        ("go:5", "[mcts:fpu=1],[mcts],vote=visits", "[mcts:fpu=1],[mcts],[mcts:fpu=1],vote=visits"),
        ("loa:5", "[mcts:solver],[random],vote=average", "[mcts:solver],[random],[mcts:solver],vote=average"),
    ];
    for (game, cluster, root) in cases {
        for seed in ["1", "2"] {
            let limits = ["--playouts", "1000", "--seed", seed];
            let one = opinion(game, &format!("root:{root}"), &[&limits[..], &["--threads", "3"]].concat());
            let other = opinion(game, &format!("cluster:{cluster}"), &[&limits[..], &["--workers", "3"]].concat());
            assert_eq!(one, other, "{game} {cluster} {seed}");
        }
    }
}

/// The moves of a GTP engine that plays both sides.
fn game_of(player: &str, options: &[&str]) -> String {
    let commands = "genmove b\ngenmove w\n".repeat(6) + "quit\n";
    let arguments = ["gtp", "connect4:6x5", "--player", player, "--playouts", "300"];
    let output =
        tesuji(&[&arguments[..], options].concat()).write_stdin(commands).assert().success().get_output().clone();
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn workers_keep_their_trees_between_moves() {
    let together = game_of("cluster:[mcts:reuse]", &["--workers", "2"]);
    assert_eq!(together, game_of("root:[mcts:reuse],[mcts:reuse]", &["--threads", "2"]));
    assert_ne!(together, game_of("root:[mcts],[mcts]", &["--threads", "2"]), "keeping the trees makes a difference");
}

#[test]
fn a_cluster_plays_matches() {
    let arguments = ["match", "connect4", "cluster:[mcts]", "random", "--workers", "2", "--playouts", "50"];
    let report = json(&[&arguments[..], &["--games", "2"]].concat(), 0);
    assert_eq!((report["games"].as_u64(), report["faults"].as_array().map(Vec::len)), (Some(2), Some(0)), "{report}");
}

/// Solves a game with a cluster and verifies its proof. Returns the report and the notices.
fn solve(game: &str, by: &str, options: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let proof = folder.path().join("p").to_str().expect("a name").to_string();
    let arguments = [&["solve", game, "--by", by, "--proof", &proof, "--json"], options].concat();
    let output = tesuji(&arguments).timeout(HANGS).assert().success().get_output().clone();
    tesuji(&["verify", &proof]).assert().success();
    let report = serde_json::from_slice(&output.stdout).expect("one JSON object");
    (report, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_cluster_solves_like_one_process_and_proves_it() {
    let cases: [(&str, &[&str]); 7] = [
        ("tictactoe", &[]),
        ("hex:4", &[]),
        ("connect4:5x4", &[]),
        ("breakthrough:3x5", &[]),
        ("othello:4", &["--goal", "score"]),
        ("synthetic:tree='(a: (b: 5,-5 7,-7) (b: 2,-2 3,-3))'", &["--goal", "score"]),
        ("go:2", &[]),
    ];
    for (game, options) in cases {
        // Small budgets, so that several workers and splits take part.
        let by = "cluster:[dfpn],slice=1000,slices=1";
        let (together, notices) = solve(game, by, &[options, &["--workers", "2"]].concat());
        let alone = json(&[&["solve", game, "--by", "dfpn"], options].concat(), 0);
        assert_eq!((&together["solved"], notices.as_str()), (&true.into(), ""), "{game}");
        assert_eq!(together["sides"][0]["bounds"], alone["sides"][0]["bounds"], "{game}");
    }
}

#[test]
fn any_solver_works_in_a_cluster() {
    for by in ["cluster:[pns]", "cluster:[pn2],[dfpn]", "cluster:[pds]", "cluster"] {
        let (report, _) = solve("hex:3", by, &["--workers", "2"]);
        assert_eq!(report["sides"][0]["words"], "win", "{by}");
    }
}

/// The position that the tests of faults solve: long enough for faults, short enough for tests. The
/// player to move does not win.
const FAULTY: [&str; 2] = ["connect4:6x5", "start moves 3 3 3 3 4"];

/// Solves it with a good worker and another one, and returns the notices.
fn solve_with(command: &str) -> String {
    let options =
        ["--position", FAULTY[1], "--workers", "1", "--workers", command, "--worker-timeout", "1s", "--goal", "win"];
    let (report, notices) = solve(FAULTY[0], "cluster:[dfpn]", &options);
    assert_eq!((&report["solved"], &report["sides"][0]["answer"]), (&true.into(), &false.into()), "{command}");
    notices
}

#[test]
fn the_position_of_these_tests_is_not_won() {
    let arguments = ["solve", FAULTY[0], "--position", FAULTY[1], "--by", "dfpn", "--goal", "win"];
    assert_eq!(json(&arguments, 0)["sides"][0]["answer"], false);
}

#[test]
fn a_cluster_resumes_from_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("c").to_str().expect("a name").to_string();
    let arguments = ["solve", FAULTY[0], "--position", FAULTY[1], "--goal", "win", "--by", "cluster:[dfpn],slices=1"];
    let arguments = [&arguments[..], &["--workers", "2", "--checkpoint", &file]].concat();
    let first = json(&[&arguments[..], &["--nodes", "100000"]].concat(), 1);
    assert_eq!((&first["solved"], &first["stopped"]), (&false.into(), &"nodes".into()));
    let second = json(&[&arguments[..], &["--resume"]].concat(), 0);
    assert_eq!(second["sides"][0]["answer"], false);
    assert_eq!(second["earlier_nodes"], first["counters"]["nodes"]);
}

#[test]
fn workers_that_cannot_be_used_are_dropped_by_name() {
    let cases = [
        ("sh -c \"read line; echo not a message; sleep 1000\"", "it sent \"not a message\""),
        ("sh -c \"read line; printf {; printf type; exit 3\"", "it sent \"{type\""),
        ("no-such-program-anywhere worker", "cannot be started"),
        ("sh -c \"exit 3\"", "exit status: 3"),
    ];
    for (command, words) in cases {
        let notices = solve_with(command);
        assert!(notices.contains("worker 2 (") && notices.contains(words), "{command}: {notices}");
    }
}

#[test]
fn a_worker_of_another_version_or_with_other_rules_is_refused() {
    let other = r#"sh -c "read line; echo '{\"type\":\"hello\",\"version\":99,\"program\":\"tesuji 9\"}'; sleep 1000""#;
    let notices = solve_with(other);
    assert!(notices.contains("it is refused: it is tesuji 9 with messages of version 99"), "{notices}");
    assert_eq!(notices.lines().count(), 1, "{notices}");
    let rules = script(r#"$WORKER | sed -u "s/fingerprint\":\"./fingerprint\":\"x/""#);
    let notices = solve_with(&rules);
    assert!(notices.contains("its rules of connect4:6x5 differ"), "{notices}");
    assert_eq!(notices.lines().count(), 1, "{notices}");
}

#[test]
fn second_answers_are_left_out() {
    let twice = script(r#"$WORKER | while read -r line; do echo "$line"; echo "$line"; done"#);
    assert_eq!(solve_with(&twice), "");
}

#[test]
fn results_that_cannot_be_right_are_not_taken() {
    let illegal = script(r#"$WORKER | sed -u "s/\"move\":\"./\"move\":\"z/""#);
    let notices = solve_with(&illegal);
    assert!(notices.contains("which is not legal"), "{notices}");
}

/// A worker that writes its process id to a file. The file names all that were started.
fn recorded(pids: &Path) -> String {
    script(&format!("echo $$ >> {}; exec $WORKER", pids.display()))
}

/// The last process id in a file.
fn last_pid(pids: &Path) -> Option<String> {
    std::fs::read_to_string(pids).ok()?.lines().last().map(str::to_string)
}

fn signal(name: &str, pid: &str) {
    let _ = Command::new("kill").args([name, pid]).stderr(Stdio::null()).status();
}

/// A running `tesuji solve` with two recorded workers.
struct Run {
    process: std::process::Child,
    folder: tempfile::TempDir,
}

impl Run {
    fn pids(folder: &tempfile::TempDir) -> [PathBuf; 2] {
        [folder.path().join("1"), folder.path().join("2")]
    }

    fn start(game: &str, position: &str, timeout: &str) -> Run {
        let folder = tempfile::tempdir().expect("a folder");
        let workers = Run::pids(&folder).map(|pids| recorded(&pids));
        let arguments = ["solve", game, "--position", position, "--goal", "win", "--json", "--by"];
        let process = Command::new(assert_cmd::cargo::cargo_bin("tesuji"))
            .args(arguments)
            .args(["cluster:[dfpn],slice=20000,slices=2", "--workers", &workers[0], "--workers", &workers[1]])
            .args(["--worker-timeout", timeout, "--proof", folder.path().join("p").to_str().expect("a name")])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        Run { process, folder }
    }

    /// Waits for the end, checks the answer and the proof, and returns the notices.
    fn finish(self) -> String {
        let output = self.process.wait_with_output().expect("it ends");
        let notices = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{notices}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        assert_eq!(report["sides"][0]["answer"], false, "{notices}");
        let proof = self.folder.path().join("p");
        tesuji(&["verify", proof.to_str().expect("a name")]).assert().success();
        notices
    }
}

#[test]
fn killed_workers_cost_their_jobs_only() {
    // `cargo xtask test --long` kills 100 workers during one solution.
    let long = std::env::var("TESUJI_CLUSTER_KILLS").map(|kills| kills.parse::<u64>().expect("a number"));
    let (kills, [game, position], pause) = match long {
        Ok(kills) => (kills, ["connect4:5x5", "start"], 300),
        Err(_) => (8, FAULTY, 100),
    };
    let mut rng = tesuji_core::Rng::stream(kills, 0);
    let (mut done, begin) = (0, Instant::now());
    while done < kills {
        let mut run = Run::start(game, position, "30s");
        while done < kills && run.process.try_wait().expect("a status").is_none() {
            std::thread::sleep(Duration::from_millis(20 + rng.below(pause) as u64));
            let pids = &Run::pids(&run.folder)[rng.below(2)];
            if let Some(pid) = last_pid(pids) {
                signal("-KILL", &pid);
                done += 1;
            }
            assert!(begin.elapsed() < HANGS * (1 + kills as u32 / 10), "{done} kills");
        }
        let notices = run.finish();
        assert!(notices.lines().all(|line| line.contains("signal: 9") || line.contains("dropped")), "{notices}");
    }
}

#[test]
fn suspended_workers_are_dropped() {
    let run = Run::start(FAULTY[0], FAULTY[1], "1s");
    // With both suspended the run cannot end without dropping them.
    for pids in Run::pids(&run.folder) {
        let pid = loop {
            match last_pid(&pids) {
                Some(pid) => break pid,
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        signal("-STOP", &pid);
    }
    let notices = run.finish();
    for name in ["worker 1 (", "worker 2 ("] {
        let of_worker = notices.lines().find(|line| line.starts_with(name));
        assert!(of_worker.is_some_and(|line| line.contains("it sent nothing for 1.0 s")), "{notices}");
    }
}

#[test]
fn without_workers_the_master_goes_on_alone() {
    let arguments = ["solve", "hex:3", "--by", "cluster:[dfpn]", "--workers", "sh -c \"exit 1\"", "--json"];
    let output = tesuji(&arguments).timeout(HANGS).assert().success().get_output().clone();
    let notices = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(notices.contains("it is not started again"), "{notices}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(report["sides"][0]["words"], "win");
    let silent = ["solve", "hex:3", "--by", "cluster:[dfpn]", "--workers", "sleep 1000", "--worker-timeout", "50ms"];
    let output = tesuji(&silent).timeout(HANGS).assert().success().get_output().clone();
    let notices = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(notices.contains("worker 1 (sleep 1000) dropped: did not answer"), "{notices}");
    let arguments = ["think", "hex:3", "--player", "cluster:[mcts]", "--playouts", "50"];
    let report = json(&[&arguments[..], &["--workers", "sh -c \"exit 1\""]].concat(), 0);
    assert_eq!(report["counters"]["playouts"], 50);
}

#[test]
fn a_cluster_without_workers_says_what_it_needs() {
    for arguments in [["think", "hex:3", "--player", "cluster:[mcts]"], ["solve", "hex:3", "--by", "cluster:[dfpn]"]] {
        let output = tesuji(&arguments).assert().code(2).get_output().clone();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.contains("a cluster needs workers: add --workers 2"), "{words}");
    }
    tesuji(&["think", "hex:3", "--player", "cluster:[no-such-search]", "--workers", "1"]).assert().code(2);
}

#[test]
fn a_worker_refuses_a_master_of_another_version_and_unreadable_messages() {
    for (input, words) in [
        (r#"{"type":"hello","version":99,"program":"tesuji 9"}"#, "refuses its master: it is tesuji 9"),
        ("garbage", "a message cannot be read"),
    ] {
        let output = tesuji(&["worker"]).write_stdin(format!("{input}\n")).assert().code(2).get_output().clone();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_worker_ends_with_its_input() {
    let mut process = Command::new(assert_cmd::cargo::cargo_bin("tesuji"))
        .arg("worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = process.stdin.take().expect("a pipe");
    let greeting = format!(r#"{{"type":"hello","version":1,"program":"tesuji {}"}}"#, env!("CARGO_PKG_VERSION"));
    let job = r#"{"type":"job","id":1,"by":"dfpn","seat":0,"at_least":1,"game":"connect4","position":"start","seed":1,"threads":1}"#;
    writeln!(input, "{greeting}\n{job}").expect("it reads");
    std::thread::sleep(Duration::from_millis(200));
    drop(input);
    let begin = Instant::now();
    while process.try_wait().expect("a status").is_none() {
        assert!(begin.elapsed() < HANGS, "it still runs");
        std::thread::sleep(Duration::from_millis(5));
    }
}
