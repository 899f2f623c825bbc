//! What to solve, with which solver, and under which limits.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_core::{Facts, History, Knowledge, Limits, Player, Report, SpecError, quoted};
use tesuji_search::Goal;
use thiserror::Error;

/// What to solve, and the resources for it.
pub struct SolvePlan<'a> {
    /// The goal.
    pub goal: Goal,
    /// The solver: a spec, or `auto`.
    pub by: String,
    /// The players whose result is wanted.
    pub sides: Sides,
    /// Whether to solve every move at the root separately.
    pub all_moves: bool,
    /// The limits of this run; the effort of earlier runs of a checkpoint does not count.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads, for solvers that can use them.
    pub threads: usize,
    /// Set to end the run early with the bounds found so far.
    pub stop: &'a AtomicBool,
    /// The checkpoint, if one is wanted.
    pub checkpoint: Option<CheckpointSettings>,
    /// The file of the proof, if one is wanted.
    pub proof: Option<PathBuf>,
    /// The limit on the nodes for finding the zones of the results, if they are wanted.
    pub zone: Option<u64>,
    /// Called with the progress of the run.
    pub observer: Option<SolveObserver<'a>>,
}

/// The interval between progress calls, and the function to call.
pub type SolveObserver<'a> = (Duration, &'a (dyn Fn(SolveStage<'_>) + Sync));

/// The players whose result is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sides {
    /// The player to move in a game for two, every player in a game for more.
    Usual,
    /// Every player.
    All,
    /// One player, by name or by seat from 1.
    One(String),
}

/// The file and frequency of checkpoints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckpointSettings {
    /// The file.
    pub file: PathBuf,
    /// Whether to resume from the file.
    pub resume: bool,
    /// Writes a checkpoint after this number of nodes, in addition to the regular ones.
    pub every_nodes: Option<u64>,
}

/// The current activity of a run.
pub enum SolveStage<'a> {
    /// The solver works on a question.
    Asking {
        /// The player whose score is in question.
        name: &'static str,
        /// The root move in question; `None` for the position itself.
        mv: Option<&'a str>,
        /// The score in question.
        at_least: i32,
        /// The report of the running search.
        report: &'a Report<String>,
        /// The nodes of this run so far.
        nodes: u64,
    },
    /// The checkpoint is being written.
    WritingCheckpoint,
    /// The proof is being written.
    WritingProof {
        /// The positions written so far.
        positions: u64,
    },
}

/// Why a position could not be solved at all.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The spec of the solver is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The goal or the side does not suit the game.
    #[error("{0}")]
    Refused(String),
    /// The checkpoint cannot be read or written.
    #[error("checkpoint {}: {reason}", file.display())]
    Checkpoint {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The proof cannot be written.
    #[error("proof {}: {error}", file.display())]
    Proof {
        /// The file.
        file: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

impl SolveError {
    /// An error of the checkpoint.
    pub(super) fn checkpoint(settings: &CheckpointSettings, reason: impl ToString) -> SolveError {
        SolveError::Checkpoint { file: settings.file.clone(), reason: reason.to_string() }
    }
}

impl SolvePlan<'_> {
    /// Checks that the goal can be asked of a game with these facts.
    pub(super) fn check_goal(&self, facts: &Facts) -> Result<(), SolveError> {
        self.goal.suits(facts).map_err(SolveError::Refused)
    }
}

impl Sides {
    /// Resolves the sides to players of a game.
    pub(super) fn players<G: Knowledge>(&self, root: &History<G>) -> Result<Vec<Player>, SolveError> {
        let players = root.facts().players;
        let all = (0..players).map(Player);
        let name = |player| root.position().player_name(player);
        let text = match self {
            Sides::Usual if players <= 2 => return Ok(vec![root.position().to_move()]),
            Sides::Usual | Sides::All => return Ok(all.collect()),
            Sides::One(text) => text,
        };
        let by_seat = text.parse::<u8>().ok().and_then(|seat| seat.checked_sub(1)).map(Player);
        let found = all.clone().find(|&player| name(player).eq_ignore_ascii_case(text) || by_seat == Some(player));
        let unknown = || {
            let names: Vec<&str> = all.map(name).collect();
            SolveError::Refused(format!(
                "unknown side {text}; expected {}, a seat from 1 to {players}, or all",
                names.join(", "),
                text = quoted(text)
            ))
        };
        Ok(vec![found.ok_or_else(unknown)?])
    }
}
