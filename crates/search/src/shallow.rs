//! The shallow search: minimax to a fixed depth, for every place that looks a few plies ahead.
//!
//! Depth-limited alpha-beta (Knuth and Moore 1975), fail-hard, as the hybrids of Baier (2015,
//! chapters 7 and 8) embed it in Monte-Carlo tree search: no transposition table, no iterative
//! deepening, no extension. A leaf is terminal or at the horizon. Without an evaluation function it
//! is a win, a loss or unknown; draws count as unknown. Only the root tries moves in random order,
//! and a move replaces the best one so far only if it is strictly better, so that equal moves are
//! equally likely. An order below the root changes the work and not the value.
//!
//! With a move ordering the best of the remaining moves is found when it is needed, so that a
//! cutoff saves the rest of the sort; equally ranked moves come in random order. With a width k,
//! only the first k moves of every position are searched (k-best pruning).
//!
//! The search runs on bare positions ([`Bare`]), or on anything else that can walk the game tree
//! ([`Walk`]): through the history of a game, its results hold for that history. It assumes neither
//! that players alternate nor that there are two: one player maximises, all others minimise. Lists
//! of moves are in buffers of the caller; nothing is allocated once these have grown.

#[cfg(test)]
mod tests;

use tesuji_core::{Game, ImmediateWin, Knowledge, Outcome, Player, Rng};

/// The value of a won game. Evaluations are smaller.
pub const WIN: i32 = 1 << 20;

/// A place in a game tree.
pub trait Walk<G: Game> {
    /// Whether the history of the game has no influence.
    const BARE: bool;

    /// The position.
    fn position(&self) -> &G;

    /// The outcome, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends the legal moves.
    fn legal_moves(&self, moves: &mut Vec<G::Move>);

    /// Visits the place after a legal move.
    fn after<R>(&mut self, mv: G::Move, visit: impl FnOnce(&mut Self) -> R) -> R;
}

/// A position without history.
pub struct Bare<G>(pub G);

impl<G: Game> Walk<G> for Bare<G> {
    const BARE: bool = true;

    #[inline]
    fn position(&self) -> &G {
        &self.0
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.0.is_over() { self.0.outcome() } else { None }
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<G::Move>) {
        self.0.legal_moves(moves);
    }

    #[inline]
    fn after<R>(&mut self, mv: G::Move, visit: impl FnOnce(&mut Self) -> R) -> R {
        let mut next = Bare(self.0.clone());
        next.0.play(mv);
        visit(&mut next)
    }
}

/// What a terminal position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminal {
    /// [`WIN`], 0 or minus [`WIN`], in games where the sign of the score is the result.
    Result,
    /// The share of the opponents with a lower score minus that of those with a higher one, times
    /// [`WIN`], in games for several players.
    Rank,
    /// The score, which is in this range.
    Score(i32, i32),
}

impl Terminal {
    #[inline]
    fn value(self, outcome: &Outcome, player: Player) -> i32 {
        let score = outcome.score(player);
        match self {
            Terminal::Result => score.signum() * WIN,
            Terminal::Rank => {
                let lead: i32 = outcome.scores().iter().map(|other| (score - other).signum()).sum();
                lead * WIN / (outcome.scores().len() as i32 - 1)
            }
            Terminal::Score(..) => score,
        }
    }
}

/// What a position at the horizon is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// A fixed value: 0 if it is unknown.
    Fixed(i32),
    /// The evaluation function with this number.
    Evaluation(usize),
}

/// Lists of moves, reused from one search to the next.
#[derive(Debug)]
pub struct Buffers<M> {
    /// The moves of all positions on the path, the root first.
    moves: Vec<M>,
    /// Their priorities, if moves are ordered.
    priorities: Vec<i32>,
}

impl<M> Default for Buffers<M> {
    fn default() -> Buffers<M> {
        Buffers { moves: Vec::new(), priorities: Vec::new() }
    }
}

/// What is searched.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The player who maximises.
    pub player: Player,
    /// The value of terminal positions.
    pub terminal: Terminal,
    /// The value of other leaves.
    pub horizon: Horizon,
    /// The number of moves searched in every position. Lowering it makes deep searches cheaper and
    /// blind for moves late in the ordering.
    pub width: usize,
    /// The number of the move ordering; `None` searches moves as they are listed.
    pub order: Option<usize>,
}

impl Settings {
    /// Only the result of the game counts: a win, a loss, or unknown.
    pub fn results(player: Player) -> Settings {
        let (terminal, horizon) = (Terminal::Result, Horizon::Fixed(0));
        Settings { player, terminal, horizon, width: usize::MAX, order: None }
    }

    /// The lowest and the highest possible value.
    fn range(&self) -> (i32, i32) {
        match self.terminal {
            Terminal::Result | Terminal::Rank => (-WIN, WIN),
            Terminal::Score(low, high) => (low, high),
        }
    }
}

/// Converts an evaluation to the unit of values.
#[inline]
fn in_units(evaluation: f32) -> i32 {
    (evaluation * WIN as f32) as i32
}

/// A shallow search.
pub struct Shallow<'b, G: Game> {
    settings: Settings,
    rng: &'b mut Rng,
    buffers: &'b mut Buffers<G::Move>,
    /// The number of positions visited.
    pub nodes: u64,
}

impl<'b, G: Knowledge> Shallow<'b, G> {
    /// Creates a search that uses these buffers and random numbers.
    pub fn new(settings: Settings, rng: &'b mut Rng, buffers: &'b mut Buffers<G::Move>) -> Shallow<'b, G> {
        buffers.moves.clear();
        buffers.priorities.clear();
        Shallow { settings, rng, buffers, nodes: 0 }
    }

    /// Returns the value of a position for the player who maximises, searched `depth` plies deep.
    pub fn value<W: Walk<G>>(&mut self, walk: &mut W, depth: u32) -> i32 {
        let (low, high) = self.settings.range();
        self.node(walk, depth, low, high)
    }

    /// Returns whether the value of a position is at least `bound`, which takes fewer visits than
    /// the value.
    pub fn reaches<W: Walk<G>>(&mut self, walk: &mut W, depth: u32, bound: i32) -> bool {
        self.node(walk, depth, bound - 1, bound) >= bound
    }

    /// Returns the best of the given root moves for the player to move, who maximises, and its
    /// value; `depth`, at least 1, includes the move itself. All moves with that value are equally
    /// likely, unless the width leaves some out.
    ///
    /// `first` is searched before the others, and is returned if no move is better.
    pub fn best_move<W: Walk<G>>(
        &mut self,
        walk: &mut W,
        moves: &[G::Move],
        first: Option<G::Move>,
        depth: u32,
    ) -> (G::Move, i32) {
        let (low, mut high) = self.settings.range();
        // A player without an immediate win does not win within two plies: that would take a move
        // of the opponent that loses at once. The first move that does not lose is as good as any.
        if W::BARE && depth <= 2 && self.sees_results_only() && walk.position().immediate_win() == ImmediateWin::No {
            high = 0;
        }
        self.buffers.moves.extend_from_slice(moves);
        self.prioritise(walk.position(), 0);
        if let Some(at) = first.and_then(|first| moves.iter().position(|&mv| mv == first)) {
            self.swap(0, at);
        }
        let mut best = (self.buffers.moves[0], low - 1);
        for number in 0..moves.len().min(self.settings.width) {
            if number > 0 || first.is_none() {
                self.bring_next(number, true);
            }
            let mv = self.buffers.moves[number];
            self.nodes += 1;
            let value = walk.after(mv, |next| self.node(next, depth - 1, best.1, high));
            if value > best.1 {
                best = (mv, value);
            }
            if best.1 >= high {
                break;
            }
        }
        self.truncate(0);
        best
    }

    /// Returns the first of the given root moves in the move ordering; ties are broken at random.
    pub fn first_move(&mut self, position: &G, moves: &[G::Move]) -> G::Move {
        self.buffers.moves.extend_from_slice(moves);
        self.prioritise(position, 0);
        self.bring_next(0, true);
        let first = self.buffers.moves[0];
        self.truncate(0);
        first
    }

    /// The value of a position, limited to the window from `alpha` to `beta`.
    fn node<W: Walk<G>>(&mut self, walk: &mut W, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        let Settings { player, terminal, .. } = self.settings;
        if let Some(outcome) = walk.outcome() {
            return terminal.value(&outcome, player).clamp(alpha, beta);
        }
        if depth == 0 {
            return self.at_horizon(walk.position()).clamp(alpha, beta);
        }
        let maximises = walk.position().to_move() == player;
        if W::BARE && depth == 1 && self.sees_results_only() {
            match walk.position().immediate_win() {
                ImmediateWin::Yes(_) => return (if maximises { WIN } else { -WIN }).clamp(alpha, beta),
                ImmediateWin::No => return 0.clamp(alpha, beta),
                ImmediateWin::Unknown => {}
            }
        }
        let begin = self.buffers.moves.len();
        walk.legal_moves(&mut self.buffers.moves);
        let count = self.buffers.moves.len() - begin;
        self.prioritise(walk.position(), begin);
        // If all moves are searched, their order does not change the value.
        let breaks_ties = self.settings.width < count;
        for number in 0..count.min(self.settings.width) {
            if breaks_ties || self.settings.order.is_some() {
                self.bring_next(begin + number, breaks_ties);
            }
            let mv = self.buffers.moves[begin + number];
            self.nodes += 1;
            let value = walk.after(mv, |next| self.node(next, depth - 1, alpha, beta));
            if maximises {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        self.truncate(begin);
        if maximises { alpha } else { beta }
    }

    /// Whether positions at the horizon and draws are both worth 0, so that one ply above the
    /// horizon only immediate wins matter.
    #[inline]
    fn sees_results_only(&self) -> bool {
        self.settings.terminal == Terminal::Result && self.settings.horizon == Horizon::Fixed(0)
    }

    #[inline]
    fn at_horizon(&self, position: &G) -> i32 {
        match self.settings.horizon {
            Horizon::Fixed(value) => value,
            Horizon::Evaluation(number) => {
                in_units(position.evaluation_by(number, self.settings.player).unwrap_or(0.0))
            }
        }
    }

    /// Assigns priorities to the moves from `begin` on, if moves are ordered.
    #[inline]
    fn prioritise(&mut self, position: &G, begin: usize) {
        let Some(order) = self.settings.order else { return };
        let Buffers { moves, priorities } = &mut *self.buffers;
        priorities.extend(moves[begin..].iter().map(|&mv| position.move_order_by(order, mv).unwrap_or(0)));
    }

    /// Brings the best of the moves from number `at` on to that place; ties are broken at random if
    /// `random`, also where moves are not ordered.
    #[inline]
    fn bring_next(&mut self, at: usize, random: bool) {
        let count = self.buffers.moves.len();
        if self.settings.order.is_none() {
            self.buffers.moves.swap(at, at + self.rng.below(count - at));
            return;
        }
        let priorities = &self.buffers.priorities;
        let (mut best, mut ties) = (at, 1);
        for other in at + 1..count {
            if priorities[other] > priorities[best] {
                (best, ties) = (other, 1);
            } else if random && priorities[other] == priorities[best] {
                ties += 1;
                if self.rng.below(ties) == 0 {
                    best = other;
                }
            }
        }
        self.swap(at, best);
    }

    #[inline]
    fn swap(&mut self, one: usize, other: usize) {
        self.buffers.moves.swap(one, other);
        if self.settings.order.is_some() {
            self.buffers.priorities.swap(one, other);
        }
    }

    #[inline]
    fn truncate(&mut self, begin: usize) {
        self.buffers.moves.truncate(begin);
        self.buffers.priorities.truncate(begin);
    }
}
