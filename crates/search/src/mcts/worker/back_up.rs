//! Backup: updates the nodes of the path from the leaf to the root.

use super::super::context::{SearchContext, Values};
use super::super::link::Link;
use super::super::proof_numbers::{BonusBuffers, Words};
use super::super::tree::{Tally, UNIT, UNIT_BITS, square};
use super::{Step, Worker, best_plain_child};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_core::{Knowledge, Outcome, Player};

/// What a simulation has changed at a node beyond its statistics.
#[derive(Clone, Copy, Default)]
pub(super) struct Changes {
    /// Whether the proven interval is narrower.
    pub(super) narrowed: bool,
    /// Whether the proof numbers are different.
    pub(super) renumbered: bool,
}

impl Changes {
    /// Adds what another simulation has changed.
    pub(super) fn merge(&mut self, other: Changes) {
        self.narrowed |= other.narrowed;
        self.renumbered |= other.renumbered;
    }
}

impl<G: Knowledge> Worker<'_, G> {
    /// Backs up the values of a simulation: visits, sums, proven intervals, proof numbers. See
    /// [`Worker::simulate_as`] for `PLAIN`.
    ///
    /// A single worker changes a node only here, so the child to visit next is chosen here and
    /// stored in the link. During the next descent each choice would have to wait for the one above
    /// it; here the choices are independent, and the processor works on several at a time.
    ///
    /// Of a job, only the claimed node and those below it. Returns the values that reached it and
    /// what has changed there.
    pub(super) fn back_up<const PLAIN: bool>(&mut self, mut values: Values) -> (Values, Changes) {
        if !PLAIN && self.search.params.traces_moves() {
            self.learn(&values);
        }
        if !PLAIN && self.search.facts.players == 1 {
            self.observe(values[0]);
        }
        let above = self.job.above;
        if !PLAIN && self.proves_unvisited && self.search.params.hybrids.backup_minimax.is_some() {
            self.prove_path(above, self.path.len() - 1);
        }
        let Worker { search, formula, path, playout, scores, bonus_buffers, shared, plain, chooses_ahead, .. } = self;
        let (search, shared, plain, chooses_ahead) = (*search, *shared, *plain, *chooses_ahead);
        let columns = search.tree.columns();
        let is_tally_enough = PLAIN || !(columns.fractions || columns.squares || columns.losses);
        let updates_parents = !PLAIN && (columns.proof || columns.implicit);
        let lost = i64::from(self.virtual_loss);
        let tallies_of = |values: Values| values.map(|value| Tally::new(1 - lost, (value >> UNIT_BITS) + lost));
        let mut tallies = tallies_of(values);
        let (mut child_narrowed, mut child_renumbered, mut is_last) = (false, false, true);
        for step in path[above..].iter().rev() {
            if columns.bounds {
                let before = values;
                child_narrowed = back_up_bounds(search, step, child_narrowed, plain, shared, &mut values);
                if values != before {
                    tallies = tallies_of(values);
                }
            }
            let tally = if is_tally_enough {
                step.node.add(tallies[step.chooser.index()], shared)
            } else {
                add_value(search, step, values[step.chooser.index()], lost, shared)
            };
            if chooses_ahead {
                let link = step.node.link.load();
                if link.is_expanded() && link.is_open() {
                    let best = best_plain_child(search, formula, step, link, tally.visits(), &mut playout.rng, scores);
                    step.node.link.store(link.with_choice(best.map(|(child, _)| child)));
                }
            }
            if updates_parents {
                let renumbered = child_renumbered && renumber(search, step.id, step.mover, step.link, bonus_buffers);
                child_renumbered = step.renumbered || renumbered;
                if columns.implicit && !is_last {
                    back_up_evaluation(search, step);
                }
                is_last = false;
            }
        }
        (values, Changes { narrowed: child_narrowed, renumbered: child_renumbered })
    }

    /// Widens the range of the values that occur, to which selection scales them.
    fn observe(&mut self, value: i64) {
        let (low, high) = self.observed.map_or((value, value), |(low, high)| (low.min(value), high.max(value)));
        if self.observed != Some((low, high)) {
            self.observed = Some((low, high));
            self.formula.set_half_range((high - low) as f32 / UNIT / 2.0);
        }
    }

    /// Sets the proof numbers of a terminal node and returns whether they have changed.
    pub(super) fn number_terminal(&self, id: u32, outcome: &Outcome) -> bool {
        let Some(rule) = self.search.number_rule() else { return false };
        store_words(self.search, id, rule.of_outcome(outcome))
    }

    /// Computes the proof numbers of a node and the bonuses of its children, and returns whether
    /// the numbers have changed.
    pub(super) fn renumber(&mut self, id: u32, mover: Player, link: Link) -> bool {
        renumber(self.search, id, mover, link, &mut self.bonus_buffers)
    }
}

/// Adds a visit and its value to a node, and takes back the virtual loss.
fn add_value<G: Knowledge>(
    search: &SearchContext<'_, G>,
    step: &Step<'_>,
    value: i64,
    lost: i64,
    shared: bool,
) -> Tally {
    let tree = search.tree;
    let (chunk, at) = tree.at(step.id);
    let tally = chunk.add(at, 1 - lost, value + lost * UNIT as i64, shared);
    if !chunk.squares.is_empty() {
        tree.add_sum(&chunk.squares[at], square(value));
    }
    chunk.raise_maximum(at, value);
    if !chunk.losses.is_empty() && value < 0 {
        tree.add(&chunk.losses[at], 1);
    }
    tally
}

/// Narrows the proven interval of a node by those of its children, limits the values of the
/// simulation to it from here on, and returns whether the interval has changed.
#[inline(always)]
fn back_up_bounds<G: Knowledge>(
    search: &SearchContext<'_, G>,
    step: &Step<'_>,
    child_narrowed: bool,
    plain: bool,
    shared: bool,
    values: &mut Values,
) -> bool {
    // Shared children may have been solved by another path.
    let may_narrow = child_narrowed || (search.params.expansion.transpositions && step.link.is_expanded());
    let narrowed = (may_narrow && search.narrow(step.id, step.mover, step.link)) || step.narrowed;
    if child_narrowed {
        step.node.link.note_proofs(shared);
    }
    if !plain || child_narrowed || narrowed || step.link.knows_proofs() {
        *values = search.within(*values, search.interval_of(step.id));
    }
    narrowed
}

pub(super) fn renumber<G: Knowledge>(
    search: &SearchContext<'_, G>,
    id: u32,
    mover: Player,
    link: Link,
    bonus_buffers: &mut BonusBuffers,
) -> bool {
    let Some(rule) = search.number_rule() else { return false };
    let block = search.tree.block(link);
    let word = |word: usize, column: &[AtomicU64]| match column.is_empty() {
        true => 0,
        false => rule.of_children(mover, word, block.of(column, block.count)),
    };
    let words = [word(0, &block.chunk.proof), word(1, &block.chunk.second_proof)];
    rule.set_bonuses(mover, &block, bonus_buffers);
    store_words(search, id, words)
}

/// Stores the proof numbers of a node and returns whether they have changed.
fn store_words<G: Knowledge>(search: &SearchContext<'_, G>, id: u32, words: Words) -> bool {
    let (chunk, at) = search.tree.at(id);
    let columns = [&chunk.proof, &chunk.second_proof].into_iter().zip(words);
    columns.filter_map(|(column, word)| Some((column.get(at)?, word))).fold(false, |changed, (cell, word)| {
        let differs = cell.load(Relaxed) != word;
        cell.store(word, Relaxed);
        changed | differs
    })
}

/// Implicit minimax: sets the evaluation of a node, for the player who chose it, to the best one of
/// its visited children.
pub(super) fn back_up_evaluation<G: Knowledge>(search: &SearchContext<'_, G>, step: &Step<'_>) {
    let block = search.tree.block(step.node.link.load());
    let evaluation = |child: usize| f32::from_bits(block.chunk.implicit[block.begin + child].load(Relaxed));
    let visited = (0..block.opened).filter(|&child| block.visits(child) > 0);
    let best = visited.map(evaluation).fold(f32::NEG_INFINITY, f32::max);
    if best > f32::NEG_INFINITY {
        let value = if step.chooser == step.mover { best } else { -best };
        let (chunk, at) = search.tree.at(step.id);
        chunk.implicit[at].store(value.to_bits(), Relaxed);
    }
}
