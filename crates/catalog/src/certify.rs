//! Proofs as certificate files: written from a solver, verified, and stepped through.

mod claims;
mod extract;
mod line;
mod solution;
mod verify;
mod walk;
mod zone;

pub(crate) use extract::{ProofExtractor, REPLY_FACTOR, REPLY_NODES};
pub(crate) use line::LINE_NODES;

pub use claims::ProvenClaim;
pub use extract::ProofOutcome;
pub use solution::certify_solution;
pub use verify::{Verification, VerificationFailure, verify};
pub use walk::{ProofStep, Walker, walk};
pub use zone::Zone;
