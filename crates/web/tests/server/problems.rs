//! Go problems: posed by a file or by a request, solved, proven and saved.

use crate::client::{Client, Host};
use serde_json::{Value, json};

/// White makes a second eye on D1, or Black kills there. The stone on B2 is marked.
const PROBLEM: &str = "(;GM[1]FF[4]SZ[7]GN[corner]PL[B]AB[ae][be][ce][de][ee][fe][ge][af][gf][ag][gg]\
                       AW[bf][cf][df][ef][ff][bg][fg]TR[bf]C[goal=kill](;B[cg];W[dg])(;B[dg]))";
/// The same without marks, and White to play.
const OTHER: &str = "(;GM[1]FF[4]SZ[7]GN[eyes]PL[W]AB[ae][be][ce][de][ee][fe][ge][af][gf][ag][gg]\
                     AW[bf][cf][df][ef][ff][bg][fg])";
/// The position of both.
const POSITION: &str = "......./......./......./......./XXXXXXX/XOOOOOX/XO...OX X - 0";

fn names(list: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = list.as_array().expect("a list").iter().map(|name| name.as_str().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Loads both problems and opens one.
fn pick(client: &mut Client, number: usize) -> Value {
    let listing = client.request("load", json!({"name": "book.sgf", "data": format!("{PROBLEM}\n{OTHER}")}));
    assert_eq!((&listing["total"], &listing["games"][0]["title"]), (&json!(2), &json!("corner")));
    client.change("pick", json!({"number": number}))
}

fn ask(client: &mut Client, fields: Value) -> Value {
    client.request("ask", fields);
    client.event("answered")
}

#[test]
fn a_problem_of_a_file_is_solved_refuted_proven_and_saved() {
    let host = Host::new();
    let mut client = host.client();
    let state = pick(&mut client, 0);
    assert_eq!((&state["problems"], &state["to_move"], &state["ply"]), (&json!(true), &json!(0), &json!(0)));
    let posed = client.request("problem", json!({}));
    assert_eq!((&posed["goal"], &posed["given"]), (&json!("kill"), &Value::Null));
    assert_eq!(names(&posed["targets"]), ["B1", "B2", "C2", "D2", "E2", "F1", "F2"]);
    assert!(names(&posed["region"]).contains(&"D1"), "{posed}");

    let answer = ask(&mut client, json!({"limits": {"nodes": 100_000}}));
    assert_eq!(answer["verdict_words"], "Black to play kills with D1 (unconditionally)");
    assert_eq!(answer["question"], "Black to play, goal kill, F1 in question");
    assert_eq!((&answer["decided"], &answer["left"], &answer["line"][0]), (&json!(true), &json!(false), &json!("D1")));
    assert_eq!(names(&answer["target_points"]), names(&posed["targets"]));
    assert!(client.refused("refute", json!({"move": "a1"})).contains("a1 is not a legal move of the problem"));
    client.request("refute", json!({"move": "c1"}));
    let refuted = client.event("refuted");
    assert_eq!(
        (&refuted["move"], &refuted["succeeds"], &refuted["line"][0]),
        (&json!("C1"), &json!(false), &json!("D1"))
    );
    assert!(refuted["words"].as_str().unwrap().starts_with("C1 fails: D1"), "{refuted}");

    client.request("prove", json!({}));
    let proved = client.event("proved");
    let proof = proved["proof"].as_str().expect("a certificate").to_string();
    let verified = client.request("verify", json!({"proof": proof}));
    assert_eq!((&verified["verified"], &verified["game"]), (&json!(true), &json!("life:7")));
    let step = client.request("walk", json!({"proof": proof}));
    assert_eq!(step["reply"], "D1");
    assert_eq!(host.get(&format!("/api/proof/{proof}"), "").0, 200);

    let saved = client.request("annotate", json!({}))["data"].as_str().unwrap().to_string();
    // Everything of the file stays, and the answer is added.
    for part in ["GN[corner]", "TR[bf]", "(;B[cg];W[dg])", "kills with D1 (unconditionally)", "C1 fails: D1"] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
    let state = client.change("pick", json!({"number": 1}));
    assert_eq!(state["to_move"], 1);
    assert!(client.refused("annotate", json!({})).contains("no problem is solved"));
    let answer = ask(&mut client, json!({"limits": {"nodes": 100_000}}));
    assert_eq!(answer["verdict_words"], "White to play lives with D1 (unconditionally)");
}

#[test]
fn a_position_of_a_game_is_a_problem_without_a_file() {
    let host = Host::new();
    let mut client = host.client();
    client.open("go:7", &format!("{POSITION} moves G7 A7"));
    let posed = client.request("problem", json!({}));
    assert_eq!((&posed["goal"], &posed["targets"]), (&Value::Null, &json!([])));
    let fields = json!({"targets": ["c2"], "goal": "kill", "region": "C1,D1,E1"});
    let posed = client.request("problem", fields.clone());
    assert_eq!(names(&posed["given"]), ["C1", "D1", "E1"]);
    let answer = ask(&mut client, fields);
    assert_eq!((&answer["decided"], &answer["region"], &answer["ply"]), (&json!(true), &json!("given"), &json!(2)));
    assert_eq!(answer["moves"].as_array().unwrap().iter().filter(|entry| entry["succeeds"] == true).count(), 1);
    let saved = client.request("annotate", json!({}))["data"].as_str().unwrap().to_string();
    let record = tesuji_sgf::read(&saved).unwrap().remove(0);
    assert_eq!(
        record.position().unwrap().split(" moves ").nth(1).unwrap().split(' ').take(3).collect::<Vec<_>>(),
        ["G7", "A7", "D1"]
    );
    // The same answer, found without marks.
    let answer = ask(&mut client, json!({"goal": "auto", "targets": [], "limits": {"nodes": 500_000}}));
    assert_eq!(answer["verdict_words"], "Black to play kills with D1 (unconditionally)");
}

#[test]
fn an_open_verdict_has_no_proof_and_other_games_no_problems() {
    let host = Host::new();
    let mut client = host.client();
    client.open("go:7", POSITION);
    for name in ["refute", "prove", "annotate"] {
        let fields = if name == "refute" { json!({"move": "D1"}) } else { json!({}) };
        assert!(client.refused(name, fields).contains("no problem is solved"), "{name}");
    }
    let answer = ask(&mut client, json!({"targets": ["C2"], "limits": {"nodes": 2}}));
    assert_eq!(
        (&answer["decided"], &answer["verdict_words"]),
        (&json!(false), &json!("open: the limits did not suffice"))
    );
    assert!(client.refused("prove", json!({})).contains("the verdict is open"));
    for (fields, words) in [
        (json!({"targets": ["C1"]}), "no stone on C1"),
        (json!({"targets": ["C2"], "goal": "live"}), "of the player to move only"),
        (json!({"targets": ["C2"], "goal": "peace"}), "connect-under"),
        (json!({"targets": ["C2"], "region": "tiny"}), "two corners such as A1:F5"),
        (json!({"targets": ["C2"], "region": "A1:Z1"}), "Z1 is not a point"),
    ] {
        assert!(client.refused("problem", fields.clone()).contains(words), "{fields}");
        assert!(client.refused("ask", fields.clone()).contains(words), "{fields}");
    }
    assert!(client.refused("ask", json!({"targets": ["C2"], "by": "mcts"})).contains("dfpn"));
    assert_eq!(client.open("hex:4", "start")["problems"], false);
    assert!(client.refused("problem", json!({})).contains("hex:4 is not a position of Go"));
    assert!(client.refused("ask", json!({})).contains("hex:4 is not a position of Go"));
    client.open("go:5", "start");
    assert!(client.refused("ask", json!({})).contains("no group can be in question"));
}

/// A position of which a search does not see the end.
const HARD: &str = "........./........./..X...X../....O..../..O....../........./..X.O.X../........./......... X - 0";

#[test]
fn a_question_reports_progress_stops_and_is_abandoned_by_a_move() {
    let host = Host::new();
    let mut client = host.client();
    client.open("go:9", HARD);
    let fields = json!({"targets": ["E6"], "goal": "kill", "region": "box", "limits": {"time": 3600}});
    client.request("ask", fields.clone());
    let progress = client.event_where("asking", |event| event["nodes"].as_u64() > Some(0));
    assert!(progress["question"].as_str().unwrap().contains("Black: kill"), "{progress}");
    assert!(client.refused("ask", fields.clone()).contains("a search is running"));
    assert!(client.refused("think", json!({"player": "mcts"})).contains("a search is running"));
    client.request("stop", json!({}));
    let answer = client.event("answered");
    assert_eq!((&answer["decided"], &answer["left"]), (&json!(false), &json!(false)));
    client.event_where("state", |_| true);
    client.request("ask", fields);
    client.event("asking");
    client.change("play", json!({"move": "E5"}));
    assert_eq!(client.event("answered")["left"], true);
    // The abandoned answer does not replace the kept one, which is of the position before the move.
    assert!(client.request("annotate", json!({}))["data"].as_str().unwrap().contains("limits did not suffice"));
}
