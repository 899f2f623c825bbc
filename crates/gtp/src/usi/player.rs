//! A USI program as a player.

use super::info::Heard;
use super::{Notation, NotationError};
use crate::Child;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, Choice, Fault, Player, Session, Turn};
use tesuji_core::Limits;

/// How long a program is waited for before it counts as silent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For `usiok` and `readyok`: programs load their tables then.
    pub start: Duration,
    /// For a move, beyond the time that it has. Whether it overran its time is for the referee to say.
    pub grace: Duration,
    /// For a move that is limited by something else than time.
    pub untimed: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { start: Duration::from_secs(60), grace: Duration::from_secs(10), untimed: Duration::from_secs(600) }
    }
}

/// How long a program has for its move when it is told to stop, at most: one that hangs must not keep whoever wants to leave.
const STOPPED: Duration = Duration::from_secs(2);
/// How often it is looked whether the game is still of interest.
const LOOK: Duration = Duration::from_millis(50);
/// A mebibyte, in which USI counts memory.
const MEBIBYTE: usize = 1 << 20;
/// The names under which programs offer the choice of a game. Fairy-Stockfish 11 has the first in its USI mode too, later ones the second.
const VARIANT: [&str; 2] = ["UCI_Variant", "USI_Variant"];
/// The names of the option for memory.
const MEMORY: [&str; 2] = ["USI_Hash", "Hash"];
const THREADS: [&str; 1] = ["Threads"];

/// A program that speaks USI, as a player.
///
/// The command line may begin with options: in `"Skill Level=3" Threads=2 fairy-stockfish`, the words with `=` before the program are set before
/// the first game. The game itself is chosen by the option `UCI_Variant` where the program has it; one that has not must know which game it plays.
pub struct UsiPlayer {
    child: Child,
    name: String,
    offered: Vec<Offered>,
    /// What was set last, by the name it is offered under.
    set: Vec<(String, String)>,
    /// The names of the options that were given with the command line, which stay.
    given: Vec<String>,
    notation: Notation,
    patience: Patience,
}

/// An option of the program.
struct Offered {
    name: String,
    /// The values it takes, where it is a choice.
    choices: Vec<String>,
}

impl UsiPlayer {
    /// Starts a program that is to play this game.
    pub fn start(command_line: &str, game: &dyn Session) -> Result<UsiPlayer, Fault> {
        UsiPlayer::start_with(command_line, game, Patience::default())
    }

    /// The same with another patience.
    pub fn start_with(command_line: &str, game: &dyn Session, patience: Patience) -> Result<UsiPlayer, Fault> {
        let notation = Notation::of(game).map_err(unable)?;
        let (given, command_line) = split_options(command_line);
        let child = Child::start(&command_line)?;
        let mut player = UsiPlayer {
            child,
            name: command_line,
            offered: Vec::new(),
            set: Vec::new(),
            given: given.iter().map(|(name, _)| name.clone()).collect(),
            notation,
            patience,
        };
        player.shake_hands()?;
        for (name, value) in given {
            if !player.offers(&name) {
                let names: Vec<&str> = player.offered.iter().map(|option| option.name.as_str()).collect();
                let reason = format!("{} has no option {name:?}; it has {}", player.name, names.join(", "));
                return Err(Fault::Unable(reason));
            }
            player.set(&name, &value)?;
        }
        player.choose_variant()?;
        player.wait_until_ready()?;
        Ok(player)
    }

    fn shake_hands(&mut self) -> Result<(), Fault> {
        self.child.say("usi")?;
        let deadline = Instant::now() + self.patience.start;
        loop {
            let line = self.hear("usi", deadline)?;
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words.as_slice() {
                ["usiok", ..] => return Ok(()),
                ["id", "name", name @ ..] if !name.is_empty() => self.name = name.join(" "),
                ["option", "name", rest @ ..] => self.offered.extend(Offered::read(rest)),
                _ => {}
            }
        }
    }

    fn wait_until_ready(&mut self) -> Result<(), Fault> {
        self.child.say("isready")?;
        let deadline = Instant::now() + self.patience.start;
        while self.hear("isready", deadline)?.trim() != "readyok" {}
        Ok(())
    }

    /// The next line, if it comes before the deadline; `question` is what it should be an answer to.
    fn hear(&mut self, question: &str, deadline: Instant) -> Result<String, Fault> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.child.hear(left).map_err(|fault| match fault {
            Fault::Silent(_) => Fault::Silent(format!("{} did not answer {question:?}", self.name)),
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
        self.child.say(&format!("setoption name {name} value {value}"))?;
        self.set.retain(|(set, _)| !set.eq_ignore_ascii_case(name));
        self.set.push((name.to_string(), value.to_string()));
        Ok(())
    }

    /// Sets the first of some options that the program has, unless it was given with the command line.
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

    /// The `go` for a turn, and how long its answer is waited for: `None` for as long as the game is of interest.
    fn go(&self, turn: &Turn<'_>) -> (String, Option<Duration>) {
        let Limits { time, nodes, .. } = turn.limits.in_nodes_for(false);
        let mut text = "go".to_string();
        if let Some(nodes) = nodes {
            text += &format!(" nodes {nodes}");
        }
        let patience = match (turn.clock, time) {
            (Some(clock), _) => {
                // How much the opponent has is not known; nobody plays worse for taking it for the same.
                let (left, increment) = (clock.left.as_millis(), clock.increment.as_millis());
                text += &format!(" btime {left} wtime {left} binc {increment} winc {increment}");
                clock.left.saturating_add(self.patience.grace)
            }
            (None, Some(time)) => {
                // Byoyomi is what every program knows, but some leave much of it unused (Fairy-Stockfish 11 three quarters of 100 ms); who
                // knows `movetime` takes all of it.
                let millis = time.as_millis().max(1);
                text += &format!(" btime 0 wtime 0 byoyomi {millis} movetime {millis}");
                time.saturating_add(self.patience.grace)
            }
            (None, None) if nodes.is_some() => self.patience.untimed,
            (None, None) => return (text + " infinite", None),
        };
        (text, Some(patience))
    }

    /// The words behind `bestmove`, and what was said before.
    fn best_move(&mut self, turn: &Turn<'_>) -> Result<(Vec<String>, Heard), Fault> {
        let (go, patience) = self.go(turn);
        self.child.say(&go)?;
        let mut deadline = patience.and_then(|patience| Instant::now().checked_add(patience));
        let mut stopped = false;
        let mut heard = Heard::default();
        loop {
            if turn.stop.load(Relaxed) && !stopped {
                self.child.say("stop")?;
                stopped = true;
                deadline = Some(Instant::now() + self.patience.grace.min(STOPPED));
            }
            let look = Instant::now() + LOOK;
            let until = deadline.map_or(look, |deadline| deadline.min(look));
            let line = match self.hear(&go, until) {
                Ok(line) => line,
                Err(Fault::Silent(_)) if deadline.is_none_or(|deadline| Instant::now() < deadline) => continue,
                Err(fault) => return Err(fault),
            };
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            match words.as_slice() {
                ["bestmove", rest @ ..] => return Ok((rest.iter().map(|word| word.to_string()).collect(), heard)),
                ["info", rest @ ..] => heard.take(rest),
                _ => {}
            }
            // A program that talks and talks does not answer either.
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Fault::Silent(format!("{} did not answer {go:?}", self.name)));
            }
        }
    }
}

impl Player for UsiPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, game: &dyn Session) -> Result<(), Fault> {
        self.notation = Notation::of(game).map_err(unable)?;
        self.choose_variant()?;
        self.child.say("usinewgame")?;
        self.wait_until_ready()
    }

    fn choose(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Choice, Fault> {
        if let Some(mv) = capture_of_royal(self.notation, game) {
            return Ok(Choice { action: Action::Move(mv), value: Some(1.0), counters: Default::default() });
        }
        let position = self
            .notation
            .write_game(game)
            .ok_or_else(|| Fault::Unable(format!("{:?} cannot be written in USI", game.game_text())))?;
        self.set_if_offered(&THREADS, &turn.threads.to_string())?;
        if let Some(memory) = turn.limits.memory {
            self.set_if_offered(&MEMORY, &(memory / MEBIBYTE).max(1).to_string())?;
        }
        self.child.say(&format!("position {position}"))?;
        let (words, Heard { value, counters }) = self.best_move(turn)?;
        let action = match words.first().map(String::as_str) {
            None => return Err(Fault::Protocol(format!("{} said bestmove without a move", self.name))),
            Some("resign") => Action::Resign,
            Some(word) => {
                let mv = self.notation.read_move(word).filter(|mv| game.legal_moves().contains(mv));
                let illegal = || Fault::Illegal(format!("{word:?} in {:?}", game.text()));
                Action::Move(mv.ok_or_else(illegal)?)
            }
        };
        Ok(Choice { action, value, counters })
    }
}

impl Drop for UsiPlayer {
    fn drop(&mut self) {
        // It may have ended already; if it does not listen, dropping the child ends it.
        let _ = self.child.say("quit");
    }
}

impl Offered {
    /// Reads the words behind `option name`: a name of several words, its type, and what it takes.
    fn read(words: &[&str]) -> Option<Offered> {
        let at = words.iter().position(|&word| word == "type")?;
        let choices = words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1].to_string());
        Some(Offered { name: words[..at].join(" "), choices: choices.collect() })
    }
}

/// Returns a move that captures the royal piece, if there is one. Programs assume that the piece is never left attacked
/// and have no move in such a position; Tesuji's rules allow it, and the capture wins.
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

/// The options in front of a command line, and the rest of it.
fn split_options(command_line: &str) -> (Vec<(String, String)>, String) {
    let whole = || (Vec::new(), command_line.to_string());
    // What cannot be split is refused where it is started.
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
    fn an_option_has_a_name_of_several_words_and_perhaps_choices() {
        let read = |line: &str| Offered::read(&line.split(' ').collect::<Vec<_>>());
        let variant = read("UCI_Variant type combo default shogi var dobutsu var minishogi").unwrap();
        assert_eq!((variant.name.as_str(), variant.choices.len()), ("UCI_Variant", 2));
        assert_eq!(read("Skill Level type spin default 20").unwrap().name, "Skill Level");
        assert!(read("nothing").is_none());
    }
}
