//! A game as a sequence of GTP moves.

use crate::dialect::SWAP;
use tesuji_catalog::{Fault, Session, open};
use tesuji_core::GtpDialect;
use tesuji_core::Player;

/// A stone or a move to send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SentMove {
    /// The player.
    pub player: Player,
    /// The move in the game's notation.
    pub mv: String,
    /// Whether the program accepted it; false for a pass that it makes on its own.
    pub accepted: bool,
}

/// Returns the moves of a game. With `swap_as_stone` a swap becomes a single white stone on the
/// mirrored cell, for programs that leave the stone in place when a player swaps.
pub fn script(game: &dyn Session, swap_as_stone: bool) -> Vec<SentMove> {
    let Ok(mut replay) = open(&game.spec().to_string(), &game.start()) else { return Vec::new() };
    let mut script: Vec<SentMove> = Vec::new();
    for mv in game.moves() {
        let player = replay.to_move().unwrap_or_default();
        if mv == SWAP
            && swap_as_stone
            && let Some(first) = script.pop()
        {
            script.push(SentMove { player, mv: mirrored(&first.mv), accepted: true });
        } else {
            script.push(SentMove { player, mv: mv.clone(), accepted: true });
        }
        if replay.play(&mv).is_err() {
            break;
        }
    }
    script
}

/// Exchanges the column and row of a Hex cell: `a3` becomes `c1`.
fn mirrored(cell: &str) -> String {
    let (column, row) = cell.split_at(1);
    let column = column.bytes().next().map_or(0, |letter| letter - b'a');
    let row: u8 = row.parse().unwrap_or(1);
    format!("{}{}", char::from(b'a' + row - 1), column + 1)
}

/// Returns the stones on the board before the first move.
pub fn stones(game: &dyn Session, dialect: GtpDialect) -> Result<Vec<SentMove>, Fault> {
    let unable = |what: &str| Fault::Unable(format!("GTP cannot describe a game that starts {what}"));
    let (spec, start) = (game.spec().to_string(), game.start());
    match dialect {
        GtpDialect::Go | GtpDialect::Hex => {}
        _ if start == "start" => return Ok(Vec::new()),
        _ => return Err(unable("from a position of its own")),
    }
    let first = open(&spec, &start).map_err(|error| Fault::Unable(error.to_string()))?;
    if dialect == GtpDialect::Go && !first.text().ends_with(" - 0") {
        return Err(unable("in a ko or after a pass"));
    }
    let cells = first.view().cells.into_iter();
    let stone = |cell: tesuji_core::view::Cell| {
        let player = cell.piece?.owner?;
        Some(SentMove { player, mv: cell.name, accepted: true })
    };
    Ok(cells.filter_map(stone).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::{colour, dialect};

    fn script_text(spec: &str, position: &str, swap_as_stone: bool) -> String {
        let game = open(spec, position).unwrap();
        let moves = script(game.as_ref(), swap_as_stone);
        moves.iter().map(|sent| format!("{}{} ", colour(sent.player, game.as_ref()), sent.mv)).collect()
    }

    #[test]
    fn a_swap_is_sent_as_a_swap_or_as_a_stone() {
        assert_eq!(script_text("hex:5,swap", "start moves a3 swap c3 d4", false), "ba3 wswap bc3 wd4 ");
        assert_eq!(script_text("hex:5,swap", "start moves a3 swap c3 d4", true), "wc1 bc3 wd4 ");
        assert_eq!(script_text("hex:5,swap", "start moves a3 c3", true), "ba3 wc3 ");
    }

    #[test]
    fn passes_have_a_colour() {
        assert_eq!(script_text("go:5", "start moves A1 pass B2", false), "bA1 wpass bB2 ");
    }

    #[test]
    fn stones_at_the_start_are_sent_and_a_ko_is_refused() {
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
