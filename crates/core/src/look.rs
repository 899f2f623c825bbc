//! How a game looks on a graphical board.
//!
//! A front end draws a [`View`](crate::View) in the style that the game's [`Look`] names. It needs
//! no table of games of its own.

use serde::ser::{Serialize, SerializeMap, Serializer};

/// The look of a game: its board, its pieces, and which cells accept a click.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Look {
    /// The style of the board.
    pub board: BoardStyle,
    /// The style of the pieces.
    pub piece: PieceStyle,
    /// The tone of each player's pieces, by seat.
    pub tones: &'static [Tone],
    /// The cells that select a move when clicked.
    pub reach: ClickReach,
    /// Display names of piece symbols; a symbol without one is shown as it is.
    pub names: PieceNames,
}

impl Look {
    /// Discs on a plain board, the look of a game that declares none.
    pub const DEFAULT: Look = Look {
        board: BoardStyle::Plain,
        piece: PieceStyle::Disc,
        tones: &[Tone::Black, Tone::White, Tone::Red, Tone::Blue],
        reach: ClickReach::Cell,
        names: PieceNames(&[]),
    };
}

impl Default for Look {
    fn default() -> Look {
        Look::DEFAULT
    }
}

/// The style of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardStyle {
    /// Cells of one colour with lines between them.
    Plain,
    /// Pieces stand on the intersections of a grid.
    Points,
    /// Cells of two alternating colours.
    Chequer,
    /// Green cells, as in Othello.
    Felt,
    /// An upright frame with a hole for each cell.
    Holes,
    /// A dark tray that tiles fill.
    Tiles,
}

/// The style of the pieces on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceStyle {
    /// A lens-shaped stone, as in Go.
    Stone,
    /// A flat disc.
    Disc,
    /// A small point, as drawn with a pencil.
    Point,
    /// A cross or a nought.
    Mark,
    /// A ball that shows its symbol.
    Ball,
    /// A chess pawn.
    Pawn,
    /// A chess knight.
    Knight,
    /// A shogi piece that shows its symbol and points at the opponent.
    Shogi,
    /// A shogi piece that shows an animal and the directions of its steps.
    Animals,
    /// A coloured tile; the symbol is the number of the colour.
    Tile,
    /// Seeds in a pit; the symbol is their number.
    Seeds,
    /// The symbol as text.
    Text,
}

/// The colour scheme of a player's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Tone {
    Black,
    White,
    Red,
    Yellow,
    Green,
    Blue,
    Sente,
    Gote,
}

/// The cells that select a move when clicked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClickReach {
    /// The cell that [`Game::clicks`](crate::Game::clicks) names.
    Cell,
    /// Any cell in the column of the named cell.
    Column,
    /// Any cell of the connected group of equal pieces around the named cell.
    Group,
}

/// Pairs of a piece symbol in upper case and its display name; serialised as a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceNames(pub &'static [(&'static str, &'static str)]);

impl Serialize for PieceNames {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (symbol, name) in self.0 {
            map.serialize_entry(symbol, name)?;
        }
        map.end()
    }
}
