//! The analyze commands of GoGui and HexGui.

use super::{Engine, none, one};
use crate::command::Response;
use crate::dialect::write_move;
use tesuji_core::{GtpDialect, RootMove};

/// The number of moves labelled on the board.
const SHOWN: usize = 10;

impl Engine {
    /// Lists the analyze commands: type, title and command, as GoGui documents it.
    pub(super) fn analyze_commands(&mut self, arguments: &[String]) -> Response {
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

    /// Moves and their visits.
    pub(super) fn visits(&mut self, arguments: &[String]) -> Response {
        none(arguments)?;
        Ok(self.pairs(|entry| (entry.visits > 0).then(|| entry.visits.to_string())))
    }

    /// Moves and their win rates in percent.
    pub(super) fn values(&mut self, arguments: &[String]) -> Response {
        none(arguments)?;
        Ok(self.pairs(|entry| Some(format!("{:.0}", 50.0 * (entry.value? + 1.0)))))
    }

    fn pairs(&self, label: impl Fn(&RootMove<String>) -> Option<String>) -> String {
        let moves = self.last_report.iter().flat_map(|report| &report.moves).take(SHOWN);
        let pair =
            |entry: &RootMove<String>| Some(format!("{} {}", write_move(self.dialect, &entry.mv), label(entry)?));
        moves.filter_map(pair).collect::<Vec<_>>().join(" ")
    }

    /// The main line of the last search, if that was for this colour.
    pub(super) fn variation(&mut self, arguments: &[String]) -> Response {
        let player = self.player(one(arguments)?)?;
        let report = self.last_report.iter().filter(|report| report.bounds.player == player);
        let moves = report.flat_map(|report| &report.variation).map(|mv| write_move(self.dialect, mv));
        Ok(moves.collect::<Vec<_>>().join(" "))
    }
}
