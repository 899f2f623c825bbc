//! The score of plain UCT, `v + C sqrt(ln N / n)`, for integer values.

use super::super::interval::{Interval, IntervalCell};
use super::super::tree::{Block, Chunk, Node};
use super::{Formula, LANES, draw, equals, highest, log_visits, padding, pick};
use tesuji_core::Rng;
use wide::{bytemuck, f32x8, u64x4};

/// Returns the opened child with the highest score of plain UCT, and the score; `None` if no child
/// is open. Ties are broken at random.
#[inline(always)]
pub fn best_plain<M: Copy>(
    formula: &Formula,
    block: Block<'_, M>,
    visits: u32,
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<(usize, f32)> {
    let scale = formula.factor * log_visits(formula.logarithms, visits);
    if block.opened > LANES {
        return best_of_many(block.chunk, (block.begin, block.opened), scale, None, rng, scores);
    }
    let nodes = block.chunk.nodes[block.begin..].first_chunk().expect("chunks are padded by a group");
    let group = plain_scores(nodes, f32x8::splat(scale), padding(block.opened));
    let high = highest(group);
    (high > f32::NEG_INFINITY).then(|| (draw(equals(group, high), rng), high))
}

/// The same without the children that cannot improve the value. `maximises` is whether the player
/// to move maximises proven intervals, `interval` the node's own.
#[inline(never)]
pub fn best_plain_unsolved<M: Copy>(
    formula: &Formula,
    block: Block<'_, M>,
    visits: u32,
    (maximises, interval): (bool, Interval),
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<(usize, f32)> {
    let scale = formula.factor * log_visits(formula.logarithms, visits);
    best_of_many(block.chunk, (block.begin, block.opened), scale, Some((maximises, interval)), rng, scores)
}

/// The best of any number of opened children.
#[inline(never)]
fn best_of_many<M: Copy>(
    chunk: &Chunk<M>,
    (begin, opened): (usize, usize),
    scale: f32,
    proven: Option<(bool, Interval)>,
    rng: &mut Rng,
    scores: &mut Vec<f32x8>,
) -> Option<(usize, f32)> {
    let groups = opened.div_ceil(LANES);
    let end = begin + groups * LANES;
    if scores.len() < groups {
        scores.resize(groups, f32x8::ZERO);
    }
    let scores = &mut scores[..groups];
    let scale = f32x8::splat(scale);
    let (last, full) = scores.split_last_mut()?;
    let (last_nodes, full_nodes) = chunk.nodes[begin..end].as_chunks().0.split_last()?;
    *last = plain_scores(last_nodes, scale, padding(opened - full.len() * LANES));
    let mut high = *last;
    for (score, nodes) in full.iter_mut().zip(full_nodes) {
        *score = plain_scores(nodes, scale, f32x8::ZERO);
        high = high.fast_max(*score);
    }
    if let Some((maximises, interval)) = proven {
        high = f32x8::splat(f32::NEG_INFINITY);
        for (score, bounds) in scores.iter_mut().zip(chunk.bounds[begin..end].as_chunks().0) {
            *score += skipped(bounds, maximises, interval);
            high = high.fast_max(*score);
        }
    }
    pick(scores, high, rng)
}

/// `v + C sqrt(ln N / n)` for a group; `scale` is `C^2 ln N`.
///
/// Computed as `(s + sqrt(scale n)) / n` with the sum of values s, so that the root does not wait
/// for a quotient. `padding` is added to the sums: see [`padding`].
#[inline(always)]
fn plain_scores(nodes: &[Node; LANES], scale: f32x8, padding: f32x8) -> f32x8 {
    // Visits and sums alternate in tallies. In this order of the children, every second lane of
    // both vectors makes eight.
    let tally = |lane: usize| nodes[lane].tally().0;
    let a = u64x4::new([tally(0), tally(1), tally(4), tally(5)]);
    let b = u64x4::new([tally(2), tally(3), tally(6), tally(7)]);
    let [a, b] = [f32x8::from_i32x8(bytemuck::cast(a)).to_array(), f32x8::from_i32x8(bytemuck::cast(b)).to_array()];
    let lower = f32x8::new([a[0], a[2], b[0], b[2], a[4], a[6], b[4], b[6]]);
    let upper = f32x8::new([a[1], a[3], b[1], b[3], a[5], a[7], b[5], b[7]]);
    let (visits, sums) = if cfg!(target_endian = "little") { (lower, upper) } else { (upper, lower) };
    // A child that another worker has opened but not finished may have no visits.
    let visits = visits.fast_max(f32x8::splat(1.0));
    (sums + padding + (scale * visits).sqrt()) * (f32x8::splat(1.0) / visits)
}

/// Minus infinity for the children that cannot improve the value of the node, 0 for the others.
#[inline(always)]
fn skipped(bounds: &[IntervalCell; LANES], maximises: bool, node: Interval) -> f32x8 {
    let matters = |bounds: &IntervalCell| bounds.load().matters(maximises, node);
    f32x8::new(std::array::from_fn(|lane| if matters(&bounds[lane]) { 0.0 } else { f32::NEG_INFINITY }))
}
