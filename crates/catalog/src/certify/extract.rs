//! Extraction of a proof from a solver: every reply of the proving side, written to a certificate.

use super::claims::{claim_text, claims};
use super::verify::{Verification, verify};
use crate::file::replace_file_with;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::{Bounds, Control, Game, History, Knowledge, Limits, Prover, Question, Repetition, Spec};
use tesuji_proof::{Bound, Claim, Progress, ProofError, Writer};

/// The outcome of a request to write a proof.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofOutcome {
    /// The proof was written and verified.
    Written(Verification),
    /// There is no proof, for this reason: the solution is a search result only.
    NotCertified(String),
}

/// The solver that finds the replies again if the one that answered does not keep its proof.
pub(super) const REPLY_SOLVER: &str = "dfpn";

/// The node limit of a reply is this, or [`REPLY_FACTOR`] times the nodes of the whole solution if
/// that is more: what the table has lost may have to be searched again. Raising either extracts
/// more proofs in little memory, and takes longer to give up where the result depends on the
/// history.
pub(crate) const REPLY_NODES: u64 = 1_000_000;
/// See [`REPLY_NODES`].
pub(crate) const REPLY_FACTOR: u64 = 16;

/// The limit on the size of a proof as a tree of paths, where every node is a question to the
/// solver.
const MAX_PATHS: u64 = 1_000_000;

/// Extracts replies from a solver that has answered the questions about a position.
pub(crate) struct ProofExtractor<'a, G: Game> {
    pub prover: &'a mut dyn Prover<G>,
    /// Whether the prover keeps its proof.
    pub keeps_proof: bool,
    pub memory: usize,
    /// The node limit of a reply. A position can be out of reach without the history that made it
    /// easy; then there is no proof over positions.
    pub reply_nodes: u64,
    pub seed: u64,
    pub stop: &'a AtomicBool,
    /// Called with the number of positions so far.
    pub progress: &'a dyn Fn(u64),
}

impl<G: Knowledge> ProofExtractor<'_, G> {
    /// Writes a proof of bounds to a file and verifies it.
    pub fn write(
        &mut self,
        file: &Path,
        spec: &Spec,
        root: &History<G>,
        bounds: &[Bounds],
    ) -> Result<ProofOutcome, ProofError> {
        let claims: Vec<Claim> = bounds.iter().flat_map(|bounds| claims(bounds, root.facts())).collect();
        if claims.is_empty() {
            return Ok(ProofOutcome::NotCertified("nothing is solved".to_string()));
        }
        if !self.keeps_proof {
            let mut prover = tesuji_pairs::prover::<G>(&REPLY_SOLVER.parse()?, root.rules())?;
            let mut extractor = ProofExtractor { prover: prover.as_mut(), keeps_proof: true, ..*self };
            return extractor.write(file, spec, root, bounds);
        }
        let written = replace_file_with(file, |out| {
            let mut writer = Writer::new(out, &spec.to_string(), root)?;
            for &claim in &claims {
                writer = self.prove(writer, claim, root)?;
            }
            writer.finish().map(|_| ())
        });
        match written {
            Ok(()) => Ok(ProofOutcome::Written(verify(file, &mut |_| !self.stop.load(Relaxed))?)),
            _ if self.stop.load(Relaxed) => Ok(ProofOutcome::NotCertified("stopped".to_string())),
            Err(error) => match &error {
                ProofError::Invalid(fault) | ProofError::NotCertifiable { because: fault, .. } => {
                    // The proof crate knows players by seat only.
                    let by_name = claim_text(&fault.claim, root.position(), root.facts());
                    Ok(ProofOutcome::NotCertified(error.to_string().replace(&fault.claim.to_string(), &by_name)))
                }
                _ => Err(error),
            },
        }
    }

    /// Proves a claim: first with replies that hold for every history, then, if the result depends
    /// on the history, with replies for every path.
    fn prove<W: Write>(
        &mut self,
        writer: Writer<W, G>,
        claim: Claim,
        root: &History<G>,
    ) -> Result<Writer<W, G>, ProofError> {
        let (stop, progress) = (self.stop, self.progress);
        let watch = |so_far: Progress| {
            progress(so_far.positions);
            !stop.load(Relaxed)
        };
        if root.facts().repetition == Repetition::Impossible {
            let mut writer = writer;
            writer.prove(claim, |game| self.reply(game, claim), watch)?;
            return Ok(writer);
        }
        let mut writer = writer.most_paths(0);
        let without_history = |game: &History<G>| {
            self.reply(&History::from_position(game.rules().clone(), game.position().clone()), claim)
        };
        match writer.prove(claim, without_history, watch) {
            Err(ProofError::Invalid(_) | ProofError::NotCertifiable { .. }) if !stop.load(Relaxed) => {
                let mut writer = writer.most_paths(MAX_PATHS);
                writer.prove(claim, |game| self.reply(game, claim), watch)?;
                Ok(writer)
            }
            other => other.map(|_| writer),
        }
    }

    /// Returns the reply of the proving side, searching again for what the table has lost.
    fn reply(&mut self, game: &History<G>, claim: Claim) -> Option<G::Move> {
        self.ask(game, claim).0
    }

    /// Returns the reply of the proving side and the nodes it took.
    pub(super) fn ask(&mut self, game: &History<G>, claim: Claim) -> (Option<G::Move>, u64) {
        let ((holds, best), nodes) = self.answer(game, claim);
        (best.filter(|_| holds), nodes)
    }

    /// Returns whether a claim is known to hold, the best move, and the nodes it took.
    pub(super) fn answer(&mut self, game: &History<G>, claim: Claim) -> ((bool, Option<G::Move>), u64) {
        let holds = claim.bound == Bound::AtLeast;
        let known = Bounds::unknown(claim.player, game.facts());
        let question = Question { known, at_least: if holds { claim.score } else { claim.score + 1 } };
        // A search stops where static bounds answer the question, and has no move there. With more
        // than two players the static move need not be one that keeps this player's bound.
        let facts = game.facts();
        if facts.repetition == Repetition::Impossible
            && facts.players == 2
            && let Some(mv) = game.position().static_move()
            && let Some(bounds) = game.position().static_bounds(claim.player)
            && question.answer(&bounds) == Some(holds)
        {
            return ((true, Some(mv)), 0);
        }
        let limits = Limits { memory: Some(self.memory), nodes: Some(self.reply_nodes), ..Limits::default() };
        let report = self.prover.ask(game, question, &Control::new(limits, self.seed, self.stop));
        let is_answered = question.answer(&report.bounds) == Some(holds);
        ((is_answered, report.best), report.counters.nodes)
    }
}
