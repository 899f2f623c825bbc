//! Transition probabilities from games that a player plays against itself.

use crate::duel::{Duel, DuelError, play_game};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::{Knowledge, Spec, Visitor};
use tesuji_games::{rules, unknown_game, visit};
use tesuji_search::mcts::Transitions;

/// Plays the games of a duel one by one and counts which kinds of moves were played when they could be: the text of the file that
/// `mcts` reads as `transitions`. If `stop` is raised, the games so far count. `progress` hears of every finished game.
pub fn learn(plan: &Duel, stop: &AtomicBool, progress: impl Fn(u64)) -> Result<String, DuelError> {
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
    visit(&name, Run(plan, game, stop, &progress)).unwrap_or_else(|| Err(unknown_game(&name).into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Limits;

    #[test]
    fn what_is_learned_can_be_read_back_and_changes_the_search() {
        let plan = Duel {
            game: "breakthrough:5x5".to_string(),
            players: ["random".to_string(), "random".to_string()],
            limits: Limits::default(),
            games: 20,
            opening: 0,
            seed: 1,
            threads: 1,
        };
        let text = learn(&plan, &AtomicBool::new(false), |_| {}).unwrap();
        assert_eq!(text, learn(&plan, &AtomicBool::new(false), |_| {}).unwrap());
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        let rules = rules::<tesuji_games::breakthrough::Breakthrough>("breakthrough:5x5").unwrap();
        let read = Transitions::load::<tesuji_games::breakthrough::Breakthrough>(file.path(), &rules).unwrap();
        assert_eq!(read.to_text(), text);
        std::fs::write(file.path(), "loa 5\n").unwrap();
        let error = Transitions::load::<tesuji_games::breakthrough::Breakthrough>(file.path(), &rules).unwrap_err();
        assert!(error.to_string().contains("expected \"breakthrough "), "{error}");
    }
}
