//! The board of a game in the terminal, with its last move marked.

use std::io::IsTerminal;
use tesuji_catalog::Session;

/// The brackets around the last move.
const PLAIN: (&str, &str) = ("[", "]");
/// The same in bold yellow.
const COLOURED: (&str, &str) = ("\x1b[1;33m[", "]\x1b[0m");

/// Draws the current position of a game, with brackets around the last move; in colour where
/// standard output shows it.
pub fn board(session: &dyn Session) -> String {
    let has_colour = std::io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb");
    let brackets = if has_colour { COLOURED } else { PLAIN };
    session.view().marked(last_cell(session).as_deref(), brackets).to_string()
}

/// Returns the cell that the last move was played to; `None` if there is no last move, or if it is
/// not a move to a cell.
fn last_cell(session: &dyn Session) -> Option<String> {
    let last = session.moves().pop()?;
    let mut before = session.copy();
    before.undo();
    let number = before.legal_moves().iter().position(|mv| *mv == last)?;
    let cells = session.view().cells;
    let clicks = before.clicks().swap_remove(number);
    clicks.into_iter().rev().find(|name| cells.iter().any(|cell| cell.name == *name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_catalog::open;

    fn drawn(game: &str, position: &str) -> String {
        board(open(game, position).unwrap().as_ref())
    }

    #[test]
    fn the_last_move_is_in_brackets() {
        assert!(drawn("tictactoe", "start moves b2 a1").contains("[O]"));
        assert!(drawn("tictactoe", "start moves b2").contains("\u{b7}[X]\u{b7}"));
        let text = drawn("hex:4", "start moves d4");
        assert!(text.contains("\u{b7}[B]4"), "{text}");
        // A move to a cell marks where the piece is now.
        let text = drawn("breakthrough:5", "start moves a2-a3");
        assert!(text.contains("[W]"), "{text}");
    }

    #[test]
    fn only_the_brackets_differ() {
        for (game, position) in [
            ("connect4", "start moves 4 4"),
            ("hex:11", "start moves k11"),
            ("go:9", "start moves A1"),
            ("awari", "start moves C"),
            ("minishogi", "start"),
            ("go:9", "start moves A1 pass"),
        ] {
            let Ok(session) = open(game, position) else { panic!("{game} {position}") };
            let text = board(session.as_ref());
            let plain = session.view().to_string();
            assert_eq!(text.replace(['[', ']'], " "), plain, "{game} {position}");
            let marks = text.matches('[').count();
            assert_eq!(marks, usize::from(position.contains("moves") && !position.ends_with("pass")), "{text}");
        }
    }
}
