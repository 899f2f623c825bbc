//! PN-MCTS: proof numbers in the nodes of the tree, and the bonus of the children with small ones
//! (Doe et al. 2022; Kowalski et al. 2024).
//!
//! A node has up to four numbers, in two words. Which they are depends on the goal:
//!
//! - *prover*: proof and disproof number of a win of the player to move at the root, and with
//!   `pn-draws` a second pair for "at least a draw". The player to move minimises the proof numbers
//!   if it is that player, otherwise the disproof numbers.
//! - *players*: for every player the proof number of a win against all others. The player to move
//!   minimises its own. A draw proves nothing for either side.
//!
//! A node takes the smallest of its children's numbers where the player to move minimises, and
//! their sum elsewhere. The player to move is read from the position, not derived from the depth.
//! Children that have not been tested count 1. Numbers are updated from the leaf upwards as long as
//! one changes; the bonuses of children are computed where a child has changed.

use super::params::{BonusForm, PnBonus, PnGoal};
use super::tree::Block;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_core::{INFINITE, Outcome, Player, ProofNumbers, Verdict};

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

/// The numbers of a node: two words of two.
pub type Words = [u64; 2];

/// Whether all numbers in the first `count` words are final.
#[inline]
pub fn are_solved(words: Words, count: usize) -> bool {
    let is_final = |number: u32| number == 0 || number == INFINITE;
    words[..count].iter().all(|&word| is_final((word >> 32) as u32) && is_final(word as u32))
}

/// What the numbers of a search mean.
#[derive(Clone, Copy)]
pub struct NumberRule {
    options: PnBonus,
    prover: Player,
    players: u8,
}

impl NumberRule {
    /// The rule for a root at which `prover` moves.
    pub fn new(options: PnBonus, prover: Player, players: u8) -> NumberRule {
        NumberRule { options, prover, players }
    }

    /// The numbers of a finished game.
    pub fn of_outcome(&self, outcome: &Outcome) -> Words {
        let verdict = |player: Player| outcome.verdict(player);
        match self.options.goal {
            PnGoal::Prover => {
                let numbers = |holds: bool| pack(if holds { PROVED } else { DISPROVED });
                let verdict = verdict(self.prover);
                [numbers(verdict == Some(Verdict::Win)), numbers(verdict >= Some(Verdict::Draw))]
            }
            PnGoal::Players => {
                let number = |seat: u8| {
                    let wins = seat < self.players && verdict(Player(seat)) == Some(Verdict::Win);
                    if wins { 0 } else { INFINITE }
                };
                [0, 2].map(|seat| pack(ProofNumbers { proof: number(seat), disproof: number(seat + 1) }))
            }
        }
    }

    /// Which numbers of a word the player to move minimises.
    fn minimised(&self, mover: Player, word: usize) -> [bool; 2] {
        match self.options.goal {
            PnGoal::Prover => [mover == self.prover, mover != self.prover],
            PnGoal::Players => [2 * word, 2 * word + 1].map(|seat| mover.index() == seat),
        }
    }

    /// One word of a node at which `mover` moves, from those of its children.
    pub fn of_children(&self, mover: Player, word: usize, children: &[AtomicU64]) -> u64 {
        let minimised = self.minimised(mover, word);
        let mut numbers = minimised.map(|least| if least { INFINITE } else { 0 });
        for child in children {
            let ProofNumbers { proof, disproof } = unpack(child.load(Relaxed));
            for (number, (other, least)) in numbers.iter_mut().zip([proof, disproof].into_iter().zip(minimised)) {
                *number = if least { other.min(*number) } else { add(*number, other) };
            }
        }
        pack(ProofNumbers { proof: numbers[0], disproof: numbers[1] })
    }

    /// The number that `mover` minimises; with `pn-draws` also the second one, to break ties.
    #[inline]
    fn own(&self, mover: Player, words: Words) -> (u32, u32) {
        let half = |word: usize, upper: bool| if upper { (words[word] >> 32) as u32 } else { words[word] as u32 };
        match self.options.goal {
            PnGoal::Prover => (half(0, mover == self.prover), half(1, mover == self.prover)),
            PnGoal::Players => (half(mover.index() / 2, mover.index().is_multiple_of(2)), 0),
        }
    }

    /// The numbers as seen by the prover: of its win, and the smallest number that refutes it.
    pub fn for_prover(&self, words: Words) -> ProofNumbers {
        match self.options.goal {
            PnGoal::Prover => unpack(words[0]),
            PnGoal::Players => {
                let number = |seat: u8| self.own(Player(seat), words).0;
                let others = (0..self.players).filter(|&seat| Player(seat) != self.prover);
                ProofNumbers {
                    proof: number(self.prover.0),
                    disproof: others.map(number).min().expect("there are several players"),
                }
            }
        }
    }

    /// Computes the bonus of each child from the numbers of the player to move.
    pub fn set_bonuses<M: Copy>(&self, mover: Player, block: &Block<'_, M>, buffers: &mut BonusBuffers) {
        let BonusBuffers { keys, bonuses } = buffers;
        keys.clear();
        keys.extend((block.begin..block.begin + block.count).map(|at| {
            let (first, second) = self.own(mover, block.chunk.number_words(at));
            u64::from(first) << 32 | u64::from(second)
        }));
        bonuses.clear();
        bonuses.resize(keys.len(), 0.0);
        for_each_bonus(self.options.form, keys, |child, bonus| bonuses[child] = bonus);
        let best = bonuses.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // Only differences matter. Below the best bonus, the weight of a million leaves the other
        // terms of the best children their precision. Every cell is written once, because other
        // workers may read it at any time.
        for (cell, bonus) in block.of(&block.chunk.bonus, block.count).iter().zip(bonuses) {
            cell.store((*bonus - best).to_bits(), Relaxed);
        }
    }
}

/// Buffers of [`NumberRule::set_bonuses`], reused between calls.
#[derive(Default)]
pub struct BonusBuffers {
    keys: Vec<u64>,
    bonuses: Vec<f32>,
}

/// A sum that is infinite only if one of the terms is.
#[inline]
fn add(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE { INFINITE } else { a.saturating_add(b).min(INFINITE - 1) }
}

/// Calls `set` with every child and its bonus. The upper half of a key is the number of the child,
/// the lower half breaks ties of ranks.
fn for_each_bonus(form: BonusForm, keys: &[u64], mut set: impl FnMut(usize, f32)) {
    // Ranks by counting: quadratic, but without branches and on contiguous numbers.
    let smaller = |key: u64| keys.iter().map(|&other| u32::from(other < key)).sum::<u32>();
    match form {
        BonusForm::Competition | BonusForm::Count => {
            let highest = match form {
                BonusForm::Count => keys.len() as f32,
                _ => keys.iter().max().map_or(1.0, |&worst| 1.0 + smaller(worst) as f32),
            };
            for (child, &key) in keys.iter().enumerate() {
                set(child, 1.0 - (1 + smaller(key)) as f32 / highest);
            }
        }
        BonusForm::Dense => {
            let mut distinct = keys.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            for (child, key) in keys.iter().enumerate() {
                let rank = 1 + distinct.binary_search(key).expect("it is one of the keys");
                set(child, 1.0 - rank as f32 / distinct.len() as f32);
            }
        }
        BonusForm::Sum | BonusForm::Max => for_each_by_size(form, keys, set),
    }
}

/// The forms that use the size of the numbers. An infinite number has no bonus.
fn for_each_by_size(form: BonusForm, keys: &[u64], mut set: impl FnMut(usize, f32)) {
    let number = |key: u64| (key >> 32) as u32;
    let finite = || keys.iter().map(|&key| number(key)).filter(|&number| number != INFINITE).map(f64::from);
    let (least, below) = match form {
        BonusForm::Sum => (0.0, 1.0 + finite().sum::<f64>()),
        _ => {
            let (least, most) = finite().fold((f64::INFINITY, 0.0f64), |(a, b), n| (a.min(n), b.max(n)));
            (least, 1.0 + most - least)
        }
    };
    for (child, &key) in keys.iter().enumerate() {
        let bonus = match number(key) {
            INFINITE => 0.0,
            number => 1.0 - (f64::from(number) - least) / below,
        };
        set(child, bonus as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bonuses(form: BonusForm, keys: &[u64]) -> Vec<f32> {
        let keys: Vec<u64> = keys.iter().map(|key| key << 32).collect();
        let mut all = vec![f32::NAN; keys.len()];
        for_each_bonus(form, &keys, |child, bonus| all[child] = bonus);
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
            (BonusForm::Competition, 0.5, 0.0, 0.9667, 0.0),
            (BonusForm::Dense, 0.5, 0.0, 0.5, 0.0),
            (BonusForm::Count, 0.9667, 0.9333, 0.9667, 0.0),
        ] {
            let all = bonuses(rank, &one_best);
            assert!(close(all[4], best) && close(all[0], others), "{rank:?}: {all:?}");
            let all = bonuses(rank, &one_worst);
            assert!(close(all[0], good) && close(all[7], worst), "{rank:?}: {all:?}");
        }
    }

    #[test]
    fn equal_numbers_have_equal_bonuses_and_distinct_ones_fall_evenly() {
        for rank in [BonusForm::Competition, BonusForm::Dense, BonusForm::Count] {
            let all = bonuses(rank, &[3, 3, 3]);
            assert!(all.iter().all(|&bonus| bonus == all[0]), "{rank:?}");
            let all = bonuses(rank, &[10, 30, 20, 40]);
            assert_eq!(all, [0.75, 0.25, 0.5, 0.0], "{rank:?}");
        }
    }

    /// Worked examples of the three forms of Generalised PN-MCTS.
    #[test]
    fn sizes_of_numbers_become_bonuses() {
        const INF: u64 = INFINITE as u64;
        for (form, keys, expected) in [
            (BonusForm::Count, [2, 4, INF], [2.0 / 3.0, 1.0 / 3.0, 0.0]),
            (BonusForm::Sum, [2, 4, INF], [5.0 / 7.0, 3.0 / 7.0, 0.0]),
            (BonusForm::Max, [2, 4, INF], [1.0, 1.0 / 3.0, 0.0]),
            (BonusForm::Count, [2, INF, INF], [2.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]),
            (BonusForm::Sum, [INF; 3], [0.0; 3]),
            (BonusForm::Max, [INF; 3], [0.0; 3]),
        ] {
            let all = bonuses(form, &keys);
            assert!(all.iter().zip(expected).all(|(&a, b)| close(a, b)), "{form:?} of {keys:?}: {all:?}");
        }
    }

    fn rule(goal: PnGoal, players: u8) -> NumberRule {
        let options = PnBonus { weight: 1.0, form: BonusForm::Max, goal, skip_visits: None, draws: false };
        NumberRule::new(options, Player::FIRST, players)
    }

    #[test]
    fn sums_saturate_below_infinity() {
        let children =
            [AtomicU64::new(pack(ProofNumbers { proof: INFINITE - 1, disproof: 7 })), AtomicU64::new(pack(UNKNOWN))];
        let rule = rule(PnGoal::Prover, 2);
        let of_children = |seat: u8, children: &[AtomicU64]| unpack(rule.of_children(Player(seat), 0, children));
        assert_eq!(of_children(1, &children), ProofNumbers { proof: INFINITE - 1, disproof: 1 });
        let children = [AtomicU64::new(pack(DISPROVED)), AtomicU64::new(pack(UNKNOWN))];
        assert_eq!(of_children(1, &children), DISPROVED);
        assert_eq!(of_children(0, &children), ProofNumbers { proof: 1, disproof: 1 });
    }

    #[test]
    fn a_draw_proves_nothing_for_either_player_but_refutes_the_prover() {
        let draw = Outcome::zero_sum(0);
        assert_eq!(rule(PnGoal::Prover, 2).of_outcome(&draw)[0], pack(DISPROVED));
        let none = rule(PnGoal::Players, 2).of_outcome(&draw)[0];
        assert_eq!(unpack(none), ProofNumbers { proof: INFINITE, disproof: INFINITE });
        assert!(are_solved([none, 0], 1));
    }

    /// Three players: each minimises its own number, and the others' add up.
    #[test]
    fn every_player_has_a_number() {
        let rule = rule(PnGoal::Players, 3);
        let child = |a, b| AtomicU64::new(pack(ProofNumbers { proof: a, disproof: b }));
        let (first, second) = ([child(2, 3), child(4, 1)], [child(5, INFINITE), child(6, INFINITE)]);
        let numbers = |seat: u8| {
            let words = [rule.of_children(Player(seat), 0, &first), rule.of_children(Player(seat), 1, &second)];
            [0, 1, 2].map(|seat| rule.own(Player(seat), words).0)
        };
        assert_eq!(numbers(0), [2, 4, 11]);
        assert_eq!(numbers(1), [6, 1, 11]);
        assert_eq!(numbers(2), [6, 4, 5]);
    }
}
