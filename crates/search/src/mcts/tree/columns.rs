//! The columns of the tree: statistics that only some options need, one array each.

use super::super::interval::{Interval, IntervalCell};
use super::super::link::{Link, LinkCell};
use super::super::proof_numbers::Words;
use super::super::select::LANES;
use super::node::{Node, Tally, UNIT, UNIT_BITS};
use crate::memory;
use crossbeam_utils::atomic::AtomicCell;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

/// The columns that a search uses in addition to moves, visits, sums and links.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Columns {
    /// Fractions of sums of values, if values are not all integers.
    pub fractions: bool,
    /// Sums of squared values.
    pub squares: bool,
    /// Highest values.
    pub maxima: bool,
    /// Proven bounds.
    pub bounds: bool,
    /// Proof numbers, and the bonus of small ones.
    pub proof: bool,
    /// A second pair of proof numbers.
    pub second_proof: bool,
    /// All-moves-as-first statistics.
    pub amaf: bool,
    /// Move indices.
    pub indices: bool,
    /// Numbers of lost simulations.
    pub losses: bool,
    /// Transition probabilities.
    pub probabilities: bool,
    /// Evaluations that count as visits.
    pub priors: bool,
    /// Evaluations backed up by minimax.
    pub implicit: bool,
    /// Which shallow searches a node has had.
    pub searched: bool,
    /// Not a column: whether nodes may share their children.
    pub shares_blocks: bool,
}

/// An element of a column.
pub(super) trait Cell {
    /// The content of an unused node.
    fn empty() -> Self;
    /// Restores the content of an unused node.
    fn reset(&self);
    /// Copies the content of another cell.
    fn copy_from(&self, other: &Self);
}

macro_rules! atomic_cells {
    ($($atomic:ty,)*) => {
        $(impl Cell for $atomic {
            fn empty() -> Self {
                <$atomic>::new(0)
            }

            fn reset(&self) {
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
    fn empty() -> LinkCell {
        LinkCell::new(Link::LEAF)
    }

    fn reset(&self) {
        self.store(Link::LEAF);
    }

    fn copy_from(&self, other: &LinkCell) {
        self.store(other.load());
    }
}

impl Cell for IntervalCell {
    fn empty() -> IntervalCell {
        IntervalCell::new(Interval::UNKNOWN)
    }

    fn reset(&self) {
        self.store(Interval::UNKNOWN);
    }

    fn copy_from(&self, other: &IntervalCell) {
        self.store(other.load());
    }
}

/// A column of empty cells.
///
/// The compiler asks the system for zeros instead of writing them, so pages are populated here.
/// With two threads, faults while nodes are read and written took a quarter of the time.
fn column<T>(cells: usize, empty: impl Fn() -> T) -> Box<[T]> {
    let column: Box<[T]> = (0..cells).map(|_| empty()).collect();
    memory::populate(&column);
    column
}

/// The position of the fraction in its 32 bits: at the upper end, so that a carry is an overflow.
const FRACTION_SHIFT: u32 = 32 - UNIT_BITS;

macro_rules! columns {
    ($($(#[$meta:meta])* $name:ident : $cell:ty, $used:expr;)*) => {
        /// The columns of [`super::CHUNK`] nodes (fewer in the last chunk), padded by [`LANES`]
        /// nodes that are read by vector code but never used.
        pub struct Chunk<M> {
            /// The part of a node that every search has.
            pub nodes: Box<[Node]>,
            /// The moves that lead to the nodes.
            pub moves: Box<[AtomicCell<M>]>,
            $($(#[$meta])* pub $name: Box<[$cell]>,)*
        }

        impl<M: Copy> Chunk<M> {
            pub(super) fn new(columns: Columns, nodes: usize, placeholder: M) -> Chunk<M> {
                let padded = nodes + LANES;
                Chunk {
                    nodes: column(padded, Node::empty),
                    moves: column(padded, || AtomicCell::new(placeholder)),
                    $($name: {
                        let used: fn(Columns) -> bool = $used;
                        column(if used(columns) { padded } else { 0 }, <$cell>::empty)
                    },)*
                }
            }

            /// Resets a range of nodes, except for their moves.
            pub(super) fn reset(&self, begin: usize, count: usize) {
                self.nodes[begin..begin + count].iter().for_each(Cell::reset);
                $(if !self.$name.is_empty() {
                    self.$name[begin..begin + count].iter().for_each(Cell::reset);
                })*
            }

            /// Copies a range of nodes into the same or another chunk. Overlapping ranges may only
            /// move down.
            pub(super) fn copy(&self, begin: usize, count: usize, target: &Chunk<M>, target_begin: usize) {
                for at in 0..count {
                    target.nodes[target_begin + at].copy_from(&self.nodes[begin + at]);
                    target.moves[target_begin + at].store(self.moves[begin + at].load());
                    $(if !self.$name.is_empty() {
                        target.$name[target_begin + at].copy_from(&self.$name[begin + at]);
                    })*
                }
            }
        }

        /// The size of a node in bytes, over all columns in use.
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
    /// The fraction of the sum of values.
    fractions: AtomicU32, |columns| columns.fractions;
    /// The sum of squared values, in units of 1 / [`super::SQUARE_UNIT`].
    squares: AtomicI64, |columns| columns.squares;
    /// The highest value of a visit, from 1 for the lowest possible one; 0 without visits.
    maxima: AtomicU32, |columns| columns.maxima;
    /// Proven bounds.
    bounds: IntervalCell, |columns| columns.bounds;
    /// Two proof numbers, as packed by [`super::super::proof_numbers`].
    proof: AtomicU64, |columns| columns.proof;
    /// The bonus less the highest one among the siblings, as bits of an `f32`.
    bonus: AtomicU32, |columns| columns.proof;
    /// The second pair of proof numbers.
    second_proof: AtomicU64, |columns| columns.second_proof;
    /// The number of simulations with this move at the node or later.
    amaf_visits: AtomicU32, |columns| columns.amaf;
    /// The sum of the values of these simulations.
    amaf_sums: AtomicI64, |columns| columns.amaf;
    /// The index of the move.
    indices: AtomicU32, |columns| columns.indices;
    /// The number of simulations lost by the player who chose the node.
    losses: AtomicU32, |columns| columns.losses;
    /// The transition probability of the move, as bits of an `f32`.
    probabilities: AtomicU32, |columns| columns.probabilities;
    /// The evaluation of the node for the player who chose it, as bits of an `f32` whose last one
    /// is set; 0 if it has not been evaluated.
    priors: AtomicU32, |columns| columns.priors;
    /// The same, backed up by minimax from the evaluations below.
    implicit: AtomicU32, |columns| columns.implicit;
    /// The shallow searches that the moves of the node have had, one bit each.
    searched: AtomicU32, |columns| columns.searched;
}

impl<M> Chunk<M> {
    /// Raises the highest value of a node to that of a visit, in units of 1 / [`super::UNIT`].
    #[inline]
    pub fn raise_maximum(&self, at: usize, value: i64) {
        let value = (value + (1 << UNIT_BITS) + 1) as u32;
        if let Some(cell) = self.maxima.get(at).filter(|cell| cell.load(Relaxed) < value) {
            cell.fetch_max(value, Relaxed);
        }
    }

    /// The highest value of the visits of a node, if it has any.
    #[inline]
    pub fn maximum(&self, at: usize) -> Option<f32> {
        let stored = self.maxima[at].load(Relaxed);
        (stored > 0).then(|| (i64::from(stored) - (1 << UNIT_BITS) - 1) as f32 / UNIT)
    }

    /// The proof numbers of a node; 0 in a word that the search does not use.
    #[inline]
    pub fn number_words(&self, at: usize) -> Words {
        let word = |column: &[AtomicU64]| column.get(at).map_or(0, |cell| cell.load(Relaxed));
        [word(&self.proof), word(&self.second_proof)]
    }

    /// The prior of a node, if it has been evaluated.
    #[inline]
    pub fn prior(&self, at: usize) -> Option<f32> {
        let bits = self.priors[at].load(Relaxed);
        (bits != 0).then(|| f32::from_bits(bits))
    }

    /// Sets the prior of a node.
    pub fn set_prior(&self, at: usize, evaluation: f32) {
        self.priors[at].store(evaluation.to_bits() | 1, Relaxed);
    }

    /// The sum of a node's values for the player who chose it, in units of 1 / [`super::UNIT`].
    #[inline]
    pub fn sum(&self, at: usize) -> i64 {
        let fraction = self.fractions.get(at).map_or(0, |cell| cell.load(Relaxed) >> FRACTION_SHIFT);
        (i64::from(self.nodes[at].tally().whole()) << UNIT_BITS) + i64::from(fraction)
    }

    /// Adds visits and their value, in units of 1 / [`super::UNIT`], and returns the new tally.
    ///
    /// A reader may see a sum that is short by less than 1 until a carry is added.
    #[inline]
    pub fn add(&self, at: usize, visits: i64, value: i64, shared: bool) -> Tally {
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
        self.nodes[at].add(Tally::new(visits, whole), shared)
    }
}
