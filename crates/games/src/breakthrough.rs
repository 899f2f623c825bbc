//! Breakthrough (Dan Troyka 2000).
//!
//! Two armies of two rows each; White (W) at the bottom moves first. A piece steps one cell straight or diagonally
//! forward onto an empty cell, or captures diagonally forward. The first to reach the far row wins, and so does who
//! takes the last enemy piece. The foremost piece of a side can always step diagonally, so nobody is ever stuck and
//! there are no draws. Moves are written `a2-a3`, captures too (`a2-b3`).
//!
//! Variants: any board from 3x4 to 18x8, 6x6 if nothing is said.
//!
//! Solved: 5x5 is won by the second player (Tasmanian Devil, Little Golem forum, 2006), and so is 6x5 (Saffidine,
//! Jouandeau and Cazenave, "Solving Breakthrough with Race Patterns and Job-Level Proof Number Search", 2011).
//!
//! How the board is laid out, and what is common to such races, is told in [`crate::board::race`].

use crate::board::race::{MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MIN_ROWS, Race, Step, Steps, Way};
use tesuji_core::look::{BoardStyle, PieceStyle, Tone};
use tesuji_core::view::RowOne;
use tesuji_core::{Dialects, Game, Info, Look, Player, PositionLayout, UsiDialect, UsiSupport, zobrist};

/// A position of Breakthrough.
pub type Breakthrough = Race<BreakthroughSteps>;

/// The pieces of Breakthrough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BreakthroughSteps;

static KEYS: [[u64; MAX_CELLS]; 2] = [zobrist::keys(0x20), zobrist::keys(0x21)];
const BLACK_TO_MOVE: u64 = zobrist::key(0x22, 0);

/// What a piece is worth on any row, in the scale of [`row_worth`]. Raising it makes trades matter more than the race.
const PIECE: i32 = 3;
/// The most a piece is worth: one that has arrived.
const BEST_PIECE: i32 = PIECE + 21;

/// What a piece is worth for the row it stands on, 0 being its home row: 10, 3, 6, 10, 15, 21 on six rows (Baier,
/// "Monte-Carlo Tree Search Enhancements for One-Player and Two-Player Domains", 2015, simplified from Lorentz and
/// Horey, "Programming Breakthrough", 2013). The home row counts because pieces there guard it.
///
/// From the second row on these are the triangular numbers 3 to 21. On other heights the same parabola is stretched
/// over the rows there are, and rounded: 3, 5, 7, 10, 13, 17, 21 on eight rows.
const fn row_worth(row: usize, rows: usize) -> i32 {
    if row == 0 {
        return 10;
    }
    let (all, gone) = (rows as i32 - 2, row as i32 - 1);
    ((all + 2 * gone) * (3 * all + 4 * gone) + all * all / 2) / (all * all)
}

/// What a piece is worth, by the height of the board and the row.
static WORTHS: [[i32; MAX_ROWS]; MAX_ROWS + 1] = {
    let mut worths = [[0; MAX_ROWS]; MAX_ROWS + 1];
    let mut rows = MIN_ROWS;
    while rows <= MAX_ROWS {
        let mut row = 0;
        while row < rows {
            worths[rows][row] = PIECE + row_worth(row, rows);
            row += 1;
        }
        rows += 1;
    }
    worths
};

/// What all pieces of a side are worth.
fn worth(position: &Breakthrough, side: Player) -> i32 {
    position.by_advance(side).iter().zip(&WORTHS[position.size().1]).map(|(count, worth)| count * worth).sum()
}

/// One side of a board of up to 64 cells, for the patterns of a race.
#[derive(Clone, Copy)]
struct Runners {
    pieces: u64,
    columns: u32,
    /// The rows from the home row on go up, or down.
    up: bool,
    home: u64,
    /// One row before the far row.
    door: u64,
}

impl Runners {
    fn new(pieces: u64, (columns, rows): (usize, usize), up: bool) -> Runners {
        let row = |row: usize| ((1u64 << columns) - 1) << (row * columns);
        let (home, door) = if up { (row(0), row(rows - 2)) } else { (row(rows - 1), row(1)) };
        Runners { pieces, columns: columns as u32, up, home, door }
    }

    /// Where these pieces of the side can capture.
    #[inline]
    fn reach(&self, pieces: u64) -> u64 {
        let (left, right) = (pieces & !FIRST_COLUMN[self.columns as usize], pieces & !self.last_column());
        if self.up {
            left << (self.columns - 1) | right << (self.columns + 1)
        } else {
            left >> (self.columns + 1) | right >> (self.columns - 1)
        }
    }

    #[inline]
    fn last_column(&self) -> u64 {
        FIRST_COLUMN[self.columns as usize] << (self.columns - 1)
    }

    #[inline]
    fn ahead(&self, pieces: u64) -> u64 {
        if self.up { pieces << self.columns } else { pieces >> self.columns }
    }

    /// Whether a piece of the side, who is to move, can step before the far row where nobody takes it. That wins, unless somebody is before
    /// a far row already.
    #[inline]
    fn slips_in(&self, other: &Runners) -> bool {
        let steps = self.reach(self.pieces) | (self.ahead(self.pieces) & !other.pieces);
        steps & self.door & !self.pieces & !other.reach(other.pieces & other.home) != 0
    }
}

/// The cells of the first column, by the number of columns.
static FIRST_COLUMN: [u64; MAX_COLUMNS + 1] = {
    let mut cells = [0; MAX_COLUMNS + 1];
    let mut columns = 1;
    while columns <= MAX_COLUMNS {
        let mut cell = 0;
        while cell < 64 {
            cells[columns] |= 1 << cell;
            cell += columns;
        }
        columns += 1;
    }
    cells
};

/// Fairy-Stockfish plays Breakthrough over USI on 8x8.
const USI: UsiDialect = UsiDialect {
    variant: "breakthrough",
    spec: "breakthrough:8",
    size: (8, 8),
    row_one: RowOne::Bottom,
    layout: PositionLayout::BoardSide { sides: ["W", "B"], pieces: &[('W', "P"), ('B', "p")] },
    royal: None,
};

impl Steps for BreakthroughSteps {
    const INFO: Info = Info {
        solved: "5x5 and 6x5: second player wins (Little Golem forum 2006; Saffidine, Jouandeau and Cazenave 2011)",
        look: Look {
            board: BoardStyle::Chequer,
            piece: PieceStyle::Pawn,
            tones: &[Tone::White, Tone::Black],
            ..Look::DEFAULT
        },
        ..Info::new("breakthrough", "Breakthrough", &["White", "Black"])
    };
    const SIZE: (u8, u8) = (6, 6);
    const WAYS: &'static [Way] = &[
        Way { aside: -1, ahead: 1, captures: true },
        Way { aside: 0, ahead: 1, captures: false },
        Way { aside: 1, ahead: 1, captures: true },
    ];
    const COLUMNS_THAT_BLOCK: u8 = 1;

    fn dialects(size: (u8, u8)) -> Dialects {
        let usi = if size == USI.size {
            UsiSupport::Supported(USI)
        } else {
            UsiSupport::OtherRules { spec: USI.spec, reason: "is played over USI only on 8x8" }
        };
        Dialects { usi, ..Dialects::default() }
    }

    #[inline]
    fn keys() -> (&'static [[u64; MAX_CELLS]; 2], u64) {
        (&KEYS, BLACK_TO_MOVE)
    }

    /// The worth of the own pieces less that of the opponent's, as a share of what the whole army would be worth if
    /// every piece were the best possible (288 points on 6x6).
    fn evaluation(position: &Breakthrough, player: Player) -> f32 {
        let bound = 2 * position.size().0 as i32 * BEST_PIECE;
        let lead = worth(position, player) - worth(position, player.opponent());
        (lead as f32 / bound as f32).clamp(-0.999, 0.999)
    }

    /// Wins, then captures of a piece one step before its goal (nothing else stops it), then captures, then the rest;
    /// within each, moves that end nearer the far row first. This is the stronger of two orderings in Baier 2015; the
    /// weaker has no classes and only puts the nearer ends first.
    #[inline]
    fn move_order(position: &Breakthrough, step: Step) -> i32 {
        const CLASS: i32 = 16;
        let mover = position.to_move();
        let rows_gone = position.advance(mover, step.to);
        let class = if usize::from(rows_gone) == position.size().1 - 1 {
            3
        } else if !position.is_capture(step) {
            0
        } else if rows_gone == 1 {
            2
        } else {
            1
        };
        class * CLASS + i32::from(rows_gone)
    }

    /// The last three or four plies of a race (after Saffidine, Jouandeau and Cazenave 2011). A piece one step before the far row has won if its
    /// side is to move. If the other side is, it has to be taken; two such pieces cannot be. Where there is none, a step before the far row that
    /// cannot be punished wins; and so does one after the only piece before the far row had to be taken.
    ///
    /// Boards of more than 64 cells are beyond any proof from afar, and near the end a few more plies are soon searched.
    #[inline]
    fn static_bounds(position: &Breakthrough) -> Option<Player> {
        let (mover, waiting) = (position.to_move(), position.to_move().opponent());
        let side = |player: Player| {
            let pieces = position.cells(player)?;
            Some(Runners::new(pieces, position.size(), player == Player::FIRST))
        };
        let (mine, theirs) = (side(mover)?, side(waiting)?);
        if mine.pieces & mine.door != 0 {
            return Some(mover);
        }
        let threats = theirs.pieces & theirs.door;
        if threats == 0 {
            return mine.slips_in(&theirs).then_some(mover);
        }
        let guards = mine.pieces & theirs.reach(threats);
        if threats.count_ones() > 1 || guards == 0 {
            return Some(waiting);
        }
        let left = Runners { pieces: theirs.pieces & !threats, ..theirs };
        if left.pieces == 0 {
            return Some(mover);
        }
        let (first, second) = (guards & guards.wrapping_neg(), guards & (guards - 1));
        let loses = |guard: u64| left.slips_in(&Runners { pieces: (mine.pieces & !guard) | threats, ..mine });
        (loses(first) && (second == 0 || loses(second))).then_some(waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{Knowledge, Rules, static_bounds_are_sound};

    fn position(spec: &str, text: &str) -> Breakthrough {
        Breakthrough::parse(&crate::rules::<Breakthrough>(spec).unwrap(), text).unwrap()
    }

    fn moves(position: &Breakthrough) -> Vec<String> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.sort_by_key(|&mv| std::cmp::Reverse(position.move_order(mv)));
        moves.iter().map(|&mv| position.move_text(mv)).collect()
    }

    #[test]
    fn straight_ahead_is_no_capture() {
        assert_eq!(moves(&position("breakthrough:3x4", "..B/.B./.W./... W")), ["b2-a3", "b2-c3"]);
        assert_eq!(moves(&position("breakthrough:3x4", "..B/B../.W./... W")), ["b2-a3", "b2-b3", "b2-c3"]);
    }

    /// What is foreseen follows from what is known one move later, in every position there is on the smallest board.
    #[test]
    fn no_race_is_foreseen_wrongly() {
        let rules = crate::rules::<Breakthrough>("breakthrough:3x4").unwrap();
        let mut foreseen = 0;
        for code in 0..3u32.pow(12) * 2 {
            let cell = |at: u32| ['.', 'W', 'B'][(code / 2 / 3u32.pow(at) % 3) as usize];
            let row = |row: u32| (0..3).map(|column| cell(3 * row + column)).collect::<String>();
            let text = format!("{}/{}/{}/{} {}", row(0), row(1), row(2), row(3), ['W', 'B'][code as usize % 2]);
            let Ok(position) = Breakthrough::parse(&rules, &text) else { continue };
            assert!(static_bounds_are_sound(&position, Player::FIRST, &rules.facts()), "{text}");
            foreseen += u32::from(!position.is_over() && position.static_bounds(Player::FIRST).is_some());
        }
        assert!(foreseen > 80_000, "{foreseen}");
    }

    #[test]
    fn the_far_row_wins() {
        let mut white = position("breakthrough:3x4", "..B/.W./.B./... W");
        white.play(white.parse_move("b3-c4").unwrap());
        assert_eq!(white.outcome().unwrap().scores(), [1, -1]);
        let mut black = position("breakthrough:3x4", ".../.W./.B./... B");
        black.play(black.parse_move("b2-a1").unwrap());
        assert_eq!(black.outcome().unwrap().scores(), [-1, 1]);
    }

    #[test]
    fn the_last_piece_taken_loses() {
        let mut last = position("breakthrough:3x5", ".../.../.B./W../... W");
        last.play(last.parse_move("a2-b3").unwrap());
        assert_eq!(last.outcome().unwrap().scores(), [1, -1]);
        assert_eq!(position("breakthrough:3x5", &last.text()), last);
    }

    #[test]
    fn six_rows_have_the_published_worths() {
        assert_eq!((0..6).map(|row| row_worth(row, 6)).collect::<Vec<_>>(), [10, 3, 6, 10, 15, 21]);
        assert_eq!((0..8).map(|row| row_worth(row, 8)).collect::<Vec<_>>(), [10, 3, 5, 7, 10, 13, 17, 21]);
        assert_eq!((0..4).map(|row| row_worth(row, 4)).collect::<Vec<_>>(), [10, 3, 10, 21]);
    }

    #[test]
    fn the_start_is_even() {
        let start = Breakthrough::start(&crate::rules::<Breakthrough>("breakthrough").unwrap());
        assert_eq!([worth(&start, Player::FIRST), worth(&start, Player::SECOND)], [114, 114]);
        assert_eq!(start.evaluation(Player::FIRST), Some(0.0));
        let ahead = position("breakthrough", "....../....W./B...../....../....../...... B");
        assert_eq!(ahead.evaluation(Player::FIRST), Some((18.0 - 9.0) / 288.0));
        assert_eq!(ahead.evaluation(Player::SECOND), Some((9.0 - 18.0) / 288.0));
    }

    #[test]
    fn wins_come_first_then_what_stops_the_opponent_then_captures() {
        let text = "......../..W...../B......B/.W....../......../W......./.B....../W......W W";
        let order = moves(&position("breakthrough:8x8", text));
        assert_eq!(order[..3], ["c7-b8", "c7-c8", "c7-d8"]);
        assert_eq!(order[3..6], ["a1-b2", "b5-a6", "b5-b6"]);
        assert_eq!(order.last().unwrap(), "h1-h2");
    }
}
