//! Positions of a question as nodes and as jobs.

use crate::message::{Task, ToWorker};
use crate::tree::{NewNode, answer, of_answer};
use rustc_hash::FxHashSet;
use std::time::Duration;
use tesuji_catalog::{CrewTask, Session};
use tesuji_core::{Bounds, Facts, INFINITE, Player, ProofNumbers, Question, Repetition, Report, RootMove};

/// The time limit of a job between two reports: a worker that is slower than expected still
/// reports.
pub const SLICE_TIME: Duration = Duration::from_secs(5);

/// A question about positions of a game.
pub struct Inquiry {
    /// The spec of the game.
    pub spec: String,
    /// The properties of the game.
    pub facts: Facts,
    /// The question, without bounds known before.
    pub question: Question,
}

/// A position that a worker can work on.
pub struct Position {
    /// The game and its history.
    pub text: String,
    /// Its legal moves.
    pub legal: FxHashSet<String>,
}

impl Inquiry {
    /// Returns the inquiry of a question about a game.
    pub fn new(game: &dyn Session, question: Question) -> Inquiry {
        let facts = game.facts();
        let known = Bounds::unknown(question.prover(), &facts);
        Inquiry { spec: game.spec().to_string(), facts, question: Question { known, ..question } }
    }

    /// Returns the player of the question.
    pub fn player(&self) -> Player {
        self.question.prover()
    }

    /// Whether the result of a position is the same whatever led to it.
    pub fn is_path_independent(&self) -> bool {
        self.facts.repetition == Repetition::Impossible
    }

    /// Returns what two positions with the same result share: the position, or the whole path where
    /// positions can repeat.
    pub fn identity(&self, game: &dyn Session) -> String {
        if self.is_path_independent() { game.text() } else { game.game_text() }
    }

    /// Returns the answer to the question about a game that is over.
    fn end(&self, game: &dyn Session) -> Option<bool> {
        let points = *game.ending()?.scores.get(usize::from(self.player().0))?;
        Some(self.facts.units(points)? >= self.question.at_least)
    }

    /// Returns a game as a node. An unsolved position of unknown numbers needs one proof where the
    /// prover moves, and one for each move elsewhere; the same holds for the disproof.
    pub fn node(&self, game: &dyn Session, known: Option<ProofNumbers>) -> NewNode {
        let prover_moves = game.to_move() == Some(self.player());
        let numbers = self.end(game).map(of_answer).or(known).unwrap_or_else(|| {
            let moves = game.legal_moves().len().max(1) as u32;
            let (proof, disproof) = if prover_moves { (1, moves) } else { (moves, 1) };
            ProofNumbers { proof, disproof }
        });
        NewNode { identity: self.identity(game), prover_moves, numbers }
    }

    /// Returns the children of a game, with the numbers that a worker reported of them.
    pub fn children(&self, game: &dyn Session, reported: &[RootMove<String>]) -> Vec<(String, NewNode)> {
        let legal = game.legal_moves();
        let mut game = game.copy();
        let child = |mv: String| {
            let known = reported.iter().find(|entry| entry.mv == mv).and_then(|entry| self.numbers_of_move(entry));
            game.play(&mv).expect("it is a legal move");
            let node = self.node(game.as_ref(), known);
            game.undo();
            (mv, node)
        };
        legal.into_iter().map(child).collect()
    }

    /// Returns the numbers of a move. Where positions can repeat, the result of a move may depend
    /// on the worker's path, and only estimates are taken.
    fn numbers_of_move(&self, entry: &RootMove<String>) -> Option<ProofNumbers> {
        match self.question.answer(&entry.bounds) {
            Some(holds) => self.is_path_independent().then(|| of_answer(holds)),
            None => entry.proof_numbers.and_then(unsolved),
        }
    }

    /// Returns the answer of a report, or its numbers.
    pub fn numbers(&self, report: &Report<String>) -> Option<ProofNumbers> {
        match self.question.answer(&report.bounds) {
            Some(holds) => Some(of_answer(holds)),
            None => report.proof_numbers.and_then(unsolved),
        }
    }

    /// Returns the position of a game.
    pub fn position(&self, game: &dyn Session) -> Position {
        Position { text: game.game_text(), legal: game.legal_moves().into_iter().collect() }
    }

    /// Returns the message that asks for replies: for which answer, the most replies, and the nodes
    /// of each.
    pub fn replies_message(
        &self,
        id: u64,
        by: &str,
        position: &Position,
        (holds, most, nodes): (bool, usize, u64),
        task: &CrewTask,
    ) -> ToWorker {
        let (seat, at_least) = (self.player().0, self.question.at_least);
        let task = self.task(position, nodes, task);
        ToWorker::Replies { id, by: by.to_string(), seat, at_least, holds, most, task }
    }

    /// Returns the message of a job.
    pub fn message(&self, id: u64, by: &str, position: &Position, nodes: u64, task: &CrewTask) -> ToWorker {
        let (seat, at_least) = (self.player().0, self.question.at_least);
        ToWorker::Job { id, by: by.to_string(), seat, at_least, task: self.task(position, nodes, task) }
    }

    fn task(&self, position: &Position, nodes: u64, task: &CrewTask) -> Task {
        Task {
            game: self.spec.clone(),
            position: position.text.clone(),
            seconds: Some(SLICE_TIME.as_secs_f64()),
            playouts: None,
            nodes: Some(nodes),
            memory: task.limits.memory,
            seed: task.seed,
            threads: task.threads,
        }
    }
}

/// Returns numbers as those of an unsolved position, or `None` if they claim to be solved.
fn unsolved(numbers: ProofNumbers) -> Option<ProofNumbers> {
    let is_open = answer(numbers).is_none() && numbers.proof < INFINITE && numbers.disproof < INFINITE;
    is_open.then_some(numbers)
}
