//! Commands that change the board: size, moves, undo.

use super::{Engine, none, one};
use crate::command::{Refusal, Response};
use crate::dialect::{PASS, parse_action, parse_player, write_move};
use tesuji_catalog::{Action, Session, open};
use tesuji_core::{GtpDialect, Player, Spec, quoted};

/// The effect of one command on the game.
#[derive(Default)]
pub struct Step {
    /// The plies it played: one, two if the opponent passed first, none for a resignation.
    plies: usize,
    /// The game before, if the command set up another position.
    before: Option<String>,
}

impl Step {
    /// One move.
    pub(super) fn one() -> Step {
        Step { plies: 1, before: None }
    }
}

impl Engine {
    /// Opens another game or position, with an empty search.
    pub(super) fn begin(&mut self, spec: &str, position: &str) -> Result<(), Refusal> {
        let session = open(spec, position).map_err(Refusal::new)?;
        self.search = tesuji_catalog::Engine::new(&self.settings.player, session.as_ref()).map_err(Refusal::new)?;
        (self.session, self.last_report) = (session, None);
        Ok(())
    }

    pub(super) fn spec(&self) -> String {
        self.session.spec().to_string()
    }

    pub(super) fn player(&self, text: &str) -> Result<Player, Refusal> {
        let unknown = || {
            Refusal(format!(
                "invalid color or coordinate: {text} is not a colour; it takes b or w",
                text = quoted(text)
            ))
        };
        parse_player(text, self.session.as_ref()).ok_or_else(unknown)
    }

    pub(super) fn boardsize(&mut self, arguments: &[String]) -> Response {
        let numbers: Option<Vec<u8>> = arguments.iter().map(|argument| argument.parse().ok()).collect();
        let size = match numbers.as_deref() {
            Some([size]) => size.to_string(),
            // Hex boards may be rectangles.
            Some([columns, rows]) if self.dialect != GtpDialect::Go => format!("{columns}x{rows}"),
            _ => return Err(Refusal::new("syntax error: it takes the size of the board")),
        };
        let spec = self.session.spec().with(Spec::SIZE, &size).to_string();
        self.begin(&spec, "start").map_err(|Refusal(reason)| Refusal(format!("unacceptable size: {reason}")))?;
        self.steps.clear();
        Ok(String::new())
    }

    pub(super) fn clear_board(&mut self, arguments: &[String]) -> Response {
        none(arguments)?;
        self.begin(&self.spec(), "start")?;
        self.steps.clear();
        Ok(String::new())
    }

    pub(super) fn komi(&mut self, arguments: &[String]) -> Response {
        let komi: f64 = one(arguments)?.parse().map_err(|_| Refusal::new("syntax error: it takes points"))?;
        let spec = self.session.spec().with("komi", &komi.to_string()).to_string();
        self.begin(&spec, &self.session.game_text())?;
        Ok(String::new())
    }

    pub(super) fn play(&mut self, arguments: &[String]) -> Response {
        let [colour, vertex] = arguments else {
            return Err(Refusal::new("syntax error: it takes a colour and a move"));
        };
        let player = self.player(colour)?;
        let unknown = || {
            Refusal(format!(
                "invalid color or coordinate: {vertex} is not a move of this game",
                vertex = quoted(vertex)
            ))
        };
        match parse_action(self.dialect, vertex, self.session.as_ref()).ok_or_else(unknown)? {
            // A resignation is not a move of the game, which can continue.
            Action::Resign => self.steps.push(Step::default()),
            Action::Move(mv) => {
                let step = self.turn(player)?;
                self.play_move(step, &mv)?;
            }
        }
        Ok(String::new())
    }

    /// Gives the turn to a player, for front ends that set up positions by playing stones: the
    /// opponent passes if the game has passes. A game of Go that two passes have ended is resumed.
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
                return Err(Refusal(format!("illegal move: {} is to move", self.session.player_name(to_move))));
            }
            None => return Err(Refusal::new("illegal move: the game is over")),
        };
        self.begin(&self.spec(), &other)?;
        Ok(Step { plies: 0, before: Some(before) })
    }

    /// Plays a move of the player to move. On an error the step is undone.
    pub(super) fn play_move(&mut self, mut step: Step, mv: &str) -> Result<(), Refusal> {
        if self.session.play(mv).is_err() {
            self.undo_step(step)?;
            return Err(Refusal(format!("illegal move: {}", write_move(self.dialect, mv))));
        }
        step.plies += 1;
        self.steps.push(step);
        Ok(())
    }

    pub(super) fn undo_step(&mut self, step: Step) -> Result<(), Refusal> {
        match step.before {
            Some(before) => self.begin(&self.spec(), &before)?,
            None => (0..step.plies).for_each(|_| {
                self.session.undo();
            }),
        }
        Ok(())
    }

    pub(super) fn undo(&mut self, arguments: &[String]) -> Response {
        none(arguments)?;
        let step = self.steps.pop().ok_or_else(|| Refusal::new("cannot undo"))?;
        self.undo_step(step)?;
        Ok(String::new())
    }

    pub(super) fn showboard(&mut self, arguments: &[String]) -> Response {
        none(arguments)?;
        let session = &self.session;
        let next = match (session.to_move(), session.ending()) {
            (Some(player), _) => format!("{} to move", session.player_name(player)),
            (None, Some(ending)) => format!("over: {}", ending.words),
            (None, None) => String::new(),
        };
        Ok(format!("\n{}{next}", session.view()))
    }

    pub(super) fn all_legal_moves(&mut self, arguments: &[String]) -> Response {
        if let [colour] = arguments {
            self.player(colour)?;
        } else {
            none(arguments)?;
        }
        Ok(self.session.legal_moves().iter().map(|mv| write_move(self.dialect, mv)).collect::<Vec<_>>().join(" "))
    }
}

/// Returns a position of Go with a player to move, without ko and passes.
fn with_turn(text: &str, player: Player) -> String {
    let rows = text.split(' ').next().unwrap_or("");
    format!("{rows} {} - 0", ["X", "O"][player.index()])
}
