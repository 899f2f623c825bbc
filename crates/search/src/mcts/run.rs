//! Runs workers until the search ends or the tree is full.

use super::beam::Beam;
use super::context::SearchContext;
use super::jobs::JobBoard;
use super::leaf_parallel::{self, LeafCell, PlayoutThreads};
use super::params::{BeamEnd, Diversify, FinalRule, ParallelMode};
use super::report::TreeInspector;
use super::root_stats::{VirtualVisits, root_stats};
use super::tree::ROOT;
use super::worker::{SimulationEnd, Worker};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard};
use tesuji_core::{Control, Counters, Knowledge, Rng, RobustMax, RootStats, StopReason, Stopper};

/// Workers of a shared tree publish their counters each time they have made this many playouts.
const PUBLISH_INTERVAL: u64 = 64;

/// Why a round of simulations has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundEnd {
    /// The search has ended.
    Ended,
    /// The tree is full.
    TreeFull,
    /// The beam is exhausted; the search goes on with an empty tree.
    BeamExhausted,
}

/// Simulations until the search ends, the tree is full, or the beam is exhausted.
pub struct Run<'s, 'c, 'a, G: Knowledge> {
    search: &'s SearchContext<'s, G>,
    control: &'c Control<'a, G::Move>,
    /// Whether the tree is full.
    full: AtomicBool,
    /// Whether the beam is exhausted, and the search goes on.
    exhausted: AtomicBool,
    /// The beam before and after the round.
    beam: Mutex<Option<Beam>>,
    /// The number of threads.
    threads: usize,
    /// Whether recycling can make room.
    has_room: bool,
    /// The work done in earlier rounds.
    before: Counters,
    /// The counters that each worker of a shared tree has published in this round.
    published: Vec<Mutex<Counters>>,
    /// The jobs of workers that claim subtrees.
    board: Option<JobBoard>,
    round: u64,
}

impl<'s, 'c, 'a, G: Knowledge> Run<'s, 'c, 'a, G> {
    /// Prepares a round. `has_room` is whether recycling can make room when the tree is full,
    /// `before` the work done in earlier rounds, `beam` the beam that they have left.
    pub fn new(
        search: &'s SearchContext<'s, G>,
        control: &'c Control<'a, G::Move>,
        has_room: bool,
        before: Counters,
        round: u64,
        beam: Option<Beam>,
    ) -> Run<'s, 'c, 'a, G> {
        let threads = search.params.threads(control.threads());
        let is_one_tree = matches!(search.params.parallel.mode, ParallelMode::Subtrees | ParallelMode::Tree);
        let workers = if is_one_tree && threads > 1 { threads } else { 0 };
        let published = (0..workers).map(|_| Mutex::default()).collect();
        let board = (workers > 0 && !search.tree.is_shared()).then(|| JobBoard::new(workers));
        Run {
            search,
            control,
            full: AtomicBool::new(false),
            exhausted: AtomicBool::new(false),
            beam: Mutex::new(beam),
            threads,
            has_room,
            before,
            published,
            board,
            round,
        }
    }

    /// Runs all workers, adds their work to the counters, and returns why they have ended, and the
    /// beam.
    pub fn run(self, counters: &mut Counters) -> (RoundEnd, Option<Beam>) {
        let threads = self.threads;
        let done = match self.search.params.parallel.mode {
            ParallelMode::Subtrees | ParallelMode::Tree if threads > 1 => self.tree_parallel(threads),
            ParallelMode::Leaf if threads > 1 => self.leaf_parallel(threads),
            _ => self.worker(0, None, 1),
        };
        counters.merge(&done);
        let end = match (self.full.into_inner(), self.exhausted.into_inner()) {
            (true, _) => RoundEnd::TreeFull,
            (false, true) => RoundEnd::BeamExhausted,
            (false, false) => RoundEnd::Ended,
        };
        (end, self.beam.into_inner().expect("no worker panics while it holds the lock"))
    }

    fn rng(&self, worker: usize) -> Rng {
        Rng::stream(self.control.seed(), worker as u64 | self.round << 32)
    }

    fn tree_parallel(&self, threads: usize) -> Counters {
        let counters = Mutex::new(Counters::default());
        std::thread::scope(|scope| {
            for number in 0..threads {
                let counters = &counters;
                scope.spawn(move || {
                    let done = self.worker(number, None, 1);
                    counters.lock().expect("no worker panics while it holds the lock").merge(&done);
                });
            }
        });
        counters.into_inner().expect("no worker panics while it holds the lock")
    }

    fn leaf_parallel(&self, threads: usize) -> Counters {
        std::thread::scope(|scope| {
            let (result_sender, results) = mpsc::channel();
            let mut channels = Vec::new();
            for number in 1..threads {
                let (sender, receiver) = mpsc::channel();
                let leaf = LeafCell::default();
                channels.push((leaf.clone(), sender));
                let (rng, result_sender) = (self.rng(number), result_sender.clone());
                scope.spawn(move || leaf_parallel::work(self.search, rng, &leaf, &receiver, &result_sender));
            }
            let playout_threads = PlayoutThreads::new(channels, results);
            self.worker(0, Some(&playout_threads), threads as u64)
        })
    }

    /// The loop of one worker. Every simulation makes `playouts` playouts.
    fn worker(&self, number: usize, playout_threads: Option<&PlayoutThreads<G>>, playouts: u64) -> Counters {
        let search = self.search;
        let mut ticker = self.control.ticker(number).with_stopper(self.own_stopper(number));
        let mut worker = Worker::new(search, self.rng(number), playout_threads);
        let _place = self.board.as_ref().map(|board| board.place(number));
        if !self.published.is_empty() {
            worker.allocate_in_region();
        }
        self.beam().take().into_iter().for_each(|beam| worker.set_beam(beam));
        let (root, at) = search.tree.at(ROOT);
        // The number of simulations that have created no node.
        let mut idle = 0;
        while (0..playouts).all(|_| ticker.playout()) {
            let nodes_before = worker.counters.nodes;
            let end = match &self.board {
                Some(board) => worker.simulate_job(board, number),
                None => worker.simulate(),
            };
            worker.counters.playouts += playouts - 1;
            if end == SimulationEnd::TreeFull && self.has_room {
                self.full.store(true, Relaxed);
            }
            let is_solved = search.params.backup.solver && root.bounds[at].load().is_solved();
            if is_solved || (worker.keeps_line() && self.is_line_perfect(&mut worker)) {
                self.control.end(StopReason::Solved);
                break;
            }
            let created = worker.counters.nodes - nodes_before;
            if !ticker.nodes(created as usize) || self.full.load(Relaxed) {
                break;
            }
            idle += u64::from(created == 0);
            if created == 0 && self.is_exhausted(idle) {
                self.control.end(StopReason::Finished);
                break;
            }
            if worker.has_exhausted_beam() {
                self.end_beam();
                break;
            }
            if !self.published.is_empty() && worker.counters.playouts.is_multiple_of(PUBLISH_INTERVAL) {
                *self.published[number].lock().expect("no worker panics while it holds the lock") = worker.counters;
            }
            if ticker.is_due() {
                self.show(&mut worker, number);
            }
            if !ticker.report(|| self.root_stats(&worker)) {
                break;
            }
        }
        if let Some(board) = &self.board {
            worker.end_job(board, number);
        }
        *self.beam() = worker.beam().cloned();
        worker.counters
    }

    /// Records a better line that a worker has found, and returns whether no line is better.
    fn is_line_perfect(&self, worker: &mut Worker<'_, G>) -> bool {
        if let Some(score) = worker.take_improvement() {
            self.control.improved(self.search.facts.points(score), worker.playouts_so_far());
        }
        worker.has_perfect_line()
    }

    fn beam(&self) -> MutexGuard<'_, Option<Beam>> {
        self.beam.lock().expect("no worker panics while it holds the lock")
    }

    /// Ends the search, or only the round, because the beam is exhausted.
    fn end_beam(&self) {
        match self.search.params.beam.map(|beam| beam.end) {
            Some(BeamEnd::Restart) => self.exhausted.store(true, Relaxed),
            _ => self.control.end(StopReason::Finished),
        }
    }

    /// Shows the search to the observer. No worker changes the tree meanwhile, if they can be
    /// paused.
    fn show(&self, worker: &mut Worker<'_, G>, number: usize) {
        let Some(board) = &self.board else { return self.control.show(&self.inspector(worker)) };
        worker.end_job(board, number);
        board.pause(|| self.control.show(&self.inspector(worker)));
    }

    /// The search as worker 0 reports it.
    fn inspector(&self, worker: &Worker<'_, G>) -> TreeInspector<'_, G> {
        let mut counters = self.before;
        counters.merge(&worker.counters);
        for other in self.published.iter().skip(1) {
            counters.merge(&other.lock().expect("no worker panics while it holds the lock"));
        }
        TreeInspector { search: self.search, counters, stopped: StopReason::Finished }
    }

    /// Whether the idle simulations of a worker, which create no node, have used up the limit on
    /// nodes.
    ///
    /// Once every leaf is terminal, or the memory is full, the tree stops growing and would never
    /// reach the limit. A search with a limit of N nodes therefore makes at most N idle
    /// simulations, or N times `expand-visits`, because a leaf needs that many visits before it is
    /// expanded.
    fn is_exhausted(&self, idle: u64) -> bool {
        let workers = self.published.len().max(1) as u64;
        let visits = u64::from(self.search.params.expansion.expand_visits);
        self.control.limits().nodes.is_some_and(|nodes| idle * workers >= nodes.saturating_mul(visits))
    }

    /// The stopper of the rule for the final move.
    fn own_stopper(&self, number: usize) -> Option<Box<dyn Stopper>> {
        let is_robust_max = number == 0 && self.search.params.final_move.rule == FinalRule::RobustMax;
        is_robust_max.then(|| Box::new(RobustMax) as Box<dyn Stopper>)
    }

    /// The statistics of the root as worker 0 reports them.
    fn root_stats(&self, worker: &Worker<'_, G>) -> RootStats {
        let playouts = self.inspector(worker).counters.playouts;
        if let Some(board) = &self.board {
            let state = board.lock();
            let of_child = |child| state.virtual_visits(child);
            return root_stats(self.search, playouts, &VirtualVisits { of_child: &of_child, at_most: 0 });
        }
        // The workers of a shared tree may all be below one child.
        let parallel = &self.search.params.parallel;
        let has_losses = self.search.tree.is_shared() && parallel.diversify == Diversify::VirtualLoss;
        let others = self.published.len().saturating_sub(1) as u32;
        let at_most = if has_losses { others * parallel.virtual_loss } else { 0 };
        root_stats(self.search, playouts, &VirtualVisits { of_child: &|_| 0, at_most })
    }
}
