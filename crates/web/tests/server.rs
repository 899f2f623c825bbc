//! Tests of the server over a real WebSocket on loopback.
//!
//! - `client`: a server for a test, and a client.
//! - `protocol`: the protocol of `docs/web-protocol.md`.
//! - `access`: access control, connection limits and shutdown.
//! - `messages`: invalid messages.
//! - `games`: whole games.
//! - `hostile`: hostile clients.
//! - `problems`: Go problems.
//!
//! `load.rs`, many connections at once, is a separate process, as it measures memory.

#[path = "server/access.rs"]
mod access;
#[path = "server/client.rs"]
mod client;
#[path = "server/games.rs"]
mod games;
#[path = "server/hostile.rs"]
mod hostile;
#[path = "server/messages.rs"]
mod messages;
#[path = "server/problems.rs"]
mod problems;
#[path = "server/protocol.rs"]
mod protocol;
