//! Root-parallel search: several searches of the same position, each on its own, and a vote.
//!
//! `root:[mcts],[mcts:rave]` runs one tree for every spec in brackets; with more threads than specs they are taken in turn. Different
//! configurations make errors that are less alike (the multi-algorithm variant of Steinmetz 2016). `mcts:parallel=root`
//! is the same with one configuration. The limits hold for all together: playouts, nodes and memory are shared out, and with fewer
//! threads than trees these take turns, and the time is shared out too.
//!
//! - *majority*: every tree votes for the move it would play, one vote each (Soejima et al. 2010);
//! - *sum*: the move with the highest sum of scores, that is of visits times the value on [0, 1] (Chaslot et al. 2008): on [-1, 1]
//!   the move with most visits would come last in a lost position;
//! - *average*: the move with the highest mean of the trees' mean values, over the trees that tried it;
//! - *visits*: the move with the most visits in all.
//!
//! Ties go to the move with more visits, then to the first. What one tree has proved holds for all: a move that decides the game is
//! played, one that cannot be better than a sure one and may be worse is not, and a sure draw is taken where the rest looks lost.

use crate::proving::report;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Duration;
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Game, History, Inspector, Knowledge, Limits, Options, Report, RootMove,
    Search, SearchInfo, SearchKind, Spec, SpecError, StopReason, TotalF64, Verdict,
};

/// How trees vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vote {
    /// One vote each.
    Majority,
    /// The highest sum of scores.
    Sum,
    /// The highest mean value.
    Average,
    /// The most visits.
    Visits,
}

impl Vote {
    /// Reads the option.
    pub fn read(options: &mut Options<'_>) -> Result<Vote, SpecError> {
        let choices =
            [("majority", Vote::Majority), ("sum", Vote::Sum), ("average", Vote::Average), ("visits", Vote::Visits)];
        options.choice("vote", &choices, "how trees of their own vote")
    }
}

/// The kind.
pub struct Root;

/// The specs in brackets and the vote.
#[derive(Clone, Debug)]
pub struct Params {
    specs: Vec<Spec>,
    vote: Vote,
}

impl SearchKind for Root {
    const INFO: SearchInfo =
        SearchInfo { name: "root", summary: "several searches side by side, of one kind or of many, that vote" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let specs = options.specs("the searches, for example [mcts:fpu=1],[mcts]; one plain mcts if none is named")?;
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
            proves: voters.iter().any(|voter| voter.proves),
            plays_proven: voters.iter().all(|voter| voter.plays_proven),
            splits_limits: true,
            ..Capabilities::PLAYER
        }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        if let Some(nested) = params.specs.iter().find(|spec| spec.name() == Root::INFO.name) {
            return Err(SpecError::BadValue {
                name: Root::INFO.name.to_string(),
                key: "[SPEC]".to_string(),
                value: nested.to_string(),
                accepted: "searches that are not root themselves".to_string(),
            });
        }
        // The specs are tried now, so that a wrong one is refused here and not in the middle of a game.
        for spec in &params.specs {
            crate::build::<G>(spec, rules)?;
        }
        let (rules, vote) = (rules.clone(), params.vote);
        let makes_playouts = |spec| crate::capabilities(spec).is_ok_and(|can| can.playouts);
        let playouts = params.specs.iter().map(makes_playouts).collect();
        let make = move |tree: usize| {
            crate::build::<G>(&params.specs[tree % params.specs.len()], &rules).expect("it was built before")
        };
        Ok(Box::new(Voters { playouts, make: Box::new(make), vote, trees: Vec::new() }))
    }
}

/// Makes the search of a tree.
type Make<G> = Box<dyn Fn(usize) -> Box<dyn Search<G>> + Send>;

/// Searches that vote.
pub struct Voters<G: Game> {
    /// Whether each of the searches makes playouts. Further trees repeat them in order.
    playouts: Vec<bool>,
    make: Make<G>,
    vote: Vote,
    trees: Vec<Box<dyn Search<G>>>,
}

impl<G: Game> Voters<G> {
    /// Searches that make playouts, one for each thread.
    pub fn new(make: Make<G>, vote: Vote) -> Voters<G> {
        Voters { playouts: vec![true], make, vote, trees: Vec::new() }
    }
}

impl<G: Game> Search<G> for Voters<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let count = control.threads().max(self.playouts.len());
        while self.trees.len() < count {
            self.trees.push((self.make)(self.trees.len()));
        }
        let reports = run_all(&mut self.trees[..count], &self.playouts, root, control);
        let mut report = poll(&reports, root, self.vote);
        if let Some(reason) = control.ended() {
            report.stopped = reason;
        }
        report
    }

    fn forget(&mut self) {
        self.trees.clear();
    }
}

/// Runs all trees, as many at a time as there are threads, and stops them when the control says so or one has decided.
fn run_all<G: Game>(
    trees: &mut [Box<dyn Search<G>>],
    playouts: &[bool],
    root: &History<G>,
    control: &Control<'_, G::Move>,
) -> Vec<Report<G::Move>> {
    let count = trees.len() as u64;
    let threads = control.threads();
    let rounds = trees.len().div_ceil(threads) as u32;
    let mut reports: Vec<Option<Report<G::Move>>> = (0..count).map(|_| None).collect();
    for (round, together) in trees.chunks_mut(threads).enumerate() {
        let first = round * threads;
        run(together, playouts, first, rounds - round as u32, count, root, control, &mut reports);
        if !matches!(control.ended(), None | Some(StopReason::Playouts | StopReason::Nodes)) {
            break;
        }
    }
    reports.into_iter().flatten().collect()
}

/// Runs some of `count` trees at the same time, of which the first has the number `first`; `rounds` are still to come, this one
/// included.
fn run<G: Game>(
    trees: &mut [Box<dyn Search<G>>],
    playouts: &[bool],
    first: usize,
    rounds: u32,
    count: u64,
    root: &History<G>,
    control: &Control<'_, G::Move>,
    reports: &mut [Option<Report<G::Move>>],
) {
    let limits = control.limits();
    // What cannot be shared out evenly goes to the first trees.
    let share = |limit: Option<u64>, tree: u64| limit.map(|all| all / count + u64::from(tree < all % count));
    let mut ticker = control.ticker(0);
    // What is to end before it begins ends in all trees.
    let halt = AtomicBool::new(!ticker.tick());
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for ((tree, search), report) in (first..).zip(trees).zip(&mut reports[first..]) {
            let limits = Limits {
                time: limits.time.map(|time| time.saturating_sub(control.elapsed()) / rounds),
                playouts: share(limits.playouts, tree as u64),
                nodes: share(limits.nodes, tree as u64),
                memory: Some(control.memory() / count as usize),
            };
            let limits = limits.in_nodes_for(playouts[tree % playouts.len()]);
            // Tree 0 has the stream of the seed, the others streams of their own.
            let seed = control.seed() ^ (tree as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
            let (sender, halt) = (sender.clone(), &halt);
            // The observer sees the first of the trees that run.
            let watched = control.watch_interval().filter(|_| tree == first);
            scope.spawn(move || {
                let show = move |inspector: &dyn Inspector<G::Move>| {
                    control.show(inspector);
                    if !control.ticker(1).tick() {
                        halt.store(true, Relaxed);
                    }
                };
                let inner = Control::new(limits, seed, halt);
                let inner = match watched {
                    Some(interval) => inner.watched(interval, Box::new(show)),
                    None => inner,
                };
                let found = report.insert(search.search(root, &inner));
                // The receiver waits for all; if it is gone, a panic is on its way up already.
                let _ = sender.send(found.stopped);
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(Duration::from_millis(5)) {
                Ok(StopReason::Decided) => {
                    control.end(StopReason::Decided);
                    halt.store(true, Relaxed);
                }
                Ok(_) => {}
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if !ticker.tick() {
                        halt.store(true, Relaxed);
                    }
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
    });
}

/// What the trees say of a move, together.
struct Candidate<M> {
    entry: RootMove<M>,
    votes: u32,
    /// Visits times values on [0, 1].
    sum: f64,
    means: f64,
    trees: u32,
}

fn poll<G: Game>(reports: &[Report<G::Move>], root: &History<G>, vote: Vote) -> Report<G::Move> {
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    let nothing = Bounds::unknown(root.position().to_move(), root.facts());
    let mut candidates: Vec<Candidate<G::Move>> = moves
        .into_iter()
        .map(|mv| {
            let entry = RootMove { mv, visits: 0, value: None, spread: None, proof_numbers: None, bounds: nothing };
            Candidate { entry, votes: 0, sum: 0.0, means: 0.0, trees: 0 }
        })
        .collect();
    let mut bounds = nothing;
    let mut counters = Counters::default();
    for report in reports {
        counters.merge(&report.counters);
        bounds.at_least = bounds.at_least.max(report.bounds.at_least);
        bounds.at_most = bounds.at_most.min(report.bounds.at_most);
        for entry in &report.moves {
            let Some(candidate) = candidates.iter_mut().find(|candidate| candidate.entry.mv == entry.mv) else {
                continue;
            };
            candidate.votes += u32::from(report.best == Some(entry.mv));
            if let (Some(value), 1..) = (entry.value, entry.visits) {
                candidate.sum += (value + 1.0) / 2.0 * entry.visits as f64;
                candidate.means += value;
                candidate.trees += 1;
                candidate.entry.visits += entry.visits;
            }
            let together = &mut candidate.entry.bounds;
            together.at_least = together.at_least.max(entry.bounds.at_least);
            together.at_most = together.at_most.min(entry.bounds.at_most);
        }
    }
    for Candidate { entry, sum, .. } in &mut candidates {
        if entry.visits > 0 {
            let mean = 2.0 * *sum / entry.visits as f64 - 1.0;
            entry.value = Some(mean);
            entry.spread = Some(((1.0 - mean * mean).max(0.0) / entry.visits as f64).sqrt());
        }
    }
    let score = |candidate: &Candidate<G::Move>| match vote {
        Vote::Majority => f64::from(candidate.votes),
        Vote::Sum => candidate.sum,
        Vote::Average if candidate.trees > 0 => candidate.means / f64::from(candidate.trees),
        Vote::Average => f64::NEG_INFINITY,
        Vote::Visits => candidate.entry.visits as f64,
    };
    let by_sign = root.facts().sign_is_result();
    let is_decided = reports.iter().any(|report| report.stopped == StopReason::Decided);
    let sure = candidates.iter().map(|candidate| candidate.entry.bounds.at_least).max().unwrap_or(nothing.at_least);
    let rank = |candidate: &Candidate<G::Move>| {
        let Bounds { at_least, at_most, .. } = candidate.entry.bounds;
        let decides = at_least >= sure && (is_decided || at_least >= bounds.at_most);
        let lost = by_sign && candidate.entry.bounds.verdict() == Some(Verdict::Loss);
        let beaten = at_most < sure || (at_most == sure && at_least < sure);
        i32::from(decides) - i32::from(lost || beaten)
    };
    candidates
        .sort_by_cached_key(|candidate| Reverse((rank(candidate), TotalF64(score(candidate)), candidate.entry.visits)));
    let looks_lost = candidates
        .first()
        .is_some_and(|first| first.entry.bounds.at_least < 0 && first.entry.value.is_some_and(|value| value < 0.0));
    if by_sign && sure >= 0 && looks_lost {
        let at = candidates.iter().position(|candidate| candidate.entry.bounds.at_least >= sure);
        candidates[..=at.expect("one has it")].rotate_right(1);
    }
    let best = candidates.first().map(|candidate| candidate.entry.mv);
    let mean = candidates.first().and_then(|candidate| candidate.entry.value).unwrap_or(0.0);
    // Who has proved the result knows the value.
    let proved = report::value(&bounds, root.facts());
    let knows = |report: &&Report<G::Move>| {
        report.stopped == StopReason::Decided
            || (proved.is_some() && report::value(&report.bounds, root.facts()) == proved)
    };
    let decided = reports.iter().find(knows);
    // Where the result is proved, the line of a tree that has not proved it may give it away.
    let tells = |report: &&Report<G::Move>| report.best == best && (proved.is_none() && !is_decided || knows(report));
    let variation = reports.iter().find(tells).map(|report| report.variation.clone());
    Report {
        best,
        value: decided.map_or(mean, |report| report.value),
        bounds,
        proof_numbers: None,
        variation: variation.unwrap_or_else(|| best.into_iter().collect()),
        moves: candidates.into_iter().map(|candidate| candidate.entry).collect(),
        counters,
        stopped: reports.first().map_or(StopReason::Finished, |report| report.stopped),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_games::{Synthetic, rules};

    #[test]
    fn a_tree_that_knows_half_of_what_is_proved_does_not_tell_the_line() {
        // Each has points of its own. One tree has proved that the first gets 5 at least, another that it gets no more.
        let rules = rules::<Synthetic>("synthetic:tree='(a: (b: 5,6 7,8) (b: 2,1 3,2))'").unwrap();
        let root = History::<Synthetic>::parse(rules, "start").unwrap();
        let report = |at_least, at_most| Report {
            best: Some(0),
            value: 0.0,
            bounds: Bounds { player: root.position().to_move(), at_least, at_most },
            proof_numbers: None,
            variation: vec![0, 1],
            moves: Vec::new(),
            counters: Counters::default(),
            stopped: StopReason::Playouts,
        };
        let together = poll(&[report(5, 8), report(2, 5)], &root, Vote::Majority);
        assert_eq!((together.bounds.at_least, together.bounds.at_most), (5, 5));
        assert_eq!(together.variation, [0]);
        let one_knows = poll(&[report(2, 5), report(5, 5)], &root, Vote::Majority);
        assert_eq!(one_knows.variation, [0, 1]);
    }
}
