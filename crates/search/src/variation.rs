//! Principal variations.

use tesuji_core::{Game, History};

/// Extends a variation by the moves that `next` returns.
///
/// Stops when `next` returns `None`, the game is over or the variation has `longest` moves.
/// `history` is the game after the moves of `variation`. `next` may change it but must restore it.
pub fn extend<G: Game>(
    history: &mut History<G>,
    variation: &mut Vec<G::Move>,
    longest: usize,
    mut next: impl FnMut(&mut History<G>) -> Option<G::Move>,
) {
    while variation.len() < longest
        && !history.is_over()
        && let Some(mv) = next(history)
    {
        history.play(mv);
        variation.push(mv);
    }
}
