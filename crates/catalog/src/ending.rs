//! The result of a finished game.

use crate::session::Session;
use serde::Serialize;
use std::cmp::Reverse;
use tesuji_core::{Game, History, Outcome, Player, PointScore, Verdict};

/// The result of a finished game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ending {
    /// The scores by seat, in points.
    pub scores: Vec<PointScore>,
    /// Win, draw or loss by seat; empty in a game for one player.
    pub verdicts: Vec<Verdict>,
    /// Whether repetition or the length cap ended the game, not the position.
    pub by_past: bool,
    /// Why the game ended, if the result does not say it: "connected", "lion captured".
    pub reason: Option<&'static str>,
    /// The cells that decided the game, to highlight.
    pub cells: Vec<String>,
    /// A description for people.
    pub words: String,
}

impl Ending {
    pub(crate) fn new<G: Game>(outcome: &Outcome, history: &History<G>) -> Ending {
        let seats = 0..outcome.scores().len() as u8;
        Ending {
            scores: outcome.scores().iter().map(|&score| history.facts().points(score)).collect(),
            verdicts: seats.filter_map(|seat| outcome.verdict(Player(seat))).collect(),
            by_past: history.ended_by_history(),
            reason: history.position().ending_reason(),
            cells: history.position().winning_cells(),
            words: describe(outcome.scores(), history),
        }
    }

    /// The result of a game that a player loses away from the board; `how` is a verb such as
    /// "resigns". All others win.
    pub fn forfeit(game: &dyn Session, loser: Player, how: &str) -> Ending {
        let players = game.facts().players;
        let seats = || (0..players).map(Player);
        let verdict = |player| if player == loser { Verdict::Loss } else { Verdict::Win };
        let winners: Vec<&str> =
            seats().filter(|&player| player != loser).map(|player| game.player_name(player)).collect();
        let name = game.player_name(loser);
        let words = match winners.as_slice() {
            [] => how.to_string(),
            [winner] => format!("{name} {how}: {winner} wins"),
            _ => format!("{name} {how}: {} win", winners.join(" and ")),
        };
        let verdicts = if players > 1 { seats().map(verdict).collect() } else { Vec::new() };
        Ending { scores: Vec::new(), verdicts, by_past: false, reason: None, cells: Vec::new(), words }
    }
}

/// Describes the end of a game: `O wins`, `draw`, `Red wins 12–4`, `tie: Red 6, Green 6, Yellow 4`.
fn describe<G: Game>(scores: &[i32], history: &History<G>) -> String {
    let facts = history.facts();
    let name = |seat: usize| history.position().player_name(Player(seat as u8));
    let mut ranking: Vec<usize> = (0..scores.len()).collect();
    ranking.sort_by_key(|&seat| Reverse(scores[seat]));
    let points = |seat: usize| facts.points(scores[seat]);
    let (winner, best) = (name(ranking[0]), scores[ranking[0]]);
    let is_tie = scores.iter().filter(|&&score| score == best).count() > 1;
    let listed = || -> String {
        let entries: Vec<String> = ranking.iter().map(|&seat| format!("{} {}", name(seat), points(seat))).collect();
        entries.join(", ")
    };
    let text = match scores {
        [1] => "1 point".to_string(),
        [_] => format!("{} points", points(0)),
        _ if is_tie && facts.sign_is_result() => "draw".to_string(),
        _ if is_tie => format!("tie: {}", listed()),
        _ if facts.scores == (-1, 1) => format!("{winner} wins"),
        _ if facts.sign_is_result() => format!("{winner} wins by {}", points(ranking[0])),
        [_, _] => format!("{winner} wins {}–{}", points(ranking[0]), points(ranking[1])),
        _ => format!("{winner} wins: {}", listed()),
    };
    match history.position().ending_reason() {
        _ if history.ended_by_history() => format!("{text} (by repetition or length limit)"),
        Some(reason) => format!("{text} ({reason})"),
        None => text,
    }
}
