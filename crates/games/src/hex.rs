//! Hex.
//!
//! A board of hexagons in the shape of a rhombus, 11x11 by default. Players place stones on empty
//! cells in turn, Black first. Black wins with a chain of stones from the top to the bottom row,
//! White with one from the left to the right column. A full board has exactly one such chain, so
//! there are no draws. Moves are cells, `a1` at the top left. The cell (x, y) touches (x+1, y),
//! (x-1, y), (x, y+1), (x, y-1), (x+1, y-1) and (x-1, y+1).
//!
//! Variants: any board from 2x2 to 19x19. With `swap` (square boards only) White may answer Black's
//! first stone with `swap`: the stone becomes white, mirrored at the long diagonal (column and row
//! exchanged), and Black is to move.
//!
//! Solved: the first player wins on every square board (Nash, by strategy stealing). The winning
//! openings are known up to 9x9, and one of them on 10x10 (Pawlewicz and Hayward 2013).
//!
//! A board is a bit set, row by row without gaps, processed in as few words as it needs (two for
//! 11x11). Each side also keeps the set of its stones connected to its first edge. A stone that
//! touches them extends that set by a flood fill, and the side wins when the set reaches the other
//! edge.

/// Calls a method with the grid of the narrowest cell sets that hold the board.
macro_rules! on_narrowest {
    ($position:ident . $method:ident ( $($argument:expr),* )) => {
        match $position.rules.cells() {
            ..=64 => $position.$method($crate::hex::grid::Grid::<1>::new($position.rules) $(, $argument)*),
            65..=128 => $position.$method($crate::hex::grid::Grid::<2>::new($position.rules) $(, $argument)*),
            129..=192 => $position.$method($crate::hex::grid::Grid::<3>::new($position.rules) $(, $argument)*),
            _ => $position.$method($crate::hex::grid::Grid::<6>::new($position.rules) $(, $argument)*),
        }
    };
}

mod connection;
mod grid;
mod knowledge;
#[cfg(test)]
mod tests;

use crate::board::bits::{Bits, Words};
use crate::board::diagram::{Diagram, stones_text, stones_view};
use grid::{Grid, first_cells, narrowed, widened};
use tesuji_core::look::{PieceStyle, Tone};
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    Dialects, Facts, Game, GtpDialect, Info, Length, Look, Options, Outcome, Player, PositionError, Repetition, Rules,
    SgfDialect, SpecError, Symmetry, View, symmetry, zobrist,
};

/// The size of the board and whether White may swap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HexRules {
    columns: u8,
    rows: u8,
    swap: bool,
}

impl HexRules {
    #[inline]
    fn cells(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// The swap, numbered after the cells.
    fn swap_move(&self) -> u16 {
        self.cells() as u16
    }
}

impl Rules for HexRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let (columns, rows) = options.size((11, 11), 2..=LONGEST, 2..=LONGEST)?;
        let swap = options.switch("swap", "White may swap Black's first stone")?;
        if swap && columns != rows {
            return Err(options.refuse("size", "a square board, as swap mirrors the stone"));
        }
        Ok(HexRules { columns, rows, swap })
    }

    fn facts(&self) -> Facts {
        let moves = self.cells() + usize::from(self.swap);
        Facts {
            players: 2,
            repetition: Repetition::Impossible,
            length: Length::Bounded(moves as u32),
            scores: (-1, 1),
            draws: false,
            move_indices: moves,
        }
    }

    fn dialects(&self) -> Dialects {
        Dialects { gtp: GtpDialect::Hex, sgf: Some(SgfDialect::Hex), ..Dialects::default() }
    }
}

const LONGEST: u8 = 19;
const MOST_CELLS: usize = 361;
const LETTERS: &str = "BW";
const BLACK: usize = 0;
const WHITE: usize = 1;
static KEYS: [[u64; MOST_CELLS]; 2] = [zobrist::keys(0x68), zobrist::keys(0x69)];
const WHITE_TO_MOVE: u64 = zobrist::key(0x6a, 0);

/// A set of cells of any board.
type AnyCells = Words<6>;

/// A position of Hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hex {
    /// The stones of Black and of White.
    stones: [AnyCells; 2],
    /// The stones connected to the first edge: the top for Black, the left for White.
    joined: [AnyCells; 2],
    key: u64,
    rules: HexRules,
    to_move: Player,
    /// Whether the last move connected both edges.
    won: bool,
}

impl Hex {
    fn size(&self) -> (usize, usize) {
        (usize::from(self.rules.columns), usize::from(self.rules.rows))
    }

    fn column_and_row(&self, cell: u16) -> (usize, usize) {
        let columns = usize::from(self.rules.columns);
        (usize::from(cell) % columns, usize::from(cell) / columns)
    }

    fn seat_at(&self, column: usize, row: usize) -> Option<usize> {
        self.stones.iter().position(|stones| stones.contains(row * self.size().0 + column))
    }

    /// Whether White is to move and may swap.
    #[inline]
    fn may_swap(&self) -> bool {
        self.rules.swap && self.to_move == Player::SECOND && self.stones[WHITE].is_empty()
    }

    /// The position with these stones, with all derived state computed.
    fn with_stones(rules: HexRules, stones: [AnyCells; 2], to_move: Player) -> Hex {
        let grid = Grid::<6>::new(rules);
        let mut position = Hex { stones, joined: stones, key: 0, rules, to_move, won: false };
        for seat in [BLACK, WHITE] {
            let joined = grid.flood(stones[seat], AnyCells::EMPTY, stones[seat] & grid.first_edge(seat));
            position.joined[seat] = joined;
            position.won |= grid.spans(joined, seat);
            position.key = stones[seat].members().fold(position.key, |key, cell| key ^ KEYS[seat][cell]);
        }
        if to_move == Player::SECOND {
            position.key ^= WHITE_TO_MOVE;
        }
        position
    }

    #[inline]
    fn place<const N: usize>(&mut self, grid: Grid<N>, cell: u16) {
        let seat = self.to_move.index();
        let stone = Words::single(usize::from(cell));
        let stones = narrowed(&self.stones[seat]) | stone;
        let joined = grid.joined_after(stones, narrowed(&self.joined[seat]), stone, seat);
        self.stones[seat] = widened(stones);
        self.joined[seat] = widened(joined);
        self.won = grid.spans(joined, seat);
        self.key ^= KEYS[seat][usize::from(cell)] ^ WHITE_TO_MOVE;
        self.to_move = self.to_move.opponent();
    }

    fn empty(&self) -> AnyCells {
        first_cells(self.rules.cells()) & !(self.stones[BLACK] | self.stones[WHITE])
    }

    #[inline]
    fn append_empty(&self, moves: &mut Vec<u16>) {
        for (number, word) in self.empty().0.into_iter().enumerate() {
            moves.extend(word.members().map(|cell| (64 * number + cell) as u16));
        }
    }
}

/// The rules as people read them.
const RULES: &str = "\
    Black and White take turns; Black moves first. A move places a stone on an empty cell of a rhombus of \
    hexagons, 11x11 unless another size is chosen. Stones are never moved or captured.\n\n\
    Black wins with a chain of adjacent black stones from the top row to the bottom row, White with a chain of \
    adjacent white stones from the left column to the right column. On a full board exactly one of them has such a \
    chain, so there are no draws.\n\n\
    With the option swap (square boards only), White may answer Black's first stone with swap. The stone becomes \
    white and is mirrored at the long diagonal (column and row are exchanged), and Black is to move. This balances \
    the advantage of the first move.\n\n\
    A move is written as its cell, a letter for the column and a number for the row from the top, or as swap. Cell \
    a1 is at the top left; on 11x11 the centre is f6. In text, Black is B and White is W.";

impl Game for Hex {
    type Move = u16;
    type Rules = HexRules;
    const INFO: Info = Info {
        goal: "Black connects top and bottom, White left and right. Choose an empty cell to place a stone.",
        rules: RULES,
        solved: "first player wins on square boards (Nash); all openings up to 9x9 (Pawlewicz and Hayward 2013)",
        look: Look { piece: PieceStyle::Stone, tones: &[Tone::Black, Tone::White], ..Look::DEFAULT },
        ..Info::new("hex", "Hex", &["Black", "White"])
    };

    fn start(rules: &HexRules) -> Hex {
        Hex::with_stones(*rules, [AnyCells::EMPTY; 2], Player::FIRST)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.won
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.won.then(|| Outcome::win(self.to_move.opponent()))
    }

    fn ending_reason(&self) -> Option<&'static str> {
        self.won.then_some("connected")
    }

    /// The chain that touches both edges.
    fn winning_cells(&self) -> Vec<String> {
        if !self.won {
            return Vec::new();
        }
        let (grid, seat) = (Grid::<6>::new(self.rules), self.to_move.opponent().index());
        let last = self.joined[seat] & grid.last_edge(seat);
        let chain = grid.flood(self.stones[seat], AnyCells::EMPTY, last);
        chain.members().map(|cell| self.move_text(cell as u16)).collect()
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<u16>) {
        if self.won {
            return;
        }
        self.append_empty(moves);
        if self.may_swap() {
            moves.push(self.rules.swap_move());
        }
    }

    #[inline]
    fn play(&mut self, mv: u16) {
        if mv == self.rules.swap_move() {
            let (column, row) = self.column_and_row(self.stones[BLACK].lowest() as u16);
            let stone = AnyCells::single(column * self.size().0 + row);
            *self = Hex::with_stones(self.rules, [AnyCells::EMPTY, stone], Player::FIRST);
        } else {
            on_narrowest!(self.place(mv));
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text(self.size(), LETTERS, self.to_move, |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &HexRules, text: &str) -> Result<Hex, PositionError> {
        let (columns, rows) = (usize::from(rules.columns), usize::from(rules.rows));
        let diagram = Diagram::parse(text, (columns, rows), "BW.", 1)?;
        let to_move = Player(diagram.side(0, LETTERS)?);
        let mut stones = [AnyCells::EMPTY; 2];
        for cell in 0..rules.cells() {
            if let Some(seat) = LETTERS.find(diagram.at(cell % columns, cell / columns)) {
                stones[seat] |= AnyCells::single(cell);
            }
        }
        let (black, white) = (diagram.count('B'), diagram.count('W'));
        let swapped = rules.swap && white > 0 && white == black + 1 - to_move.index();
        if black != white + to_move.index() && !swapped {
            let side = &LETTERS[to_move.index()..=to_move.index()];
            return Err(diagram.error(format!("Black has {black} stones and White {white}: not {side} to move")));
        }
        let position = Hex::with_stones(*rules, stones, to_move);
        let grid = Grid::<6>::new(*rules);
        let mover = to_move.index();
        if grid.spans(position.joined[mover], mover) {
            return Err(diagram.error("the side to move has won already"));
        }
        Ok(position)
    }

    fn move_text(&self, mv: u16) -> String {
        if mv == self.rules.swap_move() {
            return "swap".to_string();
        }
        let (column, row) = self.column_and_row(mv);
        cell_name(column, row + 1)
    }

    fn move_index(&self, mv: u16) -> usize {
        usize::from(mv)
    }

    fn view(&self) -> View {
        stones_view(Shape::Hex, self.size(), RowOne::Top, LETTERS, |column, row| self.seat_at(column, row))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::HALF_TURN
    }

    fn transformed(&self, symmetry: Symmetry) -> Hex {
        let image = |stones: AnyCells| {
            let cells = stones.members().map(|cell| self.transformed_move(cell as u16, symmetry));
            cells.fold(AnyCells::EMPTY, |all, cell| all | AnyCells::single(usize::from(cell)))
        };
        Hex::with_stones(self.rules, self.stones.map(image), self.to_move)
    }

    fn transformed_move(&self, mv: u16, symmetry: Symmetry) -> u16 {
        if mv == self.rules.swap_move() {
            return mv;
        }
        let (column, row) = symmetry.apply(self.column_and_row(mv), self.size());
        (row * self.size().0 + column) as u16
    }
}
