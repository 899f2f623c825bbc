//! Bubble Breaker.
//!
//! A tile game (see [`crate::board::tiles`]) on 15x15 with 5 colours. A move that removes n tiles
//! scores n (n - 1); the end adds nothing. Variants as in SameGame.

use crate::board::tiles::{LOOK, Scoring, Tiles, tile_rules};
use tesuji_core::Info;

/// A position of Bubble Breaker.
pub type BubbleBreaker = Tiles<Pairs>;

/// The scoring of Bubble Breaker.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairs;

/// The rules as people read them.
const RULES: &str = tile_rules!(
    "A move that removes n tiles scores n times (n - 1) points: 2 for two tiles, 6 for three, 90 for ten. Tiles \
     that are left cost nothing. The board is 15x15 with 5 colours unless another size is chosen."
);

impl Scoring for Pairs {
    const INFO: Info = Info {
        goal: "Score as many points as you can: large groups count most. Choose a group to remove it.",
        rules: RULES,
        look: LOOK,
        ..Info::new("bubblebreaker", "Bubble Breaker", &["Player"])
    };
    const BOARD: (u8, u8, u8) = (15, 15, 5);
    /// Level with the best of four searches on 5 boards at 1 s and 5 s
    /// (experiments/one-player-nested, group auto-bubblebreaker).
    const AUTO_PLAYER: &'static str = "nrpa:level=3,n=50,stabilise=10,playout=chosen";

    #[inline]
    fn points(tiles: i32) -> i32 {
        tiles * (tiles - 1)
    }

    #[inline]
    fn ending(_: &[i32]) -> i32 {
        0
    }

    fn range(tiles: i32, _: i32) -> (i32, i32) {
        (0, tiles * (tiles - 1))
    }
}
