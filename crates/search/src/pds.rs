//! Proof-number and disproof-number search (PDS, Nagai 1999): deepens at every node with two thresholds, and goes on until both are passed.
//!
//! A child is entered with its own numbers as thresholds, one of them raised: the one that its mover wants small, if that is the way
//! in which it looks like being decided, else the other. The thesis of Saito (2010) prints the rule for the root the wrong way round
//! (it contradicts the sentence before it); `root=printed` follows the print, for comparison.

use crate::proving::depth::{DepthFirst, Found, Settings, Strategy, Walker};
use crate::proving::goal::Goal;
use crate::proving::numbers::LARGEST;
use tesuji_core::{
    INFINITE, Knowledge, Options, ProofNumbers, Prover, Rules, Search, SearchInfo, SearchKind, SpecError,
};

/// The search.
pub struct Pds;

/// Its options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
    printed: bool,
}

/// A sixteenth, as Pawlewicz and Lew (2007) found best for PDS.
const EPSILON: f64 = 0.0625;

impl SearchKind for Pds {
    const INFO: SearchInfo =
        SearchInfo { name: "pds", summary: "depth-first search that deepens by proof and disproof numbers together" };
    const SOLVES: bool = true;
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let words = [("corrected", false), ("printed", true)];
        let printed = options.choice("root", &words, "which threshold of the root is raised")?;
        Ok(Params { goal, printed, settings: Settings::read(options, EPSILON)? })
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
        Pds::INFO.name
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn solve(&self, walker: &mut Walker<'_, '_, '_, G>) {
        deepen_from_root(walker, self.printed, &|_| ());
    }
}

/// Deepens from the root until it is solved. Before the children of a position that nobody has seen are listed, `prepare` may
/// find out something about them.
pub(crate) fn deepen_from_root<G: Knowledge>(
    walker: &mut Walker<'_, '_, '_, G>,
    printed: bool,
    prepare: &dyn Fn(&mut Walker<'_, '_, '_, G>),
) {
    let mut limits = ProofNumbers { proof: 1, disproof: 1 };
    while !walker.is_stopped() {
        let found = deepen(walker, limits, prepare);
        if found.is_solved() || walker.is_beyond(found.numbers) {
            return;
        }
        let ProofNumbers { proof, disproof } = found.numbers;
        let raises_proof = if printed { proof > disproof } else { proof <= disproof };
        limits = raised(walker, found.numbers, raises_proof);
    }
}

/// Numbers as thresholds, with one of them raised.
fn raised<G: Knowledge>(walker: &Walker<'_, '_, '_, G>, numbers: ProofNumbers, proof: bool) -> ProofNumbers {
    if proof {
        ProofNumbers { proof: walker.beyond(numbers.proof), ..numbers }
    } else {
        ProofNumbers { disproof: walker.beyond(numbers.disproof), ..numbers }
    }
}

/// Searches below the node at the end of the line until both of its numbers reach their limits.
fn deepen<G: Knowledge>(
    walker: &mut Walker<'_, '_, '_, G>,
    mut limits: ProofNumbers,
    prepare: &dyn Fn(&mut Walker<'_, '_, '_, G>),
) -> Found {
    if walker.is_fresh() {
        prepare(walker);
    }
    let frame = walker.open();
    if walker.leaves() {
        return walker.abandon(frame);
    }
    let mut tally = walker.tally(&frame);
    if walker.controls_thresholds(&frame) {
        let above = |number: u32| number.saturating_add(1).min(LARGEST);
        limits.proof = limits.proof.max(above(tally.numbers.proof));
        limits.disproof = limits.disproof.max(above(tally.numbers.disproof));
    }
    let passed = |numbers: ProofNumbers| numbers.proof >= limits.proof && numbers.disproof >= limits.disproof;
    while !tally.is_solved() && !passed(tally.numbers) && !walker.is_beyond(tally.numbers) {
        if walker.refresh(&frame, tally.best) {
            tally = walker.tally(&frame);
            continue;
        }
        let child = walker.child(&frame, tally.best);
        let (numbers, mv) = (child.numbers, child.mv);
        let ProofNumbers { proof, disproof } = tally.numbers;
        let raises_proof = if walker.prover_moves_after(mv) {
            limits.proof > proof && (numbers.proof <= numbers.disproof || limits.disproof <= disproof)
        } else {
            !(limits.disproof > disproof && (numbers.disproof <= numbers.proof || limits.proof <= proof))
        };
        let limits = raised(walker, numbers, raises_proof);
        debug_assert!(limits.proof < INFINITE && limits.disproof < INFINITE);
        walker.descend(&frame, tally.best);
        let found = deepen(walker, limits, prepare);
        walker.ascend(&frame, tally.best, found);
        tally = walker.tally(&frame);
        if walker.leaves() {
            break;
        }
    }
    walker.close(frame, tally)
}
