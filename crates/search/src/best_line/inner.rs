//! Searches inside a search for a complete line: runs with limits of their own.

use super::{CompleteLine, LineSearch, add_to_report, of_report};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tesuji_core::{
    Control, Facts, Game, History, Improvement, Inspector, Knowledge, LimitedSpec, Limits, Player, Report, RootStats,
    SPECS, Search, Spec, SpecError, StopReason,
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
/// How many times as many playouts such a run has for each level of searches inside it.
const RUNS_PER_LEVEL: u64 = 50;

/// How often a run asks whether it goes on. Raising it lets a run end later.
const WAIT: Duration = Duration::from_millis(5);

/// Whether a run of a search inside another ends when the limits of the other do not end it.
pub fn run_ends(spec: &LimitedSpec) -> bool {
    spec.is_limited() || crate::capabilities(&spec.spec).is_ok_and(|can| can.ends_by_itself)
}

/// The playouts of a run of a search that was not given any: enough for the searches inside it.
fn default_playouts(spec: &Spec) -> u64 {
    let inside = spec.nested().filter_map(|text| text.parse::<LimitedSpec>().ok());
    let run = |inner: LimitedSpec| inner.limits.playouts.unwrap_or_else(|| default_playouts(&inner.spec));
    inside.map(|inner| run(inner).saturating_mul(RUNS_PER_LEVEL)).max().unwrap_or(DEFAULT_PLAYOUTS)
}

/// Asked while a run is under way: false if it must end.
pub type GoesOn<'g, M> = dyn FnMut(&dyn Inspector<M>) -> bool + Send + 'g;

impl<G: Knowledge> InnerSearch<G> {
    /// Builds the search of a spec.
    pub fn build(outer: &str, spec: &LimitedSpec, rules: &G::Rules) -> Result<InnerSearch<G>, SpecError> {
        fits_solutions(outer, spec)?;
        Ok(InnerSearch { spec: spec.clone(), search: crate::build::<G>(&spec.spec, rules)? })
    }

    /// The same with limits for a run, if it has none and does not end by itself.
    pub fn limited(mut self) -> InnerSearch<G> {
        if !run_ends(&self.spec) {
            self.spec.limits.playouts = Some(default_playouts(&self.spec.spec));
        }
        self
    }

    /// Searches a position from scratch, within what a run was granted, as long as `goes_on`
    /// agrees.
    pub fn search(
        &mut self,
        game: &History<G>,
        control: &Control<'_, G::Move>,
        grant: &RunGrant,
        goes_on: &mut GoesOn<'_, G::Move>,
    ) -> Run<G::Move> {
        let halt = AtomicBool::new(false);
        let show = |run: &dyn Inspector<G::Move>| {
            if !goes_on(run) {
                halt.store(true, Relaxed);
            }
        };
        let inner = control.inner(grant.seed).limited(grant.limits).halted_by(&halt).watched(WAIT, Box::new(show));
        self.search.restart();
        let mut report = self.search.search(game, &inner);
        let line = match of_report(&report, game.facts()) {
            Some(line) if line.score >= report.bounds.at_least => Some(line),
            _ if report.stopped == StopReason::Solved => self.prove_line(game, &mut report, &inner),
            line => line,
        };
        Run { report, line, curve: inner.improvements() }
    }

    /// The line of a run that has proven a score without playing to it: follows the proven moves,
    /// and searches again where they end.
    fn prove_line(
        &mut self,
        game: &History<G>,
        report: &mut Report<G::Move>,
        control: &Control<'_, G::Move>,
    ) -> Option<CompleteLine<G::Move>> {
        let (mut walked, mut moves, mut next) = (game.clone(), Vec::new(), report.variation.clone());
        next.extend(report.best.filter(|_| report.variation.is_empty()));
        while !walked.is_over() && !next.is_empty() {
            next.iter().for_each(|&mv| walked.play(mv));
            moves.append(&mut next);
            let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used));
            let (limits, used) = (control.limits(), report.counters);
            let playouts = left(limits.playouts, used.playouts);
            let limits = Limits { playouts, nodes: left(limits.nodes, used.nodes), ..limits };
            if !walked.is_over() {
                self.search.restart();
                let rest = self.search.search(&walked, &control.inner(control.seed()).limited(limits));
                report.counters.merge(&rest.counters);
                next = if rest.variation.is_empty() { rest.best.into_iter().collect() } else { rest.variation };
            }
        }
        let score = walked.outcome()?.score(Player::FIRST);
        Some(CompleteLine { score, playouts: report.counters.playouts, moves })
    }
}

/// What a run has found.
pub struct Run<M> {
    /// The report.
    pub report: Report<M>,
    /// The line from the position that was searched.
    line: Option<CompleteLine<M>>,
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

    /// Ends the search if its playouts or nodes are used up, or reserved; returns what is left.
    pub(super) fn check_limits(&mut self, reserved: (u64, u64)) -> (Option<u64>, Option<u64>) {
        let (limits, counters) = (self.control.limits(), self.counters);
        let left = |limit: Option<u64>, used: u64| limit.map(|limit| limit.saturating_sub(used));
        let playouts = left(limits.playouts, counters.playouts + reserved.0);
        let nodes = left(limits.nodes, counters.nodes + reserved.1);
        for (left, reason) in [(playouts, StopReason::Playouts), (nodes, StopReason::Nodes)] {
            if left == Some(0) {
                self.control.end(reason);
                self.is_over = true;
            }
        }
        (playouts, nodes)
    }

    /// Grants a run its own limits, or one of `shares` equal shares of what is left if that is
    /// less; `None` if the search must end instead. `game` is the position to be searched.
    pub fn grant(&mut self, inner: &InnerSearch<G>, game: &History<G>, shares: u64) -> Option<RunGrant> {
        let (playouts, nodes) = self.check_limits(self.reserved);
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
        // The last run may use the time that stoppers may add.
        let time = if shares_of_time > 1 { self.control.time_planned() } else { self.control.time_left() };
        let time_share = time.map(|left| left / shares_of_time);
        let limits = Limits {
            time: least(own.time, time_share).map(|time: Duration| now + time),
            playouts: least(own.playouts, share(playouts)),
            nodes: least(own.nodes, share(nodes)),
            memory: Some((self.control.memory() - self.own_memory) / self.workers),
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
        // A run that needed no playout counts as one, so that limits hold everywhere.
        self.counters.playouts += done.playouts.max(1);
        self.counters.nodes += done.nodes.max(1);
        self.counters.expansions += done.expansions;
        self.counters.depth = self.counters.depth.max(line.len() as u32 + done.depth);
        // The runs of a thread use the same memory.
        self.bytes.1 = self.bytes.1.max(done.bytes * self.workers as u64);
        self.counters.bytes = self.bytes.0 + self.bytes.1;
        let has_line = run.line.as_ref().is_some_and(|found| found.score >= report.bounds.at_least);
        if line.is_empty() && report.stopped == StopReason::Solved && has_line {
            self.control.end(StopReason::Solved);
            self.is_over = true;
        }
        self.count_visits(report, line);
        let found = run.line.as_ref().map(|found| {
            let moves = line.iter().chain(&found.moves).copied().collect();
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

    /// Whether searches inside this one have reserved all that is left; they may leave a part of
    /// it.
    pub fn is_reserved(&self) -> bool {
        let (limits, counters, reserved) = (self.control.limits(), self.counters, self.reserved);
        let is_reserved = |limit: Option<u64>, used: u64, reserved: u64| {
            limit.is_some_and(|limit| used < limit && limit <= used.saturating_add(reserved))
        };
        is_reserved(limits.playouts, counters.playouts, reserved.0)
            || is_reserved(limits.nodes, counters.nodes, reserved.1)
    }

    /// Shows this search while a run from the position after a line is under way, and asks the
    /// stoppers; false if the run must end.
    pub fn goes_on(&mut self, run: &dyn Inspector<G::Move>, line: &[G::Move]) -> bool {
        self.is_over = self.is_over || !self.ticker.check_now();
        self.ticker.poll();
        if self.ticker.is_due() {
            self.control.show(&Underway { search: self, run: run.report(), line });
        }
        let (root, arms, best, facts) = (self.root, &self.arms, self.best.as_ref(), &self.facts);
        let before = super::report(root, arms, best, facts, self.counters, None);
        let stats = || RootStats::of_report(&with_run(before, &run.report(), line, facts));
        if !self.is_over && !self.ticker.report(stats) {
            self.is_over = true;
        }
        !self.is_over
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
        let control = self.control;
        let run = inner.search(game, control, &grant, &mut |run| self.goes_on(run, line));
        let line = self.add_run(grant, &run, line);
        Some(FoundRun { report: run.report, line })
    }
}

/// A search with a run under way, from the position after a line.
struct Underway<'s, 'c, 'a, G: Knowledge> {
    search: &'s LineSearch<'c, 'a, G>,
    run: Report<G::Move>,
    line: &'s [G::Move],
}

impl<G: Knowledge> Inspector<G::Move> for Underway<'_, '_, '_, G> {
    fn report(&self) -> Report<G::Move> {
        with_run(self.search.report(), &self.run, self.line, &self.search.facts)
    }
}

/// The report of a search with that of a run under way.
fn with_run<M: Copy + PartialEq>(mut report: Report<M>, run: &Report<M>, line: &[M], facts: &Facts) -> Report<M> {
    let bytes = report.counters.bytes.max(run.counters.bytes);
    report.counters.merge(&run.counters);
    report.counters.bytes = bytes;
    for entry in run.moves.iter().filter(|_| line.is_empty()) {
        if let Some(own) = report.moves.iter_mut().find(|own| own.mv == entry.mv) {
            own.visits += entry.visits;
        }
    }
    if let Some(found) = of_report(run, facts).filter(|found| found.score > report.bounds.at_least) {
        let moves = line.iter().chain(&found.moves).copied().collect();
        add_to_report(&mut report, CompleteLine { moves, ..found }, facts);
    }
    report
}

/// The smaller of two limits.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
