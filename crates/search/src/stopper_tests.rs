//! Stoppers end searches. The stoppers here count playouts, so that no test depends on the clock.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tesuji_core::{
    Advice, Control, History, Knowledge, Limits, OnlyMove, Progress, Report, RootStats, StopChain, StopReason, Stopper,
};
use tesuji_games::{Connect4, TicTacToe, rules};

/// Stops once the runner-up cannot catch up in the playouts left, and records what it has seen.
struct Uncatchable(Arc<Mutex<Vec<RootStats>>>);

impl Stopper for Uncatchable {
    fn advise(&mut self, stats: &RootStats, progress: &Progress) -> Advice {
        self.0.lock().unwrap().push(*stats);
        let lead = (stats.best_visits - stats.second_visits) as f64;
        let is_settled = progress.playouts_left(stats.playouts) < lead;
        if is_settled { Advice::Stop(StopReason::Settled) } else { Advice::Continue }
    }
}

fn search<G: Knowledge>(
    spec: &str,
    root: &History<G>,
    playouts: u64,
    threads: usize,
    stopper: Box<dyn Stopper>,
) -> Report<G::Move> {
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    let chain = StopChain::new(Duration::MAX, Duration::MAX, vec![stopper]);
    let control = Control::new(limits, 1, &stop).with_threads(threads).stopped_by(Some(&chain));
    let mut search = crate::build::<G>(&spec.parse().unwrap(), root.rules()).unwrap();
    search.search(root, &control)
}

fn connect4(moves: &str) -> History<Connect4> {
    History::parse(rules::<Connect4>("connect4").unwrap(), moves).unwrap()
}

#[test]
fn a_search_stops_when_the_runner_up_cannot_catch_up() {
    // Yellow wins in the middle column at once, so that it gets nearly all playouts.
    let root = connect4("start moves 4 1 4 1 4 2");
    for spec in ["mcts", "mcts:reuse,rave", "mcts:select=ucb1tuned"] {
        let reports = [(), ()].map(|()| {
            let seen = Arc::new(Mutex::new(Vec::new()));
            let report = search(spec, &root, 10_000, 1, Box::new(Uncatchable(seen.clone())));
            let seen = seen.lock().unwrap().clone();
            (report, seen)
        });
        assert_eq!(reports[0], reports[1], "{spec}: the same playouts, the same polls");
        let (report, seen) = &reports[0];
        assert_eq!(report.stopped, StopReason::Settled, "{spec}");
        assert!(report.counters.playouts > 5_000 && report.counters.playouts < 10_000, "{spec}: {report:?}");
        let last = seen.last().unwrap();
        assert_eq!(*last, RootStats::of_report(report), "{spec}: what was polled is what is reported");
        // Polled at the first playout, and about every fiftieth after it.
        assert!(seen.len() as u64 >= report.counters.playouts / 50, "{spec}");
    }
}

#[test]
fn virtual_losses_are_not_visits() {
    let root = connect4("start");
    for spec in ["mcts", "mcts:parallel=tree,virtual-loss=100", "mcts:parallel=leaf"] {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let report = search(spec, &root, 30_000, 2, Box::new(Uncatchable(seen.clone())));
        for stats in seen.lock().unwrap().iter() {
            // Worker 0 knows of the others' playouts a little later than of their visits.
            let known = stats.playouts + 30_000 / 4;
            assert!(stats.best_visits + stats.second_visits <= known, "{spec}: {stats:?}");
        }
        assert!(report.counters.playouts <= 30_000);
    }
}

#[test]
fn one_legal_move_ends_a_search_at_once() {
    let text = "start moves a1 b1 c1 a2 c2 b2 a3 c3";
    let root = History::<TicTacToe>::parse(rules::<TicTacToe>("tictactoe").unwrap(), text).unwrap();
    assert!(!root.is_over());
    for spec in ["mcts", "flat", "prove:[mcts]"] {
        let report = search(spec, &root, 10_000, 1, Box::new(OnlyMove));
        assert!(report.counters.playouts <= 50, "{spec}: {report:?}");
        assert!(report.best.is_some());
    }
}

#[test]
fn the_voters_of_a_root_parallel_search_stop_together() {
    /// Stops as soon as anything is reported, whatever the speed.
    struct AtOnce;
    impl Stopper for AtOnce {
        fn advise(&mut self, stats: &RootStats, _: &Progress) -> Advice {
            if stats.playouts > 0 { Advice::Stop(StopReason::Settled) } else { Advice::Continue }
        }
    }
    let root = connect4("start");
    let report = search("root:[mcts],[mcts:fpu=1]", &root, 1 << 40, 2, Box::new(AtOnce));
    assert_eq!(report.stopped, StopReason::Settled);
    assert!(report.best.is_some());
}
