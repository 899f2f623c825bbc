//! Goals: what a solver has to find out, as a sequence of yes/no questions.

use std::fmt;
use std::str::FromStr;
use tesuji_core::{Bounds, Facts, Options, PointScore, SpecError};

/// What a solver has to find out about a position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Goal {
    /// Win, draw or loss; the score, in games whose scores do not determine the winner.
    #[default]
    Value,
    /// Whether the player wins.
    Win,
    /// Whether the player gets at least a draw.
    Draw,
    /// The exact score.
    Score,
    /// Whether the player gets at least these points.
    AtLeast(PointScore),
}

/// The accepted spellings of goals.
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
            (_, Some(points)) => Ok(Goal::AtLeast(points)),
            _ => Err(format!("unknown goal {text:?}; a goal is {GOALS}")),
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
            Goal::AtLeast(points) => write!(f, "score={points}"),
        }
    }
}

impl Goal {
    /// Reads the option `goal`.
    pub fn read(options: &mut Options<'_>) -> Result<Goal, SpecError> {
        let text = options.text("goal", GOALS, "what to find out (default value)")?;
        text.map_or(Ok(Goal::Value), |text| text.parse()).map_err(|_| options.refuse("goal", GOALS))
    }

    /// Returns an error if the goal does not apply to a game: a win is a score only if the sign of
    /// the score is the result.
    pub fn suits(&self, facts: &Facts) -> Result<(), String> {
        if matches!(self, Goal::Win | Goal::Draw) && !facts.sign_is_result() {
            return Err(format!(
                "the goal {self} needs a two-player game in which the sign of the score is the result; \
                 accepted here are value, score and score=K"
            ));
        }
        match self {
            Goal::AtLeast(points) if facts.units(*points).is_none() => {
                let (low, high) = (facts.points(facts.scores.0), facts.points(facts.scores.1));
                let step = facts.points(1);
                Err(format!("goal {self}: the scores of this game run from {low} to {high} in steps of {step}"))
            }
            _ => Ok(()),
        }
    }

    /// The same with the error of a search's option `goal`.
    pub fn check(&self, search: &str, facts: &Facts) -> Result<(), SpecError> {
        let refused = |accepted| SpecError::BadValue {
            name: search.to_string(),
            key: "goal".to_string(),
            value: self.to_string(),
            accepted,
        };
        self.suits(facts).map_err(refused)
    }

    /// Whether reaching the goal gives the exact value of a position.
    pub fn is_exact(&self) -> bool {
        matches!(self, Goal::Value | Goal::Score)
    }

    /// Returns the score to ask for next, or `None` if the known bounds reach the goal.
    pub fn next(&self, known: &Bounds, facts: &Facts) -> Option<i32> {
        let open = |score: i32| (known.at_least < score && known.at_most >= score).then_some(score);
        match self {
            Goal::Win => open(1),
            Goal::Draw => open(0),
            Goal::AtLeast(points) => facts.units(*points).and_then(open),
            // Most positions are won or lost; in games without draws one question is enough.
            Goal::Value if facts.sign_is_result() => open(1).or_else(|| open(0).filter(|_| facts.draws)),
            // Binary search (Allis 1994), which starts in the middle: an even score is the
            // likeliest.
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
        Facts { players, repetition, length, scores, draws: true, units_per_point: 1, move_indices: 1 }
    }

    #[test]
    fn every_goal_is_reached_for_every_score() {
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
