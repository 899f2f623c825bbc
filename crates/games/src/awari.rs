//! Awari (oware): sowing and capturing seeds.
//!
//! Two rows of six holes with four seeds each. South owns the holes `A` to `F` from left to right, North `a` to `f`;
//! South moves first. A move takes all seeds of an own hole and sows them one by one, counter-clockwise (`A` to `F`, on to
//! `a` to `f`, round to `A`), passing over the hole they came from. If the last one falls into a hole of the opponent that
//! then holds two or three seeds, these are captured, and so are those of the holes before it as long as they too
//! belong to the opponent and hold two or three. Moves are written by their hole, or `pass`.
//!
//! Rule sets:
//! - `rules=ludii` (default), as in Ludii's Awari: a move must leave the opponent a seed, so one may not capture
//!   everything and has to feed a starving opponent. Who cannot move passes; if the other cannot move either, it is a draw.
//!   The game ends when no hole holds more than one seed: captured seeds count, seeds left count for nobody.
//! - `rules=oware`, Oware Abapa as in open_spiel's oware: a move that would capture everything (a grand slam)
//!   is legal but captures nothing; a starving opponent must be fed if it can be, else the game ends. It also ends when a
//!   side has more than 24 seeds, or a position comes back. At every end each side takes the seeds of its own row.
//!
//! Solved: a draw, under tournament rules close to these (Romein and Bal, Solving the game of Awari using parallel
//! retrograde analysis, IEEE Computer 36, 2003).
//!
//! A row is a `u64` with a byte for each hole, so that sowing is the addition of a pattern and all holes are looked at
//! at once.

use tesuji_core::look::{PieceStyle, Tone};
use tesuji_core::view::{Cell, Hand, Piece, Shape};
use tesuji_core::{
    PlayoutContext, Facts, Game, Info, Look, Knowledge, Length, Options, Outcome, Player, PositionError, Repetition, Rules, SpecError,
    Trace, View, zobrist,
};

/// Which rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AwariRules {
    /// Those of Ludii's Awari.
    Ludii,
    /// Oware Abapa, as in open_spiel.
    Oware,
}

impl Rules for AwariRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        options.choice(
            "rules",
            &[("ludii", AwariRules::Ludii), ("oware", AwariRules::Oware)],
            "what a move that takes everything does, and when the game ends",
        )
    }

    fn facts(&self) -> Facts {
        let (repetition, length, move_slots) = match self {
            AwariRules::Ludii => (Repetition::Allowed, Length::Capped(1250), HOLES + 1),
            AwariRules::Oware => (Repetition::Ends(2), Length::Capped(1000), HOLES),
        };
        let seeds = SEEDS as i32;
        Facts { players: 2, repetition, length, scores: (-seeds, seeds), draws: true, move_slots }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        (*self == AwariRules::Ludii).then(|| Outcome::draw(2))
    }
}

/// A position of Awari.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Awari {
    /// The rows of South and North, the hole sown first in the lowest byte.
    rows: [u64; 2],
    captured: [u8; 2],
    to_move: Player,
    rules: AwariRules,
    over: bool,
}

const HOLES: usize = 6;
const SEEDS: usize = 48;
/// More seeds than this are more than half.
const HALF: u8 = 24;
/// The move that is no hole.
const PASS: u8 = HOLES as u8;
const LETTERS: &str = "SN";

/// One in every hole: `ONES * n` is n in every hole.
const ONES: u64 = 0x0101_0101_0101;
/// The bit that no number of seeds reaches, of every hole: where answers about holes are given.
const FLAGS: u64 = ONES * 0x80;
/// Added to a row, raises the flags of the holes from which seeds reach the other row: hole 5 with 1 seed, hole 0 with 6.
const FEEDS: u64 = 0x7F7E_7D7C_7B7A;

/// What sowing adds to both rows.
#[derive(Clone, Copy)]
struct Sowing {
    own: u64,
    other: u64,
    /// The holes of the other row from its first to that of the last seed, all bits set; 0 if the last seed stays at home.
    reach: u64,
}

/// By hole and number of seeds.
static SOWINGS: [[Sowing; SEEDS + 1]; HOLES] = {
    let mut all = [[Sowing { own: 0, other: 0, reach: 0 }; SEEDS + 1]; HOLES];
    let mut hole = 0;
    while hole < HOLES {
        let mut seeds = 1;
        while seeds <= SEEDS {
            // One seed more than before; a lap is eleven holes, as the origin is passed over.
            let mut sowing = all[hole][seeds - 1];
            let last = (hole + seeds + (seeds - 1) / (2 * HOLES - 1)) % (2 * HOLES);
            if last < HOLES {
                sowing.own += 1 << (8 * last);
                sowing.reach = 0;
            } else {
                sowing.other += 1 << (8 * (last - HOLES));
                sowing.reach = (1 << (8 * (last - HOLES + 1))) - 1;
            }
            all[hole][seeds] = sowing;
            seeds += 1;
        }
        hole += 1;
    }
    all
};

/// The `rank`-th hole of a set of holes.
static NTH: [[u8; 8]; 1 << HOLES] = {
    let mut nth = [[0; 8]; 1 << HOLES];
    let mut set = 0;
    while set < 1 << HOLES {
        let (mut hole, mut rank) = (0, 0);
        while hole < HOLES {
            if set >> hole & 1 == 1 {
                nth[set][rank] = hole as u8;
                rank += 1;
            }
            hole += 1;
        }
        set += 1;
    }
    nth
};

#[inline]
fn seeds_in(row: u64, hole: usize) -> usize {
    (row >> (8 * hole)) as usize & 0xFF
}

/// The sum over the holes: the product gathers it in the highest of the six bytes.
#[inline]
fn total(row: u64) -> u8 {
    (row.wrapping_mul(ONES) >> (8 * (HOLES - 1))) as u8
}

/// Flags of the holes with at least `seeds` seeds.
#[inline]
fn with_at_least(row: u64, seeds: u64) -> u64 {
    (row + ONES * (0x80 - seeds)) & FLAGS
}

/// Whether no hole holds more than one seed.
#[inline]
fn is_bare(own: u64, other: u64) -> bool {
    (own | other) & (ONES * 0xFE) == 0
}

/// Draws one of the holes flagged.
#[inline]
fn draw_hole<M>(flags: u64, context: &mut PlayoutContext<M>) -> usize {
    // The factor moves flag i, shifted to bit 8i, to bit 56 + i.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let set = ((flags >> 7).wrapping_mul(GATHER) >> 56) as usize;
    usize::from(NTH[set][context.rng.below(flags.count_ones() as usize)])
}

/// The holes flagged, from the left of their owner.
fn flagged(flags: u64) -> impl Iterator<Item = usize> {
    (0..HOLES).filter(move |hole| flags >> (8 * hole + 7) & 1 == 1)
}

/// Both rows after a move, and the seeds it captured.
#[derive(Clone, Copy)]
struct Sown {
    own: u64,
    other: u64,
    taken: u64,
}

impl AwariRules {
    #[inline]
    fn sow(self, own: u64, other: u64, hole: usize) -> Sown {
        let sowing = &SOWINGS[hole][seeds_in(own, hole)];
        let own = (own & !(0xFF << (8 * hole))) + sowing.own;
        let other = other + sowing.other;
        // Holes within reach that hold neither two nor three; captures stop before the last of them.
        let stops = ((other & (ONES * 0xFE) ^ (ONES * 2)) + ONES * 0x7F) & FLAGS & sowing.reach;
        let spared = u64::MAX.checked_shr(stops.leading_zeros()).unwrap_or(0);
        let taken = other & sowing.reach & !spared;
        if self == AwariRules::Oware && taken == other {
            return Sown { own, other, taken: 0 };
        }
        Sown { own, other: other & !taken, taken }
    }

    /// Flags of the holes that may be played.
    #[inline]
    fn legal_holes(self, own: u64, other: u64) -> u64 {
        let held = with_at_least(own, 1);
        match self {
            AwariRules::Oware if other != 0 => held,
            AwariRules::Oware => (own + FEEDS) & FLAGS,
            // A hole with three seeds or more cannot be captured: untouched it is not part of the chain, sown it
            // holds four. So the opponent keeps something whatever is played.
            AwariRules::Ludii if with_at_least(other, 3) != 0 => held,
            AwariRules::Ludii => {
                let leaves_some = |&hole: &usize| self.sow(own, other, hole).other != 0;
                flagged(held).filter(leaves_some).fold(0, |flags, hole| flags | 0x80 << (8 * hole))
            }
        }
    }

    /// Whether the position is an end, with `own` the row of the side to move.
    ///
    /// By Ludii's rules two passes in a row are a draw, and the first need not be remembered. A move always leaves the
    /// opponent a seed, so a side with an empty row is to move only after a pass. And if neither side can move, one row is
    /// empty: who can only capture everything would capture the opponent's first hole too, so there are at most two
    /// seeds there (or, if he goes round, at most one in each hole), which the opponent can play without harm.
    #[inline]
    fn is_end(self, own: u64, other: u64, captured: [u8; 2]) -> bool {
        match self {
            AwariRules::Ludii => is_bare(own, other) || own == 0 && self.legal_holes(other, own) == 0,
            AwariRules::Oware => captured[0].max(captured[1]) > HALF || self.legal_holes(own, other) == 0,
        }
    }
}

impl Awari {
    /// The row of the side to move and the other row.
    #[inline]
    fn own_and_other(&self) -> (u64, u64) {
        let mover = self.to_move.index();
        (self.rows[mover], self.rows[1 - mover])
    }

    fn judged(mut self) -> Awari {
        let (own, other) = self.own_and_other();
        self.over = self.rules.is_end(own, other, self.captured);
        self
    }

    /// Plays at random to the end, the rows held as seen by the side to move.
    ///
    /// By Ludii's rules a hole is drawn before it is known to be legal, and another one if it was not: the first legal one
    /// of the holes in random order is as likely to be any of them.
    #[inline(always)]
    fn play_on<T: Trace<u8>>(&mut self, rules: AwariRules, context: &mut PlayoutContext<u8>, trace: &mut T) {
        let (mut own, mut other) = self.own_and_other();
        let mover = self.to_move.index();
        let mut captured = [self.captured[mover], self.captured[1 - mover]];
        for _ in 0..context.cap {
            let mut flags = match rules {
                AwariRules::Ludii => with_at_least(own, 1),
                AwariRules::Oware => rules.legal_holes(own, other),
            };
            loop {
                if flags == 0 {
                    trace.played(self.to_move, PASS);
                    break;
                }
                let hole = draw_hole(flags, context);
                let sown = rules.sow(own, other, hole);
                if rules == AwariRules::Oware || sown.other != 0 {
                    trace.played(self.to_move, hole as u8);
                    (own, other) = (sown.own, sown.other);
                    captured[0] += total(sown.taken);
                    break;
                }
                flags &= !(0x80 << (8 * hole));
            }
            (own, other) = (other, own);
            captured.swap(0, 1);
            self.to_move = self.to_move.opponent();
            if rules.is_end(own, other, captured) {
                self.over = true;
                break;
            }
        }
        let mover = self.to_move.index();
        self.rows[mover] = own;
        self.rows[1 - mover] = other;
        self.captured[mover] = captured[0];
        self.captured[1 - mover] = captured[1];
    }

    /// How many seeds South has more than North.
    fn lead(&self) -> i32 {
        i32::from(self.captured[0]) - i32::from(self.captured[1])
    }

    /// The outcome of a game that ends here, by the position or otherwise.
    fn counted(&self) -> Outcome {
        match self.rules {
            AwariRules::Ludii if is_bare(self.rows[0], self.rows[1]) => Outcome::zero_sum(self.lead()),
            AwariRules::Ludii => Outcome::draw(2),
            AwariRules::Oware => {
                let [south, north] = self.rows.map(|row| i32::from(total(row)));
                Outcome::zero_sum(self.lead() + south - north)
            }
        }
    }
}

impl Game for Awari {
    type Move = u8;
    type Rules = AwariRules;
    const INFO: Info = Info {
        solved: "a draw under tournament rules close to these (Romein and Bal 2003)",
        look: Look { piece: PieceStyle::Seeds, tones: &[Tone::Blue, Tone::Red], ..Look::DEFAULT },
        ..Info::new("awari", "Awari", &["South", "North"])
    };

    fn start(rules: &AwariRules) -> Awari {
        Awari { rows: [4 * ONES; 2], captured: [0; 2], to_move: Player::FIRST, rules: *rules, over: false }
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
        self.over.then(|| self.counted())
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        if self.over {
            return;
        }
        let (own, other) = self.own_and_other();
        let flags = self.rules.legal_holes(own, other);
        if flags == 0 {
            moves.push(PASS);
        } else {
            moves.extend(flagged(flags).map(|hole| hole as u8));
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        let (own, other) = self.own_and_other();
        let mover = self.to_move.index();
        if mv != PASS {
            let sown = self.rules.sow(own, other, usize::from(mv));
            self.rows[mover] = sown.own;
            self.rows[1 - mover] = sown.other;
            self.captured[mover] += total(sown.taken);
        }
        self.to_move = self.to_move.opponent();
        *self = self.judged();
    }

    /// Both rows hashed whole, as a move changes many holes. North's captured seeds are what is missing to 48.
    ///
    /// This is the repetition key too: if the rows come back, nothing was captured in between.
    #[inline]
    fn key(&self) -> u64 {
        let beside = u64::from(self.captured[0]) | u64::from(self.to_move.0) << 8;
        zobrist::key(0x60, self.rows[0] | beside << 48) ^ zobrist::key(0x61, self.rows[1])
    }

    fn text(&self) -> String {
        let row = |seat: usize, holes: [usize; HOLES]| {
            holes.map(|hole| seeds_in(self.rows[seat], hole).to_string()).join(",")
        };
        let side = LETTERS.as_bytes()[self.to_move.index()] as char;
        let [south, north] = self.captured;
        format!("{}/{} {south} {north} {side}", row(1, [5, 4, 3, 2, 1, 0]), row(0, [0, 1, 2, 3, 4, 5]))
    }

    fn parse(rules: &AwariRules, text: &str) -> Result<Awari, PositionError> {
        let fail = |reason: &str| PositionError::new(text, reason);
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let [board, south, north, side] = fields[..] else {
            return Err(fail("it takes both rows, South's captured seeds, North's, and the side to move"));
        };
        let number = |word: &str| {
            let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
            let number =
                digits.then(|| word.parse().ok()).flatten().filter(|&number: &u8| usize::from(number) <= SEEDS);
            number.ok_or_else(|| fail("seeds are counted by numbers from 0 to 48"))
        };
        let row = |words: &str| {
            let mut row = 0;
            let mut holes = 0;
            for word in words.split(',') {
                row = row << 8 | u64::from(number(word)?);
                holes += 1;
                if holes > HOLES {
                    break;
                }
            }
            if holes == HOLES { Ok(row) } else { Err(fail("a row is six numbers, joined by ','")) }
        };
        let Some((upper, lower)) = board.split_once('/') else {
            return Err(fail("the rows of North and South are joined by '/'"));
        };
        // Both rows are read with the first number in the highest byte: right for North's f to a.
        let rows = [row(lower)?.swap_bytes() >> 16, row(upper)?];
        let captured = [number(south)?, number(north)?];
        let seeds = (0..HOLES).map(|hole| seeds_in(rows[0], hole) + seeds_in(rows[1], hole)).sum::<usize>();
        if seeds + captured.iter().map(|&taken| usize::from(taken)).sum::<usize>() != SEEDS {
            return Err(fail("there must be 48 seeds, captured ones included"));
        }
        let to_move = match side {
            "S" => Player::FIRST,
            "N" => Player::SECOND,
            _ => return Err(fail("the side to move must be S or N")),
        };
        Ok(Awari { rows, captured, to_move, rules: *rules, over: false }.judged())
    }

    fn move_text(&self, mv: u8) -> String {
        let first = if self.to_move == Player::FIRST { b'A' } else { b'a' };
        if mv == PASS { "pass".to_string() } else { char::from(first + mv).to_string() }
    }

    fn move_index(&self, mv: u8) -> usize {
        if mv == PASS { HOLES } else { usize::from(mv) }
    }

    fn view(&self) -> View {
        let cell = |seat: usize, column: usize| {
            let (hole, first) = if seat == 0 { (column, b'A') } else { (HOLES - 1 - column, b'a') };
            let seeds = seeds_in(self.rows[seat], hole);
            Cell {
                name: char::from(first + hole as u8).to_string(),
                column: column as u8,
                row: 1 - seat as u8,
                piece: (seeds > 0).then(|| Piece { symbol: seeds.to_string(), owner: Some(Player(seat as u8)) }),
            }
        };
        let hand = |seat: usize| Hand {
            title: "captured",
            owner: Some(Player(seat as u8)),
            pieces: vec![(String::new(), i32::from(self.captured[seat]))],
        };
        View {
            shape: Shape::Mancala,
            column_labels: Vec::new(),
            cells: [1, 0].into_iter().flat_map(|seat| (0..HOLES).map(move |column| cell(seat, column))).collect(),
            hands: vec![hand(0), hand(1)],
        }
    }

    /// What is on the board when a position comes back is on the board whatever came between.
    fn outcome_of_any_cycle(&self) -> Option<Outcome> {
        Some(self.outcome_at_cap())
    }

    /// A draw by Ludii's rules; each side takes its row by those of Oware.
    fn outcome_at_cap(&self) -> Outcome {
        match self.rules {
            AwariRules::Ludii => Outcome::draw(2),
            AwariRules::Oware => self.counted(),
        }
    }
}

impl Knowledge for Awari {
    /// Captured seeds, own holes that can be played (choice is what starving sides lack), and holes with one or two
    /// seeds, which the opponent may take. Weights and scale are a least-squares fit to the results of 3,000 games of a
    /// four-ply search that played 15 % of its moves at random; both rule sets gave nearly the same.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let [south, north] = self.rows.map(|row| {
            let held = with_at_least(row, 1);
            let vulnerable = held & !with_at_least(row, 3);
            0.7 * held.count_ones() as f32 - 0.4 * vulnerable.count_ones() as f32
        });
        let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
        Some(sign * ((self.lead() as f32 + south - north) / 8.0).tanh() * 0.99)
    }

    /// Captures first, large ones before small ones.
    fn move_order(&self, mv: u8) -> Option<i32> {
        let (own, other) = self.own_and_other();
        Some(if mv == PASS { 0 } else { i32::from(total(self.rules.sow(own, other, usize::from(mv)).taken)) })
    }

    fn is_forcing(&self, mv: u8) -> Option<bool> {
        self.move_order(mv).map(|taken| taken > 0)
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<u8>) -> u8 {
        let (own, other) = self.own_and_other();
        let flags = self.rules.legal_holes(own, other);
        if flags == 0 { PASS } else { draw_hole(flags, context) as u8 }
    }

    #[inline]
    fn playout<T: Trace<u8>>(&mut self, context: &mut PlayoutContext<u8>, trace: &mut T) -> Outcome {
        if !self.over {
            // Written twice so that each is compiled for its rules.
            match self.rules {
                AwariRules::Ludii => self.play_on(AwariRules::Ludii, context, trace),
                AwariRules::Oware => self.play_on(AwariRules::Oware, context, trace),
            }
        }
        self.outcome().unwrap_or_else(|| self.outcome_at_cap())
    }

    /// As strong as alpha-beta, at 20 to 300 ms a move.
    fn auto_player(_: &AwariRules) -> &'static str {
        "mcts:solver,prior=50,implicit=0.4,reuse"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::{History, Rng};

    const OWARE: AwariRules = AwariRules::Oware;
    const LUDII: AwariRules = AwariRules::Ludii;

    fn game(rules: AwariRules, text: &str) -> History<Awari> {
        History::parse(rules, text).unwrap()
    }

    fn moves(game: &History<Awari>) -> String {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.iter().map(|&mv| game.position().move_text(mv)).collect::<Vec<_>>().join(" ")
    }

    fn score(game: &History<Awari>) -> Option<i32> {
        game.outcome().map(|outcome| outcome.score(Player::FIRST))
    }

    #[test]
    fn sowing_passes_over_the_origin() {
        let game = game(LUDII, "0,0,0,0,0,1/12,0,0,0,0,0 18 17 S moves A");
        assert_eq!(game.position().text(), "1,1,1,1,1,2/0,2,1,1,1,1 18 17 N");
    }

    #[test]
    fn captures_run_backwards_until_a_hole_holds_neither_two_nor_three() {
        let game = game(LUDII, "4,0,0,1,2,0/0,0,0,0,0,3 19 19 S moves F");
        assert_eq!(game.position().text(), "4,0,0,0,0,1/0,0,0,0,0,0 24 19 N");
    }

    #[test]
    fn own_seeds_are_not_captured() {
        let game = game(LUDII, "4,0,0,0,0,0/1,1,0,0,0,0 21 21 S moves A");
        assert_eq!(game.position().text(), "4,0,0,0,0,0/0,2,0,0,0,0 21 21 N");
    }

    #[test]
    fn a_grand_slam_is_illegal_or_captures_nothing() {
        let text = "0,0,0,0,0,1/2,0,0,0,0,1 22 22 S";
        assert_eq!(moves(&game(LUDII, text)), "A");
        let mut oware = game(OWARE, text);
        assert_eq!(moves(&oware), "A F");
        oware.play_text("F").unwrap();
        assert_eq!(oware.position().text(), "0,0,0,0,0,2/2,0,0,0,0,0 22 22 N");
    }

    #[test]
    fn a_starving_opponent_must_be_fed() {
        for rules in [LUDII, OWARE] {
            assert_eq!(moves(&game(rules, "0,0,0,0,0,0/2,0,0,0,0,1 23 22 S")), "F");
        }
    }

    #[test]
    fn who_cannot_feed_passes_or_takes_the_rest() {
        let text = "0,0,0,0,0,0/2,0,0,0,0,0 24 22 S";
        assert_eq!(score(&game(OWARE, text)), Some(4));
        let mut ludii = game(LUDII, text);
        assert_eq!(moves(&ludii), "pass");
        ludii.play_text("pass").unwrap();
        assert_eq!(score(&ludii), Some(0));
    }

    #[test]
    fn ludii_ends_when_no_hole_holds_more_than_one_seed() {
        let ended = game(LUDII, "1,0,0,0,0,0/0,0,2,0,0,1 24 20 S moves C");
        assert_eq!(score(&ended), Some(4));
    }

    #[test]
    fn more_than_half_of_the_seeds_end_oware() {
        let text = "3,0,0,0,0,0/0,0,0,0,0,0 25 20 N";
        assert_eq!(score(&game(OWARE, text)), Some(2));
        assert_eq!(score(&game(LUDII, text)), None);
    }

    #[test]
    fn a_repeated_position_ends_oware_and_each_side_takes_its_row() {
        let mut game = game(OWARE, "0,0,0,0,0,1/1,0,0,0,0,0 24 22 S moves A a B b C c D d E e F");
        assert_eq!(moves(&game), "f");
        game.play_text("f").unwrap();
        assert!(game.ended_by_history());
        assert_eq!(score(&game), Some(2));
    }

    #[test]
    fn if_neither_side_can_move_a_row_is_empty() {
        let mut rng = Rng::new(1);
        for _ in 0..200_000 {
            let most = [2, 3, 4, 14][rng.below(4)];
            let mut row =
                || (0..HOLES).fold(0, |row, _| row << 8 | rng.below(most).saturating_sub(rng.below(3)) as u64);
            let (own, other) = (row(), row());
            let stuck = LUDII.legal_holes(own, other) == 0 && LUDII.legal_holes(other, own) == 0;
            assert!(!stuck || own == 0 || other == 0, "{own:012x} {other:012x}");
        }
    }

    #[test]
    fn a_position_is_24_bytes() {
        assert_eq!(size_of::<Awari>(), 24);
    }

    #[test]
    fn impossible_positions_are_refused() {
        for text in [
            "",
            "4,4,4,4,4,4/4,4,4,4,4,4 0 0",
            "4,4,4,4,4,4/4,4,4,4,4,4 0 0 X",
            "4,4,4,4,4,4/4,4,4,4,4,4 0 1 S",
            "4,4,4,4,4/4,4,4,4,4,4 4 0 S",
            "4,4,4,4,4,4,0/4,4,4,4,4,4 0 0 S",
            "4,4,4,4,4,4 4,4,4,4,4,4 0 0 S",
            "304,4,4,4,4,4/4,4,4,4,4,4 0 0 S",
            "+4,4,4,4,4,4/4,4,4,4,4,4 0 0 S",
            "4,4,4,4,4,4/4,4,4,4,4,4 0 0 S S",
        ] {
            assert!(Awari::parse(&LUDII, text).is_err(), "{text}");
        }
    }
}
