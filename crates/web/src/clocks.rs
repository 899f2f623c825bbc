//! The clocks of a game.

use crate::message::ClockSettings;
use std::time::{Duration, Instant};
use tesuji_core::time::Clock;

/// One clock per seat; at most one of them runs.
pub struct Clocks {
    remaining: Vec<Duration>,
    increment: Duration,
    /// The seat whose clock runs, and when it was started.
    running: Option<(usize, Instant)>,
}

impl Clocks {
    pub fn new(settings: &ClockSettings, seats: usize) -> Result<Clocks, String> {
        let (time, increment) = settings.checked()?;
        Ok(Clocks { remaining: vec![time; seats], increment, running: None })
    }

    /// Runs the clock of `seat` from `now` on, or none, and stops the one that ran.
    pub fn switch_to(&mut self, seat: Option<usize>, now: Instant) {
        if self.running.map(|(seat, _)| seat) != seat {
            self.remaining = self.at(now);
            self.running = seat.map(|seat| (seat, now));
        }
    }

    /// Stops the running clock after a move and adds the increment. Returns false, and changes
    /// nothing, if its time was up.
    pub fn press(&mut self, now: Instant) -> bool {
        let Some((seat, _)) = self.running else { return true };
        if self.expired(now).is_some() {
            return false;
        }
        self.switch_to(None, now);
        self.remaining[seat] += self.increment;
        true
    }

    /// Returns the seat whose time is up.
    pub fn expired(&self, now: Instant) -> Option<usize> {
        self.expires_at().filter(|&at| at <= now).and(self.running).map(|(seat, _)| seat)
    }

    /// Returns when the time of the running clock is up.
    pub fn expires_at(&self) -> Option<Instant> {
        self.running.map(|(seat, since)| since + self.remaining[seat])
    }

    /// Returns the remaining time by seat.
    pub fn at(&self, now: Instant) -> Vec<Duration> {
        let mut remaining = self.remaining.clone();
        if let Some((seat, since)) = self.running {
            remaining[seat] = remaining[seat].saturating_sub(now.saturating_duration_since(since));
        }
        remaining
    }

    /// Returns the clock of a seat as a player sees it.
    pub fn of(&self, seat: usize, now: Instant) -> Clock {
        Clock { left: self.at(now)[seat], increment: self.increment, ..Clock::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_clock_of_the_player_to_move_runs() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let mut clocks = Clocks::new(&ClockSettings { seconds: 10.0, increment: 2.0 }, 2).unwrap();
        clocks.switch_to(Some(0), now);
        assert!(clocks.press(now + 3 * second));
        clocks.switch_to(Some(1), now + 3 * second);
        assert_eq!(clocks.at(now + 7 * second), [9 * second, 6 * second]);
        assert_eq!((clocks.expires_at(), clocks.expired(now + 12 * second)), (Some(now + 13 * second), None));
        assert_eq!(clocks.expired(now + 13 * second), Some(1));
        assert!(!clocks.press(now + 13 * second), "too late");
        clocks.switch_to(None, now + 5 * second);
        assert_eq!(clocks.at(now + 99 * second), [9 * second, 8 * second], "both are stopped");
    }

    #[test]
    fn invalid_clock_settings_are_refused() {
        for (seconds, increment) in [(-1.0, 0.0), (1.0, -2.0), (1e12, 0.0)] {
            let error = Clocks::new(&ClockSettings { seconds, increment }, 2).err().unwrap();
            assert!(error.contains("from 0 to 604800"), "{error}");
        }
    }
}
