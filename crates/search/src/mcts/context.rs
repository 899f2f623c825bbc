//! The state shared by all workers of a search: the tree, the options, and the values of outcomes.

use super::interval::Interval;
use super::link::Link;
use super::params::{Informed, MultiplayerRule, Params, PlayoutPolicy, Reward};
use super::proof_numbers::NumberRule;
use super::transitions::Transitions;
use super::transposition_index::TranspositionIndex;
use super::tree::{Tree, UNIT};
use crate::best_line::CompleteLine;
use crate::shallow::{Horizon, Settings, Terminal};
use std::sync::{Mutex, PoisonError};
use tesuji_core::{Bounds, Facts, History, Knowledge, MAX_PLAYERS, Outcome, OwnerCounts, Player, ProofNumbers};

/// The values of a simulation for every player, in units of 1 / [`UNIT`].
pub type Values = [i64; MAX_PLAYERS];

/// Converts a value in [-1, 1] to the unit of sums.
#[inline]
pub fn in_units(value: f32) -> i64 {
    (value * UNIT) as i64
}

/// The best complete line that the workers of a search have found so far.
pub type SharedLine<M> = Mutex<Option<CompleteLine<M>>>;

/// How playouts are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayoutKind {
    /// The game's own random playout.
    Random,
    /// The same with wins at once: minimax of depth 1.
    RandomWithWins,
    /// Move by move.
    General,
    /// Move by move, along an informed policy of the game.
    Informed,
    /// One of these, with the owners of the cells at the end.
    Counted,
}

impl PlayoutKind {
    /// Returns how the playouts of a search are made if nothing is counted.
    pub fn of(params: &Params) -> PlayoutKind {
        let (simulation, hybrids) = (&params.simulation, &params.hybrids);
        let is_random = simulation.policy == PlayoutPolicy::Uniform
            && simulation.cut_margin.is_none()
            && hybrids.cutoff.is_none()
            && hybrids.playout.is_none();
        if matches!(simulation.policy, PlayoutPolicy::Informed(_)) {
            return PlayoutKind::Informed;
        }
        match hybrids.playout_minimax {
            None if is_random => PlayoutKind::Random,
            Some(1) if is_random => PlayoutKind::RandomWithWins,
            _ => PlayoutKind::General,
        }
    }
}

/// The state shared by all workers of a search.
pub struct SearchContext<'s, G: Knowledge> {
    /// The options.
    pub params: &'s Params,
    /// The tree.
    pub tree: &'s Tree<G::Move>,
    /// The game up to the root.
    pub root: &'s History<G>,
    /// The facts of the rules.
    pub facts: Facts,
    /// The player to move at the root, for whom proof numbers are computed.
    pub prover: Player,
    /// Whether the game is zero-sum for two players, so that a proof about one is a proof about
    /// both.
    pub zero_sum: bool,
    /// The player whose results proven intervals bound.
    pub bounded_player: Player,
    /// The range of possible results of that player.
    pub range: Interval,
    /// How playouts are made.
    pub playouts: PlayoutKind,
    /// Transition probabilities, if an option needs them.
    pub transitions: Option<&'s Transitions>,
    /// The index of positions, if equal positions share their children.
    pub index: Option<&'s TranspositionIndex>,
    /// The best complete line, in a game for one player.
    pub line: Option<&'s SharedLine<G::Move>>,
    /// The playouts of earlier rounds, and the number of workers.
    pub playouts_before: (u64, u64),
    /// The counts of owners, if playouts are [`Counted`](PlayoutKind::Counted).
    pub owners: Option<&'s OwnerCounts>,
}

impl<'s, G: Knowledge> SearchContext<'s, G> {
    /// Creates the context of a search.
    pub fn new(
        params: &'s Params,
        tree: &'s Tree<G::Move>,
        root: &'s History<G>,
        transitions: Option<&'s Transitions>,
        index: Option<&'s TranspositionIndex>,
    ) -> SearchContext<'s, G> {
        let facts = *root.facts();
        let prover = root.position().to_move();
        // A zero-sum game has one value, and its intervals hold whichever player searches next. If
        // players have scores of their own, intervals bound the score of the player to move at the
        // root against all others.
        let zero_sum = facts.sign_is_result();
        let bounded_player = if zero_sum { Player::FIRST } else { prover };
        let range = if params.counts_results(&facts) {
            Interval { low: -1, high: 1 }
        } else {
            Interval { low: facts.scores.0, high: facts.scores.1 }
        };
        let playouts = PlayoutKind::of(params);
        SearchContext {
            params,
            tree,
            root,
            facts,
            prover,
            zero_sum,
            bounded_player,
            range,
            playouts,
            transitions,
            index,
            line: None,
            playouts_before: (0, 1),
            owners: None,
        }
    }

    /// The same with a place for the best complete line, if the game is for one player.
    pub fn with_line(self, line: &'s SharedLine<G::Move>) -> SearchContext<'s, G> {
        SearchContext { line: (self.facts.players == 1).then_some(line), ..self }
    }

    /// The same in a round of several workers that follows others.
    pub fn after(self, playouts: u64, workers: usize) -> SearchContext<'s, G> {
        SearchContext { playouts_before: (playouts, workers as u64), ..self }
    }

    /// The same with counts of owners, if they are asked for and the game has owners.
    pub fn counting(self, owners: Option<&'s OwnerCounts>) -> SearchContext<'s, G> {
        let has_owners = || self.facts.players == 2 && self.root.position().owners(&mut Vec::new());
        match owners.filter(|_| self.params.playouts_end_games() && has_owners()) {
            None => self,
            owners => SearchContext { playouts: PlayoutKind::Counted, owners, ..self },
        }
    }

    /// The best complete line so far.
    pub fn best_line(&self) -> Option<CompleteLine<G::Move>> {
        self.line?.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A shallow search over evaluations for a player.
    pub fn informed(&self, search: Informed, player: Player) -> Settings {
        let hybrids = &self.params.hybrids;
        Settings {
            player,
            terminal: if self.zero_sum { Terminal::Result } else { Terminal::Rank },
            horizon: Horizon::Evaluation(hybrids.functions.evaluation()),
            width: if search.width == 0 { usize::MAX } else { search.width },
            order: (search.width > 0).then_some(hybrids.functions.order()),
        }
    }

    /// The values of an outcome.
    #[inline]
    pub fn values(&self, outcome: &Outcome) -> Values {
        let mut values = [0; MAX_PLAYERS];
        if self.zero_sum {
            let score = outcome.score(Player::FIRST);
            let value = match self.params.backup.reward {
                Reward::Result => i64::from(score.signum()) * UNIT as i64,
                Reward::Score => in_units(score as f32 / self.largest_score()),
            };
            [values[0], values[1]] = [value, -value];
            return values;
        }
        for (seat, value) in values.iter_mut().enumerate().take(usize::from(self.facts.players)) {
            *value = in_units(self.value_for(outcome, Player(seat as u8)));
        }
        self.apply_paranoid_rule(&mut values);
        values
    }

    /// The values of a position by the evaluation function.
    pub fn evaluations(&self, position: &G) -> Values {
        let mut values = [0; MAX_PLAYERS];
        for (seat, value) in values.iter_mut().enumerate().take(usize::from(self.facts.players)) {
            *value = in_units(self.evaluation_of(position, Player(seat as u8)));
        }
        self.apply_paranoid_rule(&mut values);
        values
    }

    /// The evaluation of a position for one player.
    pub fn evaluation(&self, position: &G, player: Player) -> f32 {
        let opposes = self.is_paranoid() && player != self.prover;
        let value = self.evaluation_of(position, if opposes { self.prover } else { player });
        if opposes { -value } else { value }
    }

    fn evaluation_of(&self, position: &G, player: Player) -> f32 {
        position.evaluation_by(self.params.hybrids.functions.evaluation(), player).unwrap_or(0.0)
    }

    fn is_paranoid(&self) -> bool {
        !self.zero_sum && self.params.backup.multiplayer == MultiplayerRule::Paranoid
    }

    /// Whether selection may skip children because of their proven bounds. Under max^n, a proof
    /// about one player does not say which moves the others avoid.
    pub fn prunes(&self) -> bool {
        self.zero_sum || self.facts.players == 1 || self.is_paranoid()
    }

    /// Under the paranoid rule, sets the values of the other players to the negated value of the
    /// prover.
    fn apply_paranoid_rule(&self, values: &mut Values) {
        if self.is_paranoid() {
            let own = values[self.prover.index()];
            *values = [-own; MAX_PLAYERS];
            values[self.prover.index()] = own;
        }
    }

    fn value_for(&self, outcome: &Outcome, player: Player) -> f32 {
        match self.params.backup.reward {
            Reward::Result => outcome.value(player, &self.facts),
            Reward::Score => {
                let (low, high) = (self.facts.scores.0 as f32, self.facts.scores.1 as f32);
                2.0 * (outcome.score(player) as f32 - low) / (high - low) - 1.0
            }
        }
    }

    fn largest_score(&self) -> f32 {
        self.facts.scores.0.abs().max(self.facts.scores.1.abs()).max(1) as f32
    }

    /// The values of a solved node; `None` if a proof about one player does not determine the
    /// values of the others.
    pub fn solved_values(&self, interval: Interval) -> Option<Values> {
        match (self.zero_sum, self.facts.players) {
            (true, _) => Some(self.values(&Outcome::zero_sum(interval.low))),
            (false, 1) => Some(self.values(&Outcome::of(&[interval.low]))),
            (false, _) => None,
        }
    }

    /// Limits the values of a simulation to a proven interval.
    pub fn within(&self, values: Values, interval: Interval) -> Values {
        if interval.low <= self.range.low && interval.high >= self.range.high {
            return values;
        }
        let (Some(low), Some(high)) = (
            self.solved_values(Interval::exact(interval.low.max(self.range.low))),
            self.solved_values(Interval::exact(interval.high.min(self.range.high))),
        ) else {
            return values;
        };
        std::array::from_fn(|seat| values[seat].clamp(low[seat].min(high[seat]), low[seat].max(high[seat])))
    }

    /// The value in [-1, 1] of a player's score; `None` if a score alone does not determine a
    /// value.
    pub fn value_of_score(&self, score: i32) -> Option<f64> {
        let outcome = if self.zero_sum { Outcome::zero_sum(score) } else { Outcome::of(&[score]) };
        let has_value = self.zero_sum || self.facts.players == 1;
        has_value.then(|| self.values(&outcome)[0] as f64 / f64::from(UNIT))
    }

    /// The interval proven by an outcome.
    #[inline]
    pub fn interval(&self, outcome: &Outcome) -> Interval {
        let score = outcome.score(self.bounded_player);
        Interval::exact(if self.params.counts_results(&self.facts) { score.signum() } else { score })
    }

    /// The proven interval of a node.
    #[inline]
    pub fn interval_of(&self, id: u32) -> Interval {
        let (chunk, at) = self.tree.at(id);
        chunk.bounds[at].load()
    }

    /// Narrows the interval of a node by those of its children, and returns whether it has changed.
    pub fn narrow(&self, id: u32, mover: Player, link: Link) -> bool {
        let block = self.tree.block(link);
        let children = block.of(&block.chunk.bounds, block.count).iter().map(|cell| cell.load());
        let interval = Interval::of_children(self.maximises(mover), children);
        let (chunk, at) = self.tree.at(id);
        chunk.bounds[at].narrow(interval)
    }

    /// What proof numbers mean; `None` if the search has none.
    #[inline]
    pub fn number_rule(&self) -> Option<NumberRule> {
        self.params.selection.pn.map(|pn| NumberRule::new(pn, self.prover, self.facts.players))
    }

    /// The proof numbers of a node as seen by the prover, if the tree has them.
    pub fn proof_numbers_of(&self, id: u32) -> Option<ProofNumbers> {
        let (chunk, at) = self.tree.at(id);
        Some(self.number_rule()?.for_prover(chunk.number_words(at)))
    }

    /// Whether a player maximises proven intervals.
    #[inline]
    pub fn maximises(&self, mover: Player) -> bool {
        mover == self.bounded_player
    }

    /// Converts a proven interval to bounds for a player.
    pub fn bounds(&self, interval: Interval, player: Player) -> Bounds {
        let interval = Interval { low: interval.low.max(self.range.low), high: interval.high.min(self.range.high) };
        // Only in a zero-sum game does the interval bound the opponent too.
        let (low, high) = if player == self.bounded_player || !self.zero_sum {
            (interval.low, interval.high)
        } else {
            (-interval.high, -interval.low)
        };
        let player = if self.zero_sum { player } else { self.bounded_player };
        if self.params.counts_results(&self.facts) {
            Bounds::of_results(player, low, high, &self.facts)
        } else {
            Bounds { player, at_least: low, at_most: high }
        }
    }
}
