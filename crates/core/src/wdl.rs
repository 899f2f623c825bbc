//! Counts of wins, draws and losses.

use crate::Verdict;
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::Add;

/// The wins, draws and losses of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Adds a game.
    pub fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Win => self.wins += 1,
            Verdict::Draw => self.draws += 1,
            Verdict::Loss => self.losses += 1,
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points divided by the games, a draw counting half a point; one half without
    /// games.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    /// Returns the record of the opponent.
    pub fn reversed(&self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for Wdl {
    type Output = Wdl;

    fn add(self, other: Wdl) -> Wdl {
        Wdl { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

impl Sum for Wdl {
    fn sum<I: Iterator<Item = Wdl>>(records: I) -> Wdl {
        records.fold(Wdl::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_add_up_and_reverse() {
        let mut one = Wdl { wins: 1, draws: 2, losses: 2 };
        one.count(Verdict::Loss);
        assert_eq!([one, one.reversed()].into_iter().sum::<Wdl>(), Wdl { wins: 4, draws: 4, losses: 4 });
        assert!((one.share() + one.reversed().share() - 1.0).abs() < 1e-12);
        assert_eq!(Wdl::default().share(), 0.5);
    }
}
