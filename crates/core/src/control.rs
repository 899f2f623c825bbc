//! Limits, seed, stop flag and observer of a search.
//!
//! A search reads neither the clock nor a global random number generator. Each worker has a
//! [`Ticker`], reports every node and playout to it, and stops when it returns false. The ticker
//! checks the clock and the stop flag at intervals long enough to cost nothing and short enough to
//! stop a search within a few milliseconds. A search with root statistics also offers them to the
//! ticker of its first worker, for the [`Stopper`]s of the search.

use crate::{
    Advice, Bounds, OwnerCounts, POLL_INTERVAL, PointScore, Progress, Report, RootMove, RootStats, StopChain,
    StopReason, Stopper,
};
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The limits of a search. `None` is unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The maximum time.
    pub time: Option<Duration>,
    /// The maximum number of playouts (simulations).
    pub playouts: Option<u64>,
    /// The maximum number of nodes: positions created and tested for the end of the game.
    pub nodes: Option<u64>,
    /// The maximum size of trees and tables in bytes; [`DEFAULT_MEMORY`] if `None`.
    pub memory: Option<usize>,
}

impl Limits {
    /// Converts a limit on playouts into a limit on nodes for a search without playouts. Any two
    /// searches can then be given the same number, and every search stops.
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

/// The default size limit of trees and tables in bytes.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// Read access to a running search.
pub trait Inspector<M> {
    /// Returns the report the search would give if it stopped now.
    fn report(&self) -> Report<M>;

    /// Returns the moves and their statistics after a sequence of moves from the root; `None` if
    /// the tree does not extend that far.
    fn look(&self, _line: &[M]) -> Option<Vec<RootMove<M>>> {
        None
    }

    /// Returns how much each cell belongs to the player to move at the end of playouts, from -1 to
    /// 1; `None` if the game is not about owning cells.
    fn ownership(&self) -> Option<Vec<f64>> {
        None
    }
}

/// A callback that is called at intervals with the running search.
pub type Observer<'a, M> = Box<dyn FnMut(&dyn Inspector<M>) + Send + 'a>;

/// The limits, seed, stop flag and observer of a search.
pub struct Control<'a, M> {
    limits: Limits,
    seed: u64,
    threads: usize,
    stop: &'a AtomicBool,
    observer: Option<Mutex<Observer<'a, M>>>,
    interval: Duration,
    known: Vec<(M, Bounds)>,
    stoppers: Option<&'a StopChain>,
    owners: Option<&'a OwnerCounts>,
    start: Instant,
    /// When this control was created, from the start.
    begin: Duration,
    playouts: AtomicU64,
    nodes: AtomicU64,
    /// The [`StopReason`] as a number; 0 while the search runs.
    ended: AtomicU8,
    improvements: Mutex<Vec<Improvement>>,
}

/// A point of the curve of the best score over the course of a search for one player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Improvement {
    /// The time since the start of the search, in seconds.
    pub seconds: f64,
    /// The playouts made.
    pub playouts: u64,
    /// The best score so far.
    pub score: PointScore,
}

impl<'a, M> Control<'a, M> {
    /// Creates a control. Its clock starts now.
    pub fn new(limits: Limits, seed: u64, stop: &'a AtomicBool) -> Control<'a, M> {
        Control {
            limits,
            seed,
            threads: 1,
            stop,
            observer: None,
            interval: Duration::from_millis(100),
            known: Vec::new(),
            stoppers: None,
            owners: None,
            start: Instant::now(),
            begin: Duration::ZERO,
            playouts: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            ended: AtomicU8::new(0),
            improvements: Mutex::default(),
        }
    }

    /// Sets the number of threads, for searches that can use several.
    pub fn with_threads(self, threads: usize) -> Control<'a, M> {
        Control { threads: threads.max(1), ..self }
    }

    /// Sets an observer, called about every `interval`.
    pub fn watched(self, interval: Duration, observer: Observer<'a, M>) -> Control<'a, M> {
        Control { observer: Some(Mutex::new(observer)), interval, ..self }
    }

    /// Creates a control for a search inside this one, with the same limits, clock, stop flag and
    /// counts of owners, but its own counters, one thread, another seed, no observer and no
    /// stoppers.
    pub fn inner(&self, seed: u64) -> Control<'_, M> {
        Control {
            limits: self.limits,
            seed,
            threads: 1,
            stop: self.stop,
            observer: None,
            interval: self.interval,
            known: Vec::new(),
            stoppers: None,
            owners: self.owners,
            start: self.start,
            begin: self.elapsed(),
            playouts: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            ended: AtomicU8::new(0),
            improvements: Mutex::default(),
        }
    }

    /// Sets another stop flag: that of a search inside another, which stops it.
    pub fn halted_by(self, stop: &'a AtomicBool) -> Control<'a, M> {
        Control { stop, ..self }
    }

    /// Sets the limits.
    pub fn limited(self, limits: Limits) -> Control<'a, M> {
        Control { limits, ..self }
    }

    /// Sets bounds of root moves that were proven before the search.
    pub fn knowing(self, known: Vec<(M, Bounds)>) -> Control<'a, M> {
        Control { known, ..self }
    }

    /// Sets the stoppers. Their deadline replaces the time limit.
    pub fn stopped_by(self, stoppers: Option<&'a StopChain>) -> Control<'a, M> {
        Control { stoppers, ..self }
    }

    /// Returns the stoppers.
    pub fn stoppers(&self) -> Option<&'a StopChain> {
        self.stoppers
    }

    /// Asks a search that [can](crate::Capabilities::owners) to count who owns the cells at the end
    /// of its playouts. Without counts a search spends no time on it.
    pub fn counting(self, owners: Option<&'a OwnerCounts>) -> Control<'a, M> {
        Control { owners, ..self }
    }

    /// Returns the counts of owners, if they are asked for.
    pub fn owners(&self) -> Option<&'a OwnerCounts> {
        self.owners
    }

    /// Returns the bounds of root moves that were proven before the search, for the player to move.
    /// A search may use them to leave out moves; its caller applies them to the report in any case.
    pub fn known(&self) -> &[(M, Bounds)] {
        &self.known
    }

    /// Returns the limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the seed of all random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of threads to use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Returns the size limit of trees and tables in bytes.
    pub fn memory(&self) -> usize {
        self.limits.memory.unwrap_or(DEFAULT_MEMORY)
    }

    /// Returns the time since the start of the search.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Returns the time left to a search inside this one that this one can stop: until the time
    /// limit, or as long as the stoppers may let it run.
    pub fn time_left(&self) -> Option<Duration> {
        let end = self.stoppers.map(StopChain::most).or(self.limits.time);
        end.map(|end| end.saturating_sub(self.elapsed()))
    }

    /// Returns the time until the search regularly ends: at the time limit, or at the present
    /// deadline of the stoppers.
    pub fn time_planned(&self) -> Option<Duration> {
        self.deadline(true).map(|end| end.saturating_sub(self.elapsed()))
    }

    /// Stops all workers. The first reason is kept.
    pub fn end(&self, reason: StopReason) {
        let _ = self.ended.compare_exchange(0, reason as u8, Relaxed, Relaxed);
    }

    /// Returns the reason why the search was stopped, if it was.
    pub fn ended(&self) -> Option<StopReason> {
        StopReason::from_code(self.ended.load(Relaxed))
    }

    /// Records that a complete line has the best score so far, in a game for one player.
    pub fn improved(&self, score: PointScore, playouts: u64) {
        self.record(Improvement { seconds: self.elapsed().as_secs_f64(), playouts, score });
    }

    /// Adds a point to the curve of the best score, if it is higher.
    pub fn record(&self, point: Improvement) {
        let mut curve = self.improvements.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if curve.last().is_none_or(|last| last.score < point.score) {
            curve.push(point);
        }
    }

    /// Returns the curve of the best score.
    pub fn improvements(&self) -> Vec<Improvement> {
        self.improvements.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Returns the interval of the observer, if there is one.
    pub fn watch_interval(&self) -> Option<Duration> {
        self.observer.is_some().then_some(self.interval)
    }

    /// Calls the observer with the running search.
    pub fn show(&self, inspector: &dyn Inspector<M>) {
        if let Some(observer) = &self.observer {
            let mut observer = observer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            observer(inspector);
        }
    }

    /// Creates the ticker of a worker. Worker 0 calls the observer and asks the stoppers.
    pub fn ticker(&self, worker: usize) -> Ticker<'_, 'a, M> {
        Ticker {
            control: self,
            observes: worker == 0 && self.observer.is_some(),
            polls: worker == 0 && self.stoppers.is_some(),
            own_stopper: None,
            stride: 1,
            until_check: 1,
            until_poll: 1,
            stats_due: false,
            last_check: self.elapsed(),
            next_show: self.begin + self.interval,
            is_due: false,
            playouts: Allowance::new(self.limits.playouts),
            nodes: Allowance::new(self.limits.nodes),
        }
    }

    /// The time at which a worker ends the search. The worker that asks the stoppers ends it at
    /// their deadline; the others only if it has not done so by the latest possible time.
    fn deadline(&self, polls: bool) -> Option<Duration> {
        match self.stoppers {
            Some(stoppers) if polls => Some(stoppers.deadline()),
            Some(stoppers) => Some(stoppers.most()),
            None => self.limits.time,
        }
    }

    fn is_stopped(&self, late: bool) -> bool {
        let interrupted = self.stop.load(Relaxed);
        if interrupted {
            self.end(StopReason::Interrupted);
        }
        if late {
            self.end(StopReason::Time);
        }
        // A worker that has run out of playouts or nodes does not stop the others, which use up
        // their shares.
        interrupted || late || !matches!(self.ended(), None | Some(StopReason::Playouts | StopReason::Nodes))
    }
}

/// A worker's share of a limited number of playouts or nodes. Taken in portions, so that workers
/// rarely contend for the shared counter.
struct Allowance {
    limit: Option<u64>,
    left: u64,
}

impl Allowance {
    fn new(limit: Option<u64>) -> Allowance {
        Allowance { limit, left: if limit.is_none() { u64::MAX } else { 0 } }
    }

    /// Takes one; false if none are left.
    #[inline]
    fn take(&mut self, used: &AtomicU64, threads: usize) -> bool {
        if self.left == 0 && !self.refill(used, threads) {
            return false;
        }
        self.left -= 1;
        true
    }

    /// The number that may still be taken.
    fn remaining(&self, used: &AtomicU64) -> u64 {
        let shared = self.limit.map_or(0, |limit| limit.saturating_sub(used.load(Relaxed)));
        self.left.saturating_add(shared)
    }

    /// Returns the unused part to the shared counter.
    fn give_back(&mut self, used: &AtomicU64) {
        if self.limit.is_some() {
            used.fetch_sub(std::mem::take(&mut self.left), Relaxed);
        }
    }

    #[cold]
    fn refill(&mut self, used: &AtomicU64, threads: usize) -> bool {
        let limit = self.limit.unwrap_or(u64::MAX);
        // One worker takes everything. Several take small portions, so that they run out at about
        // the same time.
        let portion = if threads == 1 { limit } else { (limit / (threads as u64 * 16)).clamp(1, 64) };
        let take = |used: u64| Some(used + portion.min(limit.saturating_sub(used)));
        let before = used.fetch_update(Relaxed, Relaxed, take).expect("the closure always returns a number");
        self.left = limit.saturating_sub(before).min(portion);
        self.left > 0
    }
}

/// The interval between checks of the clock. Raising it makes ticks cheaper and searches stop
/// later.
const CHECK_INTERVAL: Duration = Duration::from_millis(2);

/// Counts the work of one worker and tells it when to stop.
pub struct Ticker<'c, 'a, M> {
    control: &'c Control<'a, M>,
    observes: bool,
    /// Whether this worker asks stoppers.
    polls: bool,
    /// A stopper that belongs to the search itself.
    own_stopper: Option<Box<dyn Stopper>>,
    /// Ticks between checks of the clock.
    stride: u32,
    until_check: u32,
    /// Ticks until the next report of root statistics.
    until_poll: u32,
    stats_due: bool,
    last_check: Duration,
    next_show: Duration,
    is_due: bool,
    playouts: Allowance,
    nodes: Allowance,
}

impl<M> Ticker<'_, '_, M> {
    /// Counts a playout that is about to start; false if the worker must stop instead.
    #[inline]
    pub fn playout(&mut self) -> bool {
        if !self.playouts.take(&self.control.playouts, self.control.threads) {
            self.control.end(StopReason::Playouts);
            return false;
        }
        self.tick()
    }

    /// Counts a node that is about to be created; false if the worker must stop instead.
    #[inline]
    pub fn node(&mut self) -> bool {
        if !self.nodes.take(&self.control.nodes, self.control.threads) {
            self.control.end(StopReason::Nodes);
            return false;
        }
        self.tick()
    }

    /// Counts nodes created by a step that could not be interrupted; false if the worker must stop.
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

    /// Returns the number of nodes left.
    pub fn nodes_left(&self) -> u64 {
        self.nodes.remaining(&self.control.nodes)
    }

    /// Returns the number of playouts left.
    pub fn playouts_left(&self) -> u64 {
        self.playouts.remaining(&self.control.playouts)
    }

    /// Counts work that is neither a node nor a playout; false if the worker must stop.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.until_check -= 1;
        self.until_check > 0 || self.check()
    }

    /// Looks at the clock at once, for a search that has not ticked for a while; false if the
    /// worker must stop.
    pub fn check_now(&mut self) -> bool {
        self.until_check = 1;
        self.tick()
    }

    /// Adds a stopper that belongs to the search itself. Only worker 0 asks it.
    pub fn with_stopper(mut self, stopper: Option<Box<dyn Stopper>>) -> Self {
        self.polls |= stopper.is_some();
        self.own_stopper = stopper;
        self
    }

    /// Makes the statistics of the root due, for a search that reports at intervals of its own.
    pub fn poll(&mut self) {
        self.stats_due |= self.polls;
    }

    /// Offers the statistics of the root to the stoppers; false if the worker must stop. `stats` is
    /// called only when they are due.
    #[inline]
    pub fn report(&mut self, stats: impl FnOnce() -> RootStats) -> bool {
        !self.stats_due || self.consult(&stats())
    }

    /// Returns whether the observer is due, and resets the answer until the next interval.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    #[cold]
    fn consult(&mut self, stats: &RootStats) -> bool {
        self.stats_due = false;
        let control = self.control;
        let now = self.last_check;
        let progress = Progress {
            elapsed: now,
            searched: now.saturating_sub(control.begin),
            deadline: control.deadline(true),
            playout_limit: control.limits.playouts,
        };
        if let Some(reason) = control.stoppers.and_then(|stoppers| stoppers.consult(stats, &progress)) {
            control.end(reason);
        }
        if let Some(Advice::Stop(reason)) = self.own_stopper.as_mut().map(|own| own.advise(stats, &progress)) {
            control.end(reason);
        }
        !self.is_stopped(now)
    }

    #[cold]
    fn check(&mut self) -> bool {
        let now = self.control.elapsed();
        let spent = now.saturating_sub(self.last_check);
        self.last_check = now;
        self.until_poll = self.until_poll.saturating_sub(self.stride);
        if spent < CHECK_INTERVAL {
            self.stride = self.stride.saturating_mul(2).min(1 << 16);
        } else if spent > 2 * CHECK_INTERVAL {
            // Ticks have become expensive: correct the stride at once instead of halving it.
            let excess = (spent.as_nanos() / CHECK_INTERVAL.as_nanos()).min(1 << 16) as u32;
            self.stride = (self.stride / excess).max(1);
        }
        if self.observes && now >= self.next_show {
            self.is_due = true;
            self.next_show = now + self.control.interval;
        }
        if self.polls && self.polls_first(now) {
            return true;
        }
        self.until_check = self.stride;
        !self.is_stopped(now)
    }

    /// Whether the stoppers are asked before the clock is. They are asked at fixed numbers of
    /// ticks, and once more at the deadline; a search that does not report to them ends there.
    fn polls_first(&mut self, now: Duration) -> bool {
        let is_late = self.control.deadline(true).is_some_and(|deadline| now >= deadline);
        let was_due = self.stats_due;
        self.stats_due |= is_late || self.until_poll == 0;
        if self.until_poll == 0 {
            self.until_poll = POLL_INTERVAL;
        }
        self.stride = self.stride.min(self.until_poll);
        let asks = is_late && !was_due && !self.control.is_stopped(false);
        if asks {
            (self.stride, self.until_check) = (1, 1);
        }
        asks
    }

    fn is_stopped(&mut self, now: Duration) -> bool {
        let is_late = self.control.deadline(self.polls).is_some_and(|deadline| now >= deadline);
        let stopped = self.control.is_stopped(is_late);
        if stopped {
            // A worker that does not stop at once gets false at every further tick.
            self.until_check = 1;
        }
        stopped
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
            // The other workers use up their shares although one has run out.
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
    fn a_ticker_returns_its_unused_share() {
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
    fn a_stopped_ticker_stays_stopped() {
        let stop = AtomicBool::new(false);
        let control = Control::<u8>::new(Limits::default(), 1, &stop);
        let mut ticker = control.ticker(0);
        // Ticks are cheap here, so checks have become rare.
        assert!((0..1 << 20).all(|_| ticker.tick()));
        stop.store(true, Relaxed);
        assert!((0..1 << 17).any(|_| !ticker.tick()));
        assert!((0..100).all(|_| !ticker.tick() && !ticker.node() && !ticker.playout()));
    }

    #[test]
    fn the_stop_flag_and_the_clock_stop_a_search() {
        let stop = AtomicBool::new(true);
        let control = Control::<u8>::new(Limits::default(), 1, &stop);
        assert!(!control.ticker(0).tick());
        assert_eq!(control.ended(), Some(StopReason::Interrupted));
        let go = AtomicBool::new(false);
        let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        let control = Control::<u8>::new(limits, 1, &go);
        assert!(!control.ticker(0).tick());
        assert_eq!(control.ended(), Some(StopReason::Time));
    }

    /// Counts its polls and stops a search at a number of playouts.
    struct StopAt {
        playouts: u64,
        polled: std::sync::Arc<AtomicU64>,
    }

    impl Stopper for StopAt {
        fn advise(&mut self, stats: &RootStats, _: &Progress) -> Advice {
            self.polled.fetch_add(1, Relaxed);
            if stats.playouts >= self.playouts { Advice::Stop(StopReason::Settled) } else { Advice::Continue }
        }
    }

    #[test]
    fn stoppers_are_asked_at_fixed_numbers_of_playouts() {
        let stop = AtomicBool::new(false);
        let polled = std::sync::Arc::new(AtomicU64::new(0));
        let stopper = StopAt { playouts: 1000, polled: polled.clone() };
        let chain = StopChain::new(Duration::MAX, Duration::MAX, vec![Box::new(stopper)]);
        let control = Control::<u8>::new(Limits::default(), 1, &stop).stopped_by(Some(&chain));
        let mut ticker = control.ticker(0);
        let mut playouts = 0;
        while ticker.playout() {
            playouts += 1;
            if !ticker.report(|| RootStats { playouts, ..RootStats::default() }) {
                break;
            }
        }
        // The first playout, and then every fiftieth after it.
        assert_eq!((playouts, polled.load(Relaxed)), (1001, 21));
        assert_eq!(control.ended(), Some(StopReason::Settled));
        assert!(!ticker.playout() && !control.ticker(1).tick(), "all workers stop");
    }

    /// Moves the deadline once.
    struct ExtendOnce(Option<Duration>);

    impl Stopper for ExtendOnce {
        fn advise(&mut self, _: &RootStats, progress: &Progress) -> Advice {
            match self.0.filter(|_| progress.is_over()) {
                Some(_) => Advice::Until(self.0.take().expect("it was just tested")),
                None => Advice::Continue,
            }
        }
    }

    #[test]
    fn stoppers_are_asked_before_the_deadline_ends_a_search() {
        let stop = AtomicBool::new(false);
        // The time of the plan is over before the first tick, so the clock does not matter.
        let chain = StopChain::new(Duration::ZERO, Duration::MAX, vec![Box::new(ExtendOnce(Some(Duration::MAX)))]);
        let control = Control::<u8>::new(Limits::default(), 1, &stop).stopped_by(Some(&chain));
        let mut ticker = control.ticker(0);
        assert!(ticker.playout() && ticker.report(RootStats::default));
        assert!((0..1000).all(|_| ticker.playout() && ticker.report(RootStats::default)));
        // Without an extension the same report ends the search, and so does a search that reports
        // nothing.
        for reports in [true, false] {
            let chain = StopChain::new(Duration::ZERO, Duration::MAX, Vec::new());
            let control = Control::<u8>::new(Limits::default(), 1, &stop).stopped_by(Some(&chain));
            let mut ticker = control.ticker(0);
            assert!(ticker.playout());
            assert!(!if reports { ticker.report(RootStats::default) } else { ticker.tick() });
            assert_eq!(control.ended(), Some(StopReason::Time));
        }
        // Workers that do not ask the stoppers leave the end to the one that does.
        let chain = StopChain::new(Duration::ZERO, Duration::MAX, Vec::new());
        let control = Control::<u8>::new(Limits::default(), 1, &stop).stopped_by(Some(&chain));
        assert!(control.ticker(1).tick());
    }
}
