//! A game as a program is told it.

use crate::dialect::SWAP;
use tesuji_catalog::{Fault, Session, open};
use tesuji_core::GtpDialect;
use tesuji_core::Player;

/// A stone or a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Whose.
    pub player: Player,
    /// In the words of the game.
    pub mv: String,
    /// Whether the program took it; false for a pass that it makes by itself.
    pub heard: bool,
}

/// The moves of a game. For programs that leave the stone where it is when somebody swaps, a swap is a white stone on the mirrored
/// cell and nothing else.
pub fn script(game: &dyn Session, shows_swaps: bool) -> Vec<Line> {
    let Ok(mut replay) = open(&game.spec().to_string(), &game.start()) else { return Vec::new() };
    let mut lines: Vec<Line> = Vec::new();
    for mv in game.moves() {
        let player = replay.to_move().unwrap_or_default();
        if mv == SWAP
            && shows_swaps
            && let Some(first) = lines.pop()
        {
            lines.push(Line { player, mv: mirrored(&first.mv), heard: true });
        } else {
            lines.push(Line { player, mv: mv.clone(), heard: true });
        }
        if replay.play(&mv).is_err() {
            break;
        }
    }
    lines
}

/// A cell of Hex with column and row exchanged: `a3` and `c1`.
fn mirrored(cell: &str) -> String {
    let (column, row) = cell.split_at(1);
    let column = column.bytes().next().map_or(0, |letter| letter - b'a');
    let row: u8 = row.parse().unwrap_or(1);
    format!("{}{}", char::from(b'a' + row - 1), column + 1)
}

/// The stones that lie on the board before the first move.
pub fn stones(game: &dyn Session, dialect: GtpDialect) -> Result<Vec<Line>, Fault> {
    let unable = |what: &str| Fault::Unable(format!("GTP has no words for a game that begins {what}"));
    let (spec, start) = (game.spec().to_string(), game.start());
    match dialect {
        GtpDialect::Go | GtpDialect::Hex => {}
        _ if start == "start" => return Ok(Vec::new()),
        _ => return Err(unable("from a position of its own")),
    }
    let begin = open(&spec, &start).map_err(|error| Fault::Unable(error.to_string()))?;
    if dialect == GtpDialect::Go && !begin.text().ends_with(" - 0") {
        return Err(unable("in a ko or after a pass"));
    }
    let cells = begin.view().cells.into_iter();
    let stone = |cell: tesuji_core::view::Cell| {
        let player = cell.piece?.owner?;
        Some(Line { player, mv: cell.name, heard: true })
    };
    Ok(cells.filter_map(stone).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{colour, dialect};

    fn told(spec: &str, position: &str, shows_swaps: bool) -> String {
        let game = open(spec, position).unwrap();
        let lines = script(game.as_ref(), shows_swaps);
        lines.iter().map(|line| format!("{}{} ", colour(line.player, game.as_ref()), line.mv)).collect()
    }

    #[test]
    fn a_swap_is_told_as_it_is_or_shown() {
        assert_eq!(told("hex:5,swap", "start moves a3 swap c3 d4", false), "ba3 wswap bc3 wd4 ");
        assert_eq!(told("hex:5,swap", "start moves a3 swap c3 d4", true), "wc1 bc3 wd4 ");
        assert_eq!(told("hex:5,swap", "start moves a3 c3", true), "ba3 wc3 ");
    }

    #[test]
    fn passes_have_a_colour() {
        assert_eq!(told("go:5", "start moves A1 pass B2", false), "bA1 wpass bB2 ");
    }

    #[test]
    fn stones_at_the_start_are_told_and_a_ko_is_refused() {
        let count = |spec: &str, position: &str| {
            let game = open(spec, position).unwrap();
            stones(game.as_ref(), dialect(game.as_ref()).unwrap()).map(|stones| stones.len())
        };
        assert_eq!(count("go:9,handicap=4", "start"), Ok(4));
        assert_eq!(count("go:3", "X.O/.../... X - 0 moves B2"), Ok(2));
        assert!(matches!(count("go:3", "X.O/.../... X - 1"), Err(Fault::Unable(_))));
        assert_eq!(count("othello", "start"), Ok(0));
    }
}
