//! The messages of the protocol: requests, responses and events. `docs/web-protocol.md` specifies
//! them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;
use tesuji_catalog::{Ending, SearchTiming, SolveTiming};
use tesuji_core::{Counters, Facts, Look, PointBounds, Report, RootMove, StopReason, View};

/// The longest accepted message, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// A request of a page.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    Open {
        game: String,
        position: Option<String>,
    },
    Play {
        #[serde(rename = "move")]
        mv: String,
    },
    Undo {},
    Redo {},
    Goto {
        ply: usize,
    },
    Seats {
        seats: Vec<Seat>,
        clock: Option<ClockSettings>,
    },
    Run {},
    Pause {},
    Resign {},
    Think {
        player: String,
        limits: Option<Limits>,
    },
    Stop {},
    Owners {
        shown: bool,
    },
    Look {
        line: Vec<String>,
    },
    Solve {
        goal: Option<String>,
        by: Option<String>,
        limits: Option<Limits>,
    },
    Problem {
        targets: Option<Vec<String>>,
        goal: Option<String>,
        region: Option<String>,
    },
    Ask {
        targets: Option<Vec<String>>,
        goal: Option<String>,
        region: Option<String>,
        by: Option<String>,
        limits: Option<Limits>,
    },
    Refute {
        #[serde(rename = "move")]
        mv: String,
        limits: Option<Limits>,
    },
    Prove {
        limits: Option<Limits>,
    },
    Annotate {},
    Walk {
        proof: String,
        claim: Option<usize>,
        #[serde(rename = "move")]
        mv: Option<String>,
        back: Option<bool>,
    },
    Verify {
        proof: Option<String>,
        data: Option<String>,
    },
    Certify {
        moves: Vec<String>,
    },
    Load {
        name: String,
        data: Option<String>,
        file: Option<String>,
    },
    Pick {
        number: usize,
    },
    Save {
        #[serde(rename = "as")]
        format: SaveFormat,
    },
}

/// The player at a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// A human at the page.
    Person {},
    /// A search or an external program.
    Engine {
        player: String,
        #[serde(default, deserialize_with = "null_as_default")]
        limits: Limits,
    },
}

/// Reads limits; null means none.
fn null_as_default<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Limits, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// The time of each player for a whole game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockSettings {
    pub seconds: f64,
    #[serde(default)]
    pub increment: f64,
}

/// The limits of a search in a request. An absent limit is unlimited or chosen by the server.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// In seconds.
    pub time: Option<f64>,
    pub playouts: Option<u64>,
    pub nodes: Option<u64>,
    /// In bytes.
    pub memory: Option<u64>,
    pub threads: Option<usize>,
}

/// The file format of a saved game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SaveFormat {
    Position,
    Moves,
    Sgf,
}

/// Checks the length of a message in bytes.
pub fn check_length(bytes: usize) -> Result<(), String> {
    if bytes > MAX_MESSAGE_BYTES {
        return Err(format!("the message has {bytes} bytes; at most {MAX_MESSAGE_BYTES} are accepted"));
    }
    Ok(())
}

/// Parses a message into its ID and its request, or the reason why it is refused.
pub fn parse(text: &str) -> (Option<u64>, Result<Request, String>) {
    let mut object = match serde_json::from_str(text) {
        Ok(Value::Object(object)) => object,
        Ok(other) => return (None, Err(format!("{} is not a message; expected a JSON object", shortened(&other)))),
        Err(error) => return (None, Err(format!("the message is not JSON: {error}"))),
    };
    let id = match object.remove("id") {
        Some(id) => {
            id.as_u64().ok_or_else(|| format!("\"id\": {} is not accepted; expected a whole number", shortened(&id)))
        }
        None => Err("the message has no \"id\"; expected a whole number".to_string()),
    };
    let id = match id {
        Ok(id) => id,
        Err(error) => return (None, Err(error)),
    };
    let name =
        object.get("do").map_or("the message has no \"do\"".to_string(), |name| format!("\"do\": {}", shortened(name)));
    let request = serde_json::from_value(Value::Object(object));
    (Some(id), request.map_err(|error| format!("{name}: {}", reason(&error))))
}

/// Formats an error of serde, which may quote a whole string of the message.
fn reason(error: &serde_json::Error) -> String {
    const MAX_BYTES: usize = 1000;
    let text = error.to_string();
    if text.len() <= MAX_BYTES { text } else { tesuji_core::shortened(&text).to_string() }
}

/// Formats a value for an error message, cut to a readable length.
fn shortened(value: &Value) -> String {
    tesuji_core::shortened(&value.to_string()).to_string()
}

impl Limits {
    /// Converts to the limits of a search, without memory and threads; an error if a number is out
    /// of range.
    pub fn checked(&self, max_time: Duration) -> Result<tesuji_core::Limits, String> {
        let time = match self.time {
            None => max_time,
            Some(seconds) if seconds >= 0.0 => Duration::from_secs_f64(seconds.min(max_time.as_secs_f64())),
            Some(seconds) => return Err(format!("\"time\": {seconds} is not accepted; expected seconds, 0 or more")),
        };
        for (name, number) in [("playouts", self.playouts), ("nodes", self.nodes)] {
            if number == Some(0) {
                return Err(format!("\"{name}\": 0 is not accepted; expected 1 or more"));
            }
        }
        Ok(tesuji_core::Limits { time: Some(time), playouts: self.playouts, nodes: self.nodes, memory: None })
    }

    /// Returns whether any limit ends the search.
    pub fn is_bounded(&self) -> bool {
        self.time.is_some() || self.playouts.is_some() || self.nodes.is_some()
    }

    /// Returns the requested bytes.
    pub fn memory_bytes(&self) -> Option<usize> {
        self.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

impl ClockSettings {
    /// The longest time of a clock.
    const MAX: Duration = Duration::from_secs(7 * 24 * 3600);

    /// Returns the initial time and the increment per move.
    pub fn checked(&self) -> Result<(Duration, Duration), String> {
        let read = |name: &str, seconds: f64| {
            let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= Self::MAX);
            let max = Self::MAX.as_secs();
            time.ok_or_else(|| format!("\"{name}\": {seconds} is not accepted; expected seconds from 0 to {max}"))
        };
        Ok((read("seconds", self.seconds)?, read("increment", self.increment)?))
    }
}

/// The response to a request.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Response<T: Serialize> {
    Ok { id: u64, ok: T },
    Error { id: Option<u64>, error: String },
}

impl Response<()> {
    /// Returns the response to a refused request. The error is cut to a readable length, as it may
    /// quote a long input several times.
    pub fn error(id: Option<u64>, error: String) -> Response<()> {
        const MAX_CHARS: usize = 1000;
        match error.char_indices().nth(MAX_CHARS) {
            None => Response::Error { id, error },
            Some((end, _)) => Response::Error { id, error: format!("{}…", &error[..end]) },
        }
    }
}

/// An event: its name and its fields.
#[derive(Serialize)]
pub struct Event<T: Serialize> {
    pub event: &'static str,
    #[serde(flatten)]
    pub content: T,
}

/// Why the server closes a connection.
#[derive(Serialize)]
pub struct Closed<'a> {
    pub words: &'a str,
}

/// An error outside of any request, and the kind of search it ended: `think`, `move`, `solve`,
/// `ask`, `refute` or `prove`.
#[derive(Serialize)]
pub struct Failure {
    pub words: String,
    pub ended: Option<&'static str>,
}

/// A position with everything needed to draw it, and its game.
#[derive(Serialize)]
pub struct GameState {
    pub game: String,
    pub title: &'static str,
    pub look: Look,
    /// Whether the game can be saved as SGF.
    pub sgf: bool,
    /// Whether the game is about owning cells.
    pub owners: bool,
    /// Whether positions can be Go problems.
    pub problems: bool,
    pub position: String,
    pub start: String,
    pub facts: Facts,
    pub players: Vec<&'static str>,
    pub to_move: Option<u8>,
    pub ending: Option<Ending>,
    pub moves: Vec<String>,
    pub ply: usize,
    pub legal: Vec<LegalMove>,
    pub view: View,
    pub last: Option<String>,
    pub seats: Vec<Seat>,
    pub running: bool,
    pub clocks: Option<Vec<f64>>,
    pub values: Vec<Option<f64>>,
}

/// A legal move: its text, and the cells or pieces to click for it.
#[derive(Serialize)]
pub struct LegalMove {
    pub text: String,
    pub clicks: Vec<String>,
}

/// The report of a search, while it runs and at its end.
#[derive(Serialize)]
pub struct SearchReport<'a> {
    pub player: &'a str,
    pub search: &'a str,
    pub ply: usize,
    pub report: Report<String, PointBounds>,
    pub timing: SearchTiming,
    #[serde(flatten)]
    pub ownership: Ownership,
}

/// By how much each cell belongs to the player to move, from -1 to 1, in the order of the cells of
/// the view. Absent if the page has not asked for it, or if the game is not about owning cells.
#[derive(Clone, Default, Serialize)]
pub struct Ownership {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Vec<f64>>,
}

/// The content of a search tree at the end of a line.
#[derive(Serialize)]
pub struct TreeContent<'a> {
    pub line: &'a [String],
    pub moves: Option<Vec<RootMove<String, PointBounds>>>,
    pub state: &'a GameState,
}

/// The progress of a solver.
#[derive(Serialize, Default)]
pub struct SolverProgress {
    pub stage: &'static str,
    pub question: Option<String>,
    pub proof: Option<Value>,
    pub disproof: Option<Value>,
    pub nodes: u64,
    pub nodes_per_second: f64,
    pub fill: Option<f64>,
    pub line: Vec<String>,
    pub positions: Option<u64>,
}

/// The result of a solver.
#[derive(Serialize)]
pub struct SolverResult {
    pub ply: usize,
    pub goal: String,
    pub solver: String,
    pub why: Option<String>,
    pub solved: bool,
    pub value: Option<String>,
    pub bounds: Option<PointBounds>,
    #[serde(rename = "move")]
    pub mv: Option<String>,
    pub line: Vec<String>,
    pub sides: Vec<tesuji_catalog::Side>,
    pub counters: Counters,
    pub stopped: StopReason,
    pub timing: SolveTiming,
    pub proof: Option<String>,
    pub why_no_proof: Option<String>,
}

/// A Go problem before it is solved, as far as the request and the file determine it.
#[derive(Serialize)]
pub struct PosedProblem {
    pub goal: Option<tesuji_tsumego::Goal>,
    /// The stones in question.
    pub targets: Vec<String>,
    /// The points that may be played.
    pub region: Vec<String>,
    /// The empty points of the region, if it is given and not found from the stones.
    pub given: Option<Vec<String>>,
}

/// The answer to a Go problem.
#[derive(Serialize)]
pub struct ProblemAnswer<'a> {
    pub ply: usize,
    pub question: String,
    pub verdict_words: String,
    pub notes: Vec<String>,
    pub decided: bool,
    /// The stones in question.
    pub target_points: Vec<String>,
    /// The points that may be played.
    pub region_points: Vec<String>,
    #[serde(flatten)]
    pub answer: &'a tesuji_tsumego::Answer,
    pub timing: ProblemTiming,
}

/// What another first move of a Go problem does.
#[derive(Serialize)]
pub struct ProblemRefutation<'a> {
    pub words: String,
    #[serde(flatten)]
    pub refutation: &'a tesuji_tsumego::Refutation,
    pub timing: ProblemTiming,
}

/// The certificate of an answer, or why there is none.
#[derive(Serialize)]
pub struct ProvenProblem {
    pub proof: Option<String>,
    pub why_no_proof: Option<String>,
    pub timing: ProblemTiming,
}

/// The time that a question about a Go problem took.
#[derive(Serialize)]
pub struct ProblemTiming {
    pub seconds: f64,
}

/// The current position of a walk through a proof.
#[derive(Serialize)]
pub struct WalkStep {
    pub state: GameState,
    /// From 1.
    pub claim: usize,
    pub claims: Vec<String>,
    pub line: Vec<String>,
    pub reply: Option<String>,
    pub replies: Vec<String>,
    pub longest: Option<u32>,
    pub done: bool,
    pub words: String,
}

/// The games of a loaded file.
#[derive(Serialize)]
pub struct FileListing {
    pub kind: &'static str,
    /// The number of games of the file, of which the first are listed.
    pub total: usize,
    pub games: Vec<ListedGame>,
}

/// One game of a loaded file.
#[derive(Serialize)]
pub struct ListedGame {
    /// From 0.
    pub number: usize,
    pub title: String,
    pub game: String,
}

/// A saved game, for the page to store.
#[derive(Serialize)]
pub struct SavedGame {
    pub name: String,
    pub data: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_parse() {
        let (id, request) = parse(r#"{"id":3,"do":"play","move":"b2"}"#);
        assert_eq!((id, request), (Some(3), Ok(Request::Play { mv: "b2".to_string() })));
        let (_, request) = parse(r#"{"id":3,"do":"undo"}"#);
        assert_eq!(request, Ok(Request::Undo {}));
        let text =
            r#"{"id":1,"do":"seats","seats":[{"kind":"person"},{"kind":"engine","player":"auto"}],"clock":null}"#;
        let engine = Seat::Engine { player: "auto".to_string(), limits: Limits::default() };
        assert_eq!(parse(text).1, Ok(Request::Seats { seats: vec![Seat::Person {}, engine], clock: None }));
    }

    #[test]
    fn errors_name_the_value_and_what_is_expected() {
        for (text, id, words) in [
            ("", None, "not JSON"),
            ("[1]", None, "expected a JSON object"),
            ("{}", None, "a whole number"),
            (r#"{"id":"x","do":"undo"}"#, None, "\"x\" is not accepted"),
            (r#"{"id":-1,"do":"undo"}"#, None, "-1 is not accepted"),
            (r#"{"id":1}"#, Some(1), "no \"do\""),
            (r#"{"id":1,"do":"dance"}"#, Some(1), "`resign`"),
            (r#"{"id":1,"do":"play"}"#, Some(1), "`move`"),
            (r#"{"id":1,"do":"play","move":"a1","loud":true}"#, Some(1), "`loud`"),
            (r#"{"id":1,"do":"save","as":"png"}"#, Some(1), "`sgf`"),
        ] {
            let (parsed_id, request) = parse(text);
            let error = request.unwrap_err();
            assert_eq!(parsed_id, id, "{text}");
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn long_messages_are_refused_and_long_values_cut_short() {
        assert!(check_length(MAX_MESSAGE_BYTES).is_ok());
        assert!(check_length(MAX_MESSAGE_BYTES + 1).unwrap_err().contains("at most 1048576"));
        let (_, request) = parse(&format!(r#""{}""#, "x".repeat(1000)));
        assert!(request.unwrap_err().len() < 300);
        let (_, request) = parse(&format!(r#"{{"id":1,"do":"{}"}}"#, "x".repeat(10_000)));
        assert!(request.unwrap_err().len() < 600);
        let Response::Error { error, .. } = Response::error(None, "é".repeat(2000)) else { panic!("an error") };
        assert_eq!(error, "é".repeat(1000) + "…");
    }

    #[test]
    fn limits_out_of_range_are_refused() {
        let hour = Duration::from_secs(3600);
        for (text, words) in
            [(r#"{"time":-1}"#, "0 or more"), (r#"{"playouts":0}"#, "1 or more"), (r#"{"nodes":0}"#, "1 or more")]
        {
            let limits: Limits = serde_json::from_str(text).unwrap();
            assert!(limits.checked(hour).unwrap_err().contains(words), "{text}");
        }
        let capped = Limits { time: Some(1e300), ..Limits::default() }.checked(hour).unwrap();
        assert_eq!(capped.time, Some(hour));
        assert_eq!(Limits::default().checked(hour).unwrap().time, Some(hour));
    }
}
