//! Who may come in, how many, and how everything ends.

use crate::client::Host;
use serde_json::json;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tesuji_web::{Caps, Server, Settings};

#[test]
fn the_page_and_the_lists_are_served() {
    let host = Host::new();
    let (status, head, body) = host.get("/", "");
    assert_eq!(status, 200);
    assert!(head.to_ascii_lowercase().contains("content-type: text/html"), "{head}");
    assert!(head.to_ascii_lowercase().contains("content-security-policy: default-src 'self'"), "{head}");
    assert!(String::from_utf8_lossy(&body).contains("<html"));
    let (status, head, _) = host.get("/assets/main.js", "");
    assert!(status == 200 && head.contains("javascript"), "{head}");
    for (path, list) in [("/api/games", "games"), ("/api/searches", "searches")] {
        let (status, _, body) = host.get(path, "");
        let told: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((status, &told["schema"]), (200, &json!(1)));
        assert!(told[list].as_array().unwrap().len() > 10, "{told}");
    }
    let (_, _, body) = host.get("/api/searches", "");
    let told: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let solvers = told["searches"].as_array().unwrap().iter().filter(|entry| entry["solves"] == true);
    let solvers: Vec<&str> = solvers.map(|entry| entry["name"].as_str().unwrap()).collect();
    assert!(solvers.contains(&"dfpn") && !solvers.contains(&"mcts"), "{solvers:?}");
    for path in ["/nothing", "/assets/nothing.js", "/assets/../Cargo.toml", "/assets/%2e%2e/Cargo.toml", "/api/proof/x"]
    {
        assert_eq!(host.get(path, "").0, 404, "{path}");
    }
}

#[test]
fn pages_of_others_and_other_names_are_kept_out() {
    let host = Host::new();
    assert_eq!(host.connect_with("", &[("Origin", "http://evil.example")]).err(), Some(403));
    assert_eq!(host.connect_with("", &[("Origin", "null")]).err(), Some(403));
    let own = format!("http://{}", host.address);
    assert!(host.connect_with("", &[("Origin", &own)]).is_ok());
    assert_eq!(host.get("/", "Host: evil.example\r\n").0, 403);
    assert_eq!(host.get("/api/games", "Origin: http://evil.example\r\n").0, 403);
    assert_eq!(host.post("/api/file", "Origin: http://evil.example\r\n", b"x").0, 403);
    assert_eq!(host.post("/api/file", &format!("Origin: {own}\r\n"), b"x").0, 200);
}

#[test]
fn a_token_is_asked_for_and_kept_in_a_cookie() {
    let host = Host::with(Settings { token: Some("long-enough".to_string()), ..Settings::default() });
    for path in ["/", "/assets/main.js", "/api/games", "/?token=wrong-one"] {
        assert_eq!(host.get(path, "").0, 401, "{path}");
    }
    assert_eq!(host.connect("").err(), Some(401));
    assert_eq!(host.post("/api/file", "", b"x").0, 401);
    let (status, head, _) = host.get("/?token=long-enough", "");
    assert_eq!(status, 200);
    let head = head.to_ascii_lowercase();
    assert!(head.contains("set-cookie: tesuji_token=long-enough") && head.contains("httponly"), "{head}");
    assert_eq!(host.get("/api/games", "Cookie: tesuji_token=long-enough\r\n").0, 200);
    assert!(host.connect("?token=long-enough").is_ok());
    assert!(host.connect_with("", &[("Cookie", "tesuji_token=long-enough")]).is_ok());
}

#[test]
fn where_others_can_come_a_token_is_drawn() {
    let everywhere = Settings { host: "0.0.0.0".parse().unwrap(), port: Some(0), ..Settings::default() };
    let urls: Vec<String> = (0..2).map(|_| Server::bind(everywhere.clone()).unwrap().url()).collect();
    let tokens: Vec<&str> = urls.iter().map(|url| url.split_once("?token=").expect("a token").1).collect();
    assert!(tokens[0].len() >= 32 && tokens[0] != tokens[1]);
    let loopback = Server::bind(Settings { port: Some(0), ..Settings::default() }).unwrap();
    assert!(!loopback.url().contains("token"));
    let short = Settings { token: Some("short".to_string()), port: Some(0), ..Settings::default() };
    assert!(Server::bind(short).err().unwrap().to_string().contains("8 to 128"));
}

#[test]
fn there_are_no_more_tables_than_allowed_and_who_leaves_makes_room() {
    let host = Host::capped(Caps { tables: 2, ..Caps::default() });
    let mut first = host.client();
    let _second = host.client();
    assert_eq!(host.connect("").err(), Some(503));
    // A search that never ends by itself leaves with its table.
    first.open("hex:11", "start");
    first.ask("think", json!({"player": "mcts"}));
    first.event("thinking");
    drop(first);
    let third = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        host.connect("").ok()
    });
    assert!(third.is_some(), "the table of who left is free");
}

#[test]
fn a_page_that_does_not_read_is_left_and_others_notice_nothing() {
    let host = Host::capped(Caps { unread: Duration::from_millis(300), ..Caps::default() });
    let mut deaf = host.client();
    deaf.open("go:19", "start");
    let mut other = host.client();
    other.open("tictactoe", "start");
    // More and more until all that lies between is full, and the server has had enough.
    let flood = std::thread::spawn(move || {
        deaf.socket.get_ref().set_write_timeout(Some(Duration::from_secs(60))).unwrap();
        let message = json!({"id": 1, "do": "goto", "ply": 0}).to_string();
        let refused = std::iter::repeat_with(|| deaf.socket.send(tungstenite::Message::text(message.as_str())).err());
        match refused.flatten().next() {
            Some(tungstenite::Error::Io(error)) => error.kind() != std::io::ErrorKind::WouldBlock,
            ended => ended.is_some(),
        }
    });
    for mv in ["b2", "a1", "c3"] {
        other.change("play", json!({"move": mv}));
    }
    assert!(flood.join().unwrap(), "the connection was ended");
    assert_eq!(other.change("undo", json!({}))["ply"], 2);
}

#[test]
fn a_search_goes_on_whether_its_page_reads_or_not() {
    // Nobody else can solve anything while this one does, as it has all the memory.
    let memory = 8 << 20;
    let host = Host::capped(Caps { memory, ..Caps::default() });
    let mut deaf = host.client();
    deaf.open("connect4", "start");
    deaf.send(
        &json!({"id": 900, "do": "solve", "by": "dfpn", "limits": {"memory": memory, "nodes": 300_000}}).to_string(),
    );
    let mut other = host.client();
    other.open("tictactoe", "start");
    let solved = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        other.ask("solve", json!({"limits": {"memory": memory}}));
        let end = other.event_of(&["solved", "trouble"]);
        (end["event"] == "solved" && end["counters"]["bytes"].as_u64().unwrap() > 0).then_some(end)
    });
    assert_eq!(solved.expect("the memory came back")["value"], "draw");
    let mut heard = Vec::new();
    while heard.last().is_none_or(|message: &serde_json::Value| message["event"] != "solved") {
        heard.push(deaf.hear().expect("the page may read when it likes"));
    }
    assert_eq!(heard.last().unwrap()["stopped"], "nodes");
}

#[test]
fn a_table_that_is_asked_nothing_is_closed() {
    let host = Host::capped(Caps { idle: Duration::ZERO, ..Caps::default() });
    let mut client = host.client();
    assert!(client.event("closed")["words"].as_str().unwrap().contains("nothing was asked"));
    assert_eq!(client.hear(), None);
}

#[test]
fn when_the_server_stops_every_page_is_told_and_every_search_ends() {
    let mut host = Host::new();
    let mut idle = host.client();
    let mut busy = host.client();
    busy.open("hex:11", "start");
    busy.ask("think", json!({"player": "mcts"}));
    busy.event("thinking");
    host.stop.store(true, Relaxed);
    for client in [&mut idle, &mut busy] {
        assert_eq!(client.event("closed")["words"], "the server stops");
    }
    host.end();
    assert!(std::net::TcpStream::connect(host.address).is_err(), "nobody listens any more");
}

#[test]
fn programs_are_started_only_where_that_is_allowed() {
    let host = Host::new();
    let mut client = host.client();
    client.open("go:9", "start");
    let seats = json!({"seats": [{"kind": "person"}, {"kind": "engine", "player": "gtp:gnugo --mode gtp"}]});
    let error = client.refused("seats", seats);
    assert!(error.contains("seat 2") && error.contains("--programs"), "{error}");
}
