//! Evaluation, move categories and random playouts.

use super::board::{Side, is_joined};
use super::tables::{BoardBits, REACH};
use super::{BothJoined, Loa, LoaMove, LoaRules, PASS};
use crate::board::bits::Bits;
use tesuji_core::{Game, Knowledge, Outcome, Player, PlayoutContext, Trace};

/// The most pieces a side can have, on 9x9.
const MOST_PIECES: usize = 14;

/// The exact centre of mass of a set of pieces: the sums of columns and rows, and the number of
/// pieces.
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

    /// The distance of a cell from the centre in king moves, times the number of pieces.
    #[inline]
    fn distance<B: BoardBits>(&self, cell: usize) -> i32 {
        let (column, row) = ((cell as u32 % B::STRIDE) as i32, (cell as u32 / B::STRIDE) as i32);
        (self.pieces * column - self.columns).abs().max((self.pieces * row - self.rows).abs())
    }
}

/// The region of a cell (Saito 2010): 0 for a corner, 1 for the rest of the rim, 2 and 3 for the
/// next rings, 4 for the cells inside them.
#[inline]
fn region(size: usize, (column, row): (usize, usize)) -> usize {
    let to_edge = |line: usize| line.min(size - 1 - line);
    match (to_edge(column), to_edge(row)) {
        (0, 0) => 0,
        (across, along) => (1 + across.min(along)).min(REGIONS - 1),
    }
}

const REGIONS: usize = 5;

/// Moves that gain or lose more squares on the centre of mass than this share a category, as they
/// are rare. Raising it makes the categories finer and their statistics thinner.
const MOST_GAINED: i32 = 3;

impl Loa {
    /// The number of squares, rounded, by which a move brings its piece closer to the centre of
    /// mass of its side before the move.
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
        // Measured in games between searches of two and three plies from random openings. Mobility
        // at 0.3, 1 and 2 beat concentration alone with 61, 67 and 67 %, at 4 with 59 %; at three
        // plies 0.6 was better than 1. A piece at 0.02 scored 55 % at two plies and 50 % at three.
        // At 0.1 it scored 37 % at three plies: captures help the opponent to join.
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

/// The mean distance of the pieces from their centre of mass in king moves, less that of the
/// densest group.
fn spread<B: BoardBits>(pieces: B) -> f32 {
    let centre = Centre::of(pieces);
    let sum: i32 = pieces.members().map(|cell| centre.distance::<B>(cell)).sum();
    // One piece in the middle, eight around it, the rest around those.
    let least = if centre.pieces <= 9 { centre.pieces - 1 } else { 8 + 2 * (centre.pieces - 9) };
    (sum as f32 / centre.pieces as f32 - least as f32).max(0.0) / centre.pieces as f32
}

impl Knowledge for Loa {
    fn null_move(&self) -> Option<Loa> {
        let mut passed = *self;
        passed.play(PASS);
        (!self.is_over()).then_some(passed)
    }

    /// Concentration, mobility and, with a small weight, the number of pieces. The first two are
    /// features of MIA's evaluation (Winands, van den Herik and Uiterwijk 2003). A lead of one king
    /// move in the mean distance to the centre of mass evaluates to 0.76 of a win.
    fn evaluation(&self, player: Player) -> Option<f32> {
        Some(on_board!(self, evaluated(player)))
    }

    /// Moves toward the own centre of mass and the middle of the board first, captures there before
    /// others.
    fn move_order(&self, mv: LoaMove) -> Option<i32> {
        if mv == PASS {
            return Some(0);
        }
        let gained = on_board!(self, squares_gained(mv));
        let [from, to] = [mv.from, mv.to].map(|cell| region(self.size(), self.column_row(cell)) as i32);
        let capture = if self.captures(mv) { 2 + to } else { 0 };
        Some(2 * gained + (to - from) + capture)
    }

    fn is_forcing(&self, mv: LoaMove) -> Option<bool> {
        Some(mv != PASS && self.captures(mv))
    }

    /// The categories of Saito (2010): capture or not, region of origin, region of destination,
    /// squares gained on the centre of mass.
    fn category(&self, mv: LoaMove) -> Option<usize> {
        if mv == PASS {
            return Loa::categories(&self.rules).map(|categories| categories - 1);
        }
        let gained = on_board!(self, squares_gained(mv)).clamp(-MOST_GAINED, MOST_GAINED) + MOST_GAINED;
        let [from, to] = [mv.from, mv.to].map(|cell| region(self.size(), self.column_row(cell)));
        let regions = (usize::from(self.captures(mv)) * REGIONS + from) * REGIONS + to;
        Some(regions * (2 * MOST_GAINED as usize + 1) + gained as usize)
    }

    /// The last category is the pass.
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

    /// Alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to 300 ms
    /// a move.
    fn auto_player(_: &LoaRules) -> &'static str {
        "prove:[alphabeta]"
    }
}

impl Loa {
    /// Draws a piece and a direction until they make a move: uniform over the legal moves. Every
    /// [`FAILED_DRAWS`] draws, tests whether there is a move.
    #[inline]
    fn draw_on<B: BoardBits>(&self, context: &mut PlayoutContext<LoaMove>) -> LoaMove {
        let side = self.side::<B>(self.to_move);
        let pieces = side.own.count() as usize;
        loop {
            for _ in 0..FAILED_DRAWS {
                let pick = context.rng.below(8 * pieces);
                let from = side.own.nth(pick / 8);
                if let Some(to) = side.target(from, pick % 8) {
                    return LoaMove { from: from as u8, to: to as u8 };
                }
            }
            if !side.can_move() {
                return PASS;
            }
        }
    }

    /// A playout that keeps the pieces in lists, so that a piece can be drawn directly.
    #[inline]
    fn playout_on<B: BoardBits, T: Trace<LoaMove>>(
        &self,
        context: &mut PlayoutContext<LoaMove>,
        trace: &mut T,
    ) -> Outcome {
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
                if tries % FAILED_DRAWS == 0 && !side.can_move() {
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

/// The number of failed draws after which it pays to test whether there is a move at all.
const FAILED_DRAWS: u32 = 64;

/// The cells of the pieces of a side, in arbitrary order.
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
