//! The interface every search is written against.

use crate::{Control, Game, History, Knowledge, Options, Prover, Report, RootMove, SpecError};
use serde::Serialize;

/// A search on the game `G`. It may keep what it learns for the next call; what it keeps must be found again by position
/// and history, so that it never matters what was searched before.
pub trait Search<G: Game>: Send {
    /// Searches the present position of a game.
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move>;

    /// Forgets everything.
    fn forget(&mut self) {}

    /// The moves of a game's present position, with what is known of them from the last search; `None` where that did not reach, or nothing of
    /// it is kept. A running search is looked into through its [`Inspector`](crate::Inspector).
    fn look(&self, _game: &History<G>) -> Option<Vec<RootMove<G::Move>>> {
        None
    }

    /// Whether it makes playouts, so that a limit on them ends it. See [`Limits::in_nodes_for`](crate::Limits::in_nodes_for).
    fn makes_playouts(&self) -> bool {
        false
    }
}

/// What there is to say about a kind of search.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SearchInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
}

/// A kind of search: reads its options, and is built for any game.
pub trait SearchKind {
    /// Name and summary.
    const INFO: SearchInfo;
    /// Whether it is a solver too, that is asked one question at a time.
    const SOLVES: bool = false;
    /// The options.
    type Params: Clone + Send;

    /// Reads the options of a spec, and thereby says which there are.
    fn read(options: &mut Options<'_>) -> Result<Self::Params, SpecError>;

    /// The search for a game under given rules, unless it cannot serve it.
    fn build<G: Knowledge>(params: Self::Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError>;

    /// The same as a solver, if it [solves](Self::SOLVES).
    fn prover<G: Knowledge>(_params: Self::Params, _rules: &G::Rules) -> Result<Box<dyn Prover<G>>, SpecError> {
        unreachable!("{} is no solver", Self::INFO.name)
    }
}
