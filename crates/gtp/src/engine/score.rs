//! The score of a game.

use super::{Engine, none, one};
use crate::command::{Refusal, Response};
use crate::dialect::{PASS, parse_player};
use std::collections::BTreeSet;
use tesuji_core::Player;
use tesuji_core::{GtpDialect, quoted};

impl Engine {
    /// The score by the rules of the game. In Go the board is scored as it stands, finished or not:
    /// every stone counts as alive, so dead stones must be captured first.
    pub(super) fn final_score(&mut self, arguments: &[String]) -> Response {
        none(arguments)?;
        let mut end = self.session.copy();
        while self.dialect == GtpDialect::Go && end.to_move().is_some() {
            end.play(PASS).map_err(Refusal::new)?;
        }
        let ending = end.ending().ok_or_else(|| Refusal::new("cannot score: the game is not over"))?;
        let black = parse_player("black", end.as_ref()).unwrap_or(Player::FIRST);
        let lead = ending.scores[black.index()].value();
        let colour = if lead > 0.0 { "B" } else { "W" };
        Ok(match self.dialect {
            _ if lead == 0.0 => "0".to_string(),
            GtpDialect::Go => format!("{colour}+{:.1}", lead.abs()),
            GtpDialect::Hex => format!("{colour}+"),
            _ => format!("{colour}+{}", lead.abs()),
        })
    }

    /// All stones count as alive, as in [`Engine::final_score`]; none are dead or in seki.
    pub(super) fn final_status_list(&mut self, arguments: &[String]) -> Response {
        match one(arguments)? {
            "alive" => Ok(self.blocks().join("\n")),
            "dead" | "seki" => Ok(String::new()),
            other => Err(Refusal(format!(
                "syntax error: {other} is not a status; it takes alive, dead or seki",
                other = quoted(other)
            ))),
        }
    }

    /// Returns the blocks of stones, one line each.
    fn blocks(&self) -> Vec<String> {
        let cells = self.session.view().cells;
        let owner = |column: i32, row: i32| {
            let at = |cell: &&tesuji_core::view::Cell| (i32::from(cell.column), i32::from(cell.row)) == (column, row);
            cells.iter().find(at).and_then(|cell| cell.piece.as_ref()?.owner)
        };
        let mut left: BTreeSet<(i32, i32)> = cells
            .iter()
            .filter(|cell| cell.piece.is_some())
            .map(|cell| (cell.row.into(), cell.column.into()))
            .collect();
        let mut blocks = Vec::new();
        while let Some(first) = left.pop_first() {
            let mut block = vec![first];
            let mut next = 0;
            while let Some(&(row, column)) = block.get(next) {
                next += 1;
                for (y, x) in [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)] {
                    if left.contains(&(y, x)) && owner(x, y) == owner(column, row) {
                        left.remove(&(y, x));
                        block.push((y, x));
                    }
                }
            }
            let inside = |cell: &&tesuji_core::view::Cell| block.contains(&(cell.row.into(), cell.column.into()));
            blocks.push(cells.iter().filter(inside).map(|cell| cell.name.clone()).collect::<Vec<_>>().join(" "));
        }
        blocks
    }
}
