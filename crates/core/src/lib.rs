//! The game interface of Tesuji.
//!
//! These ideas carry everything above this crate:
//!
//! - [`Game`]: a value is a position; it knows its moves, its outcome, its key, its text.
//! - [`History`]: a game from its start to now. What the past forbids or ends (superko, repetition, a length cap) is
//!   its business, not the position's.
//! - [`Outcome`]: a score for every player, from which results and values follow.
//! - [`Knowledge`]: what a game knows beyond its rules, every ability optional; and its random playouts.
//! - [`Search`]: looks at a [`History`] under a [`Control`] (limits, seed, stop flag, observer) and answers with a [`Report`], in
//!   which [`Bounds`] say what is proved and values what is believed.
//! - [`Prover`]: answers a [`Question`], whether a player can force at least a score.
//! - [`Spec`]: games, players and searches as short strings that print back the same.
//!
//! ```
//! use tesuji_core::{Spec, Options};
//!
//! let spec: Spec = "go:9,komi=6.5".parse().unwrap();
//! let mut options = Options::new(&spec);
//! assert_eq!(options.size((19, 19), 2..=19, 2..=19), Ok((9, 9)));
//! assert_eq!(options.halves("komi", 15, -100..=100, "points for White"), Ok(13));
//! assert!(options.finish().is_ok());
//! ```

mod control;
mod dialect;
mod game;
mod history;
mod knowledge;
pub mod look;
mod outcome;
pub mod perft;
mod prover;
mod record;
mod report;
pub mod rng;
mod search;
mod spec;
pub mod symmetry;
mod total_f64;
pub mod view;
pub mod zobrist;

pub use control::{Control, DEFAULT_MEMORY, Inspector, Limits, Observer, Ticker};
pub use dialect::{Dialects, GtpDialect, PositionLayout, SgfDialect, UsiDialect, UsiSupport};
pub use game::{Facts, Game, Info, Length, MoveError, PositionError, Repetition, Rules, Visitor, find_move};
pub use history::{History, HistoryError};
pub use knowledge::{
    Knowledge, PlayoutContext, Trace, default_solver, plain_playout, reference_playout, static_bounds_are_sound,
};
pub use look::Look;
pub use outcome::{Bounds, MAX_PLAYERS, Outcome, Player, Verdict};
pub use prover::{Prover, Question};
pub use record::Record;
pub use report::{Counters, INFINITE, ProofNumbers, Report, RootMove, StopReason};
pub use rng::Rng;
pub use search::{Capabilities, Search, SearchInfo, SearchKind};
pub use spec::{OptionInfo, Options, Spec, SpecError};
pub use symmetry::Symmetry;
pub use total_f64::TotalF64;
pub use view::View;
