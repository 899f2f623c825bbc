//! Evaluation, move ordering and random playouts.

use super::tables::{ATTACKERS, SECOND_TO_MOVE, bishop_slides, rook_slides, steps, twice};
use super::{
    BISHOP, BOARD, DECISION, DRAGON, DROP, HORSE, MiniShogi, MiniShogiMove, MiniShogiRules, NONE, PAWN, PROMOTED, ROOK,
    SILVER,
};
use crate::board::bits::Bits;
use tesuji_core::{Game, Knowledge, Outcome, Player, PlayoutContext, Rng, Trace};

/// Piece values of the shogi program Apery, a pawn being 90. They are tuned for 9x9; bishop and
/// rook reach less far on 5x5, but the order of the kinds is the same. A king has no value: it is
/// never captured, and it captures without risk because it moves only to cells that are not
/// attacked.
const VALUES: [i32; 10] = [90, 495, 540, 855, 990, 0, 540, 540, 945, 1395];
/// The penalty for each attacked cell next to the king. At a third of a pawn, king safety decides
/// between positions of similar material. Raising it makes a player give up material for attack.
const ATTACKED_BESIDE_KING: i32 = 30;
/// The lead, about a rook and a silver, that evaluates to tanh(1) = 0.76 of a win.
const LEAD: f32 = 1500.0;

impl Knowledge for MiniShogi {
    /// A pass in check loses: the king would be captured.
    fn null_move(&self) -> Option<MiniShogi> {
        if self.over || self.pending != NONE {
            return None;
        }
        if self.checkers != 0 {
            return Some(MiniShogi { over: true, ..*self });
        }
        let mut passed = MiniShogi { to_move: self.to_move.opponent(), key: self.key ^ SECOND_TO_MOVE, ..*self };
        passed.over = !passed.can_move();
        Some(passed)
    }

    /// Material on the board and in hand, and attacked cells around the kings.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let value = |seat: usize| {
            let board = |kind: usize| (self.kinds[kind] & self.sides[seat]).count_ones() as i32;
            let hand = |kind: usize| i32::from(self.hands[seat][kind]);
            let material: i32 = (0..10).map(|kind| VALUES[kind] * board(kind)).sum();
            let held: i32 = (0..5).map(|kind| VALUES[kind] * hand(kind)).sum();
            let beside_king = u64::from(ATTACKERS[0][usize::from(self.kings[seat])].king);
            let occupied = self.occupied();
            let attacked = beside_king.members().filter(|&cell| self.attackers(cell, 1 - seat, occupied) != 0).count();
            material + held - ATTACKED_BESIDE_KING * attacked as i32
        };
        let lead = value(player.index()) - value(1 - player.index());
        Some((lead as f32 / LEAD).tanh() * 0.99)
    }

    /// Captures, most valuable victim and least valuable attacker first; then promotions, checks,
    /// the rest.
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
        let mut order = if mv.promotes { VALUES[becomes] - VALUES[kind] } else { 0 };
        if self.sides[other] >> to & 1 == 1 {
            return Some(CAPTURE + order + VALUES[usize::from(self.cells[to])] - VALUES[kind]);
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

    /// Out of check, draws a pseudo-legal move and draws again if it is illegal, which is rare.
    /// Tests for the end of the game only in check or after `DRAWS` illegal draws.
    #[inline]
    fn playout<T: Trace<MiniShogiMove>>(
        &mut self,
        context: &mut PlayoutContext<MiniShogiMove>,
        trace: &mut T,
    ) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let mut urn = MoveUrn::new();
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
        self.random_move(&mut MoveUrn::new(), context).expect("the game is not over")
    }

    /// Alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to 300 ms
    /// a move.
    fn auto_player(_: &MiniShogiRules) -> &'static str {
        "prove:[alphabeta]"
    }
}

/// Move words and their sources, from which a move is drawn at random.
struct MoveUrn {
    words: [u64; 20],
    sources: [u8; 20],
    length: usize,
    moves: u32,
}

impl MoveUrn {
    #[inline]
    fn new() -> MoveUrn {
        MoveUrn { words: [0; 20], sources: [0; 20], length: 0, moves: 0 }
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
        let mut index = rng.below(self.moves as usize) as u32;
        let mut at = 0;
        loop {
            let count = self.words[at].count_ones();
            if index < count {
                break;
            }
            index -= count;
            at += 1;
        }
        let bit = self.words[at].nth(index as usize);
        MiniShogiMove { source: self.sources[at], to: (bit & 31) as u8, promotes: bit >= 32 }
    }
}

/// The number of illegal draws after which the legal moves are generated. Most positions have more
/// legal than illegal pseudo-legal moves. Any number gives the same distribution.
const DRAWS: u32 = 6;

impl MiniShogi {
    /// Draws a legal move uniformly; `None` if there is none.
    #[inline]
    fn random_move(&self, urn: &mut MoveUrn, context: &mut PlayoutContext<MiniShogiMove>) -> Option<MiniShogiMove> {
        if self.pending != NONE {
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

    /// Fills the urn with all pseudo-legal moves of a side that is not in check.
    #[inline]
    fn fill(&self, urn: &mut MoveUrn) {
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
