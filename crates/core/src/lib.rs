//! The game and search interfaces of Tesuji.
//!
//! - [`Game`]: a position with its moves, outcome, hash key and text.
//! - [`History`]: the positions and moves of a game. It applies the rules that depend on earlier
//!   positions: superko, repetition and the length cap.
//! - [`Outcome`]: the score of each player at the end of a game.
//! - [`Knowledge`]: optional heuristics of a game (evaluation, move ordering, static bounds) and
//!   its random playouts.
//! - [`Search`]: searches a [`History`] under a [`Control`] (limits, seed, stop flag, observer) and
//!   returns a [`Report`]. [`Bounds`] in a report are proven; values are estimates.
//! - [`Prover`]: answers a [`Question`]: can a player force at least a given score?
//! - [`time`]: managers that turn a clock into a plan for one move.
//! - [`Spec`]: the string that names a game, player or search with its options, such as
//!   `go:9,komi=6.5`.
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
pub mod files;
mod game;
mod history;
mod knowledge;
mod limited_spec;
pub mod look;
mod outcome;
mod ownership;
pub mod perft;
mod point_score;
mod prover;
mod quantity;
mod quote;
mod report;
pub mod rng;
mod search;
mod spec;
mod stopper;
mod suggestion;
pub mod symmetry;
pub mod time;
mod total_f64;
pub mod view;
mod wdl;
pub mod zobrist;
mod zone;

pub use control::{Control, DEFAULT_MEMORY, Improvement, Inspector, Limits, Observer, Ticker};
pub use dialect::{Dialects, GtpDialect, PositionLayout, SgfDialect, UsiDialect, UsiSupport};
pub use game::{Facts, Game, Info, Length, MoveError, PositionError, Repetition, Rules, Visitor, find_move};
pub use history::{History, HistoryError};
pub use knowledge::{
    ImmediateWin, Knowledge, MAX_PATTERN_VALUE, MoveCode, PlayoutContext, Trace, default_solver,
    plain_informed_playout, plain_pattern_playout, plain_playout, plain_weighted_playout, reference_playout,
    reference_playout_with_wins, static_bounds_are_sound,
};
pub use limited_spec::{LimitedSpec, split_terms};
pub use look::Look;
pub use outcome::{Bounds, MAX_PLAYERS, Outcome, Player, PointBounds, Verdict};
pub use ownership::{OwnerCounts, OwnerTally, Ownership};
pub use point_score::PointScore;
pub use prover::{Prover, Question};
pub use quantity::{QuantityError, parse_bytes, parse_time};
pub use quote::{Quote, quoted, shortened};
pub use report::{Counters, INFINITE, ProofNumbers, Report, RootMove, SolutionLine, StopReason};
pub use rng::Rng;
pub use search::{Capabilities, MULTIPV, Search, SearchInfo, SearchKind};
pub use spec::{OptionInfo, Options, SPECS, Spec, SpecError, split_items};
pub use stopper::{Advice, OnlyMove, POLL_INTERVAL, Progress, RobustMax, RootStats, Solved, StopChain, Stopper};
pub use symmetry::Symmetry;
pub use total_f64::TotalF64;
pub use view::View;
pub use wdl::Wdl;
pub use zone::{CellSet, ZoneRules};
