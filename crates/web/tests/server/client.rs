//! A server for a test, and somebody who talks to it.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;
use tesuji_web::{Caps, Server, Settings};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A test that waits this long for a message has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server that ends with the test.
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

    /// Somebody who sits down at a table.
    pub fn client(&self) -> Client {
        self.connect("").expect("there is a table")
    }

    /// The same with something behind the address; gives the status if it is refused.
    pub fn connect(&self, behind: &str) -> Result<Client, u16> {
        self.connect_with(behind, &[])
    }

    pub fn connect_with(&self, behind: &str, headers: &[(&'static str, &str)]) -> Result<Client, u16> {
        let mut request = format!("ws://{}/ws{behind}", self.address).into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Client { socket, number: 0, events: VecDeque::new() }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("no connection: {error}"),
        }
    }

    /// The status, head and body of a page.
    pub fn get(&self, path: &str, headers: &str) -> (u16, String, Vec<u8>) {
        self.request("GET", path, headers, b"")
    }

    /// Sends a file; gives the status and the answer.
    pub fn post(&self, path: &str, headers: &str, file: &[u8]) -> (u16, Vec<u8>) {
        let headers = format!("{headers}Content-Length: {}\r\n", file.len());
        let (status, _, body) = self.request("POST", path, &headers, file);
        (status, body)
    }

    /// The ID of a file that was sent.
    pub fn upload(&self, file: &[u8]) -> String {
        let (status, body) = self.post("/api/file", "", file);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
        let told: Value = serde_json::from_slice(&body).expect("answers are JSON");
        told["file"].as_str().expect("an ID").to_string()
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
        let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let mut stream = TcpStream::connect(self.address).expect("the server listens");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n").unwrap();
        // Who is refused may be so before everything is sent.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head, answer[end + 4..].to_vec())
    }

    /// Stops the server and waits for its end.
    pub fn end(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("it ends in peace");
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

/// Somebody at a table.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
    number: u64,
    /// What came while an answer was waited for.
    events: VecDeque<Value>,
}

impl Client {
    /// Sends any text.
    pub fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).expect("the server reads");
    }

    /// The next message, whatever it is; `None` if the connection has ended.
    pub fn hear(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).expect("messages are JSON")),
                Ok(Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => return None,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    panic!("nothing came for {PATIENCE:?}")
                }
                Err(_) => return None,
            }
        }
    }

    /// Asks for something and waits for the answer.
    pub fn try_ask(&mut self, name: &str, fields: Value) -> Result<Value, String> {
        self.number += 1;
        let id = self.number;
        let mut message = fields;
        message["id"] = json!(id);
        message["do"] = json!(name);
        self.send(&message.to_string());
        loop {
            let mut heard = self.hear().expect("an answer comes");
            if heard.get("event").is_some() {
                self.events.push_back(heard);
            } else if heard["id"] == id {
                return match heard.get("error") {
                    Some(error) => Err(error.as_str().expect("errors are words").to_string()),
                    None => Ok(heard["ok"].take()),
                };
            } else {
                panic!("an answer to nothing: {heard}");
            }
        }
    }

    /// The same, where it must be possible.
    pub fn ask(&mut self, name: &str, fields: Value) -> Value {
        self.try_ask(name, fields).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The same, where it must be refused.
    pub fn refused(&mut self, name: &str, fields: Value) -> String {
        self.try_ask(name, fields).expect_err("it must be refused")
    }

    /// The next event of a name that was not heard yet.
    pub fn event(&mut self, name: &str) -> Value {
        self.event_where(name, |_| true)
    }

    /// The next event of any of these names.
    pub fn event_of(&mut self, names: &[&str]) -> Value {
        let is_one = |event: &Value| names.iter().any(|name| event["event"] == *name);
        loop {
            if let Some(at) = self.events.iter().position(is_one) {
                return self.events.remove(at).expect("it is there");
            }
            let heard = self.hear().unwrap_or_else(|| panic!("the connection ended before {names:?}"));
            assert!(heard.get("event").is_some(), "an answer to nothing: {heard}");
            self.events.push_back(heard);
        }
    }

    /// The next event of a name that is as it should be; those of the same name before it are passed over.
    pub fn event_where(&mut self, name: &str, is_right: impl Fn(&Value) -> bool) -> Value {
        let mut at = 0;
        loop {
            if at == self.events.len() {
                let heard = self.hear().unwrap_or_else(|| panic!("the connection ended before {name}"));
                assert!(heard.get("event").is_some(), "an answer to nothing: {heard}");
                // Whoever waits for something else would wait in vain.
                assert!(heard["event"] != "trouble" || name == "trouble", "{heard}");
                self.events.push_back(heard);
            }
            if self.events[at]["event"] != name {
                at += 1;
                continue;
            }
            let event = self.events.remove(at).expect("it is there");
            if is_right(&event) {
                return event;
            }
        }
    }

    /// Events of these names that have come already are not wanted any more.
    pub fn forget(&mut self, names: &[&str]) {
        self.events.retain(|event| names.iter().all(|name| event["event"] != *name));
    }

    /// Asks for a change of the game, and gives the new state.
    pub fn change(&mut self, name: &str, fields: Value) -> Value {
        self.ask(name, fields);
        // The answer comes before the state that it leads to; those before it are of what was asked before.
        self.forget(&["state"]);
        self.event("state")
    }

    /// Opens a game.
    pub fn open(&mut self, game: &str, position: &str) -> Value {
        self.change("open", json!({"game": game, "position": position}))
    }
}
