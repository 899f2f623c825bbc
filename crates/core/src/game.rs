//! The interface every game is written against.

use crate::symmetry::{IDENTITY, Symmetry};
use crate::{Dialects, Look, Options, Outcome, Player, SpecError, View};
use serde::Serialize;
use std::fmt::Debug;
use std::hash::Hash;
use thiserror::Error;

/// What is the same for every variant of a game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Info {
    /// The name in specs.
    pub name: &'static str,
    /// The name people use.
    pub title: &'static str,
    /// How the players are called, by seat.
    pub players: &'static [&'static str],
    /// What is known to be solved, with its source; empty if nothing.
    pub solved: &'static str,
    /// How a graphical board draws the game.
    pub look: Look,
}

impl Info {
    /// Returns the description of a game that is not known to be solved and has the default look.
    ///
    /// ```
    /// use tesuji_core::Info;
    ///
    /// const INFO: Info = Info { solved: "lost at multiples of 4", ..Info::new("heap", "Heap", &["A", "B"]) };
    /// ```
    pub const fn new(name: &'static str, title: &'static str, players: &'static [&'static str]) -> Info {
        Info { name, title, players, solved: "", look: Look::DEFAULT }
    }
}

/// What happens when a position comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Repetition {
    /// No position can come back.
    Impossible,
    /// It may, and the rules do not care.
    Allowed,
    /// The game ends when a position has occurred this often; [`Game::repetition_outcome`] says how.
    Ends(u8),
    /// A move that brings a former position back is illegal.
    Forbidden,
}

/// How long a game may last, in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// By the nature of the rules no game is longer.
    Bounded(u32),
    /// A game that reaches this length is ended; [`Game::outcome_at_cap`] says how.
    Capped(u32),
}

impl Length {
    /// The number of plies no game exceeds.
    pub fn plies(self) -> u32 {
        match self {
            Length::Bounded(plies) | Length::Capped(plies) => plies,
        }
    }
}

/// What a game is like under given rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Facts {
    /// The number of players.
    pub players: u8,
    /// What a repeated position means.
    pub repetition: Repetition,
    /// The longest game.
    pub length: Length,
    /// The lowest and highest score a player can get.
    pub scores: (i32, i32),
    /// Whether a game can end without a winner.
    pub draws: bool,
    /// [`Game::move_index`] stays below this.
    pub move_slots: usize,
}

impl Facts {
    /// Whether the sign of a score says who won: so in games for two that count from zero, but not where each has points of its own.
    pub fn sign_is_result(&self) -> bool {
        self.players == 2 && self.scores.0 < 0
    }
}

/// The options of a game: size, variant, komi.
pub trait Rules: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Reads the options of a spec, and thereby says which there are.
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError>;

    /// What the game is like under these rules.
    fn facts(&self) -> Facts;

    /// The outcome of every game that goes round in circles, by repetition or at its greatest length, where that is always the
    /// same: a draw in most games. `None` where it depends on the circle or on the position, or where none is possible.
    fn cycle_outcome(&self) -> Option<Outcome> {
        None
    }

    /// How protocols and file formats write the game under these rules.
    fn dialects(&self) -> Dialects {
        Dialects::default()
    }
}

/// A position text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("cannot read the position {text:?}: {reason}")]
pub struct PositionError {
    /// The text.
    pub text: String,
    /// What is wrong, and what is accepted.
    pub reason: String,
}

impl PositionError {
    /// An error about `text`.
    pub fn new(text: &str, reason: impl Into<String>) -> PositionError {
        PositionError { text: text.to_string(), reason: reason.into() }
    }
}

/// A move text that is no legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text:?} is not a legal move here; {accepted}")]
pub struct MoveError {
    /// The text.
    pub text: String,
    /// What is accepted.
    pub accepted: String,
}

/// A game; a value of the type is a position.
///
/// A position holds everything the future depends on except the past: what the past forbids or ends
/// (superko, repetition, the length cap) is [`crate::History`]'s. It is small, and copied rather than undone.
///
/// The laws, which the battery in `tesuji-testkit` checks on every game:
/// - `legal_moves` gives every legal move once, in an order that depends on the position alone; none if and only if the game is over.
/// - `count_moves` gives their number.
/// - `play` is unchecked: it takes a move that `legal_moves` gave.
/// - `key` is equal for equal positions, and kept incrementally equal to the key of `parse(text())`.
/// - `text` parses back to an equal position; `move_text` of the legal moves are all different.
/// - `move_index` of the legal moves are all different, and below `Facts::move_slots`; it depends on the rules and the move alone,
///   so that tables of moves can be used across positions.
/// - `transformed` commutes with `play`.
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// A move; small and without meaning outside its position. Trees hold millions of them: at most four bytes, and aligned to
    /// their size so that they can be read and written as one (`repr(align)` on a struct of bytes).
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The options.
    type Rules: Rules;
    /// What is the same for all variants.
    const INFO: Info;

    /// The start position.
    fn start(rules: &Self::Rules) -> Self;

    /// What a player is called.
    fn player_name(&self, player: Player) -> &'static str {
        Self::INFO.players[player.index()]
    }

    /// Whose turn it is; meaningless when the game is over.
    fn to_move(&self) -> Player;

    /// Whether the position ends the game. Cheap: worked out in `play` and kept.
    fn is_over(&self) -> bool;

    /// The outcome, if the position ends the game.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// The number of legal moves, which many games know sooner than the moves; `room` is for those that have to list them.
    fn count_moves(&self, room: &mut Vec<Self::Move>) -> usize {
        room.clear();
        self.legal_moves(room);
        room.len()
    }

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// A hash of everything the future depends on.
    fn key(&self) -> u64;

    /// The position in one line.
    fn text(&self) -> String;

    /// Reads what `text` writes. Any text from outside may come here: errors name it, nothing panics.
    fn parse(rules: &Self::Rules, text: &str) -> Result<Self, PositionError>;

    /// The move as the game's players write it.
    fn move_text(&self, mv: Self::Move) -> String;

    /// A number for the move, for tables of moves.
    fn move_index(&self, mv: Self::Move) -> usize;

    /// What there is to draw.
    fn view(&self) -> View;

    /// What one clicks for a move: names of cells, of pieces in hand (`P*`), or of buttons (`pass`, `+`).
    fn clicks(&self, mv: Self::Move) -> Vec<String> {
        self.move_text(mv).split('-').map(str::to_string).collect()
    }

    /// The legal move that a text means, whatever the case of its letters.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        find_move(self, &moves, text)
    }

    /// The part of the position that the repetition rule compares (all of it, unless the rule says otherwise).
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// The repetition key after a move; `None` for a move that no repetition rule forbids (a pass in Go).
    fn repetition_key_after(&self, mv: Self::Move) -> Option<u64> {
        let mut next = self.clone();
        next.play(mv);
        Some(next.repetition_key())
    }

    /// The outcome of a game that ends by repetition: `cycle` runs from the first to the last occurrence.
    fn repetition_outcome(cycle: &[Self]) -> Outcome {
        cycle[0].outcome_at_cap()
    }

    /// The outcome of every game that ends by repetition at this position, if that depends on the position but not on what lies
    /// between its occurrences; where it is the same for all positions, [`Rules::cycle_outcome`] says so. `None` promises nothing.
    fn outcome_of_any_cycle(&self) -> Option<Outcome> {
        None
    }

    /// The outcome of a game that is stopped here because it reached its length cap.
    ///
    /// The default is a draw between all players of [`Game::INFO`]. A game whose rules count something, or whose number of
    /// players varies, overrides it.
    #[inline]
    fn outcome_at_cap(&self) -> Outcome {
        Outcome::draw(Self::INFO.players.len() as u8)
    }

    /// The symmetries of the rules, the identity first.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[IDENTITY]
    }

    /// The position seen through one of its symmetries.
    fn transformed(&self, symmetry: Symmetry) -> Self {
        debug_assert_eq!(symmetry, IDENTITY);
        self.clone()
    }

    /// The move seen through one of the symmetries.
    fn transformed_move(&self, mv: Self::Move, symmetry: Symmetry) -> Self::Move {
        debug_assert_eq!(symmetry, IDENTITY);
        mv
    }
}

/// Finds the move a text means among `moves`; the error shows a few of them.
pub fn find_move<G: Game>(position: &G, moves: &[G::Move], text: &str) -> Result<G::Move, MoveError> {
    let wanted = text.trim();
    let found = moves.iter().find(|&&mv| position.move_text(mv).eq_ignore_ascii_case(wanted));
    found.copied().ok_or_else(|| {
        let shown: Vec<String> = moves.iter().take(8).map(|&mv| position.move_text(mv)).collect();
        let accepted = match moves.len() {
            0 => "the game is over".to_string(),
            n if n > shown.len() => format!("legal are {}, ... ({n} moves)", shown.join(", ")),
            _ => format!("legal are {}", shown.join(", ")),
        };
        MoveError { text: text.to_string(), accepted }
    })
}

/// Something to be done for one game of a list, chosen at run time by its name.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it for the game `G`.
    fn visit<G: crate::Knowledge>(self) -> Self::Output;
}
