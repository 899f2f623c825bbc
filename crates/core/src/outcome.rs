//! Players, outcomes and proven bounds.

use crate::{Facts, PointScore};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Deref;

/// The maximum number of players.
pub const MAX_PLAYERS: usize = 4;

/// A player, numbered from 0 in the order of the first moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub struct Player(pub u8);

impl Player {
    /// The player who makes the first move of a game.
    pub const FIRST: Player = Player(0);
    /// The second player.
    pub const SECOND: Player = Player(1);

    /// Returns the player as an index into arrays by seat.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the opponent in a two-player game.
    #[inline]
    pub fn opponent(self) -> Player {
        Player(self.0 ^ 1)
    }
}

/// The result of a game for one player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Another player has a higher score.
    Loss,
    /// The highest score is shared.
    Draw,
    /// All other players have lower scores.
    Win,
}

/// The outcome of a game: a score for every player, in the smallest unit the game needs.
///
/// Scores of two-player games are zero-sum: 1, 0, -1 in games that are only won or lost, otherwise
/// the difference in discs, seeds or half points. In other games each player has its own score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    scores: [i32; MAX_PLAYERS],
    players: u8,
}

impl Outcome {
    /// A two-player game, scored 1 or -1, that `winner` won.
    #[inline]
    pub fn win(winner: Player) -> Outcome {
        Outcome::zero_sum(1 - 2 * i32::from(winner.0))
    }

    /// A two-player game in which the first player scored `first` more than the second.
    #[inline]
    pub fn zero_sum(first: i32) -> Outcome {
        Outcome { scores: [first, -first, 0, 0], players: 2 }
    }

    /// A game in which all `players` score 0.
    #[inline]
    pub fn draw(players: u8) -> Outcome {
        Outcome { scores: [0; MAX_PLAYERS], players }
    }

    /// An outcome with the given scores, at most [`MAX_PLAYERS`].
    #[inline]
    pub fn of(scores: &[i32]) -> Outcome {
        let mut outcome = Outcome::draw(scores.len() as u8);
        outcome.scores[..scores.len()].copy_from_slice(scores);
        outcome
    }

    /// Returns all scores, by seat.
    #[inline]
    pub fn scores(&self) -> &[i32] {
        &self.scores[..usize::from(self.players)]
    }

    /// Returns the score of a player.
    #[inline]
    pub fn score(&self, player: Player) -> i32 {
        self.scores[player.index()]
    }

    /// Returns win, draw or loss for a player: a win is the highest score, a draw a shared highest
    /// score. One-player games have no verdict.
    pub fn verdict(&self, player: Player) -> Option<Verdict> {
        if self.players < 2 {
            return None;
        }
        let mine = self.score(player);
        let best_other = self.others(player).max().expect("two players at least");
        Some(match mine.cmp(&best_other) {
            std::cmp::Ordering::Less => Verdict::Loss,
            std::cmp::Ordering::Equal => Verdict::Draw,
            std::cmp::Ordering::Greater => Verdict::Win,
        })
    }

    /// Returns the value in [-1, 1] for a player: the number of opponents with a lower score minus
    /// those with a higher score, divided by the number of opponents. In one-player games, the
    /// score scaled by the range of the game.
    #[inline]
    pub fn value(&self, player: Player, facts: &Facts) -> f32 {
        let mine = self.score(player);
        match self.players {
            1 => {
                let (low, high) = (facts.scores.0 as f32, facts.scores.1 as f32);
                2.0 * (mine as f32 - low) / (high - low) - 1.0
            }
            n => {
                let lead: i32 = self.others(player).map(|other| (mine - other).signum()).sum();
                lead as f32 / f32::from(n - 1)
            }
        }
    }

    /// Returns the share of the first place: 1 for a sole winner, 1/k if k players tie for it.
    pub fn win_share(&self, player: Player) -> f64 {
        let best = self.scores().iter().max().copied().unwrap_or(0);
        if self.score(player) < best {
            return 0.0;
        }
        1.0 / self.scores().iter().filter(|&&score| score == best).count() as f64
    }

    fn others(&self, player: Player) -> impl Iterator<Item = i32> + '_ {
        let seats = self.scores().iter().copied().enumerate();
        seats.filter(move |&(seat, _)| seat != player.index()).map(|(_, score)| score)
    }
}

/// Proven bounds on the score that a player can force against all others.
///
/// If only the result was searched, the bounds are no tighter than that: a proven win has
/// `at_least` 1 and `at_most` the highest score of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The player.
    pub player: Player,
    /// The player can force at least this score.
    pub at_least: i32,
    /// The other players can hold it to at most this score.
    pub at_most: i32,
}

impl Bounds {
    /// Bounds that give only the range of the game.
    pub fn unknown(player: Player, facts: &Facts) -> Bounds {
        Bounds { player, at_least: facts.scores.0, at_most: facts.scores.1 }
    }

    /// Bounds of an exactly known score.
    pub fn exact(player: Player, score: i32) -> Bounds {
        Bounds { player, at_least: score, at_most: score }
    }

    /// Returns the bounds of the opponent in a zero-sum game.
    pub fn of_opponent(&self) -> Bounds {
        Bounds { player: self.player.opponent(), at_least: -self.at_most, at_most: -self.at_least }
    }

    /// Bounds of a two-player game, scored 1 or -1, that `winner` wins.
    pub fn won_by(winner: Player, player: Player) -> Bounds {
        Bounds::exact(player, if winner == player { 1 } else { -1 })
    }

    /// Bounds of a two-player game from bounds on its result: -1, 0, 1 for loss, draw, win.
    pub fn of_results(player: Player, at_least: i32, at_most: i32, facts: &Facts) -> Bounds {
        let (low, high) = facts.scores;
        Bounds {
            player,
            at_least: if at_least > -1 { at_least } else { low },
            at_most: if at_most < 1 { at_most } else { high },
        }
    }

    /// Returns the result if the bounds prove it. Requires that the
    /// [sign of a score](Facts::sign_is_result) is the result.
    pub fn verdict(&self) -> Option<Verdict> {
        match (self.at_least, self.at_most) {
            (1.., _) => Some(Verdict::Win),
            (_, ..=-1) => Some(Verdict::Loss),
            (0, 0) => Some(Verdict::Draw),
            _ => None,
        }
    }

    /// Returns the bounds without scores that a game without draws cannot have: at least 0 is a
    /// win, and at most 0 is a loss. In all other games they are unchanged.
    pub fn normalized(&self, facts: &Facts) -> Bounds {
        if facts.draws || !facts.sign_is_result() {
            return *self;
        }
        Bounds {
            player: self.player,
            at_least: if self.at_least == 0 { 1 } else { self.at_least },
            at_most: if self.at_most == 0 { -1 } else { self.at_most },
        }
    }

    /// Returns whether the bounds are tighter than the range of the game.
    pub fn is_informative(&self, facts: &Facts) -> bool {
        self.at_least > facts.scores.0 || self.at_most < facts.scores.1
    }

    /// Returns the bounds for output.
    pub fn in_points(self, facts: &Facts) -> PointBounds {
        PointBounds { bounds: self, at_least: facts.points(self.at_least), at_most: facts.points(self.at_most) }
    }
}

/// Bounds that are written in points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PointBounds {
    bounds: Bounds,
    at_least: PointScore,
    at_most: PointScore,
}

impl Deref for PointBounds {
    type Target = Bounds;

    fn deref(&self) -> &Bounds {
        &self.bounds
    }
}

impl Serialize for PointBounds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Bounds", 3)?;
        fields.serialize_field("player", &self.bounds.player)?;
        fields.serialize_field("at_least", &self.at_least)?;
        fields.serialize_field("at_most", &self.at_most)?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Length, Repetition};

    fn facts(players: u8) -> Facts {
        Facts {
            players,
            repetition: Repetition::Impossible,
            length: Length::Bounded(1),
            scores: (0, 10),
            draws: true,
            units_per_point: 1,
            move_indices: 1,
        }
    }

    #[test]
    fn two_players_get_one_zero_minus_one() {
        let won = Outcome::zero_sum(-14);
        assert_eq!(won.value(Player::FIRST, &facts(2)), -1.0);
        assert_eq!(won.value(Player::SECOND, &facts(2)), 1.0);
        assert_eq!(won.verdict(Player::SECOND), Some(Verdict::Win));
        assert_eq!(Outcome::draw(2).verdict(Player::FIRST), Some(Verdict::Draw));
        assert_eq!(Outcome::win(Player::SECOND).scores(), [-1, 1]);
    }

    #[test]
    fn several_players_are_ranked_and_ties_shared() {
        let outcome = Outcome::of(&[5, 9, 9, 1]);
        let values: Vec<f32> = (0..4).map(|p| outcome.value(Player(p), &facts(4))).collect();
        assert_eq!(values, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0, -1.0]);
        assert_eq!(outcome.win_share(Player(1)), 0.5);
        assert_eq!(outcome.win_share(Player(0)), 0.0);
        assert_eq!(outcome.verdict(Player(2)), Some(Verdict::Draw));
    }

    #[test]
    fn one_player_is_scaled_by_the_range() {
        assert_eq!(Outcome::of(&[10]).value(Player::FIRST, &facts(1)), 1.0);
        assert_eq!(Outcome::of(&[5]).value(Player::FIRST, &facts(1)), 0.0);
        assert_eq!(Outcome::of(&[5]).verdict(Player::FIRST), None);
    }

    #[test]
    fn bounds_of_a_game_without_draws_exclude_a_draw() {
        let drawless = Facts { draws: false, scores: (-1, 1), ..facts(2) };
        let bounds = |at_least, at_most| Bounds { player: Player::FIRST, at_least, at_most };
        assert_eq!(bounds(-1, 0).normalized(&drawless), bounds(-1, -1));
        assert_eq!(bounds(0, 1).normalized(&drawless), bounds(1, 1));
        assert_eq!(bounds(-1, 1).normalized(&drawless), bounds(-1, 1));
        let with_draws = Facts { draws: true, ..drawless };
        assert_eq!(bounds(-1, 0).normalized(&with_draws), bounds(-1, 0));
        let points = Facts { scores: (0, 10), ..drawless };
        assert_eq!(bounds(0, 4).normalized(&points), bounds(0, 4));
    }
}
