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
//! Several workers use one tree without locks; only taking and giving back room goes through one.
//!
//! - *Numbers* are one word, so that a pair is always a pair. They follow from the children's: who has changed a child works out
//!   the parent, puts it there if nobody else has in the meantime, and looks again whether that is still right. The last to
//!   write thus looks after its own writing, and when all are at rest every number is the one that follows from the children.
//!   All this is sequentially consistent: of two who change two children, the later one sees both. A solved node never changes again.
//! - *Children* appear once, complete, behind a release. The right to make them is taken by turning the number of the block
//!   into [`BUSY`]. They are replaced once, by the child that decides, before the node is marked as solved: whoever sees a
//!   solved node sees its last block.
//! - *Room* is used again only when nobody can be there any more. Every worker says at the beginning of each descent which epoch it
//!   has seen; what was cut off in an epoch waits until all have seen a later one. It is walked through only then, so that what a worker had
//!   still added there goes with it.

use super::numbers::{answer, of_children, own_and_other};
use crossbeam_utils::CachePadded;
use crossbeam_utils::atomic::AtomicCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tesuji_core::ProofNumbers;

/// The slot of the root.
pub const ROOT: u32 = 1;
/// In place of a block: there is none.
pub const LEAF: u32 = 0;
/// In place of a block: somebody is making it.
pub const BUSY: u32 = u32::MAX;

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
        unpack(self.numbers.load(Ordering::SeqCst))
    }

    /// The move that leads to it.
    #[inline]
    pub fn mv(&self) -> M {
        self.mv.load()
    }

    /// The number of the block of its children, [`LEAF`] or [`BUSY`].
    #[inline]
    pub fn children(&self) -> u32 {
        self.children.load(Ordering::Acquire)
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
    pub fn best(&self, prover_moves: bool) -> usize {
        let (mut best, mut least) = (0, u32::MAX);
        for (number, node) in self.nodes.iter().enumerate() {
            let (own, _) = own_and_other(node.numbers(), prover_moves);
            if own < least {
                (best, least) = (number, own);
            }
        }
        best
    }

    /// The same children outside the tree.
    pub fn copy_to(&self, brood: &mut Brood<M>) {
        brood.children.clear();
        brood.children.extend(self.nodes.iter().map(|node| (node.mv(), node.numbers())));
        brood.ordinal = self.ordinal();
        brood.is_whole = self.is_whole();
    }
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

/// What is free.
struct Room {
    /// Slots from here on were never used.
    next: u32,
    /// The first free block of each size; the head of a free block leads to the next one.
    free: Vec<u32>,
    /// What waits for its epoch to end.
    cut: VecDeque<Cut>,
}

/// A tree.
pub struct Tree<M> {
    chunk_bits: u32,
    chunks: Vec<OnceLock<Box<[Node<M>]>>>,
    filler: M,
    /// Written with every expansion: in the line of what every look needs, it would take that away from the other workers each time.
    room: CachePadded<Mutex<Room>>,
    used: CachePadded<AtomicU32>,
    /// Whether several workers use it at present.
    shared: bool,
    /// Whether the root keeps all its children when it is solved.
    keeps_root: bool,
    epoch: CachePadded<AtomicU64>,
    /// The epoch that each worker has seen.
    seen: Box<[CachePadded<AtomicU64>]>,
    has_cut: AtomicBool,
}

/// What came of working out a node again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// Its numbers are what they were.
    Same,
    /// They have changed.
    Changed,
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
            room: CachePadded::new(Mutex::new(Room { next: 0, free: vec![0; widest + 2], cut: VecDeque::new() })),
            used: CachePadded::new(AtomicU32::new(0)),
            shared: false,
            keeps_root: true,
            epoch: CachePadded::new(AtomicU64::new(0)),
            seen: Box::default(),
            has_cut: AtomicBool::new(false),
        };
        tree.resize(slots);
        tree.clear();
        tree
    }

    /// Allows so many slots from now on; false if it has used more already.
    pub fn resize(&mut self, slots: usize) -> bool {
        let slots = slots.clamp(1 << LEAST_CHUNK_BITS, u32::MAX as usize / 2);
        let in_use = self.room().next.div_ceil(1 << self.chunk_bits) as usize;
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
        let room = self.room.get_mut().unwrap_or_else(PoisonError::into_inner);
        room.next = 0;
        room.free.fill(0);
        room.cut.clear();
        *self.has_cut.get_mut() = false;
        *self.used.get_mut() = 0;
        let block = self.take(1).expect("a tree has room for its root");
        debug_assert_eq!(block + 1, ROOT);
        self.write(block, head(1, 0, true), &[(self.filler, ProofNumbers { proof: 1, disproof: 1 })]);
    }

    /// Says how many workers use it from now on.
    pub fn share(&mut self, workers: usize) {
        self.shared = workers > 1;
        self.seen = (0..workers).map(|_| CachePadded::new(AtomicU64::new(AWAY))).collect();
        self.reclaim();
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
        self.used.load(Ordering::Relaxed)
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

    /// Gives a leaf, whose right of expansion one has, its children; false if there is no room for them.
    pub fn grow(&self, slot: u32, brood: &Brood<M>) -> bool {
        let Some(block) = self.take(brood.children.len()) else {
            return false;
        };
        self.write(block, head(brood.children.len(), brood.ordinal, brood.is_whole), &brood.children);
        self.at(slot).children.store(block, Ordering::Release);
        true
    }

    /// Sets the numbers of a leaf; only while nobody else uses the tree.
    pub fn set_numbers(&self, slot: u32, numbers: ProofNumbers) {
        self.at(slot).numbers.store(pack(numbers), Ordering::Release);
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

    /// Works out the numbers of a node that has children.
    #[inline]
    pub fn settle(&self, slot: u32, prover_moves: bool) -> Settled {
        let node = self.at(slot);
        let mut settled = Settled::Same;
        loop {
            let before = node.numbers.load(Ordering::SeqCst);
            let number = node.children();
            if answer(unpack(before)).is_some() || matches!(number, LEAF | BUSY) {
                return settled;
            }
            let block = self.block(number);
            let now = block.parent_numbers(prover_moves);
            if pack(now) == before {
                return settled;
            }
            if own_and_other(now, prover_moves).0 == 0 {
                self.keep_the_deciding_child(node, slot, number, block, prover_moves);
            }
            if !self.shared {
                node.numbers.store(pack(now), Ordering::Release);
                return Settled::Changed;
            }
            if node.numbers.compare_exchange(before, pack(now), Ordering::SeqCst, Ordering::Relaxed).is_ok() {
                settled = Settled::Changed;
            }
        }
    }

    /// Cuts off all children of a decided node but the one that decides.
    fn keep_the_deciding_child(&self, node: &Node<M>, slot: u32, number: u32, block: Block<'_, M>, prover_moves: bool) {
        if self.keeps_all(slot) || block.nodes.len() < 2 {
            return;
        }
        let decides = |child: &Node<M>| own_and_other(child.numbers(), prover_moves).0 == 0;
        let child = block.nodes.iter().position(decides).expect("the own number of its parent is nothing");
        // Without room for one child more, all stay.
        let Some(kept) = self.take(1) else { return };
        let decider = &block.nodes[child];
        self.write(kept, head(1, child as u16, false), &[(decider.mv(), decider.numbers())]);
        self.at(kept + 1).children.store(decider.children(), Ordering::Relaxed);
        let replaced = node.children.compare_exchange(number, kept, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        if !replaced {
            self.give_back(&mut self.room(), kept);
        } else if self.shared {
            let epoch = self.epoch.fetch_add(1, Ordering::SeqCst);
            let mut room = self.room();
            room.cut.push_back(Cut { epoch, block: number, spared: child as u32 });
            // While the room is locked: who finds it full next must see that some is on its way.
            self.has_cut.store(true, Ordering::SeqCst);
        } else {
            self.fell(&mut self.room(), number, child as u32);
        }
    }

    /// Makes the subtree of a node the whole tree.
    pub fn take_root(&mut self, slot: u32) {
        if slot == ROOT {
            return;
        }
        let (numbers, children) = (self.at(slot).numbers(), self.at(slot).children());
        self.release(slot);
        let old = self.at(ROOT).children();
        if old != LEAF {
            self.fell(&mut self.room(), old, NOBODY);
        }
        self.set_numbers(ROOT, numbers);
        self.at(ROOT).children.store(children, Ordering::Relaxed);
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes room for a block; `None` if there is none.
    fn take(&self, count: usize) -> Option<u32> {
        let mut room = self.room();
        let found = self.take_from(&mut room, count);
        if found.is_none() && self.collect(&mut room) {
            return self.take_from(&mut room, count);
        }
        found
    }

    fn take_from(&self, room: &mut Room, count: usize) -> Option<u32> {
        let chunk_size = 1 << self.chunk_bits;
        let size = count + 1;
        if size > chunk_size || size >= room.free.len() {
            return None;
        }
        let block = if room.free[size] != 0 {
            self.unlink(room, size)
        } else {
            let left = chunk_size - (room.next as usize & (chunk_size - 1));
            let skipped = if size <= left { 0 } else { left };
            if room.next as usize + skipped + size <= self.chunks.len() << self.chunk_bits {
                self.make_chunk(room.next as usize + skipped);
                let next = room.next;
                room.next += (skipped + size) as u32;
                self.put(room, next, skipped);
                next + skipped as u32
            } else {
                // A larger block serves too, if what is left of it is a block.
                let larger = (size + 2..room.free.len()).find(|&larger| room.free[larger] != 0)?;
                let block = self.unlink(room, larger);
                self.put(room, block + size as u32, larger - size);
                block
            }
        };
        self.used.store(self.used() + size as u32, Ordering::Relaxed);
        Some(block)
    }

    fn make_chunk(&self, slot: usize) {
        self.chunks[slot >> self.chunk_bits].get_or_init(|| {
            let fresh = |_| Node {
                numbers: AtomicU64::new(0),
                children: AtomicU32::new(LEAF),
                mv: AtomicCell::new(self.filler),
            };
            (0..1 << self.chunk_bits).map(fresh).collect()
        });
    }

    fn unlink(&self, room: &mut Room, size: usize) -> u32 {
        let block = room.free[size];
        room.free[size] = self.at(block).children.load(Ordering::Relaxed);
        block
    }

    /// Puts slots on the list of free blocks. A single slot is of no use, and lost.
    fn put(&self, room: &mut Room, block: u32, size: usize) {
        if size >= 2 {
            self.at(block).children.store(room.free[size], Ordering::Relaxed);
            room.free[size] = block;
        }
    }

    fn give_back(&self, room: &mut Room, block: u32) {
        let size = self.block(block).nodes.len() + 1;
        self.put(room, block, size);
        self.used.store(self.used() - size as u32, Ordering::Relaxed);
    }

    /// Gives back a block and all below it, but for what is below one child. The heads of the blocks still to be looked at form
    /// a list, so that no memory is needed for it.
    fn fell(&self, room: &mut Room, block: u32, spared: u32) {
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
            self.give_back(room, number);
            spared = NOBODY;
        }
    }

    /// A worker begins a descent: it has nothing of the tree in mind.
    #[inline]
    pub fn begin(&self, worker: usize) {
        if self.shared {
            self.seen[worker].store(self.epoch.load(Ordering::SeqCst), Ordering::SeqCst);
            std::sync::atomic::fence(Ordering::SeqCst);
            if self.has_cut.load(Ordering::Relaxed) {
                self.collect(&mut self.room());
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
        self.has_cut.load(Ordering::SeqCst)
    }

    /// Frees what was cut off before every worker's epoch; whether there was anything.
    fn collect(&self, room: &mut Room) -> bool {
        let oldest = self.seen.iter().map(|seen| seen.load(Ordering::SeqCst)).min().unwrap_or(AWAY);
        let mut found = false;
        while room.cut.front().is_some_and(|cut| cut.epoch < oldest) {
            let cut = room.cut.pop_front().expect("it was just seen");
            self.fell(room, cut.block, cut.spared);
            found = true;
        }
        self.has_cut.store(!room.cut.is_empty(), Ordering::SeqCst);
        found
    }

    /// Frees all that was cut off: nobody is in the tree.
    fn reclaim(&mut self) {
        self.collect(&mut self.room());
    }
}
