//! The options of the USI engine.

use super::Notation;
use tesuji_core::quoted;

/// A mebibyte, the unit of memory in USI.
const MEBIBYTE: usize = 1 << 20;
/// The most memory that can be set: a tebibyte.
const MOST_MEBIBYTES: usize = 1 << 20;
const MOST_THREADS: usize = 1024;

/// An option with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsiOption {
    /// Memory of trees and tables in bytes.
    Memory(usize),
    Threads(usize),
    /// Whether `bestmove` names the expected reply.
    Ponder(bool),
    /// The game.
    Variant(Notation),
}

/// Writes the `option` lines with the present values as defaults.
pub fn offer(memory: usize, threads: usize, ponder: bool, notation: Notation) -> Vec<String> {
    let variants = Notation::all().iter().map(|notation| format!(" var {}", notation.variant())).collect::<String>();
    vec![
        format!("option name USI_Hash type spin default {} min 1 max {MOST_MEBIBYTES}", memory.div_ceil(MEBIBYTE)),
        format!("option name Threads type spin default {threads} min 1 max {MOST_THREADS}"),
        format!("option name USI_Ponder type check default {ponder}"),
        format!("option name UCI_Variant type combo default {}{variants}", notation.variant()),
    ]
}

/// Parses the arguments of `setoption`.
pub fn read(words: &[&str]) -> Result<UsiOption, String> {
    let (name, value) = match words {
        ["name", rest @ ..] => {
            let at = rest.iter().position(|&word| word == "value").unwrap_or(rest.len());
            (rest[..at].join(" "), rest.get(at + 1..).unwrap_or_default().join(" "))
        }
        _ => {
            return Err(format!(
                "setoption {} is not accepted; it takes name NAME value VALUE",
                quoted(&words.join(" "))
            ));
        }
    };
    let refuse =
        |accepted: &str| format!("{name} {value} is not accepted; it takes {accepted}", value = quoted(&value));
    let number = |most: usize| {
        let number = value.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| refuse(&format!("a whole number from 1 to {most}")))
    };
    // Names are case-insensitive in the protocol.
    match name.to_ascii_lowercase().as_str() {
        "usi_hash" => Ok(UsiOption::Memory(number(MOST_MEBIBYTES)? * MEBIBYTE)),
        "threads" => Ok(UsiOption::Threads(number(MOST_THREADS)?)),
        "usi_ponder" => value.to_ascii_lowercase().parse().map(UsiOption::Ponder).map_err(|_| refuse("true or false")),
        "uci_variant" => {
            let notations = Notation::all();
            let names: Vec<&str> = notations.iter().map(|notation| notation.variant()).collect();
            let known = notations.iter().find(|notation| notation.variant() == value);
            known.map(|&notation| UsiOption::Variant(notation)).ok_or_else(|| refuse(&names.join(", ")))
        }
        _ => Err(format!(
            "there is no option {name}; there are USI_Hash, Threads, USI_Ponder and UCI_Variant",
            name = quoted(&name)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_catalog::open;

    fn read_line(line: &str) -> Result<UsiOption, String> {
        read(&line.split_ascii_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn options_are_parsed() {
        assert_eq!(read_line("name USI_Hash value 64"), Ok(UsiOption::Memory(64 << 20)));
        assert_eq!(read_line("name threads value 3"), Ok(UsiOption::Threads(3)));
        assert_eq!(read_line("name USI_Ponder value True"), Ok(UsiOption::Ponder(true)));
        let lion = Notation::of(open("lion", "start").unwrap().as_ref()).unwrap();
        assert_eq!(read_line("name UCI_Variant value dobutsu"), Ok(UsiOption::Variant(lion)));
    }

    #[test]
    fn invalid_options_are_refused_with_a_reason() {
        for (line, reason) in [
            ("", "name NAME"),
            ("name", "no option \"\""),
            ("name Skill Level value 3", "\"Skill Level\""),
            ("name USI_Hash value 0", "from 1"),
            ("name USI_Hash", "from 1"),
            ("name Threads value 99999999999999999999", "from 1"),
            ("name USI_Ponder value maybe", "\"maybe\""),
            ("name UCI_Variant value chess", "dobutsu"),
        ] {
            let error = read_line(line).unwrap_err();
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
