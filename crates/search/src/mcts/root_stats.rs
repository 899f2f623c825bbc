//! The statistics of the root that stoppers ask for.

use super::context::SearchContext;
use super::tree::{Block, ROOT, UNIT};
use tesuji_core::{Knowledge, RootStats};

/// Visits of root moves that are no results of simulations.
pub struct VirtualVisits<'v> {
    /// Those of a child of the root, by its id.
    pub of_child: &'v dyn Fn(u32) -> u32,
    /// How many more there may be at any one child.
    pub at_most: u32,
}

/// Returns the statistics of the root after a number of playouts.
///
/// Moves that are proven lost are left out: they are not played, however often they were visited.
pub fn root_stats<G: Knowledge>(
    search: &SearchContext<'_, G>,
    playouts: u64,
    virtual_visits: &VirtualVisits<'_>,
) -> RootStats {
    let is_solved = search.params.backup.solver && search.interval_of(ROOT).is_solved();
    let Some(block) = search.tree.children(ROOT) else {
        return RootStats { playouts, is_solved, ..RootStats::default() };
    };
    let mut stats =
        RootStats { playouts, is_solved, is_robust: true, has_one_move: block.count == 1, ..RootStats::default() };
    let mut best_mean = f64::NEG_INFINITY;
    for child in (0..block.opened).filter(|&child| !is_lost(search, &block, child)) {
        let lost = (virtual_visits.of_child)(block.first + child as u32);
        let visits = block.visits(child).saturating_sub(lost);
        if visits == 0 {
            continue;
        }
        // A virtual loss has added a visit of value -1.
        let sum = block.chunk.sum(block.begin + child) as f64 / f64::from(UNIT) + f64::from(lost);
        let mean = (sum / f64::from(visits)).clamp(-1.0, 1.0);
        best_mean = best_mean.max(mean);
        let visits = u64::from(visits);
        if (visits, mean) > (stats.best_visits, stats.best_value) {
            stats.second_visits = stats.best_visits;
            (stats.best_visits, stats.best_value) = (visits, mean);
        } else {
            stats.second_visits = stats.second_visits.max(visits);
        }
    }
    stats.is_robust = stats.best_value >= best_mean;
    // The lead counts only as far as it is certain.
    stats.best_visits -= u64::from(virtual_visits.at_most).min(stats.best_visits - stats.second_visits);
    stats
}

/// Whether a child of the root is proven lost for the player to move.
fn is_lost<G: Knowledge>(search: &SearchContext<'_, G>, block: &Block<'_, G::Move>, child: usize) -> bool {
    if !search.params.backup.solver {
        return false;
    }
    let bounds = search.bounds(search.interval_of(block.first + child as u32), search.prover);
    search.value_of_score(bounds.at_most).is_some_and(|value| value <= -1.0)
}
