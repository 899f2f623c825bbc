//! Proof-number and disproof-number search (PDS, Nagai 1999): deepens at every node with two thresholds, and goes on until both are passed.
//!
//! A child is entered with its own numbers as thresholds, one of them raised: the one that its mover wants small, if that is the way
//! in which it looks like being decided, else the other. The thesis of Saito (2010) prints the rule for the root the wrong way round
//! (it contradicts the sentence before it); `root=printed` follows the print, for comparison.

use crate::proving::depth::{DepthFirst, Found, Settings, Strategy, Walker};
use crate::proving::goal::Goal;
use crate::proving::numbers::{LARGEST, own_and_other};
use tesuji_core::{Capabilities, 
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
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let words = [("corrected", false), ("printed", true)];
        let printed = options.choice("root", &words, "which threshold of the root is raised")?;
        Ok(Params { goal, printed, settings: Settings::read(options, EPSILON)? })
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
        limits = raised(walker, found.numbers, raises_proof_at_root(found.numbers, printed));
    }
}

/// Which threshold of the root is raised: that of the proof number, if it looks like being proved.
fn raises_proof_at_root(ProofNumbers { proof, disproof }: ProofNumbers, printed: bool) -> bool {
    if printed { proof > disproof } else { proof <= disproof }
}

/// Which threshold of a child is raised: the own one of its mover, if the parent has not yet passed its own threshold for it, and the child looks like
/// being decided that way or the other threshold of the parent is passed (formulas 2.7 and 2.8 of Saito 2010, which are one for the mover at
/// the child). True if that is the one of the proof number.
fn raises_proof(prover_moves: bool, child: ProofNumbers, parent: ProofNumbers, limits: ProofNumbers) -> bool {
    let [child, parent, limits] = [child, parent, limits].map(|numbers| own_and_other(numbers, prover_moves));
    let raises_own = limits.0 > parent.0 && (child.0 <= child.1 || limits.1 <= parent.1);
    raises_own == prover_moves
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
        let raises_proof = raises_proof(walker.prover_moves_after(mv), numbers, tally.numbers, limits);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof }
    }

    #[test]
    fn the_root_deepens_where_it_looks_like_being_decided_and_the_print_says_the_opposite() {
        for (proof, disproof) in [(1, 1), (2, 5), (5, 2)] {
            let raises = |printed| raises_proof_at_root(numbers(proof, disproof), printed);
            assert_eq!(raises(false), proof <= disproof);
            assert_eq!(raises(true), proof > disproof);
        }
    }

    #[test]
    fn a_child_of_the_prover_is_raised_like_this() {
        let raises = |child, parent, limits| raises_proof(true, child, parent, limits);
        let (parent, limits) = (numbers(3, 3), numbers(5, 5));
        // It looks like being proved, or not.
        assert!(raises(numbers(2, 4), parent, limits));
        assert!(raises(numbers(4, 4), parent, limits));
        assert!(!raises(numbers(4, 2), parent, limits));
        // The parent has disproof enough.
        assert!(raises(numbers(4, 2), parent, numbers(5, 3)));
        // It has proof enough.
        assert!(!raises(numbers(2, 4), parent, numbers(3, 5)));
    }

    #[test]
    fn a_child_of_another_is_raised_the_other_way_round() {
        let raises = |child, parent, limits| raises_proof(false, child, parent, limits);
        let (parent, limits) = (numbers(3, 3), numbers(5, 5));
        assert!(!raises(numbers(4, 2), parent, limits));
        assert!(!raises(numbers(4, 4), parent, limits));
        assert!(raises(numbers(2, 4), parent, limits));
        assert!(!raises(numbers(2, 4), parent, numbers(3, 5)));
        assert!(raises(numbers(4, 2), parent, numbers(5, 3)));
    }

    /// The formulas in absolute numbers: 2.7 says when the proof threshold is raised, 2.8 when the disproof threshold is.
    #[test]
    fn one_rule_for_the_mover_is_both_formulas() {
        let small = || (1..4).flat_map(|proof| (1..4).map(move |disproof| numbers(proof, disproof)));
        for (n, p) in small().flat_map(|n| small().map(move |p| (n, p))) {
            for t in small() {
                let proves = t.proof > p.proof && (n.proof <= n.disproof || t.disproof <= p.disproof);
                let disproves = t.disproof > p.disproof && (n.disproof <= n.proof || t.proof <= p.proof);
                assert_eq!(raises_proof(true, n, p, t), proves);
                assert_eq!(raises_proof(false, n, p, t), !disproves);
            }
        }
    }
}
