//! Proof-number and disproof-number search (PDS, Nagai 1999): iterative deepening at every node
//! with two thresholds, which continues until both are exceeded.
//!
//! The thresholds of a child are its own numbers with one of them raised: phi if the child is more
//! likely to be solved that way, delta otherwise. The thesis of Saito (2010) prints the rule for
//! the root the wrong way round (it contradicts the preceding sentence); `root=printed` follows the
//! print, for comparison.

use crate::proving::depth::{DepthFirst, NodeResult, Settings, Strategy, Walker};
use crate::proving::goal::Goal;
use crate::proving::numbers::{LARGEST, phi_delta};
use tesuji_core::{
    Capabilities, INFINITE, Knowledge, Options, ProofNumbers, Prover, Search, SearchInfo, SearchKind, SpecError,
};

/// The kind of search.
pub struct Pds;

/// The options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
    printed: bool,
}

/// The best value for PDS of Pawlewicz and Lew (2007).
const EPSILON: f64 = 0.0625;

impl SearchKind for Pds {
    const INFO: SearchInfo = SearchInfo {
        name: "pds",
        summary: "depth-first search with iterative deepening on proof and disproof numbers",
    };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let words = [("corrected", false), ("printed", true)];
        let printed = options.choice("root", &words, "rule for the threshold that is raised at the root")?;
        Ok(Params { goal, printed, settings: Settings::read(options, EPSILON)? })
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
        Pds::INFO.name
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn solve(&self, walker: &mut Walker<'_, '_, '_, G>) {
        deepen_from_root(walker, self.printed, &|_| ());
    }
}

/// Deepens from the root until it is solved. `prepare` is called before the expansion of a position
/// that is not in the table.
pub(crate) fn deepen_from_root<G: Knowledge>(
    walker: &mut Walker<'_, '_, '_, G>,
    printed: bool,
    prepare: &dyn Fn(&mut Walker<'_, '_, '_, G>),
) {
    let mut limits = ProofNumbers { proof: 1, disproof: 1 };
    while !walker.is_stopped() {
        let result = deepen(walker, limits, prepare);
        if result.is_solved() || walker.is_hopeless(result.numbers) {
            return;
        }
        limits = raised(walker, result.numbers, raises_proof_at_root(result.numbers, printed));
    }
}

/// Whether the proof threshold of the root is raised rather than the disproof threshold: if the
/// root is more likely to be proven.
fn raises_proof_at_root(ProofNumbers { proof, disproof }: ProofNumbers, printed: bool) -> bool {
    if printed { proof > disproof } else { proof <= disproof }
}

/// Whether the proof threshold of a child is raised rather than the disproof threshold.
///
/// With phi and delta as seen by the player to move at the child, the threshold of phi is raised if
/// the parent is below its threshold for that number, and either the child is more likely to be
/// solved that way or the parent has exceeded its other threshold. Formulas 2.7 and 2.8 of Saito
/// (2010) are this rule for the two kinds of nodes.
fn raises_proof(prover_moves: bool, child: ProofNumbers, parent: ProofNumbers, limits: ProofNumbers) -> bool {
    let [child, parent, limits] = [child, parent, limits].map(|numbers| phi_delta(numbers, prover_moves));
    let raises_phi = limits.0 > parent.0 && (child.0 <= child.1 || limits.1 <= parent.1);
    raises_phi == prover_moves
}

/// Returns numbers as thresholds, with one of them raised.
fn raised<G: Knowledge>(walker: &Walker<'_, '_, '_, G>, numbers: ProofNumbers, proof: bool) -> ProofNumbers {
    if proof {
        ProofNumbers { proof: walker.threshold_above(numbers.proof), ..numbers }
    } else {
        ProofNumbers { disproof: walker.threshold_above(numbers.disproof), ..numbers }
    }
}

/// Searches below the current node until both of its numbers reach their limits.
fn deepen<G: Knowledge>(
    walker: &mut Walker<'_, '_, '_, G>,
    mut limits: ProofNumbers,
    prepare: &dyn Fn(&mut Walker<'_, '_, '_, G>),
) -> NodeResult {
    if walker.is_new_position() {
        prepare(walker);
    }
    let node = walker.expand();
    if walker.must_leave() {
        return walker.abandon(node);
    }
    let mut tally = walker.tally(&node);
    if walker.controls_thresholds(&node) {
        let above = |number: u32| number.saturating_add(1).min(LARGEST);
        limits.proof = limits.proof.max(above(tally.numbers.proof));
        limits.disproof = limits.disproof.max(above(tally.numbers.disproof));
    }
    let passed = |numbers: ProofNumbers| numbers.proof >= limits.proof && numbers.disproof >= limits.disproof;
    while !tally.is_solved() && !passed(tally.numbers) && !walker.is_hopeless(tally.numbers) {
        if walker.refresh(&node, tally.best) {
            tally = walker.tally(&node);
            continue;
        }
        let child = walker.child(&node, tally.best);
        let (numbers, mv) = (child.numbers, child.mv);
        let raises_proof = raises_proof(walker.prover_moves_after(mv), numbers, tally.numbers, limits);
        let limits = raised(walker, numbers, raises_proof);
        debug_assert!(limits.proof < INFINITE && limits.disproof < INFINITE);
        walker.descend(&node, tally.best);
        let result = deepen(walker, limits, prepare);
        walker.ascend(&node, tally.best, result);
        tally = walker.tally(&node);
        if walker.must_leave() {
            break;
        }
    }
    walker.finish(node, tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> ProofNumbers {
        ProofNumbers { proof, disproof }
    }

    #[test]
    fn the_likelier_threshold_of_the_root_is_raised_and_the_other_one_as_printed() {
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

    /// The formulas in absolute numbers: 2.7 says when the proof threshold is raised, 2.8 when the
    /// disproof threshold is.
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
