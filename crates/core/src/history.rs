//! The moves and positions of a game, and the rules that depend on earlier positions.

use crate::game::find_move;
use crate::{Facts, Game, Length, MoveError, Outcome, PositionError, Repetition, Rules};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// A game text that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HistoryError {
    /// The position is invalid.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move is not legal.
    #[error("move {number}: {error}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// What is wrong.
        error: MoveError,
    },
}

/// The moves of a game and the positions they led to.
///
/// Filters out moves that superko forbids, ends games by repetition or at the length cap, and
/// undoes moves.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    rules: G::Rules,
    facts: Facts,
    /// The start first, the current position last; never empty.
    positions: Vec<G>,
    moves: Vec<G::Move>,
    /// The occurrences of each repetition key; maintained only if the rules need it.
    seen: FxHashMap<u64, u32>,
    /// The outcome, if repetition or the length cap ended the game.
    ended: Option<Outcome>,
}

impl<G: Game> History<G> {
    /// Starts a game from the start position of its rules.
    pub fn new(rules: G::Rules) -> History<G> {
        let start = G::start(&rules);
        History::from_position(rules, start)
    }

    /// Starts a game from any position.
    pub fn from_position(rules: G::Rules, start: G) -> History<G> {
        let facts = rules.facts();
        let mut history =
            History { rules, facts, positions: Vec::new(), moves: Vec::new(), seen: FxHashMap::default(), ended: None };
        history.enter(start);
        history
    }

    /// Reads a game: `start` or a position as [`Game::text`] writes it, optionally followed by `
    /// moves M1 M2 ...`.
    pub fn parse(rules: G::Rules, text: &str) -> Result<History<G>, HistoryError> {
        let text = text.trim();
        let (position, moves) = match text.strip_suffix(" moves") {
            Some(position) => (position, ""),
            None => text.split_once(" moves ").unwrap_or((text, "")),
        };
        let position = position.trim();
        let mut history = if position == "start" {
            History::new(rules)
        } else {
            let start = G::parse(&rules, position)?;
            History::from_position(rules, start)
        };
        for (number, mv) in moves.split_whitespace().enumerate() {
            history.play_text(mv).map_err(|error| HistoryError::Move { number: number + 1, error })?;
        }
        Ok(history)
    }

    /// Returns the text of the first position, or `start` if it is the start position of the rules.
    pub fn start_text(&self) -> String {
        let start = &self.positions[0];
        if *start == G::start(&self.rules) { "start".to_string() } else { start.text() }
    }

    /// Returns the game as a text that [`History::parse`] reads.
    pub fn text(&self) -> String {
        let mut text = self.start_text();
        for (number, (position, &mv)) in self.positions.iter().zip(&self.moves).enumerate() {
            text += if number == 0 { " moves " } else { " " };
            text += &position.move_text(mv);
        }
        text
    }

    /// Returns the rules.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    /// Returns the properties of the game under its rules.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the current position.
    #[inline]
    pub fn position(&self) -> &G {
        self.positions.last().expect("a history has a start")
    }

    /// Returns all positions, the first one first.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// Returns the moves played.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Returns the moves by which the game has continued since `before`; `None` if that is another
    /// game.
    pub fn moves_since(&self, before: &History<G>) -> Option<&[G::Move]> {
        let same_start = before.positions[0] == self.positions[0] && before.rules == self.rules;
        if same_start { self.moves.strip_prefix(before.moves.as_slice()) } else { None }
    }

    /// Returns whether the game is over, by the position, by repetition or at the length cap.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.ended.is_some() || self.position().is_over()
    }

    /// Returns the outcome if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ended.or_else(|| self.position().outcome())
    }

    /// Returns whether repetition or the length cap ended the game.
    pub fn ended_by_history(&self) -> bool {
        self.ended.is_some()
    }

    /// Appends the legal moves, without those that superko forbids.
    pub fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        if self.ended.is_some() {
            return;
        }
        let position = self.position();
        let begin = moves.len();
        position.legal_moves(moves);
        if self.facts.repetition == Repetition::Forbidden {
            let mut kept = begin;
            for at in begin..moves.len() {
                let mv = moves[at];
                if !self.repeats(mv) {
                    moves[kept] = mv;
                    kept += 1;
                }
            }
            moves.truncate(kept);
        }
    }

    /// Returns whether a move would repeat an earlier position.
    pub fn repeats(&self, mv: G::Move) -> bool {
        self.position().repetition_key_after(mv).is_some_and(|key| self.seen.contains_key(&key))
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let mut next = self.position().clone();
        next.play(mv);
        self.moves.push(mv);
        self.enter(next);
    }

    /// Plays the legal move that a text denotes.
    pub fn play_text(&mut self, text: &str) -> Result<G::Move, MoveError> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mv = find_move(self.position(), &moves, text).map_err(|error| {
            let by_position = self.position().parse_move(text).is_ok();
            match (by_position, self.ended.is_some()) {
                (true, true) => {
                    MoveError { accepted: "the game has ended by repetition or length".to_string(), ..error }
                }
                (true, false) => MoveError { accepted: "it would repeat an earlier position".to_string(), ..error },
                (false, _) => error,
            }
        })?;
        self.play(mv);
        Ok(mv)
    }

    /// Undoes the last move and returns it.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        let removed = self.positions.pop().expect("one position more than moves");
        if self.counts_repetitions() {
            let key = removed.repetition_key();
            let count = self.seen.get_mut(&key).expect("counted when entered");
            *count -= 1;
            if *count == 0 {
                self.seen.remove(&key);
            }
        }
        self.ended = None;
        Some(mv)
    }

    #[inline]
    fn counts_repetitions(&self) -> bool {
        matches!(self.facts.repetition, Repetition::Ends(_) | Repetition::Forbidden)
    }

    fn enter(&mut self, position: G) {
        let over = position.is_over();
        let key = self.counts_repetitions().then(|| position.repetition_key());
        self.positions.push(position);
        let mut occurrences = 0;
        if let Some(key) = key {
            let count = self.seen.entry(key).or_insert(0);
            *count += 1;
            occurrences = *count;
        }
        if over {
            return;
        }
        if let (Repetition::Ends(limit), Some(key)) = (self.facts.repetition, key)
            && occurrences >= u32::from(limit)
        {
            let first = self.positions.iter().position(|earlier| earlier.repetition_key() == key);
            self.ended = Some(G::repetition_outcome(&self.positions[first.expect("it occurred")..]));
            return;
        }
        if let Length::Capped(cap) = self.facts.length
            && self.moves.len() >= cap as usize
        {
            self.ended = Some(self.position().outcome_at_cap());
        }
    }
}
