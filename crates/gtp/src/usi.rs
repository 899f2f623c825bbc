//! The Universal Shogi Interface: Tesuji as an engine for shogi programs, and shogi programs as players.
//!
//! Followed are the description by Tord Romstad (draft 1, 2007) and what the program Shogidokoro added to it (`gameover`, `checkmate`,
//! `mate +`). Games that are not 9x9 shogi are named, and their boards and moves written, as Fairy-Stockfish does it in its USI mode.

mod engine;
mod go;
mod info;
mod notation;
mod options;
mod player;
mod running;

pub use engine::{Settings, UsiEngine, UsiError};
pub use notation::{Notation, NotationError};
pub use player::{Patience, UsiPlayer};
