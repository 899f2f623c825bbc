//! Certificates: proofs as files, with a verifier that needs only the rules of the game.
//!
//! A certificate names a game, a root and one or more [`Claim`]s: a player can force at least a
//! score, or can be held to at most a score. For each claim it holds the replies of the proving
//! side to all moves of the opponents. [`Certificate`] reads and verifies it with [`tesuji_core`]
//! and the rules of the game alone, [`Walk`] steps through it, and [`Writer`] makes one from a
//! strategy. `docs/proof-format.md` describes the format and shows why each [`ProofKind`] is sound.
//!
//! ```
//! use tesuji_core::{Game, History, Player};
//! use tesuji_games::{TicTacToe, rules};
//! use tesuji_proof::{Certificate, Claim, WalkStep, Writer};
//!
//! // X to move wins by b2: it threatens a1-b2-c3 and a2-b2-c2.
//! let root = History::<TicTacToe>::parse(rules::<TicTacToe>("tictactoe").unwrap(), "start moves a1 b1 a2 a3").unwrap();
//! let strategy = |game: &History<TicTacToe>| {
//!     let wins = ["c3", "c2"].iter().filter_map(|text| game.position().parse_move(text).ok()).find(|&mv| {
//!         let mut next = game.clone();
//!         next.play(mv);
//!         next.is_over()
//!     });
//!     wins.or_else(|| game.position().parse_move("b2").ok())
//! };
//! let mut writer = Writer::new(Vec::new(), "tictactoe", &root).unwrap();
//! writer.prove(Claim::at_least(Player::FIRST, 1), strategy, |_| true).unwrap();
//! let (file, _) = writer.finish().unwrap();
//!
//! let certificate = Certificate::open(&file[..]).unwrap();
//! assert_eq!(certificate.spec(), "tictactoe");
//! let walk = certificate.walk::<TicTacToe>(|_| true).unwrap();
//! assert_eq!(walk.verified().claims[0].claim, Claim::at_least(Player::FIRST, 1));
//! let b2 = root.position().parse_move("b2").unwrap();
//! assert_eq!(walk.at(0, &root), Some(WalkStep::Ours { reply: b2, longest: Some(3) }));
//! ```

mod blocks;
mod certificate;
mod claim;
mod error;
mod graph;
mod paths;
pub mod raw;
mod source;
mod writer;

pub use certificate::{Certificate, Walk, WalkStep};
pub use claim::{Bound, Claim, ProofKind, Proved, Verified};
pub use error::{LocatedViolation, ProofError, Violation};
pub use source::Progress;
pub use writer::{MOST_PATHS, Writer};
