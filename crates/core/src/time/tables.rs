//! Tables of the expected number of moves, learned by self-play.
//!
//! The text has a line for each table: its name and its entries, from index 0 on. Lines that start
//! with `#` are comments.
//!
//! ```text
//! # tesuji learn connect4 --time-tables --games 1000
//! moves 18.2 17.7 17.2
//! stones 18.2 17.7 17.2
//! ```

use crate::quote::quoted;
use std::fmt::Write;

/// The number of plies that share an entry of the table of simulated lengths.
pub const LENGTH_WIDTH: usize = 4;
/// The share of games that must have reached an index for it to have an entry of its own. Raising
/// it makes estimates at the end of long games coarser; an index that few games reach would be the
/// end of nearly all of them, and a plan for it would spend the whole clock.
const LEAST_SHARE: f64 = 0.02;
/// The number of neighbours on each side over which a table is smoothed.
const SMOOTHING: usize = 1;

/// The expected number of a player's own moves to the end of the game, this one included.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeTable {
    /// By the number of moves played by all players.
    pub moves: Vec<f64>,
    /// By the number of pieces on the board.
    pub stones: Vec<f64>,
    /// By the mean length of simulated games in plies, divided by [`LENGTH_WIDTH`].
    pub lengths: Vec<f64>,
    /// The mean criticality of the most critical cell, by the number of moves played.
    pub criticality: Vec<f64>,
}

impl TimeTable {
    /// Parses the text of the tables.
    pub fn parse(text: &str) -> Result<TimeTable, String> {
        let mut table = TimeTable::default();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let mut words = line.split_ascii_whitespace();
            let name = words.next().unwrap_or_default();
            let entries: Result<Vec<f64>, _> = words.map(str::parse).collect();
            let entries = entries.ok().filter(|entries| entries.iter().all(|entry| entry.is_finite()));
            let entries = entries.ok_or_else(|| format!("{} is not a list of numbers", quoted(line)))?;
            match name {
                "moves" => table.moves = entries,
                "stones" => table.stones = entries,
                "lengths" => table.lengths = entries,
                "criticality" => table.criticality = entries,
                _ => {
                    return Err(format!(
                        "{} is not a table; it takes moves, stones, lengths and criticality",
                        quoted(name)
                    ));
                }
            }
        }
        Ok(table)
    }

    /// Returns the text of the tables.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let tables = [
            ("moves", &self.moves, 1),
            ("stones", &self.stones, 1),
            ("lengths", &self.lengths, 1),
            ("criticality", &self.criticality, 3),
        ];
        for (name, entries, digits) in tables.into_iter().filter(|(_, entries, _)| !entries.is_empty()) {
            text += name;
            for entry in entries {
                let _ = write!(text, " {entry:.digits$}");
            }
            text.push('\n');
        }
        text
    }

    /// Returns the entry for an index; beyond the end of a table its last entry. `None` if the
    /// table is empty.
    pub fn entry(table: &[f64], index: usize) -> Option<f64> {
        table.get(index).or(table.last()).copied()
    }
}

/// A position of a self-play game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// The moves played by all players.
    pub ply: usize,
    /// The pieces on the board.
    pub stones: usize,
    /// The mean length of simulated games, in plies.
    pub length: f64,
    /// The criticality of the most critical cell, if the game has owners of cells.
    pub criticality: Option<f64>,
    /// The moves that the player to move made from here on.
    pub remaining: usize,
}

/// Means over samples, by index.
#[derive(Default)]
struct Means(Vec<(f64, u64)>);

impl Means {
    fn add(&mut self, index: usize, value: f64) {
        if self.0.len() <= index {
            self.0.resize(index + 1, (0.0, 0));
        }
        self.0[index].0 += value;
        self.0[index].1 += 1;
    }

    /// Returns the smoothed means of the indices with enough samples; those between them have the
    /// entry of the next one, or of the last.
    fn finish(&self, least: u64) -> Vec<f64> {
        let Some(end) = self.0.iter().rposition(|(_, count)| *count >= least) else { return Vec::new() };
        let known = |index: usize| self.0.get(index).filter(|(_, count)| *count >= least);
        let smooth = |index: usize| {
            let near = index.saturating_sub(SMOOTHING)..=(index + SMOOTHING).min(end);
            let (sum, count) = near.filter_map(known).fold((0.0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
            (count > 0).then(|| sum / count as f64)
        };
        let mut entries = vec![0.0; end + 1];
        let mut next = smooth(end).unwrap_or_default();
        for index in (0..=end).rev() {
            next = smooth(index).unwrap_or(next);
            entries[index] = next;
        }
        entries
    }
}

/// Learns tables from samples.
#[derive(Default)]
pub struct TableLearner {
    games: u64,
    moves: Means,
    stones: Means,
    lengths: Means,
    criticality: Means,
}

impl TableLearner {
    /// Adds the positions of a game.
    pub fn add(&mut self, game: &[Sample]) {
        self.games += 1;
        for sample in game {
            let remaining = sample.remaining as f64;
            self.moves.add(sample.ply, remaining);
            self.stones.add(sample.stones, remaining);
            self.lengths.add((sample.length / LENGTH_WIDTH as f64) as usize, remaining);
            if let Some(criticality) = sample.criticality {
                self.criticality.add(sample.ply, criticality);
            }
        }
    }

    /// Returns the tables.
    pub fn finish(&self) -> TimeTable {
        let least = ((self.games as f64 * LEAST_SHARE).ceil() as u64).max(1);
        let numbers = |means: &Means| means.finish(least).into_iter().map(|mean| mean.max(1.0)).collect();
        TimeTable {
            moves: numbers(&self.moves),
            stones: numbers(&self.stones),
            lengths: numbers(&self.lengths),
            criticality: self.criticality.finish(least),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(ply: usize, remaining: usize) -> Sample {
        Sample { ply, stones: 2 * ply, length: 10.0 - ply as f64, criticality: None, remaining }
    }

    #[test]
    fn tables_are_means_over_the_games_that_reach_an_index() {
        let mut learner = TableLearner::default();
        // Two games of four and of two plies; the players alternate.
        learner.add(&[sample(0, 2), sample(1, 2), sample(2, 1), sample(3, 1)]);
        learner.add(&[sample(0, 1), sample(1, 1)]);
        let table = learner.finish();
        // Index 1 is smoothed over indices 0 to 2: (2 + 1 + 2 + 1 + 1) / 5.
        assert_eq!(table.moves, [1.5, 1.4, 1.25, 1.0]);
        // No game has one, three or five stones: the entry is smoothed over the neighbours.
        assert_eq!(table.stones.len(), 7);
        assert_eq!(table.stones[1], (2.0 + 1.0 + 2.0 + 1.0) / 4.0);
        assert_eq!(TimeTable::entry(&table.moves, 99), Some(1.0));
        assert_eq!(TimeTable::entry(&table.criticality, 0), None);
        let text = table.to_text();
        assert!(text.starts_with("moves 1.5 1.4 1.2 1.0\nstones 1.5 1.5 "), "{text}");
        assert_eq!(TimeTable::parse(&text).unwrap().moves, [1.5, 1.4, 1.2, 1.0]);
    }

    #[test]
    fn rare_indices_have_no_entry() {
        let mut learner = TableLearner::default();
        for game in 0..100 {
            let length = if game == 0 { 9 } else { 3 };
            let samples: Vec<Sample> = (0..length).map(|ply| sample(ply, (length - ply).div_ceil(2))).collect();
            learner.add(&samples);
        }
        assert_eq!(learner.finish().moves.len(), 3);
    }

    #[test]
    fn malformed_tables_are_refused() {
        for (text, words) in [("moves 1 x", "\"moves 1 x\" is not a list"), ("time 1", "\"time\" is not a table")] {
            let error = TimeTable::parse(text).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        assert_eq!(TimeTable::parse("# nothing\n\n"), Ok(TimeTable::default()));
    }
}
