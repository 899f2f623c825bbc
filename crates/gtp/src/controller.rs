//! Any GTP program as a player.
//!
//! The program is told the game from its start and then only what is new. What it does not know, by its `list_commands`, it is not
//! told. Two programs need more: `gtp-rhino` passes by itself when it must and takes no word for it; and benzene's programs (MoHex, Wolve), known
//! by their `param_game`, leave the stone where it is when somebody swaps, so that they are shown the swapped stone instead.

mod script;

use crate::Child;
use crate::command::{Answer, Refusal, received};
use crate::dialect::{PASS, SWAP, colour, dialect, parse_action, write_move};
use crate::variant::{self, SIZE};
use script::{Line, script, stones};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, Choice, Fault, Player, Session, Turn};
use tesuji_core::Counters;
use tesuji_core::GtpDialect;

/// How long a program may take for anything but a move. Raising it makes hanging programs be noticed later.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it may take for a move beyond the time it has: its clock is the referee's business, but one that hangs is ended.
const GRACE: Duration = Duration::from_secs(30);
/// How long it may take for a move if there is no limit of time.
const LONGEST_MOVE: Duration = Duration::from_secs(600);
/// How often it is looked whether a move is still wanted.
const LOOK: Duration = Duration::from_millis(100);
/// An answer may have so many lines.
const MOST_LINES: usize = 10_000;

/// A GTP program that plays.
pub struct GtpPlayer {
    command_line: String,
    /// `None` after a fault, until the next game begins.
    program: Option<Child>,
    name: String,
    commands: Vec<String>,
    dialect: GtpDialect,
    told: Option<Told>,
    /// The last command about time.
    time: String,
}

/// What the program knows of the game.
struct Told {
    spec: String,
    start: String,
    /// Whether a swap was shown to it as a stone.
    swapped: bool,
    line: Vec<Line>,
}

impl GtpPlayer {
    /// Starts a program from a command line and asks what it is; `game` is of the kind that it is to play.
    pub fn start(command_line: &str, game: &dyn Session) -> Result<GtpPlayer, Fault> {
        let dialect = dialect(game).ok_or_else(|| Fault::Unable("GTP is for games of two players".to_string()))?;
        let mut player = GtpPlayer {
            command_line: command_line.to_string(),
            program: None,
            name: String::new(),
            commands: Vec::new(),
            dialect,
            told: None,
            time: String::new(),
        };
        player.wake()?;
        Ok(player)
    }

    /// Starts the program if it does not run.
    fn wake(&mut self) -> Result<(), Fault> {
        if self.program.is_some() {
            return Ok(());
        }
        self.program = Some(Child::start(&self.command_line)?);
        let commands = self
            .ask("list_commands")?
            .map_err(|Refusal(reason)| Fault::Protocol(format!("it does not list its commands: {reason}")))?;
        self.commands = commands.split_whitespace().map(str::to_string).collect();
        if let Some(missing) = ["play", "genmove"].iter().find(|name| !self.knows(name)) {
            return Err(Fault::Unable(format!("it does not know {missing}")));
        }
        let name = self.ask("name")?.unwrap_or_default();
        let version = self.ask("version")?.unwrap_or_default();
        self.name = format!("{name} {version}").trim().to_string();
        Ok(())
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    fn ask(&mut self, command: &str) -> Result<Answer, Fault> {
        self.ask_for(command, PATIENCE, &AtomicBool::new(false))
    }

    /// What must be done: a refusal is a fault.
    fn order(&mut self, command: &str) -> Result<(), Fault> {
        let refused = |Refusal(reason)| Fault::Protocol(format!("to {command:?} it answered {reason:?}"));
        self.ask(command)?.map(|_| ()).map_err(refused)
    }

    /// The same, if the program knows it.
    fn order_if_known(&mut self, command: &str) -> Result<(), Fault> {
        let name = command.split(' ').next().unwrap_or_default();
        if self.knows(name) { self.order(command) } else { Ok(()) }
    }

    fn ask_for(&mut self, command: &str, patience: Duration, stop: &AtomicBool) -> Result<Answer, Fault> {
        let program = self.program.as_mut().ok_or_else(|| Fault::Crashed("it does not run".to_string()))?;
        program.say(command)?;
        let begin = Instant::now();
        let mut lines: Vec<String> = Vec::new();
        loop {
            let left = patience.saturating_sub(begin.elapsed());
            match program.hear(left.min(LOOK)) {
                // What separates answers may stand before them, too.
                Ok(line) if line.is_empty() && lines.is_empty() => {}
                Ok(line) if line.is_empty() => break,
                Ok(line) if lines.is_empty() && !line.starts_with(['=', '?']) => {
                    return Err(Fault::Protocol(format!("to {command:?} it answered {line:?}")));
                }
                Ok(line) => lines.push(line),
                Err(Fault::Silent(_)) if stop.load(Relaxed) => {
                    return Err(Fault::Silent("nobody wants to know any more".to_string()));
                }
                Err(Fault::Silent(_)) if begin.elapsed() < patience => {}
                Err(Fault::Silent(_)) => {
                    let seconds = patience.as_secs_f64();
                    return Err(Fault::Silent(format!("to {command:?} it had no answer for {seconds:.0} s")));
                }
                Err(fault) => return Err(fault),
            }
            if lines.len() > MOST_LINES {
                return Err(Fault::Protocol(format!("its answer to {command:?} does not end")));
            }
        }
        received(&lines).ok_or_else(|| Fault::Protocol(format!("to {command:?} it answered {lines:?}")))
    }

    /// Brings the program to where the game is.
    fn follow(&mut self, game: &dyn Session) -> Result<(), Fault> {
        let (spec, start) = (game.spec().to_string(), game.start());
        let line = script(game, self.is_benzene());
        let swapped = line.len() < game.moves().len();
        let same = |told: &Told| told.spec == spec && told.start == start && told.swapped == swapped;
        let told = self.told.take().filter(same);
        let shared = told.as_ref().map(|told| {
            told.line
                .iter()
                .zip(&line)
                .take_while(|(told, line)| told.mv == line.mv && told.player == line.player)
                .count()
        });
        // What it did by itself cannot be counted, so nothing behind it is taken back.
        let undone = told.as_ref().zip(shared).map_or(0, |(told, shared)| told.line.len() - shared);
        let can_undo = undone == 0
            || self.knows("undo") && told.as_ref().is_some_and(|told| told.line.iter().all(|line| line.heard));
        let mut told = match (told, shared) {
            (Some(mut told), Some(shared)) if can_undo => {
                for _ in 0..undone {
                    self.order("undo")?;
                }
                told.line.truncate(shared);
                told
            }
            _ => {
                self.set_up(game, swapped)?;
                Told { spec, start, swapped, line: Vec::new() }
            }
        };
        for line in line.into_iter().skip(told.line.len()) {
            let heard = self.tell(game, &line)?;
            told.line.push(Line { heard, ..line });
        }
        self.told = Some(told);
        Ok(())
    }

    /// Tells a move; false if it was one that the program makes by itself.
    fn tell(&mut self, game: &dyn Session, line: &Line) -> Result<bool, Fault> {
        let colour = colour(line.player, game);
        let command = format!("play {colour} {}", write_move(self.dialect, &line.mv));
        let answer = self.ask(&command)?;
        match answer {
            Ok(_) => Ok(true),
            Err(_) if self.dialect == GtpDialect::Othello && line.mv == PASS => Ok(false),
            Err(Refusal(reason)) => Err(Fault::Protocol(format!("to {command:?} it answered {reason:?}"))),
        }
    }

    /// Makes the program begin a game anew.
    fn set_up(&mut self, game: &dyn Session, swapped: bool) -> Result<(), Fault> {
        let spec = game.spec().to_string();
        let start = stones(game, self.dialect)?;
        if let Some(size) = variant::option(&spec, SIZE) {
            let square = size.split_once('x').filter(|(columns, rows)| columns == rows).map(|(columns, _)| columns);
            let size = square.map_or(size.replace('x', " "), str::to_string);
            self.order_if_known(&format!("boardsize {size}"))?;
        }
        if let Some(komi) = variant::option(&spec, "komi") {
            self.order_if_known(&format!("komi {komi}"))?;
        }
        self.order_if_known("clear_board")?;
        if self.dialect == GtpDialect::Hex {
            let may_swap = variant::has(&spec, SWAP) && !swapped;
            self.order_if_known(&format!("param_game allow_swap {}", u8::from(may_swap)))?;
        }
        let (black, white): (Vec<_>, Vec<_>) = start.into_iter().partition(|line| colour(line.player, game) == "b");
        if white.is_empty() && black.len() > 1 && self.knows("set_free_handicap") {
            let points: Vec<&str> = black.iter().map(|line| line.mv.as_str()).collect();
            return self.order(&format!("set_free_handicap {}", points.join(" ")));
        }
        black.iter().chain(&white).try_for_each(|line| self.tell(game, line).map(|_| ()))
    }

    /// Tells the time, in whole seconds, which is all that the protocol has. A limit for each move is a byo-yomi of one stone; benzene's
    /// programs have commands of their own.
    fn tell_time(&mut self, turn: &Turn<'_>, colour: &str) -> Result<(), Fault> {
        let whole = |time: Duration| time.as_secs().max(1);
        let (settings, left) = match (turn.clock, turn.limits.time) {
            (None, None) => return Ok(()),
            (Some(clock), _) if self.is_benzene() => {
                let left = format!("time_left {colour} {}", whole(clock.left));
                ("param_mohex use_time_management 1".to_string(), Some(left))
            }
            (None, Some(time)) if self.is_benzene() => (format!("param_mohex max_time {}", time.as_secs_f64()), None),
            (Some(clock), _) => {
                let main = whole(clock.left);
                (format!("time_settings {main} 0 0"), Some(format!("time_left {colour} {main} 0")))
            }
            (None, Some(time)) => {
                let seconds = whole(time);
                (format!("time_settings 0 {seconds} 1"), Some(format!("time_left {colour} {seconds} 1")))
            }
        };
        // A clock is set at the first move of a game, a limit whenever it changes.
        if self.time.is_empty() || turn.clock.is_none() && self.time != settings {
            self.order_if_known(&settings)?;
            self.time = settings;
        }
        left.map_or(Ok(()), |left| self.order_if_known(&left))
    }

    /// Whether it is MoHex or one of its kin.
    fn is_benzene(&self) -> bool {
        self.dialect == GtpDialect::Hex && self.knows("param_game")
    }

    fn think(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Action, Fault> {
        self.follow(game)?;
        let player = game.to_move().ok_or_else(|| Fault::Unable("the game is over".to_string()))?;
        let legal = game.legal_moves();
        // Who can only pass does, and some programs are never asked.
        if self.dialect == GtpDialect::Othello && legal == [PASS] {
            return Ok(Action::Move(PASS.to_string()));
        }
        let colour = colour(player, game);
        self.tell_time(turn, colour)?;
        let time = turn.clock.map(|clock| clock.left).or(turn.limits.time);
        let patience = time.map_or(LONGEST_MOVE, |time| time + GRACE);
        let command = format!("genmove {colour}");
        let answer = self.ask_for(&command, patience, turn.stop)?;
        let vertex =
            answer.map_err(|Refusal(reason)| Fault::Protocol(format!("to {command:?} it answered {reason:?}")))?;
        match parse_action(self.dialect, vertex.trim(), game) {
            None => Err(Fault::Protocol(format!("{vertex:?} is no move of this game"))),
            Some(Action::Resign) => Ok(Action::Resign),
            Some(Action::Move(mv)) if !legal.contains(&mv) => Err(Fault::Illegal(vertex)),
            Some(Action::Move(mv)) => {
                // A swap is shown to benzene as a stone, so the program is to forget its own idea of it.
                let keeps = !(mv == SWAP && self.is_benzene());
                let line = Line { player, mv: mv.clone(), heard: true };
                self.told = self.told.take().filter(|_| keeps);
                self.told.iter_mut().for_each(|told| told.line.push(line.clone()));
                Ok(Action::Move(mv))
            }
        }
    }

    /// A program that has failed is ended; the next game begins with a new one.
    fn or_end<T>(&mut self, done: Result<T, Fault>) -> Result<T, Fault> {
        if done.is_err() {
            (self.program, self.told) = (None, None);
        }
        done
    }
}

impl Player for GtpPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, game: &dyn Session) -> Result<(), Fault> {
        self.told = None;
        self.time.clear();
        let begun = self.wake().and_then(|()| self.follow(game));
        self.or_end(begun)
    }

    fn choose(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let action = self.think(game, turn);
        let action = self.or_end(action)?;
        Ok(Choice { action, value: None, counters: Counters::default() })
    }

    fn result(&mut self, game: &dyn Session) -> Result<Option<String>, Fault> {
        if self.program.is_none() || !self.knows("final_score") {
            return Ok(None);
        }
        let score = self.follow(game).and_then(|()| self.ask("final_score"));
        self.or_end(score).map(Result::ok)
    }
}

impl Drop for GtpPlayer {
    fn drop(&mut self) {
        // It may have ended by now; if not, closing its input ends it.
        if let Some(program) = &mut self.program {
            let _ = program.say("quit");
        }
    }
}
