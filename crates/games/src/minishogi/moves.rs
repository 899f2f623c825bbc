//! Move generation and making moves.

use super::tables::{
    ATTACKERS, BETWEEN, HAND_KEYS, LINES_OF, PENDING_KEYS, PIECE_KEYS, SECOND_TO_MOVE, SLIDE_MOVES, STEP_MOVES,
    THROUGH, WITHIN_TWO, bishop_slides, rook_slides, steps, twice,
};
use super::{
    BASE, BISHOP, BOARD, DECISION, DRAGON, DROP, FAR, FILE_A, GOLD, HORSE, KING, MiniShogi, MiniShogiMove, NONE, PAWN,
    PROMOTED, PROMOTED_PAWN, PROMOTED_SILVER, ROOK, SILVER, may_promote,
};
use crate::board::bits::Bits;

impl MiniShogi {
    /// The pieces of a side that attack a cell, with slides blocked by `occupied`.
    #[inline]
    pub(super) fn attackers(&self, cell: usize, seat: usize, occupied: u32) -> u32 {
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

    /// The cells that the pieces of a side attack next to a cell, and others, with slides blocked
    /// by
    /// `occupied`.
    #[inline]
    fn attacked_around(&self, centre: usize, seat: usize, occupied: u32) -> u32 {
        let (own, kinds) = (self.sides[seat], &self.kinds);
        let step_moves = &STEP_MOVES[usize::from(self.rules.ludii)][seat];
        let mut steps = 0;
        for cell in u64::from(own & WITHIN_TWO[centre] & !(kinds[BISHOP] | kinds[ROOK])).members() {
            steps |= step_moves[usize::from(self.cells[cell])][cell];
        }
        let mut attacked = (steps | steps >> 32) as u32;
        for cell in u64::from(own & (kinds[BISHOP] | kinds[HORSE])).members() {
            attacked |= bishop_slides(cell, occupied);
        }
        for cell in u64::from(own & (kinds[ROOK] | kinds[DRAGON])).members() {
            attacked |= rook_slides(cell, occupied);
        }
        attacked
    }

    /// The pieces of a side that are pinned to their king.
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

    /// Calls `visit` with a move word for the steps and one for the slides of each piece of `own`.
    /// Targets may include own pieces. Returns true as soon as `visit` does.
    #[inline]
    pub(super) fn movements(&self, own: u32, mut visit: impl FnMut(usize, u64) -> bool) -> bool {
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

    /// The cells where a side may drop a pawn, not counting the ban on mate.
    #[inline]
    pub(super) fn pawn_drops(&self, seat: usize, empty: u32) -> u32 {
        let pawns = self.kinds[PAWN] & self.sides[seat];
        let upper = pawns | pawns >> 5 | pawns >> 10;
        let files = (upper | upper >> 10) & 0x1F;
        empty & !FAR[seat] & !files.wrapping_mul(FILE_A)
    }

    /// Whether a pawn dropped by the side to move on an empty cell mates.
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

    /// Calls `visit` with the source and move word of all legal moves except decisions. Returns
    /// true as soon as `visit` does.
    #[inline]
    pub(super) fn legal_words(&self, visit: impl FnMut(u8, u64) -> bool) -> bool {
        if self.checkers == 0 { self.quiet_words(visit) } else { self.evasion_words(visit) }
    }

    /// The legal moves of a side that is not in check. Moves that are cheap to generate and likely
    /// to exist come first.
    #[inline]
    fn quiet_words(&self, mut visit: impl FnMut(u8, u64) -> bool) -> bool {
        let seat = self.seat();
        let king = usize::from(self.kings[seat]);
        let own = self.sides[seat];
        let pinned = self.pinned(seat);
        let targets = twice(!own);
        let done = self.movements(own & !(1 << king), |cell, word| {
            let mut word = word & targets;
            if pinned >> cell & 1 == 1 {
                word &= twice(THROUGH[king][cell]);
            }
            word != 0 && visit(cell as u8, word)
        });
        done || self.drop_words(BOARD, &mut visit) || self.king_word(&mut visit)
    }

    /// The legal moves in check: the king moves, or another piece captures the checker or blocks
    /// it. Pinned pieces cannot do that, and in double check only the king can move.
    fn evasion_words(&self, mut visit: impl FnMut(u8, u64) -> bool) -> bool {
        if self.king_word(&mut visit) {
            return true;
        }
        if !self.checkers.is_power_of_two() {
            return false;
        }
        let (rules, seat) = (usize::from(self.rules.ludii), self.seat());
        let king = usize::from(self.kings[seat]);
        let targets = self.checkers | BETWEEN[king][self.checkers.trailing_zeros() as usize];
        let excluded = self.pinned(seat) | 1 << king;
        for to in u64::from(targets).members() {
            // A piece attacks exactly the cells it can move to.
            let attackers = self.attackers(to, seat, self.occupied()) & !excluded;
            for from in u64::from(attackers).members() {
                let kind = usize::from(self.cells[from]);
                if visit(from as u8, SLIDE_MOVES[rules][seat][kind][from] & twice(1 << to)) {
                    return true;
                }
            }
        }
        self.drop_words(targets, &mut visit)
    }

    /// The legal king moves.
    #[inline]
    fn king_word(&self, visit: &mut impl FnMut(u8, u64) -> bool) -> bool {
        let (seat, other) = (self.seat(), 1 - self.seat());
        let king = usize::from(self.kings[seat]);
        let steps = ATTACKERS[0][king].king & !self.sides[seat];
        if steps == 0 {
            return false;
        }
        let safe = steps & !self.attacked_around(king, other, self.occupied() ^ 1 << king);
        safe != 0 && visit(king as u8, u64::from(safe))
    }

    /// The legal drops on the given cells.
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

    /// Whether a pseudo-legal move of a side that is not in check is legal.
    #[inline]
    pub(super) fn is_safe(&self, source: u8, to: usize) -> bool {
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

    /// Makes a move and passes the turn, unless the player still has to decide about promotion.
    #[inline]
    pub(super) fn make<const KEYED: bool>(&mut self, mv: MiniShogiMove) {
        let (seat, other) = (self.seat(), 1 - self.seat());
        match mv.source {
            DECISION => self.decide::<KEYED>(mv),
            DROP.. => self.drop_piece::<KEYED>(mv),
            from => {
                let kind = usize::from(self.cells[usize::from(from)]);
                self.move_piece::<KEYED>(mv, kind);
                if self.rules.ludii && may_promote(kind, seat, from, mv.to) {
                    self.pending = mv.to;
                    self.checkers = 0;
                    if KEYED {
                        self.key ^= PENDING_KEYS[usize::from(mv.to)];
                    }
                    return;
                }
            }
        }
        self.to_move = self.to_move.opponent();
        if KEYED {
            self.key ^= SECOND_TO_MOVE;
        }
        self.checkers = self.attackers(usize::from(self.kings[other]), seat, self.occupied());
    }

    /// Promotes the pending piece or leaves it as it is, in Ludii's rules.
    #[inline]
    fn decide<const KEYED: bool>(&mut self, mv: MiniShogiMove) {
        let to = usize::from(mv.to);
        if KEYED {
            self.key ^= PENDING_KEYS[to];
        }
        self.pending = NONE;
        if mv.promotes {
            let (seat, kind) = (self.seat(), usize::from(self.cells[to]));
            let becomes = PROMOTED[kind];
            self.kinds[kind] ^= 1 << to;
            self.kinds[becomes] ^= 1 << to;
            self.cells[to] = becomes as u8;
            if KEYED {
                self.key ^= PIECE_KEYS[seat][kind][to] ^ PIECE_KEYS[seat][becomes][to];
            }
        }
    }

    #[inline]
    fn drop_piece<const KEYED: bool>(&mut self, mv: MiniShogiMove) {
        let (seat, to) = (self.seat(), usize::from(mv.to));
        let kind = usize::from(mv.source - DROP);
        self.hands[seat][kind] -= 1;
        self.sides[seat] |= 1 << to;
        self.kinds[kind] |= 1 << to;
        self.cells[to] = kind as u8;
        if KEYED {
            self.key ^= PIECE_KEYS[seat][kind][to] ^ HAND_KEYS[seat][kind][usize::from(self.hands[seat][kind])];
        }
    }

    /// Moves a piece of the given kind on the board; a captured piece goes to the hand.
    #[inline]
    fn move_piece<const KEYED: bool>(&mut self, mv: MiniShogiMove, kind: usize) {
        let (seat, other) = (self.seat(), 1 - self.seat());
        let (from, to) = (usize::from(mv.source), usize::from(mv.to));
        let target = 1 << to;
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
        self.cells[from] = NONE;
        self.cells[to] = becomes as u8;
        if kind == KING {
            self.kings[seat] = mv.to;
        }
        if KEYED {
            self.key ^= PIECE_KEYS[seat][kind][from] ^ PIECE_KEYS[seat][becomes][to];
        }
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub(super) fn can_move(&self) -> bool {
        // Pieces other than pawns can be dropped on any empty cell, and twelve pieces leave some
        // empty.
        let hand = &self.hands[self.seat()];
        let drops = self.checkers == 0 && hand[SILVER] + hand[GOLD] + hand[BISHOP] + hand[ROOK] > 0;
        self.pending != NONE || drops || self.checkers == 0 && self.can_step() || self.legal_words(|_, _| true)
    }

    /// Whether one of the pieces that cannot be pinned, because no line joins them with their king,
    /// can take a step. The king of the side to move is not in check.
    #[inline]
    fn can_step(&self) -> bool {
        let (seat, kinds) = (self.seat(), &self.kinds);
        let (king, own) = (self.kings[seat], self.sides[seat]);
        let lines = &LINES_OF[usize::from(king)];
        let step_moves = &STEP_MOVES[usize::from(self.rules.ludii)][seat];
        let fixed = lines.bishop | lines.rook | 1 << king | kinds[BISHOP] | kinds[ROOK];
        let targets = twice(!own);
        let mut free = u64::from(own & !fixed).members();
        free.any(|cell| step_moves[usize::from(self.cells[cell])][cell] & targets != 0)
    }

    /// Whether the piece on a cell may have just moved there with the choice to promote.
    pub(super) fn could_be_pending(&self, cell: usize) -> bool {
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
