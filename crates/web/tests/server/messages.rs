//! Messages that make no sense: each gets an answer, and the table stays as it was or moves to where the answer says.

use crate::client::{Client, Host};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use tesuji_web::Caps;

const MESSAGES: usize = 1500;

const DEEDS: [&str; 20] = [
    "open", "play", "undo", "redo", "goto", "seats", "run", "pause", "resign", "think", "stop", "look", "solve",
    "walk", "verify", "load", "pick", "save", "dance", "",
];

const FIELDS: [&str; 21] = [
    "game", "position", "move", "ply", "seats", "clock", "player", "limits", "line", "goal", "by", "proof", "claim",
    "back", "data", "file", "name", "number", "as", "id", "loud",
];

/// The fields that something takes.
fn taken(name: &str) -> &'static [&'static str] {
    match name {
        "open" => &["game", "position"],
        "play" => &["move"],
        "goto" => &["ply"],
        "seats" => &["seats", "clock"],
        "think" => &["player", "limits"],
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

/// Words that are right somewhere, and words that are right nowhere.
fn word() -> impl Strategy<Value = String> {
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
        4 => word().prop_map(Value::from),
        2 => (-2i64..9).prop_map(Value::from),
        1 => prop::sample::select(vec![json!(null), json!(true), json!(1e300), json!(-0.5), json!(u64::MAX), json!(i64::MIN)]),
    ];
    // Searches end soon, so that there are many.
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

/// A message: mostly an object with a name and fields, right ones or any, sometimes anything.
fn message() -> impl Strategy<Value = String> {
    let written = |name: &str, fields: Vec<(&str, Value)>| {
        let mut message = json!({"id": 7, "do": name});
        for (key, value) in fields {
            message[key] = value;
        }
        message.to_string()
    };
    let name = || prop::sample::select(DEEDS.to_vec());
    let any = prop::collection::vec((prop::sample::select(FIELDS.to_vec()), value()), 0..4);
    let asked = (name(), any).prop_map(move |(name, fields)| written(name, fields));
    let right = (name(), prop::collection::vec(value(), 4)).prop_map(move |(name, values)| {
        let fields = taken(name).iter().copied().zip(values);
        written(name, fields.collect())
    });
    let asked = prop_oneof![1 => asked, 2 => right].boxed();
    let cut = (asked.clone(), 0usize..60).prop_map(|(text, length)| text.chars().take(length).collect());
    prop_oneof![8 => asked, 1 => value().prop_map(|value| value.to_string()), 1 => ".{0,40}", 1 => cut]
}

/// The game on the table, as it can be opened elsewhere.
fn game(client: &mut Client) -> String {
    client.ask("save", json!({"as": "moves"}))["data"].as_str().expect("a text").to_string()
}

#[test]
fn every_message_gets_one_answer_and_the_table_stays_whole() {
    // Searches without limits go on until the next message, and shall not take much.
    let host = Host::capped(Caps { memory: 64 << 20, ..Caps::default() });
    let mut client = host.client();
    client.open("tictactoe", "start");
    let mut runner = TestRunner::deterministic();
    let strategy = message();
    let mut accepted = 0;
    for number in 0..MESSAGES {
        let text = strategy.new_tree(&mut runner).unwrap().current();
        // Engines that run would move while we look.
        client.ask("pause", json!({}));
        let before = game(&mut client);
        client.send(&text);
        let answer = loop {
            let heard = client.hear().unwrap_or_else(|| panic!("the connection ended after {text}"));
            if heard.get("event").is_none() {
                break heard;
            }
        };
        let is_error = answer.get("error").is_some();
        assert!(is_error != answer.get("ok").is_some(), "{text}: {answer}");
        accepted += usize::from(!is_error);
        client.ask("pause", json!({}));
        let after = game(&mut client);
        if is_error {
            assert_eq!(before, after, "message {number}, {text}, was refused and changed the game");
        }
        let (spec, line) = after.strip_prefix("# game: ").and_then(|text| text.split_once('\n')).expect("a game");
        tesuji_catalog::open(spec, line.trim()).unwrap_or_else(|error| panic!("after {text}: {error}"));
    }
    assert!(accepted > MESSAGES / 20, "only {accepted} messages made sense");
}

#[test]
fn what_is_too_long_or_no_text_is_answered() {
    let host = Host::new();
    let mut client = host.client();
    client.send(&format!("{{\"id\":1,\"do\":\"load\",\"name\":\"x\",\"data\":\"{}\"}}", "x".repeat(1 << 20)));
    let answer = client.hear().expect("an answer");
    assert!(answer["error"].as_str().unwrap().contains("at most 1048576"), "{answer}");
    client.socket.send(tungstenite::Message::binary(vec![0xff, 0xfe, 0x00])).unwrap();
    let answer = client.hear().expect("an answer");
    assert!(answer["error"].as_str().unwrap().contains("no JSON"), "{answer}");
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
        let answer = client.hear().expect("an answer");
        assert!(answer["error"].is_string(), "{:.80}: {answer}", text);
    }
    assert_eq!(client.open("tictactoe", "start")["ply"], 0);
}
