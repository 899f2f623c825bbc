//! Ctrl-C: the first raises a flag that long work looks at, the second ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

/// Raised by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Begins to listen, and gives the flag.
pub fn flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(&STOP)
}
