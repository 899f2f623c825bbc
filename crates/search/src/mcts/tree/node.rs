//! The part of a node that every search reads: visits, sum of values, and the link to its children.

use super::super::link::LinkCell;
use super::columns::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of fraction bits in a sum of values.
pub const UNIT_BITS: u32 = 20;
/// Sums of values are stored in units of 2^-20: exact for results, and addition is associative.
pub const UNIT: f32 = (1 << UNIT_BITS) as f32;

/// The number of fraction bits in a sum of squared values.
const SQUARE_BITS: u32 = 32;
/// Sums of squared values are stored in units of 2^-32. The scores of one player differ by a small
/// part of their range, and their variance is the small difference of large sums.
pub const SQUARE_UNIT: f64 = (1u64 << SQUARE_BITS) as f64;

/// The square of a value in units of 1 / [`UNIT`], in units of 1 / [`SQUARE_UNIT`].
#[inline]
pub fn square(value: i64) -> i64 {
    const SHIFT: u32 = 2 * UNIT_BITS - SQUARE_BITS;
    (value * value + (1 << (SHIFT - 1))) >> SHIFT
}

/// The data that a descent needs to choose among children, and to continue below the chosen one.
///
/// Each step of a descent depends on the previous one. Keeping the link next to the statistics
/// means that it is in the cache when its node is chosen.
pub struct Node {
    /// Visits in the lower half; in the upper half the integer part of the sum of values, for the
    /// player who chose the node. Both are read and updated in one operation.
    tally: AtomicU64,
    /// The link to the children.
    pub link: LinkCell,
}

/// Visits and the integer part of a sum of values, packed into 64 bits.
///
/// The halves do not interfere up to 2^31 visits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally(pub u64);

impl Tally {
    /// Packs a change of visits and of the integer part of the sum.
    #[inline]
    pub fn new(visits: i64, whole: i64) -> Tally {
        Tally(((whole << 32) as u64).wrapping_add(visits as u64))
    }

    /// The visits.
    #[inline]
    pub fn visits(self) -> u32 {
        self.0 as u32
    }

    /// The integer part of the sum, rounded down.
    #[inline]
    pub fn whole(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

impl Node {
    /// Visits and the integer part of the sum.
    #[inline]
    pub fn tally(&self) -> Tally {
        Tally(self.tally.load(Relaxed))
    }

    /// The number of visits.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.tally().visits()
    }

    /// Adds visits and an integer value, and returns the new tally.
    #[inline]
    pub fn add(&self, change: Tally, shared: bool) -> Tally {
        if shared {
            return Tally(self.tally.fetch_add(change.0, Relaxed).wrapping_add(change.0));
        }
        let sum = self.tally.load(Relaxed).wrapping_add(change.0);
        self.tally.store(sum, Relaxed);
        Tally(sum)
    }
}

impl Cell for Node {
    fn empty() -> Node {
        Node { tally: Cell::empty(), link: Cell::empty() }
    }

    fn reset(&self) {
        self.tally.reset();
        self.link.reset();
    }

    fn copy_from(&self, other: &Node) {
        self.tally.copy_from(&other.tally);
        self.link.copy_from(&other.link);
    }
}
