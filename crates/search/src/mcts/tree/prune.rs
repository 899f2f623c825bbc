//! Pruning: keeps some nodes of one depth with their ancestors, and nothing else.

use super::super::link::Link;
use super::Tree;
use rustc_hash::FxHashSet;

impl<M: Copy + Send + Sync> Tree<M> {
    /// Appends the visited nodes at a depth below a node, given by their ids.
    pub fn visited_at(&self, id: u32, depth: usize, ids: &mut Vec<u32>) {
        if depth == 0 {
            ids.push(id);
            return;
        }
        let Some(block) = self.children(id) else { return };
        for child in (0..block.opened).filter(|&child| block.visits(child) > 0) {
            self.visited_at(block.first + child as u32, depth - 1, ids);
        }
    }

    /// Removes everything below a node except for the nodes of `kept`, which are at one depth, and
    /// their ancestors. Returns whether one of them is below the node or is the node.
    ///
    /// The nodes of `kept` become leaves. Their ancestors keep their statistics, and have no
    /// unopened children left, so that no node can be created at that depth or above it. Only a
    /// single worker may call this. Ids that become unused are freed when the tree is recycled.
    pub fn keep_only(&self, id: u32, depth: usize, kept: &FxHashSet<u32>) -> bool {
        debug_assert!(!self.is_shared() && !self.columns.shares_blocks, "other nodes may use the children");
        let link = self.link(id);
        if depth == 0 {
            let is_kept = kept.contains(&id);
            if is_kept {
                link.store(Link::LEAF);
            }
            return is_kept;
        }
        let Some(block) = self.children(id) else { return false };
        let mut count = 0;
        for child in 0..block.opened {
            if self.keep_only(block.first + child as u32, depth - 1, kept) {
                if count < child {
                    block.chunk.copy(block.begin + child, 1, block.chunk, block.begin + count);
                }
                count += 1;
            }
        }
        if count > 0 {
            link.store(Link::new(block.first, count, count));
        }
        count > 0
    }
}
