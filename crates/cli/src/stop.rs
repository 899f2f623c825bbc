//! Ctrl-C: the first raises a flag that long work looks at, the second ends the program. While the program only waits
//! for its user, the first ends it. Nothing is dropped then, so programs that play with us are ended here.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Raised by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether there is nothing that could be stopped.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Begins to listen, and gives the flag.
pub fn flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if WAITING.load(Relaxed) || STOP.swap(true, Relaxed) {
            tesuji_gtp::end_all();
            std::process::exit(130);
        }
    })?;
    Ok(&STOP)
}

/// Does something that only waits for the user.
pub fn waiting<T>(act: impl FnOnce() -> T) -> T {
    WAITING.store(true, Relaxed);
    let done = act();
    WAITING.store(false, Relaxed);
    done
}
