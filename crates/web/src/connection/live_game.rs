//! The game of a connection: its moves, seats, clocks, and whether it runs.

use crate::clocks::Clocks;
use crate::game_line::GameLine;
use crate::message::{GameState, Limits, Seat};
use std::time::{Duration, Instant};
use tesuji_catalog::{Ending, Session};
use tesuji_core::Player;
use tesuji_core::time::Clock;

/// The game of a connection.
pub struct LiveGame {
    pub line: GameLine,
    pub seats: Vec<Seat>,
    pub clocks: Option<Clocks>,
    /// Whether engines move on their own and clocks run.
    pub running: bool,
    /// The result of a resignation or a loss on time.
    pub forfeit: Option<Ending>,
}

impl LiveGame {
    /// Returns a paused game with humans at all seats and no clocks.
    pub fn new(line: GameLine) -> LiveGame {
        let seats = humans(line.game());
        LiveGame { line, seats, clocks: None, running: false, forfeit: None }
    }

    /// Returns how the game ended, if it is over.
    pub fn ending(&self) -> Option<Ending> {
        self.forfeit.clone().or_else(|| self.line.game().ending())
    }

    /// Ends the game with the loss of a player.
    pub fn forfeit(&mut self, player: Player, how: &str) {
        self.forfeit = Some(Ending::forfeit(self.line.game(), player, how));
        self.running = false;
    }

    /// Returns the seat to move; `None` if the game is over.
    fn to_move(&self) -> Option<usize> {
        let player = self.line.game().to_move().filter(|_| self.forfeit.is_none());
        player.map(Player::index)
    }

    /// Returns the engine to move, with its seat and limits.
    pub fn engine_to_move(&self) -> Option<(usize, String, Limits)> {
        let seat = self.to_move()?;
        match &self.seats[seat] {
            Seat::Person {} => None,
            Seat::Engine { player, limits } => Some((seat, player.clone(), *limits)),
        }
    }

    /// Returns the engine to move if the game runs.
    pub fn running_engine(&self) -> Option<(usize, String, Limits)> {
        self.engine_to_move().filter(|_| self.running)
    }

    /// Returns whether a human plays.
    pub fn has_human(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Person {}))
    }

    /// Runs the clock of the player to move, or none if the game is paused or over.
    pub fn switch_clock(&mut self, now: Instant) {
        let to_move = self.to_move().filter(|_| self.running);
        if let Some(clocks) = &mut self.clocks {
            clocks.switch_to(to_move, now);
        }
    }

    /// Presses the clock after a move. Returns the player who moved if its time was up.
    pub fn press_clock(&mut self, now: Instant) -> Option<Player> {
        let expired = self.expired_player(now);
        if let Some(clocks) = &mut self.clocks {
            clocks.press(now);
        }
        expired
    }

    /// Returns the player whose time is up.
    pub fn expired_player(&self, now: Instant) -> Option<Player> {
        self.clocks.as_ref().and_then(|clocks| clocks.expired(now)).map(|seat| Player(seat as u8))
    }

    /// Returns when the time of the running clock is up.
    pub fn clock_expires_at(&self) -> Option<Instant> {
        self.clocks.as_ref().and_then(Clocks::expires_at)
    }

    /// Returns the clock of a seat.
    pub fn clock_of(&self, seat: usize, now: Instant) -> Option<Clock> {
        self.clocks.as_ref().map(|clocks| clocks.of(seat, now))
    }

    /// Returns the state of the game, with the clocks as of `now`.
    pub fn state(&mut self, now: Instant) -> GameState {
        self.switch_clock(now);
        let mut state = GameState {
            seats: self.seats.clone(),
            running: self.running,
            clocks: self.clocks.as_ref().map(|clocks| clocks.at(now).iter().map(Duration::as_secs_f64).collect()),
            ..self.line.state()
        };
        if let Some(ending) = &self.forfeit {
            state.ending = Some(ending.clone());
            state.to_move = None;
            state.legal.clear();
        }
        state
    }
}

fn humans(game: &dyn Session) -> Vec<Seat> {
    vec![Seat::Person {}; usize::from(game.facts().players)]
}
