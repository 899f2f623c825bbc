//! Root-parallel search: independent searches of the same position vote on the move.
//!
//! `root:[mcts],[mcts:rave]` runs one search for every spec in brackets. With more threads than
//! specs the specs repeat in order. Different configurations make less correlated errors (the
//! multi-algorithm variant of Steinmetz 2016). `mcts:parallel=root` is the same with one
//! configuration. The limits hold for all searches together: playouts, nodes and memory are split
//! evenly. With fewer threads than searches, the searches run in rounds and the time is split too.
//!
//! - *majority*: every search has one vote, for its best move (Soejima et al. 2010);
//! - *sum*: the highest sum over the searches of visits times value, with values on [0, 1] (Chaslot
//!   et al. 2008). On [-1, 1] the most visited move of a lost position would come last;
//! - *average*: the highest mean of the searches' values, over the searches that visited the move;
//! - *visits*: the most visits in total.
//!
//! Ties go to the move with more visits, then to the first in move order. A bound that one search
//! has proven holds for all. A move that achieves the proven value is played. A move that cannot
//! exceed a guaranteed score and may fall short of it is not. A guaranteed draw is played if the
//! alternative looks lost.

use crate::best_line;
use crate::proving::report::{self, narrow, proven_first};
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::Duration;
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Game, History, Inspector, Knowledge, Limits, OptionInfo, Options, Report,
    RootMove, RootStats, SPECS, Search, SearchInfo, SearchKind, Spec, SpecError, StopReason, Ticker, TotalF64,
};

/// How the searches vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// One vote per search.
    Majority,
    /// The highest sum of visits times value.
    Sum,
    /// The highest mean value.
    Average,
    /// The most visits.
    Visits,
}

impl Vote {
    /// Reads the `vote` option.
    pub fn read(options: &mut Options<'_>) -> Result<Vote, SpecError> {
        let choices =
            [("majority", Vote::Majority), ("sum", Vote::Sum), ("average", Vote::Average), ("visits", Vote::Visits)];
        options.choice("vote", &choices, "how root-parallel searches vote")
    }
}

/// The `root` search.
pub struct RootParallel;

/// The options.
#[derive(Clone, Debug)]
pub struct Params {
    /// The searches that vote.
    specs: Vec<Spec>,
    vote: Vote,
}

impl SearchKind for RootParallel {
    const INFO: SearchInfo = SearchInfo { name: "root", summary: "root-parallel search: independent searches vote" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let specs = options.specs("the searches that vote, for example [mcts:fpu=1],[mcts]; default [mcts]")?;
        let vote = Vote::read(options)?;
        let specs = if specs.is_empty() { vec!["mcts".parse()?] } else { specs };
        Ok(Params { specs, vote })
    }

    /// A vote is as capable as its most capable voter, except that a majority may outvote a proof.
    fn capabilities(params: &Params) -> Capabilities {
        let voters: Vec<Capabilities> = params.specs.iter().filter_map(|spec| crate::capabilities(spec).ok()).collect();
        let fewest = voters.iter().map(|voter| voter.players.0).max();
        let most = voters.iter().map(|voter| voter.players.1).min();
        let (low, high) = Capabilities::PLAYER.players;
        Capabilities {
            players: (fewest.unwrap_or(low), most.unwrap_or(high)),
            parallel: true,
            playouts: true,
            owners: voters.iter().any(|voter| voter.owners),
            proves: voters.iter().any(|voter| voter.proves),
            plays_proven: voters.iter().all(|voter| voter.plays_proven),
            splits_limits: true,
            finds_solutions: voters.iter().any(|voter| voter.finds_solutions),
            ..Capabilities::PLAYER
        }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let takes_specs = |options: Vec<OptionInfo>| options.iter().any(|option| option.key == SPECS);
        let combines = |spec: &&Spec| crate::options(spec.name()).is_ok_and(takes_specs);
        if let Some(nested) = params.specs.iter().find(combines) {
            return Err(SpecError::BadValue {
                name: Self::INFO.name.to_string(),
                key: SPECS.to_string(),
                value: nested.to_string(),
                accepted: "searches that combine no others".to_string(),
            });
        }
        // Building every spec now reports a bad one here instead of in the middle of a game.
        for spec in &params.specs {
            crate::build::<G>(spec, rules)?;
        }
        let (rules, vote) = (rules.clone(), params.vote);
        let makes_playouts = |spec| crate::capabilities(spec).is_ok_and(|can| can.playouts);
        let playouts = params.specs.iter().map(makes_playouts).collect();
        let make = move |number: usize| {
            let spec = &params.specs[number % params.specs.len()];
            crate::build::<G>(spec, &rules).expect("the spec was built before")
        };
        Ok(Box::new(Voters { playouts, make: Box::new(make), vote, searches: Vec::new() }))
    }
}

/// How often the searches are watched. Raising it makes watching cheaper and stops them later.
const WAIT: Duration = Duration::from_millis(5);

/// Returns the seed of the search with a given number. Search 0 keeps the caller's seed.
pub fn seed_of(seed: u64, number: usize) -> u64 {
    seed ^ (number as u64).wrapping_mul(0xD1B5_4A32_D192_ED03)
}

/// Returns the share of a limit for one of `total` searches. The first searches get the remainder
/// of an uneven split.
pub fn share_of(limit: u64, number: usize, total: u64) -> u64 {
    limit / total + u64::from((number as u64) < limit % total)
}

/// Builds the search with a given number.
type Make<G> = Box<dyn Fn(usize) -> Box<dyn Search<G>> + Send>;

/// Independent searches that vote.
pub struct Voters<G: Game> {
    /// Whether each of the specs makes playouts. Further searches repeat the specs in order.
    playouts: Vec<bool>,
    make: Make<G>,
    vote: Vote,
    searches: Vec<Box<dyn Search<G>>>,
}

impl<G: Game> Voters<G> {
    /// Creates one search per thread, all of which make playouts.
    pub fn new(make: Make<G>, vote: Vote) -> Voters<G> {
        Voters { playouts: vec![true], make, vote, searches: Vec::new() }
    }

    /// Runs all searches, one per thread at a time.
    ///
    /// Stops when `control` ends the search or when a search solves the position.
    fn run_all(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Vec<Report<G::Move>> {
        let total = control.threads().max(self.playouts.len());
        while self.searches.len() < total {
            self.searches.push((self.make)(self.searches.len()));
        }
        let threads = control.threads();
        let rounds = total.div_ceil(threads);
        let mut reports: Vec<Option<Report<G::Move>>> = (0..total).map(|_| None).collect();
        for (number, searches) in self.searches[..total].chunks_mut(threads).enumerate() {
            let round = Round {
                first: number * threads,
                total: total as u64,
                rounds_left: (rounds - number) as u32,
                playouts: &self.playouts,
                vote: self.vote,
            };
            let (finished, reports) = reports.split_at_mut(round.first);
            round.run(searches, root, control, finished, reports);
            if !matches!(control.ended(), None | Some(StopReason::Playouts | StopReason::Nodes)) {
                break;
            }
        }
        reports.into_iter().flatten().collect()
    }
}

impl<G: Game> Search<G> for Voters<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let reports = self.run_all(root, control);
        let mut report = poll(&reports, root, self.vote);
        if let Some(reason) = control.ended() {
            report.stopped = reason;
        }
        report
    }

    fn forget(&mut self) {
        self.searches.clear();
    }
}

/// The searches that run at the same time.
struct Round<'v> {
    /// The number of the first search of the round.
    first: usize,
    /// The number of searches in all rounds.
    total: u64,
    /// The rounds left, including this one.
    rounds_left: u32,
    playouts: &'v [bool],
    vote: Vote,
}

impl Round<'_> {
    /// Runs the searches, each in its own thread, and writes their reports.
    fn run<G: Game>(
        &self,
        searches: &mut [Box<dyn Search<G>>],
        root: &History<G>,
        control: &Control<'_, G::Move>,
        finished: &[Option<Report<G::Move>>],
        reports: &mut [Option<Report<G::Move>>],
    ) {
        let mut ticker = control.ticker(0);
        let halt = AtomicBool::new(!ticker.tick());
        let (sender, receiver) = mpsc::channel();
        // What the searches have reported so far, for the stoppers.
        let latest: Vec<Mutex<Option<Report<G::Move>>>> = searches.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for ((number, search), report) in (self.first..).zip(searches).zip(reports) {
                let limits = self.limits(number, control);
                let seed = seed_of(control.seed(), number);
                let (sender, halt, latest) = (sender.clone(), &halt, &latest[number - self.first]);
                // The observer sees the first search of the round.
                let interval = control.watch_interval().filter(|_| number == self.first);
                let poll_interval = control.stoppers().map(|_| WAIT);
                scope.spawn(move || {
                    let mut next_show = interval.map(|interval| control.elapsed() + interval);
                    let show = move |inspector: &dyn Inspector<G::Move>| {
                        if poll_interval.is_some() {
                            *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(inspector.report());
                        }
                        if next_show.is_some_and(|at| poll_interval.is_none() || control.elapsed() >= at) {
                            next_show = interval.map(|interval| control.elapsed() + interval);
                            control.show(inspector);
                        }
                        if !control.ticker(1).tick() {
                            halt.store(true, Relaxed);
                        }
                    };
                    let inner = Control::new(limits, seed, halt).counting(control.owners());
                    let inner = match poll_interval.or(interval) {
                        Some(interval) => inner.watched(interval, Box::new(show)),
                        None => inner,
                    };
                    let finished = report.insert(search.search(root, &inner));
                    // The receiver outlives the senders unless its thread panics.
                    let _ = sender.send(finished.stopped);
                });
            }
            drop(sender);
            let stats = || {
                let latest = latest.iter().map(|report| report.lock().unwrap_or_else(PoisonError::into_inner).clone());
                let reports: Vec<Report<G::Move>> = finished.iter().cloned().chain(latest).flatten().collect();
                RootStats::of_report(&poll(&reports, root, self.vote))
            };
            wait(&receiver, &halt, &mut ticker, control, &stats);
        });
    }

    /// Returns the limits of one search.
    fn limits<M>(&self, number: usize, control: &Control<'_, M>) -> Limits {
        let limits = control.limits();
        let share = |limit: Option<u64>| limit.map(|limit| share_of(limit, number, self.total));
        let limits = Limits {
            time: control.time_left().map(|time| time / self.rounds_left),
            playouts: share(limits.playouts),
            nodes: share(limits.nodes),
            memory: Some(control.memory() / self.total as usize),
        };
        limits.in_nodes_for(self.playouts[number % self.playouts.len()])
    }
}

/// Waits until all searches have reported.
///
/// Halts them when one has solved the position or a limit is reached.
fn wait<M>(
    receiver: &mpsc::Receiver<StopReason>,
    halt: &AtomicBool,
    ticker: &mut Ticker<'_, '_, M>,
    control: &Control<'_, M>,
    stats: &dyn Fn() -> RootStats,
) {
    loop {
        match receiver.recv_timeout(WAIT) {
            Ok(StopReason::Solved) => {
                control.end(StopReason::Solved);
                halt.store(true, Relaxed);
            }
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => {
                ticker.poll();
                if !(ticker.report(stats) && ticker.tick()) {
                    halt.store(true, Relaxed);
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
}

/// A root move with the combined statistics of all searches.
struct Candidate<M> {
    root_move: RootMove<M>,
    votes: u32,
    /// The sum of visits times value, with values on [0, 1].
    sum: f64,
    /// The sum of the searches' mean values.
    means: f64,
    /// The number of searches that visited the move.
    searches: u32,
}

impl<M: Copy + PartialEq> Candidate<M> {
    fn new(mv: M, bounds: Bounds) -> Candidate<M> {
        Candidate { root_move: RootMove::new(mv, bounds), votes: 0, sum: 0.0, means: 0.0, searches: 0 }
    }

    /// Adds the statistics of one search.
    fn add(&mut self, report: &Report<M>, root_move: &RootMove<M>) {
        self.votes += u32::from(report.best == Some(root_move.mv));
        if let (Some(value), 1..) = (root_move.value, root_move.visits) {
            self.sum += (value + 1.0) / 2.0 * root_move.visits as f64;
            self.means += value;
            self.searches += 1;
            self.root_move.visits += root_move.visits;
        }
        narrow(&mut self.root_move.bounds, &root_move.bounds);
    }

    /// Computes the mean and its standard error, once all searches are added.
    fn finish(&mut self) {
        let RootMove { visits, value, spread, .. } = &mut self.root_move;
        if *visits > 0 {
            let mean = 2.0 * self.sum / *visits as f64 - 1.0;
            *value = Some(mean);
            *spread = Some(((1.0 - mean * mean).max(0.0) / *visits as f64).sqrt());
        }
    }

    fn score(&self, vote: Vote) -> f64 {
        match vote {
            Vote::Majority => f64::from(self.votes),
            Vote::Sum => self.sum,
            Vote::Average if self.searches > 0 => self.means / f64::from(self.searches),
            Vote::Average => f64::NEG_INFINITY,
            Vote::Visits => self.root_move.visits as f64,
        }
    }
}

/// Combines the reports of independent searches of a position into one by a vote.
pub fn poll<G: Game>(reports: &[Report<G::Move>], root: &History<G>, vote: Vote) -> Report<G::Move> {
    let mut bounds = Bounds::unknown(root.position().to_move(), root.facts());
    let mut counters = Counters::default();
    let mut candidates = candidates(root);
    for report in reports {
        counters.merge(&report.counters);
        narrow(&mut bounds, &report.bounds);
        for root_move in &report.moves {
            if let Some(candidate) = candidates.iter_mut().find(|candidate| candidate.root_move.mv == root_move.mv) {
                candidate.add(report, root_move);
            }
        }
    }
    candidates.iter_mut().for_each(Candidate::finish);
    let is_solved = reports.iter().any(|report| report.stopped == StopReason::Solved);
    candidates.sort_by_cached_key(|candidate| Reverse((TotalF64(candidate.score(vote)), candidate.root_move.visits)));
    proven_first(&mut candidates, |candidate| &candidate.root_move, &bounds, is_solved, root.facts());
    let best = candidates.first().map(|candidate| candidate.root_move.mv);
    let mean = candidates.first().and_then(|candidate| candidate.root_move.value).unwrap_or(0.0);
    // A search that has proven the result knows the exact value.
    let proven = report::value(&bounds, root.facts());
    let knows = |report: &&Report<G::Move>| {
        report.stopped == StopReason::Solved
            || (proven.is_some() && report::value(&report.bounds, root.facts()) == proven)
    };
    let solved = reports.iter().find(knows);
    // If the result is proven, the variation of a search that has not proven it may lose it.
    let is_trusted =
        |report: &&Report<G::Move>| report.best == best && (proven.is_none() && !is_solved || knows(report));
    let variation = reports.iter().find(is_trusted).map(|report| report.variation.clone());
    let mut combined = Report {
        best,
        value: solved.map_or(mean, |report| report.value),
        bounds,
        proof_numbers: None,
        variation: variation.unwrap_or_else(|| best.into_iter().collect()),
        moves: candidates.into_iter().map(|candidate| candidate.root_move).collect(),
        solution: None,
        counters,
        stopped: reports.first().map_or(StopReason::Finished, |report| report.stopped),
    };
    // A line for one player needs no vote.
    let lines = reports.iter().filter_map(|report| best_line::of_report(report, root.facts()));
    if let Some(line) = lines.max_by_key(|line| line.score) {
        best_line::add_to_report(&mut combined, line, root.facts());
    }
    combined
}

fn candidates<G: Game>(root: &History<G>) -> Vec<Candidate<G::Move>> {
    let mut legal = Vec::new();
    root.legal_moves(&mut legal);
    let unknown = Bounds::unknown(root.position().to_move(), root.facts());
    legal.into_iter().map(|mv| Candidate::new(mv, unknown)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_games::{Synthetic, rules};

    #[test]
    fn a_search_that_has_proven_only_one_bound_does_not_provide_the_variation() {
        // Scores are not zero-sum. One search has proven at least 5 for the first player, the other
        // at most 5.
        let rules = rules::<Synthetic>("synthetic:tree='(a: (b: 5,6 7,8) (b: 2,1 3,2))'").unwrap();
        let root = History::<Synthetic>::parse(rules, "start").unwrap();
        let report = |at_least, at_most| Report {
            best: Some(0),
            value: 0.0,
            bounds: Bounds { player: root.position().to_move(), at_least, at_most },
            proof_numbers: None,
            variation: vec![0, 1],
            moves: Vec::new(),
            solution: None,
            counters: Counters::default(),
            stopped: StopReason::Playouts,
        };
        let combined = poll(&[report(5, 8), report(2, 5)], &root, Vote::Majority);
        assert_eq!((combined.bounds.at_least, combined.bounds.at_most), (5, 5));
        assert_eq!(combined.variation, [0]);
        let one_knows = poll(&[report(2, 5), report(5, 5)], &root, Vote::Majority);
        assert_eq!(one_knows.variation, [0, 1]);
    }
}
