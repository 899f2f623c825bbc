//! Who reads certificates for a table: a thread of its own, so that a long one keeps nobody else waiting.

use crate::caps::{Grant, POSITION_BYTES};
use crate::line::state_of;
use crate::message::{Answer, Step};
use crate::outbox::Outbox;
use crate::server::Shared;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::Receiver;
use std::time::Instant;
use tesuji_catalog::{Defect, ProofError, Said, Verification, Walker};

/// What the clerk is asked to do, and the number of the message that asks.
pub struct Errand {
    pub id: u64,
    pub what: What,
    /// By its copies the table knows how many wait.
    pub _counted: Arc<()>,
}

/// What the clerk is asked to do.
pub enum What {
    /// To verify a certificate of the server.
    Verify { proof: String },
    /// To verify a certificate that somebody sends, in base64.
    Read { data: String },
    /// To begin a walk through a certificate.
    Begin { proof: String, claim: usize },
    /// To go on with a move.
    Move { proof: String, claim: usize, mv: String },
    /// To go back.
    Back { proof: String, claim: usize },
}

/// What became of a certificate, as `tesuji verify --json` tells it.
#[derive(Serialize)]
struct Verified {
    schema: u32,
    verified: bool,
    #[serde(flatten)]
    verification: Option<Verification>,
    #[serde(flatten)]
    defect: Option<Defect>,
    timing: Timing,
    /// The ID, if it can be walked through.
    proof: Option<String>,
}

#[derive(Serialize)]
struct Timing {
    seconds: f64,
    positions_per_second: f64,
}

/// A walk in progress.
struct Walk {
    proof: String,
    /// From 0.
    claim: usize,
    walker: Box<dyn Walker>,
    /// What it takes, which goes back with it.
    _memory: Grant,
}

/// The clerk.
pub struct Clerk {
    shared: Arc<Shared>,
    outbox: Arc<Outbox>,
    /// Raised when nobody waits for the answer any more.
    gone: Arc<AtomicBool>,
    walk: Option<Walk>,
}

impl Clerk {
    pub fn new(shared: Arc<Shared>, outbox: Arc<Outbox>, gone: Arc<AtomicBool>) -> Clerk {
        Clerk { shared, outbox, gone, walk: None }
    }

    /// Works until nobody can ask for more.
    pub fn run(mut self, errands: &Receiver<Errand>) {
        while let Ok(Errand { id, what, _counted }) = errands.recv() {
            let done = catch_unwind(AssertUnwindSafe(|| self.answer(id, &what))).unwrap_or_else(|_| {
                self.walk = None;
                Err("reading the proof broke off by an error of the program".to_string())
            });
            if let Err(error) = done {
                self.outbox.send(&Answer::<()>::Error { id: Some(id), error });
            }
        }
    }

    fn answer(&mut self, id: u64, what: &What) -> Result<(), String> {
        match what {
            What::Verify { proof } => {
                let file = self.shared.store.find(proof)?;
                let ok = self.verify(&file, Some(proof.clone()))?;
                self.outbox.send(&Answer::Ok { id, ok });
            }
            What::Read { data } => {
                let ok = self.read(data)?;
                self.outbox.send(&Answer::Ok { id, ok });
            }
            What::Begin { proof, claim } => {
                let ok = self.begin(proof, *claim)?;
                self.outbox.send(&Answer::Ok { id, ok });
            }
            What::Move { proof, claim, mv } => {
                let ok = self.walk(proof, *claim)?.go(mv)?;
                self.outbox.send(&Answer::Ok { id, ok });
            }
            What::Back { proof, claim } => {
                let ok = self.walk(proof, *claim)?.back()?;
                self.outbox.send(&Answer::Ok { id, ok });
            }
        }
        Ok(())
    }

    fn verify(&self, file: &Path, proof: Option<String>) -> Result<Verified, String> {
        let begin = Instant::now();
        let mut memory = self.shared.memory.nothing();
        let mut full = false;
        let checked = tesuji_catalog::verify(file, &mut |positions| self.goes_on(positions, &mut memory, &mut full));
        if full {
            return Err(self.no_memory());
        }
        let seconds = begin.elapsed().as_secs_f64();
        let (verification, defect) = match checked {
            Ok(verification) => (Some(verification), None),
            Err(ProofError::Io(error)) => return Err(format!("the certificate cannot be read: {error}")),
            Err(error) => (None, Some(Defect::new(&error))),
        };
        let positions = verification.as_ref().map_or(0, |verification| verification.positions);
        Ok(Verified {
            schema: tesuji_catalog::SCHEMA,
            verified: defect.is_none(),
            timing: Timing { seconds, positions_per_second: positions as f64 / seconds },
            proof: proof.filter(|_| defect.is_none()),
            verification,
            defect,
        })
    }

    /// Verifies a certificate that was sent, and keeps it if it is good.
    fn read(&self, data: &str) -> Result<Verified, String> {
        let bytes = STANDARD.decode(data.trim()).map_err(|error| format!("\"data\" is no base64: {error}"))?;
        let in_words = |error: std::io::Error| format!("the certificate cannot be kept: {error}");
        let draft = self.shared.store.draw().map_err(in_words)?;
        std::fs::write(draft.file(), bytes).map_err(in_words)?;
        let verified = self.verify(draft.file(), None)?;
        let proof = verified.verified.then(|| draft.keep());
        Ok(Verified { proof, ..verified })
    }

    /// Whether to go on with a certificate of which so many positions are in memory.
    fn goes_on(&self, positions: u64, memory: &mut Grant, full: &mut bool) -> bool {
        let bytes = usize::try_from(positions).unwrap_or(usize::MAX).saturating_mul(POSITION_BYTES);
        *full = !memory.grow(bytes);
        !*full && !self.gone.load(Relaxed)
    }

    fn no_memory(&self) -> String {
        let all = self.shared.caps.memory;
        format!(
            "the proof needs more than what is left of the {all} bytes of this server; `tesuji verify` has no such limit"
        )
    }

    fn begin(&mut self, proof: &str, claim: usize) -> Result<Step, String> {
        if self.walk.as_ref().is_none_or(|walk| walk.proof != proof) {
            let file = self.shared.store.find(proof)?;
            // The one before makes room.
            self.walk = None;
            let mut memory = self.shared.memory.nothing();
            let mut full = false;
            let opened = tesuji_catalog::walk(&file, &mut |positions| self.goes_on(positions, &mut memory, &mut full));
            if full {
                return Err(self.no_memory());
            }
            let walker = opened.map_err(|error| format!("the proof cannot be walked through: {error}"))?;
            self.walk = Some(Walk { proof: proof.to_string(), claim: 0, walker, _memory: memory });
        }
        let walk = self.walk.as_mut().expect("it was just opened");
        let claims = walk.walker.verification().claims.len();
        if !(1..=claims).contains(&claim) {
            return Err(format!("there is no claim {claim}; the proof has claims 1 to {claims}"));
        }
        walk.claim = claim - 1;
        while walk.walker.undo() {}
        Ok(walk.answer())
    }

    /// The walk through a proof, begun if it is not the one that goes on.
    fn walk(&mut self, proof: &str, claim: usize) -> Result<&mut Walk, String> {
        if self.walk.as_ref().is_none_or(|walk| walk.proof != proof || walk.claim + 1 != claim) {
            self.begin(proof, claim)?;
        }
        Ok(self.walk.as_mut().expect("it was just begun"))
    }
}

impl Walk {
    /// Plays a move of the side that the proof beats.
    fn go(&mut self, mv: &str) -> Result<Step, String> {
        self.walker.play(mv).map_err(|error| error.to_string())?;
        Ok(self.answer())
    }

    /// Goes back to where the other side was to move.
    fn back(&mut self) -> Result<Step, String> {
        let before = self.walker.session().moves();
        while self.walker.undo() {
            if matches!(self.walker.said(self.claim), Some(Said::Theirs { .. })) {
                return Ok(self.step(None));
            }
        }
        for mv in &before[self.walker.played_before()..] {
            self.walker.play(mv).expect("it was played before");
        }
        Err("there is nothing to go back to; this is where the walk begins".to_string())
    }

    /// Plays the replies of the proof until the other side is to move.
    fn answer(&mut self) -> Step {
        let mut last = None;
        while let Some(Said::Ours { reply, .. }) = self.walker.said(self.claim) {
            self.walker.play(&reply).expect("a verified proof plays legal moves");
            last = Some(reply);
        }
        self.step(last)
    }

    fn step(&self, reply: Option<String>) -> Step {
        let session = self.walker.session();
        let said = self.walker.said(self.claim);
        let name = session.to_move().map_or("nobody", |player| session.player_name(player));
        let (replies, longest, words) = match said {
            Some(Said::Theirs { replies, longest }) => {
                let end = longest.map_or(String::new(), |plies| format!(", {plies} plies at most to the end"));
                (replies, longest, format!("{name} to move{end}"))
            }
            _ => {
                let over = session.ending().map(|ending| format!("over: {}", ending.words));
                (Vec::new(), None, over.unwrap_or_else(|| "the proof says no more".to_string()))
            }
        };
        let claims = &self.walker.verification().claims;
        Step {
            state: state_of(session),
            claim: self.claim + 1,
            claims: claims.iter().map(|claim| claim.words.clone()).collect(),
            line: session.moves().split_off(self.walker.played_before()),
            done: replies.is_empty(),
            reply,
            replies,
            longest,
            words,
        }
    }
}
