//! Stoppers: rules that end a search before its limits or extend its time.
//!
//! A search with root statistics reports them to its [`Ticker`](crate::Ticker) about every
//! [`POLL_INTERVAL`] playouts. The stoppers of the search then advise: continue, stop, or search
//! until a new deadline. Nothing is computed while a search has no stoppers.

use crate::{Report, RootMove, StopReason};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The number of playouts between two reports of root statistics (Baier 2015, 6.2.2). Raising it
/// makes reports cheaper and lets a search run on longer after its move is settled.
pub const POLL_INTERVAL: u32 = 50;

/// What a running search reports about its root.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RootStats {
    /// The playouts of this search.
    pub playouts: u64,
    /// The visits of the most visited root move. Priors and virtual losses are not visits.
    pub best_visits: u64,
    /// The visits of the second most visited root move.
    pub second_visits: u64,
    /// Whether the most visited root move also has the best value.
    pub is_robust: bool,
    /// The value of the most visited root move in [-1, 1], for the player to move.
    pub best_value: f64,
    /// Whether the result of the position is proven.
    pub is_solved: bool,
    /// Whether there is only one legal move.
    pub has_one_move: bool,
}

impl RootStats {
    /// Returns the statistics of the root of a report.
    pub fn of_report<M>(report: &Report<M>) -> RootStats {
        let value = |entry: &RootMove<M>| entry.value.unwrap_or(f64::NEG_INFINITY);
        let mut moves: Vec<(u64, f64)> = report.moves.iter().map(|entry| (entry.visits, value(entry))).collect();
        moves.sort_by(|one, other| other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)));
        let (best_visits, best_value) = moves.first().copied().unwrap_or_default();
        RootStats {
            playouts: report.counters.playouts,
            best_visits,
            second_visits: moves.get(1).map_or(0, |second| second.0),
            is_robust: moves.iter().all(|(_, value)| *value <= best_value),
            best_value: if best_visits == 0 { report.value } else { best_value },
            is_solved: report.bounds.at_least >= report.bounds.at_most,
            has_one_move: moves.len() == 1,
        }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    /// The time since the start of the move.
    pub elapsed: Duration,
    /// The time for which the reporting search has run: less than `elapsed` if another part of the
    /// move came before it.
    pub searched: Duration,
    /// The time at which the search ends, from the start of the move.
    pub deadline: Option<Duration>,
    /// The limit on playouts.
    pub playout_limit: Option<u64>,
}

impl Progress {
    /// Returns whether the regular time is over.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| self.elapsed >= deadline)
    }

    /// Returns the number of playouts still to come, if the search goes on at the same speed.
    pub fn playouts_left(&self, playouts: u64) -> f64 {
        let spent = self.searched.as_secs_f64();
        let by_time = self.deadline.map(|deadline| {
            let left = deadline.saturating_sub(self.elapsed).as_secs_f64();
            if left == 0.0 { 0.0 } else { playouts as f64 * left / spent }
        });
        let by_number = self.playout_limit.map(|limit| limit.saturating_sub(playouts) as f64);
        by_time.into_iter().chain(by_number).fold(f64::INFINITY, f64::min)
    }
}

/// The advice of a stopper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Continue to the deadline.
    Continue,
    /// Stop now.
    Stop(StopReason),
    /// Set a new deadline, from the start of the move: later or earlier.
    Until(Duration),
}

impl Advice {
    /// Combines the advice of two stoppers: any of them stops a search, and the latest deadline
    /// holds.
    pub fn and(self, other: Advice) -> Advice {
        match (self, other) {
            (Advice::Stop(reason), _) | (_, Advice::Stop(reason)) => Advice::Stop(reason),
            (Advice::Until(one), Advice::Until(other)) => Advice::Until(one.max(other)),
            (Advice::Until(deadline), _) | (_, Advice::Until(deadline)) => Advice::Until(deadline),
            (Advice::Continue, Advice::Continue) => Advice::Continue,
        }
    }
}

/// A rule that ends a search before its limits, or extends its time. It may count what it has done
/// in this search.
pub trait Stopper: Send {
    /// Gives advice. Called about every [`POLL_INTERVAL`] playouts and once more at the deadline.
    fn advise(&mut self, stats: &RootStats, progress: &Progress) -> Advice;
}

/// The stoppers of one search, with the present deadline.
pub struct StopChain {
    stoppers: Mutex<Vec<Box<dyn Stopper>>>,
    most: Duration,
    /// The deadline in nanoseconds.
    deadline: AtomicU64,
    /// The last statistics that the search reported.
    last: Mutex<Option<RootStats>>,
}

impl fmt::Debug for StopChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopChain").field("most", &self.most).field("deadline", &self.deadline()).finish()
    }
}

impl StopChain {
    /// Creates a chain for a search that regularly ends after `budget` and never later than after
    /// `most`.
    pub fn new(budget: Duration, most: Duration, stoppers: Vec<Box<dyn Stopper>>) -> StopChain {
        let deadline = AtomicU64::new(nanoseconds(budget.min(most)));
        StopChain { stoppers: Mutex::new(stoppers), most, deadline, last: Mutex::new(None) }
    }

    /// Returns the present deadline.
    pub fn deadline(&self) -> Duration {
        Duration::from_nanos(self.deadline.load(Relaxed))
    }

    /// Returns the latest time at which the search ends.
    pub fn most(&self) -> Duration {
        self.most
    }

    /// Returns the last statistics that the search reported.
    pub fn last_stats(&self) -> Option<RootStats> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks all stoppers and moves the deadline; the reason if one of them stops the search.
    pub(crate) fn consult(&self, stats: &RootStats, progress: &Progress) -> Option<StopReason> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(*stats);
        let mut stoppers = self.stoppers.lock().unwrap_or_else(PoisonError::into_inner);
        let advice =
            stoppers.iter_mut().fold(Advice::Continue, |advice, stopper| advice.and(stopper.advise(stats, progress)));
        match advice {
            Advice::Continue => None,
            Advice::Stop(reason) => Some(reason),
            Advice::Until(deadline) => {
                self.deadline.store(nanoseconds(deadline.min(self.most)), Relaxed);
                None
            }
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Stops a search of a position with one legal move: there is nothing to choose.
pub struct OnlyMove;

impl Stopper for OnlyMove {
    fn advise(&mut self, stats: &RootStats, _: &Progress) -> Advice {
        if stats.has_one_move { Advice::Stop(StopReason::Settled) } else { Advice::Continue }
    }
}

/// Stops a search whose position is solved.
pub struct Solved;

impl Stopper for Solved {
    fn advise(&mut self, stats: &RootStats, _: &Progress) -> Advice {
        if stats.is_solved { Advice::Stop(StopReason::Solved) } else { Advice::Continue }
    }
}

/// Stops a search from four fifths of its playouts or its time on, once the most visited move also
/// has the best value (robust-max child, Chaslot et al. 2008). The rest is spent only while there
/// is no such move.
pub struct RobustMax;

impl Stopper for RobustMax {
    fn advise(&mut self, stats: &RootStats, progress: &Progress) -> Advice {
        let is_late = progress.playout_limit.is_some_and(|all| stats.playouts * 5 >= all * 4)
            || progress.deadline.is_some_and(|all| progress.elapsed * 5 >= all * 4);
        if is_late && stats.is_robust { Advice::Stop(StopReason::Finished) } else { Advice::Continue }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    struct Says(Advice);

    impl Stopper for Says {
        fn advise(&mut self, _: &RootStats, _: &Progress) -> Advice {
            self.0
        }
    }

    fn chain(advice: &[Advice]) -> StopChain {
        let stoppers = advice.iter().map(|&advice| Box::new(Says(advice)) as Box<dyn Stopper>).collect();
        StopChain::new(ms(100), ms(400), stoppers)
    }

    #[test]
    fn any_stopper_stops_and_the_latest_deadline_holds() {
        use Advice::{Continue, Stop, Until};
        let (stats, progress) = (RootStats::default(), Progress::default());
        for (advice, stopped, deadline) in [
            (vec![], None, 100),
            (vec![Continue, Until(ms(200)), Until(ms(150))], None, 200),
            (vec![Until(ms(50))], None, 50),
            (vec![Until(ms(999))], None, 400),
            (vec![Until(ms(200)), Stop(StopReason::Settled)], Some(StopReason::Settled), 100),
        ] {
            let chain = chain(&advice);
            assert_eq!(chain.consult(&stats, &progress), stopped, "{advice:?}");
            assert_eq!(chain.deadline(), ms(deadline), "{advice:?}");
            assert_eq!(chain.last_stats(), Some(stats));
        }
    }

    #[test]
    fn the_playouts_left_follow_from_the_speed_and_the_limit() {
        let timed = Progress { elapsed: ms(250), searched: ms(200), deadline: Some(ms(350)), playout_limit: None };
        assert_eq!(timed.playouts_left(1000), 500.0);
        assert_eq!(Progress { playout_limit: Some(1200), ..timed }.playouts_left(1000), 200.0);
        assert_eq!(Progress::default().playouts_left(1000), f64::INFINITY);
        assert!(!timed.is_over() && Progress { elapsed: ms(350), ..timed }.is_over());
        assert_eq!(Progress { elapsed: ms(350), ..timed }.playouts_left(1000), 0.0);
    }

    #[test]
    fn robust_max_waits_for_four_fifths() {
        let stats = |playouts, is_robust| RootStats { playouts, is_robust, ..RootStats::default() };
        let progress = Progress { playout_limit: Some(1000), ..Progress::default() };
        let stops = |stats| RobustMax.advise(&stats, &progress) == Advice::Stop(StopReason::Finished);
        assert!(!stops(stats(799, true)) && !stops(stats(900, false)) && stops(stats(800, true)));
    }

    #[test]
    fn nothing_to_choose_and_nothing_to_find_stop_a_search() {
        let (one, none) = (RootStats { has_one_move: true, ..RootStats::default() }, RootStats::default());
        let solved = RootStats { is_solved: true, ..RootStats::default() };
        let progress = Progress::default();
        assert_eq!(OnlyMove.advise(&one, &progress), Advice::Stop(StopReason::Settled));
        assert_eq!(OnlyMove.advise(&none, &progress), Advice::Continue);
        assert_eq!(Solved.advise(&solved, &progress), Advice::Stop(StopReason::Solved));
        assert_eq!(Solved.advise(&none, &progress), Advice::Continue);
    }
}
