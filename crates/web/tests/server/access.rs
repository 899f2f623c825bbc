//! Access control, connection limits and shutdown.

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
        let response: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((status, &response["schema"]), (200, &json!(2)));
        assert!(response[list].as_array().unwrap().len() > 10, "{response}");
    }
    let (_, _, body) = host.get("/api/searches", "");
    let response: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let solvers = response["searches"].as_array().unwrap().iter().filter(|entry| entry["solves"] == true);
    let solvers: Vec<&str> = solvers.map(|entry| entry["name"].as_str().unwrap()).collect();
    assert!(solvers.contains(&"dfpn") && !solvers.contains(&"mcts"), "{solvers:?}");
    for path in ["/nothing", "/assets/nothing.js", "/assets/../Cargo.toml", "/assets/%2e%2e/Cargo.toml", "/api/proof/x"]
    {
        assert_eq!(host.get(path, "").0, 404, "{path}");
    }
}

#[test]
fn foreign_origins_and_host_names_are_refused() {
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
fn a_token_is_required_and_stored_in_a_cookie() {
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
fn off_loopback_and_with_programs_the_default_token_is_random() {
    let everywhere = Settings { host: "0.0.0.0".parse().unwrap(), port: Some(0), ..Settings::default() };
    let programs = Settings { programs: true, port: Some(0), ..Settings::default() };
    for settings in [everywhere, programs.clone()] {
        let urls: Vec<String> = (0..2).map(|_| Server::bind(settings.clone()).unwrap().url()).collect();
        let tokens: Vec<&str> = urls.iter().map(|url| url.split_once("?token=").expect("a token").1).collect();
        assert!(tokens[0].len() >= 32 && tokens[0] != tokens[1]);
    }
    let host = Host::with(programs);
    assert_eq!((host.get("/", "").0, host.connect("").err()), (401, Some(401)));
    let loopback = Server::bind(Settings { port: Some(0), ..Settings::default() }).unwrap();
    assert!(!loopback.url().contains("token"));
    let short = Settings { token: Some("short".to_string()), port: Some(0), ..Settings::default() };
    assert!(Server::bind(short).err().unwrap().to_string().contains("8 to 128"));
}

#[test]
fn connections_are_limited_and_freed_on_disconnect() {
    let host = Host::capped(Caps { connections: 2, ..Caps::default() });
    let mut first = host.client();
    let _second = host.client();
    assert_eq!(host.connect("").err(), Some(503));
    // A search without limits ends with its connection.
    first.open("hex:11", "start");
    first.request("think", json!({"player": "mcts"}));
    first.event("thinking");
    drop(first);
    let third = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        host.connect("").ok()
    });
    assert!(third.is_some(), "the closed connection is free");
}

#[test]
fn a_page_that_does_not_read_is_disconnected_and_others_are_unaffected() {
    let host = Host::capped(Caps { unread: Duration::from_millis(300), ..Caps::default() });
    let mut silent = host.client();
    silent.open("go:19", "start");
    let mut other = host.client();
    other.open("tictactoe", "start");
    // Send until all buffers are full and the server closes the connection.
    let flood = std::thread::spawn(move || {
        silent.socket.get_ref().set_write_timeout(Some(Duration::from_secs(60))).unwrap();
        let message = json!({"id": 1, "do": "goto", "ply": 0}).to_string();
        let refused = std::iter::repeat_with(|| silent.socket.send(tungstenite::Message::text(message.as_str())).err());
        match refused.flatten().next() {
            Some(tungstenite::Error::Io(error)) => error.kind() != std::io::ErrorKind::WouldBlock,
            ended => ended.is_some(),
        }
    });
    for mv in ["b2", "a1", "c3"] {
        other.change("play", json!({"move": mv}));
    }
    assert!(flood.join().unwrap(), "the connection was closed");
    assert_eq!(other.change("undo", json!({}))["ply"], 2);
}

#[test]
fn a_search_continues_while_its_page_does_not_read() {
    // The first solver takes all memory, so that the second fails until the first has ended.
    let memory = 8 << 20;
    let host = Host::capped(Caps { memory, ..Caps::default() });
    let mut silent = host.client();
    silent.open("connect4", "start");
    silent.send(
        &json!({"id": 900, "do": "solve", "by": "dfpn", "limits": {"memory": memory, "nodes": 300_000}}).to_string(),
    );
    let mut other = host.client();
    other.open("tictactoe", "start");
    let solved = (0..600).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        other.request("solve", json!({"limits": {"memory": memory}}));
        let end = other.event_of(&["solved", "trouble"]);
        (end["event"] == "solved" && end["counters"]["bytes"].as_u64().unwrap() > 0).then_some(end)
    });
    assert_eq!(solved.expect("the memory is returned")["value"], "draw");
    let mut received = Vec::new();
    while received.last().is_none_or(|message: &serde_json::Value| message["event"] != "solved") {
        received.push(silent.receive().expect("the messages are still there"));
    }
    assert_eq!(received.last().unwrap()["stopped"], "nodes");
}

#[test]
fn an_idle_connection_is_closed() {
    let host = Host::capped(Caps { idle: Duration::ZERO, ..Caps::default() });
    let mut client = host.client();
    assert!(client.event("closed")["words"].as_str().unwrap().contains("no request for"));
    assert_eq!(client.receive(), None);
}

#[test]
fn shutdown_notifies_every_page_and_ends_every_search() {
    let mut host = Host::new();
    let mut idle = host.client();
    let mut busy = host.client();
    busy.open("hex:11", "start");
    busy.request("think", json!({"player": "mcts"}));
    busy.event("thinking");
    host.stop.store(true, Relaxed);
    for client in [&mut idle, &mut busy] {
        assert_eq!(client.event("closed")["words"], "the server is shutting down");
    }
    host.end();
    assert!(std::net::TcpStream::connect(host.address).is_err(), "the port is closed");
}

#[test]
fn programs_are_refused_without_the_flag() {
    let host = Host::new();
    let mut client = host.client();
    client.open("go:9", "start");
    let seats = json!({"seats": [{"kind": "person"}, {"kind": "engine", "player": "gtp:gnugo --mode gtp"}]});
    let error = client.refused("seats", seats);
    assert!(error.contains("seat 2") && error.contains("--programs"), "{error}");
}
