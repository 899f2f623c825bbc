//! Proofs as files, and the verifier that needs nothing but the rules.
//!
//! A certificate names a game, a root and one or more [`Claim`]s: a player can force at least a score, or can be held to at most
//! one. For each it holds the replies of the proving side to everything the others can do. [`Certificate`] reads and verifies it, with
//! [`tesuji_core`] and the rules of the game alone; [`Walk`] steps through it; [`Writer`] makes one from a strategy. The format, and why
//! each [`Kind`] of proof is sound, is in `docs/proof-format.md`.
//!
//! ```
//! use tesuji_core::{Game, History, Player};
//! use tesuji_games::{TicTacToe, rules};
//! use tesuji_proof::{Certificate, Claim, Step, Writer};
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
//! assert_eq!(walk.at(0, &root), Some(Step::Ours { reply: b2, longest: Some(3) }));
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

pub use certificate::{Certificate, Step, Walk};
pub use claim::{Bound, Claim, Kind, Proved, Verified};
pub use error::{Fault, ProofError, Wrong};
pub use source::Progress;
pub use writer::{MOST_PATHS, Writer};
