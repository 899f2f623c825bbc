//! Ladders: capture by threats of order 1, read exactly.
//!
//! The attacker plays only moves after which it takes the target next if the defender passes; the
//! defender can then only extend or join at the last liberty, or take a block in atari that touches
//! the target. So a target with two liberties on the attacker's turn offers at most two moves, one
//! with three has escaped, and one with one liberty is taken.
//!
//! Two readers share the work. [`Chase`] follows lines without ko: it keeps the target and its
//! liberties along the line and looks only at the surroundings of the last stone. Kos go to
//! [`Ladder`], which plays on whole positions with all rules, and returns to the chase when the ban
//! is gone.

use super::{GoProblem, Goal, KEYS, PASS, Point, on_stones};
use crate::board::bits::{Bits, Words};
use crate::go::stones::{STRIDES, Stones};
use tesuji_core::{Game, Knowledge, Player};

/// Reading stops after this many positions, and λ search takes over. Few ladders need a thousand;
/// raising it lets captures inside ladders be read longer.
const MAX_NODES: u64 = 1 << 20;

impl GoProblem {
    /// See [`Knowledge::order_one`]. `None` where options change what a threat is, and where the
    /// marked stones are not one block.
    pub(super) fn ladder(&self, attacker: Player, nodes: &mut u64) -> Option<bool> {
        let rules = &self.rules;
        let plain = rules.goal == Goal::Capture
            && (rules.passes, rules.cycle) == (1, 1)
            && !(1..3).contains(&rules.escape)
            && attacker.index() != self.owner();
        if !plain {
            return None;
        }
        if self.is_over() {
            return Some(self.score < 0);
        }
        let attacks = self.to_move == attacker;
        // Most targets have too many liberties for a ladder.
        let is_open = on_stones!(self, stones, narrow => {
            let targets = narrow(&self.targets);
            let (target, liberties) = self.target(&stones, targets);
            if !(targets & !target).is_empty() {
                return None;
            }
            liberties.count() <= if attacks { 2 } else { 1 }
        });
        if !is_open {
            *nodes += 1;
            return Some(false);
        }
        let mut ladder = Ladder { nodes: 0, path: Vec::new() };
        let takes = if attacks { ladder.attack(*self) } else { ladder.defend(*self) };
        *nodes += ladder.nodes;
        (ladder.nodes < MAX_NODES).then_some(takes)
    }

    /// See [`Knowledge::failing_order`]. A threat of order l leaves the target at most l liberties:
    /// were the defender to pass, each further threat could take one, and the last takes the
    /// target. So with the attacker to move all orders up to two less than the liberties fail, and
    /// with the defender to move one more.
    pub(super) fn order_out_of_reach(&self, attacker: Player) -> usize {
        let rules = &self.rules;
        let is_plain = matches!(rules.goal, Goal::Capture | Goal::Life) && (rules.passes, rules.cycle) == (1, 1);
        if !is_plain || self.is_over() || attacker.index() == self.owner() {
            return 0;
        }
        let liberties = on_stones!(self, stones, narrow => {
            let blocks = stones.blocks(self.owner(), narrow(&self.targets));
            let counts = blocks.map(|block| stones.liberties(block).count());
            if rules.any { counts.min() } else { counts.max() }
        });
        let least = if self.to_move == attacker { 2 } else { 1 };
        liberties.unwrap_or(0).saturating_sub(least) as usize
    }

    /// The target and its liberties.
    fn target<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
    ) -> (B, B) {
        let target = stones.block(self.owner(), targets.lowest());
        (target, stones.liberties(target))
    }
}

/// The reader on whole positions.
struct Ladder {
    nodes: u64,
    /// The positions of the line up to now, without those inside a chase, which looks for
    /// repetitions by itself.
    path: Vec<GoProblem>,
}

impl Ladder {
    /// The result, if the position ends the line.
    fn end(&mut self, position: &GoProblem) -> Option<bool> {
        self.nodes += 1;
        if self.nodes >= MAX_NODES {
            return Some(false);
        }
        if position.is_over() {
            return Some(position.score < 0);
        }
        let key = position.key();
        let first = self.path.iter().position(|earlier| earlier.key() == key)?;
        let mut cycle = self.path[first..].to_vec();
        cycle.push(*position);
        Some(GoProblem::repetition_outcome(&cycle).score(Player(position.owner)) < 0)
    }

    /// Whether the attacker, to move, takes the target.
    fn attack(&mut self, position: GoProblem) -> bool {
        if let Some(result) = self.end(&position) {
            return result;
        }
        let mut moves = Vec::new();
        let takes = on_stones!(position, stones, narrow => {
            let (target, liberties) = position.target(&stones, narrow(&position.targets));
            let region = narrow(&position.region);
            let playable = !(liberties & region).is_empty();
            match liberties.count() {
                2 if position.ban == PASS => {
                    let hunters = stones.grown(target);
                    let shaky = stones.in_atari(1 - position.owner(), hunters);
                    let line = Line { stones, target, liberties, shaky };
                    self.path.push(position);
                    let owner = position.owner();
                    let mut chase = Chase { ladder: self, position: &position, owner, region, captures: Vec::new() };
                    let takes = chase.attack(&line);
                    self.path.pop();
                    takes
                }
                1 if position.static_move().is_some() => true,
                // After any move the ban is lifted, so that any move is a threat.
                1 if playable => {
                    position.legal_moves(&mut moves);
                    false
                }
                2 if playable => {
                    moves.extend(liberties.members().map(|point| point as Point));
                    false
                }
                _ => false,
            }
        });
        takes || self.any_attack(position, &moves)
    }

    fn any_attack(&mut self, position: GoProblem, moves: &[Point]) -> bool {
        self.path.push(position);
        let takes = moves.iter().any(|&mv| {
            position.is_legal(mv) && {
                let mut next = position;
                next.play(mv);
                self.defend(next)
            }
        });
        self.path.pop();
        takes
    }

    /// Whether the attacker takes the target if the defender is to move: the attacker must threaten
    /// to, and every reply must fail.
    fn defend(&mut self, position: GoProblem) -> bool {
        if let Some(result) = self.end(&position) {
            return result;
        }
        let threatens = position.null_move().is_some_and(|next| !next.is_over() && next.static_move().is_some());
        // A pass that ends the game saves the target.
        if !threatens || position.passes == 1 {
            return false;
        }
        let mut replies: Vec<Point> = Vec::new();
        on_stones!(position, stones, narrow => {
            let (target, liberties) = position.target(&stones, narrow(&position.targets));
            replies.push(liberties.lowest() as Point);
            for block in stones.blocks(1 - position.owner(), stones.grown(target)) {
                let liberties = stones.liberties(block);
                let point = liberties.lowest() as Point;
                if liberties.count() == 1 && !replies.contains(&point) {
                    replies.push(point);
                }
            }
        });
        self.path.push(position);
        let takes = replies.iter().all(|&mv| {
            !position.is_legal(mv) || {
                let mut next = position;
                next.play(mv);
                self.attack(next)
            }
        });
        self.path.pop();
        takes
    }
}

impl GoProblem {
    fn is_legal(&self, point: Point) -> bool {
        if point == PASS {
            return true;
        }
        let at = usize::from(point);
        self.region.contains(at)
            && (point != self.ban || self.threats[self.mover()] > 0)
            && on_stones!(self, stones, _narrow => stones.empty().contains(at) && stones.is_legal(self.mover(), at))
    }
}

/// A target with two liberties on the attacker's turn, without a ban.
#[derive(Clone, Copy)]
struct Line<B, const STRIDE: usize, const CELLS: usize> {
    stones: Stones<B, STRIDE, CELLS>,
    target: B,
    liberties: B,
    /// The attacker's blocks in atari that touch the target.
    shaky: B,
}

/// The reader of lines without ko.
struct Chase<'a, B> {
    ladder: &'a mut Ladder,
    /// The position from which the chase began.
    position: &'a GoProblem,
    owner: usize,
    region: B,
    /// The stones after each capture of the line. Only a line with captures can repeat a position.
    captures: Vec<[B; 2]>,
}

impl<B: Bits> Chase<'_, B> {
    /// Whether the attacker, to move, takes the target.
    fn attack<const STRIDE: usize, const CELLS: usize>(&mut self, line: &Line<B, STRIDE, CELLS>) -> bool {
        self.ladder.nodes += 1;
        if self.ladder.nodes >= MAX_NODES || !(line.liberties & !self.region).is_empty() {
            return false;
        }
        let one = line.liberties.lowest();
        let other = line.liberties.without_lowest().lowest();
        let new = line.stones.empty() & !line.liberties;
        let counts = [one, other].map(|point| line.stones.count_next_to(point, new));
        // The attacker first plays where the defender would gain most by extending. Where an
        // extension makes three liberties, the attacker must play there.
        let (first, second) = if counts[0] >= counts[1] { (one, other) } else { (other, one) };
        let forced = counts[0].max(counts[1]) >= 3;
        (counts[0].min(counts[1]) < 3 && self.defend(line, first, second))
            || (!forced && self.defend(line, second, first))
    }

    /// Whether the attacker takes the target after a stone on one liberty, which leaves `last`.
    #[inline]
    fn defend<const STRIDE: usize, const CELLS: usize>(
        &mut self,
        line: &Line<B, STRIDE, CELLS>,
        played: usize,
        last: usize,
    ) -> bool {
        let (owner, attacker) = (self.owner, 1 - self.owner);
        let stones = &line.stones;
        let others = stones.of(owner) & !line.target;
        if stones.is_next_to(played, others) {
            let taken = stones.taken_by(attacker, played);
            if !taken.is_empty() {
                return self.after_capture(stones, attacker, played, taken, |chase, after| {
                    let shaky = after.in_atari(attacker, after.grown(line.target));
                    chase.answer(after, line.target, last, shaky)
                });
            }
        }
        if !stones.is_legal(attacker, played) {
            return false;
        }
        let after = stones.with(attacker, played);
        let mut shaky = line.shaky;
        if stones.is_next_to(played, shaky) {
            // The stone may have saved one of them.
            shaky &= !after.block(attacker, played);
        }
        shaky |= after.atari_of(attacker, played, after.empty());
        self.answer(&after, line.target, last, shaky)
    }

    /// Whether the attacker takes the target, which has one liberty. The defender extends, or takes
    /// one of the blocks in atari.
    #[inline]
    fn answer<const STRIDE: usize, const CELLS: usize>(
        &mut self,
        stones: &Stones<B, STRIDE, CELLS>,
        target: B,
        last: usize,
        shaky: B,
    ) -> bool {
        self.ladder.nodes += 1;
        let (owner, attacker) = (self.owner, 1 - self.owner);
        let gives = stones.taken_by(owner, last);
        let extended = gives.is_empty().then(|| self.extension(stones, target, last)).flatten();
        // Liberties of an extension that takes nothing; most ladders are decided by it alone.
        if extended.is_some_and(|(_, liberties)| liberties.count() >= 3) {
            return false;
        }
        let takes = if !gives.is_empty() {
            self.reply(stones, target, shaky, last)
        } else if let Some((grown, liberties)) = extended {
            match liberties.count() {
                1 => !(liberties & self.region).is_empty(),
                _ => {
                    let stones = stones.with(owner, last);
                    // Only blocks next to the new stone have lost a liberty, and only those next to
                    // what the target has grown by touch it now.
                    let more = if grown == target | B::single(last) {
                        stones.in_atari_next_to(attacker, last)
                    } else {
                        stones.in_atari(attacker, stones.grown(grown & !target))
                    };
                    let shaky = shaky | more;
                    self.attack(&Line { stones, target: grown, liberties, shaky })
                }
            }
        } else {
            true
        };
        takes && (shaky.is_empty() || self.answer_by_capture(stones, target, shaky, last))
    }

    /// Whether the attacker takes the target although the defender takes a block in atari.
    #[inline(never)]
    fn answer_by_capture<const STRIDE: usize, const CELLS: usize>(
        &mut self,
        stones: &Stones<B, STRIDE, CELLS>,
        target: B,
        shaky: B,
        last: usize,
    ) -> bool {
        let mut points = B::EMPTY;
        for block in stones.blocks(1 - self.owner, shaky) {
            points |= stones.liberties(block);
        }
        points &= self.region & !B::single(last);
        points.members().all(|point| self.reply(stones, target, shaky, point))
    }

    /// Whether the attacker takes the target after a reply that takes something.
    fn reply<const STRIDE: usize, const CELLS: usize>(
        &mut self,
        stones: &Stones<B, STRIDE, CELLS>,
        before: B,
        shaky: B,
        point: usize,
    ) -> bool {
        if !self.region.contains(point) {
            return true;
        }
        let (owner, attacker) = (self.owner, 1 - self.owner);
        let taken = stones.taken_by(owner, point);
        self.after_capture(stones, owner, point, taken, |chase, after| {
            let target = after.reached(before, after.of(owner));
            let liberties = after.liberties(target);
            match liberties.count() {
                1 => !(liberties & chase.region).is_empty(),
                2 => {
                    let mut shaky = shaky & !taken | after.in_atari(attacker, after.grown(target & !before));
                    if !target.contains(point) {
                        let around = after.in_atari_next_to(attacker, point) & !shaky;
                        let touching = after.blocks(attacker, around & after.grown(target));
                        shaky = touching.fold(shaky, |all, block| all | block);
                    }
                    chase.attack(&Line { stones: *after, target, liberties, shaky })
                }
                _ => false,
            }
        })
    }

    /// Goes on after a move that takes stones: in the chase, or with all rules if it is a ko.
    fn after_capture<const STRIDE: usize, const CELLS: usize>(
        &mut self,
        stones: &Stones<B, STRIDE, CELLS>,
        mover: usize,
        point: usize,
        taken: B,
        go_on: impl FnOnce(&mut Self, &Stones<B, STRIDE, CELLS>) -> bool,
    ) -> bool {
        if taken.count() == 1 && stones.is_ko_shape(mover, point) {
            return self.with_all_rules(stones, mover, point);
        }
        let after = stones.with(mover, point).without(1 - mover, taken);
        let both = [after.of(0), after.of(1)];
        if self.captures.contains(&both) {
            // A cycle without ko is left to λ search.
            self.ladder.nodes = MAX_NODES;
            return false;
        }
        self.captures.push(both);
        let takes = go_on(self, &after);
        self.captures.pop();
        takes
    }

    /// The target and its liberties after an extension that takes nothing; `None` if it is illegal.
    #[inline]
    fn extension<const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        target: B,
        last: usize,
    ) -> Option<(B, B)> {
        let around = stones.around(last);
        let (mut grown, mut liberties) = (target | B::single(last), around & stones.empty());
        let friends = around & stones.of(self.owner) & !target;
        if !friends.is_empty() {
            for block in stones.blocks(self.owner, friends) {
                grown |= block;
                liberties |= stones.liberties(block);
            }
            liberties &= !B::single(last);
        }
        (!liberties.is_empty()).then_some((grown, liberties))
    }

    /// Plays a move on the whole position and goes on from there.
    #[inline(never)]
    fn with_all_rules<const STRIDE: usize, const CELLS: usize>(
        &mut self,
        stones: &Stones<B, STRIDE, CELLS>,
        mover: usize,
        point: usize,
    ) -> bool {
        let mut position = *self.position;
        for seat in [0, 1] {
            let before = B::from_words(&position.stones[seat].0);
            for changed in (stones.of(seat) ^ before).members() {
                position.stones[seat] ^= Words::single(changed);
                position.board_key ^= KEYS[seat][changed];
            }
        }
        (position.passes, position.to_move) = (0, Player(mover as u8));
        position.play(point as Point);
        if mover == self.owner { self.ladder.attack(position) } else { self.ladder.defend(position) }
    }
}

impl<B: Bits, const STRIDE: usize, const CELLS: usize> Stones<B, STRIDE, CELLS> {
    /// The blocks of a player in atari that have stones in `some`.
    fn in_atari(&self, seat: usize, some: B) -> B {
        let empty = self.empty();
        let (mut found, mut rest) = (B::EMPTY, some & self.of(seat));
        while !rest.is_empty() {
            let stone = rest.lowest();
            rest = rest.without_lowest();
            let block = self.atari_of(seat, stone, empty);
            rest &= !block;
            found |= block;
        }
        found
    }

    /// The blocks of a player in atari that touch a point.
    #[inline]
    fn in_atari_next_to(&self, seat: usize, point: usize) -> B {
        let (empty, own) = (self.empty(), self.of(seat));
        let mut found = B::EMPTY;
        for stone in self.next_to(point) {
            if own.contains(stone) && !found.contains(stone) {
                found |= self.atari_of(seat, stone, empty);
            }
        }
        found
    }

    /// The block of a stone if it is in atari, otherwise nothing. Most blocks have a stone with two
    /// empty neighbours, which shows that they are not.
    #[inline]
    fn atari_of(&self, seat: usize, stone: usize, empty: B) -> B {
        match self.count_next_to(stone, empty) {
            0 | 1 => self.block_in_atari(seat, stone, empty),
            _ => B::EMPTY,
        }
    }

    /// The same from stone to stone: for the few stones that it takes to find two liberties, that
    /// is faster than a flood fill.
    fn block_in_atari(&self, seat: usize, stone: usize, empty: B) -> B {
        let own = self.of(seat);
        let (mut block, mut rest) = (B::single(stone), B::single(stone));
        let mut liberty = None;
        while !rest.is_empty() {
            let at = rest.lowest();
            rest = rest.without_lowest();
            for neighbour in self.next_to(at) {
                if empty.contains(neighbour) {
                    if *liberty.get_or_insert(neighbour) != neighbour {
                        return B::EMPTY;
                    }
                } else if own.contains(neighbour) && !block.contains(neighbour) {
                    block |= B::single(neighbour);
                    rest |= B::single(neighbour);
                }
            }
        }
        block
    }
}
