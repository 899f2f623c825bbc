//! The tree: an arena of nodes, children side by side; what only some searches need is a column of its own.
//!
//! A *node* is a slot with a 32-bit number. When a node is expanded, a *block* of slots is taken for all its children at once;
//! the node's *link* says where the block begins, how many slots it has, and how many of them have been opened (visited).
//! Slots live in *chunks* made when they are first needed; a block never straddles two chunks, so its columns are slices.
//! A column that no part of the search asks for has no memory.
//!
//! ```text
//!   slot s:   visits and sum of values | link ----> block b: | b | b+1 | ... | b+count-1 |
//!             move | bounds | proof numbers | ...            opened: the first ones
//! ```
//!
//! # Sharing
//!
//! Several workers use one tree without locks. Statistics are relaxed atomics: they only ever say how good a move looks, an
//! answer a little out of date is as good as any, and sums are changed by `fetch_add`, so nothing is lost. Three things need more:
//!
//! - *A block and its moves* are written before the link is published with `Release`, and read after the link was loaded
//!   with `Acquire`: who sees the link sees the block. A worker takes the right to expand by turning the link from
//!   `LEAF` to `BUSY`; nobody waits for it: the others play out from where they are.
//! - *Opening a child* draws it among the unopened and swaps its move to the front of them. The right to do so is a bit in
//!   the link, taken by compare-and-swap and given back, by an addition, with the new number of opened children (`Release`). A
//!   worker that does not get it chooses among those already open. Slots beyond the opened ones are touched by the holder only.
//! - *Proved bounds* must not be lost, or a decided root would go unnoticed: two workers may prove two children at the same
//!   time, and each may look at the other's child too early. A worker that has narrowed an interval passes a `SeqCst` fence before
//!   it looks at the siblings, so that of two workers at least one sees both. Intervals only ever grow narrower.
//!
//! With one worker the same code runs, with plain loads and stores in place of read-modify-writes. `tests/node_protocol.rs`
//! checks the protocol of links and bounds with loom.

use crossbeam_utils::atomic::AtomicCell;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::interval::{Interval, IntervalCell};
use super::link::{Link, LinkCell};
use super::positions::Positions;
use super::select::LANES;

/// Slots of a chunk, as a power of two. Larger chunks waste less at their ends, and have left the cache when their nodes are used first.
const CHUNK_BITS: u32 = 14;
/// Slots of a chunk.
pub const CHUNK: usize = 1 << CHUNK_BITS;
/// The most children a node can have, as links count them.
pub const MOST_CHILDREN: usize = (1 << 14) - 1;

/// Sums of values are kept in units of 2^-20: exact for results, and adding is the same in any order.
pub const UNIT: f32 = (1 << UNIT_BITS) as f32;
const UNIT_BITS: u32 = 20;

/// The slot of the root.
pub const ROOT: u32 = 0;

/// Which columns a search uses beside moves, visits, sums and links.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Columns {
    /// Fractions of sums of values, where values are not all whole numbers.
    pub fractions: bool,
    /// Sums of squares of values.
    pub squares: bool,
    /// Proved bounds.
    pub bounds: bool,
    /// Proof and disproof numbers, and the bonus of their rank.
    pub proof: bool,
    /// A second pair of numbers, for "at least a draw".
    pub draw_proof: bool,
    /// All-moves-as-first statistics.
    pub amaf: bool,
    /// The numbers of moves.
    pub indices: bool,
    /// Lost simulations.
    pub losses: bool,
    /// Transition probabilities.
    pub weights: bool,
    /// Evaluations that count as visits.
    pub priors: bool,
    /// Evaluations backed up by minimax.
    pub implicit: bool,
    /// Not a column: whether nodes may share their children.
    pub shares_blocks: bool,
}

/// What a column is made of.
trait Cell {
    /// As it is in a slot that was never used.
    fn fresh() -> Self;
    /// Makes it fresh again.
    fn wipe(&self);
    /// Becomes equal to another.
    fn copy_from(&self, other: &Self);
}

macro_rules! atomic_cells {
    ($($atomic:ty,)*) => {
        $(impl Cell for $atomic {
            fn fresh() -> Self {
                <$atomic>::new(0)
            }

            fn wipe(&self) {
                self.store(0, Relaxed);
            }

            fn copy_from(&self, other: &Self) {
                self.store(other.load(Relaxed), Relaxed);
            }
        })*
    };
}

atomic_cells!(AtomicU32, AtomicU64, AtomicI64,);

impl Cell for LinkCell {
    fn fresh() -> LinkCell {
        LinkCell::new(Link::LEAF)
    }

    fn wipe(&self) {
        self.store(Link::LEAF);
    }

    fn copy_from(&self, other: &LinkCell) {
        self.store(other.load());
    }
}

impl Cell for IntervalCell {
    fn fresh() -> IntervalCell {
        IntervalCell::new(Interval::NOTHING_KNOWN)
    }

    fn wipe(&self) {
        self.store(Interval::NOTHING_KNOWN);
    }

    fn copy_from(&self, other: &IntervalCell) {
        self.store(other.load());
    }
}

/// What a descent needs of the children to choose one of them, and of that one to choose below it. It stands together, because
/// each step waits for the one before: when a child is chosen, its link is in the cache.
pub struct Node {
    /// The visits in the lower half; in the upper one the whole part of the sum of their values, for the player who chose the node.
    /// Together they are read, and changed, in one step.
    tally: AtomicU64,
    /// Where the children are.
    pub link: LinkCell,
}

/// Visits and the whole part of the sum of their values, as one number says both: up to 2^31 visits they do not touch each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally(pub u64);

impl Tally {
    /// So many visits, or fewer than before, and so much more of the sum.
    #[inline]
    pub fn new(visits: i64, whole: i64) -> Tally {
        Tally(((whole << 32) as u64).wrapping_add(visits as u64))
    }

    /// The visits.
    #[inline]
    pub fn visits(self) -> u32 {
        self.0 as u32
    }

    /// The whole part of the sum: the largest number that is not above it.
    #[inline]
    pub fn whole(self) -> i32 {
        (self.0 >> 32) as i32
    }
}

impl Node {
    /// Visits and whole part of the sum.
    #[inline]
    pub fn tally(&self) -> Tally {
        Tally(self.tally.load(Relaxed))
    }

    /// How often it was visited.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.tally().visits()
    }

    /// Adds visits and a whole value; gives what it is then.
    #[inline]
    pub fn add(&self, more: Tally, shared: bool) -> Tally {
        if shared {
            return Tally(self.tally.fetch_add(more.0, Relaxed).wrapping_add(more.0));
        }
        let sum = self.tally.load(Relaxed).wrapping_add(more.0);
        self.tally.store(sum, Relaxed);
        Tally(sum)
    }
}

impl Cell for Node {
    fn fresh() -> Node {
        Node { tally: Cell::fresh(), link: Cell::fresh() }
    }

    fn wipe(&self) {
        self.tally.wipe();
        self.link.wipe();
    }

    fn copy_from(&self, other: &Node) {
        self.tally.copy_from(&other.tally);
        self.link.copy_from(&other.link);
    }
}

/// Where the fraction of a sum begins in its 32 bits: at the upper end, so that a carry is an overflow.
const FRACTION_SHIFT: u32 = 32 - UNIT_BITS;

macro_rules! columns {
    ($($(#[$meta:meta])* $name:ident : $cell:ty, $used:expr;)*) => {
        /// [`CHUNK`] slots (the last chunk may have fewer), and a few more at the end that are read and never used.
        pub struct Chunk<M> {
            /// What every node has.
            pub nodes: Box<[Node]>,
            /// The moves that lead to them.
            pub moves: Box<[AtomicCell<M>]>,
            $($(#[$meta])* pub $name: Box<[$cell]>,)*
        }

        impl<M: Copy> Chunk<M> {
            fn new(columns: Columns, slots: usize, filler: M) -> Chunk<M> {
                let slots = slots + LANES;
                Chunk {
                    nodes: (0..slots).map(|_| Node::fresh()).collect(),
                    moves: (0..slots).map(|_| AtomicCell::new(filler)).collect(),
                    $($name: {
                        let used: fn(Columns) -> bool = $used;
                        (0..if used(columns) { slots } else { 0 }).map(|_| <$cell>::fresh()).collect()
                    },)*
                }
            }

            /// Makes slots as they were when new, but for their moves.
            fn wipe(&self, begin: usize, count: usize) {
                self.nodes[begin..begin + count].iter().for_each(Cell::wipe);
                $(if !self.$name.is_empty() {
                    self.$name[begin..begin + count].iter().for_each(Cell::wipe);
                })*
            }

            /// Copies slots to a place in the same or another chunk; where the two overlap, to a lower place.
            fn copy(&self, begin: usize, count: usize, target: &Chunk<M>, target_begin: usize) {
                for at in 0..count {
                    target.nodes[target_begin + at].copy_from(&self.nodes[begin + at]);
                    target.moves[target_begin + at].store(self.moves[begin + at].load());
                    $(if !self.$name.is_empty() {
                        target.$name[target_begin + at].copy_from(&self.$name[begin + at]);
                    })*
                }
            }
        }

        /// The bytes of a slot.
        pub fn bytes_per_node<M>(columns: Columns) -> usize {
            size_of::<Node>() + size_of::<AtomicCell<M>>()
                $(+ {
                    let used: fn(Columns) -> bool = $used;
                    if used(columns) { size_of::<$cell>() } else { 0 }
                })*
        }
    };
}

columns! {
    /// What the whole part leaves of a sum of values.
    fractions: AtomicU32, |columns| columns.fractions;
    /// Squares of the values, added up, in the same unit.
    squares: AtomicI64, |columns| columns.squares;
    /// Proved bounds.
    bounds: IntervalCell, |columns| columns.bounds;
    /// Proof and disproof number, as [`super::proof_numbers`] packs them.
    proof: AtomicU64, |columns| columns.proof;
    /// The bonus of the rank among the siblings, as bits of an `f32`.
    bonus: AtomicU32, |columns| columns.proof;
    /// The second pair of numbers.
    draw_proof: AtomicU64, |columns| columns.draw_proof;
    /// How often the move was played later on.
    amaf_visits: AtomicU32, |columns| columns.amaf;
    /// The values of these simulations.
    amaf_sums: AtomicI64, |columns| columns.amaf;
    /// The number of the move.
    indices: AtomicU32, |columns| columns.indices;
    /// Simulations lost by the player who chose the node.
    losses: AtomicU32, |columns| columns.losses;
    /// The transition probability of the move, as bits of an `f32`.
    weights: AtomicU32, |columns| columns.weights;
    /// The evaluation of the node for the player who chose it, as bits of an `f32`.
    priors: AtomicU32, |columns| columns.priors;
    /// The same, backed up by minimax from the evaluations below.
    implicit: AtomicU32, |columns| columns.implicit;
}

impl<M> Chunk<M> {
    /// The values of a node's visits for the player who chose it, added up, in units of 1 / [`UNIT`].
    #[inline]
    pub fn sum(&self, at: usize) -> i64 {
        let fraction = self.fractions.get(at).map_or(0, |cell| cell.load(Relaxed) >> FRACTION_SHIFT);
        (i64::from(self.nodes[at].tally().whole()) << UNIT_BITS) + i64::from(fraction)
    }

    /// Adds visits and their value, in units of 1 / [`UNIT`]. The sum is short by less than 1 while a carry is on its way.
    #[inline]
    pub fn add(&self, at: usize, visits: i64, value: i64, shared: bool) {
        let mut whole = value >> UNIT_BITS;
        let fraction = ((value - (whole << UNIT_BITS)) as u32) << FRACTION_SHIFT;
        if fraction != 0 {
            let cell = &self.fractions[at];
            let before = if shared {
                cell.fetch_add(fraction, Relaxed)
            } else {
                let before = cell.load(Relaxed);
                cell.store(before.wrapping_add(fraction), Relaxed);
                before
            };
            whole += i64::from(before.checked_add(fraction).is_none());
        }
        self.nodes[at].add(Tally::new(visits, whole), shared);
    }
}

/// Nodes thrown away at a time leave this share of the tree. Raising it keeps more, and makes throwing away more frequent.
const KEPT_SHARE: f64 = 0.5;
/// Bytes for each slot that throwing away may need in addition, for its lists of blocks.
const LIST_BYTES: usize = 4;
/// However little memory is allowed, a tree has so many slots.
const LEAST_SLOTS: usize = 512;

/// A tree.
pub struct Tree<M> {
    columns: Columns,
    chunks: Vec<OnceLock<Chunk<M>>>,
    filler: M,
    capacity: u32,
    next: AtomicU32,
    /// Slots below this number were used before and must be wiped when they are taken again.
    used_before: u32,
    /// Whether workers share the tree at present.
    shared: AtomicBool,
    /// Whether they ever did.
    was_shared: AtomicBool,
}

/// The children of a node: their slots' columns, of which a slice belongs to them.
#[derive(Clone, Copy)]
pub struct Block<'t, M> {
    /// The columns.
    pub chunk: &'t Chunk<M>,
    /// Where the slice begins.
    pub begin: usize,
    /// Its length.
    pub count: usize,
    /// How many of them are open.
    pub opened: usize,
    /// The slot number of the first.
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

    /// The mean value of a child for the player who chooses it; 0 if it was not visited.
    pub fn mean(&self, child: usize) -> f64 {
        let visits = self.visits(child);
        let sum = self.chunk.sum(self.begin + child);
        if visits == 0 { 0.0 } else { (sum as f64 / f64::from(UNIT) / f64::from(visits)).clamp(-1.0, 1.0) }
    }
}

impl<M: Copy + Send + Sync> Tree<M> {
    /// An empty tree within so many bytes; `filler` is any move, for slots that have none yet.
    pub fn new(columns: Columns, memory: usize, filler: M) -> Tree<M> {
        let slots = memory / (bytes_per_node::<M>(columns) + LIST_BYTES);
        let slots = slots.clamp(LEAST_SLOTS, u32::MAX as usize);
        let tree = Tree {
            columns,
            chunks: (0..slots.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect(),
            filler,
            capacity: slots as u32,
            next: AtomicU32::new(0),
            used_before: 0,
            shared: AtomicBool::new(false),
            was_shared: AtomicBool::new(false),
        };
        tree.take(1).expect("a tree has room for its root");
        tree
    }

    /// The tree for a search of its own: as if new, in the same memory.
    pub fn clear(&mut self) {
        self.used_before = self.used_before.max(*self.next.get_mut());
        *self.next.get_mut() = 0;
        *self.was_shared.get_mut() = false;
        self.take(1).expect("a tree has room for its root");
    }

    /// Says whether several workers use the tree from now on.
    pub fn share(&self, shared: bool) {
        self.shared.store(shared, Relaxed);
        self.was_shared.fetch_or(shared, Relaxed);
    }

    /// Whether the children that links say are to be visited next can be relied on: several workers leave them as they are.
    pub fn keeps_choices(&self) -> bool {
        !self.was_shared.load(Relaxed)
    }

    /// Whether several workers use it.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.shared.load(Relaxed)
    }

    /// The columns it has.
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The bytes it takes at present.
    pub fn bytes(&self) -> u64 {
        let slots: usize = self.chunks.iter().filter_map(OnceLock::get).map(|chunk| chunk.nodes.len()).sum();
        (slots * bytes_per_node::<M>(self.columns)) as u64
    }

    /// The slots in use.
    pub fn len(&self) -> u32 {
        self.next.load(Relaxed).min(self.capacity)
    }

    /// The chunk of a slot and its place there.
    #[inline]
    pub fn at(&self, slot: u32) -> (&Chunk<M>, usize) {
        let chunk = self.chunks[(slot >> CHUNK_BITS) as usize].get().expect("a slot in use has a chunk");
        (chunk, slot as usize & (CHUNK - 1))
    }

    /// The visits of a node.
    #[inline]
    pub fn visits(&self, slot: u32) -> u32 {
        self.node(slot).visits()
    }

    /// What every node has, of this one.
    #[inline]
    pub fn node(&self, slot: u32) -> &Node {
        let (chunk, at) = self.at(slot);
        &chunk.nodes[at]
    }

    /// The link of a node.
    #[inline]
    pub fn link(&self, slot: u32) -> &LinkCell {
        &self.node(slot).link
    }

    /// The children behind a link.
    #[inline]
    pub fn block(&self, link: Link) -> Block<'_, M> {
        let first = link.first();
        let (chunk, begin) = self.at(first);
        Block { chunk, begin, count: link.count(), opened: link.opened(), first }
    }

    /// The children of a node, if it has been expanded.
    pub fn children(&self, slot: u32) -> Option<Block<'_, M>> {
        let link = self.link(slot).load();
        link.is_expanded().then(|| self.block(link))
    }

    /// Takes a block of slots, wiped; `None` if the tree is full.
    pub fn take(&self, count: usize) -> Option<u32> {
        debug_assert!((1..=MOST_CHILDREN).contains(&count));
        let mut next = self.next.load(Relaxed);
        let first = loop {
            let first = place(next, count);
            let end = first.checked_add(count as u32).filter(|&end| end <= self.capacity)?;
            if !self.is_shared() {
                self.next.store(end, Relaxed);
                break first;
            }
            match self.next.compare_exchange_weak(next, end, Relaxed, Relaxed) {
                Ok(_) => break first,
                Err(now) => next = now,
            }
        };
        let number = (first >> CHUNK_BITS) as usize;
        let chunk = self.chunks[number].get_or_init(|| {
            let slots = CHUNK.min(self.capacity as usize - number * CHUNK);
            Chunk::new(self.columns, slots, self.filler)
        });
        if first < self.used_before {
            chunk.wipe(first as usize & (CHUNK - 1), count);
        }
        Some(first)
    }

    /// Makes the subtree of a node the whole tree: its statistics become the root's. All else is out of reach, and goes when
    /// room is needed: throwing it away now would keep a search with little time from beginning.
    pub fn take_root(&mut self, slot: u32) {
        if slot != ROOT {
            let (chunk, at) = self.at(slot);
            let (root, root_at) = self.at(ROOT);
            chunk.copy(at, 1, root, root_at);
        }
    }

    /// Throws the children of the least visited nodes away, so that about half of the room is free again. Gives up half-way when
    /// asked to stop; the tree is sound then too. Returns the number of slots gained.
    pub fn recycle(&mut self, positions: Option<&mut Positions>, stop: &dyn Fn() -> bool) -> u32 {
        let before = self.len();
        if let Some(least) = self.least_visits_to_keep(stop) {
            self.compact(least, positions, stop);
        }
        before - self.len()
    }

    /// The fewest visits with which a node keeps its children, so that enough room becomes free; `None` if asked to stop.
    fn least_visits_to_keep(&self, stop: &dyn Fn() -> bool) -> Option<u32> {
        // Slots of children by the visits of their parent, in eighths of octaves. Shared children count for every parent, so more
        // may be thrown away than is needed.
        let mut slots = [0u64; 8 * 33];
        let bucket = |visits: u32| {
            let octave = visits.max(1).ilog2();
            (8 * octave + ((visits << (31 - octave)) >> 28 & 7)) as usize
        };
        let mut seen = FxHashSet::default();
        let mut stack = vec![ROOT];
        let mut steps = 0u32;
        while let Some(slot) = stack.pop() {
            let Some(children) = self.children(slot) else { continue };
            slots[bucket(self.visits(slot))] += children.count as u64;
            if self.columns.shares_blocks && !seen.insert(children.first) {
                continue;
            }
            stack.extend((0..children.count as u32).map(|child| children.first + child));
            steps += 1;
            if steps.is_multiple_of(4096) && stop() {
                return None;
            }
        }
        let room = (f64::from(self.capacity) * KEPT_SHARE) as u64;
        let mut kept = 0;
        for (bucket, &count) in slots.iter().enumerate().rev() {
            kept += count;
            if kept > room {
                let (octave, eighth) = (bucket as u64 / 8, bucket as u64 % 8);
                return Some(((8 + eighth + 1) << octave).div_ceil(8).min(u64::from(u32::MAX)) as u32);
            }
        }
        Some(0)
    }

    /// Cuts the children of nodes with fewer than `least` visits (never the root's), and moves what is left together.
    ///
    /// Blocks are moved in the order in which they lie, so each goes to a lower place or stays, and nothing is overwritten that
    /// is still to be moved. Stopping in between leaves a gap, and no harm.
    fn compact(&mut self, least: u32, positions: Option<&mut Positions>, stop: &dyn Fn() -> bool) {
        let link = self.link(ROOT).load();
        if !link.is_expanded() {
            self.used_before = self.used_before.max(*self.next.get_mut());
            *self.next.get_mut() = 1;
            return;
        }
        let most = (self.capacity as usize * LIST_BYTES / (size_of::<Kept>() + size_of::<u32>())).max(1);
        let mut list = vec![Kept { first: link.first(), count: link.count() as u16, place: 0, parent: u32::MAX }];
        // Where children are shared: the number of a block by its place, and the parents beside the first one.
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut more_parents: FxHashMap<u32, Vec<(u32, u16)>> = FxHashMap::default();
        let shares = self.columns.shares_blocks;
        if shares {
            numbers.insert(link.first(), 0);
        }
        let mut at = 0;
        while at < list.len() {
            let (first, count) = (list[at].first, u32::from(list[at].count));
            for slot in first..first + count {
                let link = self.link(slot).load();
                if !link.is_expanded() {
                    continue;
                }
                let (parent, place) = (at as u32, (slot - first) as u16);
                if self.visits(slot) < least || list.len() >= most {
                    self.link(slot).store(Link::LEAF);
                } else if let Some(&known) = numbers.get(&link.first()) {
                    more_parents.entry(known).or_default().push((parent, place));
                } else {
                    if shares {
                        numbers.insert(link.first(), list.len() as u32);
                    }
                    list.push(Kept { first: link.first(), count: link.count() as u16, place, parent });
                }
            }
            at += 1;
            if at % 1024 == 0 && stop() {
                return;
            }
        }
        // In the order of their places: by chunks first, and inside a chunk when it is its turn. To sort a large tree at once
        // would take too long for a search that is to stop.
        let chunk_of = |block: &Kept| (block.first >> CHUNK_BITS) as usize;
        let mut begins = vec![0; self.chunks.len() + 1];
        list.iter().for_each(|block| begins[chunk_of(block) + 1] += 1);
        (1..begins.len()).for_each(|chunk| begins[chunk] += begins[chunk - 1]);
        let mut order = vec![0; list.len()];
        let mut places = begins.clone();
        for (number, block) in (0u32..).zip(&list) {
            let place = &mut places[chunk_of(block)];
            order[*place] = number;
            *place += 1;
        }
        let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
        let mut end = 1;
        for bounds in begins.windows(2) {
            let numbers = &mut order[bounds[0]..bounds[1]];
            sort_by_place(numbers, &list);
            for &number in &*numbers {
                let Kept { first, count, place: in_parent, parent } = list[number as usize];
                let target = place(end, usize::from(count));
                end = target + u32::from(count);
                if shares {
                    moved.insert(first, target);
                }
                if target != first {
                    let (chunk, begin) = self.at(first);
                    let (target_chunk, target_begin) = self.at(target);
                    chunk.copy(begin, usize::from(count), target_chunk, target_begin);
                    list[number as usize].first = target;
                    let others = more_parents.get(&number).map_or(&[][..], Vec::as_slice);
                    for &(parent, in_parent) in std::iter::once(&(parent, in_parent)).chain(others) {
                        let slot = list.get(parent as usize).map_or(ROOT, |block| block.first + u32::from(in_parent));
                        let link = self.link(slot);
                        link.store(link.load().moved_to(target));
                    }
                }
            }
            if stop() {
                // Places are changing: equal positions are no longer found, and that is all.
                positions.into_iter().for_each(Positions::clear);
                return;
            }
        }
        if let Some(positions) = positions {
            positions.move_blocks(&moved);
        }
        self.used_before = self.used_before.max(*self.next.get_mut());
        *self.next.get_mut() = end;
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

/// A block that is kept, and where it is now.
struct Kept {
    first: u32,
    count: u16,
    /// The place of the parent in its block, and the number of that block in the list.
    place: u16,
    parent: u32,
}

/// Sorts blocks, given by their numbers in a list, by their places.
fn sort_by_place(numbers: &mut [u32], list: &[Kept]) {
    numbers.sort_unstable_by_key(|&number| list[number as usize].first);
}

/// Where a block goes when the slots below `next` are taken: there, or at the beginning of the next chunk.
fn place(next: u32, count: usize) -> u32 {
    let left = CHUNK - (next as usize & (CHUNK - 1));
    if count <= left { next } else { next + left as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(tree: &Tree<u16>, slot: u32, count: usize) -> u32 {
        let first = tree.take(count).unwrap();
        tree.link(slot).store(Link::new(first, count, count));
        first
    }

    fn visit(tree: &Tree<u16>, slot: u32, visits: u32) {
        let (chunk, at) = tree.at(slot);
        chunk.add(at, i64::from(visits), 0, false);
        chunk.moves[at].store(visits as u16);
    }

    #[test]
    fn a_child_of_plain_uct_costs_at_most_24_bytes() {
        assert_eq!(bytes_per_node::<u8>(Columns::default()), 17);
        assert_eq!(bytes_per_node::<u32>(Columns::default()), 20);
    }

    #[test]
    fn visits_and_sums_do_not_touch_each_other() {
        let tree: Tree<u16> = Tree::new(Columns { fractions: true, ..Columns::default() }, 1 << 20, 0);
        let (chunk, at) = tree.at(ROOT);
        let unit = UNIT as i64;
        let (mut visits, mut sum) = (0, 0);
        // Losses below zero, thirds that carry, a virtual loss and its return.
        let gains =
            [(1, -unit), (1, unit / 3), (1, -unit / 3), (3, -3 * unit), (1 - 3, 3 * unit + 5), (1, unit - 1), (1, -1)];
        for round in 0..1000 {
            for (more, value) in gains {
                chunk.add(at, more, value, round % 2 == 0);
                visits += more;
                sum += value;
                assert_eq!((i64::from(chunk.nodes[at].visits()), chunk.sum(at)), (visits, sum));
            }
        }
    }

    #[test]
    fn the_subtree_of_a_move_becomes_the_tree() {
        let mut tree: Tree<u16> = Tree::new(Columns::default(), 1 << 20, 0);
        let first = expand(&tree, ROOT, 5);
        expand(&tree, first, 7);
        let kept = expand(&tree, first + 3, 4);
        let below = expand(&tree, kept + 1, 2);
        visit(&tree, first + 3, 30);
        visit(&tree, kept + 2, 12);
        visit(&tree, below + 1, 6);
        tree.take_root(first + 3);
        tree.recycle(None, &|| false);
        assert_eq!(tree.visits(ROOT), 30);
        let children = tree.children(ROOT).unwrap();
        assert_eq!((children.count, children.first), (4, 1));
        assert_eq!((children.visits(2), children.mv(2)), (12, 12));
        let below = tree.children(children.first + 1).unwrap();
        assert_eq!((below.count, below.visits(1)), (2, 6));
        assert_eq!(tree.len(), 7);
    }

    #[test]
    fn recycling_cuts_the_least_visited_and_keeps_the_rest() {
        let slot = bytes_per_node::<u16>(Columns::default()) + LIST_BYTES;
        let mut tree: Tree<u16> = Tree::new(Columns::default(), CHUNK * slot, 0);
        visit(&tree, ROOT, 10_000);
        let first = expand(&tree, ROOT, 100);
        let mut at = 0;
        while let Some(block) = tree.take(100) {
            if at == 100 {
                break;
            }
            tree.link(first + at).store(Link::new(block, 100, 100));
            visit(&tree, first + at, 1000 + at);
            visit(&tree, block + 7, at);
            at += 1;
        }
        tree.next.store(tree.capacity, Relaxed);
        let gained = tree.recycle(None, &|| false);
        assert!(gained >= tree.capacity / 3, "{gained} of {}", tree.capacity);
        let children = tree.children(ROOT).unwrap();
        let kept: Vec<u32> = (0..100).filter(|&child| tree.children(children.first + child).is_some()).collect();
        assert!(!kept.is_empty() && kept.len() < 100);
        for &child in &kept {
            assert_eq!(children.visits(child as usize), 1000 + child);
            assert_eq!(tree.children(children.first + child).unwrap().visits(7), child);
        }
        let fresh = tree.take(50).unwrap();
        assert!((fresh..fresh + 50).all(|slot| tree.visits(slot) == 0));
    }

    #[test]
    fn stopping_while_recycling_leaves_a_sound_tree() {
        for patience in 1..6 {
            let mut tree: Tree<u16> = Tree::new(Columns::default(), CHUNK * 26 * 4, 0);
            let mut open = vec![ROOT];
            visit(&tree, ROOT, 1 << 20);
            'grow: while let Some(slot) = open.pop() {
                let visits = tree.visits(slot);
                let Some(first) = tree.take(3) else { break 'grow };
                tree.link(slot).store(Link::new(first, 3, 3));
                for child in 0..3 {
                    visit(&tree, first + child, visits / 3 + child);
                    open.insert(0, first + child);
                }
            }
            let left = std::cell::Cell::new(patience);
            tree.recycle(None, &|| {
                left.set(left.get() - 1);
                left.get() == 0
            });
            let mut stack = vec![ROOT];
            while let Some(slot) = stack.pop() {
                let Some(children) = tree.children(slot) else { continue };
                for child in 0..3u32 {
                    assert_eq!(children.visits(child as usize), tree.visits(slot) / 3 + child);
                    stack.push(children.first + child);
                }
            }
        }
    }

    #[test]
    fn intervals_only_grow_narrower() {
        let cell = IntervalCell::new(Interval { low: -5, high: 5 });
        assert!(cell.narrow(Interval { low: -7, high: 3 }));
        assert!(!cell.narrow(Interval { low: -7, high: 4 }));
        assert_eq!(cell.load(), Interval { low: -5, high: 3 });
    }
}
