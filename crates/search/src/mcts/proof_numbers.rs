//! PN-MCTS: proof and disproof numbers in the nodes of the tree, and the bonus of their ranks (Doe et al. 2022).
//!
//! The prover is the player to move at the root. Where it moves, a node takes the least proof number of its children and the sum of
//! their disproof numbers; where another moves, the other way round. Who moves is asked of the position, never counted
//! by depth. Children that are not yet tested count 1 and 1. Numbers are changed from the leaf upwards as long as something
//! changes; the ranks of children are worked out where one of them changed.

use super::params::Rank;
use super::tree::Block;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_core::{INFINITE, ProofNumbers};

/// A leaf of which nothing is known.
pub const UNKNOWN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
/// What is to be proved holds.
pub const PROVED: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
/// It does not.
pub const DISPROVED: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };

/// The numbers in one word.
#[inline]
pub fn pack(numbers: ProofNumbers) -> u64 {
    u64::from(numbers.proof) << 32 | u64::from(numbers.disproof)
}

/// The word's numbers.
#[inline]
pub fn unpack(bits: u64) -> ProofNumbers {
    ProofNumbers { proof: (bits >> 32) as u32, disproof: bits as u32 }
}

/// Whether a packed pair is proved or disproved.
#[inline]
pub fn is_solved(bits: u64) -> bool {
    bits == pack(PROVED) || bits == pack(DISPROVED)
}

/// A sum that stays below the infinite number unless it contains it.
#[inline]
fn add(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE { INFINITE } else { a.saturating_add(b).min(INFINITE - 1) }
}

/// The numbers that follow from those of the children.
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

/// Works out the bonus of each child, from the numbers of the player who chooses; a second pair breaks ties where it is kept.
pub fn rank_children<M: Copy>(rank: Rank, prover_moves: bool, block: &Block<'_, M>, keys: &mut Vec<u64>) {
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

/// Tells the bonus of every child, given the number that it is ranked by.
pub fn for_each_rank(rank: Rank, keys: &[u64], mut tell: impl FnMut(usize, f32)) {
    // Ranks by counting: a square number of comparisons, but without branches, and of numbers side by side.
    let smaller = |key: u64| keys.iter().map(|&other| u32::from(other < key)).sum::<u32>();
    match rank {
        Rank::Competition | Rank::Count => {
            let highest = match rank {
                Rank::Count => keys.len() as f32,
                _ => keys.iter().max().map_or(1.0, |&worst| 1.0 + smaller(worst) as f32),
            };
            for (child, &key) in keys.iter().enumerate() {
                tell(child, 1.0 - (1 + smaller(key)) as f32 / highest);
            }
        }
        Rank::Dense => {
            let mut distinct = keys.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            for (child, key) in keys.iter().enumerate() {
                let rank = 1 + distinct.binary_search(key).expect("it is one of them");
                tell(child, 1.0 - rank as f32 / distinct.len() as f32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bonuses(rank: Rank, keys: &[u64]) -> Vec<f32> {
        let mut told = vec![f32::NAN; keys.len()];
        for_each_rank(rank, keys, |child, bonus| told[child] = bonus);
        told
    }

    fn close(a: f32, b: f32) -> bool {
        (a - b).abs() < 5e-4
    }

    /// The table of the two ambiguous cases: one best of thirty, one worst of thirty.
    #[test]
    fn ranks_of_thirty_children_give_the_bonuses_of_the_three_readings() {
        let mut one_best = vec![2u64; 30];
        one_best[4] = 1;
        let mut one_worst = vec![1u64; 30];
        one_worst[7] = 2;
        for (rank, best, others, good, worst) in [
            (Rank::Competition, 0.5, 0.0, 0.9667, 0.0),
            (Rank::Dense, 0.5, 0.0, 0.5, 0.0),
            (Rank::Count, 0.9667, 0.9333, 0.9667, 0.0),
        ] {
            let told = bonuses(rank, &one_best);
            assert!(close(told[4], best) && close(told[0], others), "{rank:?}: {told:?}");
            let told = bonuses(rank, &one_worst);
            assert!(close(told[0], good) && close(told[7], worst), "{rank:?}: {told:?}");
        }
    }

    #[test]
    fn equal_numbers_give_equal_bonuses_and_all_different_ones_fall_evenly() {
        for rank in [Rank::Competition, Rank::Dense, Rank::Count] {
            let told = bonuses(rank, &[3, 3, 3]);
            assert!(told.iter().all(|&bonus| bonus == told[0]), "{rank:?}");
            let told = bonuses(rank, &[10, 30, 20, 40]);
            assert_eq!(told, [0.75, 0.25, 0.5, 0.0], "{rank:?}");
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
