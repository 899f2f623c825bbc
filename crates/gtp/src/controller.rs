//! A GTP program as a player.
//!
//! The controller sends the game from its start and then only the new moves. It sends no optional
//! command that `list_commands` does not list. Two programs need special treatment: `gtp-rhino`
//! makes forced passes on its own and rejects `play` for them; benzene's programs (MoHex, Wolve),
//! recognised by `param_game`, leave the stone in place when a player swaps, so they are sent the
//! swapped stone instead.

mod script;

use crate::command::{Refusal, Response, parse_response};
use crate::dialect::{PASS, SWAP, colour, dialect, parse_action, write_move};
use crate::{Child, Children};
use script::{SentMove, script, stones};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, Agent, Choice, Fault, Session, Turn, option};
use tesuji_core::{Counters, GtpDialect, Spec, quoted};

/// The timeout of every command except moves. Raising it delays the detection of hanging programs.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The time for a move beyond its limit. The referee judges the clock; this only ends programs that
/// hang.
const GRACE: Duration = Duration::from_secs(30);
/// The timeout of a move without a time limit.
const UNTIMED_MOVE: Duration = Duration::from_secs(600);
/// How often the stop flag is checked.
const POLL: Duration = Duration::from_millis(100);
/// The most lines of a response.
const MOST_LINES: usize = 10_000;

/// A GTP program as a player.
pub struct GtpPlayer {
    command_line: String,
    /// `None` after a fault, until the next game.
    program: Option<Child>,
    name: String,
    commands: Vec<String>,
    dialect: GtpDialect,
    /// What the program knows of the game.
    sent: Option<SentGame>,
    /// The last time settings sent.
    time: String,
    children: Children,
}

/// The part of a game that was sent to the program.
struct SentGame {
    spec: String,
    start: String,
    /// Whether a swap was sent as a stone.
    swapped: bool,
    moves: Vec<SentMove>,
}

impl GtpPlayer {
    /// Starts a program, registers it in `children` and asks for its name and commands. `game` is a
    /// game of the kind to be played.
    pub fn start(command_line: &str, game: &dyn Session, children: &Children) -> Result<GtpPlayer, Fault> {
        let dialect = dialect(game).ok_or_else(|| Fault::Unable("GTP is for games of two players".to_string()))?;
        let mut player = GtpPlayer {
            command_line: command_line.to_string(),
            program: None,
            name: String::new(),
            commands: Vec::new(),
            dialect,
            sent: None,
            time: String::new(),
            children: children.clone(),
        };
        player.start_program()?;
        Ok(player)
    }

    /// Starts the program unless it runs.
    fn start_program(&mut self) -> Result<(), Fault> {
        if self.program.is_some() {
            return Ok(());
        }
        self.program = Some(Child::start(&self.command_line, &self.children)?);
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

    fn ask(&mut self, command: &str) -> Result<Response, Fault> {
        self.ask_within(command, TIMEOUT, &AtomicBool::new(false))
    }

    /// Sends a command that must succeed: a failure response is a fault.
    fn command(&mut self, command: &str) -> Result<(), Fault> {
        let refused =
            |Refusal(reason)| Fault::Protocol(format!("to {command:?} it answered {reason}", reason = quoted(&reason)));
        self.ask(command)?.map(|_| ()).map_err(refused)
    }

    /// Sends a command that must succeed, if the program has it.
    fn command_if_known(&mut self, command: &str) -> Result<(), Fault> {
        let name = command.split(' ').next().unwrap_or_default();
        if self.knows(name) { self.command(command) } else { Ok(()) }
    }

    fn ask_within(&mut self, command: &str, timeout: Duration, stop: &AtomicBool) -> Result<Response, Fault> {
        let program = self.program.as_mut().ok_or_else(|| Fault::Crashed("it is not running".to_string()))?;
        program.send(command)?;
        let begin = Instant::now();
        let mut lines: Vec<String> = Vec::new();
        loop {
            let left = timeout.saturating_sub(begin.elapsed());
            match program.receive(left.min(POLL)) {
                // Empty lines may also precede a response.
                Ok(line) if line.is_empty() && lines.is_empty() => {}
                Ok(line) if line.is_empty() => break,
                Ok(line) if lines.is_empty() && !line.starts_with(['=', '?']) => {
                    return Err(Fault::Protocol(format!("to {command:?} it answered {line}", line = quoted(&line))));
                }
                Ok(line) => lines.push(line),
                Err(Fault::Silent(_)) if stop.load(Relaxed) => {
                    return Err(Fault::Silent("the game was stopped".to_string()));
                }
                Err(Fault::Silent(_)) if begin.elapsed() < timeout => {}
                Err(Fault::Silent(_)) => {
                    let seconds = timeout.as_secs_f64();
                    return Err(Fault::Silent(format!("it did not answer {command:?} for {seconds:.0} s")));
                }
                Err(fault) => return Err(fault),
            }
            if lines.len() > MOST_LINES {
                return Err(Fault::Protocol(format!("its answer to {command:?} does not end")));
            }
        }
        parse_response(&lines)
            .ok_or_else(|| Fault::Protocol(format!("to {command:?} it answered {}", quoted(&lines.join("\n")))))
    }

    /// Sends what is new in the game.
    fn synchronize(&mut self, game: &dyn Session) -> Result<(), Fault> {
        let (spec, start) = (game.spec().to_string(), game.start());
        let moves = script(game, self.is_benzene());
        let swapped = moves.len() < game.moves().len();
        let same = |sent: &SentGame| sent.spec == spec && sent.start == start && sent.swapped == swapped;
        let sent = self.sent.take().filter(same);
        let shared = sent.as_ref().map(|sent| {
            let pairs = sent.moves.iter().zip(&moves);
            pairs.take_while(|(sent, new)| sent.mv == new.mv && sent.player == new.player).count()
        });
        // Moves that the program made on its own make the number of undos unknown.
        let undone = sent.as_ref().zip(shared).map_or(0, |(sent, shared)| sent.moves.len() - shared);
        let can_undo = undone == 0
            || self.knows("undo") && sent.as_ref().is_some_and(|sent| sent.moves.iter().all(|mv| mv.accepted));
        let mut sent = match (sent, shared) {
            (Some(mut sent), Some(shared)) if can_undo => {
                for _ in 0..undone {
                    self.command("undo")?;
                }
                sent.moves.truncate(shared);
                sent
            }
            _ => {
                self.set_up(game, swapped)?;
                SentGame { spec, start, swapped, moves: Vec::new() }
            }
        };
        for mv in moves.into_iter().skip(sent.moves.len()) {
            let accepted = self.send_move(game, &mv)?;
            sent.moves.push(SentMove { accepted, ..mv });
        }
        self.sent = Some(sent);
        Ok(())
    }

    /// Sends a move; false if it is a pass that the program makes on its own.
    fn send_move(&mut self, game: &dyn Session, sent: &SentMove) -> Result<bool, Fault> {
        let colour = colour(sent.player, game);
        let command = format!("play {colour} {}", write_move(self.dialect, &sent.mv));
        match self.ask(&command)? {
            Ok(_) => Ok(true),
            Err(_) if self.dialect == GtpDialect::Othello && sent.mv == PASS => Ok(false),
            Err(Refusal(reason)) => {
                Err(Fault::Protocol(format!("to {command:?} it answered {reason}", reason = quoted(&reason))))
            }
        }
    }

    /// Sends a new game up to its start position.
    fn set_up(&mut self, game: &dyn Session, swapped: bool) -> Result<(), Fault> {
        let spec = game.spec();
        let stones = stones(game, self.dialect)?;
        if let Some(size) = option(spec, Spec::SIZE) {
            let square = size.split_once('x').filter(|(columns, rows)| columns == rows).map(|(columns, _)| columns);
            let size = square.map_or(size.replace('x', " "), str::to_string);
            self.command_if_known(&format!("boardsize {size}"))?;
        }
        if let Some(komi) = option(spec, "komi") {
            self.command_if_known(&format!("komi {komi}"))?;
        }
        self.command_if_known("clear_board")?;
        if self.dialect == GtpDialect::Hex {
            let may_swap = spec.option(SWAP).is_some() && !swapped;
            self.command_if_known(&format!("param_game allow_swap {}", u8::from(may_swap)))?;
        }
        let (black, white): (Vec<_>, Vec<_>) = stones.into_iter().partition(|stone| colour(stone.player, game) == "b");
        if white.is_empty() && black.len() > 1 && self.knows("set_free_handicap") {
            let points: Vec<&str> = black.iter().map(|stone| stone.mv.as_str()).collect();
            return self.command(&format!("set_free_handicap {}", points.join(" ")));
        }
        black.iter().chain(&white).try_for_each(|stone| self.send_move(game, stone).map(|_| ()))
    }

    /// Sends the time in whole seconds, the unit of the protocol. A limit per move becomes a
    /// byo-yomi of one stone; benzene's programs have their own commands.
    fn send_time(&mut self, turn: &Turn<'_>, colour: &str) -> Result<(), Fault> {
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
        // A clock is set at the first move of a game, a limit per move whenever it changes.
        if self.time.is_empty() || turn.clock.is_none() && self.time != settings {
            self.command_if_known(&settings)?;
            self.time = settings;
        }
        left.map_or(Ok(()), |left| self.command_if_known(&left))
    }

    /// Returns whether the program is MoHex or another of benzene's programs.
    fn is_benzene(&self) -> bool {
        self.dialect == GtpDialect::Hex && self.knows("param_game")
    }

    fn think(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Action, Fault> {
        self.synchronize(game)?;
        let player = game.to_move().ok_or_else(|| Fault::Unable("the game is over".to_string()))?;
        let legal = game.legal_moves();
        // A forced pass needs no program, and some programs make it on their own.
        if self.dialect == GtpDialect::Othello && legal == [PASS] {
            return Ok(Action::Move(PASS.to_string()));
        }
        let colour = colour(player, game);
        self.send_time(turn, colour)?;
        let time = turn.clock.map(|clock| clock.left).or(turn.limits.time);
        let timeout = time.map_or(UNTIMED_MOVE, |time| time + GRACE);
        let command = format!("genmove {colour}");
        let answer = self.ask_within(&command, timeout, turn.stop)?;
        let vertex = answer.map_err(|Refusal(reason)| {
            Fault::Protocol(format!("to {command:?} it answered {reason}", reason = quoted(&reason)))
        })?;
        match parse_action(self.dialect, vertex.trim(), game) {
            None => Err(Fault::Protocol(format!("{vertex} is not a move of this game", vertex = quoted(&vertex)))),
            Some(Action::Resign) => Ok(Action::Resign),
            Some(Action::Move(mv)) if !legal.contains(&mv) => Err(Fault::Illegal(vertex)),
            Some(Action::Move(mv)) => {
                // Benzene's own swap differs from the stone that is sent for it, so the game is
                // sent again.
                let in_sync = !(mv == SWAP && self.is_benzene());
                let played = SentMove { player, mv: mv.clone(), accepted: true };
                self.sent = self.sent.take().filter(|_| in_sync);
                self.sent.iter_mut().for_each(|sent| sent.moves.push(played.clone()));
                Ok(Action::Move(mv))
            }
        }
    }

    /// Ends a program that has failed; the next game starts a new one.
    fn end_on_fault<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if result.is_err() {
            (self.program, self.sent) = (None, None);
        }
        result
    }
}

impl Agent for GtpPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, game: &dyn Session) -> Result<(), Fault> {
        self.sent = None;
        self.time.clear();
        let begun = self.start_program().and_then(|()| self.synchronize(game));
        self.end_on_fault(begun)
    }

    fn choose(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Choice, Fault> {
        let action = self.think(game, turn);
        let action = self.end_on_fault(action)?;
        Ok(Choice { action, line: Vec::new(), value: None, counters: Counters::default(), planned_seconds: None })
    }

    fn result(&mut self, game: &dyn Session) -> Result<Option<String>, Fault> {
        if self.program.is_none() || !self.knows("final_score") {
            return Ok(None);
        }
        let score = self.synchronize(game).and_then(|()| self.ask("final_score"));
        self.end_on_fault(score).map(Result::ok)
    }
}

impl Drop for GtpPlayer {
    fn drop(&mut self) {
        // The program may have exited already; if not, closing its input ends it.
        if let Some(program) = &mut self.program {
            let _ = program.send("quit");
        }
    }
}
