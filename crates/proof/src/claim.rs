//! What a certificate says.

use crate::Wrong;
use serde::Serialize;
use std::fmt;
use tesuji_core::{Bounds, Facts, Game, Outcome, Player, Question};

/// Which side of the value a claim bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The player can force at least the score, whatever the others do, united.
    AtLeast,
    /// The others, united, can hold the player to at most the score.
    AtMost,
}

/// What is claimed of the root of a certificate.
///
/// The side that proves is the player itself in "at least", and all the others together in "at most". Two claims of the
/// same player and score make its exact value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub struct Claim {
    /// Whose score it is about.
    pub player: Player,
    /// From below or from above.
    pub bound: Bound,
    /// The score.
    pub score: i32,
}

impl Claim {
    /// `player` can force at least `score`.
    pub fn at_least(player: Player, score: i32) -> Claim {
        Claim { player, bound: Bound::AtLeast, score }
    }

    /// The others can hold `player` to at most `score`.
    pub fn at_most(player: Player, score: i32) -> Claim {
        Claim { player, bound: Bound::AtMost, score }
    }

    /// What an answer to a question says.
    pub fn answer(question: &Question, holds: bool) -> Claim {
        let (player, score) = (question.prover(), question.at_least);
        if holds { Claim::at_least(player, score) } else { Claim::at_most(player, score.saturating_sub(1)) }
    }

    /// Whether the side that proves moves here.
    #[inline]
    pub fn is_ours<G: Game>(&self, position: &G) -> bool {
        (position.to_move() == self.player) == (self.bound == Bound::AtLeast)
    }

    /// An end of the game must be as claimed.
    pub(crate) fn check(&self, outcome: &Outcome) -> Result<(), Wrong> {
        if self.holds(outcome) { Ok(()) } else { Err(Wrong::End { score: outcome.score(self.player) }) }
    }

    /// Whether a game that ends so is as claimed.
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

/// How a certificate proves its claim. docs/proof-format.md says why each kind is sound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A reply for every position, and a rank that falls along every line: nothing comes back.
    Ranked,
    /// A reply for every position of a set that cannot be left for worse; what comes back is worth enough by the rules.
    Closed,
    /// A reply for every line of play: for proofs that rest on the past.
    Paths,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Ranked => "a rank that falls along every line",
            Kind::Closed => "a closed set",
            Kind::Paths => "a tree of paths",
        })
    }
}

/// A claim with its proof, as counted by whoever wrote or verified it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Proved {
    /// The claim.
    pub claim: Claim,
    /// How it is proved.
    pub kind: Kind,
    /// Positions that are not the end of the game: different ones, or, in a tree of paths, nodes.
    pub positions: u64,
    /// Those of them in which the proving side moves.
    pub replies: u64,
    /// Moves that end the game.
    pub ends: u64,
    /// No line is longer, in plies from the root; `None` if lines may go round in cycles.
    pub longest: Option<u32>,
}

/// What a certificate proves, once it is verified.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verified {
    /// The game.
    pub spec: String,
    /// The root: a position, and the moves that were played from there.
    pub root: String,
    /// What is proved of the root.
    pub claims: Vec<Proved>,
}

impl Verified {
    /// All that the claims say together about a player.
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
