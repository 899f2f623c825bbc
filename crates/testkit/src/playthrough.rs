//! A random game of a spec, written out as text.

use std::fmt::Write;
use tesuji_core::{History, Knowledge, Rng, SpecError, Visitor};
use tesuji_games::{rules, unknown_game, visit};

/// Returns a random game as text: the board, position text, key and legal moves of the first three
/// positions and every tenth one, all moves played, and the scores.
pub fn playthrough(spec: &str, seed: u64) -> Result<String, SpecError> {
    struct Play<'a>(&'a str, u64);
    impl Visitor for Play<'_> {
        type Output = Result<String, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            Ok(write_game(self.0, History::<G>::new(rules::<G>(self.0)?), self.1))
        }
    }
    let name = spec.split(':').next().unwrap_or("");
    visit(name, Play(spec, seed)).unwrap_or_else(|| Err(unknown_game(name)))
}

fn write_game<G: Knowledge>(spec: &str, mut history: History<G>, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = format!("{spec}, seed {seed}\n{:?}\n", history.facts());
    let mut moves = Vec::new();
    loop {
        let position = history.position();
        let ply = history.moves().len();
        moves.clear();
        history.legal_moves(&mut moves);
        if ply < 3 || ply.is_multiple_of(10) || moves.is_empty() {
            let _ = write!(text, "\nply {ply}: {}\nkey {:016x}\n{}", position.text(), position.key(), position.view());
            let names: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
            let _ = writeln!(text, "{} moves: {}", names.len(), names.join(" "));
        }
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.below(moves.len())];
        let _ = writeln!(text, "{} plays {}", position.player_name(position.to_move()), position.move_text(mv));
        history.play(mv);
    }
    let how = if history.ended_by_history() { " (by repetition or length)" } else { "" };
    let scores = history.outcome().map(|outcome| outcome.scores().to_vec()).unwrap_or_default();
    let _ = writeln!(text, "over after {} plies{how}: scores {scores:?}", history.moves().len());
    text
}
