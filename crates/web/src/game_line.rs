//! A game as a line of moves, of which the last ones may be undone and wait to be redone.

use crate::message::{GameState, LegalMove};
use tesuji_catalog::{OpenError, Session, open_untrusted};
use tesuji_core::{MoveError, Player};
use tesuji_tsumego::Board;

/// A game at some ply of its line.
pub struct GameLine {
    game: Box<dyn Session>,
    /// All moves, including the undone ones.
    moves: Vec<String>,
    /// The number of moves played.
    ply: usize,
    /// The win rate of the first player by ply, as the last search of that position reported it.
    values: Vec<Option<f64>>,
}

impl GameLine {
    /// Opens a game by its spec and position, which come from a client.
    pub fn open(spec: &str, position: &str) -> Result<GameLine, OpenError> {
        Ok(GameLine::of(open_untrusted(spec, position)?))
    }

    /// Wraps an open game.
    pub fn of(game: Box<dyn Session>) -> GameLine {
        let moves = game.moves();
        GameLine { game, ply: moves.len(), values: vec![None; moves.len() + 1], moves }
    }

    /// Returns the game at the current ply.
    pub fn game(&self) -> &dyn Session {
        self.game.as_ref()
    }

    /// Returns the number of moves played.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Returns a copy of the game with all moves of the line played.
    pub fn at_end(&self) -> Box<dyn Session> {
        let mut game = self.game.copy();
        for mv in &self.moves[self.ply..] {
            game.play(mv).expect("it was played before");
        }
        game
    }

    /// Returns a copy of the game with other moves played from here.
    pub fn after(&self, line: &[String]) -> Result<Box<dyn Session>, String> {
        let mut game = self.game.copy();
        for (index, mv) in line.iter().enumerate() {
            game.play(mv).map_err(|error| format!("move {} of the line: {error}", index + 1))?;
        }
        Ok(game)
    }

    /// Plays a move. If it is not the next move of the line, it replaces the rest of the line.
    pub fn play(&mut self, mv: &str) -> Result<(), MoveError> {
        self.game.play(mv)?;
        // The game's spelling, which may differ from the input.
        let mv = self.game.moves().pop().expect("it was just played");
        if self.moves.get(self.ply) != Some(&mv) {
            self.moves.truncate(self.ply);
            self.values.truncate(self.ply + 1);
            self.moves.push(mv);
            self.values.push(None);
        }
        self.ply += 1;
        Ok(())
    }

    /// Goes to the position after `ply` moves.
    pub fn go_to(&mut self, ply: usize) -> Result<(), String> {
        if ply > self.moves.len() {
            return Err(format!("no ply {ply}; the game has plies 0 to {}", self.moves.len()));
        }
        while self.ply > ply {
            self.game.undo();
            self.ply -= 1;
        }
        while self.ply < ply {
            self.game.play(&self.moves[self.ply]).expect("it was played before");
            self.ply += 1;
        }
        Ok(())
    }

    /// Records the value of the current position that a search reported for the player to move.
    pub fn record_value(&mut self, value: f64) {
        let second_moves = self.game.facts().players == 2 && self.game.to_move() == Some(Player::SECOND);
        let value = if second_moves { -value } else { value };
        self.values[self.ply] = Some((value.clamp(-1.0, 1.0) + 1.0) / 2.0);
    }

    /// Returns the state of the game, with empty seats.
    pub fn state(&self) -> GameState {
        let mut state = state_of(self.game());
        state.moves.clone_from(&self.moves);
        state.values.clone_from(&self.values);
        state
    }
}

/// Returns the state of a game that belongs to no line and has no seats.
pub fn state_of(game: &dyn Session) -> GameState {
    let facts = game.facts();
    let moves = game.moves();
    let legal = game.legal_moves().into_iter().zip(game.clicks());
    GameState {
        game: game.spec().to_string(),
        title: game.info().title,
        look: game.info().look,
        sgf: game.dialects().sgf.is_some(),
        owners: game.has_owners(),
        problems: Board::describes(game),
        position: game.text(),
        start: game.start(),
        facts,
        players: (0..facts.players).map(|seat| game.player_name(Player(seat))).collect(),
        to_move: game.to_move().map(|player| player.0),
        ending: game.ending(),
        ply: moves.len(),
        last: moves.last().cloned(),
        moves,
        legal: legal.map(|(text, clicks)| LegalMove { text, clicks }).collect(),
        view: game.view(),
        seats: Vec::new(),
        running: false,
        clocks: None,
        values: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undone_moves_stay_until_another_is_played() {
        let mut line = GameLine::open("tictactoe", "start moves b2 a1 c3").unwrap();
        line.go_to(1).unwrap();
        assert_eq!(line.state().moves.len(), 3);
        line.play("a1").unwrap();
        assert_eq!((line.ply(), line.state().moves.len()), (2, 3), "the same move keeps the rest of the line");
        line.go_to(1).unwrap();
        line.play("c1").unwrap();
        assert_eq!(line.state().moves, ["b2", "c1"]);
        assert!(line.go_to(3).unwrap_err().contains("plies 0 to 2"));
    }

    #[test]
    fn values_are_from_the_first_players_view() {
        let mut line = GameLine::open("tictactoe", "start").unwrap();
        line.record_value(0.5);
        line.play("b2").unwrap();
        line.record_value(0.5);
        assert_eq!(line.state().values, [Some(0.75), Some(0.25)]);
        line.go_to(0).unwrap();
        line.play("a1").unwrap();
        assert_eq!(line.state().values, [Some(0.75), None], "a new position has no value");
    }
}
