//! Who owns the cells of a position at the end of playouts, for a page that shows it.

use crate::message::Ownership;
use crate::tree_queries::GamePath;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use tesuji_catalog::Session;

/// The ownership that a connection and its search worker report.
#[derive(Default)]
pub struct Owners {
    /// Whether the page shows it.
    shown: AtomicBool,
    /// That of the last position: it is estimated once per position, unless a search counts it.
    last: Mutex<Option<(GamePath, Ownership)>>,
}

impl Owners {
    /// Sets whether the page shows the owners.
    pub fn show(&self, shown: bool) {
        self.shown.store(shown, Relaxed);
    }

    /// Returns whether the page shows the owners.
    pub fn are_shown(&self) -> bool {
        self.shown.load(Relaxed)
    }

    /// Returns the ownership of a position, if the page shows it: what a search has counted, or
    /// else an estimate, which takes a few hundred playouts the first time.
    pub fn of(&self, game: &dyn Session, counted: Option<Vec<f64>>) -> Ownership {
        if !self.are_shown() {
            return Ownership::default();
        }
        let path = GamePath::of(game);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match (counted, &*last) {
            (None, Some((of, ownership))) if *of == path => ownership.clone(),
            (counted, _) => {
                let ownership = Ownership { ownership: counted.or_else(|| game.ownership()) };
                last.insert((path, ownership)).1.clone()
            }
        }
    }
}
