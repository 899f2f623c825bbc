//! Counts of results, and what follows from them.

use crate::{Z, normal};
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::Add;

/// The games of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Record {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Record {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, a draw being half of one; one half if there were no games.
    pub fn share(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    /// The variance of the points of a game.
    pub fn variance(&self) -> f64 {
        let share = self.share();
        let part = |count: u64, points: f64| count as f64 * (points - share) * (points - share);
        let sum = part(self.wins, 1.0) + part(self.draws, 0.5) + part(self.losses, 0.0);
        sum / self.games().max(1) as f64
    }

    /// The 95 % interval of the share (Wilson 1927). It takes every game for a win or a loss; draws only make it a little wide.
    pub fn interval(&self) -> (f64, f64) {
        if self.games() == 0 {
            return (0.0, 1.0);
        }
        let (n, p) = (self.games() as f64, self.share());
        let shrink = 1.0 + Z * Z / n;
        let centre = (p + Z * Z / (2.0 * n)) / shrink;
        let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt() / shrink;
        ((centre - half).max(0.0), (centre + half).min(1.0))
    }

    /// The difference in Elo with its 95 % interval; the ends of an interval of shares, turned into Elo. Infinite where all games have one result.
    pub fn elo(&self) -> (f64, f64, f64) {
        spread(self.share(), self.variance(), self.games())
    }

    /// How likely it is that the player is the stronger one, before which nothing was known; draws say nothing about that.
    pub fn likelihood_of_superiority(&self) -> f64 {
        match self.wins + self.losses {
            0 => 0.5,
            decided => normal((self.wins as f64 - self.losses as f64) / (decided as f64).sqrt()),
        }
    }

    /// The same games seen by the opponent.
    pub fn reversed(&self) -> Record {
        Record { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for Record {
    type Output = Record;

    fn add(self, other: Record) -> Record {
        Record { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

impl Sum for Record {
    fn sum<I: Iterator<Item = Record>>(records: I) -> Record {
        records.fold(Record::default(), Add::add)
    }
}

/// Pairs of games from the same opening with colours swapped, by the points that the player made in both: 0, 1/2, 1, 3/2 and 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts a pair by its points, in halves.
    pub fn add(&mut self, halves: usize) {
        self.0[halves] += 1;
    }

    /// All pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of the points.
    pub fn share(&self) -> f64 {
        match self.count() {
            0 => 0.5,
            count => self.points().map(|(pairs, points)| pairs * points).sum::<f64>() / count as f64,
        }
    }

    /// The variance of the share of a pair.
    pub fn variance(&self) -> f64 {
        let share = self.share();
        let sum: f64 = self.points().map(|(pairs, points)| pairs * (points - share) * (points - share)).sum();
        sum / self.count().max(1) as f64
    }

    /// The difference in Elo with its 95 % interval, from pairs.
    pub fn elo(&self) -> (f64, f64, f64) {
        spread(self.share(), self.variance(), self.count())
    }

    /// How often each share of a pair's points occurred.
    pub(crate) fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let counts = self.0;
        (0..5).map(move |halves| (counts[halves] as f64, halves as f64 / 4.0))
    }
}

/// The difference in Elo that a share of the points means.
pub fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}

/// The share of the points that a difference in Elo means.
pub fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn spread(share: f64, variance: f64, samples: u64) -> (f64, f64, f64) {
    let half = Z * (variance / samples.max(1) as f64).sqrt();
    (elo(share), elo((share - half).max(0.0)), elo((share + half).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(left: f64, right: f64, by: f64) -> bool {
        (left - right).abs() < by
    }

    #[test]
    fn the_interval_is_that_of_wilson() {
        // Newcombe 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20 and 1 of 29.
        for (wins, games, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = Record { wins, draws: 0, losses: games - wins }.interval();
            assert!(near(found.0, low, 5e-5) && near(found.1, high, 5e-5), "{wins} of {games}: {found:?}");
        }
        assert_eq!(Record::default().interval(), (0.0, 1.0));
    }

    #[test]
    fn elo_and_share_are_inverse_and_symmetric() {
        assert_eq!(elo(0.5), 0.0);
        assert!(near(elo(0.75), 190.848, 1e-3));
        for difference in [-300.0, -5.0, 0.0, 42.0, 700.0] {
            assert!(near(elo(share(difference)), difference, 1e-9));
            assert!(near(share(difference) + share(-difference), 1.0, 1e-12));
        }
    }

    #[test]
    fn one_sided_matches_have_infinite_elo_and_no_hang() {
        let (elo, low, high) = Record { wins: 4250, ..Record::default() }.elo();
        assert_eq!((elo, low, high), (f64::INFINITY, f64::INFINITY, f64::INFINITY));
        let (elo, low, high) = Record::default().elo();
        assert_eq!((elo, low, high), (0.0, 0.0, 0.0));
    }

    #[test]
    fn superiority_is_a_matter_of_decided_games() {
        assert_eq!(Record { wins: 7, draws: 3, losses: 7 }.likelihood_of_superiority(), 0.5);
        let few = Record { wins: 10, draws: 0, losses: 5 }.likelihood_of_superiority();
        let drawn = Record { wins: 10, draws: 1000, losses: 5 }.likelihood_of_superiority();
        assert_eq!(few, drawn);
        // (10 - 5) / sqrt(15) = 1.2910, of which the normal distribution leaves 9.83 % above.
        assert!(near(few, 0.9017, 1e-4), "{few}");
    }

    #[test]
    fn draws_narrow_elo_and_pairs_narrow_it_where_colours_decide() {
        let width = |(_, low, high): (f64, f64, f64)| high - low;
        let without = Record { wins: 50, draws: 0, losses: 50 };
        let with = Record { wins: 10, draws: 80, losses: 10 };
        assert!(width(with.elo()) < width(without.elo()) / 2.0);
        // Whoever has the first move wins: each pair is one point, and nothing is left to chance.
        let pairs = Pairs([0, 0, 50, 0, 0]);
        assert_eq!(width(pairs.elo()), 0.0);
        assert_eq!(pairs.share(), without.share());
    }

    #[test]
    fn records_add_up_and_turn_round() {
        let one = Record { wins: 1, draws: 2, losses: 3 };
        assert_eq!([one, one.reversed()].into_iter().sum::<Record>(), Record { wins: 4, draws: 4, losses: 4 });
        assert!(near(one.share() + one.reversed().share(), 1.0, 1e-12));
    }
}
