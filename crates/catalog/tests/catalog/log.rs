//! Logs that were cut off, and files that are none.

use tesuji_catalog::Log;

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
