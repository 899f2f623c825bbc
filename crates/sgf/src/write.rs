//! Writes games as SGF.

use crate::dialect::{gm, letters, no_history_suffix};
use crate::record::KO_RULES;
use crate::tree::{Node, Property, Tree, escaped};
use crate::{By, GameResult, SgfError};
use std::collections::HashMap;
use tesuji_catalog::{Session, open, option};
use tesuji_core::{Player, SgfDialect, Spec};

/// The headers of a file. Fields that are `None` are omitted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Headers {
    /// The name of Black.
    pub black: Option<String>,
    /// The name of White.
    pub white: Option<String>,
    /// The result; if `None`, that of the board if the game is over.
    pub result: Option<GameResult>,
    /// The date, such as `2024-02-29`.
    pub date: Option<String>,
    /// The event: a match or an experiment.
    pub event: Option<String>,
    /// The name of the game.
    pub name: Option<String>,
    /// A comment.
    pub comment: Option<String>,
}

/// Writes a game of Go or Hex as SGF. Other games, and games that start in a ko or after a pass,
/// are refused.
pub fn write(game: &dyn Session, headers: &Headers) -> Result<String, SgfError> {
    let spec = game.spec().to_string();
    let refuse = |reason: &str| SgfError::Unwritable { game: spec.clone(), reason: reason.to_string() };
    let Some(dialect) = game.dialects().sgf else { return Err(refuse("only games of go and hex are")) };
    let start = open(&spec, &game.start()).map_err(|error| refuse(&error.to_string()))?;
    let start_text = game.start();
    if start_text != "start" && !start_text.ends_with(no_history_suffix(dialect)) {
        return Err(refuse("it starts in a ko or after a pass, which SGF cannot describe"));
    }
    let mut root = Node::default();
    root.push("FF", "4");
    root.push("GM", gm(dialect));
    root.push("CA", "UTF-8");
    root.push("AP", concat!("Tesuji:", env!("CARGO_PKG_VERSION")));
    let view = start.view();
    let columns = view.cells.iter().map(|cell| cell.column + 1).max().unwrap_or(0);
    let rows = view.cells.iter().map(|cell| cell.row + 1).max().unwrap_or(0);
    root.push("SZ", if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") });
    push_rules(&mut root, game.spec(), dialect, start_text == "start");
    let result = headers.result.or_else(|| board_result(game, dialect)).map(|result| result.to_string());
    push_headers(&mut root, headers, &result);
    let sgf_cell = |column: u8, row: u8| match dialect {
        SgfDialect::Go => format!("{}{}", char::from(b'a' + column), char::from(b'a' + row)),
        SgfDialect::Hex => format!("{}{}", char::from(b'a' + column), row + 1),
    };
    for (identifier, player) in [("AB", Player::FIRST), ("AW", Player::SECOND)] {
        let owned =
            view.cells.iter().filter(|cell| cell.piece.as_ref().is_some_and(|piece| piece.owner == Some(player)));
        let values: Vec<String> = owned.map(|cell| sgf_cell(cell.column, cell.row)).collect();
        if !values.is_empty() {
            root.properties.push(Property { identifier: identifier.to_string(), values });
        }
    }
    // From the text: a start that is terminal has no player to move.
    let side = start.text().split(' ').nth(1).and_then(|side| side.chars().next());
    let mut player = if side == Some(letters(dialect)[1]) { Player::SECOND } else { Player::FIRST };
    if start_text != "start" {
        root.push("PL", if player == Player::FIRST { "B" } else { "W" });
    }
    let cells: HashMap<&str, String> =
        view.cells.iter().map(|cell| (cell.name.as_str(), sgf_cell(cell.column, cell.row))).collect();
    let mut tree = Tree::new(root);
    for mv in game.moves() {
        let value = match mv.as_str() {
            "pass" => "",
            "swap" => "swap-pieces",
            cell => cells.get(cell).ok_or_else(|| refuse(&format!("{cell} is not a cell")))?,
        };
        let mut node = Node::default();
        node.push(if player == Player::FIRST { "B" } else { "W" }, value);
        tree.extend(node);
        player = player.opponent();
    }
    Ok(tree.to_string())
}

/// Writes komi, rules and handicap. A handicap belongs to the start position alone.
fn push_rules(root: &mut Node, spec: &Spec, dialect: SgfDialect, at_start: bool) {
    match dialect {
        SgfDialect::Go => {
            root.push("KM", option(spec, "komi").unwrap_or_default());
            let ko = option(spec, "ko").unwrap_or_default();
            let rules = KO_RULES.iter().find(|(_, ours)| *ours == ko).map_or("", |(name, _)| name);
            root.push("RU", format!("{rules}scoreAREAtaxNONEsui0"));
            if at_start && let Some(stones) = spec.option("handicap").filter(|stones| *stones != "0") {
                root.push("HA", stones);
            }
        }
        SgfDialect::Hex if spec.option("swap").is_some() => root.push("RU", "swap"),
        SgfDialect::Hex => {}
    }
}

/// Writes the headers that are known.
fn push_headers(root: &mut Node, headers: &Headers, result: &Option<String>) {
    for (identifier, text) in [
        ("GN", &headers.name),
        ("EV", &headers.event),
        ("DT", &headers.date),
        ("PB", &headers.black),
        ("PW", &headers.white),
        ("RE", result),
        ("C", &headers.comment),
    ] {
        if let Some(text) = text {
            root.push(identifier, escaped(text));
        }
    }
}

/// Returns the result of the board, if the game is over.
fn board_result(game: &dyn Session, dialect: SgfDialect) -> Option<GameResult> {
    let lead = game.ending()?.scores[0].value();
    if lead == 0.0 {
        return Some(GameResult::Draw);
    }
    let winner = if lead > 0.0 { Player::FIRST } else { Player::SECOND };
    let by = if dialect == SgfDialect::Go { By::Points(lead.abs()) } else { By::Unspecified };
    Some(GameResult::Win { winner, by })
}
