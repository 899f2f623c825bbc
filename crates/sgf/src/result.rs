//! The results of games in SGF.

use crate::SgfError;
use std::fmt;
use std::str::FromStr;
use tesuji_core::Player;

/// The result of a game: the property `RE`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum GameResult {
    /// A win: `B+3.5`, `W+R`.
    Win {
        /// The winner.
        winner: Player,
        /// The kind of win.
        by: By,
    },
    /// A draw: `Draw` or `0`.
    Draw,
    /// No result: `Void`.
    Void,
    /// The result is unknown: `?`.
    Unknown,
}

/// How a game was won.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum By {
    /// By points.
    Points(f64),
    /// By resignation: `R`.
    Resignation,
    /// On time: `T`.
    Time,
    /// By forfeit: `F`.
    Forfeit,
    /// Unspecified: `B+`, also used for Hex games that were played to the end.
    Unspecified,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameResult::Draw => f.write_str("Draw"),
            GameResult::Void => f.write_str("Void"),
            GameResult::Unknown => f.write_str("?"),
            GameResult::Win { winner, by } => {
                f.write_str(if *winner == Player::FIRST { "B+" } else { "W+" })?;
                match by {
                    By::Points(points) => write!(f, "{points}"),
                    By::Resignation => f.write_str("R"),
                    By::Time => f.write_str("T"),
                    By::Forfeit => f.write_str("F"),
                    By::Unspecified => Ok(()),
                }
            }
        }
    }
}

impl FromStr for GameResult {
    type Err = SgfError;

    fn from_str(text: &str) -> Result<GameResult, SgfError> {
        let fail = || SgfError::Property {
            identifier: "RE".to_string(),
            value: text.to_string(),
            accepted: "B+ or W+ with points, R, T or F behind it; 0, Draw, Void, or ?".to_string(),
        };
        let words = text.trim().to_ascii_lowercase();
        match words.as_str() {
            "0" | "draw" | "jigo" => return Ok(GameResult::Draw),
            "void" => return Ok(GameResult::Void),
            "?" | "" => return Ok(GameResult::Unknown),
            _ => {}
        }
        // Little Golem writes the winner alone: `B`.
        let (side, how) = words.split_once('+').unwrap_or((&words, ""));
        let winner = match side.trim() {
            "b" | "black" => Player::FIRST,
            "w" | "white" => Player::SECOND,
            _ => return Err(fail()),
        };
        let by = match how.trim() {
            "" => By::Unspecified,
            "r" | "res" | "resign" | "resignation" => By::Resignation,
            "t" | "time" => By::Time,
            "f" | "forfeit" => By::Forfeit,
            points => {
                let points: f64 = points.parse().map_err(|_| fail())?;
                if !(points.is_finite() && points >= 0.0) {
                    return Err(fail());
                }
                By::Points(points)
            }
        };
        Ok(GameResult::Win { winner, by })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_results_are_parsed() {
        let win = |winner, by| GameResult::Win { winner, by };
        for (text, result) in [
            ("B+3.5", win(Player::FIRST, By::Points(3.5))),
            ("W+R", win(Player::SECOND, By::Resignation)),
            ("W+Resign", win(Player::SECOND, By::Resignation)),
            ("B+T", win(Player::FIRST, By::Time)),
            ("b+Forfeit", win(Player::FIRST, By::Forfeit)),
            ("W+", win(Player::SECOND, By::Unspecified)),
            ("B", win(Player::FIRST, By::Unspecified)),
            ("0", GameResult::Draw),
            ("Draw", GameResult::Draw),
            ("Void", GameResult::Void),
            (" ? ", GameResult::Unknown),
        ] {
            assert_eq!(text.parse(), Ok(result), "{text}");
            assert_eq!(result.to_string().parse(), Ok(result), "{text}");
        }
    }

    #[test]
    fn invalid_results_are_refused() {
        for text in ["Black wins", "B+many", "B+NaN", "W+-3", "B+inf", "+R"] {
            let error = text.parse::<GameResult>().unwrap_err().to_string();
            assert!(error.contains(text) && error.contains("Draw, Void"), "{error}");
        }
    }
}
