//! Playouts: from the leaf of a simulation to a result.

use super::context::{PlayoutKind, SearchContext, Values, in_units};
use super::params::{InformedPlayout, Params, PlayoutPolicy};
use crate::informed::PolicyChooser;
use crate::shallow::{Bare, Buffers, Settings, Shallow};
use rustc_hash::FxHashMap;
use tesuji_core::{Facts, ImmediateWin, Knowledge, MAX_PLAYERS, OwnerTally, Player, PlayoutContext, Trace};

/// The moves of a playout and their players, for options that learn from them.
#[derive(Clone, Debug)]
pub struct MoveTrace<M>(pub Vec<(Player, M)>);

impl<M> Trace<M> for MoveTrace<M> {
    const ENABLED: bool = true;

    #[inline]
    fn played(&mut self, player: Player, mv: M) {
        self.0.push((player, mv));
    }
}

/// The largest number of stored replies per player. When it is exceeded, all are discarded.
const MAX_REPLIES: usize = 1 << 20;

/// What playout policies have learnt. Each worker has its own.
pub struct PolicyMemory<M> {
    /// Sums of values and counts of moves, by player and move index (MAST).
    averages: Vec<(f64, u32)>,
    /// The last good replies to one move and to two moves (LGRF-2), by player and move indices.
    replies: [FxHashMap<(u32, u32), M>; MAX_PLAYERS],
    /// The number of move indices.
    indices: usize,
}

/// Stands for the index of a missing move.
const NO_MOVE: u32 = u32::MAX;

impl<M: Copy + PartialEq> PolicyMemory<M> {
    /// Creates an empty memory for `players` players and `indices` move indices.
    pub fn new(params: &Params, players: u8, indices: usize) -> PolicyMemory<M> {
        let is_mast = params.simulation.policy == PlayoutPolicy::Mast;
        let averages = if is_mast { usize::from(players) * indices } else { 0 };
        PolicyMemory { averages: vec![(0.0, 0); averages], replies: Default::default(), indices }
    }

    /// Learns from all moves of a simulation, with their indices, and from the values they led to.
    pub fn learn(&mut self, policy: PlayoutPolicy, moves: &[(Player, M, u32)], value: impl Fn(Player) -> f32) {
        match policy {
            PlayoutPolicy::Mast => {
                for &(player, _, index) in moves {
                    let (sum, count) = &mut self.averages[player.index() * self.indices + index as usize];
                    *sum += f64::from(value(player));
                    *count += 1;
                }
            }
            PlayoutPolicy::Lgrf => self.learn_replies(moves, value),
            PlayoutPolicy::Uniform | PlayoutPolicy::Informed(_) | PlayoutPolicy::Category => {}
        }
    }

    /// LGRF-2 (Baier & Drake 2010): stores the replies of the winner and forgets those of the
    /// loser.
    fn learn_replies(&mut self, moves: &[(Player, M, u32)], value: impl Fn(Player) -> f32) {
        let index = |at: Option<usize>| at.map_or(NO_MOVE, |at| moves[at].2);
        for (at, &(player, mv, _)) in moves.iter().enumerate().skip(1) {
            let value = value(player);
            let (last, before) = (index(Some(at - 1)), index(at.checked_sub(2)));
            let replies = &mut self.replies[player.index()];
            if replies.len() > MAX_REPLIES {
                replies.clear();
            }
            for key in [(last, NO_MOVE), (last, before)] {
                if value > 0.0 {
                    replies.insert(key, mv);
                } else if value < 0.0 && replies.get(&key) == Some(&mv) {
                    replies.remove(&key);
                }
            }
        }
    }
}

/// What the playouts of one worker learn, reuse and count.
pub struct PlayoutTools<'s, M> {
    /// What policies have learnt.
    pub memory: PolicyMemory<M>,
    /// Chooses the policies of informed playouts.
    policies: Option<PolicyChooser>,
    /// The buffers of shallow searches.
    pub buffers: Buffers<M>,
    /// The owners of cells, if they are counted.
    owners: Option<OwnerTally<'s>>,
}

impl<'s, M: Copy + PartialEq> PlayoutTools<'s, M> {
    /// Creates the tools of a worker.
    pub fn new<G: Knowledge<Move = M>>(search: &SearchContext<'s, G>) -> PlayoutTools<'s, M> {
        let policies = match search.params.simulation.policy {
            PlayoutPolicy::Informed(rule) => Some(PolicyChooser::new(rule, search.root.position())),
            _ => None,
        };
        let Facts { players, move_indices, .. } = search.facts;
        PlayoutTools {
            memory: PolicyMemory::new(search.params, players, move_indices),
            policies,
            buffers: Buffers::default(),
            owners: search.owners.map(OwnerTally::new),
        }
    }

    /// Counts the owners of the cells at the end of a game with these values, if they are counted.
    pub fn count_owners<G: Knowledge<Move = M>>(&mut self, end: &G, values: &Values) {
        if let Some(tally) = &mut self.owners {
            end.owners(tally.owners());
            tally.count(winner(values));
        }
    }
}

/// The winner of a game for two by its values.
fn winner(values: &Values) -> Option<Player> {
    match values[0] {
        0 => None,
        value => Some(if value > 0 { Player::FIRST } else { Player::SECOND }),
    }
}

/// Whether the evaluation is tested after this ply: 2, 5, 8, ... (Winands et al. 2010).
fn tests_evaluation(ply: u32) -> bool {
    ply % 3 == 2
}

/// Plays a simulation to its end and returns its values.
///
/// `last` are the indices of the two moves before it. Moves are reported to `trace` if it is
/// enabled.
pub fn play_out<G: Knowledge, T: Trace<G::Move>>(
    search: &SearchContext<'_, G>,
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    tools: &mut PlayoutTools<'_, G::Move>,
    last: [u32; 2],
    trace: &mut T,
) -> Values {
    match search.playouts {
        PlayoutKind::Random => search.values(&position.playout(context, trace)),
        PlayoutKind::RandomWithWins => play_out_with_wins(search, position, context, tools, last, trace),
        PlayoutKind::General => play_out_by_moves(search, position, context, tools, last, trace),
        PlayoutKind::Informed => play_out_informed(search, position, context, tools, last, trace),
        PlayoutKind::Counted => play_out_counted(search, position, context, tools, last, trace),
    }
}

/// Plays out and counts the owners of the cells at the end.
#[inline(never)]
fn play_out_counted<G: Knowledge, T: Trace<G::Move>>(
    search: &SearchContext<'_, G>,
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    tools: &mut PlayoutTools<'_, G::Move>,
    last: [u32; 2],
    trace: &mut T,
) -> Values {
    match &mut tools.owners {
        Some(tally) if PlayoutKind::of(search.params) == PlayoutKind::Random => {
            let values = search.values(&position.playout_with_owners(context, trace, tally.owners()));
            tally.count(winner(&values));
            values
        }
        _ => {
            let values = play_out_by_moves(search, position, context, tools, last, trace);
            tools.count_owners(position, &values);
            values
        }
    }
}

/// Plays out along an informed policy and learns from the result.
#[inline(never)]
fn play_out_informed<G: Knowledge, T: Trace<G::Move>>(
    search: &SearchContext<'_, G>,
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    tools: &mut PlayoutTools<G::Move>,
    last: [u32; 2],
    trace: &mut T,
) -> Values {
    let policy = tools.policies.as_mut().expect(HAS_POLICIES).begin(&mut context.rng);
    let player = position.to_move();
    let values = if search.params.playouts_end_games() && search.params.hybrids.playout_minimax.is_none() {
        search.values(&position.informed_playout(policy, context, trace))
    } else {
        play_out_by_moves(search, position, context, tools, last, trace)
    };
    tools.policies.as_mut().expect(HAS_POLICIES).end(values[player.index()] as f64);
    values
}

/// Why informed playouts have a chooser of policies.
const HAS_POLICIES: &str = "the tools of informed playouts choose policies";

/// Plays a random playout that takes wins at once, in its fast form if the game has one.
// Not inlined, nor is the next: random playouts, the most frequent, need the registers.
#[inline(never)]
fn play_out_with_wins<G: Knowledge, T: Trace<G::Move>>(
    search: &SearchContext<'_, G>,
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    tools: &mut PlayoutTools<'_, G::Move>,
    last: [u32; 2],
    trace: &mut T,
) -> Values {
    match position.playout_with_wins(context, trace) {
        Some(outcome) => search.values(&outcome),
        None => play_out_by_moves(search, position, context, tools, last, trace),
    }
}

/// Chooses the moves of a playout one by one.
#[inline(never)]
fn play_out_by_moves<G: Knowledge, T: Trace<G::Move>>(
    search: &SearchContext<'_, G>,
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    tools: &mut PlayoutTools<'_, G::Move>,
    last: [u32; 2],
    trace: &mut T,
) -> Values {
    let cutoff = search.params.hybrids.cutoff;
    let mut last = last;
    for ply in 0..context.cap {
        if position.is_over() {
            break;
        }
        if let Some(cutoff) = cutoff.filter(|cutoff| cutoff.moves == ply) {
            if cutoff.search.depth == 0 {
                return search.evaluations(position);
            }
            let settings = search.informed(cutoff.search, Player::FIRST);
            let mut shallow = Shallow::new(settings, &mut context.rng, &mut tools.buffers);
            let value = i64::from(shallow.value(&mut Bare(position.clone()), cutoff.search.depth));
            let mut values = [0; MAX_PLAYERS];
            [values[0], values[1]] = [value, -value];
            return values;
        }
        if let Some(margin) = search.params.simulation.cut_margin.filter(|_| tests_evaluation(ply)) {
            let values = search.evaluations(position);
            let won = |value: i64| value.abs() > in_units(margin);
            // A player that far ahead has won.
            if values.iter().any(|&value| won(value)) {
                return values.map(|value| value.signum() * in_units(1.0) * i64::from(won(value)));
            }
        }
        let mv = choose_move(search, position, context, tools, last);
        trace.played(position.to_move(), mv);
        last = [position.move_index(mv) as u32, last[0]];
        position.play(mv);
    }
    search.values(&position.outcome().unwrap_or_else(|| position.outcome_at_cap()))
}

/// A move of a playout. `last` are the indices of the two moves before it.
#[inline]
pub fn choose_move<G: Knowledge>(
    search: &SearchContext<'_, G>,
    position: &G,
    context: &mut PlayoutContext<G::Move>,
    tools: &mut PlayoutTools<'_, G::Move>,
    last: [u32; 2],
) -> G::Move {
    match search.params.hybrids.playout_minimax {
        None => move_by_policy(search, position, context, tools, last),
        Some(depth) => move_by_minimax(search, position, context, tools, last, depth),
    }
}

/// MCTS-MR (Baier 2015, section 7.3.1): a move that wins by force within `depth` plies; otherwise a
/// move by the policy, or if that loses by force, a random one that does not; if all lose, the move
/// by the policy.
///
/// Drawn uniformly, such moves are uniform among those that do not lose.
#[inline]
fn move_by_minimax<G: Knowledge>(
    search: &SearchContext<'_, G>,
    position: &G,
    context: &mut PlayoutContext<G::Move>,
    tools: &mut PlayoutTools<'_, G::Move>,
    last: [u32; 2],
    depth: u32,
) -> G::Move {
    match position.immediate_win() {
        ImmediateWin::Yes(mv) => return mv,
        ImmediateWin::No if depth == 1 => return move_by_policy(search, position, context, tools, last),
        ImmediateWin::No | ImmediateWin::Unknown => {}
    }
    let first = move_by_policy(search, position, context, tools, last);
    context.moves.clear();
    position.playout_moves(&mut context.moves);
    let settings = Settings::results(position.to_move());
    let mut shallow = Shallow::new(settings, &mut context.rng, &mut tools.buffers);
    shallow.best_move(&mut Bare(position.clone()), &context.moves, Some(first), depth).0
}

/// MCTS-IR (Baier 2015, section 8.2.1): the best move by a shallow search over evaluations, or a
/// random move with probability epsilon.
fn informed_move<G: Knowledge>(
    search: &SearchContext<'_, G>,
    position: &G,
    context: &mut PlayoutContext<G::Move>,
    buffers: &mut Buffers<G::Move>,
    playout: InformedPlayout,
) -> G::Move {
    if playout.epsilon > 0.0 && context.rng.unit() < f64::from(playout.epsilon) {
        return position.playout_move(context);
    }
    context.moves.clear();
    position.playout_moves(&mut context.moves);
    let settings = search.informed(playout.search, position.to_move());
    let mut shallow = Shallow::new(settings, &mut context.rng, buffers);
    if settings.width == 1 {
        return shallow.first_move(position, &context.moves);
    }
    let depth = playout.search.depth.max(1);
    shallow.best_move(&mut Bare(position.clone()), &context.moves, None, depth).0
}

/// A move by the playout policy.
#[inline]
fn move_by_policy<G: Knowledge>(
    search: &SearchContext<'_, G>,
    position: &G,
    context: &mut PlayoutContext<G::Move>,
    tools: &mut PlayoutTools<'_, G::Move>,
    last: [u32; 2],
) -> G::Move {
    if let Some(playout) = search.params.hybrids.playout {
        return informed_move(search, position, context, &mut tools.buffers, playout);
    }
    let (options, memory) = (&search.params.simulation, &tools.memory);
    let player = position.to_move();
    match options.policy {
        PlayoutPolicy::Uniform => position.playout_move(context),
        PlayoutPolicy::Informed(_) => {
            let policy = tools.policies.as_ref().expect(HAS_POLICIES).current();
            context.moves.clear();
            position.informed_moves(policy, &mut context.moves);
            context.moves[context.rng.below(context.moves.len())]
        }
        PlayoutPolicy::Mast if context.rng.unit() < f64::from(options.epsilon) => position.playout_move(context),
        PlayoutPolicy::Mast => best_by(position, context, |mv| {
            match memory.averages[player.index() * memory.indices + position.move_index(mv)] {
                // A move that was never played is tried.
                (_, 0) => 1.0,
                (sum, count) => (sum / f64::from(count)) as f32,
            }
        }),
        PlayoutPolicy::Lgrf => last_good_reply(position, context, memory, last),
        PlayoutPolicy::Category => draw_by_probability(search, position, context),
    }
}

/// The stored reply to the last two moves, or to the last one, if it is legal; otherwise a random
/// move.
fn last_good_reply<G: Knowledge>(
    position: &G,
    context: &mut PlayoutContext<G::Move>,
    memory: &PolicyMemory<G::Move>,
    last: [u32; 2],
) -> G::Move {
    let replies = &memory.replies[position.to_move().index()];
    let stored = [(last[0], last[1]), (last[0], NO_MOVE)].into_iter().filter_map(|key| replies.get(&key).copied());
    let mut stored = stored.peekable();
    if stored.peek().is_some() {
        context.moves.clear();
        position.playout_moves(&mut context.moves);
        if let Some(reply) = stored.find(|reply| context.moves.contains(reply)) {
            return reply;
        }
    }
    position.playout_move(context)
}

/// A move drawn in proportion to its transition probability.
fn draw_by_probability<G: Knowledge>(
    search: &SearchContext<'_, G>,
    position: &G,
    context: &mut PlayoutContext<G::Move>,
) -> G::Move {
    let transitions = search.transitions.expect("category playouts are refused without transitions");
    context.moves.clear();
    position.playout_moves(&mut context.moves);
    let probability = |mv| transitions.probability(position, mv, search.facts.move_indices);
    let total: f32 = context.moves.iter().map(|&mv| probability(mv)).sum();
    let mut left = context.rng.unit() as f32 * total;
    for &mv in &context.moves {
        left -= probability(mv);
        if left <= 0.0 {
            return mv;
        }
    }
    *context.moves.last().expect("the position is not terminal")
}

/// The playout move with the highest score; ties are broken at random.
fn best_by<G: Knowledge>(
    position: &G,
    context: &mut PlayoutContext<G::Move>,
    score: impl Fn(G::Move) -> f32,
) -> G::Move {
    context.moves.clear();
    position.playout_moves(&mut context.moves);
    let (mut best, mut best_score, mut ties) = (context.moves[0], f32::NEG_INFINITY, 0);
    for at in 0..context.moves.len() {
        let mv = context.moves[at];
        let score = score(mv);
        if score > best_score {
            (best, best_score, ties) = (mv, score, 1);
        } else if score == best_score {
            ties += 1;
            if context.rng.below(ties) == 0 {
                best = mv;
            }
        }
    }
    best
}
