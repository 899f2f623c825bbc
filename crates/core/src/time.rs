//! Time management: how much of a clock a move gets.
//!
//! A [`TimeManager`] turns the [`Clock`] and the facts of a turn into a [`MovePlan`]: a budget and
//! stoppers that end the search earlier or extend it. Managers are named by specs, such as
//! `stop:f=5,p=0.9`. The rules are those of Baier (2015), chapter 6, and Huang et al. (2010);
//! `docs/time-management.md` derives them. No other code computes a share of a clock.

mod clock;
mod critical;
mod extension;
mod list;
mod manager;
mod plan;
mod tables;
#[cfg(test)]
mod tests;

pub use clock::Clock;
pub use extension::{Condition, Extension, Stop};
pub use list::{ManagerEntry, managers};
pub use manager::{TimeManager, Turn};
pub use plan::MovePlan;
pub use tables::{LENGTH_WIDTH, Sample, TableLearner, TimeTable};

/// What a game declares for time managers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeFacts {
    /// The expected numbers of moves, as `tesuji learn --time-tables` writes them; empty if they
    /// were not learned.
    pub table: &'static str,
    /// The spec of the manager for which `auto` stands: the strongest known one.
    pub manager: &'static str,
}

impl Default for TimeFacts {
    fn default() -> TimeFacts {
        TimeFacts { table: "", manager: "fixed" }
    }
}
