//! "Did you mean" for misspelt names.

/// Names longer than this get no suggestion: the distance takes quadratic time.
const LONGEST: usize = 40;

/// Formats the name of a list (`a, b, c`) that is nearest to a misspelt one, as part of an error
/// message; empty if none is near, or if the name itself is in the list. Up to a third of the
/// letters may be wrong.
pub fn suggestion(name: &str, known: &str) -> String {
    let length = name.chars().count();
    if length > LONGEST {
        return String::new();
    }
    let distances = known.split(", ").map(|known| (strsim::damerau_levenshtein(name, known), known));
    match distances.min_by_key(|(distance, _)| *distance) {
        Some((distance @ 1.., nearest)) if distance <= length / 3 => format!(" (did you mean {nearest}?)"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let known = "tictactoe, connect4, othello, hex, loa, mcts";
        for (name, nearest) in [("otello", "othello"), ("mcst", "mcts"), ("conect", "connect4"), ("hexx", "hex")] {
            assert_eq!(suggestion(name, known), format!(" (did you mean {nearest}?)"));
        }
        for name in ["chess", "go", "x", "", "hex", "no options", &"hex".repeat(1000)] {
            assert_eq!(suggestion(name, known), "", "{name}");
        }
    }
}
