//! Arithmetic of proof and disproof numbers (Allis 1994).
//!
//! A [`ProofNumbers`] pair is absolute: the proof number is about the answer "yes" to the question,
//! regardless of the player to move. At a node where the prover (the player of the question) moves,
//! one child suffices for a proof and a disproof needs all of them; where another player moves, it
//! is the other way round. As in df-pn (Nagai 2002), *phi* is the number that the player to move
//! wants to be small, the minimum over the children, and *delta* is the other one, which adds up:
//!
//! ```text
//!                    phi               delta
//!   prover moves     proof number      disproof number
//!   another moves    disproof number   proof number
//! ```

use tesuji_core::{INFINITE, ProofNumbers};

/// The numbers of a question whose answer is yes.
pub const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
/// The numbers of a question whose answer is no.
pub const DISPROVEN: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };
/// The largest number of an unsolved node: sums saturate here.
pub const LARGEST: u32 = INFINITE - 1;

/// Returns the numbers of a question that is answered.
#[inline]
pub fn of_answer(holds: bool) -> ProofNumbers {
    if holds { PROVEN } else { DISPROVEN }
}

/// Returns the answer that the numbers give, or `None` for an unsolved node.
#[inline]
pub fn answer(numbers: ProofNumbers) -> Option<bool> {
    match (numbers.proof, numbers.disproof) {
        (0, _) => Some(true),
        (_, 0) => Some(false),
        _ => None,
    }
}

/// Whether exactly the solved numbers contain an infinite one.
pub fn is_valid(numbers: ProofNumbers) -> bool {
    let has = |number: u32| numbers.proof == number || numbers.disproof == number;
    has(0) == has(INFINITE)
}

/// Returns phi and delta of a node.
#[inline]
pub fn phi_delta(numbers: ProofNumbers, prover_moves: bool) -> (u32, u32) {
    if prover_moves { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
}

/// Returns the absolute numbers of a node with the given phi and delta.
#[inline]
pub fn from_phi_delta(phi: u32, delta: u32, prover_moves: bool) -> ProofNumbers {
    let (proof, disproof) = if prover_moves { (phi, delta) } else { (delta, phi) };
    ProofNumbers { proof, disproof }
}

/// Computes the numbers of a node from its children: the minimum of phi and the sum of delta.
#[inline]
pub fn of_children(prover_moves: bool, children: impl Iterator<Item = ProofNumbers>) -> ProofNumbers {
    let (mut least, mut sum) = (INFINITE, 0u64);
    for numbers in children {
        let (phi, delta) = phi_delta(numbers, prover_moves);
        least = least.min(phi);
        sum += u64::from(delta);
    }
    // Delta is infinite exactly if phi is 0, and 0 exactly if phi is infinite.
    let sum = match least {
        0 => INFINITE,
        INFINITE => 0,
        _ => sum.min(u64::from(LARGEST)) as u32,
    };
    from_phi_delta(least, sum, prover_moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof }
    }

    #[test]
    fn one_child_proves_where_the_prover_moves_and_all_are_needed_elsewhere() {
        let children = [numbers(3, 1), numbers(2, 5), DISPROVEN];
        assert_eq!(of_children(true, children.into_iter()), numbers(2, 6));
        assert_eq!(of_children(false, children.into_iter()), DISPROVEN);
        let children = [numbers(3, 1), numbers(2, 5), PROVEN];
        assert_eq!(of_children(true, children.into_iter()), PROVEN);
        assert_eq!(of_children(false, children.into_iter()), numbers(5, 1));
        assert_eq!(of_children(true, [DISPROVEN, DISPROVEN].into_iter()), DISPROVEN);
        assert_eq!(of_children(false, [PROVEN, PROVEN].into_iter()), PROVEN);
    }

    #[test]
    fn sums_never_reach_the_infinite_number() {
        let children = [numbers(7, LARGEST), numbers(9, LARGEST), numbers(8, 1)];
        assert_eq!(of_children(true, children.into_iter()), numbers(7, LARGEST));
    }
}
