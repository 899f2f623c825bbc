//! The board: its size, what is played on it and taken back.

use super::{Engine, none, one};
use crate::command::{Answer, Refusal};
use crate::dialect::{PASS, parse_action, parse_player, write_move};
use crate::variant::{self, SIZE};
use tesuji_catalog::Action;
use tesuji_catalog::{Session, open};
use tesuji_core::GtpDialect;
use tesuji_core::Player;

/// What one command did to the game.
#[derive(Default)]
pub struct Step {
    /// The moves it played: one, or two if the other side had to pass first, or none if somebody resigned.
    plies: usize,
    /// The game before, if it was not only gone on with.
    before: Option<String>,
}

impl Step {
    /// A move that was played.
    pub(super) fn one() -> Step {
        Step { plies: 1, before: None }
    }
}

impl Engine {
    /// Begins another game or goes on from another position, in the eyes of the player too.
    pub(super) fn begin(&mut self, spec: &str, position: &str) -> Result<(), Refusal> {
        let session = open(spec, position).map_err(Refusal::new)?;
        self.search = tesuji_catalog::Engine::new(&self.settings.player, session.as_ref()).map_err(Refusal::new)?;
        (self.session, self.thought) = (session, None);
        Ok(())
    }

    pub(super) fn spec(&self) -> String {
        self.session.spec().to_string()
    }

    pub(super) fn player(&self, text: &str) -> Result<Player, Refusal> {
        let unknown = || Refusal(format!("invalid color or coordinate: {text:?} is no colour; it takes b or w"));
        parse_player(text, self.session.as_ref()).ok_or_else(unknown)
    }

    pub(super) fn boardsize(&mut self, arguments: &[String]) -> Answer {
        let numbers: Option<Vec<u8>> = arguments.iter().map(|argument| argument.parse().ok()).collect();
        let size = match numbers.as_deref() {
            Some([size]) => size.to_string(),
            // Only Hex is asked so.
            Some([columns, rows]) if self.dialect != GtpDialect::Go => format!("{columns}x{rows}"),
            _ => return Err(Refusal::new("syntax error: it takes the size of the board")),
        };
        let spec = variant::with(&self.spec(), SIZE, &size);
        self.begin(&spec, "start").map_err(|Refusal(reason)| Refusal(format!("unacceptable size: {reason}")))?;
        self.steps.clear();
        Ok(String::new())
    }

    pub(super) fn clear_board(&mut self, arguments: &[String]) -> Answer {
        none(arguments)?;
        self.begin(&self.spec(), "start")?;
        self.steps.clear();
        Ok(String::new())
    }

    pub(super) fn komi(&mut self, arguments: &[String]) -> Answer {
        let komi: f64 = one(arguments)?.parse().map_err(|_| Refusal::new("syntax error: it takes points"))?;
        let spec = variant::with(&self.spec(), "komi", &komi.to_string());
        self.begin(&spec, &self.session.game_text())?;
        Ok(String::new())
    }

    pub(super) fn play(&mut self, arguments: &[String]) -> Answer {
        let [colour, vertex] = arguments else {
            return Err(Refusal::new("syntax error: it takes a colour and a move"));
        };
        let player = self.player(colour)?;
        let unknown = || Refusal(format!("invalid color or coordinate: {vertex:?} is no move of this game"));
        match parse_action(self.dialect, vertex, self.session.as_ref()).ok_or_else(unknown)? {
            // The game has no such move, and goes on if somebody wants to.
            Action::Resign => self.steps.push(Step::default()),
            Action::Move(mv) => {
                let step = self.turn(player)?;
                self.go_on(step, &mv)?;
            }
        }
        Ok(String::new())
    }

    /// Makes it a player's turn, as interfaces expect it that set up a position by playing: the other side passes, if the game has passes. A game
    /// of Go that two passes have ended is gone on with.
    pub(super) fn turn(&mut self, player: Player) -> Result<Step, Refusal> {
        let before = self.session.game_text();
        let mut step = Step::default();
        let may_pass = |session: &dyn Session| session.legal_moves().iter().any(|mv| mv == PASS);
        if self.session.to_move().is_some_and(|to_move| to_move != player) && may_pass(self.session.as_ref()) {
            self.session.play(PASS).map_err(Refusal::new)?;
            step.plies += 1;
        }
        let other = match self.session.to_move() {
            Some(to_move) if to_move == player => return Ok(step),
            None if self.dialect == GtpDialect::Go => with_turn(&self.session.text(), player),
            Some(to_move) => {
                return Err(Refusal(format!("illegal move: it is the turn of {}", self.session.player_name(to_move))));
            }
            None => return Err(Refusal::new("illegal move: the game is over")),
        };
        self.begin(&self.spec(), &other)?;
        Ok(Step { plies: 0, before: Some(before) })
    }

    /// Plays a move of the player whose turn it is; with an error everything is as it was before the step.
    pub(super) fn go_on(&mut self, mut step: Step, mv: &str) -> Result<(), Refusal> {
        if self.session.play(mv).is_err() {
            self.take_back(step)?;
            return Err(Refusal(format!("illegal move: {}", write_move(self.dialect, mv))));
        }
        step.plies += 1;
        self.steps.push(step);
        Ok(())
    }

    pub(super) fn take_back(&mut self, step: Step) -> Result<(), Refusal> {
        match step.before {
            Some(before) => self.begin(&self.spec(), &before)?,
            None => (0..step.plies).for_each(|_| {
                self.session.undo();
            }),
        }
        Ok(())
    }

    pub(super) fn undo(&mut self, arguments: &[String]) -> Answer {
        none(arguments)?;
        let step = self.steps.pop().ok_or_else(|| Refusal::new("cannot undo"))?;
        self.take_back(step)?;
        Ok(String::new())
    }

    pub(super) fn showboard(&mut self, arguments: &[String]) -> Answer {
        none(arguments)?;
        let session = &self.session;
        let next = match (session.to_move(), session.ending()) {
            (Some(player), _) => format!("{} to move", session.player_name(player)),
            (None, Some(ending)) => format!("over: {}", ending.words),
            (None, None) => String::new(),
        };
        Ok(format!("\n{}{next}", session.view()))
    }

    pub(super) fn all_legal_moves(&mut self, arguments: &[String]) -> Answer {
        if let [colour] = arguments {
            self.player(colour)?;
        } else {
            none(arguments)?;
        }
        Ok(self.session.legal_moves().iter().map(|mv| write_move(self.dialect, mv)).collect::<Vec<_>>().join(" "))
    }
}

/// A position of Go with a player to move; nothing is remembered of what was played, no ko and no pass.
fn with_turn(text: &str, player: Player) -> String {
    let rows = text.split(' ').next().unwrap_or("");
    format!("{rows} {} - 0", ["X", "O"][player.index()])
}
