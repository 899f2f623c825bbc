//! Minishogi (gogo shogi; Kusumoto, about 1970): shogi on 5x5.
//!
//! Each side has king, gold, silver, bishop, rook and pawn, which move as in shogi. Captured pieces change sides and
//! are dropped later. Rook, bishop, silver and pawn may promote when they move into, out of or within the far rank; a
//! pawn must. A king may not be left in check. A pawn is not dropped on the far rank, nor on a file where its side has
//! an unpromoted pawn, nor so that it mates. Who has no legal move loses. When a position occurs for the fourth time, a
//! side that gave check with every move in between loses; if none did, the first player loses (rule of the 5x5 shogi
//! federation).
//!
//! A position is written as SFEN without the number of the move: `rbsgk/4p/5/P4/KGSBR b -`; the first player is `b`,
//! upper case, at the bottom. Moves: `a2-a3`, promoting `a4-a5+`, dropping `P*c3`; `a1` is at the lower left.
//!
//! Options: `repetition=draw` makes every other repetition a draw. `rules=ludii` plays as the program Ludii does:
//! nothing happens when positions repeat, and where promotion is a choice it is a decision of its own: after `a4-a5`
//! the same player says `+` or `=`, and the position ends with the cell in question.
//!
//! Not solved.
//!
//! A board is 25 bits, a1, b1, ..., e5; one set for each side and one for each kind of piece, and a list of the kinds
//! by cell besides. Attacks are looked up: steps by cell, slides by cell and the three inner cells of a line. The moves
//! of a piece are one word: where it can go in the lower half, where it can go and promote in the upper half.

use crate::board::bits::Bits;
use tesuji_core::look::{PieceNames, PieceStyle, Tone};
use tesuji_core::view::{Hand, Piece, RowOne, Shape, cell_name};
use tesuji_core::{
    Dialects, PositionLayout, UsiDialect, UsiSupport,
    PlayoutContext, Facts, Game, Info, Look, Knowledge, Length, Options, Outcome, Player, PositionError, Repetition, Rng, Rules,
    SpecError, Symmetry, Trace, View, symmetry, zobrist,
};

/// Which rules are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MiniShogiRules {
    /// As Ludii plays: promotion apart from the move, repetition without consequences.
    ludii: bool,
    /// Whether repetition without perpetual check is a draw.
    repetition_draws: bool,
}

impl Rules for MiniShogiRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let ludii = options.choice("rules", &[("standard", false), ("ludii", true)], "whose rules are followed")?;
        let repetition_draws = options.choice(
            "repetition",
            &[("first-loses", false), ("draw", true)],
            "what a position means that occurs for the fourth time, unless by perpetual check",
        )?;
        if ludii && repetition_draws {
            return Err(options.refuse("repetition", "nothing with rules=ludii, where positions may repeat"));
        }
        Ok(MiniShogiRules { ludii, repetition_draws })
    }

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            repetition: if self.ludii { Repetition::Allowed } else { Repetition::Ends(4) },
            length: Length::Capped(if self.ludii { 1250 } else { 1000 }),
            scores: (-1, 1),
            draws: true,
            move_slots: DECISION_SLOTS + 2,
        }
    }

    /// Perpetual check makes circles differ; where positions may repeat, the length of the game ends it.
    fn cycle_outcome(&self) -> Option<Outcome> {
        self.ludii.then(|| Outcome::draw(2))
    }

    fn dialects(&self) -> Dialects {
        let usi = if self.ludii {
            UsiSupport::OtherRules {
                spec: Self::USI.spec,
                reason: "promotes in a separate move, for which USI has no notation",
            }
        } else {
            UsiSupport::Supported(Self::USI)
        };
        Dialects { usi, ..Dialects::default() }
    }
}

impl MiniShogiRules {
    /// Position texts are SFEN already.
    const USI: UsiDialect = UsiDialect {
        variant: "minishogi",
        spec: "minishogi",
        size: (5, 5),
        row_one: RowOne::Bottom,
        layout: PositionLayout::Sfen,
        royal: None,
    };
}

/// A move, or in Ludii's rules a decision to promote or not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(align(4))]
pub struct MiniShogiMove {
    /// The cell it comes from; [`DROP`] and more: the kind that is dropped; [`DECISION`]: whether to promote.
    source: u8,
    to: u8,
    promotes: bool,
}

const DROP: u8 = 25;
const DECISION: u8 = 30;
/// Moves without promotion, then those with promotion, then the two decisions.
const PROMOTION_SLOTS: usize = 30 * 25;
const DECISION_SLOTS: usize = PROMOTION_SLOTS + 25 * 25;

/// A position of minishogi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MiniShogi {
    key: u64,
    /// The cells of each side.
    sides: [u32; 2],
    /// The cells of each kind of piece, of both sides.
    kinds: [u32; 10],
    /// The pieces that give check to the side to move.
    checkers: u32,
    /// The kind on each cell, [`NOTHING`] where there is none.
    cells: [u8; 25],
    /// How many of each of the five kinds that can be in hand.
    hands: [[u8; 5]; 2],
    kings: [u8; 2],
    to_move: Player,
    /// The cell of a piece that may still promote, in Ludii's rules; [`NOTHING`] otherwise.
    pending: u8,
    over: bool,
    rules: MiniShogiRules,
}

const NOTHING: u8 = 255;

// The kinds; those that can be in hand come first.
const PAWN: usize = 0;
const SILVER: usize = 1;
const GOLD: usize = 2;
const BISHOP: usize = 3;
const ROOK: usize = 4;
const KING: usize = 5;
const PROMOTED_PAWN: usize = 6;
const PROMOTED_SILVER: usize = 7;
const HORSE: usize = 8;
const DRAGON: usize = 9;
/// What each kind becomes; those that do not promote stay what they are.
const PROMOTED: [usize; 10] =
    [PROMOTED_PAWN, PROMOTED_SILVER, GOLD, HORSE, DRAGON, KING, PROMOTED_PAWN, PROMOTED_SILVER, HORSE, DRAGON];
/// What each kind is in hand.
const BASE: [usize; 10] = [PAWN, SILVER, GOLD, BISHOP, ROOK, KING, PAWN, SILVER, BISHOP, ROOK];
const NAMES: [[&str; 10]; 2] =
    [["P", "S", "G", "B", "R", "K", "+P", "+S", "+B", "+R"], ["p", "s", "g", "b", "r", "k", "+p", "+s", "+b", "+r"]];
const SIDE_LETTERS: [&str; 2] = ["b", "w"];

const SIZE: (usize, usize) = (5, 5);
const BOARD: u32 = (1 << 25) - 1;
const FILE_A: u32 = 0x10_8421;
/// The far rank of each side, where pieces promote.
const FAR: [u32; 2] = [0x1F << 20, 0x1F];

static PIECE_KEYS: [[[u64; 25]; 10]; 2] = {
    let all: [u64; 500] = zobrist::keys(0x48);
    let mut keys = [[[0; 25]; 10]; 2];
    let mut index = 0;
    while index < 500 {
        keys[index / 250][index / 25 % 10][index % 25] = all[index];
        index += 1;
    }
    keys
};
/// A key for the first and one for the second piece of a kind in a hand.
static HAND_KEYS: [[[u64; 2]; 5]; 2] = {
    let all: [u64; 20] = zobrist::keys(0x49);
    let mut keys = [[[0; 2]; 5]; 2];
    let mut index = 0;
    while index < 20 {
        keys[index / 10][index / 2 % 5][index % 2] = all[index];
        index += 1;
    }
    keys
};
const SECOND_TO_MOVE: u64 = zobrist::key(0x4a, 0);
static PENDING_KEYS: [u64; 25] = zobrist::keys(0x4b);

/// The cell `dx` to the right of and `dy` above a cell, as a set that is empty off the board.
const fn neighbour(cell: usize, dx: i32, dy: i32) -> u32 {
    let (x, y) = (cell as i32 % 5 + dx, cell as i32 / 5 + dy);
    if x < 0 || x > 4 || y < 0 || y > 4 { 0 } else { 1 << (5 * y + x) }
}

/// The single steps of a kind; those of promoted rook and bishop that do not go along their lines.
const fn steps(kind: usize, seat: usize, cell: usize) -> u32 {
    let forward = if seat == 0 { 1 } else { -1 };
    let straight = neighbour(cell, 1, 0) | neighbour(cell, -1, 0) | neighbour(cell, 0, 1) | neighbour(cell, 0, -1);
    let diagonal = neighbour(cell, 1, 1) | neighbour(cell, -1, 1) | neighbour(cell, 1, -1) | neighbour(cell, -1, -1);
    let ahead = neighbour(cell, 0, forward);
    let ahead_diagonal = neighbour(cell, 1, forward) | neighbour(cell, -1, forward);
    match kind {
        PAWN => ahead,
        SILVER => diagonal | ahead,
        GOLD | PROMOTED_PAWN | PROMOTED_SILVER => straight | ahead_diagonal,
        KING => straight | diagonal,
        HORSE => straight,
        DRAGON => diagonal,
        _ => 0,
    }
}

/// The directions of the four lines through a cell: rank, file and the two diagonals.
const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The cells of one line through a cell up to and with the first occupied one on either side.
const fn slide(cell: usize, line: usize, occupied: u32) -> u32 {
    let mut reached = 0;
    let mut sign = -1;
    while sign < 2 {
        let mut distance = sign;
        loop {
            let next = neighbour(cell, distance * LINES[line].0, distance * LINES[line].1);
            reached |= next;
            if next == 0 || next & occupied != 0 {
                break;
            }
            distance += sign;
        }
        sign += 2;
    }
    reached
}

/// What is looked up for a cell. Only the three inner cells of a line can block it.
#[derive(Clone, Copy)]
struct Lines {
    /// The cells reached along each line, by which of its inner cells are occupied.
    slides: [[u32; 8]; 4],
    /// The cells of both diagonals.
    diagonals: [u32; 2],
    /// Where a bishop and a rook would go on an empty board.
    bishop: u32,
    rook: u32,
    rank_shift: u8,
    file: u8,
}

static LINES_OF: [Lines; 25] = {
    let mut lines = [Lines { slides: [[0; 8]; 4], diagonals: [0; 2], bishop: 0, rook: 0, rank_shift: 0, file: 0 }; 25];
    let mut cell = 0;
    while cell < 25 {
        let entry = &mut lines[cell];
        entry.rank_shift = (cell / 5 * 5) as u8;
        entry.file = (cell % 5) as u8;
        entry.rook = slide(cell, 0, 0) | slide(cell, 1, 0);
        entry.diagonals = [slide(cell, 2, 0), slide(cell, 3, 0)];
        entry.bishop = entry.diagonals[0] | entry.diagonals[1];
        let mut inner = 0;
        while inner < 8 {
            // The inner bits stand for files b, c, d, or on a file for ranks 2, 3, 4.
            let mut by_file = 0;
            let mut by_rank = 0;
            let mut bit = 0;
            while bit < 3 {
                if inner >> bit & 1 == 1 {
                    by_file |= FILE_A << (bit + 1);
                    by_rank |= 0x1F << (5 * (bit + 1));
                }
                bit += 1;
            }
            entry.slides[0][inner] = slide(cell, 0, by_file);
            entry.slides[1][inner] = slide(cell, 1, by_rank);
            entry.slides[2][inner] = slide(cell, 2, by_file);
            entry.slides[3][inner] = slide(cell, 3, by_file);
            inner += 1;
        }
        cell += 1;
    }
    lines
};

#[inline]
fn rook_slides(cell: usize, occupied: u32) -> u32 {
    let lines = &LINES_OF[cell];
    let rank = occupied >> (lines.rank_shift + 1) & 7;
    // The multiplication brings the bits of ranks 2, 3 and 4, five apart, side by side.
    let file = ((occupied >> lines.file) & 0x8420).wrapping_mul(0x111) >> 13 & 7;
    lines.slides[0][rank as usize] | lines.slides[1][file as usize]
}

#[inline]
fn bishop_slides(cell: usize, occupied: u32) -> u32 {
    let lines = &LINES_OF[cell];
    // A diagonal has one cell a file: the multiplication adds up the ranks in the bits of the uppermost.
    let inner = |line: usize| ((occupied & lines.diagonals[line]).wrapping_mul(FILE_A) >> 21 & 7) as usize;
    lines.slides[2][inner(0)] | lines.slides[3][inner(1)]
}

/// From where pieces of a side attack a cell by a step.
#[derive(Clone, Copy)]
struct Attackers {
    pawn: u32,
    silver: u32,
    gold: u32,
    king: u32,
}

static ATTACKERS: [[Attackers; 25]; 2] = {
    let mut attackers = [[Attackers { pawn: 0, silver: 0, gold: 0, king: 0 }; 25]; 2];
    let mut index = 0;
    while index < 50 {
        let (seat, cell) = (index / 25, index % 25);
        // A piece is attacked from where the other side's piece of that kind could go from its cell.
        attackers[seat][cell] = Attackers {
            pawn: steps(PAWN, 1 - seat, cell),
            silver: steps(SILVER, 1 - seat, cell),
            gold: steps(GOLD, 1 - seat, cell),
            king: steps(KING, 1 - seat, cell),
        };
        index += 1;
    }
    attackers
};

/// Which halves of the word of moves a slide from a cell may fill: see [`STEP_MOVES`].
const fn promotions(kind: usize, seat: usize, cell: usize, ludii: bool) -> u64 {
    let zone = if FAR[seat] >> cell & 1 == 1 { BOARD } else { FAR[seat] };
    match kind {
        PAWN => (BOARD & !FAR[seat]) as u64 | (FAR[seat] as u64) << 32,
        SILVER | BISHOP | ROOK if !ludii => BOARD as u64 | (zone as u64) << 32,
        _ => BOARD as u64,
    }
}

type MoveWords = [[[u64; 25]; 10]; 2];

const fn move_words(ludii: bool, steps_only: bool) -> MoveWords {
    let mut words = [[[0; 25]; 10]; 2];
    let mut index = 0;
    while index < 500 {
        let (seat, kind, cell) = (index / 250, index / 25 % 10, index % 25);
        let targets = if steps_only { steps(kind, seat, cell) } else { BOARD };
        words[seat][kind][cell] = twice(targets) & promotions(kind, seat, cell, ludii);
        index += 1;
    }
    words
}

/// The moves by steps of a piece on an empty board, by rules (Ludii's second), side, kind and cell: the targets in the
/// lower half, and those where it promotes in the upper half. Where promotion is a choice both are set.
static STEP_MOVES: [MoveWords; 2] = [move_words(false, true), move_words(true, true)];
/// The part of such a word that a slide may fill.
static SLIDE_MOVES: [MoveWords; 2] = [move_words(false, false), move_words(true, false)];

/// A set of cells in both halves of a word of moves.
#[inline]
const fn twice(cells: u32) -> u64 {
    cells as u64 | (cells as u64) << 32
}

/// The cells strictly between two cells of a line, else none.
static BETWEEN: [[u32; 25]; 25] = between(false);
/// The whole line through two cells of it, else nothing.
static THROUGH: [[u32; 25]; 25] = between(true);

const fn between(whole_line: bool) -> [[u32; 25]; 25] {
    let mut table = [[0; 25]; 25];
    let mut index = 0;
    while index < 625 {
        let (from, to) = (index / 25, index % 25);
        let mut line = 0;
        while line < 4 {
            if slide(from, line, 0) >> to & 1 == 1 {
                table[from][to] = if whole_line {
                    slide(from, line, 0) | 1 << from
                } else {
                    slide(from, line, 1 << to) & slide(to, line, 1 << from)
                };
            }
            line += 1;
        }
        index += 1;
    }
    table
}

fn name(cell: u8) -> String {
    cell_name(usize::from(cell % 5), usize::from(cell / 5) + 1)
}

fn mirrored(cell: u8) -> u8 {
    cell - cell % 5 + (4 - cell % 5)
}

/// Whether a move of a piece may end with its promotion, as the player likes.
#[inline]
fn may_promote(kind: usize, seat: usize, from: u8, to: u8) -> bool {
    matches!(kind, SILVER | BISHOP | ROOK) && (FAR[seat] >> from | FAR[seat] >> to) & 1 == 1
}

impl MiniShogi {
    #[inline]
    fn seat(&self) -> usize {
        self.to_move.index()
    }

    #[inline]
    fn occupied(&self) -> u32 {
        self.sides[0] | self.sides[1]
    }

    /// The pieces of a side that attack a cell when `occupied` cells block.
    #[inline]
    fn attackers(&self, cell: usize, seat: usize, occupied: u32) -> u32 {
        let kinds = &self.kinds;
        let own = self.sides[seat];
        let from = &ATTACKERS[seat][cell];
        let lines = &LINES_OF[cell];
        let mut attackers = from.pawn & kinds[PAWN]
            | from.silver & kinds[SILVER]
            | from.gold & (kinds[GOLD] | kinds[PROMOTED_PAWN] | kinds[PROMOTED_SILVER])
            | from.king & (kinds[KING] | kinds[HORSE] | kinds[DRAGON]);
        let bishops = kinds[BISHOP] | kinds[HORSE];
        let rooks = kinds[ROOK] | kinds[DRAGON];
        if bishops & own & lines.bishop != 0 {
            attackers |= bishop_slides(cell, occupied) & bishops;
        }
        if rooks & own & lines.rook != 0 {
            attackers |= rook_slides(cell, occupied) & rooks;
        }
        attackers & own
    }

    /// The pieces of a side that may only move along a line through their king.
    #[inline]
    fn pinned(&self, seat: usize) -> u32 {
        let king = usize::from(self.kings[seat]);
        let (lines, kinds) = (&LINES_OF[king], &self.kinds);
        let snipers = (kinds[BISHOP] | kinds[HORSE]) & lines.bishop | (kinds[ROOK] | kinds[DRAGON]) & lines.rook;
        let mut pinned = 0;
        for sniper in u64::from(snipers & self.sides[1 - seat]).members() {
            let blockers = BETWEEN[king][sniper] & self.occupied();
            if blockers.is_power_of_two() {
                pinned |= blockers & self.sides[seat];
            }
        }
        pinned
    }

    /// Tells the movements of the pieces of `own` on the board, a word for each way of moving that a piece has (a
    /// dragon has two), until `visit` has enough; whether it had. Own pieces are not yet left out of the targets.
    #[inline]
    fn movements(&self, own: u32, mut visit: impl FnMut(usize, u64) -> bool) -> bool {
        let (rules, seat) = (usize::from(self.rules.ludii), self.seat());
        let (kinds, occupied) = (&self.kinds, self.occupied());
        let (step_moves, slide_moves) = (&STEP_MOVES[rules][seat], &SLIDE_MOVES[rules][seat]);
        for cell in u64::from(own & !(kinds[BISHOP] | kinds[ROOK])).members() {
            if visit(cell, step_moves[usize::from(self.cells[cell])][cell]) {
                return true;
            }
        }
        for cell in u64::from(own & (kinds[BISHOP] | kinds[HORSE])).members() {
            let kind = usize::from(self.cells[cell]);
            if visit(cell, twice(bishop_slides(cell, occupied)) & slide_moves[kind][cell]) {
                return true;
            }
        }
        for cell in u64::from(own & (kinds[ROOK] | kinds[DRAGON])).members() {
            let kind = usize::from(self.cells[cell]);
            if visit(cell, twice(rook_slides(cell, occupied)) & slide_moves[kind][cell]) {
                return true;
            }
        }
        false
    }

    /// Where a side may drop a pawn, mate left aside.
    #[inline]
    fn pawn_drops(&self, seat: usize, empty: u32) -> u32 {
        let pawns = self.kinds[PAWN] & self.sides[seat];
        let upper = pawns | pawns >> 5 | pawns >> 10;
        let files = (upper | upper >> 10) & 0x1F;
        empty & !FAR[seat] & !files.wrapping_mul(FILE_A)
    }

    /// Whether a pawn dropped by the side to move on an empty cell would mate.
    fn pawn_drop_mates(&self, cell: usize) -> bool {
        let (seat, other) = (self.seat(), 1 - self.seat());
        if ATTACKERS[seat][usize::from(self.kings[other])].pawn >> cell & 1 == 0 {
            return false;
        }
        let mut next = *self;
        next.sides[seat] |= 1 << cell;
        next.kinds[PAWN] |= 1 << cell;
        next.cells[cell] = PAWN as u8;
        next.checkers = 1 << cell;
        next.to_move = self.to_move.opponent();
        !next.evasion_words(|_, _| true)
    }

    /// Tells all legal moves but decisions in words, each with its source, until `visit` has enough; whether it had.
    #[inline]
    fn legal_words(&self, visit: impl FnMut(u8, u64) -> bool) -> bool {
        if self.checkers == 0 { self.quiet_words(visit) } else { self.evasion_words(visit) }
    }

    /// The legal moves while there is no check. What is cheap and likely to be legal comes first.
    #[inline]
    fn quiet_words(&self, mut visit: impl FnMut(u8, u64) -> bool) -> bool {
        let seat = self.seat();
        let king = usize::from(self.kings[seat]);
        let own = self.sides[seat];
        let pinned = self.pinned(seat);
        let targets = twice(!own);
        let enough = self.movements(own & !(1 << king), |cell, word| {
            let mut word = word & targets;
            if pinned >> cell & 1 == 1 {
                word &= twice(THROUGH[king][cell]);
            }
            word != 0 && visit(cell as u8, word)
        });
        enough || self.drop_words(BOARD, &mut visit) || self.king_word(&mut visit)
    }

    /// The legal moves in check: the king steps away, or another piece takes the checker or stands between. Pinned
    /// pieces cannot help, and against two checkers nobody can.
    fn evasion_words(&self, mut visit: impl FnMut(u8, u64) -> bool) -> bool {
        if self.king_word(&mut visit) {
            return true;
        }
        if !self.checkers.is_power_of_two() {
            return false;
        }
        let (rules, seat) = (usize::from(self.rules.ludii), self.seat());
        let king = usize::from(self.kings[seat]);
        let useful = self.checkers | BETWEEN[king][self.checkers.trailing_zeros() as usize];
        let helpless = self.pinned(seat) | 1 << king;
        for to in u64::from(useful).members() {
            // Every move is an attack, whether on a piece or on an empty cell.
            let attackers = self.attackers(to, seat, self.occupied()) & !helpless;
            for from in u64::from(attackers).members() {
                let kind = usize::from(self.cells[from]);
                if visit(from as u8, SLIDE_MOVES[rules][seat][kind][from] & twice(1 << to)) {
                    return true;
                }
            }
        }
        self.drop_words(useful, &mut visit)
    }

    /// Where the king can go.
    #[inline]
    fn king_word(&self, visit: &mut impl FnMut(u8, u64) -> bool) -> bool {
        let (seat, other) = (self.seat(), 1 - self.seat());
        let king = usize::from(self.kings[seat]);
        let without_king = self.occupied() ^ 1 << king;
        let mut steps = 0;
        for to in u64::from(ATTACKERS[0][king].king & !self.sides[seat]).members() {
            if self.attackers(to, other, without_king) == 0 {
                steps |= 1 << to;
            }
        }
        steps != 0 && visit(king as u8, steps)
    }

    /// The legal drops on some cells.
    #[inline]
    fn drop_words(&self, cells: u32, visit: &mut impl FnMut(u8, u64) -> bool) -> bool {
        let (seat, other) = (self.seat(), 1 - self.seat());
        let empty = cells & BOARD & !self.occupied();
        let hand = &self.hands[seat];
        if empty == 0 || *hand == [0; 5] {
            return false;
        }
        if (SILVER..=ROOK).any(|kind| hand[kind] > 0 && visit(DROP + kind as u8, u64::from(empty))) {
            return true;
        }
        let mut pawns = if hand[PAWN] > 0 { self.pawn_drops(seat, empty) } else { 0 };
        let check = pawns & ATTACKERS[seat][usize::from(self.kings[other])].pawn;
        if check != 0 && self.pawn_drop_mates(check.trailing_zeros() as usize) {
            pawns ^= check;
        }
        pawns != 0 && visit(DROP + PAWN as u8, u64::from(pawns))
    }

    /// Whether a move that follows the movement of its piece, made while not in check, leaves the king safe.
    #[inline]
    fn is_safe(&self, source: u8, to: usize) -> bool {
        let (seat, other) = (self.seat(), 1 - self.seat());
        if source >= DROP {
            return source != DROP + PAWN as u8 || !self.pawn_drop_mates(to);
        }
        let king = usize::from(self.kings[seat]);
        let from = usize::from(source);
        if from == king {
            return self.attackers(to, other, self.occupied() ^ 1 << king) == 0;
        }
        let (lines, kinds) = (&LINES_OF[king], &self.kinds);
        if (lines.bishop | lines.rook) >> from & 1 == 0 || THROUGH[king][from] >> to & 1 == 1 {
            return true;
        }
        let occupied = self.occupied() ^ 1 << from;
        if lines.rook >> from & 1 == 1 {
            let rooks = (kinds[ROOK] | kinds[DRAGON]) & self.sides[other] & THROUGH[king][from];
            rooks == 0 || rook_slides(king, occupied) & rooks == 0
        } else {
            let bishops = (kinds[BISHOP] | kinds[HORSE]) & self.sides[other] & THROUGH[king][from];
            bishops == 0 || bishop_slides(king, occupied) & bishops == 0
        }
    }

    /// Makes a move on the board and passes the turn unless promotion is still to be decided.
    #[inline]
    fn make<const KEYED: bool>(&mut self, mv: MiniShogiMove) {
        let (seat, other) = (self.seat(), 1 - self.seat());
        let to = usize::from(mv.to);
        let target = 1 << to;
        if mv.source == DECISION {
            if KEYED {
                self.key ^= PENDING_KEYS[to];
            }
            self.pending = NOTHING;
            if mv.promotes {
                let kind = usize::from(self.cells[to]);
                let becomes = PROMOTED[kind];
                self.kinds[kind] ^= target;
                self.kinds[becomes] ^= target;
                self.cells[to] = becomes as u8;
                if KEYED {
                    self.key ^= PIECE_KEYS[seat][kind][to] ^ PIECE_KEYS[seat][becomes][to];
                }
            }
        } else if mv.source >= DROP {
            let kind = usize::from(mv.source - DROP);
            self.hands[seat][kind] -= 1;
            self.sides[seat] |= target;
            self.kinds[kind] |= target;
            self.cells[to] = kind as u8;
            if KEYED {
                self.key ^= PIECE_KEYS[seat][kind][to] ^ HAND_KEYS[seat][kind][usize::from(self.hands[seat][kind])];
            }
        } else {
            let from = usize::from(mv.source);
            let kind = usize::from(self.cells[from]);
            if self.sides[other] & target != 0 {
                let taken = usize::from(self.cells[to]);
                let held = BASE[taken];
                self.sides[other] ^= target;
                self.kinds[taken] ^= target;
                if KEYED {
                    self.key ^= PIECE_KEYS[other][taken][to];
                    self.key ^= HAND_KEYS[seat][held][usize::from(self.hands[seat][held])];
                }
                self.hands[seat][held] += 1;
            }
            let becomes = if mv.promotes { PROMOTED[kind] } else { kind };
            self.sides[seat] ^= 1 << from | target;
            self.kinds[kind] ^= 1 << from;
            self.kinds[becomes] ^= target;
            self.cells[from] = NOTHING;
            self.cells[to] = becomes as u8;
            if kind == KING {
                self.kings[seat] = mv.to;
            }
            if KEYED {
                self.key ^= PIECE_KEYS[seat][kind][from] ^ PIECE_KEYS[seat][becomes][to];
            }
            if self.rules.ludii && may_promote(kind, seat, mv.source, mv.to) {
                self.pending = mv.to;
                self.checkers = 0;
                if KEYED {
                    self.key ^= PENDING_KEYS[to];
                }
                return;
            }
        }
        self.to_move = self.to_move.opponent();
        if KEYED {
            self.key ^= SECOND_TO_MOVE;
        }
        self.checkers = self.attackers(usize::from(self.kings[other]), seat, self.occupied());
    }

    /// Whether the side to move has a legal move.
    #[inline]
    fn can_move(&self) -> bool {
        // Pieces other than pawns can be dropped anywhere, and there are at most twelve pieces on 25 cells.
        let hand = &self.hands[self.seat()];
        let drops = self.checkers == 0 && hand[SILVER] + hand[GOLD] + hand[BISHOP] + hand[ROOK] > 0;
        self.pending != NOTHING || drops || self.legal_words(|_, _| true)
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.to_move == Player::SECOND { SECOND_TO_MOVE } else { 0 };
        for seat in 0..2 {
            for (kind, keys) in PIECE_KEYS[seat].iter().enumerate() {
                let cells = u64::from(self.kinds[kind] & self.sides[seat]);
                key = cells.members().fold(key, |key, cell| key ^ keys[cell]);
            }
            for (kind, keys) in HAND_KEYS[seat].iter().enumerate() {
                key = keys[..usize::from(self.hands[seat][kind])].iter().fold(key, |key, one| key ^ one);
            }
        }
        if self.pending != NOTHING {
            key ^= PENDING_KEYS[usize::from(self.pending)];
        }
        key
    }

    fn seat_of(&self, cell: usize) -> Option<usize> {
        self.sides.iter().position(|side| side >> cell & 1 == 1)
    }

    /// Whether the piece on a cell may just have made a move that leaves it the choice to promote.
    fn could_be_pending(&self, cell: usize) -> bool {
        let seat = self.seat();
        let kind = usize::from(self.cells[cell]);
        if self.sides[seat] >> cell & 1 == 0 || !matches!(kind, SILVER | BISHOP | ROOK) {
            return false;
        }
        let occupied = self.occupied();
        let mut origins = u64::from(BOARD & !occupied).members();
        origins.any(|from| {
            let reached = match kind {
                BISHOP => bishop_slides(from, occupied),
                ROOK => rook_slides(from, occupied),
                _ => steps(kind, seat, from),
            };
            reached >> cell & 1 == 1 && may_promote(kind, seat, from as u8, cell as u8)
        })
    }
}

impl Game for MiniShogi {
    type Move = MiniShogiMove;
    type Rules = MiniShogiRules;
    const INFO: Info = Info {
        look: Look { piece: PieceStyle::Shogi, tones: &[Tone::Sente, Tone::Gote], names: PieceNames(&[("P", "Pawn"), ("S", "Silver"), ("G", "Gold"), ("B", "Bishop"), ("R", "Rook"), ("K", "King"), ("+P", "Tokin"), ("+S", "promoted Silver"), ("+B", "Horse"), ("+R", "Dragon")]), ..Look::DEFAULT },
        ..Info::new("minishogi", "Minishogi", &["Sente", "Gote"])
    };

    fn start(rules: &MiniShogiRules) -> MiniShogi {
        MiniShogi::parse(rules, "rbsgk/4p/5/P4/KGSBR b -").expect("the start is a position")
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.over
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| Outcome::win(self.to_move.opponent()))
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<MiniShogiMove>) {
        if self.over {
            return;
        }
        if self.pending != NOTHING {
            let decision = |promotes| MiniShogiMove { source: DECISION, to: self.pending, promotes };
            moves.extend([decision(true), decision(false)]);
            return;
        }
        self.legal_words(|source, word| {
            moves.extend(word.members().map(|bit| MiniShogiMove { source, to: (bit & 31) as u8, promotes: bit >= 32 }));
            false
        });
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<MiniShogiMove>) -> usize {
        if self.over {
            return 0;
        }
        if self.pending != NOTHING {
            return 2;
        }
        let mut moves = 0;
        self.legal_words(|_, word| {
            moves += word.count() as usize;
            false
        });
        moves
    }

    #[inline]
    fn play(&mut self, mv: MiniShogiMove) {
        self.make::<true>(mv);
        self.over = !self.can_move();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        let mut text = String::with_capacity(48);
        for rank in (0..5).rev() {
            let mut empty = 0;
            for cell in 5 * rank..5 * rank + 5 {
                let Some(seat) = self.seat_of(cell) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text += NAMES[seat][usize::from(self.cells[cell])];
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text.push(' ');
        text += SIDE_LETTERS[self.seat()];
        text.push(' ');
        if self.hands == [[0; 5]; 2] {
            text.push('-');
        }
        for (hand, names) in self.hands.iter().zip(NAMES) {
            for (count, name) in hand.iter().zip(&names[..5]).rev() {
                match count {
                    0 => {}
                    1 => text += name,
                    _ => text += &format!("{count}{name}"),
                }
            }
        }
        if self.pending != NOTHING {
            text.push(' ');
            text += &name(self.pending);
        }
        text
    }

    fn parse(rules: &MiniShogiRules, text: &str) -> Result<MiniShogi, PositionError> {
        let fail = |reason: &str| Err(PositionError::new(text, reason));
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let (board, side, hands, pending) = match *fields.as_slice() {
            [board, side, hands] => (board, side, hands, None),
            [board, side, hands, pending] if rules.ludii => (board, side, hands, Some(pending)),
            _ => return fail("it must be board, side to move and hands, with blanks between"),
        };
        let to_move = match side {
            "b" => Player::FIRST,
            "w" => Player::SECOND,
            _ => return fail("the side to move must be b or w"),
        };
        let mut position = MiniShogi {
            key: 0,
            sides: [0; 2],
            kinds: [0; 10],
            checkers: 0,
            cells: [NOTHING; 25],
            hands: [[0; 5]; 2],
            kings: [0; 2],
            to_move,
            pending: NOTHING,
            over: false,
            rules: *rules,
        };
        let find = |letter: u8| {
            let found = |seat: usize| NAMES[seat][..6].iter().position(|name| name.as_bytes() == [letter]);
            found(0).map(|kind| (0, kind)).or_else(|| found(1).map(|kind| (1, kind)))
        };
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 5 {
            return fail("the board must be five ranks joined by '/'");
        }
        for (rank, row) in ranks.iter().rev().enumerate() {
            let (mut file, mut plus) = (0, false);
            for letter in row.bytes() {
                match find(letter) {
                    Some((seat, kind)) if file < 5 => {
                        let promoted = PROMOTED[kind];
                        if plus && promoted == kind {
                            return fail("gold and king do not promote");
                        }
                        let kind = if plus { promoted } else { kind };
                        let cell = 5 * rank + file;
                        position.sides[seat] |= 1 << cell;
                        position.kinds[kind] |= 1 << cell;
                        position.cells[cell] = kind as u8;
                        file += 1;
                        plus = false;
                    }
                    None if letter == b'+' && !plus => plus = true,
                    None if (b'1'..=b'5').contains(&letter) && !plus => file += usize::from(letter - b'0'),
                    _ => {
                        return fail(
                            "a rank is letters among KGSBRPkgsbrp, '+' before promoted ones, 1 to 5 for empty cells",
                        );
                    }
                }
            }
            if file != 5 || plus {
                return fail("a rank is five cells");
            }
        }
        let mut count = None;
        for letter in hands.bytes().filter(|_| hands != "-") {
            match find(letter) {
                Some((seat, kind)) if kind < KING && position.hands[seat][kind] == 0 => {
                    position.hands[seat][kind] = count.take().unwrap_or(1);
                }
                None if letter == b'2' && count.is_none() => count = Some(2),
                _ => return fail("hands are '-' or letters among RBGSPrbgsp, each once, with 2 before it for two"),
            }
        }
        if count.is_some() {
            return fail("a letter must follow the number in the hands");
        }
        let mut counts = [0; 6];
        for (kind, cells) in position.kinds.iter().enumerate() {
            counts[BASE[kind]] += cells.count_ones();
        }
        for hand in position.hands {
            counts.iter_mut().zip(hand).for_each(|(count, held)| *count += u32::from(held));
        }
        if counts != [2; 6] {
            return fail("there must be two of every kind, hands included");
        }
        for (seat, far) in FAR.into_iter().enumerate() {
            let king = position.kinds[KING] & position.sides[seat];
            if !king.is_power_of_two() {
                return fail("each side has one king");
            }
            position.kings[seat] = king.trailing_zeros() as u8;
            let pawns = position.kinds[PAWN] & position.sides[seat];
            if pawns & far != 0 {
                return fail("a pawn on the far rank must have promoted");
            }
            if pawns & (pawns >> 5 | pawns >> 10 | pawns >> 15) != 0 {
                return fail("a side has at most one unpromoted pawn on a file");
            }
        }
        let (seat, other) = (position.seat(), 1 - position.seat());
        let checkers =
            |seat: usize| position.attackers(usize::from(position.kings[seat]), 1 - seat, position.occupied());
        if let Some(pending) = pending {
            let cell = (0..25u8).find(|&cell| name(cell) == pending && position.could_be_pending(usize::from(cell)));
            let Some(cell) = cell else {
                return fail("the fourth field must be the cell of a piece of the side to move that may promote now");
            };
            if checkers(seat) != 0 {
                return fail("the side to move has left its king in check");
            }
            position.pending = cell;
        } else {
            if checkers(other) != 0 {
                return fail("the side to move could capture the king");
            }
            position.checkers = checkers(seat);
        }
        position.key = position.key_from_scratch();
        position.over = !position.can_move();
        Ok(position)
    }

    fn move_text(&self, mv: MiniShogiMove) -> String {
        let sign = if mv.promotes { "+" } else { "" };
        match mv.source {
            DECISION => if mv.promotes { "+" } else { "=" }.to_string(),
            DROP.. => format!("{}*{}", NAMES[0][usize::from(mv.source - DROP)], name(mv.to)),
            from => format!("{}-{}{sign}", name(from), name(mv.to)),
        }
    }

    fn move_index(&self, mv: MiniShogiMove) -> usize {
        if mv.source == DECISION {
            return DECISION_SLOTS + usize::from(mv.promotes);
        }
        let first = if mv.promotes { PROMOTION_SLOTS } else { 0 };
        first + 25 * usize::from(mv.source) + usize::from(mv.to)
    }

    fn view(&self) -> View {
        let mut view = View::grid(Shape::Square, SIZE, RowOne::Bottom, |file, row| {
            let cell = 5 * (4 - row) + file;
            let seat = self.seat_of(cell)?;
            let symbol = NAMES[seat][usize::from(self.cells[cell])].to_string();
            Some(Piece { symbol, owner: Some(Player(seat as u8)) })
        });
        view.hands.extend((0..2).map(|seat| {
            Hand {
                title: "in hand",
                owner: Some(Player(seat as u8)),
                pieces: (0..5)
                    .rev()
                    .filter(|&kind| self.hands[seat][kind] > 0)
                    .map(|kind| (format!("{}*", NAMES[0][kind]), i32::from(self.hands[seat][kind])))
                    .collect(),
            }
        }));
        view
    }

    /// The piece, on the board or in hand, the cell it goes to, and where there is a choice `+` or `=`.
    fn clicks(&self, mv: MiniShogiMove) -> Vec<String> {
        let decision = if mv.promotes { "+" } else { "=" }.to_string();
        match mv.source {
            DECISION => vec![decision],
            DROP.. => vec![format!("{}*", NAMES[0][usize::from(mv.source - DROP)]), name(mv.to)],
            from => {
                let kind = usize::from(self.cells[usize::from(from)]);
                let mut clicks = vec![name(from), name(mv.to)];
                if !self.rules.ludii && may_promote(kind, self.seat(), from, mv.to) {
                    clicks.push(decision);
                }
                clicks
            }
        }
    }

    /// Who gave check with every move from the first to the last occurrence loses. If both or none did, the first
    /// player loses, or nobody.
    fn repetition_outcome(cycle: &[MiniShogi]) -> Outcome {
        let perpetual = [0, 1].map(|seat| {
            let mut answers = cycle[1..].iter().filter(|position| position.seat() != seat);
            answers.all(|position| position.checkers != 0)
        });
        match perpetual {
            [true, false] => Outcome::win(Player::SECOND),
            [false, true] => Outcome::win(Player::FIRST),
            _ if cycle[0].rules.repetition_draws => Outcome::draw(2),
            _ => Outcome::win(Player::SECOND),
        }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::MIRROR
    }

    fn transformed(&self, symmetry: Symmetry) -> MiniShogi {
        if symmetry == symmetry::IDENTITY {
            return *self;
        }
        let mirror = |cells: u32| {
            let file = |file: u32| cells >> file & FILE_A;
            (0..5).fold(0, |image, from| image | file(from) << (4 - from))
        };
        let mut image = MiniShogi {
            sides: self.sides.map(mirror),
            kinds: self.kinds.map(mirror),
            checkers: mirror(self.checkers),
            cells: std::array::from_fn(|cell| self.cells[usize::from(mirrored(cell as u8))]),
            kings: self.kings.map(mirrored),
            pending: if self.pending == NOTHING { NOTHING } else { mirrored(self.pending) },
            ..*self
        };
        image.key = image.key_from_scratch();
        image
    }

    fn transformed_move(&self, mv: MiniShogiMove, symmetry: Symmetry) -> MiniShogiMove {
        if symmetry == symmetry::IDENTITY {
            return mv;
        }
        let source = if mv.source < DROP { mirrored(mv.source) } else { mv.source };
        MiniShogiMove { source, to: mirrored(mv.to), ..mv }
    }
}

/// What the pieces are worth: the values of the shogi program Apery, a pawn being 90. They were made for 9x9; bishop
/// and rook reach less far here, but the order of the kinds is the same. A king is never lost, and risks nothing when
/// it captures, as it moves only where nothing attacks it.
const WORTH: [i32; 10] = [90, 495, 540, 855, 990, 0, 540, 540, 945, 1395];
/// What an attacked cell beside the king costs. A third of a pawn: king safety tips the balance between positions of
/// like material, and three attacked cells are not worth more than a pawn. Raising it makes a player give material for
/// attack.
const ATTACKED_BESIDE_KING: i32 = 30;
/// A lead of this much, a rook and a silver, is worth tanh(1) = 0.76 of a win.
const LEAD: f32 = 1500.0;

impl Knowledge for MiniShogi {
    /// Material on the board and in hand, and the cells around the kings that the other side attacks.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let worth = |seat: usize| {
            let board = |kind: usize| (self.kinds[kind] & self.sides[seat]).count_ones() as i32;
            let hand = |kind: usize| i32::from(self.hands[seat][kind]);
            let material: i32 = (0..10).map(|kind| WORTH[kind] * board(kind)).sum();
            let held: i32 = (0..5).map(|kind| WORTH[kind] * hand(kind)).sum();
            let beside_king = u64::from(ATTACKERS[0][usize::from(self.kings[seat])].king);
            let occupied = self.occupied();
            let attacked = beside_king.members().filter(|&cell| self.attackers(cell, 1 - seat, occupied) != 0).count();
            material + held - ATTACKED_BESIDE_KING * attacked as i32
        };
        let lead = worth(player.index()) - worth(1 - player.index());
        Some((lead as f32 / LEAD).tanh() * 0.99)
    }

    /// Captures, of much by little first; promotions; checks; the rest.
    fn move_order(&self, mv: MiniShogiMove) -> Option<i32> {
        const CAPTURE: i32 = 10_000;
        const PROMOTION: i32 = 5_000;
        const CHECK: i32 = 2_000;
        let (seat, other) = (self.seat(), 1 - self.seat());
        let to = usize::from(mv.to);
        if mv.source == DECISION {
            return Some(if mv.promotes { PROMOTION } else { 0 });
        }
        let kind = if mv.source >= DROP {
            usize::from(mv.source - DROP)
        } else {
            usize::from(self.cells[usize::from(mv.source)])
        };
        let becomes = if mv.promotes { PROMOTED[kind] } else { kind };
        let mut order = if mv.promotes { WORTH[becomes] - WORTH[kind] } else { 0 };
        if self.sides[other] >> to & 1 == 1 {
            return Some(CAPTURE + order + WORTH[usize::from(self.cells[to])] - WORTH[kind]);
        }
        let occupied = if mv.source < DROP { self.occupied() ^ 1 << mv.source } else { self.occupied() };
        let attacks = steps(becomes, seat, to)
            | match becomes {
                BISHOP | HORSE => bishop_slides(to, occupied),
                ROOK | DRAGON => rook_slides(to, occupied),
                _ => 0,
            };
        if mv.promotes {
            order += PROMOTION;
        }
        if attacks >> self.kings[other] & 1 == 1 {
            order += CHECK;
        }
        Some(order)
    }

    fn is_forcing(&self, mv: MiniShogiMove) -> Option<bool> {
        Some(mv.source == DECISION || mv.promotes || self.sides[1 - self.seat()] >> mv.to & 1 == 1)
    }

    /// While there is no check a move is drawn among all movements and drawn again if it is illegal, which few are.
    /// Whether the game is over is asked only in check, or when draw after draw was illegal.
    #[inline]
    fn playout<T: Trace<MiniShogiMove>>(&mut self, context: &mut PlayoutContext<MiniShogiMove>, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let mut urn = Urn::new();
        for _ in 0..context.cap {
            let Some(mv) = self.random_move(&mut urn, context) else {
                return Outcome::win(self.to_move.opponent());
            };
            trace.played(self.to_move, mv);
            self.make::<false>(mv);
        }
        if self.can_move() { self.outcome_at_cap() } else { Outcome::win(self.to_move.opponent()) }
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<MiniShogiMove>) -> MiniShogiMove {
        self.random_move(&mut Urn::new(), context).expect("the game is not over")
    }

    /// The evaluation tells much: alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to
    /// 300 ms a move.
    fn auto_player(_: &MiniShogiRules) -> &'static str {
        "alphabeta"
    }
}

/// Words of moves and their sources, to draw from.
struct Urn {
    words: [u64; 20],
    sources: [u8; 20],
    length: usize,
    moves: u32,
}

impl Urn {
    #[inline]
    fn new() -> Urn {
        Urn { words: [0; 20], sources: [0; 20], length: 0, moves: 0 }
    }

    #[inline]
    fn add(&mut self, source: u8, word: u64) {
        self.words[self.length] = word;
        self.sources[self.length] = source;
        self.length += 1;
        self.moves += word.count_ones();
    }

    #[inline]
    fn draw(&self, rng: &mut Rng) -> MiniShogiMove {
        let mut rank = rng.below(self.moves as usize) as u32;
        let mut at = 0;
        loop {
            let count = self.words[at].count_ones();
            if rank < count {
                break;
            }
            rank -= count;
            at += 1;
        }
        let bit = self.words[at].nth(rank as usize);
        MiniShogiMove { source: self.sources[at], to: (bit & 31) as u8, promotes: bit >= 32 }
    }
}

/// After so many illegal draws the legal moves are made out. They are rarely needed: most positions have more legal
/// than illegal movements. Any number gives the same distribution.
const DRAWS: u32 = 6;

impl MiniShogi {
    /// A legal move, all equally likely; `None` if there is none.
    #[inline]
    fn random_move(&self, urn: &mut Urn, context: &mut PlayoutContext<MiniShogiMove>) -> Option<MiniShogiMove> {
        if self.pending != NOTHING {
            return Some(MiniShogiMove { source: DECISION, to: self.pending, promotes: context.rng.bits() >> 63 == 1 });
        }
        if self.checkers == 0 {
            self.fill(urn);
            for _ in 0..DRAWS.min(urn.moves) {
                let mv = urn.draw(&mut context.rng);
                if self.is_safe(mv.source, usize::from(mv.to)) {
                    return Some(mv);
                }
            }
        }
        context.moves.clear();
        self.legal_moves(&mut context.moves);
        (!context.moves.is_empty()).then(|| context.moves[context.rng.below(context.moves.len())])
    }

    /// All movements and drops of the side to move, legal or not, as long as it is not in check.
    #[inline]
    fn fill(&self, urn: &mut Urn) {
        let seat = self.seat();
        let targets = twice(!self.sides[seat]);
        urn.length = 0;
        urn.moves = 0;
        self.movements(self.sides[seat], |cell, word| {
            urn.add(cell as u8, word & targets);
            false
        });
        let hand = &self.hands[seat];
        if *hand != [0; 5] {
            let empty = BOARD & !self.occupied();
            if hand[PAWN] > 0 {
                urn.add(DROP + PAWN as u8, u64::from(self.pawn_drops(seat, empty)));
            }
            for kind in (SILVER..=ROOK).filter(|&kind| hand[kind] > 0) {
                urn.add(DROP + kind as u8, u64::from(empty));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use tesuji_core::History;
    use tesuji_core::perft::{Leaves, perft};

    fn game(spec: &str, text: &str) -> History<MiniShogi> {
        History::parse(crate::rules::<MiniShogi>(spec).unwrap(), text).unwrap()
    }

    fn moves(game: &History<MiniShogi>) -> Vec<String> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.iter().map(|&mv| game.position().move_text(mv)).collect()
    }

    fn is_legal(text: &str, mv: &str) -> bool {
        moves(&game("minishogi", text)).iter().any(|legal| legal == mv)
    }

    /// The scores after moves have been repeated from a position until it occurs for the fourth time.
    fn repeated(spec: &str, text: &str, moves: &str) -> Vec<i32> {
        let mut game = game(spec, text);
        for _ in 0..3 {
            assert!(!game.is_over());
            moves.split(' ').for_each(|mv| assert!(game.play_text(mv).is_ok(), "{mv}"));
        }
        assert!(game.ended_by_history());
        game.outcome().unwrap().scores().to_vec()
    }

    #[test]
    fn perft_counts_are_those_of_other_programs() {
        let count =
            |spec, depth| perft(&game(spec, "start"), depth, Leaves::Counted, &AtomicBool::new(false)).unwrap().leaves;
        let counts = |spec, depths: u32| (1..=depths).map(|depth| count(spec, depth)).collect::<Vec<_>>();
        assert_eq!(counts("minishogi", 5), [14, 181, 2512, 35401, 533_203]);
        assert_eq!(counts("minishogi:rules=ludii", 3), [14, 181, 2484]);
    }

    #[test]
    fn a_pawn_is_dropped_neither_beside_another_on_its_file_nor_on_the_far_rank() {
        let text = "rbsg1/3k1/5/P4/KGSBR b P";
        assert!(is_legal(text, "P*c3"));
        assert!(!is_legal(text, "P*a3"));
        assert!(!is_legal(text, "P*e5"));
        assert!(is_legal("rbsg1/3k1/5/+P4/KGSBR b P", "P*a3"));
    }

    #[test]
    fn a_dropped_pawn_may_give_check_but_not_mate() {
        assert!(!is_legal("1s1kr/1G3/1R1+PG/2B2/1S2K b Pb", "P*d4"));
        assert!(is_legal("1s1kr/5/1R1+PG/2B2/1S2K b GPb", "P*d4"));
    }

    #[test]
    fn a_pinned_piece_stays_on_its_line() {
        let game = game("minishogi", "r3k/5/G4/5/K4 b r2bg2s2p");
        let gold: Vec<String> = moves(&game).into_iter().filter(|mv| mv.starts_with("a3")).collect();
        assert_eq!(gold, ["a3-a2", "a3-a4"]);
    }

    #[test]
    fn in_double_check_only_the_king_moves() {
        let game = game("minishogi", "r3k/5/2b2/5/K4 b rb2g2s2p");
        assert_eq!(moves(&game), ["a1-b1"]);
    }

    #[test]
    fn silvers_choose_to_promote_and_pawns_must() {
        let text = "4k/PS3/5/5/K4 b 2r2b2gsp";
        let legal = |mv: &str| is_legal(text, mv);
        assert!(legal("b4-b5") && legal("b4-b5+") && legal("a4-a5+") && !legal("a4-a5") && !legal("b4-a3+"));
        assert!(is_legal("1S2k/P4/5/5/K4 b 2r2b2gsp", "b5-c4+"));
        let position = *game("minishogi", text).position();
        let clicks = |mv: &str| position.clicks(position.parse_move(mv).unwrap()).join(" ");
        assert_eq!([clicks("b4-b5+"), clicks("b4-b5"), clicks("a4-a5+")], ["b4 b5 +", "b4 b5 =", "a4 a5"]);
    }

    #[test]
    fn with_ludii_the_same_player_decides_about_promotion() {
        let mut game = game("minishogi:rules=ludii", "4k/PS3/5/5/K4 b 2r2b2gsp moves b4-b5");
        assert_eq!(game.position().text(), "1S2k/P4/5/5/K4 b 2r2b2gsp b5");
        assert_eq!(game.position().to_move(), Player::FIRST);
        assert_eq!(moves(&game), ["+", "="]);
        game.play_text("+").unwrap();
        assert_eq!(game.position().text(), "1+S2k/P4/5/5/K4 w 2r2b2gsp");
        game.undo();
        game.play_text("=").unwrap();
        assert_eq!(game.position().text(), "1S2k/P4/5/5/K4 w 2r2b2gsp");
    }

    #[test]
    fn who_has_no_legal_move_loses_in_check_or_not() {
        let mated = game("minishogi", "4k/4G/4P/5/K4 w 2R2BG2SP");
        assert_eq!(mated.outcome().unwrap().scores(), [1, -1]);
        let stalemated = game("minishogi", "4k/2+R2/3+P1/2GSB/KRGSB w P");
        assert!(stalemated.position().checkers == 0 && stalemated.is_over());
    }

    #[test]
    fn repetition_loses_for_the_first_player_or_draws() {
        let shuffle = "e1-e2 a5-a4 e2-e1 a4-a5";
        assert_eq!(repeated("minishogi", "start", shuffle), [-1, 1]);
        assert_eq!(repeated("minishogi:repetition=draw", "start", shuffle), [0, 0]);
        let game = game("minishogi:rules=ludii", &format!("start moves {}", [shuffle; 6].join(" ")));
        assert!(!game.is_over());
    }

    #[test]
    fn perpetual_check_loses_for_whoever_gives_it() {
        for spec in ["minishogi", "minishogi:repetition=draw"] {
            let by_second = repeated(spec, "k2r1/5/5/5/3K1 b R2B2G2S2P", "d1-e1 d5-e5 e1-d1 e5-d5");
            assert_eq!(by_second, [1, -1], "{spec}");
            let by_first = repeated(spec, "3k1/5/5/5/K2R1 w r2b2g2s2p", "d5-e5 d1-e1 e5-d5 e1-d1");
            assert_eq!(by_first, [-1, 1], "{spec}");
        }
    }

    #[test]
    fn one_quiet_move_in_the_cycle_breaks_perpetual_check() {
        let check = "d1-e1 d5-e5 e1-d1 e5-d5";
        let quiet = "d1-e1 d5-c5 e1-d1 c5-d5";
        for (spec, scores) in [("minishogi", [-1, 1]), ("minishogi:repetition=draw", [0, 0])] {
            for cycles in [[check, check, quiet], [check, quiet, check], [quiet, check, check]] {
                let text = format!("k2r1/5/5/5/3K1 b R2B2G2S2P moves {}", cycles.join(" "));
                assert_eq!(game(spec, &text).outcome().unwrap().scores(), scores, "{text}");
            }
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let refused = |spec: &str, text: &str| {
            assert!(MiniShogi::parse(&crate::rules::<MiniShogi>(spec).unwrap(), text).is_err(), "{text}");
        };
        for text in [
            "",
            "rbsgk/4p/5/P4/KGSBR b",
            "rbsgk/4p/5/P4/KGSBR x -",
            "rbsgk/4p/5/P4/KGSBR b P",
            "rbsgk/4p/5/P4/KGSBR b - a5",
            "rbsgk/4p/5/P4 b -",
            "rbsgk/4p/6/P4/KGSBR b -",
            "rbsgk/4p/4/P4/KGSBR b -",
            "rbs+gk/4p/5/P4/KGSBR b -",
            "rbsgk/4p/5/P3+/KGSBR b -",
            "rbsgk/4p/5/P4/GGSBR b -",
            "rbsgk/5/5/P4/KGSBR b 2",
            "rbsgk/5/5/P4/KGSBR b K",
            "Pbsgk/4p/5/r4/KGSBR b -",
            "rbsgk/P4/5/P4/KGSBR b -",
            "4k/5/4R/5/K4 b r2b2g2s2p",
            "rbsgk/4p/5/P4/KGSB\u{e9} b -",
        ] {
            refused("minishogi", text);
        }
        for cell in ["a1", "b5", "b2", "z9", "+"] {
            refused("minishogi:rules=ludii", &format!("4k/PS3/5/5/K4 b 2r2b2gsp {cell}"));
        }
    }

    #[test]
    fn the_repetition_rule_has_no_place_in_ludii() {
        assert!(crate::rules::<MiniShogi>("minishogi:rules=ludii,repetition=draw").is_err());
    }

    #[test]
    fn a_position_is_104_bytes() {
        assert_eq!(size_of::<MiniShogi>(), 104);
    }

    #[test]
    fn slides_stop_at_the_first_piece() {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            let occupied = (rng.bits() & rng.bits()) as u32 & BOARD;
            for cell in 0..25 {
                assert_eq!(rook_slides(cell, occupied), slide(cell, 0, occupied) | slide(cell, 1, occupied));
                assert_eq!(bishop_slides(cell, occupied), slide(cell, 2, occupied) | slide(cell, 3, occupied));
            }
        }
    }
}
