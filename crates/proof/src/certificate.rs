//! Reads, verifies and walks through certificates.

use crate::blocks::{BitReader, BlockReader};
use crate::graph::Graph;
use crate::paths::{Keep, Paths};
use crate::source::{Problem, Progress, ProofTask, Watch};
use crate::writer::{BOUNDS, END, PROOF_KINDS, check_player};
use crate::{Claim, LocatedViolation, ProofError, ProofKind, Verified};
use std::io::Read;
use tesuji_core::{Game, History, Options, Outcome, Player, Rules, Spec};

/// A certificate whose header has been read. The header does not depend on the type of the game, so
/// that the caller can look the game up by name first.
pub struct Certificate<R> {
    spec: String,
    root: String,
    blocks: BlockReader<R>,
}

impl<R: Read> Certificate<R> {
    /// Reads the header of a certificate.
    pub fn open(input: R) -> Result<Certificate<R>, ProofError> {
        let mut blocks = BlockReader::new(input)?;
        Ok(Certificate { spec: blocks.text()?, root: blocks.text()?, blocks })
    }

    /// Returns the spec of the game.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Returns the root: a position and the moves played from it, as [`History::parse`] reads it.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Verifies every claim with the rules of the game alone. `watch` gets the progress
    /// periodically and returns whether to continue. It is the only limit on time and memory: a
    /// short file may span a large game.
    pub fn verify<G: Game>(self, mut watch: impl FnMut(Progress) -> bool) -> Result<Verified, ProofError> {
        Ok(self.read::<G>(&mut watch, Keep::Nothing)?.verified)
    }

    /// Verifies every claim and keeps the proofs in memory for walking through them.
    pub fn walk<G: Game>(self, mut watch: impl FnMut(Progress) -> bool) -> Result<Walk<G>, ProofError> {
        self.read::<G>(&mut watch, Keep::Nodes)
    }

    fn read<G: Game>(mut self, watch: Watch<'_>, keep: Keep) -> Result<Walk<G>, ProofError> {
        let rules = rules_of::<G>(&self.spec)?;
        let root = History::<G>::parse(rules, &self.root)?;
        let (mut claims, mut proofs, mut before) = (Vec::new(), Vec::new(), 0);
        while let Some((kind, claim)) = self.next_claim(root.facts().players)? {
            let mut task = ProofTask { claim, kind, before, watch: &mut *watch };
            let mut bits = BitReader::new(&mut self.blocks);
            let (proved, proof) = if kind == ProofKind::Paths {
                let paths = Paths::explore(&root, &mut bits, &mut task, keep, u64::MAX);
                let paths = paths.map_err(|(problem, moves)| located(&root, claim, kind, problem, &moves))?;
                (paths.proved(claim), Proof::Paths(paths))
            } else {
                let graph = Graph::explore(&root, &mut bits, &mut task);
                let graph = graph.map_err(|(problem, moves)| located(&root, claim, kind, problem, &moves))?;
                let checked = graph.check_history(&root);
                checked
                    .map_err(|(violation, node)| located(&root, claim, kind, violation.into(), &graph.path_to(node)))?;
                (graph.proved(kind), Proof::Graph(graph))
            };
            bits.finish()?;
            for (count, what) in
                [(proved.positions, "positions"), (proved.replies, "replies"), (proved.ends, "terminal moves")]
            {
                let written = self.blocks.number()?;
                if written != count {
                    let reason = format!("{claim}: it states {written} {what}, but there are {count}");
                    return Err(ProofError::Format(reason));
                }
            }
            before += proved.positions;
            claims.push(proved);
            if keep == Keep::Nodes {
                proofs.push(proof);
            }
        }
        self.blocks.finish()?;
        if claims.is_empty() {
            return Err(ProofError::Format("it has no claims".to_string()));
        }
        Ok(Walk { verified: Verified { spec: self.spec, root: self.root, claims }, root, proofs })
    }

    /// Reads the next claim and the kind of its proof; `None` after the last.
    fn next_claim(&mut self, players: u8) -> Result<Option<(ProofKind, Claim)>, ProofError> {
        let tag = self.blocks.byte()?;
        if tag == END {
            return Ok(None);
        }
        let unknown = |what: &str, tag: u8| ProofError::Format(format!("{tag} is not a {what}"));
        let kind = PROOF_KINDS.get(usize::from(tag) - 1).ok_or_else(|| unknown("kind of proof", tag))?;
        let player = Player(self.blocks.byte()?);
        let bound = self.blocks.byte()?;
        let bound = *BOUNDS.get(usize::from(bound)).ok_or_else(|| unknown("bound", bound))?;
        let score = u32::try_from(self.blocks.number()?)
            .map_err(|_| ProofError::Format("a score is out of range".to_string()))?;
        let score = (score >> 1) as i32 ^ -((score & 1) as i32);
        let claim = Claim { player, bound, score };
        check_player(&claim, players)?;
        Ok(Some((*kind, claim)))
    }
}

enum Proof<G> {
    Graph(Graph<G>),
    Paths(Paths),
}

/// A verified certificate that can be walked through.
pub struct Walk<G: Game> {
    verified: Verified,
    root: History<G>,
    /// By claim.
    proofs: Vec<Proof<G>>,
}

/// The entry of a certificate for a position.
#[derive(Clone, PartialEq, Debug)]
pub enum WalkStep<M> {
    /// The proving side is to move.
    Ours {
        /// The reply.
        reply: M,
        /// The most plies to the end of the game, if the position cannot repeat.
        longest: Option<u32>,
    },
    /// The opponents are to move.
    Theirs {
        /// All legal moves.
        replies: Vec<M>,
        /// The most plies to the end of the game, if the position cannot repeat.
        longest: Option<u32>,
    },
    /// The game is over.
    End(Outcome),
}

impl<G: Game> Walk<G> {
    /// Returns what is proved.
    pub fn verified(&self) -> &Verified {
        &self.verified
    }

    /// Returns the root.
    pub fn root(&self) -> &History<G> {
        &self.root
    }

    /// Returns the entry for a game that continues the root, in the proof of the claim with this
    /// index in [`Verified::claims`]; `None` if the game has left the proof.
    pub fn at(&self, claim: usize, game: &History<G>) -> Option<WalkStep<G::Move>> {
        let proof = self.proofs.get(claim)?;
        let claim = &self.verified.claims[claim].claim;
        let line = game.moves().strip_prefix(self.root.moves())?;
        if game.positions()[0] != self.root.positions()[0] || game.rules() != self.root.rules() {
            return None;
        }
        if let Some(outcome) = game.outcome() {
            return Some(WalkStep::End(outcome));
        }
        let (reply, longest) = match proof {
            Proof::Graph(graph) => graph.look_up(game.position())?,
            Proof::Paths(paths) => (paths.look_up(claim, &self.root, line)?, None),
        };
        Some(match reply {
            Some(reply) => WalkStep::Ours { reply, longest },
            None => {
                let mut replies = Vec::new();
                game.legal_moves(&mut replies);
                WalkStep::Theirs { replies, longest }
            }
        })
    }
}

/// Parses the rules of the game `G` from a spec.
pub(crate) fn rules_of<G: Game>(text: &str) -> Result<G::Rules, ProofError> {
    let spec: Spec = text.parse()?;
    if G::FAMILY.iter().all(|info| info.name != spec.name()) {
        return Err(ProofError::OtherGame { found: spec.name().to_string(), expected: G::INFO.name });
    }
    // A certificate may come from anyone, so it must not name a file.
    let default: Spec = spec.name().parse()?;
    let mut options = Options::new(&default);
    G::Rules::read(&mut options)?;
    spec.check_untrusted(&options.finish()?)?;
    let mut options = Options::new(&spec);
    let rules = G::Rules::read(&mut options)?;
    options.finish()?;
    Ok(rules)
}

/// Makes the error for a problem after some moves from the root.
pub(crate) fn located<G: Game>(
    root: &History<G>,
    claim: Claim,
    kind: ProofKind,
    problem: Problem,
    moves: &[G::Move],
) -> ProofError {
    let violation = match problem {
        Problem::Violation(violation) => violation,
        Problem::Other(error) => return error,
    };
    let mut position = root.position().clone();
    let mut texts = Vec::new();
    for &mv in moves {
        texts.push(position.move_text(mv));
        position.play(mv);
    }
    Box::new(LocatedViolation { claim, kind, moves: texts, position: position.text(), violation }).into()
}
