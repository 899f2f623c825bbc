//! The studio of Tesuji: a web page to play, analyse and solve games, and the server behind it.
//!
//! [`Server::bind`] opens a port, [`Server::run`] serves until a flag is set. Every WebSocket is a
//! connection with one game: its moves, seats and clocks. A connection runs in its own thread and
//! never blocks: its search worker runs searches, its proof worker reads certificates, each in
//! another thread, and outgoing messages go into a bounded queue, so that a page that does not read
//! stalls no other connection. All connections share memory and threads up to the [`Caps`].
//!
//! `docs/web-protocol.md` specifies the protocol.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use tesuji_web::{Server, Settings};
//!
//! let server = Server::bind(Settings::default()).unwrap();
//! println!("{}", server.url());
//! server.run(&AtomicBool::new(false)).unwrap();
//! ```

mod caps;
mod clocks;
mod connection;
mod files;
mod game_line;
mod guard;
mod message;
mod outbox;
mod owners;
mod problem;
mod proof_worker;
mod search_worker;
mod server;
mod socket;
mod store;
mod tcp;
mod tree_queries;
mod uploads;

pub use caps::Caps;
pub use server::{ServeError, Server, Settings};
