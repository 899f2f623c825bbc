//! The two-proportion z-test.

use crate::normal;

/// The result of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ZTest {
    /// The difference of the proportions in standard deviations, after the continuity correction.
    pub z: f64,
    /// The one-sided p-value: the probability of a difference at least this large in this direction
    /// by chance.
    pub one_sided: f64,
    /// The two-sided p-value.
    pub two_sided: f64,
}

/// Compares two proportions, each given with its number of games: pooled, with the continuity
/// correction `|p1 - p2| - (1/n1 + 1/n2) / 2`, which the numbers of Steinmetz (2016) imply although
/// the text does not mention it.
pub fn z_test((first, first_games): (f64, u64), (second, second_games): (f64, u64)) -> ZTest {
    let (n1, n2) = (first_games as f64, second_games as f64);
    let pooled = (first * n1 + second * n2) / (n1 + n2);
    let deviation = (pooled * (1.0 - pooled) * (1.0 / n1 + 1.0 / n2)).sqrt();
    let difference = first - second;
    let corrected = (difference.abs() - (1.0 / n1 + 1.0 / n2) / 2.0).max(0.0);
    if deviation.is_nan() || deviation <= 0.0 {
        return ZTest { z: 0.0, one_sided: 0.5, two_sided: 1.0 };
    }
    let z = corrected / deviation * difference.signum();
    ZTest { z, one_sided: normal(-z), two_sided: 2.0 * normal(-z.abs()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_steinmetz_is_reproduced() {
        // 51 % against 50 %: Steinmetz 2016, on why tournaments have 14,000 games.
        for (games, p) in [(1_000, 0.3437), (10_000, 0.08074), (14_000, 0.04831)] {
            let found = z_test((0.51, games), (0.50, games)).one_sided;
            assert!((found / p - 1.0).abs() < 2e-4, "{games} games: {found}, not {p}");
        }
    }

    #[test]
    fn the_test_is_symmetric_and_degenerate_input_is_neutral() {
        let there = z_test((0.6, 100), (0.4, 120));
        let back = z_test((0.4, 120), (0.6, 100));
        assert_eq!(there.z, -back.z);
        assert!((there.one_sided + back.one_sided - 1.0).abs() < 1e-12);
        assert_eq!(there.two_sided, back.two_sided);
        for same in [z_test((0.5, 10), (0.5, 10)), z_test((1.0, 10), (1.0, 10)), z_test((0.5, 0), (0.5, 0))] {
            assert_eq!((same.z, same.two_sided), (0.0, 1.0));
        }
    }
}
