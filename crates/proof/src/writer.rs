//! Writes certificates.

use crate::blocks::{BitBuffer, BlockWriter};
use crate::certificate::{located, rules_of};
use crate::graph::Graph;
use crate::paths::{Keep, Paths};
use crate::source::{Problem, Progress, ProofTask, Strategy, StrategyRecorder, Watch};
use crate::{Bound, Claim, LocatedViolation, ProofError, ProofKind, Proved, Violation};
use std::io::Write;
use tesuji_core::{Game, History, Length, Repetition};

/// The default limit on the nodes of a tree of paths. At 10^5 to 10^6 positions per second it takes
/// up to two minutes.
pub const MOST_PATHS: u64 = 10_000_000;

/// The tag after the last proof of a file.
pub(crate) const END: u8 = 0;
pub(crate) const PROOF_KINDS: [ProofKind; 3] = [ProofKind::Ranked, ProofKind::Closed, ProofKind::Paths];
pub(crate) const BOUNDS: [Bound; 2] = [Bound::AtLeast, Bound::AtMost];

/// Writes a certificate: the game and the root, then the proofs.
///
/// The caller gives a *strategy*, a function from the game so far to the reply of the proving side.
/// The writer explores all moves of the opponents, asks for one reply at every position, and
/// chooses the kind of proof:
///
/// - a ranked proof if the replies never repeat a position;
/// - a closed set if they may cycle and the rules make every cycle good enough;
/// - a tree of paths if the result depends on the history and the tree stays below the limit; the
///   strategy is then asked again for every line.
///
/// A strategy that proves a win must make progress: replies that keep a win but cycle forever prove
/// nothing. The history it gets leads to the position, but in a graph it is one of many paths; the
/// reply must hold for all of them.
///
/// A proof is verified while it is written. A claim that fails leaves the file unchanged.
pub struct Writer<W, G: Game> {
    blocks: BlockWriter<W>,
    root: History<G>,
    most_paths: u64,
    positions: u64,
}

impl<W: Write, G: Game> Writer<W, G> {
    /// Starts a certificate about the present position of `root`, a game of `spec`.
    pub fn new(output: W, spec: &str, root: &History<G>) -> Result<Writer<W, G>, ProofError> {
        if rules_of::<G>(spec)? != *root.rules() {
            return Err(ProofError::Format(format!("the spec {spec:?} does not give the rules of the root")));
        }
        let text = root_text(root);
        let read = History::<G>::parse(root.rules().clone(), &text)?;
        if read.positions() != root.positions() {
            return Err(ProofError::Format(format!("the root does not read back from {text:?}")));
        }
        let mut blocks = BlockWriter::new(output)?;
        blocks.text(spec)?;
        blocks.text(&text)?;
        Ok(Writer { blocks, root: root.clone(), most_paths: MOST_PATHS, positions: 0 })
    }

    /// Sets the limit on the nodes of a tree of paths ([`MOST_PATHS`] by default).
    pub fn most_paths(mut self, limit: u64) -> Self {
        self.most_paths = limit;
        self
    }

    /// Proves a claim with the replies of a strategy, and adds it to the file. `watch` gets the
    /// progress periodically and returns whether to continue.
    pub fn prove(
        &mut self,
        claim: Claim,
        mut strategy: impl FnMut(&History<G>) -> Option<G::Move>,
        mut watch: impl FnMut(Progress) -> bool,
    ) -> Result<Proved, ProofError> {
        self.prove_by(claim, &mut strategy, &mut watch)
    }

    fn prove_by(&mut self, claim: Claim, strategy: Strategy<'_, G>, watch: Watch<'_>) -> Result<Proved, ProofError> {
        check_player(&claim, self.root.facts().players)?;
        let because = match self.graph(claim, strategy, watch)? {
            Ok((proved, bits)) => return self.add(proved, &bits),
            Err(because) => because,
        };
        // Without dependence on the history, a tree of paths would fail too.
        let facts = self.root.facts();
        if facts.repetition == Repetition::Impossible && matches!(facts.length, Length::Bounded(_)) {
            return Err(because.into());
        }
        let mut recorder = self.recorder(strategy);
        let mut task = ProofTask { claim, kind: ProofKind::Paths, before: self.positions, watch };
        match Paths::explore(&self.root, &mut recorder, &mut task, Keep::Nothing, self.most_paths) {
            Ok(paths) => {
                let bits = recorder.bits;
                self.add(paths.proved(claim), &bits)
            }
            Err((Problem::Violation(Violation::TooMany(limit)), _)) => {
                Err(ProofError::NotCertifiable { because, limit })
            }
            Err((problem, moves)) => Err(located(&self.root, claim, ProofKind::Paths, problem, &moves)),
        }
    }

    /// Completes the file. Returns the output and the length of the file in bytes.
    pub fn finish(mut self) -> Result<(W, u64), ProofError> {
        self.blocks.bytes(&[END])?;
        Ok(self.blocks.finish()?)
    }

    /// Returns the length of the file so far in bytes.
    pub fn bytes(&self) -> u64 {
        self.blocks.written()
    }

    fn recorder<'a>(&self, strategy: Strategy<'a, G>) -> StrategyRecorder<'a, G> {
        StrategyRecorder { history: self.root.clone(), strategy, bits: BitBuffer::default() }
    }

    /// Makes a proof over positions, or returns why there is none.
    fn graph(
        &self,
        claim: Claim,
        strategy: Strategy<'_, G>,
        watch: Watch<'_>,
    ) -> Result<Result<(Proved, BitBuffer), Box<LocatedViolation>>, ProofError> {
        let mut recorder = self.recorder(strategy);
        // Cycles need a rule that ends or allows repetition.
        let kind = match self.root.facts().repetition {
            Repetition::Impossible | Repetition::Forbidden => ProofKind::Ranked,
            Repetition::Allowed | Repetition::Ends(_) => ProofKind::Closed,
        };
        let mut task = ProofTask { claim, kind, before: self.positions, watch };
        let explored = Graph::explore(&self.root, &mut recorder, &mut task);
        let failed = match explored {
            Ok(graph) => match graph.check_history(&self.root) {
                Ok(()) => {
                    let kind = if graph.has_cycles() { ProofKind::Closed } else { ProofKind::Ranked };
                    return Ok(Ok((graph.proved(kind), recorder.bits)));
                }
                Err((violation, node)) => located(&self.root, claim, kind, violation.into(), &graph.path_to(node)),
            },
            Err((problem, moves)) => located(&self.root, claim, kind, problem, &moves),
        };
        match failed {
            ProofError::Invalid(violation) => Ok(Err(violation)),
            other => Err(other),
        }
    }

    fn add(&mut self, proved: Proved, bits: &BitBuffer) -> Result<Proved, ProofError> {
        section(&mut self.blocks, &proved, &bits.bytes)?;
        self.positions += proved.positions;
        Ok(proved)
    }
}

/// Writes one proof.
pub(crate) fn section<W: Write>(blocks: &mut BlockWriter<W>, proved: &Proved, bits: &[u8]) -> Result<(), ProofError> {
    let Proved { claim, kind, positions, replies, ends, .. } = *proved;
    let tag = PROOF_KINDS.iter().position(|known| *known == kind).expect("all kinds are listed") as u8 + 1;
    let bound = BOUNDS.iter().position(|known| *known == claim.bound).expect("both bounds are listed") as u8;
    blocks.bytes(&[tag, claim.player.0, bound])?;
    // Zigzag encoding keeps small scores of either sign short.
    blocks.number(u64::from((claim.score << 1 ^ claim.score >> 31) as u32))?;
    blocks.bytes(bits)?;
    for count in [positions, replies, ends] {
        blocks.number(count)?;
    }
    Ok(())
}

pub(crate) fn check_player(claim: &Claim, players: u8) -> Result<(), ProofError> {
    if claim.player.0 < players {
        return Ok(());
    }
    Err(ProofError::Format(format!("a claim about player {} of {players}", u32::from(claim.player.0) + 1)))
}

/// Writes a history as [`History::parse`] reads it.
fn root_text<G: Game>(root: &History<G>) -> String {
    let start = &root.positions()[0];
    let mut text = if *start == G::start(root.rules()) { "start".to_string() } else { start.text() };
    for (number, (position, &mv)) in root.positions().iter().zip(root.moves()).enumerate() {
        text += if number == 0 { " moves " } else { " " };
        text += &position.move_text(mv);
    }
    text
}
