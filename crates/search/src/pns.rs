//! Proof-number search on a tree (PNS; Allis, Van der Meulen and Van den Herik 1994).
//!
//! It keeps the whole tree, so that it is the fastest of its family while the tree fits into
//! memory, and has to stop when it does not.

use crate::proving::asking::GoalSearch;
use crate::proving::best_first::{BestFirst, Settings};
use crate::proving::goal::Goal;
use crate::proving::initial::Initial;
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Rules, Search, SearchInfo, SearchKind, SpecError};

/// The kind of search.
pub struct Pns;

/// The options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    goal: Goal,
    settings: Settings,
}

impl Params {
    /// Returns the options of a best-first search and a goal.
    pub(crate) fn new(goal: Goal, settings: Settings) -> Params {
        Params { goal, settings }
    }

    /// The options of the best-first search.
    #[cfg(test)]
    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// Builds the search that asks until the goal is reached.
    pub(crate) fn search<G: Knowledge>(self, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        self.goal.check(self.settings.name, &rules.facts())?;
        Ok(Box::new(GoalSearch::new(self.solver(rules), self.goal)))
    }

    /// The capabilities. A tree removes what a solved node does not need, and of two levels only
    /// the first one is kept, so that the proof is not.
    pub(crate) fn capabilities(&self) -> Capabilities {
        let Settings { initial, window, .. } = self.settings;
        let (parallel, playouts) = (window.is_some(), initial.makes_playouts());
        Capabilities { keeps_proof: false, parallel, playouts, proves: self.goal.is_exact(), ..Capabilities::SOLVER }
    }

    /// Builds the solver.
    pub(crate) fn solver<G: Knowledge>(self, rules: &G::Rules) -> Box<dyn Prover<G>> {
        Box::new(BestFirst::new(self.settings, rules))
    }
}

impl SearchKind for Pns {
    const INFO: SearchInfo = SearchInfo { name: "pns", summary: "best-first proof-number search on a tree" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let initial = Initial::read(options)?;
        Ok(Params::new(goal, Settings { name: Self::INFO.name, initial, cap: None, window: None }))
    }

    fn capabilities(params: &Params) -> Capabilities {
        params.capabilities()
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        params.search(rules)
    }

    fn prover<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
        Ok(params.solver(rules))
    }
}
