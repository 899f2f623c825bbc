//! Reads and changes options in the spec of a game: size and komi.

/// Splits a spec into the name and the options; the board size has the key `size`.
fn items(spec: &str) -> (&str, Vec<(&str, &str)>) {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let item = |part| match str::split_once(part, '=') {
        Some(item) => item,
        None if part.starts_with(|letter: char| letter.is_ascii_digit()) => (SIZE, part),
        None => (part, ""),
    };
    (name, rest.split(',').filter(|part| !part.is_empty()).map(item).collect())
}

/// The key of the board size.
pub const SIZE: &str = "size";

/// Returns the value of an option, or its default; empty for a switch that is on.
pub fn option(spec: &str, key: &str) -> Option<String> {
    let (name, items) = items(spec);
    if let Some(item) = items.iter().find(|item| item.0 == key) {
        return Some(item.1.to_string());
    }
    let entry = tesuji_catalog::games().into_iter().find(|entry| entry.info.name == name)?;
    entry.options.into_iter().find(|option| option.key == key).map(|option| option.default)
}

/// Returns whether a switch is on.
pub fn has(spec: &str, switch: &str) -> bool {
    items(spec).1.contains(&(switch, ""))
}

/// Returns the spec with an option changed.
pub fn with(spec: &str, key: &str, value: &str) -> String {
    let (name, mut items) = items(spec);
    items.retain(|item| item.0 != key);
    // The size comes first.
    items.insert(if key == SIZE { 0 } else { items.len() }, (key, value));
    let written = items.iter().map(|(key, value)| match *key {
        SIZE => value.to_string(),
        key if value.is_empty() => key.to_string(),
        key => format!("{key}={value}"),
    });
    format!("{name}:{}", written.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_parsed_and_changed() {
        assert_eq!(with("go", SIZE, "13"), "go:13");
        assert_eq!(with("go:9,komi=6.5", SIZE, "13"), "go:13,komi=6.5");
        assert_eq!(with("go:komi=6.5", SIZE, "13"), "go:13,komi=6.5");
        assert_eq!(with("go:9,komi=6.5,ko=simple", "komi", "0"), "go:9,ko=simple,komi=0");
        assert_eq!(with("hex:11,swap", SIZE, "5x6"), "hex:5x6,swap");
        assert_eq!(option("go:9", "komi").as_deref(), Some("7.5"));
        assert_eq!(option("go:9,komi=0", "komi").as_deref(), Some("0"));
        assert_eq!(option("go", SIZE).as_deref(), Some("9x9"));
        assert_eq!(option("hex", "komi"), None);
        assert!(has("hex:11,swap", "swap") && !has("hex:11", "swap"));
    }
}
