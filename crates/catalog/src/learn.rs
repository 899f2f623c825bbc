//! Transition probabilities from self-play.

use crate::selfplay::{SelfPlay, SelfPlayError};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::{Knowledge, Spec, Visitor};
use tesuji_games::{rules, unknown_game, visit};
use tesuji_search::mcts::Transitions;

/// Plays games and counts how often each kind of move was played when it was legal.
///
/// Returns the text of the file that `mcts` reads as `transitions`. If `stop` is set, only the
/// finished games count. `progress` is called with the number of finished games.
pub fn learn(plan: &SelfPlay, games: u64, stop: &AtomicBool, progress: &dyn Fn(u64)) -> Result<String, SelfPlayError> {
    struct Run<'a>(&'a SelfPlay, u64, Spec, &'a AtomicBool, &'a dyn Fn(u64));
    impl Visitor for Run<'_> {
        type Output = Result<String, SelfPlayError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(plan, games, game, stop, progress) = self;
            let rules = rules::<G>(&game.to_string())?;
            let mut transitions = Transitions::new::<G>(&rules);
            for number in 0..games {
                match plan.play::<G>(&rules, number, stop)? {
                    Some(game) => transitions.learn(&game),
                    None => break,
                }
                progress(number + 1);
                if stop.load(Relaxed) {
                    break;
                }
            }
            Ok(transitions.to_text())
        }
    }
    let game: Spec = plan.game.parse()?;
    let name = game.name().to_string();
    visit(&name, Run(plan, games, game, stop, progress)).unwrap_or_else(|| Err(unknown_game(&name).into()))
}
