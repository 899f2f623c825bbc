//! The Universal Shogi Interface: notation, engine and controller.

mod engine;
mod notation;
mod outside;
mod player;
