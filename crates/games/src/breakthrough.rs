//! Breakthrough (Dan Troyka 2000).
//!
//! Two armies of two rows each; White (W) at the bottom moves first. A piece steps one cell
//! straight or diagonally forward onto an empty cell, or captures diagonally forward. The first to
//! reach the far row or to capture the last opposing piece wins. The foremost piece of a side can
//! always step diagonally, so both sides always have a move and there are no draws. Moves and
//! captures are written `a2-a3`.
//!
//! Variants: any board from 3x4 to 18x8, 6x6 by default.
//!
//! Solved: 5x5 is won by the second player (Tasmanian Devil, Little Golem forum, 2006), and so is
//! 6x5 (Saffidine, Jouandeau and Cazenave, "Solving Breakthrough with Race Patterns and Job-Level
//! Proof Number Search", 2011).
//!
//! See [`crate::board::race`] for the layout of the board and the shared code.

use crate::board::race::{Direction, MAX_CELLS, MAX_COLUMNS, MAX_ROWS, MIN_ROWS, Race, Step, Steps};
use tesuji_core::look::{BoardStyle, PieceStyle, Tone};
use tesuji_core::time::TimeFacts;
use tesuji_core::view::RowOne;
use tesuji_core::{Dialects, Game, Info, Look, Player, PositionLayout, UsiDialect, UsiSupport, zobrist};

/// A position of Breakthrough.
pub type Breakthrough = Race<BreakthroughSteps>;

/// The pieces of Breakthrough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BreakthroughSteps;

static KEYS: [[u64; MAX_CELLS]; 2] = [zobrist::keys(0x20), zobrist::keys(0x21)];
const BLACK_TO_MOVE: u64 = zobrist::key(0x22, 0);

/// The value of a piece on any row, in the scale of [`row_value`]. Raising it makes trades matter
/// more than the race.
const PIECE: i32 = 3;
/// The value of a piece on the far row, the highest.
const BEST_PIECE: i32 = PIECE + 21;

/// The value of a piece by its row, 0 being its home row: 10, 3, 6, 10, 15, 21 on six rows (Baier,
/// "Monte-Carlo Tree Search Enhancements for One-Player and Two-Player Domains", 2015, simplified
/// from Lorentz and Horey, "Programming Breakthrough", 2013). The home row counts because pieces
/// there guard it.
///
/// From the second row on these are the triangular numbers 3 to 21. For other heights the same
/// parabola is stretched over the rows and rounded: 3, 5, 7, 10, 13, 17, 21 on eight rows.
const fn row_value(row: usize, rows: usize) -> i32 {
    if row == 0 {
        return 10;
    }
    let (all, advanced) = (rows as i32 - 2, row as i32 - 1);
    ((all + 2 * advanced) * (3 * all + 4 * advanced) + all * all / 2) / (all * all)
}

/// The value of a piece, by the height of the board and the row.
static VALUES: [[i32; MAX_ROWS]; MAX_ROWS + 1] = {
    let mut values = [[0; MAX_ROWS]; MAX_ROWS + 1];
    let mut rows = MIN_ROWS;
    while rows <= MAX_ROWS {
        let mut row = 0;
        while row < rows {
            values[rows][row] = PIECE + row_value(row, rows);
            row += 1;
        }
        rows += 1;
    }
    values
};

/// The value of all pieces of a side.
fn value(position: &Breakthrough, side: Player) -> i32 {
    position.by_advance(side).iter().zip(&VALUES[position.size().1]).map(|(count, value)| count * value).sum()
}

/// One side on a board of up to 64 cells, for static bounds.
#[derive(Clone, Copy)]
struct Runners {
    pieces: u64,
    columns: u32,
    /// Whether the side moves up.
    up: bool,
    home: u64,
    /// The row before the far row.
    entry: u64,
}

impl Runners {
    fn new(pieces: u64, (columns, rows): (usize, usize), up: bool) -> Runners {
        let row = |row: usize| ((1u64 << columns) - 1) << (row * columns);
        let (home, entry) = if up { (row(0), row(rows - 2)) } else { (row(rows - 1), row(1)) };
        Runners { pieces, columns: columns as u32, up, home, entry }
    }

    /// The cells on which these pieces can capture.
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

    /// Whether a side to move can step to the row before the far row without being captured there.
    /// That wins, unless a piece of either side is already one step from its far row.
    #[inline]
    fn can_slip_through(&self, other: &Runners) -> bool {
        let steps = self.reach(self.pieces) | (self.ahead(self.pieces) & !other.pieces);
        steps & self.entry & !self.pieces & !other.reach(other.pieces & other.home) != 0
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

/// The rules as people read them.
const RULES: &str = "\
    White starts on the two rows at the bottom, Black on the two rows at the top. White moves first. The board is \
    6x6 unless another size is chosen.\n\n\
    A piece moves one cell forward, straight or diagonally, onto an empty cell. It captures by moving diagonally \
    forward onto a piece of the opponent, which is removed. It does not capture straight ahead, and captures are \
    never required.\n\n\
    The first player to bring a piece to the far row wins. A player without pieces loses. There are no draws.\n\n\
    A move is written as source and target, a capture too, for example a2-a3. Cell a1 is at the lower left. In \
    text, White is W and Black is B.";

impl Steps for BreakthroughSteps {
    const INFO: Info = Info {
        goal: "Be the first to bring a piece to the far row. Choose a piece, then its target.",
        rules: RULES,
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
    const DIRECTIONS: &'static [Direction] = &[
        Direction { aside: -1, ahead: 1, captures: true },
        Direction { aside: 0, ahead: 1, captures: false },
        Direction { aside: 1, ahead: 1, captures: true },
    ];
    const MAX_BLOCKED_COLUMNS: u8 = 1;
    const EVALUATIONS: &'static [&'static str] = &["baier"];
    const MOVE_ORDERS: &'static [&'static str] = &["baier", "baier-weak"];

    fn time_facts(size: (u8, u8)) -> TimeFacts {
        let table = match size {
            (6, 6) => include_str!("time_tables/breakthrough-6x6.txt"),
            (8, 8) => include_str!("time_tables/breakthrough-8x8.txt"),
            _ => "",
        };
        TimeFacts { table, manager: "stop:f=1.67,p=0.3" }
    }

    /// On 6x6 the hybrid that Baier (2015, table 8.12) found best there beats alpha-beta; on 8x8 it
    /// does not (experiments/hybrids, group auto).
    fn auto_player(size: (u8, u8)) -> &'static str {
        if size.0 * size.1 <= 36 {
            "prove:[mcts:solver,select=ucb1tuned,c=0.8,eval=baier,order=baier,ip=4,ip-visits=1,ip-weight=500,ip-k=2,\
             ir=1,ir-epsilon=0.05,ir-k=1,reuse]"
        } else {
            "prove:[alphabeta]"
        }
    }

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

    /// The value of the own pieces minus that of the opponent's, divided by the highest possible
    /// value (288 points on 6x6).
    fn evaluation(position: &Breakthrough, player: Player) -> f32 {
        let bound = 2 * position.size().0 as i32 * BEST_PIECE;
        let lead = value(position, player) - value(position, player.opponent());
        (lead as f32 / bound as f32).clamp(-0.999, 0.999)
    }

    /// Wins first, then captures of a piece one step from its far row (nothing else stops it), then
    /// other captures, then the rest; within each class, moves that end closer to the far row
    /// first. This is the stronger of two orderings in Baier 2015; the weaker has no classes.
    #[inline]
    fn move_order(position: &Breakthrough, step: Step) -> i32 {
        const CLASS: i32 = 16;
        let mover = position.to_move();
        let rows_advanced = position.advance(mover, step.to);
        let class = if usize::from(rows_advanced) == position.size().1 - 1 {
            3
        } else if !position.is_capture(step) {
            0
        } else if rows_advanced == 1 {
            2
        } else {
            1
        };
        class * CLASS + i32::from(rows_advanced)
    }

    /// `baier` is the ordering above; `baier-weak` has moves that end closer to the far row first.
    #[inline]
    fn move_order_by(position: &Breakthrough, number: usize, step: Step) -> i32 {
        match number {
            2 => i32::from(position.advance(position.to_move(), step.to)),
            _ => Self::move_order(position, step),
        }
    }

    /// The last three or four plies of a race (after Saffidine, Jouandeau and Cazenave 2011). A
    /// piece one step from the far row wins if its side is to move. If the other side is to move,
    /// it has to capture the piece; two such pieces cannot both be captured. Without such pieces, a
    /// side to move that can safely step to the row before the far row wins; so does the other side
    /// if it can do so after its only piece there was captured.
    ///
    /// Boards of more than 64 cells have no static bounds: they are too large to be solved, and a
    /// search finds the last plies quickly.
    #[inline]
    fn static_bounds(position: &Breakthrough) -> Option<Player> {
        let (mover, waiting) = (position.to_move(), position.to_move().opponent());
        let side = |player: Player| {
            let pieces = position.cells(player)?;
            Some(Runners::new(pieces, position.size(), player == Player::FIRST))
        };
        let (mine, theirs) = (side(mover)?, side(waiting)?);
        if mine.pieces & mine.entry != 0 {
            return Some(mover);
        }
        let threats = theirs.pieces & theirs.entry;
        if threats == 0 {
            return mine.can_slip_through(&theirs).then_some(mover);
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
        let loses = |guard: u64| left.can_slip_through(&Runners { pieces: (mine.pieces & !guard) | threats, ..mine });
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
    fn pieces_do_not_capture_straight_ahead() {
        assert_eq!(moves(&position("breakthrough:3x4", "..B/.B./.W./... W")), ["b2-a3", "b2-c3"]);
        assert_eq!(moves(&position("breakthrough:3x4", "..B/B../.W./... W")), ["b2-a3", "b2-b3", "b2-c3"]);
    }

    /// Static bounds follow from those one move later, in every position of the smallest board.
    #[test]
    fn static_bounds_are_sound_in_every_position() {
        let rules = crate::rules::<Breakthrough>("breakthrough:3x4").unwrap();
        let mut bounded = 0;
        for code in 0..3u32.pow(12) * 2 {
            let cell = |at: u32| ['.', 'W', 'B'][(code / 2 / 3u32.pow(at) % 3) as usize];
            let row = |row: u32| (0..3).map(|column| cell(3 * row + column)).collect::<String>();
            let text = format!("{}/{}/{}/{} {}", row(0), row(1), row(2), row(3), ['W', 'B'][code as usize % 2]);
            let Ok(position) = Breakthrough::parse(&rules, &text) else { continue };
            assert!(static_bounds_are_sound(&position, Player::FIRST, &rules.facts()), "{text}");
            bounded += u32::from(!position.is_over() && position.static_bounds(Player::FIRST).is_some());
        }
        assert!(bounded > 80_000, "{bounded}");
    }

    #[test]
    fn the_far_row_wins() {
        let mut white = position("breakthrough:3x4", "..B/.W./.B./... W");
        white.play(white.parse_move("b3-c4").unwrap());
        assert_eq!(white.outcome().unwrap().scores(), [1, -1]);
        assert_eq!(
            (white.ending_reason(), white.winning_cells()),
            (Some("reached the far row"), vec!["c4".to_string()])
        );
        let mut black = position("breakthrough:3x4", ".../.W./.B./... B");
        black.play(black.parse_move("b2-a1").unwrap());
        assert_eq!(black.outcome().unwrap().scores(), [-1, 1]);
        assert_eq!(black.winning_cells(), ["a1"]);
    }

    #[test]
    fn losing_the_last_piece_loses() {
        let mut last = position("breakthrough:3x5", ".../.../.B./W../... W");
        last.play(last.parse_move("a2-b3").unwrap());
        assert_eq!(last.outcome().unwrap().scores(), [1, -1]);
        assert_eq!((last.ending_reason(), last.winning_cells().len()), (Some("last piece captured"), 0));
        assert_eq!(position("breakthrough:3x5", &last.text()), last);
    }

    #[test]
    fn six_rows_have_the_published_values() {
        assert_eq!((0..6).map(|row| row_value(row, 6)).collect::<Vec<_>>(), [10, 3, 6, 10, 15, 21]);
        assert_eq!((0..8).map(|row| row_value(row, 8)).collect::<Vec<_>>(), [10, 3, 5, 7, 10, 13, 17, 21]);
        assert_eq!((0..4).map(|row| row_value(row, 4)).collect::<Vec<_>>(), [10, 3, 10, 21]);
    }

    #[test]
    fn the_start_is_even() {
        let start = Breakthrough::start(&crate::rules::<Breakthrough>("breakthrough").unwrap());
        assert_eq!([value(&start, Player::FIRST), value(&start, Player::SECOND)], [114, 114]);
        assert_eq!(start.evaluation(Player::FIRST), Some(0.0));
        let ahead = position("breakthrough", "....../....W./B...../....../....../...... B");
        assert_eq!(ahead.evaluation(Player::FIRST), Some((18.0 - 9.0) / 288.0));
        assert_eq!(ahead.evaluation(Player::SECOND), Some((9.0 - 18.0) / 288.0));
    }

    #[test]
    fn the_weaker_ordering_looks_at_rows_alone() {
        let text = "......../..W...../B......B/.W....../......../W......./.B....../W......W W";
        let position = position("breakthrough:8x8", text);
        let rank = |mv: &str| position.move_order_by(2, position.parse_move(mv).unwrap()).unwrap();
        assert_eq!(["c7-c8", "b5-a6", "b5-b6", "a1-b2", "h1-h2"].map(rank), [7, 5, 5, 1, 1]);
        let stronger = |mv: &str| position.move_order_by(1, position.parse_move(mv).unwrap());
        assert_eq!(stronger("a1-b2"), position.move_order(position.parse_move("a1-b2").unwrap()));
    }

    #[test]
    fn wins_are_ordered_before_defences_and_captures() {
        let text = "......../..W...../B......B/.W....../......../W......./.B....../W......W W";
        let order = moves(&position("breakthrough:8x8", text));
        assert_eq!(order[..3], ["c7-b8", "c7-c8", "c7-d8"]);
        assert_eq!(order[3..6], ["a1-b2", "b5-a6", "b5-b6"]);
        assert_eq!(order.last().unwrap(), "h1-h2");
    }
}
