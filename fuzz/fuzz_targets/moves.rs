//! Parses an arbitrary text as a move in the middle of a game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_fuzz::{spec, text};
use tesuji_suites::laws::{move_law, valid_texts};

fuzz_target!(|bytes: &[u8]| {
    let &[choice, seed, which, ref rest @ ..] = bytes else { return };
    let spec = spec(choice);
    let valid = || {
        let (_, moves) = valid_texts(spec, seed.into());
        if moves.is_empty() { String::new() } else { moves[usize::from(which) % moves.len()].clone() }
    };
    move_law(spec, seed.into(), &text(rest, valid));
});
