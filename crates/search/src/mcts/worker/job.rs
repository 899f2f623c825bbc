//! The jobs of a worker: claims a node, simulates below it, and backs up the results above it.

use super::super::context::{SearchContext, Values};
use super::super::interval::Interval;
use super::super::jobs::{BoardState, JobBoard, claimable_below, job_size};
use super::super::tree::{ROOT, Tally, UNIT, square};
use super::back_up::{Changes, back_up_evaluation, renumber};
use super::{SimulationEnd, Step, Worker};
use std::sync::MutexGuard;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Knowledge, MAX_PLAYERS};

/// A job: simulations below one node.
#[derive(Default)]
pub(super) struct Job {
    /// The number of nodes above the claimed one; they are the start of the worker's path.
    pub(super) above: usize,
    /// The simulations still to make.
    left: u32,
    /// The visits by which the nodes above are virtually lost.
    size: u32,
    /// Whether the claimed node is visited for the first time.
    is_new: bool,
    /// The values of the simulations so far.
    values: Vec<Values>,
    /// What the simulations have changed at the claimed node.
    changes: Changes,
    /// What the simulations add to the AMAF statistics of the nodes above: visits and sum of values
    /// of each child.
    pub(super) amaf: Vec<Vec<(u32, i64)>>,
}

/// What a job adds to a node above it, for one player.
#[derive(Clone, Copy, Default)]
struct Totals {
    sum: i64,
    squares: i64,
    losses: u32,
}

impl<'s, G: Knowledge> Worker<'s, G> {
    /// Runs one simulation of the worker's job. Without a job it claims one first.
    pub fn simulate_job(&mut self, board: &JobBoard, number: usize) -> SimulationEnd {
        if self.job.left == 0 {
            self.next_job(board, number);
        }
        self.job.left -= 1;
        if self.plain { self.simulate_below::<true>() } else { self.simulate_below::<false>() }
    }

    /// Ends the present job and claims another.
    fn next_job(&mut self, board: &JobBoard, number: usize) {
        let mut state = board.lock();
        self.finish_job(&mut state, number);
        board.notify(&state);
        while state.is_paused() || !self.claim(&mut state, number) {
            state = board.wait(state);
        }
    }

    /// Ends the present job, if there is one, and claims none.
    pub fn end_job(&mut self, board: &JobBoard, number: usize) {
        let mut state = board.lock();
        self.finish_job(&mut state, number);
        self.job.left = 0;
        board.notify(&state);
    }

    /// One simulation below the claimed node.
    fn simulate_below<const PLAIN: bool>(&mut self) -> SimulationEnd {
        self.position.reset();
        let mut start = self.path[self.job.above];
        self.path.truncate(self.job.above);
        (start.narrowed, start.renumbered) = (false, false);
        self.counters.playouts += 1;
        if !PLAIN {
            self.trace.0.clear();
        }
        let (values, end) = if std::mem::take(&mut self.job.is_new) {
            self.path.push(start);
            (self.open::<PLAIN>(), SimulationEnd::Normal)
        } else {
            self.descend_from::<PLAIN>(start)
        };
        self.counters.depth = self.counters.depth.max(self.path.len() as u32 - 1);
        if !PLAIN && self.keeps_line {
            self.keep_line(values[0]);
        }
        let (values, changes) = self.back_up::<PLAIN>(values);
        self.job.values.push(values);
        self.job.changes.merge(changes);
        if changes.narrowed {
            // Others should know at once, and the subtree may need no further search.
            self.job.left = 0;
        }
        end
    }

    /// Chooses a path from the root and claims the node at its end; false if other workers have
    /// claimed everything worth searching.
    fn claim(&mut self, state: &mut MutexGuard<'_, BoardState>, number: usize) -> bool {
        let tree = self.search.tree;
        self.position.rewind();
        self.path.clear();
        self.job.above = 0;
        self.excluded.clear();
        self.excluded.extend(state.claimed());
        if self.excluded.contains(&ROOT) {
            return false;
        }
        let limit = claimable_below(tree.visits(ROOT), state.workers()).max(self.search.params.selection.threshold);
        let mover = self.position.position().to_move();
        let mut step = self.arrive(tree.node(ROOT), ROOT, mover, mover);
        let is_new = loop {
            step.link = step.node.link.load();
            self.path.push(step);
            let is_small = !step.link.is_expanded() || step.node.visits() < limit;
            if step.id != ROOT && is_small && !state.is_busy(step.id) {
                break false;
            }
            if !step.link.is_expanded() {
                match self.expand_leaf::<false>(step) {
                    Ok(link) => step.link = link,
                    // The root is solved, or there is no room for its children.
                    Err(_) => break false,
                }
            }
            let Some((child, is_new)) = self.choose_child::<false>(step) else {
                if state.is_busy(step.id) {
                    return false;
                }
                break false;
            };
            let id = step.link.first() + child as u32;
            if self.excluded.contains(&id) {
                return false;
            }
            let (chunk, at) = tree.at(id);
            let mover = self.position.play(chunk.moves[at].load());
            step = self.arrive(&chunk.nodes[at], id, step.mover, mover);
            if is_new {
                self.path.push(step);
                break true;
            }
        };
        self.excluded.clear();
        self.begin_job(state, number, is_new);
        true
    }

    /// Begins the job at the last node of the path.
    fn begin_job(&mut self, state: &mut BoardState, number: usize, is_new: bool) {
        self.position.stay();
        let above = self.path.len() - 1;
        let size = if is_new { 1 } else { job_size(self.path[above].node.visits()) };
        for step in &self.path[1..above.max(1)] {
            step.node.add(Tally::new(i64::from(size), -i64::from(size)), false);
        }
        state.begin(number, size, self.path.iter().map(|step| step.id));
        let Job { amaf, mut values, .. } = std::mem::take(&mut self.job);
        values.clear();
        self.job = Job { above, left: size, size, is_new, values, changes: Changes::default(), amaf };
        if self.search.tree.columns().amaf {
            self.job.amaf.resize_with(above.max(self.job.amaf.len()), Vec::new);
            for (sums, step) in self.job.amaf.iter_mut().zip(&self.path[..above]) {
                sums.clear();
                sums.resize(step.link.count(), (0, 0));
            }
        }
    }

    /// Backs up the values of the job to the nodes above it.
    fn finish_job(&mut self, state: &mut BoardState, number: usize) {
        state.end(number);
        let above = std::mem::take(&mut self.job.above);
        if above > 0 && self.search.params.hybrids.backup_minimax.is_some() {
            self.position.rewind();
            self.path[above].narrowed = self.job.changes.narrowed;
            self.prove_path(0, above);
        }
        let Worker { search, path, bonus_buffers, job, .. } = self;
        let (search, columns) = (*search, search.tree.columns());
        let mut changes = std::mem::take(&mut job.changes);
        for (depth, step) in path.iter().enumerate().take(above).rev() {
            if columns.bounds {
                changes.narrowed = changes.narrowed && {
                    step.node.link.note_proofs(false);
                    search.narrow(step.id, step.mover, step.link) || step.narrowed
                };
            }
            let lost = if depth == 0 { 0 } else { job.size };
            let interval = if columns.bounds { search.interval_of(step.id) } else { search.range };
            add_totals(search, step, &mut job.values, interval, lost);
            let link = step.node.link.load();
            if link.is_open() {
                step.node.link.store(link.with_choice(None));
            }
            changes.renumbered = changes.renumbered && renumber(search, step.id, step.mover, step.link, bonus_buffers);
            if columns.implicit {
                back_up_evaluation(search, step);
            }
            if columns.amaf {
                add_amaf(search, step, &job.amaf[depth]);
            }
        }
        job.values.clear();
    }
}

/// Adds the values of a job to a node above it, within the proven interval of that node, and takes
/// back the virtual loss.
fn add_totals<G: Knowledge>(
    search: &SearchContext<'_, G>,
    step: &Step<'_>,
    values: &mut [Values],
    interval: Interval,
    lost: u32,
) {
    if interval != search.range {
        values.iter_mut().for_each(|values| *values = search.within(*values, interval));
    }
    let seat = step.chooser.index();
    let mut totals = Totals::default();
    for value in values.iter().map(|values: &[i64; MAX_PLAYERS]| values[seat]) {
        totals.sum += value;
        totals.squares += square(value);
        totals.losses += u32::from(value < 0);
    }
    let (chunk, at) = search.tree.at(step.id);
    if let Some(highest) = values.iter().map(|values| values[seat]).max() {
        chunk.raise_maximum(at, highest);
    }
    let visits = values.len() as i64 - i64::from(lost);
    chunk.add(at, visits, totals.sum + i64::from(lost) * UNIT as i64, false);
    if let Some(cell) = chunk.squares.get(at) {
        cell.store(cell.load(Relaxed) + totals.squares, Relaxed);
    }
    if let Some(cell) = chunk.losses.get(at) {
        cell.store(cell.load(Relaxed) + totals.losses, Relaxed);
    }
}

/// Adds the AMAF statistics of a job to the children of a node above it.
fn add_amaf<G: Knowledge>(search: &SearchContext<'_, G>, step: &Step<'_>, sums: &[(u32, i64)]) {
    let block = search.tree.block(step.link);
    for (child, &(visits, sum)) in sums.iter().enumerate().filter(|(_, entry)| entry.0 > 0) {
        let at = block.begin + child;
        let (visits_cell, sum_cell) = (&block.chunk.amaf_visits[at], &block.chunk.amaf_sums[at]);
        visits_cell.store(visits_cell.load(Relaxed).wrapping_add(visits), Relaxed);
        sum_cell.store(sum_cell.load(Relaxed) + sum, Relaxed);
    }
}
