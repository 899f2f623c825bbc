//! What ends a problem.

use super::{GoProblem, Goal, on_stones};
use crate::board::bits::{Bits, Words};
use crate::go::stones::{STRIDES, Stones};

/// Why a problem is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum End {
    /// It is not.
    Open,
    /// The marked stones that had to be taken have been taken.
    Taken,
    /// The marked stones are safe; in a semeai, those of both sides.
    Safe,
    /// The marked blocks are one block.
    Joined,
    /// The marked blocks can no longer be joined.
    Separated,
    /// Two passes.
    Passes,
}

impl End {
    pub fn reason(self) -> Option<&'static str> {
        match self {
            End::Open => None,
            End::Taken => Some("marked stones taken"),
            End::Safe => Some("marked stones safe"),
            End::Joined => Some("marked blocks joined"),
            End::Separated => Some("marked blocks separated"),
            End::Passes => Some("two passes"),
        }
    }
}

impl GoProblem {
    /// Finds out whether the position is terminal after a pass, which changes no stones.
    pub(super) fn settle_pass(&mut self) {
        if self.passes == 2 {
            (self.end, self.score) = (End::Passes, self.rules.passes);
        } else if self.rules.escape > 0 {
            self.settle();
        }
    }

    /// Finds out whether the stones make the position terminal.
    pub(super) fn settle(&mut self) {
        (self.end, self.score) = on_stones!(self, stones, narrow => {
            let (targets, region) = (narrow(&self.targets), narrow(&self.region));
            match self.rules.goal {
                Goal::Capture | Goal::Life => self.end_of_capture(&stones, targets, region),
                Goal::Semeai => end_of_semeai(&stones, targets),
                Goal::Connect => end_of_connection(&stones, targets, self.owner()),
            }
        });
    }

    fn end_of_capture<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> (End, i8) {
        if targets.is_empty() {
            return (End::Taken, -1);
        }
        let (owner, any) = (self.owner(), self.rules.any);
        let attacker_moves = self.mover() != owner;
        let mut alive = None;
        for block in stones.blocks(owner, targets) {
            let liberties = stones.liberties(block);
            let escapes = self.rules.escape > 0 && attacker_moves && liberties.count() >= u32::from(self.rules.escape);
            let is_safe = escapes
                || (liberties & !region).count() >= 2
                || (stones.may_be_alive(owner, block) && {
                    let alive = *alive.get_or_insert_with(|| stones.unconditionally_alive(owner));
                    !(alive & block).is_empty()
                });
            // Taking one block is enough: all must be safe. Taking all is needed: one is enough.
            if is_safe != any {
                return if is_safe { (End::Safe, 1) } else { (End::Open, 0) };
            }
        }
        if any { (End::Safe, 1) } else { (End::Open, 0) }
    }
}

fn end_of_semeai<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    targets: B,
) -> (End, i8) {
    let [black, white] = [0, 1].map(|seat| targets & stones.of(seat));
    if black.is_empty() || white.is_empty() {
        return (End::Taken, if black.is_empty() { -1 } else { 1 });
    }
    let is_safe = |seat: usize| {
        stones.blocks(seat, targets).any(|block| stones.may_be_alive(seat, block))
            && !(stones.unconditionally_alive(seat) & targets).is_empty()
    };
    if is_safe(0) && is_safe(1) { (End::Safe, 0) } else { (End::Open, 0) }
}

fn end_of_connection<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    targets: B,
    connector: usize,
) -> (End, i8) {
    if targets.is_empty() {
        return (End::Taken, -1);
    }
    let first = targets.lowest();
    if (targets & !stones.block(connector, first)).is_empty() {
        return (End::Joined, 1);
    }
    let walls = stones.unconditionally_alive(1 - connector);
    let is_cut = !walls.is_empty() && {
        let reached = stones.reached(B::single(first), stones.board() & !walls);
        !(targets & !reached).is_empty()
    };
    if is_cut { (End::Separated, -1) } else { (End::Open, 0) }
}
