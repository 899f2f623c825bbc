//! Transition probabilities from games that a player plays against itself.

use crate::duel::{Duel, DuelError, play_game};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::{Knowledge, Spec, Visitor};
use tesuji_games::{rules, unknown_game, visit};
use tesuji_search::mcts::Transitions;

/// Plays the games of a duel one by one and counts which kinds of moves were played when they could be: the text of the file that
/// `mcts` reads as `transitions`. If `stop` is raised, the games so far count. `progress` hears of every finished game.
pub fn learn(plan: &Duel, stop: &AtomicBool, progress: &dyn Fn(u64)) -> Result<String, DuelError> {
    struct Run<'a>(&'a Duel, Spec, &'a AtomicBool, &'a dyn Fn(u64));
    impl Visitor for Run<'_> {
        type Output = Result<String, DuelError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(plan, game, stop, progress) = self;
            let rules = rules::<G>(&game.to_string())?;
            let specs: [Spec; 2] = [plan.players[0].parse()?, plan.players[1].parse()?];
            let mut transitions = Transitions::new::<G>(&rules);
            for number in 0..plan.games {
                match play_game::<G>(plan, &rules, &specs, number, stop)? {
                    Some(game) => transitions.learn(&game.history),
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
    visit(&name, Run(plan, game, stop, progress)).unwrap_or_else(|| Err(unknown_game(&name).into()))
}
