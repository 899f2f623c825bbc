//! The time controls of GTP.

use crate::command::Refusal;
use std::time::Duration;
use tesuji_core::quoted;
use tesuji_core::time::Clock;

/// The part of each move's time reserved for transmission. Raising it makes moves quicker and
/// overruns rarer.
const LAG: Duration = Duration::from_millis(50);

/// The time after the main time is used up.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Overtime {
    /// None: the game is lost.
    None,
    /// Canadian byo-yomi: `moves` moves in every `time`.
    Moves { time: Duration, moves: u32 },
    /// Japanese byo-yomi: a move uses up a period only if it takes longer than `time`.
    Periods { time: Duration },
}

/// The remaining time of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Remaining {
    time: Duration,
    /// The moves or periods left in overtime; 0 during the main time.
    overtime: u32,
}

/// The clocks of both players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clocks {
    overtime: Overtime,
    sides: [Remaining; 2],
}

impl Clocks {
    /// `time_settings MAIN BYO_YOMI STONES`; `None` for no limit, which GTP writes as a byo-yomi
    /// time without stones. All zeros mean no limit too, as in GNU Go.
    pub fn canadian(main: Duration, time: Duration, moves: u32) -> Option<Clocks> {
        match moves {
            0 if !time.is_zero() || main.is_zero() => None,
            0 => Some(Clocks::new(main, Overtime::None)),
            moves => Some(Clocks::new(main, Overtime::Moves { time, moves })),
        }
    }

    /// `kgs-time_settings KIND ...`.
    pub fn kgs(arguments: &[String]) -> Result<Option<Clocks>, Refusal> {
        let numbers: Result<Vec<Duration>, Refusal> =
            arguments.iter().skip(1).map(|argument| seconds(argument)).collect();
        let kind = arguments.first().map(String::as_str);
        match (kind, numbers?.as_slice()) {
            (Some("none"), []) => Ok(None),
            (Some("absolute"), &[main]) => Ok(Some(Clocks::new(main, Overtime::None))),
            (Some("byoyomi"), &[main, time, _]) => Ok(Some(Clocks::new(main, Overtime::Periods { time }))),
            (Some("canadian"), &[main, time, moves]) => Ok(Clocks::canadian(main, time, moves.as_secs() as u32)),
            _ => Err(Refusal::new(
                "it takes none, absolute MAIN, byoyomi MAIN PERIOD PERIODS or canadian MAIN PERIOD STONES",
            )),
        }
    }

    fn new(main: Duration, overtime: Overtime) -> Clocks {
        let mut clocks = Clocks { overtime, sides: [Remaining { time: main, overtime: 0 }; 2] };
        if main.is_zero() {
            clocks.sides = [clocks.start_of_overtime(); 2];
        }
        clocks
    }

    fn start_of_overtime(&self) -> Remaining {
        match self.overtime {
            Overtime::None => Remaining { time: Duration::ZERO, overtime: 0 },
            Overtime::Moves { time, moves } => Remaining { time, overtime: moves },
            Overtime::Periods { time } => Remaining { time, overtime: 1 },
        }
    }

    /// `time_left`: sets the remaining time of a player.
    pub fn set(&mut self, seat: usize, time: Duration, overtime: u32) {
        self.sides[seat] = Remaining { time, overtime };
    }

    /// Returns the clock of a player, for its time manager.
    pub fn clock(&self, seat: usize) -> Clock {
        let Remaining { time, overtime } = self.sides[seat];
        let clock = Clock { lag: LAG, ..Clock::default() };
        match (self.overtime, overtime) {
            (Overtime::Periods { .. }, 1..) => Clock { byoyomi: time, ..clock },
            (_, moves @ 1..) => Clock { left: time, moves_to_go: Some(moves), ..clock },
            (Overtime::None, 0) => Clock { left: time, ..clock },
            // A move of the overtime is available in any case.
            (Overtime::Moves { time: period, moves }, 0) => Clock { left: time, byoyomi: period / moves, ..clock },
            (Overtime::Periods { time: period }, 0) => Clock { left: time, byoyomi: period, ..clock },
        }
    }

    /// Subtracts the time of a move, for controllers that do not send `time_left`.
    pub fn spend(&mut self, seat: usize, spent: Duration) {
        let Remaining { time, overtime } = self.sides[seat];
        self.sides[seat] = match (self.overtime, overtime) {
            (Overtime::Periods { time }, 1..) => Remaining { time, overtime },
            (Overtime::Moves { .. }, 1) => self.start_of_overtime(),
            (_, moves @ 1..) => Remaining { time: time.saturating_sub(spent), overtime: moves - 1 },
            (Overtime::None, 0) => Remaining { time: time.saturating_sub(spent), overtime: 0 },
            (_, 0) if spent >= time => self.start_of_overtime(),
            (_, 0) => Remaining { time: time - spent, overtime: 0 },
        };
    }
}

/// Parses a time in seconds.
pub fn seconds(word: &str) -> Result<Duration, Refusal> {
    let seconds = word.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // Rejects values that would overflow later sums.
    let bounded = seconds.filter(|time| *time < Duration::from_secs(365 * 24 * 3600));
    bounded.ok_or_else(|| Refusal(format!("{word} is not a time; it takes seconds", word = quoted(word))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn byo_yomi_without_stones_is_no_limit() {
        assert_eq!(Clocks::canadian(secs(60), secs(10), 0), None);
        assert_eq!(Clocks::canadian(secs(0), secs(0), 0), None);
        assert!(Clocks::canadian(secs(1), secs(0), 0).is_some());
    }

    /// The time left, the byo-yomi and the moves to go, in seconds.
    fn shown(clocks: &Clocks, seat: usize) -> (f64, f64, Option<u32>) {
        let Clock { left, increment, byoyomi, moves_to_go, lag } = clocks.clock(seat);
        assert_eq!((increment, lag), (Duration::ZERO, LAG));
        (left.as_secs_f64(), byoyomi.as_secs_f64(), moves_to_go)
    }

    #[test]
    fn a_period_is_available_for_every_move() {
        let clocks = Clocks::canadian(secs(0), secs(10), 1).unwrap();
        assert_eq!(shown(&clocks, 0), (10.0, 0.0, Some(1)));
        let mut periods = Clocks::kgs(&["byoyomi", "0", "10", "3"].map(str::to_string)).unwrap().unwrap();
        assert_eq!(shown(&periods, 1), (0.0, 10.0, None));
        periods.spend(1, secs(9));
        assert_eq!(shown(&periods, 1), (0.0, 10.0, None));
    }

    #[test]
    fn stones_share_their_period_which_then_restarts() {
        let mut clocks = Clocks::canadian(secs(0), secs(30), 3).unwrap();
        assert_eq!(shown(&clocks, 0), (30.0, 0.0, Some(3)));
        clocks.spend(0, secs(20));
        assert_eq!(shown(&clocks, 0), (10.0, 0.0, Some(2)));
        clocks.spend(0, secs(1));
        clocks.spend(0, secs(9));
        assert_eq!(shown(&clocks, 0), (30.0, 0.0, Some(3)));
        assert_eq!(shown(&clocks, 1), (30.0, 0.0, Some(3)));
    }

    #[test]
    fn main_time_comes_before_the_overtime() {
        let mut clocks = Clocks::canadian(secs(100), secs(0), 0).unwrap();
        assert_eq!(shown(&clocks, 0), (100.0, 0.0, None));
        clocks.spend(0, secs(50));
        assert_eq!(shown(&clocks, 0), (50.0, 0.0, None));
        clocks.set(0, secs(10), 0);
        assert_eq!(shown(&clocks, 0), (10.0, 0.0, None));
        clocks.spend(0, secs(99));
        assert_eq!(shown(&clocks, 0), (0.0, 0.0, None));
        let mut clocks = Clocks::canadian(secs(10), secs(30), 3).unwrap();
        assert_eq!(shown(&clocks, 0), (10.0, 10.0, None));
        clocks.spend(1, secs(11));
        assert_eq!(shown(&clocks, 1), (30.0, 0.0, Some(3)));
        let periods = Clocks::kgs(&["byoyomi", "60", "10", "3"].map(str::to_string)).unwrap().unwrap();
        assert_eq!(shown(&periods, 0), (60.0, 10.0, None));
    }

    #[test]
    fn invalid_times_are_rejected() {
        for word in ["-1", "x", "", "1e300", "nan", "inf"] {
            assert!(seconds(word).is_err(), "{word}");
        }
        assert!(Clocks::kgs(&["often".to_string()]).is_err());
        assert!(Clocks::kgs(&[]).is_err());
        assert_eq!(Clocks::kgs(&["none".to_string()]), Ok(None));
    }
}
