//! The protocol of `docs/web-protocol.md`.

use crate::client::{Client, Host, log_of_two_games};
use serde_json::{Value, json};
use std::time::Duration;
use tesuji_web::{Caps, Settings};

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("texts")).collect()
}

fn engine(player: &str, limits: Value) -> Value {
    json!({"kind": "engine", "player": player, "limits": limits})
}

fn human() -> Value {
    json!({"kind": "person"})
}

#[test]
fn a_game_is_opened_played_undone_and_redone() {
    let host = Host::new();
    let mut client = host.client();
    let state = client.open("connect4", "start moves 4 4");
    assert_eq!((&state["game"], &state["ply"], &state["to_move"]), (&json!("connect4"), &json!(2), &json!(0)));
    assert_eq!(state["legal"].as_array().unwrap().len(), 7);
    assert_eq!(state["view"]["cells"].as_array().unwrap().len(), 42);
    assert_eq!((texts(&state["players"]).len(), &state["ending"], &state["running"]), (2, &Value::Null, &json!(false)));
    let state = client.change("play", json!({"move": "3"}));
    assert_eq!((texts(&state["moves"]), &state["last"]), (vec!["4", "4", "3"], &json!("3")));
    let state = client.change("undo", json!({}));
    assert_eq!((texts(&state["moves"]).len(), &state["ply"]), (3, &json!(2)), "the move can be redone");
    assert_eq!(client.change("redo", json!({}))["ply"], 3);
    assert!(client.refused("redo", json!({})).contains("no move to redo"));
    assert_eq!(client.change("goto", json!({"ply": 0}))["last"], Value::Null);
    assert!(client.refused("undo", json!({})).contains("no move to undo"));
    assert!(client.refused("goto", json!({"ply": 4})).contains("plies 0 to 3"));
    let state = client.change("play", json!({"move": "1"}));
    assert_eq!(texts(&state["moves"]), ["1"], "another move replaces the rest of the line");
}

#[test]
fn refusals_name_what_is_expected_and_change_nothing() {
    let host = Host::new();
    let mut client = host.client();
    let before = client.open("tictactoe", "start moves b2");
    for (name, fields, words) in [
        ("open", json!({"game": "chess3d"}), "known"),
        ("open", json!({"game": "hex:99"}), "99"),
        ("open", json!({"game": "tictactoe", "position": "xyz"}), "xyz"),
        ("play", json!({"move": "b2"}), "b2"),
        ("play", json!({}), "move"),
        ("seats", json!({"seats": [{"kind": "person"}]}), "this game has 2"),
        ("seats", json!({"seats": [{"kind": "person"}, {"kind": "engine", "player": "mctz"}]}), "mctz"),
        ("seats", json!({"seats": [{"kind": "person"}, {"kind": "engine", "player": "mcts@time=1s"}]}), "\"limits\""),
        ("seats", json!({"seats": [human(), human()], "clock": {"seconds": -5}}), "-5"),
        ("think", json!({"player": "mcts:q=1"}), "q"),
        ("think", json!({"player": "mcts", "limits": {"playouts": 0}}), "1 or more"),
        ("solve", json!({"goal": "peace"}), "peace"),
        ("solve", json!({"by": "mcts"}), "dfpn"),
        ("look", json!({"line": ["b2"]}), "b2"),
        ("stop", json!({}), "no search"),
        ("walk", json!({"proof": "none"}), "none"),
        ("verify", json!({}), "base64"),
        ("verify", json!({"data": "***"}), "base64"),
        ("pick", json!({"number": 0}), "load a file first"),
        ("save", json!({"as": "sgf"}), "go and hex"),
        ("save", json!({"as": "png"}), "position"),
        ("dance", json!({}), "resign"),
    ] {
        let error = client.refused(name, fields.clone());
        assert!(error.contains(words), "{name} {fields}: {error}");
    }
    let after = client.change("pause", json!({}));
    assert_eq!(before, after);
}

#[test]
fn engines_play_whole_games_on_their_own() {
    let host = Host::new();
    let mut client = host.client();
    for game in ["tictactoe", "rolit:4,players=3", "samegame:5"] {
        let state = client.open(game, "start");
        let players = texts(&state["players"]).len();
        let seats: Vec<Value> = (0..players).map(|_| engine("mcts", json!({"playouts": 30}))).collect();
        client.request("seats", json!({"seats": seats}));
        client.request("run", json!({}));
        let state = client.event_where("state", |state| !state["ending"].is_null());
        assert_eq!((&state["game"], &state["running"], &state["to_move"]), (&json!(game), &json!(false), &Value::Null));
        assert!(!state["ending"]["words"].as_str().unwrap().is_empty());
        let values = state["values"].as_array().unwrap();
        assert_eq!(values.len(), texts(&state["moves"]).len() + 1);
        assert!(
            values[..values.len() - 1].iter().all(|value| (0.0..=1.0).contains(&value.as_f64().unwrap())),
            "{values:?}"
        );
        assert!(client.refused("run", json!({})).contains("the game is over"));
    }
}

#[test]
fn undo_against_an_engine_goes_back_to_the_human_turn() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:4", "start");
    client.request("seats", json!({"seats": [human(), engine("mcts", json!({"playouts": 50}))]}));
    client.request("run", json!({}));
    client.request("play", json!({"move": "a1"}));
    let state = client.event_where("state", |state| state["ply"] == 2);
    assert_eq!((&state["to_move"], &state["running"]), (&json!(0), &json!(true)));
    let state = client.change("undo", json!({}));
    assert_eq!((&state["ply"], &state["to_move"], &state["running"]), (&json!(0), &json!(0), &json!(true)));
    client.request("play", json!({"move": "b2"}));
    let state = client.event_where("state", |state| state["ply"] == 2);
    assert_eq!(texts(&state["moves"])[0], "b2");
}

#[test]
fn a_running_engine_plays_its_own_moves() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:7", "start");
    // It thinks until it is stopped.
    client.request("seats", json!({"seats": [engine("mcts", json!({"time": 1e6})), human()]}));
    client.request("run", json!({}));
    client.event("thinking");
    assert!(client.refused("play", json!({"move": "a1"})).contains("pause first"));
    assert!(client.refused("resign", json!({})).contains("mcts is to move"));
    assert!(client.refused("think", json!({"player": "mcts"})).contains("a search is running"));
    client.request("stop", json!({}));
    let state = client.event_where("state", |state| state["ply"] == 1);
    assert_eq!(state["to_move"], 1, "a stopped engine plays its best move so far");
    client.request("seats", json!({"seats": [human(), engine("mcts", json!({"time": 1e6}))]}));
    client.event_where("thinking", |event| event["ply"] == 1);
    let state = client.change("pause", json!({}));
    assert_eq!((&state["running"], &state["ply"]), (&json!(false), &json!(1)), "a paused engine does not move");
    assert_eq!(client.change("play", json!({"move": "g7"}))["ply"], 2);
}

#[test]
fn resignation_and_time_lose_the_game_and_can_be_undone() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:4", "start");
    let state = client.change("resign", json!({}));
    assert_eq!(state["ending"]["verdicts"], json!(["loss", "win"]));
    assert_eq!((&state["to_move"], &state["legal"]), (&Value::Null, &json!([])));
    assert!(client.refused("play", json!({"move": "a1"})).contains("the game is over"));
    let state = client.change("undo", json!({}));
    assert_eq!((&state["ending"], &state["to_move"]), (&Value::Null, &json!(0)));
    let state = client.change("seats", json!({"seats": [human(), human()], "clock": {"seconds": 0}}));
    assert_eq!((&state["clocks"], &state["ending"]), (&json!([0.0, 0.0]), &Value::Null));
    client.request("run", json!({}));
    let state = client.event_where("state", |state| !state["ending"].is_null());
    assert!(state["ending"]["words"].as_str().unwrap().contains("ran out of time"), "{state}");
    assert_eq!((&state["ending"]["verdicts"], &state["running"]), (&json!(["loss", "win"]), &json!(false)));
}

#[test]
fn clocks_are_reported_and_an_engine_plays_by_its_clock() {
    let host = Host::new();
    let mut client = host.client();
    client.open("tictactoe", "start");
    let seats = json!([engine("alphabeta", json!({})), engine("alphabeta", json!({}))]);
    let state = client.change("seats", json!({"seats": seats, "clock": {"seconds": 3600, "increment": 7200}}));
    assert_eq!(state["clocks"], json!([3600.0, 3600.0]));
    client.request("run", json!({}));
    // Tic-tac-toe ends long before the time is up.
    let state = client.event_where("state", |state| !state["ending"].is_null());
    assert!(state["clocks"].as_array().unwrap().iter().all(|left| left.as_f64().unwrap() > 3600.0), "{state}");
}

#[test]
fn an_analysis_reports_progress_answers_tree_queries_and_can_be_stopped() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:5", "start moves c3");
    client.request("think", json!({"player": "mcts"}));
    let event = client.event("thinking");
    assert_eq!((&event["player"], &event["search"], &event["ply"]), (&json!("mcts"), &json!("mcts"), &json!(1)));
    let report = &event["report"];
    assert!(report["counters"]["playouts"].as_u64().unwrap() > 0 && event["timing"]["seconds"].as_f64().unwrap() > 0.0);
    for field in ["best", "value", "bounds", "proof_numbers", "variation", "moves", "counters", "stopped"] {
        assert!(report.get(field).is_some(), "{field}");
    }
    let best = report["best"].as_str().unwrap().to_string();
    let seen = client.request("look", json!({"line": []}));
    assert_eq!(seen["moves"].as_array().unwrap().len(), 24);
    let deeper = client.request("look", json!({"line": [best]}));
    assert_eq!((deeper["moves"].as_array().unwrap().len(), &deeper["state"]["ply"]), (23, &json!(2)));
    assert_eq!(texts(&deeper["line"]), [best.as_str()]);
    assert!(client.refused("solve", json!({})).contains("a search is running"));
    client.request("stop", json!({}));
    let thought = client.event("thought");
    assert_eq!(thought["report"]["stopped"], "interrupted");
    let state = client.event_where("state", |state| !state["values"][1].is_null());
    assert_eq!(state["values"][0], Value::Null);
    let kept = client.request("look", json!({"line": [best]}));
    assert_eq!(kept["moves"].as_array().unwrap().len(), 23, "the tree is kept");
    client.change("play", json!({"move": best}));
    let after = client.request("look", json!({"line": []}));
    assert_eq!(after["moves"], kept["moves"], "the tree of an earlier position answers");
    client.change("goto", json!({"ply": 0}));
    assert_eq!(
        client.request("look", json!({"line": []}))["moves"],
        Value::Null,
        "the tree does not reach this position"
    );
}

#[test]
fn the_owners_of_cells_are_reported_to_a_page_that_asks() {
    let host = Host::new();
    let mut client = host.client();
    // Black to move has a wall on the left, White one on the right.
    let state = client.open("go:5", "start moves B1 D1 B2 D2 B3 D3 B4 D4 B5 D5");
    assert_eq!(state["owners"], true);
    let few = || json!({"player": "mcts", "limits": {"playouts": 10}});
    client.request("think", few());
    assert_eq!(client.event("thought").get("ownership"), None, "the page has not asked");

    let response = client.request("owners", json!({"shown": true}));
    let cells = state["view"]["cells"].as_array().unwrap();
    let share = |name: &str| {
        let at = cells.iter().position(|cell| cell["name"] == name).unwrap();
        response["ownership"][at].as_f64().unwrap()
    };
    assert_eq!(response["ownership"].as_array().unwrap().len(), cells.len());
    assert!(share("A3") > 0.0 && share("E3") < 0.0, "{response}");
    client.drop_events(&["thinking"]);
    client.request("think", json!({"player": "mcts"}));
    assert_eq!(client.event("thinking")["ownership"].as_array().unwrap().len(), cells.len());
    client.request("stop", json!({}));
    let counted = client.event("thought")["ownership"].clone();
    assert_ne!(counted, response["ownership"], "the playouts of the search count");
    let shown = client.request("owners", json!({"shown": true}));
    assert_eq!(shown["ownership"], counted, "what a search has counted is kept");
    client.request("think", json!({"player": "alphabeta", "limits": {"nodes": 10}}));
    assert_eq!(client.event("thought")["ownership"], response["ownership"], "it counts nothing");

    client.change("play", json!({"move": "A1"}));
    client.request("think", few());
    let thought = client.event("thought");
    let at = |name: &str| cells.iter().position(|cell| cell["name"] == name).unwrap();
    let share = |name: &str| thought["ownership"][at(name)].as_f64().unwrap();
    assert!(share("A3") < share("E3"), "White is to move: {thought}");
    assert_eq!(client.request("owners", json!({"shown": false})), json!({}));
    client.request("think", few());
    assert_eq!(client.event("thought").get("ownership"), None);

    assert_eq!(client.open("connect4", "start")["owners"], false);
    assert_eq!(client.request("owners", json!({"shown": true})), json!({}), "the game has no owners");
    client.request("think", few());
    assert_eq!(client.event("thought").get("ownership"), None);
}

#[test]
fn an_engine_to_move_reports_the_owners_while_it_thinks() {
    let host = Host::new();
    let mut client = host.client();
    client.open("go:5", "start");
    client.request("owners", json!({"shown": true}));
    client.request("seats", json!({"seats": [engine("mcts", json!({"time": 60})), human()]}));
    client.request("run", json!({}));
    assert_eq!(client.event("thinking")["ownership"].as_array().unwrap().len(), 25);
    client.request("stop", json!({}));
    assert_eq!(client.event_where("state", |state| state["ply"] == 1)["to_move"], 1);
}

#[test]
fn tree_queries_time_out_if_the_search_does_not_report() {
    let host = Host::capped(Caps { look: Duration::ZERO, ..Caps::default() });
    let mut client = host.client();
    client.open("hex:7", "start");
    client.request("think", json!({"player": "minimax"}));
    let seen = client.request("look", json!({"line": ["a1"]}));
    assert_eq!((&seen["moves"], &seen["state"]["ply"]), (&Value::Null, &json!(1)));
    client.request("stop", json!({}));
    assert_eq!(client.event("thought")["report"]["stopped"], "interrupted");
}

#[test]
fn pending_tree_queries_are_limited() {
    let host = Host::capped(Caps { look: Duration::from_secs(3600), ..Caps::default() });
    let mut client = host.client();
    client.open("hex:7", "start");
    client.request("think", json!({"player": "minimax"}));
    // Minimax shows itself once, when it starts, and would answer queries that come before that.
    std::thread::sleep(Duration::from_millis(500));
    for id in 1000..1032 {
        client.send(&json!({"id": id, "do": "look", "line": []}).to_string());
    }
    assert!(client.refused("look", json!({"line": []})).contains("32 tree queries are pending"));
    client.send(&json!({"id": 2000, "do": "stop"}).to_string());
    let mut answered = Vec::new();
    while answered.len() < 33 {
        let received = client.receive().expect("an answer");
        answered.extend(received.get("ok").and(received["id"].as_u64()));
    }
    answered.sort_unstable();
    assert_eq!(answered, (1000..1032).chain([2000]).collect::<Vec<u64>>());
}

#[test]
fn an_engine_move_has_priority_over_an_analysis() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:7", "start");
    client.request("seats", json!({"seats": [engine("mcts", json!({"playouts": 20})), human()]}));
    client.request("think", json!({"player": "mcts"}));
    client.event("thinking");
    client.request("run", json!({}));
    assert_eq!(client.event_where("state", |state| state["ply"] == 1)["to_move"], 1);
}

#[test]
fn limits_are_applied_and_capped() {
    let host = Host::capped(Caps { memory_each: 4 << 20, ..Caps::default() });
    let mut client = host.client();
    client.open("hex:7", "start");
    client.request(
        "think",
        json!({"player": "mcts", "limits": {"playouts": 20_000, "memory": 1u64 << 40, "threads": 1}}),
    );
    let thought = client.event("thought");
    assert_eq!(
        (&thought["report"]["stopped"], &thought["report"]["counters"]["playouts"]),
        (&json!("playouts"), &json!(20_000))
    );
    assert!(thought["report"]["counters"]["bytes"].as_u64().unwrap() <= 4 << 20, "{thought}");
    client.request("think", json!({"player": "alphabeta", "limits": {"nodes": 5000}}));
    let thought = client.event("thought");
    assert_eq!(thought["report"]["stopped"], "nodes");
}

#[test]
fn changing_the_position_ends_the_analysis() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:7", "start");
    client.request("think", json!({"player": "mcts"}));
    client.event("thinking");
    client.change("play", json!({"move": "a1"}));
    let thought = client.event("thought");
    assert_eq!((&thought["ply"], &thought["left"]), (&json!(0), &json!(true)));
    client.request("think", json!({"player": "mcts", "limits": {"playouts": 10}}));
    let thought = client.event("thought");
    assert_eq!((&thought["ply"], &thought["left"]), (&json!(1), &json!(false)));
}

#[test]
fn an_abandoned_search_reports_only_its_end() {
    let host = Host::new();
    let mut client = host.client();
    for (name, fields, end) in
        [("think", json!({"player": "mcts"}), "thought"), ("solve", json!({"by": "dfpn"}), "solved")]
    {
        client.open("connect4", "start");
        client.request(name, fields);
        client.event_of(&["thinking", "solving"]);
        client.request("open", json!({"game": "hex:11"}));
        client.event_where("state", |state| state["game"] == "hex:11");
        client.drop_events(&["thinking", "solving"]);
        let next = client.event_of(&["thinking", "solving", "thought", "solved"]);
        assert_eq!((&next["event"], &next["left"]), (&json!(end), &json!(true)), "{next}");
    }
}

#[test]
fn a_failed_search_is_reported_and_leaves_the_game_intact() {
    let host = Host::capped(Caps { memory: 2 << 20, ..Caps::default() });
    let mut rich = host.client();
    rich.open("hex:7", "start");
    rich.request("think", json!({"player": "mcts", "limits": {"playouts": 10, "memory": 2 << 20}}));
    rich.event("thought");
    // A kept tree is unloaded for the next search of the same connection.
    rich.request("think", json!({"player": "mcts:solver", "limits": {"playouts": 10, "memory": 2 << 20}}));
    assert_eq!(rich.event_of(&["thought", "trouble"])["event"], "thought");
    let mut poor = host.client();
    poor.open("hex:3", "start");
    for (name, fields) in [("solve", json!({})), ("think", json!({"player": "mcts"}))] {
        poor.request(name, fields);
        let trouble = poor.event_of(&["solved", "thought", "trouble"]);
        assert_eq!((&trouble["event"], &trouble["ended"]), (&json!("trouble"), &json!(name)));
        assert!(trouble["words"].as_str().unwrap().contains("2097152 bytes"), "{trouble}");
    }
    poor.request("seats", json!({"seats": [engine("mcts", json!({"playouts": 9})), human()]}));
    poor.request("run", json!({}));
    assert_eq!(poor.event("trouble")["ended"], "move");
    assert_eq!(poor.event_where("state", |state| state["running"] == false)["ply"], 0);
    rich.open("hex:4", "start");
    // A new game frees the memory of the tree; the response shows that it is done.
    rich.request("look", json!({"line": []}));
    poor.request("solve", json!({}));
    assert_eq!(poor.event_of(&["solved", "trouble"])["value"], "win");
}

fn solve(client: &mut Client, fields: Value) -> Value {
    client.request("solve", fields);
    client.event("solved")
}

#[test]
fn a_line_to_the_end_of_a_puzzle_is_certified_and_saved() {
    let host = Host::new();
    let mut client = host.client();
    let mut state = client.open("samegame:5x5,colours=3", "start");
    while let Some(first) = state["legal"][0]["text"].as_str().map(str::to_string) {
        state = client.change("play", json!({"move": first}));
    }
    let (moves, score) = (state["moves"].clone(), state["ending"]["scores"][0].clone());
    client.change("goto", json!({"ply": 0}));
    let response = client.request("certify", json!({"moves": moves}));
    assert_eq!((&response["verified"], &response["game"]), (&json!(true), &json!("samegame:5x5,colours=3")));
    let words = response["claims"][0]["words"].as_str().unwrap();
    assert!(words.contains(&format!("a score of at least {score}")), "{words}");
    let proof = response["proof"].as_str().expect("an ID");
    let (status, head, bytes) = host.get(&format!("/api/proof/{proof}"), "");
    assert!(status == 200 && head.to_ascii_lowercase().contains("content-disposition: attachment"), "{head}");
    let sent = host.upload(&bytes);
    assert_eq!(host.client().request("verify", json!({"proof": sent}))["verified"], true);

    let first = [moves[0].clone()];
    assert!(client.refused("certify", json!({"moves": first})).contains("does not end the game"));
    assert!(client.refused("certify", json!({"moves": ["z9"]})).contains("z9"));
    client.open("tictactoe", "start");
    assert!(client.refused("certify", json!({"moves": []})).contains("a game for one player"));
}

#[test]
fn a_position_is_solved_and_its_proof_is_verified_saved_loaded_and_walked() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:3", "start");
    let solved = solve(&mut client, json!({"goal": "value", "by": "auto", "limits": {}}));
    assert_eq!(
        (&solved["value"], &solved["solved"], &solved["why_no_proof"]),
        (&json!("win"), &json!(true), &Value::Null)
    );
    let proof = solved["proof"].as_str().expect("a proof").to_string();
    let response = client.request("verify", json!({"proof": proof}));
    assert_eq!(
        (&response["verified"], &response["game"], &response["schema"]),
        (&json!(true), &json!("hex:3"), &json!(2))
    );

    let (status, head, bytes) = host.get(&format!("/api/proof/{proof}"), "");
    assert!(status == 200 && head.to_ascii_lowercase().contains("content-disposition: attachment"), "{head}");
    use base64::Engine as _;
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let mut other = host.client();
    let response = other.request("verify", json!({"data": data}));
    assert_eq!(response["verified"], true);
    let copy = response["proof"].as_str().expect("an ID").to_string();

    let mut broken = bytes;
    let middle = broken.len() / 2;
    broken[middle] ^= 0x55;
    let data = base64::engine::general_purpose::STANDARD.encode(&broken);
    let response = other.request("verify", json!({"data": data}));
    assert_eq!((&response["verified"], &response["proof"]), (&json!(false), &Value::Null));
    assert!(!response["error"].as_str().unwrap().is_empty());

    // The proving side wins against every choice of the other side.
    for choice in 0..6 {
        let mut step = other.request("walk", json!({"proof": copy}));
        assert!(step["reply"].is_string() && step["line"].as_array().unwrap().len() == 1, "{step}");
        while step["done"] == false {
            let replies = texts(&step["replies"]);
            let mv = replies[choice % replies.len()].to_string();
            step = other.request("walk", json!({"proof": copy, "move": mv}));
        }
        assert_eq!(step["state"]["ending"]["verdicts"], json!(["win", "loss"]), "{step}");
        let line = step["line"].as_array().unwrap().len();
        let back = other.request("walk", json!({"proof": copy, "back": true}));
        assert!(back["line"].as_array().unwrap().len() < line && back["done"] == false, "{back}");
    }
    other.request("walk", json!({"proof": copy, "move": null}));
    assert!(other.refused("walk", json!({"proof": copy, "back": true})).contains("already at the start"));
    assert!(other.refused("walk", json!({"proof": copy, "move": "z9"})).contains("z9"));
    assert!(other.refused("walk", json!({"proof": copy, "claim": 9})).contains("claims 1 to"));
}

#[test]
fn a_solver_reports_progress_and_can_be_stopped() {
    let host = Host::new();
    let mut client = host.client();
    client.open("connect4", "start");
    client.request("solve", json!({"by": "dfpn"}));
    let event = client.event_where("solving", |event| !event["proof"].is_null());
    assert_eq!(event["stage"], "asking");
    for field in ["proof", "disproof", "nodes_per_second", "fill", "line"] {
        assert!(!event[field].is_null(), "{field}: {event}");
    }
    assert_eq!(client.request("look", json!({"line": []}))["moves"].as_array().unwrap().len(), 7);
    assert_eq!(
        client.request("look", json!({"line": ["4"]}))["moves"],
        Value::Null,
        "a solver shows its root moves only"
    );
    client.request("stop", json!({}));
    let solved = client.event("solved");
    assert_eq!(
        (&solved["solved"], &solved["proof"], &solved["stopped"]),
        (&json!(false), &Value::Null, &json!("interrupted"))
    );
    assert!(solved["why_no_proof"].is_string());
    let solved = solve(&mut client, json!({"limits": {"nodes": 1000}}));
    assert_eq!(solved["stopped"], "nodes");
}

#[test]
fn a_proof_that_is_too_large_is_not_written() {
    // The writer checks the limit every 4096 positions; this proof has 17,310.
    let host = Host::capped(Caps { proof_positions: 5000, ..Caps::default() });
    let mut client = host.client();
    client.open("connect4:4x5", "start");
    let solved = solve(&mut client, json!({}));
    assert_eq!((&solved["value"], &solved["proof"]), (&json!("draw"), &Value::Null));
    assert!(solved["why_no_proof"].as_str().unwrap().contains("limit of 5000 positions"), "{solved}");
}

#[test]
fn files_are_loaded_picked_and_saved() {
    let host = Host::new();
    let mut client = host.client();
    client.open("go:9", "start");
    let sgf = "(;GM[11]SZ[5]PB[Ann]PW[Bob];B[a1];W[b2])(;GM[1]SZ[9];B[ee];W[])";
    let loaded = client.request("load", json!({"name": "two.sgf", "data": sgf}));
    assert_eq!((&loaded["kind"], loaded["games"].as_array().unwrap().len()), (&json!("sgf"), 2));
    assert_eq!(loaded["total"], 2);
    assert!(loaded["games"][0]["title"].as_str().unwrap().contains("Ann - Bob"));
    let state = client.change("pick", json!({"number": 0}));
    assert_eq!((&state["game"], &state["ply"], texts(&state["moves"])), (&json!("hex:5"), &json!(0), vec!["a1", "b2"]));
    client.change("redo", json!({}));
    let saved = client.request("save", json!({"as": "sgf"}));
    assert!(saved["data"].as_str().unwrap().contains(";B[a1];W[b2]"), "{saved}");
    let saved = client.request("save", json!({"as": "position"}));
    let state = client.open("tictactoe", "start");
    assert_eq!(state["game"], "tictactoe");
    assert_eq!(client.request("load", json!({"name": "p.txt", "data": saved["data"]}))["kind"], "positions");
    let state = client.change("pick", json!({"number": 0}));
    assert_eq!(state["game"], "hex:5");
    assert!(client.refused("pick", json!({"number": 1})).contains("games 0 to 0"));
    assert!(client.refused("load", json!({"name": "bad.sgf", "data": "(;GM[1"})).starts_with("bad.sgf: "));
}

#[test]
fn a_logged_match_is_stepped_through() {
    let host = Host::new();
    let mut client = host.client();
    let data = log_of_two_games();
    let loaded = client.request("load", json!({"name": "log", "data": data}));
    assert_eq!((&loaded["kind"], loaded["games"].as_array().unwrap().len()), (&json!("log"), 2));
    assert!(loaded["games"][1]["title"].as_str().unwrap().contains("random"), "{loaded}");
    let state = client.change("pick", json!({"number": 1}));
    let moves: Vec<String> = texts(&state["moves"]).iter().map(|mv| mv.to_string()).collect();
    assert_eq!((&state["ply"], moves.len() > 4), (&json!(0), true), "{state}");
    for ply in (0..=moves.len()).rev() {
        let line = format!("start moves {}", moves[..ply].join(" "));
        let game = tesuji_catalog::open("tictactoe", line.trim_end_matches(" moves ")).unwrap();
        let state = client.change("goto", json!({"ply": ply}));
        assert_eq!((&state["position"], state["ending"].is_null()), (&json!(game.text()), ply < moves.len()));
    }
    assert_eq!(client.change("redo", json!({}))["last"], moves[0]);

    // A log that is too long for a message, padded with insignificant spaces.
    let long = data.replacen('{', &format!("{{{}", " ".repeat(2 << 20)), 1);
    let file = host.upload(long.as_bytes());
    let again = client.request("load", json!({"name": "log", "file": file}));
    assert_eq!(again, loaded);
    assert_eq!(client.change("pick", json!({"number": 1}))["moves"], state["moves"]);
}

#[test]
fn long_files_are_uploaded() {
    let host = Host::capped(Caps { upload: 4 << 20, ..Caps::default() });
    let mut client = host.client();
    let sgf = format!("(;GM[11]SZ[5]C[{}];B[a1];W[b2])", "long ".repeat(500_000));
    let file = host.upload(sgf.as_bytes());
    assert_eq!(client.request("load", json!({"name": "long.sgf", "file": file}))["kind"], "sgf");
    assert_eq!(texts(&client.change("pick", json!({"number": 0}))["moves"]), ["a1", "b2"]);
    let response = client.request("verify", json!({"proof": file}));
    assert_eq!((&response["verified"], &response["proof"]), (&json!(false), &Value::Null), "it is not a certificate");
    assert!(client.refused("walk", json!({"proof": file})).contains("cannot walk through the proof"));

    let (status, words) = host.post("/api/file", "", &vec![b'x'; (4 << 20) + 1]);
    assert_eq!(status, 413);
    assert!(String::from_utf8_lossy(&words).contains("at most 4194304 bytes"));
    let binary = host.upload(&[0xff, 0xfe, 0x00]);
    assert!(client.refused("load", json!({"name": "x", "file": binary})).contains("not text"));
    assert!(client.refused("load", json!({"name": "x", "file": "../x"})).contains("POST /api/file"));
    assert!(client.refused("load", json!({"name": "x"})).contains("one of \"data\""));
    assert!(client.refused("load", json!({"name": "x", "data": "", "file": file})).contains("one of \"data\""));

    client.open("hex:3", "start");
    let proof = solve(&mut client, json!({}))["proof"].as_str().expect("a proof").to_string();
    let (_, _, mut bytes) = host.get(&format!("/api/proof/{proof}"), "");
    let sent = host.upload(&bytes);
    let response = client.request("verify", json!({"proof": sent}));
    assert_eq!((&response["verified"], &response["proof"]), (&json!(true), &json!(sent)));
    assert!(client.request("walk", json!({"proof": sent}))["reply"].is_string());
    bytes.pop();
    let cut = host.upload(&bytes);
    assert_eq!(client.request("verify", json!({"proof": cut}))["verified"], false);
}

#[test]
fn a_proof_is_walked_to_the_end_of_many_lines() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:4", "start");
    let solved = solve(&mut client, json!({"goal": "win"}));
    assert_eq!(solved["solved"], true);
    let proof = solved["proof"].as_str().expect("a proof").to_string();
    let mut step = client.request("walk", json!({"proof": proof}));
    assert_eq!((step["reply"].is_string(), texts(&step["line"]).len()), (true, 1), "the proving side moves first");
    // Depth first: the untried moves at each turn of the losing side.
    let mut open = vec![choices(&step)];
    let (mut ends, mut steps) = (0, 0);
    while let Some(left) = open.last_mut() {
        match left.pop() {
            Some(mv) => {
                step = client.request("walk", json!({"proof": proof, "move": mv}));
                steps += 1;
                if step["done"] == true {
                    assert_eq!(step["state"]["ending"]["verdicts"], json!(["win", "loss"]), "{step}");
                    ends += 1;
                }
                open.push(choices(&step));
            }
            None => {
                open.pop();
                if !open.is_empty() {
                    client.request("walk", json!({"proof": proof, "back": true}));
                }
            }
        }
        if steps >= 500 {
            break;
        }
    }
    assert!(ends > 100, "{ends} of {steps} steps ended their line");
}

fn choices(step: &Value) -> Vec<String> {
    texts(&step["replies"]).iter().map(|mv| mv.to_string()).collect()
}

#[test]
fn a_crashed_program_pauses_the_game_and_is_reported() {
    let token = Some("long-enough".to_string());
    let host = Host::with(Settings { programs: true, token, ..Settings::default() });
    let mut client = host.connect("?token=long-enough").expect("the connection is accepted");
    client.open("go:9", "start");
    client.request("seats", json!({"seats": [engine("gtp:false", json!({})), human()]}));
    client.request("run", json!({}));
    assert!(!client.event("trouble")["words"].as_str().unwrap().is_empty());
    let state = client.change("play", json!({"move": "E5"}));
    assert_eq!((&state["running"], &state["ply"]), (&json!(false), &json!(1)));
}
