//! Times and sizes as people write them.

use std::time::Duration;
use tesuji_catalog::{parse_bytes, parse_time};

#[test]
fn times_have_units() {
    assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
    assert_eq!(parse_time("1.5m"), Ok(Duration::from_secs(90)));
    assert_eq!(parse_time("7"), Ok(Duration::from_secs(7)));
    for wrong in ["", "s", "5 weeks", "-1s", "1..2s", "1e400", "9999999999999999999999h"] {
        assert!(parse_time(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn sizes_are_powers_of_1024() {
    assert_eq!(parse_bytes("512M"), Ok(512 << 20));
    assert_eq!(parse_bytes("1.5k"), Ok(1536));
    assert_eq!(parse_bytes("100"), Ok(100));
    for wrong in ["", "G", "0", "0.1", "2GB", "-5M", "99999999T"] {
        assert!(parse_bytes(wrong).is_err(), "{wrong}");
    }
    let error = parse_bytes("2X").unwrap_err().to_string();
    assert_eq!(error, "invalid size \"2X\"; expected a number and a unit: 64K, 512M, 2G");
}
