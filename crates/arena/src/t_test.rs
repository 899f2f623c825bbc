//! Means of scores with their intervals, and the paired t-test, by Student's t-distribution.

use serde::{Serialize, Serializer};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The mean of a sample of independent numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error; `None` for a single number.
    pub standard_error: Option<f64>,
    /// The size of the sample.
    pub count: u64,
}

impl Mean {
    /// Computes the mean of a sample; `None` if it is empty.
    pub fn of(numbers: &[f64]) -> Option<Mean> {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
        let standard_error = (numbers.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        (!numbers.is_empty()).then_some(Mean { mean, standard_error, count: numbers.len() as u64 })
    }

    /// Returns half the width of the 95 % interval of the mean.
    pub fn error(&self) -> Option<f64> {
        Some(student(self.count - 1)?.inverse_cdf(0.975) * self.standard_error?)
    }

    /// Tests whether the true mean is 0; `None` for a single number.
    pub fn t_test(&self) -> Option<TTest> {
        self.t_test_with(self.mean, self.standard_error?)
    }

    /// Tests whether the true mean is that of another sample, of which only the mean and the size
    /// are known: its variance is taken to be the same.
    pub fn t_test_against(&self, other: f64, count: u64) -> Option<TTest> {
        let ratio = 1.0 + self.count as f64 / count.max(1) as f64;
        self.t_test_with(self.mean - other, self.standard_error? * ratio.sqrt())
    }

    fn t_test_with(&self, difference: f64, standard_error: f64) -> Option<TTest> {
        let degrees = self.count - 1;
        // Without a difference there is no evidence, even if nothing varies.
        let t = if difference == 0.0 { 0.0 } else { difference / standard_error };
        Some(TTest { t, degrees, p: (2.0 * student(degrees)?.cdf(-t.abs())).min(1.0) })
    }
}

/// The result of a two-tailed t-test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TTest {
    /// The difference divided by its standard error; infinite if nothing varies.
    #[serde(serialize_with = "infinity_as_text")]
    pub t: f64,
    /// The degrees of freedom.
    pub degrees: u64,
    /// The p-value: the probability of a difference at least this large, in either direction, by
    /// chance.
    pub p: f64,
}

/// Compares two players on the same boards: tests whether the mean of the differences is 0.
/// `None` for fewer than two differences.
///
/// ```
/// // The sleep data of Student (1908): hours gained by ten patients with two drugs.
/// let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
/// let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
/// let differences: Vec<f64> = first.iter().zip(&second).map(|(first, second)| first - second).collect();
/// let test = tesuji_arena::paired_t_test(&differences).unwrap();
/// assert!((test.t + 4.0621).abs() < 5e-5 && test.degrees == 9 && (test.p - 0.002833).abs() < 5e-7);
/// ```
pub fn paired_t_test(differences: &[f64]) -> Option<TTest> {
    Mean::of(differences)?.t_test()
}

/// Formats a p-value.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_string() } else { format!("= {p:.3}") }
}

/// Returns Student's t-distribution; `None` without degrees of freedom.
fn student(degrees: u64) -> Option<StudentsT> {
    StudentsT::new(0.0, 1.0, degrees as f64).ok()
}

/// Serialises infinities, which JSON does not have, as text.
pub(crate) fn infinity_as_text<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        number if number.is_infinite() => serializer.serialize_str(if *number > 0.0 { "inf" } else { "-inf" }),
        number => serializer.serialize_f64(*number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The differences of Student (1908), *The probable error of a mean*: the second drug less the
    /// first, as R has them in `sleep`.
    const SLEEP: [f64; 10] = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];

    fn near(left: f64, right: f64, by: f64) -> bool {
        (left - right).abs() < by
    }

    #[test]
    fn the_sleep_data_of_student_give_the_numbers_of_r() {
        // t.test(extra ~ group, data = sleep, paired = TRUE): t = -4.0621, df = 9, p-value =
        // 0.002833, 95 percent confidence interval -2.4598858 -0.7001142.
        let mean = Mean::of(&SLEEP).unwrap();
        let (test, error) = (mean.t_test().unwrap(), mean.error().unwrap());
        assert!(near(mean.mean, 1.58, 1e-12) && near(test.t, 4.0621, 5e-5), "{mean:?} {test:?}");
        assert!(test.degrees == 9 && near(test.p, 0.002833, 5e-7), "{test:?}");
        assert!(near(mean.mean - error, 0.7001142, 5e-7) && near(mean.mean + error, 2.4598858, 5e-7), "{error}");
        let back = paired_t_test(&SLEEP.map(|difference| -difference)).unwrap();
        assert_eq!((back.t, back.p), (-test.t, test.p));
    }

    #[test]
    fn intervals_use_the_quantiles_of_published_tables() {
        // Two-sided 95 % quantiles of Student's t (any table, for example Fisher and Yates 1938).
        for (degrees, quantile) in [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (19, 2.093), (60, 2.000)] {
            let found = student(degrees).unwrap().inverse_cdf(0.975);
            assert!(near(found, quantile, 6e-4), "{degrees} degrees: {found}, not {quantile}");
        }
    }

    #[test]
    fn probabilities_use_the_quantiles_of_published_tables() {
        for (degrees, t, p) in [(10, 2.764, 0.02), (10, 3.169, 0.01), (30, 2.042, 0.05), (5, 6.869, 0.001)] {
            let found = 2.0 * student(degrees).unwrap().cdf(-t);
            assert!(near(found / p, 1.0, 1e-3), "{degrees} degrees, t {t}: {found}, not {p}");
        }
    }

    #[test]
    fn small_and_constant_samples_claim_nothing_too_much() {
        assert_eq!((Mean::of(&[]), paired_t_test(&[])), (None, None));
        let single = Mean::of(&[3.0]).unwrap();
        assert_eq!((single.mean, single.error(), single.t_test()), (3.0, None, None));
        let equal = paired_t_test(&[0.0; 5]).unwrap();
        assert_eq!((equal.t, equal.p), (0.0, 1.0));
        let constant = paired_t_test(&[-2.0; 5]).unwrap();
        assert_eq!((constant.t, constant.p), (f64::NEG_INFINITY, 0.0));
        assert!(serde_json::to_string(&constant).unwrap().contains(r#""t":"-inf""#));
    }

    #[test]
    fn the_mean_of_another_sample_has_an_error_of_its_own() {
        let mean = Mean::of(&SLEEP).unwrap();
        // Against a very large sample it is the one-sample test.
        let large = mean.t_test_against(0.0, 1 << 40).unwrap();
        assert!(near(large.t, 4.0621, 5e-5), "{large:?}");
        // A sample of the same size doubles the variance.
        let same = mean.t_test_against(0.0, 10).unwrap();
        assert!(near(same.t, 4.0621 / 2f64.sqrt(), 5e-5) && same.p > large.p, "{same:?}");
        assert_eq!(mean.t_test_against(mean.mean, 10).unwrap().p, 1.0);
    }
}
