//! Depth-first proof-number search (df-pn, Nagai 2002): expands the most-proving node as best-first
//! search does, with thresholds instead of a tree in memory.
//!
//! The search leaves a node when phi or delta reaches its threshold. The best child may grow until
//! it is worse than the second best, or until the sum over all children reaches the threshold of
//! delta.

use crate::proving::depth::{DepthFirst, NodeResult, Settings, Strategy, Tally, Walker};
use crate::proving::goal::Goal;
use crate::proving::numbers::{LARGEST, phi_delta};
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Search, SearchInfo, SearchKind, SpecError};

/// The kind of search.
pub struct DfPn;

/// The options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
}

impl Default for Params {
    fn default() -> Params {
        let spec = DfPn::INFO.name.parse().expect("a name is a spec");
        DfPn::read(&mut Options::new(&spec)).expect("the defaults are accepted")
    }
}

/// The best value for df-pn of Pawlewicz and Lew (2007).
const EPSILON: f64 = 0.25;

impl SearchKind for DfPn {
    const INFO: SearchInfo = SearchInfo {
        name: "dfpn",
        summary: "depth-first proof-number search on a shared transposition table, parallel",
    };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Ok(Params { goal: Goal::read(options)?, settings: Settings::read(options, EPSILON)? })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities { parallel: true, ..params.settings.capabilities(params.goal) }
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
            let result = mid(walker, LARGEST, LARGEST);
            if result.is_solved() || walker.is_hopeless(result.numbers) {
                return;
            }
        }
    }
}

/// Searches below the current node until one of its numbers reaches its limit.
fn mid<G: Knowledge>(walker: &mut Walker<'_, '_, '_, G>, proof_limit: u32, disproof_limit: u32) -> NodeResult {
    #[cfg(test)]
    tests::entered(walker.position(), proof_limit, disproof_limit);
    let node = walker.expand();
    if walker.must_leave() {
        return walker.abandon(node);
    }
    let limits = if node.prover_moves { (proof_limit, disproof_limit) } else { (disproof_limit, proof_limit) };
    let (mut phi_limit, mut delta_limit) = limits;
    let mut tally = walker.tally(&node);
    if walker.controls_thresholds(&node) {
        phi_limit = phi_limit.max(tally.phi.saturating_add(1).min(LARGEST));
        delta_limit = delta_limit.max(tally.delta.saturating_add(1).min(LARGEST));
    }
    while tally.phi < phi_limit && tally.delta < delta_limit {
        if walker.refresh(&node, tally.best) {
            tally = walker.tally(&node);
            continue;
        }
        let child = phi_delta(walker.child(&node, tally.best).numbers, node.prover_moves);
        let above_second = walker.threshold_above(tally.second_phi);
        let (phi_below, delta_below) = limits_below(&tally, above_second, child, (phi_limit, delta_limit));
        let limits = if node.prover_moves { (phi_below, delta_below) } else { (delta_below, phi_below) };
        walker.descend(&node, tally.best);
        let result = mid(walker, limits.0, limits.1);
        walker.ascend(&node, tally.best, result);
        tally = walker.tally(&node);
        if walker.must_leave() {
            break;
        }
    }
    walker.finish(node, tally)
}

/// The limits of phi and delta for the best child, from its own phi and delta and the limits of the
/// node. The child may grow until it is worse than the second best, and until the sum reaches the
/// limit; and by 1 in any case, so that every visit makes progress.
#[inline]
pub(crate) fn limits_below(
    tally: &Tally,
    above_second: u32,
    (phi, delta): (u32, u32),
    limits: (u32, u32),
) -> (u32, u32) {
    let phi_below = limits.0.min(above_second).max(phi.saturating_add(1)).min(LARGEST);
    let delta_below = (limits.1 - tally.delta_of_rest).max(delta.saturating_add(1)).min(LARGEST);
    (phi_below, delta_below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::sync::atomic::AtomicBool;
    use tesuji_core::{Bounds, Control, Game, History, Limits, ProofNumbers, Question, Spec};
    use tesuji_games::{Synthetic, rules};

    thread_local! {
        /// The nodes that were entered on this thread, with their limits.
        static ENTERED: RefCell<Vec<(String, u32, u32)>> = const { RefCell::new(Vec::new()) };
    }

    pub fn entered(position: &impl Game, proof_limit: u32, disproof_limit: u32) {
        ENTERED.with_borrow_mut(|entered| entered.push((position.text(), proof_limit, disproof_limit)));
    }

    /// The first nodes that df-pn with initial numbers of 1 and 1 enters in a tree.
    fn trace(tree: &str, epsilon: f64, first: usize) -> Vec<(String, u32, u32)> {
        let root = History::<Synthetic>::new(rules::<Synthetic>(&format!("synthetic:tree='{tree}'")).unwrap());
        let spec: Spec = format!("dfpn:init=unit,epsilon={epsilon}").parse().unwrap();
        let params = DfPn::read(&mut Options::new(&spec)).unwrap();
        let question = Question { known: Bounds::unknown(root.position().to_move(), root.facts()), at_least: 1 };
        let stop = AtomicBool::new(false);
        let limits = Limits { memory: Some(1 << 16), ..Limits::default() };
        ENTERED.take();
        DepthFirst::new(params).ask(&root, question, &Control::new(limits, 1, &stop));
        let mut entered = ENTERED.take();
        entered.truncate(first);
        entered
    }

    fn given(node: &str, proof_limit: u32, disproof_limit: u32) -> (String, u32, u32) {
        (node.to_string(), proof_limit, disproof_limit)
    }

    /// Figures A.4 and A.5 of Yoshizoe (2009). Here the limits of the root are the largest finite
    /// number, not the infinite one.
    #[test]
    fn thresholds_are_those_of_the_worked_example() {
        // The root is n0. Its children are a = n1 with three children and b = n11 with two, c = n12
        // and d = n19.
        let tree = "( ((1 -1) (1 -1) (1 -1)) (((1 -1) (1 -1)) ((1 -1) (1 -1))) )";
        let expected = [
            given("n0", LARGEST, LARGEST),
            // The limit of a is one more than b; a returns with three.
            given("n1", 2, LARGEST - 1),
            // The limit of b is one more than that.
            given("n11", 4, LARGEST - 1),
            // c gets the part of the sum that d leaves, and one more than the disproof number of d;
            // it returns with two.
            given("n12", 4 - 1, 2),
            given("n19", 3, 3),
        ];
        assert_eq!(trace(tree, 0.0, expected.len()), expected);
    }

    /// 1 + epsilon multiplies the number of the second best child, not its threshold, as printed in
    /// Saito (2010).
    #[test]
    fn epsilon_stretches_the_number_of_the_second_child() {
        let answers = "(1 -1) ".repeat(8);
        let tree = format!("( ({answers}) (((1 -1) (1 -1)) ((1 -1) (1 -1))) )");
        let expected = [given("n0", LARGEST, LARGEST), given("n1", 2, LARGEST - 1), given("n26", 10, LARGEST - 1)];
        assert_eq!(trace(&tree, 0.25, 3), expected);
        assert_eq!(trace(&tree, 0.0, 3)[2], given("n26", 9, LARGEST - 1));
    }

    #[test]
    fn a_child_gets_no_more_than_the_node_and_at_least_one_more_than_it_has() {
        let numbers = ProofNumbers { proof: 4, disproof: 12 };
        let tally = Tally { numbers, phi: 4, delta: 12, best: 0, second_phi: 8, delta_of_rest: 7 };
        assert_eq!(limits_below(&tally, 10, (4, 5), (100, 20)), (10, 20 - (12 - 5)));
        assert_eq!(limits_below(&tally, 10, (4, 5), (9, 20)), (9, 13));
        // Virtual numbers and numbers that decreased can leave less than the child has.
        assert_eq!(limits_below(&tally, 10, (11, 8), (12, 13)), (12, 9));
        assert_eq!(limits_below(&tally, LARGEST, (4, LARGEST), (LARGEST, LARGEST)), (LARGEST, LARGEST));
    }
}
