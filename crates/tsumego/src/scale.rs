//! The scale of ko verdicts.
//!
//! An external ko threat is always answered, so that it costs a ply and lets its owner retake. At
//! level k >= 0 the opponent of the mover has k threats, at level k < 0 the mover has -k. More
//! threats only help their owner, so that success at one level is success at all lower ones, and
//! the verdict is the highest level of success (Wolf 2000 counts threats in this way).

use serde::{Deserialize, Serialize};

/// A step of the scale, from [`Level::FAILS`] to [`Level::UNCONDITIONAL`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Level(u8);

impl Level {
    /// The mover fails with any number of threats.
    pub const FAILS: Level = Level(0);
    /// The mover succeeds with unlimited threats.
    pub const WITH_ALL: Level = Level(1);
    /// The mover succeeds with one threat.
    pub const WITH_ONE: Level = Level(3);
    /// The mover succeeds without threats on either side.
    pub const EVEN: Level = Level(4);
    /// The mover succeeds although the opponent has unlimited threats.
    pub const UNCONDITIONAL: Level = Level(7);

    const NAMES: [&'static str; 8] = ["none", "-inf", "-2", "-1", "0", "1", "2", "+inf"];
    const THREATS: [[&'static str; 2]; 8] =
        [["inf", "0"], ["inf", "0"], ["2", "0"], ["1", "0"], ["0", "0"], ["0", "1"], ["0", "2"], ["0", "inf"]];

    /// Returns the threats of the mover and of the opponent, as in the text of a position.
    pub fn threats(self) -> [&'static str; 2] {
        Level::THREATS[usize::from(self.0)]
    }

    /// Returns k as a number: `-inf` to `+inf`, or `none`.
    pub fn name(self) -> &'static str {
        Level::NAMES[usize::from(self.0)]
    }

    /// Returns k for the levels between none and the ends of the scale.
    pub fn number(self) -> Option<i8> {
        (2..=6).contains(&self.0).then_some(self.0 as i8 - 4)
    }

    /// Returns the next higher level.
    pub fn next(self) -> Level {
        Level((self.0 + 1).min(Level::UNCONDITIONAL.0))
    }

    /// Returns the level with two threats in place of unlimited ones, and the answer there that
    /// holds here, too; `None` if no side has unlimited threats.
    pub fn two_threats(self) -> Option<(Level, bool)> {
        match self {
            Level::UNCONDITIONAL => Some((Level(6), false)),
            Level::WITH_ALL => Some((Level(2), true)),
            _ => None,
        }
    }

    /// Returns the code with which GNU Go answers: 1 unconditional, 2 a ko in which the opponent
    /// must find the first threat, 3 a ko in which the mover must, 0 failure.
    pub fn code(self) -> u8 {
        match self.0 {
            0 => 0,
            1..=3 => 3,
            4..=6 => 2,
            _ => 1,
        }
    }
}

impl From<Level> for &'static str {
    fn from(level: Level) -> &'static str {
        level.name()
    }
}

impl TryFrom<String> for Level {
    type Error = String;

    fn try_from(name: String) -> Result<Level, String> {
        let found = Level::NAMES.iter().position(|known| *known == name);
        found.map(|at| Level(at as u8)).ok_or_else(|| format!("{name} is not a verdict"))
    }
}

/// What is known about a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Scale {
    /// The highest level at which success is proven.
    pub at_least: Level,
    /// The highest level at which failure is not proven.
    pub at_most: Level,
}

impl Scale {
    /// Nothing is known.
    pub const UNKNOWN: Scale = Scale { at_least: Level::FAILS, at_most: Level::UNCONDITIONAL };

    /// Returns the verdict, if it is known.
    pub fn verdict(self) -> Option<Level> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }

    /// Returns whether anything is known.
    pub fn is_narrowed(self) -> bool {
        self != Scale::UNKNOWN
    }

    /// Returns whether the mover is known to succeed at a level.
    pub fn succeeds(self, level: Level) -> Option<bool> {
        if level <= self.at_least {
            return Some(true);
        }
        (level > self.at_most).then_some(false)
    }

    /// Adds an answer.
    pub fn learn(&mut self, level: Level, succeeds: bool) {
        if succeeds {
            self.at_least = self.at_least.max(level);
        } else {
            self.at_most = self.at_most.min(Level(level.0 - 1));
        }
    }

    /// Returns the level to ask about next: first without threats, then with unlimited ones, since
    /// most problems have no ko, then one by one.
    pub fn next(self) -> Option<Level> {
        let order = [4, 7, 1, 3, 5, 2, 6].map(Level);
        order.into_iter().find(|level| self.succeeds(*level).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The questions for a verdict.
    fn questions(verdict: Level) -> (usize, Scale) {
        let mut scale = Scale::UNKNOWN;
        let mut number = 0;
        while let Some(level) = scale.next() {
            scale.learn(level, level <= verdict);
            number += 1;
        }
        (number, scale)
    }

    #[test]
    fn two_threats_settle_one_answer_with_unlimited_ones() {
        for level in (0..8).map(Level) {
            let Some((two, settles)) = level.two_threats() else { continue };
            let numbers = |level: Level| level.threats().map(|number| number.replace("inf", "2"));
            assert_eq!(numbers(two), numbers(level));
            // What a verdict says of the lower of two levels follows from success at the higher
            // one.
            for verdict in (0..8).map(Level) {
                assert!((two <= verdict) != settles || (level <= verdict) == settles, "{}", verdict.name());
            }
        }
        assert_eq!(Level::EVEN.two_threats(), None);
    }

    #[test]
    fn every_verdict_is_found_with_at_most_four_questions() {
        for verdict in (0..8).map(Level) {
            let (number, scale) = questions(verdict);
            assert_eq!(scale.verdict(), Some(verdict));
            assert!(number <= 4, "{}: {number}", verdict.name());
        }
        assert_eq!([Level::UNCONDITIONAL, Level::FAILS].map(|verdict| questions(verdict).0), [2, 2]);
    }

    #[test]
    fn levels_have_threats_and_codes() {
        assert_eq!(Level::EVEN.threats(), ["0", "0"]);
        assert_eq!(Level::UNCONDITIONAL.threats(), ["0", "inf"]);
        assert_eq!(Level::WITH_ONE.threats(), ["1", "0"]);
        let codes: Vec<u8> = (0..8).map(|level| Level(level).code()).collect();
        assert_eq!(codes, [0, 3, 3, 3, 2, 2, 2, 1]);
        let read: Vec<Level> = Level::NAMES.iter().map(|name| name.to_string().try_into().unwrap()).collect();
        assert_eq!(read, (0..8).map(Level).collect::<Vec<_>>());
        assert!(Level::try_from("3".to_string()).is_err());
        assert_eq!((Level::WITH_ONE.number(), Level::EVEN.number()), (Some(-1), Some(0)));
    }
}
