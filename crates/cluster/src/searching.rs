//! Searching together: every worker searches its own tree, and the reports are merged by a vote.
//!
//! The merge itself is that of `root`, above this crate's interface. Worker `k` has the spec and
//! the seed that search `k` of `root` has, and the same share of the limits.

use crate::message::{Task, ToWorker};
use crate::team::{Event, Team};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};
use tesuji_catalog::{CrewPlan, CrewTask, Session, seed_of, share_of};
use tesuji_core::{Report, StopReason};

/// How often the caller is asked whether to go on.
const WATCH: Duration = Duration::from_millis(5);
/// A worker that has not answered this long after the end of its search is left out. Raising it
/// counts more reports and overruns the time limit further.
const LATE: Duration = Duration::from_millis(250);
/// The part of the time limit that is spent on waiting for workers to start.
const START_PART: u32 = 2;

/// The search of a cluster.
pub struct Searching {
    plan: CrewPlan,
}

/// The part of one worker.
struct Part {
    member: usize,
    id: u64,
    latest: Option<Report<String>>,
    is_done: bool,
    is_lost: bool,
}

impl Searching {
    /// Returns the search of a plan.
    pub fn new(plan: CrewPlan) -> Searching {
        Searching { plan }
    }

    /// See [`Crew::search`](tesuji_catalog::Crew::search).
    pub fn run(
        &mut self,
        team: &mut Team,
        game: &dyn Session,
        task: &CrewTask,
        watch: &mut dyn FnMut(&[Report<String>]) -> bool,
    ) -> Vec<Report<String>> {
        let begin = Instant::now();
        let spec = game.spec().to_string();
        if !gather(team, &spec, task, watch) {
            return Vec::new();
        }
        let mut parts = self.hand_out(team, game, task, begin);
        let player = game.to_move().expect("the game is not over");
        let (legal, facts) = (game.legal_moves().into_iter().collect::<FxHashSet<String>>(), game.facts());
        let time = task.limits.time;
        let mut stopped_at: Option<Instant> = None;
        while parts.iter().any(|part| !part.is_done && !part.is_lost) {
            let mut events = team.events(WATCH);
            while let Some(event) = events.pop_front() {
                let (number, id, report, is_done) = match event {
                    Event::Report { member, id, report } => (member, id, report, false),
                    Event::Done { member, id, report } => (member, id, report, true),
                    Event::Replies { .. } => continue,
                    Event::Lost { member } => {
                        parts.iter_mut().filter(|part| part.member == member).for_each(|part| part.is_lost = true);
                        continue;
                    }
                };
                let Some(part) = parts.iter_mut().find(|part| part.id == id) else { continue };
                match report.read(&legal, player, &facts) {
                    Ok(report) => (part.latest, part.is_done) = (Some(report), is_done),
                    Err(reason) => team.drop_for_nonsense(number, &reason, &mut events),
                }
            }
            let is_solved = |part: &Part| {
                part.is_done && part.latest.as_ref().is_some_and(|report| report.stopped == StopReason::Solved)
            };
            let latest: Vec<Report<String>> = parts.iter().filter_map(|part| part.latest.clone()).collect();
            if stopped_at.is_none() && (!watch(&latest) || parts.iter().any(is_solved)) {
                stopped_at = Some(Instant::now());
                parts.iter().filter(|part| !part.is_done).for_each(|part| team.stop(part.member, part.id));
            }
            let is_late = |since: Duration| since >= LATE;
            let over_time = time.and_then(|time| begin.elapsed().checked_sub(time));
            if stopped_at.is_some_and(|at| is_late(at.elapsed())) || over_time.is_some_and(is_late) {
                break;
            }
        }
        results(team, parts)
    }

    /// Hands the search out to all workers that are ready.
    fn hand_out(&self, team: &mut Team, game: &dyn Session, task: &CrewTask, begin: Instant) -> Vec<Part> {
        // Workers that still work on the last move are left out of this one.
        (0..team.busy()).for_each(|_| team.totals().add_late());
        let ready: Vec<usize> = (0..team.size()).filter(|&number| team.is_ready(number)).collect();
        let time = task.limits.time.map(|time| time.saturating_sub(begin.elapsed()));
        let (spec, position) = (game.spec().to_string(), game.game_text());
        let mut parts = Vec::new();
        for (share, &member) in ready.iter().enumerate() {
            let part_of = |limit: Option<u64>| limit.map(|limit| share_of(limit, share, ready.len() as u64));
            let message = Task {
                game: spec.clone(),
                position: position.clone(),
                seconds: time.map(|time| time.as_secs_f64()),
                playouts: part_of(task.limits.playouts),
                nodes: part_of(task.limits.nodes),
                memory: task.limits.memory,
                seed: seed_of(task.seed, member),
                threads: task.threads,
            };
            let player = self.plan.specs[member % self.plan.specs.len()].to_string();
            let sent = team.assign(member, time, |id| ToWorker::Search { id, player, task: message });
            team.totals().add_job();
            parts.extend(sent.map(|id| Part { member, id, latest: None, is_done: false, is_lost: false }));
        }
        parts
    }
}

/// Waits until all workers that are being started are ready, but only for a part of the time;
/// false if no worker is left.
fn gather(team: &mut Team, spec: &str, task: &CrewTask, watch: &mut dyn FnMut(&[Report<String>]) -> bool) -> bool {
    let begin = Instant::now();
    let most = task.limits.time.map_or(Duration::MAX, |time| time / START_PART);
    loop {
        team.prepare(spec);
        let has_ready = (0..team.size()).any(|number| team.is_ready(number));
        // Workers that still end their last search are waited for only if there is no other.
        let has_to_wait = team.has_starting() || !has_ready && team.busy() > 0;
        let waits = has_to_wait && begin.elapsed() < most;
        if !waits || team.is_empty() {
            return has_ready;
        }
        if !watch(&[]) {
            return has_ready;
        }
        team.events(WATCH);
    }
}

/// Returns the reports of the workers that are done, or, if there are none, the latest ones.
fn results(team: &mut Team, parts: Vec<Part>) -> Vec<Report<String>> {
    let has_done = parts.iter().any(|part| part.is_done);
    let mut reports = Vec::new();
    for part in parts {
        if !part.is_done && !part.is_lost {
            team.totals().add_late();
            team.stop(part.member, part.id);
        }
        if part.is_done || !has_done {
            reports.extend(part.latest);
        }
    }
    reports
}
