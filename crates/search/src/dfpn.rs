//! Depth-first proof-number search (Nagai 2002): always at the most-proving node, with thresholds instead of a tree in memory.
//!
//! A node is left when its own number reaches the threshold or its other number does. The best child may grow until it is worse
//! than the second best, or until the sum of all children is too large.

use crate::proving::depth::{DepthFirst, Found, Settings, Strategy, Tally, Walker};
use crate::proving::goal::Goal;
use crate::proving::numbers::{LARGEST, own_and_other};
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Rules, Search, SearchInfo, SearchKind, SpecError};

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
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Ok(Params { goal: Goal::read(options)?, settings: Settings::read(options, EPSILON)? })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities { parallel: true, playouts: params.settings.initial.makes_playouts(), ..Capabilities::SOLVER }
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
    #[cfg(test)]
    tests::entered(walker.position(), proof_limit, disproof_limit);
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
        let child = own_and_other(walker.child(&frame, tally.best).numbers, frame.prover_moves);
        let beyond_second = walker.beyond(tally.second);
        let (own_below, other_below) = limits_below(&tally, beyond_second, child, (own_limit, other_limit));
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

/// The limits of the best child, own and other as the node's mover sees them, from its numbers and the node's limits. It may grow until it is
/// worse than the second best, and until the sum is too large; and by one in any case, so that every visit makes progress.
#[inline]
fn limits_below(tally: &Tally, beyond_second: u32, (own, other): (u32, u32), limits: (u32, u32)) -> (u32, u32) {
    let own_below = limits.0.min(beyond_second).max(own.saturating_add(1)).min(LARGEST);
    let other_below = (limits.1 - tally.beside).max(other.saturating_add(1)).min(LARGEST);
    (own_below, other_below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::sync::atomic::AtomicBool;
    use tesuji_core::{Bounds, Control, Game, History, Limits, ProofNumbers, Question, Spec};
    use tesuji_games::{Synthetic, rules};

    thread_local! {
        /// The nodes that were entered on this thread, with the limits they got.
        static ENTERED: RefCell<Vec<(String, u32, u32)>> = const { RefCell::new(Vec::new()) };
    }

    pub fn entered(position: &impl Game, proof_limit: u32, disproof_limit: u32) {
        ENTERED.with_borrow_mut(|entered| entered.push((position.text(), proof_limit, disproof_limit)));
    }

    /// The first nodes that df-pn with first numbers of 1 and 1 enters in a tree.
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

    /// Figures A.4 and A.5 of Yoshizoe (2009). Our root begins with the largest number, not with the infinite one.
    #[test]
    fn thresholds_are_those_of_the_worked_example() {
        // The root is n0. Of its replies, a = n1 has three answers and b = n11 two, c = n12 and d = n19.
        let tree = "( ((1 -1) (1 -1) (1 -1)) (((1 -1) (1 -1)) ((1 -1) (1 -1))) )";
        let expected = [
            given("n0", LARGEST, LARGEST),
            // a may grow to one more than b, and comes back with three.
            given("n1", 2, LARGEST - 1),
            // b may grow to one more than that.
            given("n11", 4, LARGEST - 1),
            // c gets what d leaves of the sum, and one more than the disproof number of d; it comes back with two.
            given("n12", 4 - 1, 2),
            given("n19", 3, 3),
        ];
        assert_eq!(trace(tree, 0.0, expected.len()), expected);
    }

    /// 1 + epsilon is about the number of the second best child, and not about its threshold, as printed in Saito (2010).
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
        let tally = Tally { numbers, own: 4, other: 12, best: 0, second: 8, beside: 7 };
        assert_eq!(limits_below(&tally, 10, (4, 5), (100, 20)), (10, 20 - (12 - 5)));
        assert_eq!(limits_below(&tally, 10, (4, 5), (9, 20)), (9, 13));
        // Virtual numbers and numbers that fell can leave less than nothing.
        assert_eq!(limits_below(&tally, 10, (11, 8), (12, 13)), (12, 9));
        assert_eq!(limits_below(&tally, LARGEST, (4, LARGEST), (LARGEST, LARGEST)), (LARGEST, LARGEST));
    }
}
