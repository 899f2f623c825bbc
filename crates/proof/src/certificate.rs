//! Reads certificates: verifies them, and walks through them.

use crate::blocks::{BitReader, BlockReader};
use crate::graph::Graph;
use crate::paths::{Keep, Paths};
use crate::source::{Job, Problem, Progress, Watch};
use crate::writer::{BOUNDS, END, KINDS, check_player};
use crate::{Claim, Fault, Kind, ProofError, Verified};
use std::io::Read;
use tesuji_core::{Game, History, Options, Outcome, Player, Rules, Spec};

/// A certificate that is being read. Its game and root are known without knowing the type of the game, so that somebody can look
/// the game up by its name and then ask for the rest.
pub struct Certificate<R> {
    spec: String,
    root: String,
    blocks: BlockReader<R>,
}

impl<R: Read> Certificate<R> {
    /// Reads the beginning of a certificate.
    pub fn open(input: R) -> Result<Certificate<R>, ProofError> {
        let mut blocks = BlockReader::new(input)?;
        Ok(Certificate { spec: blocks.text()?, root: blocks.text()?, blocks })
    }

    /// The game: a spec.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The root: a position, and the moves played from there, as [`History::parse`] reads it.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Verifies every claim with the rules of the game alone. `watch` is told of the progress now and then, and says whether to go on: it is
    /// the only limit on time and memory, for a short file may open a large game.
    pub fn verify<G: Game>(self, mut watch: impl FnMut(Progress) -> bool) -> Result<Verified, ProofError> {
        Ok(self.read::<G>(&mut watch, Keep::Nothing)?.verified)
    }

    /// Verifies every claim and keeps the proofs in memory, to walk through them.
    pub fn walk<G: Game>(self, mut watch: impl FnMut(Progress) -> bool) -> Result<Walk<G>, ProofError> {
        self.read::<G>(&mut watch, Keep::Nodes)
    }

    fn read<G: Game>(mut self, watch: Watch<'_>, keep: Keep) -> Result<Walk<G>, ProofError> {
        let rules = rules_of::<G>(&self.spec)?;
        let root = History::<G>::parse(rules, &self.root)?;
        let (mut claims, mut proofs, mut before) = (Vec::new(), Vec::new(), 0);
        while let Some((kind, claim)) = self.next_claim(root.facts().players)? {
            let mut job = Job { claim, kind, before, watch: &mut *watch };
            let mut bits = BitReader::new(&mut self.blocks);
            let (proved, proof) = if kind == Kind::Paths {
                let paths = Paths::explore(&root, &mut bits, &mut job, keep, u64::MAX);
                let paths = paths.map_err(|(problem, moves)| fault(&root, claim, kind, problem, &moves))?;
                (paths.proved(claim), Proof::Paths(paths))
            } else {
                let graph = Graph::explore(&root, &mut bits, &mut job);
                let graph = graph.map_err(|(problem, moves)| fault(&root, claim, kind, problem, &moves))?;
                let checked = graph.check_past(&root);
                checked.map_err(|(wrong, node)| fault(&root, claim, kind, wrong.into(), &graph.path_to(node)))?;
                (graph.proved(kind), Proof::Graph(graph))
            };
            bits.finish()?;
            for (count, what) in
                [(proved.positions, "positions"), (proved.replies, "replies"), (proved.ends, "ends of the game")]
            {
                let written = self.blocks.number()?;
                if written != count {
                    let wrong = format!("{claim}: it speaks of {written} {what}, and there are {count}");
                    return Err(ProofError::Format(wrong));
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
            return Err(ProofError::Format("it claims nothing".to_string()));
        }
        Ok(Walk { verified: Verified { spec: self.spec, root: self.root, claims }, root, proofs })
    }

    /// The next claim and the kind of its proof; `None` behind the last.
    fn next_claim(&mut self, players: u8) -> Result<Option<(Kind, Claim)>, ProofError> {
        let tag = self.blocks.byte()?;
        if tag == END {
            return Ok(None);
        }
        let unknown = |what: &str, tag: u8| ProofError::Format(format!("there is no {what} of number {tag}"));
        let kind = KINDS.get(usize::from(tag) - 1).ok_or_else(|| unknown("kind of proof", tag))?;
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

/// A verified certificate, to be walked through.
pub struct Walk<G: Game> {
    verified: Verified,
    root: History<G>,
    /// By claim.
    proofs: Vec<Proof<G>>,
}

/// What a certificate says about the end of a line.
#[derive(Clone, PartialEq, Debug)]
pub enum Step<M> {
    /// The proving side moves.
    Ours {
        /// Its move.
        reply: M,
        /// The most plies to the end of the game, if positions cannot come back.
        longest: Option<u32>,
    },
    /// The others move.
    Theirs {
        /// All they can do.
        replies: Vec<M>,
        /// The most plies to the end of the game, if positions cannot come back.
        longest: Option<u32>,
    },
    /// The game is over.
    End(Outcome),
}

impl<G: Game> Walk<G> {
    /// What is proved.
    pub fn verified(&self) -> &Verified {
        &self.verified
    }

    /// Where every walk begins.
    pub fn root(&self) -> &History<G> {
        &self.root
    }

    /// What the proof of a claim (by its number in [`Verified::claims`]) says about a game that goes on from the root; `None` if the game has left the proof.
    pub fn at(&self, claim: usize, game: &History<G>) -> Option<Step<G::Move>> {
        let proof = self.proofs.get(claim)?;
        let claim = &self.verified.claims[claim].claim;
        let line = game.moves().strip_prefix(self.root.moves())?;
        if game.positions()[0] != self.root.positions()[0] || game.rules() != self.root.rules() {
            return None;
        }
        if let Some(outcome) = game.outcome() {
            return Some(Step::End(outcome));
        }
        let (reply, longest) = match proof {
            Proof::Graph(graph) => graph.look_up(game.position())?,
            Proof::Paths(paths) => (paths.look_up(claim, &self.root, line)?, None),
        };
        Some(match reply {
            Some(reply) => Step::Ours { reply, longest },
            None => {
                let mut replies = Vec::new();
                game.legal_moves(&mut replies);
                Step::Theirs { replies, longest }
            }
        })
    }
}

/// The rules that a spec gives the game `G`.
pub(crate) fn rules_of<G: Game>(text: &str) -> Result<G::Rules, ProofError> {
    let spec: Spec = text.parse()?;
    if spec.name() != G::INFO.name {
        return Err(ProofError::OtherGame { found: spec.name().to_string(), expected: G::INFO.name });
    }
    let mut options = Options::new(&spec);
    let rules = G::Rules::read(&mut options)?;
    options.finish()?;
    Ok(rules)
}

/// The error about a problem at the end of some moves from the root.
pub(crate) fn fault<G: Game>(
    root: &History<G>,
    claim: Claim,
    kind: Kind,
    problem: Problem,
    moves: &[G::Move],
) -> ProofError {
    let wrong = match problem {
        Problem::Wrong(wrong) => wrong,
        Problem::Other(error) => return error,
    };
    let mut position = root.position().clone();
    let mut texts = Vec::new();
    for &mv in moves {
        texts.push(position.move_text(mv));
        position.play(mv);
    }
    Box::new(Fault { claim, kind, moves: texts, position: position.text(), wrong }).into()
}
