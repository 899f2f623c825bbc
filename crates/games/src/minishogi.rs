//! Minishogi (gogo shogi; Kusumoto, about 1970): shogi on 5x5.
//!
//! Each side has king, gold, silver, bishop, rook and pawn, which move as in shogi. Captured pieces
//! change sides and are dropped later. Rook, bishop, silver and pawn may promote when they move
//! into, out of or within the far rank; a pawn must. A king may not be left in check. A pawn is not
//! dropped on the far rank, on a file where its side has an unpromoted pawn, or to give mate. A
//! player without a legal move loses. When a position occurs for the fourth time, a side that gave
//! check with every move in between loses; otherwise the first player loses (rule of the 5x5 shogi
//! federation).
//!
//! A position is written as SFEN without the move number: `rbsgk/4p/5/P4/KGSBR b -`. The first
//! player is `b`, upper case, at the bottom. Moves: `a2-a3`, promoting `a4-a5+`, dropping `P*c3`;
//! `a1` is at the lower left.
//!
//! Options: `repetition=draw` makes every other repetition a draw. `rules=ludii` plays as the
//! program Ludii does: repetition has no consequences, and a choice to promote is a separate
//! decision. After `a4-a5` the same player answers `+` or `=`; until then the position text ends
//! with the cell.
//!
//! Not solved.
//!
//! A board is 25 bits, a1, b1, ..., e5: one set for each side and one for each kind of piece, plus
//! the kind on each cell. Attacks are looked up: steps by cell, slides by cell and the three inner
//! cells of a line. The moves of a piece are one move word (see `tables`).

mod knowledge;
mod moves;
mod tables;
#[cfg(test)]
mod tests;
mod text;

use crate::board::bits::Bits;
use tesuji_core::look::{PieceNames, PieceStyle, Tone};
use tesuji_core::view::{Hand, Piece, RowOne, Shape, cell_name};
use tesuji_core::{
    Dialects, Facts, Game, Info, Length, Look, Options, Outcome, Player, PositionError, PositionLayout, Repetition,
    Rules, SpecError, Symmetry, UsiDialect, UsiSupport, View, symmetry,
};

/// The rules in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MiniShogiRules {
    /// Ludii's rules: promotion is a separate decision, repetition has no consequences.
    ludii: bool,
    /// Whether repetition without perpetual check is a draw.
    repetition_draws: bool,
}

impl Rules for MiniShogiRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let ludii = options.choice("rules", &[("standard", false), ("ludii", true)], "rule set")?;
        let repetition_draws = options.choice(
            "repetition",
            &[("first-loses", false), ("draw", true)],
            "result of a fourfold repetition without perpetual check",
        )?;
        if ludii && repetition_draws {
            return Err(options.refuse("repetition", "no value with rules=ludii, where positions may repeat"));
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
            units_per_point: 1,
            move_indices: FIRST_DECISION + 2,
        }
    }

    /// With perpetual check the outcome depends on the cycle. In Ludii's rules the length cap ends
    /// it.
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
    /// The cell it comes from; `DROP` plus the kind for a drop; `DECISION` for a decision.
    source: u8,
    to: u8,
    promotes: bool,
}

const DROP: u8 = 25;
const DECISION: u8 = 30;
/// Move indices: moves without promotion, then moves with promotion, then the two decisions.
const FIRST_PROMOTION: usize = 30 * 25;
const FIRST_DECISION: usize = FIRST_PROMOTION + 25 * 25;

/// A position of minishogi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MiniShogi {
    key: u64,
    /// The cells of each side.
    sides: [u32; 2],
    /// The cells of each kind of piece, of both sides.
    kinds: [u32; 10],
    /// The pieces that check the side to move.
    checkers: u32,
    /// The kind on each cell, or [`NONE`].
    cells: [u8; 25],
    /// The number of pieces in hand, by kind.
    hands: [[u8; 5]; 2],
    kings: [u8; 2],
    to_move: Player,
    /// The cell of a piece whose promotion is undecided in Ludii's rules, or [`NONE`].
    pending: u8,
    over: bool,
    rules: MiniShogiRules,
}

/// No piece, or no cell.
const NONE: u8 = 255;

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
/// The kind each kind promotes to; itself if it does not promote.
const PROMOTED: [usize; 10] =
    [PROMOTED_PAWN, PROMOTED_SILVER, GOLD, HORSE, DRAGON, KING, PROMOTED_PAWN, PROMOTED_SILVER, HORSE, DRAGON];
/// The kind each kind becomes in hand.
const BASE: [usize; 10] = [PAWN, SILVER, GOLD, BISHOP, ROOK, KING, PAWN, SILVER, BISHOP, ROOK];
const NAMES: [[&str; 10]; 2] =
    [["P", "S", "G", "B", "R", "K", "+P", "+S", "+B", "+R"], ["p", "s", "g", "b", "r", "k", "+p", "+s", "+b", "+r"]];
const SIDE_LETTERS: [&str; 2] = ["b", "w"];

const SIZE: (usize, usize) = (5, 5);
const BOARD: u32 = (1 << 25) - 1;
const FILE_A: u32 = 0x10_8421;
/// The far rank of each side, where pieces promote.
const FAR: [u32; 2] = [0x1F << 20, 0x1F];

fn name(cell: u8) -> String {
    cell_name(usize::from(cell % 5), usize::from(cell / 5) + 1)
}

fn mirrored(cell: u8) -> u8 {
    cell - cell % 5 + (4 - cell % 5)
}

/// Whether promotion is a choice when a piece moves.
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

    fn seat_of(&self, cell: usize) -> Option<usize> {
        self.sides.iter().position(|side| side >> cell & 1 == 1)
    }
}

/// The rules as people read them.
const RULES: &str = "\
    Shogi on a board of 5x5. Sente plays from the bottom and moves first, Gote from the top. Each side starts with \
    a king, a gold, a silver, a bishop, a rook and a pawn.\n\n\
    The king (K) moves one step in any direction, the gold (G) one step in any direction except diagonally \
    backward, the silver (S) one step diagonally or straight forward, the pawn (P) one step straight forward. The \
    rook (R) moves any distance along ranks and files, the bishop (B) any distance diagonally; they do not jump. A \
    piece captures by moving onto a piece of the opponent.\n\n\
    Rook, bishop, silver and pawn may promote when they move into, within or out of the far rank; a pawn must. A \
    promoted rook (+R) also moves one step diagonally, a promoted bishop (+B) one step along ranks and files. A \
    promoted silver (+S) and a promoted pawn (+P) move like a gold.\n\n\
    A captured piece loses its promotion, changes sides and goes to the hand of its captor, who may later drop it \
    on an empty cell instead of moving. A pawn may not be dropped on the far rank, on a file with another \
    unpromoted pawn of its side, or to give checkmate.\n\n\
    A move may not leave the player's king in check. A player without a legal move loses. When a position occurs \
    for the fourth time, a player who gave check with every move in between loses; otherwise Sente loses, or the \
    game is a draw with the option repetition=draw. A game of 1000 plies is a draw.\n\n\
    With the option rules=ludii, repetition has no consequences, a game of 1250 plies is a draw, and a choice to \
    promote is a separate move: the same player answers + or =.\n\n\
    A move is written as source and target, a2-a3, with + if the piece promotes, a4-a5+; a drop as P*c3. Cell a1 \
    is at the lower left. In text, pieces of Sente are in upper case, those of Gote in lower case.";

impl Game for MiniShogi {
    type Move = MiniShogiMove;
    type Rules = MiniShogiRules;
    const INFO: Info = Info {
        goal: "Checkmate the opposing king. Choose a piece on the board or in hand, then its target.",
        rules: RULES,
        look: Look {
            piece: PieceStyle::Shogi,
            tones: &[Tone::Sente, Tone::Gote],
            names: PieceNames(&[
                ("P", "Pawn"),
                ("S", "Silver"),
                ("G", "Gold"),
                ("B", "Bishop"),
                ("R", "Rook"),
                ("K", "King"),
                ("+P", "Tokin"),
                ("+S", "promoted Silver"),
                ("+B", "Horse"),
                ("+R", "Dragon"),
            ]),
            ..Look::DEFAULT
        },
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

    fn ending_reason(&self) -> Option<&'static str> {
        self.over.then_some(if self.checkers != 0 { "checkmate" } else { "no moves left" })
    }

    /// The king that is mated and the pieces that check it.
    fn winning_cells(&self) -> Vec<String> {
        if !self.over || self.checkers == 0 {
            return Vec::new();
        }
        let checkers = u64::from(self.checkers).members().map(|cell| cell as u8);
        std::iter::once(self.kings[self.seat()]).chain(checkers).map(name).collect()
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<MiniShogiMove>) {
        if self.over {
            return;
        }
        if self.pending != NONE {
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
        if self.pending != NONE {
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
        self.sfen()
    }

    fn parse(rules: &MiniShogiRules, text: &str) -> Result<MiniShogi, PositionError> {
        MiniShogi::from_sfen(rules, text)
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
            return FIRST_DECISION + usize::from(mv.promotes);
        }
        let first = if mv.promotes { FIRST_PROMOTION } else { 0 };
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

    /// The piece on the board or in hand, its target, and `+` or `=` where promotion is a choice.
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

    /// A player who gave check with every move of the cycle loses. If both or neither did, the
    /// first player loses or the game is a draw, by the rules.
    fn repetition_outcome(cycle: &[MiniShogi]) -> Outcome {
        let perpetual = [0, 1].map(|seat| {
            let mut after = cycle[1..].iter().filter(|position| position.seat() != seat);
            after.all(|position| position.checkers != 0)
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
            pending: if self.pending == NONE { NONE } else { mirrored(self.pending) },
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
