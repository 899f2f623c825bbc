//! What GoGui and HexGui offer in their menus, and what the last search thought, for the board.

use super::{Engine, none, one};
use crate::command::Answer;
use crate::dialect::write_move;
use tesuji_core::GtpDialect;
use tesuji_core::RootMove;

/// Of how many moves something is shown on the board.
const SHOWN: usize = 10;

impl Engine {
    /// The menu: kind, title and command, as GoGui's documentation of analyze commands has it.
    pub(super) fn analyze_commands(&mut self, arguments: &[String]) -> Answer {
        none(arguments)?;
        let mut menu = vec![
            "varc/Move that it would play/reg_genmove %c",
            "pspairs/Visits of the last search/tesuji-visits",
            "pspairs/Values of the last search/tesuji-values",
            "varc/Line of the last search/tesuji-variation %c",
            "string/Board/showboard",
            "string/Score/final_score",
        ];
        match self.dialect {
            GtpDialect::Go => menu.push("plist/Stones that count as alive/final_status_list alive"),
            GtpDialect::Hex => menu.push("plist/Legal moves/all_legal_moves %c"),
            GtpDialect::Othello | GtpDialect::Plain => {}
        }
        Ok(menu.join("\n"))
    }

    /// Moves and how often each was tried.
    pub(super) fn visits(&mut self, arguments: &[String]) -> Answer {
        none(arguments)?;
        Ok(self.pairs(|entry| (entry.visits > 0).then(|| entry.visits.to_string())))
    }

    /// Moves and the chance of each to win, in percent.
    pub(super) fn values(&mut self, arguments: &[String]) -> Answer {
        none(arguments)?;
        Ok(self.pairs(|entry| Some(format!("{:.0}", 50.0 * (entry.value? + 1.0)))))
    }

    fn pairs(&self, label: impl Fn(&RootMove<String>) -> Option<String>) -> String {
        let moves = self.thought.iter().flat_map(|report| &report.moves).take(SHOWN);
        let pair =
            |entry: &RootMove<String>| Some(format!("{} {}", write_move(self.dialect, &entry.mv), label(entry)?));
        moves.filter_map(pair).collect::<Vec<_>>().join(" ")
    }

    /// The moves that the last search expects, if it thought for this colour.
    pub(super) fn variation(&mut self, arguments: &[String]) -> Answer {
        let player = self.player(one(arguments)?)?;
        let thought = self.thought.iter().filter(|report| report.bounds.player == player);
        let moves = thought.flat_map(|report| &report.variation).map(|mv| write_move(self.dialect, mv));
        Ok(moves.collect::<Vec<_>>().join(" "))
    }
}
