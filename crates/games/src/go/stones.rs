//! The stones of a Go position as sets of points, on the narrowest kind of set that holds the board.

use crate::board::bits::{Bits, Words};
use tesuji_core::{Dice, Trace};

use super::{PASS, Point};

/// How far apart rows are on the sets for boards up to 9x9, 13x13 and 19x19: the largest board and one. The first place of
/// each row is unused, and so is a row below, so that all eight neighbours of a point have a place.
pub const STRIDES: [usize; 3] = [10, 14, 20];

/// The stride for a size.
#[inline]
pub fn stride(size: usize) -> usize {
    match size {
        0..=9 => STRIDES[0],
        10..=13 => STRIDES[1],
        _ => STRIDES[2],
    }
}

/// Where a point lies in the sets.
#[inline]
pub fn point(size: usize, column: usize, row_from_bottom: usize) -> usize {
    (row_from_bottom + 1) * stride(size) + column + 1
}

/// The points of the board of every size, as words; built once, at compile time.
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

/// Whose turn it is, and what was just played.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub to_move: usize,
    /// The forbidden point; `PASS` if none.
    pub ko: usize,
    pub passes: u8,
}

/// Black's and White's stones. The stride is a constant, because shifts by a constant are much cheaper.
#[derive(Clone, Copy, Debug)]
pub struct Stones<B, const STRIDE: usize> {
    by_seat: [B; 2],
    board: B,
}

impl<B: Bits, const STRIDE: usize> Stones<B, STRIDE> {
    #[inline]
    pub fn new(board: B, by_seat: [B; 2]) -> Self {
        Stones { by_seat, board }
    }

    #[inline]
    pub fn empty(&self) -> B {
        self.board & !(self.by_seat[0] | self.by_seat[1])
    }

    #[inline]
    fn grown(&self, set: B) -> B {
        (set << 1) | (set >> 1) | (set << STRIDE as u32) | (set >> STRIDE as u32)
    }

    #[inline]
    fn neighbours(&self, point: usize) -> [usize; 4] {
        [point - 1, point + 1, point - STRIDE, point + STRIDE]
    }

    /// Empty points with an empty neighbour: legal for both without looking further.
    #[inline]
    pub fn open_points(&self) -> B {
        let empty = self.empty();
        empty & self.grown(empty)
    }

    /// The block of the stones `of` that holds `seed`, if it has no liberty among `empty`.
    #[inline]
    fn dead_block(&self, seed: B, of: B, empty: B) -> Option<B> {
        let mut block = seed;
        loop {
            let around = self.grown(block);
            if !(around & empty).is_empty() {
                return None;
            }
            let grown = block | (around & of);
            if grown == block {
                return Some(block);
            }
            block = grown;
        }
    }

    /// The opponent's stones that a stone of `mover` at `point` takes.
    #[inline]
    pub fn taken_by(&self, mover: usize, point: usize) -> B {
        let theirs = self.by_seat[1 - mover];
        let empty = self.empty() & !B::single(point);
        let mut taken = B::EMPTY;
        for neighbour in self.neighbours(point) {
            if theirs.contains(neighbour)
                && !taken.contains(neighbour)
                && let Some(block) = self.dead_block(B::single(neighbour), theirs, empty)
            {
                taken |= block;
            }
        }
        taken
    }

    /// Whether a stone of `mover` on the empty `point` would have a liberty, or take something. Ko apart.
    #[inline]
    pub fn is_legal(&self, mover: usize, point: usize) -> bool {
        let all_empty = self.empty();
        let neighbours = self.neighbours(point);
        if neighbours.iter().any(|&neighbour| all_empty.contains(neighbour)) {
            return true;
        }
        let stone = B::single(point);
        let empty = all_empty & !stone;
        let (mine, theirs) = (self.by_seat[mover], self.by_seat[1 - mover]);
        neighbours.iter().any(|&neighbour| {
            (mine.contains(neighbour) && self.dead_block(B::single(neighbour), mine, empty).is_none())
                || (theirs.contains(neighbour) && self.dead_block(B::single(neighbour), theirs, empty).is_some())
        })
    }

    /// Whether the stone that `mover` is about to put on `point`, taking one stone, stands alone with one liberty:
    /// all its neighbours on the board are the opponent's.
    #[inline]
    pub fn is_ko_shape(&self, mover: usize, point: usize) -> bool {
        let theirs = self.by_seat[1 - mover];
        self.neighbours(point).iter().all(|&neighbour| theirs.contains(neighbour) || !self.board.contains(neighbour))
    }

    /// Whether `point` can be where the opponent of `mover` just took a single stone in a ko: empty, its neighbours all the
    /// opponent's, and one of them alone with this liberty only.
    pub fn is_ko_point(&self, mover: usize, point: usize) -> bool {
        let around = |point: usize, set: B| {
            self.neighbours(point).iter().all(|&neighbour| set.contains(neighbour) || !self.board.contains(neighbour))
        };
        let theirs = self.by_seat[1 - mover];
        let lone = |&stone: &usize| {
            let rest = self.by_seat[mover] | B::single(point);
            theirs.contains(stone) && around(stone, rest)
        };
        self.empty().contains(point)
            && around(point, theirs)
            && self.neighbours(point).iter().filter(|stone| lone(stone)).count() >= 1
    }

    /// Whether every block has a liberty.
    pub fn all_breathe(&self) -> bool {
        let empty = self.empty();
        self.by_seat.iter().all(|&stones| self.reached(empty, stones) & stones == stones)
    }

    /// All that is joined to `from` through the points of `through`.
    #[inline]
    fn reached(&self, from: B, through: B) -> B {
        let mut reached = from;
        loop {
            let grown = reached | (self.grown(reached) & through);
            if grown == reached {
                return reached;
            }
            reached = grown;
        }
    }

    /// Black's area less White's.
    #[inline]
    pub fn area_lead(&self) -> i32 {
        let empty = self.empty();
        let [black, white] = self.by_seat.map(|stones| self.reached(stones, empty));
        (black & !white).count() as i32 - (white & !black).count() as i32
    }

    /// Whether the empty `point` is an eye of `mover`: own stones on all sides, and the opponent on at most one diagonal
    /// (on none at the edge), so that it cannot be made false easily.
    #[inline]
    pub fn is_eye(&self, mover: usize, point: usize) -> bool {
        let (mine, theirs) = (self.by_seat[mover], self.by_seat[1 - mover]);
        let mut edge = 0;
        for neighbour in self.neighbours(point) {
            if !mine.contains(neighbour) {
                if self.board.contains(neighbour) {
                    return false;
                }
                edge = 1;
            }
        }
        let (up, down) = (point + STRIDE, point - STRIDE);
        let against: u32 =
            [up - 1, up + 1, down - 1, down + 1].iter().map(|&diagonal| u32::from(theirs.contains(diagonal))).sum();
        against + edge < 2
    }

    /// Plays at random to two passes, or to the cap; gives Black's lead. Empty points are drawn without putting back until
    /// one is legal and no own eye: uniform over such points. The list of empty points is kept from ply to ply.
    #[inline]
    pub fn playout<T: Trace<Point>>(&self, turn: Turn, dice: &mut Dice<Point>, trace: &mut T) -> i32 {
        let mut board = *self;
        let Turn { to_move: mut mover, mut ko, mut passes } = turn;
        dice.moves.clear();
        dice.moves.extend(board.empty().members().map(|point| point as Point));
        for _ in 0..dice.cap {
            let drawn = board.draw(mover, ko, dice);
            ko = usize::from(PASS);
            match drawn {
                None => {
                    trace.played(PASS);
                    passes += 1;
                    if passes == 2 {
                        break;
                    }
                }
                Some(point) => {
                    trace.played(point as Point);
                    passes = 0;
                    let taken = board.taken_by(mover, point);
                    if !taken.is_empty() {
                        if taken.count() == 1 && board.is_ko_shape(mover, point) {
                            ko = taken.lowest();
                        }
                        board.by_seat[1 - mover] ^= taken;
                        dice.moves.extend(taken.members().map(|point| point as Point));
                    }
                    board.by_seat[mover] |= B::single(point);
                }
            }
            mover = 1 - mover;
        }
        board.area_lead()
    }

    /// Draws a point and takes it off the list.
    #[inline]
    fn draw(&self, mover: usize, ko: usize, dice: &mut Dice<Point>) -> Option<usize> {
        let count = dice.moves.len();
        for tried in 0..count {
            let at = tried + dice.rng.below(count - tried);
            let point = usize::from(dice.moves[at]);
            if point != ko && !self.is_eye(mover, point) && self.is_legal(mover, point) {
                dice.moves.swap_remove(at);
                return Some(point);
            }
            dice.moves.swap(tried, at);
        }
        None
    }
}
