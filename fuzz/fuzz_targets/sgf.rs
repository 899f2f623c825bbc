//! Parses an arbitrary text, or an edited valid file, as SGF.

#![no_main]

use law::sgf_law;
use libfuzzer_sys::fuzz_target;
use tesuji_fuzz::text;

#[path = "../../crates/sgf/tests/sgf/law/mod.rs"]
mod law;

const FILES: [&str; 4] = [
    include_str!("../../testdata/sgf/problem.sgf"),
    include_str!("../../testdata/sgf/hexgui.sgf"),
    include_str!("../../testdata/sgf/little-golem.hsgf"),
    include_str!("../../testdata/sgf/collection.sgf"),
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    sgf_law(&text(rest, || FILES[usize::from(choice) % FILES.len()].to_string()));
});
