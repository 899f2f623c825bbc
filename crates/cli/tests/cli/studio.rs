//! `tesuji serve` from outside: how it begins and ends. What it serves is tested where it is made.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A studio, which ends with the test.
struct Studio {
    child: std::process::Child,
    address: String,
}

impl Studio {
    fn open(arguments: &[&str]) -> Studio {
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_tesuji"))
            .args(arguments)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the program is built");
        let mut studio = Studio { child, address: String::new() };
        let mut line = String::new();
        BufReader::new(studio.child.stdout.take().expect("it is piped")).read_line(&mut line).expect("a line");
        let address = line.strip_prefix("Tesuji is at http://").and_then(|rest| rest.split_once('/'));
        studio.address = address.unwrap_or_else(|| panic!("an address: {line}")).0.to_string();
        studio
    }

    /// Sends a request without a body, with more lines in its head.
    fn ask(&self, path: &str, head: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n{head}\r\n", self.address).expect("it reads");
        stream
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn without_arguments_it_serves_the_studio() {
    let studio = Studio::open(&[]);
    let mut page = String::new();
    studio.ask("/", "Connection: close\r\n").read_to_string(&mut page).expect("it answers");
    assert!(studio.address.starts_with("127.0.0.1:") && page.starts_with("HTTP/1.1 200"), "{page}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_studio_and_its_pages_are_told() {
    let mut studio = Studio::open(&["serve", "--port", "0"]);
    let key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGVzdWppIHRlc3VqaSE=\r\n";
    let mut page = studio.ask("/ws", &format!("Connection: Upgrade\r\nUpgrade: websocket\r\n{key}"));
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        page.read_exact(&mut byte).expect("it answers");
        head.extend(byte);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    let sent = std::process::Command::new("kill").args(["-INT", &studio.child.id().to_string()]).status();
    assert!(sent.expect("there is a shell's kill").success());
    let mut told = Vec::new();
    page.read_to_end(&mut told).expect("it tells and leaves");
    let told = String::from_utf8_lossy(&told);
    assert!(told.contains("closed") && told.contains("the server is shutting down"), "{told}");
    assert_eq!(studio.child.wait().expect("it ends").code(), Some(0));
}
