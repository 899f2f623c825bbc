//! What a search is given besides the position: limits, a seed, a way to be stopped and a way to be watched.
//!
//! A search never reads the clock or a global generator. Each of its workers has a [`Ticker`] and tells it of every node
//! and playout; the ticker says when to stop. Looking at the clock and at the stop flag is rare enough not to be felt, and
//! often enough that a search ends within a few milliseconds of being asked.

use crate::{Report, RootMove, StopReason};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// When a search has to end. Whatever is not limited is unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The longest time.
    pub time: Option<Duration>,
    /// The most playouts (simulations).
    pub playouts: Option<u64>,
    /// The most nodes: positions made and tested for their end.
    pub nodes: Option<u64>,
    /// The most bytes of trees and tables; [`DEFAULT_MEMORY`] if nothing is said.
    pub memory: Option<usize>,
}

impl Limits {
    /// The same limits for a search that may make no playouts: there a node counts for one. So any two searches can be given the same number,
    /// and no search goes on for ever because it does not do what is limited.
    pub fn in_nodes_for(self, makes_playouts: bool) -> Limits {
        match self.playouts {
            Some(playouts) if !makes_playouts => {
                let nodes = self.nodes.map_or(playouts, |nodes| nodes.min(playouts));
                Limits { playouts: None, nodes: Some(nodes), ..self }
            }
            _ => self,
        }
    }
}

/// The bytes that trees and tables may take when nothing is said.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// A running search as an observer sees it.
pub trait Inspector<M> {
    /// What the search would answer now.
    fn report(&self) -> Report<M>;

    /// The moves at the end of a line from the root, with what is known of them; `None` where the tree does not reach.
    fn look(&self, _line: &[M]) -> Option<Vec<RootMove<M>>> {
        None
    }
}

/// Called now and then with the running search; it may look into it as it likes.
pub type Observer<'a, M> = Box<dyn FnMut(&dyn Inspector<M>) + Send + 'a>;

/// What a search is given besides the position.
pub struct Control<'a, M> {
    limits: Limits,
    seed: u64,
    threads: usize,
    stop: &'a AtomicBool,
    observer: Option<Mutex<Observer<'a, M>>>,
    interval: Duration,
    begin: Instant,
    playouts: AtomicU64,
    nodes: AtomicU64,
    /// Why all workers are to end, as [`StopReason`]; 0 while they are not.
    ended: AtomicU8,
}

impl<'a, M> Control<'a, M> {
    /// A control whose clock runs from now on.
    pub fn new(limits: Limits, seed: u64, stop: &'a AtomicBool) -> Control<'a, M> {
        Control {
            limits,
            seed,
            threads: 1,
            stop,
            observer: None,
            interval: Duration::from_millis(100),
            begin: Instant::now(),
            playouts: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            ended: AtomicU8::new(0),
        }
    }

    /// The same with several threads, for searches that can use them.
    pub fn with_threads(self, threads: usize) -> Control<'a, M> {
        Control { threads: threads.max(1), ..self }
    }

    /// The same with an observer, called about every `interval`.
    pub fn watched(self, interval: Duration, observer: Observer<'a, M>) -> Control<'a, M> {
        Control { observer: Some(Mutex::new(observer)), interval, ..self }
    }

    /// A control for a search inside this one: the same limits, clock and stop flag, one thread, another seed, no observer.
    /// It counts for itself.
    pub fn inner(&self, seed: u64) -> Control<'a, M> {
        Control {
            limits: self.limits,
            seed,
            threads: 1,
            stop: self.stop,
            observer: None,
            interval: self.interval,
            begin: self.begin,
            playouts: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            ended: AtomicU8::new(0),
        }
    }

    /// The same with other limits.
    pub fn limited(self, limits: Limits) -> Control<'a, M> {
        Control { limits, ..self }
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many threads may be used.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The most bytes of trees and tables.
    pub fn memory(&self) -> usize {
        self.limits.memory.unwrap_or(DEFAULT_MEMORY)
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Ends the search in all workers, for a reason; the first reason counts.
    pub fn end(&self, reason: StopReason) {
        let _ = self.ended.compare_exchange(0, reason as u8, Relaxed, Relaxed);
    }

    /// Why the search was ended, if it was.
    pub fn ended(&self) -> Option<StopReason> {
        StopReason::from_code(self.ended.load(Relaxed))
    }

    /// How often the observer wants to look, if there is one.
    pub fn watch_interval(&self) -> Option<Duration> {
        self.observer.is_some().then_some(self.interval)
    }

    /// Shows the running search to the observer.
    pub fn show(&self, inspector: &dyn Inspector<M>) {
        if let Some(observer) = &self.observer {
            let mut observer = observer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            observer(inspector);
        }
    }

    /// A ticker for one worker; worker 0 is the one that shows the search to the observer.
    pub fn ticker(&self, worker: usize) -> Ticker<'_, 'a, M> {
        Ticker {
            control: self,
            shows: worker == 0 && self.observer.is_some(),
            stride: 1,
            until_look: 1,
            last_look: self.elapsed(),
            next_show: self.interval,
            is_due: false,
            playouts: Allowance::new(self.limits.playouts),
            nodes: Allowance::new(self.limits.nodes),
        }
    }

    fn looks_stopped(&self, now: Duration) -> bool {
        let asked = self.stop.load(Relaxed);
        let late = self.limits.time.is_some_and(|time| now >= time);
        if asked {
            self.end(StopReason::Asked);
        }
        if late {
            self.end(StopReason::Time);
        }
        // A worker that has run out of playouts or nodes does not end the others, who use up what they have taken.
        asked || late || !matches!(self.ended(), None | Some(StopReason::Playouts | StopReason::Nodes))
    }
}

/// A worker's share of a limited number of things: taken in portions, so that workers rarely meet at the common counter.
struct Allowance {
    limit: Option<u64>,
    left: u64,
}

impl Allowance {
    fn new(limit: Option<u64>) -> Allowance {
        Allowance { limit, left: if limit.is_none() { u64::MAX } else { 0 } }
    }

    /// Takes one; false when there are none left.
    #[inline]
    fn take(&mut self, used: &AtomicU64, threads: usize) -> bool {
        if self.left == 0 && !self.refill(used, threads) {
            return false;
        }
        self.left -= 1;
        true
    }

    /// How many may still be taken.
    fn remaining(&self, used: &AtomicU64) -> u64 {
        let in_common = self.limit.map_or(0, |limit| limit.saturating_sub(used.load(Relaxed)));
        self.left.saturating_add(in_common)
    }

    /// Gives back what was taken and not used.
    fn give_back(&mut self, used: &AtomicU64) {
        if self.limit.is_some() {
            used.fetch_sub(std::mem::take(&mut self.left), Relaxed);
        }
    }

    #[cold]
    fn refill(&mut self, used: &AtomicU64, threads: usize) -> bool {
        let limit = self.limit.unwrap_or(u64::MAX);
        // One worker takes everything; several take small portions, that none runs dry long before the others.
        let portion = if threads == 1 { limit } else { (limit / (threads as u64 * 16)).clamp(1, 64) };
        let take = |used: u64| Some(used + portion.min(limit.saturating_sub(used)));
        let before = used.fetch_update(Relaxed, Relaxed, take).expect("it always says a number");
        self.left = limit.saturating_sub(before).min(portion);
        self.left > 0
    }
}

/// Looks at the clock come at least this far apart; raising it makes searches stop later and tick cheaper.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// One worker's view of the limits.
pub struct Ticker<'c, 'a, M> {
    control: &'c Control<'a, M>,
    shows: bool,
    stride: u32,
    until_look: u32,
    last_look: Duration,
    next_show: Duration,
    is_due: bool,
    playouts: Allowance,
    nodes: Allowance,
}

impl<M> Ticker<'_, '_, M> {
    /// Another playout is to begin; false if it may not.
    #[inline]
    pub fn playout(&mut self) -> bool {
        if !self.playouts.take(&self.control.playouts, self.control.threads) {
            self.control.end(StopReason::Playouts);
            return false;
        }
        self.tick()
    }

    /// Another node is to be made; false if it may not.
    #[inline]
    pub fn node(&mut self) -> bool {
        if !self.nodes.take(&self.control.nodes, self.control.threads) {
            self.control.end(StopReason::Nodes);
            return false;
        }
        self.tick()
    }

    /// Nodes were made, as a side effect of work that could not be stopped half-way; false if there may be no more.
    #[inline]
    pub fn nodes(&mut self, count: usize) -> bool {
        for _ in 0..if self.nodes.limit.is_some() { count } else { 0 } {
            if !self.nodes.take(&self.control.nodes, self.control.threads) {
                self.control.end(StopReason::Nodes);
                return false;
            }
        }
        true
    }

    /// How many nodes may still be made.
    pub fn nodes_left(&self) -> u64 {
        self.nodes.remaining(&self.control.nodes)
    }

    /// How many playouts may still be made.
    pub fn playouts_left(&self) -> u64 {
        self.playouts.remaining(&self.control.playouts)
    }

    /// Some work was done that is neither node nor playout; false if there may be no more.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.until_look -= 1;
        self.until_look > 0 || self.look()
    }

    /// Whether it is time to show the search to the observer; asking makes it wait for the next time.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    #[cold]
    fn look(&mut self) -> bool {
        let now = self.control.elapsed();
        let spent = now.saturating_sub(self.last_look);
        self.last_look = now;
        if spent < LOOK_EVERY {
            self.stride = self.stride.saturating_mul(2).min(1 << 16);
        } else if spent > 2 * LOOK_EVERY {
            // Ticks have become dear: back to the right number at once, not by halves.
            let times_too_many = (spent.as_nanos() / LOOK_EVERY.as_nanos()).min(1 << 16) as u32;
            self.stride = (self.stride / times_too_many).max(1);
        }
        self.until_look = self.stride;
        if self.shows && now >= self.next_show {
            self.is_due = true;
            self.next_show = now + self.control.interval;
        }
        let stopped = self.control.looks_stopped(now);
        if stopped {
            // Who does not end at once is told again at every tick.
            self.until_look = 1;
        }
        !stopped
    }
}

impl<M> Drop for Ticker<'_, '_, M> {
    fn drop(&mut self) {
        self.playouts.give_back(&self.control.playouts);
        self.nodes.give_back(&self.control.nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_are_counted_exactly_by_one_worker_and_by_several() {
        let stop = AtomicBool::new(false);
        for threads in [1, 3] {
            let limits = Limits { playouts: Some(1000), ..Limits::default() };
            let control = Control::<u8>::new(limits, 1, &stop).with_threads(threads);
            let mut tickers: Vec<_> = (0..threads).map(|worker| control.ticker(worker)).collect();
            let mut done = 0;
            while tickers[(done % threads as u64) as usize].playout() {
                done += 1;
            }
            // The others use up what they had taken, although one has reported the end.
            for ticker in &mut tickers {
                while ticker.playout() {
                    done += 1;
                }
            }
            assert_eq!(done, 1000);
            assert_eq!(control.ended(), Some(StopReason::Playouts));
        }
    }

    #[test]
    fn a_ticker_leaves_what_it_did_not_use_to_the_next() {
        let stop = AtomicBool::new(false);
        for threads in [1, 2] {
            let limits = Limits { playouts: Some(1000), nodes: Some(5000), ..Limits::default() };
            let control = Control::<u8>::new(limits, 1, &stop).with_threads(threads);
            let mut done = 0;
            while control.ended().is_none() {
                let mut ticker = control.ticker(0);
                done += (0..7).take_while(|_| ticker.playout() && ticker.nodes(5)).count();
            }
            assert_eq!((done, control.ended()), (1000, Some(StopReason::Playouts)), "{threads}");
        }
    }

    #[test]
    fn the_stop_flag_ends_a_worker_that_has_playouts_left_when_another_has_none() {
        let stop = AtomicBool::new(false);
        let limits = Limits { playouts: Some(64), ..Limits::default() };
        let control = Control::<u8>::new(limits, 1, &stop).with_threads(2);
        control.end(StopReason::Playouts);
        let mut ticker = control.ticker(1);
        assert!(ticker.playout());
        stop.store(true, Relaxed);
        assert!((0..64).any(|_| !ticker.tick()));
    }

    #[test]
    fn a_ticker_that_has_said_no_says_no_again() {
        let stop = AtomicBool::new(false);
        let control = Control::<u8>::new(Limits::default(), 1, &stop);
        let mut ticker = control.ticker(0);
        // Ticks are cheap here, so looks have become rare.
        assert!((0..1 << 20).all(|_| ticker.tick()));
        stop.store(true, Relaxed);
        assert!((0..1 << 17).any(|_| !ticker.tick()));
        assert!((0..100).all(|_| !ticker.tick() && !ticker.node() && !ticker.playout()));
    }

    #[test]
    fn the_stop_flag_and_the_clock_end_it() {
        let stop = AtomicBool::new(true);
        let control = Control::<u8>::new(Limits::default(), 1, &stop);
        assert!(!control.ticker(0).tick());
        assert_eq!(control.ended(), Some(StopReason::Asked));
        let go = AtomicBool::new(false);
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let control = Control::<u8>::new(limits, 1, &go);
        assert!(!control.ticker(0).tick());
        assert_eq!(control.ended(), Some(StopReason::Time));
    }
}
