//! PN²: proof-number search whose leaves are expanded by a second proof-number search (Allis 1994,
//! Breuker 1998).
//!
//! Only the children of the leaf are kept. Their subtrees are searched again when they are needed,
//! which trades time for memory.

use crate::pns::Params;
use crate::proving::best_first::{SecondLevelCap, Settings};
use crate::proving::goal::Goal;
use crate::proving::initial::Initial;
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Search, SearchInfo, SearchKind, SpecError};

/// The kind of search.
pub struct Pn2;

impl SearchKind for Pn2 {
    const INFO: SearchInfo =
        SearchInfo { name: "pn2", summary: "two-level proof-number search (PN²), which needs far less memory" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let initial = Initial::read(options)?;
        let cap = SecondLevelCap::read(options, &[("full", 0), ("logistic", 1), ("power", 2)])?;
        Ok(Params::new(goal, Settings { name: Self::INFO.name, initial, cap: Some(cap), window: None }))
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
