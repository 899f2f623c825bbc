//! Chi-squared tests of samples.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The p-value below which a sample is rejected. Seeds are fixed, so the result of a test never
/// changes. Raising it finds smaller faults but rejects more correct implementations.
const REJECT: f64 = 1e-6;

/// Buckets with a smaller expected count are skipped: chi-squared is an approximation for large
/// counts.
const LEAST_EXPECTED: f64 = 8.0;

/// Tests whether `counts` fit the uniform distribution.
pub fn is_uniform(counts: &[u64]) -> Result<(), String> {
    let total: u64 = counts.iter().sum();
    let expected = total as f64 / counts.len() as f64;
    if counts.len() < 2 || expected < LEAST_EXPECTED {
        return Ok(());
    }
    let statistic: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    check(statistic, counts.len() - 1, || format!("not uniform: {counts:?}"))
}

/// Tests whether two samples have the same distribution, over at most twelve buckets of similar
/// size.
pub fn is_same(left: &[i64], right: &[i64]) -> Result<(), String> {
    let mut all: Vec<i64> = left.iter().chain(right).copied().collect();
    all.sort_unstable();
    let mut edges: Vec<i64> = (1..12).map(|twelfth| all[all.len() * twelfth / 12]).collect();
    edges.dedup();
    let bucket = |sample: &[i64]| {
        let mut counts = vec![0u64; edges.len() + 1];
        for number in sample {
            counts[edges.partition_point(|edge| edge <= number)] += 1;
        }
        counts
    };
    let (left_counts, right_counts) = (bucket(left), bucket(right));
    let (left_total, right_total) = (left.len() as f64, right.len() as f64);
    let (mut statistic, mut buckets) = (0.0, 0);
    for (&a, &b) in left_counts.iter().zip(&right_counts) {
        let share = (a + b) as f64 / (left_total + right_total);
        if share * left_total.min(right_total) < LEAST_EXPECTED {
            continue;
        }
        statistic += (a as f64 - share * left_total).powi(2) / (share * left_total);
        statistic += (b as f64 - share * right_total).powi(2) / (share * right_total);
        buckets += 1;
    }
    if buckets < 2 {
        return Ok(());
    }
    check(statistic, buckets - 1, || {
        format!("not the same distribution: {left_counts:?} against {right_counts:?}, edges {edges:?}")
    })
}

fn check(statistic: f64, degrees: usize, failure: impl Fn() -> String) -> Result<(), String> {
    let distribution = ChiSquared::new(degrees as f64).expect("at least one degree of freedom");
    let probability = distribution.sf(statistic);
    if probability >= REJECT {
        return Ok(());
    }
    Err(format!("{} (chi-squared {statistic:.1}, {degrees} degrees, p = {probability:.1e})", failure()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Rng;

    #[test]
    fn a_biased_sample_is_rejected() {
        assert!(is_uniform(&[1000, 1010, 985, 1005]).is_ok());
        assert!(is_uniform(&[1000, 1210, 985, 1005]).is_err());
    }

    #[test]
    fn a_wider_sample_is_rejected() {
        let mut rng = Rng::new(5);
        let mut sample = |top: usize| (0..20_000).map(|_| rng.below(top) as i64).collect::<Vec<_>>();
        let (left, right, wider) = (sample(50), sample(50), sample(53));
        assert!(is_same(&left, &right).is_ok());
        assert!(is_same(&left, &wider).is_err());
    }
}
