//! The server from outside, over a real WebSocket on loopback.
//!
//! - `client`: a server for a test, and somebody who talks to it.
//! - `protocol`: what `docs/web-protocol.md` promises.
//! - `doors`: who may come in, how many, and how everything ends.
//! - `messages`: messages that make no sense.
//! - `games`: whole games.
//!
//! `load.rs`, many tables at once, is a process of its own, as it looks at the memory of one.

#[path = "server/client.rs"]
mod client;
#[path = "server/doors.rs"]
mod doors;
#[path = "server/games.rs"]
mod games;
#[path = "server/messages.rs"]
mod messages;
#[path = "server/protocol.rs"]
mod protocol;
