//! A game handle: a game in progress, addressed in text.

use crate::default_rules;
use crate::ending::Ending;
use crate::sampling;
use std::any::Any;
use std::sync::atomic::AtomicBool;
use tesuji_core::perft::{Count, Leaves, perft};
use tesuji_core::{Dialects, Facts, Game, History, Info, Knowledge, MoveError, Player, Rng, Rules, Spec, View};

/// A game in progress: start position, moves played and current position, with moves and positions
/// as text.
///
/// Front ends of every kind are written against this trait. An [`Engine`](crate::Engine) searches
/// its current position; [`solve`](crate::solve) solves it.
pub trait Session: Any + Send {
    /// Returns the spec that the game was opened with.
    fn spec(&self) -> &Spec;
    /// Returns the name, title and players of the game.
    fn info(&self) -> Info;
    /// Returns the properties of the game under its rules.
    fn facts(&self) -> Facts;
    /// Returns how protocols and file formats write the game under its rules.
    fn dialects(&self) -> Dialects;
    /// Returns the spec of a board of the series that starts with this game, numbered from 0;
    /// `None` if the game has no series of boards.
    fn board(&self, number: u64) -> Option<Spec>;
    /// Returns the name of a player.
    fn player_name(&self, player: Player) -> &'static str;
    /// Returns the player to move; `None` when the game is over.
    fn to_move(&self) -> Option<Player>;
    /// Returns the result, if the game is over.
    fn ending(&self) -> Option<Ending>;
    /// Returns the legal moves.
    fn legal_moves(&self) -> Vec<String>;
    /// Returns the cells to click for each legal move, in the same order.
    fn clicks(&self) -> Vec<Vec<String>>;
    /// Returns the start of the game: `start`, or a position text.
    fn start(&self) -> String;
    /// Returns the moves played since the start.
    fn moves(&self) -> Vec<String>;
    /// Returns the start and the moves in one line, which [`open`](crate::open) reads.
    fn game_text(&self) -> String;
    /// Plays a move.
    fn play(&mut self, mv: &str) -> Result<(), MoveError>;
    /// Takes back the last move; false if there is none.
    fn undo(&mut self) -> bool;
    /// Returns a uniformly random legal move; `None` when the game is over.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
    /// Returns the current position in one line.
    fn text(&self) -> String;
    /// Returns the hash key of the current position.
    fn key(&self) -> u64;
    /// Returns the current position as cells, pieces and hands to draw.
    fn view(&self) -> View;
    /// Returns the static evaluation of the position for a player, if the game has one.
    fn evaluation(&self, player: Player) -> Option<f32>;
    /// Returns whether the game is about owning cells, so that it has an
    /// [`ownership`](Self::ownership).
    fn has_owners(&self) -> bool;
    /// Estimates by playouts who will own each cell, in the order of the cells of the view: from
    /// -1, an opponent, to 1, the player to move. `None` if the game is not about owning cells.
    fn ownership(&self) -> Option<Vec<f64>>;
    /// Counts the leaves of the game tree at `depth`; `None` if stopped.
    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<Count>;
    /// Returns an independent copy of the game.
    fn copy(&self) -> Box<dyn Session>;
}

/// Returns the history behind a game handle; `None` if it is not a game of type `G`.
pub(crate) fn history<G: Game>(game: &dyn Session) -> Option<&History<G>> {
    (game as &dyn Any).downcast_ref::<SessionOf<G>>().map(|session| &session.history)
}

/// The session of a game of type `G`.
pub struct SessionOf<G: Game> {
    spec: Spec,
    history: History<G>,
}

impl<G: Knowledge> SessionOf<G> {
    pub fn new(spec: Spec, history: History<G>) -> Self {
        SessionOf { spec, history }
    }

    pub fn history(&self) -> &History<G> {
        &self.history
    }

    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.history.legal_moves(&mut moves);
        moves
    }
}

impl<G: Knowledge> Session for SessionOf<G> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn info(&self) -> Info {
        G::info(self.history.rules())
    }

    fn facts(&self) -> Facts {
        *self.history.facts()
    }

    fn dialects(&self) -> Dialects {
        self.history.rules().dialects()
    }

    fn board(&self, number: u64) -> Option<Spec> {
        let key = self.history.rules().boards()?;
        let default = || {
            default_rules::<G>(self.spec.name())
                .1
                .into_iter()
                .find(|option| option.key == key)
                .map(|option| option.default)
        };
        let first: u64 = self.spec.option(key).map(str::to_string).or_else(default)?.parse().ok()?;
        Some(self.spec.with(key, &first.wrapping_add(number).to_string()))
    }

    fn player_name(&self, player: Player) -> &'static str {
        self.history.position().player_name(player)
    }

    fn to_move(&self) -> Option<Player> {
        (!self.history.is_over()).then(|| self.history.position().to_move())
    }

    fn ending(&self) -> Option<Ending> {
        self.history.outcome().map(|outcome| Ending::new(&outcome, &self.history))
    }

    fn legal_moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|mv| self.history.position().move_text(mv)).collect()
    }

    fn clicks(&self) -> Vec<Vec<String>> {
        self.legal().into_iter().map(|mv| self.history.position().clicks(mv)).collect()
    }

    fn moves(&self) -> Vec<String> {
        let played = self.history.moves().iter().zip(self.history.positions());
        played.map(|(&mv, position)| position.move_text(mv)).collect()
    }

    fn start(&self) -> String {
        self.history.start_text()
    }

    fn game_text(&self) -> String {
        self.history.text()
    }

    fn play(&mut self, mv: &str) -> Result<(), MoveError> {
        self.history.play_text(mv).map(|_| ())
    }

    fn undo(&mut self) -> bool {
        self.history.undo().is_some()
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let moves = self.legal();
        (!moves.is_empty()).then(|| self.history.position().move_text(moves[rng.below(moves.len())]))
    }

    fn text(&self) -> String {
        self.history.position().text()
    }

    fn key(&self) -> u64 {
        self.history.position().key()
    }

    fn view(&self) -> View {
        self.history.position().view()
    }

    fn evaluation(&self, player: Player) -> Option<f32> {
        self.history.position().evaluation(player)
    }

    fn has_owners(&self) -> bool {
        self.history.position().owners(&mut Vec::new())
    }

    fn ownership(&self) -> Option<Vec<f64>> {
        sampling::ownership(&self.history)
    }

    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<Count> {
        perft(&self.history, depth, Leaves::Counted, stop)
    }

    fn copy(&self) -> Box<dyn Session> {
        Box::new(SessionOf { spec: self.spec.clone(), history: self.history.clone() })
    }
}
