//! Hex.
//!
//! A board of hexagons in the shape of a rhombus, 11x11. Players place stones on empty cells in turn, Black first. Black
//! wins with a chain of stones from the top to the bottom row, White with one from the left to the right column; a full
//! board has exactly one of them, so there are no draws. Moves are cells, `a1` at the top left and row 1 at the top. The
//! cell (x, y) touches (x+1, y), (x-1, y), (x, y+1), (x, y-1), (x+1, y-1) and (x-1, y+1).
//!
//! Variants: any board from 2x2 to 19x19. With `swap` (square boards only) White may answer Black's first stone by
//! `swap`: the stone becomes a white one, mirrored at the long diagonal (column and row exchanged), and Black is to move.
//!
//! Solved: the first player wins on every square board (Nash, by strategy stealing); which openings win is known up
//! to 9x9, and a winning one on 10x10 (Pawlewicz and Hayward 2013).
//!
//! A board is a set of bits, a row after the other without gaps, worked on with as few words as it fits (two for 11x11).
//! Each side also keeps which of its stones hang together with its first edge; a stone that touches them floods
//! on from there, and the game is won when the flood reaches the other edge.

use crate::board::bits::{Bits, Words};
use crate::board::diagram::{Diagram, stones_text, stones_view};
use tesuji_core::look::{PieceStyle, Tone};
use tesuji_core::view::{RowOne, Shape, cell_name};
use tesuji_core::{
    Dialects, GtpDialect, SgfDialect,
    Bounds, PlayoutContext, Facts, Game, Info, Look, Knowledge, Length, Options, Outcome, Player, PositionError, Repetition, Rules,
    SpecError, Symmetry, Trace, View, symmetry, zobrist,
};

/// The size of the board, and whether White may swap.
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

    /// The move that is no cell.
    fn swap_move(&self) -> u16 {
        self.cells() as u16
    }
}

impl Rules for HexRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let (columns, rows) = options.size((11, 11), 2..=LONGEST, 2..=LONGEST)?;
        let swap = options.switch("swap", "White may take over Black's first stone")?;
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
            move_slots: moves,
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
    /// Those of them that are connected with the first edge: Black's with the top, White's with the left.
    joined: [AnyCells; 2],
    key: u64,
    rules: HexRules,
    to_move: Player,
    /// Whether the last move connected both edges.
    won: bool,
}

/// A set of cells of a board, no wider than need be.
#[inline]
fn narrowed<const N: usize>(cells: &AnyCells) -> Words<N> {
    Words::from_words(&cells.0)
}

#[inline]
fn widened<const N: usize>(cells: Words<N>) -> AnyCells {
    Words(std::array::from_fn(|word| if word < N { cells.0[word] } else { 0 }))
}

/// The first `count` cells.
#[inline]
fn first_cells<const N: usize>(count: usize) -> Words<N> {
    Words(std::array::from_fn(|word| match count.saturating_sub(64 * word) {
        0 => 0,
        rest => u64::MAX >> (64 - rest.min(64)),
    }))
}

/// Calls a method with the grid of the narrowest sets that hold the board.
macro_rules! on_narrowest {
    ($position:ident . $method:ident ( $($argument:expr),* )) => {
        match $position.rules.cells() {
            ..=64 => $position.$method(Grid::<1>::new($position.rules) $(, $argument)*),
            65..=128 => $position.$method(Grid::<2>::new($position.rules) $(, $argument)*),
            129..=192 => $position.$method(Grid::<3>::new($position.rules) $(, $argument)*),
            _ => $position.$method(Grid::<6>::new($position.rules) $(, $argument)*),
        }
    };
}

/// The leftmost column of boards of up to this many columns, on and on below their last row.
static LEFT: [AnyCells; LONGEST as usize + 1] = {
    let mut left = [Words([0; 6]); LONGEST as usize + 1];
    let mut columns = 2;
    while columns < left.len() {
        let mut cell = 0;
        while cell < MOST_CELLS {
            left[columns].0[cell / 64] |= 1 << (cell % 64);
            cell += columns;
        }
        columns += 1;
    }
    left
};

/// How the cells of a board lie together.
#[derive(Clone, Copy)]
struct Grid<const N: usize> {
    columns: u32,
    cells: Words<N>,
    left: Words<N>,
    right: Words<N>,
}

/// The six neighbours of a cell in turn; two that follow each other touch each other.
const DIRECTIONS: usize = 6;

#[inline]
fn opposite(direction: usize) -> usize {
    (direction + DIRECTIONS / 2) % DIRECTIONS
}

/// The direction beside one that is not the other one beside it.
#[inline]
fn beside(one: usize, other: usize) -> usize {
    (2 * one + DIRECTIONS - other) % DIRECTIONS
}

/// The two directions that lead away from the first edge of each side, and from the last.
const FROM_FIRST: [(usize, usize); 2] = [(1, 2), (0, 5)];
const FROM_LAST: [(usize, usize); 2] = [(4, 5), (3, 2)];

impl<const N: usize> Grid<N> {
    #[inline]
    fn new(rules: HexRules) -> Grid<N> {
        let columns = u32::from(rules.columns);
        let left = narrowed(&LEFT[usize::from(rules.columns)]);
        Grid { columns, cells: first_cells(rules.cells()), left, right: left << (columns - 1) }
    }

    /// The set moved by one cell. What leaves the board below is still in the set: cut it with cells of the board.
    #[inline]
    fn step(&self, set: Words<N>, direction: usize) -> Words<N> {
        let (down, aslant) = (self.columns, self.columns - 1);
        match direction {
            0 => (set & !self.right) << 1,
            1 => set << down,
            2 => (set & !self.left) << aslant,
            3 => (set & !self.left) >> 1,
            4 => set >> down,
            _ => (set & !self.right) >> aslant,
        }
    }

    #[inline]
    fn neighbours(&self, set: Words<N>) -> Words<N> {
        (0..DIRECTIONS).fold(Words::EMPTY, |all, direction| all | self.step(set, direction))
    }

    /// Cells that have two neighbours in common with the set, both empty: the opponent can take one of these, not both.
    #[inline]
    fn bridges(&self, set: Words<N>, empty: Words<N>) -> Words<N> {
        (0..DIRECTIONS).fold(Words::EMPTY, |all, one| {
            let other = (one + 1) % DIRECTIONS;
            all | self.step(self.step(set, one) & empty, other) & self.step(self.step(set, other) & empty, one)
        })
    }

    /// Cells that touch two neighbouring cells of an edge, of which the opponent can take one, not both; the directions lead away from the edge.
    #[inline]
    fn bridges_from(&self, edge: Words<N>, (one, other): (usize, usize)) -> Words<N> {
        self.step(edge, one) & self.step(edge, other)
    }

    /// Cells of the third line that the opponent cannot cut off from an edge (the ziggurat): of three cells in the second line that bridge to the edge,
    /// two are touched and one, on the side of the first direction, is bridged to; no cell is needed for all three. The directions lead away from
    /// the edge, of which `edge` are the free cells.
    #[inline]
    fn ziggurats(&self, edge: Words<N>, free: Words<N>, (one, other): (usize, usize)) -> Words<N> {
        let second = self.bridges_from(edge, (one, other)) & free;
        let aside = beside(one, other);
        let bridged = self.step(self.step(second, one) & free, aside);
        self.step(second, one) & self.step(second, other) & bridged
    }

    /// The eight cells that such a link of a stone needs.
    fn needs_of_ziggurat(&self, stone: Words<N>, (one, other): (usize, usize)) -> Words<N> {
        let aside = self.step(stone, opposite(beside(one, other)));
        let second = self.back(stone, one, other) | self.step(aside, opposite(one));
        aside | second | self.back(second, one, other)
    }

    /// The edge from which the chains of a side are followed.
    #[inline]
    fn first_edge(&self, seat: usize) -> Words<N> {
        if seat == BLACK { first_cells(self.columns as usize) } else { self.left & self.cells }
    }

    /// The edge opposite.
    #[inline]
    fn last_edge(&self, seat: usize) -> Words<N> {
        if seat == BLACK { self.cells ^ (self.cells >> self.columns) } else { self.right & self.cells }
    }

    /// `joined` and all of `stones` that hang together with `new` ones.
    #[inline]
    fn flood(&self, stones: Words<N>, mut joined: Words<N>, new: Words<N>) -> Words<N> {
        let mut front = new;
        while !front.is_empty() {
            joined |= front;
            front = self.neighbours(front) & stones & !joined;
        }
        joined
    }

    /// What is joined to the first edge after a stone was added to `stones`.
    #[inline]
    fn joined_after(&self, stones: Words<N>, joined: Words<N>, stone: Words<N>, seat: usize) -> Words<N> {
        if (stone & self.first_edge(seat) | self.neighbours(stone) & joined).is_empty() {
            joined
        } else {
            self.flood(stones, joined, stone)
        }
    }

    /// What is joined to the first edge, as far as is known when the last edge is reached; `joined` is known before.
    #[inline]
    fn flood_across(&self, stones: Words<N>, joined: Words<N>, seat: usize) -> Words<N> {
        let last = self.last_edge(seat);
        let mut front = joined | stones & self.first_edge(seat);
        let mut joined = front;
        while !front.is_empty() && (front & last).is_empty() {
            front = self.neighbours(front) & stones & !joined;
            joined |= front;
        }
        joined
    }

    /// Whether what is joined to the first edge reaches the last one.
    #[inline]
    fn spans(&self, joined: Words<N>, seat: usize) -> bool {
        !(joined & self.last_edge(seat)).is_empty()
    }

    /// How many more stones a side needs if every bridge holds, and with `third` every link from the third line to an edge: the shortest path over
    /// neighbours and bridges, where own stones cost nothing. Links that share a cell are all taken for safe. `None` if there is no way.
    fn distance(&self, stones: [Words<N>; 2], seat: usize, third: bool) -> Option<i32> {
        let own = stones[seat];
        let empty = self.cells & !(stones[BLACK] | stones[WHITE]);
        let first = self.first_edge(seat);
        let last = self.last_edge(seat);
        let linked = |edge: Words<N>, away: (usize, usize)| {
            let edge = edge & empty;
            let bridges = self.bridges_from(edge, away);
            if third {
                bridges | self.ziggurats(edge, empty, away) | self.ziggurats(edge, empty, (away.1, away.0))
            } else {
                bridges
            }
        };
        let start = first | linked(first, FROM_FIRST[seat]);
        let goal = last | linked(last, FROM_LAST[seat]);
        let near = |set: Words<N>| self.neighbours(set) | self.bridges(set, empty);
        let mut reached = Words::EMPTY;
        let mut new = start & own;
        let mut cost = 0;
        loop {
            while !new.is_empty() {
                reached |= new;
                new = near(new) & own & !reached;
            }
            if !(reached & goal).is_empty() {
                return Some(cost);
            }
            new = (start | near(reached)) & empty & !reached;
            if new.is_empty() {
                return None;
            }
            cost += 1;
        }
    }

    /// Shows the ways across of a side, until one is found good: over its stones, over links to an edge, and over bridges, no two of which need the
    /// same cell, so that every cut is answered on the spot. With `spare` one stone may be added. `joined` are its stones that hang together with
    /// its first edge.
    fn ways(
        &self,
        stones: [Words<N>; 2],
        joined: Words<N>,
        seat: usize,
        spare: bool,
        is_good: &mut dyn FnMut(Way<N>) -> bool,
    ) -> bool {
        let free = self.cells & !(stones[BLACK] | stones[WHITE]);
        let way = Way { own: stones[seat], free, seen: joined, spare };
        let edge = self.first_edge(seat) & free;
        let (one, other) = FROM_FIRST[seat];
        let bridges = self.bridges_from(edge, (one, other));
        self.lead_on(seat, way, joined, is_good)
            || self.go_on(seat, way, edge, |_| Words::EMPTY, is_good)
            || self.go_on(seat, way, bridges, |cell| self.back(cell, one, other), is_good)
            || [(one, other), (other, one)].into_iter().any(|away| {
                let cells = self.ziggurats(edge, free, away);
                self.go_on(seat, way, cells, |cell| self.needs_of_ziggurat(cell, away), is_good)
            })
    }

    /// The cells from which one step in either direction leads to a cell: two that bridge to it.
    #[inline]
    fn back(&self, cells: Words<N>, one: usize, other: usize) -> Words<N> {
        self.step(cells, opposite(one)) | self.step(cells, opposite(other))
    }

    /// Shows the ways across that go on from a chain.
    fn lead_on(&self, seat: usize, way: Way<N>, chain: Words<N>, is_good: &mut dyn FnMut(Way<N>) -> bool) -> bool {
        let last = self.last_edge(seat);
        if !(chain & last).is_empty() {
            return is_good(way);
        }
        let edge = last & way.free;
        let mut arrives = |cells: Words<N>, needs: &dyn Fn(Words<N>) -> Words<N>| {
            let mut linked = (chain & cells).members();
            linked.any(|cell| is_good(Way { free: way.free & !needs(Words::single(cell)), ..way }))
        };
        let (one, other) = FROM_LAST[seat];
        if arrives(self.bridges_from(edge, (one, other)), &|cell| self.back(cell, one, other)) {
            return true;
        }
        for away in [(one, other), (other, one)] {
            if arrives(self.ziggurats(edge, way.free, away), &|cell| self.needs_of_ziggurat(cell, away)) {
                return true;
            }
        }
        if way.spare && self.go_on(seat, way, self.neighbours(chain) & way.free, |_| Words::EMPTY, is_good) {
            return true;
        }
        (0..DIRECTIONS).any(|one| {
            let other = (one + 1) % DIRECTIONS;
            let (left, right) = (self.step(chain, one) & way.free, self.step(chain, other) & way.free);
            let onto = self.step(left, other) & self.step(right, one);
            self.go_on(seat, way, onto, |cell| self.back(cell, one, other), is_good)
        })
    }

    /// Shows the ways across over one of these cells; `needs` says which cells the step there has to keep free.
    fn go_on(
        &self,
        seat: usize,
        way: Way<N>,
        onto: Words<N>,
        needs: impl Fn(Words<N>) -> Words<N>,
        is_good: &mut dyn FnMut(Way<N>) -> bool,
    ) -> bool {
        let cells = if way.spare { way.own | way.free } else { way.own };
        (onto & cells & !way.seen).members().any(|cell| {
            let stone = Words::single(cell);
            let own = way.own | stone;
            let chain = self.flood(own, Words::EMPTY, stone);
            let next = Way {
                own,
                free: way.free & !(needs(stone) | stone),
                seen: way.seen | chain,
                spare: way.spare && way.own.contains(cell),
            };
            self.lead_on(seat, next, chain, is_good)
        })
    }
}

/// So many ways across are looked at to see whether one stone can stop them all. Raising it sees a little more, and takes longer.
const MOST_WAYS: u32 = 64;

/// A way across, as far as it has come.
#[derive(Clone, Copy)]
struct Way<const N: usize> {
    /// The stones of the side, and the one it has added.
    own: Words<N>,
    /// The empty cells that no bridge of the way needs.
    free: Words<N>,
    /// The stones that the way has been to.
    seen: Words<N>,
    /// Whether a stone may be added.
    spare: bool,
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

    /// Whether White, to move, has no stone yet and may take Black's.
    #[inline]
    fn may_swap(&self) -> bool {
        self.rules.swap && self.to_move == Player::SECOND && self.stones[WHITE].is_empty()
    }

    /// The position with these stones, everything that follows from them worked out.
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

    /// Plays at random to the end, cells only.
    ///
    /// The winner of a random game is that of the full board it would lead to, as playing on never breaks a chain.
    #[inline]
    fn playout_on<const N: usize, T: Trace<u16>>(&self, grid: Grid<N>, context: &mut PlayoutContext<u16>, trace: &mut T) -> Outcome {
        let seat = if T::ENABLED { self.play_on(grid, context, trace) } else { self.fill_up(grid, context) };
        Outcome::win(Player(seat as u8))
    }

    /// The winner after random moves, which are told up to the one that wins.
    fn play_on<const N: usize, T: Trace<u16>>(&self, grid: Grid<N>, context: &mut PlayoutContext<u16>, trace: &mut T) -> usize {
        let mover = self.to_move.index();
        let PlayoutContext { rng, moves, .. } = context;
        moves.clear();
        self.append_empty(moves);
        for at in (1..moves.len()).rev() {
            moves.swap(at, rng.below(at + 1));
        }
        // Black's cells of the full board say who wins.
        let cells_of = |seat: usize, from: usize, to: usize| {
            let mut cells = Words::EMPTY;
            for &cell in moves.iter().skip((seat ^ mover) + 2 * from).step_by(2).take(to - from) {
                cells.0[usize::from(cell / 64)] |= 1 << (cell % 64);
            }
            cells
        };
        let black = narrowed(&self.stones[BLACK]) | cells_of(BLACK, 0, moves.len());
        let winner = if grid.spans(grid.flood_across(black, narrowed(&self.joined[BLACK]), BLACK), BLACK) {
            BLACK
        } else {
            WHITE
        };
        // With `few` of its stones the winner is not connected, with `enough` it is. Random games last nearly to the end, so
        // the search leans towards the larger numbers.
        let (mut few, mut enough) = (0, (moves.len() + 1 - (winner ^ mover)) / 2);
        let (mut stones, mut joined) = (narrowed(&self.stones[winner]), narrowed(&self.joined[winner]));
        while enough - few > 1 {
            let middle = enough - (enough - few).div_ceil(4);
            let more = stones | cells_of(winner, few, middle);
            let reached = grid.flood_across(more, joined, winner);
            if grid.spans(reached, winner) {
                enough = middle;
            } else {
                (few, stones, joined) = (middle, more, reached);
            }
        }
        let end = 2 * enough - 1 + (winner ^ mover);
        moves[..end].iter().enumerate().for_each(|(ply, &mv)| trace.played(Player(((mover + ply) % 2) as u8), mv));
        winner
    }

    /// The winner of a full board on which the side to move has a random half of the empty cells, the odd one included.
    fn fill_up<const N: usize>(&self, grid: Grid<N>, context: &mut PlayoutContext<u16>) -> usize {
        let empty = narrowed(&self.empty());
        let half = empty.count().div_ceil(2);
        // Even chances for each cell give every set of the same size the same chance, and so do corrections at random.
        let mut mine: Words<N> = Words(std::array::from_fn(|_| context.rng.bits())) & empty;
        let mut count = mine.count();
        while count < half {
            let rest = empty & !mine;
            mine |= Words::single(rest.nth(context.rng.below(rest.count() as usize)));
            count += 1;
        }
        while count > half {
            mine ^= Words::single(mine.nth(context.rng.below(count as usize)));
            count -= 1;
        }
        let black = narrowed(&self.stones[BLACK]) | if self.to_move == Player::FIRST { mine } else { empty & !mine };
        let joined = grid.flood_across(black, narrowed(&self.joined[BLACK]), BLACK);
        if grid.spans(joined, BLACK) { BLACK } else { WHITE }
    }

    fn distances_on<const N: usize>(&self, grid: Grid<N>, third: bool) -> [Option<i32>; 2] {
        let stones = self.stones.map(|stones| narrowed(&stones));
        [BLACK, WHITE].map(|seat| grid.distance(stones, seat, third))
    }

    /// The ways across of a side, as far as they are near; see [`Grid::ways`].
    fn ways_on<const N: usize>(
        &self,
        grid: Grid<N>,
        seat: usize,
        spare: bool,
        is_good: &mut dyn FnMut(Way<N>) -> bool,
    ) -> bool {
        let stones = self.stones.map(|stones| narrowed(&stones));
        let is_near = grid.distance(stones, seat, true).is_some_and(|missing| missing <= i32::from(spare));
        is_near && grid.ways(stones, narrowed(&self.joined[seat]), seat, spare, is_good)
    }

    /// Who wins, where ways across show it.
    fn static_winner_on<const N: usize>(&self, grid: Grid<N>) -> Option<usize> {
        let (mover, waiting) = (self.to_move.index(), 1 - self.to_move.index());
        if self.ways_on(grid, mover, true, &mut |_| true) {
            return Some(mover);
        }
        if self.ways_on(grid, waiting, false, &mut |_| true) {
            return Some(waiting);
        }
        // The cells that all ways need which lack a stone: only there the mover can stop them all.
        let (mut needed, mut shown) = (narrowed(&self.empty()), 0);
        self.ways_on(grid, waiting, true, &mut |way| {
            needed &= !way.free;
            shown += 1;
            needed.is_empty() || shown == MOST_WAYS
        });
        needed.is_empty().then_some(waiting)
    }

    /// The stone that the side to move lacks, or one that makes a link of its own firm, on the way that needs the fewest cells.
    fn static_move_on<const N: usize>(&self, grid: Grid<N>) -> Option<u16> {
        let (seat, empty) = (self.to_move.index(), narrowed(&self.empty()));
        let own: Words<N> = narrowed(&self.stones[seat]);
        let (mut best, mut fewest, mut shown) = (None, u32::MAX, 0);
        self.ways_on(grid, seat, true, &mut |way| {
            let needed = empty & !way.free;
            if needed.count() < fewest {
                fewest = needed.count();
                let firm = |&cell: &usize| (grid.neighbours(Words::single(cell)) & needed).count();
                let links = (needed & grid.neighbours(own)).members().max_by_key(firm);
                best = if way.spare { links } else { Some((way.own & !own).lowest()) };
            }
            shown += 1;
            shown == MOST_WAYS
        });
        best.map(|cell| cell as u16)
    }

    /// Whether ways across are looked for. On boards of more than 64 cells there are too many, and proofs from afar are beyond any search; and who may
    /// swap may be on the other side of a way.
    fn sees_ways(&self) -> bool {
        self.rules.cells() <= 64 && !(self.rules.swap && self.stones[WHITE].is_empty())
    }

    /// Twice the number of cells from the middle of the board.
    fn off_centre(&self, cell: u16) -> i32 {
        let (column, row) = self.column_and_row(cell);
        let x = 2 * column as i32 + 1 - i32::from(self.rules.columns);
        let y = 2 * row as i32 + 1 - i32::from(self.rules.rows);
        (x.abs() + y.abs() + (x + y).abs()) / 2
    }

    fn order_on<const N: usize>(&self, grid: Grid<N>, cell: u16) -> i32 {
        let seat = self.to_move.index();
        let empty = narrowed(&self.empty());
        let stone = Words::single(usize::from(cell));
        let bridges = (grid.bridges(stone, empty) & narrowed(&self.stones[seat])).count() as i32;
        let contacts = (grid.neighbours(stone) & narrowed(&self.stones[1 - seat])).count() as i32;
        4 * bridges + 2 * contacts - self.off_centre(cell)
    }
}

/// How much more work a proof is guessed to be with a stone more to go. A higher one follows the shortest way more closely: without patterns df-pn
/// solved 5x5 with 237 million nodes without such guesses, with 32 million at 2, and with 13 to 17 million from 4 to 8.
const STONE: u32 = 4;

impl Game for Hex {
    type Move = u16;
    type Rules = HexRules;
    const INFO: Info = Info {
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

impl Knowledge for Hex {
    /// Who needs fewer stones if bridges hold (see `Grid::distance`); having the move is worth half a stone, as it
    /// makes the own way shorter by one before the other's can be. The measure is blind to ways that need the same cell, so
    /// it is trusted slowly: in games between players who looked one move ahead and played a fifth of their moves at
    /// random, the side 2.5 stones ahead won 88 % on 7x7 and 80 % on 11x11.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let [black, white] = on_narrowest!(self.distances_on(false));
        let most = i32::from(self.rules.columns.max(self.rules.rows));
        let lead = (white.unwrap_or(most) - black.unwrap_or(most)) as f32;
        let tempo = if self.to_move == Player::FIRST { 0.5 } else { -0.5 };
        let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
        Some(sign * ((lead + tempo) / 2.5).tanh() * 0.99)
    }

    /// Every stone that is missing on the shortest way across, links taken for safe, makes a proof `STONE` times as much work.
    fn initial_proof_numbers(&self, player: Player) -> Option<(u32, u32)> {
        let distances = on_narrowest!(self.distances_on(true));
        // A side that is cut off has lost, and is not asked about.
        let number = |seat: usize| STONE.saturating_pow(distances[seat].unwrap_or(0) as u32);
        Some((number(player.index()), number(1 - player.index())))
    }

    /// A way across over links of which no two need the same cell stands, whoever moves; a side to move that needs one stone more for such a way has
    /// won; and a side to move has lost if the other has several such ways and no cell is needed for all of them (the rules of Anshelevich 2002,
    /// one step deep).
    fn static_bounds(&self, player: Player) -> Option<Bounds> {
        let winner = self.sees_ways().then(|| self.static_winner_on(Grid::<1>::new(self.rules)))??;
        Some(Bounds::won_by(Player(winner as u8), player))
    }

    fn static_move(&self) -> Option<u16> {
        self.sees_ways().then(|| self.static_move_on(Grid::<1>::new(self.rules)))?
    }

    /// Bridges to own stones first, then contact with the opponent's (which blocks or cuts), then the centre. A stone
    /// worth swapping is one near the centre.
    fn move_order(&self, mv: u16) -> Option<i32> {
        Some(if mv == self.rules.swap_move() {
            i32::from(self.rules.columns) - 2 * self.off_centre(self.stones[BLACK].lowest() as u16)
        } else {
            on_narrowest!(self.order_on(mv))
        })
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<u16>) -> u16 {
        let empty = self.empty();
        let cells = empty.count() as usize;
        let drawn = context.rng.below(cells + usize::from(self.may_swap()));
        if drawn == cells { self.rules.swap_move() } else { empty.nth(drawn) as u16 }
    }

    #[inline]
    fn playout<T: Trace<u16>>(&mut self, context: &mut PlayoutContext<u16>, trace: &mut T) -> Outcome {
        if self.won {
            return Outcome::win(self.to_move.opponent());
        }
        if self.rules.swap && self.stones[WHITE].is_empty() {
            if self.to_move == Player::FIRST {
                let mv = self.playout_move(context);
                trace.played(self.to_move, mv);
                self.play(mv);
            }
            // One chance among White's moves; if it is not the swap, each cell is as likely as the next.
            if context.rng.below(self.rules.cells()) == 0 {
                let mv = self.rules.swap_move();
                trace.played(self.to_move, mv);
                self.play(mv);
            }
        }
        on_narrowest!(self.playout_on(context, trace))
    }

    /// The evaluation tells much: alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to
    /// 300 ms a move.
    fn auto_player(_: &HexRules) -> &'static str {
        "alphabeta"
    }

    fn auto_solver(_: &HexRules) -> (&'static str, &'static str) {
        ("dfpn:init=game", "the shortest connection tells how far a proof is")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::History;

    fn game(spec: &str, moves: &str) -> History<Hex> {
        let mut history = History::new(crate::rules::<Hex>(spec).unwrap());
        for mv in moves.split_whitespace() {
            history.play_text(mv).unwrap();
        }
        history
    }

    #[test]
    fn proof_numbers_follow_the_stones_that_are_missing() {
        let numbers = |moves: &str, player: Player| game("hex:5", moves).position().initial_proof_numbers(player);
        // In the middle of 5x5 a stone is linked with both edges.
        assert_eq!(numbers("", Player::FIRST), Some((4, 4)));
        assert_eq!(numbers("c3", Player::FIRST), Some((1, 16)));
        assert_eq!(numbers("c3", Player::SECOND), Some((16, 1)));
        assert_eq!(numbers("a1", Player::SECOND), Some((4, 4)));
    }

    #[test]
    fn black_connects_top_and_bottom_and_white_left_and_right() {
        assert_eq!(game("hex:3", "b1 a1 b2 a2 b3").outcome().unwrap().scores(), [1, -1]);
        assert_eq!(game("hex:3", "a1 c1 b2 b3 a2 c2").outcome(), None);
        assert_eq!(game("hex:3", "a1 a2 b1 b2 a3 c2").outcome().unwrap().scores(), [-1, 1]);
    }

    #[test]
    fn the_acute_diagonal_does_not_connect() {
        assert_eq!(game("hex:2", "a1 b1 b2").outcome(), None);
        assert_eq!(game("hex:2", "b1 a1 a2").outcome().unwrap().scores(), [1, -1]);
    }

    #[test]
    fn chains_do_not_run_over_the_sides() {
        assert!(!game("hex:4x3", "d1 b1 a2 b2 d2 b3 a3").is_over());
        assert!(!game("hex:3x4", "a3 c1 b3 a2 a1 b4").is_over());
    }

    #[test]
    fn a_late_link_joins_what_was_apart() {
        assert_eq!(game("hex:5", "c5 a1 c4 a2 c3 a3 c1 a4 c2").outcome().unwrap().scores(), [1, -1]);
        assert_eq!(game("hex:19", "s19 a1 s18 a2 s1").outcome(), None);
    }

    #[test]
    fn swap_mirrors_the_stone_and_gives_black_the_move() {
        let swapped = game("hex:3,swap", "c1 swap");
        assert_eq!(swapped.position().text(), ".../.../W.. B");
        assert!(game("hex:3,swap", "c1 a1").play_text("swap").is_err());
        assert!(game("hex:3", "c1").play_text("swap").is_err());
        assert!(crate::rules::<Hex>("hex:4x3,swap").is_err());
        let mut after = swapped;
        after.play_text("b2").unwrap();
        assert_eq!(Hex::parse(after.rules(), ".../.B./W.. W").as_ref(), Ok(after.position()));
    }

    #[test]
    fn bridges_count_as_held() {
        let rules = crate::rules::<Hex>("hex:5").unwrap();
        let distances = |text: &str| {
            let position = Hex::parse(&rules, text).unwrap();
            on_narrowest!(position.distances_on(false))
        };
        assert_eq!(distances("...../...../...../...../..... B"), [Some(2), Some(2)]);
        assert_eq!(distances("...../...B./...../.WB../..... W")[BLACK], Some(0));
        assert_eq!(distances("BW.../BW.../BW.../BW.../B.... W"), [Some(0), None]);
    }

    /// The way of the centre stone of 5x5 to both edges stands as long as every cut is answered.
    #[test]
    fn links_from_the_third_line_are_answered_on_the_spot() {
        let static_result =
            |moves: &str| game("hex:5", moves).position().static_bounds(Player::FIRST).map(|bounds| bounds.at_least);
        assert_eq!(static_result(""), Some(1));
        assert_eq!(static_result("c3"), Some(1));
        assert_eq!(static_result("c3 c4"), Some(1));
        assert_eq!(static_result("c3 c4 a1 b4"), Some(-1));
        let answer = game("hex:5", "c3 b4").position().static_move().unwrap();
        assert_eq!(game("hex:5", "c3 b4").position().move_text(answer), "c4");
    }

    #[test]
    fn a_position_is_208_bytes() {
        assert_eq!(size_of::<Hex>(), 208);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let rules = crate::rules::<Hex>("hex:3").unwrap();
        for text in [
            "",
            ".../.../... Z",
            ".../.../.../ B",
            "B../.../... B",
            "BB./.../... W",
            ".../.../W.. B",
            "BWW/B../B.W B",
            "b../.../... W",
        ] {
            assert!(Hex::parse(&rules, text).is_err(), "{text}");
        }
    }
}
