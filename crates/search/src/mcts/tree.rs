//! The tree: an arena of nodes, siblings side by side, with optional statistics in separate
//! columns.
//!
//! A *node* has a 32-bit id. When a node is expanded, a *block* of consecutive ids is allocated for
//! all its children; the node's *link* stores the first id of the block, the number of children,
//! and the number of *opened* children, among which the formula selects. Usually a child is opened
//! by its first visit; where unvisited children have scores, all are open from the start. Nodes are
//! stored in *chunks*, allocated on first use. A block never crosses the end of a chunk, so its
//! columns are slices. A column that no option needs takes no memory.
//!
//! ```text
//!   node i:   visits and sum of values | link ----> block b: | b | b+1 | ... | b+count-1 |
//!             move | bounds | proof numbers | ...            the opened children come first
//! ```
//!
//! # Concurrency
//!
//! Workers that claim subtrees (see [`super::jobs`]) never use the same node at the same time.
//! With `parallel=tree` several workers use all nodes without locks. Statistics are relaxed
//! atomics: they are estimates, so a slightly stale value is acceptable, and sums are updated with
//! `fetch_add`, so no update is lost. Three things need more:
//!
//! - *Blocks and moves* are written before the link is published with `Release`, and read after the
//!   link is loaded with `Acquire`: a thread that sees the link sees the block. A worker acquires
//!   the right to expand by changing the link from `LEAF` to `BUSY`. Other workers do not wait;
//!   they play out from that node.
//! - *Opening a child* draws one of the unopened children and swaps its move to the front of them.
//!   The right to do so is a bit in the link, acquired by compare-and-swap and released by an
//!   addition that also stores the new number of opened children (`Release`). A worker that fails
//!   to acquire it selects among the opened children. Only the holder touches unopened children.
//! - *Proven bounds* must not be lost, or a solved root would go unnoticed: two workers may solve
//!   two siblings at the same time, and each may read the other's sibling too early. A worker that
//!   has narrowed an interval executes a `SeqCst` fence before it reads the siblings, so at least
//!   one of the two sees both. Intervals only become narrower.
//!
//! A single worker runs the same code with plain loads and stores in place of read-modify-writes.
//! `tests/node_protocol.rs` checks the protocol of links and bounds with loom.

mod columns;
mod node;
mod prune;
mod recycle;
#[cfg(test)]
mod tests;

pub use columns::{Chunk, Columns, bytes_per_node};
pub use node::{Node, SQUARE_UNIT, Tally, UNIT, UNIT_BITS, square};

use super::link::{Link, LinkCell};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering::Relaxed};

/// The number of nodes in a chunk, as a power of two. Larger chunks waste fewer nodes at their
/// ends, but have left the cache by the time their nodes are first used.
const CHUNK_BITS: u32 = 14;
/// The number of nodes in a chunk.
pub const CHUNK: usize = 1 << CHUNK_BITS;
/// The largest number of children of a node, limited by the fields of a link.
pub const MAX_CHILDREN: usize = (1 << 14) - 1;

/// The id of the root.
pub const ROOT: u32 = 0;

/// The least number of nodes that one of several workers reserves at a time. Raising it wastes more
/// of them at the end of a search.
const REGION: usize = 512;
/// A region has room for this many blocks of the size that is needed. Raising it wastes less where
/// a block does not fit into what is left of a region, and more at the end of a search.
const BLOCKS_PER_REGION: usize = 8;

/// Bytes per node reserved for the lists that recycling needs.
const RECYCLE_BYTES: usize = 4;
/// The smallest capacity of a tree in nodes, whatever the memory limit.
const MIN_CAPACITY: usize = 512;

/// Ids that one worker has reserved and not yet used. Workers that allocate from regions of their
/// own do not write to the same cache lines.
#[derive(Default)]
pub struct Region {
    free: Range<u32>,
    /// The number of ids to reserve at a time; 0 for a single worker, which reserves what it needs.
    size: usize,
}

impl Region {
    /// A region for one of several workers.
    pub fn of_worker() -> Region {
        Region { free: 0..0, size: REGION }
    }

    /// Allocates a block of empty nodes; `None` if the tree is full.
    pub fn allocate<M: Copy + Send + Sync>(&mut self, tree: &Tree<M>, count: usize) -> Option<u32> {
        if self.free.len() < count {
            let wanted = if self.size == 0 { count } else { self.size.max(BLOCKS_PER_REGION * count).min(CHUNK) };
            self.free = tree.reserve(count, wanted, self.size > 0)?;
        }
        let first = self.free.start;
        self.free.start += count as u32;
        Some(first)
    }
}

/// A search tree.
pub struct Tree<M> {
    columns: Columns,
    chunks: Vec<OnceLock<Chunk<M>>>,
    placeholder: M,
    capacity: u32,
    next: AtomicU32,
    /// Ids below this one were used before and must be reset when they are allocated again.
    used_before: u32,
    /// Whether several workers use the tree at present.
    shared: AtomicBool,
    /// Whether several workers have used it since it was cleared.
    was_shared: AtomicBool,
}

/// The children of a node: a range of the columns of a chunk.
#[derive(Clone, Copy)]
pub struct Block<'t, M> {
    /// The chunk.
    pub chunk: &'t Chunk<M>,
    /// The index of the first child in the chunk.
    pub begin: usize,
    /// The number of children.
    pub count: usize,
    /// The number of opened children.
    pub opened: usize,
    /// The id of the first child.
    pub first: u32,
}

impl<M: Copy> Block<'_, M> {
    /// The part of a column that belongs to the first `count` children.
    #[inline]
    pub fn of<'c, T>(&self, column: &'c [T], count: usize) -> &'c [T] {
        &column[self.begin..self.begin + count]
    }

    /// The move of a child.
    #[inline]
    pub fn mv(&self, child: usize) -> M {
        self.chunk.moves[self.begin + child].load()
    }

    /// The visits of a child.
    #[inline]
    pub fn visits(&self, child: usize) -> u32 {
        self.chunk.nodes[self.begin + child].visits()
    }

    /// The mean value of a child for the player who chooses it; 0 if it is unvisited.
    pub fn mean(&self, child: usize) -> f64 {
        let visits = self.visits(child);
        let sum = self.chunk.sum(self.begin + child);
        if visits == 0 { 0.0 } else { (sum as f64 / f64::from(UNIT) / f64::from(visits)).clamp(-1.0, 1.0) }
    }
}

impl<M: Copy + Send + Sync> Tree<M> {
    /// Creates an empty tree that uses at most `memory` bytes. `placeholder` is any move; it fills
    /// the moves of unused nodes.
    pub fn new(columns: Columns, memory: usize, placeholder: M) -> Tree<M> {
        let capacity = memory / (bytes_per_node::<M>(columns) + RECYCLE_BYTES);
        let capacity = capacity.clamp(MIN_CAPACITY, u32::MAX as usize);
        let tree = Tree {
            columns,
            chunks: (0..capacity.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect(),
            placeholder,
            capacity: capacity as u32,
            next: AtomicU32::new(0),
            used_before: 0,
            shared: AtomicBool::new(false),
            was_shared: AtomicBool::new(false),
        };
        tree.allocate(1).expect("a tree has room for its root");
        tree
    }

    /// Removes all nodes but an empty root. The memory is kept.
    pub fn clear(&mut self) {
        self.free_from(0);
        *self.was_shared.get_mut() = false;
        self.allocate(1).expect("a tree has room for its root");
    }

    /// Frees all ids from `end` on.
    fn free_from(&mut self, end: u32) {
        self.used_before = self.used_before.max(*self.next.get_mut());
        *self.next.get_mut() = end;
    }

    /// Sets whether several workers use the tree from now on.
    pub fn set_shared(&self, shared: bool) {
        self.shared.store(shared, Relaxed);
        self.was_shared.fetch_or(shared, Relaxed);
    }

    /// Whether the choices stored in links are up to date: several workers do not maintain them.
    pub fn keeps_choices(&self) -> bool {
        !self.was_shared.load(Relaxed)
    }

    /// Whether several workers use the tree.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.shared.load(Relaxed)
    }

    /// The columns in use.
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let nodes: usize = self.chunks.iter().filter_map(OnceLock::get).map(|chunk| chunk.nodes.len()).sum();
        (nodes * bytes_per_node::<M>(self.columns)) as u64
    }

    /// The number of allocated ids.
    pub fn len(&self) -> u32 {
        self.next.load(Relaxed).min(self.capacity)
    }

    /// The chunk of a node and its index there.
    #[inline]
    pub fn at(&self, id: u32) -> (&Chunk<M>, usize) {
        let chunk = self.chunks[(id >> CHUNK_BITS) as usize].get().expect("a node in use has a chunk");
        (chunk, id as usize & (CHUNK - 1))
    }

    /// The visits of a node.
    #[inline]
    pub fn visits(&self, id: u32) -> u32 {
        self.node(id).visits()
    }

    /// A node.
    #[inline]
    pub fn node(&self, id: u32) -> &Node {
        let (chunk, at) = self.at(id);
        &chunk.nodes[at]
    }

    /// The link of a node.
    #[inline]
    pub fn link(&self, id: u32) -> &LinkCell {
        &self.node(id).link
    }

    /// The children that a link refers to.
    #[inline]
    pub fn block(&self, link: Link) -> Block<'_, M> {
        let first = link.first();
        let (chunk, begin) = self.at(first);
        Block { chunk, begin, count: link.count(), opened: link.opened(), first }
    }

    /// The children of a node, if it is expanded.
    pub fn children(&self, id: u32) -> Option<Block<'_, M>> {
        let link = self.link(id).load();
        link.is_expanded().then(|| self.block(link))
    }

    /// Allocates a block of empty nodes; `None` if the tree is full.
    pub(super) fn allocate(&self, count: usize) -> Option<u32> {
        self.reserve(count, count, false).map(|ids| ids.start)
    }

    /// Allocates at least `least` consecutive empty nodes of one chunk, and up to `most` if there
    /// is room; `None` if the tree is full. `several` is whether other workers may do so, too.
    fn reserve(&self, least: usize, most: usize, several: bool) -> Option<Range<u32>> {
        debug_assert!((1..=MAX_CHILDREN).contains(&least));
        let mut next = self.next.load(Relaxed);
        let ids = loop {
            let first = block_start(next, least);
            let left = CHUNK as u32 - (first & (CHUNK as u32 - 1));
            let room = left.min(self.capacity.saturating_sub(first));
            if room < least as u32 {
                return None;
            }
            let end = first + room.min(most as u32);
            if !several {
                self.next.store(end, Relaxed);
                break first..end;
            }
            match self.next.compare_exchange_weak(next, end, Relaxed, Relaxed) {
                Ok(_) => break first..end,
                Err(now) => next = now,
            }
        };
        let number = (ids.start >> CHUNK_BITS) as usize;
        let chunk = self.chunks[number].get_or_init(|| {
            let nodes = CHUNK.min(self.capacity as usize - number * CHUNK);
            Chunk::new(self.columns, nodes, self.placeholder)
        });
        if ids.start < self.used_before {
            chunk.reset(ids.start as usize & (CHUNK - 1), ids.len());
        }
        Some(ids)
    }

    /// Makes a node the root by copying its statistics and its link.
    ///
    /// Nodes that become unreachable stay allocated until the tree is recycled: freeing them here
    /// would delay a search with little time.
    pub fn set_root(&mut self, id: u32) {
        if id != ROOT {
            let (chunk, at) = self.at(id);
            let (root, root_at) = self.at(ROOT);
            chunk.copy(at, 1, root, root_at);
        }
    }

    /// Adds to a counter.
    #[inline]
    pub fn add(&self, cell: &AtomicU32, amount: u32) {
        if self.is_shared() {
            cell.fetch_add(amount, Relaxed);
        } else {
            cell.store(cell.load(Relaxed).wrapping_add(amount), Relaxed);
        }
    }

    /// Adds to a sum.
    #[inline]
    pub fn add_sum(&self, cell: &AtomicI64, amount: i64) {
        if self.is_shared() {
            cell.fetch_add(amount, Relaxed);
        } else {
            cell.store(cell.load(Relaxed) + amount, Relaxed);
        }
    }
}

impl<M: Copy + PartialEq + Send + Sync> Tree<M> {
    /// The node after a sequence of moves from the root, if all of them are open.
    pub fn find(&self, moves: &[M]) -> Option<u32> {
        moves.iter().try_fold(ROOT, |id, mv| {
            let block = self.children(id)?;
            let child = (0..block.opened).find(|&child| block.mv(child) == *mv)?;
            Some(block.first + child as u32)
        })
    }
}

/// The first id of a block if the ids below `next` are taken: `next`, or the start of the next
/// chunk.
fn block_start(next: u32, count: usize) -> u32 {
    let left = CHUNK - (next as usize & (CHUNK - 1));
    if count <= left { next } else { next + left as u32 }
}
