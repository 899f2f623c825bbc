//! The messages between a master and its workers, one JSON object per line.
//!
//! They do not depend on what carries them. docs/cluster.md describes them; a change of their
//! meaning raises [`VERSION`].

use serde::{Deserialize, Serialize};
use std::time::Duration;
use tesuji_core::Limits;

use crate::report::ReportMessage;

/// The version of the messages.
pub const VERSION: u32 = 1;

/// The most bytes of a message. A report has about 100 bytes for each root move, and no game here
/// has more than a few thousand.
pub const LONGEST: usize = 1 << 22;

/// Returns the program and its version, as in the greeting.
pub fn program() -> String {
    format!("tesuji {}", env!("CARGO_PKG_VERSION"))
}

/// A message of the master.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToWorker {
    /// The greeting, which comes first.
    Hello(Greeting),
    /// Asks for the fingerprint of a game.
    Open {
        /// The number of the message. Numbers increase.
        id: u64,
        /// The spec of the game.
        game: String,
    },
    /// Searches a position.
    Search {
        /// The number of the message.
        id: u64,
        /// The spec of the search.
        player: String,
        /// What to search, and with which resources.
        #[serde(flatten)]
        task: Task,
    },
    /// Works on a question about a position.
    Job {
        /// The number of the message.
        id: u64,
        /// The spec of the solver.
        by: String,
        /// The seat of the player that tries to force the score, from 0.
        seat: u8,
        /// The score, in the smallest unit of the game.
        at_least: i32,
        /// Where, and with which resources.
        #[serde(flatten)]
        task: Task,
    },
    /// Asks for the replies that keep an answer, at the position and below it, where positions
    /// cannot repeat.
    Replies {
        /// The number of the message.
        id: u64,
        /// The spec of the solver.
        by: String,
        /// The seat of the player of the question.
        seat: u8,
        /// The score in question.
        at_least: i32,
        /// The answer.
        holds: bool,
        /// The most replies.
        most: usize,
        /// Where, and with which resources; the limit on nodes is that of one reply.
        #[serde(flatten)]
        task: Task,
    },
    /// Ends a search or a job early, and all before it.
    Stop {
        /// The number of its message.
        id: u64,
    },
    /// Clears everything that was learned.
    Forget,
}

/// A message of a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToMaster {
    /// The answer to the greeting.
    Hello(Greeting),
    /// The answer to `open`.
    Opened {
        /// The number of that message.
        id: u64,
        /// The fingerprint of the rules.
        fingerprint: String,
    },
    /// The search still runs.
    Alive {
        /// The number of its message.
        id: u64,
    },
    /// What a running search would report if it stopped now.
    Report {
        /// The number of its message.
        id: u64,
        /// The report.
        report: ReportMessage,
    },
    /// The result of a search or a job.
    Done {
        /// The number of its message.
        id: u64,
        /// The report.
        report: ReportMessage,
    },
    /// Replies that keep an answer: positions and moves.
    Replies {
        /// The number of the message.
        id: u64,
        /// The positions and moves.
        replies: Vec<(String, String)>,
    },
    /// The message cannot be carried out.
    Failed {
        /// The number of that message.
        id: u64,
        /// The reason, as a sentence.
        reason: String,
    },
}

/// Who speaks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Greeting {
    /// The version of the messages.
    pub version: u32,
    /// The program and its version.
    pub program: String,
}

impl Greeting {
    /// Returns the greeting of this program.
    pub fn own() -> Greeting {
        Greeting { version: VERSION, program: program() }
    }

    /// Refuses a greeting of another version, with a sentence.
    pub fn check(&self) -> Result<(), String> {
        let own = Greeting::own();
        if *self == own {
            return Ok(());
        }
        Err(format!(
            "it is {} with messages of version {}, and this is {} with version {}",
            self.program, self.version, own.program, own.version
        ))
    }
}

/// A position and the resources to work on it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The spec of the game.
    pub game: String,
    /// The position, and the moves that led to it.
    pub position: String,
    /// The time limit in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The playout limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
    /// The node limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The memory of trees and tables, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<usize>,
    /// The seed.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
}

/// The longest time limit of a message, in seconds. A duration of more is not representable.
const LONGEST_TIME: f64 = 1e9;

impl Task {
    /// Returns the limits.
    pub fn limits(&self) -> Limits {
        let seconds = self.seconds.map(|seconds| seconds.clamp(0.0, LONGEST_TIME));
        Limits {
            time: seconds.map(Duration::from_secs_f64),
            playouts: self.playouts,
            nodes: self.nodes,
            memory: self.memory,
        }
    }
}

/// Writes a message as a line, without its end.
pub fn line(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages are representable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_as_documented() {
        let hello = line(&ToWorker::Hello(Greeting { version: 1, program: "tesuji 0.1.0".to_string() }));
        assert_eq!(hello, r#"{"type":"hello","version":1,"program":"tesuji 0.1.0"}"#);
        let task = Task {
            game: "hex:4".to_string(),
            position: "start moves a1".to_string(),
            seconds: Some(5.0),
            playouts: None,
            nodes: Some(20_000),
            memory: None,
            seed: 1,
            threads: 2,
        };
        let job = ToWorker::Job { id: 7, by: "dfpn".to_string(), seat: 0, at_least: 1, task };
        let text = r#"{"type":"job","id":7,"by":"dfpn","seat":0,"at_least":1,"game":"hex:4","position":"start moves a1","seconds":5.0,"nodes":20000,"seed":1,"threads":2}"#;
        assert_eq!(line(&job), text);
        assert_eq!(serde_json::from_str::<ToWorker>(text).unwrap(), job);
        assert_eq!(line(&ToWorker::Forget), r#"{"type":"forget"}"#);
    }

    #[test]
    fn another_version_is_refused_with_a_sentence() {
        assert_eq!(Greeting::own().check(), Ok(()));
        let other = Greeting { version: VERSION + 1, program: "tesuji 9.0.0".to_string() };
        let sentence = other.check().unwrap_err();
        assert!(sentence.contains("tesuji 9.0.0") && sentence.contains("version 2"), "{sentence}");
    }
}
