//! The KAPPA rules: time by the criticality of the most critical cell (Baier 2015, 6.2.1, 6.2.2).

use crate::{Advice, OwnerCounts, Progress, RootStats, Stopper};
use std::sync::Arc;
use std::time::Duration;

/// A linear function of the criticality within bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct KappaFactor {
    pub slope: f64,
    pub offset: f64,
    pub least: f64,
    pub most: f64,
}

impl KappaFactor {
    pub fn of(&self, criticality: f64) -> f64 {
        (criticality * self.slope + self.offset).clamp(self.least, self.most)
    }
}

/// How long KAPPA-CM counts before it sets the time of a move. Raising it makes the criticality
/// more exact and leaves less time to save.
const COLLECTION: Duration = Duration::from_millis(100);
/// The largest part of the regular time that is spent on counting, as a divisor. In the source,
/// 100 ms were a quarter of a move: it had 30 s for a game of 71 expected moves.
const COLLECTION_PART: u32 = 4;

/// KAPPA-CM: counts the owners of cells for a moment, and then sets the time of the move.
pub(super) struct CriticalityNow {
    pub kappa: KappaFactor,
    /// The counts of the search.
    pub owners: Arc<OwnerCounts>,
    /// The time that is multiplied.
    pub share: Duration,
    /// The time that is added to it.
    pub added: Duration,
    /// Whether the time of the move is set.
    pub is_done: bool,
}

impl Stopper for CriticalityNow {
    fn advise(&mut self, _: &RootStats, progress: &Progress) -> Advice {
        if self.is_done || progress.searched < COLLECTION.min((self.share + self.added) / COLLECTION_PART) {
            return Advice::Continue;
        }
        // A search that counts nothing keeps its regular time.
        let Some(counts) = self.owners.get() else { return Advice::Continue };
        self.is_done = true;
        Advice::Until(self.share.mul_f64(self.kappa.of(counts.criticality())) + self.added)
    }
}
