//! Memory: many connections at once, and hostile files. Nothing else runs in this process, and its
//! tests run one after another, so that its memory is theirs.

#[allow(dead_code, reason = "the other test binary uses the rest")]
#[path = "server/client.rs"]
mod client;

use crate::client::{Client, Host, log_of_two_games};
use serde_json::{Value, json};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tesuji_web::Caps;

const CONNECTIONS: usize = 64;
const MEMORY: usize = 512 << 20;
const GAMES: [&str; 6] = ["tictactoe", "hex:3", "connect4:4x4", "breakthrough:4", "othello:4", "lion"];
const MAX_MOVES: usize = 40;

/// Lets one test measure memory at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Resets the peak to the present resident memory and returns it.
fn reset_peak() -> usize {
    // Where this is not possible, the tests check less.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    peak()
}

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
    let _alone = alone();
    let host = Host::capped(Caps { connections: CONNECTIONS, memory: MEMORY, ..Caps::default() });
    let before = reset_peak();
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
    let (overhead, more) = (192 << 20, peak().saturating_sub(before));
    assert!(more < MEMORY + overhead, "{more} bytes more than before");
}

/// The bytes of the largest file that is parsed.
const FILE: usize = 32 << 20;

/// Returns a log of the length of a file, with games made of two played ones.
fn long_log() -> String {
    let text = log_of_two_games();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("lines are JSON"));
    let mut head = lines.next().expect("a head");
    head["match"]["games"] = json!(1_000_000);
    let mut games: Vec<Value> = lines.collect();
    let mut log = format!("{head}\n");
    for number in 0.. {
        let game = &mut games[number % 2];
        game["number"] = json!(number);
        let line = format!("{game}\n");
        if log.len() + line.len() > FILE {
            break;
        }
        log += &line;
    }
    log
}

/// Repeats a text up to the length of a file.
fn repeated(text: &str) -> String {
    text.repeat(FILE / text.len())
}

/// Loads a file, and opens its first game and one that is not listed. Returns the listing, and by
/// how many bytes the memory grew.
fn load(host: &Host, text: &str) -> (Result<Value, String>, usize) {
    let file = host.upload(text.as_bytes());
    let mut client = host.client();
    client.open("tictactoe", "start");
    let before = reset_peak();
    let loaded = client.try_request("load", json!({"name": "", "file": file}));
    if let Ok(listing) = &loaded {
        // An invalid set-up is found when the game is opened.
        let _ = client.try_request("pick", json!({"number": 0}));
        let listed = listing["games"].as_array().expect("games").len();
        assert!(client.refused("pick", json!({"number": listed})).contains("no game"));
    }
    assert_eq!(client.open("tictactoe", "start")["ply"], 0, "the connection still works");
    (loaded, peak().saturating_sub(before))
}

#[test]
fn a_long_file_of_short_games_is_listed_in_part() {
    let _alone = alone();
    let host = Host::capped(Caps { memory: MEMORY, ..Caps::default() });
    for (kind, text) in [("positions", repeated("start\n")), ("sgf", repeated("(;)")), ("log", long_log())] {
        let (loaded, more) = load(&host, &text);
        let listing = loaded.unwrap_or_else(|error| panic!("{kind}: {error}"));
        assert_eq!(listing["kind"], kind);
        let listed = listing["games"].as_array().unwrap().len() as u64;
        assert!(listed <= 2000 && listed > 1000, "{kind}: {listed} games are listed");
        let total = listing["total"].as_u64().unwrap();
        let games = text.len() as u64 / if kind == "log" { 1000 } else { 6 };
        assert!(total > listed && total >= games, "{kind}: {total} games");
        let bytes = listing.to_string().len();
        assert!(bytes < 1 << 20, "{kind}: the response has {bytes} bytes");
        assert!(more < 4 * FILE, "{kind}: {more} bytes more than before");
    }
}

#[test]
fn hostile_games_take_no_more_memory_than_the_budget() {
    let _alone = alone();
    let host = Host::capped(Caps { memory: MEMORY, ..Caps::default() });
    let log = log_of_two_games();
    let (head, game) = log.split_once('\n').expect("a head and games");
    let moves = |bytes: usize| format!("\"moves\":[{}\"a\"", "\"a\",".repeat(bytes / 4));
    let game_of = |bytes| game.replacen("\"moves\":[", &(moves(bytes) + ","), 1);
    for bytes in [3 << 20, 7 << 20, 31 << 20] {
        for text in [
            format!("({})", ";".repeat(bytes)),
            format!("(;{})", "A[]".repeat(bytes / 3)),
            format!("(;GM[1]SZ[19]HA[9]AB{})", "[aa:ss]".repeat(bytes / 7)),
            format!("({})", ";B[]W[]".repeat(bytes / 7)),
            format!("start moves{}", " a1".repeat(bytes / 3)),
            format!("# game: {}\nstart\n", "x".repeat(bytes)),
            "x".repeat(bytes),
            "\"".repeat(bytes),
            "(".repeat(bytes),
            "(;".repeat(bytes / 2),
            format!("{head}\n{}", game_of(bytes)),
            "{".repeat(bytes),
            "{}\n".repeat(bytes / 3),
        ] {
            let (loaded, more) = load(&host, &text);
            let answer = loaded.map_or_else(|error| error, |listing| listing.to_string());
            assert!(more < MEMORY, "{bytes} bytes of {:.20}: {more} bytes more than before, {:.200}", text, answer);
        }
    }
}
