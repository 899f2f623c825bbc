//! Proofs of what was solved, as files; and their verification and walks through them, by the name of the game.

use crate::checkpoint::replace;
use crate::session::{Session, SessionOf};
use serde::Serialize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_core::{
    Bounds, Control, Facts, Game, History, Knowledge, Limits, Prover, Question, Repetition, Rules, Spec, Visitor,
};
use tesuji_games::{unknown_game, visit};
use tesuji_proof::{Bound, Certificate, Claim, ProofError, Proved, Step, Verified, Walk, Writer};

/// A claim with its proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProvenClaim {
    /// What is proved, in words.
    pub words: String,
    /// The claim, how it is proved, and the size of the proof.
    #[serde(flatten)]
    pub proved: Proved,
}

/// A certificate that was verified.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verification {
    /// The game.
    pub game: String,
    /// The position, and the moves that led there.
    pub root: String,
    /// What is proved.
    pub claims: Vec<ProvenClaim>,
    /// The positions of all proofs.
    pub positions: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The size of the file over the positions.
    pub bytes_per_position: f64,
}

/// What is wrong with a certificate.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VerificationFailure {
    /// In words.
    pub error: String,
    /// The moves from the root to the place, if there is one.
    pub moves: Option<Vec<String>>,
    /// The position there.
    pub position_there: Option<String>,
}

impl VerificationFailure {
    /// What an error of [`verify`] or [`walk`] says of the certificate.
    pub fn new(error: &ProofError) -> VerificationFailure {
        let fault = match error {
            ProofError::Fault(fault) => Some(fault),
            _ => None,
        };
        VerificationFailure {
            error: error.to_string(),
            moves: fault.map(|fault| fault.moves.clone()),
            position_there: fault.map(|fault| fault.position.clone()),
        }
    }
}

/// What became of a proof that was asked for.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofOutcome {
    /// It was written, and verified.
    Written(Verification),
    /// There is none, and why: the answer is a result of search.
    NotCertified(String),
}

/// The solver that finds the replies again where the one that answered has not kept its proof.
const TAKEN_FROM: &str = "dfpn";

/// The nodes that a reply may take at least, and how many times as many as the whole solution took: what the table has lost may have to be found
/// again. Raising them proves more in little memory, and gives up later where the past decides.
pub(crate) const REPLY_NODES: u64 = 1_000_000;
pub(crate) const REPLY_FACTOR: u64 = 16;

/// The nodes that all replies of a line may take together. Raising it makes lines longer where little is remembered, and answers later.
pub(crate) const LINE_NODES: u64 = 1_000_000;

/// No line is longer: where positions come back, replies need not lead on.
const LONGEST_LINE: usize = 200;

/// Trees of paths are given up at this size: every node is a question to the solver.
const MOST_PATHS: u64 = 1_000_000;

/// Who proves, and with what.
pub(crate) struct Prosecution<'a, G: Game> {
    pub prover: &'a mut dyn Prover<G>,
    pub by: &'a str,
    pub memory: usize,
    /// The most nodes for a reply. Without the past that made a position easy it may be out of reach, and then there is no proof over positions.
    pub reply_nodes: u64,
    pub seed: u64,
    pub stop: &'a AtomicBool,
    /// Told of the positions so far.
    pub watch: &'a dyn Fn(u64),
}

impl<G: Knowledge> Prosecution<'_, G> {
    /// Writes a proof of bounds to a file and verifies it.
    pub fn certify(
        &mut self,
        file: &Path,
        spec: &Spec,
        root: &History<G>,
        bounds: &[Bounds],
    ) -> Result<ProofOutcome, ProofError> {
        let claims: Vec<Claim> = bounds.iter().flat_map(|bounds| claims(bounds, root.facts())).collect();
        if claims.is_empty() {
            return Ok(ProofOutcome::NotCertified("there is no answer to prove".to_string()));
        }
        let by: Spec = self.by.parse()?;
        let mut own;
        if !tesuji_search::capabilities(&by)?.keeps_proof {
            own = tesuji_pairs::prover::<G>(&TAKEN_FROM.parse()?, root.rules())?;
            let (prover, by) = (own.as_mut(), TAKEN_FROM);
            return Prosecution { prover, by, ..*self }.certify(file, spec, root, bounds);
        }
        let written = replace(file, |out| {
            let mut writer = Writer::new(out, &spec.to_string(), root)?;
            for &claim in &claims {
                writer = self.prove(writer, claim, root)?;
            }
            writer.finish().map(|_| ())
        });
        match written {
            Ok(()) => {
                let mut begin = |_| !self.stop.load(Relaxed);
                Ok(ProofOutcome::Written(verify(file, &mut begin)?))
            }
            _ if self.stop.load(Relaxed) => Ok(ProofOutcome::NotCertified("it was stopped".to_string())),
            Err(error) => match &error {
                ProofError::Fault(fault) | ProofError::NotCertifiable { because: fault, .. } => {
                    // Whoever writes proofs knows players by their seats only.
                    let (told, name) = (fault.claim.to_string(), root.position().player_name(fault.claim.player));
                    let words = in_words(&fault.claim, name, root.facts());
                    Ok(ProofOutcome::NotCertified(error.to_string().replace(&told, &words)))
                }
                _ => Err(error),
            },
        }
    }

    /// Proves a claim: first with replies that hold whatever the past, then, if the past decides, with replies for every path.
    fn prove<W: std::io::Write>(
        &mut self,
        writer: Writer<W, G>,
        claim: Claim,
        root: &History<G>,
    ) -> Result<Writer<W, G>, ProofError> {
        let (stop, watch) = (self.stop, self.watch);
        let told = |progress: tesuji_proof::Progress| {
            watch(progress.positions);
            !stop.load(Relaxed)
        };
        if root.facts().repetition == Repetition::Impossible {
            let mut writer = writer;
            writer.prove(claim, |game| self.reply(game, claim), told)?;
            return Ok(writer);
        }
        let mut writer = writer.most_paths(0);
        let forgetful = |game: &History<G>| {
            self.reply(&History::from_position(game.rules().clone(), game.position().clone()), claim)
        };
        match writer.prove(claim, forgetful, told) {
            Err(ProofError::Fault(_) | ProofError::NotCertifiable { .. }) if !stop.load(Relaxed) => {
                let mut writer = writer.most_paths(MOST_PATHS);
                writer.prove(claim, |game| self.reply(game, claim), told)?;
                Ok(writer)
            }
            other => other.map(|_| writer),
        }
    }

    /// The line that bounds stand for: the player plays to keep the lower one and all others to keep the upper one, so that it ends with a score
    /// between them if it ends the game. It ends before that where a reply is not at hand: all replies together may take `reply_nodes`. `None` if
    /// there are no two bounds to keep.
    pub fn line(&mut self, root: &History<G>, bounds: &Bounds) -> Option<Vec<G::Move>> {
        let [low, high] = claims(bounds, root.facts())[..] else { return None };
        let mut game = root.clone();
        let mut line = Vec::new();
        while !game.is_over() && line.len() < LONGEST_LINE && self.reply_nodes > 0 {
            let claim = if game.position().to_move() == bounds.player { low } else { high };
            let (reply, nodes) = self.ask(&game, claim);
            let Some(mv) = reply else { break };
            self.reply_nodes = self.reply_nodes.saturating_sub(nodes);
            game.play(mv);
            line.push(mv);
        }
        Some(line)
    }

    /// The reply of the proving side: what the table has lost is searched again.
    fn reply(&mut self, game: &History<G>, claim: Claim) -> Option<G::Move> {
        self.ask(game, claim).0
    }

    /// The same, and the nodes it took.
    fn ask(&mut self, game: &History<G>, claim: Claim) -> (Option<G::Move>, u64) {
        let holds = claim.bound == Bound::AtLeast;
        let known = Bounds::unknown(claim.player, game.facts());
        let question = Question { known, at_least: if holds { claim.score } else { claim.score + 1 } };
        // Where patterns show the answer, a search stops and cannot tell how the game goes on. What a third player keeps for itself is another matter.
        let facts = game.facts();
        if facts.repetition == Repetition::Impossible
            && facts.players == 2
            && let Some(mv) = game.position().static_move()
            && let Some(bounds) = game.position().static_bounds(claim.player)
            && question.answer(&bounds) == Some(holds)
        {
            return (Some(mv), 0);
        }
        let limits = Limits { memory: Some(self.memory), nodes: Some(self.reply_nodes), ..Limits::default() };
        let report = self.prover.ask(game, question, &Control::new(limits, self.seed, self.stop));
        let is_answered = question.answer(&report.bounds) == Some(holds);
        (report.best.filter(|_| is_answered), report.counters.nodes)
    }
}

/// The claims that bounds consist of.
fn claims(bounds: &Bounds, facts: &Facts) -> Vec<Claim> {
    let Bounds { player, at_least, at_most } = *bounds;
    let low = (at_least > facts.scores.0).then(|| Claim::at_least(player, at_least));
    let high = (at_most < facts.scores.1).then(|| Claim::at_most(player, at_most));
    low.into_iter().chain(high).collect()
}

/// A claim in words.
fn in_words(claim: &Claim, name: &str, facts: &Facts) -> String {
    let is_result = facts.sign_is_result();
    match (claim.bound, claim.score) {
        (Bound::AtLeast, 0 | 1) if is_result && !facts.draws => format!("{name} can force a win"),
        (Bound::AtMost, 0 | -1) if is_result && !facts.draws => format!("{name} can be beaten"),
        (Bound::AtLeast, 1) if is_result => format!("{name} can force a win"),
        (Bound::AtLeast, 0) if is_result => format!("{name} can force a draw at least"),
        (Bound::AtMost, 0) if is_result => format!("{name} can be held to a draw"),
        (Bound::AtMost, -1) if is_result => format!("{name} can be beaten"),
        (Bound::AtLeast, score) => format!("{name} can force a score of at least {score}"),
        (Bound::AtMost, score) => format!("{name} can be held to a score of at most {score}"),
    }
}

/// Verifies a certificate with the rules of its game alone. `watch` is told of the positions so far, and says whether to go on.
pub fn verify(file: &Path, watch: &mut dyn FnMut(u64) -> bool) -> Result<Verification, ProofError> {
    struct Verify<'a>(Certificate<BufReader<File>>, &'a mut dyn FnMut(u64) -> bool);
    impl Visitor for Verify<'_> {
        type Output = Result<(Verified, Vec<ProvenClaim>), ProofError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let verified = self.0.verify::<G>(|progress| (self.1)(progress.positions))?;
            let told = told::<G>(&verified)?;
            Ok((verified, told))
        }
    }
    let (certificate, bytes) = read(file)?;
    let name = name_of(certificate.spec())?;
    let (verified, claims) =
        visit(&name, Verify(certificate, watch)).unwrap_or_else(|| Err(unknown_game(&name).into()))?;
    Ok(Verification::new(verified, claims, bytes))
}

fn read(file: &Path) -> Result<(Certificate<BufReader<File>>, u64), ProofError> {
    let input = File::open(file)?;
    let bytes = input.metadata()?.len();
    Ok((Certificate::open(BufReader::new(input))?, bytes))
}

fn name_of(spec: &str) -> Result<String, ProofError> {
    Ok(spec.parse::<Spec>()?.name().to_string())
}

fn told<G: Knowledge>(verified: &Verified) -> Result<Vec<ProvenClaim>, ProofError> {
    let rules = tesuji_games::rules::<G>(&verified.spec)?;
    let (facts, start) = (rules.facts(), G::start(&rules));
    let words = |claim: &Claim| in_words(claim, start.player_name(claim.player), &facts);
    Ok(verified.claims.iter().map(|proved| ProvenClaim { words: words(&proved.claim), proved: *proved }).collect())
}

impl Verification {
    fn new(verified: Verified, claims: Vec<ProvenClaim>, bytes: u64) -> Verification {
        let positions: u64 = claims.iter().map(|claim| claim.proved.positions).sum();
        Verification {
            game: verified.spec,
            root: verified.root,
            claims,
            positions,
            bytes,
            bytes_per_position: bytes as f64 / positions.max(1) as f64,
        }
    }
}

/// What a proof says about the present position of a walk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "turn", rename_all = "snake_case")]
pub enum ProofStep {
    /// The proving side moves.
    Ours {
        /// Its reply.
        reply: String,
        /// The most plies to the end, if positions cannot come back.
        longest: Option<u32>,
    },
    /// The others move.
    Theirs {
        /// All they can do.
        replies: Vec<String>,
        /// The most plies to the end, if positions cannot come back.
        longest: Option<u32>,
    },
    /// The game is over.
    Over,
}

/// A walk through a certificate, in texts.
pub trait Walker {
    /// What was verified.
    fn verification(&self) -> &Verification;
    /// The game as far as it has gone.
    fn session(&self) -> &dyn Session;
    /// The moves that were played before the walk began.
    fn played_before(&self) -> usize;
    /// What the proof of a claim says about the present position; `None` if the game has left the proof.
    fn step(&self, claim: usize) -> Option<ProofStep>;
    /// Plays a move.
    fn play(&mut self, mv: &str) -> Result<(), tesuji_core::MoveError>;
    /// Takes a move of the walk back; false if there is none.
    fn undo(&mut self) -> bool;
}

/// Verifies a certificate and opens it for a walk; `watch` as in [`verify`].
pub fn walk(file: &Path, watch: &mut dyn FnMut(u64) -> bool) -> Result<Box<dyn Walker>, ProofError> {
    struct Open<'a>(Certificate<BufReader<File>>, &'a mut dyn FnMut(u64) -> bool, u64);
    impl Visitor for Open<'_> {
        type Output = Result<Box<dyn Walker>, ProofError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let walk = self.0.walk::<G>(|progress| (self.1)(progress.positions))?;
            let claims = told::<G>(walk.verified())?;
            let verification = Verification::new(walk.verified().clone(), claims, self.2);
            let session = SessionOf::new(walk.verified().spec.parse()?, walk.root().clone());
            Ok(Box::new(WalkerOf { verification, session, walk }))
        }
    }
    let (certificate, bytes) = read(file)?;
    let name = name_of(certificate.spec())?;
    visit(&name, Open(certificate, watch, bytes)).unwrap_or_else(|| Err(unknown_game(&name).into()))
}

struct WalkerOf<G: Game> {
    verification: Verification,
    session: SessionOf<G>,
    walk: Walk<G>,
}

impl<G: Knowledge> Walker for WalkerOf<G> {
    fn verification(&self) -> &Verification {
        &self.verification
    }

    fn session(&self) -> &dyn Session {
        &self.session
    }

    fn played_before(&self) -> usize {
        self.walk.root().moves().len()
    }

    fn step(&self, claim: usize) -> Option<ProofStep> {
        let game = self.session.history();
        let text = |mv| game.position().move_text(mv);
        Some(match self.walk.at(claim, game)? {
            Step::Ours { reply, longest } => ProofStep::Ours { reply: text(reply), longest },
            Step::Theirs { replies, longest } => {
                ProofStep::Theirs { replies: replies.into_iter().map(text).collect(), longest }
            }
            Step::End(_) => ProofStep::Over,
        })
    }

    fn play(&mut self, mv: &str) -> Result<(), tesuji_core::MoveError> {
        self.session.play(mv)
    }

    fn undo(&mut self) -> bool {
        self.session.history().moves().len() > self.played_before() && self.session.undo()
    }
}
