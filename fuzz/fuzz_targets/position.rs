//! Parses an arbitrary text as a position of a game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_fuzz::{spec, text};
use tesuji_suites::laws::{position_law, valid_texts};

fuzz_target!(|bytes: &[u8]| {
    let &[choice, seed, ref rest @ ..] = bytes else { return };
    let spec = spec(choice);
    position_law(spec, &text(rest, || valid_texts(spec, seed.into()).0));
});
