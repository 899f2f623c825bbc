//! A game as a line of moves, of which some may be taken back and wait to be redone.

use crate::message::{Legal, State};
use tesuji_catalog::{Ending, OpenError, Session, open};
use tesuji_core::{MoveError, Player};

/// A game at some place of its line.
pub struct Line {
    game: Box<dyn Session>,
    /// All moves, those to be redone too.
    moves: Vec<String>,
    /// How many of them are played.
    ply: usize,
    /// What a search said of the position at each ply: the win rate of the first player.
    values: Vec<Option<f64>>,
}

impl Line {
    /// A game by its spec and position.
    pub fn open(spec: &str, position: &str) -> Result<Line, OpenError> {
        Ok(Line::of(open(spec, position)?))
    }

    /// A game that was opened elsewhere.
    pub fn of(game: Box<dyn Session>) -> Line {
        let moves = game.moves();
        Line { game, ply: moves.len(), values: vec![None; moves.len() + 1], moves }
    }

    /// The game at its present place.
    pub fn game(&self) -> &dyn Session {
        self.game.as_ref()
    }

    /// How many moves are played.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The game with all moves of the line.
    pub fn whole(&self) -> Box<dyn Session> {
        let mut game = tesuji_catalog::copy(self.game());
        for mv in &self.moves[self.ply..] {
            game.play(mv).expect("it was played before");
        }
        game
    }

    /// The game as it goes on from here by other moves.
    pub fn along(&self, line: &[String]) -> Result<Box<dyn Session>, String> {
        let mut game = tesuji_catalog::copy(self.game());
        for (number, mv) in line.iter().enumerate() {
            game.play(mv).map_err(|error| format!("move {} of the line: {error}", number + 1))?;
        }
        Ok(game)
    }

    /// Plays a move. Another than the next of the line takes the place of all that followed.
    pub fn play(&mut self, mv: &str) -> Result<(), MoveError> {
        self.game.play(mv)?;
        // As the game writes it, however it was typed.
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

    /// Goes to the position after so many moves.
    pub fn go_to(&mut self, ply: usize) -> Result<(), String> {
        if ply > self.moves.len() {
            return Err(format!("there is no ply {ply}; the game has plies 0 to {}", self.moves.len()));
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

    /// Keeps what a search says of the present position, for its player to move.
    pub fn note(&mut self, value: f64) {
        let second_moves = self.game.facts().players == 2 && self.game.to_move() == Some(Player::SECOND);
        let value = if second_moves { -value } else { value };
        self.values[self.ply] = Some((value.clamp(-1.0, 1.0) + 1.0) / 2.0);
    }

    /// The game as it is told, with nobody at the seats.
    pub fn state(&self) -> State {
        let mut state = state_of(self.game());
        state.moves.clone_from(&self.moves);
        state.values.clone_from(&self.values);
        state
    }
}

/// A game as it is told when it stands for itself.
pub fn state_of(game: &dyn Session) -> State {
    let facts = game.facts();
    let moves = game.moves();
    let legal = game.legal_moves().into_iter().zip(game.clicks());
    State {
        game: game.spec().to_string(),
        title: game.info().title,
        position: game.text(),
        start: game.start(),
        facts,
        players: (0..facts.players).map(|seat| game.player_name(Player(seat))).collect(),
        to_move: game.to_move().map(|player| player.0),
        ending: game.ending(),
        ply: moves.len(),
        last: moves.last().cloned(),
        moves,
        legal: legal.map(|(text, clicks)| Legal { text, clicks }).collect(),
        view: game.view(),
        seats: Vec::new(),
        running: false,
        clocks: None,
        values: Vec::new(),
    }
}

/// The end of a game that somebody has lost away from the board: by resignation, or on time. In a game for more than two everybody else has won.
pub fn forfeited(game: &dyn Session, loser: Player, how: &str) -> Ending {
    use tesuji_core::Verdict::{Loss, Win};
    let players = game.facts().players;
    let seats = (0..players).map(Player);
    let verdicts = seats.clone().map(|player| if player == loser { Loss } else { Win });
    let name = |player| game.player_name(player);
    let winners: Vec<&str> = seats.filter(|&player| player != loser).map(name).collect();
    let words = match winners.as_slice() {
        [] => how.to_string(),
        [winner] => format!("{} {how}: {winner} wins", name(loser)),
        _ => format!("{} {how}: {} win", name(loser), winners.join(" and ")),
    };
    let verdicts = if players > 1 { verdicts.collect() } else { Vec::new() };
    Ending { scores: Vec::new(), verdicts, by_past: false, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_are_taken_back_wait_until_another_is_played() {
        let mut line = Line::open("tictactoe", "start moves b2 a1 c3").unwrap();
        line.go_to(1).unwrap();
        assert_eq!(line.state().moves.len(), 3);
        line.play("a1").unwrap();
        assert_eq!((line.ply(), line.state().moves.len()), (2, 3), "the same move keeps what follows");
        line.go_to(1).unwrap();
        line.play("c1").unwrap();
        assert_eq!(line.state().moves, ["b2", "c1"]);
        assert!(line.go_to(3).unwrap_err().contains("plies 0 to 2"));
    }

    #[test]
    fn values_are_told_for_the_first_player() {
        let mut line = Line::open("tictactoe", "start").unwrap();
        line.note(0.5);
        line.play("b2").unwrap();
        line.note(0.5);
        assert_eq!(line.state().values, [Some(0.75), Some(0.25)]);
        line.go_to(0).unwrap();
        line.play("a1").unwrap();
        assert_eq!(line.state().values, [Some(0.75), None], "another position has no value yet");
    }

    #[test]
    fn who_gives_up_has_lost() {
        let line = Line::open("rolit:4,players=3", "start").unwrap();
        let ending = forfeited(line.game(), Player(1), "gives up");
        use tesuji_core::Verdict::{Loss, Win};
        assert_eq!(ending.verdicts, [Win, Loss, Win]);
        let alone = Line::open("samegame", "start").unwrap();
        assert_eq!(forfeited(alone.game(), Player(0), "gives up").verdicts, []);
    }
}
