//! A search made of a solver: it asks as many questions as its goal needs.

use super::goal::Goal;
use super::numbers::answer;
use tesuji_core::{
    Bounds, Control, Counters, Facts, Game, History, Knowledge, Player, ProofNumbers, Prover, Question, Repetition,
    Report, Search, StopReason,
};

/// A solver with a goal.
pub struct Asking<G: Game> {
    prover: Box<dyn Prover<G>>,
    goal: Goal,
}

impl<G: Game> Asking<G> {
    /// A search that asks a solver until a goal is reached.
    pub fn new(prover: Box<dyn Prover<G>>, goal: Goal) -> Asking<G> {
        Asking { prover, goal }
    }
}

impl<G: Game> Search<G> for Asking<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let known = Bounds::unknown(root.position().to_move(), root.facts());
        pursue(self.prover.as_mut(), root, self.goal, known, control)
    }

    fn forget(&mut self) {
        self.prover.forget();
    }
}

/// Asks a solver until a goal is reached for the player of `known`, or a limit.
pub fn pursue<G: Game>(
    prover: &mut dyn Prover<G>,
    root: &History<G>,
    goal: Goal,
    mut known: Bounds,
    control: &Control<'_, G::Move>,
) -> Report<G::Move> {
    let facts = root.facts();
    if let Some(outcome) = root.outcome() {
        return over(Bounds::exact(known.player, outcome.score(known.player)), facts);
    }
    let mut counters = Counters::default();
    let mut last: Option<Report<G::Move>> = None;
    while let Some(at_least) = goal.next(&known, facts) {
        let question = Question { known, at_least };
        let report = prover.ask(root, question, control);
        counters.merge(&report.counters);
        counters.bytes = report.counters.bytes;
        known = without_draws(report.bounds, facts);
        let answer = question.answer(&known);
        // The move that got most so far is the one to play: a later question that was answered with no does not change it.
        match &mut last {
            Some(last) if answer == Some(false) && last.bounds.at_least > facts.scores.0 => last.bounds = known,
            _ => last = Some(report),
        }
        if answer.is_none() {
            break;
        }
    }
    let reached = goal.next(&known, facts).is_none();
    let mut report = last.unwrap_or_else(|| over(known, facts));
    report.stopped = if reached { StopReason::Decided } else { control.ended().unwrap_or(report.stopped) };
    Report { bounds: known, value: value(&known, facts).unwrap_or(report.value), counters, ..report }
}

/// Where nobody can draw, who gets at least a draw wins.
fn without_draws(bounds: Bounds, facts: &Facts) -> Bounds {
    if facts.draws || !facts.sign_is_result() {
        return bounds;
    }
    let Bounds { player, at_least, at_most } = bounds;
    Bounds {
        player,
        at_least: if at_least == 0 { 1 } else { at_least },
        at_most: if at_most == 0 { -1 } else { at_most },
    }
}

/// The report on a game that is over, or of which all is known before it is searched.
fn over<M>(bounds: Bounds, facts: &Facts) -> Report<M> {
    Report {
        best: None,
        value: value(&bounds, facts).unwrap_or(0.0),
        bounds,
        proof_numbers: None,
        variation: Vec::new(),
        moves: Vec::new(),
        counters: Counters::default(),
        stopped: StopReason::Finished,
    }
}

/// Numbers as a report may show them: there they are about a win, and the answer to another question may say nothing about that.
pub fn shown(numbers: ProofNumbers, question: &Question, facts: &Facts) -> Option<ProofNumbers> {
    let says_nothing = match answer(numbers) {
        Some(true) => question.at_least < 1,
        Some(false) => question.at_least > 1,
        None => false,
    };
    (!says_nothing || !facts.sign_is_result()).then_some(numbers)
}

/// A line of play as far as the past allows it: the table and the tree know forbidden moves as bad ones only.
pub fn playable<G: Knowledge>(root: &History<G>, mut line: Vec<G::Move>) -> Vec<G::Move> {
    if root.facts().repetition == Repetition::Forbidden {
        let mut history = root.clone();
        let mut legal = Vec::new();
        let mut length = 0;
        for &mv in &line {
            legal.clear();
            history.legal_moves(&mut legal);
            if !legal.contains(&mv) {
                break;
            }
            history.play(mv);
            length += 1;
        }
        line.truncate(length);
    }
    if root.facts().repetition == Repetition::Impossible {
        let mut position = root.position().clone();
        line.iter().for_each(|&mv| position.play(mv));
        play_on(position, &mut line);
    }
    line
}

/// Plays on to the end where patterns show the result and the search has therefore stopped: the winner ends the game if he can, the loser does not.
fn play_on<G: Knowledge>(mut position: G, line: &mut Vec<G::Move>) {
    let score = |position: &G, player: Player| match position.outcome() {
        Some(outcome) => Some(outcome.score(player)),
        None => position
            .static_bounds(player)
            .filter(|bounds| bounds.at_least == bounds.at_most)
            .map(|bounds| bounds.at_least),
    };
    let mut legal = Vec::new();
    while !position.is_over()
        && let mover = position.to_move()
        && let Some(promised) = score(&position, mover)
    {
        if let Some(mv) = position.static_move() {
            line.push(mv);
            position.play(mv);
            continue;
        }
        legal.clear();
        position.legal_moves(&mut legal);
        let after = |&mv: &G::Move| {
            let mut next = position.clone();
            next.play(mv);
            (mv, next)
        };
        let keeps = |(_, next): &(G::Move, G)| score(next, mover) == Some(promised);
        let kept = legal.iter().map(after).filter(keeps).min_by_key(|(_, next)| next.is_over() != (promised > 0));
        let Some((mv, next)) = kept else { break };
        line.push(mv);
        position = next;
    }
}

/// The value in [-1, 1] that bounds agree on: a result where the sign of the score is one, else the place in the range of scores.
pub fn value(bounds: &Bounds, facts: &Facts) -> Option<f64> {
    if facts.sign_is_result() {
        let (low, high) = (bounds.at_least.signum(), bounds.at_most.signum());
        return (low == high).then_some(f64::from(low));
    }
    let (low, high) = (f64::from(facts.scores.0), f64::from(facts.scores.1));
    (bounds.at_least == bounds.at_most && high > low)
        .then(|| 2.0 * (f64::from(bounds.at_least) - low) / (high - low) - 1.0)
}
