//! Random games and their special positions.

use super::checks::legal_moves;
use tesuji_core::{Game, History, Repetition, Rng};

/// Plays a random game to its end. With `prefers_repetition` it returns to earlier positions where
/// it can: such games reach the points where the repetition rule forbids moves or ends the game.
pub fn random_game<G: Game>(rules: &G::Rules, rng: &mut Rng, prefers_repetition: bool) -> History<G> {
    let mut history = History::<G>::new(rules.clone());
    let ends_by_repetition = matches!(history.facts().repetition, Repetition::Ends(_));
    while !history.is_over() {
        let moves = legal_moves(&history);
        let repeating: Vec<G::Move> = match prefers_repetition && ends_by_repetition && rng.below(4) > 0 {
            true => moves.iter().copied().filter(|&mv| history.repeats(mv)).collect(),
            false => Vec::new(),
        };
        let choices = if repeating.is_empty() { &moves } else { &repeating };
        history.play(choices[rng.below(choices.len())]);
    }
    history
}

/// Returns the last plies of a game with a single legal move, with a move that the repetition rule
/// forbids, and with a move that ends the game by repetition or length.
pub(super) fn special_positions<G: Game>(history: &History<G>) -> Vec<usize> {
    let mut at = History::from_position(history.rules().clone(), history.positions()[0].clone());
    let (mut single, mut forbids, mut ends) = (None, None, None);
    for (ply, &mv) in history.moves().iter().enumerate() {
        let legal = legal_moves(&at);
        let mut listed = Vec::new();
        at.position().legal_moves(&mut listed);
        if legal.len() == 1 {
            single = Some(ply);
        }
        if listed.len() > legal.len() {
            forbids = Some(ply);
        }
        at.play(mv);
        if at.ended_by_history() {
            ends = Some(ply);
        }
    }
    single.into_iter().chain(forbids).chain(ends).collect()
}
