//! Searches inside a search for a complete line: runs with limits of their own.

use super::{CompleteLine, LineSearch, of_report};
use std::time::Duration;
use tesuji_core::{
    Control, Game, History, Improvement, Knowledge, LimitedSpec, Limits, Report, SPECS, Search, SpecError, StopReason,
};

/// Refuses a nested search that reports no complete lines.
fn fits_solutions(outer: &str, inner: &LimitedSpec) -> Result<(), SpecError> {
    if crate::capabilities(&inner.spec)?.finds_solutions {
        return Ok(());
    }
    Err(SpecError::BadValue {
        name: outer.to_string(),
        key: SPECS.to_string(),
        value: inner.to_string(),
        accepted: "a search that reports complete lines, such as mcts, nmcs or nrpa".to_string(),
    })
}

/// A search that runs inside another.
pub struct InnerSearch<G: Game> {
    spec: LimitedSpec,
    search: Box<dyn Search<G>>,
}

/// The playouts of a run without limits of its own. Raising it makes fewer and better runs.
const DEFAULT_PLAYOUTS: u64 = 1000;

impl<G: Knowledge> InnerSearch<G> {
    /// Builds the search of a spec.
    pub fn build(outer: &str, spec: &LimitedSpec, rules: &G::Rules) -> Result<InnerSearch<G>, SpecError> {
        fits_solutions(outer, spec)?;
        Ok(InnerSearch { spec: spec.clone(), search: crate::build::<G>(&spec.spec, rules)? })
    }

    /// The same with limits for a run, if it has none and does not end by itself. A search that
    /// combines others ends by itself if they do.
    pub fn limited(mut self) -> InnerSearch<G> {
        if !self.spec.is_limited() && self.spec.spec.nested().next().is_none() {
            self.spec.limits.playouts = Some(DEFAULT_PLAYOUTS);
        }
        self
    }

    /// Searches a position from scratch, within what a run was granted.
    pub fn search(&mut self, game: &History<G>, control: &Control<'_, G::Move>, grant: &RunGrant) -> Run<G::Move> {
        self.search.restart();
        let inner = control.inner(grant.seed).limited(grant.limits);
        let report = self.search.search(game, &inner);
        Run { report, curve: inner.improvements() }
    }
}

/// What a run has found.
pub struct Run<M> {
    /// The report.
    pub report: Report<M>,
    /// The best score over the course of the run.
    curve: Vec<Improvement>,
}

/// A run that was added to the search.
pub struct FoundRun<M> {
    /// The report.
    pub report: Report<M>,
    /// The line of the run, from the root of the search.
    pub line: Option<CompleteLine<M>>,
}

/// What a run inside a search may use.
pub struct RunGrant {
    limits: Limits,
    seed: u64,
    reserved: (u64, u64),
}

impl<G: Knowledge> LineSearch<'_, '_, G> {
    /// Shares time and memory among searches that run at the same time.
    pub fn share_among(&mut self, workers: usize) {
        self.workers = workers;
    }

    /// Grants a run its own limits, or one of `shares` equal shares of what is left if that is
    /// less; `None` if the search must end instead. `game` is the position to be searched.
    pub fn grant(&mut self, inner: &InnerSearch<G>, game: &History<G>, shares: u64) -> Option<RunGrant> {
        let (limits, counters, reserved) = (self.control.limits(), self.counters, self.reserved);
        let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used));
        let playouts = left(limits.playouts, counters.playouts + reserved.0);
        let nodes = left(limits.nodes, counters.nodes + reserved.1);
        for (left, reason) in [(playouts, StopReason::Playouts), (nodes, StopReason::Nodes)] {
            if left == Some(0) {
                self.control.end(reason);
                self.is_over = true;
            }
        }
        self.is_over = self.is_over || !self.ticker.tick();
        if self.is_over {
            return None;
        }
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let own = inner.spec.limits_for(moves.len());
        let share = |left: Option<u64>| left.map(|left| left.div_ceil(shares));
        let now = self.control.elapsed();
        let shares_of_time = u32::try_from(shares.div_ceil(self.workers as u64)).unwrap_or(u32::MAX);
        let time_share = self.control.time_left().map(|left| left / shares_of_time);
        let limits = Limits {
            time: least(own.time, time_share).map(|time: Duration| now + time),
            playouts: least(own.playouts, share(playouts)),
            nodes: least(own.nodes, share(nodes)),
            memory: Some(self.control.memory() / self.workers),
        };
        let reserved = (limits.playouts.unwrap_or(0), limits.nodes.unwrap_or(0));
        self.reserved = (self.reserved.0 + reserved.0, self.reserved.1 + reserved.1);
        // The first run has the seed of the search, so that one run is the search inside.
        let seed = self.control.seed() ^ self.runs.wrapping_mul(0xD1B5_4A32_D192_ED03);
        self.runs += 1;
        Some(RunGrant { limits, seed, reserved })
    }

    /// Adds a run from the position after a line, and returns its line from the root.
    pub fn add_run(&mut self, grant: RunGrant, run: &Run<G::Move>, line: &[G::Move]) -> Option<CompleteLine<G::Move>> {
        let (report, before) = (&run.report, self.counters.playouts);
        self.reserved = (self.reserved.0 - grant.reserved.0, self.reserved.1 - grant.reserved.1);
        let done = &report.counters;
        self.counters.playouts += done.playouts;
        self.counters.nodes += done.nodes;
        self.counters.expansions += done.expansions;
        self.counters.depth = self.counters.depth.max(line.len() as u32 + done.depth);
        // The runs of a thread use the same memory.
        self.counters.bytes = self.counters.bytes.max(done.bytes * self.workers as u64);
        self.is_over |= done.playouts == 0;
        if line.is_empty() && report.stopped == StopReason::Solved {
            self.control.end(StopReason::Solved);
            self.is_over = true;
        }
        self.count_visits(report, line);
        let found = of_report(report, &self.facts).map(|found| {
            let moves = line.iter().copied().chain(found.moves).collect();
            CompleteLine { score: found.score, playouts: before + found.playouts, moves }
        });
        run.curve
            .iter()
            .for_each(|point| self.control.record(Improvement { playouts: before + point.playouts, ..*point }));
        if let Some(found) = &found {
            self.take_line(&found.moves, found.score, found.playouts);
        }
        self.show();
        found
    }

    /// Counts the visits of root moves: those of a run from the root, or one for a run below.
    fn count_visits(&mut self, report: &Report<G::Move>, line: &[G::Move]) {
        let unknown = self.facts.scores.0;
        for arm in &mut self.arms {
            if let Some(first) = line.first() {
                arm.visits += u64::from(arm.mv == *first);
            } else if let Some(entry) = report.moves.iter().find(|entry| entry.mv == arm.mv) {
                arm.visits += entry.visits;
                arm.best = arm.best.max(Some(entry.bounds.at_least).filter(|score| *score > unknown));
            }
        }
    }

    /// Runs a search from the position after a line, and returns its report and its line from the
    /// root; `None` if the search must end instead. See [`grant`](Self::grant).
    pub fn run_inner(
        &mut self,
        inner: &mut InnerSearch<G>,
        game: &History<G>,
        line: &[G::Move],
        shares: u64,
    ) -> Option<FoundRun<G::Move>> {
        let grant = self.grant(inner, game, shares)?;
        let run = inner.search(game, self.control, &grant);
        let line = self.add_run(grant, &run, line);
        Some(FoundRun { report: run.report, line })
    }
}

/// The smaller of two limits.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
