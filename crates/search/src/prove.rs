//! A proof attempt, then a player: `prove:[alphabeta]` first asks a solver for the result of the
//! position, within a share of the limits, and leaves the rest to the player.
//!
//! The solver is asked whether the player to move can win and, in games with draws, whether it can
//! draw: a move that loses is found by the second question only. A proven win or draw is played at
//! once. Otherwise the player searches. It gets the bounds of the root moves that the solver has
//! proven ([`Control::known`]), and moves that are proven to lose are not played. Where every move
//! loses, the player chooses.
//!
//! The solver keeps its table from move to move, so that a proven win is played to the end of the
//! game at almost no cost. Benzene plays Hex in the same way: its `PlayAndSolve` runs df-pn (Nagai
//! 2002) beside the player. Here the two take turns, so that the proof helps the player.
//!
//! A limit of playouts or nodes gives the solver a number of nodes, so that the same seed gives the
//! same report.

use crate::proving::asking;
use crate::proving::goal::Goal;
use crate::proving::report::{self, narrow, proven_first};
use std::sync::atomic::AtomicBool;
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Game, History, Inspector, Knowledge, Limits, Options, Player, Prover,
    Report, RootMove, Rules, SPECS, Search, SearchInfo, SearchKind, Spec, SpecError, StopReason, Verdict,
};

/// The `prove` search.
pub struct ProveFirst;

/// The options.
#[derive(Clone, Debug)]
pub struct Params {
    player: Spec,
    /// The solver; `None` for the one that the game declares.
    solver: Option<Spec>,
    /// The part of the limits that a proof attempt may use.
    share: f64,
}

/// The default share. Raising it finds more proofs and leaves the player less time: in most games
/// the proofs come in the last eight plies or so, and the attempts before that are the price.
const SHARE: f64 = 0.05;
/// The least share of a question that was answered with yes one move ago: the answer has not
/// changed, and the move has to be found again.
const SHARE_AFTER_PROOF: f64 = 0.5;
/// The number of nodes that stands for no limit at all. Raising it makes proof attempts without
/// limits longer.
const NODES_WITHOUT_LIMIT: u64 = 20_000_000;
/// The playouts and nodes of the player if a proof attempt was interrupted. Raising it makes the
/// move better and the answer to an interruption slower: this takes milliseconds.
const EFFORT_AFTER_INTERRUPTION: u64 = 1000;
/// The part of the memory that is the solver's, as a divisor.
const SOLVER_MEMORY: usize = 8;

const NESTED: &str = "one player, optionally followed by a solver, each in brackets";

impl SearchKind for ProveFirst {
    const INFO: SearchInfo =
        SearchInfo { name: "prove", summary: "tries to prove the result in a share of the limits, then plays" };
    const PLAYERS: (u8, u8) = (2, 2);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let specs = options.specs("the player, then the solver; default [mcts:solver] and the solver of the game")?;
        let share = options.number("share", SHARE, 0.0..=1.0, "part of the limits for the proof attempt")?;
        let mut specs = specs.into_iter();
        let player = specs.next().map_or_else(|| "mcts:solver".parse(), Ok)?;
        let solver = specs.next();
        if specs.next().is_some() {
            return Err(options.refuse(SPECS, NESTED));
        }
        Ok(Params { player, solver, share })
    }

    /// What the player can do, and proofs.
    fn capabilities(params: &Params) -> Capabilities {
        let player = crate::capabilities(&params.player).unwrap_or(Capabilities::PLAYER);
        Capabilities {
            solves: false,
            keeps_proof: false,
            players: Self::PLAYERS,
            parallel: true,
            proves: true,
            plays_proven: true,
            ..player
        }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let refused = |key: &str, value: String, accepted: &str| SpecError::BadValue {
            name: Self::INFO.name.to_string(),
            key: key.to_string(),
            value,
            accepted: accepted.to_string(),
        };
        if !rules.facts().sign_is_result() {
            let (low, high) = rules.facts().scores;
            let accepted = "two-player games in which the sign of the score is the result";
            return Err(refused("scores", format!("{low}..{high}"), accepted));
        }
        if params.player.name() == Self::INFO.name {
            return Err(refused(SPECS, params.player.to_string(), "players other than prove"));
        }
        let solver = params.solver.map_or_else(|| G::auto_solver(rules).0.parse(), Ok)?;
        let prover = crate::prover::<G>(&solver, rules)?;
        if crate::capabilities(&solver)?.playouts {
            return Err(refused(SPECS, solver.to_string(), "solvers that make no playouts"));
        }
        let player = crate::build::<G>(&params.player, rules)?;
        Ok(Box::new(ProvingPlayer { prover, player, share: params.share, last: None }))
    }
}

/// A solver and a player.
struct ProvingPlayer<G: Game> {
    prover: Box<dyn Prover<G>>,
    player: Box<dyn Search<G>>,
    share: f64,
    last: Option<LastSearch<G::Move>>,
}

/// What the last search found out.
struct LastSearch<M> {
    moves: Vec<M>,
    player: Player,
    bounds: Bounds,
}

impl<G: Game> Search<G> for ProvingPlayer<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let last = self.last.take().filter(|last| last.is_earlier(root));
        // A search that is stopped before it starts leaves the move to the player.
        let attempts = !root.is_over() && control.ticker(0).tick();
        let proven = if attempts { self.attempt(root, control, last.as_ref()) } else { Proven::nothing(root) };
        let is_interrupted = attempts && !control.ticker(0).tick() && control.ended() == Some(StopReason::Interrupted);
        let report = match proven.solution(root) {
            Some(report) => {
                control.show(&Finished(&report));
                report
            }
            None if is_interrupted => self.play_after_interruption(root, control, &proven),
            None => self.play(root, control, &proven),
        };
        let player = root.position().to_move();
        self.last = Some(LastSearch { moves: root.moves().to_vec(), player, bounds: report.bounds });
        report
    }

    fn forget(&mut self) {
        self.prover.forget();
        self.player.forget();
        self.last = None;
    }

    fn look(&self, game: &History<G>) -> Option<Vec<RootMove<G::Move>>> {
        self.player.look(game)
    }
}

impl<G: Game> ProvingPlayer<G> {
    /// Asks the solver for the result, within its share of the limits.
    fn attempt(
        &mut self,
        root: &History<G>,
        control: &Control<'_, G::Move>,
        last: Option<&LastSearch<G::Move>>,
    ) -> Proven<G::Move> {
        let mut proven = Proven::nothing(root);
        // What the first question leaves of its half is the second one's.
        let goals: &[(Goal, f64)] =
            if root.facts().draws { &[(Goal::Win, 0.5), (Goal::Draw, 1.0)] } else { &[(Goal::Win, 1.0)] };
        for &(goal, part) in goals {
            let Some(at_least) = goal.next(&proven.bounds, root.facts()) else { continue };
            let was_proven = last.is_some_and(|last| last.bounds.at_least >= at_least);
            let share = if was_proven { self.share.max(SHARE_AFTER_PROOF) } else { self.share * part };
            let limits = attempt_limits(control, share, &proven);
            let stage = control.inner(control.seed()).limited(limits).with_threads(control.threads());
            let stage = match control.watch_interval() {
                Some(interval) => {
                    let show = |inspector: &dyn Inspector<G::Move>| {
                        control.show(&Merged { inspector, merge: &without_depth });
                    };
                    stage.watched(interval, Box::new(show))
                }
                None => stage,
            };
            let mut report = asking::search(self.prover.as_mut(), root, goal, proven.bounds, &stage);
            if goal == Goal::Draw {
                // Proof numbers in reports are about a win.
                report.proof_numbers = None;
                report.moves.iter_mut().for_each(|entry| entry.proof_numbers = None);
            }
            proven.add(report);
        }
        proven
    }

    /// Runs the player for a moment although the search shall stop: without any search its move
    /// would be an arbitrary one.
    fn play_after_interruption(
        &mut self,
        root: &History<G>,
        control: &Control<'_, G::Move>,
        proven: &Proven<G::Move>,
    ) -> Report<G::Move> {
        static RUNS_ON: AtomicBool = AtomicBool::new(false);
        let limits = control.limits();
        let effort = |limit: Option<u64>| Some(limit.unwrap_or(u64::MAX).min(EFFORT_AFTER_INTERRUPTION));
        let limits = Limits {
            time: None,
            playouts: effort(limits.playouts),
            nodes: effort(limits.nodes.map(|nodes| nodes.saturating_sub(proven.counters.nodes))),
            memory: Some(control.memory() - control.memory() / SOLVER_MEMORY),
        };
        let stage = Control::new(limits, control.seed(), &RUNS_ON).knowing(proven.known());
        let mut report = self.player.search(root, &stage);
        if report.stopped != StopReason::Solved {
            report.stopped = StopReason::Interrupted;
        }
        proven.merge(report, root)
    }

    /// Runs the player with what is left of the limits.
    fn play(&mut self, root: &History<G>, control: &Control<'_, G::Move>, proven: &Proven<G::Move>) -> Report<G::Move> {
        let limits = control.limits();
        let limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(proven.counters.nodes)),
            memory: Some(control.memory() - control.memory() / SOLVER_MEMORY),
            ..limits
        };
        let stage = control.inner(control.seed()).limited(limits).with_threads(control.threads());
        let stage = stage.stopped_by(control.stoppers()).knowing(proven.known());
        let merge = |report| proven.merge(report, root);
        let stage = match control.watch_interval() {
            Some(interval) => {
                let show = move |inspector: &dyn Inspector<G::Move>| control.show(&Merged { inspector, merge: &merge });
                stage.watched(interval, Box::new(show))
            }
            None => stage,
        };
        merge(self.player.search(root, &stage))
    }
}

impl<M: PartialEq> LastSearch<M> {
    /// Whether the same player searched an earlier position of the same game.
    fn is_earlier<G: Game<Move = M>>(&self, root: &History<G>) -> bool {
        root.position().to_move() == self.player && root.moves().starts_with(&self.moves)
    }
}

/// The limits of a question. `share` is that of all questions up to this one.
///
/// A question may at least look at every move, as far as the limits of the search allow.
fn attempt_limits<M>(control: &Control<'_, M>, share: f64, proven: &Proven<M>) -> Limits {
    let limits = control.limits();
    let used = proven.counters.nodes;
    // A playout counts as a node, as in `Limits::in_nodes_for`.
    let counted = [limits.nodes, limits.playouts].into_iter().flatten().min();
    let nodes = counted.or(limits.time.is_none().then_some(NODES_WITHOUT_LIMIT)).map(|nodes| {
        let left = limits.nodes.unwrap_or(u64::MAX).saturating_sub(used);
        ((nodes as f64 * share) as u64).saturating_sub(used).max(proven.moves.len() as u64 + 1).min(left)
    });
    let time = limits.time.map(|time| time.mul_f64(share));
    Limits { time, playouts: None, nodes, memory: Some(control.memory() / SOLVER_MEMORY) }
}

/// What a proof attempt has found.
struct Proven<M> {
    bounds: Bounds,
    /// The legal moves with their bounds.
    moves: Vec<(M, Bounds)>,
    /// The last report that answers a question with yes: its move achieves the lower bound.
    achieved: Option<Report<M>>,
    counters: Counters,
}

impl<M: Copy + PartialEq> Proven<M> {
    fn nothing<G: Game<Move = M>>(root: &History<G>) -> Proven<M> {
        let unknown = Bounds::unknown(root.position().to_move(), root.facts());
        let mut legal = Vec::new();
        root.legal_moves(&mut legal);
        let moves = legal.into_iter().map(|mv| (mv, unknown)).collect();
        Proven { bounds: unknown, moves, achieved: None, counters: Counters::default() }
    }

    /// The bounds of the moves, as far as they help the player. With the knowledge that all moves
    /// lose, it would see no difference between them.
    fn known(&self) -> Vec<(M, Bounds)> {
        if self.bounds.verdict() == Some(Verdict::Loss) { Vec::new() } else { self.moves.clone() }
    }

    /// Adds the report on a question.
    fn add(&mut self, report: Report<M>) {
        let bytes = report.counters.bytes;
        self.counters.merge(&report.counters);
        (self.counters.bytes, self.counters.depth) = (bytes, 0);
        let holds = report.bounds.at_least > self.bounds.at_least;
        narrow(&mut self.bounds, &report.bounds);
        for (mv, bounds) in &mut self.moves {
            if let Some(entry) = report.moves.iter().find(|entry| entry.mv == *mv) {
                narrow(bounds, &entry.bounds);
            }
            bounds.at_most = bounds.at_most.min(self.bounds.at_most);
            if holds && report.best == Some(*mv) {
                bounds.at_least = bounds.at_least.max(self.bounds.at_least);
            }
        }
        if holds {
            self.achieved = Some(report);
        }
    }

    /// The report of a position whose result is proven, unless it is lost.
    fn solution<G: Game<Move = M>>(&self, root: &History<G>) -> Option<Report<M>> {
        self.bounds.verdict().filter(|&verdict| verdict != Verdict::Loss)?;
        let achieved = self.achieved.clone()?;
        let counters = Counters { depth: achieved.counters.depth, ..Counters::default() };
        let report = Report { counters, stopped: StopReason::Solved, ..achieved };
        Some(self.merge(report, root))
    }

    /// Adds what is proven to a report, and puts the moves in the order that follows from it.
    fn merge<G: Game<Move = M>>(&self, mut report: Report<M>, root: &History<G>) -> Report<M> {
        report.counters.merge(&self.counters);
        for entry in &mut report.moves {
            if let Some((_, bounds)) = self.moves.iter().find(|(mv, _)| *mv == entry.mv) {
                narrow(&mut entry.bounds, bounds);
            }
        }
        let was_solved = report.bounds.verdict().is_some();
        narrow(&mut report.bounds, &self.bounds);
        let highest = |bound: fn(&Bounds) -> i32| report.moves.iter().map(|entry| bound(&entry.bounds)).max();
        if let (Some(at_least), Some(at_most)) = (highest(|bounds| bounds.at_least), highest(|bounds| bounds.at_most)) {
            narrow(&mut report.bounds, &Bounds { at_least, at_most, ..self.bounds });
        }
        let facts = root.facts();
        proven_first(&mut report.moves, |entry| entry, &report.bounds, report.stopped == StopReason::Solved, facts);
        let best = report.moves.first();
        let believed = best.filter(|entry| Some(entry.mv) != report.best).map(|entry| (entry.mv, entry.value));
        if let Some((mv, value)) = believed {
            report.best = Some(mv);
            report.variation = vec![mv];
            report.value = value.unwrap_or(0.0);
        }
        if !was_solved && report.bounds.verdict().is_some() {
            // The player does not know the result, and its line need not lead there.
            report.variation.truncate(1);
        }
        let Bounds { at_least, at_most, .. } = report.bounds;
        let (low, high) = (if at_least < 0 { -1.0 } else { 0.0 }, if at_most > 0 { 1.0 } else { 0.0 });
        report.value = report::value(&report.bounds, facts).unwrap_or(report.value.clamp(low, high));
        report
    }
}

/// A report of the solver as the combined search shows it. The depth is that of the player: a limit
/// on depth means its depth, and the longest path of a solver is another quantity.
fn without_depth<M>(report: Report<M>) -> Report<M> {
    Report { counters: Counters { depth: 0, ..report.counters }, ..report }
}

/// A running search whose reports are changed.
struct Merged<'i, M, F> {
    inspector: &'i dyn Inspector<M>,
    merge: &'i F,
}

impl<M, F: Fn(Report<M>) -> Report<M>> Inspector<M> for Merged<'_, M, F> {
    fn report(&self) -> Report<M> {
        (self.merge)(self.inspector.report())
    }

    fn look(&self, line: &[M]) -> Option<Vec<RootMove<M>>> {
        self.inspector.look(line)
    }
}

/// A finished search, as an observer sees it.
struct Finished<'r, M>(&'r Report<M>);

impl<M: Clone> Inspector<M> for Finished<'_, M> {
    fn report(&self) -> Report<M> {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests;
