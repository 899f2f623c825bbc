//! What a game knows beyond its rules, and how it is played at random.

use crate::{Bounds, Facts, Game, Outcome, Player, Rng, Rules};

/// Hears which moves a playout plays; `()` does not listen and costs nothing.
pub trait Trace<M> {
    /// Whether it listens. A playout that need not tell its moves may take a shorter way.
    const ENABLED: bool;

    /// A player made a move.
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

/// What a playout works with: made once, used for millions.
#[derive(Clone, Debug)]
pub struct PlayoutContext<M> {
    /// The random numbers.
    pub rng: Rng,
    /// Room for lists of moves.
    pub moves: Vec<M>,
    /// A playout of this length is stopped and counted by [`Game::outcome_at_cap`].
    pub cap: u32,
}

impl<M> PlayoutContext<M> {
    /// PlayoutContext with a seed, for games of at most `cap` plies.
    pub fn new(rng: Rng, cap: u32) -> PlayoutContext<M> {
        PlayoutContext { rng, moves: Vec::with_capacity(512), cap }
    }
}

/// What is known about good play. Every ability is optional; a game without knowledge writes `impl Knowledge for X {}`.
///
/// Playouts draw uniformly from [`playout_moves`](Knowledge::playout_moves). A game may override
/// [`playout_move`](Knowledge::playout_move) and [`playout`](Knowledge::playout) by faster ones of the same policy;
/// the battery tests that they give the same distribution.
pub trait Knowledge: Game {
    /// How good the position looks for a player, in (-1, 1); results of finished games lie outside.
    fn evaluation(&self, _player: Player) -> Option<f32> {
        None
    }

    /// How early a move should be searched: higher first.
    fn move_order(&self, _mv: Self::Move) -> Option<i32> {
        None
    }

    /// Whether a move upsets the balance at once (a capture, a promotion), so that no position should be judged before it is tried.
    fn is_forcing(&self, _mv: Self::Move) -> Option<bool> {
        None
    }

    /// The kind of a move, for statistics that moves of a kind share; below [`categories`](Knowledge::categories).
    fn category(&self, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// The number of kinds of moves.
    fn categories(_rules: &Self::Rules) -> Option<usize> {
        None
    }

    /// First guesses of the proof and disproof number for "`player` gets what it wants".
    fn initial_proof_numbers(&self, _player: Player) -> Option<(u32, u32)> {
        None
    }

    /// What patterns of the game show, without a search, of the score that a player gets in a position that is not over if all play well. It must be
    /// right: searches that prove take it for the end.
    fn static_bounds(&self, _player: Player) -> Option<Bounds> {
        None
    }

    /// A move by which the side to move keeps what is [foreseen](Knowledge::static_bounds) for it and comes nearer to the end; `None` leaves it to a
    /// search. Proofs and lines go on with it where a search has stopped.
    fn static_move(&self) -> Option<Self::Move> {
        None
    }

    /// The position with the other side to move, where doing nothing would make sense.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// The spec of the strongest known search for the game, which the player `auto` stands for.
    fn auto_player(rules: &Self::Rules) -> &'static str {
        match rules.facts().players {
            2 => "mcts:solver,reuse",
            _ => "mcts:reuse",
        }
    }

    /// The spec of the solver that `auto` stands for, and the reason for the choice.
    fn auto_solver(rules: &Self::Rules) -> (&'static str, &'static str) {
        default_solver(&rules.facts())
    }

    /// The moves among which a playout draws: the legal ones, unless some are known to be foolish.
    fn playout_moves(&self, moves: &mut Vec<Self::Move>) {
        self.legal_moves(moves);
    }

    /// Draws a move for a playout.
    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<Self::Move>) -> Self::Move {
        context.moves.clear();
        self.playout_moves(&mut context.moves);
        context.moves[context.rng.below(context.moves.len())]
    }

    /// Plays at random to the end.
    fn playout<T: Trace<Self::Move>>(&mut self, context: &mut PlayoutContext<Self::Move>, trace: &mut T) -> Outcome {
        plain_playout(self, context, trace)
    }

    /// How many informed playout policies there are (one per tabu colour in SameGame); a search may learn which is best.
    fn informed_policies(&self) -> usize {
        0
    }

    /// The moves among which informed policy number `policy` draws.
    fn informed_moves(&self, _policy: usize, moves: &mut Vec<Self::Move>) {
        self.playout_moves(moves);
    }
}

/// The default of [`Knowledge::auto_solver`]: df-pn, whatever the memory.
///
/// Its table uses the memory it gets and replaces entries when full; a best-first solver stops when its tree is full.
pub fn default_solver(facts: &Facts) -> (&'static str, &'static str) {
    match facts.players {
        1 => ("dfpn", "one line that reaches the score proves it"),
        _ => ("dfpn", "different move orders transpose to the same positions, which its table recognises"),
    }
}

/// Whether what a position foresees for a player follows from what is known or foreseen after each move, the foreseen move among them. Where that is
/// so in all positions, what is foreseen is right, by induction from the ends of games.
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
    let gets = |after: &Bounds| after.at_least >= bounds.at_least;
    let gets_no_more = |after: &Bounds| after.at_most <= bounds.at_most;
    if position.to_move() == player {
        let keeps = |mv: G::Move| moves.iter().position(|&legal| legal == mv).is_some_and(|place| gets(&after[place]));
        after.iter().any(gets) && after.iter().all(gets_no_more) && position.static_move().is_none_or(keeps)
    } else {
        after.iter().all(gets) && after.iter().any(gets_no_more)
    }
}

/// The plain playout: move by move until the game or the patience ends.
#[inline]
pub fn plain_playout<G: Knowledge, T: Trace<G::Move>>(
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut T,
) -> Outcome {
    play_out(position, context, trace, |position, context| position.playout_move(context))
}

#[inline]
fn play_out<G: Knowledge, T: Trace<G::Move>>(
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    trace: &mut T,
    draw: impl Fn(&G, &mut PlayoutContext<G::Move>) -> G::Move,
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

/// The policy of the plain playout by its definition, without any of the game's shortcuts: what the battery compares with.
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
