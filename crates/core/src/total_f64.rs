//! Floats as keys of sorts.

use std::cmp::Ordering;

/// A float in its total order ([`f64::total_cmp`]).
///
/// `sort_by_cached_key` with keys that are the same for all games is one sort; `sort_by` with a closure is a sort for each game, and
/// a sort is as much code as a small search.
#[derive(Clone, Copy, Debug)]
pub struct TotalF64(pub f64);

impl Ord for TotalF64 {
    fn cmp(&self, other: &TotalF64) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for TotalF64 {
    fn partial_cmp(&self, other: &TotalF64) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for TotalF64 {
    fn eq(&self, other: &TotalF64) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for TotalF64 {}
