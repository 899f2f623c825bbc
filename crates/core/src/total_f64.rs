//! Floats as sort keys.

use std::cmp::Ordering;

/// A float ordered by [`f64::total_cmp`].
///
/// `sort_by_cached_key` with this key is compiled once for all games. `sort_by` with a closure
/// would be compiled for each game, and a sort is as much code as a small search.
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
