//! Any bytes as a certificate, or as changes of a true one whose checksums are then made to fit.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tesuji_testkit::laws::{certificate_law, forgery_law};

fuzz_target!(|bytes: &[u8]| {
    let &[kind, seed, ref rest @ ..] = bytes else { return };
    if kind % 4 == 0 {
        return certificate_law(rest);
    }
    let change = |&[high, low, byte]: &[u8; 3]| (usize::from(u16::from_be_bytes([high, low])), byte);
    let changes: Vec<(usize, u8)> = rest.as_chunks().0.iter().map(change).collect();
    forgery_law(seed.into(), &changes);
});
