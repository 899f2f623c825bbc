//! The Universal Shogi Interface: Tesuji as an engine, and USI programs as players.
//!
//! It follows the description by Tord Romstad (draft 1, 2007) and the extensions of Shogidokoro
//! (`gameover`, `checkmate`, `mate +`). Games other than 9x9 shogi are named and written as in the
//! USI mode of Fairy-Stockfish.

mod engine;
mod go;
mod info;
mod notation;
mod options;
mod player;
mod running;

pub use engine::{Settings, UsiEngine, UsiError};
pub use notation::{Notation, NotationError};
pub use player::{Timeouts, UsiPlayer};
