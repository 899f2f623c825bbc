//! The tree of the best-first searches: an arena of nodes of 16 bytes, children side by side.
//!
//! A *block* holds the children of a node, in the order in which the game lists its moves, behind a slot that serves as its
//! head: it says how many there are. A node holds the number of the block of its children. What a solved node does not need for
//! its proof goes at once, and its room is used again: of a node that one child decides, only that child stays.
//!
//! ```text
//!   node:  numbers | children ---> head | child | child | ...
//!                  | move
//! ```
//!
//! # Sharing
//!
//! Several workers use one tree without waiting for each other. Each takes room from chunks of its own, and from those of another only when there is
//! nothing left anywhere else.
//!
//! - *Numbers* are one word, so that a pair is always a pair. They follow from the children's: who has changed a child works out
//!   the parent, and puts it there if nobody else has in the meantime. Of two who change two children in the same instant each may miss the other's
//!   change; then the number is behind until somebody comes by again. That costs a detour and no more: to look twice each time costs two workers a
//!   fifteenth of their speed. What is solved is never wrong and never changes again, and who comes to a node that its children decide notices it.
//! - *Children* appear once, complete, behind a release. The right to make them is taken by turning the number of the block
//!   into [`BUSY`]. They are replaced once, by the child that decides, before the node is marked as solved, or, where there is no room for that, never:
//!   whoever sees a solved node sees its last block.
//! - *Room* is used again only when nobody can be there any more. Every worker says at the beginning of each descent which epoch it
//!   has seen; what was cut off in an epoch waits until all have seen a later one. It is walked through only then, so that what a worker had
//!   still added there goes with it.

use super::numbers::{answer, of_children, own_and_other};
use crossbeam_utils::CachePadded;
use crossbeam_utils::atomic::AtomicCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tesuji_core::ProofNumbers;

/// The slot of the root.
pub const ROOT: u32 = 1;
/// In place of a block: there is none.
pub const LEAF: u32 = 0;
/// In place of a block: somebody is making it.
pub const BUSY: u32 = u32::MAX >> 1;
/// Added to the number of a block that is not to be replaced any more.
const FINAL: u32 = 1 << 31;

/// However little memory is allowed, a chunk has two to the power of this many slots.
const LEAST_CHUNK_BITS: u32 = 9;
/// However much memory is allowed, it has no more. Larger chunks waste less at their ends, and cost more when a small search begins.
const MOST_CHUNK_BITS: u32 = 15;
/// A worker that is not in the tree.
const AWAY: u64 = u64::MAX;

/// A position.
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

    /// The number of the block of its children, [`LEAF`] or [`BUSY`].
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

/// The children of a node before they are in the tree, or outside of it.
#[derive(Clone, Debug)]
pub struct Brood<M> {
    /// Moves and numbers.
    pub children: Vec<(M, ProofNumbers)>,
    /// The number of the first of them among the legal moves: not 0 only where a single child stands for all.
    pub ordinal: u16,
    /// Whether all legal moves are there.
    pub is_whole: bool,
}

impl<M> Brood<M> {
    /// No children yet.
    pub fn new() -> Brood<M> {
        Brood { children: Vec::new(), ordinal: 0, is_whole: true }
    }

    /// Lets one child stand for all.
    pub fn keep_only(&mut self, child: usize) {
        self.is_whole &= self.children.len() == 1;
        self.ordinal += child as u16;
        self.children.swap(0, child);
        self.children.truncate(1);
    }
}

/// The children of a node.
#[derive(Clone, Copy)]
pub struct Block<'t, M> {
    /// The slot of the first child.
    pub first: u32,
    /// The children.
    pub nodes: &'t [Node<M>],
    head: u64,
}

impl<M: Copy> Block<'_, M> {
    /// The number of the first child among the legal moves.
    pub fn ordinal(&self) -> u16 {
        (self.head >> 16) as u16
    }

    /// Whether all legal moves are there.
    pub fn is_whole(&self) -> bool {
        self.head >> 32 != 0
    }

    /// The numbers of the parent.
    #[inline]
    pub fn parent_numbers(&self, prover_moves: bool) -> ProofNumbers {
        of_children(prover_moves, self.nodes.iter().map(Node::numbers))
    }

    /// The child to look into first: the first of those with the least own number.
    #[inline]
    pub fn best(&self, prover_moves: bool) -> Choice {
        let (mut child, mut least, mut own_limit) = (0, u32::MAX, u32::MAX);
        let (mut sum, mut best_other) = (0, 0);
        for (number, node) in self.nodes.iter().enumerate() {
            let (own, other) = own_and_other(node.numbers(), prover_moves);
            sum += u64::from(other);
            if own < least {
                (child, own_limit, least, best_other) = (number, least, own, other);
            } else {
                own_limit = own_limit.min(own.saturating_add(1));
            }
        }
        Choice { child, own_limit, beside: sum - u64::from(best_other) }
    }

    /// The same children outside the tree.
    pub fn copy_to(&self, brood: &mut Brood<M>) {
        brood.children.clear();
        brood.children.extend(self.nodes.iter().map(|node| (node.mv(), node.numbers())));
        brood.ordinal = self.ordinal();
        brood.is_whole = self.is_whole();
    }
}

/// A child that is gone on with, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Its number among the children.
    pub child: usize,
    /// The least own number with which it would not be chosen any more.
    pub own_limit: u32,
    /// What the others add to the sum.
    pub beside: u64,
}

fn head(count: usize, ordinal: u16, is_whole: bool) -> u64 {
    count as u64 | u64::from(ordinal) << 16 | u64::from(is_whole) << 32
}

/// A block that was cut off.
struct Cut {
    epoch: u64,
    block: u32,
    /// The child whose subtree lives on elsewhere.
    spared: u32,
}

/// Nobody is spared.
const NOBODY: u32 = u32::MAX;

/// The chunks of a worker. A worker writes there with every expansion: what is padded would otherwise be taken away from the others each time.
struct Room {
    free: Mutex<Free>,
    /// The slots that were taken here, less those that were given back here.
    used: AtomicI64,
    /// Something waits for its epoch to end.
    has_cut: AtomicBool,
}

/// What is free in a room.
struct Free {
    /// The slots of its last chunk that were never used.
    fresh: Range<u32>,
    /// The first free block of each size; the head of a free block leads to the next one.
    blocks: Vec<u32>,
    /// What waits for its epoch to end.
    cut: VecDeque<Cut>,
}

impl Room {
    fn new(widest: usize) -> CachePadded<Room> {
        let free = Free { fresh: 0..0, blocks: vec![0; widest + 2], cut: VecDeque::new() };
        CachePadded::new(Room { free: Mutex::new(free), used: AtomicI64::new(0), has_cut: AtomicBool::new(false) })
    }

    fn free(&self) -> MutexGuard<'_, Free> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts slots that were taken or given back, by who has locked the room.
    fn count(&self, slots: i64) {
        self.used.store(self.used.load(Ordering::Relaxed) + slots, Ordering::Relaxed);
    }
}

/// A tree.
pub struct Tree<M> {
    chunk_bits: u32,
    chunks: Vec<OnceLock<Box<[Node<M>]>>>,
    filler: M,
    widest: usize,
    /// A room for each worker; there are more where once there were more workers.
    rooms: Vec<CachePadded<Room>>,
    /// Chunks from here on belong to nobody.
    next_chunk: CachePadded<AtomicUsize>,
    /// Whether several workers use it at present.
    shared: bool,
    /// Whether the root keeps all its children when it is solved.
    keeps_root: bool,
    epoch: CachePadded<AtomicU64>,
    /// The epoch that each worker has seen.
    seen: Box<[CachePadded<AtomicU64>]>,
}

/// The bytes of a slot.
pub const fn bytes_per_slot<M>() -> usize {
    size_of::<Node<M>>()
}

impl<M: Copy + Send + Sync> Tree<M> {
    /// An empty tree of at most so many slots, for a game whose positions have at most `widest` moves; `filler` is any move.
    pub fn new(slots: usize, widest: usize, filler: M) -> Tree<M> {
        let slots = slots.min(u32::MAX as usize / 2);
        let most = slots.max(1).ilog2().max(LEAST_CHUNK_BITS);
        let enough = (widest + 1).next_power_of_two().ilog2().min(most);
        let chunk_bits = (slots / 16).max(1).ilog2().clamp(LEAST_CHUNK_BITS, MOST_CHUNK_BITS).max(enough);
        let mut tree = Tree {
            chunk_bits,
            chunks: Vec::new(),
            filler,
            widest,
            rooms: vec![Room::new(widest)],
            next_chunk: CachePadded::new(AtomicUsize::new(0)),
            shared: false,
            keeps_root: true,
            epoch: CachePadded::new(AtomicU64::new(0)),
            seen: Box::default(),
        };
        tree.resize(slots);
        tree.clear();
        tree
    }

    /// Allows so many slots from now on; false if it has used more already.
    pub fn resize(&mut self, slots: usize) -> bool {
        let slots = slots.clamp(1 << LEAST_CHUNK_BITS, u32::MAX as usize / 2);
        let in_use = *self.next_chunk.get_mut();
        if in_use << self.chunk_bits > slots {
            return false;
        }
        let chunks = (slots >> self.chunk_bits).max(1);
        self.chunks.truncate(chunks);
        self.chunks.resize_with(chunks, OnceLock::new);
        true
    }

    /// A root that is not expanded, and nothing else.
    pub fn clear(&mut self) {
        for room in &mut self.rooms {
            let free = room.free.get_mut().unwrap_or_else(PoisonError::into_inner);
            free.fresh = 0..0;
            free.blocks.fill(0);
            free.cut.clear();
            *room.used.get_mut() = 0;
            *room.has_cut.get_mut() = false;
        }
        *self.next_chunk.get_mut() = 0;
        let block = self.take(0, 1).expect("a tree has room for its root");
        debug_assert_eq!(block + 1, ROOT);
        self.write(block, head(1, 0, true), &[(self.filler, ProofNumbers { proof: 1, disproof: 1 })]);
    }

    /// Says how many workers use it from now on.
    pub fn share(&mut self, workers: usize) {
        self.shared = workers > 1;
        self.seen = (0..workers).map(|_| CachePadded::new(AtomicU64::new(AWAY))).collect();
        let widest = self.widest;
        self.rooms.resize_with(self.rooms.len().max(workers), || Room::new(widest));
        // Nobody is in the tree.
        for room in &self.rooms {
            self.collect(room, &mut room.free());
        }
    }

    /// The slots that it takes at a time.
    pub fn chunk_slots(&self) -> usize {
        1 << self.chunk_bits
    }

    /// Whether several workers use it.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.shared
    }

    /// Whether the root keeps all its children when it is solved.
    pub fn keep_root(&mut self, keeps_root: bool) {
        self.keeps_root = keeps_root;
    }

    /// Whether a node keeps all its children whatever is known of them.
    #[inline]
    pub fn keeps_all(&self, slot: u32) -> bool {
        slot == ROOT && self.keeps_root
    }

    /// The slots in use.
    pub fn used(&self) -> u32 {
        self.rooms.iter().map(|room| room.used.load(Ordering::Relaxed)).sum::<i64>().max(0) as u32
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        let chunks = self.chunks.iter().filter(|chunk| chunk.get().is_some()).count();
        ((chunks << self.chunk_bits) * bytes_per_slot::<M>()) as u64
    }

    /// A node.
    #[inline]
    pub fn at(&self, slot: u32) -> &Node<M> {
        let chunk = self.chunks[(slot >> self.chunk_bits) as usize].get().expect("a slot in use has a chunk");
        &chunk[slot as usize & ((1 << self.chunk_bits) - 1)]
    }

    /// The block of a number.
    #[inline]
    pub fn block(&self, block: u32) -> Block<'_, M> {
        let chunk = self.chunks[(block >> self.chunk_bits) as usize].get().expect("a slot in use has a chunk");
        let at = block as usize & ((1 << self.chunk_bits) - 1);
        let head = chunk[at].numbers.load(Ordering::Relaxed);
        let count = (head & 0xffff) as usize;
        Block { first: block + 1, nodes: &chunk[at + 1..][..count], head }
    }

    /// The children of a node, if it has any.
    #[inline]
    pub fn children(&self, slot: u32) -> Option<Block<'_, M>> {
        match self.at(slot).children() {
            LEAF | BUSY => None,
            block => Some(self.block(block)),
        }
    }

    /// The answer, if it is found.
    pub fn answer(&self) -> Option<bool> {
        answer(self.at(ROOT).numbers())
    }

    /// Takes the right to expand a leaf; false if another has it.
    #[inline]
    pub fn claim(&self, slot: u32) -> bool {
        let children = &self.at(slot).children;
        !self.shared || children.compare_exchange(LEAF, BUSY, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Gives the right to expand a leaf back.
    pub fn release(&self, slot: u32) {
        self.at(slot).children.store(LEAF, Ordering::Release);
    }

    /// Gives a leaf, whose right of expansion a worker has, its children, and works out its numbers; false if there is no room for them.
    pub fn grow(&self, worker: usize, slot: u32, brood: &Brood<M>, prover_moves: bool) -> bool {
        let Some(block) = self.take(worker, brood.children.len()) else { return false };
        self.write(block, head(brood.children.len(), brood.ordinal, brood.is_whole), &brood.children);
        let now = of_children(prover_moves, brood.children.iter().map(|&(_, numbers)| numbers));
        debug_assert!(
            own_and_other(now, prover_moves).0 > 0 || brood.children.len() == 1 || self.keeps_all(slot),
            "the child that decides a node comes alone, for a solved node has its last children"
        );
        let node = self.at(slot);
        // Nobody else changes the numbers of a leaf. The children of a solved node are there before its numbers are, and those who see them before come to the
        // same numbers.
        if answer(now).is_none() {
            node.numbers.store(pack(now), Ordering::Release);
            node.children.store(block, Ordering::Release);
        } else {
            node.children.store(block, Ordering::Release);
            node.numbers.store(pack(now), Ordering::Release);
        }
        true
    }

    /// Sets the numbers of a node; only while nobody else uses the tree.
    pub fn set_numbers(&self, slot: u32, numbers: ProofNumbers) {
        let node = self.at(slot);
        node.numbers.store(pack(numbers), Ordering::Release);
        node.children.fetch_and(!FINAL, Ordering::Relaxed);
    }

    fn write(&self, block: u32, head: u64, children: &[(M, ProofNumbers)]) {
        self.at(block).numbers.store(head, Ordering::Relaxed);
        for (slot, &(mv, numbers)) in (block + 1..).zip(children) {
            let node = self.at(slot);
            node.numbers.store(pack(numbers), Ordering::Relaxed);
            node.children.store(LEAF, Ordering::Relaxed);
            node.mv.store(mv);
        }
    }

    /// Works out the numbers of a node that has children, as one of the workers.
    #[inline]
    pub fn settle(&self, worker: usize, slot: u32, prover_moves: bool) {
        let node = self.at(slot);
        loop {
            let before = node.numbers.load(Ordering::Acquire);
            let number = node.children();
            if answer(unpack(before)).is_some() || matches!(number, LEAF | BUSY) {
                return;
            }
            let block = self.block(number);
            let now = block.parent_numbers(prover_moves);
            if pack(now) == before {
                return;
            }
            if own_and_other(now, prover_moves).0 == 0 && !self.keeps_all(slot) && block.nodes.len() > 1 {
                let decides = |child: &Node<M>| own_and_other(child.numbers(), prover_moves).0 == 0;
                let child = block.nodes.iter().position(decides).expect("the own number of its parent is nothing");
                self.keep_only(worker, node, number, child);
            }
            if !self.shared {
                node.numbers.store(pack(now), Ordering::Release);
                return;
            }
            if node.numbers.compare_exchange(before, pack(now), Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return;
            }
        }
    }

    /// Cuts off all children of a decided node but the one that decides.
    fn keep_only(&self, worker: usize, node: &Node<M>, number: u32, child: usize) {
        let Some(kept) = self.take(worker, 1) else {
            // Without room for one child more, all stay; for good, because the parent may take them over as soon as the node is marked as solved.
            let _ = node.children.compare_exchange(number, number | FINAL, Ordering::SeqCst, Ordering::Relaxed);
            return;
        };
        let decider = &self.block(number).nodes[child];
        self.write(kept, head(1, child as u16, false), &[(decider.mv(), decider.numbers())]);
        self.at(kept + 1).children.store(decider.children(), Ordering::Relaxed);
        let room = &self.rooms[worker];
        // Locked before anything is cut off: who finds it full next must see that some is on its way.
        let mut free = room.free();
        if node.children.compare_exchange(number, kept, Ordering::SeqCst, Ordering::Relaxed).is_err() {
            self.give_back(room, &mut free, kept);
        } else if self.shared {
            let epoch = self.epoch.fetch_add(1, Ordering::SeqCst);
            free.cut.push_back(Cut { epoch, block: number, spared: child as u32 });
            room.has_cut.store(true, Ordering::SeqCst);
        } else {
            self.fell(room, &mut free, number, child as u32);
        }
    }

    /// Makes a node a leaf again; only while nobody else uses the tree.
    pub fn prune(&self, slot: u32) {
        let node = self.at(slot);
        let below = node.children();
        node.children.store(LEAF, Ordering::Release);
        if below != LEAF {
            self.fell(&self.rooms[0], &mut self.rooms[0].free(), below, NOBODY);
        }
    }

    /// Makes the subtree of a node the whole tree.
    pub fn take_root(&mut self, slot: u32) {
        if slot == ROOT {
            return;
        }
        let (numbers, children) = (self.at(slot).numbers(), self.at(slot).children());
        self.release(slot);
        self.prune(ROOT);
        self.set_numbers(ROOT, numbers);
        self.at(ROOT).children.store(children, Ordering::Relaxed);
    }

    /// Takes room for a block, from a worker's own if there is any; `None` if there is none at all.
    fn take(&self, worker: usize, count: usize) -> Option<u32> {
        (worker..self.rooms.len()).chain(0..worker).find_map(|owner| {
            let room = &self.rooms[owner];
            let mut free = room.free();
            let found = self.take_from(room, &mut free, count);
            if found.is_none() && self.collect(room, &mut free) {
                return self.take_from(room, &mut free, count);
            }
            found
        })
    }

    fn take_from(&self, room: &Room, free: &mut Free, count: usize) -> Option<u32> {
        let size = count + 1;
        if size > 1 << self.chunk_bits || size >= free.blocks.len() {
            return None;
        }
        let block = if free.blocks[size] != 0 {
            self.unlink(free, size)
        } else if size <= free.fresh.len() || self.next_chunk(free) {
            let block = free.fresh.start;
            free.fresh.start += size as u32;
            block
        } else {
            // A larger block serves too, if what is left of it is a block.
            let larger = (size + 2..free.blocks.len()).find(|&larger| free.blocks[larger] != 0)?;
            let block = self.unlink(free, larger);
            self.put(free, block + size as u32, larger - size);
            block
        };
        room.count(size as i64);
        Some(block)
    }

    /// Begins a chunk that belongs to nobody; false if there is none.
    fn next_chunk(&self, free: &mut Free) -> bool {
        let next = |chunk: usize| (chunk < self.chunks.len()).then_some(chunk + 1);
        let Ok(chunk) = self.next_chunk.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next) else {
            return false;
        };
        self.make_chunk(chunk);
        self.put(free, free.fresh.start, free.fresh.len());
        free.fresh = (chunk << self.chunk_bits) as u32..((chunk + 1) << self.chunk_bits) as u32;
        true
    }

    fn make_chunk(&self, chunk: usize) {
        self.chunks[chunk].get_or_init(|| {
            let fresh = |_| Node {
                numbers: AtomicU64::new(0),
                children: AtomicU32::new(LEAF),
                mv: AtomicCell::new(self.filler),
            };
            (0..1 << self.chunk_bits).map(fresh).collect()
        });
    }

    fn unlink(&self, free: &mut Free, size: usize) -> u32 {
        let block = free.blocks[size];
        free.blocks[size] = self.at(block).children.load(Ordering::Relaxed);
        block
    }

    /// Puts slots on the list of free blocks. A single slot is of no use, and lost.
    fn put(&self, free: &mut Free, block: u32, size: usize) {
        if size >= 2 {
            self.at(block).children.store(free.blocks[size], Ordering::Relaxed);
            free.blocks[size] = block;
        }
    }

    fn give_back(&self, room: &Room, free: &mut Free, block: u32) {
        let size = self.block(block).nodes.len() + 1;
        self.put(free, block, size);
        room.count(-(size as i64));
    }

    /// Gives back a block and all below it, but for what is below one child. The heads of the blocks still to be looked at form
    /// a list, so that no memory is needed for it.
    fn fell(&self, room: &Room, free: &mut Free, block: u32, spared: u32) {
        let list = |number: u32, rest: u32| self.at(number).children.store(rest, Ordering::Relaxed);
        let (mut next, mut spared) = (block, spared);
        list(block, 0);
        while next != 0 {
            let number = next;
            next = self.at(number).children.load(Ordering::Relaxed);
            for (place, child) in self.block(number).nodes.iter().enumerate() {
                let below = child.children();
                if !matches!(below, LEAF | BUSY) && place as u32 != spared {
                    list(below, next);
                    next = below;
                }
            }
            self.give_back(room, free, number);
            spared = NOBODY;
        }
    }

    /// A worker begins a descent: it has nothing of the tree in mind.
    #[inline]
    pub fn begin(&self, worker: usize) {
        if self.shared {
            self.seen[worker].store(self.epoch.load(Ordering::SeqCst), Ordering::SeqCst);
            std::sync::atomic::fence(Ordering::SeqCst);
            let room = &self.rooms[worker];
            if room.has_cut.load(Ordering::Relaxed) {
                self.collect(room, &mut room.free());
            }
        }
    }

    /// A worker leaves the tree.
    pub fn leave(&self, worker: usize) {
        if self.shared {
            self.seen[worker].store(AWAY, Ordering::SeqCst);
        }
    }

    /// Whether something was cut off and is not free yet.
    pub fn awaits_room(&self) -> bool {
        self.rooms.iter().any(|room| room.has_cut.load(Ordering::SeqCst))
    }

    /// Frees what was cut off before every worker's epoch; whether there was anything.
    fn collect(&self, room: &Room, free: &mut Free) -> bool {
        let oldest = self.seen.iter().map(|seen| seen.load(Ordering::SeqCst)).min().unwrap_or(AWAY);
        let mut found = false;
        while free.cut.front().is_some_and(|cut| cut.epoch < oldest) {
            let cut = free.cut.pop_front().expect("it was just seen");
            self.fell(room, free, cut.block, cut.spared);
            found = true;
        }
        room.has_cut.store(!free.cut.is_empty(), Ordering::SeqCst);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::INFINITE;

    fn brood(count: usize) -> Brood<u8> {
        Brood { children: vec![(0, ProofNumbers { proof: 1, disproof: 1 }); count], ..Brood::new() }
    }

    fn reachable(tree: &Tree<u8>, slot: u32) -> u32 {
        tree.children(slot).map_or(0, |block| {
            let slots = block.first..block.first + block.nodes.len() as u32;
            1 + slots.len() as u32 + slots.map(|slot| reachable(tree, slot)).sum::<u32>()
        })
    }

    fn first_child(tree: &Tree<u8>, slot: u32) -> u32 {
        tree.children(slot).unwrap().first
    }

    fn prove_the_first_child(tree: &Tree<u8>, slot: u32) {
        tree.set_numbers(first_child(tree, slot), ProofNumbers { proof: 0, disproof: INFINITE });
    }

    #[test]
    fn children_of_a_solved_node_are_never_replaced() {
        let mut tree = Tree::<u8>::new(1 << LEAST_CHUNK_BITS, 500, 0);
        tree.share(2);
        (0..2).for_each(|worker| tree.begin(worker));
        let grow = |slot, count| assert!(tree.grow(0, slot, &brood(count), true));
        grow(ROOT, 2);
        let parent = first_child(&tree, ROOT);
        grow(parent, 2);
        let node = first_child(&tree, parent);
        grow(node, 2);
        grow(node + 1, 20);
        let left = tree.rooms[0].free().fresh.len();
        grow(parent + 1, left - 1);
        // One finds the node decided, and no room to keep only what decides. Another has seen the same block.
        prove_the_first_child(&tree, node);
        let number = tree.at(node).children();
        tree.settle(0, node, true);
        assert_eq!(answer(tree.at(node).numbers()), Some(true));
        // Some room comes back, and the parent takes the children over.
        tree.prune(node + 1);
        tree.settle(0, parent, true);
        assert_eq!(tree.children(parent).unwrap().nodes.len(), 1);
        // Only now the other one goes on.
        tree.keep_only(1, tree.at(node), number, 0);
        assert_eq!(tree.children(first_child(&tree, parent)).unwrap().nodes.len(), 2);
        (0..6).for_each(|turn| tree.begin(turn % 2));
        assert!(!tree.awaits_room());
        assert_eq!(2 + reachable(&tree, ROOT), tree.used());
    }
}
