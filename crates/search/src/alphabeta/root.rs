//! The root: iterative deepening, the root moves and the report.

use super::bounds::{NodeResult, Scale};
use super::table::NO_MOVE;
use super::{HistoryMode, Params, Run, Window};
use crate::variation;
use std::cmp::Reverse;
use tesuji_core::{Control, Counters, Facts, History, Inspector, Knowledge, Length, Report, Rng, RootMove, StopReason};

impl<G: Knowledge> Run<'_, '_, '_, G> {
    /// Searches to increasing depths, until the root is solved or a limit is reached.
    pub(super) fn deepen(&mut self) {
        if self.root.moves.is_empty() {
            return;
        }
        let plies = self.root.facts.length.plies().saturating_sub(self.history.moves().len() as u32);
        let deepest = if self.params.depth == 0 { plies } else { self.params.depth.min(plies) }.max(1);
        let mut depth = if self.params.plain && self.params.depth > 0 { deepest } else { 1 };
        while depth <= deepest {
            if self.root.is_solved(|candidate| candidate.bounds) {
                break;
            }
            let horizons = self.horizons;
            if self.iterate(depth).is_none() {
                self.root.stopped = self.control.ended().unwrap_or(StopReason::Finished);
                return;
            }
            self.extend_variation(depth as usize);
            self.root.counters = self.counters;
            self.control.show(&self.root);
            let is_complete = self.horizons == horizons;
            let is_by_path = self.mode.is_by_path();
            if is_complete && (self.mode == HistoryMode::Irrelevant || is_by_path && !self.table_cuts()) {
                // A deeper search would not change anything. Only k-best can leave bounds open.
                break;
            }
            let is_solved_without_history =
                !is_by_path && self.root.is_solved(|candidate| candidate.history_free_bounds);
            if is_complete || is_solved_without_history {
                // What remains open depends on the history: search again along every path.
                self.mode = HistoryMode::Verify;
            } else {
                depth += 1;
            }
        }
        if self.root.is_solved(|candidate| candidate.bounds) {
            self.root.stopped = StopReason::Solved;
        }
    }

    /// Searches the root moves to a depth. Returns `None` if the search was stopped.
    fn iterate(&mut self, depth: u32) -> Option<()> {
        let player = self.scale.player;
        let (low, high) = self.scale.range(player);
        // The exact values of the best moves so far, the best first. Another move has to exceed the
        // last of them once there are as many as are wanted.
        let mut exact: Vec<i32> = Vec::with_capacity(self.params.multipv + 1);
        for number in 0..self.width(self.root.moves.len()) {
            let RootCandidate { mv, bounds, .. } = self.root.moves[number];
            let is_open = bounds.0 < bounds.1;
            let to_exceed = exact.get(self.params.multipv - 1).copied();
            let result = if is_open {
                let alpha = to_exceed.unwrap_or(low);
                let window = Window { alpha, beta: high, depth: depth as i32, ply: 0 };
                let result = self.search_move(mv, player, window, to_exceed.is_some())?;
                self.update_bounds(number, &result);
                result
            } else {
                NodeResult::exact(bounds.0)
            };
            let candidate = &mut self.root.moves[number];
            candidate.depth = Some(depth);
            candidate.value = Some(result.value);
            candidate.at_most = is_open && to_exceed.is_some_and(|alpha| result.value <= alpha);
            if is_open {
                candidate.variation.truncate(1);
                candidate.variation.extend_from_slice(&self.variations[1]);
            }
            if exact.first().is_none_or(|&best| result.value > best) {
                self.root.best = number;
            }
            if !self.root.moves[number].at_most {
                let at = exact.partition_point(|&value| value >= result.value);
                exact.insert(at, result.value);
                exact.truncate(self.params.multipv);
            }
            if exact.get(self.params.multipv - 1).is_some_and(|&value| value >= high) {
                break;
            }
        }
        if !self.params.plain {
            self.root.moves[..=self.root.best].rotate_right(1);
            self.root.best = 0;
        }
        Some(())
    }

    /// Adopts the bounds found for a root move, as far as they hold for the game's history.
    fn update_bounds(&mut self, number: usize, result: &NodeResult) {
        let plies_left = match self.root.facts.length {
            Length::Bounded(_) => u32::MAX,
            Length::Capped(cap) => cap.saturating_sub(self.history.moves().len() as u32),
        };
        let ignores_history = self.mode == HistoryMode::Ignored;
        let holds = |plies: u16| !ignores_history || plies < u16::MAX && u32::from(plies) <= plies_left;
        let candidate = &mut self.root.moves[number];
        if holds(result.at_least_plies) {
            candidate.bounds.0 = candidate.bounds.0.max(result.at_least);
        }
        if holds(result.at_most_plies) {
            candidate.bounds.1 = candidate.bounds.1.min(result.at_most);
        }
        if !self.mode.is_by_path() {
            let (at_least, at_most) = candidate.history_free_bounds;
            candidate.history_free_bounds = (at_least.max(result.at_least), at_most.min(result.at_most));
        }
    }

    /// Extends the variation of the best move with table moves.
    ///
    /// A table cutoff ends the variation early. If the result is proven, every position of the
    /// extension must prove the same.
    fn extend_variation(&mut self, depth: usize) {
        let best = self.root.choice();
        let (at_least, at_most) = self.root.moves[best].bounds;
        let (low, high) = self.scale.range(self.scale.player);
        // The bounds that the variation still confirms. For an exact value either is enough.
        let mut confirms = (at_least > low, at_most < high);
        let mut variation = std::mem::take(&mut self.root.moves[best].variation);
        let mut history = self.history.clone();
        for &mv in &variation {
            history.play(mv);
        }
        variation::extend(&mut history, &mut variation, depth, |history| {
            let mv = self.table_move(history)?;
            if at_least == at_most {
                history.play(mv);
                let bounds = self.table_bounds(history);
                history.undo();
                confirms = (confirms.0 && bounds.0 >= at_least, confirms.1 && bounds.1 <= at_most);
            }
            (at_least < at_most || confirms != (false, false)).then_some(mv)
        });
        self.root.moves[best].variation = variation;
    }

    /// Returns the best move of a position according to the table.
    fn table_move(&mut self, history: &History<G>) -> Option<G::Move> {
        let best = self.probe(history.position().key())?.best;
        let mut legal = Vec::new();
        history.legal_moves(&mut legal);
        let is_best = |&mv: &G::Move| history.position().move_index(mv) == usize::from(best);
        legal.into_iter().find(is_best).filter(|_| best != NO_MOVE)
    }

    /// Returns the bounds of a position for the player at the root.
    ///
    /// They are exact if the game is over, else those of the table.
    fn table_bounds(&mut self, history: &History<G>) -> (i32, i32) {
        let player = self.scale.player;
        if let Some(outcome) = history.outcome() {
            let value = self.scale.score(outcome.score(player), player);
            return (value, value);
        }
        let is_to_move = history.position().to_move() == player;
        match self.probe(history.position().key()) {
            Some(entry) => {
                let result = if is_to_move { entry.result } else { entry.result.negated() };
                (result.at_least, result.at_most)
            }
            None => self.scale.range(player),
        }
    }
}

/// A root move.
#[derive(Clone)]
pub(super) struct RootCandidate<M> {
    mv: M,
    /// The depth of its last search.
    depth: Option<u32>,
    /// The value of its last search.
    value: Option<i32>,
    /// Whether that is only an upper bound.
    at_most: bool,
    /// The proven bounds.
    bounds: (i32, i32),
    /// The bounds proven for any history.
    history_free_bounds: (i32, i32),
    /// The principal variation, from the move itself.
    variation: Vec<M>,
}

/// The root moves and the statistics of the search.
pub(super) struct RootState<M> {
    pub facts: Facts,
    scale: Scale,
    /// The value of a terminal root.
    terminal_value: Option<i32>,
    /// The moves in search order.
    moves: Vec<RootCandidate<M>>,
    /// The index of the best move.
    best: usize,
    pub counters: Counters,
    stopped: StopReason,
}

impl<M: Copy + PartialEq> RootState<M> {
    /// Orders the legal moves and evaluates those that end the game.
    pub fn new<G: Knowledge<Move = M>>(
        root: &History<G>,
        mut legal: Vec<M>,
        params: &Params,
        scale: Scale,
        control: &Control<'_, M>,
    ) -> RootState<M> {
        let player = scale.player;
        if !params.plain {
            // Moves of equal order come in random order (Baier 2015), reproducible by the seed.
            let mut rng = Rng::new(control.seed());
            for at in (1..legal.len()).rev() {
                legal.swap(at, rng.below(at + 1));
            }
            legal.sort_by_cached_key(|&mv| Reverse(root.position().move_order_by(params.functions.order(), mv)));
        }
        let mut history = root.clone();
        let candidate = |mv| {
            history.play(mv);
            let value = history.outcome().map(|outcome| scale.score(outcome.score(player), player));
            history.undo();
            let any_history = value.map_or(scale.range(player), |value| (value, value));
            let known = control.known().iter().find(|(known, _)| *known == mv).map(|(_, bounds)| bounds);
            let bounds = known.map_or(any_history, |bounds| {
                let score = |score| scale.score(score, player);
                (any_history.0.max(score(bounds.at_least)), any_history.1.min(score(bounds.at_most)))
            });
            RootCandidate {
                mv,
                depth: None,
                value,
                at_most: false,
                bounds,
                history_free_bounds: any_history,
                variation: vec![mv],
            }
        };
        RootState {
            facts: *root.facts(),
            scale,
            terminal_value: root.outcome().map(|outcome| scale.score(outcome.score(player), player)),
            moves: legal.into_iter().map(candidate).collect(),
            best: 0,
            counters: Counters::default(),
            stopped: StopReason::Finished,
        }
    }
}

impl<M> RootState<M> {
    /// The bounds of the root that follow from one kind of bounds of its moves.
    fn bounds(&self, of: impl Fn(&RootCandidate<M>) -> (i32, i32)) -> (i32, i32) {
        if let Some(value) = self.terminal_value {
            return (value, value);
        }
        let max = |(low, high): (i32, i32), (at_least, at_most): (i32, i32)| (low.max(at_least), high.max(at_most));
        self.moves.iter().map(of).reduce(max).unwrap_or((self.scale.low, self.scale.high))
    }

    /// Returns the index of the move to play: the best one, unless another is proven better.
    fn choice(&self) -> usize {
        let (at_least, at_most) = self.bounds(|candidate| candidate.bounds);
        let proven = self.moves.iter().position(|candidate| candidate.bounds.0 == at_least);
        match self.moves.get(self.best) {
            Some(best) if best.bounds.1 < at_least || at_least == at_most && best.bounds.0 < at_least => {
                proven.unwrap_or(self.best)
            }
            _ => self.best,
        }
    }

    fn is_solved(&self, of: impl Fn(&RootCandidate<M>) -> (i32, i32)) -> bool {
        let (at_least, at_most) = self.bounds(of);
        at_least == at_most
    }
}

impl<M: Copy> Inspector<M> for RootState<M> {
    fn report(&self) -> Report<M> {
        let bounds = self.bounds(|candidate| candidate.bounds);
        let choice = self.choice();
        let best = self.moves.get(choice);
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by_cached_key(|&number| {
            let candidate = &self.moves[number];
            Reverse((number == choice, candidate.bounds.0, !candidate.at_most, candidate.value))
        });
        let root_move = |number: usize| {
            let candidate = &self.moves[number];
            RootMove {
                visits: u64::from(candidate.depth.is_some()),
                depth: candidate.depth,
                value: candidate.value.map(|value| self.scale.reported(value, candidate.bounds)),
                at_most: candidate.at_most && candidate.bounds.0 < candidate.bounds.1,
                ..RootMove::new(candidate.mv, self.scale.bounds(candidate.bounds, &self.facts))
            }
        };
        let value = best.and_then(|best| best.value).or(self.terminal_value).unwrap_or(0);
        Report {
            best: best.map(|best| best.mv),
            value: self.scale.reported(value, bounds),
            bounds: self.scale.bounds(bounds, &self.facts),
            proof_numbers: None,
            variation: best.map(|best| best.variation.clone()).unwrap_or_default(),
            moves: order.into_iter().map(root_move).collect(),
            solution: None,
            counters: self.counters,
            stopped: self.stopped,
        }
    }
}
