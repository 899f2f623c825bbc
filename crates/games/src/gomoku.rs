//! Gomoku: five in a row.
//!
//! Players put stones in turn on the empty cells of a board. A player who makes a line of exactly
//! five own stones, in a row, a column or a diagonal, wins; longer lines do not count. A full board
//! is a draw. Black (X) moves first, then White (O). Moves are cells, `h8`; a1 is at the lower
//! left.
//!
//! Variants: boards from 3x3 to 19x19, also rectangles; `free`: longer lines win too; `k`: another
//! number than five.
//!
//! Solved: 15x15 is won by the first player, with and without lines longer than five (Allis, van
//! den Herik and Huntjens 1993).
//!
//! A side is one bit set, row by row from the bottom without gaps. Only the four lines through a
//! new stone are tested. Playouts keep all lines as words of bits and test the four words of a
//! stone at once for runs.

mod knowledge;
#[cfg(test)]
mod tests;

use crate::board::bits::{Bits, Words};
use crate::board::diagram::{Diagram, stones_text, stones_view};
use tesuji_core::look::{BoardStyle, PieceStyle, Tone};
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    Facts, Game, Info, Length, Look, Options, Outcome, Player, PositionError, Repetition, Rules, SpecError, Symmetry,
    View, zobrist,
};

/// The size of the board and the winning lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GomokuRules {
    columns: u8,
    rows: u8,
    /// The length of a winning line.
    length: u8,
    /// Whether longer lines win too.
    free: bool,
}

impl GomokuRules {
    fn cells(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Whether a line of `run` stones wins.
    #[inline]
    fn wins(&self, run: u32) -> bool {
        // A line that is too short wraps around to a large number.
        let longer = run.wrapping_sub(u32::from(self.length));
        longer <= if self.free { 19 } else { 0 }
    }
}

impl Rules for GomokuRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let (columns, rows) = options.size((15, 15), 3..=LONGEST as u8, 3..=LONGEST as u8)?;
        let free = options.switch("free", "longer lines win too")?;
        let length = options.integer("k", 5, 3..=LONGEST as u64, "length of a winning line")? as u8;
        Ok(GomokuRules { columns, rows, length, free })
    }

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            repetition: Repetition::Impossible,
            length: Length::Bounded(self.cells() as u32),
            scores: (-1, 1),
            draws: true,
            units_per_point: 1,
            move_indices: self.cells(),
        }
    }
}

/// A set of cells of a board of up to 19x19.
type Cells = Words<6>;

/// A position of Gomoku.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gomoku {
    /// The stones of Black and of White.
    stones: [Cells; 2],
    key: u64,
    rules: GomokuRules,
    plies: u16,
    /// Whether the players have changed turns by a null move, so that the number of stones does not
    /// show whose turn it is.
    passed: bool,
    /// Whether the last stone made a winning line.
    won: bool,
}

/// The longest side of a board, and the longest line.
const LONGEST: usize = 19;
const LETTERS: &str = "XO";
static KEYS: [[u64; 361]; 2] = [zobrist::keys(0x58), zobrist::keys(0x59)];
const PASSED: u64 = zobrist::key(0x5a, 0);

/// The four kinds of lines, as a step in columns and rows.
const AXES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// A hash of the stones. The side to move follows from their number.
fn key_of(stones: [Cells; 2]) -> u64 {
    let keys = |seat: usize| stones[seat].members().fold(0, |key, cell| key ^ KEYS[seat][cell]);
    keys(0) ^ keys(1)
}

impl Gomoku {
    fn size(&self) -> (usize, usize) {
        (usize::from(self.rules.columns), usize::from(self.rules.rows))
    }

    fn is_full(&self) -> bool {
        usize::from(self.plies) == self.rules.cells()
    }

    /// The column and the row from the bottom of a cell.
    #[inline]
    fn column_row(&self, cell: u16) -> (i32, i32) {
        let columns = u16::from(self.rules.columns);
        (i32::from(cell % columns), i32::from(cell / columns))
    }

    fn seat_at(&self, column: usize, row_from_top: usize) -> Option<usize> {
        let (columns, rows) = self.size();
        let cell = (rows - 1 - row_from_top) * columns + column;
        self.stones.iter().position(|stones| stones.contains(cell))
    }

    /// The number of consecutive `stones` in a direction, starting next to a cell.
    #[inline]
    fn reach(&self, stones: &Cells, (column, row): (i32, i32), (dx, dy): (i32, i32)) -> u32 {
        let (columns, rows) = (i32::from(self.rules.columns), i32::from(self.rules.rows));
        let (mut x, mut y, mut count) = (column + dx, row + dy, 0);
        while (0..columns).contains(&x) && (0..rows).contains(&y) && stones.contains((y * columns + x) as usize) {
            (x, y, count) = (x + dx, y + dy, count + 1);
        }
        count
    }

    /// The length of the line of `stones` along an axis through a cell, as if it held one of them.
    #[inline]
    fn run(&self, stones: &Cells, cell: (i32, i32), (dx, dy): (i32, i32)) -> u32 {
        1 + self.reach(stones, cell, (dx, dy)) + self.reach(stones, cell, (-dx, -dy))
    }

    /// Whether one of `stones` on a cell makes a winning line.
    #[inline]
    fn wins_at(&self, stones: &Cells, cell: u16) -> bool {
        let at = self.column_row(cell);
        AXES.into_iter().any(|axis| self.rules.wins(self.run(stones, at, axis)))
    }

    /// Whether the stones have a winning line anywhere.
    fn has_won(&self, stones: &Cells) -> bool {
        stones.members().any(|cell| self.wins_at(stones, cell as u16))
    }
}

/// The rules as people read them.
const RULES: &str = "\
    Black and White take turns; Black moves first. A move places a stone on an empty point of the board, 15x15 \
    unless another size is chosen. Stones are never moved or captured, and no point is forbidden.\n\n\
    The first player with an unbroken line of exactly five stones, in a row, a column or a diagonal, wins. Six or \
    more stones in a line do not win, unless the option free is set. The option k sets another length than five. A \
    full board without a winning line is a draw.\n\n\
    A move is written as its point: a letter for the column and a number for the row from the bottom. On 15x15 the \
    centre is h8. In text, Black is X and White is O.";

impl Game for Gomoku {
    /// The cell, counted row by row from a1.
    type Move = u16;
    type Rules = GomokuRules;
    const INFO: Info = Info {
        goal: "Get five stones in a row, a column or a diagonal. Choose an empty point to place a stone.",
        rules: RULES,
        solved: "15x15, five in a row, also free: first player wins (Allis, van den Herik and Huntjens 1993)",
        look: Look {
            board: BoardStyle::Points,
            piece: PieceStyle::Stone,
            tones: &[Tone::Black, Tone::White],
            ..Look::DEFAULT
        },
        ..Info::new("gomoku", "Gomoku", &["Black", "White"])
    };

    fn start(rules: &GomokuRules) -> Gomoku {
        Gomoku { stones: [Cells::EMPTY; 2], key: 0, rules: *rules, plies: 0, passed: false, won: false }
    }

    #[inline]
    fn to_move(&self) -> Player {
        Player((self.plies & 1) as u8 ^ u8::from(self.passed))
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.won || self.is_full()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.won { Some(Outcome::win(self.to_move().opponent())) } else { self.is_full().then(|| Outcome::draw(2)) }
    }

    fn ending_reason(&self) -> Option<&'static str> {
        match self.rules.length {
            _ if !self.won => self.is_over().then_some("board full"),
            3 => Some("three in a row"),
            4 => Some("four in a row"),
            5 => Some("five in a row"),
            _ => Some("winning line"),
        }
    }

    fn winning_cells(&self) -> Vec<String> {
        let stones = &self.stones[self.to_move().opponent().index()];
        let is_winning = |&cell: &usize| self.won && self.wins_at(stones, cell as u16);
        stones.members().filter(is_winning).map(|cell| self.move_text(cell as u16)).collect()
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<u16>) {
        if self.won {
            return;
        }
        let cells = self.rules.cells();
        for (index, (first, second)) in self.stones[0].0.into_iter().zip(self.stones[1].0).enumerate() {
            let begin = 64 * index;
            if begin >= cells {
                break;
            }
            let on_board = if cells - begin >= 64 { u64::MAX } else { (1 << (cells - begin)) - 1 };
            moves.extend((!(first | second) & on_board).members().map(|bit| (begin + bit) as u16));
        }
    }

    #[inline]
    fn play(&mut self, cell: u16) {
        let mover = self.to_move().index();
        self.won = self.wins_at(&self.stones[mover], cell);
        self.stones[mover].0[usize::from(cell) / 64] |= 1 << (cell % 64);
        self.key ^= KEYS[mover][usize::from(cell)];
        self.plies += 1;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text(self.size(), LETTERS, self.to_move(), |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &GomokuRules, text: &str) -> Result<Gomoku, PositionError> {
        let mut position = Gomoku::start(rules);
        let (columns, rows) = position.size();
        let diagram = Diagram::parse(text, (columns, rows), "XO.", 1)?;
        let side = usize::from(diagram.side(0, LETTERS)?);
        for cell in 0..rules.cells() {
            if let Some(seat) = LETTERS.find(diagram.at(cell % columns, rows - 1 - cell / columns)) {
                position.stones[seat] |= Cells::single(cell);
            }
        }
        let counts = position.stones.map(Bits::count);
        if counts[0] != counts[1] + side as u32 {
            let reason =
                format!("X has {} stones and O {}: not {} to move", counts[0], counts[1], &LETTERS[side..=side]);
            return Err(diagram.error(reason));
        }
        if position.has_won(&position.stones[side]) {
            return Err(diagram.error("the side to move has a winning line already"));
        }
        let others = position.stones[1 - side];
        position.won = position.has_won(&others);
        if position.won && !others.members().any(|last| !position.has_won(&(others ^ Cells::single(last)))) {
            return Err(diagram.error("no single move can have made all the winning lines"));
        }
        position.key = key_of(position.stones);
        position.plies = (counts[0] + counts[1]) as u16;
        Ok(position)
    }

    fn move_text(&self, cell: u16) -> String {
        let (column, row) = self.column_row(cell);
        cell_name(column as usize, row as usize + 1)
    }

    fn move_index(&self, cell: u16) -> usize {
        usize::from(cell)
    }

    fn view(&self) -> View {
        stones_view(Shape::Square, self.size(), RowOne::Bottom, LETTERS, |column, row| self.seat_at(column, row))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        let (columns, rows) = self.size();
        Symmetry::of_board(columns, rows)
    }

    fn transformed(&self, symmetry: Symmetry) -> Gomoku {
        let map = |stones: Cells| {
            let image = |cell| usize::from(self.transformed_move(cell as u16, symmetry));
            stones.members().fold(Cells::EMPTY, |set, cell| set | Cells::single(image(cell)))
        };
        let stones = self.stones.map(map);
        Gomoku { stones, key: key_of(stones) ^ if self.passed { PASSED } else { 0 }, ..*self }
    }

    fn transformed_move(&self, cell: u16, symmetry: Symmetry) -> u16 {
        let (column, row) = self.column_row(cell);
        let (column, row) = symmetry.apply((column as usize, row as usize), self.size());
        (row * self.size().0 + column) as u16
    }
}
