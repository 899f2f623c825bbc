//! Reproducible random numbers.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng as _, SeedableRng};

/// The generator of playouts and searches: xoshiro256++, whose stream `rand` keeps stable.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Creates the generator of a worker. Worker 0 has the stream of the seed itself, so that a
    /// search with one worker gives the same result as one without workers.
    pub fn stream(seed: u64, worker: u64) -> Rng {
        Rng::new(seed ^ worker.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below `n`. The bias of the multiplication is below n/2^64.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// Returns a number in [0, 1).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns an index below the number of weights, with probability proportional to its weight.
    #[inline]
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        pick(weights, self.unit() * weights.iter().sum::<f64>())
    }
}

/// The index at which the sum of weights exceeds a number; the last one if rounding has kept the
/// sum below it.
#[inline]
pub fn pick(weights: &[f64], mut below: f64) -> usize {
    let found = weights.iter().position(|weight| {
        below -= weight;
        below < 0.0
    });
    found.unwrap_or(weights.len() - 1)
}

/// The output function of splitmix64, which hashes a number into 64 well-mixed bits.
#[inline]
pub const fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worker_zero_has_the_stream_of_the_seed() {
        assert_eq!(Rng::stream(7, 0).bits(), Rng::new(7).bits());
        assert_ne!(Rng::stream(7, 1).bits(), Rng::new(7).bits());
    }

    #[test]
    fn an_index_is_picked_in_proportion_to_its_weight() {
        let weights = [1.0, 2.0, 5.0];
        let picked: Vec<usize> = (0..8).map(|eighth| pick(&weights, f64::from(eighth) + 0.5)).collect();
        assert_eq!(picked, [0, 1, 1, 2, 2, 2, 2, 2]);
        assert_eq!(pick(&weights, 8.0), 2);
    }

    #[test]
    fn below_is_uniform_enough() {
        let mut rng = Rng::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
    }
}
