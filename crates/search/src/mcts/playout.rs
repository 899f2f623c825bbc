//! The end of a simulation: from the leaf to a result.

use super::ground::{Ground, Values};
use super::params::{Params, Playout};
use rustc_hash::FxHashMap;
use tesuji_core::{Game, Knowledge, MAX_PLAYERS, Player, PlayoutContext, Trace};

/// The moves of a playout and who made them, for parts that learn from them.
#[derive(Clone, Debug)]
pub struct Moves<M>(pub Vec<(Player, M)>);

impl<M> Trace<M> for Moves<M> {
    const ENABLED: bool = true;

    #[inline]
    fn played(&mut self, player: Player, mv: M) {
        self.0.push((player, mv));
    }
}

/// No more than this many tables of replies are kept; a full one is begun anew.
const MOST_REPLIES: usize = 1 << 20;

/// What playout policies learn, each worker for itself.
pub struct Learned<M> {
    /// Mean values of moves by player and number (MAST).
    averages: Vec<(f64, u32)>,
    /// The last good replies to one move and to two (LGRF-2), by player and numbers of the moves.
    replies: [FxHashMap<(u32, u32), M>; MAX_PLAYERS],
    slots: usize,
}

/// No move: in place of a number.
const NONE: u32 = u32::MAX;

impl<M: Copy + PartialEq> Learned<M> {
    /// Nothing yet.
    pub fn new(params: &Params, players: u8, slots: usize) -> Learned<M> {
        let averages = if params.playout == Playout::Mast { usize::from(players) * slots } else { 0 };
        Learned { averages: vec![(0.0, 0); averages], replies: Default::default(), slots }
    }

    /// Whether the policy learns from whole simulations.
    pub fn listens(params: &Params) -> bool {
        matches!(params.playout, Playout::Mast | Playout::Lgrf)
    }

    /// Learns from a simulation: all its moves with their numbers, from the root on, and what they led to.
    pub fn learn(&mut self, params: &Params, moves: &[(Player, M, u32)], value: impl Fn(Player) -> f32) {
        match params.playout {
            Playout::Mast => {
                for &(player, _, index) in moves {
                    let (sum, count) = &mut self.averages[player.index() * self.slots + index as usize];
                    *sum += f64::from(value(player));
                    *count += 1;
                }
            }
            Playout::Lgrf => {
                let number = |at: Option<usize>| at.map_or(NONE, |at| moves[at].2);
                for (at, &(player, mv, _)) in moves.iter().enumerate().skip(1) {
                    let won = value(player);
                    let (last, before) = (number(Some(at - 1)), number(at.checked_sub(2)));
                    let replies = &mut self.replies[player.index()];
                    if replies.len() > MOST_REPLIES {
                        replies.clear();
                    }
                    for key in [(last, NONE), (last, before)] {
                        if won > 0.0 {
                            replies.insert(key, mv);
                        } else if won < 0.0 && replies.get(&key) == Some(&mv) {
                            replies.remove(&key);
                        }
                    }
                }
            }
            Playout::Uniform | Playout::Greedy | Playout::Category => {}
        }
    }
}

/// The evaluation is looked at after these plies: 2, 5, 8, ... (Winands et al. 2010).
fn is_looked_at(ply: u32) -> bool {
    ply % 3 == 2
}

/// Plays a simulation to its end. `last` are the numbers of the last two moves before it; moves are told to `trace`, if anybody
/// listens.
pub fn play_out<G: Knowledge, T: Trace<G::Move>>(
    ground: &Ground<'_, G>,
    position: &mut G,
    context: &mut PlayoutContext<G::Move>,
    learned: &Learned<G::Move>,
    last: [u32; 2],
    trace: &mut T,
) -> Values {
    let params = ground.params;
    if params.playout == Playout::Uniform && params.cut.is_none() && params.cut_margin.is_none() {
        return ground.values(&position.playout(context, trace));
    }
    let mut last = last;
    for ply in 0..context.cap {
        if position.is_over() {
            break;
        }
        if params.cut == Some(ply) {
            return ground.values_of(position);
        }
        if let Some(margin) = params.cut_margin.filter(|_| is_looked_at(ply)) {
            let values = ground.values_of(position);
            let clear = super::ground::in_units(margin);
            // Whoever is that far in front has won.
            if values.iter().any(|value| value.abs() > clear) {
                return values
                    .map(|value| value.signum() * super::ground::in_units(1.0) * i64::from(value.abs() > clear));
            }
        }
        let mv = draw(ground, position, context, learned, last);
        trace.played(position.to_move(), mv);
        last = [position.move_index(mv) as u32, last[0]];
        position.play(mv);
    }
    ground.values(&position.outcome().unwrap_or_else(|| position.outcome_at_cap()))
}

fn draw<G: Knowledge>(
    ground: &Ground<'_, G>,
    position: &G,
    context: &mut PlayoutContext<G::Move>,
    learned: &Learned<G::Move>,
    last: [u32; 2],
) -> G::Move {
    let params = ground.params;
    let player = position.to_move();
    match params.playout {
        Playout::Uniform => position.playout_move(context),
        Playout::Greedy | Playout::Mast if context.rng.unit() < f64::from(params.epsilon) => {
            position.playout_move(context)
        }
        Playout::Greedy => best_by(position, context, |mv| {
            let mut next = position.clone();
            next.play(mv);
            match next.outcome() {
                Some(outcome) => 2.0 * outcome.value(player, &ground.facts),
                None => next.evaluation(player).unwrap_or(0.0),
            }
        }),
        Playout::Mast => best_by(position, context, |mv| {
            match learned.averages[player.index() * learned.slots + position.move_index(mv)] {
                // A move never played is tried.
                (_, 0) => 1.0,
                (sum, count) => (sum / f64::from(count)) as f32,
            }
        }),
        Playout::Lgrf => {
            let replies = &learned.replies[player.index()];
            let stored = [(last[0], last[1]), (last[0], NONE)].into_iter().filter_map(|key| replies.get(&key).copied());
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
        Playout::Category => {
            let transitions = ground.transitions.expect("category playouts are refused without them");
            context.moves.clear();
            position.playout_moves(&mut context.moves);
            let weight = |mv| transitions.probability(position, mv, ground.facts.move_slots);
            let total: f32 = context.moves.iter().map(|&mv| weight(mv)).sum();
            let mut left = context.rng.unit() as f32 * total;
            for &mv in &context.moves {
                left -= weight(mv);
                if left <= 0.0 {
                    return mv;
                }
            }
            *context.moves.last().expect("the game is not over")
        }
    }
}

/// The move with the highest score among those a playout may take; ties by lot.
fn best_by<G: Knowledge>(
    position: &G,
    context: &mut PlayoutContext<G::Move>,
    score: impl Fn(<G as Game>::Move) -> f32,
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
