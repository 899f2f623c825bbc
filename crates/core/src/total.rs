//! Floats as keys of sorts.

use std::cmp::Ordering;

/// A float in its total order ([`f64::total_cmp`]).
///
/// `sort_by_cached_key` with keys that are the same for all games is one sort; `sort_by` with a closure is a sort for each game, and
/// a sort is as much code as a small search.
#[derive(Clone, Copy, Debug)]
pub struct Total(pub f64);

impl Ord for Total {
    fn cmp(&self, other: &Total) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Total) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Total {
    fn eq(&self, other: &Total) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Total {}
