//! The mean time of each turn of a player, from the games of a match.

use crate::referee::PlayedGame;
use tesuji_catalog::open;

/// Returns the mean milliseconds of each own turn of the player with an index in the match. Turns
/// count from the start of the game, so that those of an opening have the time of the first move
/// after it. Empty if the player made no move.
pub fn time_profile(games: &[PlayedGame], player: usize) -> Result<Vec<f64>, String> {
    let mut turns: Vec<(u64, u64)> = Vec::new();
    for game in games {
        let mut session = open(&game.game, &game.opening).map_err(|error| error.to_string())?;
        let seats = game.seats.len().max(1);
        for (mv, milliseconds) in game.moves.iter().zip(&game.timing.milliseconds) {
            let seat = session.to_move().map(|mover| mover.index());
            if seat.and_then(|seat| game.seats.get(seat)) == Some(&player) {
                let turn = session.moves().len() / seats;
                if turns.len() <= turn {
                    turns.resize(turn + 1, (0, 0));
                }
                turns[turn].0 += milliseconds;
                turns[turn].1 += 1;
            }
            session.play(mv).map_err(|error| error.to_string())?;
        }
    }
    let mean = |&(sum, count): &(u64, u64)| (count > 0).then(|| sum as f64 / count as f64);
    let mut last = turns.iter().find_map(mean).unwrap_or_default();
    Ok(turns
        .iter()
        .map(|turn| {
            last = mean(turn).unwrap_or(last);
            last
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::{End, PlayedTiming};

    #[test]
    fn times_are_averaged_by_turn() {
        let game = |seats: [usize; 2], milliseconds: [u64; 3]| PlayedGame {
            number: 1,
            game: "tictactoe".to_string(),
            players: Vec::new(),
            seats: seats.to_vec(),
            names: Vec::new(),
            seed: 1,
            opening: "start moves a1 b1".to_string(),
            moves: ["a2", "b2", "a3"].map(str::to_string).to_vec(),
            end: End::Rules,
            verdicts: Vec::new(),
            scores: None,
            words: String::new(),
            said: Vec::new(),
            spent: Vec::new(),
            timing: PlayedTiming { milliseconds: milliseconds.to_vec(), ..PlayedTiming::default() },
        };
        let games = [game([0, 1], [10, 20, 30]), game([1, 0], [40, 80, 60])];
        // Player 0 moves first in the first game and second in the other.
        assert_eq!(time_profile(&games, 0), Ok(vec![45.0, 45.0, 30.0]));
        assert_eq!(time_profile(&games, 1), Ok(vec![30.0, 30.0, 60.0]));
        assert_eq!(time_profile(&games, 2), Ok(Vec::new()));
    }
}
