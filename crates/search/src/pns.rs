//! Proof-number search: a tree, the most-proving node, and nothing else (Allis, Van der Meulen and Van den Herik 1994).
//!
//! It keeps its whole tree, so it is the fastest of its family while the tree fits into the memory, and ends there.

use crate::proving::asking::Asking;
use crate::proving::best_first::{BestFirst, Settings};
use crate::proving::goal::Goal;
use crate::proving::initial::Initial;
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Rules, Search, SearchInfo, SearchKind, SpecError};

/// The kind.
pub struct Pns;

/// The options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    goal: Goal,
    settings: Settings,
}

impl Params {
    /// Parts of a best-first search, with a goal.
    pub(crate) fn new(goal: Goal, settings: Settings) -> Params {
        Params { goal, settings }
    }

    /// The parts.
    #[cfg(test)]
    pub(crate) fn settings(&self) -> Settings {
        self.settings
    }

    /// A search that asks until the goal is reached.
    pub(crate) fn search<G: Knowledge>(self, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        self.goal.suits(&rules.facts()).map_err(|accepted| SpecError::BadValue {
            name: self.settings.name.to_string(),
            key: "goal".to_string(),
            value: self.goal.to_string(),
            accepted,
        })?;
        Ok(Box::new(Asking::new(self.solver(rules), self.goal)))
    }

    /// A tree that makes room keeps less than the proof, and two levels keep only the upper one.
    pub(crate) fn capabilities(&self) -> Capabilities {
        let Settings { initial, window, .. } = self.settings;
        let (parallel, playouts) = (window.is_some(), initial.makes_playouts());
        Capabilities { keeps_proof: false, parallel, playouts, ..Capabilities::SOLVER }
    }

    /// The solver.
    pub(crate) fn solver<G: Knowledge>(self, rules: &G::Rules) -> Box<dyn Prover<G>> {
        Box::new(BestFirst::new(self.settings, rules))
    }
}

impl SearchKind for Pns {
    const INFO: SearchInfo = SearchInfo { name: "pns", summary: "proof-number search, best first on a tree" };
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
