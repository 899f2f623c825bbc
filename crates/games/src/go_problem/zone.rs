//! Zones: what a proof that stones are taken, or live, depends on.
//!
//! A zone of "W wins p" is a set of points: W also wins every position with the same stones, marks
//! and ban on these points, the same player to move, threats and region. The stones elsewhere may
//! be any, as long as every block has a liberty. Relevance zones for Go are due to Thomsen (2000,
//! lambda-search); the closure below follows the supplement of Shih, Wu, Wei and others (2022, "A
//! novel approach to solving goal-achieving problems for board games"), which excludes ko.
//!
//! Let O be the opponent of W.
//!
//! - **Whole blocks, and one liberty of each.** Where a zone has one stone of a block it has all of
//!   them, and a liberty: stones elsewhere then cannot capture it.
//! - **Ends.** Taken stones: nothing; the move that took them adds what it needs. Unconditional
//!   life: a set of blocks and vital regions that support each other. Liberties outside the region,
//!   or enough liberties: the block with these.
//! - **A move of W**: the point, its new block with a liberty, and every captured block with all
//!   its neighbours, so that the move is legal and captures the same.
//! - **Replies of O.** A pass is a null move, so that only replies in the zone S of the position
//!   after it need answers of their own. Two rules make the replies in S the same elsewhere. (a) A
//!   point of S that is suicide stays suicide: its neighbours, and O's blocks there with all their
//!   neighbours. (b) A reply captures the same: W's blocks around such a point have a liberty
//!   elsewhere; captured blocks come with all their neighbours, and with the neighbours of the
//!   stone that captures, on which depends whether it starts a ko.
//! - **Ko.** Where a ban forbids a reply of S, or a threat allows a move, both points of the ko and
//!   their neighbours belong to the zone.
//!
//! There is no zone (but all points) where W passes, where both sides have passed, and where a
//! position repeats: W's pass may end the game where a stone elsewhere would not, and repetition
//! means the whole board. So zones of stones that live are found with `seki=dead`, under which the
//! defender cannot rely on passing.
//!
//! Generators (`moves=weak`, `strong`) look at blocks anywhere, and leave no zones.

use super::goal::End;
use super::{GoProblem, PASS, Point, on_stones};
use crate::board::bits::{Bits, Words};
use crate::go::stones::{STRIDES, Stones};
use tesuji_core::{CellSet, Player, ZoneRules};

/// A rule of closure. Tests leave them out one by one to show that each is needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closure {
    /// Every block of the zone has a liberty there.
    Liberties,
    /// What is suicide in the zone stays suicide (a).
    Suicides,
    /// What is captured in the zone is captured elsewhere (b).
    Captures,
}

/// The zone rules of `capture` and `life`.
#[derive(Clone, Copy, Debug)]
pub struct GoZones {
    left_out: Option<Closure>,
}

/// The complete rules.
pub(super) static ZONES: GoZones = GoZones { left_out: None };

impl GoZones {
    /// The rules without one of them, which are wrong.
    pub fn without(rule: Closure) -> GoZones {
        GoZones { left_out: Some(rule) }
    }

    fn has(&self, rule: Closure) -> bool {
        self.left_out != Some(rule)
    }

    /// Adds whole blocks, and a liberty of each.
    fn closed<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        region: B,
        zone: B,
    ) -> B {
        let mut closed = zone & stones.board();
        for seat in [0, 1] {
            for block in stones.blocks(seat, zone) {
                closed |= block;
                if self.has(Closure::Liberties) {
                    closed |= liberty_to_add(stones, region, block, closed);
                }
            }
        }
        closed
    }

    /// The zone of a position before a move of the winner, without the ko rules.
    fn before_stone<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        region: B,
        (mover, at): (usize, usize),
        after: B,
    ) -> B {
        let taken = stones.taken_by(mover, at);
        let next = stones.with(mover, at).without(1 - mover, taken);
        let block = next.block(mover, at);
        let mut zone = after | block | with_neighbours(stones, taken);
        if taken.is_empty() {
            zone |= liberty_to_add(&next, region, block, zone);
        }
        self.closed(stones, region, zone)
    }

    /// The zone of a position before the replies of `mover`, without the ko rules.
    fn before_stones<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        region: B,
        mover: usize,
        (within, after): (B, B),
    ) -> B {
        let mut zone = after;
        for at in (within & stones.empty() & region).members() {
            let around = stones.around(at) & stones.board();
            if !stones.is_legal(mover, at) {
                zone |= self.of_suicide(stones, region, (mover, at), zone);
                continue;
            }
            let taken = stones.taken_by(mover, at);
            if !taken.is_empty() && self.has(Closure::Captures) {
                zone |= around | with_neighbours(stones, taken);
            }
        }
        self.closed(stones, region, zone)
    }

    /// What makes a point suicide for `mover`, in addition to a zone.
    fn of_suicide<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        region: B,
        (mover, at): (usize, usize),
        zone: B,
    ) -> B {
        let around = stones.around(at) & stones.board();
        let mut added = B::EMPTY;
        if self.has(Closure::Suicides) {
            added |= around;
            for block in stones.blocks(mover, around) {
                added |= with_neighbours(stones, block);
            }
        }
        if self.has(Closure::Captures) {
            for block in stones.blocks(1 - mover, around) {
                let elsewhere = (zone | added) & !B::single(at);
                added |= block | liberty_to_add(&stones.with(mover, at), region, block, elsewhere);
            }
        }
        added
    }
}

/// A liberty of a block, if none of its liberties is in the zone. One outside the region cannot be
/// played, so that it asks for no further reply.
fn liberty_to_add<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    region: B,
    block: B,
    zone: B,
) -> B {
    let liberties = stones.liberties(block);
    if liberties.is_empty() || !(liberties & zone).is_empty() {
        return B::EMPTY;
    }
    let outside = liberties & !region;
    B::single(if outside.is_empty() { liberties.lowest() } else { outside.lowest() })
}

/// A set of stones with all neighbours.
fn with_neighbours<B: Bits, const STRIDE: usize, const CELLS: usize>(stones: &Stones<B, STRIDE, CELLS>, set: B) -> B {
    (set | stones.grown(set)) & stones.board()
}

/// The points of a ko in which a stone on `ban` was just captured, with their neighbours.
fn ko_points<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    mover: usize,
    ban: usize,
) -> B {
    let around = stones.around(ban) & stones.board();
    let taker = stones.blocks(1 - mover, around).filter(|&block| stones.liberties(block) == B::single(ban));
    taker.fold(B::single(ban) | around, |points, block| points | with_neighbours(stones, block))
}

/// The blocks and vital regions that make a block unconditionally alive: two regions for every
/// block, and every block that touches one of them.
fn vital_points<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    seat: usize,
    block: B,
    alive: B,
) -> B {
    let others = stones.board() & !stones.of(seat);
    let mut zone = B::EMPTY;
    let mut open = block;
    while !open.is_empty() {
        let block = stones.block(seat, open.lowest());
        zone |= block;
        let liberties = stones.liberties(block);
        let mut regions: Vec<B> = Vec::new();
        let mut starts = liberties;
        while !starts.is_empty() {
            let region = stones.reached(B::single(starts.lowest()), others);
            starts &= !region;
            let is_vital = (region & stones.empty() & !liberties).is_empty();
            let owners = stones.grown(region) & stones.of(seat);
            if is_vital && (owners & !alive).is_empty() {
                regions.push(region);
            }
        }
        regions.sort_by_key(|&region| (region & !zone).count());
        debug_assert!(regions.len() >= 2, "an unconditionally alive block has two vital regions");
        for &region in regions.iter().take(2) {
            zone |= region;
            open |= stones.grown(region) & stones.of(seat);
        }
        for touched in stones.blocks(seat, open) {
            open |= touched;
        }
        open &= !zone;
    }
    zone
}

impl GoProblem {
    /// The smallest zone of a safe marked block; of all of them, if all must be safe.
    fn zone_of_safety<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> Option<B> {
        let owner = self.owner();
        let alive = stones.unconditionally_alive(owner);
        let first = |number: usize, set: B| set.members().take(number).fold(B::EMPTY, |some, at| some | B::single(at));
        let escape = usize::from(self.rules.escape);
        let zone_of = |block: B| {
            let liberties = stones.liberties(block);
            let exits = liberties & !region;
            if exits.count() >= 2 {
                return Some(block | first(2, exits));
            }
            if escape > 0 && self.mover() != owner && liberties.count() as usize >= escape {
                return Some(block | first(escape, liberties));
            }
            (!(alive & block).is_empty()).then(|| vital_points(stones, owner, block, alive))
        };
        let mut zones = stones.blocks(owner, targets).map(zone_of);
        if self.rules.any {
            zones.try_fold(B::EMPTY, |all, zone| Some(all | zone?))
        } else {
            zones.flatten().min_by_key(|zone| zone.count())
        }
    }

    /// The cell of a point.
    fn cell_of(&self, point: usize) -> usize {
        let (column, row) = self.column_row(point as Point);
        (self.size() - 1 - row) * self.size() + column
    }

    fn cells_of<B: Bits>(&self, points: B) -> CellSet {
        points.members().map(|point| self.cell_of(point)).collect()
    }

    fn points_of(&self, cells: &CellSet) -> Words<7> {
        let size = self.size();
        let point = |cell: usize| usize::from(self.point(cell % size, size - 1 - cell / size));
        let on_board = cells.iter().take_while(|&cell| cell < size * size);
        on_board.fold(Words::EMPTY, |set, cell| set | Words::single(point(cell)))
    }
}

impl ZoneRules<GoProblem> for GoZones {
    fn at_end(&self, position: &GoProblem, winner: Player) -> Option<CellSet> {
        match position.end {
            End::Taken => Some(CellSet::EMPTY),
            End::Safe if winner.index() == position.owner() => on_stones!(position, stones, narrow => {
                let (targets, region) = (narrow(&position.targets), narrow(&position.region));
                let zone = position.zone_of_safety(&stones, targets, region)?;
                Some(position.cells_of(self.closed(&stones, region, zone)))
            }),
            _ => None,
        }
    }

    fn changed(&self, position: &GoProblem, point: Point) -> CellSet {
        if point == PASS {
            return CellSet::EMPTY;
        }
        // A threat is spent, which no other reply does: neither a null move nor answered by one.
        if point == position.ban {
            return (0..CellSet::CAPACITY).collect();
        }
        on_stones!(position, stones, narrow => {
            let at = usize::from(point);
            let mut changed = stones.taken_by(position.mover(), at);
            changed |= narrow(&Words::single(at));
            position.cells_of(changed)
        })
    }

    fn before_move(&self, position: &GoProblem, point: Point, after: &CellSet) -> Option<CellSet> {
        if point == PASS {
            return None;
        }
        let after = position.points_of(after);
        Some(on_stones!(position, stones, narrow => {
            let mut zone = narrow(&after);
            if point == position.ban {
                zone |= ko_points(&stones, position.mover(), usize::from(point));
            }
            let region = narrow(&position.region);
            position.cells_of(self.before_stone(&stones, region, (position.mover(), usize::from(point)), zone))
        }))
    }

    fn before_replies(&self, position: &GoProblem, within: &CellSet, after: &CellSet) -> Option<CellSet> {
        let (within, after) = (position.points_of(within), position.points_of(after));
        Some(on_stones!(position, stones, narrow => {
            let (within, mut zone) = (narrow(&within), narrow(&after));
            if position.ban != PASS && within.contains(usize::from(position.ban)) {
                zone |= ko_points(&stones, position.mover(), usize::from(position.ban));
            }
            let region = narrow(&position.region);
            position.cells_of(self.before_stones(&stones, region, position.mover(), (within, zone)))
        }))
    }
}
