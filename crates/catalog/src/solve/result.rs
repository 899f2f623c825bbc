//! The result of a solve run.

use crate::bounds_text;
use crate::certify::{ProofOutcome, Zone};
use crate::checkpoint::BoundsRecord;
use serde::Serialize;
use tesuji_core::{Bounds, Counters, Facts, PointBounds, ProofNumbers, Question, StopReason};
use tesuji_search::Goal;

/// The result of a solve run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solution {
    /// The goal.
    pub goal: String,
    /// The spec of the solver as given.
    pub by: String,
    /// The solver that ran: the same spec, unless it was `auto`.
    pub solver: String,
    /// Why `auto` stands for that solver.
    pub why: Option<String>,
    /// What the solver does differently in this game, if its name promises something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    /// The number of threads used: 1 if the solver cannot use more.
    pub threads: usize,
    /// The memory of the solver: that of the checkpoint, if the run resumed one. Front ends report
    /// it with the limits.
    #[serde(skip)]
    pub memory: usize,
    /// Whether the goal is reached for every side.
    pub solved: bool,
    /// The result for each side.
    pub sides: Vec<Side>,
    /// The counters of this run.
    pub counters: Counters,
    /// The nodes of earlier runs.
    pub earlier_nodes: u64,
    /// Why the run ended.
    pub stopped: StopReason,
    /// The proof, if one was requested.
    pub proof: Option<ProofOutcome>,
    /// Why the proof could not be written, if writing failed.
    pub not_written: Option<String>,
    /// Why the final checkpoint could not be written, if writing failed.
    pub not_kept: Option<String>,
    /// Everything that depends on the clock.
    pub timing: SolveTiming,
}

/// The result for one player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Side {
    /// The player's name.
    pub name: &'static str,
    /// The proven bounds of its score.
    pub bounds: PointBounds,
    /// A description of the bounds; `None` if nothing is proven.
    pub words: Option<String>,
    /// Whether the goal is reached.
    pub solved: bool,
    /// The answer, if the goal is a yes/no question (`win`, `draw`, `score=K`) and it is answered.
    pub answer: Option<bool>,
    /// A move that achieves the proven bound, or resists longest.
    pub best: Option<String>,
    /// A line of play.
    ///
    /// If the goal is reached and both bounds are proven, the player keeps to the lower bound and
    /// all others to the upper one, so a line that reaches the end of the game ends with the value.
    /// Otherwise it is the line of the question that settled the result.
    pub variation: Vec<String>,
    /// The proof numbers of the last question.
    pub proof_numbers: Option<ProofNumbers>,
    /// The result of each root move, if requested.
    pub moves: Vec<SolvedMove>,
    /// The cells that a win or a loss depends on, if requested and if the game knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
}

/// The result of one root move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SolvedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The proven bounds of the player's score after the move.
    pub bounds: PointBounds,
    /// A description of the bounds; `None` if nothing is proven.
    pub words: Option<String>,
    /// Whether the goal is reached.
    pub solved: bool,
    /// The answer, if the goal is a yes/no question and it is answered.
    pub answer: Option<bool>,
}

/// The duration and speed of a solve run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SolveTiming {
    /// The time of this run in seconds.
    pub seconds: f64,
    /// The time of earlier runs in seconds.
    pub earlier_seconds: f64,
    /// Nodes per second of solver time.
    pub nodes_per_second: f64,
    /// The time to write and verify the proof, in seconds.
    pub proof_seconds: f64,
}

/// Returns the answer that bounds give to a yes/no goal; `None` if it is open, or the goal is not a
/// yes/no question.
fn yes_or_no(goal: Goal, bounds: &Bounds, facts: &Facts) -> Option<bool> {
    let at_least = match goal {
        Goal::Value | Goal::Score => return None,
        Goal::Win => 1,
        Goal::Draw => 0,
        Goal::AtLeast(points) => facts.units(points)?,
    };
    Question { known: *bounds, at_least }.answer(bounds)
}

impl Side {
    /// The result for a player with these bounds, without a best move or line.
    pub(super) fn new(name: &'static str, bounds: Bounds, goal: Goal, facts: &Facts) -> Side {
        let bounds = bounds.normalized(facts);
        Side {
            name,
            bounds: bounds.in_points(facts),
            words: bounds_text(&bounds, facts),
            solved: goal.next(&bounds, facts).is_none(),
            answer: yes_or_no(goal, &bounds, facts),
            best: None,
            variation: Vec::new(),
            proof_numbers: None,
            moves: Vec::new(),
            zone: None,
        }
    }
}

impl SolvedMove {
    /// The result of the root move of a record; `None` if the record is of the position itself.
    pub(super) fn new(record: &BoundsRecord, goal: Goal, facts: &Facts) -> Option<SolvedMove> {
        let bounds = record.bounds().normalized(facts);
        Some(SolvedMove {
            mv: record.mv.clone()?,
            bounds: bounds.in_points(facts),
            words: bounds_text(&bounds, facts),
            solved: goal.next(&bounds, facts).is_none(),
            answer: yes_or_no(goal, &bounds, facts),
        })
    }
}
