//! The openings of a match.

use crate::clock_terms::SettingError;
use crate::matches::Match;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tesuji_catalog::{PositionSet, Session, open};
use tesuji_core::Rng;

/// The source of openings: `random:N` for N random moves, a file with a position per line, or
/// `boards` in a game for one player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub enum Openings {
    /// This number of random moves that do not end the game. Raising it makes games more diverse
    /// and openings more one-sided.
    Random(u32),
    /// The positions of a file in rotation; lines may have ` moves M1 M2 ...`.
    File(PathBuf),
    /// The boards of the series that starts with the game ([`Session::board`]), one after the
    /// other. A game without a series starts from its start position every time.
    Boards,
}

/// How [`Openings::Boards`] is written.
const BOARDS: &str = "boards";

impl From<String> for Openings {
    fn from(text: String) -> Openings {
        match text.strip_prefix("random:").and_then(|plies| plies.parse().ok()) {
            Some(plies) => Openings::Random(plies),
            None if text == BOARDS => Openings::Boards,
            None => Openings::File(text.into()),
        }
    }
}

impl From<Openings> for String {
    fn from(openings: Openings) -> String {
        match openings {
            Openings::Random(plies) => format!("random:{plies}"),
            Openings::File(path) => path.display().to_string(),
            Openings::Boards => BOARDS.to_string(),
        }
    }
}

/// Openings by number.
pub(crate) enum Book {
    Random { plies: u32, seed: u64 },
    Listed(Vec<String>),
    Boards,
}

/// The number of random openings tried before giving up because all of them end the game.
const TRIES: u32 = 1000;

impl Book {
    /// Reads the openings of a match and checks them; a series of boards up to the last one needed.
    pub fn new(plan: &Match) -> Result<Book, SettingError> {
        let Match { game, seed, .. } = plan;
        let book = match &plan.openings {
            Openings::Random(plies) => Book::Random { plies: *plies, seed: *seed },
            Openings::Boards => Book::Boards,
            Openings::File(path) => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    SettingError(format!(
                        "cannot read the openings {}: {error}; it takes random:N or a file with a position per line",
                        path.display()
                    ))
                })?;
                Book::Listed(PositionSet::parse(&text).texts)
            }
        };
        match &book {
            Book::Random { .. } => {
                book.opening(game, 0)?;
            }
            Book::Boards => {
                for number in 0..plan.games.unwrap_or(1) {
                    book.opening(game, number)?;
                }
            }
            Book::Listed(texts) if texts.is_empty() => {
                return Err(SettingError("the file of openings has no positions".to_string()));
            }
            Book::Listed(texts) => {
                for (number, text) in texts.iter().enumerate() {
                    let session =
                        open(game, text).map_err(|error| SettingError(format!("opening {}: {error}", number + 1)))?;
                    if session.ending().is_some() {
                        return Err(SettingError(format!("opening {}: the game is over there", number + 1)));
                    }
                }
            }
        }
        Ok(book)
    }

    /// Returns opening number `number`, a game that is not over; a board may be over.
    pub fn opening(&self, game: &str, number: u64) -> Result<Box<dyn Session>, SettingError> {
        let setting_error = |error: tesuji_catalog::OpenError| SettingError(error.to_string());
        match self {
            Book::Boards => {
                let session = open(game, "start").map_err(setting_error)?;
                match session.board(number) {
                    Some(board) => open(&board.to_string(), "start").map_err(setting_error),
                    None => Ok(session),
                }
            }
            Book::Listed(texts) => open(game, &texts[(number % texts.len() as u64) as usize]).map_err(setting_error),
            Book::Random { plies, seed } => {
                let mut rng = Rng::stream(*seed, number);
                let mut session = open(game, "start").map_err(setting_error)?;
                for _ in 0..TRIES {
                    while session.undo() {}
                    for _ in 0..*plies {
                        let Some(mv) = session.random_move(&mut rng) else { break };
                        session.play(&mv).expect("it is legal");
                    }
                    if session.ending().is_none() {
                        return Ok(session);
                    }
                }
                let moves = if *plies == 1 { "move" } else { "moves" };
                Err(SettingError(format!("every random opening of {plies} {moves} ends {game}; choose a shorter one")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_numbered_from_the_spec_on() {
        let board = |game: &str, number: u64| Book::Boards.opening(game, number).unwrap().spec().to_string();
        assert_eq!(board("samegame", 0), "samegame:seed=1");
        assert_eq!(board("samegame:5x5,colours=3", 2), "samegame:5x5,colours=3,seed=3");
        assert_eq!(board("clickomania:seed=100,colours=4", 7), "clickomania:colours=4,seed=107");
        // A game without a series is repeated.
        assert_eq!((board("connect4", 0), board("connect4", 9)), ("connect4".to_string(), "connect4".to_string()));
    }

    #[test]
    fn openings_print_as_they_are_written() {
        for text in ["random:3", "boards", "openings.txt"] {
            assert_eq!(String::from(Openings::from(text.to_string())), text);
        }
        assert_eq!(Openings::from("boards".to_string()), Openings::Boards);
    }
}
