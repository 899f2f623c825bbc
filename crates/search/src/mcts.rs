//! Monte-Carlo tree search: UCT with the published enhancements as options.
//!
//! Plain `mcts` is the baseline of the literature: UCT with C = sqrt 2, one new node per
//! simulation, every child visited once before the formula applies, uniform playouts, and the most
//! visited move at the end. Every option adds one enhancement and changes nothing else.
//! `docs/searches/mcts.md` derives each formula as implemented here, with its source.
//!
//! The modules:
//!
//! - `params`: the options, grouped by phase;
//! - `search`, `run`: the search interface, and the loop of the workers;
//! - `worker`: a simulation: descent, choice of a child, expansion, backup, learning;
//! - `beam`: pruning the tree to a beam, for one player;
//! - `select`: the terms of the selection score;
//! - `tree`, `link`, `interval`: the nodes, and the protocol by which workers share them;
//! - `context`: the state shared by workers, and the values of outcomes;
//! - `descent_position`, `playout`: the game along a simulation, and below the tree;
//! - [`crate::shallow`]: the shallow searches of hybrids with minimax;
//! - `proof_numbers`: PN-MCTS;
//! - `transposition_index`, `transitions`: data for the options `table` and `transitions`;
//! - `final_move`, `report`: the move to play, and the report;
//! - `leaf_parallel` and [`crate::root`]: other ways to use threads.

mod beam;
mod context;
mod descent_position;
mod final_move;
mod interval;
mod jobs;
mod leaf_parallel;
mod link;
mod params;
mod playout;
mod proof_numbers;
mod report;
mod root_stats;
mod run;
mod search;
mod select;
#[cfg(test)]
mod tests;
mod transitions;
mod transposition_index;
mod tree;
mod worker;

pub use params::Params;
pub use transitions::{Transitions, TransitionsError};

use crate::root::Voters;
use params::{ParallelMode, refusal};
use search::TreeSearch;
use tesuji_core::{Capabilities, Knowledge, Options, Search, SearchInfo, SearchKind, SpecError};

/// Monte-Carlo tree search.
pub struct Mcts;

impl SearchKind for Mcts {
    const INFO: SearchInfo =
        SearchInfo { name: "mcts", summary: "Monte-Carlo tree search: UCT with the published enhancements as options" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Params::read(options)
    }

    /// Plain PN-MCTS plays the most visited move, whatever its proof numbers say (Doe et al. 2022).
    fn capabilities(params: &Params) -> Capabilities {
        let (has_pn, has_implicit) = (params.selection.pn.is_some(), params.selection.implicit.is_some());
        let fewest = if has_pn || has_implicit { 2 } else { 1 };
        let most = match (params.is_for_one_player(), has_implicit) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => Capabilities::PLAYER.players.1,
        };
        Capabilities {
            players: (fewest, most),
            parallel: params.beam.is_none() || params.parallel.mode == ParallelMode::Root,
            playouts: true,
            owners: params.playouts_end_games(),
            proves: params.backup.solver || has_pn,
            plays_proven: !has_pn || params.final_move.pn_final || params.backup.solver,
            splits_limits: params.parallel.mode == ParallelMode::Root,
            finds_solutions: params.playouts_end_games() && params.parallel.mode != ParallelMode::Leaf,
            ..Capabilities::PLAYER
        }
    }

    fn build<G: Knowledge>(mut params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        params.check::<G>(rules)?;
        let transitions = match &params.transitions {
            Some(path) => Some(
                Transitions::load::<G>(path, rules)
                    .map_err(|error| refusal("transitions", &path.display().to_string(), error.to_string()))?,
            ),
            None => None,
        };
        if params.parallel.mode == ParallelMode::Root {
            let vote = params.parallel.vote;
            let make =
                move |_| -> Box<dyn Search<G>> { Box::new(TreeSearch::new(params.clone(), transitions.clone())) };
            return Ok(Box::new(Voters::new(Box::new(make), vote)));
        }
        Ok(Box::new(TreeSearch::<G>::new(params, transitions)))
    }
}
