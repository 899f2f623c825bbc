//! Patterns of the eight points around a move (Bouzy and Chaslot 2006; Saito 2010, chapter 3).
//!
//! A pattern has one of three states for each point, so that there are 3^8 = 6561; a point off the
//! board counts as empty. Its value, from 0 to [`MAX_PATTERN_VALUE`], says how often a move there
//! was played in games of how often it was possible. `patterns.txt` has the counts; `tesuji learn
//! go --patterns` makes it. They are counted for the player to move, and for symmetric patterns
//! together, of which there are 954.

use super::stones::Stones;
use crate::board::bits::Bits;
use std::sync::LazyLock;
use tesuji_core::MAX_PATTERN_VALUE;

/// The number of patterns.
pub const PATTERNS: usize = 6561;

/// The points around a move in reading order, as rows up and columns to the right. The point
/// opposite to number k is number 7 - k.
const AROUND: [(isize, isize); 8] = [(1, -1), (1, 0), (1, 1), (0, -1), (0, 1), (-1, -1), (-1, 0), (-1, 1)];

const POWERS: [u16; 8] = [1, 3, 9, 27, 81, 243, 729, 2187];

/// The states of a point: empty, a stone of Black or of the player to move, another stone.
const STATES: [char; 3] = ['.', 'X', 'O'];

/// The number of moves by which a rate is drawn towards the mean of all patterns, so that rare
/// patterns do not get extreme values. Raising it makes the values of rare patterns more alike.
const PRIOR_MOVES: f64 = 20.0;

/// The distance of a neighbour in the numbering of a board.
#[inline]
fn offset(number: usize, stride: usize) -> isize {
    let (up, right) = AROUND[number];
    up * stride as isize + right
}

/// The pattern around a point, with Black and White as players 1 and 2.
#[inline]
pub fn pattern<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    point: usize,
) -> u16 {
    let mut pattern = 0;
    for (number, power) in POWERS.iter().enumerate() {
        let neighbour = point.wrapping_add_signed(offset(number, STRIDE));
        pattern += power * u16::from(stones.of(0).contains(neighbour));
        pattern += power * 2 * u16::from(stones.of(1).contains(neighbour));
    }
    pattern
}

/// Adds the stones of a player to the patterns around them, or removes them.
#[inline]
pub fn change<B: Bits, const STRIDE: usize>(patterns: &mut [u16], seat: usize, stones: B, adds: bool) {
    for stone in stones.members() {
        for (number, power) in POWERS.iter().enumerate() {
            // The stone is the opposite neighbour of its neighbour.
            let around = stone.wrapping_add_signed(offset(7 - number, STRIDE));
            let state = power * (1 + seat as u16);
            patterns[around] = if adds { patterns[around] + state } else { patterns[around] - state };
        }
    }
}

fn states(pattern: usize) -> [usize; 8] {
    POWERS.map(|power| pattern / usize::from(power) % 3)
}

fn pattern_of(states: [usize; 8]) -> usize {
    states.iter().zip(POWERS).map(|(state, power)| state * usize::from(power)).sum()
}

/// The pattern with the colours exchanged.
fn swapped(pattern: usize) -> usize {
    pattern_of(states(pattern).map(|state| [0, 2, 1][state]))
}

/// The eight images of a pattern under the symmetries of the square.
fn images(pattern: usize) -> [usize; 8] {
    let states = states(pattern);
    std::array::from_fn(|symmetry| {
        pattern_of(AROUND.map(|(up, right)| {
            let (up, right) = if symmetry & 4 == 0 { (up, right) } else { (right, up) };
            let image = (if symmetry & 1 == 0 { up } else { -up }, if symmetry & 2 == 0 { right } else { -right });
            states[AROUND.iter().position(|around| *around == image).expect("symmetries permute the neighbours")]
        }))
    })
}

/// The text of a pattern for the player to move (X): the eight points in reading order. Symmetric
/// patterns have the same text.
pub fn text(pattern: u16, seat: usize) -> String {
    let pattern = usize::from(pattern);
    let own = if seat == 0 { pattern } else { swapped(pattern) };
    let least = images(own).into_iter().min().expect("eight images");
    states(least).map(|state| STATES[state]).iter().collect()
}

/// The values of all patterns for Black to move, and for White.
pub struct Values([[u16; PATTERNS]; 2]);

impl Values {
    /// Returns the learned values.
    #[inline]
    pub fn learned() -> &'static Values {
        static LEARNED: LazyLock<Values> = LazyLock::new(|| {
            Values::of_counts(include_str!("patterns.txt")).expect("the patterns of this folder are well-formed")
        });
        &LEARNED
    }

    /// Returns the value of a pattern for a player to move.
    #[inline]
    pub fn of(&self, pattern: u16, seat: usize) -> u16 {
        self.0[seat][usize::from(pattern)]
    }

    /// Reads lines with a pattern, and how often it was played and possible; `None` if a line is
    /// malformed. The highest rate gets the largest value, and no pattern 0.
    fn of_counts(text: &str) -> Option<Values> {
        let mut counts = vec![(0.0, 0.0); PATTERNS];
        let (mut played, mut possible) = (0.0, 0.0);
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let &[pattern, times_played, times_possible] = words.as_slice() else { return None };
            let states: Option<Vec<usize>> =
                pattern.chars().map(|char| STATES.iter().position(|state| *state == char)).collect();
            let count: (f64, f64) = (times_played.parse().ok()?, times_possible.parse().ok()?);
            images(pattern_of(states?.try_into().ok()?)).into_iter().for_each(|image| counts[image] = count);
            (played, possible) = (played + count.0, possible + count.1);
        }
        let mean = played / possible;
        let rates: Vec<f64> =
            counts.iter().map(|count| (count.0 + PRIOR_MOVES * mean) / (count.1 + PRIOR_MOVES)).collect();
        let highest = rates.iter().copied().fold(0.0, f64::max);
        let value = |pattern: usize| (f64::from(MAX_PATTERN_VALUE) * rates[pattern] / highest).ceil() as u16;
        Some(Values([std::array::from_fn(value), std::array::from_fn(|pattern| value(swapped(pattern)))]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn symmetric_patterns_and_those_of_both_players_are_one() {
        let texts: HashSet<String> = (0..PATTERNS as u16).map(|pattern| text(pattern, 0)).collect();
        // Burnside's lemma: (3^8 + 2 * 3^2 + 3^4 + 4 * 3^5) / 8.
        assert_eq!(texts.len(), (6561 + 2 * 9 + 81 + 4 * 243) / 8);
        assert_eq!(texts.len(), 954);
        for pattern in 0..PATTERNS as u16 {
            assert_eq!(text(pattern, 1), text(swapped(usize::from(pattern)) as u16, 0));
        }
    }

    #[test]
    fn values_follow_from_counts() {
        // Rates with the prior: mean 15 / 150 = 0.1, so (10 + 2) / (40 + 20) = 0.2 and
        // (5 + 2) / (110 + 20) = 0.0538; all other patterns 0.1.
        let values = Values::of_counts("# a comment\nX....... 10 40\n.O...... 5 110\n").unwrap();
        let corners = [0, 2, 5, 7].map(|number| POWERS[number]);
        let sides = [1, 3, 4, 6].map(|number| POWERS[number]);
        for (corner, side) in corners.into_iter().zip(sides) {
            assert_eq!((values.of(corner, 0), values.of(2 * corner, 1)), (340, 340));
            assert_eq!((values.of(2 * side, 0), values.of(side, 1)), (92, 92));
            assert_eq!((values.of(2 * corner, 0), values.of(side, 0), values.of(0, 1)), (170, 170, 170));
        }
    }

    #[test]
    fn malformed_counts_are_refused() {
        for text in ["X......", "X....... 1", "X...... 1 2", "Y....... 1 2", "X....... one 2"] {
            assert!(Values::of_counts(text).is_none(), "{text}");
        }
    }

    #[test]
    fn every_value_is_in_the_range() {
        let values = Values::learned();
        for pattern in 0..PATTERNS as u16 {
            assert!((1..=MAX_PATTERN_VALUE).contains(&values.of(pattern, 0)));
        }
        assert!((0..PATTERNS as u16).any(|pattern| values.of(pattern, 0) == MAX_PATTERN_VALUE));
    }
}
