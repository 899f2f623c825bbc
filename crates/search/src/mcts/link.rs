//! The link of a node to its children, and the protocol by which workers expand nodes and open children.

// `tests/node_protocol.rs` takes this file in with loom's atomics in place of the real ones.
use crate::atomics::{AtomicU64, Ordering};

/// A link: the first slot of the children (32 bits), a mark, their number (15) and how many of them are open (15), with a bit that
/// says that somebody is opening one. The mark says that something may be proved of the node or of a child. Above the number of
/// children, the last field says that all are open, and which of them is to be visited next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link(u64);

/// The bit of the one who opens a child.
const OPENING: u64 = 1 << 15;
/// The mark.
const PROOFS: u64 = 1 << 31;

impl Link {
    /// No children yet.
    pub const LEAF: Link = Link(0);
    /// Somebody is making the children.
    const BUSY: Link = Link(u64::MAX);

    /// A link to `count` children, of which the first `opened` are open.
    pub fn new(first: u32, count: usize, opened: usize) -> Link {
        debug_assert!(opened <= count && count < 1 << 14);
        Link(u64::from(first) << 32 | (count as u64) << 16 | opened as u64)
    }

    /// Whether there are children to be seen.
    #[inline]
    pub fn is_expanded(self) -> bool {
        self != Link::LEAF && self != Link::BUSY
    }

    /// The slot of the first child.
    #[inline]
    pub fn first(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The number of children.
    #[inline]
    pub fn count(self) -> usize {
        (self.0 >> 16 & 0x7fff) as usize
    }

    /// How many of them are open.
    #[inline]
    pub fn opened(self) -> usize {
        self.last_field().min(self.count())
    }

    /// Whether all of them are open.
    #[inline]
    pub fn is_open(self) -> bool {
        self.last_field() >= self.count()
    }

    /// The child to be visited next, if all are open and that is known.
    #[inline]
    pub fn choice(self) -> Option<usize> {
        self.last_field().checked_sub(self.count() + 1)
    }

    /// The same link with a choice, or without; all children are open.
    #[inline]
    pub fn with_choice(self, choice: Option<usize>) -> Link {
        let field = self.count() + choice.map_or(0, |child| child + 1);
        Link(self.0 & !(OPENING - 1) | field as u64)
    }

    #[inline]
    fn last_field(self) -> usize {
        (self.0 & (OPENING - 1)) as usize
    }

    /// Whether something may be proved of the node or of a child. If not, no interval has to be looked at.
    #[inline]
    pub fn knows_proofs(self) -> bool {
        self.0 & PROOFS != 0
    }

    /// The same children in another place.
    pub fn moved_to(self, first: u32) -> Link {
        Link(u64::from(first) << 32 | self.0 & 0xffff_ffff)
    }
}

/// The link of a node, as all workers see it.
pub struct LinkCell(AtomicU64);

impl LinkCell {
    /// A cell with a link in it.
    pub fn new(link: Link) -> LinkCell {
        LinkCell(AtomicU64::new(link.0))
    }

    /// Reads the link; who sees children sees what was written into them before.
    #[inline]
    pub fn load(&self) -> Link {
        Link(self.0.load(Ordering::Acquire))
    }

    /// Publishes a link, by the one who has the right to.
    #[inline]
    pub fn store(&self, link: Link) {
        self.0.store(link.0, Ordering::Release);
    }

    /// The right to expand the node; false if somebody else has it or has done it. Who works alone (not `shared`) has all rights.
    #[inline]
    pub fn begin_expansion(&self, shared: bool) -> bool {
        if !shared {
            return self.load() == Link::LEAF;
        }
        self.0.compare_exchange(Link::LEAF.0, Link::BUSY.0, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// The right to open the next child, and the link as it is then; `None` if all are open or somebody else has the right.
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

    /// Gives back the right to open a child, and says how many are open now; `before` is the link by which it was taken.
    #[inline]
    pub fn end_opening(&self, before: Link, opened: usize, shared: bool) {
        let more = (opened - before.opened()) as u64;
        if shared {
            // The mark may have been set in the meantime.
            self.0.fetch_add(more.wrapping_sub(OPENING), Ordering::Release);
        } else {
            self.0.store(before.0 + more, Ordering::Release);
        }
    }

    /// Marks a node that has children as one of which, or of a child of which, something is proved.
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
    fn a_choice_says_that_all_are_open_and_is_taken_back() {
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
