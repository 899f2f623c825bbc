//! The protocols by which programs play: GTP and USI, for engines and for those who talk to them.

mod child;
mod clock;
mod command;
mod controller;
mod dialect;
mod engine;
mod inbox;
mod lines;
pub mod usi;
mod variant;

pub use child::{Child, end_all};
pub use controller::GtpPlayer;
pub use engine::{Engine, EngineError, Settings};
