//! A player against itself: games to learn from and to take positions from.

use crate::auto;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::rng::mix;
use tesuji_core::{Control, History, Knowledge, Limits, Rng, Rules, Search, Spec, SpecError};
use thiserror::Error;

/// What is played.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlay {
    /// The game.
    pub game: String,
    /// Who plays: the spec of a search.
    pub player: String,
    /// What it may use for each move.
    pub limits: Limits,
    /// The random moves a game begins with; raising it makes games more different and openings more one-sided.
    pub opening: u32,
    /// The seed of openings and searches.
    pub seed: u64,
}

/// Why no games could be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SelfPlayError {
    /// The game or the player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Every random opening of that length ended the game.
    #[error("{game} is over after {plies} random moves, whatever was tried; take a shorter opening")]
    Opening {
        /// The game.
        game: String,
        /// The length asked for.
        plies: u32,
    },
}

/// So many openings are tried.
const TRIES: u32 = 1000;

impl SelfPlay {
    /// Game number `number`, with a search for every seat that knows nothing yet; `None` if it was stopped.
    pub(crate) fn play<G: Knowledge>(
        &self,
        rules: &G::Rules,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Option<History<G>>, SelfPlayError> {
        let mut history = self.opening::<G>(rules, number)?;
        let player: Spec = self.player.parse()?;
        let mut searches: Vec<Box<dyn Search<G>>> = Vec::new();
        let mut limits = self.limits;
        for _ in 0..rules.facts().players {
            let (spec, search) = auto::build::<G>(&player, rules)?;
            limits = limits.in_nodes_for(tesuji_search::capabilities(&spec)?.playouts);
            searches.push(search);
        }
        while !history.is_over() {
            let seat = history.position().to_move().index();
            // Every search has random numbers of its own, or the player would meet its own luck.
            let seed = mix(self.seed ^ mix(number << 21 | (history.moves().len() as u64) << 1 | seat as u64));
            let report = searches[seat].search(&history, &Control::new(limits, seed, stop));
            if stop.load(Relaxed) {
                return Ok(None);
            }
            history.play(report.best.expect("a search has a move as long as the game is not over"));
        }
        Ok(Some(history))
    }

    /// The opening of a game: random moves that do not end it.
    fn opening<G: Knowledge>(&self, rules: &G::Rules, number: u64) -> Result<History<G>, SelfPlayError> {
        let mut rng = Rng::stream(self.seed, number);
        let mut moves = Vec::new();
        for _ in 0..TRIES {
            let mut history = History::<G>::new(rules.clone());
            for _ in 0..self.opening {
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
        Err(SelfPlayError::Opening { game: self.game.clone(), plies: self.opening })
    }
}
