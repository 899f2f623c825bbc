//! Ctrl-C: the first sets a flag that long work polls, the second exits. While the program waits
//! for input, the first exits. Exiting drops nothing, so external programs are terminated here.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_gtp::Children;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the program waits for input.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Installs the handler and returns the flag.
pub fn flag() -> anyhow::Result<&'static AtomicBool> {
    flag_for(&Children::default())
}

/// Installs the handler and returns the flag. The second Ctrl-C kills the programs in `children`.
pub fn flag_for(children: &Children) -> anyhow::Result<&'static AtomicBool> {
    let children = children.clone();
    ctrlc::set_handler(move || {
        if WAITING.load(Relaxed) || STOP.swap(true, Relaxed) {
            children.kill_all();
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
