//! Verification of certificates, with the game chosen by the certificate.

use super::claims::{ProvenClaim, proven_claims};
use serde::Serialize;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use tesuji_core::{Knowledge, Spec, Visitor};
use tesuji_games::{unknown_game, visit};
use tesuji_proof::{Certificate, ProofError, Verified};

/// A verified certificate.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verification {
    /// The game.
    pub game: String,
    /// The position, and the moves that led to it.
    pub root: String,
    /// The proven claims.
    pub claims: Vec<ProvenClaim>,
    /// The positions of all proofs.
    pub positions: u64,
    /// The size of the file.
    pub bytes: u64,
    /// The size of the file divided by the number of positions.
    pub bytes_per_position: f64,
}

/// Why a certificate was rejected.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct VerificationFailure {
    /// The error message.
    pub error: String,
    /// The moves from the root to the faulty position, if the fault has one.
    pub moves: Option<Vec<String>>,
    /// The faulty position.
    pub position_there: Option<String>,
}

impl VerificationFailure {
    /// Describes an error of [`verify`] or [`walk`](crate::walk).
    pub fn new(error: &ProofError) -> VerificationFailure {
        let fault = match error {
            ProofError::Invalid(fault) => Some(fault),
            _ => None,
        };
        VerificationFailure {
            error: error.to_string(),
            moves: fault.map(|fault| fault.moves.clone()),
            position_there: fault.map(|fault| fault.position.clone()),
        }
    }
}

impl Verification {
    pub(super) fn new<G: Knowledge>(verified: Verified, bytes: u64) -> Result<Verification, ProofError> {
        let claims = proven_claims::<G>(&verified)?;
        let positions: u64 = claims.iter().map(|claim| claim.proved.positions).sum();
        Ok(Verification {
            game: verified.spec,
            root: verified.root,
            claims,
            positions,
            bytes,
            bytes_per_position: bytes as f64 / positions.max(1) as f64,
        })
    }
}

/// An open certificate file.
pub(super) struct CertificateFile {
    pub certificate: Certificate<BufReader<File>>,
    /// The size of the file.
    pub bytes: u64,
}

impl CertificateFile {
    /// Opens a file and passes it to a visitor for its game.
    pub fn visit<T, V>(file: &Path, visitor: impl FnOnce(CertificateFile) -> V) -> Result<T, ProofError>
    where
        V: Visitor<Output = Result<T, ProofError>>,
    {
        let input = File::open(file)?;
        let bytes = input.metadata()?.len();
        let certificate = Certificate::open(BufReader::new(input))?;
        let spec: Spec = certificate.spec().parse()?;
        let visited = visit(spec.name(), visitor(CertificateFile { certificate, bytes }));
        visited.unwrap_or_else(|| Err(unknown_game(spec.name()).into()))
    }
}

/// Verifies a certificate with nothing but the rules of its game.
///
/// `progress` is called with the number of positions so far, and returns whether to continue.
pub fn verify(file: &Path, progress: &mut dyn FnMut(u64) -> bool) -> Result<Verification, ProofError> {
    struct Verify<'a>(CertificateFile, &'a mut dyn FnMut(u64) -> bool);
    impl Visitor for Verify<'_> {
        type Output = Result<Verification, ProofError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Verify(CertificateFile { certificate, bytes }, progress) = self;
            let verified = certificate.verify::<G>(|so_far| progress(so_far.positions))?;
            Verification::new::<G>(verified, bytes)
        }
    }
    CertificateFile::visit(file, |certificate| Verify(certificate, progress))
}
