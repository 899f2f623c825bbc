//! The protocols GTP and USI: Tesuji as an engine, and other programs as players.
//!
//! [`PlayerSpec`] names any player, a search of Tesuji or a program, and starts it.

mod child;
mod clock;
mod command;
mod controller;
mod dialect;
mod engine;
mod inbox;
mod lines;
mod player_spec;
pub mod usi;

pub use child::{Child, Children};
pub use controller::GtpPlayer;
pub use engine::{Engine, EngineError, Settings};
pub use player_spec::{PlayerSpec, PlayerSpecError, Terms};
