//! Self-play: games to learn from and to take positions from.

use crate::auto;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::rng::mix;
use tesuji_core::{Control, History, Knowledge, Limits, OwnerCounts, Rng, Rules, Search, Spec, SpecError};
use thiserror::Error;

/// A series of self-play games.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlay {
    /// The game.
    pub game: String,
    /// The spec of the search that plays all seats.
    pub player: String,
    /// The limits of each move.
    pub limits: Limits,
    /// The number of random moves at the start of a game. Raising it makes games more diverse and
    /// openings more one-sided.
    pub opening: u32,
    /// The seed of openings and searches.
    pub seed: u64,
}

/// Why no game could be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SelfPlayError {
    /// The spec of the game or the search is invalid.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Moves of the game have no patterns.
    #[error("{game} has no local patterns to learn")]
    NoPatterns {
        /// The game.
        game: String,
    },
    /// Every random opening of that length ended the game.
    #[error("no random opening of {plies} moves leaves {game} unfinished; choose a shorter opening")]
    Opening {
        /// The game.
        game: String,
        /// The requested length.
        plies: u32,
    },
}

/// The number of random openings tried before giving up.
const TRIES: u32 = 1000;

impl SelfPlay {
    /// Plays game number `number`, with a new search for every seat; `None` if stopped.
    pub(crate) fn play<G: Knowledge>(
        &self,
        rules: &G::Rules,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Option<History<G>>, SelfPlayError> {
        self.play_counting(rules, number, stop, None)
    }

    /// The same, and lists the criticality of each position as its search has counted it, if a list
    /// is given; `None` for positions that were not searched, and if the search does not count.
    pub(crate) fn play_counting<G: Knowledge>(
        &self,
        rules: &G::Rules,
        number: u64,
        stop: &AtomicBool,
        mut criticality: Option<&mut Vec<Option<f64>>>,
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
            // Each search has its own random stream; otherwise both sides would draw the same
            // playouts.
            let seed = mix(self.seed ^ mix(number << 21 | (history.moves().len() as u64) << 1 | seat as u64));
            let owners = OwnerCounts::default();
            let control = Control::new(limits, seed, stop).counting(criticality.is_some().then_some(&owners));
            let report = searches[seat].search(&history, &control);
            if let Some(list) = &mut criticality {
                list.resize(history.moves().len(), None);
                list.push(owners.get().map(|counts| counts.criticality()));
            }
            if stop.load(Relaxed) {
                return Ok(None);
            }
            history.play(report.best.expect("a search returns a move unless the game is over"));
        }
        Ok(Some(history))
    }

    /// Returns an opening of random moves that does not end the game.
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
