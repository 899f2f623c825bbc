//! The options of a record joined with those that are asked for.

use tesuji_core::Spec;

/// Returns whether two values of an option are equivalent: `9` and `9x9`, `6.5` and `6.50`.
fn same(one: &str, other: &str) -> bool {
    let square = |text: &str| match text.split_once('x') {
        Some((columns, rows)) if columns == rows => columns.parse().ok(),
        _ => text.parse::<f64>().ok(),
    };
    one == other || square(one).is_some() && square(one) == square(other)
}

/// Adds the options of the requested spec to those of the file; `None` if they contradict each
/// other.
pub fn joined(file: &str, asked: &str) -> Option<String> {
    let (file, asked): (Spec, Spec) = (file.parse().ok()?, asked.parse().ok()?);
    let mut joined = file.clone();
    for (key, value) in asked.options() {
        match file.option(key) {
            Some(known) if same(known, value) => {}
            None if key == "handicap" && value == "0" => {}
            // The file has no handicap stones.
            None if key == "handicap" => return None,
            Some(_) => return None,
            None => joined = joined.with(key, value),
        }
    }
    (file.name() == asked.name()).then(|| joined.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requested_options_extend_the_file_but_must_not_contradict_it() {
        for (file, asked, expected) in [
            ("go:9,komi=6.5", "go", Some("go:9,komi=6.5")),
            ("go:9,komi=6.5", "go:9x9,komi=6.50", Some("go:9,komi=6.5")),
            ("go:9", "go:9,komi=0,ko=simple", Some("go:9,komi=0,ko=simple")),
            ("go:9", "go:9,handicap=0", Some("go:9")),
            ("go:9,handicap=2", "go:9,handicap=2", Some("go:9,handicap=2")),
            ("hex:11", "hex:11,swap", Some("hex:11,swap")),
            ("hex:8x5", "hex:8x5", Some("hex:8x5")),
            ("hex:8x5", "hex:8", None),
            ("go:9", "go:9,handicap=2", None),
            ("go:9,komi=6.5", "go:9,komi=7.5", None),
            ("go:19", "go:9", None),
            ("go:11", "hex:11", None),
            ("go:9,ko=simple", "go:9,ko=positional", None),
        ] {
            assert_eq!(joined(file, asked).as_deref(), expected, "{file} and {asked}");
        }
    }
}
