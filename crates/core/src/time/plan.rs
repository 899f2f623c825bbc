//! The plan for one move.

use crate::{OnlyMove, OwnerCounts, Solved, StopChain, Stopper};
use std::sync::Arc;
use std::time::Duration;

/// The plan for one move: the regular time of the search, the most it may take, and its stoppers.
pub struct MovePlan {
    /// The regular time.
    pub budget: Duration,
    /// The time that no extension exceeds.
    pub most: Duration,
    /// The stoppers of the manager's rules.
    pub stoppers: Vec<Box<dyn Stopper>>,
    /// What the search shall [count](crate::Control::counting), if a rule is about it.
    pub owners: Option<Arc<OwnerCounts>>,
}

impl MovePlan {
    /// Returns the stoppers of a search, which also stop it when there is nothing to choose or to
    /// find. The search ends after `limit` at the latest, if there is one.
    pub fn chain(self, limit: Option<Duration>) -> StopChain {
        let MovePlan { budget, most, mut stoppers, .. } = self;
        stoppers.push(Box::new(OnlyMove));
        stoppers.push(Box::new(Solved));
        StopChain::new(budget, limit.map_or(most, |limit| most.min(limit)), stoppers)
    }
}
