//! Quiescence search: forcing moves beyond the horizon.

use super::bounds::NodeResult;
use super::{Run, Window};
use std::cmp::Reverse;
use tesuji_core::{Knowledge, Player};

/// The depth limit of quiescence search in plies. Exchanges end long before.
const QUIESCENCE_PLIES: i32 = 32;

impl<G: Knowledge> Run<'_, '_, '_, G> {
    /// Evaluates a position at the horizon, or searches its forcing moves if the game defines them.
    pub(super) fn quiescence(&mut self, mover: Player, mut window: Window) -> Option<NodeResult> {
        self.horizons += 1;
        let range = self.scale.range(mover);
        let mut best = NodeResult::unproven(self.evaluate(mover), range);
        let is_leaf = !self.has_forcing_moves || !self.params.quiescence || window.depth <= -QUIESCENCE_PLIES;
        if is_leaf || best.value >= window.beta {
            return Some(best);
        }
        window.alpha = window.alpha.max(best.value);
        let mut list = self.generate_moves();
        let position = self.history.position();
        list.retain(|ordered| position.is_forcing(ordered.mv) == Some(true));
        for ordered in &mut list {
            ordered.priority =
                i64::from(position.move_order_by(self.params.functions.order(), ordered.mv).unwrap_or(0));
        }
        list.sort_unstable_by_key(|ordered| Reverse(ordered.priority));
        for ordered in &list {
            let result = self.search_move(ordered.mv, mover, window, false)?;
            best = best.max(&result);
            window.alpha = window.alpha.max(result.value);
            if window.alpha >= window.beta {
                break;
            }
        }
        self.spare_lists.push(list);
        // Quiet moves were not searched.
        Some(best.without_upper_bound(range.1))
    }

    /// Returns the static evaluation of the current position; 0 if the game has none.
    pub(super) fn evaluate(&self, mover: Player) -> i32 {
        let number = self.params.functions.evaluation();
        let evaluation = self.history.position().evaluation_by(number, mover);
        self.scale.evaluation(evaluation.unwrap_or(0.0), mover)
    }
}
