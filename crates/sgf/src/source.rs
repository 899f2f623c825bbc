//! Positions in SGF files as named on a command line.

use crate::{SgfError, read_file};
use std::path::PathBuf;
use tesuji_catalog::Session;

/// A position in a file: `FILE.sgf`, followed by `@GAME` to choose one of several games and `#MOVE`
/// to stop after a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    file: PathBuf,
    /// The number of the game, from 1.
    game: Option<usize>,
    moves: Option<usize>,
}

impl Source {
    /// Parses a text; `None` if it does not name an SGF file (`.sgf`, `.sgfs`, `.hsgf`).
    pub fn parse(text: &str) -> Option<Source> {
        let numbered = |text, mark| match str::rsplit_once(text, mark) {
            Some((rest, number)) => number.parse().ok().map(|number| (rest, Some(number))),
            None => Some((text, None)),
        };
        let (rest, moves) = numbered(text, '#').unwrap_or((text, None));
        let (file, game) = numbered(rest, '@').unwrap_or((rest, None));
        let file = PathBuf::from(file);
        let ending = file.extension()?.to_str()?.to_ascii_lowercase();
        matches!(ending.as_str(), "sgf" | "sgfs" | "hsgf").then_some(Source { file, game, moves })
    }

    /// Opens the position if the file's game is compatible with the requested one (see
    /// [`Record::fit`](crate::Record::fit)).
    pub fn open(&self, game: &str) -> Result<Box<dyn Session>, SgfError> {
        let mut records = read_file(&self.file)?;
        let games = records.len();
        let number = match self.game {
            None if games == 1 => 1,
            Some(number) if (1..=games).contains(&number) => number,
            _ => return Err(SgfError::Choose { file: self.file.display().to_string(), games }),
        };
        records.swap_remove(number - 1).fit(game)?.open(self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_moves_follow_the_file_name() {
        let source = |game, moves| Some(Source { file: PathBuf::from("a/b.sgf"), game, moves });
        assert_eq!(Source::parse("a/b.sgf"), source(None, None));
        assert_eq!(Source::parse("a/b.sgf#12"), source(None, Some(12)));
        assert_eq!(Source::parse("a/b.sgf@3"), source(Some(3), None));
        assert_eq!(Source::parse("a/b.sgf@3#0"), source(Some(3), Some(0)));
        for text in ["start", "start moves D4", "a/b", "b.txt", "........./... X - 0", "b.sgf@x", ""] {
            assert_eq!(Source::parse(text), None, "{text}");
        }
    }
}
