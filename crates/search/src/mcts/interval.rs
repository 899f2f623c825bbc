//! Proven intervals: what is proven about a node. An interval only becomes narrower.

// `tests/node_protocol.rs` includes this file with loom's atomics in place of the real ones.
use crate::atomics::{AtomicU64, Ordering, fence};

/// A proven interval of the result (-1, 0, 1) or score of one player, the same in the whole tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The proven lower bound.
    pub low: i32,
    /// The proven upper bound.
    pub high: i32,
}

impl Interval {
    /// The widest interval.
    pub const UNKNOWN: Interval = Interval { low: i32::MIN, high: i32::MAX };

    /// An interval with a single value.
    pub fn exact(value: i32) -> Interval {
        Interval { low: value, high: value }
    }

    /// Whether the interval has a single value.
    #[inline]
    pub fn is_solved(self) -> bool {
        self.low >= self.high
    }

    /// The interval of a node from those of its children, if the player to move picks the best one
    /// (`maximises`) or the worst one.
    #[inline]
    pub fn of_children(maximises: bool, children: impl Iterator<Item = Interval>) -> Interval {
        let start = if maximises { i32::MIN } else { i32::MAX };
        let pick = |a: i32, b: i32| if maximises { a.max(b) } else { a.min(b) };
        children.fold(Interval { low: start, high: start }, |best, child| Interval {
            low: pick(best.low, child.low),
            high: pick(best.high, child.high),
        })
    }

    /// Whether a child with this interval can still change the value of a node with the interval
    /// `node`: it is unsolved, and may be better for the player to move than what is proven
    /// already.
    #[inline]
    pub fn matters(self, maximises: bool, node: Interval) -> bool {
        !self.is_solved() && if maximises { self.high > node.low } else { self.low < node.high }
    }
}

/// An interval shared by all workers.
pub struct IntervalCell(AtomicU64);

fn pack(interval: Interval) -> u64 {
    u64::from(interval.low as u32) << 32 | u64::from(interval.high as u32)
}

fn unpack(bits: u64) -> Interval {
    Interval { low: (bits >> 32) as i32, high: bits as i32 }
}

impl IntervalCell {
    /// Creates a cell.
    pub fn new(interval: Interval) -> IntervalCell {
        IntervalCell(AtomicU64::new(pack(interval)))
    }

    /// Reads the interval.
    #[inline]
    pub fn load(&self) -> Interval {
        unpack(self.0.load(Ordering::Acquire))
    }

    /// Sets the interval of a node that no other worker reads.
    pub fn store(&self, interval: Interval) {
        self.0.store(pack(interval), Ordering::Relaxed);
    }

    /// Narrows the interval and returns whether it has changed.
    ///
    /// If it has, later reads of this worker see all proofs made before: of two workers that solve
    /// two siblings, at least one sees both proofs.
    pub fn narrow(&self, proven: Interval) -> bool {
        let mut now = self.0.load(Ordering::Acquire);
        loop {
            let old = unpack(now);
            let new = Interval { low: old.low.max(proven.low), high: old.high.min(proven.high) };
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
    fn the_best_child_determines_the_interval() {
        let children = [Interval { low: -1, high: 0 }, Interval { low: 0, high: 0 }, Interval::exact(-1)];
        assert_eq!(Interval::of_children(true, children.into_iter()), Interval::exact(0));
        assert_eq!(Interval::of_children(false, children.into_iter()), Interval::exact(-1));
    }

    #[test]
    fn a_move_that_cannot_improve_the_value_does_not_matter() {
        let node = Interval { low: 0, high: 1 };
        assert!(!Interval { low: -1, high: 0 }.matters(true, node));
        assert!(Interval { low: -1, high: 1 }.matters(true, node));
        assert!(!Interval::exact(1).matters(true, node));
        assert!(!Interval { low: 1, high: 5 }.matters(false, node));
    }
}
