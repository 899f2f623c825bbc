//! Whole games of every board shape.

use crate::client::{Client, Host};
use serde_json::{Value, json};
use tesuji_catalog::Session;

/// A longer game is resigned.
const MAX_PLIES: u64 = 120;

/// Compares a state with the same game opened here.
fn check(state: &Value, game: &dyn Session) {
    assert_eq!(state["position"], game.text(), "{state}");
    assert_eq!(state["to_move"], json!(game.to_move().map(|player| player.index())), "{state}");
    let legal: Vec<&str> = state["legal"].as_array().unwrap().iter().map(|mv| mv["text"].as_str().unwrap()).collect();
    assert_eq!(legal, game.legal_moves());
    let names: Vec<&str> = cells(state).chain(hands(state)).collect();
    for mv in state["legal"].as_array().unwrap() {
        for click in mv["clicks"].as_array().unwrap() {
            // A move without a cell, such as a pass, is a button with the text of the move.
            let can_be_clicked = names.contains(&click.as_str().unwrap()) || click == &mv["text"];
            assert!(can_be_clicked, "{click}: {state}");
        }
    }
    assert_eq!(state["ending"].is_null(), game.ending().is_none());
    assert_eq!(state["values"].as_array().unwrap().len(), state["moves"].as_array().unwrap().len() + 1);
}

fn cells(state: &Value) -> impl Iterator<Item = &str> {
    state["view"]["cells"].as_array().unwrap().iter().map(|cell| cell["name"].as_str().unwrap())
}

fn hands(state: &Value) -> impl Iterator<Item = &str> {
    let hands = state["view"]["hands"].as_array().unwrap().iter();
    hands.flat_map(|hand| hand["pieces"].as_array().unwrap()).map(|piece| piece[0].as_str().unwrap())
}

/// Plays a game of a human at the first seat, who moves pseudo-randomly, against engines at all
/// others, and compares every state.
fn play(client: &mut Client, spec: &str, player: &str) {
    let mut game = tesuji_catalog::open(spec, "start").unwrap();
    let players = client.open(spec, "start")["players"].as_array().unwrap().len();
    let engine = json!({"kind": "engine", "player": player, "limits": {"playouts": 30, "nodes": 2000}});
    let mut seats = vec![engine; players];
    seats[0] = json!({"kind": "person"});
    client.request("seats", json!({"seats": seats}));
    let mut state = client.change("run", json!({}));
    let mut number: usize = 1;
    loop {
        // The moves of engines must be legal here, too.
        let moves: Vec<String> = serde_json::from_value(state["moves"].clone()).unwrap();
        for mv in &moves[game.moves().len()..] {
            game.play(mv).unwrap_or_else(|error| panic!("{spec}: {error}"));
        }
        check(&state, game.as_ref());
        if !state["ending"].is_null() || state["ply"].as_u64().unwrap() >= MAX_PLIES {
            break;
        }
        if state["to_move"] != 0 {
            let ply = state["ply"].clone();
            state = client.event_where("state", |state| state["ply"] != ply);
            continue;
        }
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal = state["legal"].as_array().unwrap();
        let mv = legal[(number >> 33) % legal.len()]["text"].clone();
        state = client.change("play", json!({"move": mv}));
    }
    if state["ending"].is_null() {
        client.request("pause", json!({}));
        state = client.change("resign", json!({}));
        assert!(state["ending"]["words"].as_str().unwrap().contains("resigns"), "{state}");
    }
    assert_eq!((&state["to_move"], &state["running"]), (&Value::Null, &json!(false)), "{spec}");
    // Back to the start and forth to the end.
    let plies = game.moves();
    while state["ply"] != 0 {
        state = client.change("undo", json!({}));
    }
    check(&state, tesuji_catalog::open(spec, "start").unwrap().as_ref());
    let last = client.change("goto", json!({"ply": plies.len()}));
    assert_eq!((&last["position"], &last["ply"]), (&json!(game.text()), &json!(plies.len())));
}

#[test]
fn whole_games_on_square_boards_are_played() {
    let host = Host::new();
    let mut client = host.client();
    for spec in ["loa:6", "othello:6", "go:5", "breakthrough:5"] {
        play(&mut client, spec, "mcts:solver");
    }
}

#[test]
fn whole_games_on_other_boards_and_with_hands_are_played() {
    let host = Host::new();
    let mut client = host.client();
    for spec in ["hex:5", "awari", "lion"] {
        play(&mut client, spec, "mcts:solver");
    }
}

#[test]
fn whole_games_for_one_and_for_three_players_are_played() {
    let host = Host::new();
    let mut client = host.client();
    for spec in ["samegame", "rolit:4,players=3"] {
        play(&mut client, spec, "mcts");
    }
}

#[test]
fn whole_games_are_played_against_other_searches() {
    let host = Host::new();
    let mut client = host.client();
    for (spec, player) in [("hex:4", "dfpn"), ("lion", "alphabeta"), ("othello:4", "auto"), ("hex:4", "random")] {
        play(&mut client, spec, player);
    }
}

#[test]
fn the_game_can_change_while_an_engine_thinks() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:7", "start");
    let forever = json!({"kind": "engine", "player": "mcts", "limits": {"time": 1e6}});
    let seats = json!([{"kind": "person"}, forever]);
    client.request("seats", json!({"seats": seats}));
    client.request("run", json!({}));
    let thinks_at = |client: &mut Client, ply: u64| client.event_where("thinking", |event| event["ply"] == ply);
    client.change("play", json!({"move": "d4"}));
    thinks_at(&mut client, 1);
    // Back to the last human turn; the game continues.
    let state = client.change("undo", json!({}));
    assert_eq!((&state["ply"], &state["running"], &state["to_move"]), (&json!(0), &json!(true), &json!(0)));
    client.change("play", json!({"move": "c3"}));
    thinks_at(&mut client, 1);
    let state = client.change("goto", json!({"ply": 0}));
    assert_eq!((&state["running"], state["moves"].as_array().unwrap().len()), (&json!(false), 1));
    client.change("redo", json!({}));
    client.request("run", json!({}));
    thinks_at(&mut client, 1);
    // Another engine takes over at once.
    let quick = json!({"kind": "engine", "player": "mcts:solver", "limits": {"playouts": 10}});
    client.request("seats", json!({"seats": [{"kind": "person"}, quick]}));
    let state = client.event_where("state", |state| state["ply"] == 2);
    assert_eq!((&state["to_move"], &state["running"]), (&json!(0), &json!(true)));
    // On the human's turn the seats can change sides.
    client.request("seats", json!({"seats": [forever, {"kind": "person"}]}));
    thinks_at(&mut client, 2);
    client.request("stop", json!({}));
    let state = client.event_where("state", |state| state["ply"] == 3);
    assert_eq!(state["to_move"], 1);
    assert_eq!(client.change("resign", json!({}))["ending"]["verdicts"], json!(["win", "loss"]));
}

#[test]
fn an_engine_loses_on_time() {
    let host = Host::new();
    let mut client = host.client();
    client.open("hex:7", "start");
    let engine = json!({"kind": "engine", "player": "mcts", "limits": {}});
    client.request("seats", json!({"seats": [engine, {"kind": "person"}], "clock": {"seconds": 0}}));
    client.request("run", json!({}));
    let state = client.event_where("state", |state| !state["ending"].is_null());
    assert_eq!((&state["ending"]["verdicts"], &state["ply"]), (&json!(["loss", "win"]), &json!(0)), "{state}");
    assert!(state["ending"]["words"].as_str().unwrap().contains("ran out of time"), "{state}");
}
