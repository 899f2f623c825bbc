//! The options in the spec of a game, as texts.

/// Name and options of a spec, the board's size under `size`. Specs of Go and Hex have no quotes and brackets.
fn items(spec: &str) -> (&str, Vec<(&str, &str)>) {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let item = |part| match str::split_once(part, '=') {
        Some(item) => item,
        None if part.starts_with(|letter: char| letter.is_ascii_digit()) => ("size", part),
        None => (part, ""),
    };
    (name, rest.split(',').filter(|part| !part.is_empty()).map(item).collect())
}

/// The value of an option, if the spec has it; empty for a switch.
pub fn option<'a>(spec: &'a str, key: &str) -> Option<&'a str> {
    items(spec).1.into_iter().find(|item| item.0 == key).map(|item| item.1)
}

/// The value of an option of a game, or what it is when nothing is said.
pub fn option_or_default(spec: &str, key: &str) -> String {
    let (name, items) = items(spec);
    if let Some(item) = items.iter().find(|item| item.0 == key) {
        return item.1.to_string();
    }
    let games = tesuji_catalog::games();
    let options = games.iter().filter(|entry| entry.info.name == name).flat_map(|entry| &entry.options);
    options.filter(|option| option.key == key).map(|option| option.default.clone()).collect()
}

/// Whether two values of an option mean the same: `9` and `9x9`, `6.5` and `6.50`.
fn same(one: &str, other: &str) -> bool {
    let square = |text: &str| match text.split_once('x') {
        Some((columns, rows)) if columns == rows => columns.parse().ok(),
        _ => text.parse::<f64>().ok(),
    };
    one == other || square(one).is_some() && square(one) == square(other)
}

/// The file's game with what else was asked for; `None` if that is another game.
pub fn joined(file: &str, asked: &str) -> Option<String> {
    let (name, known) = items(file);
    let (asked_name, wanted) = items(asked);
    let mut joined = file.to_string();
    for (key, value) in wanted {
        match known.iter().find(|item| item.0 == key) {
            Some(item) if same(item.1, value) => {}
            None if key == "handicap" && value == "0" => {}
            // Stones that are not in the file.
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
    fn what_the_file_does_not_say_may_be_asked_for_and_the_rest_must_fit() {
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
