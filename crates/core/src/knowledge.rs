//! Heuristics of a game beyond its rules, and random playouts.

use crate::{Bounds, Facts, Game, Outcome, Player, Rng, Rules, ZoneRules};

/// Receives the moves of a playout. `()` ignores them at no cost.
pub trait Trace<M> {
    /// Whether moves are received. An untraced playout may take a shortcut.
    const ENABLED: bool;

    /// Called for each move of a playout.
    fn played(&mut self, player: Player, mv: M);
}

impl<M> Trace<M> for () {
    const ENABLED: bool = false;

    #[inline]
    fn played(&mut self, _: Player, _: M) {}
}

impl<M> Trace<M> for Vec<M> {
    const ENABLED: bool = true;

    #[inline]
    fn played(&mut self, _: Player, mv: M) {
        self.push(mv);
    }
}

/// The random numbers, move buffer and length cap of playouts, reused from one to the next.
#[derive(Clone, Debug)]
pub struct PlayoutContext<M> {
    /// The random number generator.
    pub rng: Rng,
    /// A buffer for lists of moves.
    pub moves: Vec<M>,
    /// A playout of this many plies is stopped with the outcome of [`Game::outcome_at_cap`].
    pub cap: u32,
}

impl<M> PlayoutContext<M> {
    /// Creates a context for playouts of at most `cap` plies.
    pub fn new(rng: Rng, cap: u32) -> PlayoutContext<M> {
        PlayoutContext { rng, moves: Vec::with_capacity(512), cap }
    }
}

/// What a learned policy knows of a move: see [`Knowledge::coded_moves`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveCode {
    /// The [code](Knowledge::move_code).
    pub code: u64,
    /// The [bias](Knowledge::move_bias).
    pub bias: f64,
}

/// The largest [pattern value](Knowledge::pattern_value), as in Saito (2010).
pub const MAX_PATTERN_VALUE: u16 = 340;

/// Whether the player to move can win at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImmediateWin<M> {
    /// The game does not compute it here; the moves must be tried.
    Unknown,
    /// No move wins at once.
    No,
    /// This move wins at once.
    Yes(M),
}

/// Heuristics for good play. All methods are optional; a game without heuristics writes `impl
/// Knowledge for X {}`.
///
/// Playouts draw uniformly from [`playout_moves`](Knowledge::playout_moves). A game may override
/// [`playout_move`](Knowledge::playout_move) and [`playout`](Knowledge::playout) with faster
/// versions; the battery tests that they have the same distribution.
pub trait Knowledge: Game {
    /// The names of evaluation functions from publications, which stay as published when the game's
    /// own improves. The option `eval` of a search chooses among them.
    const EVALUATIONS: &'static [&'static str] = &[];
    /// The names of move orderings from publications, for the option `order` of a search.
    const MOVE_ORDERS: &'static [&'static str] = &[];
    /// Whether a [null move](Knowledge::null_move) is nearly always worse than the best move, so
    /// that alpha-beta may prune by it. Where a pass is merely possible it misleads: in zugzwang,
    /// or where the evaluation ignores whose turn it is.
    const NULL_MOVE_PRUNING: bool = false;
    /// Whether [static bounds](Knowledge::static_bounds) hold whatever positions have occurred
    /// before, in a game in which positions can repeat: the winner ends the game at once, or in a
    /// way in which nothing repeats. Without it, solvers do not use static bounds in such a game.
    const STATIC_BOUNDS_IGNORE_HISTORY: bool = false;

    /// Returns an estimate of the value for a player in the open interval (-1, 1).
    fn evaluation(&self, _player: Player) -> Option<f32> {
        None
    }

    /// Returns the estimate of an evaluation function: 0 is the game's own, n the n-th of
    /// [`EVALUATIONS`](Knowledge::EVALUATIONS).
    #[inline]
    fn evaluation_by(&self, _number: usize, player: Player) -> Option<f32> {
        self.evaluation(player)
    }

    /// Returns the priority of a move in the search; higher priorities come first.
    fn move_order(&self, _mv: Self::Move) -> Option<i32> {
        None
    }

    /// Returns the priority of a move in a move ordering: 0 is the game's own, n the n-th of
    /// [`MOVE_ORDERS`](Knowledge::MOVE_ORDERS).
    #[inline]
    fn move_order_by(&self, _number: usize, mv: Self::Move) -> Option<i32> {
        self.move_order(mv)
    }

    /// Returns whether the player to move can win at once, in a position that is not terminal and
    /// in a game for two, if that is cheaper to see than to list and try all moves. A game in which
    /// a move can lose at once, or in which players do not alternate, does not compute it: a search
    /// that finds no win here knows that the result is open, and that the opponent is next.
    #[inline]
    fn immediate_win(&self) -> ImmediateWin<Self::Move> {
        ImmediateWin::Unknown
    }

    /// Returns whether a move changes the evaluation at once (a capture, a promotion). Quiescence
    /// search tries such moves before it evaluates.
    fn is_forcing(&self, _mv: Self::Move) -> Option<bool> {
        None
    }

    /// Returns the category of a move, less than [`categories`](Knowledge::categories). Moves of a
    /// category share statistics.
    fn category(&self, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// Returns the number of move categories.
    fn categories(_rules: &Self::Rules) -> Option<usize> {
        None
    }

    /// Returns initial proof and disproof numbers of a leaf for the goal of `player`.
    fn initial_proof_numbers(&self, _player: Player) -> Option<(u32, u32)> {
        None
    }

    /// Returns a random position, in a game whose positions are problems rather than parts of a
    /// game from its start; solvers are compared on such positions.
    fn random_problem(_rules: &Self::Rules, _rng: &mut Rng) -> Option<Self> {
        None
    }

    /// Returns the number of empty cells that can be played, in positions that fill up. By default
    /// that of the legal moves.
    fn open_cells(&self) -> usize {
        self.count_moves(&mut Vec::new())
    }

    /// Returns the text of the pattern around a move, by which [`pattern_value`] is learned; `None`
    /// if there is none. Symmetric patterns, and those of both players, have the same text.
    ///
    /// [`pattern_value`]: Knowledge::pattern_value
    fn pattern_text(&self, _mv: Self::Move) -> Option<String> {
        None
    }

    /// Returns how urgent a move is by the pattern around it, from 0 to [`MAX_PATTERN_VALUE`]: how
    /// often such moves were played in games of how often they were possible. `None` if the game
    /// has no learned patterns.
    fn pattern_value(&self, _mv: Self::Move) -> Option<u16> {
        None
    }

    /// Plays at most `plies` moves of a playout, each drawn with probability proportional to its
    /// [pattern value](Knowledge::pattern_value), and uniformly in a game without patterns. Returns
    /// the outcome if the game ends. A game may override it with a faster version of the same
    /// distribution.
    fn pattern_playout<T: Trace<Self::Move>>(
        &mut self,
        plies: u32,
        context: &mut PlayoutContext<Self::Move>,
        trace: &mut T,
    ) -> Option<Outcome> {
        plain_pattern_playout(self, plies, context, trace)
    }

    /// Returns bounds on the score that a player can force in a position that is not terminal,
    /// found without search. They must be correct: solvers treat a position with decisive static
    /// bounds as terminal.
    fn static_bounds(&self, _player: Player) -> Option<Bounds> {
        None
    }

    /// Returns a move with which the side to move keeps its [static
    /// bounds](Knowledge::static_bounds) and makes progress; `None` leaves the move to a search.
    /// Proofs and variations continue with it past the leaves of a search.
    fn static_move(&self) -> Option<Self::Move> {
        None
    }

    /// Returns the position after a pass of the side to move, whether or not the rules allow one,
    /// in a game for two; `None` if a pass makes no sense here. λ search passes to find out
    /// whether the last move was a threat. The position may be terminal: passing under check loses.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Returns whether `attacker` reaches its goal by threats of order 1 alone (in Go, a ladder),
    /// if the game has a faster search for that than λ search; adds the positions it visits to
    /// `nodes`.
    ///
    /// A threat of order 1 is a move after which the attacker reaches the goal with its next move
    /// if the defender passes ([`null_move`](Knowledge::null_move)). The attacker makes only such
    /// moves; the defender answers with any move after which the attacker cannot reach the goal at
    /// once (Thomsen 2000). The attacker succeeds at once where its next move reaches the goal.
    /// `None` leaves the question to λ search.
    fn order_one(&self, _attacker: Player, _nodes: &mut u64) -> Option<bool> {
        None
    }

    /// Returns an order of threats up to which `attacker` fails to win from here, known without
    /// search; 0 if none is known. λ search leaves these orders out.
    ///
    /// In Go a target with k liberties is out of reach of all orders up to k - 2, because each
    /// threat takes at most one of them (Yoshizoe 2009).
    fn failing_order(&self, _attacker: Player) -> usize {
        0
    }

    /// Returns how the cells that a proof depends on follow from its moves, if the game knows that
    /// under these rules.
    fn zone_rules(_rules: &Self::Rules) -> Option<&'static dyn ZoneRules<Self>> {
        None
    }

    /// Returns the spec of the strongest known search for the game, for which the player `auto`
    /// stands.
    fn auto_player(rules: &Self::Rules) -> &'static str {
        let facts = rules.facts();
        match facts.players {
            2 if facts.sign_is_result() => "prove:[mcts:solver,reuse]",
            2 => "mcts:solver,reuse",
            _ => "mcts:reuse",
        }
    }

    /// Returns the spec of the solver for which `auto` stands, and the reason for the choice.
    fn auto_solver(rules: &Self::Rules) -> (&'static str, &'static str) {
        default_solver(&rules.facts())
    }

    /// Appends the moves from which a playout draws: by default, the legal moves.
    fn playout_moves(&self, moves: &mut Vec<Self::Move>) {
        self.legal_moves(moves);
    }

    /// Draws a move of a playout.
    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<Self::Move>) -> Self::Move {
        context.moves.clear();
        self.playout_moves(&mut context.moves);
        context.moves[context.rng.below(context.moves.len())]
    }

    /// Plays random moves to the end of the game and returns the outcome.
    fn playout<T: Trace<Self::Move>>(&mut self, context: &mut PlayoutContext<Self::Move>, trace: &mut T) -> Outcome {
        plain_playout(self, context, trace)
    }

    /// Plays a move that wins at once where there is one, and a random move elsewhere, to the end
    /// of the game, and returns the outcome; `None` if the game has no fast form of such a playout.
    /// A game that has one knows every [`immediate_win`](Knowledge::immediate_win).
    #[inline]
    fn playout_with_wins<T: Trace<Self::Move>>(
        &mut self,
        _context: &mut PlayoutContext<Self::Move>,
        _trace: &mut T,
    ) -> Option<Outcome> {
        None
    }

    /// Appends the owner of each cell at the end of a game, in the order of the cells of the
    /// [view](Game::view), and returns true; false if the game is not about owning cells.
    fn owners(&self, _owners: &mut Vec<Option<Player>>) -> bool {
        false
    }

    /// As [`playout`](Knowledge::playout), with the same random numbers, and appends the
    /// [owners](Knowledge::owners) at its end. A game that has owners and whose playout does not
    /// leave its last position behind overrides it.
    fn playout_with_owners<T: Trace<Self::Move>>(
        &mut self,
        context: &mut PlayoutContext<Self::Move>,
        trace: &mut T,
        owners: &mut Vec<Option<Player>>,
    ) -> Outcome {
        let outcome = self.playout(context, trace);
        self.owners(owners);
        outcome
    }

    /// Returns the number of informed playout policies (one per tabu colour in SameGame). A search
    /// may learn which is best.
    fn informed_policies(&self) -> usize {
        0
    }

    /// Appends the moves from which the informed policy with number `policy` draws.
    fn informed_moves(&self, _policy: usize, moves: &mut Vec<Self::Move>) {
        self.playout_moves(moves);
    }

    /// Plays moves of the informed policy with number `policy` to the end of the game and returns
    /// the outcome. A game may override it with a faster version; the battery tests that it has the
    /// same distribution.
    #[inline]
    fn informed_playout<T: Trace<Self::Move>>(
        &mut self,
        policy: usize,
        context: &mut PlayoutContext<Self::Move>,
        trace: &mut T,
    ) -> Outcome {
        plain_informed_playout(self, policy, context, trace)
    }

    /// Plays moves to the end of the game, each drawn with probability proportional to the weight
    /// of its code and bias, which is above 0: moves of a playout, or of an informed policy if one
    /// is given. A game may override it with a faster version that asks for weights less often;
    /// with the same random numbers it must play the same moves, but for the rounding of sums.
    #[inline]
    fn weighted_playout<T: Trace<Self::Move>>(
        &mut self,
        policy: Option<usize>,
        weight: &mut impl FnMut(&MoveCode) -> f64,
        context: &mut PlayoutContext<Self::Move>,
        trace: &mut T,
    ) -> Outcome {
        plain_weighted_playout(self, policy, weight, context, trace)
    }

    /// Returns the informed policy that suits a position best before anything is learned.
    fn informed_choice(&self) -> usize {
        0
    }

    /// Returns an informed policy like [`informed_choice`](Self::informed_choice) that forbids
    /// less, for long searches, if there is one. Its number is above those of the others.
    fn relaxed_choice(&self) -> Option<usize> {
        None
    }

    /// Returns a code by which a policy recognises a move in other positions. Moves of a position
    /// with the same code are drawn with the same probability.
    fn move_code(&self, mv: Self::Move) -> u64 {
        self.move_index(mv) as u64
    }

    /// Returns a key of what the rest of the game depends on, in a game for one player: positions
    /// with the same key differ at most in the points already won.
    fn rest_key(&self) -> u64 {
        self.key()
    }

    /// Returns how much better a move looks than others, as the logarithm of a factor on its
    /// probability.
    fn move_bias(&self, _mv: Self::Move) -> f64 {
        0.0
    }

    /// Appends the moves of a playout, those of an informed policy if one is given, and for each of
    /// them its code and bias. A game overrides it where all together are cheaper.
    #[inline]
    fn coded_moves(&self, policy: Option<usize>, moves: &mut Vec<Self::Move>, codes: &mut Vec<MoveCode>) {
        let begin = moves.len();
        match policy {
            None => self.playout_moves(moves),
            Some(policy) => self.informed_moves(policy, moves),
        }
        let code = |&mv: &Self::Move| MoveCode { code: self.move_code(mv), bias: self.move_bias(mv) };
        codes.extend(moves[begin..].iter().map(code));
    }
}

/// The default of [`Knowledge::auto_solver`]: df-pn, whatever the memory.
///
/// Its table uses the memory it gets and replaces entries when full; a best-first solver stops when
/// its tree is full.
pub fn default_solver(facts: &Facts) -> (&'static str, &'static str) {
    match facts.players {
        1 => ("dfpn", "one line that reaches the score proves it"),
        _ => ("dfpn", "different move orders transpose to the same positions, which its table recognises"),
    }
}

/// Returns whether the static bounds of a position follow from the outcomes or static bounds after
/// each move, and whether the static move keeps them. If this holds in all positions, static bounds
/// are correct by induction from terminal positions.
pub fn static_bounds_are_sound<G: Knowledge>(position: &G, player: Player, facts: &Facts) -> bool {
    let Some(bounds) = position.static_bounds(player).filter(|_| !position.is_over()) else { return true };
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let after = |&mv: &G::Move| {
        let mut next = position.clone();
        next.play(mv);
        let known = next.outcome().map(|outcome| Bounds::exact(player, outcome.score(player)));
        known.or_else(|| next.static_bounds(player)).unwrap_or(Bounds::unknown(player, facts))
    };
    let after: Vec<Bounds> = moves.iter().map(after).collect();
    let keeps_lower = |after: &Bounds| after.at_least >= bounds.at_least;
    let keeps_upper = |after: &Bounds| after.at_most <= bounds.at_most;
    if position.to_move() == player {
        let keeps = |mv: G::Move| moves.iter().position(|&legal| legal == mv).is_some_and(|at| keeps_lower(&after[at]));
        after.iter().any(keeps_lower) && after.iter().all(keeps_upper) && position.static_move().is_none_or(keeps)
    } else {
        after.iter().all(keeps_lower) && after.iter().any(keeps_upper)
    }
}

/// The default playout: draws moves one by one until the game ends or reaches the cap.
#[inline]
pub fn plain_playout<G: Knowledge, T: Trace<G::Move>>(
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut T,
) -> Outcome {
    play_out(position, context, trace, |position, context| position.playout_move(context))
}

/// The default informed playout, with which the battery compares overrides.
#[inline]
pub fn plain_informed_playout<G: Knowledge, T: Trace<G::Move>>(
    position: &mut G,
    policy: usize,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut T,
) -> Outcome {
    play_out(position, context, trace, |position, context| {
        context.moves.clear();
        position.informed_moves(policy, &mut context.moves);
        context.moves[context.rng.below(context.moves.len())]
    })
}

/// The default weighted playout, with which the battery compares overrides.
pub fn plain_weighted_playout<G: Knowledge, T: Trace<G::Move>>(
    position: &mut G,
    policy: Option<usize>,
    weight: &mut impl FnMut(&MoveCode) -> f64,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut T,
) -> Outcome {
    let (mut codes, mut weights) = (Vec::new(), Vec::new());
    play_out(position, context, trace, |position, context| {
        context.moves.clear();
        codes.clear();
        position.coded_moves(policy, &mut context.moves, &mut codes);
        weights.clear();
        weights.extend(codes.iter().map(&mut *weight));
        context.moves[context.rng.weighted(&weights)]
    })
}

/// The default pattern playout.
pub fn plain_pattern_playout<G: Knowledge, T: Trace<G::Move>>(
    position: &mut G,
    plies: u32,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut T,
) -> Option<Outcome> {
    let mut weights = Vec::new();
    for _ in 0..plies {
        if position.is_over() {
            break;
        }
        context.moves.clear();
        position.playout_moves(&mut context.moves);
        weights.clear();
        weights.extend(context.moves.iter().map(|&mv| f64::from(position.pattern_value(mv).unwrap_or(1))));
        let mv = context.moves[context.rng.weighted(&weights)];
        trace.played(position.to_move(), mv);
        position.play(mv);
    }
    position.outcome()
}

#[inline]
fn play_out<G: Knowledge, T: Trace<G::Move>>(
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut T,
    mut draw: impl FnMut(&G, &mut PlayoutContext<G::Move>) -> G::Move,
) -> Outcome {
    for _ in 0..context.cap {
        if position.is_over() {
            break;
        }
        let mv = draw(position, context);
        trace.played(position.to_move(), mv);
        position.play(mv);
    }
    position.outcome().unwrap_or_else(|| position.outcome_at_cap())
}

/// A slow form of [`Knowledge::playout_with_wins`], with which the battery compares.
pub fn reference_playout_with_wins<G: Knowledge>(
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut Vec<G::Move>,
) -> Outcome {
    play_out(position, context, trace, |position, context| match position.immediate_win() {
        ImmediateWin::Yes(mv) => mv,
        ImmediateWin::No | ImmediateWin::Unknown => position.playout_move(context),
    })
}

/// The default playout without any override of the game, with which the battery compares.
pub fn reference_playout<G: Knowledge>(
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut Vec<G::Move>,
) -> Outcome {
    play_out(position, context, trace, |position, context| {
        let mut moves = Vec::new();
        position.playout_moves(&mut moves);
        moves[context.rng.below(moves.len())]
    })
}
