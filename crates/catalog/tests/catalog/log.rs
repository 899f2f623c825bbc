//! Logs that were cut off or packed, and files that are none.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use tesuji_catalog::{Log, MAX_PACKED_LOG, log_exists, pack_log, unpack_log};

#[test]
fn a_line_that_was_cut_off_in_the_middle_of_a_letter_is_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let (mut log, none) = Log::open::<String>(&path, "name").unwrap();
    assert!(none.is_empty());
    log.add(&"Ann").unwrap();
    log.add(&"Åse").unwrap();
    let bytes = std::fs::read(&path).unwrap();
    // The first letter has two bytes; one of them is left.
    std::fs::write(&path, &bytes[..8]).unwrap();
    assert_eq!(Log::read::<String>(&path, "name").unwrap(), ["Ann"]);
    let (mut log, names) = Log::open::<String>(&path, "name").unwrap();
    assert_eq!(names, ["Ann"]);
    log.add(&"Bea").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "\"Ann\"\n\"Bea\"\n");
}

#[test]
fn a_file_that_is_no_log_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter");
    std::fs::write(&path, "Dear Ann").unwrap();
    let error = Log::open::<String>(&path, "name").unwrap_err().to_string();
    assert!(error.contains("line 1 is not a valid name"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "Dear Ann");
}

#[test]
fn numbers_are_read_back_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    // Seconds as a clock gives them; a reader of JSON that is content with the nearest but one gets
    // some of them wrong.
    let seconds: Vec<f64> = (1..20_000_u32).map(|step| f64::from(step) * 7.919e-6 / 3.0).collect();
    Log::open::<Vec<f64>>(&path, "list").unwrap().0.add(&seconds).unwrap();
    assert_eq!(Log::read::<Vec<f64>>(&path, "list").unwrap(), [seconds]);
}

#[test]
fn a_packed_log_is_read_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let packed = folder.path().join("log.jsonl.gz");
    assert!(!log_exists(&path));
    unpack_log(&path).unwrap();
    assert!(!log_exists(&path), "there is nothing to unpack");
    Log::open::<String>(&path, "name").unwrap().0.add(&"Ann").unwrap();
    pack_log(&path).unwrap();
    assert!(log_exists(&path) && packed.exists() && !path.exists());
    for name in [&path, &packed] {
        assert_eq!(Log::read::<String>(name, "name").unwrap(), ["Ann"]);
    }
    let bytes = std::fs::read(&packed).unwrap();
    unpack_log(&path).unwrap();
    assert!(path.exists() && !packed.exists());
    pack_log(&path).unwrap();
    assert_eq!(std::fs::read(&packed).unwrap(), bytes, "the same lines give the same bytes");
    assert_eq!(bytes[4..8], [0; 4], "the header has no time");

    unpack_log(&path).unwrap();
    let (mut log, names) = Log::open::<String>(&path, "name").unwrap();
    assert_eq!(names, ["Ann"]);
    log.add(&"Bea").unwrap();
    // After an interruption both may exist; the log is complete.
    std::fs::write(&packed, bytes).unwrap();
    unpack_log(&path).unwrap();
    assert_eq!(Log::read::<String>(&path, "name").unwrap(), ["Ann", "Bea"]);
    pack_log(&path).unwrap();
    assert_eq!(Log::read::<String>(&path, "name").unwrap(), ["Ann", "Bea"]);
}

#[test]
fn a_damaged_or_oversized_packed_log_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let packed = folder.path().join("log.jsonl.gz");
    let error = || Log::read::<String>(&path, "name").unwrap_err().to_string();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let zeros = vec![0; 1 << 20];
    (0..=MAX_PACKED_LOG >> 20).for_each(|_| encoder.write_all(&zeros).unwrap());
    std::fs::write(&packed, encoder.finish().unwrap()).unwrap();
    assert!(std::fs::metadata(&packed).unwrap().len() < 1 << 20);
    assert!(error().contains("logs of at most 67108864 bytes are unpacked"), "{}", error());
    assert!(unpack_log(&path).is_err() && !path.exists() && packed.exists());
    std::fs::write(&path, "\"Ann\"\n").unwrap();
    pack_log(&path).unwrap();
    let bytes = std::fs::read(&packed).unwrap();
    std::fs::write(&packed, &bytes[..bytes.len() - 4]).unwrap();
    assert!(error().starts_with(&format!("log {}: ", packed.display())), "{}", error());
}
