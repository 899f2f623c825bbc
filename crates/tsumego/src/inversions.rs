//! Inversions: the moves of the losing side that change a result if the winner ignores them
//! (Yoshizoe 2009, chapter 7).
//!
//! A result of `capture` or `life` holds whatever happens outside its zone. So only points of the
//! zone can invert it, and every free one is tried: a stone of the loser is added, as if the loser
//! had moved there and the winner had passed, and the problem is asked about again with the same
//! player to move. That is exact. Yoshizoe also leaves out points outside the zones of the results
//! found meanwhile (`quick`), which presumes that an extra stone never hurts its owner; a shortage
//! of liberties can refute that.

use crate::TsumegoError;
use crate::ask::{Effort, Question, Solver};
use crate::board::{Point, Points};
use crate::problem::{Goal, Problem};
use crate::scale::{Level, Scale};
use crate::solve::Answer;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Limits, Player};

/// The limit on nodes for the zone of the result, in budgets of a point. Raising it finds the zones
/// of larger proofs.
const ZONE_BUDGETS: u64 = 100;

/// The rules under which the owner of the stones cannot rely on passing or repetition. What it
/// achieves under them it achieves anyway, and the proof has a zone.
const STRICT: &str = ",seki=dead,cycle=attacker";

/// What is tried, and with which effort.
#[derive(Clone, Copy)]
pub struct InversionPlan<'a> {
    /// The resources; the limit on nodes is that of each question about a point.
    pub effort: Effort<'a>,
    /// The limit on nodes of each question about a point.
    pub budget: u64,
    /// Whether points outside the zones of results found meanwhile are left out.
    pub quick: bool,
}

/// What a stone of the losing side does to a result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// The result without ko threats on either side changes.
    Strong,
    /// The budget does not suffice to find out.
    Weak,
    /// The result without ko threats is the same, but the verdict is worse for the winner than what
    /// is known about it.
    Lowers,
}

/// A point where a stone of the losing side matters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Inversion {
    /// The point.
    pub point: String,
    /// What a stone there does.
    pub effect: Effect,
    /// What is known about the verdict with that stone, for the player to move.
    pub verdict: Scale,
}

/// The inversions of a result.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Inversions {
    /// The side that keeps its result if nothing inverts it.
    pub winner: &'static str,
    /// The side whose stones are added.
    pub loser: &'static str,
    /// What is known about the verdict for the player to move: at least whether it succeeds without
    /// ko threats.
    pub verdict: Scale,
    /// The points on which the verdict depends; `None` if nothing less than the whole board is
    /// known, so that all points of the region are tried.
    pub zone: Option<Vec<String>>,
    /// The points that matter.
    pub points: Vec<Inversion>,
    /// The number of points tried.
    pub tried: usize,
    /// The points that were not tried because the run was stopped.
    pub untried: usize,
    /// The nodes of all questions about points.
    pub nodes: u64,
}

/// A claim about a problem: whether the mover succeeds at a level.
#[derive(Clone, Copy)]
struct Claim {
    level: Level,
    succeeds: bool,
}

/// Finds the inversions of the result that an answer reports. `progress` is called with the number
/// of points tried and that of all.
pub fn inversions(
    answer: &Answer,
    plan: &InversionPlan<'_>,
    progress: &dyn Fn(usize, usize),
) -> Result<Inversions, TsumegoError> {
    let problem = answer.problem();
    if !matches!(problem.goal, Goal::Live | Goal::Save | Goal::Kill | Goal::Capture) {
        return Err(TsumegoError::NoZones(problem.goal));
    }
    let verdict = answer.verdict;
    let (claim, winner) = match verdict.succeeds(Level::EVEN) {
        Some(true) => (Claim { level: verdict.at_least, succeeds: true }, problem.mover()),
        Some(false) => (Claim { level: verdict.at_most.next(), succeeds: false }, problem.mover().opponent()),
        None => return Err(TsumegoError::OpenResult(crate::words::verdict(answer, false))),
    };
    let search = Search { plan, winner, claim };
    let mut nodes = 0;
    let zone = search.zone(problem, plan.budget.saturating_mul(ZONE_BUDGETS), &mut nodes)?;
    let mut found = Inversions {
        winner: name(winner),
        loser: name(winner.opponent()),
        verdict,
        zone: zone.as_ref().map(|zone| zone.iter().map(|&point| problem.board.name(point)).collect()),
        points: Vec::new(),
        tried: 0,
        untried: 0,
        nodes: 0,
    };
    let mut rest: BTreeSet<Point> = zone.unwrap_or_else(|| problem.region.clone());
    rest.retain(|&point| problem.board.at(point).is_none());
    let all = rest.len();
    while let Some(point) = rest.pop_first() {
        if plan.effort.stop.load(Relaxed) {
            found.untried = rest.len() + 1;
            break;
        }
        progress(all - rest.len() - 1, all);
        let Some(changed) = search.with_stone(problem, point) else { continue };
        found.tried += 1;
        let (inversion, zone) = search.try_point(&changed, problem.board.name(point), &mut nodes)?;
        found.points.extend(inversion);
        if let Some(zone) = zone {
            rest.retain(|other| zone.contains(other));
        }
    }
    found.points.sort_by_key(|inversion| inversion.effect);
    found.nodes = nodes;
    Ok(found)
}

fn name(player: Player) -> &'static str {
    if player == Player::FIRST { "Black" } else { "White" }
}

/// The claim that stones of the loser are to refute.
struct Search<'p, 'a> {
    plan: &'p InversionPlan<'a>,
    winner: Player,
    claim: Claim,
}

impl Search<'_, '_> {
    /// A solver with the budget of one question.
    fn solver(&self, nodes: u64) -> Solver<'_> {
        let limits = Limits { time: None, nodes: Some(nodes), ..self.plan.effort.limits };
        Solver::new(Effort { limits, ..self.plan.effort })
    }

    /// The options under which a result of the winner has a zone.
    fn options(&self, problem: &Problem) -> &'static str {
        if problem.owner() == self.winner { STRICT } else { "" }
    }

    /// The zone of the claim, if it holds and a proof is found that has one.
    fn zone(&self, problem: &Problem, budget: u64, nodes: &mut u64) -> Result<Option<Points>, TsumegoError> {
        let mut solver = self.solver(budget);
        let question = Question { options: self.options(problem), ..Question::at(problem, self.claim.level) };
        let (succeeds, zone) = solver.zone(question, budget)?;
        *nodes += solver.nodes();
        Ok(zone.filter(|_| succeeds == Some(self.claim.succeeds)))
    }

    /// The problem with a stone of the loser, if the loser may play there.
    fn with_stone(&self, problem: &Problem, point: Point) -> Option<Problem> {
        let loser = self.winner.opponent();
        if problem.board.ko() == Some(point) && problem.mover() == loser {
            return None;
        }
        let board = problem.board.with_extra_stone(point, loser)?;
        let mut targets = problem.targets.clone();
        targets.retain(|&stone| board.at(stone).is_some());
        Some(Problem { board, targets, ..problem.clone() })
    }

    fn ask(&self, problem: &Problem, level: Level, nodes: &mut u64) -> Result<Option<bool>, TsumegoError> {
        let mut solver = self.solver(self.plan.budget);
        let reply = solver.ask(Question::at(problem, level), 1.0)?;
        *nodes += solver.nodes();
        Ok(reply.answer)
    }

    /// Finds out what a stone did: the inversion, if it is one. In a quick search, also the zone of
    /// a result that is the same.
    fn try_point(
        &self,
        problem: &Problem,
        point: String,
        nodes: &mut u64,
    ) -> Result<(Option<Inversion>, Option<Points>), TsumegoError> {
        if problem.targets.is_empty() {
            // The stone has taken what was in question.
            let takes = if problem.goal.is_of_mover() { Level::FAILS } else { Level::UNCONDITIONAL };
            let verdict = Scale { at_least: takes, at_most: takes };
            return Ok((Some(Inversion { point, effect: Effect::Strong, verdict }), None));
        }
        let mut scale = Scale::UNKNOWN;
        match self.ask(problem, self.claim.level, nodes)? {
            Some(succeeds) if succeeds == self.claim.succeeds => {
                let zone = if self.plan.quick { self.zone(problem, self.plan.budget, nodes)? } else { None };
                return Ok((None, zone));
            }
            Some(succeeds) => scale.learn(self.claim.level, succeeds),
            None => {}
        }
        while let Some(level) = scale.next() {
            let Some(succeeds) = self.ask(problem, level, nodes)? else { break };
            scale.learn(level, succeeds);
        }
        let is_refuted = scale.succeeds(self.claim.level) == Some(!self.claim.succeeds);
        let holds = scale.succeeds(self.claim.level) == Some(self.claim.succeeds);
        let effect = match scale.succeeds(Level::EVEN) {
            _ if holds => return Ok((None, None)),
            Some(succeeds) if succeeds != self.claim.succeeds => Effect::Strong,
            Some(_) if is_refuted => Effect::Lowers,
            _ => Effect::Weak,
        };
        Ok((Some(Inversion { point, effect, verdict: scale }), None))
    }
}
