//! Zones: the cells that a proof depends on.

use crate::{Game, Player};
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// The number of words of a [`CellSet`]: enough for the 361 points of the largest Go board.
const WORDS: usize = 6;

/// A set of the cells of a board, numbered in the order of the cells of the [view](Game::view).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct CellSet([u64; WORDS]);

impl CellSet {
    /// The empty set.
    pub const EMPTY: CellSet = CellSet([0; WORDS]);

    /// The number of cells of the largest board whose sets can be written.
    pub const CAPACITY: usize = 64 * WORDS;

    /// Returns whether the set has no cells.
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == CellSet::EMPTY
    }

    /// Returns the number of cells.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns whether a cell belongs to the set.
    #[inline]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Returns whether two sets have no cell in common.
    #[inline]
    pub fn is_disjoint(&self, other: &CellSet) -> bool {
        (*self & *other).is_empty()
    }

    /// Returns the cells in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..CellSet::CAPACITY).filter(|&cell| self.contains(cell))
    }
}

impl BitOr for CellSet {
    type Output = CellSet;

    #[inline]
    fn bitor(self, other: CellSet) -> CellSet {
        CellSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl BitOrAssign for CellSet {
    #[inline]
    fn bitor_assign(&mut self, other: CellSet) {
        *self = *self | other;
    }
}

impl BitAnd for CellSet {
    type Output = CellSet;

    #[inline]
    fn bitand(self, other: CellSet) -> CellSet {
        CellSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl FromIterator<usize> for CellSet {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> CellSet {
        let mut set = CellSet::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

/// How the zone of a win follows from the zones of the positions after its moves, in a game for
/// two.
///
/// A set of cells is a *zone* of "the winner wins position p" if the winner also wins every
/// position with the same player to move that agrees with p on these cells and on whatever else of
/// the state the game declares. A zone is built from the ends of a proof upwards: at an end, before
/// a move of the winner, and before the replies of the opponent, who may play any of them. A reply
/// that changes no cell of the zone after it is a *null move*: the winner's answer to it serves
/// against every other move that leaves that zone alone, so that only replies in the zone need
/// answers of their own.
///
/// `None` stands for all cells: the game does not know better.
pub trait ZoneRules<G: Game>: Sync {
    /// Returns a zone of a terminal position that `winner` has won.
    fn at_end(&self, position: &G, winner: Player) -> Option<CellSet>;

    /// Returns the cells that a move changes: none for a pass.
    fn changed(&self, position: &G, mv: G::Move) -> CellSet;

    /// Returns a zone of a position in which the winner to move plays `mv`, from the zone after it.
    fn before_move(&self, position: &G, mv: G::Move, after: &CellSet) -> Option<CellSet>;

    /// Returns a zone of a position with the opponent of the winner to move. `within` are the cells
    /// that belong to the zones of all null moves, or all cells if there is none: every legal reply
    /// that changes some of these has been answered. `after` is the union of the zones after the
    /// answered replies and the null moves.
    fn before_replies(&self, position: &G, within: &CellSet, after: &CellSet) -> Option<CellSet>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_the_cells_of_the_largest_board() {
        let set: CellSet = [0, 63, 64, 360].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 360]);
        assert_eq!((set.count(), set.contains(64), set.contains(65)), (4, true, false));
        let other: CellSet = [64, 100].into_iter().collect();
        assert_eq!((set & other).iter().collect::<Vec<_>>(), [64]);
        assert!((set | other).contains(100) && !set.is_disjoint(&other));
        assert!(CellSet::EMPTY.is_empty() && CellSet::EMPTY.is_disjoint(&set));
        assert_eq!(size_of::<CellSet>(), 48);
    }
}
