//! A USI program as a player.

use super::info::ReportedInfo;
use super::{Notation, NotationError};
use crate::{Child, Children};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, Agent, Choice, Fault, Session, Turn};
use tesuji_core::{Limits, quoted};

/// How long a program may take to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// Until `usiok` and `readyok`, when programs load their tables.
    pub start: Duration,
    /// For a move, beyond its time limit. The referee judges overruns.
    pub grace: Duration,
    /// For a move without a time limit.
    pub untimed: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts { start: Duration::from_secs(60), grace: Duration::from_secs(10), untimed: Duration::from_secs(600) }
    }
}

/// The longest wait for a move after `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// How often the stop flag is checked.
const POLL: Duration = Duration::from_millis(50);
/// A mebibyte, the unit of memory in USI.
const MEBIBYTE: usize = 1 << 20;
/// The names of the option for the game. Fairy-Stockfish 11 has the first even in its USI mode,
/// later versions the second.
const VARIANT: [&str; 2] = ["UCI_Variant", "USI_Variant"];
/// The names of the option for memory.
const MEMORY: [&str; 2] = ["USI_Hash", "Hash"];
const THREADS: [&str; 1] = ["Threads"];

/// A USI program as a player.
///
/// The command line may start with options: in `"Skill Level=3" Threads=2 fairy-stockfish`, the
/// words with `=` before the program are set before the first game. The option `UCI_Variant`
/// selects the game; a program without it must be configured for the game.
pub struct UsiPlayer {
    child: Child,
    name: String,
    offered: Vec<OfferedOption>,
    /// The options set so far, by name.
    set: Vec<(String, String)>,
    /// The names of the options on the command line, which are not changed.
    given: Vec<String>,
    notation: Notation,
    timeouts: Timeouts,
}

/// An option that the program offers.
struct OfferedOption {
    name: String,
    /// The values of a combo option.
    choices: Vec<String>,
}

impl UsiPlayer {
    /// Starts a program for a game and registers it in `children`.
    pub fn start(command_line: &str, game: &dyn Session, children: &Children) -> Result<UsiPlayer, Fault> {
        UsiPlayer::start_with(command_line, game, children, Timeouts::default())
    }

    /// Starts a program with other timeouts.
    pub fn start_with(
        command_line: &str,
        game: &dyn Session,
        children: &Children,
        timeouts: Timeouts,
    ) -> Result<UsiPlayer, Fault> {
        let notation = Notation::of(game).map_err(unable)?;
        let (given, command_line) = split_options(command_line);
        let child = Child::start(&command_line, children)?;
        let mut player = UsiPlayer {
            child,
            name: command_line,
            offered: Vec::new(),
            set: Vec::new(),
            given: given.iter().map(|(name, _)| name.clone()).collect(),
            notation,
            timeouts,
        };
        player.handshake()?;
        for (name, value) in given {
            if !player.offers(&name) {
                let names: Vec<&str> = player.offered.iter().map(|option| option.name.as_str()).collect();
                let reason = format!("{} has no option {}; it has {}", player.name, quoted(&name), names.join(", "));
                return Err(Fault::Unable(reason));
            }
            player.set(&name, &value)?;
        }
        player.choose_variant()?;
        player.wait_until_ready()?;
        Ok(player)
    }

    fn handshake(&mut self) -> Result<(), Fault> {
        self.child.send("usi")?;
        let deadline = Instant::now() + self.timeouts.start;
        loop {
            let line = self.receive("usi", deadline)?;
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words.as_slice() {
                ["usiok", ..] => return Ok(()),
                ["id", "name", name @ ..] if !name.is_empty() => self.name = name.join(" "),
                ["option", "name", rest @ ..] => self.offered.extend(OfferedOption::read(rest)),
                _ => {}
            }
        }
    }

    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.child.send("isready")?;
        let deadline = Instant::now() + self.timeouts.start;
        while self.receive("isready", deadline)?.trim() != "readyok" {}
        Ok(())
    }

    /// Returns the next line, if it comes before the deadline. `command` is named in the error.
    fn receive(&mut self, command: &str, deadline: Instant) -> Result<String, Fault> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.child.receive(left).map_err(|fault| match fault {
            Fault::Silent(_) => Fault::Silent(format!("{} did not answer {command:?}", self.name)),
            fault => fault,
        })
    }

    fn offers(&self, name: &str) -> bool {
        self.offered.iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if self.set.iter().any(|(set, to)| set.eq_ignore_ascii_case(name) && to == value) {
            return Ok(());
        }
        self.child.send(&format!("setoption name {name} value {value}"))?;
        self.set.retain(|(set, _)| !set.eq_ignore_ascii_case(name));
        self.set.push((name.to_string(), value.to_string()));
        Ok(())
    }

    /// Sets the first of these options that the program offers, unless the command line gave it.
    fn set_if_offered(&mut self, names: &[&str], value: &str) -> Result<(), Fault> {
        let is_given = |name: &&str| self.given.iter().any(|given| given.eq_ignore_ascii_case(name));
        match names.iter().find(|name| self.offers(name)) {
            Some(name) if !is_given(name) => self.set(name, value),
            _ => Ok(()),
        }
    }

    fn choose_variant(&mut self) -> Result<(), Fault> {
        let variant = self.notation.variant();
        let mut options = self.offered.iter().filter(|option| VARIANT.contains(&option.name.as_str()));
        if let Some(option) = options.find(|option| !option.choices.iter().any(|choice| choice == variant)) {
            let reason = format!("{} does not offer {variant:?} as {}", self.name, option.name);
            return Err(Fault::Unable(reason));
        }
        self.set_if_offered(&VARIANT, variant)
    }

    /// Returns the `go` command of a turn and its timeout; `None` to wait until the game is
    /// stopped.
    fn go(&self, turn: &Turn<'_>) -> (String, Option<Duration>) {
        let Limits { time, nodes, .. } = turn.limits.in_nodes_for(false);
        let mut text = "go".to_string();
        if let Some(nodes) = nodes {
            text += &format!(" nodes {nodes}");
        }
        let timeout = match (turn.clock, time) {
            (Some(clock), _) => {
                // The opponent's time is not known here; programs play as well if it is assumed
                // equal.
                let (left, increment) = (clock.left.as_millis(), clock.increment.as_millis());
                text += &format!(" btime {left} wtime {left} binc {increment} winc {increment}");
                clock.left.saturating_add(self.timeouts.grace)
            }
            (None, Some(time)) => {
                // Every program has byoyomi, but some leave much of it unused (Fairy-Stockfish 11
                // three quarters of 100 ms). Programs with `movetime` use all of it.
                let millis = time.as_millis().max(1);
                text += &format!(" btime 0 wtime 0 byoyomi {millis} movetime {millis}");
                time.saturating_add(self.timeouts.grace)
            }
            (None, None) if nodes.is_some() => self.timeouts.untimed,
            (None, None) => return (text + " infinite", None),
        };
        (text, Some(timeout))
    }

    /// Sends `go` and returns the arguments of `bestmove` and the information before it.
    fn best_move(&mut self, turn: &Turn<'_>) -> Result<(Vec<String>, ReportedInfo), Fault> {
        let (go, timeout) = self.go(turn);
        self.child.send(&go)?;
        let mut deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let mut stopped = false;
        let mut info = ReportedInfo::default();
        loop {
            if turn.stop.load(Relaxed) && !stopped {
                self.child.send("stop")?;
                stopped = true;
                deadline = Some(Instant::now() + self.timeouts.grace.min(STOP_TIMEOUT));
            }
            let poll = Instant::now() + POLL;
            let until = deadline.map_or(poll, |deadline| deadline.min(poll));
            let line = match self.receive(&go, until) {
                Ok(line) => line,
                Err(Fault::Silent(_)) if deadline.is_none_or(|deadline| Instant::now() < deadline) => continue,
                Err(fault) => return Err(fault),
            };
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words.as_slice() {
                ["bestmove", rest @ ..] => return Ok((rest.iter().map(|word| word.to_string()).collect(), info)),
                ["info", rest @ ..] => info.add(rest),
                _ => {}
            }
            // The timeout also holds for programs that keep sending other lines.
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Fault::Silent(format!("{} did not answer {go:?}", self.name)));
            }
        }
    }
}

impl Agent for UsiPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, game: &dyn Session) -> Result<(), Fault> {
        self.notation = Notation::of(game).map_err(unable)?;
        self.choose_variant()?;
        self.child.send("usinewgame")?;
        self.wait_until_ready()
    }

    fn choose(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Choice, Fault> {
        if let Some(mv) = capture_of_royal(self.notation, game) {
            let action = Action::Move(mv);
            let counters = tesuji_core::Counters::default();
            return Ok(Choice { action, line: Vec::new(), value: Some(1.0), counters, planned_seconds: None });
        }
        let position = self
            .notation
            .write_game(game)
            .ok_or_else(|| Fault::Unable(format!("{:?} cannot be written in USI", game.game_text())))?;
        self.set_if_offered(&THREADS, &turn.threads.to_string())?;
        if let Some(memory) = turn.limits.memory {
            self.set_if_offered(&MEMORY, &(memory / MEBIBYTE).max(1).to_string())?;
        }
        self.child.send(&format!("position {position}"))?;
        let (words, ReportedInfo { value, counters }) = self.best_move(turn)?;
        let action = match words.first().map(String::as_str) {
            None => return Err(Fault::Protocol(format!("{} sent bestmove without a move", self.name))),
            Some("resign") => Action::Resign,
            Some(word) => {
                let mv = self.notation.read_move(word).filter(|mv| game.legal_moves().contains(mv));
                let illegal = || Fault::Illegal(format!("{} in {:?}", quoted(word), game.text()));
                Action::Move(mv.ok_or_else(illegal)?)
            }
        };
        Ok(Choice { action, line: Vec::new(), value, counters, planned_seconds: None })
    }
}

impl Drop for UsiPlayer {
    fn drop(&mut self) {
        // The program may have exited already; if not, dropping the child ends it.
        let _ = self.child.send("quit");
    }
}

impl OfferedOption {
    /// Parses the arguments of `option name`: a name of several words, `type`, and the values.
    fn read(words: &[&str]) -> Option<OfferedOption> {
        let at = words.iter().position(|&word| word == "type")?;
        let choices = words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1].to_string());
        Some(OfferedOption { name: words[..at].join(" "), choices: choices.collect() })
    }
}

/// Returns a move that captures the royal piece, if there is one. Programs assume that the piece is
/// never left attacked and have no move in such a position; Tesuji's rules allow it, and the
/// capture wins.
fn capture_of_royal(notation: Notation, game: &dyn Session) -> Option<String> {
    let letters = notation.royal()?;
    let count = |game: &dyn Session| game.text().matches(letters).count();
    let mut next = game.copy();
    game.legal_moves().into_iter().find(|mv| {
        let captures = next.play(mv).is_ok() && count(next.as_ref()) < letters.len();
        next.undo();
        captures
    })
}

/// Splits a command line into the options at its start and the rest.
fn split_options(command_line: &str) -> (Vec<(String, String)>, String) {
    let whole = || (Vec::new(), command_line.to_string());
    // A command line that cannot be split is refused when it is started.
    let Some(words) = shlex::split(command_line) else { return whole() };
    let options: Vec<(String, String)> = words
        .iter()
        .map_while(|word| word.split_once('='))
        .map(|(name, value)| (name.trim().to_string(), value.trim().to_string()))
        .collect();
    match shlex::try_join(words[options.len()..].iter().map(String::as_str)) {
        Ok(rest) if !options.is_empty() => (options, rest),
        _ => whole(),
    }
}

fn unable(error: NotationError) -> Fault {
    Fault::Unable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_a_value_before_the_program_are_options() {
        let split = |line: &str| split_options(line);
        let options = vec![("Skill Level".to_string(), "3".to_string()), ("Threads".to_string(), "2".to_string())];
        let (given, rest) = split("'Skill Level=3' Threads=2 engine --x=1 'a b'");
        assert_eq!((given, shlex::split(&rest)), (options, shlex::split("engine --x=1 'a b'")));
        assert_eq!(split("engine --x=1"), (Vec::new(), "engine --x=1".to_string()));
        assert_eq!(split("'engine"), (Vec::new(), "'engine".to_string()));
        assert_eq!(split("A=1"), (vec![("A".to_string(), "1".to_string())], String::new()));
    }

    #[test]
    fn options_may_have_names_of_several_words_and_choices() {
        let read = |line: &str| OfferedOption::read(&line.split(' ').collect::<Vec<_>>());
        let variant = read("UCI_Variant type combo default shogi var dobutsu var minishogi").unwrap();
        assert_eq!((variant.name.as_str(), variant.choices.len()), ("UCI_Variant", 2));
        assert_eq!(read("Skill Level type spin default 20").unwrap().name, "Skill Level");
        assert!(read("nothing").is_none());
    }
}
