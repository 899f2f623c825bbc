//! The link of a node to its children, and the protocol for expanding nodes and opening children.

// `tests/node_protocol.rs` includes this file with loom's atomics in place of the real ones.
use crate::atomics::{AtomicU64, Ordering};

/// A link, packed into 64 bits: the id of the first child (32 bits), a proof mark (1), the number
/// of children (15), a bit held by the worker that opens a child (1), and the number of opened
/// children (15).
///
/// The proof mark says that something may be proven about the node or one of its children. If the
/// last field exceeds the number of children, all are open, and the excess is 1 plus the child to
/// visit next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link(u64);

/// The bit held by the worker that opens a child.
const OPENING: u64 = 1 << 15;
/// The proof mark.
const PROOFS: u64 = 1 << 31;

impl Link {
    /// The node has no children yet.
    pub const LEAF: Link = Link(0);
    /// A worker is creating the children.
    const BUSY: Link = Link(u64::MAX);

    /// A link to `count` children, of which the first `opened` are open.
    pub fn new(first: u32, count: usize, opened: usize) -> Link {
        debug_assert!(opened <= count && count < 1 << 14);
        Link(u64::from(first) << 32 | (count as u64) << 16 | opened as u64)
    }

    /// Whether the node has children.
    #[inline]
    pub fn is_expanded(self) -> bool {
        self != Link::LEAF && self != Link::BUSY
    }

    /// The id of the first child.
    #[inline]
    pub fn first(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The number of children.
    #[inline]
    pub fn count(self) -> usize {
        (self.0 >> 16 & 0x7fff) as usize
    }

    /// The number of opened children.
    #[inline]
    pub fn opened(self) -> usize {
        self.last_field().min(self.count())
    }

    /// Whether all children are open.
    #[inline]
    pub fn is_open(self) -> bool {
        self.last_field() >= self.count()
    }

    /// The child to visit next, if all are open and it has been chosen.
    #[inline]
    pub fn choice(self) -> Option<usize> {
        self.last_field().checked_sub(self.count() + 1)
    }

    /// The same link with all children open and another choice.
    #[inline]
    pub fn with_choice(self, choice: Option<usize>) -> Link {
        let field = self.count() + choice.map_or(0, |child| child + 1);
        Link(self.0 & !(OPENING - 1) | field as u64)
    }

    #[inline]
    fn last_field(self) -> usize {
        (self.0 & (OPENING - 1)) as usize
    }

    /// Whether something may be proven about the node or a child. If not, no interval need be read.
    #[inline]
    pub fn knows_proofs(self) -> bool {
        self.0 & PROOFS != 0
    }

    /// The same link to children at another place.
    pub fn moved_to(self, first: u32) -> Link {
        Link(u64::from(first) << 32 | self.0 & 0xffff_ffff)
    }
}

/// The link of a node, shared by all workers.
pub struct LinkCell(AtomicU64);

impl LinkCell {
    /// Creates a cell.
    pub fn new(link: Link) -> LinkCell {
        LinkCell(AtomicU64::new(link.0))
    }

    /// Reads the link. A thread that sees children sees everything written to them before.
    #[inline]
    pub fn load(&self) -> Link {
        Link(self.0.load(Ordering::Acquire))
    }

    /// Publishes a link. The caller must hold the right to change it.
    #[inline]
    pub fn store(&self, link: Link) {
        self.0.store(link.0, Ordering::Release);
    }

    /// Acquires the right to expand the node; false if another worker has it or has expanded the
    /// node. A single worker (not `shared`) needs no synchronisation.
    #[inline]
    pub fn begin_expansion(&self, shared: bool) -> bool {
        if !shared {
            return self.load() == Link::LEAF;
        }
        self.0.compare_exchange(Link::LEAF.0, Link::BUSY.0, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Waits while another worker is creating the children, and returns the link: to the children,
    /// or of a leaf if there was no room for them.
    pub fn wait_while_busy(&self) -> Link {
        loop {
            match self.load() {
                Link::BUSY => std::thread::yield_now(),
                link => return link,
            }
        }
    }

    /// Acquires the right to open the next child and returns the current link; `None` if all are
    /// open or another worker has the right.
    #[inline]
    pub fn begin_opening(&self, shared: bool) -> Option<Link> {
        let now = self.load();
        if now.0 & OPENING != 0 || now.opened() >= now.count() {
            return None;
        }
        if !shared {
            return Some(now);
        }
        let taken = self.0.compare_exchange(now.0, now.0 | OPENING, Ordering::Acquire, Ordering::Relaxed);
        taken.is_ok().then_some(now)
    }

    /// Releases the right to open a child and stores the new number of opened children. `before` is
    /// the link returned by [`LinkCell::begin_opening`].
    #[inline]
    pub fn end_opening(&self, before: Link, opened: usize, shared: bool) {
        let more = (opened - before.opened()) as u64;
        if shared {
            // The proof mark may have been set in the meantime.
            self.0.fetch_add(more.wrapping_sub(OPENING), Ordering::Release);
        } else {
            self.0.store(before.0 + more, Ordering::Release);
        }
    }

    /// Sets the proof mark of an expanded node.
    pub fn note_proofs(&self, shared: bool) {
        let now = self.load();
        if now.knows_proofs() {
            return;
        }
        if shared {
            self.0.fetch_or(PROOFS, Ordering::Release);
        } else {
            self.0.store(now.0 | PROOFS, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_implies_that_all_children_are_open_and_can_be_removed() {
        for count in [1, 7, (1 << 14) - 1] {
            let link = Link::new(9, count, count);
            assert_eq!((link.is_open(), link.choice()), (true, None));
            for child in [0, count / 2, count - 1] {
                let chosen = link.with_choice(Some(child));
                assert_eq!((chosen.choice(), chosen.opened(), chosen.count()), (Some(child), count, count));
                assert_eq!((chosen.moved_to(5).first(), chosen.moved_to(5).choice()), (5, Some(child)));
                assert!(chosen.is_expanded() && chosen.is_open() && !chosen.knows_proofs());
                assert_eq!(chosen.with_choice(None), link);
            }
        }
        let half_open = Link::new(9, 7, 3);
        assert_eq!((half_open.is_open(), half_open.choice(), half_open.opened()), (false, None, 3));
        assert_eq!(Link::LEAF.choice(), None);
        assert_eq!(Link::BUSY.choice(), None);
    }
}
