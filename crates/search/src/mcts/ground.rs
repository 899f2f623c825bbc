//! What all workers of a search share: the tree, the parts, and how outcomes become values.

use super::interval::Interval;
use super::link::Link;
use super::params::{Backup, Expand, Parallel, Params, Playout, Reward};
use super::positions::Positions;
use super::transitions::Transitions;
use super::tree::{Tree, UNIT};
use tesuji_core::{Bounds, Facts, History, Knowledge, MAX_PLAYERS, Outcome, Player};

/// The values of a simulation for every player, in units of 1 / [`UNIT`].
pub type Values = [i64; MAX_PLAYERS];

/// A value in [-1, 1] in the unit of the sums.
#[inline]
pub fn in_units(value: f32) -> i64 {
    (value * UNIT) as i64
}

/// What all workers share.
pub struct Ground<'s, G: Knowledge> {
    /// The parts of the search.
    pub params: &'s Params,
    /// The tree.
    pub tree: &'s Tree<G::Move>,
    /// The game up to the root.
    pub root: &'s History<G>,
    /// What the game is like.
    pub facts: Facts,
    /// The player to move at the root, who wants to prove something.
    pub prover: Player,
    /// Whether what one of two players gets the other loses, so that a proof about one is a proof about both.
    pub zero_sum: bool,
    /// The player whose results proved intervals are about.
    pub frame: Player,
    /// The range of what it can get.
    pub range: Interval,
    /// Transition probabilities, where a part asks for them.
    pub transitions: Option<&'s Transitions>,
    /// Where equal positions are found, if they share their children.
    pub positions: Option<&'s Positions>,
}

impl<'s, G: Knowledge> Ground<'s, G> {
    /// The common ground of a search.
    pub fn new(
        params: &'s Params,
        tree: &'s Tree<G::Move>,
        root: &'s History<G>,
        transitions: Option<&'s Transitions>,
        positions: Option<&'s Positions>,
    ) -> Ground<'s, G> {
        let facts = *root.facts();
        let prover = root.position().to_move();
        // A zero-sum game has one value; its intervals stay true whoever searches next. Where players have points of their own they
        // are about the one who searches, against all others together.
        let zero_sum = facts.sign_is_result();
        let frame = if zero_sum { Player::FIRST } else { prover };
        let range = if counts_results(params, &facts) {
            Interval { low: -1, high: 1 }
        } else {
            Interval { low: facts.scores.0, high: facts.scores.1 }
        };
        Ground { params, tree, root, facts, prover, zero_sum, frame, range, transitions, positions }
    }

    /// The values of an outcome.
    #[inline]
    pub fn values(&self, outcome: &Outcome) -> Values {
        let mut values = [0; MAX_PLAYERS];
        if self.zero_sum {
            let score = outcome.score(Player::FIRST);
            let value = match self.params.reward {
                Reward::Result => i64::from(score.signum()) * UNIT as i64,
                Reward::Score => in_units(score as f32 / self.largest_score()),
            };
            [values[0], values[1]] = [value, -value];
            return values;
        }
        for (seat, value) in values.iter_mut().enumerate().take(usize::from(self.facts.players)) {
            *value = in_units(self.value_for(outcome, Player(seat as u8)));
        }
        self.against_prover(&mut values);
        values
    }

    /// The values of evaluations of a position.
    pub fn values_of(&self, position: &G) -> Values {
        let mut values = [0; MAX_PLAYERS];
        for (seat, value) in values.iter_mut().enumerate().take(usize::from(self.facts.players)) {
            *value = in_units(position.evaluation(Player(seat as u8)).unwrap_or(0.0));
        }
        self.against_prover(&mut values);
        values
    }

    /// The evaluation of a position for a player, as this search sees it.
    pub fn evaluation(&self, position: &G, player: Player) -> f32 {
        let against = self.is_paranoid() && player != self.prover;
        let own = position.evaluation(if against { self.prover } else { player }).unwrap_or(0.0);
        if against { -own } else { own }
    }

    /// Whether simulations need none of what makes [`super::worker`]'s general way of going down the tree longer than its plain one,
    /// beside the formula: children are opened one by one before any is chosen, each node has its own, and values are whole numbers.
    pub fn is_plain(&self) -> bool {
        let params = self.params;
        params.expand == Expand::One
            && params.first_play_urgency == f32::INFINITY
            && params.widen.is_none()
            && params.threshold == 0
            && !params.table
            && !matches!(params.playout, Playout::Lgrf | Playout::Mast)
            && values_are_whole(params, &self.facts)
    }

    fn is_paranoid(&self) -> bool {
        !self.zero_sum && self.params.backup == Backup::Paranoid
    }

    /// Whether children may be left out of the selection by what is proved of them. Where everybody looks after itself (max^n), a
    /// proof about one player does not say which moves the others leave alone.
    pub fn prunes(&self) -> bool {
        self.zero_sum || self.facts.players == 1 || self.is_paranoid()
    }

    /// The paranoid view: what is good for the one who searches is bad for all others.
    fn against_prover(&self, values: &mut Values) {
        if self.is_paranoid() {
            let own = values[self.prover.index()];
            *values = [-own; MAX_PLAYERS];
            values[self.prover.index()] = own;
        }
    }

    fn value_for(&self, outcome: &Outcome, player: Player) -> f32 {
        match self.params.reward {
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

    /// The values of a decided node; `None` where a proof about one player says nothing about the others.
    pub fn decided_values(&self, interval: Interval) -> Option<Values> {
        match (self.zero_sum, self.facts.players) {
            (true, _) => Some(self.values(&Outcome::zero_sum(interval.low))),
            (false, 1) => Some(self.values(&Outcome::of(&[interval.low]))),
            (false, _) => None,
        }
    }

    /// The values of a simulation at a node with a proved interval: no higher and no lower than that allows.
    pub fn within(&self, values: Values, interval: Interval) -> Values {
        if interval.low <= self.range.low && interval.high >= self.range.high {
            return values;
        }
        let (Some(low), Some(high)) = (
            self.decided_values(Interval::exactly(interval.low.max(self.range.low))),
            self.decided_values(Interval::exactly(interval.high.min(self.range.high))),
        ) else {
            return values;
        };
        std::array::from_fn(|seat| values[seat].clamp(low[seat].min(high[seat]), low[seat].max(high[seat])))
    }

    /// A proved score of a player as its value in [-1, 1]; `None` where a player's score does not tell its value.
    pub fn worth(&self, score: i32) -> Option<f64> {
        let outcome = if self.zero_sum { Outcome::zero_sum(score) } else { Outcome::of(&[score]) };
        let has_worth = self.zero_sum || self.facts.players == 1;
        has_worth.then(|| self.values(&outcome)[0] as f64 / f64::from(UNIT))
    }

    /// What an outcome proves.
    #[inline]
    pub fn interval(&self, outcome: &Outcome) -> Interval {
        let score = outcome.score(self.frame);
        Interval::exactly(if counts_results(self.params, &self.facts) { score.signum() } else { score })
    }

    /// What is proved of a node.
    #[inline]
    pub fn interval_of(&self, slot: u32) -> Interval {
        let (chunk, at) = self.tree.at(slot);
        chunk.bounds[at].load()
    }

    /// Narrows a node's interval by those of its children; says whether that told anything new.
    pub fn narrow(&self, slot: u32, mover: Player, link: Link) -> bool {
        let block = self.tree.block(link);
        let children = block.of(&block.chunk.bounds, block.count).iter().map(|cell| cell.load());
        let interval = Interval::chosen(self.maximises(mover), children);
        let (chunk, at) = self.tree.at(slot);
        chunk.bounds[at].narrow(interval)
    }

    /// Whether a player picks the highest of the intervals.
    #[inline]
    pub fn maximises(&self, mover: Player) -> bool {
        mover == self.frame
    }

    /// An interval as bounds for a player.
    pub fn bounds(&self, interval: Interval, player: Player) -> Bounds {
        let interval = Interval { low: interval.low.max(self.range.low), high: interval.high.min(self.range.high) };
        // Only a zero-sum game has another side to look from.
        let (low, high) = if player == self.frame || !self.zero_sum {
            (interval.low, interval.high)
        } else {
            (-interval.high, -interval.low)
        };
        let player = if self.zero_sum { player } else { self.frame };
        if counts_results(self.params, &self.facts) {
            Bounds::of_results(player, low, high, &self.facts)
        } else {
            Bounds { player, at_least: low, at_most: high }
        }
    }
}

/// Whether the values of all simulations are whole numbers: wins, draws and losses of games for two, none of them guessed or averaged.
pub fn values_are_whole(params: &Params, facts: &Facts) -> bool {
    counts_results(params, facts) && params.cut.is_none() && params.parallel != Parallel::Leaf
}

/// Whether proofs are about win, draw and loss, not about scores.
fn counts_results(params: &Params, facts: &Facts) -> bool {
    facts.sign_is_result() && params.reward == Reward::Result
}
