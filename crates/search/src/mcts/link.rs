//! The link of a node to its children, and the protocol by which workers expand nodes and open children.

// `tests/node_protocol.rs` takes this file in with loom's atomics in place of the real ones.
use crate::atomics::{AtomicU64, Ordering};

/// A link: the first slot of the children (32 bits), their number (16) and how many of them are open (15), with a bit that
/// says that somebody is opening one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link(u64);

/// The bit of the one who opens a child.
const OPENING: u64 = 1 << 15;

impl Link {
    /// No children yet.
    pub const LEAF: Link = Link(0);
    /// Somebody is making the children.
    const BUSY: Link = Link(u64::MAX);

    /// A link to `count` children, of which the first `opened` are open.
    pub fn new(first: u32, count: usize, opened: usize) -> Link {
        debug_assert!(opened <= count && count < 1 << 15);
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
        (self.0 >> 16 & 0xffff) as usize
    }

    /// How many of them are open.
    #[inline]
    pub fn opened(self) -> usize {
        (self.0 & (OPENING - 1)) as usize
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

    /// The right to expand the node; false if somebody else has it or has done it.
    #[inline]
    pub fn begin_expansion(&self) -> bool {
        self.0.compare_exchange(Link::LEAF.0, Link::BUSY.0, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// The right to open the next child, and the link as it is then; `None` if all are open or somebody else has the right.
    #[inline]
    pub fn begin_opening(&self) -> Option<Link> {
        let now = self.load();
        if now.0 & OPENING != 0 || now.opened() >= now.count() {
            return None;
        }
        let taken = self.0.compare_exchange(now.0, now.0 | OPENING, Ordering::Acquire, Ordering::Relaxed);
        taken.is_ok().then_some(now)
    }

    /// Publishes one more open child, by the one who has the right to.
    #[inline]
    pub fn end_opening(&self, link: Link) {
        self.0.store(link.0 + 1, Ordering::Release);
    }
}
