//! The clock of a player.

use std::time::Duration;

/// The least time that no plan uses while there is plenty. Raising it makes overruns rarer and
/// wastes time.
const LEAST_RESERVE: Duration = Duration::from_millis(20);
/// The share of the available time that no plan uses.
const RESERVED_SHARE: f64 = 0.02;
/// The time that no plan uses at all, for a search that ends late and for moves without a search.
/// Raising it makes the last moves on an empty clock safer and worse.
const LAST_RESERVE: Duration = Duration::from_millis(15);
/// One part in this many of what little is left beyond the last reserve can be used for a move. A
/// manager that spends its time early must not play its last moves without any.
const LAST_PARTS: u32 = 4;

/// The clock of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The time left: for the rest of the game, or for `moves_to_go` moves.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The time of a move that starts when `left` is used up, and is available for every move.
    pub byoyomi: Duration,
    /// The moves for which `left` must suffice, if it is renewed after them.
    pub moves_to_go: Option<u32>,
    /// The time of a move that is lost outside the search, such as in transmission.
    pub lag: Duration,
}

impl Clock {
    /// Returns a clock of a fixed time for the rest of the game.
    pub fn sudden_death(left: Duration) -> Clock {
        Clock { left, ..Clock::default() }
    }

    /// Returns the most time that a search may use for this move: all but a reserve, which absorbs
    /// what a search takes beyond its limit. When little more than the reserve is left, a part of
    /// it can be used. Half of the byo-yomi can always be used, because it is renewed.
    pub fn most(&self) -> Duration {
        let available = (self.left + self.byoyomi).saturating_sub(self.lag);
        let reserve = LEAST_RESERVE.max(available.mul_f64(RESERVED_SHARE));
        let last = available.saturating_sub(LAST_RESERVE) / LAST_PARTS;
        let renewed = self.byoyomi.checked_sub(self.lag).unwrap_or(self.byoyomi);
        available.saturating_sub(reserve).max(last).max(renewed / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_reserve_is_kept() {
        assert_eq!(Clock::sudden_death(ms(20_000)).most(), ms(19_600));
        assert_eq!(Clock::sudden_death(ms(500)).most(), ms(480));
        assert_eq!(Clock::sudden_death(ms(15)).most(), ms(0));
        let lag = ms(50);
        assert_eq!(Clock { lag, ..Clock::sudden_death(ms(500)) }.most(), ms(430));
        let byoyomi = Clock { byoyomi: ms(1000), lag, ..Clock::default() };
        assert_eq!(byoyomi.most(), ms(930));
        assert_eq!(Clock { byoyomi: ms(20), lag, ..Clock::default() }.most(), ms(10));
    }

    #[test]
    fn the_last_moves_have_some_time() {
        assert_eq!(Clock::sudden_death(ms(26)).most(), ms(6));
        assert_eq!(Clock::sudden_death(ms(19)).most(), ms(1));
        assert_eq!(Clock::sudden_death(ms(17)).most(), ms(1) / 2);
        assert_eq!(Clock { lag: ms(50), ..Clock::sudden_death(ms(69)) }.most(), ms(1));
        assert_eq!(Clock { lag: ms(50), ..Clock::sudden_death(ms(40)) }.most(), ms(0));
    }
}
