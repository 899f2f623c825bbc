//! Shallow traps: how often a move allows the opponent a short forced win, and how well random
//! playouts see it.
//!
//! A level-k trap is a legal move after which the opponent can force a win within k plies
//! (Ramanujan, Sabharwal and Selman 2010; Baier 2015, section 7.4.1). A search that averages over
//! random playouts overlooks traps that minimax sees, so their density and difficulty say where
//! hybrids of the two help.

use crate::selfplay::{SelfPlay, SelfPlayError};
use serde::Serialize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::rng::mix;
use tesuji_core::{History, Knowledge, PlayoutContext, Rng, Rules, Spec, Visitor};
use tesuji_games::{rules, unknown_game, visit};
use tesuji_search::shallow::{Bare, Buffers, Settings, Shallow, WIN};
use thiserror::Error;

/// A search for traps in the positions of self-play games.
#[derive(Clone, PartialEq, Debug)]
pub struct TrapsPlan {
    /// How games are played.
    pub games: SelfPlay,
    /// The number of games.
    pub count: u64,
    /// The levels of traps. The time grows exponentially with the highest.
    pub levels: RangeInclusive<u32>,
    /// The number of random playouts from each trap. Raising it makes the difficulty more exact.
    pub rollouts: u32,
}

/// Why no traps were looked for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TrapsError {
    /// No game could be played.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// The game is not for two players who win, draw or lose.
    #[error("{game} is not a game for two players who win, draw or lose")]
    Players {
        /// The game.
        game: String,
    },
}

/// The traps of one level or lower.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct LevelTraps {
    /// The number of positions with a trap.
    pub positions: u64,
    /// The number of traps.
    pub traps: u64,
    /// The sum over all traps of the share of random playouts that do not lose.
    pub missed: f64,
}

impl LevelTraps {
    /// The difficulty: the share of random playouts after a trap that miss the refutation, averaged
    /// over the traps; `None` without traps.
    pub fn difficulty(&self) -> Option<f64> {
        (self.traps > 0).then(|| self.missed / self.traps as f64)
    }
}

/// The traps at one turn of all games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TurnTraps {
    /// The number of the move, from 1.
    pub turn: u32,
    /// The number of positions.
    pub positions: u64,
    /// The traps, by level.
    pub levels: Vec<LevelTraps>,
}

/// The traps of one level or lower in all positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TrapLevel {
    /// The level.
    pub level: u32,
    /// The number of positions with a trap.
    pub positions: u64,
    /// The number of traps.
    pub traps: u64,
    /// The share of positions with a trap.
    pub share: f64,
    /// The mean number of traps in a position.
    pub density: f64,
    /// The share of random playouts that miss the refutation, averaged over the traps.
    pub difficulty: Option<f64>,
}

/// The traps found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TrapsReport {
    /// The game.
    pub game: String,
    /// The search that played.
    pub player: String,
    /// The seed.
    pub seed: u64,
    /// The number of finished games.
    pub games: u64,
    /// The number of positions.
    pub positions: u64,
    /// The random playouts from each trap.
    pub rollouts: u32,
    /// The traps in all positions, by level.
    pub levels: Vec<TrapLevel>,
    /// The traps by turn.
    pub turns: Vec<TurnTraps>,
}

/// Plays games and finds the traps in their positions.
///
/// If `stop` is set, only the finished games count. `progress` is called with the number of games
/// whose positions have been searched.
pub fn traps(plan: &TrapsPlan, stop: &AtomicBool, progress: &dyn Fn(u64)) -> Result<TrapsReport, TrapsError> {
    struct Run<'a>(&'a TrapsPlan, Spec, &'a AtomicBool, &'a dyn Fn(u64));
    impl Visitor for Run<'_> {
        type Output = Result<TrapsReport, TrapsError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(plan, game, stop, progress) = self;
            let rules = rules::<G>(&game.to_string()).map_err(SelfPlayError::from)?;
            if !rules.facts().sign_is_result() {
                return Err(TrapsError::Players { game: game.to_string() });
            }
            let mut census = Census::<G>::new(plan, &rules);
            let mut games = 0;
            while games < plan.count {
                let Some(history) = plan.games.play::<G>(&rules, games, stop)? else { break };
                if !census.add(&history, games, stop) {
                    break;
                }
                games += 1;
                progress(games);
            }
            Ok(census.report(games))
        }
    }
    let game: Spec = plan.games.game.parse().map_err(SelfPlayError::from)?;
    let name = game.name().to_string();
    visit(&name, Run(plan, game, stop, progress))
        .unwrap_or_else(|| Err(SelfPlayError::from(unknown_game(&name)).into()))
}

/// Counts the traps of games.
struct Census<'p, G: Knowledge> {
    plan: &'p TrapsPlan,
    turns: Vec<TurnTraps>,
    context: PlayoutContext<G::Move>,
    buffers: Buffers<G::Move>,
}

impl<'p, G: Knowledge> Census<'p, G> {
    fn new(plan: &'p TrapsPlan, rules: &G::Rules) -> Census<'p, G> {
        let context = PlayoutContext::new(Rng::new(plan.games.seed), rules.facts().length.plies());
        Census { plan, turns: Vec::new(), context, buffers: Buffers::default() }
    }

    /// Adds the positions of a game after its random opening; false if stopped, without adding any.
    fn add(&mut self, history: &History<G>, number: u64, stop: &AtomicBool) -> bool {
        let seed = mix(self.plan.games.seed ^ mix(number));
        self.context.rng = Rng::stream(seed, 0x5452_4150);
        let opening = self.plan.games.opening as usize;
        let mut found = Vec::new();
        for (turn, position) in history.positions().iter().enumerate().skip(opening) {
            if stop.load(Relaxed) {
                return false;
            }
            if !position.is_over() {
                found.push((turn, self.position(position)));
            }
        }
        for (turn, levels) in found {
            while self.turns.len() <= turn {
                let levels = vec![LevelTraps::default(); self.plan.levels.clone().count()];
                self.turns.push(TurnTraps { turn: self.turns.len() as u32 + 1, positions: 0, levels });
            }
            let entry = &mut self.turns[turn];
            entry.positions += 1;
            for (sum, level) in entry.levels.iter_mut().zip(levels) {
                sum.positions += level.positions;
                sum.traps += level.traps;
                sum.missed += level.missed;
            }
        }
        true
    }

    /// The traps in one position, by level.
    fn position(&mut self, position: &G) -> Vec<LevelTraps> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut found = vec![LevelTraps::default(); self.plan.levels.clone().count()];
        for mv in moves {
            let mut next = position.clone();
            next.play(mv);
            let settings = Settings::results(position.to_move());
            let Census { plan, context, buffers, .. } = self;
            let is_lost = |level: u32| {
                let mut search = Shallow::new(settings, &mut context.rng, buffers);
                !search.reaches(&mut Bare(next.clone()), level, 1 - WIN)
            };
            let Some(lowest) = plan.levels.clone().position(is_lost) else { continue };
            let missed = self.missed(&next, position);
            for level in &mut found[lowest..] {
                level.positions = 1;
                level.traps += 1;
                level.missed += missed;
            }
        }
        found
    }

    /// The share of random playouts from a position that the player who moved to it does not lose.
    fn missed(&mut self, next: &G, before: &G) -> f64 {
        let player = before.to_move();
        let not_lost = (0..self.plan.rollouts).filter(|_| {
            let outcome = next.clone().playout(&mut self.context, &mut ());
            outcome.score(player) >= 0
        });
        not_lost.count() as f64 / f64::from(self.plan.rollouts)
    }

    fn report(self, games: u64) -> TrapsReport {
        let positions: u64 = self.turns.iter().map(|turn| turn.positions).sum();
        let share = |count: u64| if positions == 0 { 0.0 } else { count as f64 / positions as f64 };
        let levels = self.plan.levels.clone().enumerate().map(|(at, level)| {
            let mut sum = LevelTraps::default();
            for turn in &self.turns {
                sum.positions += turn.levels[at].positions;
                sum.traps += turn.levels[at].traps;
                sum.missed += turn.levels[at].missed;
            }
            TrapLevel {
                level,
                positions: sum.positions,
                traps: sum.traps,
                share: share(sum.positions),
                density: share(sum.traps),
                difficulty: sum.difficulty(),
            }
        });
        TrapsReport {
            game: self.plan.games.game.clone(),
            player: self.plan.games.player.clone(),
            seed: self.plan.games.seed,
            games,
            positions,
            rollouts: self.plan.rollouts,
            levels: levels.collect(),
            turns: self.turns,
        }
    }
}
