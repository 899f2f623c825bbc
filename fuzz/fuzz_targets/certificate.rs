//! Reads arbitrary bytes as a certificate, or applies them as changes to a valid one and fixes its
//! checksums.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_suites::laws::{certificate_law, forgery_law};

fuzz_target!(|bytes: &[u8]| {
    let &[kind, seed, ref rest @ ..] = bytes else { return };
    if kind % 4 == 0 {
        return certificate_law(rest);
    }
    let change = |&[high, low, byte]: &[u8; 3]| (usize::from(u16::from_be_bytes([high, low])), byte);
    let changes: Vec<(usize, u8)> = rest.as_chunks().0.iter().map(change).collect();
    forgery_law(seed.into(), &changes);
});
