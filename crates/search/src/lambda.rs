//! Lambda search on proof and disproof numbers (λ df-pn; Yoshizoe, Kishimoto and Müller 2007;
//! Yoshizoe 2009) and, with `classic`, order by order (Thomsen 2000).
//!
//! A move of the attacker is a threat of order l if the attacker would succeed by threats of lower
//! orders were the defender to pass. The attacker plays only threats of order at most l, and the
//! defender only moves that answer them. Order 0 is to reach the goal in one move. The attacker is
//! the player of the question, and the goal the score in question.
//!
//! A node is a position at an order. With m over the moves and n.m the position after m,
//!
//! ```text
//! attacker to move:  W(n, l)  if  W(n.m, i) for some m and i <= l
//! defender to move:  W(n, l)  if  W(n.m, l) for all m,  and  W(n.pass, l - 1)
//! ```
//!
//! where W(n.m, 0) means that the goal is reached. By induction W(n, l) implies that the attacker
//! wins the game itself: all moves of the defender are answered. The pass only makes the condition
//! harder. Not W(n, l) implies nothing about the game: the win may need a higher order. So a search
//! proves "yes" and otherwise leaves the question to df-pn (`then=dfpn`), or open (`then=stop`).
//!
//! docs/searches/lambda.md derives the thresholds, and lists where the code departs from the thesis
//! and why.

mod entry;
mod expand;
mod report;
mod settings;
mod shared;
mod simulate;
mod solver;
#[cfg(test)]
mod tests;
mod walker;

use crate::dfpn::limits_below;
use crate::proving::asking::GoalSearch;
use crate::proving::goal::Goal;
use crate::proving::numbers::{LARGEST, phi_delta};
use settings::Settings;
use solver::{LambdaSolver, suits};
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Rules, Search, SearchInfo, SearchKind, SpecError};
use walker::{NodeResult, Walker};

/// The kind of search.
pub struct Lambda;

/// The options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
    /// Whether df-pn answers what lambda search leaves open.
    finishes: bool,
}

impl SearchKind for Lambda {
    const INFO: SearchInfo = SearchInfo {
        name: "lambda",
        summary: "search for wins by threats, by the order of the threats (λ df-pn), parallel",
    };
    const PLAYERS: (u8, u8) = (2, 2);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let settings = Settings::read(options)?;
        let then = [("dfpn", true), ("stop", false)];
        let finishes = options.choice("then", &then, "what follows if there is no win up to the maximal order")?;
        Ok(Params { settings, goal, finishes })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities {
            parallel: true,
            // Alone, lambda search answers "yes" or not at all.
            proves: params.finishes && params.goal.is_exact(),
            cycle_safe: params.settings.controls_thresholds,
            players: Self::PLAYERS,
            ..Capabilities::SOLVER
        }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let goal = params.goal;
        goal.check(Lambda::INFO.name, &rules.facts())?;
        check_finish::<G>(&params, rules)?;
        Ok(Box::new(GoalSearch::new(Box::new(LambdaSolver::new(params)), goal)))
    }

    fn note<G: Knowledge>(params: &Params, rules: &G::Rules) -> Option<&'static str> {
        suits::<G>(rules).err().filter(|_| params.finishes)
    }

    fn prover<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
        check_finish::<G>(&params, rules)?;
        Ok(Box::new(LambdaSolver::<G>::new(params)))
    }
}

/// Refuses to search without df-pn where lambda search does not suit the game.
fn check_finish<G: Knowledge>(params: &Params, rules: &G::Rules) -> Result<(), SpecError> {
    match suits::<G>(rules) {
        Err(reason) if !params.finishes => Err(SpecError::BadValue {
            name: Lambda::INFO.name.to_string(),
            key: "then".to_string(),
            value: "stop".to_string(),
            accepted: format!("dfpn ({reason})"),
        }),
        _ => Ok(()),
    }
}

/// Searches from the root at the maximal order. Returns whether the attacker succeeds, unless the
/// search is stopped or hopeless.
fn solve<G: Knowledge>(walker: &mut Walker<'_, '_, '_, G>) -> Option<bool> {
    let order = walker.max_order();
    if walker.has_failed_before() {
        return Some(false);
    }
    while !walker.is_stopped() {
        let result = mid(walker, order, LARGEST, LARGEST);
        if result.answer.is_some() || walker.is_hopeless(result.numbers_at(order)) {
            return result.answer;
        }
    }
    None
}

/// Searches below the current node at an order until one of its numbers reaches its limit.
fn mid<G: Knowledge>(
    walker: &mut Walker<'_, '_, '_, G>,
    order: usize,
    proof_limit: u32,
    disproof_limit: u32,
) -> NodeResult {
    let mut node = walker.expand(order);
    if walker.must_leave() {
        return walker.abandon(node);
    }
    let limits = if node.attacks { (proof_limit, disproof_limit) } else { (disproof_limit, proof_limit) };
    let (mut phi_limit, mut delta_limit) = limits;
    let mut tally = walker.tally(&mut node);
    if node.settled.is_none() && walker.controls_thresholds(&node) {
        phi_limit = phi_limit.max(tally.phi.saturating_add(1).min(LARGEST));
        delta_limit = delta_limit.max(tally.delta.saturating_add(1).min(LARGEST));
    }
    while node.settled.is_none() && tally.phi < phi_limit && tally.delta < delta_limit {
        if walker.refresh(&node, tally.best) {
            tally = walker.tally(&mut node);
            continue;
        }
        let child = *walker.child(&node, tally.best);
        let above_second = walker.threshold_above(tally.second_phi);
        let numbers = phi_delta(child.numbers, node.attacks);
        let (phi_below, delta_below) = limits_below(&tally, above_second, numbers, (phi_limit, delta_limit));
        let limits = if node.attacks { (phi_below, delta_below) } else { (delta_below, phi_below) };
        walker.descend(&node, tally.best);
        let result = mid(walker, usize::from(child.order), limits.0, limits.1);
        walker.ascend(&node, tally.best, result);
        if child.mv.is_none() && result.answer == Some(true) {
            walker.simulate_replies(&node);
        }
        tally = walker.tally(&mut node);
        if walker.must_leave() {
            break;
        }
    }
    if !node.is_complete {
        return walker.abandon(node);
    }
    if node.settled.is_some() { walker.finish_settled(node) } else { walker.finish(node, &tally) }
}
