//! The stones of a Go position as point sets of the narrowest type that holds the board.

use crate::board::bits::{Bits, Words};
use tesuji_core::{Player, PlayoutContext, Trace};

use super::{PASS, Point};

/// The distance between rows in the sets for boards up to 9x9, 13x13 and 19x19: the largest board
/// plus one. The first bit of each row and the row below the board are unused, so that all eight
/// neighbours of a point have a bit.
pub const STRIDES: [usize; 3] = [10, 14, 20];

/// The stride of a board size.
#[inline]
pub fn stride(size: usize) -> usize {
    match size {
        0..=9 => STRIDES[0],
        10..=13 => STRIDES[1],
        _ => STRIDES[2],
    }
}

/// The bit of a point.
#[inline]
pub fn point(size: usize, column: usize, row_from_bottom: usize) -> usize {
    (row_from_bottom + 1) * stride(size) + column + 1
}

/// The points of the board, by size.
pub static BOARDS: [Words<7>; 20] = {
    let mut boards = [Words([0; 7]); 20];
    let mut size = 2;
    while size < 20 {
        let stride = if size <= 9 {
            STRIDES[0]
        } else if size <= 13 {
            STRIDES[1]
        } else {
            STRIDES[2]
        };
        let mut cell = 0;
        while cell < size * size {
            let point = (cell / size + 1) * stride + cell % size + 1;
            boards[size].0[point / 64] |= 1 << (point % 64);
            cell += 1;
        }
        size += 1;
    }
    boards
};

/// The four neighbours of every bit, for the three strides. May include bits off the board, which
/// callers mask.
static AROUND: [[Words<7>; 448]; 3] = {
    let mut around = [[Words([0; 7]); 448]; 3];
    let mut class = 0;
    while class < 3 {
        let stride = STRIDES[class];
        let mut bit = stride;
        while bit < 448 - stride {
            let neighbours = [bit - 1, bit + 1, bit - stride, bit + stride];
            let mut at = 0;
            while at < 4 {
                around[class][bit].0[neighbours[at] / 64] |= 1 << (neighbours[at] % 64);
                at += 1;
            }
            bit += 1;
        }
        class += 1;
    }
    around
};

/// The side to move and the state left by the last move.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub to_move: usize,
    /// The point where ko forbids a move, or `PASS`.
    pub ko: usize,
    pub passes: u8,
}

/// The stones of both sides. The stride is a constant because shifts by a constant are much
/// cheaper. `CELLS` is the number of bits of a set.
#[derive(Clone, Copy, Debug)]
pub struct Stones<B, const STRIDE: usize, const CELLS: usize> {
    by_seat: [B; 2],
    board: B,
}

impl<B: Bits, const STRIDE: usize, const CELLS: usize> Stones<B, STRIDE, CELLS> {
    #[inline]
    pub fn new(board: B, by_seat: [B; 2]) -> Self {
        Stones { by_seat, board }
    }

    /// The points of the board.
    #[inline]
    pub fn board(&self) -> B {
        self.board
    }

    /// The stones of a player.
    #[inline]
    pub fn of(&self, seat: usize) -> B {
        self.by_seat[seat]
    }

    #[inline]
    pub fn empty(&self) -> B {
        self.board & !(self.by_seat[0] | self.by_seat[1])
    }

    /// The block of `seat` that contains a stone.
    #[inline]
    pub fn block(&self, seat: usize, stone: usize) -> B {
        self.reached(B::single(stone), self.by_seat[seat])
    }

    /// The blocks of `seat` that have stones in `some`, one after the other.
    pub fn blocks(&self, seat: usize, some: B) -> impl Iterator<Item = B> + '_ {
        let mut rest = some & self.by_seat[seat];
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let block = self.block(seat, rest.lowest());
            rest &= !block;
            Some(block)
        })
    }

    /// The stones after another one that captures nothing.
    #[inline]
    pub fn with(mut self, seat: usize, point: usize) -> Self {
        self.by_seat[seat] |= B::single(point);
        self
    }

    /// The stones without some of a player's.
    #[inline]
    pub fn without(mut self, seat: usize, taken: B) -> Self {
        self.by_seat[seat] &= !taken;
        self
    }

    /// The points of a set, and the eight points around each.
    #[inline]
    pub fn surroundings(&self, set: B) -> B {
        let row = set | (set << 1) | (set >> 1);
        row | (row << STRIDE as u32) | (row >> STRIDE as u32)
    }

    /// The liberties of a block, or of several.
    #[inline]
    pub fn liberties(&self, block: B) -> B {
        self.grown(block) & self.empty()
    }

    /// The neighbours of the points of a set; may include bits off the board.
    #[inline]
    pub fn grown(&self, set: B) -> B {
        (set << 1) | (set >> 1) | (set << STRIDE as u32) | (set >> STRIDE as u32)
    }

    /// The neighbours of a point one by one; at the edge, including bits off the board. Where few
    /// points are looked at, that is faster than the set of all.
    #[inline]
    pub fn next_to(&self, point: usize) -> [usize; 4] {
        [point - STRIDE, point - 1, point + 1, point + STRIDE]
    }

    /// The number of neighbours of a point in a set.
    #[inline]
    pub fn count_next_to(&self, point: usize, set: B) -> u32 {
        self.next_to(point).iter().map(|&neighbour| u32::from(set.contains(neighbour))).sum()
    }

    /// Whether a neighbour of a point is in a set.
    #[inline]
    pub fn is_next_to(&self, point: usize, set: B) -> bool {
        self.next_to(point).iter().any(|&neighbour| set.contains(neighbour))
    }

    /// The neighbours of a point; at the edge, including bits off the board.
    #[inline]
    pub fn around(&self, point: usize) -> B {
        let class = match STRIDE {
            10 => 0,
            14 => 1,
            _ => 2,
        };
        B::from_words(&AROUND[class][point].0)
    }

    /// The empty points with an empty neighbour, where a move is legal for both sides.
    #[inline]
    pub fn open_points(&self) -> B {
        let empty = self.empty();
        empty & self.grown(empty)
    }

    /// The block of `stones` that contains a stone, if it has no liberty in `empty`. Most blocks
    /// have one next to that stone, which a table shows.
    #[inline]
    fn dead_block(&self, stone: usize, stones: B, empty: B) -> Option<B> {
        if !(self.around(stone) & empty).is_empty() {
            return None;
        }
        let mut block = B::single(stone);
        loop {
            let around = self.grown(block);
            if !(around & empty).is_empty() {
                return None;
            }
            let grown = block | (around & stones);
            if grown == block {
                return Some(block);
            }
            block = grown;
        }
    }

    /// The opponent's stones that a stone of `mover` at `point` captures.
    #[inline]
    pub fn taken_by(&self, mover: usize, point: usize) -> B {
        let theirs = self.by_seat[1 - mover];
        let empty = self.empty() & !B::single(point);
        let mut taken = B::EMPTY;
        for neighbour in (self.around(point) & theirs).members() {
            if !taken.contains(neighbour)
                && let Some(block) = self.dead_block(neighbour, theirs, empty)
            {
                taken |= block;
            }
        }
        taken
    }

    /// Whether a stone of `mover` on the empty `point` would have a liberty or capture. Does not
    /// test ko.
    #[inline]
    pub fn is_legal(&self, mover: usize, point: usize) -> bool {
        let around = self.around(point);
        let all_empty = self.empty();
        if !(around & all_empty).is_empty() {
            return true;
        }
        let empty = all_empty & !B::single(point);
        let (mine, theirs) = (self.by_seat[mover], self.by_seat[1 - mover]);
        let has_liberty = |neighbour: usize, stones: B| self.dead_block(neighbour, stones, empty).is_none();
        (around & mine).members().any(|neighbour| has_liberty(neighbour, mine))
            || (around & theirs).members().any(|neighbour| !has_liberty(neighbour, theirs))
    }

    /// Whether a stone of `mover` on `point` that captures one stone starts a ko: all its
    /// neighbours on the board are the opponent's.
    #[inline]
    pub fn is_ko_shape(&self, mover: usize, point: usize) -> bool {
        (self.around(point) & self.board & !self.by_seat[1 - mover]).is_empty()
    }

    /// Whether the opponent of `mover` can have just captured a single stone on `point` in a ko:
    /// the point is empty, all its neighbours are the opponent's, and one of them is a single stone
    /// with this liberty only.
    pub fn is_ko_point(&self, mover: usize, point: usize) -> bool {
        let inside = |point: usize, set: B| (self.around(point) & self.board & !set).is_empty();
        let theirs = self.by_seat[1 - mover];
        let rest = self.by_seat[mover] | B::single(point);
        self.empty().contains(point)
            && inside(point, theirs)
            && (self.around(point) & theirs).members().any(|stone| inside(stone, rest))
    }

    /// Whether every block has a liberty.
    pub fn all_have_liberties(&self) -> bool {
        let empty = self.empty();
        self.by_seat.iter().all(|&stones| self.reached(empty, stones) & stones == stones)
    }

    /// `from` and the points of `through` connected to it.
    #[inline]
    pub fn reached(&self, from: B, through: B) -> B {
        let mut reached = from;
        loop {
            let grown = reached | (self.grown(reached) & through);
            if grown == reached {
                return reached;
            }
            reached = grown;
        }
    }

    /// The areas of Black and of White: their stones, and the empty points that only they reach.
    #[inline]
    pub fn areas(&self) -> [B; 2] {
        let empty = self.empty();
        let [black, white] = self.by_seat.map(|stones| self.reached(stones, empty));
        [black & !white, white & !black]
    }

    /// Black's area minus White's.
    #[inline]
    pub fn area_lead(&self) -> i32 {
        let [black, white] = self.areas();
        black.count() as i32 - white.count() as i32
    }

    /// Whether the empty `point` is an eye of `mover`: all its neighbours are own stones, and the
    /// opponent has at most one of the diagonal points (none at the edge).
    #[inline]
    pub fn is_eye(&self, mover: usize, point: usize) -> bool {
        let (mine, theirs) = (self.by_seat[mover], self.by_seat[1 - mover]);
        let around = self.around(point) & self.board;
        if !(around & !mine).is_empty() {
            return false;
        }
        let edge = u32::from(around.count() < 4);
        let (up, down) = (point + STRIDE, point - STRIDE);
        let hostile: u32 =
            [up - 1, up + 1, down - 1, down + 1].iter().map(|&diagonal| u32::from(theirs.contains(diagonal))).sum();
        hostile + edge < 2
    }

    /// Plays at random until two passes or the cap, and returns the stones at the end. Draws empty
    /// points without replacement until one is legal and not an own eye, which is uniform over such
    /// points.
    #[inline]
    pub fn playout<T: Trace<Point>>(&self, turn: Turn, context: &mut PlayoutContext<Point>, trace: &mut T) -> Self {
        let Turn { to_move: mut mover, mut ko, mut passes } = turn;
        let mut blocks = Blocks::new(*self);
        context.moves.clear();
        context.moves.extend(self.empty().members().map(|point| point as Point));
        for _ in 0..context.cap {
            let drawn = blocks.draw(mover, ko, context);
            ko = usize::from(PASS);
            match drawn {
                None => {
                    trace.played(Player(mover as u8), PASS);
                    passes += 1;
                    if passes == 2 {
                        break;
                    }
                }
                Some(point) => {
                    trace.played(Player(mover as u8), point as Point);
                    passes = 0;
                    let taken = blocks.play(mover, point);
                    if !taken.is_empty() {
                        if taken.count() == 1 && blocks.is_ko(point, taken) {
                            ko = taken.lowest();
                        }
                        context.moves.extend(taken.members().map(|point| point as Point));
                    }
                }
            }
            mover = 1 - mover;
        }
        blocks.board
    }
}

/// The stones of a playout with their blocks and liberties, updated incrementally without flood
/// fill. Too large to be copied with a position.
struct Blocks<B, const STRIDE: usize, const CELLS: usize> {
    board: Stones<B, STRIDE, CELLS>,
    /// The block number of a point; a block is numbered by one of its points.
    of: [u16; CELLS],
    /// The stones of each block, by number.
    stones: [B; CELLS],
    liberties: [B; CELLS],
}

impl<B: Bits, const STRIDE: usize, const CELLS: usize> Blocks<B, STRIDE, CELLS> {
    #[inline]
    fn new(board: Stones<B, STRIDE, CELLS>) -> Self {
        let mut blocks = Blocks { board, of: [0; CELLS], stones: [B::EMPTY; CELLS], liberties: [B::EMPTY; CELLS] };
        let empty = board.empty();
        for stones in board.by_seat {
            let mut rest = stones;
            while !rest.is_empty() {
                let number = rest.lowest();
                let block = board.reached(B::single(number), stones);
                blocks.stones[number] = block;
                blocks.liberties[number] = board.grown(block) & empty;
                for stone in block.members() {
                    blocks.of[stone] = number as u16;
                }
                rest &= !block;
            }
        }
        blocks
    }

    /// Whether a stone of `mover` on a point without empty neighbours would have a liberty or
    /// capture.
    #[inline]
    fn is_legal(&self, mover: usize, point: usize) -> bool {
        let around = self.board.around(point);
        let stone = B::single(point);
        let last_liberty = |neighbour: usize| self.liberties[usize::from(self.of[neighbour])] == stone;
        (around & self.board.by_seat[mover]).members().any(|neighbour| !last_liberty(neighbour))
            || (around & self.board.by_seat[1 - mover]).members().any(last_liberty)
    }

    /// Places a stone and returns the stones it captures.
    #[inline]
    fn play(&mut self, mover: usize, point: usize) -> B {
        let around = self.board.around(point);
        let stone = B::single(point);
        self.of[point] = point as u16;
        self.stones[point] = stone;
        self.liberties[point] = around & self.board.empty();
        let mut taken = B::EMPTY;
        for neighbour in (around & self.board.by_seat[1 - mover]).members() {
            let number = usize::from(self.of[neighbour]);
            self.liberties[number] &= !stone;
            if self.liberties[number].is_empty() {
                taken |= self.stones[number];
            }
        }
        for neighbour in (around & self.board.by_seat[mover]).members() {
            self.join(usize::from(self.of[point]), usize::from(self.of[neighbour]));
        }
        self.liberties[usize::from(self.of[point])] &= !stone;
        self.board.by_seat[mover] |= stone;
        self.board.by_seat[1 - mover] ^= taken;
        for captured in taken.members() {
            for neighbour in (self.board.around(captured) & self.board.by_seat[mover]).members() {
                self.liberties[usize::from(self.of[neighbour])] |= B::single(captured);
            }
        }
        taken
    }

    /// Merges two blocks under the number of the larger.
    #[inline]
    fn join(&mut self, one: usize, other: usize) {
        if one == other {
            return;
        }
        let (larger, smaller) =
            if self.stones[one].count() > self.stones[other].count() { (one, other) } else { (other, one) };
        for stone in self.stones[smaller].members() {
            self.of[stone] = larger as u16;
        }
        self.stones[larger] |= self.stones[smaller];
        self.liberties[larger] |= self.liberties[smaller];
    }

    /// Whether the stone just placed on `point`, which captured the single stone `taken`, starts a
    /// ko: it is a single stone with that liberty only.
    #[inline]
    fn is_ko(&self, point: usize, taken: B) -> bool {
        let number = usize::from(self.of[point]);
        self.stones[number] == B::single(point) && self.liberties[number] == taken
    }

    /// Draws a point and removes it from the list of empty points.
    #[inline]
    fn draw(&self, mover: usize, ko: usize, context: &mut PlayoutContext<Point>) -> Option<usize> {
        let count = context.moves.len();
        let empty = self.board.empty();
        for tried in 0..count {
            let at = tried + context.rng.below(count - tried);
            let point = usize::from(context.moves[at]);
            // A point with an empty neighbour is neither an eye nor a ko, and always legal.
            if !(self.board.around(point) & empty).is_empty()
                || (point != ko && !self.board.is_eye(mover, point) && self.is_legal(mover, point))
            {
                context.moves.swap_remove(at);
                return Some(point);
            }
            context.moves.swap(tried, at);
        }
        None
    }
}
