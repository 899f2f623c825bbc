//! What time a game is played with, as the protocol tells it.

use crate::command::Refusal;
use std::time::Duration;
use tesuji_catalog::Clock;

/// So much of the time for one move is not used, because the answer has to travel. Raising it makes moves quicker and overruns rarer.
const TRAVEL: Duration = Duration::from_millis(50);
/// At most this share of the time for one move is used: a search ends a little after its limit.
const USED: f64 = 0.95;

/// What comes when the main time is used up.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Overtime {
    /// Nothing: the game is lost.
    None,
    /// So many moves in so much time, again and again.
    Moves { time: Duration, moves: u32 },
    /// Periods of which one is used up only by a move that takes longer.
    Periods { time: Duration },
}

/// What is left for one side.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Left {
    time: Duration,
    /// Moves, or periods, that are left in the overtime; 0 before it.
    overtime: u32,
}

/// The clocks of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clocks {
    overtime: Overtime,
    sides: [Left; 2],
}

impl Clocks {
    /// `time_settings MAIN BYO_YOMI STONES`; `None` if there is no limit, which is written as a byo-yomi time without stones. No time at all is no limit
    /// either, as in GNU Go: nobody can play in none.
    pub fn canadian(main: Duration, time: Duration, moves: u32) -> Option<Clocks> {
        match moves {
            0 if !time.is_zero() || main.is_zero() => None,
            0 => Some(Clocks::new(main, Overtime::None)),
            moves => Some(Clocks::new(main, Overtime::Moves { time, moves })),
        }
    }

    /// `kgs-time_settings KIND ...`.
    pub fn kgs(words: &[String]) -> Result<Option<Clocks>, Refusal> {
        let numbers: Result<Vec<Duration>, Refusal> = words.iter().skip(1).map(|word| seconds(word)).collect();
        let kind = words.first().map(String::as_str);
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
        let mut clocks = Clocks { overtime, sides: [Left { time: main, overtime: 0 }; 2] };
        if main.is_zero() {
            clocks.sides = [clocks.overtime_begins(); 2];
        }
        clocks
    }

    fn overtime_begins(&self) -> Left {
        match self.overtime {
            Overtime::None => Left { time: Duration::ZERO, overtime: 0 },
            Overtime::Moves { time, moves } => Left { time, overtime: moves },
            Overtime::Periods { time } => Left { time, overtime: 1 },
        }
    }

    /// `time_left`: what is left for a side.
    pub fn set(&mut self, seat: usize, time: Duration, overtime: u32) {
        self.sides[seat] = Left { time, overtime };
    }

    /// The time for a move of a side.
    pub fn share(&self, seat: usize) -> Duration {
        let Left { time, overtime } = self.sides[seat];
        let share = match (self.overtime, overtime) {
            (Overtime::Periods { .. }, 1..) => time,
            (_, moves @ 1..) => time / moves,
            (Overtime::None, 0) => return Clock { left: time, increment: Duration::ZERO }.share(),
            // What the overtime gives for a move can be counted on.
            (Overtime::Moves { time: period, moves }, 0) => {
                return Clock { left: time, increment: period / moves }.share().max(used(period / moves));
            }
            (Overtime::Periods { time: period }, 0) => {
                return Clock { left: time, increment: period }.share().max(used(period));
            }
        };
        used(share)
    }

    /// Takes what a move took from the clock of a side, for controllers that do not tell what is left.
    pub fn spend(&mut self, seat: usize, spent: Duration) {
        let Left { time, overtime } = self.sides[seat];
        self.sides[seat] = match (self.overtime, overtime) {
            (Overtime::Periods { time }, 1..) => Left { time, overtime },
            (Overtime::Moves { .. }, 1) => self.overtime_begins(),
            (_, moves @ 1..) => Left { time: time.saturating_sub(spent), overtime: moves - 1 },
            (Overtime::None, 0) => Left { time: time.saturating_sub(spent), overtime: 0 },
            (_, 0) if spent >= time => self.overtime_begins(),
            (_, 0) => Left { time: time - spent, overtime: 0 },
        };
    }
}

fn used(time: Duration) -> Duration {
    time.mul_f64(USED).saturating_sub(TRAVEL)
}

/// A time in seconds.
pub fn seconds(word: &str) -> Result<Duration, Refusal> {
    let seconds = word.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // A year and more is no limit that anybody means.
    let sensible = seconds.filter(|time| *time < Duration::from_secs(365 * 24 * 3600));
    sensible.ok_or_else(|| Refusal(format!("{word:?} is no time; it takes seconds")))
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

    #[test]
    fn one_move_in_a_period_has_nearly_all_of_it() {
        let clocks = Clocks::canadian(secs(0), secs(10), 1).unwrap();
        assert_eq!(clocks.share(0), secs(10).mul_f64(USED) - TRAVEL);
        let mut periods = Clocks::kgs(&["byoyomi", "0", "10", "3"].map(str::to_string)).unwrap().unwrap();
        assert_eq!(periods.share(1), clocks.share(1));
        periods.spend(1, secs(9));
        assert_eq!(periods.share(1), clocks.share(1));
    }

    #[test]
    fn stones_share_their_period_which_begins_anew() {
        let mut clocks = Clocks::canadian(secs(0), secs(30), 3).unwrap();
        assert_eq!(clocks.share(0), used(secs(10)));
        clocks.spend(0, secs(20));
        assert_eq!(clocks.share(0), used(secs(5)));
        clocks.spend(0, secs(1));
        clocks.spend(0, secs(9));
        assert_eq!(clocks.share(0), used(secs(10)));
        assert_eq!(clocks.share(1), used(secs(10)));
    }

    #[test]
    fn main_time_is_shared_and_then_overtime_begins() {
        let mut clocks = Clocks::canadian(secs(100), secs(0), 0).unwrap();
        assert_eq!(clocks.share(0), Clock { left: secs(100), increment: secs(0) }.share());
        clocks.spend(0, secs(50));
        assert_eq!(clocks.share(0), Clock { left: secs(50), increment: secs(0) }.share());
        clocks.set(0, secs(10), 0);
        assert_eq!(clocks.share(0), Clock { left: secs(10), increment: secs(0) }.share());
        clocks.spend(0, secs(99));
        assert_eq!(clocks.share(0), secs(0));
        let mut clocks = Clocks::canadian(secs(10), secs(30), 3).unwrap();
        clocks.spend(1, secs(11));
        assert_eq!(clocks.share(1), used(secs(10)));
        assert!(clocks.share(0) >= used(secs(10)));
    }

    #[test]
    fn nonsense_is_no_time() {
        for word in ["-1", "x", "", "1e300", "nan", "inf"] {
            assert!(seconds(word).is_err(), "{word}");
        }
        assert!(Clocks::kgs(&["often".to_string()]).is_err());
        assert!(Clocks::kgs(&[]).is_err());
        assert_eq!(Clocks::kgs(&["none".to_string()]), Ok(None));
    }
}
