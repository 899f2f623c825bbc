//! GTP: the engine through buffers and pipes, and the controller with misbehaving scripts and other
//! programs.

mod analysis;
mod child;
mod controller;
mod garbage;
mod outside;
mod transcripts;

use std::io::Write;
use std::sync::{Arc, Mutex};
use tesuji_core::Limits;
use tesuji_gtp::{Engine, Settings};

/// The settings of an engine with a number of playouts per move.
fn settings(game: &str, player: &str, playouts: u64) -> Settings {
    Settings {
        game: game.to_string(),
        player: player.to_string(),
        limits: Limits { playouts: Some(playouts), memory: Some(1 << 24), ..Limits::default() },
        seed: 1,
        threads: 1,
        resign: None,
    }
}

/// An output that the test can read.
#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// All that an engine answers.
fn talk(settings: Settings, input: &str) -> String {
    let buffer = Buffer::default();
    let input = std::io::Cursor::new(input.as_bytes().to_vec());
    Engine::new(settings, input, buffer.clone()).unwrap().run().unwrap();
    let bytes = buffer.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}
