//! Scores and values as people and programs read them.

use crate::program::{json, tesuji};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn scores_of_go_are_in_points() {
    let solved = json(&["solve", "go:3,komi=0", "--goal", "score"], 0);
    assert_eq!(solved["sides"][0]["bounds"]["at_least"], 9);
    assert_eq!(solved["facts"]["scores"], serde_json::json!([-9, 9]));
    tesuji(&["solve", "go:3,komi=0", "--goal", "score=9"]).assert().success().stdout(contains("at least 9? yes"));
    let refused = "the scores of this game run from -9 to 9 in steps of 0.5";
    tesuji(&["solve", "go:3,komi=0", "--goal", "score=18"]).assert().failure().stderr(contains(refused));
    tesuji(&["games", "go"]).assert().success().stdout(contains("-88.5 to 88.5"));
    let ending = json(&["show", "go:3,komi=0.5", "--position", "start moves B2 pass pass"], 0);
    assert_eq!(ending["ending"]["scores"], serde_json::json!([8.5, -8.5]));
    assert!(ending["ending"]["words"].as_str().unwrap().starts_with("Black wins by 8.5"));
}

#[test]
fn the_last_mover_of_rolit_keeps_a_ball() {
    let solved = json(&["solve", "rolit:6,players=4", "--goal", "score"], 0);
    let scores: Vec<i64> =
        solved["sides"].as_array().unwrap().iter().map(|side| side["bounds"]["at_least"].as_i64().unwrap()).collect();
    assert_eq!((scores, &solved["solved"]), (vec![0, 0, 0, 1], &serde_json::json!(true)));
}

#[test]
fn alpha_beta_shows_depths_and_marks_upper_bounds() {
    let position = ["--position", "start moves c3 c2"];
    let mut text = tesuji(&[&["think", "hex:5", "--player", "alphabeta", "--nodes", "2000"][..], &position].concat());
    text.assert().success().stdout(contains("depth").and(contains("≤")).and(contains("visits").not()));
    let report = json(&[&["think", "hex:5", "--player", "alphabeta", "--nodes", "2000"][..], &position].concat(), 0);
    let exact = report["moves"].as_array().unwrap().iter().filter(|entry| entry["bound"].is_null()).count();
    assert!(exact >= 3, "{report}");
}

#[test]
fn games_for_one_player_show_points() {
    let arguments = ["think", "samegame:8x8,colours=3", "--playouts", "5000", "--seed", "1"];
    tesuji(&arguments).assert().success().stdout(contains("points").and(contains("value").not()));
}

#[test]
fn a_search_that_differs_from_its_name_says_so() {
    tesuji(&["solve", "go:2", "--by", "pdspn"]).assert().success().stdout(contains("searched as pds"));
    let solved = json(&["solve", "hex:3", "--by", "pdspn"], 0);
    assert!(solved.get("note").is_none());
}
