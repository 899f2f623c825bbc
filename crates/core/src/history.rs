//! A game from its start to now, with what the past forbids or ends.

use crate::game::find_move;
use crate::{Facts, Game, Length, MoveError, Outcome, PositionError, Repetition, Rules};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// A position text with moves behind it that cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HistoryError {
    /// The position itself.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// One of the moves.
    #[error("move {number}: {error}")]
    Move {
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        error: MoveError,
    },
}

/// The moves of a game and the positions they led to.
///
/// Positions know nothing of the past; this does. It leaves out moves that a repetition rule forbids, ends
/// a game that repeats itself or lasts too long, and takes moves back.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    rules: G::Rules,
    facts: Facts,
    /// The start first, the present last: never empty.
    positions: Vec<G>,
    moves: Vec<G::Move>,
    /// How often each repetition key has occurred; kept only where the rules ask.
    seen: FxHashMap<u64, u32>,
    /// How the past ended the game, if it did.
    ended: Option<Outcome>,
}

impl<G: Game> History<G> {
    /// A game from the start position of its rules.
    pub fn new(rules: G::Rules) -> History<G> {
        let start = G::start(&rules);
        History::from_position(rules, start)
    }

    /// A game from any position.
    pub fn from_position(rules: G::Rules, start: G) -> History<G> {
        let facts = rules.facts();
        let mut history =
            History { rules, facts, positions: Vec::new(), moves: Vec::new(), seen: FxHashMap::default(), ended: None };
        history.enter(start);
        history
    }

    /// A game from a text: `start`, or a position as [`Game::text`] writes it; then perhaps ` moves M1 M2 ...`.
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

    /// Where the game began: `start`, or the text of the position.
    pub fn start_text(&self) -> String {
        let start = &self.positions[0];
        if *start == G::start(&self.rules) { "start".to_string() } else { start.text() }
    }

    /// The game as a text, which [`History::parse`] reads.
    pub fn text(&self) -> String {
        let mut text = self.start_text();
        for (number, (position, &mv)) in self.positions.iter().zip(&self.moves).enumerate() {
            text += if number == 0 { " moves " } else { " " };
            text += &position.move_text(mv);
        }
        text
    }

    /// The rules.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    /// What the game is like under its rules.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The position now.
    #[inline]
    pub fn position(&self) -> &G {
        self.positions.last().expect("a history has a start")
    }

    /// All positions, the start first.
    pub fn positions(&self) -> &[G] {
        &self.positions
    }

    /// The moves played.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Whether the game is over, by the position or by the past.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.ended.is_some() || self.position().is_over()
    }

    /// The outcome, if the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ended.or_else(|| self.position().outcome())
    }

    /// Whether it was the past (repetition or length) that ended the game.
    pub fn ended_by_history(&self) -> bool {
        self.ended.is_some()
    }

    /// Appends the moves that are legal here and now.
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

    /// Whether a move would bring back a position that has been on the board.
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

    /// Plays the legal move that a text means.
    pub fn play_text(&mut self, text: &str) -> Result<G::Move, MoveError> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mv = find_move(self.position(), &moves, text).map_err(|error| {
            let by_position = self.position().parse_move(text).is_ok();
            match (by_position, self.ended.is_some()) {
                (true, true) => {
                    MoveError { accepted: "the game has ended by repetition or length".to_string(), ..error }
                }
                (true, false) => MoveError { accepted: "it would repeat a former position".to_string(), ..error },
                (false, _) => error,
            }
        })?;
        self.play(mv);
        Ok(mv)
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        let gone = self.positions.pop().expect("one position more than moves");
        if self.watches() {
            let key = gone.repetition_key();
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
    fn watches(&self) -> bool {
        matches!(self.facts.repetition, Repetition::Ends(_) | Repetition::Forbidden)
    }

    fn enter(&mut self, position: G) {
        let over = position.is_over();
        let key = self.watches().then(|| position.repetition_key());
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
