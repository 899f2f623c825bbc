//! Splits a file into its games without parsing them.

use crate::SgfError;
use crate::tree::Reader;

/// Returns the text of each game of a file, and an error at a text that is not a game.
///
/// A parsed game takes up to a hundred times the memory of its text. A file from an untrusted
/// source is better parsed game by game.
///
/// ```
/// let games: Vec<&str> = tesuji_sgf::split("(;C[a:\\]) b])\n(;B[aa](;W[bb])(;W[cc]))").map(Result::unwrap).collect();
/// assert_eq!(games, ["(;C[a:\\]) b])", "(;B[aa](;W[bb])(;W[cc]))"]);
/// ```
pub fn split(text: &str) -> impl Iterator<Item = Result<&str, SgfError>> {
    let mut reader = Some(Reader::new(text));
    std::iter::from_fn(move || {
        let mut games = match reader.take()? {
            Ok(games) => games,
            Err(error) => return Some(Err(error)),
        };
        games.peek()?;
        if let Err(error) = games.check_start() {
            return Some(Err(error));
        }
        let start = games.at;
        games.at += length(&text[start..]);
        let game = &text[start..games.at];
        reader = Some(Ok(games));
        Some(Ok(game))
    })
}

/// Returns the length of the game that a text starts with. A game without an end takes the whole
/// text; the parser refuses it.
fn length(text: &str) -> usize {
    let (mut depth, mut in_value, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_value => is_escaped = true,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' => in_value = true,
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_split_where_the_parser_ends_them() {
        for text in [
            "(;GM[1])",
            "a remark (1) (;GM[1])\n(;GM[1];B[aa](;W[bb])(;W[cc]C[)(]))\n\n(;GM[11]C[\\]\\\\])(;C[é\\é]) ",
            "(;C[[[])(;C[ ( ])",
        ] {
            let games: Vec<&str> = split(text).map(Result::unwrap).collect();
            let whole = crate::read(text).unwrap();
            assert_eq!(games.len(), whole.len(), "{text}");
            for (game, record) in games.iter().zip(&whole) {
                assert_eq!(crate::read(game).unwrap(), std::slice::from_ref(record), "{text}");
            }
        }
    }

    #[test]
    fn a_text_that_is_not_a_game_ends_the_file_with_the_error_of_the_parser() {
        for (text, games) in [
            ("", vec![]),
            ("no game", vec![]),
            ("(;B[aa]) x (;W[bb])", vec!["(;B[aa])"]),
            ("(;B[aa]))(;W[bb])", vec!["(;B[aa])"]),
        ] {
            let error = crate::read(text).unwrap_err();
            let split: Vec<_> = split(text).collect();
            assert_eq!(split, games.into_iter().map(Ok).chain([Err(error)]).collect::<Vec<_>>(), "{text}");
        }
        for text in ["(;B[aa](;W[bb])", "(;B[aa)(;W[bb"] {
            assert_eq!(split(text).collect::<Vec<_>>(), [Ok(text)], "the parser refuses it");
            assert!(crate::read(text).is_err());
        }
    }
}
