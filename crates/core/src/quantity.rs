//! Durations and sizes with units.

use crate::quoted;
use std::time::Duration;
use thiserror::Error;

/// An invalid duration or size.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("invalid {what} {text}; expected {accepted}", text = quoted(text))]
pub struct QuantityError {
    text: String,
    what: &'static str,
    accepted: &'static str,
}

/// Parses a duration such as `5s`, `100ms`, `1.5m` or `2h`; the default unit is the second.
pub fn parse_time(text: &str) -> Result<Duration, QuantityError> {
    const UNITS: &[(&str, f64)] = &[("ms", 0.001), ("s", 1.0), ("", 1.0), ("m", 60.0), ("h", 3600.0)];
    let time = quantity(text, UNITS).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let accepted = "a number and a unit: 100ms, 5s, 2m, 1h";
    time.ok_or_else(|| QuantityError { text: text.to_string(), what: "duration", accepted })
}

/// Parses a size such as `512M`, `2G` or `64K`, in powers of 1024; the default unit is the byte.
pub fn parse_bytes(text: &str) -> Result<usize, QuantityError> {
    const UNITS: &[(&str, f64)] =
        &[("K", 1024.0), ("M", 1_048_576.0), ("G", 1_073_741_824.0), ("T", 1_099_511_627_776.0), ("", 1.0)];
    // Above 2^53 an f64 does not represent every integer.
    let bytes = quantity(text, UNITS).filter(|bytes| (1.0..9e15).contains(bytes)).map(|bytes| bytes as usize);
    let accepted = "a number and a unit: 64K, 512M, 2G";
    bytes.ok_or_else(|| QuantityError { text: text.to_string(), what: "size", accepted })
}

fn quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (_, factor) = units.iter().find(|(unit, _)| unit.eq_ignore_ascii_case(&text[digits..]))?;
    Some(text[..digits].parse::<f64>().ok()? * factor)
}
