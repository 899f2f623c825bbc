//! PDS-PN (Winands, Uiterwijk and Van den Herik 2003): PDS, whose new positions are searched best first before they are entered.
//!
//! The first level lives in the table, so memory never ends it; the second is fast, as its tree is small and thrown away. Where results may
//! rest on the past (superko, circles that differ), there is no second level, for its tree begins without a past.

use crate::pds::deepen_from_root;
use crate::proving::best_first::{self, Cap};
use crate::proving::depth::{DepthFirst, Settings, Strategy, Walker};
use crate::proving::goal::Goal;
use tesuji_core::{Capabilities, Knowledge, Options, Prover, Rules, Search, SearchInfo, SearchKind, SpecError};

/// The search.
pub struct PdsPn;

/// Its options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
    cap: Cap,
}

/// The part of the memory that is the table; the rest is for the trees of the second level, one at a time.
const TABLE_SHARE: f64 = 0.75;
/// The fewest nodes of a second search. Raising it makes easy positions dearer, and the table smaller.
const FEWEST: f64 = 100.0;

impl SearchKind for PdsPn {
    const INFO: SearchInfo =
        SearchInfo { name: "pdspn", summary: "PDS on a table, with small best-first searches at its leaves" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let cap = Cap::read(options, &[("power", 2), ("full", 0), ("logistic", 1)])?;
        Ok(Params { goal, cap, settings: Settings::read(options, 0.0625)? })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities { keeps_proof: false, playouts: params.settings.initial.makes_playouts(), ..Capabilities::SOLVER }
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
        PdsPn::INFO.name
    }

    fn table_share(&self) -> f64 {
        TABLE_SHARE
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn solve(&self, walker: &mut Walker<'_, '_, '_, G>) {
        let second = best_first::Settings { name: "pns", initial: self.settings.initial, cap: None, window: None };
        deepen_from_root(walker, false, &|walker| {
            let most_nodes = self.cap.nodes(walker.table_size(), 1).max(FEWEST) as u64;
            walker.search_second(second, most_nodes);
        });
    }
}
