//! Transition probabilities and time tables from self-play.

use crate::sampling;
use crate::selfplay::{SelfPlay, SelfPlayError};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::time::{Sample, TableLearner};
use tesuji_core::{Game, History, Knowledge, Spec, Visitor};
use tesuji_games::{rules, unknown_game, visit};
use tesuji_search::mcts::Transitions;

/// What is learned from finished games.
trait Lesson<G: Game> {
    /// Learns from a game, and from the criticality of its positions where it is known.
    fn learn(&mut self, game: &History<G>, criticality: &[Option<f64>]);
    fn to_text(&self) -> String;
}

/// Plays games and counts how often each kind of move was played when it was legal.
///
/// Returns the text of the file that `mcts` reads as `transitions`. If `stop` is set, only the
/// finished games count. `progress` is called with the number of finished games.
pub fn learn(plan: &SelfPlay, games: u64, stop: &AtomicBool, progress: &dyn Fn(u64)) -> Result<String, SelfPlayError> {
    self_play(plan, games, Subject::Transitions, stop, progress)
}

/// Plays games and counts the moves that players still made at each point; otherwise as [`learn`].
/// The criticality of positions is what the player counts, if it can. Returns the text of the
/// tables that a game declares in its [`TimeFacts`](tesuji_core::time::TimeFacts).
pub fn learn_time_tables(
    plan: &SelfPlay,
    games: u64,
    stop: &AtomicBool,
    progress: &dyn Fn(u64),
) -> Result<String, SelfPlayError> {
    self_play(plan, games, Subject::TimeTables, stop, progress)
}

#[derive(Clone, Copy)]
enum Subject {
    Transitions,
    TimeTables,
}

fn self_play(
    plan: &SelfPlay,
    games: u64,
    subject: Subject,
    stop: &AtomicBool,
    progress: &dyn Fn(u64),
) -> Result<String, SelfPlayError> {
    struct Run<'a>(&'a SelfPlay, u64, Subject, Spec, &'a AtomicBool, &'a dyn Fn(u64));
    impl Visitor for Run<'_> {
        type Output = Result<String, SelfPlayError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Run(plan, games, subject, game, stop, progress) = self;
            let rules = rules::<G>(&game.to_string())?;
            let mut lesson: Box<dyn Lesson<G>> = match subject {
                Subject::Transitions => Box::new(Transitions::new::<G>(&rules)),
                Subject::TimeTables => Box::new(TableLearner::default()),
            };
            for number in 0..games {
                let mut criticality = Vec::new();
                let list = matches!(subject, Subject::TimeTables).then_some(&mut criticality);
                match plan.play_counting::<G>(&rules, number, stop, list)? {
                    Some(game) => lesson.learn(&game, &criticality),
                    None => break,
                }
                progress(number + 1);
                if stop.load(Relaxed) {
                    break;
                }
            }
            Ok(lesson.to_text())
        }
    }
    let game: Spec = plan.game.parse()?;
    let name = game.name().to_string();
    visit(&name, Run(plan, games, subject, game, stop, progress)).unwrap_or_else(|| Err(unknown_game(&name).into()))
}

impl<G: Knowledge> Lesson<G> for Transitions {
    fn learn(&mut self, game: &History<G>, _: &[Option<f64>]) {
        self.learn(game);
    }

    fn to_text(&self) -> String {
        self.to_text()
    }
}

impl<G: Knowledge> Lesson<G> for TableLearner {
    fn learn(&mut self, game: &History<G>, criticality: &[Option<f64>]) {
        let movers: Vec<_> = game.positions().iter().take(game.moves().len()).map(Game::to_move).collect();
        let mut history = game.clone();
        let mut samples = Vec::new();
        while history.undo().is_some() {
            let ply = history.moves().len();
            let remaining = movers[ply..].iter().filter(|mover| **mover == movers[ply]).count();
            let turn = sampling::turn(&history, true);
            samples.push(Sample {
                ply,
                stones: turn.stones,
                length: turn.length.unwrap_or_default(),
                criticality: criticality.get(ply).copied().flatten(),
                remaining,
            });
        }
        self.add(&samples);
    }

    fn to_text(&self) -> String {
        self.finish().to_text()
    }
}
