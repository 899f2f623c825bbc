//! Arithmetic of proof and disproof numbers (Allis 1994).
//!
//! Numbers are absolute: the proof number is about "yes", whoever moves. At a node where the question's player moves, one child
//! is enough for a proof and all are needed for a disproof; where another moves, the other way round. The *own* number of a
//! node, for the player who chooses it, is the one of which the least child counts.

use tesuji_core::{INFINITE, ProofNumbers};

/// The question is answered with yes.
pub const PROVED: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
/// It is answered with no.
pub const DISPROVED: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };
/// The largest number of something that is not solved: sums end here.
pub const LARGEST: u32 = INFINITE - 1;

/// The numbers of an answer.
#[inline]
pub fn answered(holds: bool) -> ProofNumbers {
    if holds { PROVED } else { DISPROVED }
}

/// The answer that numbers give, if they give one.
#[inline]
pub fn answer(numbers: ProofNumbers) -> Option<bool> {
    match (numbers.proof, numbers.disproof) {
        (0, _) => Some(true),
        (_, 0) => Some(false),
        _ => None,
    }
}

/// The number that matters first to the player who chooses, and the other one.
#[inline]
pub fn own_and_other(numbers: ProofNumbers, prover_moves: bool) -> (u32, u32) {
    if prover_moves { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
}

/// The numbers from how the player who chooses sees them.
#[inline]
pub fn absolute(own: u32, other: u32, prover_moves: bool) -> ProofNumbers {
    let (proof, disproof) = if prover_moves { (own, other) } else { (other, own) };
    ProofNumbers { proof, disproof }
}

/// The numbers of a node from those of its children: the least own number, and the sum of the others.
#[inline]
pub fn of_children(prover_moves: bool, children: impl Iterator<Item = ProofNumbers>) -> ProofNumbers {
    let (mut least, mut sum) = (INFINITE, 0u64);
    for numbers in children {
        let (own, other) = own_and_other(numbers, prover_moves);
        least = least.min(own);
        sum += u64::from(other);
    }
    // The other number is infinite only where the own one is nothing, and nothing everywhere only where all own ones are infinite.
    let sum = match least {
        0 => INFINITE,
        INFINITE => 0,
        _ => sum.min(u64::from(LARGEST)) as u32,
    };
    absolute(least, sum, prover_moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof }
    }

    #[test]
    fn one_child_proves_where_the_prover_moves_and_all_are_needed_elsewhere() {
        let children = [numbers(3, 1), numbers(2, 5), DISPROVED];
        assert_eq!(of_children(true, children.into_iter()), numbers(2, 6));
        assert_eq!(of_children(false, children.into_iter()), DISPROVED);
        let children = [numbers(3, 1), numbers(2, 5), PROVED];
        assert_eq!(of_children(true, children.into_iter()), PROVED);
        assert_eq!(of_children(false, children.into_iter()), numbers(5, 1));
        assert_eq!(of_children(true, [DISPROVED, DISPROVED].into_iter()), DISPROVED);
        assert_eq!(of_children(false, [PROVED, PROVED].into_iter()), PROVED);
    }

    #[test]
    fn sums_never_reach_the_infinite_number() {
        let children = [numbers(7, LARGEST), numbers(9, LARGEST), numbers(8, 1)];
        assert_eq!(of_children(true, children.into_iter()), numbers(7, LARGEST));
    }
}
