//! Hostile clients: silent and slow connections, malformed requests, and specs that name files.
//! `load.rs` has huge files of tiny games, as it measures memory.

use crate::client::{Client, Host};
use base64::Engine as _;
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tesuji_web::Caps;

/// A test that waits this long for the server fails.
const TIMEOUT: Duration = Duration::from_secs(120);
/// A time that no test waits for.
const NEVER: Duration = Duration::from_secs(24 * 3600);

/// Opens a connection and sends the start of a request.
fn send(host: &Host, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(host.address).expect("the server listens");
    stream.set_read_timeout(Some(TIMEOUT)).unwrap();
    stream.write_all(text.as_bytes()).expect("the server accepts");
    stream
}

/// Reads until the server closes the connection.
fn read_to_end(stream: &mut TcpStream) -> Vec<u8> {
    let mut received = Vec::new();
    match stream.read_to_end(&mut received) {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            panic!("the connection is still open")
        }
        // A reset closes it as well.
        _ => received,
    }
}

/// Returns whether the server has closed a connection on which it sends nothing.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let read = stream.read(&mut [0]);
    stream.set_nonblocking(false).unwrap();
    !matches!(read, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Repeats an attempt until it returns a value.
fn wait_for<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = attempt() {
            return found;
        }
        assert!(start.elapsed() < TIMEOUT, "{what} for {TIMEOUT:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends a request on a connection that stays open, and reads the response.
fn get_and_stay(host: &Host, stream: &mut TcpStream) {
    write!(stream, "GET /assets/icon.svg HTTP/1.1\r\nHost: {}\r\n\r\n", host.address).unwrap();
    let mut received = Vec::new();
    while !received.windows(6).any(|six| six == b"</svg>") {
        let mut buffer = [0; 1024];
        let length = stream.read(&mut buffer).expect("a response");
        assert!(length > 0, "the connection ended: {}", String::from_utf8_lossy(&received));
        received.extend_from_slice(&buffer[..length]);
    }
}

/// Checks that a client can load the page and play.
fn check_served(host: &Host) {
    assert_eq!(host.get("/", "").0, 200);
    assert_eq!(host.client().open("tictactoe", "start moves b2")["ply"], 1);
}

#[test]
fn silent_connections_do_not_lock_clients_out() {
    let host = Host::capped(Caps { tcp_connections: 8, headers: NEVER, stalled: NEVER, ..Caps::default() });
    let mut player = host.client();
    let mut browser = send(&host, "");
    get_and_stay(&host, &mut browser);
    let mut silent: Vec<TcpStream> = (0..40).map(|_| send(&host, "")).collect();
    check_served(&host);
    let mut partial: Vec<TcpStream> = (0..40).map(|_| send(&host, "GET / HTTP/1.1\r\nHost: ")).collect();
    check_served(&host);
    assert_eq!(player.open("tictactoe", "start")["ply"], 0, "a WebSocket stays open");
    get_and_stay(&host, &mut browser);
    silent.append(&mut partial);
    wait_for("too many connections are open", || {
        silent.retain_mut(|stream| !is_closed(stream));
        (silent.len() <= 6).then_some(())
    });
}

#[test]
fn web_sockets_are_not_closed_for_new_connections() {
    let host = Host::capped(Caps { tcp_connections: 1, ..Caps::default() });
    let mut player = host.client();
    assert!(read_to_end(&mut send(&host, "")).is_empty(), "it is refused");
    assert_eq!(player.open("tictactoe", "start")["ply"], 0);
    drop(player);
    wait_for("the place is taken", || {
        let mut stream = send(&host, "");
        let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", host.address);
        stream.write_all(request.as_bytes()).ok()?;
        read_to_end(&mut stream).starts_with(b"HTTP/1.1 200").then_some(())
    });
}

#[test]
fn slow_headers_and_idle_connections_are_cut() {
    let host = Host::capped(Caps { headers: Duration::from_millis(300), stalled: NEVER, ..Caps::default() });
    read_to_end(&mut send(&host, ""));
    let mut slow = send(&host, "GET / HTTP/1.1\r\nX: ");
    wait_for("slow headers are accepted", || (is_closed(&mut slow) || slow.write_all(b"x").is_err()).then_some(()));
    // A connection is closed some time after its last response, too.
    let request = format!("GET /assets/icon.svg HTTP/1.1\r\nHost: {}\r\n\r\n", host.address);
    wait_for("no response", || {
        let mut stream = send(&host, &request);
        read_to_end(&mut stream).starts_with(b"HTTP/1.1 200").then_some(())
    });
}

#[test]
fn clients_that_neither_send_nor_read_are_cut() {
    let host = Host::capped(Caps { stalled: Duration::from_secs(1), headers: NEVER, ..Caps::default() });
    let head = format!("POST /api/file HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\nx", host.address);
    assert!(read_to_end(&mut send(&host, &head)).is_empty());
    // More than the buffers of the sockets hold.
    let file = vec![b'x'; 24 << 20];
    let id = wait_for("no upload succeeds", || {
        let (status, body) = host.post("/api/file", "", &file);
        let response: Value = serde_json::from_slice(&body).ok()?;
        (status == 200).then(|| response["file"].as_str().expect("an ID").to_string())
    });
    let request = format!("GET /api/proof/{id} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", host.address);
    let mut pause = Duration::from_secs(2);
    wait_for("a download without a reader continues", || {
        let mut stream = send(&host, &request);
        std::thread::sleep(pause);
        pause *= 2;
        (read_to_end(&mut stream).len() < file.len()).then_some(())
    });
}

#[test]
fn slow_uploads_do_not_block_others() {
    let (uploads, grace) = (3, Duration::from_millis(100));
    let caps = Caps { uploads, uploads_each: uploads, upload_grace: grace, upload_wait: TIMEOUT, ..Caps::default() };
    let host = Host::capped(Caps { stalled: NEVER, ..caps });
    let head = format!("POST /api/file HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000000\r\n\r\nx", host.address);
    let mut slow: Vec<TcpStream> = (0..uploads).map(|_| send(&host, &head)).collect();
    let file = vec![b'x'; 2 << 20];
    let replaced = wait_for("no slow upload ended", || {
        host.upload(&file);
        slow.iter().position(is_answered)
    });
    let response = String::from_utf8_lossy(&read_to_end(&mut slow[replaced])).into_owned();
    assert!(response.starts_with("HTTP/1.1 408") && response.contains("bytes per second"), "{response}");
}

/// Returns whether the server has sent something.
fn is_answered(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let peeked = stream.peek(&mut [0]);
    stream.set_nonblocking(false).unwrap();
    peeked.is_ok()
}

#[test]
fn uploads_are_limited_by_number_and_time() {
    let caps = Caps { uploads_each: 1, upload_grace: NEVER, upload_wait: Duration::ZERO, ..Caps::default() };
    let host = Host::capped(Caps { stalled: NEVER, ..caps });
    let head = "POST /api/file HTTP/1.1\r\nContent-Length: 9\r\nExpect: 100-continue";
    let mut first = send(&host, &format!("{head}\r\nHost: {}\r\n\r\n", host.address));
    // The server asks for the body once the upload has its place.
    let mut asks = [0; 25];
    first.read_exact(&mut asks).unwrap();
    assert_eq!(&asks, b"HTTP/1.1 100 Continue\r\n\r\n");
    let (status, words) = host.post("/api/file", "", b"x");
    let words = String::from_utf8_lossy(&words);
    assert!(status == 503 && words.contains("1 uploads from this address"), "{status}: {words}");
    first.write_all(b"xxxxxxxxx").unwrap();
    wait_for("the place is taken", || (host.post("/api/file", "", b"x").0 == 200).then_some(()));

    let host = Host::capped(Caps { upload_time: Duration::from_millis(100), stalled: NEVER, ..Caps::default() });
    let head = format!("POST /api/file HTTP/1.1\r\nHost: {}\r\nContent-Length: 9\r\n\r\nx", host.address);
    let response = String::from_utf8_lossy(&read_to_end(&mut send(&host, &head))).into_owned();
    assert!(response.starts_with("HTTP/1.1 408") && response.contains("longer than 100ms"), "{response}");
}

#[test]
fn malformed_http_is_refused() {
    let host = Host::capped(Caps { upload: 1 << 20, ..Caps::default() });
    let line = |text: &str| format!("{text}\r\nHost: {}\r\nConnection: close\r\n", host.address);
    let chunks = "10000\r\n".to_string() + &"x".repeat(0x10000) + "\r\n";
    for (request, status) in [
        ("\0\x01\x02\r\n\r\n".to_string(), "400"),
        ("GET / HTTP/9.9\r\n\r\n".to_string(), "400"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_string(), ""),
        (line("GET / HTTP/1.1") + "X: " + &"x".repeat(1 << 20) + "\r\n\r\n", "431"),
        (line("GET / HTTP/1.1") + &"X: x\r\n".repeat(1000) + "\r\n", "431"),
        (line(&format!("GET /{} HTTP/1.1", "x".repeat(1 << 20))) + "\r\n", "4"),
        (line("POST /api/file HTTP/1.1") + "Content-Length: 99999999999999999999\r\n\r\n", "400"),
        (line("POST /api/file HTTP/1.1") + "Content-Length: -1\r\n\r\n", "400"),
        (line("POST /api/file HTTP/1.1") + "Transfer-Encoding: chunked\r\n\r\n" + &chunks.repeat(17), "413"),
        (line("POST /api/file HTTP/1.1") + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "500"),
        (line("POST /ws HTTP/1.1") + "\r\n", "405"),
        (line("GET /ws HTTP/1.1") + "\r\n", "400"),
        (line("DELETE /api/games HTTP/1.1") + "\r\n", "405"),
    ] {
        let mut stream = TcpStream::connect(host.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        // The server may refuse before everything is sent, and a reset may lose the response.
        let is_sent = stream.write_all(request.as_bytes()).is_ok();
        let response = String::from_utf8_lossy(&read_to_end(&mut stream)).into_owned();
        let is_refused = response.starts_with(&format!("HTTP/1.1 {status}"));
        let is_lost = response.is_empty() && (!is_sent || request.len() > 1 << 16 || status.is_empty());
        assert!(is_refused || is_lost, "{:.60}: {response}", request);
    }
    check_served(&host);
}

#[test]
fn an_endless_message_ends_its_connection_only() {
    let host = Host::new();
    let mut hostile = host.client();
    let frame = tungstenite::Message::text("x".repeat(5 << 20));
    // The server closes the socket while it is being sent.
    let _ = hostile.socket.send(frame);
    while hostile.receive().is_some() {}
    check_served(&host);
}

/// Returns every request with valid fields.
fn requests() -> Vec<(&'static str, Value)> {
    vec![
        ("open", json!({"game": "tictactoe", "position": "start"})),
        ("play", json!({"move": "a1"})),
        ("goto", json!({"ply": 0})),
        ("seats", json!({"seats": [{"kind": "person"}, {"kind": "person"}], "clock": {"seconds": 5, "increment": 1}})),
        ("think", json!({"player": "random", "limits": {"nodes": 1}})),
        ("look", json!({"line": []})),
        ("solve", json!({"goal": "value", "by": "auto", "limits": {"nodes": 1}})),
        ("problem", json!({"targets": ["A1"], "goal": "auto", "region": "auto"})),
        ("ask", json!({"targets": ["A1"], "goal": "auto", "region": "auto", "by": "auto", "limits": {"nodes": 1}})),
        ("refute", json!({"move": "A1", "limits": {"nodes": 1}})),
        ("prove", json!({"limits": {"nodes": 1}})),
        ("walk", json!({"proof": "x", "claim": 1, "move": "a1", "back": false})),
        ("verify", json!({"proof": "x", "data": "x"})),
        ("load", json!({"name": "x", "data": "start", "file": "x"})),
        ("pick", json!({"number": 0})),
        ("save", json!({"as": "moves"})),
    ]
}

/// Returns values of other types than a valid one; null stands for a missing optional field.
fn wrong_values(valid: &Value) -> Vec<Value> {
    let all =
        [json!(true), json!(-1), json!(0.5), json!(1), json!("x"), json!([[]]), json!({"x": {}}), json!([1, "x"])];
    let kind = |value: &Value| std::mem::discriminant(value);
    let is_wrong = |value: &Value| kind(value) != kind(valid) || value.is_f64() || *value == json!(-1);
    all.into_iter().filter(is_wrong).collect()
}

#[test]
fn fields_of_wrong_types_are_refused() {
    let host = Host::new();
    let mut client = host.client();
    let before = client.open("tictactoe", "start moves b2");
    for (name, fields) in requests() {
        for (field, valid) in fields.as_object().unwrap() {
            for wrong in wrong_values(valid) {
                let mut fields = fields.clone();
                fields[field] = wrong.clone();
                let error = client.refused(name, fields);
                assert!(error.len() < 500, "{name} {field} {wrong}: {error}");
            }
        }
        let mut fields = fields;
        fields["unknown"] = json!(1);
        assert!(client.refused(name, fields).contains("unknown"), "{name}");
    }
    assert_eq!(client.change("pause", json!({})), before);
}

/// What the refusal of a spec that names a file contains.
const REFUSAL: &str = "names a file";

/// Requests with specs that name files, which are all refused.
fn requests_with_files(host: &Host, file: &str) -> Vec<(&'static str, Value)> {
    let game = format!("samegame:board={file}");
    let player = format!("mcts:transitions={file}");
    let engine = |player: &str| json!({"seats": [{"kind": "person"}, {"kind": "engine", "player": player}]});
    let head = json!({"match": {"game": game, "players": ["random"], "terms": {"playouts": 1}, "clock": null,
        "openings": "random:1", "seed": 1, "games": 1, "sprt": null}});
    let certificate = base64::engine::general_purpose::STANDARD.encode(forged_certificate(&game));
    let uploaded = host.upload(&forged_certificate(&game));
    vec![
        ("open", json!({"game": game})),
        ("load", json!({"name": "x", "data": format!("# game: {game}\nstart\n")})),
        ("load", json!({"name": "x", "data": format!("{head}\n")})),
        ("think", json!({"player": player, "limits": {"playouts": 1}})),
        ("think", json!({"player": format!("root:[{player}]"), "limits": {"playouts": 1}})),
        ("seats", engine(&player)),
        ("solve", json!({"by": player})),
        ("ask", json!({"by": player})),
        ("verify", json!({"data": certificate})),
        ("verify", json!({"proof": uploaded})),
        ("walk", json!({"proof": uploaded})),
    ]
}

/// Returns the start of a certificate of a game, with valid checksums.
fn forged_certificate(game: &str) -> Vec<u8> {
    let text = |text: &str| [&[u8::try_from(text.len()).expect("a short text")], text.as_bytes()].concat();
    let content = [text(game), text("start"), vec![0]].concat();
    let mut checksum = crc32fast::Hasher::new();
    let mut certificate = Vec::new();
    let length = u16::try_from(content.len()).expect("one block").to_le_bytes();
    let head = [b"TESUJIPF\x01".as_slice(), &length, &content].concat();
    for bytes in [head.as_slice(), &[0, 0]] {
        checksum.update(bytes);
        certificate.extend_from_slice(bytes);
        certificate.extend_from_slice(&checksum.clone().finalize().to_le_bytes());
    }
    certificate
}

/// Sends a request; returns the error of the response or in it.
fn error_of(client: &mut Client, name: &str, fields: Value) -> String {
    match client.try_request(name, fields) {
        Ok(response) => response["error"].as_str().unwrap_or_default().to_string(),
        Err(error) => error,
    }
}

#[test]
fn specs_from_clients_cannot_name_files() {
    let host = Host::new();
    let mut client = host.client();
    let before = client.open("tictactoe", "start moves b2");
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board");
    std::fs::write(&board, "ab\nab\n").unwrap();
    for file in [board.to_str().unwrap(), "/etc/passwd", "/dev/zero", "no such file"] {
        for (name, fields) in requests_with_files(&host, file) {
            let error = error_of(&mut client, name, fields.clone());
            assert!(error.contains(REFUSAL), "{name} {fields}: {error}");
        }
    }
    assert_eq!(client.change("pause", json!({})), before);
}

/// A board of single stones of both colours, with as many blocks as possible.
fn crowded_board() -> String {
    let row = |number: usize| -> String { (0..19).map(|column| ['X', 'O', '.'][(number + 2 * column) % 3]).collect() };
    let rows: Vec<String> = (0..19).map(row).collect();
    // The stone in the corner would have no liberty.
    format!("{}.{} X - 0", &rows[0][..18], rows[1..].iter().map(|row| format!("/{row}")).collect::<String>())
}

#[test]
fn questions_about_problems_have_the_limits_of_searches() {
    let host = Host::capped(Caps { memory: 2 << 20, time: Duration::ZERO, ..Caps::default() });
    let mut client = host.client();
    let before = client.open("go:19", &crowded_board());
    let all: Vec<String> =
        (1..=19).flat_map(|row| "ABCDEFGHJKLMNOPQRST".chars().map(move |c| format!("{c}{row}"))).collect();
    let region = all.join(",").repeat(700);
    let stones = vec!["C1"; 100_000];
    for goal in ["auto", "kill", "live", "capture", "save", "semeai", "connect", "connect-under", "cut"] {
        let _ = client.try_request("problem", json!({"targets": [], "goal": goal}));
        if client.try_request("ask", json!({"targets": [], "goal": goal})).is_ok() {
            assert_eq!(client.event("answered")["nodes"], 0);
        }
    }
    client.request("ask", json!({"targets": stones}));
    assert_eq!(client.event("answered")["target_points"], json!(["C1"]));
    for fields in [json!({"targets": all}), json!({"region": region}), json!({"targets": ["\u{0}"]})] {
        let error = client.refused("ask", fields);
        assert!(error.len() < 4000, "{error:.100}");
    }
    // A time limit of an hour is cut to that of the server, here none at all; a gigabyte of memory
    // to what is left of it.
    client.request("ask", json!({"targets": ["A19"], "limits": {"time": 3600, "memory": 1 << 30, "threads": 1000}}));
    let ended = client.event_of(&["answered", "trouble"]);
    assert_eq!((&ended["event"], &ended["decided"], &ended["nodes"]), (&json!("answered"), &json!(false), &json!(0)));
    let mut rich = host.client();
    rich.open("hex:7", "start");
    rich.request("think", json!({"player": "mcts", "limits": {"playouts": 1, "memory": 2 << 20}}));
    rich.event("thought");
    client.request("ask", json!({"targets": ["A19"]}));
    let trouble = client.event_of(&["answered", "trouble"]);
    assert_eq!((&trouble["event"], &trouble["ended"]), (&json!("trouble"), &json!("ask")));
    assert!(trouble["words"].as_str().unwrap().contains("2097152 bytes"), "{trouble}");
    assert_eq!(client.change("pause", json!({})), before);
}
