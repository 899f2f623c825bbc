//! Knightthrough: Breakthrough with knights.
//!
//! Two armies of two rows each; White (W) at the bottom moves first. A piece jumps like a knight of chess, but only
//! forward: two rows ahead and one aside or one ahead and two aside, onto an empty cell or an enemy, who is captured.
//! The first to reach the far row wins. Who is to move and cannot loses; with a piece left that only happens on three
//! columns, to pieces in the middle one. Moves are written `a2-b4`, captures too.
//!
//! Variants: any board from 3x4 to 18x8, 8x8 if nothing is said.
//!
//! How the board is laid out, and what is common to such races, is told in [`crate::board::race`].

use crate::board::race::{MAX_CELLS, Race, Step, Steps, Way};
use tesuji_core::look::{BoardStyle, PieceStyle, Tone};
use tesuji_core::{Game, Info, Look, Player, zobrist};

/// A position of Knightthrough.
pub type Knightthrough = Race<KnightthroughSteps>;

/// The pieces of Knightthrough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnightthroughSteps;

static KEYS: [[u64; MAX_CELLS]; 2] = [zobrist::keys(0x28), zobrist::keys(0x29)];
const BLACK_TO_MOVE: u64 = zobrist::key(0x2a, 0);

/// What a piece is worth anywhere, in the scale of [`row_worth`]. Raising it makes trades matter more than the race.
const PIECE: i32 = 10;

/// What a piece is worth for the rows it is from home: 0, 0, 1, 3, 6, 10, 15, 21. Near the goal a row is worth more,
/// since fewer enemies are left in front that could catch the piece. No source: among a few such curves this one won
/// most of the games between searches three plies deep on 8x8 (a flatter one, ending 7, 10, 14, took 45 % of 600 games
/// from it, and no row values at all took 44 % from that).
const fn row_worth(row: i32) -> i32 {
    row * (row - 1) / 2
}

impl Steps for KnightthroughSteps {
    const INFO: Info = Info {
        look: Look { board: BoardStyle::Chequer, piece: PieceStyle::Knight, tones: &[Tone::White, Tone::Black], ..Look::DEFAULT },
        ..Info::new("knightthrough", "Knightthrough", &["White", "Black"])
    };
    const SIZE: (u8, u8) = (8, 8);
    const WAYS: &'static [Way] = &[
        Way { aside: -2, ahead: 1, captures: true },
        Way { aside: -1, ahead: 2, captures: true },
        Way { aside: 1, ahead: 2, captures: true },
        Way { aside: 2, ahead: 1, captures: true },
    ];
    const COLUMNS_THAT_BLOCK: u8 = 3;

    #[inline]
    fn keys() -> (&'static [[u64; MAX_CELLS]; 2], u64) {
        (&KEYS, BLACK_TO_MOVE)
    }

    /// The worth of the own pieces less that of the opponent's, as a share of what the whole army would be worth if
    /// every piece had arrived.
    fn evaluation(position: &Knightthrough, player: Player) -> f32 {
        let (columns, rows) = position.size();
        let worth = |side| {
            let counts = position.by_advance(side).into_iter().zip(0..);
            counts.map(|(count, row)| count * (PIECE + row_worth(row))).sum::<i32>()
        };
        let bound = 2 * columns as i32 * (PIECE + row_worth(rows as i32 - 1));
        let lead = worth(player) - worth(player.opponent());
        (lead as f32 / bound as f32).clamp(-0.999, 0.999)
    }

    /// Wins, then captures, then the rest; within each, moves that end nearer the far row first.
    #[inline]
    fn move_order(position: &Knightthrough, step: Step) -> i32 {
        const CLASS: i32 = 16;
        let rows_gone = position.advance(position.to_move(), step.to);
        let class =
            if usize::from(rows_gone) == position.size().1 - 1 { 2 } else { i32::from(position.is_capture(step)) };
        class * CLASS + i32::from(rows_gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{Knowledge, PositionError};

    fn position(spec: &str, text: &str) -> Result<Knightthrough, PositionError> {
        Knightthrough::parse(&crate::rules::<Knightthrough>(spec).unwrap(), text)
    }

    fn moves(position: &Knightthrough) -> Vec<String> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.sort_by_key(|&mv| std::cmp::Reverse(position.move_order(mv)));
        moves.iter().map(|&mv| position.move_text(mv)).collect()
    }

    #[test]
    fn knights_only_jump_forward() {
        let text = "...../...../B..../..W../..... ";
        assert_eq!(
            moves(&position("knightthrough:5x5", &format!("{text}W")).unwrap()),
            ["c2-a3", "c2-b4", "c2-d4", "c2-e3"]
        );
        assert_eq!(moves(&position("knightthrough:5x5", &format!("{text}B")).unwrap()), ["a3-b1", "a3-c2"]);
    }

    #[test]
    fn a_player_who_is_stuck_loses() {
        let mut narrow = position("knightthrough:3x5", "..B/.W./.../.../W.. B").unwrap();
        narrow.play(narrow.parse_move("c5-b3").unwrap());
        assert!(!narrow.is_over());
        narrow.play(narrow.parse_move("a1-b3").unwrap());
        assert_eq!(narrow.outcome().unwrap().scores(), [1, -1]);
        let stuck = position("knightthrough:3x5", "B../.W./.../.../... W").unwrap();
        assert_eq!(stuck.outcome().unwrap().scores(), [-1, 1]);
        assert!(moves(&stuck).is_empty());
        assert!(!position("knightthrough:4x5", "B.../.W../..../..../.... W").unwrap().is_over());
    }

    #[test]
    fn being_stuck_matters_only_on_the_own_turn() {
        assert!(!position("knightthrough:3x5", "B../.W./.../.../... B").unwrap().is_over());
    }

    #[test]
    fn the_start_is_even() {
        let start = Knightthrough::start(&crate::rules::<Knightthrough>("knightthrough").unwrap());
        assert_eq!(start.evaluation(Player::FIRST), Some(0.0));
    }
}
