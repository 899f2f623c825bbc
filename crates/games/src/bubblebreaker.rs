//! Bubble Breaker.
//!
//! A tile game (see [`crate::board::tiles`]) on 15x15 with 5 colours. A move that removes n tiles
//! scores n (n - 1); the end adds nothing. Variants as in SameGame.

use crate::board::tiles::{LOOK, Scoring, Tiles};
use tesuji_core::Info;

/// A position of Bubble Breaker.
pub type BubbleBreaker = Tiles<Pairs>;

/// The scoring of Bubble Breaker.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairs;

impl Scoring for Pairs {
    const INFO: Info = Info { look: LOOK, ..Info::new("bubblebreaker", "Bubble Breaker", &["Player"]) };
    const BOARD: (u8, u8, u8) = (15, 15, 5);

    #[inline]
    fn points(tiles: i32) -> i32 {
        tiles * (tiles - 1)
    }

    fn ending(_: &[i32]) -> i32 {
        0
    }

    fn range(tiles: i32, _: i32) -> (i32, i32) {
        (0, tiles * (tiles - 1))
    }
}
