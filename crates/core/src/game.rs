//! The interface that games implement.

use crate::quote::quoted;
use crate::symmetry::{IDENTITY, Symmetry};
use crate::time::TimeFacts;
use crate::{Dialects, Look, Options, Outcome, Player, PointScore, SpecError, View};
use serde::Serialize;
use std::fmt::Debug;
use std::hash::Hash;
use thiserror::Error;

/// The description of a game, the same for all its variants.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Info {
    /// The name in specs.
    pub name: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The names of the players, by seat.
    pub players: &'static [&'static str],
    /// The goal and how to move, in one or two sentences, for people new to the game.
    pub goal: &'static str,
    /// The rules in a few paragraphs, separated by blank lines, without markup. Includes how moves
    /// are written.
    pub rules: &'static str,
    /// The known solutions with their sources; empty if there are none.
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
        Info { name, title, players, goal: "", rules: "", solved: "", look: Look::DEFAULT }
    }
}

/// What a repeated position means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Repetition {
    /// Positions cannot repeat.
    Impossible,
    /// Positions may repeat without consequences.
    Allowed,
    /// The game ends when a position occurs for the given number of times, with the outcome of
    /// [`Game::repetition_outcome`].
    Ends(u8),
    /// A move that repeats an earlier position is illegal (superko).
    Forbidden,
}

/// The longest possible game, in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// The rules allow no longer game.
    Bounded(u32),
    /// A game that reaches this length is stopped with the outcome of [`Game::outcome_at_cap`].
    Capped(u32),
}

impl Length {
    /// The largest number of plies in a game.
    pub fn plies(self) -> u32 {
        match self {
            Length::Bounded(plies) | Length::Capped(plies) => plies,
        }
    }
}

/// The properties of a game under given rules. As JSON, scores are in points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(into = "FactsInPoints")]
pub struct Facts {
    /// The number of players.
    pub players: u8,
    /// What a repeated position means.
    pub repetition: Repetition,
    /// The longest game.
    pub length: Length,
    /// The lowest and highest score a player can get, in the smallest unit of the game.
    pub scores: (i32, i32),
    /// Whether a game can end without a winner.
    pub draws: bool,
    /// The number of units of a score in a point: 2 in Go, which has half points, otherwise 1.
    pub units_per_point: u8,
    /// The number of move indices: [`Game::move_index`] is less than this.
    pub move_indices: usize,
}

/// The properties of a game, for output.
#[derive(Serialize)]
struct FactsInPoints {
    players: u8,
    repetition: Repetition,
    length: Length,
    scores: (PointScore, PointScore),
    draws: bool,
    move_indices: usize,
}

impl From<Facts> for FactsInPoints {
    fn from(facts: Facts) -> FactsInPoints {
        let Facts { players, repetition, length, scores, draws, move_indices, .. } = facts;
        let scores = (facts.points(scores.0), facts.points(scores.1));
        FactsInPoints { players, repetition, length, scores, draws, move_indices }
    }
}

impl Facts {
    /// Converts a score to points. People and other programs read points; everything that computes
    /// uses units.
    pub fn points(&self, units: i32) -> PointScore {
        PointScore::new(f64::from(units) / f64::from(self.units_per_point))
    }

    /// Converts points to a score; `None` if the game has no such score.
    pub fn units(&self, points: PointScore) -> Option<i32> {
        let units = points.value() * f64::from(self.units_per_point);
        let in_range = (f64::from(self.scores.0)..=f64::from(self.scores.1)).contains(&units);
        (in_range && units.fract() == 0.0).then_some(units as i32)
    }

    /// Whether the sign of a score tells the winner. True for two-player games with zero-sum
    /// scores, false where each player has points of its own.
    pub fn sign_is_result(&self) -> bool {
        self.players == 2 && self.scores.0 < 0
    }
}

/// The rules of a game: size, variant, komi and other options.
pub trait Rules: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Reads the options of a spec; the readers it calls define which options exist.
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError>;

    /// The properties of the game under these rules.
    fn facts(&self) -> Facts;

    /// The outcome of every game that ends by repetition or at the length cap, if it is always the
    /// same, as a draw is in most games. `None` if it depends on the cycle or the position, or if
    /// there are no cycles.
    fn cycle_outcome(&self) -> Option<Outcome> {
        None
    }

    /// The option that numbers a series of boards, in a game for one player: players are compared
    /// on the boards with consecutive numbers, from the number of the spec on. `None` if every game
    /// starts from the same position.
    fn boards(&self) -> Option<&'static str> {
        None
    }

    /// How protocols and file formats write the game under these rules.
    fn dialects(&self) -> Dialects {
        Dialects::default()
    }

    /// The options that give the same rules but for the start position, if a start can be read from
    /// a file. A position is then written with them, for those who do not have the file.
    fn without_start(&self) -> Option<String> {
        None
    }

    /// What time managers know of the game under these rules.
    fn time_facts(&self) -> TimeFacts {
        TimeFacts::default()
    }
}

/// A position text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("cannot read the position {}: {reason}", quoted(text))]
pub struct PositionError {
    /// The text.
    pub text: String,
    /// What is wrong, and what is accepted.
    pub reason: String,
}

impl PositionError {
    /// Creates an error about `text`.
    pub fn new(text: &str, reason: impl Into<String>) -> PositionError {
        PositionError { text: text.to_string(), reason: reason.into() }
    }
}

/// A move text that is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{} is not a legal move here; {accepted}", quoted(text))]
pub struct MoveError {
    /// The text.
    pub text: String,
    /// What is accepted.
    pub accepted: String,
}

/// A position of a game.
///
/// A position holds everything that later play depends on, except for earlier positions:
/// [`crate::History`] applies the rules that depend on those (superko, repetition, the length cap).
/// Positions are small; they are copied, and moves are not undone.
///
/// The battery in `tesuji-testkit` checks these laws on every game:
/// - `legal_moves` lists every legal move once, in an order that depends only on the position. The
///   list is empty if and only if the game is over.
/// - `count_moves` returns the length of that list.
/// - `play` does not check its move, which must be legal.
/// - `key` is equal for equal positions. It is updated incrementally and equals the key of
///   `parse(text())`.
/// - `text` parses back to an equal position. Legal moves have distinct texts.
/// - Legal moves have distinct indices below `Facts::move_indices`. An index depends only on the
///   rules and the move, so that tables indexed by move can be shared between positions.
/// - `ending_reason` and `winning_cells` say nothing before the end; winning cells are cells of the
///   view.
/// - `transformed` commutes with `play`.
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// A move, meaningful only in its position. Search trees hold millions of moves: a move has at
    /// most four bytes and is aligned to its size, so that it is read and written at once
    /// (`repr(align)` on a struct of bytes).
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The rules.
    type Rules: Rules;
    /// The description of the game.
    const INFO: Info;
    /// The descriptions of all games of the list that this type is: several if the name of the spec
    /// is part of the rules ([`Options::name`]), so that their searches are compiled once. The
    /// first is [`INFO`](Game::INFO).
    const FAMILY: &'static [Info] = &[Self::INFO];

    /// Returns the description of the game under these rules, one of [`FAMILY`](Game::FAMILY).
    fn info(_rules: &Self::Rules) -> Info {
        Self::INFO
    }

    /// Returns the start position.
    fn start(rules: &Self::Rules) -> Self;

    /// Returns the name of a player.
    fn player_name(&self, player: Player) -> &'static str {
        Self::INFO.players[player.index()]
    }

    /// Returns the player to move; meaningless in a terminal position.
    fn to_move(&self) -> Player;

    /// Returns whether the position is terminal. Cheap: `play` computes and stores it.
    fn is_over(&self) -> bool;

    /// Returns the outcome if the position is terminal.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns why a terminal position is the end of the game, in a few words: "connected", "lion
    /// captured". `None` if the result says it all.
    fn ending_reason(&self) -> Option<&'static str> {
        None
    }

    /// Returns the names of the cells that decided a terminal position: a winning line or chain, a
    /// piece that reached the goal. Empty if there are none.
    fn winning_cells(&self) -> Vec<String> {
        Vec::new()
    }

    /// Appends the legal moves.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Returns the number of legal moves, which many games can compute without listing them. `room`
    /// is a buffer for games that cannot.
    fn count_moves(&self, room: &mut Vec<Self::Move>) -> usize {
        room.clear();
        self.legal_moves(room);
        room.len()
    }

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// Returns a hash of the position.
    fn key(&self) -> u64;

    /// Returns the position as one line of text.
    fn text(&self) -> String;

    /// Reads what `text` writes. The input is untrusted: invalid text is an error, never a panic.
    fn parse(rules: &Self::Rules, text: &str) -> Result<Self, PositionError>;

    /// Returns the move in the usual notation of the game.
    fn move_text(&self, mv: Self::Move) -> String;

    /// Returns the index of the move in tables of moves.
    fn move_index(&self, mv: Self::Move) -> usize;

    /// Returns a description of the board for front ends to draw.
    fn view(&self) -> View;

    /// Returns the targets to click for a move: names of cells, pieces in hand (`P*`) or buttons
    /// (`pass`, `+`).
    fn clicks(&self, mv: Self::Move) -> Vec<String> {
        self.move_text(mv).split('-').map(str::to_string).collect()
    }

    /// Returns the legal move that a text denotes, ignoring case.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        find_move(self, &moves, text)
    }

    /// Returns a hash of the part of the position that the repetition rule compares; by default, of
    /// all of it.
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// Returns the repetition key after a move; `None` for a move that superko never forbids (a
    /// pass in Go).
    fn repetition_key_after(&self, mv: Self::Move) -> Option<u64> {
        let mut next = self.clone();
        next.play(mv);
        Some(next.repetition_key())
    }

    /// Returns the outcome of a game that ends by repetition. `cycle` holds the positions from the
    /// first to the last occurrence.
    fn repetition_outcome(cycle: &[Self]) -> Outcome {
        cycle[0].outcome_at_cap()
    }

    /// Returns the outcome of every game that ends by repetition of this position, if it does not
    /// depend on the moves between the occurrences. [`Rules::cycle_outcome`] is for games where it
    /// is the same for all positions. `None` makes no claim.
    fn outcome_of_any_cycle(&self) -> Option<Outcome> {
        None
    }

    /// Returns the outcome of every game that continues from here and ends by repetition or at the
    /// length cap, if it is always the same although [`Rules::cycle_outcome`] makes no claim for
    /// all positions.
    fn outcome_of_cycles_below(&self) -> Option<Outcome> {
        None
    }

    /// Returns the outcome of a game that is stopped here because it reached its length cap.
    ///
    /// The default is a draw between all players of [`Game::INFO`]. A game whose rules count
    /// something, or whose number of players varies, overrides it.
    #[inline]
    fn outcome_at_cap(&self) -> Outcome {
        Outcome::draw(Self::INFO.players.len() as u8)
    }

    /// Returns the symmetries of the board, the identity first.
    fn symmetries(&self) -> &'static [Symmetry] {
        &[IDENTITY]
    }

    /// Returns the image of the position under one of its symmetries.
    fn transformed(&self, symmetry: Symmetry) -> Self {
        debug_assert_eq!(symmetry, IDENTITY);
        self.clone()
    }

    /// Returns the image of a move under one of the symmetries.
    fn transformed_move(&self, mv: Self::Move, symmetry: Symmetry) -> Self::Move {
        debug_assert_eq!(symmetry, IDENTITY);
        mv
    }
}

/// Finds the move that a text denotes among `moves`; the error lists the first eight of them.
pub fn find_move<G: Game>(position: &G, moves: &[G::Move], text: &str) -> Result<G::Move, MoveError> {
    let wanted = text.trim();
    let found = moves.iter().find(|&&mv| position.move_text(mv).eq_ignore_ascii_case(wanted));
    found.copied().ok_or_else(|| {
        let shown: Vec<String> = moves.iter().take(8).map(|&mv| position.move_text(mv)).collect();
        let accepted = match moves.len() {
            0 => "the game is over".to_string(),
            n if n > shown.len() => format!("legal moves: {}, ... ({n} in total)", shown.join(", ")),
            _ => format!("legal moves: {}", shown.join(", ")),
        };
        MoveError { text: text.to_string(), accepted }
    })
}

/// A generic function over games, called for a game that is chosen by name at run time.
pub trait Visitor {
    /// The result.
    type Output;

    /// Runs the function for the game `G`.
    fn visit<G: crate::Knowledge>(self) -> Self::Output;
}
