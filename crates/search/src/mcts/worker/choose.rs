//! The choice of a child: selection, opening of unvisited children, progressive unpruning, GRAVE.

use super::super::playout::choose_move;
use super::super::proof_numbers;
use super::super::select::{self, ParentState};
use super::super::tree::{Block, ROOT};
use super::{Step, Worker, best_plain_child};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use tesuji_core::Knowledge;

impl<'s, G: Knowledge> Worker<'s, G> {
    /// Chooses a child and returns it with whether it is visited for the first time; `None` if no
    /// child is available at present.
    pub(super) fn choose_child<const PLAIN: bool>(&mut self, step: Step<'s>) -> Option<(usize, bool)> {
        if !PLAIN && self.scores_unvisited {
            return self.choose_among_all(step);
        }
        let selection = &self.search.params.selection;
        let mut block = self.search.tree.block(step.link);
        let mut visits = step.node.visits().max(1);
        if !PLAIN && self.transpositions {
            // Children may have been opened on another path, which this link does not count.
            while block.opened < block.count && block.visits(block.opened) > 0 {
                block.opened += 1;
            }
            visits = (0..block.opened).map(|child| block.visits(child)).sum::<u32>().max(1);
        }
        let may_open = block.opened < block.count && (PLAIN || self.widens(visits, block.opened));
        if may_open
            && (PLAIN || block.opened == 0 || selection.first_play_urgency == f32::INFINITY)
            && let Some(opened) = self.open_next::<PLAIN>(step, block)
        {
            return Some(opened);
        }
        match self.best_child::<PLAIN>(step, &block, visits) {
            Some((child, score)) if !may_open || (!PLAIN && score > selection.first_play_urgency) => {
                Some((child, false))
            }
            best => {
                // Where other workers have claimed all children, unpruning does not go faster.
                let may_open = may_open || (block.opened < block.count && self.excluded.is_empty());
                let opened = if may_open { self.open_next::<PLAIN>(step, block) } else { None };
                opened.or(best.map(|(child, _)| (child, false)))
            }
        }
    }

    /// The same where all children have scores from the start.
    fn choose_among_all(&mut self, step: Step<'s>) -> Option<(usize, bool)> {
        let mut block = self.search.tree.block(step.link);
        let visits = if self.transpositions {
            (0..block.count).map(|child| block.visits(child)).sum::<u32>()
        } else {
            step.node.visits()
        };
        let visits = visits.max(1);
        let child = if visits < self.search.params.selection.threshold && step.id != ROOT {
            self.draw_child(&block)
        } else {
            while !self.widens(visits, block.opened - 1) {
                block.opened -= 1;
            }
            self.best_child::<false>(step, &block, visits)?.0
        };
        Some((child, block.visits(child) == 0))
    }

    /// A child drawn by the playout policy (Winands et al. 2008).
    fn draw_child(&mut self, block: &Block<'_, G::Move>) -> usize {
        let last = self.last_two_moves();
        let Worker { search, position, playout, tools, .. } = self;
        let mv = choose_move(search, position.position(), playout, tools, last);
        // The history may forbid the move.
        (0..block.count).find(|&child| block.mv(child) == mv).unwrap_or_else(|| playout.rng.below(block.count))
    }

    /// The opened child with the highest score, and the score; `None` if all are skipped.
    fn best_child<const PLAIN: bool>(
        &mut self,
        step: Step<'s>,
        block: &Block<'_, G::Move>,
        visits: u32,
    ) -> Option<(usize, f32)> {
        let search = self.search;
        let params = search.params;
        if PLAIN || (self.plain && self.excluded.is_empty()) {
            let Worker { formula, playout, scores, .. } = self;
            return best_plain_child(search, formula, &step, step.link, visits, &mut playout.rng, scores);
        }
        let (maximises, interval) = if params.backup.solver {
            (search.maximises(step.mover), search.interval_of(step.id))
        } else {
            (true, search.range)
        };
        let unsolved = params.selection.pn.is_some_and(|pn| pn.skip_visits.is_some()) && {
            let (chunk, at) = search.tree.at(step.id);
            !proof_numbers::are_solved(chunk.number_words(at), self.formula.number_words())
        };
        let has_reference = params.selection.grave > 0 && self.find_amaf_reference(step, visits);
        let reference = has_reference.then_some(&self.reference);
        let parent = ParentState { visits, maximises, interval, unsolved, reference };
        select::best(&self.formula, block, &parent, &self.excluded, &mut self.playout.rng, &mut self.scores)
    }

    /// Whether progressive unpruning (Chaslot et al. 2008) allows another child to be opened.
    ///
    /// With k children available from the start and growth f, the next ones follow at k f, k f^2,
    /// ... visits of the node.
    fn widens(&self, visits: u32, opened: usize) -> bool {
        let Some(widening) = self.search.params.expansion.widening else { return true };
        let at_first = widening.children as usize;
        opened < at_first || visits as f32 >= at_first as f32 * widening.growth.powi((opened - at_first) as i32 + 1)
    }

    /// Opens the next child of a node; `None` if another worker is doing so.
    fn open_next<const PLAIN: bool>(&mut self, step: Step<'s>, block: Block<'_, G::Move>) -> Option<(usize, bool)> {
        let proves_unvisited = !PLAIN && self.proves_unvisited;
        let cell = &step.node.link;
        let link = cell.begin_opening(self.shared)?;
        let mut next = link.opened();
        if self.transpositions {
            next = block.opened.max(next).min(link.count() - 1);
        }
        loop {
            if self.draws_children {
                let drawn = next + self.playout.rng.below(block.count - next);
                if drawn != next {
                    swap_unopened(block, next, drawn, proves_unvisited);
                }
            }
            if !proves_unvisited || self.matters(step, block, next) {
                break;
            }
            // A child proven before its first visit counts as opened, and selection skips it.
            next += 1;
            if next == link.count() {
                cell.end_opening(link, next, self.shared);
                return None;
            }
        }
        cell.end_opening(link, next + 1, self.shared);
        Some((next, true))
    }

    /// Whether a child can still change the value of the node.
    fn matters(&self, step: Step<'s>, block: Block<'_, G::Move>, child: usize) -> bool {
        let search = self.search;
        let interval = block.chunk.bounds[block.begin + child].load();
        interval.matters(search.maximises(step.mover), search.interval_of(step.id))
    }

    /// GRAVE (Cazenave 2015): copies the AMAF values of the nearest ancestor with the same player
    /// to move and enough visits. Returns false if the node itself has enough, or no ancestor has.
    fn find_amaf_reference(&mut self, step: Step<'s>, visits: u32) -> bool {
        let search = self.search;
        let min_visits = search.params.selection.grave;
        if visits >= min_visits {
            return false;
        }
        let ancestor =
            self.path.iter().rev().skip(1).find(|above| {
                above.mover == step.mover && above.link.is_expanded() && above.node.visits() >= min_visits
            });
        let Some(ancestor) = ancestor else { return false };
        let block = search.tree.block(ancestor.link);
        self.reference.entries.clear();
        self.reference.entries.resize(search.facts.move_indices, (0, 0));
        for child in 0..block.count {
            let at = block.begin + child;
            let index = block.chunk.indices[at].load(Relaxed) as usize;
            self.reference.entries[index] =
                (block.chunk.amaf_visits[at].load(Relaxed), block.chunk.amaf_sums[at].load(Relaxed));
        }
        true
    }
}

/// Swaps two unopened children: their moves, and the columns that belong to the moves; their proven
/// bounds too if `bounds`, otherwise these are the same.
#[inline]
fn swap_unopened<M: Copy>(block: Block<'_, M>, one: usize, other: usize, bounds: bool) {
    let (a, b) = (block.begin + one, block.begin + other);
    let mv = block.chunk.moves[a].load();
    block.chunk.moves[a].store(block.chunk.moves[b].load());
    block.chunk.moves[b].store(mv);
    let swap = |column: &[AtomicU32]| {
        if !column.is_empty() {
            let value = column[a].load(Relaxed);
            column[a].store(column[b].load(Relaxed), Relaxed);
            column[b].store(value, Relaxed);
        }
    };
    swap(&block.chunk.indices);
    swap(&block.chunk.probabilities);
    if bounds {
        let interval = block.chunk.bounds[a].load();
        block.chunk.bounds[a].store(block.chunk.bounds[b].load());
        block.chunk.bounds[b].store(interval);
    }
}
