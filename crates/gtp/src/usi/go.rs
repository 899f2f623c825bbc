//! The command `go`: the limits of a search.

use std::time::Duration;
use tesuji_core::time::Clock;
use tesuji_core::{Limits, Player, quoted};

/// The part of each move's time reserved for transmission. Raising it wastes time, lowering it
/// loses games on slow machines.
const MARGIN: Duration = Duration::from_millis(50);

/// The arguments of `go`.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Go {
    /// The move is held back until `stop`.
    pub infinite: bool,
    /// The opponent is still to move: the clock starts at `ponderhit`.
    pub ponder: bool,
    /// Search for a forced win only, within this time if given.
    pub mate: Option<Option<Duration>>,
    /// The remaining time by seat.
    left: [Option<Duration>; 2],
    /// The increment per move by seat.
    increment: [Duration; 2],
    /// The time per move after the main time.
    byoyomi: Option<Duration>,
    movetime: Option<Duration>,
    nodes: Option<u64>,
    /// The depth at which the search stops.
    pub depth: Option<u32>,
}

impl Go {
    /// Parses the arguments. Returns messages about invalid ones; unknown ones are ignored, as the
    /// protocol demands.
    pub fn read(words: &[&str]) -> (Go, Vec<String>) {
        let mut go = Go::default();
        let mut messages = Vec::new();
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
                "searchmoves" => messages.push("go searchmoves is not understood; all moves are searched".to_string()),
                "btime" | "wtime" | "binc" | "winc" | "byoyomi" | "movetime" | "nodes" | "depth" => {
                    let word = words.get(at).copied().unwrap_or("");
                    at += 1;
                    if go.set(key, word).is_none() {
                        messages.push(format!(
                            "go {key} {word} is not accepted; it takes a whole number",
                            word = quoted(word)
                        ));
                    }
                }
                _ => {}
            }
        }
        (go, messages)
    }

    fn set(&mut self, key: &str, word: &str) -> Option<()> {
        match key {
            "btime" => self.left[0] = Some(milliseconds(word)?),
            "wtime" => self.left[1] = Some(milliseconds(word)?),
            "binc" => self.increment[0] = milliseconds(word)?,
            "winc" => self.increment[1] = milliseconds(word)?,
            "byoyomi" => self.byoyomi = Some(milliseconds(word)?),
            "movetime" => self.movetime = Some(milliseconds(word)?),
            // A search without nodes has no move.
            "nodes" => self.nodes = Some(word.parse::<u64>().ok()?.max(1)),
            _ => self.depth = Some(word.parse().ok()?),
        }
        Some(())
    }

    /// Returns the limits of a move, none of them above `most`.
    pub fn limits(&self, most: Limits) -> Limits {
        let time = self.movetime.filter(|_| !self.infinite);
        let nodes = self.nodes.filter(|_| !self.infinite);
        Limits { time: least(time, most.time), nodes: least(nodes, most.nodes), ..most }
    }

    /// Returns the clock of a player, if the move is made on one.
    pub fn clock(&self, player: Player) -> Option<Clock> {
        let seat = player.index();
        let has_clock = self.left[seat].is_some() || self.byoyomi.is_some();
        (has_clock && self.movetime.is_none() && !self.infinite).then(|| Clock {
            left: self.left[seat].unwrap_or_default(),
            increment: self.increment[seat],
            byoyomi: self.byoyomi.unwrap_or_default(),
            moves_to_go: None,
            lag: MARGIN,
        })
    }
}

/// Parses a time. A negative time, which some programs send after an overrun, is zero.
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

    /// The time left, the increment and the byo-yomi in milliseconds.
    fn clock(line: &str, player: Player) -> Option<[u128; 3]> {
        let (go, messages) = read(line);
        assert_eq!(messages, Vec::<String>::new(), "{line}");
        go.clock(player).map(|clock| {
            assert_eq!(clock.lag, MARGIN);
            [clock.left, clock.increment, clock.byoyomi].map(|time| time.as_millis())
        })
    }

    #[test]
    fn each_player_has_a_clock() {
        let line = "btime 50000 wtime 25000 binc 1000 winc 0";
        assert_eq!(clock(line, Player::FIRST), Some([50_000, 1000, 0]));
        assert_eq!(clock(line, Player::SECOND), Some([25_000, 0, 0]));
    }

    #[test]
    fn byoyomi_is_a_clock_and_movetime_is_not() {
        assert_eq!(clock("btime 0 wtime 0 byoyomi 1000", Player::FIRST), Some([0, 0, 1000]));
        assert_eq!(clock("byoyomi 20", Player::SECOND), Some([0, 0, 20]));
        assert_eq!(clock("btime -30 wtime 0 byoyomi 1000", Player::FIRST), Some([0, 0, 1000]));
        assert_eq!(clock("movetime 300 byoyomi 1000", Player::FIRST), None);
        assert_eq!(read("movetime 300").0.limits(Limits::default()).time, Some(Duration::from_millis(300)));
        assert_eq!(clock("infinite btime 1000", Player::FIRST), None);
        assert_eq!(clock("", Player::FIRST), None);
    }

    #[test]
    fn the_limits_of_the_engine_are_never_exceeded() {
        let most = Limits { playouts: Some(10), nodes: Some(100), time: Some(Duration::from_millis(5)), memory: None };
        let limits = |line| read(line).0.limits(most);
        assert_eq!(limits("movetime 1000 nodes 500"), most);
        assert_eq!(limits("infinite"), most);
        assert_eq!(limits("nodes 7").nodes, Some(7));
        assert_eq!(limits("nodes 0").nodes, Some(1));
    }

    #[test]
    fn invalid_numbers_are_reported() {
        let (go, messages) = read("nodes many depth byoyomi movetime 1e3 sideways searchmoves 2e3d");
        assert_eq!(go, Go::default());
        for (message, value) in messages.iter().zip(["many", "byoyomi", "1e3", "searchmoves"]) {
            assert!(message.contains(value), "{message}");
        }
        assert_eq!(messages.len(), 4);
    }

    #[test]
    fn mate_has_an_optional_time() {
        assert_eq!(read("mate 5000").0.mate, Some(Some(Duration::from_secs(5))));
        assert_eq!(read("mate infinite").0, Go { mate: Some(None), ..Go::default() });
        assert_eq!(read("mate").0.mate, Some(None));
        assert_eq!(read("mate nodes 5").0.nodes, Some(5));
    }
}
