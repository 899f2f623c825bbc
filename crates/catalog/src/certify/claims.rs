//! Claims: the statements that a certificate proves.

use serde::Serialize;
use tesuji_core::{Bounds, Facts, Game, Knowledge, Player, PointScore, Rules};
use tesuji_proof::{Bound, Claim, ProofError, Proved, Verified};

/// A claim with its proof.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProvenClaim {
    /// A description of the claim.
    pub words: String,
    /// The claim, in points.
    pub claim: PointClaim,
    /// The kind and the size of its proof.
    #[serde(flatten)]
    pub proved: Proved,
}

/// A claim for output.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PointClaim {
    /// The player whose score is bounded.
    pub player: Player,
    /// The direction of the bound.
    pub bound: Bound,
    /// The score in points.
    pub score: PointScore,
}

/// Returns the claims that bounds make.
pub(super) fn claims(bounds: &Bounds, facts: &Facts) -> Vec<Claim> {
    let Bounds { player, at_least, at_most } = *bounds;
    let low = (at_least > facts.scores.0).then(|| Claim::at_least(player, at_least));
    let high = (at_most < facts.scores.1).then(|| Claim::at_most(player, at_most));
    low.into_iter().chain(high).collect()
}

/// Returns the claims of a verified certificate with their descriptions.
pub(super) fn proven_claims<G: Knowledge>(verified: &Verified) -> Result<Vec<ProvenClaim>, ProofError> {
    let rules = tesuji_games::rules::<G>(&verified.spec)?;
    let (facts, start) = (rules.facts(), G::start(&rules));
    let described = |proved: &Proved| {
        let Claim { player, bound, score } = proved.claim;
        let claim = PointClaim { player, bound, score: facts.points(score) };
        ProvenClaim { words: claim_text(&proved.claim, &start, &facts), claim, proved: *proved }
    };
    Ok(verified.claims.iter().map(described).collect())
}

/// Describes a claim.
pub(super) fn claim_text<G: Game>(claim: &Claim, position: &G, facts: &Facts) -> String {
    let name = position.player_name(claim.player);
    let is_result = facts.sign_is_result();
    let points = facts.points(claim.score);
    match (claim.bound, claim.score) {
        (Bound::AtLeast, 0 | 1) if is_result && !facts.draws => format!("{name} can force a win"),
        (Bound::AtMost, 0 | -1) if is_result && !facts.draws => format!("{name} can be beaten"),
        (Bound::AtLeast, 1) if is_result => format!("{name} can force a win"),
        (Bound::AtLeast, 0) if is_result => format!("{name} can force at least a draw"),
        (Bound::AtMost, 0) if is_result => format!("{name} can be held to a draw"),
        (Bound::AtMost, -1) if is_result => format!("{name} can be beaten"),
        (Bound::AtLeast, _) => format!("{name} can force a score of at least {points}"),
        (Bound::AtMost, _) => format!("{name} can be held to a score of at most {points}"),
    }
}
