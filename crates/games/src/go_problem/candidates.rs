//! The moves near the target, by distance.
//!
//! Yoshizoe (2009) generates moves by *surrounding blocks*, a notion of Thomsen, and leaves the
//! details open. Here S1 are the attacker's blocks that touch the target or share a liberty with
//! it, Di the defender's blocks that touch Si, and Si+1 the attacker's blocks that touch Di, up to
//! i = 5. Blocks with more than [`MAX_LIBERTIES`] liberties are left out.
//!
//! | distance | points |
//! |---|---|
//! | 1 | liberties of the target; the last liberty of an S1 block |
//! | 2 | second liberties (empty neighbours of liberties); liberties of S1 blocks that have two |
//! | 3 | other liberties of S1 and D1 |
//! | i + 2 | liberties of Si and Di, for i = 2 to 5 |
//!
//! `moves=strong` are these points. `moves=weak` adds the empty points around them and around the
//! blocks, at one more than the smallest distance next to them. In the other games, the distance is
//! that to the liberties of the marked stones.

use super::{Generator, GoProblem, Goal, PASS, Point, on_stones};
use crate::board::bits::{Bits, Words};
use crate::go::stones::{STRIDES, Stones};

/// The largest distance: that of all points which are not near the target.
pub const MAX_DISTANCE: usize = 8;

/// How far blocks are followed. Raising it generates more moves.
const LEVELS: usize = 5;

/// Blocks with more liberties are not followed. Raising it generates more moves.
const MAX_LIBERTIES: u32 = 4;

/// Sets of points by distance, from 1; a point counts at the first set that has it.
type Levels<B> = [B; MAX_DISTANCE];

impl GoProblem {
    /// Whether not all legal moves are generated.
    #[inline]
    pub(super) fn is_pruned(&self) -> bool {
        self.rules.generator != Generator::All
    }

    /// Appends the generated moves of a side. The attacker passes only without another move.
    pub(super) fn pruned_moves(&self, moves: &mut Vec<Point>) {
        let begin = moves.len();
        let attacker_moves = self.mover() != self.owner();
        let passes = on_stones!(self, stones, narrow => {
            let (targets, region) = (narrow(&self.targets), narrow(&self.region));
            let rescue = if attacker_moves { None } else { self.rescue(&stones, targets, region) };
            let (points, passes) = match rescue {
                Some(points) => (points, false),
                None if attacker_moves || self.rules.prunes_defender => {
                    let levels = self.levels(&stones, targets);
                    let ban = if self.ban == PASS { Bits::EMPTY } else { Bits::single(usize::from(self.ban)) };
                    (levels.into_iter().fold(ban, |all, level| all | level), !attacker_moves)
                }
                None => (region, true),
            };
            moves.extend(self.points(&stones, points & region).map(|point| point as Point));
            passes
        });
        if passes || moves.len() == begin {
            moves.push(PASS);
        }
    }

    /// The points that can save a target in atari: its liberty, and the last liberties of blocks
    /// that touch it. After any other move the attacker takes it, so that leaving those out is
    /// sound. `None` if the target is not one block in atari.
    fn rescue<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
    ) -> Option<B> {
        let owner = self.owner();
        let target = stones.block(owner, targets.lowest());
        let liberty = stones.liberties(target);
        if !(targets & !target).is_empty() || liberty.count() != 1 || (liberty & region).is_empty() {
            return None;
        }
        let mut points = liberty;
        for block in stones.blocks(1 - owner, stones.grown(target)) {
            let liberties = stones.liberties(block);
            if liberties.count() == 1 {
                points |= liberties;
            }
        }
        Some(points)
    }

    /// The points near the target by distance.
    fn levels<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
    ) -> Levels<B> {
        if self.rules.goal != Goal::Capture {
            return by_distance(stones, targets);
        }
        let (mut levels, blocks) = surrounding(stones, self.owner(), targets);
        if self.rules.generator != Generator::Strong {
            widen(stones, &mut levels, blocks);
        }
        levels
    }

    /// The distance of an empty point.
    pub(super) fn distance(&self, point: Point) -> usize {
        on_stones!(self, stones, narrow => {
            let levels = self.levels(&stones, narrow(&self.targets));
            let found = levels.iter().position(|level| level.contains(usize::from(point)));
            found.map_or(MAX_DISTANCE, |at| at + 1)
        })
    }

    /// The distance of the stone that was played last, judged by the position after it: that of the
    /// nearest point next to it, plus one unless it touches the target.
    pub(super) fn distance_of_last(&self) -> usize {
        if self.last == PASS || self.targets.is_empty() {
            return MAX_DISTANCE;
        }
        let last = usize::from(self.last);
        on_stones!(self, stones, narrow => {
            let targets = narrow(&self.targets);
            let blocks = [0, 1].iter().flat_map(|&seat| stones.blocks(seat, targets));
            let target = blocks.fold(Bits::EMPTY, |all, block| all | block);
            if (target | stones.grown(target)).contains(last) {
                return 1;
            }
            if stones.grown(stones.liberties(target)).contains(last) {
                return 2;
            }
            let levels = self.levels(&stones, targets);
            let found = levels.iter().position(|level| stones.grown(*level).contains(last));
            found.map_or(MAX_DISTANCE, |at| (at + 2).clamp(3, MAX_DISTANCE))
        })
    }
}

/// The liberties of the target and of the blocks around it, and these blocks.
fn surrounding<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    owner: usize,
    targets: B,
) -> (Levels<B>, B) {
    let mut levels = [B::EMPTY; MAX_DISTANCE];
    let target = stones.blocks(owner, targets).fold(B::EMPTY, |all, block| all | block);
    let liberties = stones.liberties(target);
    levels[0] = liberties;
    levels[1] = stones.grown(liberties) & stones.empty();
    let mut counted = target;
    let mut reached = target | liberties;
    for level in 1..=LEVELS {
        for seat in [1 - owner, owner] {
            let mut blocks = B::EMPTY;
            for block in stones.blocks(seat, stones.grown(reached) & !counted) {
                let liberties = stones.liberties(block);
                let distance = match (level, seat == owner, liberties.count()) {
                    (_, _, MANY..) => continue,
                    (1, false, count) => count.min(3) as usize,
                    _ => level + 2,
                };
                levels[distance - 1] |= liberties;
                blocks |= block;
            }
            counted |= blocks;
            reached = blocks;
        }
        if reached.is_empty() {
            break;
        }
    }
    (levels, counted)
}

const MANY: u32 = MAX_LIBERTIES + 1;

/// Adds the empty points around those of the levels and around the blocks.
fn widen<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    levels: &mut Levels<B>,
    blocks: B,
) {
    let empty = stones.empty();
    let narrow = *levels;
    let mut all = levels.iter().fold(B::EMPTY, |all, level| all | *level);
    for (at, level) in narrow.iter().enumerate() {
        let around = stones.surroundings(*level) & empty & !all;
        levels[(at + 1).min(MAX_DISTANCE - 1)] |= around;
        all |= around;
    }
    levels[MAX_DISTANCE - 1] |= stones.surroundings(blocks) & empty & !all;
}

/// The empty points by their distance to the liberties of the marked stones.
fn by_distance<B: Bits, const STRIDE: usize, const CELLS: usize>(
    stones: &Stones<B, STRIDE, CELLS>,
    targets: B,
) -> Levels<B> {
    let mut levels = [B::EMPTY; MAX_DISTANCE];
    let blocks = [0, 1].iter().flat_map(|&seat| stones.blocks(seat, targets));
    let mut reached = stones.liberties(blocks.fold(B::EMPTY, |all, block| all | block));
    for level in &mut levels {
        *level = reached & stones.empty();
        reached |= stones.grown(reached) & stones.board();
    }
    levels
}
