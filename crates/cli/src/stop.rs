//! Ctrl-C: the first sets a flag that long work polls, the second exits. While the program waits for input, the first
//! exits. Exiting drops nothing, so external programs are terminated here.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the program waits for input.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Installs the handler and returns the flag.
pub fn flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if WAITING.load(Relaxed) || STOP.swap(true, Relaxed) {
            tesuji_gtp::end_all();
            std::process::exit(130);
        }
    })?;
    Ok(&STOP)
}

/// Runs an action that waits for input.
pub fn waiting<T>(act: impl FnOnce() -> T) -> T {
    WAITING.store(true, Relaxed);
    let done = act();
    WAITING.store(false, Relaxed);
    done
}
