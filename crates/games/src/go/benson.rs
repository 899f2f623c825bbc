//! Unconditional life (Benson 1976, "Life in the game of Go").
//!
//! A *region* of a player is a maximal connected set of points without stones of that player. It is
//! *vital* to a block if every empty point of the region is a liberty of the block. A set of blocks
//! is unconditionally alive, that is, it cannot be captured even if its owner always passes, if
//! every block has two vital regions that touch no block outside the set. The largest such set is
//! what remains when blocks with fewer than two vital regions, and the regions that touch them, are
//! removed until nothing changes. This needs the rule that suicide is illegal.

use super::stones::Stones;
use crate::board::bits::Bits;

impl<B: Bits, const STRIDE: usize, const CELLS: usize> Stones<B, STRIDE, CELLS> {
    /// The unconditionally alive stones of a player.
    pub fn unconditionally_alive(&self, seat: usize) -> B {
        let (mut alive, mut regions) = (self.of(seat), self.board() & !self.of(seat));
        loop {
            let before = alive;
            for block in self.blocks(seat, before) {
                if !self.has_two_vital(block, regions) {
                    alive &= !block;
                    regions &= !self.reached(self.grown(block) & regions, regions);
                }
            }
            if alive == before {
                return alive;
            }
        }
    }

    /// Whether a block has two vital regions, which every unconditionally alive block has. Mostly
    /// answered by one look at the liberties.
    #[inline]
    pub fn may_be_alive(&self, seat: usize, block: B) -> bool {
        self.has_two_vital(block, self.board() & !self.of(seat))
    }

    #[inline]
    fn has_two_vital(&self, block: B, regions: B) -> bool {
        let liberties = self.liberties(block);
        let not_vital = self.empty() & !liberties;
        // A liberty with an empty neighbour that is not a liberty is not in a vital region.
        let mut starts = liberties & regions & !self.grown(not_vital);
        let mut found = false;
        while !starts.is_empty() {
            let mut region = B::single(starts.lowest());
            let is_vital = loop {
                if !(region & not_vital).is_empty() {
                    break false;
                }
                let grown = region | (self.grown(region) & regions);
                if grown == region {
                    break true;
                }
                region = grown;
            };
            if is_vital && found {
                return true;
            }
            found |= is_vital;
            starts &= !region;
        }
        false
    }
}
