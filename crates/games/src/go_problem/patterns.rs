//! Playouts whose moves are drawn by the learned patterns of Go.

use super::{GoProblem, PASS, Point, on_stones};
use crate::board::bits::{Bits, Words};
use crate::go::patterns::{self, Values};
use crate::go::stones::{STRIDES, Stones};
use tesuji_core::{Game, Outcome, Player, PlayoutContext, Rng, Trace};

/// The number of bits of the largest board.
const CELLS: usize = 448;

impl GoProblem {
    /// The value of the pattern around a point; 0 for a pass.
    pub(super) fn value(&self, point: Point) -> u16 {
        if point == PASS {
            return 0;
        }
        let pattern = on_stones!(self, stones, _narrow => patterns::pattern(&stones, usize::from(point)));
        Values::learned().of(pattern, self.mover())
    }

    /// Plays at most `plies` moves, each drawn with probability proportional to its value. The
    /// patterns are kept from move to move: only those around stones that come or go change.
    pub(super) fn play_by_patterns<T: Trace<Point>>(
        &mut self,
        plies: u32,
        context: &mut PlayoutContext<Point>,
        trace: &mut T,
    ) -> Option<Outcome> {
        let mut around = [0; CELLS];
        on_stones!(self, stones, _narrow => follow(&mut around, &stones));
        for _ in 0..plies {
            if self.is_over() {
                break;
            }
            let point = self.draw_by_patterns(&around, context);
            trace.played(self.to_move(), point);
            self.play_following(point, &mut around);
        }
        self.outcome()
    }

    /// Draws empty points of the region, by the values of their patterns, until one is a playout
    /// move.
    fn draw_by_patterns(&self, around: &[u16; CELLS], context: &mut PlayoutContext<Point>) -> Point {
        let (mover, values) = (self.mover(), Values::learned());
        on_stones!(self, stones, narrow => {
            let open = stones.open_points();
            let ban = if self.threats(Player(mover as u8)) == 0 { self.ban } else { PASS };
            let PlayoutContext { rng, moves, .. } = context;
            moves.clear();
            moves.extend((stones.empty() & narrow(&self.region)).members().map(|point| point as Point));
            let value = |point: Point| u32::from(values.of(around[usize::from(point)], mover));
            let mut sum = moves.iter().map(|&point| value(point)).sum();
            while !moves.is_empty() {
                let drawn = draw(moves, sum, value, rng);
                let point = moves.swap_remove(drawn);
                sum -= value(point);
                let at = usize::from(point);
                // A point with an empty neighbour is neither an eye nor banned, and always legal.
                if open.contains(at) || (point != ban && !stones.is_eye(mover, at) && stones.is_legal(mover, at)) {
                    return point;
                }
            }
            PASS
        })
    }

    /// Plays a move and changes the patterns around its stone and around the stones it takes.
    fn play_following(&mut self, point: Point, around: &mut [u16; CELLS]) {
        let (mover, before) = (self.mover(), self.stones);
        self.play(point);
        let after = self.stones;
        on_stones!(self, _stones, narrow => {
            let [gone, new] = [before[1 - mover] & !after[1 - mover], after[mover] & !before[mover]];
            change(around, &_stones, 1 - mover, narrow(&gone), false);
            change(around, &_stones, mover, narrow(&new), true);
        });
    }
}

/// Finds the patterns of all points.
fn follow<B: Bits, const STRIDE: usize, const N: usize>(around: &mut [u16; CELLS], stones: &Stones<B, STRIDE, N>) {
    (0..2).for_each(|seat| change(around, stones, seat, stones.of(seat), true));
}

#[inline]
fn change<B: Bits, const STRIDE: usize, const N: usize>(
    around: &mut [u16; CELLS],
    _: &Stones<B, STRIDE, N>,
    seat: usize,
    stones: B,
    adds: bool,
) {
    patterns::change::<B, STRIDE>(around, seat, stones, adds);
}

/// The index of a point drawn with probability proportional to its value; the values have the given
/// sum, which is not 0.
#[inline]
fn draw(points: &[Point], sum: u32, value: impl Fn(Point) -> u32, rng: &mut Rng) -> usize {
    let mut below = rng.below(sum as usize) as u32;
    let found = points.iter().position(|&point| {
        let own = value(point);
        let is_drawn = below < own;
        below = below.wrapping_sub(own);
        is_drawn
    });
    found.expect("a number below the sum falls to a point")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use tesuji_core::{Knowledge, plain_pattern_playout};

    const PROBLEM: &str = ",,,,,,,/,,,,,,,/XXXXXX,/wwwwwX,/.w.xwX,/x....X,/.o.w.X, X - 0 0,0";

    fn problem(text: &str) -> GoProblem {
        GoProblem::parse(&crate::rules::<GoProblem>("life:7").unwrap(), text).unwrap()
    }

    #[test]
    fn patterns_that_are_followed_are_those_of_the_stones() {
        let mut context = PlayoutContext::new(Rng::new(7), 1000);
        let mut captures = 0;
        for size in [7, 13, 19] {
            let rules = crate::rules::<GoProblem>(&format!("life:{size}")).unwrap();
            for _ in 0..30 {
                let mut now = if size == 7 { problem(PROBLEM) } else { GoProblem::start(&rules) };
                let mut around = [0; CELLS];
                on_stones!(now, stones, _narrow => follow(&mut around, &stones));
                for _ in 0..60 {
                    if now.is_over() {
                        break;
                    }
                    let stones = |now: &GoProblem| now.stones.iter().map(|stones| stones.count()).sum::<u32>();
                    let (before, point) = (stones(&now), now.draw_by_patterns(&around, &mut context));
                    now.play_following(point, &mut around);
                    captures += u32::from(stones(&now) < before);
                    on_stones!(now, stones, _narrow => {
                        for point in stones.empty().members() {
                            assert_eq!(around[point], patterns::pattern(&stones, point), "{}", now.text());
                        }
                    });
                }
            }
        }
        assert!(captures > 20, "{captures} captures");
    }

    /// A move is drawn with probability value / sum of values, in the first and in the second move.
    #[test]
    fn moves_are_drawn_in_proportion_to_their_values() {
        let start = problem(PROBLEM);
        let mut expected: HashMap<[Point; 2], f64> = HashMap::new();
        let shares = |position: &GoProblem| {
            let mut moves = Vec::new();
            position.playout_moves(&mut moves);
            let values: Vec<f64> = moves.iter().map(|&mv| f64::from(position.value(mv))).collect();
            let sum: f64 = values.iter().sum();
            moves.into_iter().zip(values).map(move |(mv, value)| (mv, value / sum)).collect::<Vec<_>>()
        };
        for (first, share) in shares(&start) {
            let mut next = start;
            next.play(first);
            for (second, of_rest) in shares(&next) {
                expected.insert([first, second], share * of_rest);
            }
        }
        let samples = 60_000;
        for plain in [false, true] {
            let mut context = PlayoutContext::new(Rng::new(3), 1000);
            let mut found: HashMap<[Point; 2], u32> = HashMap::new();
            for _ in 0..samples {
                let (mut now, mut trace) = (start, Vec::new());
                match plain {
                    true => plain_pattern_playout(&mut now, 2, &mut context, &mut trace),
                    false => now.pattern_playout(2, &mut context, &mut trace),
                };
                *found.entry([trace[0], trace[1]]).or_insert(0) += 1;
            }
            assert!(found.keys().all(|pair| expected.contains_key(pair)));
            let (mut statistic, mut cells) = (0.0, 0);
            for (pair, share) in &expected {
                let expected = share * f64::from(samples);
                if expected >= 8.0 {
                    let count = f64::from(found.get(pair).copied().unwrap_or(0));
                    statistic += (count - expected).powi(2) / expected;
                    cells += 1;
                }
            }
            // Six standard deviations of chi-squared above its mean.
            let limit = f64::from(cells) + 6.0 * (2.0 * f64::from(cells)).sqrt();
            assert!(cells > 30 && statistic < limit, "chi-squared {statistic:.0} of {cells} pairs, plain: {plain}");
        }
    }

    #[test]
    fn a_playout_ends_with_the_game_or_after_its_plies() {
        let mut context = PlayoutContext::new(Rng::new(5), 1000);
        let mut trace = Vec::new();
        assert_eq!(problem(PROBLEM).pattern_playout(3, &mut context, &mut trace), None);
        assert_eq!(trace.len(), 3);
        let mut won = problem(",,,,,,,/,,,,,,,/,,,,,,,/,,,,,,,/XXX,,,,/ww.X,,,/XXXX,,, X - 0 0,0");
        assert_eq!(won.pattern_playout(9, &mut context, &mut ()), Some(Outcome::win(Player::FIRST)));
    }
}
