//! Solving through the catalog: lines of play, checkpoints, and proofs that are not certifiable.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use tesuji_catalog::{CheckpointSettings, Goal, ProofOutcome, Sides, Solution, SolvePlan, SolveStage, open, solve};
use tesuji_core::{Limits, StopReason};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn plan(goal: Goal, by: &str) -> SolvePlan<'static> {
    SolvePlan {
        goal,
        by: by.to_string(),
        sides: Sides::Usual,
        all_moves: false,
        limits: Limits { memory: Some(1 << 24), ..Limits::default() },
        seed: 1,
        threads: 1,
        stop: &GO_ON,
        checkpoint: None,
        proof: None,
        zone: None,
        observer: None,
    }
}

fn solved(game: &str, position: &str, plan: &SolvePlan<'_>) -> Solution {
    solve(open(game, position).unwrap().as_ref(), plan).unwrap().expect("the game is not over")
}

/// Asserts that every line keeps to the reported bounds; with `to_the_end`, that it reaches the end
/// of the game.
fn lines_keep_the_bounds(game: &str, position: &str, plan: &SolvePlan<'_>, to_the_end: bool) {
    let solution = solved(game, position, plan);
    assert!(solution.solved, "{game}");
    for side in &solution.sides {
        let line = &side.variation;
        let mut session = open(game, position).unwrap();
        line.iter().for_each(|mv| session.play(mv).unwrap());
        assert_eq!(line.first(), side.best.as_ref(), "{game}, {}: {line:?}", side.name);
        let ending = session.ending();
        assert!(ending.is_some() || !to_the_end, "{game}, {}: {line:?}", side.name);
        if let Some(ending) = ending {
            let (score, bounds) = (ending.scores[side.bounds.player.index()], side.bounds);
            let is_kept = (bounds.at_least..=bounds.at_most).contains(&session.facts().units(score).unwrap());
            assert!(is_kept, "{game}, {}: {line:?} ends with {score}, not as {bounds:?}", side.name);
        }
    }
}

#[test]
fn bounds_of_a_game_without_draws_exclude_a_draw() {
    for goal in [Goal::Value, Goal::Score, Goal::Win] {
        let lost = SolvePlan { sides: Sides::One("2".to_string()), all_moves: true, ..plan(goal, "dfpn") };
        let side = serde_json::to_value(&solved("hex:3", "start", &lost).sides[0]).unwrap();
        assert_eq!(side["bounds"], serde_json::json!({"player": 1, "at_least": -1, "at_most": -1}), "{goal}");
        assert_eq!((&side["words"], &side["solved"]), (&"loss".into(), &true.into()), "{goal}");
        let moves = side["moves"].as_array().unwrap();
        assert!(moves.iter().all(|entry| entry["bounds"]["at_least"] == entry["bounds"]["at_most"]), "{goal}: {side}");
        let won = serde_json::to_value(&solved("hex:3", "start", &plan(goal, "dfpn")).sides[0]).unwrap();
        assert_eq!(won["bounds"], serde_json::json!({"player": 0, "at_least": 1, "at_most": 1}), "{goal}");
    }
}

#[test]
fn the_line_of_a_solution_ends_with_its_value() {
    for (game, goal) in [
        ("tictactoe", Goal::Value),
        ("connect4:4x4", Goal::Value),
        ("othello:4", Goal::Score),
        ("rolit:4,players=2", Goal::Score),
        ("rolit:4,players=3", Goal::Score),
        ("hex:3", Goal::Value),
        ("samegame:4x4,colours=3", Goal::Score),
    ] {
        lines_keep_the_bounds(game, "start", &plan(goal, "auto"), true);
    }
    // Not for the player to move: the others choose what holds the player to its score.
    for (seat, position) in [("1", "start moves b2"), ("2", "start"), ("2", "start moves b2 a1")] {
        let plan = SolvePlan { sides: Sides::One(seat.to_string()), ..plan(Goal::Value, "auto") };
        lines_keep_the_bounds("tictactoe", position, &plan, true);
    }
    // These have left most of what they have done when they follow a line, and may stop on it.
    for by in ["pns", "pn2", "rppns", "pds", "pdspn", "pnstar"] {
        lines_keep_the_bounds("connect4:4x4", "start", &plan(Goal::Value, by), false);
    }
}

/// Changes the heading of a checkpoint, which is JSON behind its length and before its checksum.
fn forge(file: &Path, from: &str, to: &str) {
    const MAGIC: usize = "tesuji checkpoint 1\n".len();
    let bytes = std::fs::read(file).unwrap();
    let length = u32::from_le_bytes(bytes[MAGIC..MAGIC + 4].try_into().unwrap()) as usize;
    let (begin, end) = (MAGIC + 4, MAGIC + 4 + length);
    let heading = String::from_utf8(bytes[begin..end].to_vec()).unwrap();
    assert!(heading.contains(from), "{heading}");
    let heading = heading.replace(from, to).into_bytes();
    let (length, sum) = ((heading.len() as u32).to_le_bytes(), crc32fast::hash(&heading).to_le_bytes());
    std::fs::write(file, [&bytes[..MAGIC], &length, &heading, &sum, &bytes[end + 4..]].concat()).unwrap();
}

#[test]
fn what_is_not_so_gets_no_proof_and_players_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    let keeping = |resume| Some(CheckpointSettings { file: file.clone(), resume, every_nodes: None });
    solved("tictactoe", "start", &SolvePlan { checkpoint: keeping(false), ..plan(Goal::Value, "dfpn") });
    forge(&file, "\"at_least\":0,\"at_most\":0", "\"at_least\":1,\"at_most\":1");
    let proof = Some(folder.path().join("p"));
    let told =
        solved("tictactoe", "start", &SolvePlan { checkpoint: keeping(true), proof, ..plan(Goal::Value, "dfpn") });
    let Some(ProofOutcome::NotCertified(why)) = told.proof else { panic!("{:?}", told.proof) };
    assert!(why.starts_with("X can force a win (") && why.contains("there is no reply"), "{why}");
    assert_eq!(told.not_written, None);
}

#[test]
fn forged_numbers_and_trailing_bytes_of_checkpoints_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (good, file) = (folder.path().join("good"), folder.path().join("kept"));
    let keeping =
        |file: &Path, resume| Some(CheckpointSettings { file: file.to_path_buf(), resume, every_nodes: None });
    solved("tictactoe", "start", &SolvePlan { checkpoint: keeping(&good, false), ..plan(Goal::Value, "dfpn") });
    let header = String::from_utf8_lossy(&std::fs::read(&good).unwrap()).into_owned();
    let field = |key: &str| {
        let from = header.find(&format!("\"{key}\":")).unwrap();
        header[from..from + header[from..].find([',', '}']).unwrap()].to_string()
    };
    let resumed = || {
        let session = open("tictactoe", "start").unwrap();
        solve(session.as_ref(), &SolvePlan { checkpoint: keeping(&file, true), ..plan(Goal::Value, "dfpn") })
    };
    for (key, value, words) in [
        ("seconds", "-1", "its seconds is -1; expected 0 to 10000000000"),
        ("seconds", "1e308", "expected 0 to 10000000000"),
        ("seconds", "1e999", "number out of range"),
        ("seconds", "null", "invalid type: null"),
        ("nodes", "18446744073709551615", "its nodes is 18446744073709551615; expected 0 to"),
        ("nodes", "-1", "invalid value: integer `-1`"),
        ("memory", "0", "its memory is 0; expected 1 to"),
        ("memory", "18446744073709551615", "its memory is 18446744073709551615; expected 1 to"),
        ("player", "2", "its answers[0].player is 2; expected 0 to 1"),
        ("player", "255", "its answers[0].player is 255; expected 0 to 1"),
        ("at_least", "-2147483648", "its answers[0].at_least is -2147483648; expected -1 to 1"),
        ("at_most", "2147483647", "its answers[0].at_most is 2147483647; expected -1 to 1"),
        ("at_least", "1", "its answers[0].at_least is 1; expected at most 0"),
    ] {
        std::fs::copy(&good, &file).unwrap();
        forge(&file, &field(key), &format!("\"{key}\":{value}"));
        let error = resumed().unwrap_err().to_string();
        assert!(error.contains(words), "{key} {value}: {error}");
    }
    std::fs::write(&file, [std::fs::read(&good).unwrap(), b"x".to_vec()].concat()).unwrap();
    let error = resumed().unwrap_err().to_string();
    assert!(error.contains("bytes after its end"), "{error}");
    std::fs::copy(&good, &file).unwrap();
    assert!(resumed().unwrap().unwrap().solved);
}

#[test]
fn a_proof_that_cannot_be_written_any_more_takes_nothing_from_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let watch = |stage: SolveStage<'_>| {
        if matches!(stage, SolveStage::WritingProof { positions: 0 }) {
            std::fs::remove_dir(&inside).unwrap();
        }
    };
    let watch: tesuji_catalog::SolveObserver<'_> = (std::time::Duration::ZERO, &watch);
    let plan = SolvePlan { proof: Some(inside.join("p")), observer: Some(watch), ..plan(Goal::Value, "auto") };
    let told = solved("hex:3", "start", &plan);
    assert_eq!(told.sides[0].words.as_deref(), Some("win"));
    assert!(told.not_written.is_some(), "{told:?}");
    assert!(matches!(told.proof, Some(ProofOutcome::NotCertified(_))), "{told:?}");
}

#[test]
fn a_limit_on_playouts_is_one_on_nodes_where_there_are_none() {
    for by in ["pns", "rppns", "pn2", "dfpn", "pds", "pdspn", "pnstar"] {
        let limits = Limits { playouts: Some(3000), memory: Some(1 << 24), ..Limits::default() };
        let Solution { counters, stopped, .. } =
            solved("othello", "start", &SolvePlan { limits, ..plan(Goal::Win, by) });
        assert_eq!((counters.nodes, counters.playouts, stopped), (3000, 0, StopReason::Nodes), "{by}");
    }
}

#[test]
fn the_solver_of_auto_depends_on_the_board_and_has_a_reason() {
    static STOP: AtomicBool = AtomicBool::new(true);
    let solver = |game: &str, threads| {
        let solution = solved(game, "start", &SolvePlan { stop: &STOP, threads, ..plan(Goal::Value, "auto") });
        (solution.solver, solution.why.unwrap())
    };
    for game in ["hex:4", "rolit:6", "rolit:6,players=2", "rolit"] {
        assert_eq!(solver(game, 1).0, "dfpn:init=game", "{game}");
    }
    for game in ["rolit:4", "rolit:4,players=2", "tictactoe", "loa:5", "samegame"] {
        assert_eq!(solver(game, 1).0, "dfpn", "{game}");
    }
    assert!(solver("rolit:6", 2).1.starts_with("initial numbers from the lead in corners"));
    assert!(solver("loa", 2).1.ends_with("replaces the cheapest entries first, 2 threads share it"));
}

#[test]
fn threads_are_those_that_a_solver_can_use() {
    for (by, threads) in [("pns", 1), ("rppns", 2), ("rppn2", 2), ("dfpn", 2), ("pds", 1), ("pdspn", 1)] {
        let plan = SolvePlan { threads: 2, ..plan(Goal::Value, by) };
        assert_eq!(solved("tictactoe", "start moves a1 b2", &plan).threads, threads, "{by}");
    }
}
