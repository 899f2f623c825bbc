//! PDS-PN (Winands, Uiterwijk and Van den Herik 2003): PDS with a best-first search at every new
//! position.
//!
//! The first level is in the table, so that memory never ends it; the second level is fast, because
//! its tree is small and discarded. Where results may depend on the history (superko, cycles with
//! different outcomes), there is no second level, because its tree has no history.

use crate::pds::deepen_from_root;
use crate::proving::best_first::{self, SecondLevelCap};
use crate::proving::depth::{DepthFirst, Settings, Strategy, Walker};
use crate::proving::goal::Goal;
use tesuji_core::{
    Capabilities, Knowledge, Options, Prover, Repetition, Rules, Search, SearchInfo, SearchKind, SpecError,
};

/// The kind of search.
pub struct PdsPn;

/// The options.
#[derive(Clone, Debug)]
pub struct Params {
    settings: Settings,
    goal: Goal,
    cap: SecondLevelCap,
}

/// The part of the memory for the table. The rest is for the trees of the second level, one at a
/// time.
const TABLE_SHARE: f64 = 0.75;
/// The minimal node limit of a second-level search. Raising it makes easy positions more expensive,
/// and the table smaller.
const MIN_NODES: f64 = 100.0;

impl SearchKind for PdsPn {
    const INFO: SearchInfo =
        SearchInfo { name: "pdspn", summary: "PDS with best-first searches at its leaves (PDS-PN)" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let goal = Goal::read(options)?;
        let cap = SecondLevelCap::read(options, &[("power", 2), ("full", 0), ("logistic", 1)])?;
        Ok(Params { goal, cap, settings: Settings::read(options, 0.0625)? })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities { keeps_proof: false, ..params.settings.capabilities(params.goal) }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let goal = params.goal;
        DepthFirst::search(params, goal, rules)
    }

    fn note<G: Knowledge>(_: &Params, rules: &G::Rules) -> Option<&'static str> {
        let has_second_level = match rules.facts().repetition {
            Repetition::Impossible => true,
            Repetition::Forbidden => false,
            Repetition::Ends(_) | Repetition::Allowed => rules.cycle_outcome().is_some(),
        };
        (!has_second_level).then_some(
            "searched as pds: results of this game depend on the history, which a second level does not know",
        )
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
        let second_level =
            best_first::Settings { name: "pns", initial: self.settings.initial, cap: None, window: None };
        deepen_from_root(walker, false, &|walker| {
            let max_nodes = self.cap.nodes(walker.table_entries(), 1).max(MIN_NODES) as u64;
            walker.search_second_level(second_level, max_nodes);
        });
    }
}
