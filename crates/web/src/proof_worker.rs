//! The proof worker of a connection: a thread that verifies certificates and walks through them, so
//! that a long one delays no other request.

use crate::caps::Grant;
use crate::game_line::state_of;
use crate::message::{Response, WalkStep};
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
use tesuji_catalog::{ProofError, ProofStep, Session, Verification, VerificationFailure, Walker, certify_solution};

/// A task of the worker, and the ID of the request.
pub struct ProofJob {
    pub id: u64,
    pub task: ProofTask,
    /// One reference per pending job, by which the connection counts them.
    pub _pending: Arc<()>,
}

/// A request about a certificate.
pub enum ProofTask {
    /// Verify a stored certificate.
    Verify { proof: String },
    /// Verify and store a certificate in base64.
    VerifyData { data: String },
    /// Write and store the certificate of a line to the end of a game for one player.
    Certify { game: Box<dyn Session>, moves: Vec<String> },
    /// Start a walk through a certificate.
    StartWalk { proof: String, claim: usize },
    /// Continue the walk with a move.
    Move { proof: String, claim: usize, mv: String },
    /// Go back to the previous choice.
    Back { proof: String, claim: usize },
}

/// The result of a verification, as `tesuji verify --json` prints it.
#[derive(Serialize)]
struct VerifyResult {
    schema: u32,
    verified: bool,
    #[serde(flatten)]
    verification: Option<Verification>,
    #[serde(flatten)]
    failure: Option<VerificationFailure>,
    timing: Timing,
    /// The ID, if the certificate is valid.
    proof: Option<String>,
}

#[derive(Serialize)]
struct Timing {
    seconds: f64,
    positions_per_second: f64,
}

/// A walk through a certificate.
struct ProofWalk {
    proof: String,
    /// The index of the claim.
    claim: usize,
    walker: Box<dyn Walker>,
    /// The memory of the certificate.
    _memory: Grant,
}

/// The proof worker of a connection.
pub struct ProofWorker {
    shared: Arc<Shared>,
    outbox: Arc<Outbox>,
    /// Set when the connection has ended.
    disconnected: Arc<AtomicBool>,
    walk: Option<ProofWalk>,
}

impl ProofWorker {
    pub fn new(shared: Arc<Shared>, outbox: Arc<Outbox>, disconnected: Arc<AtomicBool>) -> ProofWorker {
        ProofWorker { shared, outbox, disconnected, walk: None }
    }

    /// Executes jobs until all senders are gone.
    pub fn run(mut self, jobs: &Receiver<ProofJob>) {
        while let Ok(ProofJob { id, task, _pending }) = jobs.recv() {
            let result = catch_unwind(AssertUnwindSafe(|| self.execute(id, &task))).unwrap_or_else(|_| {
                self.walk = None;
                Err("reading the proof failed with an internal error".to_string())
            });
            if let Err(error) = result {
                self.outbox.send(&Response::error(Some(id), error));
            }
        }
    }

    fn execute(&mut self, id: u64, task: &ProofTask) -> Result<(), String> {
        match task {
            ProofTask::Verify { proof } => {
                let file = self.shared.store.find(proof)?;
                let ok = self.verify(&file, Some(proof.clone()))?;
                self.outbox.send(&Response::Ok { id, ok });
            }
            ProofTask::VerifyData { data } => {
                let ok = self.verify_data(data)?;
                self.outbox.send(&Response::Ok { id, ok });
            }
            ProofTask::Certify { game, moves } => {
                let ok = self.certify(game.as_ref(), moves)?;
                self.outbox.send(&Response::Ok { id, ok });
            }
            ProofTask::StartWalk { proof, claim } => {
                let ok = self.start_walk(proof, *claim)?;
                self.outbox.send(&Response::Ok { id, ok });
            }
            ProofTask::Move { proof, claim, mv } => {
                let ok = self.walk(proof, *claim)?.play(mv)?;
                self.outbox.send(&Response::Ok { id, ok });
            }
            ProofTask::Back { proof, claim } => {
                let ok = self.walk(proof, *claim)?.back()?;
                self.outbox.send(&Response::Ok { id, ok });
            }
        }
        Ok(())
    }

    fn verify(&self, file: &Path, proof: Option<String>) -> Result<VerifyResult, String> {
        let start = Instant::now();
        let mut memory = self.shared.memory.empty_grant();
        let mut full = false;
        let verified = tesuji_catalog::verify(file, &mut |positions| self.proceed(positions, &mut memory, &mut full));
        if full {
            return Err(self.out_of_memory());
        }
        let seconds = start.elapsed().as_secs_f64();
        let (verification, failure) = match verified {
            Ok(verification) => (Some(verification), None),
            Err(ProofError::Io(error)) => return Err(format!("cannot read the certificate: {error}")),
            Err(error) => (None, Some(VerificationFailure::new(&error))),
        };
        let positions = verification.as_ref().map_or(0, |verification| verification.positions);
        Ok(VerifyResult {
            schema: tesuji_catalog::SCHEMA,
            verified: failure.is_none(),
            timing: Timing { seconds, positions_per_second: positions as f64 / seconds },
            proof: proof.filter(|_| failure.is_none()),
            verification,
            failure,
        })
    }

    /// Verifies a certificate from a request and stores it if it is valid.
    fn verify_data(&self, data: &str) -> Result<VerifyResult, String> {
        let bytes = STANDARD.decode(data.trim()).map_err(|error| format!("\"data\" is not base64: {error}"))?;
        let cannot_store = |error: std::io::Error| format!("cannot store the certificate: {error}");
        let file = self.shared.store.create().map_err(cannot_store)?;
        std::fs::write(file.path(), bytes).map_err(cannot_store)?;
        let result = self.verify(file.path(), None)?;
        let proof = result.verified.then(|| file.keep());
        Ok(VerifyResult { proof, ..result })
    }

    /// Writes the certificate of a line, stores it and verifies it.
    fn certify(&self, game: &dyn Session, moves: &[String]) -> Result<VerifyResult, String> {
        let cannot_store = |error: std::io::Error| format!("cannot store the certificate: {error}");
        let file = self.shared.store.create().map_err(cannot_store)?;
        certify_solution(file.path(), game, moves).map_err(|error| error.to_string())?;
        let result = self.verify(file.path(), None)?;
        Ok(VerifyResult { proof: Some(file.keep()), ..result })
    }

    /// Returns whether to continue reading a certificate with this many positions in memory.
    fn proceed(&self, positions: u64, memory: &mut Grant, full: &mut bool) -> bool {
        *full = !memory.grow_to_positions(positions);
        !*full && !self.disconnected.load(Relaxed)
    }

    fn out_of_memory(&self) -> String {
        let total = self.shared.caps.memory;
        format!("the proof exceeds what is left of the server's {total} bytes; `tesuji verify` has no such limit")
    }

    fn start_walk(&mut self, proof: &str, claim: usize) -> Result<WalkStep, String> {
        if self.walk.as_ref().is_none_or(|walk| walk.proof != proof) {
            let file = self.shared.store.find(proof)?;
            // The previous walk frees its memory first.
            self.walk = None;
            let mut memory = self.shared.memory.empty_grant();
            let mut full = false;
            let opened = tesuji_catalog::walk(&file, &mut |positions| self.proceed(positions, &mut memory, &mut full));
            if full {
                return Err(self.out_of_memory());
            }
            let walker = opened.map_err(|error| format!("cannot walk through the proof: {error}"))?;
            self.walk = Some(ProofWalk { proof: proof.to_string(), claim: 0, walker, _memory: memory });
        }
        let walk = self.walk.as_mut().expect("it was just opened");
        let claims = walk.walker.verification().claims.len();
        if !(1..=claims).contains(&claim) {
            return Err(format!("no claim {claim}; the proof has claims 1 to {claims}"));
        }
        walk.claim = claim - 1;
        while walk.walker.undo() {}
        Ok(walk.play_replies())
    }

    /// Returns the walk through this claim of the proof, started if it is not the current one.
    fn walk(&mut self, proof: &str, claim: usize) -> Result<&mut ProofWalk, String> {
        if self.walk.as_ref().is_none_or(|walk| walk.proof != proof || walk.claim + 1 != claim) {
            self.start_walk(proof, claim)?;
        }
        Ok(self.walk.as_mut().expect("it was just started"))
    }
}

impl ProofWalk {
    /// Plays a move of the losing side and the replies of the proof.
    fn play(&mut self, mv: &str) -> Result<WalkStep, String> {
        self.walker.play(mv).map_err(|error| error.to_string())?;
        Ok(self.play_replies())
    }

    /// Goes back to the previous turn of the losing side.
    fn back(&mut self) -> Result<WalkStep, String> {
        let before = self.walker.session().moves();
        while self.walker.undo() {
            if matches!(self.walker.step(self.claim), Some(ProofStep::Theirs { .. })) {
                return Ok(self.step(None));
            }
        }
        for mv in &before[self.walker.played_before()..] {
            self.walker.play(mv).expect("it was played before");
        }
        Err("already at the start of the walk".to_string())
    }

    /// Plays the replies of the proof until the losing side is to move.
    fn play_replies(&mut self) -> WalkStep {
        let mut last = None;
        while let Some(ProofStep::Ours { reply, .. }) = self.walker.step(self.claim) {
            self.walker.play(&reply).expect("a verified proof plays legal moves");
            last = Some(reply);
        }
        self.step(last)
    }

    fn step(&self, reply: Option<String>) -> WalkStep {
        let session = self.walker.session();
        let (replies, longest, words) = match self.walker.step(self.claim) {
            Some(ProofStep::Theirs { replies, longest }) => {
                let name = session.to_move().map_or("-", |player| session.player_name(player));
                let end = longest.map_or(String::new(), |plies| format!(", at most {plies} plies to the end"));
                (replies, longest, format!("{name} to move{end}"))
            }
            _ => {
                let over = session.ending().map(|ending| format!("Game over: {}", ending.words));
                (Vec::new(), None, over.unwrap_or_else(|| "End of the proof".to_string()))
            }
        };
        let claims = &self.walker.verification().claims;
        WalkStep {
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
