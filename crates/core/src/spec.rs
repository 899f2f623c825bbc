//! Specs: strings that name games, players and searches with their options.
//!
//! `NAME[:item,item,...]`, where an item is `key=value`, a switch, or, as the first item, a bare
//! size (`go:9`, `breakthrough:6x6`: columns x rows). Values with commas are in single quotes,
//! nested specs in brackets. A spec prints as it was written.

use crate::LimitedSpec;
use crate::quote::{quoted, shortened};
use crate::suggestion::suggestion;
use serde::Serialize;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use thiserror::Error;

/// An invalid spec.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// The text does not have the form of a spec.
    #[error("cannot read the spec {}: {reason}", quoted(spec))]
    Syntax {
        /// The text.
        spec: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no such game or search.
    #[error("there is no {kind} {}{}; known are {known}", quoted(name), suggestion(name, known))]
    UnknownName {
        /// "game" or "search".
        kind: &'static str,
        /// The name given.
        name: String,
        /// The known names.
        known: String,
    },
    /// There is no such option.
    #[error("{} has no option {}{}; it takes {known}", shortened(name), quoted(key), suggestion(key, known))]
    UnknownOption {
        /// The name of the game or search.
        name: String,
        /// The option given.
        key: String,
        /// The known options.
        known: String,
    },
    /// The option was renamed.
    #[error("{name}: the option {old:?} is now called {new:?}")]
    RenamedOption {
        /// The name of the game or search.
        name: String,
        /// The old name.
        old: &'static str,
        /// The new name.
        new: &'static str,
    },
    /// The value of an option was renamed.
    #[error("{name}: {key}={old} is now called {key}={new}")]
    RenamedValue {
        /// The name of the game or search.
        name: String,
        /// The option.
        key: &'static str,
        /// The old value.
        old: &'static str,
        /// The new value.
        new: &'static str,
    },
    /// A spec from outside names a file.
    #[error("{name}: {key} names a file, which is accepted on the command line only")]
    NamesFile {
        /// The name of the game or search.
        name: String,
        /// The option.
        key: String,
    },
    /// The value of an option is not accepted.
    #[error("{}: {}={} is not accepted; it takes {accepted}", shortened(name), shortened(key), shortened(value))]
    BadValue {
        /// The name of the game or search.
        name: String,
        /// The option.
        key: String,
        /// The value given.
        value: String,
        /// The values accepted.
        accepted: String,
    },
}

/// An item of a spec.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Item {
    /// The key; [`Spec::SIZE`] for a bare size, [`SPECS`] for a nested spec.
    key: String,
    /// The value as written; `None` for a switch.
    value: Option<String>,
}

/// A parsed spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    name: String,
    items: Vec<Item>,
}

/// The key of nested specs. Unlike other keys it may occur several times.
pub const SPECS: &str = "[SPEC]";

impl Spec {
    /// The key of a bare size.
    pub const SIZE: &str = "size";

    /// Returns the name before the colon.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the options that are given, with their values as written; empty for a switch.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        self.items.iter().map(|item| (item.key.as_str(), item.value.as_deref().unwrap_or("")))
    }

    /// Returns the value of an option if it is given; empty for a switch.
    pub fn option(&self, key: &str) -> Option<&str> {
        self.options().find(|(given, _)| *given == key).map(|(_, value)| value)
    }

    /// Returns the nested specs as texts.
    pub fn nested(&self) -> impl Iterator<Item = &str> {
        let nested = self.items.iter().filter(|item| item.key == SPECS);
        nested.filter_map(|item| item.value.as_deref()?.strip_prefix('[')?.strip_suffix(']'))
    }

    /// Returns the spec with every nested spec replaced.
    pub fn map_nested(&self, replace: impl Fn(&str) -> String) -> Spec {
        let mut spec = self.clone();
        for item in spec.items.iter_mut().filter(|item| item.key == SPECS) {
            let nested = item.value.as_deref().and_then(|value| value.strip_prefix('[')?.strip_suffix(']'));
            item.value = nested.map(|nested| format!("[{}]", replace(nested)));
        }
        spec
    }

    /// Refuses a spec that names a file, given the options of its game or search.
    ///
    /// The author of a spec chooses the files that it reads, so this is called on every spec that
    /// does not come from the command line.
    pub fn check_untrusted(&self, options: &[OptionInfo]) -> Result<(), SpecError> {
        let is_file = |key: &str| options.iter().any(|option| option.file && option.key == key);
        match self.options().find(|(key, _)| is_file(key)) {
            Some((key, _)) => Err(SpecError::NamesFile { name: self.name.clone(), key: key.to_string() }),
            None => Ok(()),
        }
    }

    /// Returns the spec with an option set to a value; an empty value turns a switch on.
    ///
    /// ```
    /// use tesuji_core::Spec;
    ///
    /// let spec: Spec = "go:9,komi=6.5".parse().unwrap();
    /// assert_eq!(spec.with(Spec::SIZE, "13").to_string(), "go:13,komi=6.5");
    /// ```
    pub fn with(&self, key: &str, value: &str) -> Spec {
        let mut spec = self.clone();
        spec.items.retain(|item| item.key != key);
        // The size comes first.
        let at = if key == Spec::SIZE { 0 } else { spec.items.len() };
        spec.items.insert(at, Item { key: key.to_string(), value: (!value.is_empty()).then(|| value.to_string()) });
        spec
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (number, item) in self.items.iter().enumerate() {
            f.write_str(if number == 0 { ":" } else { "," })?;
            match &item.value {
                Some(bare) if item.key == Spec::SIZE || item.key == SPECS => f.write_str(bare)?,
                Some(value) => write!(f, "{}={value}", item.key)?,
                None => f.write_str(&item.key)?,
            }
        }
        Ok(())
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let fail = |reason: &str| SpecError::Syntax { spec: text.to_string(), reason: reason.to_string() };
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        if !is_word(name) {
            return Err(fail("it must start with a name of lower-case letters and digits"));
        }
        let mut items: Vec<Item> = Vec::new();
        for (number, part) in split_items(rest.unwrap_or("")).map_err(fail)?.into_iter().enumerate() {
            let item = match part.split_once('=') {
                Some((key, value)) if !part.starts_with('[') => {
                    Item { key: key.to_string(), value: Some(value.to_string()) }
                }
                None if is_size(part) => {
                    if number > 0 {
                        return Err(fail("a bare size must be the first item"));
                    }
                    Item { key: Spec::SIZE.to_string(), value: Some(part.to_string()) }
                }
                _ if part.starts_with('[') && part.ends_with(']') => {
                    items.push(Item { key: SPECS.to_string(), value: Some(part.to_string()) });
                    continue;
                }
                _ => Item { key: part.to_string(), value: None },
            };
            if !is_word(&item.key) {
                return Err(fail("an item is key=value, a switch, or, as the first item, a size such as 9 or 7x6"));
            }
            if item.key == Spec::SIZE && part.contains('=') {
                return Err(fail("a size is written without a key, as the first item"));
            }
            if item.value.as_deref() == Some("") {
                return Err(fail("missing value after '='"));
            }
            if items.iter().any(|earlier| earlier.key == item.key) {
                return Err(fail("an option is given twice"));
            }
            items.push(item);
        }
        if rest.is_some() && items.is_empty() {
            return Err(fail("nothing follows the colon"));
        }
        Ok(Spec { name: name.to_string(), items })
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-')
}

fn is_size(text: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('x') {
        Some((columns, rows)) => number(columns) && number(rows),
        None => number(text),
    }
}

/// Splits a text at the commas outside quotes and brackets.
pub fn split_items(text: &str) -> Result<Vec<&str>, &'static str> {
    let (mut parts, mut begin, mut quoted, mut depth) = (Vec::new(), 0, false, 0u32);
    for (at, letter) in text.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.checked_sub(1).ok_or("unmatched closing bracket")?,
            ',' if !quoted && depth == 0 => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if quoted || depth > 0 {
        return Err("unclosed quote or bracket");
    }
    if !text.is_empty() {
        parts.push(&text[begin..]);
    }
    Ok(parts)
}

/// The description of an option, for help texts and forms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OptionInfo {
    /// The key; `size` for a bare size.
    pub key: &'static str,
    /// A description of the accepted values.
    pub accepted: String,
    /// The default value.
    pub default: String,
    /// The meaning.
    pub meaning: &'static str,
    /// Whether the value is the path of a file that is read.
    pub file: bool,
}

/// Reads typed options from a spec. Every reader describes what it accepts, so reading an empty
/// spec lists all options.
pub struct Options<'a> {
    spec: &'a Spec,
    known: Vec<OptionInfo>,
    renamed: Vec<(&'static str, &'static str)>,
}

impl<'a> Options<'a> {
    /// Starts to read a spec.
    pub fn new(spec: &'a Spec) -> Options<'a> {
        Options { spec, known: Vec::new(), renamed: Vec::new() }
    }

    /// Returns the name of the spec.
    pub fn name(&self) -> &'a str {
        &self.spec.name
    }

    /// Declares that the option `old` is now called `new`, so that the error for it can say so.
    pub fn renamed(&mut self, old: &'static str, new: &'static str) {
        self.renamed.push((old, new));
    }

    /// Refuses the value `old` of an option, which is now called `new`.
    pub fn renamed_value(&self, key: &'static str, old: &'static str, new: &'static str) -> Result<(), SpecError> {
        match self.item(key) {
            Some(item) if item.value.as_deref() == Some(old) => {
                Err(SpecError::RenamedValue { name: self.spec.name.clone(), key, old, new })
            }
            _ => Ok(()),
        }
    }

    /// Refuses a value of an option that has become an option of its own, `new`. `old` is the
    /// option with the value.
    pub fn renamed_to_option(&self, old: &'static str, new: &'static str) -> Result<(), SpecError> {
        let (key, value) = old.split_once('=').expect("an option with a value");
        match self.item(key) {
            Some(item) if item.value.as_deref() == Some(value) => {
                Err(SpecError::RenamedOption { name: self.spec.name.clone(), old, new })
            }
            _ => Ok(()),
        }
    }

    /// Returns the options that were read; an error if the spec has others.
    pub fn finish(self) -> Result<Vec<OptionInfo>, SpecError> {
        for (old, new) in &self.renamed {
            if self.item(old).is_some() {
                return Err(SpecError::RenamedOption { name: self.spec.name.clone(), old, new });
            }
        }
        let unknown = self.spec.items.iter().find(|item| self.known.iter().all(|known| known.key != item.key));
        match unknown {
            None => Ok(self.known),
            Some(item) => Err(SpecError::UnknownOption {
                name: self.spec.name.clone(),
                key: item.key.clone(),
                known: match self.known.as_slice() {
                    [] => "no options".to_string(),
                    known => known.iter().map(|option| option.key).collect::<Vec<_>>().join(", "),
                },
            }),
        }
    }

    /// Reads the size of a board, columns x rows; a single number N means NxN.
    pub fn size(
        &mut self,
        default: (u8, u8),
        columns: RangeInclusive<u8>,
        rows: RangeInclusive<u8>,
    ) -> Result<(u8, u8), SpecError> {
        let accepted =
            format!("columns x rows from {}x{} to {}x{}", columns.start(), rows.start(), columns.end(), rows.end());
        let shown = format!("{}x{}", default.0, default.1);
        self.read(Spec::SIZE, accepted, shown, "board size", default, |text| {
            let (width, height) = text.split_once('x').unwrap_or((text, text));
            let size = (width.parse().ok()?, height.parse().ok()?);
            (columns.contains(&size.0) && rows.contains(&size.1)).then_some(size)
        })
    }

    /// Reads the size of a square board, one of `sizes`; the first is the default.
    pub fn square(&mut self, sizes: &[u8]) -> Result<u8, SpecError> {
        let mut sorted = sizes.to_vec();
        sorted.sort_unstable();
        let accepted = sorted.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        self.read(Spec::SIZE, accepted, sizes[0].to_string(), "board size", sizes[0], |text| {
            let (width, height) = text.split_once('x').unwrap_or((text, text));
            sizes.iter().copied().find(|size| width.parse() == Ok(*size) && width == height)
        })
    }

    /// Reads a whole number.
    pub fn integer(
        &mut self,
        key: &'static str,
        default: u64,
        range: RangeInclusive<u64>,
        meaning: &'static str,
    ) -> Result<u64, SpecError> {
        let accepted = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(key, accepted, default.to_string(), meaning, default, |text| {
            text.parse().ok().filter(|number| range.contains(number))
        })
    }

    /// Reads a multiple of 0.5 and returns it in halves.
    pub fn halves(
        &mut self,
        key: &'static str,
        default: i32,
        range: RangeInclusive<i32>,
        meaning: &'static str,
    ) -> Result<i32, SpecError> {
        let print = |halves: i32| format!("{}", f64::from(halves) / 2.0);
        let accepted = format!("a multiple of 0.5 from {} to {}", print(*range.start()), print(*range.end()));
        self.read(key, accepted, print(default), meaning, default, |text| {
            let number: f64 = text.parse().ok()?;
            let halves = (number * 2.0).round();
            (halves == number * 2.0 && range.contains(&(halves as i32))).then_some(halves as i32)
        })
    }

    /// Reads one of several words; the first is the default.
    pub fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&'static str, T)],
        meaning: &'static str,
    ) -> Result<T, SpecError> {
        let accepted = choices.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        self.read(key, accepted, choices[0].0.to_string(), meaning, choices[0].1, |text| {
            choices.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice)
        })
    }

    /// Reads a switch, which is on if present.
    pub fn switch(&mut self, key: &'static str, meaning: &'static str) -> Result<bool, SpecError> {
        self.declare(key, "on/off switch".to_string(), "off".to_string(), meaning);
        match self.item(key) {
            None => Ok(false),
            Some(Item { value: None, .. }) => Ok(true),
            Some(Item { value: Some(value), .. }) => Err(self.bad_value(key, value)),
        }
    }

    /// Reads any text and removes its quotes.
    pub fn text(
        &mut self,
        key: &'static str,
        accepted: &str,
        meaning: &'static str,
    ) -> Result<Option<String>, SpecError> {
        self.read(key, accepted.to_string(), "none".to_string(), meaning, None, |text| Some(Some(text.to_string())))
    }

    /// Reads the path of a file. Specs from outside may not have such an option: see
    /// [`Spec::check_untrusted`].
    pub fn file(
        &mut self,
        key: &'static str,
        accepted: &str,
        meaning: &'static str,
    ) -> Result<Option<PathBuf>, SpecError> {
        let path = self.text(key, accepted, meaning);
        if let Some(option) = self.known.last_mut() {
            option.file = true;
        }
        Ok(path?.map(PathBuf::from))
    }

    /// Reads a number; `inf` is accepted if the range is unbounded.
    pub fn number(
        &mut self,
        key: &'static str,
        default: f64,
        range: RangeInclusive<f64>,
        meaning: &'static str,
    ) -> Result<f64, SpecError> {
        let accepted = format!("a number from {} to {}", range.start(), range.end());
        self.read(key, accepted, default.to_string(), meaning, default, |text| {
            text.parse().ok().filter(|number| range.contains(number))
        })
    }

    /// Reads a switch with an optional number: `None` if absent, `bare` if it has no number.
    pub fn dial(
        &mut self,
        key: &'static str,
        bare: f64,
        range: RangeInclusive<f64>,
        meaning: &'static str,
    ) -> Result<Option<f64>, SpecError> {
        if let Some(Item { value: None, .. }) = self.item(key) {
            self.declare(key, String::new(), "off".to_string(), meaning);
            return Ok(Some(bare));
        }
        let accepted = format!("optional number from {} to {} ({bare} if omitted)", range.start(), range.end());
        self.read(key, accepted, "off".to_string(), meaning, None, |text| {
            text.parse().ok().filter(|number| range.contains(number)).map(Some)
        })
    }

    /// Reads the nested specs, in their order.
    pub fn specs(&mut self, meaning: &'static str) -> Result<Vec<Spec>, SpecError> {
        self.declare(SPECS, "specs in brackets".to_string(), "none".to_string(), meaning);
        self.spec.nested().map(str::parse).collect()
    }

    /// Reads nested specs of searches that run inside this one, with the limits of a run.
    pub fn limited_specs(&mut self, meaning: &'static str) -> Result<Vec<LimitedSpec>, SpecError> {
        self.declare(SPECS, "specs in brackets, such as [mcts@playouts=1000]".to_string(), "none".to_string(), meaning);
        self.spec.nested().map(str::parse).collect()
    }

    /// Refuses those of the given options that are in the spec, because without `accepted` they
    /// have no effect.
    pub fn only_if(&self, is_met: bool, keys: &[&'static str], accepted: &str) -> Result<(), SpecError> {
        match keys.iter().find(|key| !is_met && self.item(key).is_some()) {
            Some(key) => Err(self.refuse(key, accepted)),
            None => Ok(()),
        }
    }

    /// Creates an error about a value that is well-formed but does not fit the other options.
    pub fn refuse(&self, key: &'static str, accepted: impl Into<String>) -> SpecError {
        let value = self.item(key).and_then(|item| item.value.clone()).unwrap_or_else(|| "(default)".to_string());
        SpecError::BadValue { name: self.spec.name.clone(), key: key.to_string(), value, accepted: accepted.into() }
    }

    fn declare(&mut self, key: &'static str, accepted: String, default: String, meaning: &'static str) {
        self.known.push(OptionInfo { key, accepted, default, meaning, file: false });
    }

    fn item(&self, key: &str) -> Option<&'a Item> {
        self.spec.items.iter().find(|item| item.key == key)
    }

    fn bad_value(&self, key: &'static str, value: &str) -> SpecError {
        let accepted = self.known.iter().find(|known| known.key == key).map(|known| known.accepted.clone());
        SpecError::BadValue {
            name: self.spec.name.clone(),
            key: key.to_string(),
            value: value.to_string(),
            accepted: accepted.unwrap_or_default(),
        }
    }

    fn read<T>(
        &mut self,
        key: &'static str,
        accepted: String,
        shown_default: String,
        meaning: &'static str,
        default: T,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, SpecError> {
        self.declare(key, accepted, shown_default, meaning);
        match self.item(key) {
            None => Ok(default),
            Some(item) => {
                let value = item.value.as_deref().unwrap_or("");
                let bare = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(value);
                parse(bare).ok_or_else(|| self.bad_value(key, value))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_and_changed() {
        let with = |spec: &str, key, value| spec.parse::<Spec>().unwrap().with(key, value).to_string();
        assert_eq!(with("go", Spec::SIZE, "13"), "go:13");
        assert_eq!(with("go:9,komi=6.5", Spec::SIZE, "13"), "go:13,komi=6.5");
        assert_eq!(with("go:komi=6.5", Spec::SIZE, "13"), "go:13,komi=6.5");
        assert_eq!(with("go:9,komi=6.5,ko=simple", "komi", "0"), "go:9,ko=simple,komi=0");
        assert_eq!(with("hex:11,swap", Spec::SIZE, "5x6"), "hex:5x6,swap");
        let hex: Spec = "hex:11,swap".parse().unwrap();
        assert_eq!((hex.option(Spec::SIZE), hex.option("swap"), hex.option("komi")), (Some("11"), Some(""), None));
    }

    #[test]
    fn nested_specs_are_replaced() {
        let root: Spec = "root:[mcts:c=1,solver],[alphabeta],vote=sum".parse().unwrap();
        let longer = root.map_nested(|nested| format!("{nested}x"));
        assert_eq!(longer.to_string(), "root:[mcts:c=1,solverx],[alphabetax],vote=sum");
        assert_eq!(longer.nested().collect::<Vec<_>>(), ["mcts:c=1,solverx", "alphabetax"]);
    }

    #[test]
    fn specs_print_as_written() {
        for text in [
            "loa",
            "go:9,komi=6.5",
            "breakthrough:6x6",
            "mcts:c=0.7,pn=1,solver",
            "root:trees=[mcts:fpu=1,solver],vote=majority",
            "root:[mcts:fpu=1,solver],[mcts],vote=majority",
            "synthetic:tree='(1,0)'",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn malformed_specs_are_refused_with_a_reason() {
        for text in
            ["", ":", "go:", "Go", "go:komi=", "go:komi=7,9", "go:9,komi=1,komi=2", "go:'", "go:]", "go:a b", "go:,"]
        {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.starts_with("cannot read the spec"), "{text}: {error}");
        }
    }

    #[test]
    fn options_are_typed_and_unknown_ones_refused() {
        let spec: Spec = "go:9,komi=6.5,free".parse().unwrap();
        let mut options = Options::new(&spec);
        assert_eq!(options.size((19, 19), 2..=19, 2..=19), Ok((9, 9)));
        assert_eq!(options.halves("komi", 15, -722..=722, ""), Ok(13));
        assert_eq!(options.integer("handicap", 0, 0..=9, ""), Ok(0));
        let error = options.finish().unwrap_err().to_string();
        assert_eq!(error, "go has no option \"free\"; it takes size, komi, handicap");
    }

    #[test]
    fn a_renamed_option_is_refused_with_its_new_name() {
        let spec: Spec = "mcts:after=3".parse().unwrap();
        let mut options = Options::new(&spec);
        options.renamed("after", "expand-visits");
        let error = options.finish().unwrap_err().to_string();
        assert_eq!(error, "mcts: the option \"after\" is now called \"expand-visits\"");
    }

    #[test]
    fn an_old_spelling_of_a_value_is_refused_with_the_new_one() {
        let spec: Spec = "dfpn:sums=old".parse().unwrap();
        let error = Options::new(&spec).renamed_value("sums", "old", "dfpn-r").unwrap_err().to_string();
        assert_eq!(error, "dfpn: sums=old is now called sums=dfpn-r");
        let spec: Spec = "dfpn:sums=weak,old".parse().unwrap();
        assert_eq!(Options::new(&spec).renamed_value("sums", "old", "dfpn-r"), Ok(()));
    }

    #[test]
    fn a_value_that_became_an_option_is_refused_with_its_new_name() {
        let spec: Spec = "mcts:playout=greedy".parse().unwrap();
        let error = Options::new(&spec).renamed_to_option("playout=greedy", "ir=0").unwrap_err().to_string();
        assert_eq!(error, "mcts: the option \"playout=greedy\" is now called \"ir=0\"");
        assert_eq!(Options::new(&spec).renamed_to_option("playout=lgrf", "x"), Ok(()));
    }

    #[test]
    fn a_bad_value_names_what_is_accepted() {
        let spec: Spec = "go:ko=none,size".parse().unwrap();
        let mut options = Options::new(&spec);
        let error = options.choice("ko", &[("positional", 1), ("simple", 2)], "").unwrap_err();
        assert_eq!(error.to_string(), "go: ko=none is not accepted; it takes positional, simple");
        let spec: Spec = "go:komi=7.3".parse().unwrap();
        assert!(Options::new(&spec).halves("komi", 15, -10..=30, "").is_err());
    }
}
