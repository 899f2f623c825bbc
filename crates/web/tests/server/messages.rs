//! Invalid messages: each gets one response, and a refused request leaves the game unchanged.

use crate::client::{Client, Host};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use tesuji_web::Caps;

const MESSAGES: usize = 1500;

const REQUESTS: [&str; 21] = [
    "open", "play", "undo", "redo", "goto", "seats", "run", "pause", "resign", "think", "stop", "owners", "look",
    "solve", "walk", "verify", "load", "pick", "save", "dance", "",
];

const FIELDS: [&str; 22] = [
    "game", "position", "move", "ply", "seats", "clock", "player", "limits", "line", "goal", "by", "proof", "claim",
    "back", "data", "file", "name", "number", "as", "shown", "id", "loud",
];

/// Returns the fields of a request.
fn fields_of(name: &str) -> &'static [&'static str] {
    match name {
        "open" => &["game", "position"],
        "play" => &["move"],
        "goto" => &["ply"],
        "seats" => &["seats", "clock"],
        "think" => &["player", "limits"],
        "owners" => &["shown"],
        "look" => &["line"],
        "solve" => &["goal", "by", "limits"],
        "walk" => &["proof", "claim", "move", "back"],
        "verify" => &["proof", "data"],
        "load" => &["name", "data"],
        "pick" => &["number"],
        "save" => &["as"],
        _ => &[],
    }
}

/// Strings that are valid in some field, and strings that are valid in none.
fn string() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "tictactoe",
        "hex:3",
        "connect4:4x4",
        "go:5",
        "start",
        "start moves a1",
        "a1",
        "b2",
        "pass",
        "auto",
        "random",
        "mcts:solver",
        "dfpn",
        "value",
        "win",
        "score=1",
        "position",
        "moves",
        "sgf",
        "(;GM[11]SZ[3];B[a1])",
        "# game: hex:3\nstart",
        "{\"match\":{}}",
        "gtp:true",
        "hex:99",
        "hex:",
        ":",
        "mcts:c=",
        "../..",
        "AAAA",
        "score=99999999999",
        "start moves",
    ]);
    prop_oneof![4 => known.prop_map(str::to_string), 1 => ".{0,12}"]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => string().prop_map(Value::from),
        2 => (-2i64..9).prop_map(Value::from),
        1 => prop::sample::select(vec![json!(null), json!(true), json!(1e300), json!(-0.5), json!(u64::MAX), json!(i64::MIN)]),
    ];
    // Short searches, so that many fit into the test.
    let limits = prop::sample::select(vec![
        json!({"nodes": 500}),
        json!({"playouts": 50, "memory": 1}),
        json!({"time": 0.0, "threads": 999}),
        json!({"time": -1}),
        json!({"speed": 1}),
    ]);
    let seats = prop::sample::select(vec![
        json!([{"kind": "person"}, {"kind": "person"}]),
        json!([{"kind": "person"}, {"kind": "engine", "player": "random"}]),
        json!([{"kind": "engine", "player": "mcts", "limits": {"playouts": 20}}, {"kind": "engine", "player": "auto", "limits": {"nodes": 50}}]),
        json!([{"kind": "cat"}]),
        json!([]),
    ]);
    let clock = prop::sample::select(vec![
        json!({"seconds": 0}),
        json!({"seconds": 60, "increment": 1}),
        json!({"seconds": -1}),
    ]);
    let nested = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(FIELDS.to_vec()), inner), 0..3)
                .prop_map(|pairs| pairs.into_iter().map(|(key, value)| (key.to_string(), value)).collect()),
        ]
    });
    prop_oneof![6 => nested, 1 => limits, 1 => seats, 1 => clock]
}

/// A message: mostly an object with a name and fields, sometimes arbitrary text.
fn message() -> impl Strategy<Value = String> {
    let written = |name: &str, fields: Vec<(&str, Value)>| {
        let mut message = json!({"id": 7, "do": name});
        for (key, value) in fields {
            message[key] = value;
        }
        message.to_string()
    };
    let name = || prop::sample::select(REQUESTS.to_vec());
    let any = prop::collection::vec((prop::sample::select(FIELDS.to_vec()), value()), 0..4);
    let arbitrary = (name(), any).prop_map(move |(name, fields)| written(name, fields));
    let matching = (name(), prop::collection::vec(value(), 4)).prop_map(move |(name, values)| {
        let fields = fields_of(name).iter().copied().zip(values);
        written(name, fields.collect())
    });
    let request = prop_oneof![1 => arbitrary, 2 => matching].boxed();
    let cut = (request.clone(), 0usize..60).prop_map(|(text, length)| text.chars().take(length).collect());
    prop_oneof![8 => request, 1 => value().prop_map(|value| value.to_string()), 1 => ".{0,40}", 1 => cut]
}

/// Returns the current game in a form that can be opened.
fn game(client: &mut Client) -> String {
    client.request("save", json!({"as": "moves"}))["data"].as_str().expect("a text").to_string()
}

#[test]
fn every_message_gets_one_response_and_the_game_stays_valid() {
    // Searches without limits run until the next message, so they get little memory.
    let host = Host::capped(Caps { memory: 64 << 20, ..Caps::default() });
    let mut client = host.client();
    client.open("tictactoe", "start");
    let mut runner = TestRunner::deterministic();
    let strategy = message();
    let mut accepted = 0;
    for number in 0..MESSAGES {
        let text = strategy.new_tree(&mut runner).unwrap().current();
        // Running engines would move between the two reads.
        client.request("pause", json!({}));
        let before = game(&mut client);
        client.send(&text);
        let answer = loop {
            let received = client.receive().unwrap_or_else(|| panic!("the connection ended after {text}"));
            if received.get("event").is_none() {
                break received;
            }
        };
        let is_error = answer.get("error").is_some();
        assert!(is_error != answer.get("ok").is_some(), "{text}: {answer}");
        accepted += usize::from(!is_error);
        client.request("pause", json!({}));
        let after = game(&mut client);
        if is_error {
            assert_eq!(before, after, "message {number}, {text}, was refused and changed the game");
        }
        let (spec, line) = after.strip_prefix("# game: ").and_then(|text| text.split_once('\n')).expect("a game");
        tesuji_catalog::open(spec, line.trim()).unwrap_or_else(|error| panic!("after {text}: {error}"));
    }
    assert!(accepted > MESSAGES / 20, "only {accepted} messages were accepted");
}

#[test]
fn too_long_messages_and_binary_ones_get_a_response() {
    let host = Host::new();
    let mut client = host.client();
    client.send(&format!("{{\"id\":1,\"do\":\"load\",\"name\":\"x\",\"data\":\"{}\"}}", "x".repeat(1 << 20)));
    let answer = client.receive().expect("a response");
    assert!(answer["error"].as_str().unwrap().contains("at most 1048576"), "{answer}");
    client.socket.send(tungstenite::Message::binary(vec![0xff, 0xfe, 0x00])).unwrap();
    let answer = client.receive().expect("a response");
    assert!(answer["error"].as_str().unwrap().contains("not JSON"), "{answer}");
    for text in [
        "[".repeat(100_000),
        format!("{}{}", "{\"id\":1,\"do\":".repeat(10_000), "}".repeat(10_000)),
        format!("{{\"id\":1,\"do\":\"goto\",\"ply\":{}}}", "9".repeat(400)),
        format!("{{\"id\":{},\"do\":\"undo\"}}", "9".repeat(30)),
        "{\"id\":1,\"do\":\"goto\",\"ply\":18446744073709551615}".to_string(),
        "{\"id\":1,\"do\":\"pick\",\"number\":18446744073709551615}".to_string(),
        "{\"id\":1,\"do\":\"walk\",\"proof\":\"x\",\"claim\":18446744073709551615}".to_string(),
        "{\"id\":1,\"do\":\"open\",\"game\":\"hex:18446744073709551616\"}".to_string(),
        format!("{{\"id\":1,\"do\":\"open\",\"game\":\"{}\"}}", "[".repeat(500_000)),
        format!("{{\"id\":1,\"do\":\"think\",\"player\":\"root:{}\"}}", "[root:".repeat(100_000)),
    ] {
        client.send(&text);
        let answer = client.receive().expect("a response");
        assert!(answer["error"].is_string(), "{:.80}: {answer}", text);
    }
    assert_eq!(client.open("tictactoe", "start")["ply"], 0);
}
