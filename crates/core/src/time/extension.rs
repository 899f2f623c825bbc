//! The dynamic rules: stoppers that shorten or extend a search (Baier 2015, 6.2.2).

use crate::{Advice, Progress, RootStats, StopReason, Stopper};
use std::time::Duration;

/// STOP: ends a search when the runner-up is not expected to catch up in the time left.
///
/// With `n` playouts so far, a share `p` of those still to come is taken to go to the runner-up:
/// `n * time left / time spent * p < visits of the best - visits of the second`.
pub struct Stop {
    /// The share of the remaining playouts that goes to the runner-up. Lowering it stops searches
    /// sooner; at 1 a stop cannot change the move.
    pub p: f64,
}

impl Stopper for Stop {
    fn advise(&mut self, stats: &RootStats, progress: &Progress) -> Advice {
        let lead = stats.best_visits.saturating_sub(stats.second_visits) as f64;
        let is_settled = progress.playouts_left(stats.playouts) * self.p < lead;
        if is_settled { Advice::Stop(StopReason::Settled) } else { Advice::Continue }
    }
}

/// When the regular time of a search does not suffice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Condition {
    /// BEHIND: the win rate of the best move is below a threshold.
    Behind(f64),
    /// UNST: the most visited move is not the best valued.
    Unstable,
    /// CLOSE: the visits of the two most visited moves differ by less than a share of the larger
    /// number.
    Close(f64),
}

impl Condition {
    /// Returns whether the condition holds.
    pub fn holds(self, stats: &RootStats) -> bool {
        match self {
            Condition::Behind(threshold) => (stats.best_value + 1.0) / 2.0 < threshold,
            Condition::Unstable => !stats.is_robust,
            Condition::Close(threshold) => {
                let (best, second) = (stats.best_visits as f64, stats.second_visits as f64);
                best == 0.0 || (best - second) / best < threshold
            }
        }
    }
}

/// Extends a search whose regular time is over by a multiple of that time, while a condition holds.
pub struct Extension {
    /// The condition.
    pub condition: Condition,
    /// The length of an extension, in regular times.
    pub factor: f64,
    /// The number of extensions left.
    pub loops: u32,
    /// The regular time.
    pub regular: Duration,
}

impl Stopper for Extension {
    fn advise(&mut self, stats: &RootStats, progress: &Progress) -> Advice {
        match progress.deadline {
            Some(deadline) if progress.is_over() && self.loops > 0 && self.condition.holds(stats) => {
                self.loops -= 1;
                Advice::Until(deadline + self.regular.mul_f64(self.factor))
            }
            _ => Advice::Continue,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// The fraction of the planned time at which STOP ends a search whose best move gets a share
    /// `best` of the visits and whose second gets the rest, at 100 playouts a millisecond.
    fn stops_at(p: f64, best: f64) -> Option<f64> {
        let planned = 1000;
        (1..planned).find_map(|elapsed| {
            let playouts = 100 * elapsed;
            let best_visits = (playouts as f64 * best) as u64;
            let stats =
                RootStats { playouts, best_visits, second_visits: playouts - best_visits, ..RootStats::default() };
            let elapsed_time = ms(elapsed);
            let progress = Progress {
                elapsed: elapsed_time,
                searched: elapsed_time,
                deadline: Some(ms(planned)),
                playout_limit: None,
            };
            let stops = Stop { p }.advise(&stats, &progress) == Advice::Stop(StopReason::Settled);
            stops.then_some(elapsed as f64 / planned as f64)
        })
    }

    #[test]
    fn stop_fires_at_p_over_one_plus_p_when_one_move_takes_all_visits() {
        for p in [1.0, 0.9, 0.4, 0.3, 0.2] {
            let fraction = stops_at(p, 1.0).unwrap();
            let expected: f64 = p / (1.0 + p);
            assert!((fraction - expected).abs() <= 0.0011, "{p}: {fraction} is not {expected}");
        }
        // The best of two moves with three quarters of the visits leads by half of them:
        // (1 - x) p = x / 2.
        assert!((stops_at(1.0, 0.75).unwrap() - 2.0 / 3.0).abs() <= 0.0011);
        // Two equal moves are never settled.
        assert_eq!(stops_at(0.2, 0.5), None);
    }

    #[test]
    fn conditions_hold_as_defined() {
        let stats = |best_visits, second_visits, best_value| RootStats {
            best_visits,
            second_visits,
            best_value,
            is_robust: true,
            ..RootStats::default()
        };
        // A value of 0.1 is a win rate of 55 %.
        assert!(Condition::Behind(0.6).holds(&stats(10, 5, 0.1)));
        assert!(!Condition::Behind(0.55).holds(&stats(10, 5, 0.1)));
        // (100 - 70) / 100 = 0.3.
        assert!(Condition::Close(0.4).holds(&stats(100, 70, 0.0)));
        assert!(!Condition::Close(0.3).holds(&stats(100, 70, 0.0)));
        assert!(!Condition::Unstable.holds(&stats(100, 70, 0.0)));
        assert!(Condition::Unstable.holds(&RootStats { is_robust: false, ..stats(100, 70, 0.0) }));
    }

    #[test]
    fn extensions_are_multiples_of_the_regular_time_and_end() {
        let mut unst = Extension { condition: Condition::Unstable, factor: 0.75, loops: 2, regular: ms(1000) };
        let unstable = RootStats::default();
        let at = |elapsed, deadline| Progress {
            elapsed: ms(elapsed),
            searched: ms(elapsed),
            deadline: Some(ms(deadline)),
            playout_limit: None,
        };
        assert_eq!(unst.advise(&unstable, &at(999, 1000)), Advice::Continue);
        assert_eq!(unst.advise(&unstable, &at(1000, 1000)), Advice::Until(ms(1750)));
        assert_eq!(unst.advise(&unstable, &at(1500, 1750)), Advice::Continue);
        assert_eq!(unst.advise(&unstable, &at(1751, 1750)), Advice::Until(ms(2500)));
        assert_eq!(unst.advise(&unstable, &at(2500, 2500)), Advice::Continue, "both extensions are used");
        let mut stable = Extension { loops: 2, ..unst };
        assert_eq!(stable.advise(&RootStats { is_robust: true, ..unstable }, &at(1000, 1000)), Advice::Continue);
    }
}
