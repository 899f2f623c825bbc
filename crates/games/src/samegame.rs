//! SameGame.
//!
//! A tile game (see [`crate::board::tiles`]) on 15x15 with 5 colours. A move that removes n tiles
//! scores (n - 2)^2. At the end an empty board earns 1000 points; otherwise each colour with k
//! tiles left costs (k - 2)^2, as if they were connected.
//!
//! Variants: 2x2 to 20x20, 2 to 10 colours; a random board by `seed=`, or `board=FILE,number=K`
//! from a file. Some sources do not say whether a colour without tiles left costs anything; here it
//! does not.

use crate::board::tiles::{LOOK, Scoring, Tiles, tile_rules};
use tesuji_core::Info;

/// A position of SameGame.
pub type SameGame = Tiles<Squares>;

/// The scoring of SameGame.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Squares;

/// The points for a number of tiles.
fn square(tiles: i32) -> i32 {
    (tiles - 2) * (tiles - 2)
}

/// The rules as people read them.
const RULES: &str = tile_rules!(
    "A move that removes n tiles scores (n - 2) times (n - 2) points: nothing for two tiles, 1 for three, 100 for \
     twelve. Clearing the board earns 1000 points more. Otherwise each colour with k tiles left costs (k - 2) times \
     (k - 2) points. The board is 15x15 with 5 colours unless another size is chosen."
);

impl Scoring for Squares {
    const INFO: Info = Info {
        goal: "Score as many points as you can: large groups count most, and clearing the board earns a bonus. Choose \
               a group to remove it.",
        rules: RULES,
        look: LOOK,
        ..Info::new("samegame", "SameGame", &["Player"])
    };
    const BOARD: (u8, u8, u8) = (15, 15, 5);
    /// Level with the best of five searches on 8 boards at 1 s and 5 s
    /// (experiments/one-player-nested, group auto-samegame).
    const AUTO_PLAYER: &'static str = "nrpa:level=3,n=50,stabilise=10,playout=chosen";

    #[inline]
    fn points(tiles: i32) -> i32 {
        square(tiles)
    }

    fn ending(left: &[i32]) -> i32 {
        match left.iter().sum::<i32>() {
            0 => 1000,
            _ => -left.iter().filter(|&&tiles| tiles > 0).map(|&tiles| square(tiles)).sum::<i32>(),
        }
    }

    /// At best one move removes all tiles. At worst no move is possible: then no colour has more
    /// than half the tiles (a checkerboard), and the penalty is highest with two large colours and
    /// some others with a tile each.
    fn range(tiles: i32, colours: i32) -> (i32, i32) {
        let dearest = |single: i32| {
            let more = (tiles + 1) / 2;
            square(more) + square((tiles - single - more).max(0)) + single
        };
        let worst = (0..=(colours - 2).min(tiles / 2)).map(dearest).max().unwrap_or(0);
        // On tiny boards one tile of every colour costs more.
        (-worst.max(colours.min(tiles)), square(tiles) + 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{Game, History, Rules};

    /// The example of Baier 2015, figure 3.1, with A, B, C as 0, 1, 2.
    #[test]
    fn the_example_of_the_thesis_scores_109() {
        let rules = crate::rules::<SameGame>("samegame:5x5,colours=3").unwrap();
        let mut game = History::<SameGame>::parse(rules, "12112/22221/00122/11101/11222 0 moves a3").unwrap();
        assert_eq!(game.position().text(), "..112/12221/22122/11101/11222 0");
        game.play_text("a3").unwrap();
        assert_eq!(game.position().text(), "...../..1.2/1.111/11101/11222 25");
        game.play_text("a1").unwrap();
        assert_eq!(game.position().text(), "...../...../...../.02../222.. 106");
        game.play_text("a1").unwrap();
        assert_eq!(game.outcome().unwrap().scores(), [109]);
        assert_eq!(game.position().ending_reason(), Some("no groups left"));
    }

    #[test]
    fn the_range_is_that_of_the_thesis() {
        let facts = crate::rules::<SameGame>("samegame").unwrap().facts();
        // Baier prints 50749; (225 - 2)^2 + 1000 is 50729.
        assert_eq!(facts.scores, (-24421, 50729));
    }

    #[test]
    fn clearing_the_board_earns_a_thousand() {
        let rules = crate::rules::<SameGame>("samegame:2x2,colours=2").unwrap();
        let game = History::<SameGame>::parse(rules, "00/11 0 moves a1 a1").unwrap();
        assert_eq!(game.outcome().unwrap().scores(), [1000]);
        assert_eq!(game.position().ending_reason(), Some("board cleared"));
        assert_eq!(game.positions()[0].ending_reason(), None);
    }

    #[test]
    fn points_that_the_missing_tiles_cannot_have_given_are_refused() {
        let rules = crate::rules::<SameGame>("samegame:2x2,colours=2").unwrap();
        assert!(SameGame::parse(&rules, "00/00 1004").is_err());
        assert!(SameGame::parse(&rules, "../00 1").is_err());
        assert!(SameGame::parse(&rules, "../00 0").is_ok());
    }

    #[test]
    fn a_position_is_232_bytes() {
        assert_eq!(size_of::<SameGame>(), 232);
    }
}
