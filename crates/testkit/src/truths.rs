//! Positions whose value others have found out, and what searches say of them.

use crate::agreement::{Contender, Table, Tally, known};
use crate::data::lines;
use std::str::FromStr;
use tesuji_catalog::OpenError;
use tesuji_core::{Bounds, Facts, History, Knowledge, Player, Spec, Visitor};
use tesuji_games::{rules, unknown_game, visit};

/// The value of a position for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// -1, 0 or 1: a game for two is lost, drawn or won.
    Result(i32),
    /// This score and no other.
    Score(i32),
    /// At least this score.
    AtLeast(i32),
    /// At most this score.
    AtMost(i32),
}

impl Value {
    fn bounds(self, player: Player, facts: &Facts) -> Bounds {
        let unknown = Bounds::unknown(player, facts);
        match self {
            Value::Result(result) => Bounds::of_results(player, result, result, facts),
            Value::Score(score) => Bounds::exact(player, score),
            Value::AtLeast(score) => Bounds { at_least: score, ..unknown },
            Value::AtMost(score) => Bounds { at_most: score, ..unknown },
        }
    }
}

impl FromStr for Value {
    type Err = String;

    fn from_str(text: &str) -> Result<Value, String> {
        let score = |text: &str| text.parse().map_err(|_| format!("{text:?} is no score"));
        Ok(match (text, text.split_at_checked(2)) {
            ("win", _) => Value::Result(1),
            ("draw", _) => Value::Result(0),
            ("loss", _) => Value::Result(-1),
            (_, Some((">=", rest))) => Value::AtLeast(score(rest)?),
            (_, Some(("<=", rest))) => Value::AtMost(score(rest)?),
            _ => Value::Score(score(text)?),
        })
    }
}

/// A position whose value is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The game.
    pub spec: String,
    /// Who found it out.
    pub source: String,
    /// `start`, or a position text; perhaps with moves.
    pub position: String,
    /// Its value.
    pub value: Value,
    /// How far off it is.
    pub reach: Reach,
}

/// When a known value has to be found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// In an ordinary test run.
    Near,
    /// In the long one.
    Slow,
    /// It only must not be contradicted.
    Far,
}

/// Reads a file of known values.
///
/// ```
/// use tesuji_testkit::truths::{Reach, Value, read};
///
/// let text = "spec tictactoe\nsource by hand\nnear start = draw\nfar start moves b1 a2 = win\n";
/// let truths = read(text).unwrap();
/// assert_eq!((truths[0].value, truths[0].reach), (Value::Result(0), Reach::Near));
/// assert_eq!(truths[1].position, "start moves b1 a2");
/// assert!(read("near start = draw").is_err());
/// ```
pub fn read(text: &str) -> Result<Vec<Truth>, String> {
    let (mut spec, mut source) = (String::new(), String::new());
    let mut truths = Vec::new();
    for (number, line) in lines(text) {
        let fail = |what: &str| format!("line {number}: {what}: {line:?}");
        let (word, rest) = line.split_once(' ').ok_or_else(|| fail("a word and more is expected"))?;
        match word {
            "spec" => (spec, source) = (rest.to_string(), String::new()),
            "source" => source = rest.to_string(),
            "near" | "slow" | "far" => {
                let (position, value) =
                    rest.split_once(" = ").ok_or_else(|| fail("a position = a value is expected"))?;
                if spec.is_empty() || source.is_empty() {
                    return Err(fail("spec and source come first"));
                }
                truths.push(Truth {
                    spec: spec.clone(),
                    source: source.clone(),
                    position: position.trim().to_string(),
                    value: value.parse().map_err(|error: String| fail(&error))?,
                    reach: match word {
                        "near" => Reach::Near,
                        "slow" => Reach::Slow,
                        _ => Reach::Far,
                    },
                });
            }
            _ => return Err(fail("spec, source, near, slow or far is expected")),
        }
    }
    Ok(truths)
}

/// What searches say of a position whose value is known.
pub fn try_on(truth: &Truth, contenders: &[Contender]) -> Result<Vec<Tally>, OpenError> {
    struct Run<'a>(&'a Truth, &'a [Contender]);
    impl Visitor for Run<'_> {
        type Output = Result<Vec<Tally>, OpenError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(truth, contenders) = self;
            let rules = rules::<G>(&truth.spec)?;
            let history = History::<G>::parse(rules.clone(), &truth.position)?;
            let known = known(truth.value.bounds(history.position().to_move(), history.facts()));
            let mut tallies = Vec::new();
            for contender in contenders {
                let mut table = Table::<G>::new(contender, &truth.spec, &rules)?;
                table.position(&history, &known, 1);
                tallies.push(table.tally);
            }
            Ok(tallies)
        }
    }
    let spec: Spec = truth.spec.parse()?;
    visit(spec.name(), Run(truth, contenders)).unwrap_or_else(|| Err(unknown_game(spec.name()).into()))
}
