//! PN* (Seo 1995): iterative deepening on the proof number, at the root and again at every node where the other side moves.
//!
//! Disproof numbers do not steer it, so it is slow to disprove; what it disproves is right all the same. At a node of the prover every child
//! may use the whole threshold. At the others' nodes the threshold goes up by steps, and each child gets what the rest of the sum leaves.

use crate::proving::depth::{DepthFirst, Found, Settings, Strategy, Walker};
use crate::proving::goal::Goal;
use crate::proving::numbers::LARGEST;
use tesuji_core::{Capabilities, Knowledge, Options, ProofNumbers, Prover, Rules, Search, SearchInfo, SearchKind, SpecError};

/// The search.
pub struct PnStar;

/// Its options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
}

impl SearchKind for PnStar {
    const INFO: SearchInfo =
        SearchInfo { name: "pnstar", summary: "depth-first search that deepens by the proof number alone (PN*)" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Ok(Params { goal: Goal::read(options)?, settings: Settings::read(options, 0.0)? })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities { playouts: params.settings.initial.makes_playouts(), ..Capabilities::SOLVER }
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
        PnStar::INFO.name
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn solve(&self, walker: &mut Walker<'_, '_, '_, G>) {
        let mut limit = 2;
        while !walker.is_stopped() {
            let found = deepen(walker, limit);
            if found.is_solved() || walker.is_beyond(found.numbers) {
                return;
            }
            limit = walker.beyond(limit.max(found.numbers.proof));
        }
    }
}

/// Searches below the node at the end of the line until its proof number reaches the limit.
fn deepen<G: Knowledge>(walker: &mut Walker<'_, '_, '_, G>, mut limit: u32) -> Found {
    let frame = walker.open();
    if walker.leaves() {
        return walker.abandon(frame);
    }
    let mut tally = walker.tally(&frame);
    if walker.controls_thresholds(&frame) {
        limit = limit.max(tally.numbers.proof.saturating_add(1).min(LARGEST));
    }
    let mut step = if frame.prover_moves { limit } else { walker.beyond(tally.numbers.proof).min(limit) };
    let goes_on = |numbers: ProofNumbers| numbers.proof < limit && numbers.disproof < LARGEST;
    while !tally.is_solved() && goes_on(tally.numbers) && !walker.leaves() {
        if tally.numbers.proof >= step {
            step = walker.beyond(tally.numbers.proof).min(limit);
        }
        let number = if frame.prover_moves { tally.best } else { widest(walker.children(&frame)) };
        if walker.refresh(&frame, number) {
            tally = walker.tally(&frame);
            continue;
        }
        let proof = walker.child(&frame, number).numbers.proof;
        let below = if frame.prover_moves { limit } else { step - (tally.numbers.proof - proof).min(step) };
        walker.descend(&frame, number);
        let found = deepen(walker, below.clamp(proof.saturating_add(1).min(LARGEST), LARGEST));
        walker.ascend(&frame, number, found);
        tally = walker.tally(&frame);
    }
    walker.close(frame, tally)
}

/// The child with the largest proof number, which is the likeliest to break the threshold; not one beyond all numbers, into which nobody goes.
fn widest<M>(children: &[crate::proving::depth::Child<M>]) -> usize {
    let open = children.iter().enumerate().filter(|(_, child)| child.numbers.disproof < LARGEST);
    open.max_by_key(|(number, child)| (child.numbers.proof, std::cmp::Reverse(*number))).map_or(0, |(number, _)| number)
}
