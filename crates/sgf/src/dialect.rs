//! The games that SGF files hold, as their dialects declare them.

use tesuji_core::SgfDialect;

/// Returns the value of `GM`.
pub fn gm(dialect: SgfDialect) -> &'static str {
    match dialect {
        SgfDialect::Go => "1",
        SgfDialect::Hex => "11",
    }
}

/// Returns the name of the game with this dialect.
pub fn game_name(dialect: SgfDialect) -> &'static str {
    let entry = tesuji_catalog::games().into_iter().find(|entry| entry.dialects.sgf == Some(dialect));
    entry.expect("every SGF dialect belongs to a game").info.name
}

/// Returns the board size of a file without `SZ`: columns and rows.
pub fn default_size(dialect: SgfDialect) -> (u8, u8) {
    match dialect {
        SgfDialect::Go => (19, 19),
        SgfDialect::Hex => (11, 11),
    }
}

/// Returns the letters of the two players in a position text.
pub fn letters(dialect: SgfDialect) -> [char; 2] {
    match dialect {
        SgfDialect::Go => ['X', 'O'],
        SgfDialect::Hex => ['B', 'W'],
    }
}

/// Returns the end of a position text, after the side to move, if there is no ko and no pass before
/// it.
pub fn no_history_suffix(dialect: SgfDialect) -> &'static str {
    match dialect {
        SgfDialect::Go => " - 0",
        SgfDialect::Hex => "",
    }
}
