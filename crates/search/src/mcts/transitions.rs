//! Transition probabilities: how often moves of a kind are played when they are available (Tsuruoka
//! et al. 2002; Winands et al. 2010).
//!
//! The kind of a move is its category if the game has categories, otherwise the player and the move
//! index. `tesuji learn` counts the moves of games and writes the counts to a text file.

use std::fmt::Write as _;
use std::path::Path;
use tesuji_core::files::{MAX_OPTION_FILE, read_text};
use tesuji_core::{History, Knowledge, Rules};
use thiserror::Error;

/// The error of reading a file of transition probabilities.
#[derive(Debug, Error)]
pub enum TransitionsError {
    /// The file cannot be read.
    #[error("cannot read the transitions {path:?}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// The cause.
        error: std::io::Error,
    },
    /// The file is malformed, or belongs to another game.
    #[error("{path:?} is not a file of transitions, line {line}: expected {expected}")]
    Malformed {
        /// The file.
        path: String,
        /// The line number, from 1.
        line: usize,
        /// The expected content.
        expected: String,
    },
}

/// How often moves of each kind were played, and were available.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transitions {
    game: String,
    counts: Vec<Count>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Count {
    played: u64,
    available: u64,
}

/// The kind of a move.
fn kind<G: Knowledge>(position: &G, mv: G::Move, move_indices: usize) -> usize {
    position.category(mv).unwrap_or_else(|| position.to_move().index() * move_indices + position.move_index(mv))
}

/// The number of kinds.
fn kinds<G: Knowledge>(rules: &G::Rules) -> usize {
    let facts = rules.facts();
    G::categories(rules).unwrap_or(usize::from(facts.players) * facts.move_indices)
}

impl Transitions {
    /// Creates empty counts.
    pub fn new<G: Knowledge>(rules: &G::Rules) -> Transitions {
        Transitions { game: G::info(rules).name.to_string(), counts: vec![Count::default(); kinds::<G>(rules)] }
    }

    /// Counts the moves of a game.
    pub fn learn<G: Knowledge>(&mut self, game: &History<G>) {
        let indices = game.facts().move_indices;
        let (mut moves, mut seen) = (Vec::new(), Vec::new());
        for (position, &played) in game.positions().iter().zip(game.moves()) {
            moves.clear();
            position.legal_moves(&mut moves);
            seen.clear();
            seen.extend(moves.iter().map(|&mv| kind(position, mv, indices)));
            seen.sort_unstable();
            seen.dedup();
            // A kind counts as available once, however many of its moves are legal.
            seen.iter().for_each(|&kind| self.counts[kind].available += 1);
            self.counts[kind(position, played, indices)].played += 1;
        }
    }

    /// The probability that a move of this kind is played when it is available.
    ///
    /// One game in which it was played and one in which it was not are added (Laplace smoothing),
    /// so that the probability is neither 0 nor 1.
    pub fn probability<G: Knowledge>(&self, position: &G, mv: G::Move, move_indices: usize) -> f32 {
        let Count { played, available } = self.counts[kind(position, mv, move_indices)];
        (played as f32 + 1.0) / (available as f32 + 2.0)
    }

    /// The text of the file: one line for every kind that was available.
    pub fn to_text(&self) -> String {
        let mut text = format!("# transitions of {}: kind, times played, times available\n", self.game);
        writeln!(text, "{} {}", self.game, self.counts.len()).expect("writing to a string");
        for (kind, count) in self.counts.iter().enumerate().filter(|(_, count)| count.available > 0) {
            writeln!(text, "{kind} {} {}", count.played, count.available).expect("writing to a string");
        }
        text
    }

    /// Reads the file of a game.
    pub fn load<G: Knowledge>(path: &Path, rules: &G::Rules) -> Result<Transitions, TransitionsError> {
        let name = path.display().to_string();
        let text = read_text(path, MAX_OPTION_FILE)
            .map_err(|error| TransitionsError::Unreadable { path: name.clone(), error })?;
        let mut transitions = Transitions::new::<G>(rules);
        let fail = |line: usize, expected: String| TransitionsError::Malformed { path: name.clone(), line, expected };
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        let head = format!("{} {}", transitions.game, transitions.counts.len());
        match lines.next() {
            Some((_, first)) if first.trim() == head => {}
            other => return Err(fail(other.map_or(0, |(number, _)| number) + 1, format!("{head:?}, for this game"))),
        }
        for (number, line) in lines {
            let numbers: Option<Vec<u64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
            match numbers.as_deref() {
                Some(&[kind, played, available])
                    if (kind as usize) < transitions.counts.len() && played <= available =>
                {
                    transitions.counts[kind as usize] = Count { played, available };
                }
                _ => return Err(fail(number + 1, "a kind, times played, times available".to_string())),
            }
        }
        Ok(transitions)
    }
}
