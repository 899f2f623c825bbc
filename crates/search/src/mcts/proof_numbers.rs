//! PN-MCTS: proof and disproof numbers in the nodes of the tree, and the bonus of their ranks (Doe
//! et al. 2022).
//!
//! The prover is the player to move at the root. If it moves at a node, the node takes the smallest
//! proof number of its children and the sum of their disproof numbers; if another player moves, the
//! other way round. The player to move is read from the position, not derived from the depth.
//! Children that have not been tested count 1 and 1. Numbers are updated from the leaf upwards as
//! long as one changes; the ranks of children are computed where a child has changed.

use super::params::RankRule;
use super::tree::Block;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_core::{INFINITE, ProofNumbers};

/// The numbers of an unknown leaf.
pub const UNKNOWN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
/// The numbers of a proven node.
pub const PROVED: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
/// The numbers of a disproven node.
pub const DISPROVED: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };

/// Packs both numbers into one word.
#[inline]
pub fn pack(numbers: ProofNumbers) -> u64 {
    u64::from(numbers.proof) << 32 | u64::from(numbers.disproof)
}

/// Unpacks both numbers.
#[inline]
pub fn unpack(bits: u64) -> ProofNumbers {
    ProofNumbers { proof: (bits >> 32) as u32, disproof: bits as u32 }
}

/// Whether a packed pair is proven or disproven.
#[inline]
pub fn is_solved(bits: u64) -> bool {
    bits == pack(PROVED) || bits == pack(DISPROVED)
}

/// A sum that is infinite only if one of the terms is.
#[inline]
fn add(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE { INFINITE } else { a.saturating_add(b).min(INFINITE - 1) }
}

/// The numbers of a node from those of its children.
pub fn of_children(prover_moves: bool, children: &[AtomicU64]) -> ProofNumbers {
    let (mut least, mut sum) = (INFINITE, 0);
    for child in children {
        let numbers = unpack(child.load(Relaxed));
        let (own, other) =
            if prover_moves { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) };
        least = least.min(own);
        sum = add(sum, other);
    }
    if prover_moves {
        ProofNumbers { proof: least, disproof: sum }
    } else {
        ProofNumbers { proof: sum, disproof: least }
    }
}

/// Computes the bonus of each child from the numbers of the player to move. The second pair breaks
/// ties if the tree has one.
pub fn rank_children<M: Copy>(rank: RankRule, prover_moves: bool, block: &Block<'_, M>, keys: &mut Vec<u64>) {
    keys.clear();
    let own = |bits: u64| if prover_moves { bits >> 32 } else { bits & 0xffff_ffff };
    let numbers = block.of(&block.chunk.proof, block.count);
    if block.chunk.draw_proof.is_empty() {
        keys.extend(numbers.iter().map(|cell| own(cell.load(Relaxed))));
    } else {
        let second = block.of(&block.chunk.draw_proof, block.count);
        let both = numbers.iter().zip(second);
        keys.extend(both.map(|(first, second)| own(first.load(Relaxed)) << 32 | own(second.load(Relaxed))));
    }
    let bonus = block.of(&block.chunk.bonus, block.count);
    for_each_rank(rank, keys, |child, value| bonus[child].store(value.to_bits(), Relaxed));
}

/// Calls `set` with every child and its bonus, given the keys by which children are ranked.
pub fn for_each_rank(rank: RankRule, keys: &[u64], mut set: impl FnMut(usize, f32)) {
    // Ranks by counting: quadratic, but without branches and on contiguous numbers.
    let smaller = |key: u64| keys.iter().map(|&other| u32::from(other < key)).sum::<u32>();
    match rank {
        RankRule::Competition | RankRule::Count => {
            let highest = match rank {
                RankRule::Count => keys.len() as f32,
                _ => keys.iter().max().map_or(1.0, |&worst| 1.0 + smaller(worst) as f32),
            };
            for (child, &key) in keys.iter().enumerate() {
                set(child, 1.0 - (1 + smaller(key)) as f32 / highest);
            }
        }
        RankRule::Dense => {
            let mut distinct = keys.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            for (child, key) in keys.iter().enumerate() {
                let rank = 1 + distinct.binary_search(key).expect("it is one of the keys");
                set(child, 1.0 - rank as f32 / distinct.len() as f32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bonuses(rank: RankRule, keys: &[u64]) -> Vec<f32> {
        let mut all = vec![f32::NAN; keys.len()];
        for_each_rank(rank, keys, |child, bonus| all[child] = bonus);
        all
    }

    fn close(a: f32, b: f32) -> bool {
        (a - b).abs() < 5e-4
    }

    /// The two ambiguous cases: one best of thirty, one worst of thirty.
    #[test]
    fn the_three_rank_rules_differ_on_thirty_children() {
        let mut one_best = vec![2u64; 30];
        one_best[4] = 1;
        let mut one_worst = vec![1u64; 30];
        one_worst[7] = 2;
        for (rank, best, others, good, worst) in [
            (RankRule::Competition, 0.5, 0.0, 0.9667, 0.0),
            (RankRule::Dense, 0.5, 0.0, 0.5, 0.0),
            (RankRule::Count, 0.9667, 0.9333, 0.9667, 0.0),
        ] {
            let all = bonuses(rank, &one_best);
            assert!(close(all[4], best) && close(all[0], others), "{rank:?}: {all:?}");
            let all = bonuses(rank, &one_worst);
            assert!(close(all[0], good) && close(all[7], worst), "{rank:?}: {all:?}");
        }
    }

    #[test]
    fn equal_numbers_have_equal_bonuses_and_distinct_ones_fall_evenly() {
        for rank in [RankRule::Competition, RankRule::Dense, RankRule::Count] {
            let all = bonuses(rank, &[3, 3, 3]);
            assert!(all.iter().all(|&bonus| bonus == all[0]), "{rank:?}");
            let all = bonuses(rank, &[10, 30, 20, 40]);
            assert_eq!(all, [0.75, 0.25, 0.5, 0.0], "{rank:?}");
        }
    }

    #[test]
    fn sums_saturate_below_infinity() {
        let children =
            [AtomicU64::new(pack(ProofNumbers { proof: INFINITE - 1, disproof: 7 })), AtomicU64::new(pack(UNKNOWN))];
        assert_eq!(of_children(false, &children), ProofNumbers { proof: INFINITE - 1, disproof: 1 });
        let children = [AtomicU64::new(pack(DISPROVED)), AtomicU64::new(pack(UNKNOWN))];
        assert_eq!(of_children(false, &children), DISPROVED);
        assert_eq!(of_children(true, &children), ProofNumbers { proof: 1, disproof: 1 });
    }
}
