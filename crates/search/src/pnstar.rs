//! PN* (Seo 1995): iterative deepening on the proof number, at the root and again at every node
//! where an opponent of the prover moves.
//!
//! Disproof numbers do not guide it, so that disproofs are slow, although correct. At a node of the
//! prover every child may use the whole threshold. At other nodes the threshold is raised step by
//! step, and each child gets the part of it that the rest of the sum leaves.

use crate::proving::depth::{Child, DepthFirst, NodeResult, Settings, Strategy, Walker};
use crate::proving::goal::Goal;
use crate::proving::numbers::LARGEST;
use tesuji_core::{Capabilities, Knowledge, Options, ProofNumbers, Prover, Search, SearchInfo, SearchKind, SpecError};

/// The kind of search.
pub struct PnStar;

/// The options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
}

impl SearchKind for PnStar {
    const INFO: SearchInfo = SearchInfo {
        name: "pnstar",
        summary: "depth-first search with iterative deepening on the proof number alone (PN*)",
    };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Ok(Params { goal: Goal::read(options)?, settings: Settings::read(options, 0.0)? })
    }

    fn capabilities(params: &Params) -> Capabilities {
        params.settings.capabilities(params.goal)
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let goal = params.goal;
        DepthFirst::search(params, goal, rules)
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
            let result = deepen(walker, limit);
            if result.is_solved() || walker.is_hopeless(result.numbers) {
                return;
            }
            limit = walker.threshold_above(limit.max(result.numbers.proof));
        }
    }
}

/// Searches below the current node until its proof number reaches the limit.
fn deepen<G: Knowledge>(walker: &mut Walker<'_, '_, '_, G>, mut limit: u32) -> NodeResult {
    let node = walker.expand();
    if walker.must_leave() {
        return walker.abandon(node);
    }
    let mut tally = walker.tally(&node);
    if walker.controls_thresholds(&node) {
        limit = limit.max(tally.numbers.proof.saturating_add(1).min(LARGEST));
    }
    let mut step = if node.prover_moves { limit } else { walker.threshold_above(tally.numbers.proof).min(limit) };
    let continues = |numbers: ProofNumbers| numbers.proof < limit && numbers.disproof < LARGEST;
    while !tally.is_solved() && continues(tally.numbers) && !walker.must_leave() {
        if tally.numbers.proof >= step {
            step = walker.threshold_above(tally.numbers.proof).min(limit);
        }
        let number = if node.prover_moves { tally.best } else { hardest(walker.children(&node)) };
        if walker.refresh(&node, number) {
            tally = walker.tally(&node);
            continue;
        }
        let proof = walker.child(&node, number).numbers.proof;
        let below = if node.prover_moves { limit } else { step - (tally.numbers.proof - proof).min(step) };
        walker.descend(&node, number);
        let result = deepen(walker, below.clamp(proof.saturating_add(1).min(LARGEST), LARGEST));
        walker.ascend(&node, number, result);
        tally = walker.tally(&node);
    }
    walker.finish(node, tally)
}

/// The child with the largest proof number, which is the likeliest to exceed the threshold.
/// Children with a saturated disproof number are not entered.
fn hardest<M>(children: &[Child<M>]) -> usize {
    let open = children.iter().enumerate().filter(|(_, child)| child.numbers.disproof < LARGEST);
    open.max_by_key(|(number, child)| (child.numbers.proof, std::cmp::Reverse(*number))).map_or(0, |(number, _)| number)
}
