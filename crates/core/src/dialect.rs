//! The protocol dialects of a game: how GTP, USI and SGF write it.
//!
//! Games declare their dialects in [`crate::Rules::dialects`]; the protocol crates implement them.

use crate::view::RowOne;

/// The protocols that a game can be played over, and the dialect of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dialects {
    /// How GTP writes moves. GTP serves every game of two players.
    pub gtp: GtpDialect,
    /// How USI writes moves and positions.
    pub usi: UsiSupport,
    /// How SGF writes game records; `None` if it does not.
    pub sgf: Option<SgfDialect>,
}

/// The move notation and the commands of a game in GTP.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GtpDialect {
    /// Moves `D4` and `pass`; komi, handicap, scores in half points.
    Go,
    /// Moves `d4` and `swap-pieces`, as MoHex writes them.
    Hex,
    /// Moves `D4` and `pass`; a program may skip forced passes.
    Othello,
    /// The game's own notation.
    #[default]
    Plain,
}

/// The game of an SGF file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SgfDialect {
    /// `GM[1]`
    Go,
    /// `GM[11]`
    Hex,
}

/// Whether a game can be played over USI under given rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UsiSupport {
    /// Yes.
    Supported(UsiDialect),
    /// Only under other rules.
    OtherRules {
        /// The spec of the game under rules that are supported.
        spec: &'static str,
        /// Why these rules are not supported; follows the spec in error messages.
        reason: &'static str,
    },
    /// No.
    #[default]
    Unsupported,
}

/// The moves and positions of a game in USI, as Fairy-Stockfish writes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsiDialect {
    /// The name of the variant in Fairy-Stockfish.
    pub variant: &'static str,
    /// The spec of the game with that variant's default rules.
    pub spec: &'static str,
    /// Files and ranks.
    pub size: (u8, u8),
    /// Which row has number 1 in the game's own notation. USI counts from the top.
    pub row_one: RowOne,
    /// How the game's position texts are laid out.
    pub layout: PositionLayout,
    /// A piece that USI programs never leave attacked although the rules allow it, so that they
    /// have no move that captures it: its letters in the position text of the first and second
    /// player.
    pub royal: Option<[char; 2]>,
}

/// The layout of a position text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionLayout {
    /// SFEN without the move number.
    Sfen,
    /// `SIDE/RANK/.../RANK/HANDS`; `-` for an empty cell.
    SideBoardHands {
        /// The players' letters.
        sides: [&'static str; 2],
        /// The piece letters, and their spelling in SFEN.
        pieces: &'static [(char, &'static str)],
        /// The piece letters that can be in hand.
        in_hand: &'static str,
    },
    /// `RANK/.../RANK SIDE`; `.` for an empty cell.
    BoardSide {
        /// The players' letters.
        sides: [&'static str; 2],
        /// The piece letters, and their spelling in SFEN.
        pieces: &'static [(char, &'static str)],
    },
}
