//! Depth-first proof-number search (Nagai 2002): always at the most-proving node, with thresholds instead of a tree in memory.
//!
//! A node is left when its own number reaches the threshold or its other number does. The best child may grow until it is worse
//! than the second best, or until the sum of all children is too large.

use crate::proving::depth::{DepthFirst, Found, Settings, Strategy, Walker};
use crate::proving::goal::Goal;
use crate::proving::numbers::{LARGEST, own_and_other};
use tesuji_core::{Knowledge, Options, Prover, Rules, Search, SearchInfo, SearchKind, SpecError};

/// The search.
pub struct DfPn;

/// Its options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
}

/// A quarter, as Pawlewicz and Lew (2007) found best for df-pn.
const EPSILON: f64 = 0.25;

impl SearchKind for DfPn {
    const INFO: SearchInfo = SearchInfo {
        name: "dfpn",
        summary: "depth-first proof-number search with a table of fixed size; several threads share it",
    };
    const SOLVES: bool = true;
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Ok(Params { goal: Goal::read(options)?, settings: Settings::read(options, EPSILON)? })
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        params.goal.suits(&rules.facts()).map_err(|reason| params.goal.refused(Self::INFO.name, reason))?;
        let goal = params.goal;
        Ok(DepthFirst::<G>::new(params).asking(goal))
    }

    fn prover<G: Knowledge>(params: Params, _: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
        Ok(Box::new(DepthFirst::<G>::new(params)))
    }
}

impl<G: Knowledge> Strategy<G> for Params {
    fn name(&self) -> &'static str {
        DfPn::INFO.name
    }

    fn is_parallel(&self) -> bool {
        true
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn solve(&self, walker: &mut Walker<'_, '_, '_, G>) {
        while !walker.is_stopped() {
            let found = mid(walker, LARGEST, LARGEST);
            if found.is_solved() || walker.is_beyond(found.numbers) {
                return;
            }
        }
    }
}

/// Searches below the node at the end of the line until one of its numbers reaches its limit.
fn mid<G: Knowledge>(walker: &mut Walker<'_, '_, '_, G>, proof_limit: u32, disproof_limit: u32) -> Found {
    let frame = walker.open();
    if walker.leaves() {
        return walker.abandon(frame);
    }
    let limits = if frame.prover_moves { (proof_limit, disproof_limit) } else { (disproof_limit, proof_limit) };
    let (mut own_limit, mut other_limit) = limits;
    let mut tally = walker.tally(&frame);
    if walker.controls_thresholds(&frame) {
        own_limit = own_limit.max(tally.own.saturating_add(1).min(LARGEST));
        other_limit = other_limit.max(tally.other.saturating_add(1).min(LARGEST));
    }
    while tally.own < own_limit && tally.other < other_limit {
        if walker.refresh(&frame, tally.best) {
            tally = walker.tally(&frame);
            continue;
        }
        let (own, other) = own_and_other(walker.child(&frame, tally.best).numbers, frame.prover_moves);
        let own_below = own_limit.min(walker.beyond(tally.second)).max(own.saturating_add(1)).min(LARGEST);
        let other_below = (other_limit - tally.beside).max(other.saturating_add(1)).min(LARGEST);
        let limits = if frame.prover_moves { (own_below, other_below) } else { (other_below, own_below) };
        walker.descend(&frame, tally.best);
        let found = mid(walker, limits.0, limits.1);
        walker.ascend(&frame, tally.best, found);
        tally = walker.tally(&frame);
        if walker.leaves() {
            break;
        }
    }
    walker.close(frame, tally)
}
