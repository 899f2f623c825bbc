//! Catch the Lion (dobutsu shogi; Kitao and Fujita 2008).
//!
//! Two sides of four pieces on 3x4. The Lion (L) steps to any adjacent cell, the Giraffe (G)
//! orthogonally, the Elephant (E) diagonally, the Chick (C) straight forward, the Rooster (R, a
//! promoted Chick) orthogonally or diagonally forward. Captured pieces change sides and are dropped
//! later on any empty cell; a captured Rooster becomes a Chick. A Chick that moves to the far rank
//! always promotes. One dropped there does not promote and cannot move. Drops have no other
//! restrictions. Capturing the Lion wins; moving the own Lion into attack is legal. A Lion that
//! stands on the far rank after a move of its side and is not attacked there also wins (the "try").
//! A player who cannot move loses. The third occurrence of a position is a draw.
//!
//! Sente (upper case) moves first and plays up towards rank 1, the top rank. A position is side to
//! move, four ranks from the top, and both hands: `S/gle/-c-/-C-/ELG/-`. Moves: `b3-b2`, promoting
//! `b2-b1+`, dropping `C*b2`.
//!
//! Options: with `try=any` a Lion that moves to the far rank wins even if it could be captured
//! there.
//!
//! Solved: the second player wins, in 78 plies (Tanaka 2009).
//!
//! A board is 16 bits, four to a rank, the fourth always empty so that shifts do not wrap around
//! the edge. One set for each side and one for each kind of piece make up the board. The unused
//! fourth cells number the drops.

mod knowledge;
mod tables;
#[cfg(test)]
mod tests;
mod text;

use crate::board::bits::Bits;
use tables::{ATTACKS, HAND_KEYS, PIECE_KEYS, SECOND_TO_MOVE, steps_of};
use tesuji_core::look::{PieceNames, PieceStyle, Tone};
use tesuji_core::time::TimeFacts;
use tesuji_core::view::{Hand, Piece, RowOne, Shape, cell_name};
use tesuji_core::{
    Dialects, Facts, Game, Info, Length, Look, Options, Outcome, Player, PositionError, PositionLayout, Repetition,
    Rules, SpecError, Symmetry, UsiDialect, UsiSupport, View, symmetry,
};

/// The condition under which a Lion on the far rank wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Try {
    /// It is not attacked there.
    Safe,
    /// None: it wins at once.
    Any,
}

/// The rules in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LionRules {
    goal: Try,
}

impl Rules for LionRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let choices = [("safe", Try::Safe), ("any", Try::Any)];
        let goal = options.choice("try", &choices, "whether a Lion on the far rank wins only if it is not attacked")?;
        Ok(LionRules { goal })
    }

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            repetition: Repetition::Ends(3),
            length: Length::Capped(1000),
            scores: (-1, 1),
            draws: true,
            units_per_point: 1,
            move_indices: 15 * 12,
        }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        Some(Outcome::draw(2))
    }

    fn dialects(&self) -> Dialects {
        Dialects { usi: UsiSupport::Supported(USI), ..Dialects::default() }
    }

    fn time_facts(&self) -> TimeFacts {
        // Not the f = 5 of Baier (2015): in Connect-4 such a factor loses games.
        TimeFacts { table: include_str!("time_tables/lion.txt"), manager: "exp-moves" }
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

/// A move: the target cell in the lower four bits, the source cell in the upper four. The source of
/// a drop is the unused cell of its kind.
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
/// The far rank of each side: rank 1 for Sente, rank 4 for Gote.
const FAR: [u16; 2] = [0x0007, 0x7000];

/// The source and the target of a move.
#[inline]
fn parts(mv: LionMove) -> (usize, usize) {
    (usize::from(mv >> 4), usize::from(mv & 15))
}

/// The unused cell that numbers the drops of a kind.
#[inline]
fn drop_source(kind: usize) -> usize {
    4 * kind + 3
}

/// The kind whose drops an unused cell numbers.
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

/// The number of a cell, not counting unused ones: 0 to 11.
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

    /// Whether a side attacks a cell. A piece attacks exactly the cells from which an opponent's
    /// piece of its kind would attack it.
    #[inline]
    fn attacks(&self, cell: usize, seat: usize) -> bool {
        let attackers = (0..5).fold(0, |all, kind| all | ATTACKS[1 - seat][kind][cell] & self.kinds[kind]);
        attackers & self.sides[seat] != 0
    }

    /// Whether the Lion of a side that has just moved wins by a try.
    #[inline]
    fn has_tried(&self, seat: usize) -> bool {
        let tried = self.kinds[LION] & self.sides[seat] & FAR[seat];
        tried != 0 && (self.rules.goal == Try::Any || !self.attacks(tried.trailing_zeros() as usize, 1 - seat))
    }

    /// Whether a side has no move. A piece in hand can always be dropped, as eight pieces leave
    /// cells empty.
    #[inline]
    fn is_stuck(&self, seat: usize) -> bool {
        let free = BOARD & !self.sides[seat];
        let lion = self.kinds[LION] & self.sides[seat];
        let lion_moves = lion != 0 && ATTACKS[seat][LION][lion.trailing_zeros() as usize] & free != 0;
        if self.hands[seat] != 0 || lion_moves {
            return false;
        }
        let free = u64::from(free) * 0x0001_0001_0001_0001;
        steps_of(self.kinds, self.sides[seat], seat).iter().all(|targets| targets & free == 0)
    }

    /// The winner as the board alone shows it: the side to move has lost its Lion or cannot move,
    /// or the other Lion has made a try.
    fn winner_from_scratch(&self) -> Option<Player> {
        let seat = self.seat();
        let caught = self.kinds[LION] & self.sides[seat] == 0;
        (caught || self.has_tried(1 - seat) || self.is_stuck(seat)).then_some(self.to_move.opponent())
    }
}

/// The rules as people read them.
const RULES: &str = "\
    Sente plays from the bottom of a board of 3 files and 4 ranks and moves first, Gote from the top. Each side \
    starts with a Lion, a Giraffe, an Elephant and a Chick.\n\n\
    The Lion (L) moves one step in any direction, the Giraffe (G) one step forward, backward or sideways, the \
    Elephant (E) one step diagonally, the Chick (C) one step forward. A Chick that moves to the far rank becomes a \
    Rooster (R), which moves one step in any direction except diagonally backward.\n\n\
    A piece captures by moving onto a piece of the opponent, which changes sides and goes to the captor's hand; a \
    Rooster becomes a Chick again. Instead of moving, a player may drop a piece from the hand on any empty cell. A \
    Chick dropped on the far rank does not promote and cannot move.\n\n\
    A player wins by capturing the opposing Lion. A player also wins if, after that player's move, its Lion stands \
    on the far rank and is not attacked there; with the option try=any, even if it is attacked. A player without a \
    move loses. The game is a draw when a position occurs for the third time, or after 1000 plies.\n\n\
    A move is written as source and target, b3-b2, with + for a Chick that promotes, b2-b1+; a drop as C*b2. Rank \
    1 is at the top. In text, pieces of Sente are in upper case, those of Gote in lower case.";

impl Game for Lion {
    type Move = LionMove;
    type Rules = LionRules;
    const INFO: Info = Info {
        goal: "Capture the opposing Lion, or bring your own Lion safely to the far rank. Choose a piece on the board \
               or in hand, then its target.",
        rules: RULES,
        solved: "second player wins in 78 plies (Tanaka 2009)",
        look: Look {
            piece: PieceStyle::Animals,
            tones: &[Tone::Sente, Tone::Gote],
            names: PieceNames(&[("C", "Chick"), ("G", "Giraffe"), ("E", "Elephant"), ("L", "Lion"), ("R", "Rooster")]),
            ..Look::DEFAULT
        },
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

    fn ending_reason(&self) -> Option<&'static str> {
        let seat = self.winner?.index();
        Some(match self.kinds[LION] & self.sides[1 - seat] {
            0 => "lion captured",
            _ if self.has_tried(seat) => "lion reached the far rank",
            _ => "no moves left",
        })
    }

    /// The Lion on the far rank. A capture leaves no trace in the position.
    fn winning_cells(&self) -> Vec<String> {
        let lion = |seat: usize| self.kinds[LION] & self.sides[seat];
        let tried = self.winner.map(Player::index).filter(|&seat| lion(1 - seat) != 0 && self.has_tried(seat));
        tried.map(|seat| name(lion(seat).trailing_zeros() as usize)).into_iter().collect()
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
        if self.winner.is_none() && (self.has_tried(seat) || self.is_stuck(1 - seat)) {
            self.winner = Some(Player(seat as u8));
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        self.write()
    }

    fn parse(rules: &LionRules, text: &str) -> Result<Lion, PositionError> {
        Lion::read(rules, text).map_err(|reason| PositionError::new(text, reason))
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

    /// The piece on the board or in hand, and its target. Promotion is not a choice.
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
