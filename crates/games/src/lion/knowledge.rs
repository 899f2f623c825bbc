//! Evaluation, move ordering and random playouts.

use super::tables::{ATTACKS, SECOND_TO_MOVE, STEPS, steps_of};
use super::{
    BOARD, CHICK, ELEPHANT, FAR, GIRAFFE, LION, Lion, LionMove, LionRules, ROOSTER, drop_source, dropped_kind, in_hand,
    parts,
};
use crate::board::bits::Bits;
use tesuji_core::{Game, ImmediateWin, Knowledge, Outcome, Player, PlayoutContext, Trace};

/// Piece values (Baier 2015, section 8.3.1). The Lion has none: both sides always have one.
const VALUE: [i32; 5] = [3, 5, 5, 6, 0];
/// The value of all pieces together, the largest possible lead.
const TOTAL_VALUE: f32 = 32.0;
/// The value of a capturing Lion in move ordering. Above 9, its captures come after all others.
const CAPTURING_LION: i32 = 10;

impl Knowledge for Lion {
    const EVALUATIONS: &'static [&'static str] = &["baier"];
    const MOVE_ORDERS: &'static [&'static str] = &["baier"];

    /// Material on the board and in hand (Baier 2015, section 8.3.1).
    fn evaluation(&self, player: Player) -> Option<f32> {
        let material = |seat: usize| {
            let board = |kind: usize| (self.kinds[kind] & self.sides[seat]).count_ones() as i32;
            let hand = |kind: usize| in_hand(self.hands[seat], kind) as i32;
            (0..4).map(|kind| VALUE[kind] * board(kind)).sum::<i32>()
                + (0..3).map(|kind| VALUE[kind] * hand(kind)).sum::<i32>()
        };
        let lead = material(player.index()) - material(1 - player.index());
        Some((lead as f32 / TOTAL_VALUE).clamp(-0.99, 0.99))
    }

    /// Wins first; then captures, most valuable victim and least valuable attacker first; then
    /// promotions.
    fn move_order(&self, mv: LionMove) -> Option<i32> {
        let (source, to) = parts(mv);
        let seat = self.seat();
        if dropped_kind(source).is_some() {
            return Some(0);
        }
        let kind = self.kind_at(source);
        let victim = (self.sides[1 - seat] >> to & 1 == 1).then(|| self.kind_at(to));
        let lion = self.kinds[LION] & self.sides[seat];
        let may_reach = (lion | if kind == LION { 1 << to } else { 0 }) & FAR[seat] != 0;
        let wins = victim == Some(LION)
            || may_reach && {
                let mut next = *self;
                next.play(mv);
                next.is_over()
            };
        let attacker = if kind == LION { CAPTURING_LION } else { VALUE[kind] };
        Some(match victim {
            _ if wins => 1000,
            Some(victim) => 100 + VALUE[victim] - attacker,
            None if kind == CHICK && FAR[seat] >> to & 1 == 1 => 50,
            None => 0,
        })
    }

    fn is_forcing(&self, mv: LionMove) -> Option<bool> {
        Some(self.sides[1 - self.seat()] >> parts(mv).1 & 1 == 1)
    }

    /// A capture of the Lion, or a try. A move cannot take the last free cell from the opposing
    /// Lion, which may capture what moves there; only if that Lion has no free cell, the opponent
    /// may be left without a move. An own Lion on the far rank is attacked there, and any move that
    /// ends the attack wins. A pass in check leaves the Lion to be caught, and a pass completes a
    /// try that no piece attacks.
    fn null_move(&self) -> Option<Lion> {
        let mut passed = Lion { to_move: self.to_move.opponent(), key: self.key ^ SECOND_TO_MOVE, ..*self };
        passed.winner = passed.winner_from_scratch();
        self.winner.is_none().then_some(passed)
    }

    #[inline]
    fn immediate_win(&self) -> ImmediateWin<LionMove> {
        let seat = self.seat();
        let (own, enemy) = (self.sides[seat], self.sides[1 - seat]);
        let cell = |cells: u16| cells.trailing_zeros() as usize;
        let (lion, target) = (self.kinds[LION] & own, self.kinds[LION] & enemy);
        if lion == 0 || target == 0 || lion & FAR[seat] != 0 {
            return ImmediateWin::Unknown;
        }
        let (lion, target) = (cell(lion), cell(target));
        let attackers = (0..5).fold(0, |all, kind| all | ATTACKS[1 - seat][kind][target] & self.kinds[kind]) & own;
        if attackers != 0 {
            return ImmediateWin::Yes((cell(attackers) << 4 | target) as LionMove);
        }
        for to in u64::from(ATTACKS[seat][LION][lion] & !own & FAR[seat]).members() {
            let (mv, mut next) = ((lion << 4 | to) as LionMove, *self);
            next.play(mv);
            if next.is_over() {
                return ImmediateWin::Yes(mv);
            }
        }
        let is_blocked = ATTACKS[1 - seat][LION][target] & BOARD & !enemy == 0;
        if is_blocked { ImmediateWin::Unknown } else { ImmediateWin::No }
    }

    /// Draws the index of a move without generating the moves: the steps in a direction are counted
    /// for all pieces at once.
    #[inline]
    fn playout<T: Trace<LionMove>>(&mut self, context: &mut PlayoutContext<LionMove>, trace: &mut T) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        for _ in 0..context.cap {
            let seat = self.seat();
            let winner = if seat == 0 {
                self.random_ply::<0, T>(context, trace)
            } else {
                self.random_ply::<1, T>(context, trace)
            };
            if let Some(winner) = winner {
                return Outcome::win(winner);
            }
        }
        if self.is_stuck(self.seat()) { Outcome::win(self.to_move.opponent()) } else { self.outcome_at_cap() }
    }

    /// Alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to 300 ms
    /// a move.
    fn auto_player(_: &LionRules) -> &'static str {
        "prove:[alphabeta]"
    }
}

impl Lion {
    /// Plays a random move without updating the key. Returns the winner if the game is over;
    /// without a legal move, that is the opponent.
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
        let mut index = context.rng.below(moves as usize) as u32;
        if index >= steps[0] + steps[1] {
            index -= steps[0] + steps[1];
            let mut kinds = u64::from(kinds_in_hand);
            while index >= empty.count_ones() {
                index -= empty.count_ones();
                kinds = kinds.without_lowest();
            }
            let kind = kinds.lowest() / 2;
            let to = u64::from(empty).nth(index as usize);
            trace.played(Player(SEAT as u8), (drop_source(kind) << 4 | to) as u8);
            self.hands[SEAT] -= 1 << (2 * kind);
            self.kinds[kind] |= 1 << to;
            self.sides[SEAT] |= 1 << to;
        } else {
            let (targets, first_step, index) =
                if index < steps[0] { (straight, 0, index) } else { (diagonal, 4, index - steps[0]) };
            let found = targets.nth(index as usize);
            let (step, to) = (first_step + found / 16, found % 16);
            let by = if SEAT == 0 { STEPS[step] } else { -STEPS[step] };
            let from = (to as i32 - by) as usize;
            trace.played(Player(SEAT as u8), (from << 4 | to) as u8);
            if self.make_step::<SEAT>(from, to) {
                return Some(Player(SEAT as u8));
            }
        }
        self.has_tried(SEAT).then_some(Player(SEAT as u8))
    }

    /// Moves a piece on the board without updating the key. Returns whether it captures the Lion;
    /// then the position is left as it was.
    #[inline]
    fn make_step<const SEAT: usize>(&mut self, from: usize, to: usize) -> bool {
        let target = 1u16 << to;
        if self.sides[1 - SEAT] & target != 0 {
            if self.kinds[LION] & target != 0 {
                return true;
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
        self.sides[SEAT] ^= 1 << from | target;
        false
    }
}
