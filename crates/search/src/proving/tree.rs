//! The tree of the best-first searches: nodes of 16 bytes, siblings side by side.
//!
//! A *block* holds the children of a node, in the order of the game's move list, behind a head that
//! stores their number. A node holds the index of the block of its children. When a node is solved,
//! what its proof does not need is freed at once: of a node that one child solves, only that child
//! remains.
//!
//! ```text
//!   node:  numbers | children ---> head | child | child | ...
//!                  | move
//! ```
//!
//! # Sharing
//!
//! Several workers use a tree without waiting for each other.
//!
//! - *Numbers* are one word, so that a pair is always consistent. They follow from the children: a
//!   worker that has changed a child recomputes the parent, and stores the result unless another
//!   worker was faster. Two workers that change two children at the same instant may miss each
//!   other's change; then the numbers are outdated until another worker visits the node. That costs
//!   a detour and no more: a second look every time would cost two workers a fifteenth of their
//!   speed. Solved nodes are never wrong and never change, and a worker that reaches a node whose
//!   children solve it notices that.
//! - *Children* appear once, complete, with a release store. The right to create them is taken by
//!   setting the block index to [`BUSY`]. They are replaced once, by the solving child, before the
//!   node is marked as solved, or, if there is no memory for that, never: a worker that sees a
//!   solved node sees its final block.
//! - *Memory* is reused only when no worker can access it any more ([`allocation`]).

mod allocation;
#[cfg(test)]
mod tests;

use super::numbers::{answer, of_children, phi_delta};
use allocation::{Detached, NO_CHILD, WorkerArena};
use crossbeam_utils::CachePadded;
use crossbeam_utils::atomic::AtomicCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use tesuji_core::ProofNumbers;

/// The index of the root.
pub const ROOT: u32 = 1;
/// In the place of a block index: the node has no children.
pub const LEAF: u32 = 0;
/// In the place of a block index: a worker is creating the children.
pub const BUSY: u32 = u32::MAX >> 1;
/// Added to the index of a block that must not be replaced any more.
const FINAL: u32 = 1 << 31;

/// A node.
pub struct Node<M> {
    numbers: AtomicU64,
    children: AtomicU32,
    mv: AtomicCell<M>,
}

impl<M: Copy> Node<M> {
    /// Its proof and disproof number.
    #[inline]
    pub fn numbers(&self) -> ProofNumbers {
        unpack(self.numbers.load(Ordering::Acquire))
    }

    /// The move that leads to it.
    #[inline]
    pub fn mv(&self) -> M {
        self.mv.load()
    }

    /// The index of the block of its children, [`LEAF`] or [`BUSY`].
    #[inline]
    pub fn children(&self) -> u32 {
        self.children.load(Ordering::Acquire) & !FINAL
    }
}

#[inline]
fn pack(numbers: ProofNumbers) -> u64 {
    u64::from(numbers.proof) << 32 | u64::from(numbers.disproof)
}

#[inline]
fn unpack(bits: u64) -> ProofNumbers {
    ProofNumbers { proof: (bits >> 32) as u32, disproof: bits as u32 }
}

/// The children of a node outside the tree, usually before they are added to it.
#[derive(Clone, Debug)]
pub struct NewChildren<M> {
    /// Moves and numbers.
    pub children: Vec<(M, ProofNumbers)>,
    /// The index of the first of them among the legal moves: above 0 only if a single child is
    /// left.
    pub move_index: u16,
    /// Whether all legal moves are present.
    pub is_complete: bool,
}

impl<M> NewChildren<M> {
    /// Returns an empty list.
    pub fn new() -> NewChildren<M> {
        NewChildren { children: Vec::new(), move_index: 0, is_complete: true }
    }

    /// Removes all children but one.
    pub fn keep_only(&mut self, child: usize) {
        self.is_complete &= self.children.len() == 1;
        self.move_index += child as u16;
        self.children.swap(0, child);
        self.children.truncate(1);
    }
}

/// The children of a node in the tree.
#[derive(Clone, Copy)]
pub struct Block<'t, M> {
    /// The index of the first child.
    pub first: u32,
    /// The children.
    pub nodes: &'t [Node<M>],
    head: u64,
}

impl<M: Copy> Block<'_, M> {
    /// The index of the first child among the legal moves.
    pub fn move_index(&self) -> u16 {
        (self.head >> 16) as u16
    }

    /// Whether all legal moves are present.
    pub fn is_complete(&self) -> bool {
        self.head >> 32 != 0
    }

    /// Computes the numbers of the parent.
    #[inline]
    pub fn parent_numbers(&self, prover_moves: bool) -> ProofNumbers {
        of_children(prover_moves, self.nodes.iter().map(Node::numbers))
    }

    /// The first of the children with the smallest phi.
    #[inline]
    pub fn best(&self, prover_moves: bool) -> Choice {
        let (mut child, mut least, mut phi_limit) = (0, u32::MAX, u32::MAX);
        let (mut sum, mut best_delta) = (0, 0);
        for (number, node) in self.nodes.iter().enumerate() {
            let (phi, delta) = phi_delta(node.numbers(), prover_moves);
            sum += u64::from(delta);
            if phi < least {
                (child, phi_limit, least, best_delta) = (number, least, phi, delta);
            } else {
                phi_limit = phi_limit.min(phi.saturating_add(1));
            }
        }
        Choice { child, phi_limit, delta_of_rest: sum - u64::from(best_delta) }
    }

    /// Copies the children out of the tree.
    pub fn copy_to(&self, target: &mut NewChildren<M>) {
        target.children.clear();
        target.children.extend(self.nodes.iter().map(|node| (node.mv(), node.numbers())));
        target.move_index = self.move_index();
        target.is_complete = self.is_complete();
    }
}

/// The child at which a descent continues, and the limits of the choice.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The index of the child in its block.
    pub child: usize,
    /// The smallest phi with which the child would not be chosen any more.
    pub phi_limit: u32,
    /// The part of the parent's delta that comes from the other children.
    pub delta_of_rest: u64,
}

fn head(count: usize, move_index: u16, is_complete: bool) -> u64 {
    count as u64 | u64::from(move_index) << 16 | u64::from(is_complete) << 32
}

/// A tree.
pub struct Tree<M> {
    chunk_bits: u32,
    chunks: Vec<OnceLock<Box<[Node<M>]>>>,
    /// Any move, for nodes that are not in use.
    filler: M,
    /// The maximal number of children.
    max_children: usize,
    /// An arena for each worker; more if there were more workers before.
    arenas: Vec<CachePadded<WorkerArena>>,
    /// The first chunk that does not belong to an arena.
    next_chunk: CachePadded<AtomicUsize>,
    /// Whether several workers use the tree.
    is_shared: bool,
    /// Whether the root keeps all its children when it is solved.
    keeps_root: bool,
    epoch: CachePadded<AtomicU64>,
    /// The epoch that each worker has seen.
    seen_epochs: Box<[CachePadded<AtomicU64>]>,
}

/// The size of a node in bytes.
pub const fn bytes_per_node<M>() -> usize {
    size_of::<Node<M>>()
}

impl<M: Copy + Send + Sync> Tree<M> {
    /// Whether several workers use the tree.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// Sets whether the root keeps all its children when it is solved.
    pub fn keep_root(&mut self, keeps_root: bool) {
        self.keeps_root = keeps_root;
    }

    /// Whether a node keeps all its children when it is solved.
    #[inline]
    pub fn keeps_all_children(&self, index: u32) -> bool {
        index == ROOT && self.keeps_root
    }

    /// A node.
    #[inline]
    pub fn at(&self, index: u32) -> &Node<M> {
        let chunk = self.chunks[(index >> self.chunk_bits) as usize].get().expect("a node in use has a chunk");
        &chunk[index as usize & ((1 << self.chunk_bits) - 1)]
    }

    /// The block at an index.
    #[inline]
    pub fn block(&self, block: u32) -> Block<'_, M> {
        let chunk = self.chunks[(block >> self.chunk_bits) as usize].get().expect("a block in use has a chunk");
        let at = block as usize & ((1 << self.chunk_bits) - 1);
        let head = chunk[at].numbers.load(Ordering::Relaxed);
        let count = (head & 0xffff) as usize;
        Block { first: block + 1, nodes: &chunk[at + 1..][..count], head }
    }

    /// The children of a node, if it has any.
    #[inline]
    pub fn children(&self, index: u32) -> Option<Block<'_, M>> {
        match self.at(index).children() {
            LEAF | BUSY => None,
            block => Some(self.block(block)),
        }
    }

    /// The answer, if the root is solved.
    pub fn answer(&self) -> Option<bool> {
        answer(self.at(ROOT).numbers())
    }

    /// Takes the right to expand a leaf; returns false if another worker has it.
    #[inline]
    pub fn claim(&self, index: u32) -> bool {
        let children = &self.at(index).children;
        !self.is_shared || children.compare_exchange(LEAF, BUSY, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Gives up the right to expand a leaf.
    pub fn release(&self, index: u32) {
        self.at(index).children.store(LEAF, Ordering::Release);
    }

    /// Adds the children of a leaf that the worker has claimed, and updates its numbers; returns
    /// false if there is no memory for them.
    pub fn expand(&self, worker: usize, index: u32, new: &NewChildren<M>, prover_moves: bool) -> bool {
        let Some(block) = self.allocate(worker, new.children.len()) else { return false };
        self.write(block, head(new.children.len(), new.move_index, new.is_complete), &new.children);
        let now = of_children(prover_moves, new.children.iter().map(|&(_, numbers)| numbers));
        debug_assert!(
            phi_delta(now, prover_moves).0 > 0 || new.children.len() == 1 || self.keeps_all_children(index),
            "a solving child is the only one, because the block of a solved node is final"
        );
        let node = self.at(index);
        // No other worker changes the numbers of a leaf. The children of a solved node are visible
        // before its numbers; workers that see them earlier compute the same numbers.
        if answer(now).is_none() {
            node.numbers.store(pack(now), Ordering::Release);
            node.children.store(block, Ordering::Release);
        } else {
            node.children.store(block, Ordering::Release);
            node.numbers.store(pack(now), Ordering::Release);
        }
        true
    }

    /// Sets the numbers of a node. No other worker may use the tree.
    pub fn set_numbers(&self, index: u32, numbers: ProofNumbers) {
        let node = self.at(index);
        node.numbers.store(pack(numbers), Ordering::Release);
        node.children.fetch_and(!FINAL, Ordering::Relaxed);
    }

    fn write(&self, block: u32, head: u64, children: &[(M, ProofNumbers)]) {
        self.at(block).numbers.store(head, Ordering::Relaxed);
        for (index, &(mv, numbers)) in (block + 1..).zip(children) {
            let node = self.at(index);
            node.numbers.store(pack(numbers), Ordering::Relaxed);
            node.children.store(LEAF, Ordering::Relaxed);
            node.mv.store(mv);
        }
    }

    /// Recomputes the numbers of a node from its children.
    #[inline]
    pub fn update(&self, worker: usize, index: u32, prover_moves: bool) {
        let node = self.at(index);
        loop {
            let before = node.numbers.load(Ordering::Acquire);
            let block_index = node.children();
            if answer(unpack(before)).is_some() || matches!(block_index, LEAF | BUSY) {
                return;
            }
            let block = self.block(block_index);
            let now = block.parent_numbers(prover_moves);
            if pack(now) == before {
                return;
            }
            if phi_delta(now, prover_moves).0 == 0 && !self.keeps_all_children(index) && block.nodes.len() > 1 {
                let solves = |child: &Node<M>| phi_delta(child.numbers(), prover_moves).0 == 0;
                let child = block.nodes.iter().position(solves).expect("the phi of the parent is 0");
                self.keep_only(worker, node, block_index, child);
            }
            if !self.is_shared {
                node.numbers.store(pack(now), Ordering::Release);
                return;
            }
            if node.numbers.compare_exchange(before, pack(now), Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    /// Detaches all children of a node but the one that solves it.
    fn keep_only(&self, worker: usize, node: &Node<M>, block: u32, child: usize) {
        let Some(kept) = self.allocate(worker, 1) else {
            // Without memory for one more node all children stay, for good: the parent may take
            // them over as soon as the node is marked as solved.
            let _ = node.children.compare_exchange(block, block | FINAL, Ordering::SeqCst, Ordering::Relaxed);
            return;
        };
        let solving = &self.block(block).nodes[child];
        self.write(kept, head(1, child as u16, false), &[(solving.mv(), solving.numbers())]);
        self.at(kept + 1).children.store(solving.children(), Ordering::Relaxed);
        let arena = &self.arenas[worker];
        // Locked before anything is detached: a worker that finds no free memory must see that some
        // is about to be freed.
        let mut free = arena.free();
        if node.children.compare_exchange(block, kept, Ordering::SeqCst, Ordering::Relaxed).is_err() {
            self.free_block(arena, &mut free, kept);
        } else if self.is_shared {
            let epoch = self.epoch.fetch_add(1, Ordering::SeqCst);
            arena.detach(&mut free, Detached { epoch, block, spared_child: child as u32 });
        } else {
            self.free_subtree(arena, &mut free, block, child as u32);
        }
    }

    /// Makes a node a leaf again. No other worker may use the tree.
    pub fn prune(&self, index: u32) {
        let node = self.at(index);
        let below = node.children();
        node.children.store(LEAF, Ordering::Release);
        if below != LEAF {
            self.free_subtree(&self.arenas[0], &mut self.arenas[0].free(), below, NO_CHILD);
        }
    }

    /// Makes a node the root, and frees the rest of the tree.
    pub fn make_root(&mut self, index: u32) {
        if index == ROOT {
            return;
        }
        let (numbers, children) = (self.at(index).numbers(), self.at(index).children());
        self.release(index);
        self.prune(ROOT);
        self.set_numbers(ROOT, numbers);
        self.at(ROOT).children.store(children, Ordering::Relaxed);
    }
}
