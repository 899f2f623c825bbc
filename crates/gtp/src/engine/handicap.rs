//! Handicap stones.

use super::{Engine, one};
use crate::command::{Refusal, Response};
use crate::dialect::{PASS, parse_action};
use tesuji_catalog::{Action, open};
use tesuji_core::{Player, quoted};

impl Engine {
    pub(super) fn fixed_handicap(&mut self, arguments: &[String]) -> Response {
        let stones = self.number_of_stones(arguments)?;
        let points =
            self.fixed_points(stones).map_err(|reason| Refusal(format!("invalid number of stones: {reason}")))?;
        self.place(&points)?;
        Ok(points.join(" "))
    }

    /// Places stones on the fixed points; if there are too few of them, fewer stones, as the
    /// protocol allows.
    pub(super) fn place_free_handicap(&mut self, arguments: &[String]) -> Response {
        let stones = self.number_of_stones(arguments)?;
        let most = (2..=stones.min(MOST_FIXED)).rev().find_map(|stones| self.fixed_points(stones).ok());
        let points = most.ok_or_else(|| Refusal::new("invalid number of stones: this board is too small for any"))?;
        self.place(&points)?;
        Ok(points.join(" "))
    }

    pub(super) fn set_free_handicap(&mut self, arguments: &[String]) -> Response {
        self.board_must_be_empty()?;
        let mut points: Vec<String> = Vec::new();
        for argument in arguments {
            match parse_action(self.dialect, argument, self.session.as_ref()) {
                Some(Action::Move(point)) if point != PASS && !points.contains(&point) => points.push(point),
                _ => {
                    return Err(Refusal(format!(
                        "bad vertex list: {argument} is not a point of the board, or occurs twice",
                        argument = quoted(argument)
                    )));
                }
            }
        }
        if points.len() < 2 {
            return Err(Refusal::new("bad vertex list: it takes at least two points"));
        }
        self.place(&points)?;
        Ok(String::new())
    }

    fn number_of_stones(&self, arguments: &[String]) -> Result<u8, Refusal> {
        self.board_must_be_empty()?;
        let stones = one(arguments)?.parse().ok().filter(|stones| *stones >= 2);
        stones.ok_or_else(|| Refusal::new("invalid number of stones: it takes 2 or more"))
    }

    fn board_must_be_empty(&self) -> Result<(), Refusal> {
        let empty = self.session.view().cells.iter().all(|cell| cell.piece.is_none());
        if empty { Ok(()) } else { Err(Refusal::new("board not empty")) }
    }

    /// Returns the points that the protocol fixes for a number of stones.
    fn fixed_points(&self, stones: u8) -> Result<Vec<String>, String> {
        let spec = self.session.spec().with("handicap", &stones.to_string());
        let game = open(&spec.to_string(), "start").map_err(|error| error.to_string())?;
        let taken = game.view().cells.into_iter().filter(|cell| cell.piece.is_some());
        Ok(taken.map(|cell| cell.name).collect())
    }

    /// Sets up black stones on these points, White to move.
    fn place(&mut self, points: &[String]) -> Result<(), Refusal> {
        let mut rows: Vec<String> = Vec::new();
        for cell in self.session.view().cells {
            if cell.column == 0 {
                rows.push(String::new());
            }
            if let Some(row) = rows.last_mut() {
                row.push(if points.contains(&cell.name) { 'X' } else { '.' });
            }
        }
        self.begin(&self.spec(), &format!("{} O - 0", rows.join("/")))?;
        self.steps.clear();
        debug_assert_eq!(self.session.to_move(), Some(Player::SECOND));
        Ok(())
    }
}

/// The most stones with fixed points.
const MOST_FIXED: u8 = 9;
