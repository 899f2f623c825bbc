//! Options in the spec of a game.

/// Splits a spec into name and options; the board size has the key `size`. Specs of Go and Hex have
/// no quotes or brackets.
fn items(spec: &str) -> (&str, Vec<(&str, &str)>) {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let item = |part| match str::split_once(part, '=') {
        Some(item) => item,
        None if part.starts_with(|letter: char| letter.is_ascii_digit()) => ("size", part),
        None => (part, ""),
    };
    (name, rest.split(',').filter(|part| !part.is_empty()).map(item).collect())
}

/// Returns the value of an option, if the spec has it; empty for a switch.
pub fn option<'a>(spec: &'a str, key: &str) -> Option<&'a str> {
    items(spec).1.into_iter().find(|item| item.0 == key).map(|item| item.1)
}

/// Returns the value of an option, or its default.
pub fn option_or_default(spec: &str, key: &str) -> String {
    let (name, items) = items(spec);
    if let Some(item) = items.iter().find(|item| item.0 == key) {
        return item.1.to_string();
    }
    let games = tesuji_catalog::games();
    let options = games.iter().filter(|entry| entry.info.name == name).flat_map(|entry| &entry.options);
    options.filter(|option| option.key == key).map(|option| option.default.clone()).collect()
}

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
    let (name, known) = items(file);
    let (asked_name, requested) = items(asked);
    let mut joined = file.to_string();
    for (key, value) in requested {
        match known.iter().find(|item| item.0 == key) {
            Some(item) if same(item.1, value) => {}
            None if key == "handicap" && value == "0" => {}
            // The file has no handicap stones.
            None if key == "handicap" => return None,
            Some(_) => return None,
            None if value.is_empty() => joined += &format!(",{key}"),
            None => joined += &format!(",{key}={value}"),
        }
    }
    (name == asked_name).then_some(joined)
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
