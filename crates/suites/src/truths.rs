//! Positions with values published elsewhere, and their comparison with searches.

use crate::agreement::{Contender, ContenderRun, Tally, report_of};
use crate::data::lines;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use tesuji_catalog::OpenError;
use tesuji_core::{Bounds, Control, Facts, History, Knowledge, Player, Question, Spec, SpecError, Visitor};
use tesuji_games::{rules, unknown_game, visit};

/// The value of a position for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// -1, 0 or 1: a two-player game is lost, drawn or won.
    Result(i32),
    /// Exactly this score.
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

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Result(result) => f.write_str(["loss", "draw", "win"][(result.signum() + 1) as usize]),
            Value::Score(score) => write!(f, "{score}"),
            Value::AtLeast(score) => write!(f, ">={score}"),
            Value::AtMost(score) => write!(f, "<={score}"),
        }
    }
}

impl FromStr for Value {
    type Err = String;

    fn from_str(text: &str) -> Result<Value, String> {
        let score = |text: &str| text.parse().map_err(|_| format!("{text:?} is not a score"));
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
    /// The source of the value.
    pub source: String,
    /// `start` or a position text, optionally with moves.
    pub position: String,
    /// The name of the player whose value it is; `None` for the player to move.
    pub side: Option<String>,
    /// The value.
    pub value: Value,
    /// How hard it is to solve.
    pub reach: Reach,
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} = {}", self.spec, self.position, self.value)?;
        self.side.iter().try_for_each(|side| write!(f, " for {side}"))
    }
}

/// The test run in which a known value must be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// The ordinary run.
    Near,
    /// The long run.
    Slow,
    /// None; the value must not be contradicted.
    Far,
}

/// Reads a file of known values.
///
/// ```
/// use tesuji_suites::truths::{Reach, Value, read};
///
/// let text = "spec tictactoe\nsource Smith\nnear start = draw\nfar start moves b1 = loss for O\n";
/// let truths = read(text).unwrap();
/// assert_eq!((truths[0].value, truths[0].reach), (Value::Result(0), Reach::Near));
/// assert_eq!(truths[1].position, "start moves b1");
/// assert_eq!(truths[1].side.as_deref(), Some("O"));
/// assert!(read("near start = draw").is_err());
/// ```
pub fn read(text: &str) -> Result<Vec<Truth>, String> {
    let (mut spec, mut source) = (String::new(), String::new());
    let mut truths = Vec::new();
    for (number, line) in lines(text) {
        let fail = |what: &str| format!("line {number}: {what}: {line:?}");
        let (word, rest) = line.split_once(' ').ok_or_else(|| fail("expected a keyword and a value"))?;
        match word {
            "spec" => (spec, source) = (rest.to_string(), String::new()),
            "source" => source = rest.to_string(),
            "near" | "slow" | "far" => {
                let (position, value) = rest.split_once(" = ").ok_or_else(|| fail("expected position = value"))?;
                if spec.is_empty() || source.is_empty() {
                    return Err(fail("spec and source must come first"));
                }
                let (value, side) =
                    value.split_once(" for ").map_or((value, None), |(value, side)| (value, Some(side)));
                truths.push(Truth {
                    spec: spec.clone(),
                    source: source.clone(),
                    position: position.trim().to_string(),
                    side: side.map(str::to_string),
                    value: value.parse().map_err(|error: String| fail(&error))?,
                    reach: match word {
                        "near" => Reach::Near,
                        "slow" => Reach::Slow,
                        _ => Reach::Far,
                    },
                });
            }
            _ => return Err(fail("expected spec, source, near, slow or far")),
        }
    }
    Ok(truths)
}

/// Runs searches on a position whose value is known. A solver is asked about the value itself,
/// since by default it looks for the result of the player to move.
pub fn try_on(truth: &Truth, contenders: &[Contender]) -> Result<Vec<Tally>, OpenError> {
    struct Run<'a>(&'a Truth, &'a [Contender]);
    impl Visitor for Run<'_> {
        type Output = Result<Vec<Tally>, OpenError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(truth, contenders) = self;
            let rules = rules::<G>(&truth.spec)?;
            let history = History::<G>::parse(rules.clone(), &truth.position)?;
            let mover = history.position().to_move();
            let player = truth.side.as_deref().map_or(Ok(mover), |name| player_by_name(&history, name))?;
            let bounds = truth.value.bounds(player, history.facts());
            let is_result = player == mover && matches!(truth.value, Value::Result(_));
            let mut tallies = Vec::new();
            for contender in contenders {
                let spec: Spec = contender.player.parse()?;
                tallies.push(if !is_result && tesuji_catalog::capabilities::<G>(&spec, &rules)?.solves {
                    ask(contender, &history, &bounds)?
                } else {
                    let mut run = ContenderRun::<G>::new(contender, &truth.spec, &rules)?;
                    let found = (player == mover).then(|| run.search(&history, &report_of(bounds), 1)).flatten();
                    Tally { solved: u32::from(found.is_some_and(|found| proves(&found, &bounds))), ..run.tally }
                });
            }
            Ok(tallies)
        }
    }
    let spec: Spec = truth.spec.parse()?;
    visit(spec.name(), Run(truth, contenders)).unwrap_or_else(|| Err(unknown_game(spec.name()).into()))
}

fn player_by_name<G: Knowledge>(history: &History<G>, name: &str) -> Result<Player, SpecError> {
    let name_of = |player: &Player| history.position().player_name(*player);
    let players: Vec<Player> = (0..history.facts().players).map(Player).collect();
    players.iter().copied().find(|player| name_of(player) == name).ok_or_else(|| SpecError::UnknownName {
        kind: "player",
        name: name.to_string(),
        known: players.iter().map(name_of).collect::<Vec<_>>().join(", "),
    })
}

/// Returns whether bounds are at least as tight as the true ones.
fn proves(bounds: &Bounds, truth: &Bounds) -> bool {
    truth.at_least <= bounds.at_least && bounds.at_most <= truth.at_most
}

/// Asks a solver the two questions that the true bounds answer.
fn ask<G: Knowledge>(contender: &Contender, history: &History<G>, truth: &Bounds) -> Result<Tally, SpecError> {
    let nothing = Tally { player: contender.player.clone(), positions: 0, solved: 0, wrong: 0, error: None };
    let mut prover = match tesuji_catalog::prover::<G>(&contender.player.parse()?, history.rules()) {
        Err(SpecError::BadValue { .. }) => return Ok(nothing),
        prover => prover?,
    };
    let go = AtomicBool::new(false);
    let mut bounds = Bounds::unknown(truth.player, history.facts());
    for at_least in [truth.at_least, truth.at_most + 1] {
        let question = Question { known: bounds, at_least };
        if question.answer(&bounds).is_none() {
            let control = Control::new(contender.limits, 1, &go).with_threads(contender.threads);
            bounds = prover.ask(history, question, &control).bounds;
        }
    }
    let is_wrong = bounds.at_least > truth.at_most || bounds.at_most < truth.at_least;
    let name = history.position().player_name(truth.player);
    let what = || format!("{} claims that {name} gets {}..{}", contender.player, bounds.at_least, bounds.at_most);
    let (solved, wrong) = (u32::from(proves(&bounds, truth)), u32::from(is_wrong));
    Ok(Tally { positions: 1, solved, wrong, error: is_wrong.then(what), ..nothing })
}
