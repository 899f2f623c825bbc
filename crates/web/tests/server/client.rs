//! A server for a test, a client, and the log of a match.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;
use tesuji_arena::{Match, Openings};
use tesuji_gtp::{Children, Terms};
use tesuji_web::{Caps, Server, Settings};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A test that waits this long for a message fails.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A server that stops with the test.
pub struct Host {
    pub address: SocketAddr,
    pub stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Host {
    pub fn new() -> Host {
        Host::with(Settings::default())
    }

    pub fn capped(caps: Caps) -> Host {
        Host::with(Settings { caps, ..Settings::default() })
    }

    pub fn with(settings: Settings) -> Host {
        let server = Server::bind(Settings { port: Some(0), ..settings }).expect("a port is free");
        let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
        let flag = stop.clone();
        let thread = std::thread::spawn(move || server.run(&flag).expect("it serves"));
        Host { address, stop, thread: Some(thread) }
    }

    /// Connects a client.
    pub fn client(&self) -> Client {
        self.connect("").expect("the connection is accepted")
    }

    /// Connects with a query string; returns the HTTP status if it is refused.
    pub fn connect(&self, query: &str) -> Result<Client, u16> {
        self.connect_with(query, &[])
    }

    pub fn connect_with(&self, query: &str, headers: &[(&'static str, &str)]) -> Result<Client, u16> {
        let mut request = format!("ws://{}/ws{query}", self.address).into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.set_nodelay(true).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Client { socket, number: 0, events: VecDeque::new() }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("no connection: {error}"),
        }
    }

    /// Returns the status, head and body of a page.
    pub fn get(&self, path: &str, headers: &str) -> (u16, String, Vec<u8>) {
        self.request("GET", path, headers, b"")
    }

    /// Uploads a file; returns the status and the body of the response.
    pub fn post(&self, path: &str, headers: &str, file: &[u8]) -> (u16, Vec<u8>) {
        let headers = format!("{headers}Content-Length: {}\r\n", file.len());
        let (status, _, body) = self.request("POST", path, &headers, file);
        (status, body)
    }

    /// Uploads a file; returns its ID.
    pub fn upload(&self, file: &[u8]) -> String {
        let (status, body) = self.post("/api/file", "", file);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        let response: Value = serde_json::from_slice(&body).expect("responses are JSON");
        response["file"].as_str().expect("an ID").to_string()
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
        let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n").unwrap();
        // The server may refuse before everything is sent.
        let _ = stream.write_all(body);
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("a response");
        let end = response.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&response[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head, response[end + 4..].to_vec())
    }

    /// Stops the server and waits until it has ended.
    pub fn end(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server does not panic");
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A client of the server.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
    number: u64,
    /// Events received while waiting for a response.
    events: VecDeque<Value>,
}

impl Client {
    /// Sends any text.
    pub fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("the server reads");
    }

    /// Returns the next message of any kind; `None` if the connection has ended.
    pub fn receive(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("messages are JSON")),
                Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => return None,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    panic!("no message for {TIMEOUT:?}")
                }
                Err(_) => return None,
            }
        }
    }

    /// Sends a request and waits for the response.
    pub fn try_request(&mut self, name: &str, fields: Value) -> Result<Value, String> {
        self.number += 1;
        let id = self.number;
        let mut message = fields;
        message["id"] = json!(id);
        message["do"] = json!(name);
        self.send(&message.to_string());
        loop {
            let mut received = self.receive().expect("a response");
            if received.get("event").is_some() {
                self.events.push_back(received);
            } else if received["id"] == id {
                return match received.get("error") {
                    Some(error) => Err(error.as_str().expect("errors are text").to_string()),
                    None => Ok(received["ok"].take()),
                };
            } else {
                panic!("a response without a request: {received}");
            }
        }
    }

    /// Sends a request that must succeed.
    pub fn request(&mut self, name: &str, fields: Value) -> Value {
        self.try_request(name, fields).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Sends a request that must be refused; returns the error.
    pub fn refused(&mut self, name: &str, fields: Value) -> String {
        self.try_request(name, fields).expect_err("it must be refused")
    }

    /// Returns the next event of a name.
    pub fn event(&mut self, name: &str) -> Value {
        self.event_where(name, |_| true)
    }

    /// Returns the next event of any of these names.
    pub fn event_of(&mut self, names: &[&str]) -> Value {
        let is_one = |event: &Value| names.iter().any(|name| event["event"] == *name);
        loop {
            if let Some(at) = self.events.iter().position(is_one) {
                return self.events.remove(at).expect("it is there");
            }
            let received = self.receive().unwrap_or_else(|| panic!("the connection ended before {names:?}"));
            assert!(received.get("event").is_some(), "a response without a request: {received}");
            self.events.push_back(received);
        }
    }

    /// Returns the next event of a name that satisfies a predicate, and drops earlier ones of that
    /// name.
    pub fn event_where(&mut self, name: &str, predicate: impl Fn(&Value) -> bool) -> Value {
        let mut at = 0;
        loop {
            if at == self.events.len() {
                let received = self.receive().unwrap_or_else(|| panic!("the connection ended before {name}"));
                assert!(received.get("event").is_some(), "a response without a request: {received}");
                // An unexpected failure would make the wait endless.
                assert!(received["event"] != "trouble" || name == "trouble", "{received}");
                self.events.push_back(received);
            }
            if self.events[at]["event"] != name {
                at += 1;
                continue;
            }
            let event = self.events.remove(at).expect("it is there");
            if predicate(&event) {
                return event;
            }
        }
    }

    /// Drops the received events of these names.
    pub fn drop_events(&mut self, names: &[&str]) {
        self.events.retain(|event| names.iter().all(|name| event["event"] != *name));
    }

    /// Sends a request that changes the game, and returns the new state.
    pub fn change(&mut self, name: &str, fields: Value) -> Value {
        self.request(name, fields);
        // The response precedes the state that it leads to; earlier states belong to earlier
        // requests.
        self.drop_events(&["state"]);
        self.event("state")
    }

    /// Opens a game and returns its state.
    pub fn open(&mut self, game: &str, position: &str) -> Value {
        self.change("open", json!({"game": game, "position": position}))
    }
}

/// Plays a match of two games and returns its log.
pub fn log_of_two_games() -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log");
    let plan = Match {
        game: "tictactoe".to_string(),
        players: vec!["random".parse().unwrap(), "mcts".parse().unwrap()],
        terms: Terms { playouts: Some(20), ..Terms::default() },
        clock: None,
        openings: Openings::Random(2),
        seed: 1,
        games: Some(2),
        sprt: None,
    };
    plan.play(Some(&file), 1, &Children::default(), &AtomicBool::new(false), &|_| ControlFlow::Continue(())).unwrap();
    std::fs::read_to_string(&file).unwrap()
}
