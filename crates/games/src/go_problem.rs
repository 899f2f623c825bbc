//! Problems inside Go: `capture`, `life`, `semeai` and `connect`.
//!
//! One type, four games, which differ in what ends them (`rules`, `goal`). Black and White play
//! Go on the points of a region around marked stones.
//!
//! - `capture`, `life`: the attacker takes all marked stones (`need=any`: one block of them). The
//!   defender, who owns them, wins when one marked block (`need=any`: every one) is unconditionally
//!   alive (Benson 1976) or has two liberties outside the region; `escape=T` in `capture`: or has T
//!   liberties with the attacker to move. Two passes: the defender, so seki lives (`seki=dead`: the
//!   attacker).
//! - `semeai`: both sides have marked stones; who loses all of them loses. Two passes, or
//!   unconditional life on both sides: a draw.
//! - `connect`: the connector joins the marked blocks. The cutter wins when a marked block is
//!   taken, when unconditionally alive cutter stones separate the blocks, and after two passes.
//!
//! Ko is a rule per side. A lone stone that captures one stone and has one liberty bans the
//! captured point for one ply. A player with threats may retake nevertheless, at the cost of a
//! threat: an external ko threat that the opponent answers. A player has 0, 1, 2 or unlimited
//! threats. A pass stands for a move elsewhere and lifts the ban; two passes end the game, but a
//! pass under a ban does not count, or a banned player would lose by waiting. How many threats a
//! side needs is the measure of a ko (Wolf 2000, "Forward pruning and other heuristic search
//! techniques in tsume go"); docs/go-tactics.md has the scale of verdicts.
//!
//! A repeated position (with the same ban, passes and threats) ends the game: the player who used
//! an unlimited threat in the cycle loses; otherwise the option `cycle=` decides, by default in
//! favour of the defender or the cutter, or a draw.
//!
//! A position is written as rows, side to move, banned point or `-`, consecutive passes (`taken`
//! once the marked stones that mattered are gone), and threats of Black and White:
//! `,,,,/XXX,/wwX,/..X, X - 0 0,inf`. Stones are `X` and `O`, marked stones `B` and `W`; in lower
//! case (`x`, `o`, `b`, `w`) on points of the region, which can be played when they become empty.
//! `.` is an empty point of the region, `,` one outside.
//!
//! The stones are the bit sets of [`crate::go`]. Flood fills over such sets cost little in the
//! small regions of problems, and a position stays small enough to copy, which blocks with
//! liberties would not allow. The ladder search keeps what it needs along its line (`ladder`).

mod candidates;
mod goal;
mod knowledge;
mod ladder;
mod patterns;
mod random;
mod rules;
mod settled;
mod starts;
#[cfg(test)]
mod tests;
mod text;
mod zone;

use crate::board::bits::{Bits, Words};
use crate::go::stones::{self, BOARDS, STRIDES, Stones};
use goal::End;
pub use rules::{Generator, Goal, ProblemRules};
use tesuji_core::{Game, Info, Outcome, Player, PositionError, Symmetry, View, symmetry, zobrist};
pub use zone::{Closure, GoZones};

/// A point of the padded board.
pub type Point = u16;

/// The pass.
pub const PASS: Point = u16::MAX;

/// Threats that never run out. One more than the largest finite number.
pub const UNLIMITED: u8 = 3;

/// A position of a problem.
#[derive(Clone, Copy, Debug)]
pub struct GoProblem {
    stones: [Words<7>; 2],
    /// The marked stones that are still on the board.
    targets: Words<7>,
    /// The points that can be played when empty.
    region: Words<7>,
    /// The key of stones, targets and region.
    board_key: u64,
    rules: ProblemRules,
    /// The banned point, or `PASS`.
    ban: Point,
    /// The last move, or `PASS`. Only initial proof numbers read it: it is not part of the
    /// position.
    last: Point,
    threats: [u8; 2],
    to_move: Player,
    passes: u8,
    /// The owner of the marked stones; Black in a semeai.
    owner: u8,
    end: End,
    /// The score of the owner if the position is terminal.
    score: i8,
}

static KEYS: [[u64; 448]; 2] = [zobrist::keys(0x74), zobrist::keys(0x75)];
static TARGET_KEYS: [u64; 448] = zobrist::keys(0x76);
static REGION_KEYS: [u64; 448] = zobrist::keys(0x77);
static BAN_KEYS: [u64; 448] = zobrist::keys(0x78);
const WHITE_TO_MOVE: u64 = zobrist::key(0x79, 0);
const PASSES: [u64; 3] = [0, zobrist::key(0x79, 1), zobrist::key(0x79, 2)];
const THREATS: [[u64; 4]; 2] = [
    [0, zobrist::key(0x79, 3), zobrist::key(0x79, 4), zobrist::key(0x79, 5)],
    [0, zobrist::key(0x79, 6), zobrist::key(0x79, 7), zobrist::key(0x79, 8)],
];

/// Calls a generic function on the narrowest board that holds the position.
macro_rules! on_stones {
    ($problem:expr, $stones:ident, $narrow:ident => $body:expr) => {
        match $problem.rules.size {
            0..=9 => {
                let $stones = $problem.narrow::<u128, { STRIDES[0] }, 128>();
                let $narrow = |set: &Words<7>| u128::from_words(&set.0);
                $body
            }
            10..=13 => {
                let $stones = $problem.narrow::<Words<4>, { STRIDES[1] }, 256>();
                let $narrow = |set: &Words<7>| Words::<4>::from_words(&set.0);
                $body
            }
            _ => {
                let $stones = $problem.narrow::<Words<7>, { STRIDES[2] }, 448>();
                let $narrow = |set: &Words<7>| *set;
                $body
            }
        }
    };
}
use on_stones;

/// Equal in everything that later play depends on; the last move is not.
impl PartialEq for GoProblem {
    fn eq(&self, other: &GoProblem) -> bool {
        self.stones == other.stones
            && self.targets == other.targets
            && self.region == other.region
            && self.rules == other.rules
            && (self.ban, self.threats, self.to_move, self.passes, self.end)
                == (other.ban, other.threats, other.to_move, other.passes, other.end)
    }
}

impl Eq for GoProblem {}

impl GoProblem {
    #[inline]
    fn narrow<B: Bits, const STRIDE: usize, const CELLS: usize>(&self) -> Stones<B, STRIDE, CELLS> {
        let board = B::from_words(&BOARDS[self.size()].0);
        Stones::new(board, self.stones.map(|stones| B::from_words(&stones.0)))
    }

    #[inline]
    fn size(&self) -> usize {
        usize::from(self.rules.size)
    }

    #[inline]
    fn mover(&self) -> usize {
        self.to_move.index()
    }

    /// The seat of the defender in `capture` and `life`, and of the connector in `connect`.
    #[inline]
    fn owner(&self) -> usize {
        usize::from(self.owner)
    }

    /// The rules.
    pub fn rules(&self) -> &ProblemRules {
        &self.rules
    }

    /// How often a player may still retake a ko at once.
    pub fn threats(&self, player: Player) -> u8 {
        self.threats[player.index()]
    }

    /// The same position with other numbers of threats. The questions of a ko verdict differ in
    /// nothing else.
    pub fn with_threats(mut self, threats: [u8; 2]) -> GoProblem {
        self.threats = threats.map(|number| number.min(UNLIMITED));
        self
    }

    fn point(&self, column: usize, row_from_bottom: usize) -> Point {
        stones::point(self.size(), column, row_from_bottom) as Point
    }

    /// The column and the row from the bottom of a point.
    fn column_row(&self, point: Point) -> (usize, usize) {
        let stride = stones::stride(self.size());
        (usize::from(point) % stride - 1, usize::from(point) / stride - 1)
    }

    fn place(&mut self, seat: usize, point: Point) {
        self.stones[seat] |= Words::single(usize::from(point));
        self.board_key ^= KEYS[seat][usize::from(point)];
    }

    /// Removes captured stones and their marks. Where one marked block is enough, the others no
    /// longer matter, and lose their marks as well.
    fn remove(&mut self, seat: usize, taken: Words<7>) {
        for stone in taken.members() {
            self.board_key ^= KEYS[seat][stone];
        }
        self.stones[seat] ^= taken;
        let marked = taken & self.targets;
        if marked.is_empty() {
            return;
        }
        let is_enough = self.rules.any || self.rules.goal == Goal::Connect;
        let cleared = if is_enough { self.targets } else { marked };
        for mark in cleared.members() {
            self.board_key ^= TARGET_KEYS[mark];
        }
        self.targets ^= cleared;
    }

    /// The points that the mover may play, pruned or not.
    fn points<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        region: B,
    ) -> impl Iterator<Item = usize> {
        let (mover, open, stones) = (self.mover(), stones.open_points(), *stones);
        let mut points = stones.empty() & region;
        if self.ban != PASS && self.threats[mover] == 0 {
            points &= !B::single(usize::from(self.ban));
        }
        points.members().filter(move |&point| open.contains(point) || stones.is_legal(mover, point))
    }

    /// Whether the mover of this position retook a ko with an unlimited threat, if `next` follows.
    fn retook_for_ever(&self, next: &GoProblem) -> bool {
        let mover = self.mover();
        self.threats[mover] == UNLIMITED && self.ban != PASS && next.stones[mover].contains(usize::from(self.ban))
    }
}

impl Game for GoProblem {
    type Move = Point;
    type Rules = ProblemRules;
    const INFO: Info = rules::INFOS[0];
    const FAMILY: &'static [Info] = rules::INFOS;

    fn info(rules: &ProblemRules) -> Info {
        rules.info()
    }

    fn start(rules: &ProblemRules) -> GoProblem {
        starts::start(rules)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.end != End::Open
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.rules.outcome(self.score, self.owner()))
    }

    fn ending_reason(&self) -> Option<&'static str> {
        self.end.reason()
    }

    fn legal_moves(&self, moves: &mut Vec<Point>) {
        if self.is_over() {
            return;
        }
        if self.is_pruned() {
            return self.pruned_moves(moves);
        }
        on_stones!(self, stones, narrow => {
            moves.extend(self.points(&stones, narrow(&self.region)).map(|point| point as Point));
        });
        moves.push(PASS);
    }

    // Not inlined: it is long, and compiled once for all searches.
    fn play(&mut self, point: Point) {
        let mover = self.mover();
        self.to_move = self.to_move.opponent();
        self.last = point;
        let ban = std::mem::replace(&mut self.ban, PASS);
        if point == PASS {
            self.passes += u8::from(ban == PASS);
            self.settle_pass();
            return;
        }
        self.passes = 0;
        if point == ban && self.threats[mover] != UNLIMITED {
            self.threats[mover] -= 1;
        }
        on_stones!(self, stones, _narrow => {
            let taken = stones.taken_by(mover, usize::from(point));
            self.place(mover, point);
            if !taken.is_empty() {
                let mut wide = Words::EMPTY;
                for stone in taken.members() {
                    wide |= Words::single(stone);
                }
                self.remove(1 - mover, wide);
                if taken.count() == 1 && stones.is_ko_shape(mover, usize::from(point)) {
                    self.ban = taken.lowest() as Point;
                }
            }
        });
        self.settle();
    }

    #[inline]
    fn key(&self) -> u64 {
        let side = if self.to_move == Player::SECOND { WHITE_TO_MOVE } else { 0 };
        let ban = if self.ban == PASS { 0 } else { BAN_KEYS[usize::from(self.ban)] };
        let threats = THREATS[0][usize::from(self.threats[0])] ^ THREATS[1][usize::from(self.threats[1])];
        self.board_key ^ side ^ ban ^ threats ^ PASSES[usize::from(self.passes)]
    }

    fn text(&self) -> String {
        self.write()
    }

    fn parse(rules: &ProblemRules, text: &str) -> Result<GoProblem, PositionError> {
        GoProblem::read(rules, text)
    }

    fn move_text(&self, point: Point) -> String {
        if point == PASS { "pass".to_string() } else { self.point_name(point) }
    }

    #[inline]
    fn move_index(&self, point: Point) -> usize {
        if point == PASS {
            return self.size() * self.size();
        }
        let (column, row) = self.column_row(point);
        row * self.size() + column
    }

    fn view(&self) -> View {
        self.draw()
    }

    /// The player who used an unlimited threat in the cycle loses; otherwise the option decides.
    fn repetition_outcome(cycle: &[GoProblem]) -> Outcome {
        let retook =
            |seat: usize| cycle.windows(2).any(|pair| pair[0].mover() == seat && pair[0].retook_for_ever(&pair[1]));
        match (retook(0), retook(1)) {
            (true, false) => Outcome::win(Player::SECOND),
            (false, true) => Outcome::win(Player::FIRST),
            _ => cycle[0].outcome_at_cap(),
        }
    }

    fn outcome_of_any_cycle(&self) -> Option<Outcome> {
        self.outcome_of_cycles_below()
    }

    /// Threats only become fewer, so that no cycle has an unlimited one if no player has.
    fn outcome_of_cycles_below(&self) -> Option<Outcome> {
        (!self.threats.contains(&UNLIMITED)).then(|| self.outcome_at_cap())
    }

    fn outcome_at_cap(&self) -> Outcome {
        self.rules.outcome(self.rules.cycle, self.owner())
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> GoProblem {
        let map = |set: Words<7>| {
            set.members().fold(Words::EMPTY, |image, point| {
                image | Words::single(usize::from(self.transformed_move(point as Point, symmetry)))
            })
        };
        let mut image = *self;
        image.set_board(self.stones.map(map), map(self.targets), map(self.region));
        image.ban = self.transformed_move(self.ban, symmetry);
        image.last = self.transformed_move(self.last, symmetry);
        image
    }

    fn transformed_move(&self, point: Point, symmetry: Symmetry) -> Point {
        if point == PASS {
            return PASS;
        }
        let (column, row) = symmetry.apply(self.column_row(point), (self.size(), self.size()));
        self.point(column, row)
    }
}

impl GoProblem {
    /// Sets stones, marks and region, and their key.
    fn set_board(&mut self, by_seat: [Words<7>; 2], targets: Words<7>, region: Words<7>) {
        (self.stones, self.targets, self.region) = (by_seat, targets, region);
        let key_of = |set: Words<7>, keys: &[u64; 448]| set.members().fold(0, |key, point| key ^ keys[point]);
        self.board_key = key_of(by_seat[0], &KEYS[0])
            ^ key_of(by_seat[1], &KEYS[1])
            ^ key_of(targets, &TARGET_KEYS)
            ^ key_of(region, &REGION_KEYS);
    }
}
