//! Numbers, times and sizes on the command line. A value out of range is refused with the range.

use std::ops::RangeInclusive;
use std::time::Duration;
use tesuji_catalog::{parse_bytes, parse_time};

/// The accepted times.
const TIMES: RangeInclusive<Duration> = Duration::from_millis(1)..=Duration::from_secs(365 * 24 * 3600);
/// The accepted memory limits: from what holds a few hundred entries to more than machines have.
const SIZES: RangeInclusive<usize> = 16 << 10..=1 << 50;

/// Returns a parser of whole numbers in a range.
pub fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match *range.end() {
            u64::MAX => format!("expected a whole number of at least {}", range.start()),
            end => format!("expected a whole number from {} to {end}", range.start()),
        })
    }
}

/// Parses a number of games, playouts, nodes and the like.
pub fn count(text: &str) -> Result<u64, String> {
    whole(1..=u64::MAX)(text)
}

/// Parses a count that fits into 32 bits.
pub fn positive(text: &str) -> Result<u32, String> {
    whole(1..=u64::from(u32::MAX))(text)
}

/// Parses a time limit.
pub fn time(text: &str) -> Result<Duration, String> {
    let time = parse_time(text).ok().filter(|time| TIMES.contains(time));
    time.ok_or_else(|| "expected a time from 1ms to 8760h, for example 300ms, 5s or 2m".to_string())
}

/// Parses a memory limit.
pub fn memory(text: &str) -> Result<usize, String> {
    let size = parse_bytes(text).ok().filter(|size| SIZES.contains(size));
    size.ok_or_else(|| "expected a size from 16K to 1024T, for example 512M or 2G".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused_with_the_range() {
        for text in ["0s", "-1s", "0.0001ms", "9000h", "soon", "", "NaN", "infs"] {
            assert!(time(text).unwrap_err().contains("from 1ms to 8760h"), "{text}");
        }
        for text in ["0", "1", "15K", "-1M", "9000T", "2X"] {
            assert!(memory(text).unwrap_err().contains("from 16K to 1024T"), "{text}");
        }
        for text in ["0", "-1", "1.5", "18446744073709551616"] {
            assert_eq!(count(text).unwrap_err(), "expected a whole number of at least 1", "{text}");
        }
        for text in ["0", "1025", "70000"] {
            assert_eq!(whole::<u16>(1..=1024)(text).unwrap_err(), "expected a whole number from 1 to 1024", "{text}");
        }
    }

    #[test]
    fn the_ends_of_ranges_are_accepted() {
        assert_eq!([time("1ms"), time("8760h")], [Ok(*TIMES.start()), Ok(*TIMES.end())]);
        assert_eq!([memory("16K"), memory("1024T")], [Ok(*SIZES.start()), Ok(*SIZES.end())]);
        assert_eq!((whole::<u16>(1..=1024)("1024"), count("18446744073709551615")), (Ok(1024), Ok(u64::MAX)));
    }
}
