//! Life and death without search: what the player to move achieves at once, ways out, and
//! unconditional death.
//!
//! *Ways out.* A liberty outside the region is never filled, so that a block with one is never
//! taken: the defender may pass for the rest of the game. A point of the region with such a
//! neighbour is an exit. A block with an exit among its liberties is safe if the defender is to
//! move, and one with two exits whichever player moves. (Where seki is dead, passing loses, and
//! none of this is used.)
//!
//! *Unconditional death.* An attacker's block with a liberty outside the region is *fixed*. The
//! *inside* is everything that is connected to the marked stones without crossing fixed blocks; it
//! must lie on the region. The attacker may fill every empty point of the inside next to a fixed
//! block: that is legal, the new stone is fixed too, and nothing is ever given back. After that the
//! liberties of the marked stones are among the *inner points*, those of the inside that touch no
//! fixed block. Stones of a single marked block do not count, because the game is over before the
//! defender can play there again.
//!
//! - At most one inner point: it is the last liberty, and the attacker takes.
//! - Two adjacent inner points: the attacker plays one of them. The defender must take that stone
//!   from the other point, which joins its stones, so that there is no ko, and has one liberty.
//! - Three in a row, surrounded by the marked block, with an attacker's stone in the middle: after
//!   the defender has taken it from one end or both, or two stones from the other end, one of the
//!   first two cases is left. The same if the attacker is to move, the middle is empty, and one end
//!   is empty.
//!
//! *Connections.* The connector joins the marked blocks at once, or after any move of the cutter if
//! they have two common liberties.
//!
//! Every move of the attacker adds a fixed stone, so that no position repeats; a ban is waited for
//! with one pass, which does not count. So neither ko threats nor the meaning of passes and cycles
//! matter, except that the attacker must not have passed just before.

use super::{GoProblem, PASS, Point};
use crate::board::bits::Bits;
use crate::go::stones::Stones;
use tesuji_core::Game;

/// The inside of the marked stones.
struct Inside<B> {
    /// Everything that is connected to the marked stones without crossing fixed blocks.
    points: B,
    /// The inner points.
    inner: B,
    /// The marked stones, if they are a single block.
    block: B,
}

impl GoProblem {
    /// The inside of the marked stones, if it lies on the region.
    fn inside<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> Option<Inside<B>> {
        let owner = self.owner();
        let attackers = stones.of(1 - owner);
        let fixed = stones.reached(stones.grown(stones.empty() & !region) & attackers, attackers);
        if fixed.is_empty() {
            return None;
        }
        let points = stones.reached(targets, stones.board() & !fixed);
        if !(points & !region).is_empty() {
            return None;
        }
        let first = stones.block(owner, targets.lowest());
        let block = if (targets & !first).is_empty() { first } else { B::EMPTY };
        Some(Inside { points, inner: points & !stones.grown(fixed) & !block, block })
    }

    /// Whether inner points leave no room for a second eye.
    fn is_lost<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        inside: &Inside<B>,
    ) -> bool {
        let inner = inside.inner;
        let attacker = 1 - self.owner();
        match inner.count() {
            0 | 1 => true,
            2 => stones.around(inner.lowest()).contains(inner.without_lowest().lowest()),
            3 => {
                let middle = inner.members().find(|&point| (stones.around(point) & inner).count() == 2);
                let is_surrounded = (stones.grown(inner) & stones.board() & !inner & !inside.block).is_empty();
                middle.is_some_and(|middle| {
                    let ends = inner & !B::single(middle);
                    let is_open = stones.empty().contains(middle) && !(ends & stones.empty()).is_empty();
                    let plays = is_open && self.mover() == attacker && self.ban != middle as Point;
                    is_surrounded && (stones.of(attacker).contains(middle) || plays)
                })
            }
            _ => false,
        }
    }

    /// Whether the marked stones are unconditionally dead.
    pub(super) fn is_dead<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> bool {
        let has_passed = self.passes > 0 && self.mover() == self.owner();
        !has_passed && self.inside(stones, targets, region).is_some_and(|inside| self.is_lost(stones, &inside))
    }

    /// A move of the attacker that brings unconditionally dead stones closer to their end.
    pub(super) fn finishing_move<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> Option<Point> {
        let inside = self.inside(stones, targets, region)?;
        let fills = inside.points & !inside.inner & stones.empty();
        let keeps = |point: &usize| {
            let mut next = *self;
            next.play(*point as Point);
            next.static_death()
        };
        let order = fills.members().chain((inside.inner & stones.empty()).members());
        let legal = order.filter(|&point| stones.is_legal(self.mover(), point) && !self.is_banned(point));
        legal.into_iter().find(keeps).map(|point| point as Point).or(Some(PASS))
    }

    /// A move with which the defender is safe at once, or the pass for a block that has a liberty
    /// outside the region.
    pub(super) fn saving_move<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> Option<Point> {
        let owner = self.owner();
        if self.rules.any {
            return None;
        }
        let outside = stones.empty() & !region;
        let exits = stones.grown(outside) & region;
        for block in stones.blocks(owner, targets) {
            let liberties = stones.liberties(block);
            if self.rules.passes > 0 {
                if !(liberties & outside).is_empty() {
                    return Some(PASS);
                }
                if let Some(point) = (liberties & exits).members().find(|&point| !self.is_banned(point)) {
                    return Some(point as Point);
                }
            }
            for point in (liberties & region).members() {
                let with = stones.with(owner, point);
                let larger = with.block(owner, point);
                let makes_eyes = with.may_be_alive(owner, larger)
                    && !self.is_banned(point)
                    && stones.taken_by(owner, point).is_empty()
                    && stones.is_legal(owner, point)
                    && !(with.unconditionally_alive(owner) & larger).is_empty();
                if makes_eyes {
                    return Some(point as Point);
                }
            }
        }
        None
    }

    /// Whether the defender gets out, the attacker to move.
    pub(super) fn has_two_exits<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> bool {
        if self.rules.any || self.rules.passes < 0 {
            return false;
        }
        let outside = stones.empty() & !region;
        let exits = stones.grown(outside) & region;
        stones.blocks(self.owner(), targets).any(|block| {
            let liberties = stones.liberties(block);
            !(liberties & outside).is_empty() || (liberties & exits).count() >= 2
        })
    }

    /// A move with which the connector joins the marked blocks.
    pub(super) fn joining_move<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> Option<Point> {
        let owner = self.owner();
        let first = stones.block(owner, targets.lowest());
        let joins = |point: &usize| {
            (targets & !stones.with(owner, *point).block(owner, *point)).is_empty()
                && !self.is_banned(*point)
                && stones.is_legal(owner, *point)
        };
        (stones.liberties(first) & region).members().find(joins).map(|point| point as Point)
    }

    /// Whether two marked blocks have two common liberties and a third one, so that the connector
    /// joins them, the cutter to move: the cutter can take one of the liberties and none of the
    /// blocks.
    pub(super) fn is_joined_by_two<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> bool {
        let owner = self.owner();
        let first = stones.block(owner, targets.lowest());
        let rest = targets & !first;
        let second = stones.block(owner, rest.lowest());
        if !(rest & !second).is_empty() || self.passes > 0 {
            return false;
        }
        let liberties = [first, second].map(|block| stones.liberties(block));
        let all = liberties[0] | liberties[1];
        (liberties[0] & liberties[1] & region).count() >= 2 && all.count() >= 3
    }

    /// Whether the mover must not play a point because of a ko.
    fn is_banned(&self, point: usize) -> bool {
        self.ban == point as Point && self.threats[self.mover()] == 0
    }
}
