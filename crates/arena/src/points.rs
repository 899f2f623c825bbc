//! Statistics of counted results: intervals, Elo, likelihood of superiority.

use crate::{Z, normal};
use serde::{Deserialize, Serialize};
use tesuji_core::Wdl;

/// A sample of results, from which a difference in strength is estimated.
pub trait Points {
    /// The mean score, from 0 to 1.
    fn share(&self) -> f64;
    /// The variance of the score of one sample.
    fn variance(&self) -> f64;
    /// The number of samples.
    fn samples(&self) -> u64;

    /// Returns the difference in Elo and its 95 % interval: an interval of the score, converted to
    /// Elo. It is Wilson's interval with the observed variance in place of the binomial one, so
    /// that a few samples that happen to be equal do not look certain.
    fn elo(&self) -> (f64, f64, f64) {
        let (n, share, square) = (self.samples() as f64, self.share(), Z * Z);
        let centre = (share * n + square / 2.0) / (n + square);
        let half = Z * (self.variance() * n + square / 4.0).sqrt() / (n + square);
        // Rounding must not exclude the observed score.
        let (low, high) = ((centre - half).clamp(0.0, share), (centre + half).clamp(share, 1.0));
        (elo(share), elo(low), elo(high))
    }
}

impl Points for Wdl {
    fn share(&self) -> f64 {
        Wdl::share(self)
    }

    fn variance(&self) -> f64 {
        variance(&[(self.wins as f64, 1.0), (self.draws as f64, 0.5), (self.losses as f64, 0.0)], self.share())
    }

    fn samples(&self) -> u64 {
        self.games()
    }
}

/// Returns the 95 % interval of the score (Wilson 1927). It assumes wins and losses only; draws
/// make it slightly too wide.
pub fn interval(record: &Wdl) -> (f64, f64) {
    interval_at(record, Z)
}

/// Returns Wilson's interval at `z` standard deviations.
pub(crate) fn interval_at(record: &Wdl, z: f64) -> (f64, f64) {
    if record.games() == 0 {
        return (0.0, 1.0);
    }
    let (n, p) = (record.games() as f64, record.share());
    let shrink = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / shrink;
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / shrink;
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// Returns the likelihood of superiority (LOS): the probability that the player is the stronger
/// one, given a flat prior. Draws do not count.
pub fn likelihood_of_superiority(record: &Wdl) -> f64 {
    match record.wins + record.losses {
        0 => 0.5,
        decided => normal((record.wins as f64 - record.losses as f64) / (decided as f64).sqrt()),
    }
}

/// Returns the variance around a mean of points given as (count, points).
fn variance(points: &[(f64, f64)], mean: f64) -> f64 {
    let all: f64 = points.iter().map(|(count, _)| count).sum();
    let sum: f64 = points.iter().map(|(count, points)| count * (points - mean) * (points - mean)).sum();
    sum / all.max(1.0)
}

/// Game pairs by points: the number of pairs in which the player scored 0, ½, 1, 1½ and 2. A pair
/// is two games from the same opening with colours swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts a pair by its points in half points.
    pub fn add(&mut self, halves: usize) {
        self.0[halves] += 1;
    }

    /// Returns the pairs from the opponent's point of view.
    pub fn reversed(&self) -> Pairs {
        let [none, half, one, more, all] = self.0;
        Pairs([all, more, one, half, none])
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns (count, score) for each result of a pair.
    pub(crate) fn points(&self) -> [(f64, f64); 5] {
        std::array::from_fn(|halves| (self.0[halves] as f64, halves as f64 / 4.0))
    }
}

impl Points for Pairs {
    fn share(&self) -> f64 {
        match self.count() {
            0 => 0.5,
            count => self.points().iter().map(|(pairs, points)| pairs * points).sum::<f64>() / count as f64,
        }
    }

    fn variance(&self) -> f64 {
        variance(&self.points(), self.share())
    }

    fn samples(&self) -> u64 {
        self.count()
    }
}

/// Converts a score to a difference in Elo.
pub fn elo(share: f64) -> f64 {
    // Adding zero turns -0 into 0.
    -400.0 * (1.0 / share - 1.0).log10() + 0.0
}

/// Converts a difference in Elo to a score.
pub fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(left: f64, right: f64, by: f64) -> bool {
        (left - right).abs() < by
    }

    #[test]
    fn the_interval_matches_published_wilson_intervals() {
        // Newcombe 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20 and 1 of 29.
        for (wins, games, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = interval(&Wdl { wins, draws: 0, losses: games - wins });
            assert!(near(found.0, low, 5e-5) && near(found.1, high, 5e-5), "{wins} of {games}: {found:?}");
        }
        assert_eq!(interval(&Wdl::default()), (0.0, 1.0));
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
    fn elo_and_its_error_match_fastchess() {
        // The test values of fastchess (elo_test.cpp), which uses the plain variance; with hundreds
        // of samples the difference is negligible.
        let cases: [((f64, f64, f64), f64, f64); 4] = [
            (Wdl { wins: 136, draws: 111, losses: 96 }.elo(), 40.70, 30.43),
            (Pairs([34, 54, 63, 64, 75]).elo(), 55.58, 27.65),
            (Pairs([332, 433, 498, 333, 334]).elo(), -8.64, 10.33),
            (Pairs([7895, 8757, 5685, 568, 9999]).elo(), -21.04, 2.95),
        ];
        for ((elo, low, high), published, error) in cases {
            assert!(near(elo, published, 0.005), "{elo}, not {published}");
            assert!(near((high - low) / 2.0, error, 0.01 * error), "{low} .. {high}, not ± {error}");
        }
    }

    #[test]
    fn without_draws_the_elo_interval_is_that_of_the_score() {
        for record in [Wdl { wins: 60, draws: 0, losses: 40 }, Wdl { wins: 1, draws: 0, losses: 28 }] {
            let ((low, high), (_, elo_low, elo_high)) = (interval(&record), record.elo());
            assert!(near(elo_low, elo(low), 1e-9) && near(elo_high, elo(high), 1e-9), "{record:?}");
        }
    }

    #[test]
    fn one_sided_matches_have_an_infinite_upper_end() {
        // A share of 4250 / (4250 + 1.96^2) is the lower end.
        let (elo, low, high) = Wdl { wins: 4250, ..Wdl::default() }.elo();
        assert_eq!((elo, high), (f64::INFINITY, f64::INFINITY));
        assert!(near(low, 1217.6, 0.1), "{low}");
        let (elo, low, high) = Wdl::default().elo();
        assert_eq!((elo, low, high), (0.0, f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn a_few_equal_samples_are_not_certain() {
        for pairs in [Pairs([0, 0, 1, 0, 0]), Pairs([0, 0, 0, 1, 0]), Pairs([0, 0, 0, 0, 1])] {
            let (elo, low, high) = pairs.elo();
            assert!(low <= elo && elo <= high && high - low > 400.0, "{pairs:?}: {elo} {low} {high}");
        }
        let (_, low, high) = Pairs([0, 0, 5000, 0, 0]).elo();
        assert!(high - low < 1.0, "{low} {high}");
    }

    #[test]
    fn superiority_ignores_draws() {
        assert_eq!(likelihood_of_superiority(&Wdl { wins: 7, draws: 3, losses: 7 }), 0.5);
        let few = likelihood_of_superiority(&Wdl { wins: 10, draws: 0, losses: 5 });
        let drawn = likelihood_of_superiority(&Wdl { wins: 10, draws: 1000, losses: 5 });
        assert_eq!(few, drawn);
        // (10 - 5) / sqrt(15) = 1.2910, of which the normal distribution leaves 9.83 % above.
        assert!(near(few, 0.9017, 1e-4), "{few}");
    }

    #[test]
    fn draws_and_pairs_narrow_the_elo_interval() {
        let width = |(_, low, high): (f64, f64, f64)| high - low;
        let without = Wdl { wins: 50, draws: 0, losses: 50 };
        let with = Wdl { wins: 10, draws: 80, losses: 10 };
        assert!(width(with.elo()) < width(without.elo()) / 2.0);
        // If the first player always wins, each pair scores one point and the pairs have no
        // variance.
        let pairs = Pairs([0, 0, 50, 0, 0]);
        assert!(width(pairs.elo()) < width(without.elo()) / 2.0);
        assert_eq!(pairs.share(), without.share());
    }
}
