//! Many connections at once. Nothing else runs in this process, so that its memory is theirs.

#[allow(dead_code, reason = "the other test binary uses the rest")]
#[path = "server/client.rs"]
mod client;

use crate::client::{Client, Host};
use serde_json::{Value, json};
use tesuji_web::Caps;

const CONNECTIONS: usize = 64;
const MEMORY: usize = 512 << 20;
const GAMES: [&str; 6] = ["tictactoe", "hex:3", "connect4:4x4", "breakthrough:4", "othello:4", "lion"];
const MAX_MOVES: usize = 40;

/// Returns the peak resident memory of this process in bytes; 0 if the system does not report it.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kilobytes.unwrap_or(0) << 10
}

/// Plays a whole game of a human, who always plays the first legal move, against an engine.
fn play(client: &mut Client, game: &str) -> Value {
    client.open(game, "start");
    let engine = json!({"kind": "engine", "player": "mcts:solver", "limits": {"playouts": 50}});
    client.request("seats", json!({"seats": [{"kind": "person"}, engine]}));
    let mut state = client.change("run", json!({}));
    for _ in 0..MAX_MOVES {
        if !state["ending"].is_null() {
            break;
        }
        let mv = state["legal"][0]["text"].clone();
        state = client.change("play", json!({"move": mv}));
        if state["ending"].is_null() && state["to_move"] == 1 {
            let answered = |state: &Value| state["to_move"] != 1;
            state = client.event_where("state", answered);
        }
    }
    state
}

/// Runs an analysis and queries its tree.
fn analyse(client: &mut Client) {
    client.change("goto", json!({"ply": 0}));
    client.request("think", json!({"player": "mcts", "limits": {"playouts": 5000}}));
    let thought = client.event_where("thought", |thought| thought["left"] == false && thought["player"] == "mcts");
    assert_eq!(thought["report"]["counters"]["playouts"], 5000, "{thought}");
    let root = client.request("look", json!({"line": []}));
    assert_eq!(root["moves"], thought["report"]["moves"]);
    let plies = client.change("pause", json!({}))["moves"].as_array().unwrap().len();
    client.change("goto", json!({"ply": plies}));
}

#[test]
fn all_connections_are_served_and_memory_stays_under_the_cap() {
    let host = Host::capped(Caps { connections: CONNECTIONS, memory: MEMORY, ..Caps::default() });
    let before = peak();
    let mut clients: Vec<Client> = (0..CONNECTIONS).map(|_| host.client()).collect();
    assert_eq!(host.connect("").err(), Some(503));
    std::thread::scope(|scope| {
        let players: Vec<_> = clients
            .iter_mut()
            .enumerate()
            .map(|(number, client)| {
                scope.spawn(move || {
                    let game = GAMES[number % GAMES.len()];
                    let state = play(client, game);
                    assert_eq!(state["game"], game);
                    assert!(
                        !state["ending"].is_null() || state["ply"].as_u64().unwrap() >= MAX_MOVES as u64,
                        "{state}"
                    );
                    analyse(client);
                    let position = client.request("save", json!({"as": "moves"}))["data"].clone();
                    let line = position.as_str().unwrap().lines().nth(1).unwrap().to_string();
                    let again = tesuji_catalog::open(game, &line).expect("the saved game can be opened");
                    assert_eq!(again.text(), state["position"], "every connection has its own game");
                })
            })
            .collect();
        players.into_iter().for_each(|player| player.join().expect("every request is answered"));
    });
    // Threads and messages take memory besides the trees.
    let (overhead, more) = (192 << 20, peak() - before);
    assert!(more < MEMORY + overhead, "{more} bytes more than before");
}
