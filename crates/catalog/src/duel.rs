//! Two players against each other, many times: how their strength is measured.

use crate::auto;
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use tesuji_core::rng::mix;
use tesuji_core::{
    Control, History, Knowledge, Limits, Player, Record, Rng, Rules, Search, Spec, SpecError, Verdict, Visitor,
};
use tesuji_games::{rules, unknown_game, visit};
use thiserror::Error;

/// What is played.
#[derive(Clone, PartialEq, Debug)]
pub struct Duel {
    /// The game.
    pub game: String,
    /// The two players: specs of searches.
    pub players: [String; 2],
    /// What each may use for each move.
    pub limits: Limits,
    /// The number of games. Two games in a row begin with the same opening, the players having changed seats.
    pub games: u64,
    /// The random moves a game begins with; raising it makes games more different and openings more one-sided.
    pub opening: u32,
    /// The seed of openings and searches. Without a limit of time the score depends on nothing else.
    pub seed: u64,
    /// Games played at the same time; each search has one thread.
    pub threads: usize,
}

/// Why a duel could not be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum DuelError {
    /// The game or a player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It takes two.
    #[error("{game} is for {players} players; a duel takes a game for two")]
    Players {
        /// The game.
        game: String,
        /// Its players.
        players: u8,
    },
    /// Every random opening of that length ended the game.
    #[error("{game} is over after {plies} random moves, whatever was tried; take a shorter opening")]
    Opening {
        /// The game.
        game: String,
        /// The length asked for.
        plies: u32,
    },
}

/// What a player spent, over all its moves.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Spent {
    /// Moves made.
    pub moves: u64,
    /// Playouts.
    pub playouts: u64,
    /// Nodes.
    pub nodes: u64,
    /// Time.
    pub seconds: f64,
}

/// How a duel went, from the viewpoint of the first player.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Score {
    /// All games.
    pub total: Record,
    /// The games in which the first player had the first seat, and those in which it had the second.
    pub by_seat: [Record; 2],
    /// The moves of all games, their openings included.
    pub plies: u64,
    /// What each player spent.
    pub spent: [Spent; 2],
}

/// Plays a duel; `progress` hears of the score after every game. If `stop` is raised, games under way do not count.
pub fn duel(plan: &Duel, stop: &AtomicBool, progress: &(dyn Fn(&Score) + Sync)) -> Result<Score, DuelError> {
    struct Run<'a>(&'a Duel, Spec, &'a AtomicBool, &'a (dyn Fn(&Score) + Sync));
    impl Visitor for Run<'_> {
        type Output = Result<Score, DuelError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(plan, game, stop, progress) = self;
            let rules = rules::<G>(&game.to_string())?;
            duel_of::<G>(plan, &rules, stop, progress)
        }
    }
    let game: Spec = plan.game.parse()?;
    let name = game.name().to_string();
    visit(&name, Run(plan, game, stop, progress)).unwrap_or_else(|| Err(unknown_game(&name).into()))
}

fn duel_of<G: Knowledge>(
    plan: &Duel,
    rules: &G::Rules,
    stop: &AtomicBool,
    progress: &(dyn Fn(&Score) + Sync),
) -> Result<Score, DuelError> {
    let players = rules.facts().players;
    if players != 2 {
        return Err(DuelError::Players { game: plan.game.clone(), players });
    }
    let specs: [Spec; 2] = [plan.players[0].parse()?, plan.players[1].parse()?];
    for spec in &specs {
        auto::build::<G>(spec, rules)?;
    }
    opening::<G>(plan, rules, 0)?;
    let next = AtomicU64::new(0);
    let score = Mutex::new(Ok(Score::default()));
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= plan.games || stop.load(Relaxed) {
                        return;
                    }
                    let played = play_game::<G>(plan, rules, &specs, number, stop);
                    let mut score = score.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    match (&mut *score, played) {
                        (Ok(score), Ok(Some(game))) => {
                            score.add(&game);
                            progress(score);
                        }
                        (Ok(_), Err(error)) => *score = Err(error),
                        (Err(_), _) | (_, Ok(None)) => return,
                    }
                }
            });
        }
    });
    score.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Score {
    fn add<G: Knowledge>(&mut self, game: &Played<G>) {
        self.total.count(game.verdict);
        self.by_seat[game.seat].count(game.verdict);
        self.plies += game.history.moves().len() as u64;
        for (sum, spent) in self.spent.iter_mut().zip(&game.spent) {
            sum.moves += spent.moves;
            sum.playouts += spent.playouts;
            sum.nodes += spent.nodes;
            sum.seconds += spent.seconds;
        }
    }
}

/// One game of a duel: the seat and the verdict are the first player's.
pub(crate) struct Played<G: Knowledge> {
    seat: usize,
    verdict: Verdict,
    /// The game itself.
    pub history: History<G>,
    spent: [Spent; 2],
}

/// Game number `number`, with searches that know nothing yet; `None` if it was stopped.
pub(crate) fn play_game<G: Knowledge>(
    plan: &Duel,
    rules: &G::Rules,
    specs: &[Spec; 2],
    number: u64,
    stop: &AtomicBool,
) -> Result<Option<Played<G>>, DuelError> {
    let seat = (number % 2) as usize;
    let mut history = opening::<G>(plan, rules, number / 2)?;
    let mut searches: Vec<Box<dyn Search<G>>> = Vec::new();
    for spec in specs {
        searches.push(auto::build::<G>(spec, rules)?.1);
    }
    let mut spent = [Spent::default(); 2];
    while !history.is_over() {
        let player = history.position().to_move().index() ^ seat;
        // Every search has random numbers of its own, or a player would meet itself with its own luck.
        let seed = mix(plan.seed ^ mix(number << 20 | (history.moves().len() as u64) << 1 | player as u64));
        let limits = plan.limits.in_nodes_for(searches[player].makes_playouts());
        let control = Control::new(limits, seed, stop);
        let begin = Instant::now();
        let report = searches[player].search(&history, &control);
        if stop.load(Relaxed) {
            return Ok(None);
        }
        let spent = &mut spent[player];
        spent.seconds += begin.elapsed().as_secs_f64();
        spent.moves += 1;
        spent.playouts += report.counters.playouts;
        spent.nodes += report.counters.nodes;
        history.play(report.best.expect("a search has a move as long as the game is not over"));
    }
    let outcome = history.outcome().expect("the game is over");
    let verdict = outcome.verdict(Player(seat as u8)).expect("there are two players");
    Ok(Some(Played { seat, verdict, history, spent }))
}

/// The opening of a pair of games: random moves that do not end the game.
fn opening<G: Knowledge>(plan: &Duel, rules: &G::Rules, pair: u64) -> Result<History<G>, DuelError> {
    const TRIES: u32 = 1000;
    let mut rng = Rng::stream(plan.seed, pair);
    let mut moves = Vec::new();
    for _ in 0..TRIES {
        let mut history = History::<G>::new(rules.clone());
        for _ in 0..plan.opening {
            moves.clear();
            history.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            history.play(moves[rng.below(moves.len())]);
        }
        if !history.is_over() {
            return Ok(history);
        }
    }
    Err(DuelError::Opening { game: plan.game.clone(), plies: plan.opening })
}
