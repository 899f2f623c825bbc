//! What is to be found out, as a row of questions.

use std::fmt;
use std::str::FromStr;
use tesuji_core::{Bounds, Facts, Options, SpecError};

/// What is to be found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Goal {
    /// Who wins, or a draw; where the score does not say who wins, the score.
    #[default]
    Value,
    /// Whether the player wins.
    Win,
    /// Whether the player gets a draw at least.
    Draw,
    /// The exact score.
    Score,
    /// Whether the player gets this score at least.
    AtLeast(i32),
}

/// The goals in words.
pub const GOALS: &str = "value, win, draw, score or score=K";

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Goal, String> {
        let at_least = text.strip_prefix("score=").and_then(|score| score.parse().ok());
        match (text, at_least) {
            ("value", _) => Ok(Goal::Value),
            ("win", _) => Ok(Goal::Win),
            ("draw", _) => Ok(Goal::Draw),
            ("score", _) => Ok(Goal::Score),
            (_, Some(score)) => Ok(Goal::AtLeast(score)),
            _ => Err(format!("there is no goal {text:?}; a goal is {GOALS}")),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Value => f.write_str("value"),
            Goal::Win => f.write_str("win"),
            Goal::Draw => f.write_str("draw"),
            Goal::Score => f.write_str("score"),
            Goal::AtLeast(score) => write!(f, "score={score}"),
        }
    }
}

impl Goal {
    /// Reads the option `goal`.
    pub fn read(options: &mut Options<'_>) -> Result<Goal, SpecError> {
        let text = options.text("goal", GOALS, "what is to be found out (value if nothing is said)")?;
        text.map_or(Ok(Goal::Value), |text| text.parse()).map_err(|_| options.refuse("goal", GOALS))
    }

    /// Whether it can be asked in a game: a win is a score only where the sign of the score is the result.
    pub fn suits(&self, facts: &Facts) -> Result<(), String> {
        if matches!(self, Goal::Win | Goal::Draw) && !facts.sign_is_result() {
            return Err(format!(
                "the goal {self} needs a game for two in which the sign of the score is the result; accepted here are value, score and score=K"
            ));
        }
        Ok(())
    }

    /// The error for a goal that does not suit a game.
    pub fn refused(&self, search: &str, accepted: String) -> SpecError {
        SpecError::BadValue { name: search.to_string(), key: "goal".to_string(), value: self.to_string(), accepted }
    }

    /// The score to ask for next, given what is known; `None` when the goal is reached.
    pub fn next(&self, known: &Bounds, facts: &Facts) -> Option<i32> {
        let undecided = |score: i32| (known.at_least < score && known.at_most >= score).then_some(score);
        match self {
            Goal::Win => undecided(1),
            Goal::Draw => undecided(0),
            Goal::AtLeast(score) => undecided(*score),
            // Most positions that are asked about are won or lost; where there are no draws, one question is enough.
            Goal::Value if facts.sign_is_result() => undecided(1).or_else(|| undecided(0).filter(|_| facts.draws)),
            // Halves the range (Allis 1994), from the middle on: an even game is the best guess.
            Goal::Value | Goal::Score => {
                let half = (i64::from(known.at_least) + i64::from(known.at_most) + 1).div_euclid(2) as i32;
                (known.at_least < known.at_most).then_some(half)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{Length, Player, Question, Repetition};

    fn facts(players: u8, scores: (i32, i32)) -> Facts {
        let (repetition, length) = (Repetition::Impossible, Length::Bounded(1));
        Facts { players, repetition, length, scores, draws: true, move_slots: 1 }
    }

    #[test]
    fn every_goal_is_reached_whatever_the_score() {
        for (players, scores) in [(2, (-1, 1)), (2, (-16, 16)), (3, (0, 16)), (2, (0, 36))] {
            let facts = facts(players, scores);
            for score in scores.0..=scores.1 {
                for goal in ["value", "win", "draw", "score", "score=3", "score=-2"] {
                    let goal: Goal = goal.parse().unwrap();
                    let mut known = Bounds::unknown(Player::FIRST, &facts);
                    let mut questions = 0;
                    while let Some(at_least) = goal.next(&known, &facts) {
                        let question = Question { known, at_least };
                        known = question.answered(score >= at_least);
                        questions += 1;
                        assert!(questions < 9, "{goal} {score} {known:?}");
                    }
                    assert!((known.at_least..=known.at_most).contains(&score), "{goal} {score} {known:?}");
                    if goal == Goal::Score {
                        assert_eq!((known.at_least, known.at_most), (score, score));
                    }
                    if goal == Goal::Value && scores.0 < 0 {
                        assert!(known.verdict().is_some());
                    }
                }
            }
        }
    }

    #[test]
    fn goals_are_printed_as_they_are_read() {
        for goal in ["value", "win", "draw", "score", "score=-7"] {
            assert_eq!(goal.parse::<Goal>().unwrap().to_string(), goal);
        }
        assert!("best".parse::<Goal>().unwrap_err().contains("score=K"));
    }
}
