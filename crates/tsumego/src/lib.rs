//! Go problems: from a position to the answer in the words of players.
//!
//! [`Problem`] finds out what is asked: the marked stones, the goal and the region, from the file
//! or from the stones alone. [`solve()`] asks the problem games `capture`, `life`, `semeai` and
//! `connect` yes/no questions with different numbers of ko threats until the verdict is known, and
//! [`words`] says it: "Black to play kills with B2 (unconditionally)". [`Book`] reads the printed
//! answer of a collection, and [`annotated`] writes a result back as SGF.
//!
//! ```
//! use tesuji_tsumego::{Board, Goal, Stage, groups};
//!
//! let board = Board::parse("....../....../....../XXXX../OOOX../..OX.. X - 0").unwrap();
//! let group = &groups(&board, board.to_move().opponent())[0];
//! let region = Stage::Near.points(&board, &group.stones(), board.to_move().opponent());
//! assert_eq!((group.stones().len(), region.len()), (4, 6));
//! assert_eq!("kill".parse::<Goal>().unwrap(), Goal::Kill);
//! ```

mod ask;
mod board;
mod book;
mod collection;
mod crop;
mod detect;
mod error;
mod group;
mod inversions;
mod problem;
mod region;
mod scale;
mod solve;
mod variations;
pub mod words;

pub use ask::{Effort, Question, Reply, Solver};
pub use board::{Board, Point, Points};
pub use book::Book;
pub use collection::{CollectionPlan, CollectionProgress, Outcome, Row, Tally, collection, tally};
pub use detect::{Marks, Wishes, candidates};
pub use error::TsumegoError;
pub use group::{Group, groups};
pub use inversions::{Effect, Inversion, InversionPlan, Inversions, inversions};
pub use problem::{Candidate, Goal, Problem};
pub use region::{Stage, Wanted};
pub use scale::{Level, Scale};
pub use solve::{Answer, Details, MoveAnswer, PASS, Refutation, Task, answer, given_region, refute, solve};
pub use variations::annotated;
