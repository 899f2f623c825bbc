//! What is proved of a node: an interval that only grows narrower.

// `tests/node_protocol.rs` takes this file in with loom's atomics in place of the real ones.
use crate::atomics::{AtomicU64, Ordering, fence};

/// A proved interval of what one player, the same all over the tree, can get: results (-1, 0, 1) or scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// It gets at least this.
    pub low: i32,
    /// It gets at most this.
    pub high: i32,
}

impl Interval {
    /// The widest interval.
    pub const NOTHING_KNOWN: Interval = Interval { low: i32::MIN, high: i32::MAX };

    /// One value.
    pub fn exactly(value: i32) -> Interval {
        Interval { low: value, high: value }
    }

    /// Whether it is one value.
    #[inline]
    pub fn is_decided(self) -> bool {
        self.low >= self.high
    }

    /// What follows from intervals of the children, for the one who picks the best (`maximises`) or the worst of them.
    #[inline]
    pub fn chosen(maximises: bool, children: impl Iterator<Item = Interval>) -> Interval {
        let start = if maximises { i32::MIN } else { i32::MAX };
        let pick = |a: i32, b: i32| if maximises { a.max(b) } else { a.min(b) };
        children.fold(Interval { low: start, high: start }, |sum, child| Interval {
            low: pick(sum.low, child.low),
            high: pick(sum.high, child.high),
        })
    }

    /// Whether a move with this interval can still matter at a node that has the interval `node`: the one who chooses there
    /// cannot get more (or less) by it than is sure already.
    #[inline]
    pub fn matters(self, maximises: bool, node: Interval) -> bool {
        !self.is_decided() && if maximises { self.high > node.low } else { self.low < node.high }
    }
}

/// An interval as all workers see it.
pub struct IntervalCell(AtomicU64);

fn pack(interval: Interval) -> u64 {
    u64::from(interval.low as u32) << 32 | u64::from(interval.high as u32)
}

fn unpack(bits: u64) -> Interval {
    Interval { low: (bits >> 32) as i32, high: bits as i32 }
}

impl IntervalCell {
    /// A cell with an interval in it.
    pub fn new(interval: Interval) -> IntervalCell {
        IntervalCell(AtomicU64::new(pack(interval)))
    }

    /// Reads the interval.
    #[inline]
    pub fn load(&self) -> Interval {
        unpack(self.0.load(Ordering::Acquire))
    }

    /// Sets the interval, where nobody else looks.
    pub fn store(&self, interval: Interval) {
        self.0.store(pack(interval), Ordering::Relaxed);
    }

    /// Narrows the interval by what has been proved; says whether that told anything new. If so, what this worker reads
    /// afterwards is not older than that: of two workers who prove two siblings, one at least sees both proofs.
    pub fn narrow(&self, proved: Interval) -> bool {
        let mut now = self.0.load(Ordering::Acquire);
        loop {
            let old = unpack(now);
            let new = Interval { low: old.low.max(proved.low), high: old.high.min(proved.high) };
            if new == old {
                return false;
            }
            match self.0.compare_exchange(now, pack(new), Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {
                    fence(Ordering::SeqCst);
                    return true;
                }
                Err(other) => now = other,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_of_the_children_decides() {
        let children = [Interval { low: -1, high: 0 }, Interval { low: 0, high: 0 }, Interval::exactly(-1)];
        assert_eq!(Interval::chosen(true, children.into_iter()), Interval::exactly(0));
        assert_eq!(Interval::chosen(false, children.into_iter()), Interval::exactly(-1));
    }

    #[test]
    fn a_move_that_cannot_improve_does_not_matter() {
        let node = Interval { low: 0, high: 1 };
        assert!(!Interval { low: -1, high: 0 }.matters(true, node));
        assert!(Interval { low: -1, high: 1 }.matters(true, node));
        assert!(!Interval::exactly(1).matters(true, node));
        assert!(!Interval { low: 1, high: 5 }.matters(false, node));
    }
}
