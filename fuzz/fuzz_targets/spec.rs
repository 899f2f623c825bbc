//! Parses an arbitrary text as a spec.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_fuzz::{spec, text};
use tesuji_suites::laws::spec_law;

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, rest)) = bytes.split_first() else { return };
    spec_law(&text(rest, || spec(choice).to_string()));
});
