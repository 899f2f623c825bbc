//! RP-PNS: proof-number search by several workers on one tree, one on the principal variation and the others beside it (Saito,
//! Winands and Van den Herik 2010).
//!
//! One worker alone is plain proof-number search.

use crate::pns::Params;
use crate::proving::best_first::Settings;
use crate::proving::goal::Goal;
use crate::proving::initial::Initial;
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Search, SearchInfo, SearchKind, SpecError};

/// The kind.
pub struct RpPns;

/// How far from the best child the others draw, as in the paper. Raising it keeps workers out of each other's way, and lets them do
/// more that is never needed.
pub(crate) const WINDOW: u64 = 5;

/// Reads the option `d`.
pub(crate) fn read_window(options: &mut Options<'_>) -> Result<u32, SpecError> {
    Ok(options.integer("d", WINDOW, 0..=1000, "other workers draw among children this much worse than the best")?
        as u32)
}

impl SearchKind for RpPns {
    const INFO: SearchInfo =
        SearchInfo { name: "rppns", summary: "proof-number search by several workers on one tree" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let initial = Initial::read(options)?;
        let window = Some(read_window(options)?);
        Ok(Params::new(goal, Settings { name: Self::INFO.name, initial, cap: None, window }))
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
