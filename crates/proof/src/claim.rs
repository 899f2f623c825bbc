//! Claims and proof kinds.

use crate::Violation;
use serde::Serialize;
use std::fmt;
use tesuji_core::{Bounds, Facts, Game, Outcome, Player, Question};

/// Which side of the value a claim bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The player can force at least the score against all opponents together.
    AtLeast,
    /// The opponents together can hold the player to at most the score.
    AtMost,
}

/// A claim about the root of a certificate.
///
/// The proving side is the player in "at least" and all opponents together in "at most". Two claims
/// with the same player and score give the exact value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Claim {
    /// The player whose score is bounded.
    pub player: Player,
    /// The direction of the bound.
    pub bound: Bound,
    /// The score.
    pub score: i32,
}

impl Claim {
    /// `player` can force at least `score`.
    pub fn at_least(player: Player, score: i32) -> Claim {
        Claim { player, bound: Bound::AtLeast, score }
    }

    /// The opponents can hold `player` to at most `score`.
    pub fn at_most(player: Player, score: i32) -> Claim {
        Claim { player, bound: Bound::AtMost, score }
    }

    /// Returns the claim that the answer to a question makes.
    pub fn answer(question: &Question, holds: bool) -> Claim {
        let (player, score) = (question.prover(), question.at_least);
        if holds { Claim::at_least(player, score) } else { Claim::at_most(player, score.saturating_sub(1)) }
    }

    /// Returns whether the proving side is to move.
    #[inline]
    pub fn is_ours<G: Game>(&self, position: &G) -> bool {
        (position.to_move() == self.player) == (self.bound == Bound::AtLeast)
    }

    /// Checks that an outcome satisfies the claim.
    pub(crate) fn check(&self, outcome: &Outcome) -> Result<(), Violation> {
        if self.holds(outcome) { Ok(()) } else { Err(Violation::End { score: outcome.score(self.player) }) }
    }

    /// Returns whether an outcome satisfies the claim.
    #[inline]
    pub fn holds(&self, outcome: &Outcome) -> bool {
        match self.bound {
            Bound::AtLeast => outcome.score(self.player) >= self.score,
            Bound::AtMost => outcome.score(self.player) <= self.score,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seat, score) = (self.player.0 + 1, self.score);
        match self.bound {
            Bound::AtLeast => write!(f, "player {seat} can force at least {score}"),
            Bound::AtMost => write!(f, "player {seat} can be held to at most {score}"),
        }
    }
}

/// The kind of a proof. docs/proof-format.md shows why each kind is sound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofKind {
    /// A reply for every position, and a rank that decreases along every line: no position repeats.
    Ranked,
    /// A reply for every position of a set that the opponents cannot leave for a worse outcome;
    /// cycles satisfy the claim.
    Closed,
    /// A reply for every line of play, for results that depend on the history.
    Paths,
}

impl fmt::Display for ProofKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProofKind::Ranked => "every line terminates (decreasing rank checked)",
            ProofKind::Closed => "a closed set",
            ProofKind::Paths => "a tree of paths",
        })
    }
}

/// A proved claim with the counts of its proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Proved {
    /// The claim.
    #[serde(skip)]
    pub claim: Claim,
    /// The kind of the proof.
    pub kind: ProofKind,
    /// Non-terminal positions; in a tree of paths, nodes.
    pub positions: u64,
    /// The positions with the proving side to move.
    pub replies: u64,
    /// Moves that end the game.
    pub ends: u64,
    /// The longest line from the root in plies; `None` if lines may cycle.
    pub longest: Option<u32>,
}

/// A verified certificate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verified {
    /// The game.
    pub spec: String,
    /// The root: a position and the moves played from it.
    pub root: String,
    /// The proved claims.
    pub claims: Vec<Proved>,
}

impl Verified {
    /// Returns the bounds that the claims prove for a player.
    pub fn bounds(&self, player: Player, facts: &Facts) -> Bounds {
        let mut bounds = Bounds::unknown(player, facts);
        for claim in self.claims.iter().map(|proved| proved.claim).filter(|claim| claim.player == player) {
            match claim.bound {
                Bound::AtLeast => bounds.at_least = bounds.at_least.max(claim.score),
                Bound::AtMost => bounds.at_most = bounds.at_most.min(claim.score),
            }
        }
        bounds
    }
}
