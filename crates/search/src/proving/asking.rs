//! Reaching a goal by yes/no questions: the one loop, and the search built on it.

use super::goal::Goal;
use super::report;
use tesuji_core::{
    Bounds, Control, Counters, Game, History, ProofNumbers, Prover, Question, Report, Search, StopReason,
};

/// The caller's part of [`pursue`]: it asks a solver, and records what the solver found.
///
/// An implementation may answer a question in slices, for example to write a checkpoint in between.
pub trait Questioner<M> {
    /// The bounds proven so far, for the player that the questions are about.
    fn known(&self) -> Bounds;

    /// Whether a best move is recorded.
    fn has_move(&self) -> bool;

    /// Asks a solver a question, or works on it for another slice. Returns an error if the search
    /// has to end before that.
    fn ask(&mut self, question: Question) -> Result<Slice<M>, StopReason>;

    /// Narrows the known bounds.
    fn learn(&mut self, bounds: Bounds);

    /// Records the report of a slice. Its best move and variation replace the recorded ones if
    /// `takes_move` is true.
    fn record(&mut self, report: Report<M>, takes_move: bool);
}

/// The result of working on a question for a while.
pub struct Slice<M> {
    /// The report of the solver.
    pub report: Report<M>,
    /// Why the question is given up if the report does not answer it; `None` to ask it again.
    pub gives_up: Option<StopReason>,
}

/// Asks questions about the current position of a game until the goal is reached. Returns the
/// reason if that fails.
///
/// The recorded move is the one that achieves the best bound proven so far. If the player of the
/// questions is to move, that is the move of the last answer "yes"; if an opponent is to move, that
/// of the last answer "no". Until there is such an answer, it is the move of the latest report.
pub fn pursue<G: Game>(game: &History<G>, goal: Goal, questioner: &mut dyn Questioner<G::Move>) -> Option<StopReason> {
    let facts = game.facts();
    if let Some(outcome) = game.outcome() {
        let player = questioner.known().player;
        questioner.learn(Bounds::exact(player, outcome.score(player)));
        return None;
    }
    loop {
        let known = questioner.known();
        let at_least = goal.next(&known.normalized(facts), facts)?;
        let question = Question { known, at_least };
        let Slice { report, gives_up } = match questioner.ask(question) {
            Ok(slice) => slice,
            Err(reason) => return Some(reason),
        };
        let answer = question.answer(&report.bounds);
        let is_mover = game.position().to_move() == known.player;
        let nothing_achieved =
            if is_mover { known.at_least <= facts.scores.0 } else { known.at_most >= facts.scores.1 };
        let takes_move = answer == Some(is_mover) || nothing_achieved || !questioner.has_move();
        questioner.learn(report.bounds);
        questioner.record(report, takes_move);
        if answer.is_none() && gives_up.is_some() {
            return gives_up;
        }
    }
}

/// A search that asks a solver until a goal is reached.
pub struct GoalSearch<G: Game> {
    prover: Box<dyn Prover<G>>,
    goal: Goal,
}

impl<G: Game> GoalSearch<G> {
    /// Returns a search with a solver and a goal.
    pub fn new(prover: Box<dyn Prover<G>>, goal: Goal) -> GoalSearch<G> {
        GoalSearch { prover, goal }
    }
}

impl<G: Game> Search<G> for GoalSearch<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let known = Bounds::unknown(root.position().to_move(), root.facts());
        search(self.prover.as_mut(), root, self.goal, known, control)
    }

    fn forget(&mut self) {
        self.prover.forget();
    }
}

/// Asks a solver until a goal is reached for the player of `known`, or a limit.
pub fn search<G: Game>(
    prover: &mut dyn Prover<G>,
    root: &History<G>,
    goal: Goal,
    known: Bounds,
    control: &Control<'_, G::Move>,
) -> Report<G::Move> {
    let counters = Counters::default();
    let mut questioner = Direct { prover, root, control, known, report: None, estimate: None, counters };
    let failed = pursue(root, goal, &mut questioner);
    let Direct { known, report, estimate, counters, .. } = questioner;
    let facts = root.facts();
    let bounds = known.normalized(facts);
    let Some(mut report) = report else { return report::without_search(bounds, facts) };
    report.moves.iter_mut().for_each(|entry| entry.bounds = entry.bounds.normalized(facts));
    if let Some((value, proof_numbers)) = estimate {
        (report.value, report.proof_numbers) = (value, proof_numbers);
    }
    let value = report::value(&bounds, facts).unwrap_or(report.value);
    Report { bounds, value, counters, stopped: failed.unwrap_or(StopReason::Solved), ..report }
}

/// Asks every question in one piece.
struct Direct<'q, 'c, G: Game> {
    prover: &'q mut dyn Prover<G>,
    root: &'q History<G>,
    control: &'q Control<'c, G::Move>,
    known: Bounds,
    /// The report with the best move.
    report: Option<Report<G::Move>>,
    /// The value and the numbers of the last question, if it is unanswered.
    estimate: Option<(f64, Option<ProofNumbers>)>,
    counters: Counters,
}

impl<G: Game> Questioner<G::Move> for Direct<'_, '_, G> {
    fn known(&self) -> Bounds {
        self.known
    }

    fn has_move(&self) -> bool {
        self.report.is_some()
    }

    fn ask(&mut self, question: Question) -> Result<Slice<G::Move>, StopReason> {
        let report = self.prover.ask(self.root, question, self.control);
        let is_open = question.answer(&report.bounds).is_none();
        self.estimate = is_open.then_some((report.value, report.proof_numbers));
        let gives_up = Some(self.control.ended().unwrap_or(report.stopped));
        Ok(Slice { report, gives_up })
    }

    fn learn(&mut self, bounds: Bounds) {
        self.known.at_least = self.known.at_least.max(bounds.at_least);
        self.known.at_most = self.known.at_most.min(bounds.at_most);
    }

    fn record(&mut self, report: Report<G::Move>, takes_move: bool) {
        self.counters.merge(&report.counters);
        self.counters.bytes = report.counters.bytes;
        if takes_move {
            self.report = Some(report);
        }
    }
}
