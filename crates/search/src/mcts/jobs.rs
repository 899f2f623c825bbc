//! Jobs: how threads share one tree without sharing its nodes.
//!
//! A *job* is a number of simulations below one node, which a worker *claims* for that time. No
//! other worker enters the subtree, so the worker searches it as a single thread would, with plain
//! loads and stores. Only the nodes above claimed ones belong to everybody; they change under a
//! lock, once per job: the worker adds what its simulations found, chooses a path from the root
//! again, and claims the node at its end.
//!
//! With a cheap playout a simulation takes less time than a few exchanges of cache lines between
//! two cores. Updating the nodes near the root in every simulation, as lock-free tree parallelism
//! does (Enzenberger & Mueller 2010), makes such a search slower with two threads than with one.
//!
//! Jobs are small compared to what is known already. A claimed node has at most a fraction of the
//! root's visits ([`ROOT_SHARE`]), and gets a fraction of its own visits at a time ([`GROWTH`]), so
//! statistics are never out of date by more than a few percent. While a job is under way, the nodes
//! above count its simulations as lost (virtual loss, Chaslot et al. 2008), which leads other
//! workers elsewhere.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A claimed node has at most one part in this many, and in the number of threads, of the root's
/// visits. Raising it keeps statistics more current, and makes jobs smaller.
const ROOT_SHARE: u32 = 4;
/// A job makes one simulation for this many visits of its node. Raising it brings the search closer
/// to that of one thread, and makes jobs smaller.
const GROWTH: u32 = 16;
/// The largest number of simulations of a job. Raising it spends less time under the lock, and
/// reports later.
const MOST_SIMULATIONS: u32 = 1024;
/// A node with fewer visits can be claimed however few the root has.
const ALWAYS_CLAIMABLE: u32 = 8;

/// The number of simulations of a job at a node with these visits.
pub fn job_size(visits: u32) -> u32 {
    (visits / GROWTH).clamp(1, MOST_SIMULATIONS)
}

/// The number of visits below which a node can be claimed.
pub fn claimable_below(root_visits: u32, threads: usize) -> u32 {
    (root_visits / (ROOT_SHARE * threads as u32)).clamp(ALWAYS_CLAIMABLE, GROWTH * MOST_SIMULATIONS)
}

/// The jobs under way.
pub struct JobBoard {
    state: Mutex<BoardState>,
    changed: Condvar,
}

/// The place of a worker on a board.
pub struct Place<'b> {
    board: &'b JobBoard,
    worker: usize,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut state = self.board.lock();
        state.end(self.worker);
        self.board.notify(&state);
    }
}

/// The state of the board. The worker that holds its lock may change the nodes above claimed ones.
pub struct BoardState {
    /// For each worker with a job the ids from the root to the claimed node.
    paths: Vec<Vec<u32>>,
    /// The visits by which the nodes between the root and the claimed node are virtually lost.
    sizes: Vec<u32>,
    waiting: usize,
    is_paused: bool,
}

impl JobBoard {
    /// A board for a number of workers.
    pub fn new(workers: usize) -> JobBoard {
        let state =
            BoardState { paths: vec![Vec::new(); workers], sizes: vec![0; workers], waiting: 0, is_paused: false };
        JobBoard { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The place of a worker. When it is dropped the worker has no job, even if it has panicked:
    /// the others must not wait for it.
    pub fn place(&self, worker: usize) -> Place<'_> {
        Place { board: self, worker }
    }

    /// Locks the nodes above claimed ones.
    pub fn lock(&self) -> MutexGuard<'_, BoardState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a job has ended or a pause is over.
    pub fn wait<'b>(&self, mut state: MutexGuard<'b, BoardState>) -> MutexGuard<'b, BoardState> {
        state.waiting += 1;
        let mut state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Wakes the workers that wait.
    pub fn notify(&self, state: &BoardState) {
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Calls `look` while no job is under way. The caller must have ended its own.
    pub fn pause(&self, look: impl FnOnce()) {
        let mut state = self.lock();
        state.is_paused = true;
        while state.paths.iter().any(|path| !path.is_empty()) {
            state = self.wait(state);
        }
        let _resume = Resume { board: self, state };
        look();
    }
}

/// Ends a pause when it is dropped, even by a panic: the other workers wait for it.
struct Resume<'b> {
    board: &'b JobBoard,
    state: MutexGuard<'b, BoardState>,
}

impl Drop for Resume<'_> {
    fn drop(&mut self) {
        self.state.is_paused = false;
        self.board.notify(&self.state);
    }
}

impl BoardState {
    /// Whether no job may begin at present.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.paths.len()
    }

    /// Records the job of a worker: its simulations, and the ids from the root to the claimed node.
    pub fn begin(&mut self, worker: usize, size: u32, path: impl Iterator<Item = u32>) {
        self.sizes[worker] = size;
        self.paths[worker].clear();
        self.paths[worker].extend(path);
    }

    /// Records that the job of a worker has ended.
    pub fn end(&mut self, worker: usize) {
        self.paths[worker].clear();
    }

    /// The virtual visits of a child of the root.
    pub fn virtual_visits(&self, child: u32) -> u32 {
        let passes = |path: &Vec<u32>| path.len() > 2 && path[1] == child;
        self.paths.iter().zip(&self.sizes).filter(|(path, _)| passes(path)).map(|(_, size)| size).sum()
    }

    /// The claimed nodes.
    pub fn claimed(&self) -> impl Iterator<Item = u32> {
        self.paths.iter().filter_map(|path| path.last().copied())
    }

    /// Whether a node is claimed or above a claimed one.
    pub fn is_busy(&self, id: u32) -> bool {
        self.paths.iter().any(|path| path.contains(&id))
    }
}
