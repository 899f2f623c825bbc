//! Recycling: removes the least visited parts of a full tree and compacts the rest.

use super::super::link::Link;
use super::super::transposition_index::TranspositionIndex;
use super::{CHUNK_BITS, RECYCLE_BYTES, ROOT, Tree, block_start};
use rustc_hash::{FxHashMap, FxHashSet};

/// The share of the tree that recycling keeps. Raising it keeps more, and recycles more often.
const KEPT_SHARE: f64 = 0.5;

/// A block that is kept.
struct KeptBlock {
    /// The id of its first node, before or after it has moved.
    first: u32,
    count: u16,
    /// The position of its parent node inside the parent's block.
    child: u16,
    /// The parent's block, as an index into the list of kept blocks; `u32::MAX` for the root.
    parent: u32,
}

/// All blocks that are kept, in breadth-first order from the root.
struct KeptBlocks {
    list: Vec<KeptBlock>,
    /// The parents of shared blocks other than the first: block and child, by index of the block.
    more_parents: FxHashMap<u32, Vec<(u32, u16)>>,
}

impl<M: Copy + Send + Sync> Tree<M> {
    /// Frees about half of the tree by removing the children of the least visited nodes, and
    /// returns the number of ids freed. Nodes above `depth` keep their children.
    ///
    /// Gives up when asked to stop; the tree is consistent in that case too.
    pub fn recycle(&mut self, depth: usize, index: Option<&mut TranspositionIndex>, stop: &dyn Fn() -> bool) -> u32 {
        let before = self.len();
        if let Some(min_visits) = self.min_visits_to_keep(stop) {
            self.compact(min_visits, depth, index, stop);
        }
        before - self.len()
    }

    /// The smallest number of visits at which a node keeps its children, so that enough room
    /// becomes free; `None` if asked to stop.
    fn min_visits_to_keep(&self, stop: &dyn Fn() -> bool) -> Option<u32> {
        // A histogram of children by the visits of their parent, in eighths of octaves. Shared
        // children count for every parent, so more may be removed than necessary.
        let mut histogram = [0u64; 8 * 33];
        let bucket = |visits: u32| {
            let octave = visits.max(1).ilog2();
            (8 * octave + ((visits << (31 - octave)) >> 28 & 7)) as usize
        };
        let mut seen = FxHashSet::default();
        let mut stack = vec![ROOT];
        let mut steps = 0u32;
        while let Some(id) = stack.pop() {
            let Some(children) = self.children(id) else { continue };
            histogram[bucket(self.visits(id))] += children.count as u64;
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
        for (bucket, &count) in histogram.iter().enumerate().rev() {
            kept += count;
            if kept > room {
                let (octave, eighth) = (bucket as u64 / 8, bucket as u64 % 8);
                return Some(((8 + eighth + 1) << octave).div_ceil(8).min(u64::from(u32::MAX)) as u32);
            }
        }
        Some(0)
    }

    /// Removes the children of nodes with fewer than `min_visits` visits, never those of the root
    /// or of nodes above `depth`, and moves the remaining blocks together.
    fn compact(
        &mut self,
        min_visits: u32,
        depth: usize,
        index: Option<&mut TranspositionIndex>,
        stop: &dyn Fn() -> bool,
    ) {
        if !self.link(ROOT).load().is_expanded() {
            index.into_iter().for_each(TranspositionIndex::clear);
            return self.free_from(1);
        }
        let Some(mut kept) = self.prune(min_visits, depth, stop) else { return };
        let mut moved = FxHashMap::default();
        match self.move_together(&mut kept, &mut moved, stop) {
            Some(end) => {
                index.into_iter().for_each(|index| index.move_blocks(&moved));
                self.free_from(end);
            }
            // Some blocks have moved: the index is out of date.
            None => index.into_iter().for_each(TranspositionIndex::clear),
        }
    }

    /// Turns nodes with fewer than `min_visits` visits, but none above `depth`, into leaves and
    /// lists the remaining blocks; `None` if asked to stop.
    fn prune(&mut self, min_visits: u32, depth: usize, stop: &dyn Fn() -> bool) -> Option<KeptBlocks> {
        let root = self.link(ROOT).load();
        let max_blocks = (self.capacity as usize * RECYCLE_BYTES / (size_of::<KeptBlock>() + size_of::<u32>())).max(1);
        let mut list = vec![KeptBlock { first: root.first(), count: root.count() as u16, child: 0, parent: u32::MAX }];
        let mut more_parents: FxHashMap<u32, Vec<(u32, u16)>> = FxHashMap::default();
        // Shared blocks by their first id, as indices into the list.
        let mut listed: FxHashMap<u32, u32> = FxHashMap::default();
        let shares = self.columns.shares_blocks;
        if shares {
            listed.insert(root.first(), 0);
        }
        // The depth of the nodes of a block, and the first block of the next depth.
        let (mut block_depth, mut next_depth_at) = (1, 1);
        let mut at = 0;
        while at < list.len() {
            if at == next_depth_at {
                (block_depth, next_depth_at) = (block_depth + 1, list.len());
            }
            let (first, count) = (list[at].first, u32::from(list[at].count));
            for id in first..first + count {
                let link = self.link(id).load();
                if !link.is_expanded() {
                    continue;
                }
                let (parent, child) = (at as u32, (id - first) as u16);
                let is_removed = self.visits(id) < min_visits || list.len() >= max_blocks;
                if is_removed && block_depth >= depth {
                    self.link(id).store(Link::LEAF);
                } else if let Some(&known) = listed.get(&link.first()) {
                    more_parents.entry(known).or_default().push((parent, child));
                } else {
                    if shares {
                        listed.insert(link.first(), list.len() as u32);
                    }
                    list.push(KeptBlock { first: link.first(), count: link.count() as u16, child, parent });
                }
            }
            at += 1;
            if at % 1024 == 0 && stop() {
                return None;
            }
        }
        Some(KeptBlocks { list, more_parents })
    }

    /// Moves blocks to the lowest free ids, records the moves of shared blocks in `moved`, and
    /// returns the first free id; `None` if asked to stop.
    ///
    /// Blocks move in the order of their ids, so each moves down or stays, and no block that is
    /// still to be moved is overwritten. Stopping early leaves a gap, which is harmless.
    fn move_together(
        &self,
        kept: &mut KeptBlocks,
        moved: &mut FxHashMap<u32, u32>,
        stop: &dyn Fn() -> bool,
    ) -> Option<u32> {
        let (mut order, begins) = self.by_chunk(&kept.list);
        let mut end = 1;
        for bounds in begins.windows(2) {
            let numbers = &mut order[bounds[0]..bounds[1]];
            sort_by_id(numbers, &kept.list);
            for &number in &*numbers {
                let KeptBlock { first, count, .. } = kept.list[number as usize];
                let target = block_start(end, usize::from(count));
                end = target + u32::from(count);
                if self.columns.shares_blocks {
                    moved.insert(first, target);
                }
                if target != first {
                    self.move_block(number, target, kept);
                }
            }
            if stop() {
                return None;
            }
        }
        Some(end)
    }

    /// Groups blocks, given by their indices in the list, by chunk. Returns the indices and the
    /// start of every group.
    ///
    /// Groups are sorted when their turn comes: sorting a large tree at once would take too long
    /// for a search that is about to stop.
    fn by_chunk(&self, list: &[KeptBlock]) -> (Vec<u32>, Vec<usize>) {
        let chunk_of = |block: &KeptBlock| (block.first >> CHUNK_BITS) as usize;
        let mut begins = vec![0; self.chunks.len() + 1];
        list.iter().for_each(|block| begins[chunk_of(block) + 1] += 1);
        (1..begins.len()).for_each(|chunk| begins[chunk] += begins[chunk - 1]);
        let mut order = vec![0; list.len()];
        let mut next = begins.clone();
        for (number, block) in (0u32..).zip(list) {
            let at = &mut next[chunk_of(block)];
            order[*at] = number;
            *at += 1;
        }
        (order, begins)
    }

    /// Copies a block to a new place and redirects the links of its parents.
    fn move_block(&self, number: u32, target: u32, kept: &mut KeptBlocks) {
        let KeptBlock { first, count, child, parent } = kept.list[number as usize];
        let (chunk, begin) = self.at(first);
        let (target_chunk, target_begin) = self.at(target);
        chunk.copy(begin, usize::from(count), target_chunk, target_begin);
        kept.list[number as usize].first = target;
        let others = kept.more_parents.get(&number).map_or(&[][..], Vec::as_slice);
        for &(parent, child) in std::iter::once(&(parent, child)).chain(others) {
            let id = kept.list.get(parent as usize).map_or(ROOT, |block| block.first + u32::from(child));
            let link = self.link(id);
            link.store(link.load().moved_to(target));
        }
    }
}

/// Sorts blocks, given by their indices in the list, by id.
fn sort_by_id(numbers: &mut [u32], list: &[KeptBlock]) {
    numbers.sort_unstable_by_key(|&number| list[number as usize].first);
}
