//! Writes certificates.

use crate::blocks::{BitBuffer, BlockWriter};
use crate::certificate::{fault, rules_of};
use crate::graph::Graph;
use crate::paths::{Keep, Paths};
use crate::source::{Ask, Job, Problem, Progress, Scribe, Watch};
use crate::{Bound, Claim, Fault, Kind, ProofError, Proved, Wrong};
use std::io::Write;
use tesuji_core::{Game, History, Length, Repetition};

/// Trees of paths are given up at this size, unless another is asked for. At some 10^5 to 10^6 positions a second that is a minute.
pub const MOST_PATHS: u64 = 10_000_000;

/// The tags of the parts of a file.
pub(crate) const END: u8 = 0;
pub(crate) const KINDS: [Kind; 3] = [Kind::Ranked, Kind::Closed, Kind::Paths];
pub(crate) const BOUNDS: [Bound; 2] = [Bound::AtLeast, Bound::AtMost];

/// Writes a certificate: the game and the root first, then one proof after the other.
///
/// Whoever proves gives a *strategy*, a function from the game so far to the reply of the proving side. The writer goes through
/// all that the others can do, asks for one reply at every position, and chooses the kind of proof:
///
/// - where replies lead ever nearer to the end, a ranked proof;
/// - where they may go round in cycles and the rules make that worth enough, a closed set;
/// - where the past decides, a tree of paths, if it stays below the limit; then replies are asked for again, line by line.
///
/// A strategy that proves a win must make progress: replies that keep a win but go round for ever prove nothing. The history it is given
/// leads to the position, but in a graph it is only one way of many; a reply must be good whatever the way was.
///
/// What is written has been verified while it was written. A claim that fails leaves the file as it was before.
pub struct Writer<W, G: Game> {
    blocks: BlockWriter<W>,
    root: History<G>,
    most_paths: u64,
    positions: u64,
}

impl<W: Write, G: Game> Writer<W, G> {
    /// Begins a certificate about the present position of `root`, a game of `spec`.
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

    /// Gives a tree of paths up when it has more nodes than this ([`MOST_PATHS`] if nothing is said).
    pub fn most_paths(mut self, limit: u64) -> Self {
        self.most_paths = limit;
        self
    }

    /// Proves a claim with the replies of a strategy, and adds it to the file. `watch` is told of the progress now and then, and says whether to go on.
    pub fn prove(
        &mut self,
        claim: Claim,
        mut strategy: impl FnMut(&History<G>) -> Option<G::Move>,
        mut watch: impl FnMut(Progress) -> bool,
    ) -> Result<Proved, ProofError> {
        self.prove_by(claim, &mut strategy, &mut watch)
    }

    fn prove_by(&mut self, claim: Claim, strategy: Ask<'_, G>, watch: Watch<'_>) -> Result<Proved, ProofError> {
        check_player(&claim, self.root.facts().players)?;
        let because = match self.graph(claim, strategy, watch)? {
            Ok((proved, bits)) => return self.add(proved, &bits),
            Err(because) => because,
        };
        // Without a past to look at, a tree of paths would say the same.
        let facts = self.root.facts();
        if facts.repetition == Repetition::Impossible && matches!(facts.length, Length::Bounded(_)) {
            return Err(because.into());
        }
        let mut scribe = self.scribe(strategy);
        let mut job = Job { claim, kind: Kind::Paths, before: self.positions, watch };
        match Paths::explore(&self.root, &mut scribe, &mut job, Keep::Nothing, self.most_paths) {
            Ok(paths) => {
                let bits = scribe.bits;
                self.add(paths.proved(claim), &bits)
            }
            Err((Problem::Wrong(Wrong::TooMany(limit)), _)) => Err(ProofError::NotCertifiable { because, limit }),
            Err((problem, moves)) => Err(fault(&self.root, claim, Kind::Paths, problem, &moves)),
        }
    }

    /// Ends the file. Gives back what it was written to, and how many bytes it has.
    pub fn finish(mut self) -> Result<(W, u64), ProofError> {
        self.blocks.bytes(&[END])?;
        Ok(self.blocks.finish()?)
    }

    /// The bytes of the file so far.
    pub fn bytes(&self) -> u64 {
        self.blocks.written()
    }

    fn scribe<'a>(&self, strategy: Ask<'a, G>) -> Scribe<'a, G> {
        Scribe { history: self.root.clone(), strategy, bits: BitBuffer::default() }
    }

    /// A proof over positions; or why there is none.
    fn graph(
        &self,
        claim: Claim,
        strategy: Ask<'_, G>,
        watch: Watch<'_>,
    ) -> Result<Result<(Proved, BitBuffer), Box<Fault>>, ProofError> {
        let mut scribe = self.scribe(strategy);
        // Only what ends by repetition or is allowed to repeat can go round.
        let kind = match self.root.facts().repetition {
            Repetition::Impossible | Repetition::Forbidden => Kind::Ranked,
            Repetition::Allowed | Repetition::Ends(_) => Kind::Closed,
        };
        let mut job = Job { claim, kind, before: self.positions, watch };
        let explored = Graph::explore(&self.root, &mut scribe, &mut job);
        let failed = match explored {
            Ok(graph) => match graph.check_past(&self.root) {
                Ok(()) => {
                    let kind = if graph.has_cycles() { Kind::Closed } else { Kind::Ranked };
                    return Ok(Ok((graph.proved(kind), scribe.bits)));
                }
                Err((wrong, node)) => fault(&self.root, claim, kind, wrong.into(), &graph.path_to(node)),
            },
            Err((problem, moves)) => fault(&self.root, claim, kind, problem, &moves),
        };
        match failed {
            ProofError::Fault(fault) => Ok(Err(fault)),
            other => Err(other),
        }
    }

    fn add(&mut self, proved: Proved, bits: &BitBuffer) -> Result<Proved, ProofError> {
        section(&mut self.blocks, &proved, &bits.bytes)?;
        self.positions += proved.positions;
        Ok(proved)
    }
}

/// One proof of a file.
pub(crate) fn section<W: Write>(blocks: &mut BlockWriter<W>, proved: &Proved, bits: &[u8]) -> Result<(), ProofError> {
    let Proved { claim, kind, positions, replies, ends, .. } = *proved;
    let tag = KINDS.iter().position(|known| *known == kind).expect("all kinds are listed") as u8 + 1;
    let bound = BOUNDS.iter().position(|known| *known == claim.bound).expect("both bounds are listed") as u8;
    blocks.bytes(&[tag, claim.player.0, bound])?;
    // Small numbers of either sign are short.
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

/// A history as [`History::parse`] reads it.
fn root_text<G: Game>(root: &History<G>) -> String {
    let start = &root.positions()[0];
    let mut text = if *start == G::start(root.rules()) { "start".to_string() } else { start.text() };
    for (number, (position, &mv)) in root.positions().iter().zip(root.moves()).enumerate() {
        text += if number == 0 { " moves " } else { " " };
        text += &position.move_text(mv);
    }
    text
}
