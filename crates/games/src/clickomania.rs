//! Clickomania.
//!
//! A tile game (see [`crate::board::tiles`]) on 20x20 with 10 colours. The score is the number of
//! removed tiles. Variants as in SameGame.

use crate::board::tiles::{LOOK, Scoring, Tiles, tile_rules};
use tesuji_core::Info;

/// A position of Clickomania.
pub type Clickomania = Tiles<Removed>;

/// The scoring of Clickomania.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Removed;

/// The rules as people read them.
const RULES: &str = tile_rules!(
    "Every removed tile scores one point, so only the number of tiles left at the end matters. The board is 20x20 \
     with 10 colours unless another size is chosen."
);

impl Scoring for Removed {
    const INFO: Info = Info {
        goal: "Remove as many tiles as you can. Choose a group to remove it.",
        rules: RULES,
        look: LOOK,
        ..Info::new("clickomania", "Clickomania", &["Player"])
    };
    const BOARD: (u8, u8, u8) = (20, 20, 10);
    /// See experiments/one-player-nested, group auto-clickomania.
    const AUTO_PLAYER: &'static str = "nrpa:level=3,n=50,stabilise=10";

    #[inline]
    fn points(tiles: i32) -> i32 {
        tiles
    }

    #[inline]
    fn ending(_: &[i32]) -> i32 {
        0
    }

    fn range(tiles: i32, _: i32) -> (i32, i32) {
        (0, tiles)
    }
}
