//! RP-PNS: randomized parallel proof-number search on one tree (Saito, Winands and Van den Herik
//! 2010). One worker follows the principal variation, the others choose near it at random.
//!
//! A single worker is plain proof-number search.

use crate::pns::Params;
use crate::proving::best_first::Settings;
use crate::proving::goal::Goal;
use crate::proving::initial::Initial;
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Search, SearchInfo, SearchKind, SpecError};

/// The kind of search.
pub struct RpPns;

/// The default of the option `d`, as in the paper. Raising it keeps workers apart, and lets them do
/// more work that is never needed.
pub(crate) const WINDOW: u64 = 5;

/// Reads the option `d`.
pub(crate) fn read_window(options: &mut Options<'_>) -> Result<u32, SpecError> {
    Ok(options.integer("d", WINDOW, 0..=1000, "maximal excess of a randomly chosen child over the best, in phi")?
        as u32)
}

impl SearchKind for RpPns {
    const INFO: SearchInfo = SearchInfo { name: "rppns", summary: "parallel proof-number search on one tree (RP-PNS)" };
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
