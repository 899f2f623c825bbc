//! Hash keys for positions (Zobrist 1970).

use crate::rng::mix;

/// Returns key number `index` of a table. A game uses a table for each kind of thing it hashes.
/// Keys never change, so that stored proofs stay readable.
#[inline]
pub const fn key(table: u64, index: u64) -> u64 {
    let seed = table.wrapping_mul(0xD6E8_FEB8_6659_FD93).wrapping_add(index);
    mix(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Returns the first `N` keys of a table, computed at compile time.
pub const fn keys<const N: usize>(table: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut index = 0;
    while index < N {
        keys[index] = key(table, index as u64);
        index += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_of_all_tables_differ() {
        let all: HashSet<u64> = (0..64).flat_map(keys::<1024>).collect();
        assert_eq!(all.len(), 64 * 1024);
    }
}
