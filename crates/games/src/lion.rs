//! Catch the Lion (dobutsu shogi; Kitao and Fujita 2008).
//!
//! Two sides of four pieces on 3x4. The Lion steps to any neighbouring cell, the Giraffe (G) orthogonally, the Elephant
//! (E) diagonally, the Chick (C) straight forward, the Rooster or Chicken (R, a promoted Chick) orthogonally or
//! diagonally forward. Captured pieces change sides and are dropped later on any empty cell; a captured Rooster is a
//! Chick again. A Chick that moves to the far rank always promotes; one dropped there does not, and is stuck. There are
//! no further limits on drops. Capturing the Lion wins; moving the own Lion into attack is legal, if unwise. A Lion
//! that stands on the far rank after a move of its side and is not attacked there wins too (the "try"). Who cannot move
//! loses. The third occurrence of a position is a draw.
//!
//! Sente (upper case) moves first and plays up towards rank 1, the top rank. A position is side to move, four ranks
//! from the top, and both hands: `S/gle/-c-/-C-/ELG/-`. Moves: `b3-b2`, promoting `b2-b1+`, dropping `C*b2`.
//!
//! Options: `try=any` lets a Lion win that moves to the far rank even if it could be captured there.
//!
//! Solved: the second player wins, in 78 plies (Tanaka 2009).
//!
//! A board is 16 bits, four to a rank, the fourth always empty so that shifts do not run over the edge. One set for
//! each side and one for each kind of piece are the whole board. The numbers of the empty fourth cells name the drops.

use crate::board::bits::Bits;
use tesuji_core::look::{PieceNames, PieceStyle, Tone};
use tesuji_core::view::{Hand, Piece, RowOne, Shape, cell_name};
use tesuji_core::{
    Dialects, PositionLayout, UsiDialect, UsiSupport,
    PlayoutContext, Facts, Game, Info, Look, Knowledge, Length, Options, Outcome, Player, PositionError, Repetition, Rules, SpecError,
    Symmetry, Trace, View, symmetry, zobrist,
};

/// When a Lion on the far rank wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Try {
    /// If it is not attacked there.
    Safe,
    /// At once.
    Any,
}

/// What a Lion must do to win by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LionRules {
    goal: Try,
}

impl Rules for LionRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let choices = [("safe", Try::Safe), ("any", Try::Any)];
        let goal =
            options.choice("try", &choices, "whether a Lion wins on the far rank only where it is not attacked")?;
        Ok(LionRules { goal })
    }

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            repetition: Repetition::Ends(3),
            length: Length::Capped(1000),
            scores: (-1, 1),
            draws: true,
            move_slots: 15 * 12,
        }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        Some(Outcome::draw(2))
    }

    fn dialects(&self) -> Dialects {
        Dialects { usi: UsiSupport::Supported(USI), ..Dialects::default() }
    }
}

/// USI writes a Rooster as a promoted Chick, `+C`.
const USI: UsiDialect = UsiDialect {
    variant: "dobutsu",
    spec: "lion",
    size: (3, 4),
    row_one: RowOne::Top,
    layout: PositionLayout::SideBoardHands {
        sides: ["S", "G"],
        pieces: &[
            ('C', "C"),
            ('G', "G"),
            ('E', "E"),
            ('R', "+C"),
            ('L', "L"),
            ('c', "c"),
            ('g', "g"),
            ('e', "e"),
            ('r', "+c"),
            ('l', "l"),
        ],
        in_hand: "CGEcge",
    },
    royal: Some(['L', 'l']),
};

/// A move: the cell it goes to in the lower four bits; above them the cell it comes from, or for a drop the number of
/// the spare cell of its kind.
pub type LionMove = u8;

/// A position of Catch the Lion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lion {
    key: u64,
    /// The cells of Sente and of Gote; bit 4 * (rank - 1) + file.
    sides: [u16; 2],
    /// The cells of each kind of piece, of both sides.
    kinds: [u16; 5],
    /// Chicks, Giraffes and Elephants in hand, two bits each.
    hands: [u8; 2],
    to_move: Player,
    winner: Option<Player>,
    rules: LionRules,
}

// The kinds; those that can be in hand come first.
const CHICK: usize = 0;
const GIRAFFE: usize = 1;
const ELEPHANT: usize = 2;
const ROOSTER: usize = 3;
const LION: usize = 4;
const LETTERS: [&[u8; 5]; 2] = [b"CGERL", b"cgerl"];
const SIDE_LETTERS: [char; 2] = ['S', 'G'];

const SIZE: (usize, usize) = (3, 4);
const BOARD: u16 = 0x7777;
/// Where each side tries to go: rank 1 for Sente, rank 4 for Gote.
const FAR: [u16; 2] = [0x0007, 0x7000];

static PIECE_KEYS: [[[u64; 16]; 5]; 2] = {
    let all: [u64; 160] = zobrist::keys(0x40);
    let mut keys = [[[0; 16]; 5]; 2];
    let mut index = 0;
    while index < 160 {
        keys[index / 80][index / 16 % 5][index % 16] = all[index];
        index += 1;
    }
    keys
};
/// A key for the first and one for the second piece of a kind in a hand.
static HAND_KEYS: [[[u64; 2]; 3]; 2] = {
    let all: [u64; 12] = zobrist::keys(0x41);
    let mut keys = [[[0; 2]; 3]; 2];
    let mut index = 0;
    while index < 12 {
        keys[index / 6][index / 2 % 3][index % 2] = all[index];
        index += 1;
    }
    keys
};
const SECOND_TO_MOVE: u64 = zobrist::key(0x42, 0);

/// How the steps of Sente shift a board: forward, back, left, right; forward left and right, back left and right.
/// Those of Gote are the same turned by half, that is, negated.
const STEPS: [i32; 8] = [-4, 4, -1, 1, -5, -3, 3, 5];

#[inline]
const fn shifted(cells: u16, by: i32) -> u16 {
    if by < 0 { cells >> -by } else { cells << by }
}

/// The pieces that take each of the [`STEPS`], four steps of 16 bits a word.
#[inline]
const fn steps_of(kinds: [u16; 5], own: u16, seat: usize) -> [u64; 2] {
    let orthogonal = (kinds[LION] | kinds[GIRAFFE] | kinds[ROOSTER]) & own;
    let forward = orthogonal | kinds[CHICK] & own;
    let backward_diagonal = (kinds[LION] | kinds[ELEPHANT]) & own;
    let forward_diagonal = backward_diagonal | kinds[ROOSTER] & own;
    let movers = [
        [forward, orthogonal, orthogonal, orthogonal],
        [forward_diagonal, forward_diagonal, backward_diagonal, backward_diagonal],
    ];
    let mut words = [0; 2];
    let mut step = 0;
    while step < 8 {
        let by = if seat == 0 { STEPS[step] } else { -STEPS[step] };
        words[step / 4] |= (shifted(movers[step / 4][step % 4], by) as u64) << (16 * (step % 4));
        step += 1;
    }
    words
}

/// The cells that a piece attacks, by side, kind and cell.
static ATTACKS: [[[u16; 16]; 5]; 2] = {
    let mut attacks = [[[0; 16]; 5]; 2];
    let mut index = 0;
    while index < 160 {
        let (seat, kind, cell) = (index / 80, index / 16 % 5, index % 16);
        let mut kinds = [0; 5];
        kinds[kind] = BOARD & 1 << cell;
        let words = steps_of(kinds, kinds[kind], seat);
        let mut step = 0;
        while step < 8 {
            attacks[seat][kind][cell] |= (words[step / 4] >> (16 * (step % 4))) as u16 & BOARD;
            step += 1;
        }
        index += 1;
    }
    attacks
};

/// The source and the target of a move.
#[inline]
fn parts(mv: LionMove) -> (usize, usize) {
    (usize::from(mv >> 4), usize::from(mv & 15))
}

/// The spare cell that names the drops of a kind.
#[inline]
fn drop_source(kind: usize) -> usize {
    4 * kind + 3
}

/// The kind that a spare cell stands for.
#[inline]
fn dropped_kind(source: usize) -> Option<usize> {
    (source & 3 == 3).then_some(source >> 2)
}

#[inline]
fn in_hand(hand: u8, kind: usize) -> usize {
    usize::from(hand >> (2 * kind) & 3)
}

fn name(cell: usize) -> String {
    cell_name(cell & 3, (cell >> 2) + 1)
}

/// The number of a cell without the spare ones: 0 to 11.
fn dense(cell: usize) -> usize {
    3 * (cell >> 2) + (cell & 3)
}

fn mirrored(cell: usize) -> usize {
    (cell & !3) + 2 - (cell & 3)
}

impl Lion {
    fn seat(&self) -> usize {
        self.to_move.index()
    }

    fn empty(&self) -> u16 {
        BOARD & !(self.sides[0] | self.sides[1])
    }

    /// The kind of the piece on a cell that is not empty.
    fn kind_at(&self, cell: usize) -> usize {
        self.kinds.iter().position(|cells| cells >> cell & 1 == 1).expect("a piece stands there")
    }

    fn piece_at(&self, cell: usize) -> Option<(usize, usize)> {
        let seat = self.sides.iter().position(|cells| cells >> cell & 1 == 1)?;
        Some((seat, self.kind_at(cell)))
    }

    /// Whether a side attacks a cell. A piece attacks the cells from which the other side's piece of its kind would
    /// attack it.
    #[inline]
    fn attacks(&self, cell: usize, seat: usize) -> bool {
        let attackers = (0..5).fold(0, |all, kind| all | ATTACKS[1 - seat][kind][cell] & self.kinds[kind]);
        attackers & self.sides[seat] != 0
    }

    /// Whether the Lion of a side that has just moved wins by where it stands.
    #[inline]
    fn arrived(&self, seat: usize) -> bool {
        let arrived = self.kinds[LION] & self.sides[seat] & FAR[seat];
        arrived != 0 && (self.rules.goal == Try::Any || !self.attacks(arrived.trailing_zeros() as usize, 1 - seat))
    }

    /// Whether a side could not move if it were its turn. A piece in hand can always be dropped: there are only eight
    /// pieces for twelve cells.
    #[inline]
    fn stuck(&self, seat: usize) -> bool {
        let free = BOARD & !self.sides[seat];
        let lion = self.kinds[LION] & self.sides[seat];
        let lion_moves = lion != 0 && ATTACKS[seat][LION][lion.trailing_zeros() as usize] & free != 0;
        if self.hands[seat] != 0 || lion_moves {
            return false;
        }
        let free = u64::from(free) * 0x0001_0001_0001_0001;
        steps_of(self.kinds, self.sides[seat], seat).iter().all(|targets| targets & free == 0)
    }

    /// The winner, looking at nothing but the board: the side to move has lost its Lion, or cannot move, or the other
    /// Lion has arrived.
    fn judge(&self) -> Option<Player> {
        let seat = self.seat();
        let caught = self.kinds[LION] & self.sides[seat] == 0;
        (caught || self.arrived(1 - seat) || self.stuck(seat)).then_some(self.to_move.opponent())
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = if self.to_move == Player::SECOND { SECOND_TO_MOVE } else { 0 };
        for (seat, keys) in PIECE_KEYS.iter().enumerate() {
            for (kind, keys) in keys.iter().enumerate() {
                let cells = u64::from(self.kinds[kind] & self.sides[seat]);
                key = cells.members().fold(key, |key, cell| key ^ keys[cell]);
            }
            for (kind, keys) in HAND_KEYS[seat].iter().enumerate() {
                key = keys[..in_hand(self.hands[seat], kind)].iter().fold(key, |key, one| key ^ one);
            }
        }
        key
    }
}

impl Game for Lion {
    type Move = LionMove;
    type Rules = LionRules;
    const INFO: Info = Info {
        solved: "second player wins in 78 plies (Tanaka 2009)",
        look: Look { piece: PieceStyle::Animals, tones: &[Tone::Sente, Tone::Gote], names: PieceNames(&[("C", "Chick"), ("G", "Giraffe"), ("E", "Elephant"), ("L", "Lion"), ("R", "Hen")]), ..Look::DEFAULT },
        ..Info::new("lion", "Catch the Lion", &["Sente", "Gote"])
    };

    fn start(rules: &LionRules) -> Lion {
        Lion::parse(rules, "S/gle/-c-/-C-/ELG/-").expect("the start is a position")
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.winner.is_some()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::win)
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<LionMove>) {
        if self.winner.is_some() {
            return;
        }
        let seat = self.seat();
        let own = self.sides[seat];
        for (attacks, cells) in ATTACKS[seat].iter().zip(self.kinds) {
            for from in u64::from(cells & own).members() {
                let targets = u64::from(attacks[from] & !own);
                moves.extend(targets.members().map(|to| (from << 4 | to) as u8));
            }
        }
        if self.hands[seat] != 0 {
            let empty = u64::from(self.empty());
            for kind in (0..3).filter(|&kind| in_hand(self.hands[seat], kind) > 0) {
                moves.extend(empty.members().map(|to| (drop_source(kind) << 4 | to) as u8));
            }
        }
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<LionMove>) -> usize {
        if self.winner.is_some() {
            return 0;
        }
        let seat = self.seat();
        let own = self.sides[seat];
        let steps = ATTACKS[seat].iter().zip(self.kinds).flat_map(|(attacks, cells)| {
            u64::from(cells & own).members().map(|from| (attacks[from] & !own).count_ones() as usize)
        });
        let drops = (0..3).filter(|&kind| in_hand(self.hands[seat], kind) > 0).count();
        steps.sum::<usize>() + drops * self.empty().count_ones() as usize
    }

    #[inline]
    fn play(&mut self, mv: LionMove) {
        let (source, to) = parts(mv);
        let seat = self.seat();
        let target = 1 << to;
        self.key ^= SECOND_TO_MOVE;
        self.to_move = self.to_move.opponent();
        if let Some(kind) = dropped_kind(source) {
            self.hands[seat] -= 1 << (2 * kind);
            self.key ^= HAND_KEYS[seat][kind][in_hand(self.hands[seat], kind)] ^ PIECE_KEYS[seat][kind][to];
            self.kinds[kind] |= target;
            self.sides[seat] |= target;
        } else {
            let other = 1 - seat;
            if self.sides[other] & target != 0 {
                let taken = self.kind_at(to);
                self.sides[other] ^= target;
                self.kinds[taken] ^= target;
                self.key ^= PIECE_KEYS[other][taken][to];
                if taken == LION {
                    self.winner = Some(Player(seat as u8));
                } else {
                    let taken = if taken == ROOSTER { CHICK } else { taken };
                    self.key ^= HAND_KEYS[seat][taken][in_hand(self.hands[seat], taken)];
                    self.hands[seat] += 1 << (2 * taken);
                }
            }
            let kind = self.kind_at(source);
            let becomes = if kind == CHICK && target & FAR[seat] != 0 { ROOSTER } else { kind };
            self.kinds[kind] ^= 1 << source;
            self.kinds[becomes] |= target;
            self.sides[seat] ^= 1 << source | target;
            self.key ^= PIECE_KEYS[seat][kind][source] ^ PIECE_KEYS[seat][becomes][to];
        }
        if self.winner.is_none() && (self.arrived(seat) || self.stuck(1 - seat)) {
            self.winner = Some(Player(seat as u8));
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        let mut text = SIDE_LETTERS[self.seat()].to_string();
        for rank in 0..4 {
            text.push('/');
            text.extend((0..3).map(|file| match self.piece_at(4 * rank + file) {
                Some((seat, kind)) => char::from(LETTERS[seat][kind]),
                None => '-',
            }));
        }
        text.push('/');
        if self.hands == [0, 0] {
            text.push('-');
        }
        for (letters, hand) in LETTERS.iter().zip(self.hands) {
            for (kind, &letter) in letters[..3].iter().enumerate() {
                text.extend(std::iter::repeat_n(char::from(letter), in_hand(hand, kind)));
            }
        }
        text
    }

    fn parse(rules: &LionRules, text: &str) -> Result<Lion, PositionError> {
        let fail = |reason: &str| Err(PositionError::new(text, reason));
        let fields: Vec<&str> = text.trim().split('/').collect();
        let [side, ranks @ .., hands] = fields.as_slice() else {
            return fail("it must be side to move, four ranks and hands, joined by '/'");
        };
        if ranks.len() != 4 || ranks.iter().any(|rank| rank.len() != 3) {
            return fail("between the side to move and the hands there must be four ranks of three characters");
        }
        let to_move = match *side {
            "S" => Player::FIRST,
            "G" => Player::SECOND,
            _ => return fail("the side to move must be S or G"),
        };
        let find = |letter: u8| {
            let found = |seat: usize| LETTERS[seat].iter().position(|&kind| kind == letter).map(|kind| (seat, kind));
            found(0).or_else(|| found(1))
        };
        let mut position =
            Lion { key: 0, sides: [0; 2], kinds: [0; 5], hands: [0; 2], to_move, winner: None, rules: *rules };
        for (index, letter) in ranks.iter().flat_map(|rank| rank.bytes()).enumerate() {
            let cell = index / 3 * 4 + index % 3;
            match find(letter) {
                Some((seat, kind)) => {
                    position.sides[seat] |= 1 << cell;
                    position.kinds[kind] |= 1 << cell;
                }
                None if letter == b'-' => {}
                None => return fail("a cell is '-' or one of LGECR (Sente) and lgecr (Gote)"),
            }
        }
        let mut held = [[0u32; 3]; 2];
        for letter in hands.bytes().filter(|_| *hands != "-") {
            match find(letter) {
                Some((seat, kind)) if kind < 3 => held[seat][kind] += 1,
                _ => return fail("hands are '-' or letters among CGEcge"),
            }
        }
        if hands.is_empty() {
            return fail("empty hands are written '-'");
        }
        let [chicks, giraffes, elephants, roosters, _] = position.kinds;
        for (kind, cells) in [chicks | roosters, giraffes, elephants].into_iter().enumerate() {
            if cells.count_ones() + held[0][kind] + held[1][kind] != 2 {
                return fail("there must be two Giraffes, two Elephants, and two Chicks or Roosters, hands included");
            }
        }
        for (hand, held) in position.hands.iter_mut().zip(held) {
            *hand = (held[CHICK] | held[GIRAFFE] << 2 | held[ELEPHANT] << 4) as u8;
        }
        let seat = position.seat();
        let lions = position.sides.map(|side| position.kinds[LION] & side);
        if lions[1 - seat].count_ones() != 1 || lions[seat].count_ones() > 1 {
            return fail("each side has one Lion; only that of the side to move may have been captured");
        }
        if rules.goal == Try::Any && lions[seat] & FAR[seat] != 0 {
            return fail("the Lion of the side to move has won already, on the far rank");
        }
        position.key = position.key_from_scratch();
        position.winner = position.judge();
        Ok(position)
    }

    fn move_text(&self, mv: LionMove) -> String {
        let (source, to) = parts(mv);
        if let Some(kind) = dropped_kind(source) {
            return format!("{}*{}", char::from(LETTERS[0][kind]), name(to));
        }
        let promotes = self.kinds[CHICK] >> source & 1 == 1 && FAR[self.seat()] >> to & 1 == 1;
        format!("{}-{}{}", name(source), name(to), if promotes { "+" } else { "" })
    }

    fn move_index(&self, mv: LionMove) -> usize {
        let (source, to) = parts(mv);
        let source = dropped_kind(source).map_or_else(|| dense(source), |kind| 12 + kind);
        12 * source + dense(to)
    }

    fn view(&self) -> View {
        let mut view = View::grid(Shape::Square, SIZE, RowOne::Top, |file, rank| {
            let (seat, kind) = self.piece_at(4 * rank + file)?;
            let symbol = char::from(LETTERS[seat][kind]).to_string();
            Some(Piece { symbol, owner: Some(Player(seat as u8)) })
        });
        view.hands.extend((0..2).map(|seat| {
            Hand {
                title: "in hand",
                owner: Some(Player(seat as u8)),
                pieces: (0..3)
                    .filter(|&kind| in_hand(self.hands[seat], kind) > 0)
                    .map(|kind| (format!("{}*", char::from(LETTERS[0][kind])), in_hand(self.hands[seat], kind) as i32))
                    .collect(),
            }
        }));
        view
    }

    /// The piece, on the board or in hand, and the cell it goes to; promotion is no choice.
    fn clicks(&self, mv: LionMove) -> Vec<String> {
        let (source, to) = parts(mv);
        let source =
            dropped_kind(source).map_or_else(|| name(source), |kind| format!("{}*", char::from(LETTERS[0][kind])));
        vec![source, name(to)]
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::MIRROR
    }

    fn transformed(&self, symmetry: Symmetry) -> Lion {
        if symmetry == symmetry::IDENTITY {
            return *self;
        }
        let mirror = |cells: u16| (cells & 0x1111) << 2 | cells & 0x2222 | (cells & 0x4444) >> 2;
        let mut image = Lion { sides: self.sides.map(mirror), kinds: self.kinds.map(mirror), ..*self };
        image.key = image.key_from_scratch();
        image
    }

    fn transformed_move(&self, mv: LionMove, symmetry: Symmetry) -> LionMove {
        if symmetry == symmetry::IDENTITY {
            return mv;
        }
        let (source, to) = parts(mv);
        let source = if dropped_kind(source).is_some() { source } else { mirrored(source) };
        (source << 4 | mirrored(to)) as u8
    }
}

/// What each kind is worth, on the board (Baier 2015, section 8.3.1). The Lion is on both sides of every balance.
const WORTH: [i32; 5] = [3, 5, 5, 6, 0];
/// The worth of all pieces together: nobody can be further ahead.
const ALL_WORTH: f32 = 32.0;
/// What a Lion risks when it captures. Above 9 its captures come after all others, however little those win.
const LION_AT_RISK: i32 = 10;

impl Knowledge for Lion {
    /// Material on the board and in hand (Baier 2015, section 8.3.1).
    fn evaluation(&self, player: Player) -> Option<f32> {
        let material = |seat: usize| {
            let board = |kind: usize| (self.kinds[kind] & self.sides[seat]).count_ones() as i32;
            let hand = |kind: usize| in_hand(self.hands[seat], kind) as i32;
            (0..4).map(|kind| WORTH[kind] * board(kind)).sum::<i32>()
                + (0..3).map(|kind| WORTH[kind] * hand(kind)).sum::<i32>()
        };
        let lead = material(player.index()) - material(1 - player.index());
        Some((lead as f32 / ALL_WORTH).clamp(-0.99, 0.99))
    }

    /// Wins; captures, of much by little first; promotions; the rest.
    fn move_order(&self, mv: LionMove) -> Option<i32> {
        let (source, to) = parts(mv);
        let seat = self.seat();
        if dropped_kind(source).is_some() {
            return Some(0);
        }
        let kind = self.kind_at(source);
        let victim = (self.sides[1 - seat] >> to & 1 == 1).then(|| self.kind_at(to));
        let lion = self.kinds[LION] & self.sides[seat];
        let may_arrive = (lion | if kind == LION { 1 << to } else { 0 }) & FAR[seat] != 0;
        let wins = victim == Some(LION)
            || may_arrive && {
                let mut next = *self;
                next.play(mv);
                next.is_over()
            };
        let attacker = if kind == LION { LION_AT_RISK } else { WORTH[kind] };
        Some(match victim {
            _ if wins => 1000,
            Some(victim) => 100 + WORTH[victim] - attacker,
            None if kind == CHICK && FAR[seat] >> to & 1 == 1 => 50,
            None => 0,
        })
    }

    fn is_forcing(&self, mv: LionMove) -> Option<bool> {
        Some(self.sides[1 - self.seat()] >> parts(mv).1 & 1 == 1)
    }

    /// Draws the number of a move before making any: steps in the same direction are found for all pieces at once.
    #[inline]
    fn playout<T: Trace<LionMove>>(&mut self, context: &mut PlayoutContext<LionMove>, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        for _ in 0..context.cap {
            let seat = self.seat();
            let winner =
                if seat == 0 { self.random_ply::<0, T>(context, trace) } else { self.random_ply::<1, T>(context, trace) };
            if let Some(winner) = winner {
                return Outcome::win(winner);
            }
        }
        if self.stuck(self.seat()) { Outcome::win(self.to_move.opponent()) } else { self.outcome_at_cap() }
    }

    /// The evaluation tells much: alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to
    /// 300 ms a move.
    fn auto_player(_: &LionRules) -> &'static str {
        "alphabeta"
    }
}

impl Lion {
    /// Plays a random move without keeping the key; the winner if the game is over, which a player who cannot move
    /// learns only now.
    #[inline]
    fn random_ply<const SEAT: usize, T: Trace<LionMove>>(
        &mut self,
        context: &mut PlayoutContext<LionMove>,
        trace: &mut T,
    ) -> Option<Player> {
        let (own, enemy) = (self.sides[SEAT], self.sides[1 - SEAT]);
        let free = u64::from(BOARD & !own) * 0x0001_0001_0001_0001;
        let [straight, diagonal] = steps_of(self.kinds, own, SEAT).map(|targets| targets & free);
        let hand = self.hands[SEAT];
        let kinds_in_hand = (hand | hand >> 1) & 0b01_01_01;
        let empty = BOARD & !(own | enemy);
        let steps = [straight.count_ones(), diagonal.count_ones()];
        let moves = steps[0] + steps[1] + kinds_in_hand.count_ones() * empty.count_ones();
        if moves == 0 {
            return Some(Player(1 - SEAT as u8));
        }
        self.to_move = Player(1 - SEAT as u8);
        let mut rank = context.rng.below(moves as usize) as u32;
        if rank >= steps[0] + steps[1] {
            rank -= steps[0] + steps[1];
            let mut kinds = u64::from(kinds_in_hand);
            while rank >= empty.count_ones() {
                rank -= empty.count_ones();
                kinds = kinds.without_lowest();
            }
            let kind = kinds.lowest() / 2;
            let to = u64::from(empty).nth(rank as usize);
            trace.played(Player(SEAT as u8), (drop_source(kind) << 4 | to) as u8);
            self.hands[SEAT] -= 1 << (2 * kind);
            self.kinds[kind] |= 1 << to;
            self.sides[SEAT] |= 1 << to;
        } else {
            let (targets, first_step, rank) =
                if rank < steps[0] { (straight, 0, rank) } else { (diagonal, 4, rank - steps[0]) };
            let found = targets.nth(rank as usize);
            let (step, to) = (first_step + found / 16, found % 16);
            let by = if SEAT == 0 { STEPS[step] } else { -STEPS[step] };
            let from = (to as i32 - by) as usize;
            trace.played(Player(SEAT as u8), (from << 4 | to) as u8);
            let target = 1u16 << to;
            if enemy & target != 0 {
                if self.kinds[LION] & target != 0 {
                    return Some(Player(SEAT as u8));
                }
                let chicks = (self.kinds[CHICK] | self.kinds[ROOSTER]) >> to & 1;
                let giraffes = self.kinds[GIRAFFE] >> to & 1;
                let elephants = self.kinds[ELEPHANT] >> to & 1;
                self.hands[SEAT] += (chicks | giraffes << 2 | elephants << 4) as u8;
                self.sides[1 - SEAT] ^= target;
            }
            let moved = self.kinds.map(|cells| cells >> from & 1);
            let promotes = moved[CHICK] << to & FAR[SEAT];
            for (cells, moved) in self.kinds.iter_mut().zip(moved) {
                *cells = *cells & !(1 << from | target) | moved << to;
            }
            self.kinds[CHICK] ^= promotes;
            self.kinds[ROOSTER] |= promotes;
            self.sides[SEAT] = own ^ (1 << from | target);
        }
        self.arrived(SEAT).then_some(Player(SEAT as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use tesuji_core::History;
    use tesuji_core::perft::{Leaves, perft};

    fn game(spec: &str, text: &str) -> History<Lion> {
        History::parse(crate::rules::<Lion>(spec).unwrap(), text).unwrap()
    }

    fn moves(game: &History<Lion>) -> Vec<String> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.iter().map(|&mv| game.position().move_text(mv)).collect()
    }

    #[test]
    fn perft_counts_are_those_of_other_programs() {
        let count =
            |spec, depth| perft(&game(spec, "start"), depth, Leaves::Counted, &AtomicBool::new(false)).unwrap().leaves;
        let counts: Vec<u64> = (1..=6).map(|depth| count("lion", depth)).collect();
        assert_eq!(counts, [4, 17, 123, 976, 8122, 71677]);
        assert_eq!(count("lion:try=any", 6), 70628);
    }

    #[test]
    fn a_moving_chick_promotes_and_a_dropped_one_does_not() {
        let game = game("lion", "S/g-e/-CL/l--/E-G/C");
        let moves = moves(&game);
        assert!(moves.contains(&"b2-b1+".to_string()) && !moves.contains(&"b2-b1".to_string()));
        assert!(moves.contains(&"C*b1".to_string()));
        let mut promoted = game.clone();
        promoted.play_text("b2-b1+").unwrap();
        assert_eq!(promoted.position().text(), "G/gRe/--L/l--/E-G/C");
        let mut dropped = game;
        dropped.play_text("c*b1").unwrap();
        assert_eq!(dropped.position().text(), "G/gCe/-CL/l--/E-G/-");
    }

    #[test]
    fn a_captured_rooster_is_a_chick() {
        let mut game = game("lion", "G/gRe/--L/l--/E-G/C");
        game.play_text("a1-b1").unwrap();
        assert_eq!(game.position().text(), "S/-ge/--L/l--/E-G/Cc");
    }

    #[test]
    fn catching_the_lion_wins_even_by_a_lion_on_its_way_to_the_far_rank() {
        let mut game = game("lion", "S/-l-/-Lc/--g/E-G/Ce");
        game.play_text("b2-b1").unwrap();
        assert_eq!(game.outcome().unwrap().scores(), [1, -1]);
        assert_eq!(game.position().text(), "G/-L-/--c/--g/E-G/Ce");
        assert!(Lion::parse(game.rules(), &game.position().text()).unwrap().is_over());
    }

    #[test]
    fn an_attacked_lion_wins_on_the_far_rank_only_under_try_any() {
        for (spec, over) in [("lion", false), ("lion:try=any", true)] {
            let mut game = game(spec, "S/--e/Lg-/l-c/E-G/C");
            game.play_text("a2-a1").unwrap();
            assert!(game.is_over());
            let mut game = self::game(spec, "S/-ge/L--/l-c/E-G/C");
            game.play_text("a2-a1").unwrap();
            assert_eq!(game.is_over(), over, "{spec}");
        }
    }

    #[test]
    fn a_lion_that_was_not_caught_on_the_far_rank_wins_with_the_next_move() {
        let mut game = game("lion", "S/-ge/L--/l-c/E-G/C moves a2-a1 b1-b2");
        assert_eq!(game.position().text(), "S/L-e/-g-/l-c/E-G/C");
        game.play_text("C*c2").unwrap();
        assert_eq!(game.outcome().unwrap().scores(), [1, -1]);
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let shuffle = "c4-c3 a1-a2 c3-c4 a2-a1 ";
        let mut game = game("lion", &format!("start moves {}", shuffle.repeat(2).trim()));
        assert!(game.ended_by_history());
        assert_eq!(game.outcome().unwrap().scores(), [0, 0]);
        game.undo();
        assert!(!game.is_over());
    }

    #[test]
    fn who_cannot_move_loses() {
        // No game leads here: such a Lion stands on the far rank, and had won there before.
        let game = game("lion", "S/LGE/GC-/C--/--l/e");
        assert_eq!(game.outcome().unwrap().scores(), [-1, 1]);
        assert!(moves(&game).is_empty());
    }

    #[test]
    fn impossible_positions_are_refused() {
        for text in [
            "",
            "S",
            "S/gle/-c-/-C-/ELG",
            "X/gle/-c-/-C-/ELG/-",
            "S/gle/-c-/-C-/ELG/C",
            "S/gle/-c-/-C-/E-G/-x",
            "S/gle/-c-/-C-/ELG/",
            "S/g-e/-c-/-C-/ELG/-",
            "S/gle/-c-/-C-/ELL/-",
            "S/gle/-c-/-C-/ELGG/-",
            "S/gle/-c-/-C-/EL\u{e9}/-",
            "S/gle/---/---/ELG/CCCCC",
        ] {
            assert!(Lion::parse(&LionRules { goal: Try::Safe }, text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_evaluation_counts_roosters_more_than_chicks() {
        let value = |text: &str| game("lion", text).position().evaluation(Player::FIRST).unwrap();
        assert_eq!(value("start"), 0.0);
        assert_eq!(value("G/gRe/--L/l--/E-G/C"), (6.0 + 3.0) / 32.0);
        assert!(value("S/--l/RR-/EGE/LG-/-") < 1.0);
    }

    #[test]
    fn a_position_is_32_bytes() {
        assert_eq!(size_of::<Lion>(), 32);
    }
}
