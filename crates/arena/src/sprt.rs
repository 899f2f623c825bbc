//! The sequential probability ratio test (Wald 1945), which ends a match as soon as it is decided.
//!
//! The hypotheses are two differences in Elo, `elo0` below `elo1`. The test is the generalised one
//! (Van den Bergh 2018): each hypothesis is represented by the distribution of pair results that
//! has its mean score and maximises the likelihood of the counts. This needs no model of draws.

use crate::{Pairs, share};
use serde::{Deserialize, Serialize};

/// A test of `elo1` against `elo0`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The null hypothesis.
    pub elo0: f64,
    /// The alternative hypothesis.
    pub elo1: f64,
    /// The probability of accepting `elo1` although `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` although `elo1` is true.
    pub beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// `elo0` is accepted.
    Zero,
    /// `elo1` is accepted.
    One,
    /// More games are needed.
    Open,
}

/// The count of a result that has not occurred, so that no result is impossible. Raising it weakens
/// short matches.
const MIN_COUNT: f64 = 1e-3;
/// The number of bisection steps: enough for all bits of a float.
const BISECTIONS: u32 = 100;

impl Sprt {
    /// Returns the log-likelihood ratios at which `elo0` and `elo1` are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio (LLR).
    pub fn ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let counts: Vec<(f64, f64)> =
            pairs.points().iter().map(|(count, points)| (count.max(MIN_COUNT), *points)).collect();
        let all: f64 = counts.iter().map(|(count, _)| count).sum();
        let seen: Vec<(f64, f64)> = counts.iter().map(|(count, points)| (count / all, *points)).collect();
        let (zero, one) = (likeliest(&seen, share(self.elo0)), likeliest(&seen, share(self.elo1)));
        counts.iter().zip(one.iter().zip(&zero)).map(|((count, _), (one, zero))| count * (one / zero).ln()).sum()
    }

    /// Returns the verdict on the pairs so far.
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let (low, high) = self.bounds();
        match self.ratio(pairs) {
            ratio if ratio >= high => Verdict::One,
            ratio if ratio <= low => Verdict::Zero,
            _ => Verdict::Open,
        }
    }
}

/// Returns the maximum-likelihood distribution with a given mean: p / (1 + t (a - mean)), where t
/// is solved for the mean.
fn likeliest(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    // Every denominator must stay positive for results from 0 to 1.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let excess = |t: f64| -> f64 { seen.iter().map(|(p, a)| p * (a - mean) / (1.0 + t * (a - mean))).sum() };
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        // The excess decreases with t.
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let t = (low + high) / 2.0;
    seen.iter().map(|(p, a)| p / (1.0 + t * (a - mean))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Points;
    use tesuji_core::Rng;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };

    /// The approximation for small differences: n (s1 - s0) (2 s - s0 - s1) / (2 v).
    fn approximate(test: &Sprt, pairs: &Pairs) -> f64 {
        let (s0, s1) = (share(test.elo0), share(test.elo1));
        pairs.count() as f64 * (s1 - s0) * (2.0 * pairs.share() - s0 - s1) / (2.0 * pairs.variance())
    }

    #[test]
    fn the_bounds_are_those_of_wald() {
        let (low, high) = TEST.bounds();
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
    }

    #[test]
    fn the_ratio_is_near_its_approximation_and_changes_its_sign_between_the_hypotheses() {
        for pairs in [Pairs([40, 110, 300, 130, 45]), Pairs([100, 0, 800, 0, 110]), Pairs([90, 250, 330, 240, 95])] {
            let (exact, rough) = (TEST.ratio(&pairs), approximate(&TEST, &pairs));
            assert!((exact - rough).abs() < 0.03 * rough.abs().max(1.0), "{pairs:?}: {exact} {rough}");
        }
        assert!(TEST.ratio(&Pairs([100, 100, 100, 100, 100])) < 0.0);
        assert!(TEST.ratio(&Pairs([80, 100, 100, 100, 120])) > 0.0);
        assert_eq!(TEST.ratio(&Pairs::default()), 0.0);
    }

    #[test]
    fn the_ratio_matches_fastchess() {
        // The test values of fastchess (sprt_test.cpp) for its logistic model.
        for (pairs, elo0, elo1, published) in [
            (Pairs([223, 9863, 21279, 10037, 246]), 0.5, 2.5, -3.07),
            (Pairs([871, 26175, 55983, 26678, 821]), 0.0, 2.0, -4.98),
        ] {
            let ratio = Sprt { elo0, elo1, ..TEST }.ratio(&pairs);
            assert!((ratio - published).abs() < 0.01 * f64::abs(published), "{ratio}, not {published}");
        }
    }

    #[test]
    fn one_sided_matches_end() {
        for pairs in [1, 10, 4250] {
            let (lost, won) = (TEST.ratio(&Pairs([pairs, 0, 0, 0, 0])), TEST.ratio(&Pairs([0, 0, 0, 0, pairs])));
            assert!(lost.is_finite() && won.is_finite() && lost < 0.0 && won > 0.0, "{pairs}: {lost} {won}");
        }
        assert_eq!(TEST.verdict(&Pairs([4250, 0, 0, 0, 0])), Verdict::Zero);
        assert_eq!(TEST.verdict(&Pairs([0, 0, 0, 0, 4250])), Verdict::One);
    }

    #[test]
    fn error_rates_are_as_configured() {
        let test = Sprt { elo0: 0.0, elo1: 50.0, ..TEST };
        let mut rng = Rng::new(7);
        // Counts the matches, with a third of the games drawn, that accept `elo1` at a true
        // difference.
        let mut accepted = |elo: f64| {
            let (draw, mean) = (1.0 / 3.0, share(elo));
            let win = mean - draw / 2.0;
            let mut halves = || match rng.below(1 << 20) as f64 / f64::from(1 << 20) {
                drawn if drawn < win => 2,
                drawn if drawn < win + draw => 1,
                _ => 0,
            };
            let mut matches = || {
                let mut pairs = Pairs::default();
                loop {
                    pairs.add(halves() + halves());
                    match test.verdict(&pairs) {
                        Verdict::Open => {}
                        verdict => return verdict == Verdict::One,
                    }
                }
            };
            (0..400).filter(|_| matches()).count()
        };
        let (wrong, right) = (accepted(0.0), accepted(50.0));
        // 5 % of 400 is 20, with a standard deviation of 4.4.
        assert!(wrong <= 34, "{wrong} of 400 accepted although nothing is gained");
        assert!(right >= 366, "{right} of 400 accepted although much is gained");
    }
}
