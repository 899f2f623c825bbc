//! Transition probabilities, time tables and pattern counts from self-play.

use crate::sampling;
use crate::selfplay::{SelfPlay, SelfPlayError};
use std::collections::BTreeMap;
use std::fmt::Write as _;
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

/// Plays games and counts how often a move in each local pattern was played, and how often one was
/// possible; otherwise as [`learn`]. The random moves of the opening do not count, nor do moves
/// after as many plies as there are kinds of moves: long games of searches end in moves that do not
/// matter. Returns the text of the counts that a game has as a file.
pub fn learn_patterns(
    plan: &SelfPlay,
    games: u64,
    stop: &AtomicBool,
    progress: &dyn Fn(u64),
) -> Result<String, SelfPlayError> {
    self_play(plan, games, Subject::Patterns, stop, progress)
}

#[derive(Clone, Copy)]
enum Subject {
    Transitions,
    TimeTables,
    Patterns,
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
                Subject::Patterns if !has_patterns::<G>(&rules) => {
                    return Err(SelfPlayError::NoPatterns { game: plan.game.clone() });
                }
                Subject::Patterns => Box::new(PatternCounts { opening: plan.opening as usize, ..Default::default() }),
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

/// Whether moves of a game have local patterns.
fn has_patterns<G: Knowledge>(rules: &G::Rules) -> bool {
    let start = G::start(rules);
    let mut moves = Vec::new();
    start.legal_moves(&mut moves);
    moves.iter().any(|&mv| start.pattern_text(mv).is_some())
}

/// How often moves in each pattern were played and possible.
#[derive(Default)]
struct PatternCounts {
    opening: usize,
    counts: BTreeMap<String, [u64; 2]>,
}

impl<G: Knowledge> Lesson<G> for PatternCounts {
    fn learn(&mut self, game: &History<G>, _: &[Option<f64>]) {
        let counted = self.opening..game.facts().move_indices.max(self.opening).min(game.moves().len());
        let mut moves = Vec::new();
        for (position, &played) in game.positions().iter().zip(game.moves()).take(counted.end).skip(counted.start) {
            moves.clear();
            position.legal_moves(&mut moves);
            for &mv in &moves {
                if let Some(pattern) = position.pattern_text(mv) {
                    let [times_played, times_possible] = self.counts.entry(pattern).or_default();
                    *times_played += u64::from(mv == played);
                    *times_possible += 1;
                }
            }
        }
    }

    fn to_text(&self) -> String {
        let mut text = "# pattern, times played, times possible\n".to_string();
        for (pattern, [played, possible]) in &self.counts {
            writeln!(text, "{pattern} {played} {possible}").expect("writing to a string");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Limits;
    use tesuji_games::Go;

    #[test]
    fn patterns_are_counted_where_they_were_played_and_possible() {
        let rules = rules::<Go>("go:3").unwrap();
        let game = History::<Go>::parse(rules, "start moves B2 A1 A2").unwrap();
        let mut counts = PatternCounts { opening: 1, ..Default::default() };
        Lesson::<Go>::learn(&mut counts, &game, &[]);
        // After B2 White has four corners, of which it plays one, and four sides. Then Black has
        // three corners, two sides beside the white stone, of which it plays one, and two others.
        let text = Lesson::<Go>::to_text(&counts);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, [".O...... 0 4", ".O.X.... 1 2", ".X...... 0 2", "O....... 1 4", "X....... 0 3"]);
    }

    #[test]
    fn a_game_without_patterns_is_refused() {
        let plan = SelfPlay {
            game: "connect4".to_string(),
            player: "random".to_string(),
            limits: Limits::default(),
            opening: 0,
            seed: 1,
        };
        let error = learn_patterns(&plan, 1, &AtomicBool::new(false), &|_| ()).unwrap_err();
        assert!(error.to_string().contains("connect4 has no local patterns"), "{error}");
    }
}
