//! The time managers by name, and their options.

use super::critical::KappaFactor;
use super::manager::{Base, EXPECTED_MOVES, Rule};
use super::{Condition, TimeFacts, TimeManager, TimeTable};
use crate::{OptionInfo, Options, Spec, SpecError};
use serde::Serialize;

/// The kinds of managers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fixed,
    Moves,
    Lengths,
    Stones,
    Open,
    Mid,
    KappaExpected,
    KappaLast,
    KappaNow,
    Behind,
    Unstable,
    Close,
    Stop,
    Erica,
    Distribution,
    Auto,
}

/// The list: names, kinds and summaries.
const LIST: &[(&str, Kind, &str)] = &[
    ("fixed", Kind::Fixed, "equal shares: the time left over a fixed number of moves"),
    ("exp-moves", Kind::Moves, "the time left over the moves expected after the moves played"),
    ("exp-sim", Kind::Lengths, "the time left over the moves expected from the length of simulated games"),
    ("exp-stones", Kind::Stones, "the time left over the moves expected from the pieces on the board"),
    ("open", Kind::Open, "more time early: a factor on every move"),
    ("mid", Kind::Mid, "more time around the middle of the game"),
    ("kappa-exp", Kind::KappaExpected, "more time at moves that are critical in other games (Go)"),
    ("kappa-lm", Kind::KappaLast, "more time if the position was critical at the last move (Go)"),
    ("kappa-cm", Kind::KappaNow, "more time if the position is critical now (Go)"),
    ("behind", Kind::Behind, "searches on when the best move is likely to lose"),
    ("unst", Kind::Unstable, "searches on when the most visited move is not the best valued"),
    ("close", Kind::Close, "searches on when two moves have nearly the same visits"),
    ("stop", Kind::Stop, "stops when the runner-up cannot catch up, and gives every move more time"),
    ("erica", Kind::Erica, "the formula of Erica, with unst and behind"),
    ("distribution", Kind::Distribution, "replays the times of a match, turn by turn"),
    ("auto", Kind::Auto, "the manager that the game declares"),
];

/// The option for the base of a manager.
const BASE: &str = "base";

/// A manager with its options, for help texts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ManagerEntry {
    /// The name in specs.
    pub name: &'static str,
    /// One phrase that says what it does.
    pub summary: &'static str,
    /// The options.
    pub options: Vec<OptionInfo>,
}

/// Returns all managers, in the order of the list.
pub fn managers() -> Vec<ManagerEntry> {
    let entry = |&(name, kind, summary): &(&'static str, Kind, &'static str)| {
        let spec: Spec = name.parse().expect("the names of the list are specs");
        let mut options = Options::new(&spec);
        read(kind, &mut options).expect("defaults are valid");
        ManagerEntry { name, summary, options: options.finish().expect("a name has no options") }
    };
    LIST.iter().map(entry).collect()
}

/// What the options of a manager say.
struct Parts {
    base: Part,
    rules: Vec<Rule>,
}

/// What shares the clock.
enum Part {
    Base(Base),
    /// Another manager.
    Manager(Spec),
    /// The manager that the game declares.
    Auto,
}

impl TimeManager {
    /// Builds the manager named by a spec for a game.
    pub fn new(spec: &Spec, facts: &TimeFacts) -> Result<TimeManager, SpecError> {
        let table = TimeTable::parse(facts.table).expect("the tables of games are tested");
        let mut manager = TimeManager { base: Base::Moves, rules: Vec::new(), table, last: None };
        let mut next = Some(spec.clone());
        while let Some(spec) = next.take() {
            let kind = find(spec.name())?;
            let mut options = Options::new(&spec);
            let Parts { base, rules } = read(kind, &mut options)?;
            if matches!(&base, Part::Base(Base::Profile(profile)) if profile.is_empty()) {
                return Err(options.refuse("file", PROFILE));
            }
            options.finish()?;
            manager.rules.extend(rules);
            match base {
                Part::Base(base) => manager.base = base,
                Part::Manager(base) => next = Some(base),
                Part::Auto => next = Some(facts.manager.parse()?),
            }
        }
        Ok(manager)
    }

    /// Refuses a name that no manager has, with the list.
    pub fn check_name(name: &str) -> Result<(), SpecError> {
        find(name).map(|_| ())
    }

    /// Returns whether a text starts with the name of a manager, so that it is not a duration.
    pub fn is_named(text: &str) -> bool {
        text.chars().next().is_some_and(|letter| letter.is_ascii_alphabetic())
    }

    /// Refuses a spec that names a file, itself or in its base.
    pub fn check_untrusted(spec: &Spec) -> Result<(), SpecError> {
        let entry = managers().into_iter().find(|entry| entry.name == spec.name());
        spec.check_untrusted(&entry.map(|entry| entry.options).unwrap_or_default())?;
        spec.option(BASE).map_or(Ok(()), |base| TimeManager::check_untrusted(&without_brackets(base).parse()?))
    }
}

fn find(name: &str) -> Result<Kind, SpecError> {
    let found = LIST.iter().find(|(known, ..)| *known == name).map(|(_, kind, _)| *kind);
    found.ok_or_else(|| {
        let known = LIST.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", ");
        SpecError::UnknownName { kind: "time manager", name: name.to_string(), known }
    })
}

/// Reads the options of a manager. The defaults are the settings of Baier (2015) for 13x13 Go.
fn read(kind: Kind, options: &mut Options<'_>) -> Result<Parts, SpecError> {
    match kind {
        Kind::Fixed => {
            let moves =
                options.number("moves", EXPECTED_MOVES, 1.0..=1000.0, "expected moves to the end of the game")?;
            Ok(Parts { base: Part::Base(Base::Fixed(moves)), rules: Vec::new() })
        }
        Kind::Moves => Ok(Parts { base: Part::Base(Base::Moves), rules: Vec::new() }),
        Kind::Lengths => Ok(Parts { base: Part::Base(Base::Lengths), rules: Vec::new() }),
        Kind::Stones => Ok(Parts { base: Part::Base(Base::Stones), rules: Vec::new() }),
        Kind::Distribution => read_distribution(options),
        Kind::Auto => Ok(Parts { base: Part::Auto, rules: Vec::new() }),
        Kind::Erica => read_erica(options),
        _ => {
            let rule = read_rule(kind, options)?;
            Ok(Parts { base: read_base(options)?, rules: vec![rule] })
        }
    }
}

/// Reads the base of a rule.
fn read_base(options: &mut Options<'_>) -> Result<Part, SpecError> {
    let accepted = "a manager, in brackets if it has several options";
    let text = options.text(BASE, accepted, "manager whose plan is changed; default exp-moves")?;
    let Some(text) = text else { return Ok(Part::Base(Base::Moves)) };
    Ok(Part::Manager(without_brackets(&text).parse()?))
}

fn without_brackets(text: &str) -> &str {
    text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text)
}

fn read_rule(kind: Kind, options: &mut Options<'_>) -> Result<Rule, SpecError> {
    let loops = "largest number of extensions of a move";
    let length = "length of an extension, in regular times";
    Ok(match kind {
        Kind::Open => Rule::Open { f: options.number("f", 2.5, 0.0..=100.0, "factor on the time of every move")? },
        Kind::Mid => Rule::Mid {
            a: options.number("a", 2.0, 0.0..=100.0, "how much more time at the peak, in shares")?,
            b: options.number("b", 40.0, 0.0..=10_000.0, "moves of all players before the peak")?,
            c: options.number("c", 20.0, 0.1..=10_000.0, "width of the peak in moves")?,
        },
        Kind::KappaExpected => Rule::KappaExpected(read_kappa(options, -0.67, 0.5)?),
        Kind::KappaLast => Rule::KappaLast(read_kappa(options, -0.67, 0.25)?),
        Kind::KappaNow => Rule::KappaNow(read_kappa(options, -1.33, 0.6)?),
        Kind::Behind => {
            let f = options.number("f", 0.5, 0.0..=100.0, length)?;
            let v = options.number("v", 0.6, 0.0..=1.0, "win rate below which the search goes on")?;
            let loops = options.integer("l", 1, 1..=100, loops)? as u32;
            Rule::Extend { condition: Condition::Behind(v), f, loops }
        }
        Kind::Unstable => {
            let f = options.number("f", 1.5, 0.0..=100.0, length)?;
            let loops = options.integer("l", 1, 1..=100, loops)? as u32;
            Rule::Extend { condition: Condition::Unstable, f, loops }
        }
        Kind::Close => {
            let f = options.number("f", 1.5, 0.0..=100.0, length)?;
            let meaning = "relative difference of visits below which the search goes on";
            let d = options.number("d", 0.4, 0.0..=1.0, meaning)?;
            let loops = options.integer("l", 1, 1..=100, loops)? as u32;
            Rule::Extend { condition: Condition::Close(d), f, loops }
        }
        _ => Rule::Stop {
            f: options.number("f", 2.5, 0.0..=100.0, "factor on the time of every move; 1 with p=1 is STOP_A")?,
            p: options.number("p", 0.4, 0.0..=1.0, "share of the playouts left that may go to the runner-up")?,
        },
    })
}

fn read_kappa(options: &mut Options<'_>, offset: f64, least: f64) -> Result<KappaFactor, SpecError> {
    let (least, most) = (
        options.number("least", least, 0.0..=100.0, "smallest factor")?,
        options.number("most", 10.0, 0.0..=100.0, "largest factor")?,
    );
    if least > most {
        return Err(options.refuse("least", format!("a number of at most {most}")));
    }
    Ok(KappaFactor {
        slope: options.number("s", 8.33, 0.0..=1000.0, "how much the factor grows with the criticality")?,
        offset: options.number("i", offset, -100.0..=100.0, "factor without criticality, before the bounds")?,
        least,
        most,
    })
}

/// Erica's formula, with UNST and then BEHIND. An extension of length 0 is left out.
fn read_erica(options: &mut Options<'_>) -> Result<Parts, SpecError> {
    let forms = [("enhanced", true), ("basic", false)];
    let is_enhanced = options.choice("form", &forms, "basic shares the time over C moves and never extends")?;
    let (c, max_ply, unst, behind) = if is_enhanced { (20.0, 40.0, 0.5, 0.75) } else { (30.0, 0.0, 0.0, 0.0) };
    let c = options.number("c", c, 1.0..=1000.0, "expected moves late in the game")?;
    let max_ply = options.number("max-ply", max_ply, 0.0..=10_000.0, "moves of all players before that")?;
    let unst = options.number("unst", unst, 0.0..=100.0, "length of the extension when unstable, in regular times")?;
    let behind = options.number("behind", behind, 0.0..=100.0, "length of the extension when behind")?;
    let v = options.number("v", 0.6, 0.0..=1.0, "win rate below which the search goes on")?;
    let extensions = [(Condition::Unstable, unst), (Condition::Behind(v), behind)];
    let rules = extensions.into_iter().filter(|(_, f)| *f > 0.0);
    let rules = rules.map(|(condition, f)| Rule::Extend { condition, f, loops: 1 }).collect();
    Ok(Parts { base: Part::Base(Base::Erica { c, max_ply }), rules })
}

/// The file of a profile.
const PROFILE: &str = "a file that tesuji report --time-profile wrote";

/// Reads a profile: the milliseconds of each own turn.
fn read_distribution(options: &mut Options<'_>) -> Result<Parts, SpecError> {
    let path = options.file("file", PROFILE, "the milliseconds of each turn")?;
    let profile = match path {
        None => Vec::new(),
        Some(path) => {
            let text = std::fs::read_to_string(&path).map_err(|error| options.refuse("file", error.to_string()))?;
            let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
            let times: Option<Vec<f64>> = lines.map(|line| line.trim().parse::<f64>().ok()).collect();
            let is_time = |time: &f64| time.is_finite() && *time >= 0.0;
            let times = times.filter(|times| !times.is_empty() && times.iter().all(is_time));
            let times =
                times.ok_or_else(|| options.refuse("file", "a file with a time in milliseconds on each line"))?;
            times.into_iter().map(|time| time / 1000.0).collect()
        }
    };
    Ok(Parts { base: Part::Base(Base::Profile(profile)), rules: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(spec: &str) -> Result<TimeManager, String> {
        let facts = TimeFacts { table: "", manager: "stop:f=5,p=0.9" };
        let spec: Spec = spec.parse().map_err(|error: SpecError| error.to_string())?;
        TimeManager::new(&spec, &facts).map_err(|error| error.to_string())
    }

    #[test]
    fn every_manager_is_built_by_its_name() {
        for entry in managers() {
            let built = build(entry.name);
            assert_eq!(built.is_ok(), entry.name != "distribution", "{}: {built:?}", entry.name);
        }
    }

    #[test]
    fn rules_are_combined_on_a_base() {
        let combined = build("stop:f=2,p=0.5,base=[unst:f=0.5,l=2,base=fixed:moves=30]").unwrap();
        assert_eq!(combined.base, Base::Fixed(30.0));
        let unst = Rule::Extend { condition: Condition::Unstable, f: 0.5, loops: 2 };
        assert_eq!(combined.rules, [Rule::Stop { f: 2.0, p: 0.5 }, unst]);
        let (auto, stop) = (build("auto").unwrap(), build("stop:f=5,p=0.9").unwrap());
        assert_eq!((auto.base, auto.rules), (stop.base, stop.rules));
        assert_eq!(build("unst:base=auto").unwrap().rules.len(), 2);
        assert_eq!(build("stop").unwrap().base, Base::Moves);
    }

    #[test]
    fn mistakes_are_refused_with_what_is_accepted() {
        for (spec, words) in [
            ("sotp", "there is no time manager \"sotp\" (did you mean stop?); known are fixed, exp-moves"),
            ("stop:q=1", "stop has no option \"q\"; it takes f, p, base"),
            ("stop:p=2", "stop: p=2 is not accepted; it takes a number from 0 to 1"),
            ("unst:l=0", "unst: l=0 is not accepted; it takes a whole number from 1 to 100"),
            ("unst:base=soon", "there is no time manager \"soon\""),
            ("unst:base=[stop:f]", "stop: f= is not accepted"),
            ("erica:form=best", "it takes enhanced, basic"),
            ("kappa-cm:least=5,most=2", "a number of at most 2"),
            ("distribution", "tesuji report --time-profile"),
            ("distribution:file=/dev/null/none", "distribution: file="),
        ] {
            let error = build(spec).unwrap_err();
            assert!(error.contains(words), "{spec}: {error}");
        }
    }
}
