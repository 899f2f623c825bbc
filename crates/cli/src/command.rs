//! One file per subcommand, and the arguments that several of them share.

pub mod bench;
pub mod board_report;
pub mod check;
pub mod compare;
pub mod endings;
pub mod experiment;
pub mod games;
pub mod gtp;
pub mod learn;
pub mod limits;
pub mod matches;
pub mod perft;
pub mod play;
pub mod position;
pub mod ranges;
pub mod report;
pub mod searches;
pub mod serve;
pub mod show;
pub mod solve;
pub mod think;
pub mod time_managers;
pub mod traps;
pub mod usi;
pub mod verify;
pub mod walk;
