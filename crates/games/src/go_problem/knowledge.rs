//! What is known without search.

use super::candidates::MAX_DISTANCE;
use super::zone::ZONES;
use super::{Generator, GoProblem, Goal, PASS, Point, ProblemRules, on_stones};
use crate::board::bits::{Bits, Words};
use crate::go::stones::{STRIDES, Stones};
use tesuji_core::{
    Bounds, Game, Knowledge, Outcome, Player, PlayoutContext, Rng, Trace, ZoneRules, plain_pattern_playout,
};

impl GoProblem {
    /// A move that takes what the mover has to take.
    fn winning_capture(&self) -> Option<Point> {
        let mover = self.mover();
        if self.rules.goal != Goal::Semeai && mover == self.owner() {
            return None;
        }
        on_stones!(self, stones, narrow => {
            let is_enough = self.rules.any || self.rules.goal == Goal::Connect;
            self.capture_of(&stones, narrow(&self.targets) & stones.of(1 - mover), narrow(&self.region), is_enough)
        })
    }

    /// A move that takes all of the marked stones, or one block of them if that is enough.
    fn capture_of<B: Bits, const STRIDE: usize, const CELLS: usize>(
        &self,
        stones: &Stones<B, STRIDE, CELLS>,
        targets: B,
        region: B,
        is_enough: bool,
    ) -> Option<Point> {
        let seat = 1 - self.mover();
        let takes = |liberties: B| {
            let point = (liberties.count() == 1).then(|| liberties.lowest())?;
            let is_banned = point == usize::from(self.ban) && self.threats[self.mover()] == 0;
            (region.contains(point) && !is_banned).then_some(point as Point)
        };
        if is_enough {
            return stones.blocks(seat, targets).find_map(|block| takes(stones.liberties(block)));
        }
        let mut all = B::EMPTY;
        for block in stones.blocks(seat, targets) {
            all |= stones.liberties(block);
            if all.count() > 1 {
                return None;
            }
        }
        takes(all)
    }

    /// The fewest liberties of a marked block of a player, or 0.
    fn fewest_liberties(&self, seat: usize) -> u32 {
        on_stones!(self, stones, narrow => {
            let blocks = stones.blocks(seat, narrow(&self.targets));
            blocks.map(|block| stones.liberties(block).count()).min().unwrap_or(0)
        })
    }

    /// Whether the marked stones are unconditionally dead.
    pub(super) fn static_death(&self) -> bool {
        on_stones!(self, stones, narrow => self.is_dead(&stones, narrow(&self.targets), narrow(&self.region)))
    }

    /// The next move against unconditionally dead stones.
    fn static_kill(&self) -> Option<Point> {
        let next = || {
            on_stones!(self, stones, narrow => {
                self.finishing_move(&stones, narrow(&self.targets), narrow(&self.region))
            })
        };
        if self.static_death() { next() } else { None }
    }

    /// A move that makes the marked stones safe at once.
    fn static_life(&self) -> Option<Point> {
        on_stones!(self, stones, narrow => self.saving_move(&stones, narrow(&self.targets), narrow(&self.region)))
    }

    fn gets_out(&self) -> bool {
        on_stones!(self, stones, narrow => self.has_two_exits(&stones, narrow(&self.targets), narrow(&self.region)))
    }

    /// A move that joins the marked blocks.
    fn static_connection(&self) -> Option<Point> {
        on_stones!(self, stones, narrow => self.joining_move(&stones, narrow(&self.targets), narrow(&self.region)))
    }

    fn is_connected(&self) -> bool {
        on_stones!(self, stones, narrow => {
            self.is_joined_by_two(&stones, narrow(&self.targets), narrow(&self.region))
        })
    }

    fn is_own_eye(&self, point: Point) -> bool {
        on_stones!(self, stones, _narrow => stones.is_eye(self.mover(), usize::from(point)))
    }
}

impl Knowledge for GoProblem {
    const STATIC_BOUNDS_IGNORE_HISTORY: bool = true;

    /// By the fewest liberties of a marked block: in a race those of both sides, otherwise 2.5 are
    /// even. Connections are not evaluated.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let value = match self.rules.goal {
            Goal::Connect => return None,
            Goal::Semeai => {
                let [black, white] = [0, 1].map(|seat| self.fewest_liberties(seat) as f32);
                (black - white) / (black + white + 1.0)
            }
            Goal::Capture | Goal::Life => {
                let liberties = self.fewest_liberties(self.owner()) as f32;
                (liberties - 2.5) / (liberties + 3.5)
            }
        };
        Some(if player.index() == self.owner() { value } else { -value })
    }

    /// Near points first, the pass last.
    fn move_order(&self, point: Point) -> Option<i32> {
        Some(if point == PASS { -1 } else { (MAX_DISTANCE - self.distance(point)) as i32 })
    }

    /// A node is as hard as the move that led to it is far from the target: 2^(d-1) for the side
    /// that moved (the start values of df-pn+ in Yoshizoe 2009).
    fn initial_proof_numbers(&self, player: Player) -> Option<(u32, u32)> {
        let far = 1 << (self.distance_of_last() - 1);
        Some(if self.to_move == player { (1, far) } else { (far, 1) })
    }

    /// Taking the marked stones wins. In `life` and `connect` also what is settled without search.
    fn static_bounds(&self, player: Player) -> Option<Bounds> {
        let owner_moves = self.mover() == self.owner();
        let mover = match self.rules.goal {
            _ if self.winning_capture().is_some() => Some(true),
            Goal::Life if self.static_death() => Some(!owner_moves),
            Goal::Life if owner_moves => self.static_life().map(|_| true),
            Goal::Life => self.gets_out().then_some(false),
            Goal::Connect if owner_moves => self.static_connection().map(|_| true),
            Goal::Connect => self.is_connected().then_some(false),
            Goal::Capture | Goal::Semeai => None,
        };
        mover.map(|wins| Bounds::exact(player, if wins == (player == self.to_move) { 1 } else { -1 }))
    }

    fn static_move(&self) -> Option<Point> {
        let owner_moves = self.mover() == self.owner();
        let taking = self.winning_capture();
        match self.rules.goal {
            _ if taking.is_some() => taking,
            Goal::Life if owner_moves => self.static_life(),
            Goal::Life => self.static_kill(),
            Goal::Connect if owner_moves => self.static_connection(),
            _ => None,
        }
    }

    /// A pass that neither counts towards the end of the game nor leaves a ban: the opponent plays
    /// twice in a row. λ search tests threats with it.
    fn null_move(&self) -> Option<GoProblem> {
        let mut next = *self;
        next.to_move = self.to_move.opponent();
        (next.ban, next.last, next.passes) = (PASS, PASS, 0);
        if self.rules.escape > 0 {
            next.settle();
        }
        Some(next)
    }

    fn order_one(&self, attacker: Player, nodes: &mut u64) -> Option<bool> {
        self.ladder(attacker, nodes)
    }

    fn failing_order(&self, attacker: Player) -> usize {
        self.order_out_of_reach(attacker)
    }

    /// Generators look at blocks anywhere on the board.
    fn zone_rules(rules: &ProblemRules) -> Option<&'static dyn ZoneRules<GoProblem>> {
        let takes = matches!(rules.goal, Goal::Capture | Goal::Life);
        if takes && rules.generator == Generator::All { Some(&ZONES) } else { None }
    }

    /// Of 30 problems of life and death with 14 to 18 empty points (Gokyo Shumyo, near regions, no
    /// ko threats), `dfpn:sums=weak` solved 8 in at most 1,500,000 nodes, and `dfpn:init=game` 3.
    fn auto_solver(rules: &ProblemRules) -> (&'static str, &'static str) {
        match rules.goal {
            Goal::Capture => ("lambda:order=2,init=game", "most captures are ladders, or nets of threats to capture"),
            Goal::Life => ("dfpn:sums=weak", "different move orders transpose, and sums would count them twice"),
            Goal::Semeai | Goal::Connect => {
                ("dfpn:init=game", "different move orders transpose, and moves near the marked stones are tried first")
            }
        }
    }

    /// A playout does not fill its own eyes, and passes only if no other move is left.
    fn playout_moves(&self, moves: &mut Vec<Point>) {
        let begin = moves.len();
        self.legal_moves(moves);
        let mut kept = begin;
        for at in begin..moves.len() {
            let point = moves[at];
            if point != PASS && !self.is_own_eye(point) {
                moves[kept] = point;
                kept += 1;
            }
        }
        let is_over = moves.len() == begin;
        moves.truncate(kept);
        if kept == begin && !is_over {
            moves.push(PASS);
        }
    }

    fn random_problem(rules: &ProblemRules, rng: &mut Rng) -> Option<GoProblem> {
        super::random::random(rules, rng)
    }

    /// The empty points of the region.
    fn open_cells(&self) -> usize {
        let stones = self.stones[0] | self.stones[1];
        (self.region & !stones).count() as usize
    }

    fn pattern_value(&self, point: Point) -> Option<u16> {
        Some(self.value(point))
    }

    fn pattern_playout<T: Trace<Point>>(
        &mut self,
        plies: u32,
        context: &mut PlayoutContext<Point>,
        trace: &mut T,
    ) -> Option<Outcome> {
        if self.is_pruned() {
            return plain_pattern_playout(self, plies, context, trace);
        }
        self.play_by_patterns(plies, context, trace)
    }

    /// Draws empty points of the region until one is a playout move.
    fn playout_move(&self, context: &mut PlayoutContext<Point>) -> Point {
        context.moves.clear();
        if self.is_pruned() {
            self.playout_moves(&mut context.moves);
            return context.moves[context.rng.below(context.moves.len())];
        }
        on_stones!(self, stones, narrow => {
            let (mover, open) = (self.mover(), stones.open_points());
            let ban = if self.threats[mover] == 0 { self.ban } else { PASS };
            context.moves.extend((stones.empty() & narrow(&self.region)).members().map(|point| point as Point));
            while !context.moves.is_empty() {
                let drawn = context.rng.below(context.moves.len());
                let point = context.moves.swap_remove(drawn);
                let at = usize::from(point);
                // A point with an empty neighbour is neither an eye nor banned, and always legal.
                if open.contains(at) || (point != ban && !stones.is_eye(mover, at) && stones.is_legal(mover, at)) {
                    return point;
                }
            }
            PASS
        })
    }
}
