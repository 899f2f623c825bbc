//! The memory of a tree: chunks of nodes, free lists, and the deferred reuse of detached blocks.
//!
//! Each worker allocates from an arena of its own, and from those of other workers only if there is
//! no memory left anywhere else.
//!
//! A detached block is freed only when no worker can access it any more (epoch-based reclamation).
//! At the start of each descent a worker publishes the epoch that it has seen; a block detached in
//! an epoch is freed when all workers have seen a later one. Its subtree is traversed only then, so
//! that nodes that a worker added there meanwhile are freed as well.

use super::{BUSY, LEAF, Node, ROOT, Tree, bytes_per_node, head};
use crossbeam_utils::CachePadded;
use crossbeam_utils::atomic::AtomicCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tesuji_core::ProofNumbers;

/// The binary logarithm of the smallest chunk, for any memory limit.
pub(super) const MIN_CHUNK_BITS: u32 = 9;
/// The binary logarithm of the largest chunk. Larger chunks waste less at their ends, and cost more
/// at the start of a small search.
const MAX_CHUNK_BITS: u32 = 15;
/// The epoch of a worker that is not in the tree.
const AWAY: u64 = u64::MAX;
/// In the place of a child to spare: there is none.
pub(super) const NO_CHILD: u32 = u32::MAX;

/// A block that was detached from the tree and is not free yet.
pub(super) struct Detached {
    pub epoch: u64,
    pub block: u32,
    /// The child whose subtree is still in use.
    pub spared_child: u32,
}

/// The chunks of a worker. Padded, because the worker writes here with every expansion.
pub(super) struct WorkerArena {
    free: Mutex<FreeNodes>,
    /// The nodes allocated here less the nodes freed here.
    used: AtomicI64,
    /// Whether detached blocks wait here.
    has_detached: AtomicBool,
}

/// The free memory of an arena.
pub(super) struct FreeNodes {
    /// The part of its last chunk that was never used.
    pub unused: Range<u32>,
    /// The first free block of each size; the head of a free block leads to the next one.
    blocks: Vec<u32>,
    /// Blocks that wait for their epoch to end.
    detached: VecDeque<Detached>,
}

impl WorkerArena {
    fn new(max_children: usize) -> CachePadded<WorkerArena> {
        let free = FreeNodes { unused: 0..0, blocks: vec![0; max_children + 2], detached: VecDeque::new() };
        CachePadded::new(WorkerArena {
            free: Mutex::new(free),
            used: AtomicI64::new(0),
            has_detached: AtomicBool::new(false),
        })
    }

    pub(super) fn free(&self) -> MutexGuard<'_, FreeNodes> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to the number of used nodes. The caller holds the lock.
    fn count(&self, nodes: i64) {
        self.used.store(self.used.load(Ordering::Relaxed) + nodes, Ordering::Relaxed);
    }

    /// Puts a detached block on the waiting list.
    pub(super) fn detach(&self, free: &mut FreeNodes, detached: Detached) {
        free.detached.push_back(detached);
        self.has_detached.store(true, Ordering::SeqCst);
    }
}

impl<M: Copy + Send + Sync> Tree<M> {
    /// Returns a tree that consists of an unexpanded root, with at most `capacity` nodes, for a
    /// game with at most `max_children` moves in a position; `filler` is any move.
    pub fn new(capacity: usize, max_children: usize, filler: M) -> Tree<M> {
        let capacity = capacity.min(u32::MAX as usize / 2);
        let most = capacity.max(1).ilog2().max(MIN_CHUNK_BITS);
        let needed = (max_children + 1).next_power_of_two().ilog2().min(most);
        let chunk_bits = (capacity / 16).max(1).ilog2().clamp(MIN_CHUNK_BITS, MAX_CHUNK_BITS).max(needed);
        let mut tree = Tree {
            chunk_bits,
            chunks: Vec::new(),
            filler,
            max_children,
            arenas: vec![WorkerArena::new(max_children)],
            next_chunk: CachePadded::new(AtomicUsize::new(0)),
            is_shared: false,
            keeps_root: true,
            epoch: CachePadded::new(AtomicU64::new(0)),
            seen_epochs: Box::default(),
        };
        tree.resize(capacity);
        tree.clear();
        tree
    }

    /// Changes the maximal number of nodes; returns false if more are in use already.
    pub fn resize(&mut self, capacity: usize) -> bool {
        let capacity = capacity.clamp(1 << MIN_CHUNK_BITS, u32::MAX as usize / 2);
        let in_use = *self.next_chunk.get_mut();
        if in_use << self.chunk_bits > capacity {
            return false;
        }
        let chunks = (capacity >> self.chunk_bits).max(1);
        self.chunks.truncate(chunks);
        self.chunks.resize_with(chunks, OnceLock::new);
        true
    }

    /// Removes all nodes but an unexpanded root.
    pub fn clear(&mut self) {
        for arena in &mut self.arenas {
            let free = arena.free.get_mut().unwrap_or_else(PoisonError::into_inner);
            free.unused = 0..0;
            free.blocks.fill(0);
            free.detached.clear();
            *arena.used.get_mut() = 0;
            *arena.has_detached.get_mut() = false;
        }
        *self.next_chunk.get_mut() = 0;
        let block = self.allocate(0, 1).expect("a tree has memory for its root");
        debug_assert_eq!(block + 1, ROOT);
        self.write(block, head(1, 0, true), &[(self.filler, ProofNumbers { proof: 1, disproof: 1 })]);
    }

    /// Sets the number of workers that use the tree from now on. No worker may be in the tree.
    pub fn share(&mut self, workers: usize) {
        self.is_shared = workers > 1;
        self.seen_epochs = (0..workers).map(|_| CachePadded::new(AtomicU64::new(AWAY))).collect();
        let max_children = self.max_children;
        self.arenas.resize_with(self.arenas.len().max(workers), || WorkerArena::new(max_children));
        for arena in &self.arenas {
            self.free_detached(arena, &mut arena.free());
        }
    }

    /// The number of nodes in a chunk.
    pub fn chunk_nodes(&self) -> usize {
        1 << self.chunk_bits
    }

    /// The number of nodes in use, including the heads of blocks.
    pub fn used(&self) -> u32 {
        self.arenas.iter().map(|arena| arena.used.load(Ordering::Relaxed)).sum::<i64>().max(0) as u32
    }

    /// The size of all allocated chunks in bytes.
    pub fn bytes(&self) -> u64 {
        let chunks = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        ((chunks << self.chunk_bits) * bytes_per_node::<M>()) as u64
    }

    /// Allocates a block for a number of children, from the worker's own arena if possible.
    pub(super) fn allocate(&self, worker: usize, children: usize) -> Option<u32> {
        (worker..self.arenas.len()).chain(0..worker).find_map(|owner| {
            let arena = &self.arenas[owner];
            let mut free = arena.free();
            let block = self.allocate_from(arena, &mut free, children);
            if block.is_none() && self.free_detached(arena, &mut free) {
                return self.allocate_from(arena, &mut free, children);
            }
            block
        })
    }

    fn allocate_from(&self, arena: &WorkerArena, free: &mut FreeNodes, children: usize) -> Option<u32> {
        let size = children + 1;
        if size > 1 << self.chunk_bits || size >= free.blocks.len() {
            return None;
        }
        let block = if free.blocks[size] != 0 {
            self.unlink(free, size)
        } else if size <= free.unused.len() || self.start_chunk(free) {
            let block = free.unused.start;
            free.unused.start += size as u32;
            block
        } else {
            // A larger block serves too, if the remainder is a block.
            let larger = (size + 2..free.blocks.len()).find(|&larger| free.blocks[larger] != 0)?;
            let block = self.unlink(free, larger);
            self.link(free, block + size as u32, larger - size);
            block
        };
        arena.count(size as i64);
        Some(block)
    }

    /// Takes a chunk that does not belong to an arena; returns false if there is none.
    fn start_chunk(&self, free: &mut FreeNodes) -> bool {
        let next = |chunk: usize| (chunk < self.chunks.len()).then_some(chunk + 1);
        let Ok(chunk) = self.next_chunk.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) else {
            return false;
        };
        self.create_chunk(chunk);
        self.link(free, free.unused.start, free.unused.len());
        free.unused = (chunk << self.chunk_bits) as u32..((chunk + 1) << self.chunk_bits) as u32;
        true
    }

    fn create_chunk(&self, chunk: usize) {
        self.chunks[chunk].get_or_init(|| {
            let unused = |_| Node {
                numbers: AtomicU64::new(0),
                children: AtomicU32::new(LEAF),
                mv: AtomicCell::new(self.filler),
            };
            (0..1 << self.chunk_bits).map(unused).collect()
        });
    }

    /// Takes the first block of a size from its free list.
    fn unlink(&self, free: &mut FreeNodes, size: usize) -> u32 {
        let block = free.blocks[size];
        free.blocks[size] = self.at(block).children.load(Ordering::Relaxed);
        block
    }

    /// Puts a block on the free list of its size. A single node is of no use, and lost.
    fn link(&self, free: &mut FreeNodes, block: u32, size: usize) {
        if size >= 2 {
            self.at(block).children.store(free.blocks[size], Ordering::Relaxed);
            free.blocks[size] = block;
        }
    }

    pub(super) fn free_block(&self, arena: &WorkerArena, free: &mut FreeNodes, block: u32) {
        let size = self.block(block).nodes.len() + 1;
        self.link(free, block, size);
        arena.count(-(size as i64));
    }

    /// Frees a block and everything below it, except the subtree of one child. The heads of the
    /// blocks still to be visited form a linked list, so that no memory is needed for it.
    pub(super) fn free_subtree(&self, arena: &WorkerArena, free: &mut FreeNodes, block: u32, spared_child: u32) {
        let link = |block: u32, rest: u32| self.at(block).children.store(rest, Ordering::Relaxed);
        let (mut next, mut spared_child) = (block, spared_child);
        link(block, 0);
        while next != 0 {
            let block = next;
            next = self.at(block).children.load(Ordering::Relaxed);
            for (number, child) in self.block(block).nodes.iter().enumerate() {
                let below = child.children();
                if !matches!(below, LEAF | BUSY) && number as u32 != spared_child {
                    link(below, next);
                    next = below;
                }
            }
            self.free_block(arena, free, block);
            spared_child = NO_CHILD;
        }
    }

    /// Announces that a worker starts a descent, and holds no references into the tree.
    #[inline]
    pub fn start_descent(&self, worker: usize) {
        if self.is_shared {
            self.seen_epochs[worker].store(self.epoch.load(Ordering::SeqCst), Ordering::SeqCst);
            std::sync::atomic::fence(Ordering::SeqCst);
            let arena = &self.arenas[worker];
            if arena.has_detached.load(Ordering::Relaxed) {
                self.free_detached(arena, &mut arena.free());
            }
        }
    }

    /// Announces that a worker has left the tree.
    pub fn leave(&self, worker: usize) {
        if self.is_shared {
            self.seen_epochs[worker].store(AWAY, Ordering::SeqCst);
        }
    }

    /// Whether detached blocks wait to be freed.
    pub fn has_detached(&self) -> bool {
        self.arenas.iter().any(|arena| arena.has_detached.load(Ordering::SeqCst))
    }

    /// Frees the blocks that were detached before the epoch of every worker; returns whether there
    /// were any.
    fn free_detached(&self, arena: &WorkerArena, free: &mut FreeNodes) -> bool {
        let oldest = self.seen_epochs.iter().map(|seen| seen.load(Ordering::SeqCst)).min().unwrap_or(AWAY);
        let mut found = false;
        while free.detached.front().is_some_and(|detached| detached.epoch < oldest) {
            let detached = free.detached.pop_front().expect("the list has a front");
            self.free_subtree(arena, free, detached.block, detached.spared_child);
            found = true;
        }
        arena.has_detached.store(!free.detached.is_empty(), Ordering::SeqCst);
        found
    }
}
