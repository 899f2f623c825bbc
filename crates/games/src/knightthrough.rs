//! Knightthrough: Breakthrough with knights.
//!
//! Two armies of two rows each; White (W) at the bottom moves first. A piece moves like a chess
//! knight, but only forward, onto an empty cell or an opponent's piece, which is captured. The
//! first to reach the far row wins. A player who cannot move loses; with a piece left that happens
//! only on three columns, to pieces in the middle one. Moves and captures are written `a2-b4`.
//!
//! Variants: any board from 3x4 to 18x8, 8x8 by default.
//!
//! See [`crate::board::race`] for the layout of the board and the shared code.

use crate::board::race::{Direction, MAX_CELLS, Race, Step, Steps};
use tesuji_core::look::{BoardStyle, PieceStyle, Tone};
use tesuji_core::{Game, Info, Look, Player, zobrist};

/// A position of Knightthrough.
pub type Knightthrough = Race<KnightthroughSteps>;

/// The pieces of Knightthrough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnightthroughSteps;

static KEYS: [[u64; MAX_CELLS]; 2] = [zobrist::keys(0x28), zobrist::keys(0x29)];
const BLACK_TO_MOVE: u64 = zobrist::key(0x2a, 0);

/// The value of a piece anywhere, in the scale of [`row_value`]. Raising it makes trades matter
/// more than the race.
const PIECE: i32 = 10;

/// The value of a piece by its distance from home: 0, 0, 1, 3, 6, 10, 15, 21. Rows near the goal
/// are worth more, since fewer opponents are left that could capture the piece. The curve is from
/// games between three-ply searches on 8x8: a flatter one, ending 7, 10, 14, scored 45 % against it
/// in 600 games, and no row values scored 44 % against that.
const fn row_value(row: i32) -> i32 {
    row * (row - 1) / 2
}

/// The rules as people read them.
const RULES: &str = "\
    White starts on the two rows at the bottom, Black on the two rows at the top. White moves first. The board is \
    8x8 unless another size is chosen.\n\n\
    A piece moves like a chess knight, but only forward: one row forward and two columns sideways, or two rows \
    forward and one column sideways. It jumps over other pieces. It lands on an empty cell, or on a piece of the \
    opponent, which is captured; captures are never required.\n\n\
    The first player to bring a piece to the far row wins. A player who has no piece left or cannot move loses. \
    There are no draws.\n\n\
    A move is written as source and target, a capture too, for example a2-b4. Cell a1 is at the lower left. In \
    text, White is W and Black is B.";

impl Steps for KnightthroughSteps {
    const INFO: Info = Info {
        goal: "Be the first to bring a knight to the far row; knights move forward only. Choose a knight, then its \
               target.",
        rules: RULES,
        look: Look {
            board: BoardStyle::Chequer,
            piece: PieceStyle::Knight,
            tones: &[Tone::White, Tone::Black],
            ..Look::DEFAULT
        },
        ..Info::new("knightthrough", "Knightthrough", &["White", "Black"])
    };
    const SIZE: (u8, u8) = (8, 8);
    const DIRECTIONS: &'static [Direction] = &[
        Direction { aside: -2, ahead: 1, captures: true },
        Direction { aside: -1, ahead: 2, captures: true },
        Direction { aside: 1, ahead: 2, captures: true },
        Direction { aside: 2, ahead: 1, captures: true },
    ];
    const MAX_BLOCKED_COLUMNS: u8 = 3;

    /// Alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to 300 ms
    /// a move.
    fn auto_player(_size: (u8, u8)) -> &'static str {
        "prove:[alphabeta]"
    }

    #[inline]
    fn keys() -> (&'static [[u64; MAX_CELLS]; 2], u64) {
        (&KEYS, BLACK_TO_MOVE)
    }

    /// The value of the own pieces minus that of the opponent's, divided by the highest possible
    /// value.
    fn evaluation(position: &Knightthrough, player: Player) -> f32 {
        let (columns, rows) = position.size();
        let value = |side| {
            let counts = position.by_advance(side).into_iter().zip(0..);
            counts.map(|(count, row)| count * (PIECE + row_value(row))).sum::<i32>()
        };
        let bound = 2 * columns as i32 * (PIECE + row_value(rows as i32 - 1));
        let lead = value(player) - value(player.opponent());
        (lead as f32 / bound as f32).clamp(-0.999, 0.999)
    }

    /// Wins first, then captures, then the rest; within each class, moves that end closer to the
    /// far row first.
    #[inline]
    fn move_order(position: &Knightthrough, step: Step) -> i32 {
        const CLASS: i32 = 16;
        let rows_advanced = position.advance(position.to_move(), step.to);
        let class =
            if usize::from(rows_advanced) == position.size().1 - 1 { 2 } else { i32::from(position.is_capture(step)) };
        class * CLASS + i32::from(rows_advanced)
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
        assert_eq!(narrow.ending_reason(), Some("last piece captured"));
        let stuck = position("knightthrough:3x5", "B../.W./.../.../... W").unwrap();
        assert_eq!(stuck.outcome().unwrap().scores(), [-1, 1]);
        assert_eq!((stuck.ending_reason(), stuck.winning_cells().len()), (Some("no moves left"), 0));
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
