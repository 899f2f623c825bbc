//! `go`: what may be used for a move.

use std::time::Duration;
use tesuji_catalog::Clock;
use tesuji_core::{Limits, Player};

/// So much of a time that runs out with every move is left for the way to the other program. Raising it wastes time, lowering it loses games
/// on slow machines.
const MARGIN: Duration = Duration::from_millis(50);

/// The words behind `go`.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Go {
    /// The move is not wanted before `stop`.
    pub infinite: bool,
    /// The opponent is still to move: the time does not run before `ponderhit`.
    pub ponder: bool,
    /// A forced win is wanted, and nothing but that; within so long, if it says.
    pub mate: Option<Option<Duration>>,
    /// The time left, by seat.
    left: [Option<Duration>; 2],
    /// What every move adds, by seat.
    increment: [Duration; 2],
    /// What there is for every move when no time is left.
    byoyomi: Option<Duration>,
    movetime: Option<Duration>,
    nodes: Option<u64>,
    /// The longest line that has to be looked at.
    pub depth: Option<u32>,
}

impl Go {
    /// Reads the words, and what is to be said about those that were not understood. Unknown words are passed over, as the protocol asks.
    pub fn read(words: &[&str]) -> (Go, Vec<String>) {
        let mut go = Go::default();
        let mut complaints = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let key = words[at];
            at += 1;
            match key {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "mate" => {
                    let time = words.get(at).and_then(|word| milliseconds(word));
                    at += usize::from(words.get(at).is_some_and(|word| time.is_some() || *word == "infinite"));
                    go.mate = Some(time);
                }
                "searchmoves" => {
                    complaints.push("go searchmoves is not understood; all moves are searched".to_string())
                }
                "btime" | "wtime" | "binc" | "winc" | "byoyomi" | "movetime" | "nodes" | "depth" => {
                    let word = words.get(at).copied().unwrap_or("");
                    at += 1;
                    if go.set(key, word).is_none() {
                        complaints.push(format!("go {key} {word:?} is not accepted; it takes a whole number"));
                    }
                }
                _ => {}
            }
        }
        (go, complaints)
    }

    fn set(&mut self, key: &str, word: &str) -> Option<()> {
        match key {
            "btime" => self.left[0] = Some(milliseconds(word)?),
            "wtime" => self.left[1] = Some(milliseconds(word)?),
            "binc" => self.increment[0] = milliseconds(word)?,
            "winc" => self.increment[1] = milliseconds(word)?,
            "byoyomi" => self.byoyomi = Some(milliseconds(word)?),
            "movetime" => self.movetime = Some(milliseconds(word)?),
            // A search that may do nothing has no move to answer.
            "nodes" => self.nodes = Some(word.parse::<u64>().ok()?.max(1)),
            _ => self.depth = Some(word.parse().ok()?),
        }
        Some(())
    }

    /// The limits for a player, none of them beyond `most`, which hold whatever is asked.
    pub fn limits(&self, player: Player, most: Limits) -> Limits {
        let time = self.time(player).filter(|_| !self.infinite);
        let nodes = self.nodes.filter(|_| !self.infinite);
        Limits { time: least(time, most.time), nodes: least(nodes, most.nodes), ..most }
    }

    fn time(&self, player: Player) -> Option<Duration> {
        if self.movetime.is_some() {
            return self.movetime;
        }
        let seat = player.index();
        if self.left[seat].is_none() && self.byoyomi.is_none() {
            return None;
        }
        let clock = Clock { left: self.left[seat].unwrap_or_default(), increment: self.increment[seat] };
        let byoyomi = self.byoyomi.unwrap_or_default();
        Some(clock.share() + byoyomi.saturating_sub(MARGIN).max(byoyomi / 2))
    }
}

/// A time; one that has run out may be told as less than nothing.
fn milliseconds(word: &str) -> Option<Duration> {
    let number: i64 = word.parse().ok()?;
    Some(Duration::from_millis(u64::try_from(number).unwrap_or(0)))
}

fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Go, Vec<String>) {
        Go::read(&line.split_ascii_whitespace().collect::<Vec<_>>())
    }

    fn time(line: &str, player: Player) -> Option<u128> {
        let (go, complaints) = read(line);
        assert_eq!(complaints, Vec::<String>::new(), "{line}");
        go.limits(player, Limits::default()).time.map(|time| time.as_millis())
    }

    #[test]
    fn each_side_has_its_clock() {
        let line = "btime 50000 wtime 25000 binc 1000 winc 0";
        assert_eq!(time(line, Player::FIRST), Some(2800));
        assert_eq!(time(line, Player::SECOND), Some(1000));
    }

    #[test]
    fn byoyomi_comes_on_top_and_leaves_a_margin() {
        assert_eq!(time("btime 0 wtime 0 byoyomi 1000", Player::FIRST), Some(950));
        assert_eq!(time("byoyomi 20", Player::SECOND), Some(10));
        assert_eq!(time("btime 25000 wtime 0 byoyomi 1000", Player::FIRST), Some(1950));
        assert_eq!(time("btime -30 wtime 0 byoyomi 1000", Player::FIRST), Some(950));
        assert_eq!(time("movetime 300 byoyomi 1000", Player::FIRST), Some(300));
        assert_eq!(time("infinite btime 1000", Player::FIRST), None);
        assert_eq!(time("", Player::FIRST), None);
    }

    #[test]
    fn what_the_engine_was_started_with_holds_whatever_is_asked() {
        let most = Limits { playouts: Some(10), nodes: Some(100), time: Some(Duration::from_millis(5)), memory: None };
        let limits = |line| read(line).0.limits(Player::FIRST, most);
        assert_eq!(limits("movetime 1000 nodes 500"), most);
        assert_eq!(limits("infinite"), most);
        assert_eq!(limits("nodes 7").nodes, Some(7));
        assert_eq!(limits("nodes 0").nodes, Some(1));
    }

    #[test]
    fn what_is_not_a_number_is_named() {
        let (go, complaints) = read("nodes many depth byoyomi movetime 1e3 sideways searchmoves 2e3d");
        assert_eq!(go, Go::default());
        for (complaint, value) in complaints.iter().zip(["many", "byoyomi", "1e3", "searchmoves"]) {
            assert!(complaint.contains(value), "{complaint}");
        }
        assert_eq!(complaints.len(), 4);
    }

    #[test]
    fn a_mate_may_have_a_time() {
        assert_eq!(read("mate 5000").0.mate, Some(Some(Duration::from_secs(5))));
        assert_eq!(read("mate infinite").0, Go { mate: Some(None), ..Go::default() });
        assert_eq!(read("mate").0.mate, Some(None));
        assert_eq!(read("mate nodes 5").0.nodes, Some(5));
    }
}
