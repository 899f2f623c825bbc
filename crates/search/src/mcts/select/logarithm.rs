//! Logarithms of visit counts, from a table.

use std::sync::LazyLock;

/// The number of bits of the table's index.
const BITS: u32 = 12;

/// Logarithms of the numbers below 4096. Most nodes have few visits.
pub type LogTable = [f32; 1 << BITS];

/// The table.
pub static LOG_TABLE: LazyLock<LogTable> = LazyLock::new(|| std::array::from_fn(|n| (n.max(1) as f32).ln()));

/// The natural logarithm of a visit count: exact below 4096, above that within 1/2048, computed
/// from the leading bits.
#[inline]
pub fn log_visits(table: &LogTable, visits: u32) -> f32 {
    let excess = (32 - visits.leading_zeros()).saturating_sub(BITS);
    table[(visits >> excess) as usize & (table.len() - 1)] + excess as f32 * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_exact_for_few_visits_and_close_for_many() {
        for visits in (1..5000).chain([100_000, 123_456_789, u32::MAX / 2]) {
            let exact = f64::from(visits).ln();
            let allowed = if visits < 4096 { 1e-6 } else { 5e-4 };
            assert!((f64::from(log_visits(&LOG_TABLE, visits)) - exact).abs() <= allowed * (1.0 + exact), "{visits}");
        }
    }
}
