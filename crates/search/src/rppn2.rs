//! RP-PN²: the workers of RP-PNS share the first tree, and each has a second-level tree of its own
//! (Saito, Winands and Van den Herik 2010).

use crate::pns::Params;
use crate::proving::best_first::{SecondLevelCap, Settings};
use crate::proving::goal::Goal;
use crate::proving::initial::Initial;
use crate::rppns::read_window;
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Search, SearchInfo, SearchKind, SpecError};

/// The kind of search.
pub struct RpPn2;

impl SearchKind for RpPn2 {
    const INFO: SearchInfo = SearchInfo { name: "rppn2", summary: "parallel two-level proof-number search (RP-PN²)" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let initial = Initial::read(options)?;
        let cap = SecondLevelCap::read(options, &[("power", 2), ("full", 0), ("logistic", 1)])?;
        let window = Some(read_window(options)?);
        Ok(Params::new(goal, Settings { name: Self::INFO.name, initial, cap: Some(cap), window }))
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
