//! The studio of Tesuji: a page to play, watch engines think and walk through proofs, and the server behind it.
//!
//! [`Server::bind`] takes a port, [`Server::run`] serves until a flag is raised. Every WebSocket is a *table*: a game with its line of moves, seats and clocks. A
//! table runs in a thread of its own and never waits: searches run at its *desk*, certificates are read by its *clerk*, each in another thread, and
//! what is to be sent goes into a short queue, so that a page that does not read stalls nobody. All tables share memory and threads up to the [`Caps`].
//!
//! The protocol is told in `docs/web-protocol.md`.
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
mod clerk;
mod clocks;
mod connection;
mod desk;
mod files;
mod guard;
mod line;
mod looks;
mod message;
mod outbox;
mod server;
mod store;
mod table;

pub use caps::Caps;
pub use server::{ServeError, Server, Settings};
