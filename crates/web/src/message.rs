//! The protocol: what pages ask, and what they are told. `docs/web-protocol.md` tells it in words.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;
use tesuji_catalog::{Ending, SolveTiming, Timing};
use tesuji_core::{Bounds, Counters, Facts, Report, RootMove, StopReason, View};

/// The longest message that is read, in bytes.
pub const LONGEST: usize = 1 << 20;

/// What a page asks.
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
        clock: Option<ClockTerms>,
    },
    Run {},
    Pause {},
    Resign {},
    Think {
        player: String,
        limits: Option<Limits>,
    },
    Stop {},
    Look {
        line: Vec<String>,
    },
    Solve {
        goal: Option<String>,
        by: Option<String>,
        limits: Option<Limits>,
    },
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
        form: Form,
    },
}

/// Who sits at a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// Somebody in front of the page.
    Person {},
    /// A search, or a program.
    Engine {
        player: String,
        #[serde(default, deserialize_with = "or_none")]
        limits: Limits,
    },
}

/// Limits, where null stands for none.
fn or_none<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Limits, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// The clock of every player for a whole game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockTerms {
    pub seconds: f64,
    #[serde(default)]
    pub increment: f64,
}

/// What a search may use, as a page says it. Whatever is not said is unlimited, or up to the server.
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

/// How a game is written to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Position,
    Moves,
    Sgf,
}

/// A message that was read: its number, and what it asks or why that is not understood.
pub fn read(text: &str) -> (Option<u64>, Result<Request, String>) {
    if text.len() > LONGEST {
        return (None, Err(format!("the message has {} bytes; at most {LONGEST} are accepted", text.len())));
    }
    let mut object = match serde_json::from_str(text) {
        Ok(Value::Object(object)) => object,
        Ok(other) => return (None, Err(format!("{} is no message; it takes a JSON object", shortened(&other)))),
        Err(error) => return (None, Err(format!("the message is no JSON: {error}"))),
    };
    let id = match object.remove("id") {
        Some(id) => {
            id.as_u64().ok_or_else(|| format!("\"id\": {} is not accepted; it takes a whole number", shortened(&id)))
        }
        None => Err("the message has no \"id\"; it takes a whole number".to_string()),
    };
    let id = match id {
        Ok(id) => id,
        Err(error) => return (None, Err(error)),
    };
    let name =
        object.get("do").map_or("the message has no \"do\"".to_string(), |name| format!("\"do\": {}", shortened(name)));
    let request = serde_json::from_value(Value::Object(object));
    (Some(id), request.map_err(|error| format!("{name}: {error}")))
}

/// A value for an error, which nobody wants to read in full if it is long.
fn shortened(value: &Value) -> String {
    const LONG: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= LONG { text } else { text.chars().take(LONG).chain(['…']).collect() }
}

impl Limits {
    /// The limits as searches take them, but for memory and threads; an error if a number makes no sense.
    pub fn checked(&self, longest: Duration) -> Result<tesuji_core::Limits, String> {
        let time = match self.time {
            None => longest,
            Some(seconds) if seconds >= 0.0 => Duration::from_secs_f64(seconds.min(longest.as_secs_f64())),
            Some(seconds) => return Err(format!("\"time\": {seconds} is not accepted; it takes seconds, 0 or more")),
        };
        for (name, number) in [("playouts", self.playouts), ("nodes", self.nodes)] {
            if number == Some(0) {
                return Err(format!("\"{name}\": 0 is not accepted; it takes 1 or more"));
            }
        }
        Ok(tesuji_core::Limits { time: Some(time), playouts: self.playouts, nodes: self.nodes, memory: None })
    }

    /// Whether the page has said when to end.
    pub fn end(&self) -> bool {
        self.time.is_some() || self.playouts.is_some() || self.nodes.is_some()
    }

    /// The bytes that are wanted.
    pub fn bytes(&self) -> Option<usize> {
        self.memory.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

impl ClockTerms {
    /// The longest time that a clock shows.
    const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

    /// What is left at the beginning, and what every move adds.
    pub fn checked(&self) -> Result<(Duration, Duration), String> {
        let read = |name: &str, seconds: f64| {
            let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= Self::LONGEST);
            let most = Self::LONGEST.as_secs();
            time.ok_or_else(|| format!("\"{name}\": {seconds} is not accepted; it takes seconds from 0 to {most}"))
        };
        Ok((read("seconds", self.seconds)?, read("increment", self.increment)?))
    }
}

/// An answer.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer<T: Serialize> {
    Ok { id: u64, ok: T },
    Error { id: Option<u64>, error: String },
}

/// An event: its name, and what there is to tell.
#[derive(Serialize)]
pub struct Event<T: Serialize> {
    pub event: &'static str,
    #[serde(flatten)]
    pub content: T,
}

/// Why a table ends.
#[derive(Serialize)]
pub struct Words<'a> {
    pub words: &'a str,
}

/// What went wrong, and what ended by it: `think`, `move` or `solve`.
#[derive(Serialize)]
pub struct Trouble {
    pub words: String,
    pub ended: Option<&'static str>,
}

/// A position to be drawn, and the game that it belongs to.
#[derive(Serialize)]
pub struct State {
    pub game: String,
    pub title: &'static str,
    pub position: String,
    pub start: String,
    pub facts: Facts,
    pub players: Vec<&'static str>,
    pub to_move: Option<u8>,
    pub ending: Option<Ending>,
    pub moves: Vec<String>,
    pub ply: usize,
    pub legal: Vec<Legal>,
    pub view: View,
    pub last: Option<String>,
    pub seats: Vec<Seat>,
    pub running: bool,
    pub clocks: Option<Vec<f64>>,
    pub values: Vec<Option<f64>>,
}

/// A legal move: what to send, and what one clicks for it.
#[derive(Serialize)]
pub struct Legal {
    pub text: String,
    pub clicks: Vec<String>,
}

/// What a search thinks, while it runs and at its end.
#[derive(Serialize)]
pub struct Thinking<'a> {
    pub player: &'a str,
    pub search: &'a str,
    pub ply: usize,
    pub report: &'a Report<String>,
    pub timing: Timing,
}

/// What a tree holds at the end of a line.
#[derive(Serialize)]
pub struct Looked<'a> {
    pub line: &'a [String],
    pub moves: Option<Vec<RootMove<String>>>,
    pub state: &'a State,
}

/// How a solver is getting on.
#[derive(Serialize, Default)]
pub struct Solving {
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

/// What a solver has found out.
#[derive(Serialize)]
pub struct Solved {
    pub ply: usize,
    pub goal: String,
    pub solver: String,
    pub why: Option<String>,
    pub solved: bool,
    pub value: Option<String>,
    pub bounds: Option<Bounds>,
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

/// Where a walk through a proof stands.
#[derive(Serialize)]
pub struct Step {
    pub state: State,
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

/// A file that was read.
#[derive(Serialize)]
pub struct Loaded {
    pub kind: &'static str,
    pub games: Vec<Listed>,
}

/// A game of a file.
#[derive(Serialize)]
pub struct Listed {
    /// From 0.
    pub number: usize,
    pub title: String,
    pub game: String,
}

/// A file to be written.
#[derive(Serialize)]
pub struct Saved {
    pub name: String,
    pub data: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let (id, request) = read(r#"{"id":3,"do":"play","move":"b2"}"#);
        assert_eq!((id, request), (Some(3), Ok(Request::Play { mv: "b2".to_string() })));
        let (_, request) = read(r#"{"id":3,"do":"undo"}"#);
        assert_eq!(request, Ok(Request::Undo {}));
        let text =
            r#"{"id":1,"do":"seats","seats":[{"kind":"person"},{"kind":"engine","player":"auto"}],"clock":null}"#;
        let engine = Seat::Engine { player: "auto".to_string(), limits: Limits::default() };
        assert_eq!(read(text).1, Ok(Request::Seats { seats: vec![Seat::Person {}, engine], clock: None }));
    }

    #[test]
    fn errors_name_what_is_wrong_and_what_is_accepted() {
        for (text, id, words) in [
            ("", None, "no JSON"),
            ("[1]", None, "it takes a JSON object"),
            ("{}", None, "a whole number"),
            (r#"{"id":"x","do":"undo"}"#, None, "\"x\" is not accepted"),
            (r#"{"id":-1,"do":"undo"}"#, None, "-1 is not accepted"),
            (r#"{"id":1}"#, Some(1), "no \"do\""),
            (r#"{"id":1,"do":"dance"}"#, Some(1), "`resign`"),
            (r#"{"id":1,"do":"play"}"#, Some(1), "`move`"),
            (r#"{"id":1,"do":"play","move":"a1","loud":true}"#, Some(1), "`loud`"),
            (r#"{"id":1,"do":"save","as":"png"}"#, Some(1), "`sgf`"),
        ] {
            let (read_id, request) = read(text);
            let error = request.unwrap_err();
            assert_eq!(read_id, id, "{text}");
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn long_messages_and_long_values_are_cut_short() {
        let long = format!(r#"{{"id":1,"do":"{}"}}"#, "x".repeat(LONGEST));
        assert!(read(&long).1.unwrap_err().contains("at most 1048576"));
        let (_, request) = read(&format!(r#""{}""#, "x".repeat(1000)));
        assert!(request.unwrap_err().len() < 200);
    }

    #[test]
    fn limits_that_make_no_sense_are_refused() {
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
