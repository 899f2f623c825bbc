//! Lines of Action (Claude Soucie, about 1960).
//!
//! Black begins on the top and bottom rows, White on the left and right columns, all without the corners. A piece
//! moves in any of the eight directions exactly as many cells as there are pieces of both colours on the whole line
//! it moves along. It may jump over its own side but not over the other, never lands on its own side, and captures by
//! landing on the other. Who has all own pieces in one group, diagonals counting as touching and a single piece
//! counting as a group, wins, also when it was the opponent who brought it about. A move that joins both sides is a
//! draw, or wins for the mover (`both=mover`). Who cannot move passes; if neither side can, the game is a draw, and
//! so is one in which a position occurs for the third time. Moves are written `b1-b3`, `pass`; a1 is the lower left.
//!
//! Variants: boards from 5x5 to 9x9; `both`.
//!
//! Solved: 6x6 (Winands 2008, "6x6 LOA is solved").
//!
//! A side is one set of bits, row after row from the bottom, eight bits a row in a `u64` for the boards up to 8x8 and
//! nine bits a row in a `u128` for 9x9. Smaller boards lie in the lower left corner of the 8x8, where the empty rest
//! changes no count. The pieces on a line are counted by masks, so nothing but the two sets must be kept.

use crate::board::bits::Bits;
use crate::board::diagram::{Diagram, stones_text, stones_view};
use tesuji_core::look::{BoardStyle, Tone};
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    PlayoutContext, Facts, Game, Info, Look, Knowledge, Length, Options, Outcome, Player, PositionError, Repetition, Rules, SpecError,
    Symmetry, Trace, View, symmetry, zobrist,
};

/// What it means that a move joins both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BothJoined {
    /// Nobody wins (the rule of the Computer Olympiads).
    Draw,
    /// The side that moved wins.
    MoverWins,
}

/// The size of the board, and what it means that a move joins both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoaRules {
    size: u8,
    both: BothJoined,
}

impl Rules for LoaRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let size = options.square(&[8, 5, 6, 7, 9])?;
        let choices = [("draw", BothJoined::Draw), ("mover", BothJoined::MoverWins)];
        let both = options.choice("both", &choices, "who wins by a move that joins both sides")?;
        Ok(LoaRules { size, both })
    }

    fn facts(&self) -> Facts {
        let cells = usize::from(self.size).pow(2);
        Facts {
            players: 2,
            repetition: Repetition::Ends(3),
            length: Length::Capped(1000),
            scores: (-1, 1),
            draws: true,
            move_slots: cells * cells + 1,
        }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        Some(Outcome::draw(2))
    }
}

/// A move from a cell to another, both as bit numbers; the pass stays where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(2))]
pub struct LoaMove {
    from: u8,
    to: u8,
}

const PASS: LoaMove = LoaMove { from: 0, to: 0 };

/// How a position ends the game, if it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    NotYet,
    Won(Player),
    Drawn,
}

/// A position of Lines of Action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loa {
    /// The pieces of Black and of White.
    pieces: [u128; 2],
    key: u64,
    rules: LoaRules,
    to_move: Player,
    ending: Ending,
}

const LETTERS: &str = "BW";
static KEYS: [[u64; 81]; 2] = [zobrist::keys(0x50), zobrist::keys(0x51)];
const WHITE_TO_MOVE: u64 = zobrist::key(0x52, 0);

/// The most pieces a side can have, on 9x9.
const MOST_PIECES: usize = 14;

/// The directions, counter-clockwise from the right; the opposite of one is four further.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// How many cells there are to the edge, by size less 5, cell and direction.
static REACH: [[[u8; 8]; 81]; 5] = {
    let mut reach = [[[0; 8]; 81]; 5];
    let mut size = 5;
    while size <= 9 {
        let stride = if size == 9 { 9 } else { 8 };
        let mut cell = 0;
        while cell < size * size {
            let (column, row) = (cell % size, cell / size);
            let mut direction = 0;
            while direction < 8 {
                let (dx, dy) = DIRECTIONS[direction];
                let (mut x, mut y, mut steps) = (column + dx, row + dy, 0);
                while x >= 0 && x < size && y >= 0 && y < size {
                    (x, y, steps) = (x + dx, y + dy, steps + 1);
                }
                reach[(size - 5) as usize][(row * stride + column) as usize][direction] = steps;
                direction += 1;
            }
            cell += 1;
        }
        size += 1;
    }
    reach
};

/// The cells seen from a cell in a direction, on a board of `stride` x `stride`.
const fn ray(stride: i32, cell: usize, direction: usize) -> u128 {
    let (dx, dy) = DIRECTIONS[direction];
    let (mut x, mut y) = (cell as i32 % stride + dx, cell as i32 / stride + dy);
    let mut cells = 0;
    while x >= 0 && x < stride && y >= 0 && y < stride {
        cells |= 1 << (y * stride + x);
        (x, y) = (x + dx, y + dy);
    }
    cells
}

/// The cells of a board of `stride` x `stride` whose column (or row) has a binary digit set.
const fn cells_with_digit(stride: usize, of_column: bool, digit: usize) -> u128 {
    let (mut cells, mut cell) = (0, 0);
    while cell < stride * stride {
        let number = if of_column { cell % stride } else { cell / stride };
        if number >> digit & 1 == 1 {
            cells |= 1 << cell;
        }
        cell += 1;
    }
    cells
}

/// The cells of a board of `size` x `size` on one of `stride` x `stride`.
const fn board_cells(stride: usize, size: usize) -> u128 {
    let (mut cells, mut cell) = (0, 0);
    while cell < stride * stride {
        if cell % stride < size && cell / stride < size {
            cells |= 1 << cell;
        }
        cell += 1;
    }
    cells
}

/// A line in one of the first four directions: a row, a rising diagonal, a column, or a falling diagonal.
const fn line(stride: usize, axis: usize, number: usize) -> u128 {
    let (mut cells, mut cell) = (0, 0);
    while cell < stride * stride {
        let (column, row) = (cell % stride, cell / stride);
        let numbers = [row, stride - 1 + row - column, column, row + column];
        if numbers[axis] == number {
            cells |= 1 << cell;
        }
        cell += 1;
    }
    cells
}

/// A set of bits that holds a board.
trait BoardBits: Bits {
    const STRIDE: u32;
    const FIRST_COLUMN: Self;
    const LAST_COLUMN: Self;
    /// The cells whose column has a binary digit set.
    const COLUMN_DIGITS: [Self; 4];
    /// The cells whose row has a binary digit set.
    const ROW_DIGITS: [Self; 4];

    /// The cells seen from a cell in each direction.
    fn rays(cell: usize) -> &'static [Self; 8];

    /// How many lines there are in the first four directions.
    const LINES: [usize; 4] =
        [Self::STRIDE as usize, 2 * Self::STRIDE as usize - 1, Self::STRIDE as usize, 2 * Self::STRIDE as usize - 1];

    /// The lines in the first four directions.
    fn lines() -> &'static [[Self; 17]; 4];

    /// The cells of a board of some size.
    fn board(size: usize) -> Self;

    fn narrowed(wide: u128) -> Self;
}

macro_rules! board_bits {
    ($integer:ty, $stride:expr, $rays:ident, $lines:ident) => {
        static $rays: [[$integer; 8]; $stride * $stride] = {
            let mut rays = [[0; 8]; $stride * $stride];
            let mut slot = 0;
            while slot < 8 * $stride * $stride {
                rays[slot / 8][slot % 8] = ray($stride, slot / 8, slot % 8) as $integer;
                slot += 1;
            }
            rays
        };

        static $lines: [[$integer; 17]; 4] = {
            let mut lines = [[0; 17]; 4];
            let mut slot = 0;
            while slot < 4 * 17 {
                lines[slot / 17][slot % 17] = line($stride, slot / 17, slot % 17) as $integer;
                slot += 1;
            }
            lines
        };

        impl BoardBits for $integer {
            const STRIDE: u32 = $stride;
            const FIRST_COLUMN: Self = (ray($stride, 0, 2) | 1) as $integer;
            const LAST_COLUMN: Self = (ray($stride, $stride - 1, 2) | 1 << ($stride - 1)) as $integer;
            const COLUMN_DIGITS: [Self; 4] = [
                cells_with_digit($stride, true, 0) as $integer,
                cells_with_digit($stride, true, 1) as $integer,
                cells_with_digit($stride, true, 2) as $integer,
                cells_with_digit($stride, true, 3) as $integer,
            ];
            const ROW_DIGITS: [Self; 4] = [
                cells_with_digit($stride, false, 0) as $integer,
                cells_with_digit($stride, false, 1) as $integer,
                cells_with_digit($stride, false, 2) as $integer,
                cells_with_digit($stride, false, 3) as $integer,
            ];

            #[inline]
            fn rays(cell: usize) -> &'static [Self; 8] {
                &$rays[cell]
            }

            #[inline]
            fn lines() -> &'static [[Self; 17]; 4] {
                &$lines
            }

            #[inline]
            fn board(size: usize) -> Self {
                const BOARDS: [$integer; 10] = {
                    let mut boards = [0; 10];
                    let mut size = 0;
                    while size <= $stride {
                        boards[size] = board_cells($stride, size) as $integer;
                        size += 1;
                    }
                    boards
                };
                BOARDS[size]
            }

            #[inline]
            fn narrowed(wide: u128) -> Self {
                wide as $integer
            }
        }
    };
}

board_bits!(u64, 8, RAYS_8, LINES_8);
board_bits!(u128, 9, RAYS_9, LINES_9);

/// Does something on the narrowest bits that hold the board.
macro_rules! on_board {
    ($position:expr, $function:ident ( $($argument:expr),* )) => {
        if $position.rules.size == 9 {
            $position.$function::<u128>($($argument),*)
        } else {
            $position.$function::<u64>($($argument),*)
        }
    };
}

/// The cells beside and diagonal to a set. Those beyond the board may be among them.
#[inline]
fn neighbours<B: BoardBits>(cells: B) -> B {
    let beside = (cells & !B::LAST_COLUMN) << 1 | (cells & !B::FIRST_COLUMN) >> 1;
    let row = cells | beside;
    beside | row << B::STRIDE | row >> B::STRIDE
}

/// Whether a set of pieces is one group. A piece without neighbours, the usual reason why it is not, is looked for
/// first.
#[inline]
fn is_joined<B: BoardBits>(pieces: B) -> bool {
    if !(pieces & !neighbours(pieces)).is_empty() {
        return pieces.without_lowest().is_empty();
    }
    let mut group = B::single(pieces.lowest());
    loop {
        let grown = (group | neighbours(group)) & pieces;
        if grown == group {
            return group == pieces;
        }
        group = grown;
    }
}

/// The board as the side that moves sees it.
#[derive(Clone, Copy)]
struct Side<B> {
    own: B,
    other: B,
    reach: &'static [[u8; 8]; 81],
}

impl<B: BoardBits> Side<B> {
    /// Where the own piece on a cell goes in a direction, if it may.
    #[inline]
    fn target(&self, cell: usize, direction: usize) -> Option<usize> {
        let (rays, back) = (B::rays(cell), direction ^ 4);
        let count = 1 + ((rays[direction] | rays[back]) & (self.own | self.other)).count();
        if count > u32::from(self.reach[cell][direction]) {
            return None;
        }
        let (dx, dy) = DIRECTIONS[direction];
        let to = (cell as i32 + count as i32 * (dy * B::STRIDE as i32 + dx)) as usize;
        let between = rays[direction] & B::rays(to)[back];
        (!self.own.contains(to) && (between & self.other).is_empty()).then_some(to)
    }

    fn can_move(&self) -> bool {
        self.own.members().any(|cell| (0..8).any(|direction| self.target(cell, direction).is_some()))
    }

    /// The number of moves, of all pieces at once: in each direction they walk step by step, and those on a line with as many pieces as
    /// steps have arrived. Several times as fast as asking for each target.
    #[inline]
    fn mobility(&self, size: usize) -> usize {
        let (board, all) = (B::board(size), self.own | self.other);
        let mut moves = 0;
        for (axis, lines) in B::lines().iter().enumerate() {
            // The lines by the number of their pieces.
            let mut counted = [B::EMPTY; 16];
            for &line in &lines[..B::LINES[axis]] {
                counted[(line & all).count() as usize & 15] |= line;
            }
            let (dx, dy) = DIRECTIONS[axis];
            let (columns_on, columns_back) = match dx {
                1 => (!B::LAST_COLUMN, !B::FIRST_COLUMN),
                -1 => (!B::FIRST_COLUMN, !B::LAST_COLUMN),
                _ => (!B::EMPTY, !B::EMPTY),
            };
            let step = (dy * B::STRIDE as i32 + dx) as u32;
            let (mut on, mut back) = (self.own, self.own);
            for &landing in &counted[1..] {
                on = (on & columns_on) << step & board;
                back = (back & columns_back) >> step & board;
                moves += (on & landing & !self.own).count() + (back & landing & !self.own).count();
                let goes_on = !(landing | self.other);
                (on, back) = (on & goes_on, back & goes_on);
                if (on | back).is_empty() {
                    break;
                }
            }
        }
        moves as usize
    }
}

/// The centre of mass of a set of pieces, kept exact: the sums of columns and rows, and the number of pieces.
#[derive(Clone, Copy)]
struct Centre {
    columns: i32,
    rows: i32,
    pieces: i32,
}

impl Centre {
    #[inline]
    fn of<B: BoardBits>(pieces: B) -> Centre {
        let sum = |digits: [B; 4]| (0..4).map(|digit| (((pieces & digits[digit]).count()) as i32) << digit).sum();
        Centre { columns: sum(B::COLUMN_DIGITS), rows: sum(B::ROW_DIGITS), pieces: pieces.count() as i32 }
    }

    /// The distance of a cell in king's steps, times the number of pieces.
    #[inline]
    fn distance<B: BoardBits>(&self, cell: usize) -> i32 {
        let (column, row) = ((cell as u32 % B::STRIDE) as i32, (cell as u32 / B::STRIDE) as i32);
        (self.pieces * column - self.columns).abs().max((self.pieces * row - self.rows).abs())
    }
}

impl Loa {
    #[inline]
    fn size(&self) -> usize {
        usize::from(self.rules.size)
    }

    #[inline]
    fn stride(&self) -> usize {
        if self.rules.size == 9 { 9 } else { 8 }
    }

    /// The cell with a bit number, as column and row from the bottom.
    #[inline]
    fn place(&self, cell: u8) -> (usize, usize) {
        (usize::from(cell) % self.stride(), usize::from(cell) / self.stride())
    }

    fn cell_at(&self, (column, row): (usize, usize)) -> usize {
        row * self.stride() + column
    }

    fn seat_at(&self, column: usize, row_from_top: usize) -> Option<usize> {
        let cell = self.cell_at((column, self.size() - 1 - row_from_top));
        self.pieces.iter().position(|pieces| pieces.contains(cell))
    }

    #[inline]
    fn side<B: BoardBits>(&self, player: Player) -> Side<B> {
        Side {
            own: B::narrowed(self.pieces[player.index()]),
            other: B::narrowed(self.pieces[player.opponent().index()]),
            reach: &REACH[self.size() - 5],
        }
    }

    /// How the position ends the game, where `joined` says which sides are joined, the one that moved first.
    #[inline]
    fn judged<B: BoardBits>(&self, joined: [bool; 2]) -> Ending {
        let mover = self.to_move.opponent();
        match joined {
            [true, true] if self.rules.both == BothJoined::Draw => Ending::Drawn,
            [true, _] => Ending::Won(mover),
            [false, true] => Ending::Won(self.to_move),
            [false, false] if self.side::<B>(self.to_move).can_move() || self.side::<B>(mover).can_move() => {
                Ending::NotYet
            }
            [false, false] => Ending::Drawn,
        }
    }

    /// How the position ends the game, as the board alone shows.
    fn judged_afresh<B: BoardBits>(&self) -> Ending {
        let side = self.side::<B>(self.to_move.opponent());
        self.judged::<B>([is_joined(side.own), is_joined(side.other)])
    }

    /// How the position ends the game after a move: a side that lost no piece and did not move is not joined by it.
    #[inline]
    fn judged_after_move<B: BoardBits>(&self, captured: bool) -> Ending {
        let side = self.side::<B>(self.to_move.opponent());
        self.judged::<B>([is_joined(side.own), captured && is_joined(side.other)])
    }

    fn key_afresh(&self) -> u64 {
        let keys = |seat: usize| self.pieces[seat].members().fold(0, |key, cell| key ^ KEYS[seat][cell]);
        keys(0) ^ keys(1) ^ if self.to_move == Player::SECOND { WHITE_TO_MOVE } else { 0 }
    }

    #[inline]
    fn mobility_on<B: BoardBits>(&self) -> usize {
        self.side::<B>(self.to_move).mobility(self.size())
    }

    #[inline]
    fn moves_on<B: BoardBits>(&self, moves: &mut Vec<LoaMove>) {
        let (side, begin) = (self.side::<B>(self.to_move), moves.len());
        for from in side.own.members() {
            for direction in 0..8 {
                if let Some(to) = side.target(from, direction) {
                    moves.push(LoaMove { from: from as u8, to: to as u8 });
                }
            }
        }
        if moves.len() == begin {
            moves.push(PASS);
        }
    }

    /// Draws pieces and directions until they make a move: uniform over the legal moves. Who finds none for long is
    /// looked at whether there is one.
    #[inline]
    fn draw_on<B: BoardBits>(&self, context: &mut PlayoutContext<LoaMove>) -> LoaMove {
        let side = self.side::<B>(self.to_move);
        let pieces = side.own.count() as usize;
        loop {
            for _ in 0..PATIENCE {
                let slot = context.rng.below(8 * pieces);
                let from = side.own.nth(slot / 8);
                if let Some(to) = side.target(from, slot % 8) {
                    return LoaMove { from: from as u8, to: to as u8 };
                }
            }
            if !side.can_move() {
                return PASS;
            }
        }
    }

    /// The playout, on lists of pieces so that one is drawn at once.
    #[inline]
    fn playout_on<B: BoardBits, T: Trace<LoaMove>>(&self, context: &mut PlayoutContext<LoaMove>, trace: &mut T) -> Outcome {
        let mut mover = self.to_move.index();
        let mut sets = self.pieces.map(B::narrowed);
        let mut lists = sets.map(PieceList::of);
        let reach = &REACH[self.size() - 5];
        let (mut random, mut draws_left) = (0u64, 0);
        for _ in 0..context.cap {
            let side = Side { own: sets[mover], other: sets[1 - mover], reach };
            let mut tries = 0;
            let found = loop {
                if draws_left == 0 {
                    random = context.rng.bits();
                    draws_left = 2;
                }
                // Three bits for the direction, 29 for the piece: the bias is below 14 / 2^29.
                let draw = random as u32;
                random >>= 32;
                draws_left -= 1;
                let piece = ((u64::from(draw >> 3) * u64::from(lists[mover].count)) >> 29) as usize;
                let from = usize::from(lists[mover].cells[piece]);
                if let Some(to) = side.target(from, (draw & 7) as usize) {
                    break Some((piece, from, to));
                }
                tries += 1;
                if tries % PATIENCE == 0 && !side.can_move() {
                    break None;
                }
            };
            let Some((piece, from, to)) = found else {
                if !(Side { own: side.other, other: side.own, reach }).can_move() {
                    return Outcome::draw(2);
                }
                trace.played(Player(mover as u8), PASS);
                mover = 1 - mover;
                continue;
            };
            trace.played(Player(mover as u8), LoaMove { from: from as u8, to: to as u8 });
            lists[mover].cells[piece] = to as u8;
            sets[mover] ^= B::single(from) | B::single(to);
            let mut other_joined = false;
            if sets[1 - mover].contains(to) {
                sets[1 - mover] ^= B::single(to);
                lists[1 - mover].remove(to as u8);
                other_joined = is_joined(sets[1 - mover]);
            }
            let joined = is_joined(sets[mover]);
            if joined || other_joined {
                return match self.rules.both {
                    BothJoined::Draw if joined && other_joined => Outcome::draw(2),
                    _ => Outcome::win(Player(if joined { mover } else { 1 - mover } as u8)),
                };
            }
            mover = 1 - mover;
        }
        self.outcome_at_cap()
    }
}

/// After this many draws in vain it is worth looking whether there is a move at all.
const PATIENCE: u32 = 64;

/// The cells of the pieces of a side, in no order.
#[derive(Clone, Copy)]
struct PieceList {
    cells: [u8; MOST_PIECES],
    count: u8,
}

impl PieceList {
    fn of<B: BoardBits>(pieces: B) -> PieceList {
        let mut list = PieceList { cells: [0; MOST_PIECES], count: 0 };
        for cell in pieces.members() {
            list.cells[usize::from(list.count)] = cell as u8;
            list.count += 1;
        }
        list
    }

    fn remove(&mut self, cell: u8) {
        let at = self.cells.iter().position(|&listed| listed == cell).expect("a captured piece is listed");
        self.count -= 1;
        self.cells[at] = self.cells[usize::from(self.count)];
    }
}

impl Game for Loa {
    type Move = LoaMove;
    type Rules = LoaRules;
    const INFO: Info = Info {
        solved: "6x6 is solved (Winands 2008)",
        look: Look { board: BoardStyle::Chequer, tones: &[Tone::Black, Tone::White], ..Look::DEFAULT },
        ..Info::new("loa", "Lines of Action", &["Black", "White"])
    };

    fn start(rules: &LoaRules) -> Loa {
        let mut position =
            Loa { pieces: [0; 2], key: 0, rules: *rules, to_move: Player::FIRST, ending: Ending::NotYet };
        let last = position.size() - 1;
        for along in 1..last {
            for across in [0, last] {
                position.pieces[0] |= u128::single(position.cell_at((along, across)));
                position.pieces[1] |= u128::single(position.cell_at((across, along)));
            }
        }
        position.key = position.key_afresh();
        position
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.ending != Ending::NotYet
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.ending {
            Ending::NotYet => None,
            Ending::Won(winner) => Some(Outcome::win(winner)),
            Ending::Drawn => Some(Outcome::draw(2)),
        }
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<LoaMove>) {
        if !self.is_over() {
            on_board!(self, moves_on(moves));
        }
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<LoaMove>) -> usize {
        // Who has none passes.
        if self.is_over() { 0 } else { on_board!(self, mobility_on()).max(1) }
    }

    #[inline]
    fn play(&mut self, mv: LoaMove) {
        let mover = self.to_move;
        self.to_move = mover.opponent();
        self.key ^= WHITE_TO_MOVE;
        if mv == PASS {
            return;
        }
        let (from, to) = (usize::from(mv.from), usize::from(mv.to));
        self.pieces[mover.index()] ^= u128::single(from) | u128::single(to);
        self.key ^= KEYS[mover.index()][from] ^ KEYS[mover.index()][to];
        let other = self.to_move.index();
        let captured = self.pieces[other].contains(to);
        if captured {
            self.pieces[other] ^= u128::single(to);
            self.key ^= KEYS[other][to];
        }
        self.ending = on_board!(self, judged_after_move(captured));
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text((self.size(), self.size()), LETTERS, self.to_move, |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &LoaRules, text: &str) -> Result<Loa, PositionError> {
        let mut position = Loa { pieces: [0; 2], ..Loa::start(rules) };
        let size = position.size();
        let diagram = Diagram::parse(text, (size, size), "BW.", 1)?;
        position.to_move = Player(diagram.side(0, LETTERS)?);
        for letter in LETTERS.chars() {
            let (count, most) = (diagram.count(letter), 2 * (size - 2));
            if count == 0 || count > most {
                return Err(diagram.error(format!("{letter} has {count} pieces; each side has 1 to {most}")));
            }
        }
        for row in 0..size {
            for column in 0..size {
                if let Some(seat) = LETTERS.find(diagram.at(column, row)) {
                    position.pieces[seat] |= u128::single(position.cell_at((column, size - 1 - row)));
                }
            }
        }
        position.key = position.key_afresh();
        position.ending = on_board!(position, judged_afresh());
        Ok(position)
    }

    fn move_text(&self, mv: LoaMove) -> String {
        if mv == PASS {
            return "pass".to_string();
        }
        let name = |cell| {
            let (column, row) = self.place(cell);
            cell_name(column, row + 1)
        };
        format!("{}-{}", name(mv.from), name(mv.to))
    }

    fn move_index(&self, mv: LoaMove) -> usize {
        let cells = self.size() * self.size();
        let number = |cell| {
            let (column, row) = self.place(cell);
            row * self.size() + column
        };
        if mv == PASS { cells * cells } else { number(mv.from) * cells + number(mv.to) }
    }

    fn view(&self) -> View {
        stones_view(Shape::Square, (self.size(), self.size()), RowOne::Bottom, LETTERS, |column, row| {
            self.seat_at(column, row)
        })
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Loa {
        let image = |cell: usize| self.cell_at(symmetry.apply(self.place(cell as u8), (self.size(), self.size())));
        let map = |pieces: u128| pieces.members().fold(0, |set, cell| set | u128::single(image(cell)));
        let mut position = Loa { pieces: self.pieces.map(map), ..*self };
        position.key = position.key_afresh();
        position
    }

    fn transformed_move(&self, mv: LoaMove, symmetry: Symmetry) -> LoaMove {
        if mv == PASS {
            return PASS;
        }
        let image = |cell| self.cell_at(symmetry.apply(self.place(cell), (self.size(), self.size()))) as u8;
        LoaMove { from: image(mv.from), to: image(mv.to) }
    }
}

/// Where on the board a cell is (Saito 2010): 0 a corner, 1 the rest of the rim, 2 and 3 the next rings, 4 what is
/// inside them.
#[inline]
fn region(size: usize, (column, row): (usize, usize)) -> usize {
    let to_edge = |line: usize| line.min(size - 1 - line);
    match (to_edge(column), to_edge(row)) {
        (0, 0) => 0,
        (across, along) => (1 + across.min(along)).min(REGIONS - 1),
    }
}

const REGIONS: usize = 5;

/// Moves that gain or lose more squares on the centre of mass than this are of one kind: they are rare. Raising it
/// makes the kinds finer and their statistics thinner.
const MOST_GAINED: i32 = 3;

impl Loa {
    /// How many squares a move brings its piece nearer to the centre of mass of its side before the move, rounded.
    #[inline]
    fn squares_gained<B: BoardBits>(&self, mv: LoaMove) -> i32 {
        let centre = Centre::of(self.side::<B>(self.to_move).own);
        let gained = centre.distance::<B>(usize::from(mv.from)) - centre.distance::<B>(usize::from(mv.to));
        (2 * gained + centre.pieces).div_euclid(2 * centre.pieces)
    }

    #[inline]
    fn captures(&self, mv: LoaMove) -> bool {
        self.pieces[self.to_move.opponent().index()].contains(usize::from(mv.to))
    }

    /// See [`Knowledge::evaluation`].
    fn evaluated<B: BoardBits>(&self, player: Player) -> f32 {
        // Measured in games between searches of two and three plies from random openings: mobility at 0.3, 1 and 2
        // beat concentration alone with 61, 67 and 67 percent, at 4 with 59, and three plies preferred 0.6 to 1. A
        // piece at 0.02 scored 55 percent with two plies and 50 with three; at 0.1 the three plies lost 37 to 63,
        // busy with captures that help the other side to join.
        const MOBILITY: f32 = 0.8;
        const PIECE: f32 = 0.02;
        let sides = [self.side::<B>(player), self.side::<B>(player.opponent())];
        let [own_spread, other_spread] = sides.map(|side| spread(side.own));
        let [own_moves, other_moves] = sides.map(|side| side.mobility(self.size()) as f32);
        let [own_pieces, other_pieces] = sides.map(|side| side.own.count() as f32);
        let lead = (other_spread - own_spread)
            + MOBILITY * (own_moves - other_moves) / (own_moves + other_moves).max(1.0)
            + PIECE * (own_pieces - other_pieces);
        lead.tanh() * 0.99
    }
}

/// How far the mean piece is from the centre of mass, in king's steps, beyond what it must be even in the densest
/// group.
fn spread<B: BoardBits>(pieces: B) -> f32 {
    let centre = Centre::of(pieces);
    let sum: i32 = pieces.members().map(|cell| centre.distance::<B>(cell)).sum();
    // One piece in the middle, eight around it, the rest around these.
    let least = if centre.pieces <= 9 { centre.pieces - 1 } else { 8 + 2 * (centre.pieces - 9) };
    (sum as f32 / centre.pieces as f32 - least as f32).max(0.0) / centre.pieces as f32
}

impl Knowledge for Loa {
    /// Concentration, mobility and, lightly, the number of pieces: the first two are features of MIA's
    /// evaluation (Winands, van den Herik and Uiterwijk 2003). A lead of one king's step in the mean distance to the
    /// centre of mass is three quarters of a win.
    fn evaluation(&self, player: Player) -> Option<f32> {
        Some(on_board!(self, evaluated(player)))
    }

    /// Moves toward the own centre of mass and into the middle of the board, captures there before others.
    fn move_order(&self, mv: LoaMove) -> Option<i32> {
        if mv == PASS {
            return Some(0);
        }
        let gained = on_board!(self, squares_gained(mv));
        let [from, to] = [mv.from, mv.to].map(|cell| region(self.size(), self.place(cell)) as i32);
        let capture = if self.captures(mv) { 2 + to } else { 0 };
        Some(2 * gained + (to - from) + capture)
    }

    fn is_forcing(&self, mv: LoaMove) -> Option<bool> {
        Some(mv != PASS && self.captures(mv))
    }

    /// The kinds of Saito (2010): capture or not, region of origin, region of destination, squares gained on the
    /// centre of mass.
    fn category(&self, mv: LoaMove) -> Option<usize> {
        if mv == PASS {
            return Loa::categories(&self.rules).map(|categories| categories - 1);
        }
        let gained = on_board!(self, squares_gained(mv)).clamp(-MOST_GAINED, MOST_GAINED) + MOST_GAINED;
        let [from, to] = [mv.from, mv.to].map(|cell| region(self.size(), self.place(cell)));
        let regions = (usize::from(self.captures(mv)) * REGIONS + from) * REGIONS + to;
        Some(regions * (2 * MOST_GAINED as usize + 1) + gained as usize)
    }

    /// The last one is the pass.
    fn categories(_: &LoaRules) -> Option<usize> {
        Some(2 * REGIONS * REGIONS * (2 * MOST_GAINED as usize + 1) + 1)
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<LoaMove>) -> LoaMove {
        on_board!(self, draw_on(context))
    }

    #[inline]
    fn playout<T: Trace<LoaMove>>(&mut self, context: &mut PlayoutContext<LoaMove>, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        if self.rules.size == 9 {
            self.playout_on::<u128, T>(context, trace)
        } else {
            self.playout_on::<u64, T>(context, trace)
        }
    }

    /// The evaluation tells much: alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to
    /// 300 ms a move.
    fn auto_player(_: &LoaRules) -> &'static str {
        "alphabeta"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::History;

    fn position(spec: &str, text: &str) -> Loa {
        Loa::parse(&crate::rules::<Loa>(spec).unwrap(), text).unwrap()
    }

    fn scores_after(spec: &str, text: &str, mv: &str) -> Option<Vec<i32>> {
        let mut position = position(spec, text);
        position.play(position.parse_move(mv).unwrap());
        position.outcome().map(|outcome| outcome.scores().to_vec())
    }

    fn moves(position: &Loa) -> Vec<String> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().map(|mv| position.move_text(mv)).collect()
    }

    #[test]
    fn a_line_is_counted_on_both_sides_of_the_piece() {
        let moves = moves(&position("loa:5", "...../...../B.B.W/...../W.... B"));
        assert!(moves.contains(&"c3-c4".to_string()), "{moves:?}");
        // Three pieces on the row, but only two cells to the edge; and b2 from a diagonal of two.
        assert!(!moves.iter().any(|mv| mv.starts_with("c3") && mv.ends_with('3')), "{moves:?}");
        assert!(moves.contains(&"a3-d3".to_string()), "{moves:?}");
    }

    #[test]
    fn own_pieces_are_jumped_others_are_not() {
        let own = moves(&position("loa:5", "W..B./...../BB.../...../....W B"));
        assert!(own.contains(&"a3-c3".to_string()), "{own:?}");
        let other = moves(&position("loa:5", "B..../...../BW.../...../....W B"));
        assert!(!other.contains(&"a3-c3".to_string()), "{other:?}");
    }

    #[test]
    fn a_capture_may_join_the_other_side() {
        assert_eq!(scores_after("loa:5", "B...B/...../B.W../...../...WW B", "a3-c3"), Some(vec![-1, 1]));
        let left_alone = "W..../...../B..BW/...../..... B";
        assert_eq!(scores_after("loa:5", left_alone, "d3-d4"), None);
    }

    #[test]
    fn a_move_that_joins_both_is_a_draw_or_the_movers() {
        let text = "...../..B../B.W../...../...WW B";
        assert_eq!(scores_after("loa:5", text, "a3-c3"), Some(vec![0, 0]));
        assert_eq!(scores_after("loa:5,both=mover", text, "a3-c3"), Some(vec![1, -1]));
    }

    #[test]
    fn who_cannot_move_passes() {
        let mut stuck = position("loa:5", "..W../.B.B./.WWW./...W./..... B");
        assert_eq!(moves(&stuck), ["pass"]);
        stuck.play(stuck.parse_move("pass").unwrap());
        assert_eq!(stuck.text(), "..W../.B.B./.WWW./...W./..... W");
        assert!(moves(&stuck).len() > 1);
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut history = History::<Loa>::new(crate::rules::<Loa>("loa").unwrap());
        for mv in ["b1-b3", "a2-c2", "b3-b1", "c2-a2"].repeat(2) {
            assert!(!history.is_over());
            history.play_text(mv).unwrap();
        }
        assert_eq!(history.outcome().unwrap().scores(), [0, 0]);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let rules = crate::rules::<Loa>("loa:5").unwrap();
        for text in [
            "",
            "...../...../B.B.W/...../W....",
            "...../...../B.B.W/...../W.... X",
            "...../...../..B../...../..... B",
            "...../...../W.W.W/...../W.... B",
            "BBBB./BBB../...../...../....W B",
            "...../...../B.B.W/W.... B",
            "...../...../B.B.X/...../W.... B",
        ] {
            assert!(Loa::parse(&rules, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_position_is_48_bytes() {
        assert_eq!(size_of::<Loa>(), 48);
    }
}
