//! The clocks of a game.

use crate::message::ClockTerms;
use std::time::{Duration, Instant};
use tesuji_catalog::Clock;

/// A clock for every seat, of which one may go.
pub struct Clocks {
    left: Vec<Duration>,
    increment: Duration,
    /// Whose clock goes, and since when.
    going: Option<(usize, Instant)>,
}

impl Clocks {
    pub fn new(terms: &ClockTerms, seats: usize) -> Result<Clocks, String> {
        let (time, increment) = terms.checked()?;
        Ok(Clocks { left: vec![time; seats], increment, going: None })
    }

    /// Lets the clock of a seat go from `now` on, or none. The one that went stands.
    pub fn turn_to(&mut self, seat: Option<usize>, now: Instant) {
        if self.going.map(|(seat, _)| seat) != seat {
            self.left = self.at(now);
            self.going = seat.map(|seat| (seat, now));
        }
    }

    /// A move was made: what it adds is added, unless the time was up. False if it was.
    pub fn moved(&mut self, now: Instant) -> bool {
        let Some((seat, _)) = self.going else { return true };
        if self.fallen(now).is_some() {
            return false;
        }
        self.turn_to(None, now);
        self.left[seat] += self.increment;
        true
    }

    /// The seat whose time is up.
    pub fn fallen(&self, now: Instant) -> Option<usize> {
        self.falls().filter(|&at| at <= now).and(self.going).map(|(seat, _)| seat)
    }

    /// When the time of the clock that goes is up.
    pub fn falls(&self) -> Option<Instant> {
        self.going.map(|(seat, since)| since + self.left[seat])
    }

    /// What is left by seat.
    pub fn at(&self, now: Instant) -> Vec<Duration> {
        let mut left = self.left.clone();
        if let Some((seat, since)) = self.going {
            left[seat] = left[seat].saturating_sub(now.saturating_duration_since(since));
        }
        left
    }

    /// The clock as a player sees it.
    pub fn of(&self, seat: usize, now: Instant) -> Clock {
        Clock { left: self.at(now)[seat], increment: self.increment }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_clock_of_the_player_to_move_goes() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let mut clocks = Clocks::new(&ClockTerms { seconds: 10.0, increment: 2.0 }, 2).unwrap();
        clocks.turn_to(Some(0), now);
        assert!(clocks.moved(now + 3 * second));
        clocks.turn_to(Some(1), now + 3 * second);
        assert_eq!(clocks.at(now + 7 * second), [9 * second, 6 * second]);
        assert_eq!((clocks.falls(), clocks.fallen(now + 12 * second)), (Some(now + 13 * second), None));
        assert_eq!(clocks.fallen(now + 13 * second), Some(1));
        assert!(!clocks.moved(now + 13 * second), "too late");
        clocks.turn_to(None, now + 5 * second);
        assert_eq!(clocks.at(now + 99 * second), [9 * second, 8 * second], "they stand");
    }

    #[test]
    fn clocks_that_make_no_sense_are_refused() {
        for (seconds, increment) in [(-1.0, 0.0), (1.0, -2.0), (1e12, 0.0)] {
            let error = Clocks::new(&ClockTerms { seconds, increment }, 2).err().unwrap();
            assert!(error.contains("from 0 to 604800"), "{error}");
        }
    }
}
